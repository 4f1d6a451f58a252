//! The bytes on both sides of a relay, and the calls to its observer.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use svcgen_relay::{Exchange, Observe, Refusal, Relay, Upstream};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

/// Passes exchanges and errors to a test.
struct Seen {
    exchanges: mpsc::UnboundedSender<Exchange>,
    broken: mpsc::UnboundedSender<io::ErrorKind>,
    refused: mpsc::UnboundedSender<String>,
}

impl Observe for Seen {
    fn exchange(&self, exchange: Exchange) {
        self.exchanges.send(exchange).unwrap();
    }

    fn broken(&self, _: SocketAddr, error: &io::Error) {
        self.broken.send(error.kind()).unwrap();
    }

    fn refused(&self, _: SocketAddr, why: Refusal<'_>) {
        self.refused.send(format!("{why:?}")).unwrap();
    }
}

/// A relay in front of a listener of the test.
struct Bench {
    original: TcpListener,
    address: SocketAddr,
    exchanges: mpsc::UnboundedReceiver<Exchange>,
    broken: mpsc::UnboundedReceiver<io::ErrorKind>,
    refused: mpsc::UnboundedReceiver<String>,
    stop: oneshot::Sender<()>,
    running: JoinHandle<()>,
}

impl Bench {
    async fn new(change: impl FnOnce(Relay) -> Relay) -> Self {
        let original = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let upstream = Upstream::new(original.local_addr().unwrap().to_string());
        Self::before(original, upstream, change).await
    }

    async fn before(
        original: TcpListener,
        upstream: Upstream,
        change: impl FnOnce(Relay) -> Relay,
    ) -> Self {
        let (exchanges, seen) = mpsc::unbounded_channel();
        let (broken, errors) = mpsc::unbounded_channel();
        let (refused, refusals) = mpsc::unbounded_channel();
        let seen_by = Seen {
            exchanges,
            broken,
            refused,
        };
        let relay = change(Relay::new(upstream, Arc::new(seen_by)));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(relay.run(listener, async {
            stopped.await.unwrap();
        }));
        Self {
            original,
            address,
            exchanges: seen,
            broken: errors,
            refused: refusals,
            stop,
            running,
        }
    }

    /// Opens a connection. Returns the ends of the caller and of the original.
    async fn connection(&self) -> (TcpStream, TcpStream) {
        let caller = TcpStream::connect(self.address).await.unwrap();
        let (original, _) = self.original.accept().await.unwrap();
        (caller, original)
    }

    async fn next(&mut self) -> Exchange {
        self.exchanges.recv().await.unwrap()
    }

    async fn stop(self) {
        self.stop.send(()).unwrap();
        self.running.await.unwrap();
    }
}

/// Sends bytes in pieces of a length. Fails unless `other` receives exactly these.
async fn passes(from: &mut TcpStream, other: &mut TcpStream, bytes: &[u8], piece: usize) {
    let mut received = vec![0; bytes.len()];
    let send = async {
        for piece in bytes.chunks(piece) {
            from.write_all(piece).await.unwrap();
            tokio::task::yield_now().await;
        }
    };
    let (_, read) = tokio::join!(send, other.read_exact(&mut received));
    read.unwrap();
    assert_eq!(
        String::from_utf8_lossy(&received),
        String::from_utf8_lossy(bytes)
    );
}

const ASK: &[u8] = b"POST /Service.asmx HTTP/1.1\r\nhost: original\r\nSOAPAction: \"urn:x\"\r\ncontent-Type:text/xml\r\nX-Odd:  two  \r\nContent-Length: 5\r\n\r\n<a/>\n";
const ANSWER: &[u8] = b"HTTP/1.1 200 Fine Indeed\r\nServer: IIS\r\nserver: again\r\nTransfer-Encoding: chunked\r\n\r\n4;note=1\r\n<b/>\r\n1\r\n\n\r\n0\r\nTrailer: x\r\n\r\n";

