//! Layers around calls, over sockets: the calls that they see, the answers that they give, and the
//! connections, which stay open.

use std::convert::Infallible;
use std::fmt;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex};
use std::task::{Context as Wakes, Poll};
use std::time::Duration;

use http::{HeaderValue, StatusCode, header};
use svcgen::layer::{CallLayer, CallRequest, CallResponse, CallService, Refusal, Target};
use svcgen::{Binding, Context, Fault, Limits, Router, ServerOptions};
use svcgen_tests::raw_http::{Answer, Connection};
use tower::layer::layer_fn;
use tower::{BoxError, Service, ServiceBuilder, service_fn};

use crate::worker::{
    NotifyRequest, ReadRequest, StoreRequest, WorkHandler, WorkServer, Worker, body, call,
    call_over, head, notify, until,
};

const BINDINGS: [Binding; 5] = Binding::ALL;

/// The calls that a layer saw: operation, binding, outcome, status.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    fn layer(&self) -> impl CallLayer + use<> {
        let seen = self.clone();
        layer_fn(move |inner: CallService| {
            let seen = seen.clone();
            service_fn(move |request: CallRequest| {
                let (seen, mut inner) = (seen.clone(), inner.clone());
                async move {
                    let operation = request.operation_name().map(str::to_owned);
                    let operation = operation.unwrap_or_else(|| "-".to_owned());
                    let binding = request.binding().map(|binding| binding.to_string());
                    let binding = binding.unwrap_or_else(|| "-".to_owned());
                    let response = inner.call(request).await?;
                    let (outcome, status) = (response.outcome(), response.status().as_u16());
                    let line = format!("{operation} {binding} {outcome} {status}");
                    seen.0.lock().unwrap().push(line);
                    Ok::<_, Infallible>(response)
                }
            })
        })
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    /// Waits for a call.
    fn next(&self) -> String {
        for _ in 0..4000 {
            if let Some(line) = self.take().pop() {
                return line;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("nothing was seen");
    }
}

/// Returns a layer that fails before it calls the inner service.
fn failing<E: Into<BoxError> + 'static>(
    error: impl Fn() -> E + Clone + Send + Sync + 'static,
) -> impl CallLayer {
    ServiceBuilder::new().filter(move |_: CallRequest| Err::<CallRequest, _>(error().into()))
}

fn with_header(request: &[u8], header: &str) -> Vec<u8> {
    let request = String::from_utf8(request.to_vec()).unwrap();
    let line = format!("\r\n{header}\r\n\r\n");
    request.replacen("\r\n\r\n", &line, 1).into_bytes()
}

fn exchange(connection: &mut Connection, request: &[u8]) -> Answer {
    connection.send(request).expect("sent");
    connection.answer().expect("an answer")
}

fn assert_answered(answer: &Answer, text: &str) {
    assert_eq!(answer.status, 200, "{}", answer.text());
    // JSON escapes quotes.
    let answered = answer.text().replace("\\\"", "\"");
    assert!(answered.contains(text), "{}", answer.text());
}

