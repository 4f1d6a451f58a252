//! TLS on a server: its certificate, client certificates, and callers without TLS.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore};
use svcgen::serve::{ClientCertificates, Tls};
use svcgen::{Context, Fault, PeerCertificates};
use svcgen_tests::fixture;
use svcgen_tests::raw_http::{Running, parse_answer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::certificates::{Issued, Issuer};

const AUTHENTICATOR: &str = "/SvcDotNet/Authenticator.asmx";

fn tls(issued: &Issued) -> Tls {
    Tls::from_pem(&issued.certificate, &issued.key).expect("a certificate with its key")
}

fn certificate(pem: &str) -> CertificateDer<'static> {
    CertificateDer::from_pem_slice(pem.as_bytes()).expect("a certificate")
}

/// A caller that trusts an issuer, with or without a certificate of its own.
#[derive(Clone)]
struct Caller(Arc<ClientConfig>);

impl Caller {
    fn new(issuer: &Issuer, own: Option<&Issued>) -> Self {
        let mut roots = RootCertStore::empty();
        roots.add(certificate(&issuer.root())).expect("a root");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots);
        let mut config = match own {
            None => config.with_no_client_auth(),
            Some(own) => {
                let key = PrivateKeyDer::from_pem_slice(own.key.as_bytes()).expect("a key");
                let chain = vec![certificate(&own.certificate)];
                config.with_client_auth_cert(chain, key).expect("a key")
            }
        };
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Self(Arc::new(config))
    }

    async fn connect(&self, server: &Running) -> io::Result<TlsStream<TcpStream>> {
        let stream = TcpStream::connect(server.address).await?;
        let name = "localhost".try_into().expect("a name");
        TlsConnector::from(Arc::clone(&self.0))
            .connect(name, stream)
            .await
    }

    /// Sends a request. Returns the answer, whose end TLS must confirm.
    async fn exchange(&self, server: &Running, request: &str) -> io::Result<Vec<u8>> {
        let mut stream = self.connect(server).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        Ok(answer)
    }

    async fn get(&self, server: &Running, path: &str) -> io::Result<String> {
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: localhost:77\r\nConnection: close\r\n\r\n");
        let answer = parse_answer(&self.exchange(server, &request).await?);
        assert_eq!(answer.status, 200, "{}", answer.text());
        Ok(answer.text().to_owned())
    }
}

#[tokio::test]
async fn services_and_documents_are_served_over_tls() {
    let issuer = Issuer::new();
    let tls = tls(&issuer.issue(&["localhost"]));
    let server = Running::with(fixture::router(), |serve| serve.with_tls(tls));
    let caller = Caller::new(&issuer, None);
    let stream = caller.connect(&server).await.expect("a handshake");
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
    drop(stream);
    let login = format!("{AUTHENTICATOR}/Login?username=alice&password=secret");
    let answer = caller.get(&server, &login).await.expect("an answer");
    assert!(answer.ends_with(">true</boolean>"), "{answer}");
    let wsdl = caller.get(&server, &format!("{AUTHENTICATOR}?wsdl")).await;
    let wsdl = wsdl.expect("an answer");
    let address = format!("location=\"https://localhost:77{AUTHENTICATOR}\"");
    assert!(wsdl.contains(&address), "{wsdl}");
}

#[derive(svcgen::Service)]
#[service(definition = "definitions/lab/sessions.yaml", optional_methods = ".")]
struct Sessions;

struct Counting;

impl g_sessions::GSessionsHandler for Counting {
    async fn counter(&self, context: &Context) -> Result<i32, Fault> {
        Ok(i32::from(context.session().is_some_and(|one| one.is_new())))
    }
}