#[tokio::test]
async fn passes_every_byte_whatever_the_pieces() {
    let mut bench = Bench::new(|relay| relay).await;
    let (mut caller, mut original) = bench.connection().await;
    for piece in [1, 2, 7, 1000] {
        passes(&mut caller, &mut original, ASK, piece).await;
        passes(&mut original, &mut caller, ANSWER, piece).await;
        let exchange = bench.next().await;
        assert_eq!(exchange.request.bytes(), ASK);
        assert_eq!(exchange.answer.bytes(), ANSWER);
        assert_eq!(exchange.request.body(), &b"<a/>\n"[..]);
        assert_eq!(exchange.answer.body(), &b"<b/>\n"[..]);
        assert_eq!(
            exchange.request.request_line(),
            Some(("POST", "/Service.asmx"))
        );
        assert_eq!(exchange.answer.status(), Some(200));
        assert_eq!(
            exchange.request.header("soapaction"),
            Some(&b"\"urn:x\""[..])
        );
        let names: Vec<_> = exchange.answer.headers().map(|(name, _)| name).collect();
        assert_eq!(names, ["Server", "server", "Transfer-Encoding"]);
        assert_eq!(exchange.unread, None);
        assert_eq!(exchange.connection, 1);
    }
    drop((caller, original));
    bench.stop().await;
}

#[tokio::test]
async fn pairs_requests_that_do_not_wait_with_their_answers() {
    let mut bench = Bench::new(|relay| relay).await;
    let (mut caller, mut original) = bench.connection().await;
    let asked = b"HEAD /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\nPOST /3 HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nxGET /4 HTTP/1.0\r\n\r\n";
    passes(&mut caller, &mut original, asked, 30).await;
    let answered = b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nokHTTP/1.0 200 OK\r\n\r\nto the end";
    passes(&mut original, &mut caller, answered, 11).await;
    original.shutdown().await.unwrap();
    assert_eq!(caller.read(&mut [0]).await.unwrap(), 0);
    let mut all = Vec::new();
    for _ in 0..4 {
        let exchange = bench.next().await;
        let target = exchange.request.request_line().unwrap().1.to_owned();
        let body = String::from_utf8(exchange.answer.body().into_owned()).unwrap();
        all.push((
            target,
            exchange.answer.status().unwrap(),
            body,
            exchange.interim.len(),
        ));
    }
    let expected = [
        ("/1", 200, "", 0),
        ("/2", 304, "", 0),
        ("/3", 202, "ok", 25),
        ("/4", 200, "to the end", 0),
    ];
    let expected = expected.map(|(target, status, body, interim)| {
        (target.to_owned(), status, body.to_owned(), interim)
    });
    assert_eq!(all, expected);
    drop(caller);
    bench.stop().await;
}

#[tokio::test]
async fn so_many_requests_of_a_connection_wait_for_their_answers() {
    const GET: &[u8] = b"GET / HTTP/1.1\r\n\r\n";
    for (count, unread) in [
        (64, None),
        (65, Some("too many requests wait for their answers")),
    ] {
        let mut bench = Bench::new(|relay| relay).await;
        let (mut caller, mut original) = bench.connection().await;
        passes(&mut caller, &mut original, &GET.repeat(count), 1000).await;
        drop((caller, original));
        for _ in 0..64 {
            let exchange = bench.next().await;
            assert_eq!(exchange.request.bytes(), GET);
            assert_eq!(exchange.unread, unread);
        }
        bench.stop().await;
    }
}

#[tokio::test]
async fn passes_what_it_cannot_read() {
    for (asked, answered) in [
        (&b"\x16\x03\x01 something binary"[..], &b"\0\x01\x02"[..]),
        (ASK, b"SSH-2.0-rubbish\r\n\r\nmore"),
        (
            b"GET / HTTP/1.1\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nmore",
        ),
        (
            b"GET / HTTP/1.1\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nmore",
        ),
        (
            b"GET / HTTP/1.1\r\nUpgrade: x\r\n\r\n",
            b"HTTP/1.1 101 Switching Protocols\r\n\r\n\0\x01",
        ),
        (
            b"CONNECT a:1 HTTP/1.1\r\n\r\n\x16\x03",
            b"HTTP/1.1 200 OK\r\n\r\n\x16\x03",
        ),
    ] {
        let bench = Bench::new(|relay| relay).await;
        let (mut caller, mut original) = bench.connection().await;
        passes(&mut caller, &mut original, asked, 5).await;
        passes(&mut original, &mut caller, answered, 5).await;
        passes(&mut caller, &mut original, b"and back", 3).await;
        drop((caller, original));
        bench.stop().await;
    }
}