#[derive(Clone)]
struct User(&'static str);

/// Allows everyone to read, and Ann to store.
fn authorize(mut request: CallRequest) -> Result<CallRequest, BoxError> {
    match request.target() {
        Target::Operation(operation) if operation.name == "Store" => {}
        _ => return Ok(request),
    }
    match request.headers().get(header::AUTHORIZATION) {
        Some(token) if token == "Bearer ann" => {
            request.extensions_mut().insert(User("Ann"));
            Ok(request)
        }
        Some(_) => Err(Refusal::from(Fault::client("Only Ann may store.")).into()),
        None => {
            let challenge = HeaderValue::from_static("Bearer realm=\"work\"");
            let refusal = Refusal::new(StatusCode::UNAUTHORIZED);
            Err(refusal
                .with_header(header::WWW_AUTHENTICATE, challenge)
                .into())
        }
    }
}

/// Returns the user when storing, and the headers when reading.
struct Told(Worker);

impl WorkHandler for Told {
    async fn store(&self, context: &Context, request: StoreRequest) -> Result<String, Fault> {
        let user = context.extensions().get::<User>().map(|user| user.0);
        let text = self.0.store(context, request).await?;
        Ok(format!("{text} by {}", user.unwrap_or("nobody")))
    }

    async fn read(&self, context: &Context, request: ReadRequest) -> Result<String, Fault> {
        if request.text == "fault" {
            return Err(Fault::client("There is nothing to read."));
        }
        let header = context.headers().get("x-layer");
        let text = self.0.read(context, request).await?;
        Ok(format!("{text} {header:?}"))
    }

    async fn notify(&self, context: &Context, request: NotifyRequest) -> Result<(), Fault> {
        self.0.notify(context, request).await
    }
}

#[test]
fn operations_are_authorized_over_each_binding() {
    let worker = Worker::new();
    let seen = Seen::default();
    let server = WorkServer::new(Told(worker.clone()))
        .with_layer(ServiceBuilder::new().filter(authorize))
        .with_layer(seen.layer());
    let server = running!(server);
    let mut connection = server.connect();
    for binding in BINDINGS {
        let store = call_over(binding, "Store", "x");
        let answer = exchange(&mut connection, &store);
        assert_eq!(answer.status, 401);
        let challenge = answer.header("www-authenticate");
        assert_eq!(challenge, Some("Bearer realm=\"work\""));
        assert_eq!(answer.text(), "401 Unauthorized\n");
        let bob = with_header(&store, "Authorization: Bearer bob");
        let answer = exchange(&mut connection, &bob);
        assert_eq!(answer.status, 500);
        let fault = if binding.is_soap() {
            ">Only Ann may store.</"
        } else {
            "Only Ann may store."
        };
        assert!(answer.text().contains(fault), "{}", answer.text());
        assert_eq!(worker.counts.started.swap(0, SeqCst), 0);
        let ann = with_header(&store, "Authorization: Bearer ann");
        assert_answered(&exchange(&mut connection, &ann), "x by Ann");
        let read = call_over(binding, "Read", "y");
        assert_answered(&exchange(&mut connection, &read), "y None");
        assert_eq!(worker.counts.started.swap(0, SeqCst), 2);
        let expected = [
            format!("Store {binding} refused 401"),
            format!("Store {binding} refused 500"),
            format!("Store {binding} answered 200"),
            format!("Read {binding} answered 200"),
        ];
        assert_eq!(seen.take(), expected);
    }
}

/// An error with a source.
#[derive(Debug)]
struct Around(BoxError);

impl fmt::Display for Around {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("around")
    }
}

impl std::error::Error for Around {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.0)
    }
}

