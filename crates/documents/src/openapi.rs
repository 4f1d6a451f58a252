//! The OpenAPI 3.1 document of a service.

mod example;

use std::collections::HashSet;

use serde_json::{Map, Value, json};
use svcgen_model::{At, Operation, Service, Types, base_path};

use crate::binding::documented;
use crate::calls::schema::{Schemas, describe};
use crate::calls::{Call, Failure, InOpenApi, Notation};
use crate::prose::paragraphs;
use example::add_examples;

/// Returns the OpenAPI document of those bindings of a service that OpenAPI can describe; `url` is
/// its address without the path.
pub fn openapi(service: At<'_, Service<'_>>, url: &str) -> Value {
    let types = Types::of(service);
    let mut taken = HashSet::new();
    let mut notations: Vec<(&'static Notation, Schemas<'_>)> = Vec::new();
    for binding in service.bindings().iter() {
        let Some(notation) = documented(binding).openapi().map(InOpenApi::notation) else {
            continue;
        };
        if notations
            .iter()
            .all(|(known, _)| known.name != notation.name)
        {
            let has_it = |operation: &At<'_, Operation<'_>>| {
                let bindings = operation.bindings.iter();
                let mut described = bindings.filter_map(|binding| documented(binding).openapi());
                described.any(|described| described.notation().name == notation.name)
            };
            let operations = service.operations().filter(has_it);
            let elements = operations
                .flat_map(|operation| operation.parameters().elements().chain(operation.result()));
            let definitions = types.reach(elements).definitions;
            let schemas = Schemas::new(service, definitions, notation.name, &mut taken);
            notations.push((notation, schemas));
        }
    }
    let mut responses = Map::new();
    let operations = service.operations().map(|operation| {
        let path = format!("{}/{}", base_path(service.path), operation.name);
        (path, path_item(operation, &notations, &mut responses))
    });
    let mut paths: Map<String, Value> = operations
        .filter(|(_, item)| item.as_object().is_some_and(|item| !item.is_empty()))
        .collect();
    let schemas = notations.iter();
    let schemas = schemas.flat_map(|(notation, schemas)| schemas.components(notation.definition));
    let schemas: Map<_, _> = schemas.collect();
    add_examples(&mut paths, &schemas);
    let mut document = json!({
        "openapi": "3.1.1",
        "info": { "title": service.name, "version": "1" },
        "servers": [{ "url": url }],
        "paths": paths,
        "components": { "schemas": schemas, "responses": responses },
    });
    // A service without paths is not empty if it has operations over SOAP.
    let soap_only: Vec<_> = (service.operations())
        .filter(|operation| !is_described(*operation))
        .map(|operation| operation.row().name)
        .collect();
    let remark = match soap_only.len() {
        0 => None,
        all if all == service.operations().len() => Some(SOAP_ALONE),
        _ => Some(SOME_SOAP_ALONE),
    };
    let words = service.documentation().into_iter().chain(remark);
    describe(&mut document["info"], words);
    if !soap_only.is_empty() {
        document["x-soap-only"] = json!(soap_only);
        let wsdl = format!("{url}{}?wsdl", base_path(service.path));
        document["externalDocs"] = json!({ "description": "WSDL", "url": wsdl });
    }
    document
}

/// The description of a service whose operations are called only over SOAP.
const SOAP_ALONE: &str =
    "Its operations are called over SOAP alone, which OpenAPI cannot describe: the WSDL does.";

/// The description of a service some of whose operations are called only over SOAP.
const SOME_SOAP_ALONE: &str = "The operations in `x-soap-only` are called over SOAP alone, which OpenAPI cannot describe: the WSDL does.";

/// Whether OpenAPI describes any binding of an operation.
fn is_described(operation: At<'_, Operation<'_>>) -> bool {
    let mut bindings = operation.bindings.iter();
    bindings.any(|binding| documented(binding).openapi().is_some())
}

/// The first sentence of documentation, without the full stop.
fn summary(documentation: Option<&str>) -> Option<String> {
    let first = paragraphs(documentation).into_iter().next()?;
    let end = first.find(". ").unwrap_or(first.len());
    let sentence = first[..end].trim_end_matches('.');
    Some(sentence.to_owned())
}

