//! The same call over each binding, and a certificate for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{Method, Request, Response, request};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use svcgen::transport::{TransportError, TransportErrorKind};
use svcgen::{Binding, Transport};
use tokio_rustls::TlsAcceptor;

use crate::answering::device_login_service::{DeviceLoginServiceClient, LoginRequest};
use crate::documents;

/// Keeps the request.
struct Keeps(Mutex<Option<Request<Bytes>>>);

impl Transport for &Keeps {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        *self.0.lock().expect("a lock") = Some(request);
        Err(TransportError::new(
            TransportErrorKind::Connect,
            "it is kept",
        ))
    }
}

/// Returns the requests for `Login` as a client writes them.
pub fn captured() -> Vec<(&'static str, Request<Bytes>)> {
    let call = call(documents::request().username);
    let bindings = Binding::ALL.into_iter();
    bindings
        .map(|binding| (binding.key(), request(binding, &call)))
        .collect()
}

/// Returns a request of a megabyte over SOAP 1.1.
pub fn large() -> Request<Bytes> {
    let username = "alice@example.com, ".repeat(55_000);
    request(Binding::Soap11, &call(Some(username)))
}

/// Returns the call of all benches for the service that also offers JSON.
fn call(username: Option<String>) -> LoginRequest {
    let call = documents::request();
    LoginRequest {
        username,
        password: call.password,
        device_pin: call.device_pin,
    }
}

fn request(binding: Binding, call: &LoginRequest) -> Request<Bytes> {
    let keeps = Keeps(Mutex::new(None));
    let client = DeviceLoginServiceClient::new(&keeps, "http://localhost").expect("a URL");
    let client = client.with_binding(binding);
    let mut sent = std::pin::pin!(async { client.login(call).await.map(drop) });
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(sent.as_mut().poll(&mut context).is_ready());
    let kept = keeps.0.lock().expect("a lock").take();
    let (mut parts, body) = kept.expect("a request").into_parts();
    parts.uri = parts.uri.path_and_query().expect("a path").clone().into();
    Request::from_parts(parts, body)
}

/// Returns the bytes of a request.
pub fn bytes(request: &Request<Bytes>) -> Vec<u8> {
    let (method, target) = (request.method(), request.uri());
    let mut bytes = format!("{method} {target} HTTP/1.1\r\nHost: localhost\r\n");
    for (name, value) in request.headers() {
        let text = value.to_str().expect("a value");
        if name != "content-length" && name != "host" {
            bytes += &format!("{name}: {text}\r\n");
        }
    }
    let body = request.body();
    bytes += &format!("Content-Length: {}\r\n\r\n", body.len());
    [bytes.as_bytes(), body].concat()
}

/// Returns the index of the binding of a request.
pub fn place(head: &request::Parts) -> usize {
    let media_type = head.headers.get(CONTENT_TYPE);
    let is_of =
        |start: &str| media_type.is_some_and(|it| it.as_bytes().starts_with(start.as_bytes()));
    let binding = if head.method == Method::GET {
        Binding::HttpGet
    } else if is_of("text/xml") {
        Binding::Soap11
    } else if is_of("application/soap+xml") {
        Binding::Soap12
    } else if is_of("application/json") {
        Binding::Json
    } else {
        Binding::HttpPost
    };
    let place = Binding::ALL.iter().position(|one| *one == binding);
    place.expect("a binding")
}

pub fn files(folder: &Path) -> [PathBuf; 2] {
    ["certificate.pem", "key.pem"].map(|name| folder.join(name))
}

/// Writes a certificate to a folder. Returns the configuration of a client that trusts it.
pub fn make_certificate(folder: &Path) -> Arc<ClientConfig> {
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let [certificate, key] = files(folder);
    fs::write(certificate, own.cert.pem()).expect("a file");
    fs::write(key, own.signing_key.serialize_pem()).expect("a file");
    let mut roots = RootCertStore::empty();
    roots.add(own.cert.der().clone()).expect("a root");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    Arc::new(config)
}

/// Returns TLS for the bare server.
pub fn acceptor(folder: &Path) -> TlsAcceptor {
    let [certificate, key] = files(folder);
    let chain = vec![CertificateDer::from_pem_file(certificate).expect("a certificate")];
    let key = PrivateKeyDer::from_pem_file(key).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(chain, key);
    TlsAcceptor::from(Arc::new(config.expect("a certificate")))
}
