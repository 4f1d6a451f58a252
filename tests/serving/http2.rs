//! HTTP/2 on the server, with good and hostile callers.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{Request, Response, Uri, Version};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http2::{Connection as Driver, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use svcgen::serve::{Serve, Tls};
use svcgen_tests::checks::BINDINGS;
use svcgen_tests::raw_http::{Connection, Running, Served, parse_head, split};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::certificates::Issuer;
use crate::worker::{WorkServer, Worker, call, call_over};

pub(crate) fn serving<V: Served>(
    service: V,
    set_up: impl FnOnce(Serve<V::Service>) -> Serve<V::Service> + Send + 'static,
) -> Running {
    Running::with(service, |serve| set_up(serve.with_http2(true)))
}

/// A connection over HTTP/2. The task that drives it ends with it.
pub(crate) struct Caller {
    send: SendRequest<Full<Bytes>>,
    driven: tokio::task::JoinHandle<hyper::Result<()>>,
}

impl Caller {
    pub(crate) async fn over<S>(stream: S) -> Self
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let builder = hyper::client::conn::http2::Builder::new(TokioExecutor::new());
        let (send, driver): (_, Driver<_, Full<Bytes>, _>) = builder
            .handshake(TokioIo::new(stream))
            .await
            .expect("a handshake");
        Self {
            send,
            driven: tokio::spawn(driver),
        }
    }

    pub(crate) async fn new(server: &Running) -> Self {
        Self::over(TcpStream::connect(server.address).await.expect("a server")).await
    }

    /// Sends a request that is written in HTTP/1.1.
    pub(crate) fn send(
        &self,
        request: &[u8],
    ) -> impl Future<Output = hyper::Result<Response<Incoming>>> + use<> {
        let (head, body) = split(request);
        let (first, headers) = parse_head(head);
        let mut words = first.split(' ');
        let (method, path) = (
            words.next().expect("a method"),
            words.next().expect("a path"),
        );
        let uri: Uri = format!("http://localhost:77{path}")
            .parse()
            .expect("a path");
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            if name != "Host" {
                request = request.header(name, value);
            }
        }
        let body = Full::new(Bytes::copy_from_slice(body));
        self.send
            .clone()
            .send_request(request.body(body).expect("a request"))
    }

    pub(crate) async fn exchange(&self, request: &[u8]) -> (u16, String) {
        let answer = self.send(request).await.expect("an answer");
        assert_eq!(answer.version(), Version::HTTP_2);
        let status = answer.status().as_u16();
        let body = answer
            .into_body()
            .collect()
            .await
            .expect("a body")
            .to_bytes();
        (status, String::from_utf8(body.into()).expect("UTF-8"))
    }
}

#[tokio::test]
async fn every_binding_is_called_at_the_same_time_on_one_connection() {
    let worker = Worker::new();
    let server = serving(WorkServer::new(worker.clone()), |serve| serve);
    let caller = Caller::new(&server).await;
    let waiting = caller.send(&call("Store", "wait"));
    let waiting = tokio::spawn(waiting);
    for (name, binding) in BINDINGS {
        let (status, text) = caller
            .exchange(&call_over(binding, "Read", "some text"))
            .await;
        assert!(
            status == 200 && text.contains("some text"),
            "{name}: {status} {text}"
        );
    }
    let (status, _) = caller.exchange(b"GET /nothing HTTP/1.1\r\n\r\n").await;
    assert_eq!(status, 404);
    let (status, wsdl) = caller
        .exchange(b"GET /Work.asmx?wsdl HTTP/1.1\r\n\r\n")
        .await;
    assert!(
        status == 200 && wsdl.contains("\"http://localhost:77/Work.asmx\""),
        "{wsdl}"
    );
    worker.release(1);
    let answer = waiting.await.expect("no panic").expect("an answer");
    assert_eq!(answer.status(), 200);
    // The same port serves HTTP/1.1.
    let answer = server.exchange(&call("Read", "old"));
    assert!(answer.text().contains("old"), "{}", answer.text());
    // This holds even if the first bytes are those of HTTP/2.
    let mut connection = server.connect();
    connection.send(b"PR").expect("sent");
    connection
        .send(b"OPFIND / HTTP/1.1\r\nHost: h\r\n\r\n")
        .expect("sent");
    assert_eq!(connection.answer().expect("an answer").status, 404);
}

