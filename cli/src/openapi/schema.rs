//! Types as JSON Schema, with what OpenAPI says of XML.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};
use svcgen_codegen::documents::Description;
use svcgen_codegen::documents::TypeDefinition;
use svcgen_codegen::documents::schema::{ComplexType, Content, Element, Enumeration};

use super::description::describe;

/// The types that a document defines, by the keys that it has them under.
pub(super) struct Schemas<'d> {
    namespace: &'d str,
    qualified: bool,
    definitions: Vec<TypeDefinition<'d>>,
    keys: HashMap<&'d str, String>,
}

impl<'d> Schemas<'d> {
    pub fn new(description: &Description<'d>, definitions: Vec<TypeDefinition<'d>>) -> Self {
        let mut taken = HashSet::new();
        let keys = definitions
            .iter()
            .map(|definition| (name_of(definition), key(name_of(definition), &mut taken)))
            .collect();
        Self {
            namespace: description.namespace,
            qualified: description.qualified,
            definitions,
            keys,
        }
    }

    /// All of them, under their keys.
    pub fn components(&self) -> Map<String, Value> {
        let schema = |definition: &TypeDefinition<'d>| match definition {
            TypeDefinition::Complex(complex) => self.complex_type(complex),
            TypeDefinition::Enumeration(enumeration) => enumeration_schema(enumeration),
        };
        let definitions = self.definitions.iter();
        definitions
            .map(|definition| (self.keys[name_of(definition)].clone(), schema(definition)))
            .collect()
    }

    /// A result as the root element that answers it.
    pub fn root(&self, root: &str, result: &Element<'_>) -> Value {
        let mut schema = self.value(result);
        let mut xml = json!({ "name": root, "namespace": self.namespace });
        if matches!(result.content, Content::List(_)) {
            xml["wrapped"] = json!(true);
        }
        schema["xml"] = xml;
        schema
    }

    /// A parameter as a field of a query or a form: bytes are their numbers.
    pub fn field(&self, parameter: &Element<'_>) -> Value {
        let schema = match parameter.content {
            Content::Type("base64Binary" | "hexBinary") => {
                let byte = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
                json!({ "type": "array", "items": byte })
            }
            Content::List(item) => json!({ "type": "array", "items": self.one(item) }),
            _ if parameter.repeated => json!({ "type": "array", "items": self.one(parameter) }),
            _ => self.one(parameter),
        };
        hidden(schema, parameter)
    }

    /// A value of an element.
    fn value(&self, element: &Element<'_>) -> Value {
        let schema = match element.content {
            Content::List(item) => json!({ "type": "array", "items": self.element(item) }),
            _ => self.one(element),
        };
        match element.nillable {
            true => json!({ "anyOf": [schema, { "type": "null" }] }),
            false => schema,
        }
    }

    fn one(&self, element: &Element<'_>) -> Value {
        match element.content {
            Content::Type(name) => match self.keys.get(name) {
                Some(key) => json!({ "$ref": format!("#/components/schemas/{key}") }),
                None => simple(name),
            },
            Content::List(item) => json!({ "type": "array", "items": self.element(item) }),
            Content::Choice(_) => json!({}),
        }
    }

    /// An element in an object or a list, as it stands in XML.
    fn element(&self, element: &Element<'_>) -> Value {
        let mut xml = json!({ "name": element.name });
        if self.qualified {
            xml["namespace"] = json!(self.namespace);
        }
        let mut schema = hidden(self.value(element), element);
        if element.repeated {
            // The items of an unwrapped list stand where it would stand.
            schema["xml"] = xml;
            schema = json!({ "type": "array", "items": schema });
        } else {
            if matches!(element.content, Content::List(_)) {
                xml["wrapped"] = json!(true);
            }
            schema["xml"] = xml;
        }
        describe(&mut schema, element.documentation);
        schema
    }

    fn complex_type(&self, complex: &ComplexType<'_>) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for attribute in complex.attributes {
            let mut schema = hidden(self.one(attribute), attribute);
            schema["xml"] = json!({ "attribute": true });
            describe(&mut schema, attribute.documentation);
            self.insert(attribute, schema, &mut properties, &mut required);
        }
        if let Some(text) = &complex.text {
            let mut schema = hidden(self.one(text), text);
            // OpenAPI 3.1 has no word for the text of an element; its tools know this one.
            schema["xml"] = json!({ "x-text": true });
            describe(&mut schema, text.documentation);
            self.insert(text, schema, &mut properties, &mut required);
        }
        for element in complex.elements {
            self.property(element, &mut properties, &mut required);
        }
        let mut schema = json!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        if let Some(base) = complex.extends.and_then(|base| self.keys.get(base)) {
            let base = json!({ "$ref": format!("#/components/schemas/{base}") });
            schema = json!({ "allOf": [base, schema] });
        }
        describe(&mut schema, complex.documentation);
        schema
    }

    /// Adds an element; the alternatives of a choice are properties of which none is required.
    fn property(
        &self,
        element: &Element<'_>,
        properties: &mut Map<String, Value>,
        required: &mut Vec<String>,
    ) {
        let Content::Choice(alternatives) = element.content else {
            return self.insert(element, self.element(element), properties, required);
        };
        for alternative in alternatives {
            let alternative = Element {
                optional: true,
                repeated: alternative.repeated || element.repeated,
                ..*alternative
            };
            self.property(&alternative, properties, required);
        }
    }

    fn insert(
        &self,
        element: &Element<'_>,
        schema: Value,
        properties: &mut Map<String, Value>,
        required: &mut Vec<String>,
    ) {
        properties.insert(element.name.to_owned(), schema);
        if !element.optional && !element.repeated {
            required.push(element.name.to_owned());
        }
    }
}

