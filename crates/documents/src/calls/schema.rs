//! JSON Schemas of types, with OpenAPI's `xml` objects.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};
use svcgen_model::{
    self as model, At, ComplexType, Element, ElementForm, Enumeration, Facet, JsonSchema, Occurs,
    Operation, Particle, Service, SimpleType, TypeAt, ValueConstraint, renamed,
};

use crate::markup::XML;

/// A namespace, and the form of the elements that are declared in it.
type Declared<'d> = (&'d str, ElementForm);

/// Sets the `description` of an object to these paragraphs, unless all are empty.
pub(crate) fn describe<'w>(object: &mut Value, paragraphs: impl IntoIterator<Item = &'w str>) {
    let said = paragraphs.into_iter().filter(|words| !words.is_empty());
    let said: Vec<_> = said.collect();
    if !said.is_empty() {
        object["description"] = json!(said.join("\n\n"));
    }
}

/// The types that a document defines, and their keys in it.
pub(crate) struct Schemas<'d> {
    service: At<'d, Service<'d>>,
    definitions: Vec<TypeAt<'d>>,
    keys: HashMap<(Option<&'d str>, &'d str), String>,
}

impl<'d> Schemas<'d> {
    /// Collects the types of a notation, whose name is a suffix for keys that others have taken.
    pub(crate) fn new(
        service: At<'d, Service<'d>>,
        definitions: Vec<TypeAt<'d>>,
        notation: &str,
        taken: &mut HashSet<String>,
    ) -> Self {
        let others = taken.clone();
        let names = definitions.iter().map(|each| each.qualified_name());
        let keys = names.map(|name| {
            let mut wanted = key(name.1);
            if others.contains(&wanted) {
                wanted = format!("{wanted}.{notation}");
            }
            (name, free(wanted, taken))
        });
        let keys = keys.collect();
        Self {
            service,
            definitions,
            keys,
        }
    }

