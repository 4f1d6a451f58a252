//! The number of connections of a client, and the time that a call waits for one.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use svcgen::transport::TransportErrorKind;
use svcgen::{HttpTransport, RemoteAddress, Transport};
use tokio::net::TcpListener;
use tokio::sync::Barrier;

/// The addresses of the callers.
type Callers = Arc<Mutex<HashSet<SocketAddr>>>;

/// Starts a server that answers once this many calls have arrived.
async fn answering_together(calls: usize) -> (String, Callers) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    let callers = Callers::default();
    let (seen, barrier) = (Arc::clone(&callers), Arc::new(Barrier::new(calls)));
    let service = Answering(move |caller| {
        seen.lock().expect("no panic").insert(caller);
        Arc::clone(&barrier)
    });
    tokio::spawn(async { svcgen::serve(listener, service).await });
    (url, callers)
}

#[derive(Clone)]
struct Answering<F>(F);

impl<F, B> tower_service::Service<Request<B>> for Answering<F>
where
    F: Fn(SocketAddr) -> Arc<Barrier>,
{
    type Response = Response<Full<Bytes>>;
    type Error = std::convert::Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(
        &mut self,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), Self::Error>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let caller = request.extensions().get::<RemoteAddress>();
        let barrier = (self.0)(caller.expect("an address").0);
        Box::pin(async move {
            barrier.wait().await;
            Ok(Response::new(Full::new(Bytes::from_static(b"here"))))
        })
    }
}

async fn call_at_once(transport: &HttpTransport, url: &str, calls: usize) {
    let tasks: Vec<_> = (0..calls)
        .map(|_| {
            let (transport, url) = (transport.clone(), url.to_owned());
            tokio::spawn(async move {
                let request = Request::get(url).body(Bytes::new()).expect("a request");
                transport.send(request).await.expect("an answer")
            })
        })
        .collect();
    for task in tasks {
        assert_eq!(&task.await.expect("no panic").body()[..], b"here");
    }
}

/// 64 concurrent calls open 64 connections, which the next 64 calls reuse.
#[tokio::test]
async fn connections_of_calls_at_once_are_kept() {
    let (url, callers) = answering_together(64).await;
    let transport = HttpTransport::new();
    for _ in 0..5 {
        call_at_once(&transport, &url, 64).await;
    }
    assert_eq!(callers.lock().expect("no panic").len(), 64);
}

#[tokio::test]
async fn connections_are_limited_and_further_calls_wait() {
    let (url, callers) = answering_together(4).await;
    let transport = HttpTransport::new().with_max_connections(4);
    call_at_once(&transport, &url, 64).await;
    assert_eq!(callers.lock().expect("no panic").len(), 4);
}

#[tokio::test]
async fn calls_wait_for_a_connection_within_their_time() {
    let (url, callers) = answering_together(2).await;
    let patient = HttpTransport::new().with_max_connections(1);
    let hasty = patient.clone().with_timeout(Duration::from_millis(50));
    let request = || Request::get(&*url).body(Bytes::new()).expect("a request");
    let mut running = pin!(patient.send(request()));
    let error = tokio::select! {
        biased;
        _ = &mut running => panic!("half of the calls are there"),
        waiting = hasty.send(request()) => waiting.expect_err("no connection"),
    };
    assert_eq!(error.kind(), TransportErrorKind::Timeout, "{error}");
    let said = "ms for one of 1 connections to 127.0.0.1";
    assert!(error.to_string().contains(said), "{error}");
    // Another transport has its own connections.
    let other = HttpTransport::new();
    let (first, second) = tokio::join!(running, other.send(request()));
    first.expect("an answer");
    second.expect("an answer");
    assert_eq!(callers.lock().expect("no panic").len(), 2);
}
