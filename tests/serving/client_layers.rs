//! Layers of tower around client transports, boxed transports, and retries.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::Full;
use svcgen::codegen::Endpoint;
use svcgen::layer::{CallRequest, Refusal};
use svcgen::transport::{
    BoxTransport, CallTimeout, CalledOperation, Layered, Retries, TransportError,
    TransportErrorKind, transport_fn,
};
use svcgen::{Binding, CallError, CallErrorKind, HttpTransport, Transport};
use svcgen_tests::work::WorkClient;
use tokio::time::Instant;
use tower::{BoxError, ServiceBuilder, service_fn};

use crate::worker::{ReadRequest, StoreRequest, WorkServer, Worker};

const URL: &str = "http://service.example";

fn read() -> ReadRequest {
    ReadRequest {
        text: "a".to_owned(),
    }
}

fn store() -> StoreRequest {
    StoreRequest {
        text: "a".to_owned(),
    }
}

/// A transport to the service that records the heads of requests.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<Request<()>>>>);

impl Kept {
    fn transport(&self) -> impl Transport + Clone + Send + Sync + use<> {
        let (kept, server) = (self.clone(), WorkServer::new(Worker::new()));
        let server = Arc::new(server);
        transport_fn(move |request: Request<Bytes>| {
            kept.0.lock().unwrap().push(request.clone().map(drop));
            let server = Arc::clone(&server);
            async move { server.send(request).await }
        })
    }
}

#[tokio::test]
async fn layers_of_tower_stand_around_any_transport() {
    for binding in Binding::ALL {
        let kept = Kept::default();
        let operations = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&operations);
        let authorize = move |mut request: Request<Bytes>| {
            let called = request.extensions().get::<CalledOperation>().unwrap();
            let called = format!("{}.{}", called.service(), called.operation());
            seen.lock().unwrap().push(called);
            let token = HeaderValue::from_static("Bearer 4711");
            request.headers_mut().insert(header::AUTHORIZATION, token);
            request
        };
        let layers = ServiceBuilder::new()
            .timeout(Duration::from_secs(60))
            .concurrency_limit(1)
            .map_request(authorize);
        let client = WorkClient::new(kept.transport(), URL).unwrap();
        let client = client
            .with_binding(binding)
            .with(|client| client.with_layer(layers));
        let both = tokio::join!(client.read(&read()), client.store(&store()));
        assert_eq!(
            (both.0.unwrap(), both.1.unwrap()),
            ("a".to_owned(), "a".to_owned())
        );
        let requests = kept.0.lock().unwrap();
        assert_eq!(requests.len(), 2);
        for request in &*requests {
            assert_eq!(request.headers()["authorization"], "Bearer 4711");
        }
        assert_eq!(*operations.lock().unwrap(), ["Work.Read", "Work.Store"]);
    }
}

#[tokio::test(start_paused = true)]
async fn errors_of_layers_keep_their_source_and_those_of_transports_their_kind() {
    let silent = transport_fn(|_| std::future::pending());
    let client = WorkClient::new(silent, URL).unwrap();
    let layer = ServiceBuilder::new().timeout(Duration::from_secs(5));
    let client = client.with(|client| client.with_layer(layer));
    let error = client.read(&read()).await.unwrap_err();
    let CallError::Transport(error) = &error else {
        panic!("{error}")
    };
    assert_eq!(error.kind(), TransportErrorKind::Layer);
    let source = std::error::Error::source(error).unwrap();
    assert!(source.is::<tower::timeout::error::Elapsed>());
    assert_eq!(error.to_string(), "request timed out");

    let kept = Kept::default();
    let refuse = |request: Request<Bytes>| match request.extensions().get::<CalledOperation>() {
        Some(called) if called.is_read_only() => Ok(request),
        _ => Err(BoxError::from("we only read")),
    };
    let layer = ServiceBuilder::new().filter(refuse);
    let client = WorkClient::new(kept.transport(), URL).unwrap();
    let client = client.with(|client| client.with_layer(layer));
    assert_eq!(client.read(&read()).await.unwrap(), "a");
    let error = client.store(&store()).await.unwrap_err();
    assert_eq!(error.to_string(), "we only read");
    assert_eq!(error.kind(), CallErrorKind::Transport);
    assert_eq!(kept.0.lock().unwrap().len(), 1);

    let failing = transport_fn(|_| async {
        Err(TransportError::new(TransportErrorKind::Connect, "no connection").with_source("why"))
    });
    let client = WorkClient::new(failing, URL).unwrap();
    let layers = ServiceBuilder::new()
        .timeout(Duration::from_secs(5))
        .concurrency_limit(1);
    let client = client.with(|client| client.with_layer(layers));
    let error = client.read(&read()).await.unwrap_err();
    assert!(!error.may_have_run(), "{error}");
    assert_eq!(
        std::error::Error::source(&error).unwrap().to_string(),
        "why"
    );
}

