//! Samples of messages of all definitions are read by their rows, and written over every binding: what is read of that and written again are the same bytes.

mod values;

use std::path::{Path, PathBuf};

use bytes::Bytes;
use http::{Request, Response};
use svcgen_messages::{Answer, Operation, Service};
use svcgen_model::Binding;

fn body(request: &Request<Bytes>) -> String {
    match request.method().as_str() {
        "GET" => request.uri().query().unwrap_or_default().to_owned(),
        _ => String::from_utf8(request.body().to_vec()).unwrap(),
    }
}

/// Writes a request, reads it, and writes what was read. Returns what differs.
fn request_differs(read: &svcgen_messages::Request, binding: Binding) -> Result<(), String> {
    let operation = read.operation;
    let client = operation.service().client((), "http://localhost").unwrap();
    let client = client.with_binding(binding);
    let headers = if binding.is_soap() {
        read.headers.clone()
    } else {
        Default::default()
    };
    let first = operation.request_by(&client, &headers, &read.parameters);
    let first = match first {
        Ok(first) => first,
        // An absent value, or one that a form has no place for.
        Err(error) if !binding.is_soap() => {
            let text = error.to_string();
            let known = ["no number", "no place", "has no text"];
            return if known.iter().any(|known| text.contains(known)) {
                Ok(())
            } else {
                Err(text)
            };
        }
        Err(error) => return Err(format!("is not written: {error}\n{}", read.parameters)),
    };
    let bytes = body(&first);
    let again = operation.service().read_request(first);
    let again = again.map_err(|fault| format!("is not read: {fault}\n{bytes}"))?;
    assert_eq!(again.operation, operation);
    if binding.is_soap() && (&again.parameters, &again.headers) != (&read.parameters, &read.headers)
    {
        return Err(format!(
            "is another value:\n{}\n{}",
            read.parameters, again.parameters
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

fn is_form(binding: Binding) -> bool {
    matches!(binding, Binding::HttpGet | Binding::HttpPost)
}

/// Whether a form denotes the same once more: a time in it is one in the zone of the server.
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

/// The same with an answer.
fn answer_differs(operation: Operation, answer: &Answer, binding: Binding) -> Result<(), String> {
    let first = operation.answer(answer, binding);
    if operation.row().one_way && binding.is_soap() {
        return Ok(());
    }
    let text = |response: &Response<Bytes>| String::from_utf8_lossy(response.body()).into_owned();
    let again = operation.read_answer(&first, binding);
    let again = match again.map_err(|error| error.to_string()) {
        Ok(again) => again,
        // JSON has none for a value that is XML.
        Err(why) if why.contains("has no place for one") => return Ok(()),
        Err(why) => return Err(format!("is not read: {why}\n{}", text(&first))),
    };
    if binding.is_soap() && again != *answer {
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

/// The definitions of a folder and of those in it.
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

#[test]
fn messages_are_read_and_written_again() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    definitions(&root.join("tests/definitions"), &mut files);
    definitions(&root.join("service-defs"), &mut files);
    let (mut equal, mut unread, mut wrong) = ([0; 2], Vec::new(), Vec::new());
    for file in files {
        let Ok(service) = Service::open(&file) else {
            continue;
        };
        let name = file.file_name().unwrap().to_string_lossy();
        for sample in values::samples(service) {
            let (operation, what) = (sample.operation, format!("{name}: {:?}", sample.operation));
            match &sample.request {
                Ok(request) => {
                    for binding in operation.row().bindings.iter() {
                        match request_differs(request, binding) {
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
    // Samples that show an object in itself, or an enumeration that no text tells from others.
    assert!(unread.len() < 50, "{}", unread.len());
}