#[tokio::test]
async fn says_why_an_exchange_is_not_whole() {
    let mut bench = Bench::new(|relay| relay).await;
    let (mut caller, mut original) = bench.connection().await;
    passes(&mut caller, &mut original, ASK, 1000).await;
    passes(
        &mut original,
        &mut caller,
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
        1000,
    )
    .await;
    drop(original);
    let mut rest = Vec::new();
    caller.read_to_end(&mut rest).await.unwrap();
    drop(caller);
    let exchange = bench.next().await;
    assert!(exchange.request.is_whole && !exchange.answer.is_whole);
    assert_eq!(exchange.answer.body(), &b"half"[..]);
    assert_eq!(
        exchange.unread,
        Some("the connection was closed within a message")
    );
    bench.stop().await;
}

#[tokio::test]
async fn a_reset_is_passed_on() {
    let mut bench = Bench::new(|relay| relay).await;
    let (mut caller, mut original) = bench.connection().await;
    passes(&mut caller, &mut original, ASK, 1000).await;
    original.set_zero_linger().unwrap();
    drop(original);
    let error = caller.read(&mut [0]).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    assert_eq!(
        bench.broken.recv().await,
        Some(io::ErrorKind::ConnectionReset)
    );
    let exchange = bench.next().await;
    assert!(exchange.request.is_whole && exchange.answer.head.is_empty());
    bench.stop().await;
}

#[tokio::test]
async fn a_server_that_is_not_there_resets_the_connection() {
    let original = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let upstream = Upstream::new(gone.local_addr().unwrap().to_string());
    drop(gone);
    let mut bench = Bench::before(original, upstream, |relay| relay).await;
    let mut caller = TcpStream::connect(bench.address).await.unwrap();
    let error = caller.read(&mut [0]).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    assert_eq!(
        bench.broken.recv().await,
        Some(io::ErrorKind::ConnectionRefused)
    );
    bench.stop().await;
}

#[tokio::test]
async fn a_side_that_ends_its_half_hears_the_other_one() {
    let mut bench = Bench::new(|relay| relay).await;
    let (mut caller, mut original) = bench.connection().await;
    passes(&mut caller, &mut original, ASK, 1000).await;
    caller.shutdown().await.unwrap();
    assert_eq!(original.read(&mut [0]).await.unwrap(), 0);
    passes(&mut original, &mut caller, ANSWER, 1000).await;
    assert!(bench.next().await.answer.is_whole);
    drop((caller, original));
    bench.stop().await;
}

#[tokio::test]
async fn keeps_no_more_of_a_body_than_it_is_told_to() {
    let mut bench = Bench::new(|relay| relay.with_kept(1000)).await;
    let (mut caller, mut original) = bench.connection().await;
    let body = vec![b'x'; 20 << 20];
    let mut asked =
        format!("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n", body.len()).into_bytes();
    asked.extend_from_slice(&body);
    passes(&mut caller, &mut original, &asked, 1 << 20).await;
    passes(&mut original, &mut caller, ANSWER, 1000).await;
    let exchange = bench.next().await;
    let request = &exchange.request;
    assert_eq!((request.length, request.sent.len()), (20 << 20, 1000));
    assert!(request.is_whole && !request.is_kept() && exchange.answer.is_kept());
    drop((caller, original));
    bench.stop().await;
}

#[tokio::test]
async fn heads_are_read_up_to_a_length_and_pass_whatever_it_is() {
    let long = |length| format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(length));
    let many = |count| format!("GET / HTTP/1.1\r\n{}\r\n", "X: x\r\n".repeat(count));
    let cases = [
        (long(200 << 10), true),
        (long(300 << 10), false),
        (many(256), true),
        (many(257), false),
    ];
    for (head, is_read) in cases {
        let mut bench = Bench::new(|relay| relay).await;
        let (mut caller, mut original) = bench.connection().await;
        passes(&mut caller, &mut original, head.as_bytes(), 1 << 12).await;
        passes(&mut original, &mut caller, ANSWER, 1000).await;
        drop((caller, original));
        if is_read {
            assert_eq!(bench.next().await.request.bytes(), head.as_bytes());
        }
        let Bench {
            stop,
            running,
            mut exchanges,
            ..
        } = bench;
        stop.send(()).unwrap();
        running.await.unwrap();
        assert!(exchanges.recv().await.is_none());
    }
}

