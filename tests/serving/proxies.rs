//! The client through proxies.

use std::process::Command;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::Request;
use svcgen::http_transport::{Proxy, Tls};
use svcgen::transport::{TransportError, TransportErrorKind};
use svcgen::{HttpTransport, Transport};
use tokio::io::{AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::certificates::Issuer;
use crate::scripted::{Scripted, answer, request};

/// Starts a proxy that records the heads of requests, and requires these credentials.
async fn proxy(credentials: Option<&'static str>, tls: Option<TlsAcceptor>) -> (u16, Heads) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let heads = Heads::default();
    let seen = Arc::clone(&heads);
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.expect("a connection");
            let (tls, seen) = (tls.clone(), Arc::clone(&seen));
            tokio::spawn(async move {
                match tls {
                    None => forward(stream, credentials, &seen).await,
                    Some(tls) => {
                        let stream = tls.accept(stream).await.expect("a handshake");
                        forward(stream, credentials, &seen).await;
                    }
                }
            });
        }
    });
    (port, heads)
}

type Heads = Arc<Mutex<Vec<String>>>;

async fn forward(
    mut stream: impl tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
    credentials: Option<&str>,
    seen: &Mutex<Vec<String>>,
) {
    let Some((head, body)) = request(&mut stream).await else {
        return;
    };
    seen.lock().expect("no panic").push(head.clone());
    if credentials.is_some_and(|credentials| !head.contains(credentials)) {
        let refusal = "407 Proxy Authentication Required";
        let refusal = answer(refusal, "Proxy-Authenticate: Basic realm=\"corp\"\r\n", "");
        stream.write_all(&refusal).await.expect("a write");
        return;
    }
    let (method, target) = head.split_once(' ').expect("a method");
    let target = target.split(' ').next().expect("a target");
    let host = target.trim_start_matches("http://");
    let (host, path) = host.split_once('/').unwrap_or((host, ""));
    let mut server = TcpStream::connect(host).await.expect("a server");
    if method == "CONNECT" {
        let made = b"HTTP/1.1 200 Connection established\r\n\r\n";
        stream.write_all(made).await.expect("a write");
    } else {
        let head = head.replacen(target, &format!("/{path}"), 1);
        let request = [head.as_bytes(), &body].concat();
        server.write_all(&request).await.expect("a write");
    }
    let _ = copy_bidirectional(&mut stream, &mut server).await;
}

async fn post(transport: &HttpTransport, url: &str) -> Result<Bytes, TransportError> {
    let request = Request::post(url).header("Content-Length", 5);
    let request = request
        .body(Bytes::from_static(b"hello"))
        .expect("a request");
    Ok(transport.send(request).await?.into_body())
}

fn echo(seen: &crate::scripted::Seen) -> Vec<u8> {
    answer("200 OK", "", &String::from_utf8_lossy(&seen.body))
}

