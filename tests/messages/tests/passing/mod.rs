//! Exchanges through generated code and through rows.

#[path = "../shown/mod.rs"]
mod shown;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Request, Response};
use shown::{shown_request, shown_response};
use svcgen::codegen::Endpoint;
use svcgen::transport::{BoxTransport, TransportError};
use svcgen::{Binding, CallError, Fault, Limits, ServerOptions, Transport};
use svcgen_messages::{Answer, Operation, Service};
use svcgen_messages_tests::{PassOn, begun_again};

/// A server with a given answer, which records the last request.
#[derive(Clone, Default)]
struct Original {
    answer: Arc<Mutex<Response<Bytes>>>,
    asked: Arc<Mutex<Option<String>>>,
}

impl Transport for Original {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        *self.asked.lock().unwrap() = Some(shown_request(&request));
        Ok(self.answer.lock().unwrap().clone())
    }
}

/// A request, and the response of the original to it.
#[derive(Clone)]
pub struct Exchange {
    pub name: String,
    pub request: Request<Bytes>,
    pub response: Response<Bytes>,
    /// Whether the bytes of rows must be equal to those of generated code, and not only the values.
    pub is_exact: bool,
}

/// The number of cases in which rows did the same as generated code.
#[derive(Debug, Default)]
pub struct Counts {
    pub passed: usize,
    pub refused: usize,
    pub results: usize,
    pub faults: usize,
    pub misread: usize,
}

/// A service of rows, and a server of generated code in front of an original.
pub struct Passing {
    pub service: Service,
    original: Original,
    server: BoxTransport,
    limits: Limits,
}

/// Returns the service of a definition, which is opened once for all tests.
fn opened(definition: &str) -> Service {
    static OPENED: Mutex<BTreeMap<String, Service>> = Mutex::new(BTreeMap::new());
    let mut opened = OPENED.lock().unwrap();
    *opened.entry(definition.to_owned()).or_insert_with(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        Service::open(root.join(definition)).unwrap()
    })
}

impl Passing {
    pub fn of(definition: &str, pass_on: PassOn, limits: Limits) -> Self {
        let original = Original::default();
        Self {
            service: opened(definition),
            server: pass_on(BoxTransport::new(original.clone()), limits),
            original,
            limits,
        }
    }

    /// Returns a server of rows with the same answer to every call.
    fn rows(&self, outcome: Result<Answer, Fault>) -> Endpoint {
        let options = ServerOptions::default().with_limits(self.limits);
        let endpoint = self.service.endpoint(move |_| {
            let outcome = outcome.clone();
            async move { outcome }
        });
        endpoint.with_options(options)
    }

    /// Returns the difference between rows and generated code for an exchange as the error.
    pub async fn difference(&self, exchange: &Exchange, counts: &mut Counts) -> Result<(), String> {
        let (service, is_exact) = (self.service, exchange.is_exact);
        *self.original.answer.lock().unwrap() = exchange.response.clone();
        *self.original.asked.lock().unwrap() = None;
        let got = self.server.send(exchange.request.clone()).await.unwrap();
        let asked = self.original.asked.lock().unwrap().take();
        let Some(asked) = asked else {
            let endpoint = self.rows(Err(Fault::exception("It is read.")));
            let rows = Transport::send(&endpoint, exchange.request.clone());
            let (rows, got) = (shown_response(&rows.await.unwrap()), shown_response(&got));
            counts.refused += 1;
            return same("is refused otherwise", &got, &rows);
        };
        let read = service.read_request(exchange.request.clone());
        let read = read.map_err(|fault| format!("is refused: {fault}"))?;
        let operation = read.operation;
        let client = service.client((), "http://localhost").unwrap();
        let client = client.with_binding(read.binding).with_limits(self.limits);
        let again = operation.request_by(&client, &read.headers, &read.parameters);
        let again = again.map_err(|error| format!("is not written: {error}"))?;
        counts.passed += 1;
        if is_exact {
            same("is another request", &asked, &shown_request(&again))?;
        } else {
            let reread = service.read_request(again);
            let reread = reread.map_err(|fault| format!("is refused again: {fault}"))?;
            let values = [&read.parameters, &reread.parameters].map(ToString::to_string);
            same("means something else", &values[0], &values[1])?;
        }
        let outcome = match operation.read_answer_by(&client, &exchange.response) {
            Ok(answer) => {
                counts.results += 1;
                Ok(answer)
            }
            Err(CallError::Fault(fault)) => {
                counts.faults += 1;
                Err(again_by_rows(operation, fault, read.binding))
            }
            Err(error) => {
                counts.misread += 1;
                Err(Fault::exception(error))
            }
        };
        let endpoint = self.rows(outcome);
        let rows = Transport::send(&endpoint, exchange.request.clone());
        let rows = rows.await.unwrap();
        if is_exact {
            let shown = [&got, &rows].map(shown_response);
            return same("is another answer", &shown[0], &shown[1]);
        }
        let values = [&got, &rows].map(|response| {
            let answer = operation.read_answer_by(&client, response);
            format!("{:?}", answer.map(|answer| answer.value))
        });
        same("means another answer", &values[0], &values[1])
    }
}

/// Returns a fault with the detail and the SOAP headers as rows read them.
fn again_by_rows(operation: Operation, fault: Fault, binding: Binding) -> Fault {
    let headers = match operation.read_fault_headers(&fault) {
        Ok(headers) => headers,
        Err(error) => return Fault::exception(error),
    };
    let details = match operation.read_detail(&fault) {
        Ok(details) => details,
        Err(error) => return Fault::exception(error),
    };
    let mut again = fault;
    if let Some((name, detail)) = details.as_object().unwrap().iter().next() {
        let begun = begun_again(&again);
        again = operation.with_detail(begun, name, detail).unwrap();
    }
    if operation.row().fault_headers().is_some() {
        again = operation.with_fault_headers(again, &headers, binding);
    }
    again
}

fn same(what: &str, generated: &str, rows: &str) -> Result<(), String> {
    if generated == rows {
        Ok(())
    } else {
        Err(format!("{what}:\n{generated}\n--- by rows:\n{rows}"))
    }
}