#[tokio::test]
async fn keeps_few_interim_answers_and_passes_all() {
    const INTERIM: &[u8] = b"HTTP/1.1 103 Early Hints\r\nX-Hint: x\r\n\r\n";
    for (count, is_read) in [
        (0, true),
        (1, true),
        (16, true),
        (17, false),
        (100_000, false),
    ] {
        let mut bench = Bench::new(|relay| relay).await;
        let (mut caller, mut original) = bench.connection().await;
        passes(&mut caller, &mut original, ASK, 1000).await;
        let answered = [&INTERIM.repeat(count), ANSWER].concat();
        passes(&mut original, &mut caller, &answered, 1 << 16).await;
        drop((caller, original));
        let exchange = bench.next().await;
        assert_eq!(exchange.answer.is_whole, is_read, "{count}");
        assert_eq!(exchange.interim, INTERIM.repeat(count.min(16)), "{count}");
        assert_eq!(exchange.unread.is_none(), is_read, "{count}");
        assert!(exchange.size() >= exchange.interim.len());
        bench.stop().await;
    }
}

#[tokio::test]
async fn another_host_is_the_only_change() {
    let mut bench = Bench::new(|relay| relay.with_host("site:8080")).await;
    let (mut caller, mut original) = bench.connection().await;
    for piece in [1, 1000] {
        let text = String::from_utf8(ASK.to_vec()).unwrap();
        let expected = text.replace("host: original", "Host: site:8080");
        let mut received = vec![0; expected.len()];
        let send = async {
            for piece in ASK.chunks(piece) {
                caller.write_all(piece).await.unwrap();
            }
        };
        let (_, read) = tokio::join!(send, original.read_exact(&mut received));
        read.unwrap();
        assert_eq!(String::from_utf8(received).unwrap(), expected);
        passes(&mut original, &mut caller, ANSWER, piece).await;
        // The request as the caller sent it.
        assert_eq!(bench.next().await.request.bytes(), ASK);
    }
    drop((caller, original));
    bench.stop().await;
}

#[tokio::test]
async fn calls_that_are_open_take_bounded_memory() {
    const LENGTH: usize = 10_000;
    let head = format!("POST / HTTP/1.1\r\nContent-Length: {LENGTH}\r\n\r\n");
    let request = [head.as_bytes(), &vec![b'x'; LENGTH]].concat();
    let most = 5 * LENGTH;
    let mut bench = Bench::new(|relay| relay.with_memory(most)).await;
    // Requests without answers, on several connections, take all the memory.
    let mut open = Vec::new();
    for _ in 0..4 {
        let (mut caller, mut original) = bench.connection().await;
        passes(&mut caller, &mut original, &request.repeat(10), LENGTH).await;
        open.push((caller, original));
    }
    drop(open);
    let (mut kept, pause) = (0, Duration::from_millis(500));
    while let Ok(exchange) = tokio::time::timeout(pause, bench.next()).await {
        kept += exchange.size();
    }
    assert!((most / 2..=most).contains(&kept), "{kept}");
    // The memory is free again.
    let (mut caller, mut original) = bench.connection().await;
    for _ in 0..20 {
        passes(&mut caller, &mut original, &request, LENGTH).await;
        passes(&mut original, &mut caller, ANSWER, LENGTH).await;
        let exchange = bench.next().await;
        assert!(exchange.request.is_kept() && exchange.answer.is_kept());
    }
    drop((caller, original));
    bench.stop().await;
}