#[tokio::test]
async fn http_goes_to_the_proxy_in_absolute_form() {
    let server = Scripted::start(None, echo).await;
    let (port, heads) = proxy(Some("Proxy-Authorization: Basic dXNlcjpwYXNz\r\n"), None).await;
    let proxy = Proxy::new(&format!("http://127.0.0.1:{port}")).expect("a URL");
    let known = proxy
        .clone()
        .with_basic_auth("user", "pass")
        .expect("a name");
    let transport = HttpTransport::new().with_proxy(known);
    let url = server.url("/a?b=c");
    for _ in 0..2 {
        assert_eq!(
            &post(&transport, &url).await.expect("an answer")[..],
            b"hello"
        );
    }
    let heads = heads.lock().expect("no panic").clone();
    assert!(
        heads[0].starts_with(&format!("POST {url} HTTP/1.1\r\n")),
        "{heads:?}"
    );
    assert!(
        heads[0].contains(&format!("Host: {}\r\n", server.address)),
        "{heads:?}"
    );

    let error = post(&HttpTransport::new().with_proxy(proxy), &url).await;
    let error = error.expect_err("no credentials");
    assert_eq!(error.kind(), TransportErrorKind::Connect, "{error}");
    for word in [
        "the proxy wants credentials",
        "realm=\"corp\"",
        "Proxy::with_basic_auth",
    ] {
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[tokio::test]
async fn https_goes_through_a_tunnel() {
    let issuer = Issuer::new();
    let mine = issuer.issue(&["client"]);
    let tls = Tls::new().without_system_roots().with_roots(issuer.root());
    let tls = tls
        .expect("a root")
        .with_client_certificate(&mine.certificate, &mine.key);
    let tls = tls.expect("a certificate");
    let acceptor = issuer.issue(&["localhost"]).acceptor(Some(&issuer.root()));
    let server = Scripted::start(Some(acceptor), echo).await;
    let url = format!("https://localhost:{}/", server.address.port());
    // The proxy may use TLS, too.
    for of_proxy in [None, Some(issuer.issue(&["localhost"]).acceptor(None))] {
        let scheme = of_proxy.as_ref().map_or("http", |_| "https");
        let (port, heads) = proxy(Some("Basic dXNlcjpwYXNz"), of_proxy).await;
        let proxy = Proxy::new(&format!("{scheme}://localhost:{port}")).expect("a URL");
        let known = proxy
            .clone()
            .with_basic_auth("user", "pass")
            .expect("a name");
        let transport = HttpTransport::new().with_tls(tls.clone());
        let known = transport.clone().with_proxy(known);
        for _ in 0..2 {
            assert_eq!(&post(&known, &url).await.expect("an answer")[..], b"hello");
        }
        let error = post(&transport.with_proxy(proxy), &url).await;
        let error = error.expect_err("no credentials");
        assert_eq!(error.kind(), TransportErrorKind::Connect, "{error}");
        assert!(
            error.to_string().contains("wants credentials (Basic realm"),
            "{error}"
        );
        // One tunnel for both calls, and one that was refused.
        let heads = heads.lock().expect("no panic").clone();
        assert_eq!(heads.len(), 2, "{heads:?}");
        let line = format!("CONNECT localhost:{} HTTP/1.1\r\n", server.address.port());
        assert!(heads[0].starts_with(&line), "{heads:?}");
    }
    assert!(
        server
            .seen()
            .iter()
            .all(|seen| seen.header("Proxy-Authorization").is_none())
    );
}

#[tokio::test]
async fn exceptions_are_called_without_the_proxy() {
    let server = Scripted::start(None, echo).await;
    // Nothing listens there.
    let proxy = Proxy::new("http://127.0.0.1:1").expect("a URL");
    let url = server.url("/");
    let error = post(&HttpTransport::new().with_proxy(proxy.clone()), &url).await;
    let error = error.expect_err("no proxy").to_string();
    assert!(
        error.contains("the proxy http://127.0.0.1:1/ cannot be reached"),
        "{error}"
    );
    let local = url.replace("127.0.0.1", "localhost");
    for (url, exception) in [
        (&url, "127.0.0.1"),
        (&url, "127.0.0.0/8"),
        (&local, "localhost"),
        (&local, "*"),
        (&url, "*"),
    ] {
        let proxy = proxy
            .clone()
            .with_exceptions(["service.example", exception]);
        let transport = HttpTransport::new().with_proxy(proxy);
        post(&transport, url).await.expect(exception);
    }
}

/// The variables belong to the process.
#[tokio::test]
async fn the_environment_counts_only_if_it_is_asked() {
    if std::env::var_os("HTTP_PROXY").is_none_or(|proxy| proxy != "http://127.0.0.1:1") {
        let this = std::env::current_exe().expect("a test");
        let test = "proxies::the_environment_counts_only_if_it_is_asked";
        let child = Command::new(this)
            .args([test, "--exact"])
            .env("HTTP_PROXY", "http://127.0.0.1:1")
            .env("NO_PROXY", "localhost")
            .env_remove("REQUEST_METHOD")
            .output();
        let child = child.expect("a process");
        assert!(child.status.success(), "{child:?}");
        assert!(
            String::from_utf8_lossy(&child.stdout).contains("1 passed"),
            "{child:?}"
        );
        return;
    }
    let server = Scripted::start(None, echo).await;
    let url = server.url("/");
    let direct = HttpTransport::new();
    post(&direct, &url).await.expect("an answer");
    let transport = direct.with_proxy(Proxy::from_environment());
    post(&transport, &url).await.expect_err("no proxy");
    let local = url.replace("127.0.0.1", "localhost");
    post(&transport, &local).await.expect("an exception");
}

#[test]
fn urls_that_are_no_proxies_are_said() {
    for (url, said) in [
        ("", "is none"),
        ("proxy.corp:3128", "has no scheme"),
        ("socks5://proxy.corp:1080", "SOCKS neither"),
        ("http://user:hunter2@proxy.corp", "Proxy::with_basic_auth"),
        (
            "http://proxy.corp:0",
            "the URL of the proxy is wrong: the host of the URL is none, or its port is not",
        ),
        ("http://proxy.corp/path", "has a path"),
    ] {
        let error = Proxy::new(url).expect_err(url).to_string();
        assert!(
            error.contains(said) && !error.contains("hunter2"),
            "{url}: {error}"
        );
    }
}