#[tokio::test]
async fn a_service_of_tower_is_a_transport_whose_answers_are_limited() {
    let service = service_fn(|_: Request<Bytes>| async {
        Ok::<_, BoxError>(Response::new(Full::new(Bytes::from(vec![b' '; 1_000]))))
    });
    let transport = Layered::new(service).with_body_limit(999);
    let client = WorkClient::new(transport, URL).unwrap();
    let error = client.read(&read()).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Limit);
    assert!(
        error
            .to_string()
            .starts_with("the response is longer than 999 bytes")
    );
}

/// The type of a client with any transport can be named.
struct Application {
    work: WorkClient<BoxTransport>,
}

#[tokio::test]
async fn boxed_transports_stand_in_fields() {
    fn is_send<T: Send + Sync + Clone + 'static>(_: &T) {}
    let layers = ServiceBuilder::new().concurrency_limit(3);
    let client = WorkClient::new(Kept::default().transport(), URL).unwrap();
    let client = client.with(|client| client.with_layer(layers));
    let application = Application {
        work: client.with(|client| client.with_transport(BoxTransport::new)),
    };
    is_send(&application.work);
    let (work, other) = (application.work.clone(), application.work);
    let task = tokio::spawn(async move { work.read(&read()).await });
    assert_eq!(task.await.unwrap().unwrap(), "a");
    assert_eq!(other.store(&store()).await.unwrap(), "a");
}

/// Starts a server that refuses this many calls. Returns its URL and the number of calls.
async fn failing(failures: usize) -> (String, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let refuse = move |request: CallRequest| {
        if counted.fetch_add(1, SeqCst) < failures {
            let refusal = Refusal::new(StatusCode::SERVICE_UNAVAILABLE);
            let now = HeaderValue::from_static("0");
            return Err(BoxError::from(
                refusal.with_header(header::RETRY_AFTER, now),
            ));
        }
        Ok(request)
    };
    let layer = ServiceBuilder::new().filter(refuse);
    let server = WorkServer::new(Worker::new()).with_layer(layer);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async { svcgen::serve(listener, Endpoint::from(server)).await });
    (url, calls)
}

fn quick(tries: u32) -> Retries {
    Retries::new(tries).with_waits(Duration::from_millis(1), Duration::from_millis(2))
}

#[tokio::test]
async fn safe_operations_are_tried_again_and_others_only_if_nothing_was_sent() {
    for binding in Binding::ALL {
        for (failures, succeeds) in [(0, true), (2, true), (3, false)] {
            let (url, calls) = failing(failures).await;
            let client = WorkClient::new(HttpTransport::new(), &url).unwrap();
            let client = client
                .with_binding(binding)
                .with(|client| client.with_retries(quick(3)));
            let result = client.read(&read()).await;
            assert_eq!(calls.load(SeqCst), (failures + 1).min(3));
            match result {
                Ok(text) => assert!(succeeds && text == "a"),
                Err(error) => {
                    let text = error.to_string();
                    assert!(!succeeds, "{text}");
                    let expected =
                        "(hint: it is busy; try again in 0 seconds; 3 tries, which failed alike)";
                    assert!(text.starts_with("the server answered 503 Service Unavailable"));
                    assert!(text.ends_with(expected), "{text}");
                }
            }
        }
        let (url, calls) = failing(1).await;
        let client = WorkClient::connect(&url).unwrap().with_binding(binding);
        let client = client.with(|client| client.with_retries(quick(3)));
        let error = client.store(&store()).await.unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::Status);
        assert!(!error.to_string().contains("tries"), "{error}");
        assert_eq!(calls.load(SeqCst), 1);
    }
    // At first, nothing listens there.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let worker = Worker::new();
    let server = WorkServer::new(worker.clone());
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let listener = tokio::net::TcpListener::bind(address).await.unwrap();
        svcgen::serve(listener, server).await
    });
    let client = WorkClient::connect(&format!("http://{address}")).unwrap();
    let often = Retries::new(1000).with_waits(Duration::from_millis(5), Duration::from_millis(5));
    let client = client.with(|client| client.with_retries(often));
    assert_eq!(client.store(&store()).await.unwrap(), "a");
    assert_eq!(worker.counts.finished.load(SeqCst), 1);
}