#[test]
fn errors_of_layers_are_answers() {
    const UNTOLD: &str = "There was an error processing the request.";
    fn refused() -> Refusal {
        Refusal::from(Fault::client("Not today."))
    }
    let errors: [(&'static (dyn Fn() -> BoxError + Sync), u16, &str); 7] = [
        (&|| "boom".into(), 500, UNTOLD),
        (&|| Around("boom".into()).into(), 500, UNTOLD),
        (&|| refused().into(), 500, "Not today."),
        (&|| Box::new(refused()).into(), 500, "Not today."),
        (
            &|| Around(Around(refused().into()).into()).into(),
            500,
            "Not today.",
        ),
        (
            &|| Refusal::new(StatusCode::FORBIDDEN).into(),
            403,
            "403 Forbidden\n",
        ),
        (
            &|| {
                Around(Box::new(Refusal::new(StatusCode::FORBIDDEN).with_text("No.")).into()).into()
            },
            403,
            "No.\n",
        ),
    ];
    for (error, status, text) in errors {
        let worker = Worker::new();
        let server = running!(WorkServer::new(worker.clone()).with_layer(failing(error)));
        let mut connection = server.connect();
        for binding in BINDINGS {
            let answer = exchange(&mut connection, &call_over(binding, "Store", "x"));
            assert_eq!(answer.status, status, "{}", answer.text());
            let adds = binding.is_soap() && text == UNTOLD;
            let text = if adds {
                format!(">Server was unable to process request. ---&gt; {text}</")
            } else {
                text.to_owned()
            };
            assert!(answer.text().contains(&text), "{}", answer.text());
            assert!(!answer.text().contains("boom") && !answer.text().contains("around"));
        }
        // The binding may be unknown if the request is not a call.
        let put = b"PUT /Work.asmx HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n";
        let answer = exchange(&mut connection, put);
        assert_eq!(answer.status, status);
        assert_eq!(answer.text().trim(), text.trim());
        // A one-way call that was refused is not answered as accepted.
        let answer = exchange(&mut connection, &notify("x", "1"));
        assert_eq!(answer.status, status);
        assert_eq!(worker.counts.started.load(SeqCst), 0);
    }
}

#[test]
fn a_timeout_of_tower_cancels_the_handler() {
    let worker = Worker::new();
    let seen = Seen::default();
    let timeout = ServiceBuilder::new().timeout(Duration::from_millis(50));
    let server = WorkServer::new(worker.clone());
    let server = running!(server.with_layer(timeout).with_layer(seen.layer()));
    let mut connection = server.connect();
    for (calls, binding) in BINDINGS.into_iter().enumerate() {
        // A panic of the cancelled handler has no other effect.
        let text = ["wait", "panic when dropped"][calls % 2];
        let answer = exchange(&mut connection, &call_over(binding, "Store", text));
        assert_eq!(answer.status, 500);
        assert!(
            answer
                .text()
                .contains("There was an error processing the request."),
            "{}",
            answer.text()
        );
        assert_eq!(worker.counts.dropped.load(SeqCst), calls + 1);
        assert_eq!(seen.take(), [format!("Store {binding} failed 500")]);
    }
    assert_answered(&exchange(&mut connection, &call("Store", "next")), "next");
}

#[test]
fn the_layer_added_last_is_outermost() {
    let adds = |value: &'static str| {
        ServiceBuilder::new().map_response(move |mut response: CallResponse| {
            let value = HeaderValue::from_static(value);
            response.headers_mut().append("x-order", value);
            response
        })
    };
    let worker = Worker::new();
    let server = WorkServer::new(worker)
        .with_layer(adds("1"))
        .with_layer(adds("2"));
    // Setting options keeps the layers.
    let server = server.with_options(ServerOptions::new().with_strict(true));
    let router = Router::new().with_layer(adds("3")).with_service(server);
    let server = running!(router.with_layer(adds("4")));
    let answer = server.exchange(&call("Store", "x"));
    let order = answer
        .headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("x-order"));
    let order: Vec<_> = order.map(|(_, value)| value.as_str()).collect();
    assert_eq!(order, ["1", "2", "3", "4"]);
}

/// Within one tower stack, and with one of our layers between.
#[test]
fn layers_wait_for_those_beneath_or_shed() {
    let limit = || ServiceBuilder::new().concurrency_limit(1);
    let worker = Worker::new();
    let server = WorkServer::new(worker.clone());
    let stacks = [
        server
            .clone()
            .with_layer(ServiceBuilder::new().load_shed().concurrency_limit(1)),
        server
            .clone()
            .with_layer(limit())
            .with_layer(ServiceBuilder::new().load_shed()),
    ];
    for server in stacks {
        let server = running!(server);
        let started = worker.counts.started.load(SeqCst);
        let mut first = server.connect();
        first.send(&call("Store", "wait")).expect("sent");
        until(&worker.counts.started, started + 1);
        let answer = server.exchange(&call("Store", "second"));
        assert_eq!(answer.status, 500);
        assert!(
            answer
                .text()
                .contains("There was an error processing the request."),
            "{}",
            answer.text()
        );
        worker.release(1);
        assert_answered(&first.answer().expect("an answer"), "wait");
    }
    let server = running!(server.with_layer(limit()));
    let finished = worker.counts.finished.load(SeqCst);
    let mut first = server.connect();
    first.send(&call("Store", "wait")).expect("sent");
    until(&worker.counts.started, finished + 1);
    let mut second = server.connect();
    second.send(&call("Store", "second")).expect("sent");
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(worker.counts.started.load(SeqCst), finished + 1);
    worker.release(1);
    assert_answered(&first.answer().expect("an answer"), "wait");
    assert_answered(&second.answer().expect("an answer"), "second");
}