#[tokio::test]
async fn cookies_of_sessions_are_for_tls_alone() {
    let issuer = Issuer::new();
    let tls = tls(&issuer.issue(&["localhost"]));
    let service = g_sessions::GSessionsServer::new(Counting);
    let plain = running!(service.clone());
    let server = Running::with(service, |serve| serve.with_tls(tls));
    let request =
        "GET /GWide.asmx/Counter HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let caller = Caller::new(&issuer, None);
    let encrypted = caller.exchange(&server, request).await.expect("an answer");
    for (answer, attributes) in [
        (
            parse_answer(&encrypted),
            " path=/; secure; HttpOnly; SameSite=Lax",
        ),
        (
            plain.exchange(request.as_bytes()),
            " path=/; HttpOnly; SameSite=Lax",
        ),
    ] {
        let cookie = answer.header("set-cookie").expect("a session");
        let (id, rest) = cookie.split_once(';').expect("attributes");
        assert!(id.starts_with("ASP.NET_SessionId="), "{cookie}");
        assert_eq!(rest, attributes);
    }
}

#[tokio::test]
async fn several_calls_share_a_connection_and_are_answered_whole() {
    let issuer = Issuer::new();
    let tls = tls(&issuer.issue(&["localhost"]));
    let app: axum::Router = axum::Router::new().route(
        "/",
        axum::routing::post(|body: axum::body::Bytes| async { body }),
    );
    let server = Running::with(app, |serve| serve.with_tls(tls));
    let caller = Caller::new(&issuer, None);
    let mut stream = caller.connect(&server).await.expect("a handshake");
    for length in [0, 1, 16 << 10, 1 << 20] {
        let body: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
        let head = format!("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: {length}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.expect("sent");
        stream.write_all(&body).await.expect("sent");
        stream.flush().await.expect("sent");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.expect("a head"));
        }
        let mut answer = vec![0; length];
        stream.read_exact(&mut answer).await.expect("a body");
        assert!(answer == body, "{length} bytes");
    }
}

/// Returns the owner of the client certificate of a request.
fn whoami(known: &[(&str, &Issued)]) -> axum::Router {
    let known: Vec<_> = known
        .iter()
        .map(|(name, issued)| ((*name).to_owned(), certificate(&issued.certificate)))
        .collect();
    let who = move |request: axum::extract::Request| async move {
        let shown = request.extensions().get::<PeerCertificates>();
        shown.map_or("nobody".to_owned(), |shown| {
            let is_it = |(_, one): &&(String, CertificateDer<'static>)| shown.0[0] == one[..];
            known.iter().find(is_it).expect("a known caller").0.clone()
        })
    };
    axum::Router::new().route("/", axum::routing::get(who))
}

#[tokio::test]
async fn callers_show_their_certificates() {
    let (issuer, partners) = (Issuer::new(), Issuer::new());
    let (ann, bob) = (partners.issue(&["ann"]), partners.issue(&["bob"]));
    let stranger = issuer.issue(&["stranger"]);
    let own = issuer.issue(&["localhost"]);
    for kind in [ClientCertificates::Required, ClientCertificates::Optional] {
        let tls = tls(&own)
            .with_client_roots(partners.root(), kind)
            .expect("roots");
        let app = whoami(&[("ann", &ann), ("bob", &bob)]);
        let server = Running::with(app, |serve| serve.with_tls(tls));
        for (name, issued) in [("ann", &ann), ("bob", &bob)] {
            let answer = Caller::new(&issuer, Some(issued)).get(&server, "/").await;
            assert_eq!(answer.expect("an answer"), name);
        }
        let nobody = Caller::new(&issuer, None).get(&server, "/").await;
        match kind {
            ClientCertificates::Required => drop(nobody.expect_err("no certificate")),
            _ => assert_eq!(nobody.expect("an answer"), "nobody"),
        }
        let stranger = Caller::new(&issuer, Some(&stranger))
            .get(&server, "/")
            .await;
        stranger.expect_err("a certificate of another issuer");
    }
}

/// Returns the certificate of a server.
async fn shown(caller: &Caller, server: &Running) -> CertificateDer<'static> {
    let stream = caller.connect(server).await.expect("a handshake");
    let chain = stream.get_ref().1.peer_certificates().expect("a chain");
    chain[0].clone()
}