/// Starts a server that accepts connections and never answers, or closes them after a request.
/// Returns its URL and the number of connections.
async fn silent(closes: bool) -> (String, Arc<AtomicUsize>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let taken = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&taken);
    tokio::spawn(async move {
        let mut open = Vec::new();
        loop {
            let (mut connection, _) = listener.accept().await.unwrap();
            counted.fetch_add(1, SeqCst);
            if closes {
                let _ = tokio::io::AsyncReadExt::read(&mut connection, &mut [0; 1]).await;
            } else {
                open.push(connection);
            }
        }
    });
    (url, taken)
}

#[tokio::test]
async fn what_was_sent_is_not_sent_again_unless_it_is_safe() {
    let (url, taken) = silent(true).await;
    let client = WorkClient::connect(&url).unwrap();
    let client = client.with(|client| client.with_retries(quick(3)));
    client.store(&store()).await.unwrap_err();
    assert_eq!(taken.load(SeqCst), 1);
    client.read(&read()).await.unwrap_err();
    assert_eq!(taken.load(SeqCst), 4);
}

#[tokio::test]
async fn the_time_of_a_call_is_that_of_all_its_tries() {
    let ms = Duration::from_millis;
    let transport = || HttpTransport::new().with_timeout(ms(400));
    let retries = || Retries::new(5).with_waits(ms(1), ms(1));
    let begin = async |transport: BoxTransport, retries: Retries, own: Option<Duration>| {
        let (url, taken) = silent(false).await;
        let client = WorkClient::new(transport, &url).unwrap();
        let client = client.with(|client| client.with_retries(retries));
        let request = read();
        let call = client.read(&request);
        let began = Instant::now();
        let error = match own {
            Some(time) => call.with_timeout(time).await.unwrap_err(),
            None => call.await.unwrap_err(),
        };
        assert_eq!(error.kind(), CallErrorKind::Timeout, "{error}");
        (began.elapsed(), taken.load(SeqCst))
    };
    // A wrapped transport also reports its timeout.
    let cookies = svcgen_http::Cookies::new(svcgen_observe::metrics::Measured::new(transport()));
    for transport in [
        BoxTransport::new(transport()),
        BoxTransport::new(cookies),
        BoxTransport::new(Arc::new(transport())),
    ] {
        let (time, taken) = begin(transport, retries(), None).await;
        assert!(time >= ms(400) && time < ms(800), "{time:?}");
        assert_eq!(taken, 1);
    }
    // Each try has its own timeout.
    let of_try = retries().with_try_timeout(ms(150));
    let (time, taken) = begin(BoxTransport::new(transport()), of_try.clone(), None).await;
    assert!(time >= ms(400) && time < ms(800), "{time:?}");
    assert_eq!(taken, 3);
    let (time, taken) = begin(BoxTransport::new(transport()), of_try, Some(ms(200))).await;
    assert!(time >= ms(200) && time < ms(400), "{time:?}");
    assert_eq!(taken, 2);
}

#[tokio::test]
async fn layers_keep_the_time_of_the_transport() {
    let (url, taken) = silent(false).await;
    let transport = HttpTransport::new().with_timeout(Duration::from_millis(200));
    let client = WorkClient::new(transport, &url).unwrap();
    let client = client.with(|client| {
        let layered = client.with_layer(ServiceBuilder::new().concurrency_limit(1));
        layered.with_retries(quick(5))
    });
    let began = Instant::now();
    let error = client.read(&read()).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Timeout, "{error}");
    assert!(began.elapsed() < Duration::from_millis(600));
    assert_eq!(taken.load(SeqCst), 1);
}

/// Returns the number of tries of a call with these answers, the time that it took, and its result.
async fn tried(
    retries: Retries,
    answers: impl Fn(usize, &Request<Bytes>) -> Answer + Send + Sync + 'static,
) -> (usize, Duration, Result<String, CallError>) {
    let tries = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&tries);
    let transport = transport_fn(move |request: Request<Bytes>| {
        let answer = answers(counted.fetch_add(1, SeqCst), &request);
        async move {
            match answer {
                Answer::Fails(kind) => Err(TransportError::new(kind, "it failed")),
                Answer::Status(status, retry_after) => {
                    let mut response = Response::new(Bytes::new());
                    *response.status_mut() = StatusCode::from_u16(status).unwrap();
                    if let Some(value) = retry_after {
                        let value = HeaderValue::from_static(value);
                        response.headers_mut().insert(header::RETRY_AFTER, value);
                    }
                    Ok(response)
                }
                Answer::Served => {
                    let server = WorkServer::new(Worker::new());
                    server.send(request).await
                }
                Answer::Never => std::future::pending().await,
            }
        }
    });
    let client = WorkClient::new(transport, URL).unwrap();
    let client = client.with(|client| client.with_retries(retries));
    let began = Instant::now();
    let result = client.read(&read()).await;
    (tries.load(SeqCst), began.elapsed(), result)
}