#[tokio::test]
async fn requests_are_written_anew_unless_they_may_be_read_in_several_ways() {
    const BODY: &str = "Content-Length: 4\r\n\r\n<a/>";
    const CHUNKS: &str =
        "Transfer-Encoding: Chunked\r\n\r\n1;x=y\r\n<\r\n3\r\na/>\r\n0\r\nX-Trailer: x\r\n\r\n";
    let ask = |headers: &str| format!("POST /a?b=c HTTP/1.1\r\n{headers}");
    let one_way = [
        (
            "GET / HTTP/1.0\r\n\r\n".to_owned(),
            "GET / HTTP/1.0\r\n\r\n".to_owned(),
        ),
        (
            ask(&format!("hOst:a \nX-Odd: \t x  y\r\n{BODY}")),
            ask(&format!("hOst: a\r\nX-Odd: x  y\r\n{BODY}")),
        ),
        (ask(CHUNKS), ask(BODY)),
        (
            ask(&format!(
                "Connection: keep-alive, X-Own\r\nx-own: x\r\nKeep-Alive: 5\r\nTE: gzip\r\nExpect: 100-continue\r\nX: y\r\n{BODY}"
            )),
            ask(&format!("X: y\r\n{BODY}")),
        ),
        (
            ask("Content-Length: 0\r\n\r\n"),
            ask("Content-Length: 0\r\n\r\n"),
        ),
    ];
    let several_ways = [
        ask(&format!("Content-Length: 4\r\n{CHUNKS}")),
        ask(&format!("Transfer-Encoding: identity\r\n{CHUNKS}")),
        ask(&CHUNKS.replace("Chunked", "gzip, chunked")),
        ask(&CHUNKS.replace("Chunked", "xchunked")).replace("HTTP/1.1", "HTTP/1.0"),
        ask(CHUNKS).replace("HTTP/1.1", "HTTP/1.0"),
        ask(&format!("Content-Length: 4\r\n{BODY}")),
        ask(&format!("Host: a\r\nHost: a\r\n{BODY}")),
        ask(&format!("SOAPAction: a\r\nSoapAction: b\r\n{BODY}")),
        ask(&format!(
            "Content-Type: text/xml\r\nContent-Type: text/plain\r\n{BODY}"
        )),
    ];
    let several_ways = several_ways.map(|request| (request, String::new()));
    for (request, expected) in one_way.into_iter().chain(several_ways) {
        let mut bench = Bench::new(|relay| relay).await;
        let (mut caller, mut original) = bench.connection().await;
        passes(&mut caller, &mut original, request.as_bytes(), 1000).await;
        passes(&mut original, &mut caller, ANSWER, 1000).await;
        drop((caller, original));
        let anew = bench.next().await.request.anew();
        let anew = anew.map_or(String::new(), |anew| {
            String::from_utf8(anew.bytes()).unwrap()
        });
        assert_eq!(anew, expected, "{request}");
        bench.stop().await;
    }
}

#[tokio::test]
async fn requests_for_other_hosts_reach_nobody() {
    let names = || ["localhost".to_owned(), "site.example".to_owned()];
    let allowed = [
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nhost: LocalHost:8080\r\n\r\n",
        "GET http://site.example:80/x HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
    ];
    let refused = [
        "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost.evil.example:8080\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nhOST: evil.example\r\n\r\n",
        "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost@evil.example\r\n\r\n",
        "CONNECT evil.example:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ];
    // With and without a replaced host.
    for host in [None, Some("site.example")] {
        let relay = |relay: Relay| {
            let relay = relay.with_allowed_hosts(names());
            host.map_or(relay.clone(), |host| relay.with_host(host))
        };
        let mut bench = Bench::new(relay).await;
        for request in allowed {
            let (mut caller, mut original) = bench.connection().await;
            caller.write_all(request.as_bytes()).await.unwrap();
            assert!(original.read(&mut [0; 1000]).await.unwrap() > 0);
            passes(&mut original, &mut caller, ANSWER, 1000).await;
            let asked = bench.next().await.request.bytes();
            assert_eq!(String::from_utf8(asked).unwrap(), request);
        }
        for request in refused {
            let (mut caller, mut original) = bench.connection().await;
            // Bytes after the request are not forwarded, either.
            caller.write_all(request.as_bytes()).await.unwrap();
            caller.write_all(ASK).await.unwrap();
            let (mut answer, mut asked) = (String::new(), Vec::new());
            caller.read_to_string(&mut answer).await.unwrap();
            assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())));
            drop(caller);
            original.read_to_end(&mut asked).await.unwrap();
            assert!(asked.is_empty(), "{request}");
            assert!(bench.next().await.answer.head.is_empty());
            assert!(bench.refused.recv().await.unwrap().contains("evil.example"));
        }
        // Bytes that are not HTTP, or that a server may read as another request, may be for any
        // host.
        const CHUNKED: &str = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
        for request in [
            "\x16\x03 binary\r\n\r\n".to_owned(),
            "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned(),
            CHUNKED.replace("chunked", "identity"),
            CHUNKED.replace("chunked", "chunked, identity"),
            CHUNKED.replace("1.1", "1.0"),
        ] {
            let (mut caller, mut original) = bench.connection().await;
            let evil = refused[0];
            let bytes = [&*request, evil].concat();
            caller.write_all(bytes.as_bytes()).await.unwrap();
            assert!(is_closed(&mut caller).await && is_closed(&mut original).await);
            assert_eq!(bench.broken.recv().await, Some(io::ErrorKind::InvalidData));
        }
        // The last one of several codings decides where a request ends.
        let (mut caller, _original) = bench.connection().await;
        let coded = CHUNKED.replace("Transfer", "Transfer-Encoding: identity\r\nTransfer");
        let bytes = [&*coded, refused[0]].concat();
        caller.write_all(bytes.as_bytes()).await.unwrap();
        assert!(is_closed(&mut caller).await);
        assert!(bench.refused.recv().await.unwrap().contains("evil.example"));
        bench.stop().await;
    }
}

