//! The allocations of the layers for tracing, metrics and logs, without a subscriber, a recorder or
//! a logged message.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{Request, Response};
use svcgen::layer::CallService;
use svcgen::transport::transport_fn;
use svcgen::{Fault, Transport};
use svcgen_observe::message_log::MessageLog;
use svcgen_observe::metrics::{Measured, MetricsLayer};
use svcgen_observe::trace::{TraceLayer, Traced};
use svcgen_tests::work::{NotifyRequest, ReadRequest, StoreRequest, WorkHandler, WorkServer};
use svcgen_tests::work_calls::body;
use tower::layer::layer_fn;

struct Handler;

impl WorkHandler for Handler {
    async fn store(&self, _: &svcgen::Context, _: StoreRequest) -> Result<String, Fault> {
        Ok(String::new())
    }

    async fn read(&self, _: &svcgen::Context, _: ReadRequest) -> Result<String, Fault> {
        Ok(String::new())
    }

    async fn notify(&self, _: &svcgen::Context, _: NotifyRequest) -> Result<(), Fault> {
        Ok(())
    }
}

/// Returns the number of allocations for a call of a warmed-up server.
fn of_a_call(server: &WorkServer<Handler>) -> usize {
    let mut allocations = 0;
    for _ in 0..3 {
        let request = Request::post("/Work.asmx")
            .header("content-type", "text/xml; charset=utf-8")
            .header("soapaction", "\"urn:example:work/Store\"")
            .body(Bytes::from(body("Store", "x")))
            .unwrap();
        let answer = super::calls(|| ready(server.answer(request)));
        assert_eq!(answer.0.status(), 200);
        allocations = answer.1;
    }
    allocations
}

pub(crate) fn layers_allocate_what_their_documentation_says() {
    let server = WorkServer::new(Handler);
    let bare = of_a_call(&server);
    // The allocations of any layer: its future and the future of the inner service.
    let layer = of_a_call(
        &server
            .clone()
            .with_layer(layer_fn(|inner: CallService| inner)),
    );
    let traced = of_a_call(&server.clone().with_layer(TraceLayer::new()));
    let measured = of_a_call(&server.clone().with_layer(MetricsLayer::new()));
    let log = MessageLog::new(|_| {});
    let not_logged = of_a_call(&server.clone().with_layer(log.with_operations(["Other"])));
    assert_eq!(traced - layer, 6);
    assert_eq!(measured - layer, 10);
    assert_eq!(not_logged - layer, 1);
    assert_eq!(bare, of_a_call(&server));
}

/// Returns the number of allocations for sending a request.
fn of_sending(transport: &impl Transport) -> usize {
    let mut allocations = 0;
    for _ in 0..3 {
        let request = Request::get("http://localhost/")
            .body(Bytes::new())
            .unwrap();
        allocations = super::calls(|| ready(transport.send(request))).1;
    }
    allocations
}

pub(crate) fn transports_allocate_what_their_documentation_says() {
    let transport = transport_fn(|_| async { Ok(Response::new(Bytes::new())) });
    let bare = of_sending(&transport);
    assert_eq!(of_sending(&Traced::new(&transport)) - bare, 3);
    assert_eq!(of_sending(&Measured::new(&transport)) - bare, 9);
    let log = MessageLog::new(|_| {}).with_operations(["Other"]);
    assert_eq!(of_sending(&log.around(&transport)), bare);
}

/// Returns the output of a future that never waits.
fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    match future
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("nothing is awaited"),
    }
}