#[derive(Clone, Copy)]
enum Answer {
    Fails(TransportErrorKind),
    Status(u16, Option<&'static str>),
    Served,
    Never,
}

#[tokio::test(start_paused = true)]
async fn what_may_pass_is_tried_again() {
    use Answer::{Fails, Status};
    for (answer, again) in [
        (Fails(TransportErrorKind::Connect), true),
        (Fails(TransportErrorKind::Exchange), true),
        (Fails(TransportErrorKind::Timeout), true),
        (Fails(TransportErrorKind::TooLong), false),
        (Fails(TransportErrorKind::Scheme), false),
        (Fails(TransportErrorKind::Layer), false),
        (Status(429, None), true),
        (Status(502, None), true),
        (Status(503, None), true),
        (Status(504, None), true),
        (Status(500, None), false),
        (Status(404, None), false),
        (Status(503, Some("Fri, 31 Dec 1999 23:59:59 GMT")), false),
        (Status(503, Some("101")), false),
    ] {
        let passes = move |index, _: &_| if index < 2 { answer } else { Answer::Served };
        let (tries, _, result) = tried(Retries::new(5), passes).await;
        assert_eq!(
            (tries, result.is_ok()),
            if again { (3, true) } else { (1, false) }
        );
    }
    let (_, _, result) = tried(quick(9), |_, _| Fails(TransportErrorKind::Connect)).await;
    let text = result.unwrap_err().to_string();
    let expected = "it failed (9 tries, which failed alike) (hint: ";
    assert!(text.starts_with(expected), "{text}");
    let differ = |index, _: &_| match index % 2 {
        0 => Status(503, None),
        _ => Fails(TransportErrorKind::Connect),
    };
    let (_, _, result) = tried(quick(8), differ).await;
    let text = result.unwrap_err().to_string();
    let (busy, failed) = ("503 Service Unavailable", "it failed");
    let expected = format!("it failed (8 tries: {busy}; {failed}; {busy}; {failed}; {busy}; …)");
    assert!(text.starts_with(&expected), "{text}");
}

#[tokio::test(start_paused = true)]
async fn waits_double_and_are_bounded() {
    let second = Duration::from_secs(1);
    let retries = || Retries::new(6).with_waits(second, 4 * second);
    let down = |_, _: &_| Answer::Status(503, None);
    let (tries, time, _) = tried(retries(), down).await;
    assert_eq!(tries, 6);
    // 1, 2, 4, 4 and 4 seconds, each shortened by at most half.
    assert!(
        second * 15 / 2 <= time && time <= second * 15 + second / 10,
        "{time:?}"
    );
    let asks = |index: usize, _: &_| Answer::Status(503, Some(["10", "0"][index.min(1)]));
    let (tries, time, _) = tried(retries(), asks).await;
    assert!(tries == 6 && time >= 10 * second, "{tries} {time:?}");
    let (tries, time, _) = tried(Retries::new(1), down).await;
    assert_eq!((tries, time), (1, Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn tries_and_all_of_them_have_a_time() {
    let second = Duration::from_secs(1);
    let retries = Retries::new(3).with_try_timeout(2 * second);
    let silent = |index, request: &Request<Bytes>| {
        let time = request.extensions().get::<CallTimeout>().unwrap();
        assert_eq!(*time, CallTimeout(Duration::from_secs(2)));
        if index < 2 {
            Answer::Never
        } else {
            Answer::Served
        }
    };
    let (tries, time, result) = tried(retries, silent).await;
    assert_eq!((tries, result.unwrap().as_str()), (3, "a"));
    assert!(time >= 4 * second && time < 5 * second, "{time:?}");
    // This transport does not report a timeout.
    let retries = Retries::new(100).with_try_timeout(20 * second);
    let (tries, time, result) = tried(retries, |_, _| Answer::Never).await;
    assert_eq!(result.unwrap_err().kind(), CallErrorKind::Timeout);
    assert!(
        (4..=6).contains(&tries) && time <= 101 * second,
        "{tries} {time:?}"
    );
    let (tries, time, result) = tried(Retries::new(3), |_, _| Answer::Never).await;
    assert_eq!(result.unwrap_err().kind(), CallErrorKind::Timeout);
    assert!(tries == 1 && time <= 101 * second, "{tries} {time:?}");
}
