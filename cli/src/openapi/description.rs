//! A service as an OpenAPI 3.1 document: paths, parameters, answers.

use serde_json::{Map, Value, json};
use svcgen_documents::types::Types;
use svcgen_model::{Absence, At, Binding, ComplexType, Element, Operation, Service, TypeAt};

use super::schema::{Object, Schemas};

/// The document of what is offered over HTTP GET and POST.
pub(super) fn of(service: At<'_, Service<'_>>, url: &str) -> Value {
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

fn path_item(operation: At<'_, Operation<'_>>, schemas: &Schemas<'_>) -> Value {
    let mut item = Map::new();
    let parameters = operation.parameters();
    if operation.bindings.contains(Binding::HttpGet) {
        let mut get = call(operation, "Get", schemas);
        let parameters = parameters.elements();
        get["parameters"] = parameters
            .map(|parameter| query_parameter(parameter, schemas))
            .collect();
        item.insert("get".to_owned(), get);
    }
    if operation.bindings.contains(Binding::HttpPost) {
        let mut post = call(operation, "Post", schemas);
        if !parameters.elements.is_empty() {
            post["requestBody"] = form(parameters, schemas);
        }
        item.insert("post".to_owned(), post);
    }
    Value::Object(item)
}

fn call(operation: At<'_, Operation<'_>>, method: &str, schemas: &Schemas<'_>) -> Value {
    let mut call = json!({ "operationId": format!("{}{method}", operation.name) });
    describe(&mut call, operation.documentation());
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
    call["responses"] = json!({ "200": answer, "500": failure });
    call
}

fn query_parameter(parameter: At<'_, Element<'_>>, schemas: &Schemas<'_>) -> Value {
    let repeated = is_repeated(parameter);
    let mut described = json!({
        "name": parameter.name,
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

/// A field that is not there at all is an error, unless it may be there several times; an absent value is a blank one.
fn form(parameters: At<'_, ComplexType<'_>>, schemas: &Schemas<'_>) -> Value {
    let mut fields = Object::default();
    let mut encoding = Map::new();
    for parameter in parameters.elements() {
        let mut schema = schemas.field(parameter);
        describe(&mut schema, parameter.documentation());
        let repeated = is_repeated(parameter);
        if repeated {
            let exploded = json!({ "style": "form", "explode": true });
            encoding.insert(parameter.name.to_owned(), exploded);
        }
        fields.insert(parameter, schema, !repeated);
    }
    let mut media_type = json!({ "schema": fields.finish() });
    if !encoding.is_empty() {
        media_type["encoding"] = Value::Object(encoding);
    }
    json!({
        "required": true,
        "content": { "application/x-www-form-urlencoded": media_type },
    })
}

/// Lists are a field an item, bytes a field a byte.
fn is_repeated(parameter: At<'_, Element<'_>>) -> bool {
    match parameter.type_at() {
        TypeAt::List(_) => true,
        TypeAt::Simple(simple) => parameter.repeated || simple.is_bytes(),
        TypeAt::Complex(_) | TypeAt::Enumeration(_) => parameter.repeated,
    }
}