fn name_of<'d>(definition: &TypeDefinition<'d>) -> &'d str {
    match definition {
        TypeDefinition::Complex(complex) => complex.name,
        TypeDefinition::Enumeration(enumeration) => enumeration.name,
    }
}

/// A key for a name: keys are of letters, digits and `.-_` (OpenAPI 3.1 §4.8.7).
fn key(name: &str, taken: &mut HashSet<String>) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let mut key: String = name
        .chars()
        .map(|c| if allowed(c) { c } else { '_' })
        .collect();
    while !taken.insert(key.clone()) {
        key.push('_');
    }
    key
}

fn enumeration_schema(enumeration: &Enumeration<'_>) -> Value {
    let names: Vec<_> = enumeration.values.iter().map(|value| value.name).collect();
    let mut schema = json!({ "type": "string", "enum": names });
    let meanings = enumeration.values.iter().filter_map(|value| {
        let documentation = value.documentation?;
        Some(format!("- `{}`: {documentation}", value.name))
    });
    let meanings = meanings.collect::<Vec<_>>().join("\n");
    let parts = [enumeration.documentation.unwrap_or_default(), &meanings];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if !parts.is_empty() {
        schema["description"] = json!(parts.join("\n\n"));
    }
    schema
}

/// A secret is for a password field.
fn hidden(mut schema: Value, element: &Element<'_>) -> Value {
    if element.secret {
        let place = match schema.get_mut("items") {
            Some(items) => items,
            None => &mut schema,
        };
        place["format"] = json!("password");
    }
    schema
}

/// A simple type of the definition language.
fn simple(name: &str) -> Value {
    let within = |minimum: i64, maximum: u64| json!({ "type": "integer", "minimum": minimum, "maximum": maximum });
    match name {
        "boolean" => json!({ "type": "boolean" }),
        "int" => json!({ "type": "integer", "format": "int32" }),
        "long" => json!({ "type": "integer", "format": "int64" }),
        "byte" => within(-128, 127),
        "short" => within(-32_768, 32_767),
        "unsignedByte" => within(0, 255),
        "unsignedShort" | "char" => within(0, 65_535),
        "unsignedInt" => within(0, u64::from(u32::MAX)),
        "unsignedLong" => within(0, u64::MAX),
        "integer" => json!({ "type": "integer" }),
        "float" => json!({ "type": "number", "format": "float" }),
        "double" => json!({ "type": "number", "format": "double" }),
        "decimal" => json!({ "type": "number" }),
        "base64Binary" => json!({ "type": "string", "contentEncoding": "base64" }),
        "hexBinary" => json!({ "type": "string", "contentEncoding": "base16" }),
        "anyURI" => json!({ "type": "string", "format": "uri-reference" }),
        "guid" => json!({ "type": "string", "format": "uuid" }),
        "dateTime" => json!({ "type": "string", "format": "date-time" }),
        "date" | "time" | "duration" => json!({ "type": "string", "format": name }),
        "any" => json!({ "description": "Any XML." }),
        _ => json!({ "type": "string" }),
    }
}