/// The calls of an operation, by method; adds the responses that they refer to.
fn path_item(
    operation: At<'_, Operation<'_>>,
    notations: &[(&'static Notation, Schemas<'_>)],
    responses: &mut Map<String, Value>,
) -> Value {
    let mut methods: Vec<(&str, Vec<Described>)> = Vec::new();
    let bindings = operation.bindings.iter();
    for described in bindings.filter_map(|binding| documented(binding).openapi()) {
        let name = described.notation().name;
        let Some((notation, schemas)) = notations.iter().find(|(known, _)| known.name == name)
        else {
            continue;
        };
        let one = Described {
            suffix: described.suffix(),
            notation,
            call: described.call(operation, schemas),
        };
        let method = one.call.method;
        match methods.iter_mut().find(|(known, _)| *known == method) {
            Some((_, calls)) => calls.push(one),
            None => methods.push((method, vec![one])),
        }
    }
    let methods = methods.into_iter();
    methods
        .map(|(method, calls)| (method.to_owned(), calls_of(operation, calls, responses)))
        .collect()
}

/// A call, with the suffix and the notation of its binding.
struct Described {
    suffix: &'static str,
    notation: &'static Notation,
    call: Call,
}

/// The calls of an operation by one method, in each of their notations.
fn calls_of(
    operation: At<'_, Operation<'_>>,
    calls: Vec<Described>,
    responses: &mut Map<String, Value>,
) -> Value {
    let suffix = calls.first().map_or("", |first| first.suffix);
    let mut described = json!({ "operationId": format!("{}{suffix}", operation.name) });
    if let Some(summary) = summary(operation.documentation()) {
        described["summary"] = json!(summary);
    }
    let words = operation.documentation().into_iter();
    let words = words.chain(calls.iter().filter_map(|one| one.call.remark));
    describe(&mut described, words);
    let failure = failure(&calls, responses);
    let (mut results, mut bodies, mut query) = (Map::new(), Map::new(), None);
    let has_bodies = calls.iter().all(|one| one.call.body.is_some());
    for Described { call, .. } in calls {
        if let Some((media_type, schema)) = call.result {
            results
                .entry(media_type)
                .or_insert(json!({ "schema": schema }));
        }
        bodies.extend(
            call.body
                .map(|(media_type, body)| (media_type.to_owned(), body)),
        );
        query = query.or(call.query);
    }
    let about = operation.result().map(|result| result.documentation());
    let about = about.map_or("Done.", |words| words.unwrap_or("The result."));
    let mut answer = json!({ "description": about });
    if !results.is_empty() {
        answer["content"] = Value::Object(results);
    }
    described["responses"] = json!({ "200": answer, "500": failure });
    if !bodies.is_empty() {
        described["requestBody"] = json!({ "required": has_bodies, "content": bodies });
    }
    if let Some(query) = query {
        described["parameters"] = query;
    }
    described
}

/// A reference to the response of a failed call, in each of its notations.
fn failure(calls: &[Described], responses: &mut Map<String, Value>) -> Value {
    let mut failures: Vec<_> = calls.iter().map(|one| &one.notation.failure).collect();
    failures.dedup_by_key(|failure| failure.key);
    let keys: Vec<_> = failures.iter().map(|failure| failure.key).collect();
    let key = keys.join("Or");
    let reference = json!({ "$ref": format!("#/components/responses/{key}") });
    responses
        .entry(key)
        .or_insert_with(|| response_of(&failures));
    reference
}

/// The response of a failed call, which is one of these.
fn response_of(failures: &[&Failure]) -> Value {
    let descriptions: Vec<_> = failures.iter().map(|failure| failure.description).collect();
    let content = failures.iter().map(|failure| {
        let schema = (failure.schema)();
        (failure.media_type.to_owned(), json!({ "schema": schema }))
    });
    let content: Map<_, _> = content.collect();
    let mut response = json!({ "description": descriptions.join(" "), "content": content });
    let headers = failures.iter().filter_map(|failure| failure.header);
    let headers = headers.map(|(name, value)| {
        let schema = json!({ "type": "string", "const": value });
        (name.to_owned(), json!({ "schema": schema }))
    });
    let headers: Map<_, _> = headers.collect();
    if !headers.is_empty() {
        response["headers"] = Value::Object(headers);
    }
    response
}