mod tls {
    use std::sync::Arc;

    use rustls::pki_types::{PrivateKeyDer, ServerName};
    use rustls::{ClientConfig, RootCertStore, ServerConfig};
    use tokio_rustls::{TlsAcceptor, TlsConnector};

    use super::*;

    fn configs() -> (Arc<ServerConfig>, Arc<ClientConfig>) {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let certificate = made.cert.der().clone();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let server = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.clone()], key)
            .unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(certificate).unwrap();
        let client = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        (Arc::new(server), Arc::new(client))
    }

    #[tokio::test]
    async fn is_spoken_on_both_sides() {
        let (server, client) = configs();
        let name = ServerName::try_from("localhost").unwrap();
        let original = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = original.local_addr().unwrap().to_string();
        let upstream = Upstream::new(address).with_tls(Arc::clone(&client), name.clone());
        let with_tls = Arc::clone(&server);
        let mut bench = Bench::before(original, upstream, |relay| relay.with_tls(with_tls)).await;
        let caller = async {
            let stream = TcpStream::connect(bench.address).await.unwrap();
            TlsConnector::from(client)
                .connect(name, stream)
                .await
                .unwrap()
        };
        let accepted = async {
            let (stream, _) = bench.original.accept().await.unwrap();
            TlsAcceptor::from(server).accept(stream).await.unwrap()
        };
        let (mut caller, mut original) = tokio::join!(caller, accepted);
        for (from, to, bytes) in [(0, 1, ASK), (1, 0, ANSWER)] {
            let mut received = vec![0; bytes.len()];
            if (from, to) == (0, 1) {
                caller.write_all(bytes).await.unwrap();
                caller.flush().await.unwrap();
                original.read_exact(&mut received).await.unwrap();
            } else {
                original.write_all(bytes).await.unwrap();
                original.flush().await.unwrap();
                caller.read_exact(&mut received).await.unwrap();
            }
            assert_eq!(received, bytes);
        }
        assert_eq!(bench.next().await.answer.bytes(), ANSWER);
        drop((caller, original));
        bench.stop().await;
    }
}

#[tokio::test]
async fn tells_of_a_call_that_is_open_when_the_relay_ends() {
    let mut bench = Bench::new(|relay| relay).await;
    let (mut caller, mut original) = bench.connection().await;
    passes(&mut caller, &mut original, ASK, 1000).await;
    bench.stop.send(()).unwrap();
    // The relay waits five seconds for the answer.
    let exchange = bench.exchanges.recv().await.unwrap();
    assert_eq!(exchange.request.bytes(), ASK);
    assert!(exchange.answer.head.is_empty() && !exchange.answer.is_whole);
    bench.running.await.unwrap();
}

/// Whether a connection is closed or reset, without further bytes.
async fn is_closed(stream: &mut TcpStream) -> bool {
    !matches!(stream.read(&mut [0]).await, Ok(1..))
}

