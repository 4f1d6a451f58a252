//! Calls over HTTP GET and HTTP POST in OpenAPI.

use serde_json::{Map, Value, json};
use svcgen_model::{Absence, At, Element, Operation, TypeAt};

use super::Http;
use crate::calls::schema::{Object, Schemas, describe};
use crate::calls::{Call, Failure, InOpenApi, Notation};

static NOTATION: Notation = Notation {
    name: "xml",
    definition: |schemas, definition| schemas.definition(definition),
    failure: Failure {
        key: "Failure",
        description: "The call failed: why, in a line of text.",
        media_type: "text/plain",
        schema: || json!({ "type": "string" }),
        header: None,
    },
};

impl InOpenApi for Http {
    fn notation(&self) -> &'static Notation {
        &NOTATION
    }

    fn suffix(&self) -> &'static str {
        self.openapi.suffix
    }

    fn call(&self, operation: At<'_, Operation<'_>>, schemas: &Schemas<'_>) -> Call {
        let mut parameters = operation.parameters().elements().peekable();
        let result = operation.result_over_http();
        let result = result.map(|result| ("text/xml", schemas.root(operation, result)));
        let (mut query, mut body) = (None, None);
        if let Some(media_type) = self.openapi.body {
            if parameters.peek().is_some() {
                body = Some((media_type, form(parameters, schemas)));
            }
        } else {
            query = Some(
                parameters
                    .map(|each| query_parameter(each, schemas))
                    .collect(),
            );
        }
        Call {
            method: self.openapi.method,
            query,
            body,
            result,
            remark: None,
        }
    }
}

fn query_parameter(parameter: At<'_, Element<'_>>, schemas: &Schemas<'_>) -> Value {
    let repeated = is_repeated(parameter);
    let mut described = json!({
        "name": parameter.field_name(),
        "in": "query",
        "required": !repeated,
        "schema": schemas.field(parameter),
    });
    describe(&mut described, parameter.documentation());
    if repeated {
        described["style"] = json!("form");
        described["explode"] = json!(true);
    } else if parameter.absence != Absence::Required {
        described["allowEmptyValue"] = json!(true);
    }
    described
}

/// The schema of a form. A missing field is an error, unless it may be repeated; the field of an
/// absent value is blank.
fn form<'d>(parameters: impl Iterator<Item = At<'d, Element<'d>>>, schemas: &Schemas<'_>) -> Value {
    let mut fields = Object::default();
    let mut encoding = Map::new();
    for parameter in parameters {
        let mut schema = schemas.field(parameter);
        describe(&mut schema, parameter.documentation());
        let repeated = is_repeated(parameter);
        if repeated {
            let exploded = json!({ "style": "form", "explode": true });
            encoding.insert(parameter.field_name().to_owned(), exploded);
        }
        fields.insert(parameter.field_name(), schema, !repeated);
    }
    let mut content = json!({ "schema": fields.finish() });
    if !encoding.is_empty() {
        content["encoding"] = Value::Object(encoding);
    }
    content
}

/// Whether a parameter has any number of fields: lists have one per item, bytes one per byte.
fn is_repeated(parameter: At<'_, Element<'_>>) -> bool {
    match parameter.type_at() {
        TypeAt::List(_) => true,
        TypeAt::Simple(simple) => parameter.repeated || simple.is_bytes(),
        TypeAt::Complex(_) | TypeAt::Enumeration(_) | TypeAt::Dictionary(_) => parameter.repeated,
    }
}
