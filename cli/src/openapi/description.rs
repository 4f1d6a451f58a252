//! A description as an OpenAPI 3.1 document: paths, parameters, answers.

use serde_json::{Map, Value, json};
use svcgen_codegen::documents::schema::{Content, Element};
use svcgen_codegen::documents::types::Types;
use svcgen_codegen::documents::{Binding, Description, Operation};

use super::schema::Schemas;

/// The document of what is offered over HTTP GET and POST.
pub(super) fn of(description: &Description<'_>, url: &str) -> Value {
    let types = Types::of(description);
    let over_http = |operation: &&Operation<'_>| {
        operation.bindings.contains(Binding::HttpGet)
            || operation.bindings.contains(Binding::HttpPost)
    };
    let operations: Vec<_> = description.operations.iter().filter(over_http).collect();
    let elements = operations
        .iter()
        .flat_map(|operation| operation.parameters.iter().chain(&operation.result));
    let schemas = Schemas::new(description, types.reach(elements).definitions);
    let paths: Map<String, Value> = operations
        .iter()
        .map(|operation| {
            let path = format!("{}/{}", description.path, operation.name);
            (path, path_item(operation, &schemas))
        })
        .collect();
    let mut info = json!({ "title": description.name, "version": "1" });
    describe(&mut info, description.documentation);
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

/// Says in an object what it is about.
pub(super) fn describe(object: &mut Value, documentation: Option<&str>) {
    if let Some(documentation) = documentation {
        object["description"] = json!(documentation);
    }
}

fn failure() -> Value {
    json!({
        "description": "The call failed: why, in a line of text.",
        "content": { "text/plain": { "schema": { "type": "string" } } },
    })
}

fn path_item(operation: &Operation<'_>, schemas: &Schemas<'_>) -> Value {
    let mut item = Map::new();
    if operation.bindings.contains(Binding::HttpGet) {
        let mut get = call(operation, "Get", schemas);
        let parameters = operation.parameters.iter();
        get["parameters"] = parameters
            .map(|parameter| query_parameter(parameter, schemas))
            .collect();
        item.insert("get".to_owned(), get);
    }
    if operation.bindings.contains(Binding::HttpPost) {
        let mut post = call(operation, "Post", schemas);
        if !operation.parameters.is_empty() {
            post["requestBody"] = form(operation.parameters, schemas);
        }
        item.insert("post".to_owned(), post);
    }
    Value::Object(item)
}

fn call(operation: &Operation<'_>, method: &str, schemas: &Schemas<'_>) -> Value {
    let mut call = json!({ "operationId": format!("{}{method}", operation.name) });
    describe(&mut call, operation.documentation);
    let answer = match &operation.result {
        None => json!({ "description": "Done." }),
        Some(result) => {
            let schema = schemas.root(operation.root, result);
            let content = json!({ "text/xml": { "schema": schema } });
            let said = result.documentation.unwrap_or("The result.");
            json!({ "description": said, "content": content })
        }
    };
    let failure = json!({ "$ref": "#/components/responses/Failure" });
    call["responses"] = json!({ "200": answer, "500": failure });
    call
}

fn query_parameter(parameter: &Element<'_>, schemas: &Schemas<'_>) -> Value {
    let repeated = is_repeated(parameter);
    let mut described = json!({
        "name": parameter.name,
        "in": "query",
        "required": !repeated,
        "schema": schemas.field(parameter),
    });
    describe(&mut described, parameter.documentation);
    if repeated {
        described["style"] = json!("form");
        described["explode"] = json!(true);
    } else if is_optional(parameter) {
        described["allowEmptyValue"] = json!(true);
    }
    described
}

/// A field that is not there at all is an error, unless it may be there several times; an absent value is a blank one.
fn form(parameters: &[Element<'_>], schemas: &Schemas<'_>) -> Value {
    let properties: Map<String, Value> = parameters
        .iter()
        .map(|parameter| {
            let mut schema = schemas.field(parameter);
            describe(&mut schema, parameter.documentation);
            (parameter.name.to_owned(), schema)
        })
        .collect();
    let required = parameters
        .iter()
        .filter(|parameter| !is_repeated(parameter));
    let required: Vec<_> = required.map(|parameter| parameter.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    let repeated = parameters.iter().filter(|parameter| is_repeated(parameter));
    let encoding: Map<String, Value> = repeated
        .map(|parameter| {
            let encoding = json!({ "style": "form", "explode": true });
            (parameter.name.to_owned(), encoding)
        })
        .collect();
    let mut media_type = json!({ "schema": schema });
    if !encoding.is_empty() {
        media_type["encoding"] = Value::Object(encoding);
    }
    json!({
        "required": true,
        "content": { "application/x-www-form-urlencoded": media_type },
    })
}

fn is_optional(parameter: &Element<'_>) -> bool {
    parameter.optional || parameter.nillable
}

/// Lists are a field an item, bytes a field a byte.
fn is_repeated(parameter: &Element<'_>) -> bool {
    match parameter.content {
        Content::List(_) => true,
        Content::Type(name) => parameter.repeated || matches!(name, "base64Binary" | "hexBinary"),
        Content::Choice(_) => parameter.repeated,
    }
}
