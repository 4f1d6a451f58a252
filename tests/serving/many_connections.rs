//! Many concurrent connections, idle and busy ones, with and without TLS.

use std::fs;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use svcgen::serve::Tls;
use svcgen_tests::few_or_all;
use svcgen_tests::raw_http::Running;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::certificates::Issuer;
use crate::worker::{WorkServer, Worker, call};

/// Returns the number of idle connections, unless the process may not open as many files.
fn idle() -> usize {
    few_or_all(200, 1_000)
}
fn busy() -> usize {
    few_or_all(64, 256)
}
fn calls() -> usize {
    few_or_all(5, 20)
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Opens connections to a server.
#[derive(Clone)]
struct Connector {
    address: std::net::SocketAddr,
    tls: Option<TlsConnector>,
}

impl Connector {
    async fn connect(&self) -> io::Result<Box<dyn Stream>> {
        let stream = TcpStream::connect(self.address).await?;
        let Some(tls) = &self.tls else {
            return Ok(Box::new(stream));
        };
        let name = "localhost".try_into().expect("a name");
        Ok(Box::new(tls.connect(name, stream).await?))
    }
}

/// Makes a call, and checks its answer.
async fn exchange(stream: &mut dyn Stream, text: &str) {
    stream.write_all(&call("Read", text)).await.expect("sent");
    stream.flush().await.expect("sent");
    let mut answer = Vec::new();
    while !answer.ends_with(b"</soap:Envelope>") {
        let read = stream.read_buf(&mut answer).await.expect("an answer");
        assert!(read > 0, "{}", String::from_utf8_lossy(&answer));
    }
    let answer = String::from_utf8(answer).expect("UTF-8");
    assert!(
        answer.contains(&format!("<ReadResult>{text}</ReadResult>")),
        "{answer}"
    );
}

/// Returns the memory of this process in KiB, if the system reports it.
fn memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Returns the possible number of idle connections: both ends of a connection are files of this
/// process.
fn most_idle() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let files = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"));
    let files = files.and_then(|line| line.split_whitespace().next()?.parse().ok());
    files.map_or(idle(), |files: usize| {
        idle().min(files.saturating_sub(2 * busy() + 200) / 2)
    })
}

async fn check(connector: Connector, what: &str) {
    exchange(
        &mut *connector.connect().await.expect("a connection"),
        "first",
    )
    .await;
    let before = memory();
    let count = most_idle();
    let mut idle = Vec::with_capacity(count);
    for _ in 0..count {
        idle.push(connector.connect().await.expect("a connection"));
    }
    if let Some((before, after)) = before.zip(memory()) {
        let each = after.saturating_sub(before) as f64 / count as f64;
        println!("{what}: {each:.1} KiB for each of {count} idle connections, both sides");
    }
    let busy: Vec<_> = (0..busy())
        .map(|caller| {
            let connector = connector.clone();
            tokio::spawn(async move {
                let mut stream = connector.connect().await.expect("a connection");
                for call in 0..calls() {
                    exchange(&mut *stream, &format!("call {call} of {caller}")).await;
                }
            })
        })
        .collect();
    for caller in busy {
        caller.await.expect("its own answers");
    }
    // The idle connections are still usable.
    for (number, stream) in idle.iter_mut().enumerate() {
        exchange(&mut **stream, &format!("idle {number}")).await;
    }
}

fn start(certificate: Option<Tls>) -> Running {
    Running::with(WorkServer::new(Worker::new()), |serve| {
        // A slow machine needs more time.
        let serve = serve.with_header_timeout(Duration::from_secs(120));
        match certificate {
            Some(certificate) => serve.with_tls(certificate),
            None => serve,
        }
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_stay_while_busy_ones_are_answered() {
    let server = start(None);
    let address = server.address;
    check(Connector { address, tls: None }, "without TLS").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_over_tls_stay_while_busy_ones_are_answered() {
    let issuer = Issuer::new();
    let own = issuer.issue(&["localhost"]);
    let mut roots = rustls::RootCertStore::empty();
    let root = CertificateDer::from_pem_slice(issuer.root().as_bytes()).expect("a root");
    roots.add(root).expect("a root");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let tls = Some(TlsConnector::from(Arc::new(config)));
    let certificate = Tls::from_pem(&own.certificate, &own.key).expect("a certificate");
    let server = start(Some(certificate));
    let address = server.address;
    check(Connector { address, tls }, "over TLS").await;
}
