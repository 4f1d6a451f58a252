//! The JSON Schema of the definition language, from the structs that read it.
//!
//! A key's description is the doc comment of its field. This module adds what types do not express: which keys a map requires, which
//! maps may be empty, and which texts a key can have.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
use svcgen_model::Binding;

use super::{
    Definition, Entries, EnumDefinition, EnumKeys, IncludeDefinition, IncludeKeys, ItemNames,
    Located, NameKeys, NameOrMap, NamespaceDefinition, NamespaceKeys, Shape, Texts, ValueKeys,
    WrapperDefinition,
};

/// The texts that a key can have, in every map.
const VALUES: &[(&str, &[&str])] = &[
    ("style", &["document", "rpc", "bare"]),
    ("use", &["literal", "encoded"]),
    ("routing", &["action", "element"]),
    ("element_form", &["qualified", "unqualified"]),
    ("form", &["qualified", "unqualified"]),
    ("absent", &["omit", "nil", "either"]),
    ("list", &["unwrapped", "collection", "text"]),
    ("white_space", &["preserve", "replace", "collapse"]),
    ("response_format", &["json", "xml"]),
];

/// How types are written: a name and its suffixes.
const TYPE: &str = r"^\s*[^\s?\[\]]+\??(\[\]\??)*\s*$";

/// The maps that may be empty, as `Logout:`.
const MAY_BE_EMPTY: [&str; 5] = [
    "OperationDefinition",
    "ScriptMethodKeys",
    "HeadersOfOperation",
    "TypeDefinition",
    "ValueKeys",
];

/// The JSON Schema (draft 7) of the definition language, for editors. Keys are in the order of the language.
///
/// It is looser than the generator: it knows keys, the kinds of their values, and the texts that some are limited to.
pub fn schema() -> Schema {
    let settings = SchemaSettings::draft07().with_transform(finish);
    let language = settings
        .into_generator()
        .into_root_schema_for::<Definition>();
    let mut schema = json_schema!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A svcgen service definition",
    });
    let keys = language.as_object().into_iter().flatten();
    schema.ensure_object().extend(
        keys.filter(|(key, _)| !["$schema", "title"].contains(&key.as_str()))
            .map(|(key, value)| (key.clone(), value.clone())),
    );
    // A file without any of them has types alone.
    let needs = json!(["service", "namespace", "path", "operations"]);
    let dependencies = json!({ "service": needs, "path": needs, "operations": needs });
    schema.insert("dependencies".to_owned(), dependencies);
    for map in MAY_BE_EMPTY {
        add(&mut schema, map, "type", json!(["object", "null"]));
    }
    add(&mut schema, "IncludeKeys", "required", json!(["file"]));
    add(&mut schema, "NamespaceKeys", "required", json!(["uri"]));
    for map in ["HeaderKeys", "FaultKeys", "MemberKeys"] {
        add(&mut schema, map, "required", json!(["type"]));
    }
    // Attributes are texts.
    let list = "/definitions/SimpleKeys/properties/list";
    if let Some(property) = schema.pointer_mut(list) {
        limit(property, &["text"]);
    }
    let one_of = |keys: &[&str]| {
        let each = keys.iter().map(|key| json!({ "required": [key] }));
        each.collect::<Value>()
    };
    let either = one_of(&["type", "choice", "sequence", "any"]);
    add(&mut schema, "ElementKeys", "anyOf", either);
    add(&mut schema, "SimpleKeys", "anyOf", one_of(&["type", "any"]));
    add(&mut schema, "EnumKeys", "required", json!(["values"]));
    schema
}

/// Says more about a map of the language.
fn add(schema: &mut Schema, map: &str, key: &str, value: Value) {
    let path = format!("/definitions/{map}");
    let definition = schema.pointer_mut(&path).expect("it is one of the structs");
    definition[key] = value;
}

/// Makes of Rust's types what a text in YAML has for them.
fn finish(schema: &mut Schema) {
    transform_subschemas(&mut finish, schema);
    // Defaults of serde, which are no defaults of the language.
    schema.remove("default");
    for (key, values) in VALUES {
        let property = format!("/properties/{key}");
        if let Some(property) = schema.pointer_mut(&property) {
            limit(property, values);
        }
    }
    if let Some(property) = schema.pointer_mut("/properties/bindings") {
        limit(property, &Binding::ALL.map(Binding::key));
    }
    if let Some(property) = schema.pointer_mut("/properties/type") {
        property["pattern"] = TYPE.into();
    }
    let is_text = |kind: &Value| *kind == "string" || *kind == json!(["string", "null"]);
    if schema.get("type").is_some_and(is_text) && schema.get("pattern").is_none() {
        // A scalar is text, whatever YAML takes it for.
        let any = json!(["string", "number", "boolean", "null"]);
        schema.insert("type".to_owned(), any);
    }
}

fn limit(property: &mut Value, values: &[&str]) {
    match property.get_mut("items") {
        Some(items) => *items = json!({ "enum": values }),
        None => {
            let description = property["description"].take();
            *property = json!({ "description": description, "enum": values });
        }
    }
}

macro_rules! written_in_place {
    () => {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            std::any::type_name::<Self>().into()
        }
    };
}

impl<T: JsonSchema> JsonSchema for Located<T> {
    written_in_place!();
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

impl<T: JsonSchema> JsonSchema for Entries<T> {
    written_in_place!();
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let entry = generator.subschema_for::<T>();
        json_schema!({ "type": ["object", "null"], "additionalProperties": entry })
    }
}

impl JsonSchema for IncludeDefinition {
    written_in_place!();
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let map = generator.subschema_for::<IncludeKeys>();
        json_schema!({ "anyOf": [{ "type": "string" }, map] })
    }
}

impl JsonSchema for WrapperDefinition {
    written_in_place!();
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let map = generator.subschema_for::<NameKeys>();
        json_schema!({ "anyOf": [{ "type": "string" }, map] })
    }
}

impl JsonSchema for NamespaceDefinition {
    written_in_place!();
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let map = generator.subschema_for::<NamespaceKeys>();
        json_schema!({ "anyOf": [{ "type": "string" }, map] })
    }
}

impl<K: JsonSchema> JsonSchema for Shape<K> {
    written_in_place!();
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let map = generator.subschema_for::<K>();
        json_schema!({ "anyOf": [{ "type": "string", "pattern": TYPE }, map] })
    }
}

impl JsonSchema for Texts {
    written_in_place!();
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let text = json!({ "type": "string" });
        json_schema!({ "anyOf": [text, { "type": "array", "items": text }] })
    }
}

impl JsonSchema for ItemNames {
    written_in_place!();
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let name = json!({ "type": "string" });
        let each = json!({ "type": "array", "items": name, "minItems": 2, "maxItems": 2 });
        let map = generator.subschema_for::<NameKeys>();
        json_schema!({ "anyOf": [name, each, map] })
    }
}

impl JsonSchema for NameOrMap {
    written_in_place!();
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let keys = generator.subschema_for::<ValueKeys>();
        let map = json!({
            "type": "object",
            "additionalProperties": keys,
            "minProperties": 1,
            "maxProperties": 1
        });
        json_schema!({ "anyOf": [{ "type": "string" }, map] })
    }
}

impl JsonSchema for EnumDefinition {
    written_in_place!();
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let values = generator.subschema_for::<Vec<NameOrMap>>();
        let map = generator.subschema_for::<EnumKeys>();
        json_schema!({ "anyOf": [values, map] })
    }
}