#[test]
fn what_a_layer_changes_arrives_and_framing_stays() {
    let layer = ServiceBuilder::new()
        .map_request(|mut request: CallRequest| {
            let value = HeaderValue::from_static("seen");
            request.headers_mut().insert("x-layer", value);
            request.extensions_mut().clear();
            request
        })
        .map_response(|mut response: CallResponse| {
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static("7"));
            let chunked = HeaderValue::from_static("chunked");
            headers.insert(header::TRANSFER_ENCODING, chunked);
            response
        });
    let server = running!(WorkServer::new(Told(Worker::new())).with_layer(layer));
    let mut connection = server.connect();
    for binding in BINDINGS {
        let answer = exchange(&mut connection, &call_over(binding, "Read", "y"));
        assert_answered(&answer, "y Some(\"seen\")");
    }
}

/// A layer that forwards requests from another task.
#[test]
fn a_layer_may_run_elsewhere() {
    let layer = layer_fn(|inner: CallService| {
        service_fn(move |request: CallRequest| {
            let mut inner = inner.clone();
            async move {
                let answer = tokio::spawn(async move { inner.call(request).await });
                match answer.await {
                    Ok(answer) => answer.map_err(BoxError::from),
                    Err(error) => Err(error.into()),
                }
            }
        })
    });
    let worker = Worker::new();
    let server = running!(WorkServer::new(worker.clone()).with_layer(layer));
    let mut connection = server.connect();
    for _ in 0..3 {
        assert_answered(&exchange(&mut connection, &call("Store", "next")), "next");
    }
    connection.send(&call("Store", "wait")).expect("sent");
    until(&worker.counts.started, 4);
    worker.release(1);
    assert_answered(&connection.answer().expect("an answer"), "wait");
}