fn store(folder: &Path, issued: &Issued) {
    fs::write(folder.join("certificate.pem"), &issued.certificate).expect("a file");
    fs::write(folder.join("key.pem"), &issued.key).expect("a file");
}

#[tokio::test]
async fn certificates_are_reloaded_and_broken_ones_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = ["certificate.pem", "key.pem"].map(|name| folder.path().join(name));
    let issuer = Issuer::new();
    let issued: [_; 3] = std::array::from_fn(|_| issuer.issue(&["localhost"]));
    let certificates = issued.each_ref().map(|one| certificate(&one.certificate));
    store(folder.path(), &issued[0]);
    let [certificate, key] = files.clone();
    let tls = Tls::from_pem_files(certificate, key).expect("files");
    let served = tls.clone();
    let server = Running::with(fixture::router(), |serve| serve.with_tls(served));
    let caller = Caller::new(&issuer, None);
    assert_eq!(shown(&caller, &server).await, certificates[0]);

    store(folder.path(), &issued[1]);
    tls.reload().expect("a certificate with its key");
    assert_eq!(shown(&caller, &server).await, certificates[1]);

    fs::write(&files[1], &issued[0].key).expect("a file");
    let error = tls.reload().expect_err("the key of another").to_string();
    assert!(
        error.contains("key.pem: the private key is not that of the first certificate"),
        "{error}"
    );
    assert_eq!(tls.reload_error().expect("an error").to_string(), error);
    assert_eq!(shown(&caller, &server).await, certificates[1]);

    fs::remove_file(&files[1]).expect("a file");
    let error = tls.reload().expect_err("no key").to_string();
    assert!(
        error.contains("cannot read") && error.contains("key.pem"),
        "{error}"
    );
    assert_eq!(shown(&caller, &server).await, certificates[1]);

    // The files are also reloaded automatically.
    store(folder.path(), &issued[2]);
    let end = Instant::now() + Duration::from_secs(20);
    while shown(&caller, &server).await != certificates[2] {
        assert!(Instant::now() < end, "the files were not read again");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(tls.reload_error().is_none());
}

#[test]
fn errors_say_what_is_wrong_where() {
    let issuer = Issuer::new();
    let (own, other) = (issuer.issue(&["localhost"]), issuer.issue(&["localhost"]));
    let begun = own.certificate.replace("-----END", "");
    for (certificate, key, words) in [
        (
            &*own.certificate,
            &*other.key,
            "the private key: the private key is not that of the first certificate in the certificates",
        ),
        (
            &own.key,
            &own.key,
            "the certificates: there is no certificate in it",
        ),
        (
            &own.certificate,
            &own.certificate,
            "the private key: there is no private key in it",
        ),
        ("DER", &own.key, "the certificates: it is not PEM"),
        (&begun, &own.key, "the certificates: it is ill-formed PEM"),
    ] {
        let error = Tls::from_pem(certificate, key)
            .expect_err(words)
            .to_string();
        assert!(error.contains(words), "{error}");
    }
    let error = Tls::from_pem_files("no/such.pem", "no/such.key").expect_err("no files");
    assert!(
        error.to_string().contains("cannot read no/such.pem"),
        "{error}"
    );
    let roots = |pem: &str| tls(&own).with_client_roots(pem, ClientCertificates::Required);
    let error = roots(&own.key).expect_err("no root").to_string();
    assert!(
        error.contains("the roots of callers: there is no certificate"),
        "{error}"
    );
}

