//! Calls over JSON in OpenAPI, and JSON Schemas of types in JSON.

use serde_json::{Value, json};
use svcgen_model::{
    At, ComplexType, Element, Enumeration, JsonSchema, Operation, ResponseFormat, SimpleType,
    TypeAt, ValueConstraint,
};

use super::sample::{Notation as Shape, notation};
use super::{Json, is_sent_raw};
use crate::calls::schema::{
    Object, Schemas, array, describe, hidden, json_value, restrict, simple_schema,
};
use crate::calls::{Call, Failure, InOpenApi, Notation};

const MEDIA_TYPE: &str = "application/json";

static NOTATION: Notation = Notation {
    name: "json",
    definition,
    failure: Failure {
        key: "JsonFailure",
        description: "The call failed: why, as JSON.",
        media_type: MEDIA_TYPE,
        schema: || {
            let text = json!({ "type": "string" });
            let mut failure = Object::default();
            failure.insert("Message", text.clone(), true);
            let trace = json!({ "type": ["string", "null"], "description": "Always empty." });
            failure.insert("StackTrace", trace, true);
            failure.insert("ExceptionType", text, true);
            failure.finish()
        },
        header: Some(("jsonerror", "true")),
    },
};

/// The description of a call that needs a header which OpenAPI cannot express.
const BY_GET: &str = "As JSON it is called with the header `Content-Type: application/json`, although there is no body: each parameter is JSON, and so is the result.";

impl InOpenApi for Json {
    fn notation(&self) -> &'static Notation {
        &NOTATION
    }

    fn suffix(&self) -> &'static str {
        "Json"
    }

    fn call(&self, operation: At<'_, Operation<'_>>, schemas: &Schemas<'_>) -> Call {
        let parameters = operation.parameters().elements();
        let parameters = parameters.map(|parameter| {
            let mut schema = element(schemas, parameter);
            describe(&mut schema, parameter.documentation());
            (parameter.row().field_name(), schema)
        });
        let result = Some(result(operation, schemas));
        if operation.script.use_http_get {
            let query = parameters.map(|(name, schema)| {
                let content = json!({ MEDIA_TYPE: { "schema": schema } });
                json!({ "name": name, "in": "query", "required": true, "content": content })
            });
            return Call {
                method: "get",
                query: Some(query.collect()),
                body: None,
                result,
                remark: Some(BY_GET),
            };
        }
        let mut body = Object::default();
        parameters.for_each(|(name, schema)| body.insert(name, schema, true));
        Call {
            method: "post",
            query: None,
            body: Some((MEDIA_TYPE, json!({ "schema": body.finish() }))),
            result,
            remark: None,
        }
    }
}

/// The media type and the schema of an answer.
fn result(operation: At<'_, Operation<'_>>, schemas: &Schemas<'_>) -> (&'static str, Value) {
    let result = operation.result();
    if let (ResponseFormat::Xml | ResponseFormat::XmlString, Some(result)) =
        (operation.script.response_format, result)
    {
        let root = operation.root;
        let schema = if is_sent_raw(operation, result) {
            json!({ "type": "string" })
        } else {
            json!({ "description": format!("The element `{root}`, in no namespace.") })
        };
        return ("text/xml", schema);
    }
    let mut answer = Object::default();
    let value = match result {
        Some(result) => element(schemas, result),
        None => json!({ "type": "null" }),
    };
    answer.insert("d", value, true);
    (MEDIA_TYPE, answer.finish())
}