#[test]
fn every_outcome_is_seen() {
    let worker = Worker::new();
    let seen = Seen::default();
    let options = ServerOptions::new()
        .with_deadline(Duration::from_millis(50))
        .with_allowed_hosts(["h"])
        .with_limits(Limits::default().with_body(1000));
    let server = WorkServer::new(Told(worker.clone())).with_options(options);
    let router = Router::new().with_service(server).with_layer(seen.layer());
    let server = running!(router);
    let mut connection = server.connect();
    worker.release(1);
    let body_of = |body: &str| (head("Read", body.len()) + body).into_bytes();
    let fault = body("Read", "fault");
    let text = |text: &str| text.replace('\n', "\r\n").into_bytes();
    for (request, line) in [
        (call("Store", "x"), "Store SOAP 1.1 answered 200"),
        (call("Read", "fault"), "Read SOAP 1.1 fault 500"),
        (
            call_over(Binding::Soap12, "Read", "fault"),
            "Read SOAP 1.2 fault 500",
        ),
        (call("Store", "panic"), "Store SOAP 1.1 panicked 500"),
        (call("Store", "wait"), "Store SOAP 1.1 timed_out 500"),
        // A parameter that cannot be read.
        (
            text("GET /Work.asmx/Notify?text=x&count=many HTTP/1.1\nHost: h\n\n"),
            "Notify HTTP GET refused 500",
        ),
        (body_of("<a"), "- SOAP 1.1 refused 400"),
        (
            body_of(&fault.replace("Read", "Reed")),
            "- SOAP 1.1 refused 500",
        ),
        (
            body_of(&fault.replace("schemas.xmlsoap.org", "x.example")),
            "- SOAP 1.1 refused 500",
        ),
        (body_of(&" ".repeat(1001)), "- SOAP 1.1 refused 500"),
        (
            text("GET /Work.asmx/Unknown HTTP/1.1\nHost: h\n\n"),
            "- HTTP GET refused 500",
        ),
        (
            text("PUT /Work.asmx HTTP/1.1\nHost: h\nContent-Length: 0\n\n"),
            "- - refused 405",
        ),
        (
            text(
                "POST /Work.asmx HTTP/1.1\nHost: h\nContent-Type: text/plain\nContent-Length: 0\n\n",
            ),
            "- - refused 415",
        ),
        (
            text("GET /Work.asmx/Read?text=x HTTP/1.1\nHost: other\n\n"),
            "- - refused 403",
        ),
        (
            text("GET /Other.asmx HTTP/1.1\nHost: h\n\n"),
            "- - refused 404",
        ),
    ] {
        let answer = exchange(&mut connection, &request);
        let seen = seen.take();
        assert_eq!(seen, [line], "{}: {}", answer.status, answer.text());
        assert!(line.ends_with(&answer.status.to_string()));
    }
    // Requests for documents are not calls.
    let wsdl = text("GET /Work.asmx?wsdl HTTP/1.1\nHost: h\n\n");
    assert_eq!(exchange(&mut connection, &wsdl).status, 200);
    assert_eq!(seen.take(), [""; 0]);
}

#[test]
fn calls_without_room_are_seen() {
    let worker = Worker::new();
    let seen = Seen::default();
    let server = WorkServer::new(worker.clone()).with_layer(seen.layer());
    let server = running!(server, with_max_calls(1));
    let mut first = server.connect();
    first.send(&call("Store", "wait")).expect("sent");
    until(&worker.counts.started, 1);
    let answer = server.exchange(&call("Store", "second"));
    assert_eq!(
        (answer.status, answer.header("retry-after")),
        (503, Some("1"))
    );
    assert_eq!(seen.take(), ["- SOAP 1.1 refused 503"]);
    // A connection with an unread body is closed, whatever layers do.
    let expects = head("Store", 1000).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n");
    let mut connection = server.connect();
    let answer = exchange(&mut connection, expects.as_bytes());
    assert_eq!(
        (answer.status, answer.header("connection")),
        (503, Some("close"))
    );
    assert_eq!(connection.rest().expect("the end"), b"");
    worker.release(1);
    assert_answered(&first.answer().expect("an answer"), "wait");
}

#[test]
fn one_way_calls_are_answered_before_their_layers_are_done() {
    let worker = Worker::new();
    let seen = Seen::default();
    let server = running!(WorkServer::new(worker.clone()).with_layer(seen.layer()));
    let mut connection = server.connect();
    assert_eq!(exchange(&mut connection, &notify("wait", "1")).status, 202);
    drop(connection);
    until(&worker.counts.started, 1);
    assert_eq!(seen.take(), [""; 0]);
    worker.release(1);
    assert_eq!(seen.next(), "Notify SOAP 1.1 answered 202");
    assert_eq!(server.exchange(&notify("panic", "1")).status, 202);
    worker.release(1);
    assert_eq!(seen.next(), "Notify SOAP 1.1 panicked 202");
}

