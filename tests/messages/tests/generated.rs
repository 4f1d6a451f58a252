//! Messages of rows and of generated code have the same bytes: generated code reads and forwards a
//! call of rows, and rows answer it.

#[path = "../../../crates/messages/tests/messages/values.rs"]
mod values;

mod changes;
mod described;
mod shown;

use std::path::Path;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use changes::{Random, change};
use http::{Request, Response};
use serde_json::Value as Json;
use shown::{shown_request, shown_response};
use svcgen::codegen::Endpoint;
use svcgen::transport::{BoxTransport, TransportError};
use svcgen::{Fault, Limits, Transport};
use svcgen_messages::{Answer, Operation, Service};
use svcgen_messages_tests::SERVERS;
use svcgen_model::Binding;

/// A request as text, and its response.
type Exchange = (String, Response<Bytes>);

/// A server of rows, with its answer and the last exchange.
#[derive(Clone)]
struct Backend {
    endpoint: Endpoint,
    answer: Arc<Mutex<Answer>>,
    last: Arc<Mutex<Option<Exchange>>>,
}

impl Transport for Backend {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let shown = shown_request(&request);
        let response = Transport::send(&self.endpoint, request).await?;
        *self.last.lock().unwrap() = Some((shown, response.clone()));
        Ok(response)
    }
}

impl Backend {
    fn new(service: Service) -> Self {
        let answer = Arc::new(Mutex::new(Answer::default()));
        let given = Arc::clone(&answer);
        let endpoint = service.endpoint(move |_| {
            let answer = given.lock().unwrap().clone();
            async move { Ok(answer) }
        });
        Self {
            endpoint,
            answer,
            last: Arc::default(),
        }
    }
}

/// Makes a call of rows through generated code. Returns the difference as the error, or whether the
/// call could be written.
async fn differs(
    (backend, server): (&Backend, &BoxTransport),
    operation: Operation,
    binding: Binding,
    (headers, parameters): (&Json, &Json),
    answer: &Answer,
) -> Result<bool, String> {
    let client = operation
        .service()
        .client(server.clone(), "http://localhost")
        .unwrap();
    let client = client.with_binding(binding);
    let headers = if binding.is_soap() {
        headers
    } else {
        &Json::Null
    };
    let Ok(request) = operation.request_by(&client, headers, parameters) else {
        return Ok(false);
    };
    *backend.answer.lock().unwrap() = answer.clone();
    *backend.last.lock().unwrap() = None;
    let sent = shown_request(&request);
    let response = server.send(request.clone()).await.unwrap();
    let got = shown_response(&response);
    let last = backend.last.lock().unwrap().take();
    let Some((passed, answered)) = last else {
        // Rows refuse it with the same fault.
        let rows = shown_response(&Transport::send(&backend.endpoint, request).await.unwrap());
        if rows != got {
            return Err(format!(
                "is refused by generated code:\n{sent}\n{got}\n{rows}"
            ));
        }
        return Ok(true);
    };
    // The forwarded text may differ, as a time in a form is converted to the time zone of the
    // server. Rows forward the same text.
    if !read_again(operation, &client, &sent, &passed) {
        return Err(format!(
            "is another request:\n{sent}\n{passed}\n{parameters}"
        ));
    }
    // Reading the forwarded answer may result in another value or an error. This must be the same
    // for rows and generated code.
    let rows = || match operation.read_answer_by(&client, &answered) {
        Ok(read) => operation.answer(&read, binding),
        Err(error) => operation.refuse(Fault::exception(error), binding),
    };
    let is_answer = answered.status().is_success();
    let expected = if is_answer {
        shown_response(&rows())
    } else {
        shown_response(&answered)
    };
    if expected != got {
        let answered = shown_response(&answered);
        return Err(format!("is another answer:\n{answered}\n{got}\n{answer:?}"));
    }
    Ok(true)
}

/// Whether rows forward a request like generated code.
fn read_again<T>(
    operation: Operation,
    client: &svcgen::codegen::Client<T>,
    sent: &str,
    passed: &str,
) -> bool {
    let (start, rest) = sent.split_once('\n').unwrap();
    let (head, body) = rest.split_once("\n\n").unwrap_or((rest, ""));
    let mut start = start.split(' ');
    let mut request = Request::builder()
        .method(start.next().unwrap())
        .uri(start.next().unwrap());
    for line in head.lines() {
        if let Some((name, value)) = line.split_once(": ") {
            request = request.header(name, value);
        }
    }
    let request = request.body(Bytes::from(body.to_owned())).unwrap();
    let read = operation.service().read_request(request).unwrap();
    let again = operation.request_by(client, &read.headers, &read.parameters);
    again.is_ok_and(|again| shown_request(&again) == passed)
}

#[tokio::test]
async fn messages_are_those_of_generated_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rounds: usize = std::env::var("ROUNDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(3);
    let all = std::env::var_os("ALL_CASES").is_some();
    let mut changed = 0;
    let (mut equal, mut unwritten, mut wrong) = (0, 0, Vec::new());
    for (number, (definition, pass_on)) in SERVERS.iter().enumerate() {
        let service = Service::open(root.join(definition)).unwrap();
        let backend = Backend::new(service);
        let server = pass_on(BoxTransport::new(backend.clone()), Limits::default());
        let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (number as u64 + 1));
        for sample in values::samples(service) {
            let (Ok(request), Ok(answer)) = (sample.request, sample.answer) else {
                continue;
            };
            let operation = sample.operation;
            let (mut headers, mut parameters, mut answer) =
                (request.headers, request.parameters, answer);
            for round in 0..rounds {
                // Changed values are sent over one binding after the other, or over all.
                let bindings: Vec<_> = operation.row().bindings.iter().collect();
                let bindings = match bindings.len() {
                    count if round > 0 && count > 0 && !all => {
                        let index = (changed + round) % count;
                        &bindings[index..=index]
                    }
                    _ => &bindings[..],
                };
                changed += 1;
                for &binding in bindings {
                    let both = (&backend, &server);
                    let message = (&headers, &parameters);
                    match differs(both, operation, binding, message, &answer).await {
                        Ok(true) => equal += 1,
                        Ok(false) => unwritten += 1,
                        Err(why) => {
                            wrong.push(format!("{definition}: {operation:?} over {binding} {why}"));
                        }
                    }
                }
                let before = (headers.clone(), parameters.clone(), answer.clone());
                change(&mut headers, &mut random);
                change(&mut parameters, &mut random);
                change(&mut answer.value, &mut random);
                change(&mut answer.headers, &mut random);
                // A value that no longer matches is sent once, for its errors.
                let binding = operation.row().bindings.iter().next().unwrap_or_default();
                let client = service
                    .client((), "http://localhost")
                    .unwrap()
                    .with_binding(binding);
                if operation
                    .request_by(&client, &headers, &parameters)
                    .is_err()
                {
                    (headers, parameters) = (before.0, before.1);
                }
                if operation.answer(&answer, binding).status() != http::StatusCode::OK {
                    answer = before.2;
                }
            }
        }
    }
    println!("{equal} calls are equal; {unwritten} are not written");
    let count = wrong.len();
    wrong.truncate(60);
    assert!(count == 0, "{count} are not:\n{}", wrong.join("\n\n"));
}