    /// The schemas of all types, by key.
    pub(crate) fn components(
        &self,
        schema: fn(&Self, TypeAt<'_>) -> Value,
    ) -> impl Iterator<Item = (String, Value)> {
        let definitions = self.definitions.iter();
        definitions.map(move |definition| {
            let key = self.keys[&definition.qualified_name()].clone();
            (key, schema(self, *definition))
        })
    }

    /// The schema of a type in XML.
    pub(crate) fn definition(&self, definition: TypeAt<'_>) -> Value {
        match definition {
            TypeAt::Complex(complex) => self.complex_type(complex),
            TypeAt::Enumeration(enumeration) => {
                enumeration_schema(enumeration, " ", |value| value.name)
            }
            TypeAt::Simple(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => {
                self.value_of(definition, self.service.scope())
            }
        }
    }

    /// The schema of a result, as the root element of a response.
    pub(crate) fn root(
        &self,
        operation: At<'_, Operation<'_>>,
        result: At<'_, Element<'_>>,
    ) -> Value {
        let mut schema = self.value(result, self.service.scope());
        if result.type_ref.is_document() {
            return schema;
        }
        let namespace = operation.root_namespace.unwrap_or(self.service.scope().0);
        let mut xml = json!({ "name": operation.root, "namespace": namespace });
        if matches!(result.type_at(), TypeAt::List(_)) {
            xml["wrapped"] = json!(true);
        }
        schema["xml"] = xml;
        schema
    }

    /// Returns the schema of a parameter, as a field of a query or a form: bytes are numbers.
    pub fn field(&self, parameter: At<'_, Element<'_>>) -> Value {
        let one = match parameter.type_at() {
            TypeAt::Simple(simple) if simple.is_bytes() => simple_schema(SimpleType::UnsignedByte),
            TypeAt::List(item) => self.field_value(item.type_at()),
            value if parameter.repeated => self.field_value(value),
            value => {
                let mut schema = self.field_value(value);
                self.limit(&mut schema, parameter);
                return hidden(schema, parameter);
            }
        };
        hidden(json!({ "type": "array", "items": one }), parameter)
    }

    /// The schema of a value in a form: for an enumeration, with the names of .NET.
    fn field_value(&self, type_at: TypeAt<'_>) -> Value {
        match type_at {
            TypeAt::Enumeration(one) if one.has_field_names() => {
                enumeration_schema(one, ", ", model::Value::field_name)
            }
            type_at => self.value_of(type_at, self.service.scope()),
        }
    }

    /// The schema of the value of an element.
    fn value(&self, element: At<'_, Element<'_>>, declared: Declared<'_>) -> Value {
        let mut schema = self.value_of(element.type_at(), declared);
        if element.texts {
            schema = json!({ "type": "string" });
        } else {
            self.limit(&mut schema, element);
        }
        match element.constraint {
            Some(ValueConstraint::Default(text) | ValueConstraint::Initial(text)) => {
                schema["default"] = json_value(&schema, text);
            }
            Some(ValueConstraint::Fixed(text)) => schema["const"] = json_value(&schema, text),
            None => {}
        }
        if element.is_nillable() {
            json!({ "anyOf": [schema, { "type": "null" }] })
        } else {
            schema
        }
    }

    /// Adds the restrictions of values to the schema of a value: the members of a union, and
    /// facets.
    fn limit(&self, schema: &mut Value, element: At<'_, Element<'_>>) {
        let members = element.union().map(|member| match member.type_at() {
            TypeAt::Enumeration(_) => self.reference(member.type_at()),
            type_at => {
                let mut schema = self.value_of(type_at, self.service.scope());
                self.limit(&mut schema, member);
                schema
            }
        });
        let members: Vec<_> = members.collect();
        restrict(schema, element.facets);
        if let (false, Value::Object(keys)) = (members.is_empty(), schema) {
            // The schemas of the members contain the type: text in XML may be a number.
            keys.remove("type");
            keys.insert("anyOf".to_owned(), json!(members));
        }
    }

    fn value_of(&self, type_at: TypeAt<'_>, declared: Declared<'_>) -> Value {
        match type_at {
            TypeAt::Simple(simple) => simple_schema(simple),
            TypeAt::Complex(_) | TypeAt::Enumeration(_) => self.reference(type_at),
            TypeAt::List(item) => array(item.occurs, self.element(item, None, declared)),
            // No message in XML contains a value of this type.
            TypeAt::Dictionary(_) => json!({}),
        }
    }

    pub(crate) fn reference(&self, type_at: TypeAt<'_>) -> Value {
        let key = &self.keys[&type_at.qualified_name()];
        json!({ "$ref": format!("#/components/schemas/{key}") })
    }

    /// The names by which objects of a type, or of types that extend it, identify their type in
    /// JSON.
    pub(crate) fn script_names(&self, complex: At<'_, ComplexType<'_>>) -> Vec<&'d str> {
        let known = self.service.script_types();
        let known = known
            .filter(|(known, _)| matches!(known, TypeAt::Complex(known) if known.is_a(complex)));
        known.map(|(_, name)| name).collect()
    }

    /// The schema of an element in an object or a list, and the number of times that it occurs in
    /// it, if that may be more than once.
    fn element(
        &self,
        element: At<'_, Element<'_>>,
        occurs: Option<Occurs>,
        declared: Declared<'_>,
    ) -> Value {
        let name = match element.type_at() {
            TypeAt::List(_) => renamed(self.service.row().list_names, element.name),
            _ => element.name,
        };
        let mut xml = json!({ "name": name });
        let namespace = element.form.of_element(declared);
        if !namespace.is_empty() {
            xml["namespace"] = json!(namespace);
        }
        let mut schema = hidden(self.value(element, declared), element);
        if let Some(occurs) = occurs {
            // An unwrapped list has no element of its own.
            schema["xml"] = xml;
            schema = array(occurs, schema);
        } else {
            if matches!(element.type_at(), TypeAt::List(_)) {
                xml["wrapped"] = json!(true);
            }
            schema["xml"] = xml;
        }
        describe(&mut schema, element.documentation());
        schema
    }

    fn complex_type(&self, complex: At<'_, ComplexType<'_>>) -> Value {
        if let (Some(_), Some(set)) = (complex.data_set, complex.text()) {
            let mut schema = self.value(set, complex.scope.within(self.service.scope()));
            describe(&mut schema, complex.documentation());
            return schema;
        }
        let mut schema = self.own_members(complex).finish();
        if let Some(base) = complex.base() {
            schema = json!({ "allOf": [self.reference(TypeAt::Complex(base)), schema] });
        }
        describe(&mut schema, complex.documentation());
        schema
    }

    /// The members that a type does not inherit. Chains of bases are short.
    fn own_members(&self, complex: At<'_, ComplexType<'_>>) -> Object {
        let mut object = match complex.inherits() {
            Some(base) => self.own_members(base).extended(),
            None => Object::default(),
        };
        let declared = complex.scope.within(self.service.scope());
        // Objects have further properties, so wildcards need none; text between elements has no
        // place in a JSON Schema.
        let attributes = complex.own_attributes();
        for attribute in attributes.filter(|attribute| attribute.wildcard.is_none()) {
            let required = !attribute.is_omitted();
            let schema = self.inline(attribute, "attribute", declared);
            object.member(attribute.name, schema, required);
        }
        if let Some(text) = complex.own_text() {
            // OpenAPI 3.1 cannot express the text of an element; its tools know this extension.
            let schema = self.inline(text, "x-text", declared);
            object.member(text.name, schema, !text.is_omitted());
        }
        for particle in complex.own_particles() {
            match particle {
                Particle::Element(element) if !element.is_named() => {}
                Particle::Element(element) => {
                    let occurs = complex.occurs(element.row());
                    let schema = self.element(element, occurs, declared);
                    let required = !element.is_omitted() && !element.repeated;
                    object.member(element.name, schema, required);
                }
                // The elements of a choice or a sequence are properties, none of which is required.
                Particle::Group(group) => {
                    let is_named = |each: &At<'_, Element<'_>>| each.is_named();
                    for each in complex.elements_of(group).filter(is_named) {
                        let occurs = complex.occurs(each.row());
                        object.member(each.name, self.element(each, occurs, declared), false);
                    }
                }
            }
        }
        object
    }

    /// The schema of an attribute or of the text of an element.
    fn inline(&self, element: At<'_, Element<'_>>, kind: &str, declared: Declared<'_>) -> Value {
        let mut schema = hidden(self.value(element, declared), element);
        let mut xml = json!({ kind: true });
        let namespace = element.form.of_attribute(declared.0);
        if kind == "attribute" && !namespace.is_empty() {
            let prefix = if namespace == XML { "xml" } else { "p" };
            xml["namespace"] = json!(namespace);
            xml["prefix"] = json!(prefix);
        }
        schema["xml"] = xml;
        describe(&mut schema, element.documentation());
        schema
    }
}

/// The schema of an object being built.
#[derive(Default)]
pub(crate) struct Object {
    properties: Map<String, Value>,
    required: Vec<String>,
    /// The properties that it has or inherits.
    taken: HashSet<String>,
}

impl Object {
    /// Creates an object for a type that extends this one: its properties are taken already.
    fn extended(self) -> Self {
        let taken = self.taken;
        Self {
            taken,
            ..Self::default()
        }
    }