/// Opens a connection over TLS that trusts a root and offers protocols.
pub(crate) async fn tls_stream(
    server: &Running,
    root: &str,
    offered: &[&str],
) -> tokio_rustls::client::TlsStream<TcpStream> {
    let mut roots = rustls::RootCertStore::empty();
    let root = CertificateDer::from_pem_slice(root.as_bytes()).expect("a root");
    roots.add(root).expect("a root");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = offered.iter().map(|name| name.as_bytes().into()).collect();
    let stream = TcpStream::connect(server.address).await.expect("a server");
    let name = "localhost".try_into().expect("a name");
    let connector = TlsConnector::from(Arc::new(config));
    connector.connect(name, stream).await.expect("a handshake")
}

#[tokio::test]
async fn tls_decides_by_alpn() {
    let issuer = Issuer::new();
    let own = issuer.issue(&["localhost"]);
    let tls = Tls::from_pem(&own.certificate, &own.key).expect("a certificate");
    let server = serving(WorkServer::new(Worker::new()), |serve| serve.with_tls(tls));
    for (offered, wanted) in [
        (&["h2", "http/1.1"][..], Some("h2")),
        (&["http/1.1"], Some("http/1.1")),
        (&[], None),
    ] {
        let stream = tls_stream(&server, &issuer.root(), offered).await;
        assert_eq!(
            stream.get_ref().1.alpn_protocol(),
            wanted.map(str::as_bytes)
        );
        if wanted == Some("h2") {
            let caller = Caller::over(stream).await;
            let (status, text) = caller.exchange(&call("Read", "secure")).await;
            assert!(status == 200 && text.contains("secure"), "{status} {text}");
            let (_, wsdl) = caller
                .exchange(b"GET /Work.asmx?wsdl HTTP/1.1\r\n\r\n")
                .await;
            assert!(
                wsdl.contains("\"https://localhost:77/Work.asmx\""),
                "{wsdl}"
            );
        }
    }
}

#[tokio::test]
async fn without_the_option_there_is_no_http2() {
    let server = Running::of(WorkServer::new(Worker::new()));
    let mut connection = server.connect();
    connection.send(PREFACE).expect("sent");
    // hyper closes the connection, with or without an answer.
    let rest = connection.rest().unwrap_or_default();
    assert!(
        rest.is_empty() || rest.starts_with(b"HTTP/1.1 4"),
        "{rest:?}"
    );
}

#[tokio::test]
async fn a_call_ends_though_its_caller_is_gone() {
    let worker = Worker::new();
    let server = serving(WorkServer::new(worker.clone()), |serve| serve);
    let caller = Caller::new(&server).await;
    // The first is reset, and the connection of the second is closed.
    let reset = tokio::spawn(caller.send(&call("Store", "wait")));
    let _closed = tokio::spawn(caller.send(&call("Store", "wait")));
    let safe = tokio::spawn(caller.send(&call("Read", "wait")));
    until_async(|| worker.counts.started.load(SeqCst) == 3).await;
    reset.abort();
    let (status, _) = caller.exchange(&call("Read", "goes on")).await;
    assert_eq!(status, 200);
    // Operations that are marked safe are cancelled.
    safe.abort();
    until_async(|| worker.counts.dropped.load(SeqCst) == 1).await;
    caller.driven.abort();
    let other = Caller::new(&server).await;
    let (status, _) = other.exchange(&call("Read", "another")).await;
    assert_eq!(status, 200);
    worker.release(2);
    until_async(|| worker.counts.finished.load(SeqCst) == 4).await;
    assert_eq!(worker.counts.dropped.load(SeqCst), 1);
}

