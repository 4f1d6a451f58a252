//! Samples of messages of all definitions, by their rows and over every binding: written, read, and
//! written again to the same bytes.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use http::{Request, Response};
use serde_json::Value as Json;
use svcgen::{CallError, ServerOptions};
use svcgen_messages::{Answer, Operation, Service};
use svcgen_model::Binding;

fn body(request: &Request<Bytes>) -> String {
    match request.method().as_str() {
        "GET" => request.uri().query().unwrap_or_default().to_owned(),
        _ => String::from_utf8(request.body().to_vec()).unwrap(),
    }
}

/// Writes a request, reads it, and writes it again. Returns the difference as the error.
fn request_differs(
    operation: Operation,
    headers: &Json,
    parameters: &Json,
    binding: Binding,
) -> Result<(), String> {
    let client = operation.service().client((), "http://localhost").unwrap();
    let client = client.with_binding(binding);
    let none = Json::Null;
    let headers = if binding.is_soap() { headers } else { &none };
    let first = operation.request_by(&client, headers, parameters);
    let first = match first {
        Ok(first) => first,
        // The value is absent, or a form cannot express it.
        Err(error) if !binding.is_soap() => {
            let text = error.to_string();
            let known = ["no number", "no place", "has no text"];
            return if known.iter().any(|known| text.contains(known)) {
                Ok(())
            } else {
                Err(text)
            };
        }
        Err(error) => return Err(format!("is not written: {error}\n{parameters}")),
    };
    let bytes = body(&first);
    let again = operation.service().read_request(first);
    let again = again.map_err(|fault| format!("is not read: {fault}\n{bytes}"))?;
    assert_eq!(again.operation, operation);
    if is_same_value(operation, binding)
        && (&again.parameters, &again.headers) != (parameters, headers)
    {
        return Err(format!(
            "is another value:\n{parameters}\n{}",
            again.parameters
        ));
    }
    let second = operation.request_by(&client, &again.headers, &again.parameters);
    let second = second.map_err(|error| format!("is not written again: {error}\n{bytes}"))?;
    let second = body(&second);
    if second != bytes && !(is_form(binding) && is_read_again(&again, &client, &second)) {
        return Err(format!("is another one:\n{bytes}\n{second}"));
    }
    Ok(())
}

/// Whether reading returns the written value: forms and JSON distinguish fewer values, and a server
/// with a time zone converts times.
fn is_same_value(operation: Operation, binding: Binding) -> bool {
    binding.is_soap() && operation.service().row().time_zone.is_none()
}

fn is_form(binding: Binding) -> bool {
    matches!(binding, Binding::HttpGet | Binding::HttpPost)
}

/// Whether a form is stable once more: its times are in the time zone of the server.
fn is_read_again<T>(
    read: &svcgen_messages::Request,
    client: &svcgen::codegen::Client<T>,
    bytes: &str,
) -> bool {
    let operation = read.operation;
    let request = operation.request_by(client, &Default::default(), &read.parameters);
    let third = operation.service().read_request(request.unwrap()).unwrap();
    let third = operation.request_by(client, &Default::default(), &third.parameters);
    body(&third.unwrap()) == bytes
}

/// Does the same for an answer.
fn answer_differs(operation: Operation, answer: &Answer, binding: Binding) -> Result<(), String> {
    let first = operation.answer(answer, binding);
    if operation.row().one_way && binding.is_soap() {
        return Ok(());
    }
    let text = |response: &Response<Bytes>| String::from_utf8_lossy(response.body()).into_owned();
    let again = operation.read_answer(&first, binding);
    let again = match again.map_err(|error| error.to_string()) {
        Ok(again) => again,
        // JSON cannot express a value that is XML.
        Err(why) if why.contains("has no place for one") => return Ok(()),
        Err(why) => return Err(format!("is not read: {why}\n{}", text(&first))),
    };
    if is_same_value(operation, binding) && again != *answer {
        return Err(format!("is another value:\n{answer:?}\n{again:?}"));
    }
    let second = operation.answer(&again, binding);
    if text(&second) != text(&first) {
        return Err(format!(
            "is another one:\n{}\n{}",
            text(&first),
            text(&second)
        ));
    }
    Ok(())
}

/// Finds the definitions in a folder, recursively.
fn definitions(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut entries: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && !path.ends_with("invalid") && !path.ends_with("included") {
            definitions(&path, found);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "yaml")
        {
            found.push(path);
        }
    }
}