    /// Adds a member of a type. Members with the same name on the wire, as an attribute and an
    /// element may have, are different properties.
    fn member(&mut self, name: &str, mut schema: Value, required: bool) {
        let property = free(name.to_owned(), &mut self.taken);
        if property != name && schema["xml"]["attribute"] == true {
            schema["xml"]["name"] = json!(name);
        }
        self.insert(&property, schema, required);
    }

    /// Adds a property.
    pub fn insert(&mut self, name: &str, schema: Value, required: bool) {
        self.properties.insert(name.to_owned(), schema);
        if required {
            self.required.push(name.to_owned());
        }
    }

    pub fn finish(self) -> Value {
        let mut schema = json!({ "type": "object", "properties": self.properties });
        if !self.required.is_empty() {
            schema["required"] = json!(self.required);
        }
        schema
    }
}

/// Converts a name to a key: keys consist of letters, digits and `.-_` (OpenAPI 3.1 §4.8.7).
fn key(name: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let characters = name.chars().map(|c| if allowed(c) { c } else { '_' });
    characters.collect()
}

/// Appends as many `_` to a name as it needs not to be taken.
fn free(mut name: String, taken: &mut HashSet<String>) -> String {
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

/// The schema of an enumeration with these names; those of a set are separated by `between`.
fn enumeration_schema<'d>(
    enumeration: At<'d, Enumeration<'d>>,
    between: &str,
    name: impl Fn(&model::Value<'d>) -> &'d str,
) -> Value {
    let names: Vec<_> = enumeration.row().values.iter().map(&name).collect();
    let mut schema = simple_schema(enumeration.base);
    let values = names.iter().map(|name| json_value(&schema, name));
    schema["enum"] = values.collect();
    if enumeration.flags {
        let one = names.iter().map(|name| escaped_pattern(name));
        let one = one.collect::<Vec<_>>().join("|");
        let pattern = format!("^(({one})({between}({one}))*)?$");
        schema = json!({ "type": "string", "pattern": pattern });
    }
    let meanings = enumeration.values().filter_map(|value| {
        let documentation = value.documentation()?;
        Some(format!("- `{}`: {documentation}", name(&value)))
    });
    let meanings = meanings.collect::<Vec<_>>().join("\n");
    let about = enumeration.documentation().into_iter();
    describe(&mut schema, about.chain([meanings.as_str()]));
    schema
}

/// A regular expression that matches only this text (ECMA-262).
fn escaped_pattern(text: &str) -> String {
    let mut pattern = String::new();
    for character in text.chars() {
        if character.is_ascii_punctuation() && !matches!(character, '_' | '-') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

/// Converts a text to a value of a schema; it remains text if JSON has no such value.
pub(crate) fn json_value(schema: &Value, text: &str) -> Value {
    let value = match schema["type"].as_str() {
        Some("boolean") => Some(json!(matches!(text, "true" | "1"))),
        Some("integer" | "number") => Some(json_number(text)).filter(Value::is_number),
        _ => None,
    };
    value.unwrap_or_else(|| json!(text))
}

/// Adds facets to the schema of a value. JSON Schema has none for digits and white space.
pub(crate) fn restrict(schema: &mut Value, facets: &[(Facet, &str)]) {
    for (facet, text) in facets {
        let (keyword, value) = match facet {
            Facet::Pattern => ("pattern", json!(format!("^(?:{text})$"))),
            Facet::Length => {
                schema["minLength"] = json_number(text);
                ("maxLength", json_number(text))
            }
            Facet::MinLength => ("minLength", json_number(text)),
            Facet::MaxLength => ("maxLength", json_number(text)),
            Facet::MinInclusive => ("minimum", json_number(text)),
            Facet::MaxInclusive => ("maximum", json_number(text)),
            Facet::MinExclusive => ("exclusiveMinimum", json_number(text)),
            Facet::MaxExclusive => ("exclusiveMaximum", json_number(text)),
            Facet::TotalDigits | Facet::FractionDigits | Facet::WhiteSpace => continue,
        };
        // In JSON Schema, times have no order, and patterns and lengths are for text.
        let is_text = schema["type"] == "string";
        let is_of_text = matches!(keyword, "pattern" | "minLength" | "maxLength");
        if is_of_text == is_text && !value.is_null() {
            let Value::Object(keys) = schema else {
                continue;
            };
            if keyword == "pattern" && keys.contains_key(keyword) {
                let all = keys.entry("allOf").or_insert_with(|| json!([]));
                if let Some(all) = all.as_array_mut() {
                    all.push(json!({ keyword: value }));
                }
            } else {
                keys.insert(keyword.to_owned(), value);
            }
        }
    }
}

fn json_number(text: &str) -> Value {
    let number = serde_json::from_str(text).ok().filter(Value::is_number);
    number.unwrap_or_default()
}

/// The schema of a list with these items, as many as `occurs` allows.
pub(crate) fn array(occurs: Occurs, items: Value) -> Value {
    let mut schema = json!({ "type": "array", "items": items });
    if occurs.least > 0 {
        schema["minItems"] = json!(occurs.least);
    }
    if let Some(most) = occurs.most {
        schema["maxItems"] = json!(most);
    }
    schema
}

/// Sets the format `password` if the element is a secret.
pub(crate) fn hidden(mut schema: Value, element: At<'_, Element<'_>>) -> Value {
    if element.secret {
        let place = match schema.get_mut("items") {
            Some(items) => items,
            None => &mut schema,
        };
        place["format"] = json!("password");
    }
    schema
}

pub(crate) fn simple_schema(simple: SimpleType) -> Value {
    match simple.row().json_schema {
        JsonSchema::Type(name, "") => json!({ "type": name }),
        JsonSchema::Type(name, format) => json!({ "type": name, "format": format }),
        JsonSchema::Range(minimum, maximum) => {
            json!({ "type": "integer", "minimum": minimum, "maximum": maximum })
        }
        JsonSchema::Encoded(encoding) => json!({ "type": "string", "contentEncoding": encoding }),
        JsonSchema::Described(description) => json!({ "description": description }),
    }
}
