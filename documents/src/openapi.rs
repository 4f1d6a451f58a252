//! A service as an OpenAPI 3.1 document: paths, parameters, answers.

pub(crate) mod schema;

use serde_json::{Map, Value, json};
use svcgen_model::{At, Operation, Service};

use crate::binding::documented;
use crate::types::Types;
use schema::{Schemas, describe};

/// The OpenAPI document of what a service offers over HTTP GET and POST, at `url` without its path.
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
    for binding in operation.bindings.iter() {
        if let Some((method, mut call)) = documented(binding).openapi(operation, schemas) {
            describe(&mut call, operation.documentation());
            call["responses"] = responses(operation, schemas);
            item.insert(method.to_owned(), call);
        }
    }
    Value::Object(item)
}

fn responses(operation: At<'_, Operation<'_>>, schemas: &Schemas<'_>) -> Value {
    let answer = match operation.result() {
        None => json!({ "description": "Done." }),
        Some(result) => {
            let schema = schemas.root(operation.root, result);
            let content = json!({ "text/xml": { "schema": schema } });
            let said = result.documentation().unwrap_or("The result.");
            json!({ "description": said, "content": content })
        }
    };
    let failure = json!({ "$ref": "#/components/responses/Failure" });
    json!({ "200": answer, "500": failure })
}