#[test]
fn calls_whose_caller_is_gone_are_seen() {
    let worker = Worker::new();
    let seen = Seen::default();
    let server = running!(WorkServer::new(worker.clone()).with_layer(seen.layer()));
    for (operation, outcome) in [("Read", "abandoned 500"), ("Store", "answered 200")] {
        let started = worker.counts.started.load(SeqCst);
        let mut connection = server.connect();
        connection.send(&call(operation, "wait")).expect("sent");
        until(&worker.counts.started, started + 1);
        connection.reset();
        if operation == "Store" {
            worker.release(1);
        }
        assert_eq!(seen.next(), format!("{operation} SOAP 1.1 {outcome}"));
    }
    assert_eq!(worker.counts.dropped.load(SeqCst), 1);
}

/// A layer that never continues, before or after the handler.
#[test]
fn the_deadline_bounds_layers() {
    let before = layer_fn(|_: CallService| {
        service_fn(|_: CallRequest| std::future::pending::<Result<CallResponse, Infallible>>())
    });
    let after = layer_fn(|inner: CallService| {
        service_fn(move |request: CallRequest| {
            let mut inner = inner.clone();
            async move {
                let _ = inner.call(request).await;
                std::future::pending::<Result<CallResponse, Infallible>>().await
            }
        })
    });
    let worker = Worker::new();
    let options = ServerOptions::new().with_deadline(Duration::from_millis(50));
    let server = WorkServer::new(worker.clone()).with_options(options);
    for (server, calls) in [
        (server.clone().with_layer(before), 0),
        (server.with_layer(after), 1),
    ] {
        let server = running!(server);
        let mut connection = server.connect();
        for _ in 0..2 {
            let answer = exchange(&mut connection, &call("Store", "x"));
            assert_eq!(answer.status, 500);
            assert!(
                answer.text().contains("Request timed out."),
                "{}",
                answer.text()
            );
            assert_eq!(worker.counts.started.swap(0, SeqCst), calls);
        }
    }
}

/// Panics at a place.
#[derive(Clone)]
struct Panics(&'static str, CallService);

impl Panics {
    fn at(&self, place: &str) {
        assert!(self.0 != place, "this panic is part of the test");
    }
}

impl Service<CallRequest> for Panics {
    type Response = CallResponse;
    type Error = Infallible;
    type Future = <CallService as Service<CallRequest>>::Future;

    fn poll_ready(&mut self, context: &mut Wakes<'_>) -> Poll<Result<(), Infallible>> {
        self.at("ready");
        self.1.poll_ready(context)
    }

    fn call(&mut self, request: CallRequest) -> Self::Future {
        self.at("call");
        let (layer, answer) = (self.clone(), self.1.call(request));
        Box::pin(async move {
            layer.at("before");
            let answer = answer.await;
            layer.at("after");
            answer
        })
    }
}

#[test]
fn panics_of_layers_are_answered() {
    let seen = Seen::default();
    for (place, calls) in [("ready", 0), ("call", 0), ("before", 0), ("after", 1)] {
        let worker = Worker::new();
        let layer = layer_fn(move |inner| Panics(place, inner));
        let server = WorkServer::new(worker.clone()).with_layer(layer);
        let server = running!(server.with_layer(seen.layer()));
        let mut connection = server.connect();
        for _ in 0..2 {
            let answer = exchange(&mut connection, &call("Store", "x"));
            assert_eq!(answer.status, 500);
            assert!(
                answer.text().contains("A layer panicked."),
                "{}",
                answer.text()
            );
            assert_eq!(seen.take(), ["Store SOAP 1.1 panicked 500"]);
            assert_eq!(worker.counts.started.swap(0, SeqCst), calls);
        }
    }
}

#[test]
fn a_refusal_by_a_fault_has_headers() {
    let refusal = || {
        let refusal = Refusal::from(Fault::client("Who are you?"));
        refusal.with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
    };
    let server = running!(WorkServer::new(Worker::new()).with_layer(failing(refusal)));
    let answer = server.exchange(&call("Store", "x"));
    assert_eq!(answer.status, 500);
    assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    assert!(
        answer
            .text()
            .contains("<faultcode>soap:Client</faultcode><faultstring>Who are you?</")
    );
}