async fn until_async(is_so: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < end, "it never was so");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn a_stop_finishes_calls_and_waits_for_abandoned_ones() {
    let worker = Worker::new();
    let mut server = serving(WorkServer::new(worker.clone()), |serve| serve);
    let (caller, idle) = (Caller::new(&server).await, Caller::new(&server).await);
    let abandoning = Caller::new(&server).await;
    let waiting = tokio::spawn(caller.send(&call("Store", "wait")));
    let abandoned = tokio::spawn(abandoning.send(&call("Store", "wait")));
    until_async(|| worker.counts.started.load(SeqCst) == 2).await;
    abandoned.abort();
    abandoning.driven.abort();
    server.ask_to_stop();
    idle.driven
        .await
        .expect("no panic")
        .expect("an end in peace");
    worker.release(2);
    let answer = waiting.await.expect("no panic").expect("an answer");
    assert_eq!(answer.status(), 200);
    drop(answer);
    caller
        .driven
        .await
        .expect("no panic")
        .expect("an end in peace");
    tokio::task::spawn_blocking(|| server.stop())
        .await
        .expect("no panic")
        .expect("stopped");
    assert_eq!(worker.counts.finished.load(SeqCst), 2);
}

#[tokio::test]
async fn idle_and_old_connections_are_closed_in_peace() {
    let worker = Worker::new();
    let server = serving(WorkServer::new(worker.clone()), |serve| {
        serve.with_header_timeout(Duration::from_millis(300))
    });
    let caller = Caller::new(&server).await;
    assert_eq!(caller.exchange(&call("Read", "x")).await.0, 200);
    caller
        .driven
        .await
        .expect("no panic")
        .expect("an end in peace");
    let server = serving(WorkServer::new(worker.clone()), |serve| {
        serve.with_max_connection_age(Duration::from_millis(300))
    });
    let caller = Caller::new(&server).await;
    let waiting = tokio::spawn(caller.send(&call("Store", "wait")));
    // The running call is answered, whatever the age of the connection.
    tokio::time::sleep(Duration::from_millis(600)).await;
    worker.release(1);
    assert_eq!(
        waiting
            .await
            .expect("no panic")
            .expect("an answer")
            .status(),
        200
    );
    caller
        .driven
        .await
        .expect("no panic")
        .expect("an end in peace");
}

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;
const CONTINUATION: u8 = 9;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
/// `GET http://h/` (RFC 7541, appendix A).
const GET: &[u8] = &[0x82, 0x84, 0x86, 0x41, 1, b'h'];

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// Opens a connection, and sends the preface with settings.
fn begun(server: &Running, settings: &[u8]) -> Connection {
    let mut connection = server.connect();
    connection.send(PREFACE).expect("sent");
    connection
        .send(&frame(SETTINGS, 0, 0, settings))
        .expect("sent");
    connection
}

/// Returns the kinds of the frames until the server closes the connection.
fn kinds(connection: &mut Connection) -> Vec<u8> {
    let bytes = match connection.rest() {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => panic!("it stays open"),
        bytes => bytes.unwrap_or_default(),
    };
    let mut rest = &bytes[..];
    let mut kinds = Vec::new();
    while let [a, b, c, kind, ..] = rest {
        kinds.push(*kind);
        let length = 9 + u32::from_be_bytes([0, *a, *b, *c]) as usize;
        rest = rest.get(length..).unwrap_or_default();
    }
    kinds
}

fn still_serves(server: &Running) {
    let answer = server.exchange(&call("Read", "well"));
    assert!(answer.text().contains("well"), "{}", answer.text());
}