fn definition(schemas: &Schemas<'_>, definition: TypeAt<'_>) -> Value {
    match definition {
        TypeAt::Complex(complex) => complex_type(schemas, complex),
        TypeAt::Enumeration(enumeration) => numbers(enumeration),
        TypeAt::Simple(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => value(schemas, definition),
    }
}

/// The schema of the value of a parameter, a member or an item.
fn element(schemas: &Schemas<'_>, element: At<'_, Element<'_>>) -> Value {
    let type_at = element.type_at();
    let mut schema = value(schemas, type_at);
    if is_plain(type_at) {
        restrict(&mut schema, element.facets);
    }
    match element.constraint {
        Some(ValueConstraint::Default(text) | ValueConstraint::Initial(text)) => {
            if let Some(value) = constant(type_at, &schema, text) {
                schema["default"] = value;
            }
        }
        Some(ValueConstraint::Fixed(text)) => {
            if let Some(value) = constant(type_at, &schema, text) {
                schema["const"] = value;
            }
        }
        None => {}
    }
    if element.repeated || element.texts {
        return hidden(array(element.occurs, schema), element);
    }
    let schema = hidden(schema, element);
    if element.may_be_absent() && !element.has_specified() {
        return json!({ "anyOf": [schema, { "type": "null" }] });
    }
    schema
}

/// The value of a constraint, if it can be converted from its text: dates, bytes and objects have
/// other values in JSON.
fn constant(type_at: TypeAt<'_>, schema: &Value, text: &str) -> Option<Value> {
    match type_at {
        TypeAt::Simple(_) => is_plain(type_at).then(|| json_value(schema, text)),
        TypeAt::Enumeration(enumeration) => {
            let mut values = enumeration.row().values.iter();
            let index = values.position(|value| value.name == text)?;
            enumeration.numbers().nth(index).map(Value::from)
        }
        TypeAt::Complex(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => None,
    }
}

/// Whether its texts in XML are the same in JSON.
fn is_plain(type_at: TypeAt<'_>) -> bool {
    matches!(type_at, TypeAt::Simple(simple) if matches!(notation(simple), Shape::Bare | Shape::Text))
}

fn value(schemas: &Schemas<'_>, type_at: TypeAt<'_>) -> Value {
    match type_at {
        TypeAt::Simple(simple) => simple_value(simple),
        TypeAt::Complex(_) | TypeAt::Enumeration(_) => schemas.reference(type_at),
        TypeAt::List(item) => array(item.occurs, element(schemas, item)),
        TypeAt::Dictionary(value) => {
            json!({ "type": "object", "additionalProperties": element(schemas, value) })
        }
    }
}

fn simple_value(simple: SimpleType) -> Value {
    match (notation(simple), simple.row().json_schema) {
        (Shape::Date, _) => json!({
            "type": "string",
            "pattern": "^/Date\\(-?[0-9]+\\)/$",
            "description": "Milliseconds since the start of 1970 in UTC. The slashes have backslashes before them on the wire.",
        }),
        (Shape::Bytes, _) => {
            json!({ "type": "array", "items": simple_schema(SimpleType::UnsignedByte) })
        }
        (Shape::Any, _) => json!({ "description": "Any value." }),
        (Shape::Text, JsonSchema::Type("integer", _)) => {
            json!({ "type": "string", "pattern": "^[-+]?[0-9]+$" })
        }
        (Shape::Text, JsonSchema::Range(..)) => json!({ "type": "string", "maxLength": 1 }),
        (Shape::Text, JsonSchema::Described(_) | JsonSchema::Encoded(_)) => {
            json!({ "type": "string" })
        }
        (Shape::Text | Shape::Bare, _) => simple_schema(simple),
    }
}

/// The schema of an enumeration, whose values are numbers.
fn numbers(enumeration: At<'_, Enumeration<'_>>) -> Value {
    let numbers: Vec<_> = enumeration.numbers().collect();
    let values = enumeration.row().values.iter();
    let names: Vec<_> = values.map(|value| value.field_name()).collect();
    let mut schema = json!({ "type": "integer" });
    if !enumeration.flags {
        schema["enum"] = json!(numbers);
        schema["x-enum-varnames"] = json!(names);
    }
    let said = enumeration
        .values()
        .zip(&numbers)
        .filter_map(|(value, number)| {
            let words = value.documentation();
            let name = value.row().field_name();
            match words {
                Some(words) => Some(format!("- {number}, `{name}`: {words}")),
                None => enumeration.flags.then(|| format!("- {number}, `{name}`")),
            }
        });
    let said = said.collect::<Vec<_>>().join("\n");
    let sum = if enumeration.flags {
        "The sum of any of these:"
    } else {
        ""
    };
    let about = enumeration.documentation().into_iter();
    describe(&mut schema, about.chain([sum, &said]));
    schema
}

fn complex_type(schemas: &Schemas<'_>, complex: At<'_, ComplexType<'_>>) -> Value {
    let mut object = Object::default();
    let names = schemas.script_names(complex);
    if !names.is_empty() {
        let words = "The type of the object, which is its first member in answers. In a request it says that the object is of a type that extends the declared one.";
        let schema = json!({ "type": "string", "enum": names, "description": words });
        object.insert("__type", schema, false);
    }
    let members =
        (complex.own_attributes().chain(complex.own_text())).chain(complex.own_elements());
    for member in members.filter(|member| member.is_named()) {
        let name = member.row().field_name();
        let mut schema = element(schemas, member);
        describe(&mut schema, member.documentation());
        object.insert(name, schema, false);
        if member.has_specified() {
            let words = format!("Whether `{name}` is there.");
            let schema = json!({ "type": "boolean", "description": words });
            object.insert(&format!("{name}Specified"), schema, false);
        }
    }
    let mut schema = object.finish();
    if let Some(base) = complex.base() {
        schema = json!({ "allOf": [schemas.reference(TypeAt::Complex(base)), schema] });
    }
    describe(&mut schema, complex.documentation());
    schema
}