#[tokio::test]
async fn callers_that_stall_lose_their_connection() {
    let short = Duration::from_millis(300);
    // No bytes, empty lines, one byte, a slow head, and a second head.
    let mut bench = Bench::new(|relay| relay.with_head_timeout(short)).await;
    for begun in [&b""[..], b"\r\n", b"P", b"GET / HTTP/1.1\r\nX: "] {
        let (mut caller, _original) = bench.connection().await;
        caller.write_all(begun).await.unwrap();
        if begun.len() > 2 {
            let drip = async {
                while caller.write_all(b"x").await.is_ok() {
                    tokio::time::sleep(short / 5).await;
                }
            };
            tokio::time::timeout(short * 100, drip).await.unwrap();
        }
        assert!(is_closed(&mut caller).await);
        assert_eq!(bench.broken.recv().await, Some(io::ErrorKind::TimedOut));
    }
    let (mut caller, mut original) = bench.connection().await;
    passes(&mut caller, &mut original, ASK, 1000).await;
    // A server may take longer, and so may the caller between two calls.
    tokio::time::sleep(short * 2).await;
    passes(&mut original, &mut caller, ANSWER, 1000).await;
    tokio::time::sleep(short * 2).await;
    passes(&mut caller, &mut original, ASK, 1000).await;
    passes(&mut original, &mut caller, ANSWER, 1000).await;
    caller.write_all(b"POST").await.unwrap();
    assert!(is_closed(&mut caller).await);
    // The timeout does not apply to bytes that are not HTTP.
    let (mut caller, mut original) = bench.connection().await;
    passes(&mut caller, &mut original, b"\x16\x03 binary\r\n\r\n", 1000).await;
    tokio::time::sleep(short * 2).await;
    passes(&mut caller, &mut original, b"and more", 1000).await;
    drop((caller, original));
    bench.stop().await;
}

#[tokio::test]
async fn connections_on_which_nothing_passes_are_closed() {
    let short = Duration::from_millis(300);
    let mut bench = Bench::new(|relay| relay.with_idle_timeout(short)).await;
    // Between two calls, it is not an error.
    let (mut caller, mut original) = bench.connection().await;
    passes(&mut caller, &mut original, ASK, 1000).await;
    passes(&mut original, &mut caller, ANSWER, 1000).await;
    assert_eq!(caller.read(&mut [0]).await.unwrap(), 0);
    drop((caller, original));
    assert!(bench.next().await.answer.is_whole);
    // Within a call, it is an error.
    let (mut caller, mut original) = bench.connection().await;
    for byte in ASK {
        passes(&mut caller, &mut original, &[*byte], 1).await;
        tokio::time::sleep(short / 50).await;
    }
    assert!(is_closed(&mut caller).await);
    assert!(is_closed(&mut original).await);
    assert_eq!(bench.broken.recv().await, Some(io::ErrorKind::TimedOut));
    bench.stop().await;
}

#[tokio::test]
async fn an_address_has_a_part_of_the_connections() {
    let mut bench = Bench::new(|relay| relay.with_connections(3, 2)).await;
    let first = bench.connection().await;
    let _second = bench.connection().await;
    let mut third = TcpStream::connect(bench.address).await.unwrap();
    assert!(is_closed(&mut third).await);
    assert_eq!(bench.refused.recv().await.unwrap(), "Connections(2)");
    // Another address may still connect.
    #[cfg(target_os = "linux")]
    {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
        let mut caller = socket.connect(bench.address).await.unwrap();
        let (mut original, _) = bench.original.accept().await.unwrap();
        passes(&mut caller, &mut original, ASK, 1000).await;
        passes(&mut original, &mut caller, ANSWER, 1000).await;
        drop((caller, original));
    }
    // A place is free again once its connection is closed.
    drop(first);
    let (mut caller, mut original) = loop {
        let mut caller = TcpStream::connect(bench.address).await.unwrap();
        tokio::select! {
            original = bench.original.accept() => break (caller, original.unwrap().0),
            true = is_closed(&mut caller) => {}
        }
    };
    passes(&mut caller, &mut original, ASK, 1000).await;
    drop((caller, original, _second));
    bench.stop().await;
}

#[tokio::test]
async fn a_server_that_does_not_accept_is_given_up() {
    // A server whose queue is full does not answer.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let full = socket.listen(1).unwrap();
    let address = full.local_addr().unwrap();
    let mut waiting = Vec::new();
    while let Ok(Ok(one)) =
        tokio::time::timeout(Duration::from_millis(300), TcpStream::connect(address)).await
    {
        waiting.push(one);
    }
    let upstream = Upstream::new(address.to_string());
    let upstream = upstream.with_connect_timeout(Duration::from_millis(300));
    let mut bench = Bench::before(full, upstream, |relay| relay).await;
    let mut caller = TcpStream::connect(bench.address).await.unwrap();
    assert!(is_closed(&mut caller).await);
    assert_eq!(bench.broken.recv().await, Some(io::ErrorKind::TimedOut));
    bench.stop().await;
}