#[test]
fn rapid_resets_end_the_connection() {
    let worker = Worker::new();
    let server = serving(WorkServer::new(worker), |serve| serve);
    let mut connection = begun(&server, &[]);
    let resets = (0..10_000_u32).map(|number| {
        let stream = 2 * number + 1;
        let headers = frame(HEADERS, END_STREAM | END_HEADERS, stream, GET);
        [headers, frame(RST_STREAM, 0, stream, &8_u32.to_be_bytes())].concat()
    });
    // The server may close the connection in the meantime.
    let _ = connection.send(&resets.collect::<Vec<_>>().concat());
    kinds(&mut connection);
    still_serves(&server);
}

#[test]
fn endless_heads_end_the_connection() {
    let server = serving(WorkServer::new(Worker::new()), |serve| serve);
    for payload in [&[][..], &[0x82; 16_000]] {
        let mut connection = begun(&server, &[]);
        connection.send(&frame(HEADERS, 0, 1, GET)).expect("sent");
        let piece = frame(CONTINUATION, 0, 1, payload);
        let mut sent = 0;
        while sent < 64 << 20 && connection.send(&piece).is_ok() {
            sent += piece.len();
        }
        assert!(sent < 64 << 20, "{sent} bytes of a head were taken");
    }
    still_serves(&server);
}

/// Heads and bodies of requests that are never completed.
#[test]
fn silent_callers_are_closed() {
    let server = serving(WorkServer::new(Worker::new()), |serve| {
        let time = Duration::from_millis(200);
        serve
            .with_header_timeout(time)
            .with_body_timeout(time)
            .with_write_timeout(time)
    });
    let post = [&[0x83, 0x86, 0x41, 1, b'h', 0x44, 10][..], b"/Work.asmx"].concat();
    let sent = [
        PREFACE[..10].to_vec(),
        PREFACE.to_vec(),
        [PREFACE, &frame(SETTINGS, 0, 0, &[])].concat(),
        [
            PREFACE,
            &frame(SETTINGS, 0, 0, &[]),
            &frame(HEADERS, 0, 1, GET),
        ]
        .concat(),
        [PREFACE, &frame(SETTINGS, 0, 0, &[]), &[0, 0, 100, HEADERS]].concat(),
        [
            PREFACE,
            &frame(SETTINGS, 0, 0, &[]),
            &frame(HEADERS, END_HEADERS, 1, &post),
        ]
        .concat(),
    ];
    let connections = sent.map(|sent| {
        let mut connection = server.connect();
        connection.send(&sent).expect("sent");
        connection
    });
    // They all wait concurrently.
    for mut connection in connections {
        kinds(&mut connection);
    }
    still_serves(&server);
}

#[test]
fn a_caller_that_takes_no_answer_is_closed() {
    let long = "x".repeat(1 << 20);
    let app = axum::Router::new().route("/", axum::routing::get(|| async move { long }));
    let server = serving(app, |serve| {
        serve.with_write_timeout(Duration::from_millis(500))
    });
    // A window of 0 bytes (RFC 9113 §6.5.2), and the initial window of every stream.
    for settings in [&[0, 4, 0, 0, 0, 0][..], &[]] {
        let mut connection = begun(&server, settings);
        for stream in [1, 3, 5] {
            let request = frame(HEADERS, END_STREAM | END_HEADERS, stream, GET);
            connection.send(&request).expect("sent");
        }
        let kinds = kinds(&mut connection);
        assert_eq!(
            kinds.iter().filter(|kind| **kind == HEADERS).count(),
            3,
            "{kinds:?}"
        );
    }
}

#[test]
fn frames_out_of_order_end_the_connection() {
    let server = serving(WorkServer::new(Worker::new()), |serve| serve);
    for wrong in [
        frame(HEADERS, END_HEADERS, 2, GET),
        frame(CONTINUATION, END_HEADERS, 1, GET),
        frame(HEADERS, END_HEADERS, 0, GET),
        frame(SETTINGS, 0, 1, &[]),
        vec![255; 100],
    ] {
        let mut connection = begun(&server, &[]);
        let _ = connection.send(&wrong);
        let kinds = kinds(&mut connection);
        assert!(kinds.contains(&GOAWAY), "{kinds:?}");
    }
    still_serves(&server);
}
