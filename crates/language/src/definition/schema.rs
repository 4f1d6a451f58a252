//! The JSON Schema of the definition language, from the structs that read it.
//!
//! A key's description is the doc comment of its field. This module adds rules that types do not
//! express: the keys that a map requires, the maps that may be empty, and the texts that a key can
//! have.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
use svcgen_model::{Binding, SimpleType};

use super::read::Keys;
use super::{
    Definition, Entries, EnumDefinition, EnumKeys, ItemNames, Located, NameKeys, NameOrMap, Shape,
    Texts, ValueKeys,
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

/// The syntax of types: a name and its suffixes, or `optional` and a name.
const TYPE: &str = r"^\s*([^\s?\[\]{}]+\??((\[\]\??)*|\{\}\??)|optional\s+[^\s?\[\]{}]+)\s*$";

/// Names of XML without a prefix; beyond ASCII, all characters.
const NAME: &str = r"^[^\x00-@\[-^`{-\x7f][^\x00-,/:-@\[-^`{-\x7f]*$";

/// The path of a URL, which may have a query.
const PATH: &str = r"^/([A-Za-z0-9_~!$&'()*+,;=:@./-]|%[0-9A-Fa-f]{2})*(\?([A-Za-z0-9_~!$&'()*+,;=:@./?-]|%[0-9A-Fa-f]{2})*)?$";

/// The alternative contents of an element.
const CONTENT: [&str; 4] = ["type", "choice", "sequence", "any"];

/// The maps that may be empty, as `Logout:`.
const MAY_BE_EMPTY: [&str; 5] = [
    "OperationDefinition",
    "ScriptMethodKeys",
    "HeadersOfOperation",
    "TypeDefinition",
    "ValueKeys",
];

/// Returns the JSON Schema (draft 7) of the definition language, for editors. Keys are in the order
/// of the language.
///
/// It is looser than the generator: it expresses rules about a map alone, but does not check names
/// that refer to another one.
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
    // A file without any of them contains only types.
    let needs = json!(["service", "namespace", "path", "operations"]);
    let dependencies = json!({ "service": needs, "path": needs, "operations": needs });
    schema.insert("dependencies".to_owned(), dependencies);
    for map in MAY_BE_EMPTY {
        let says = json!({ "type": ["object", "null"] });
        add(&mut schema, &format!("/definitions/{map}"), says);
    }
    let needed = |key: &str| json!({ "required": [key] });
    let one_of =
        |keys: &[&str]| json!({ "anyOf": keys.iter().map(|key| needed(key)).collect::<Value>() });
    let some = json!({ "minItems": 1 });
    let seconds =
        json!({ "type": ["integer", "string", "null"], "minimum": 0, "pattern": "^[0-9]+$" });
    let entries = |least: u8| json!({ "type": "object", "minProperties": least });
    let answers = ["result", "results", "cache", "faults"].map(requires);
    let is_one_way = json!({ "properties": { "one_way": { "const": true } } });
    let one_way = json!({ "allOf": [requires("one_way"), is_one_way, { "anyOf": answers }] });
    let contents = CONTENT.iter().enumerate();
    let two_contents =
        contents.flat_map(|(at, one)| CONTENT[at + 1..].iter().map(|other| both(one, other)));
    for (place, says) in [
        (
            "/properties/path",
            json!({ "type": "string", "pattern": PATH }),
        ),
        ("/properties/operations", entries(1)),
        ("/properties/bindings", some.clone()),
        ("/definitions/IncludeKeys", needed("file")),
        ("/definitions/NamespaceKeys", needed("uri")),
        (
            "/definitions/OperationDefinition",
            never([both("result", "results"), one_way]),
        ),
        (
            "/definitions/OperationDefinition/properties/bindings",
            some.clone(),
        ),
        ("/definitions/OperationDefinition/properties/cache", seconds),
        ("/definitions/HeaderKeys", needed("type")),
        ("/definitions/FaultKeys", needed("type")),
        ("/definitions/MemberKeys", needed("type")),
        (
            "/definitions/TypeDefinition",
            never([both("extends", "restricts")]),
        ),
        ("/definitions/SimpleKeys", one_of(&["type", "any"])),
        ("/definitions/ElementKeys", one_of(&CONTENT)),
        ("/definitions/ElementKeys", never(two_contents)),
        ("/definitions/ElementKeys/properties/choice", entries(2)),
        ("/definitions/ElementKeys/properties/sequence", entries(1)),
        ("/definitions/EnumKeys", needed("values")),
        ("/definitions/EnumKeys/properties/values", some),
    ] {
        add(&mut schema, place, says);
    }
    // Attributes are texts.
    if let Some(property) = schema.pointer_mut("/definitions/SimpleKeys/properties/list") {
        limit(property, &["text"]);
    }
    schema
}

/// Adds properties at a place of the schema.
fn add(schema: &mut Schema, place: &str, says: Value) {
    let known = schema.pointer_mut(place).and_then(Value::as_object_mut);
    let known = known.unwrap_or_else(|| panic!("there is no {place}"));
    known.extend(
        says.as_object()
            .into_iter()
            .flatten()
            .map(|(key, value)| (key.clone(), value.clone())),
    );
}

/// The condition that a map has a key with a value that is not empty.
fn requires(key: &str) -> Value {
    let something = json!({ "not": { "enum": [null, {}, []] } });
    json!({ "type": "object", "required": [key], "properties": { key: something } })
}

/// The condition that a map has both keys.
fn both(one: &str, other: &str) -> Value {
    json!({ "allOf": [requires(one), requires(other)] })
}

/// Refuses maps that meet any of these conditions.
fn never(cases: impl IntoIterator<Item = Value>) -> Value {
    json!({ "not": { "anyOf": cases.into_iter().collect::<Value>() } })
}

/// Converts schemas of Rust types to those of their texts in YAML.
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
        let description = property["description"].take();
        *property = json!({ "description": description, "allOf": [{ "$ref": "#/definitions/TypeExpression" }] });
    }
    let is_text = |kind: &Value| *kind == "string" || *kind == json!(["string", "null"]);
    if schema.get("type").is_some_and(is_text) && schema.get("pattern").is_none() {
        // A scalar is text, whatever type YAML has for it.
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
        let names = json!({ "pattern": NAME });
        json_schema!({ "type": ["object", "null"], "propertyNames": names, "additionalProperties": entry })
    }
}

impl<K: JsonSchema + Keys> JsonSchema for Shape<K> {
    written_in_place!();
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let map = generator.subschema_for::<K>();
        let text = match K::KEYS[0] {
            "type" => generator.subschema_for::<TypeExpression>(),
            _ => json_schema!({ "type": "string" }),
        };
        json_schema!({ "anyOf": [text, map] })
    }
}

/// The text of a type. Editors suggest the simple types.
struct TypeExpression;

impl JsonSchema for TypeExpression {
    fn schema_name() -> Cow<'static, str> {
        "TypeExpression".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let simple = SimpleType::ALL.iter().map(|simple| simple.name());
        let simple: Value = simple.collect();
        json_schema!({ "anyOf": [{ "enum": simple }, { "type": "string", "pattern": TYPE }] })
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
        let mut values = generator.subschema_for::<Vec<NameOrMap>>();
        values.insert("minItems".to_owned(), 1.into());
        let map = generator.subschema_for::<EnumKeys>();
        json_schema!({ "anyOf": [values, map] })
    }
}