#[tokio::test]
async fn a_configuration_of_rustls_is_served() {
    let issuer = Issuer::new();
    let own = issuer.issue(&["localhost"]);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let key = PrivateKeyDer::from_pem_slice(own.key.as_bytes()).expect("a key");
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS12])
        .expect("a version")
        .with_no_client_auth()
        .with_single_cert(vec![certificate(&own.certificate)], key)
        .expect("a certificate");
    let tls = Tls::from_config(config);
    let roots = tls
        .clone()
        .with_client_roots(issuer.root(), ClientCertificates::Required);
    assert!(
        roots
            .expect_err("its own rule")
            .to_string()
            .contains("own configuration")
    );
    let server = Running::with(fixture::router(), |serve| serve.with_tls(tls));
    let caller = Caller::new(&issuer, None);
    let stream = caller.connect(&server).await.expect("a handshake");
    let (_, connection) = stream.get_ref();
    assert_eq!(
        connection.protocol_version(),
        Some(rustls::ProtocolVersion::TLSv1_2)
    );
    assert_eq!(connection.alpn_protocol(), Some(&b"http/1.1"[..]));
}

#[test]
fn a_caller_without_tls_is_told_so() {
    let tls = tls(&Issuer::new().issue(&["localhost"]));
    let server = Running::with(fixture::router(), |serve| serve.with_tls(tls));
    let body = "x".repeat(10_000);
    let request = format!("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10000\r\n\r\n{body}");
    let mut connection = server.connect();
    connection.send(request.as_bytes()).expect("sent");
    let answer = connection.answer().expect("an answer");
    assert_eq!(answer.status, 400);
    assert!(answer.text().contains("https://"), "{}", answer.text());
    connection.finish().expect("an open connection");
    assert_eq!(connection.rest().expect("the end"), b"");
}

#[tokio::test]
async fn handshakes_hold_up_nobody_and_have_a_time_limit() {
    let issuer = Issuer::new();
    let tls = tls(&issuer.issue(&["localhost"]));
    let server = Running::with(fixture::router(), |serve| {
        serve
            .with_tls(tls)
            .with_header_timeout(Duration::from_secs(1))
    });
    let silent: Vec<_> = (0..50).map(|_| server.connect()).collect();
    let mut begun = server.connect();
    // The head of a record of 512 bytes, without its content.
    begun.send(&[22, 3, 1, 2, 0]).expect("sent");
    let mut garbage = server.connect();
    garbage
        .send(&[22, 3, 1, 0, 5, 1, 2, 3, 4, 5])
        .expect("sent");
    let caller = Caller::new(&issuer, None);
    caller.connect(&server).await.expect("a handshake");
    for mut connection in silent.into_iter().chain([begun]) {
        assert_eq!(connection.rest().expect("the end"), b"");
    }
    // A TLS alert, then the end.
    let alert = garbage.rest().unwrap_or_default();
    assert!(alert.is_empty() || alert[0] == 21, "{alert:?}");
    caller.connect(&server).await.expect("a handshake");
}

#[tokio::test]
async fn a_stop_ends_handshakes_and_finishes_calls() {
    let issuer = Issuer::new();
    let tls = tls(&issuer.issue(&["localhost"]));
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let (release, released) = tokio::sync::oneshot::channel::<()>();
    let channels = Arc::new(std::sync::Mutex::new(Some((begun, released))));
    let waits = move || async move {
        let (begun, released) = channels.lock().expect("open").take().expect("one call");
        begun.send(()).expect("a test that waits");
        released.await.expect("a release");
        "done"
    };
    let app = axum::Router::new().route("/", axum::routing::get(waits));
    let mut server = Running::with(app, |serve| serve.with_tls(tls));
    let mut silent = server.connect();
    let caller = Caller::new(&issuer, None);
    let mut stream = caller.connect(&server).await.expect("a handshake");
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        .await
        .expect("sent");
    has_begun.await.expect("a call");
    server.ask_to_stop();
    assert_eq!(silent.rest().expect("the end"), b"");
    release.send(()).expect("a call that waits");
    let mut answer = Vec::new();
    stream
        .read_to_end(&mut answer)
        .await
        .expect("an end of TLS");
    assert!(
        answer.ends_with(b"done"),
        "{}",
        String::from_utf8_lossy(&answer)
    );
    server.stop().expect("a server that stops");
}