/// Returns the definitions of the repository.
fn all_definitions() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    definitions(&root.join("tests/definitions"), &mut files);
    definitions(&root.join("service-defs"), &mut files);
    files
}

#[test]
fn messages_are_read_and_written_again() {
    let (mut equal, mut unread, mut wrong) = ([0; 2], Vec::new(), Vec::new());
    for file in all_definitions() {
        let Ok(service) = Service::open(&file) else {
            continue;
        };
        let name = file.file_name().unwrap().to_string_lossy();
        for sample in crate::values::samples(service) {
            let (operation, what) = (sample.operation, format!("{name}: {:?}", sample.operation));
            match &sample.request {
                Ok(request) => {
                    for binding in operation.row().bindings.iter() {
                        let (headers, parameters) = (&request.headers, &request.parameters);
                        match request_differs(operation, headers, parameters, binding) {
                            Ok(()) => equal[0] += 1,
                            Err(why) => wrong.push(format!("{what}: request over {binding} {why}")),
                        }
                    }
                }
                Err(why) => unread.push(format!("{what}: {why}")),
            }
            match &sample.answer {
                Ok(answer) => {
                    for binding in operation.row().bindings.iter() {
                        match answer_differs(operation, answer, binding) {
                            Ok(()) => equal[1] += 1,
                            Err(why) => wrong.push(format!("{what}: answer over {binding} {why}")),
                        }
                    }
                }
                Err(why) => unread.push(format!("{what}: {why}")),
            }
        }
    }
    println!("{} requests and {} answers are equal", equal[0], equal[1]);
    println!(
        "{} samples are not read:\n{}",
        unread.len(),
        unread.join("\n")
    );
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        wrong.len() + equal[0] + equal[1],
        wrong.join("\n\n")
    );
    // Samples of recursive objects, or of enumerations whose values have equal texts.
    assert!(unread.len() < 50, "{}", unread.len());
}

/// Makes a sample call over a binding. The server and the client check facets.
async fn checked(operation: Operation, binding: Binding) -> Result<(), String> {
    let answer = operation.sample_answer();
    let server = operation.service().endpoint(move |_| {
        let answer = answer.clone();
        async move { Ok(answer) }
    });
    let server = server.with_options(ServerOptions::default().with_facets(true));
    let client = operation.service().client(server, "http://localhost");
    let client = client.unwrap().with_binding(binding).with_facets(true);
    let headers = operation.header_place().sample();
    let headers = if binding.is_soap() {
        &headers
    } else {
        &Json::Null
    };
    let mut parameters = operation.parameter_place().sample();
    if operation.service().row().time_zone.is_some() {
        // A written time has an offset, and so cannot be compared with limits that have none.
        parameters.as_object_mut().unwrap().remove("clock");
    }
    match operation.call(&client, headers, &parameters).await {
        Ok(_) => Ok(()),
        Err(CallError::Write(error)) if !binding.is_soap() => {
            println!("{operation:?} over {binding}: {error}");
            Ok(())
        }
        Err(error) => Err(format!("is refused: {error}\n{parameters}")),
    }
}

#[tokio::test]
async fn sample_values_are_accepted_and_read_again() {
    let (mut accepted, mut wrong) = (0, Vec::new());
    for file in all_definitions() {
        let Ok(service) = Service::open(&file) else {
            continue;
        };
        let name = file.file_name().unwrap().to_string_lossy();
        for operation in service.operations() {
            let (headers, parameters) = (
                operation.header_place().sample(),
                operation.parameter_place().sample(),
            );
            let answer = operation.sample_answer();
            for binding in operation.row().bindings.iter() {
                let all = [
                    request_differs(operation, &headers, &parameters, binding),
                    answer_differs(operation, &answer, binding),
                    checked(operation, binding).await,
                ];
                for (what, found) in ["request", "answer", "call"].into_iter().zip(all) {
                    match found {
                        Ok(()) => accepted += 1,
                        Err(why) => {
                            wrong.push(format!(
                                "{name}: {operation:?}: {what} over {binding} {why}"
                            ));
                        }
                    }
                }
            }
        }
    }
    println!("{accepted} samples are accepted");
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        wrong.len() + accepted,
        wrong.join("\n\n")
    );
}
