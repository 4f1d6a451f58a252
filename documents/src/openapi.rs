//! The OpenAPI 3.1 document of a service.

pub(crate) mod schema;

use serde_json::{Map, Value, json};
use svcgen_model::{Absence, At, Element, Operation, Service, TypeAt};

use crate::binding::documented;
use schema::{Object, Schemas, describe};
use svcgen_model::Types;

/// The OpenAPI document of the HTTP GET and POST bindings of a service; `url` is its address without the path.
pub fn openapi(service: At<'_, Service<'_>>, url: &str) -> Value {
    let types = Types::of(service);
    let operations = service.operations();
    let operations: Vec<_> = operations
        .filter(|operation| operation.bindings.has_form())
        .collect();
    let elements = operations
        .iter()
        .flat_map(|operation| operation.parameters().elements().chain(operation.result()));
    let schemas = Schemas::new(service, types.reach(elements).definitions);
    let paths: Map<String, Value> = operations
        .iter()
        .map(|operation| {
            let path = format!("{}/{}", service.path, operation.name);
            (path, path_item(*operation, &schemas))
        })
        .collect();
    let mut info = json!({ "title": service.name, "version": "1" });
    describe(&mut info, service.documentation());
    json!({
        "openapi": "3.1.1",
        "info": info,
        "servers": [{ "url": url }],
        "paths": paths,
        "components": {
            "schemas": schemas.components(),
            "responses": { "Failure": failure() },
        },
    })
}

fn failure() -> Value {
    json!({
        "description": "The call failed: why, in a line of text.",
        "content": { "text/plain": { "schema": { "type": "string" } } },
    })
}

fn path_item(operation: At<'_, Operation<'_>>, schemas: &Schemas<'_>) -> Value {
    let mut item = Map::new();
    let bindings = operation.bindings.iter();
    for binding in bindings.filter_map(|binding| documented(binding).openapi()) {
        let mut call = json!({ "operationId": format!("{}{}", operation.name, binding.suffix) });
        describe(&mut call, operation.documentation());
        call["responses"] = responses(operation, schemas);
        let mut parameters = operation.parameters().elements().peekable();
        if let Some(media_type) = binding.body {
            if parameters.peek().is_some() {
                call["requestBody"] = form(media_type, parameters, schemas);
            }
        } else {
            call["parameters"] = parameters
                .map(|each| query_parameter(each, schemas))
                .collect();
        }
        item.insert(binding.method.to_owned(), call);
    }
    Value::Object(item)
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

/// A form. A missing field is an error, unless it may be repeated; the field of an absent value is blank.
fn form<'d>(
    media_type: &str,
    parameters: impl Iterator<Item = At<'d, Element<'d>>>,
    schemas: &Schemas<'_>,
) -> Value {
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
    json!({ "required": true, "content": { media_type: content } })
}

/// Whether a parameter has any number of fields: lists have one per item, bytes one per byte.
fn is_repeated(parameter: At<'_, Element<'_>>) -> bool {
    match parameter.type_at() {
        TypeAt::List(_) => true,
        TypeAt::Simple(simple) => parameter.repeated || simple.is_bytes(),
        TypeAt::Complex(_) | TypeAt::Enumeration(_) => parameter.repeated,
    }
}

fn responses(operation: At<'_, Operation<'_>>, schemas: &Schemas<'_>) -> Value {
    let answer = match operation.result() {
        None => json!({ "description": "Done." }),
        Some(result) => {
            let schema = schemas.root(operation, result);
            let content = json!({ "text/xml": { "schema": schema } });
            let about = result.documentation().unwrap_or("The result.");
            json!({ "description": about, "content": content })
        }
    };
    let failure = json!({ "$ref": "#/components/responses/Failure" });
    json!({ "200": answer, "500": failure })
}
