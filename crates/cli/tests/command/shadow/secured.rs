//! An original and a candidate over TLS.

use std::convert::Infallible;
use std::sync::mpsc;

use svcgen::bytes::Bytes;
use svcgen::serve::{RequestBody, Tls};

use super::*;

/// Starts a server that answers every request with a text over TLS, until the tests end. Returns
/// its URL.
fn secured(text: &'static str, tls: Tls) -> String {
    let (told, address) = mpsc::channel();
    thread::spawn(move || {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_all().build().unwrap().block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            told.send(listener.local_addr().unwrap()).unwrap();
            let service = tower::service_fn(move |_: http::Request<RequestBody>| async move {
                let body = http_body_util::Full::new(Bytes::from_static(text.as_bytes()));
                Ok::<_, Infallible>(http::Response::new(body))
            });
            svcgen::serve(listener, service)
                .with_tls(tls)
                .await
                .unwrap();
        });
    });
    let port = address.recv().unwrap().port();
    format!("https://localhost:{port}")
}

#[test]
fn both_are_called_over_tls() {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    let tls = Tls::from_pem(&certificate, key).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root.pem");
    fs::write(&root, certificate).unwrap();
    let (original, candidate) = (secured("same", tls.clone()), secured("same", tls));
    let mut shadow = start(
        &original,
        &candidate,
        &[&"--ca", &root, &"--summary-every", &"1"],
    );
    for _ in 0..3 {
        assert!(call(&shadow, PRICE).ends_with("\r\n\r\nsame"));
    }
    shadow.line_with("3 samples: 3 ");
    let end = shadow.end();
    assert!(end.starts_with("3 samples: 3 identical; "), "{end}");
    // Without the root certificate neither is trusted: they receive no byte of the caller.
    let shadow = start(&original, &candidate, &[]);
    let mut caller = TcpStream::connect(&shadow.address).unwrap();
    caller.write_all(PRICE.as_bytes()).unwrap();
    assert!(caller.read(&mut [0]).is_err());
    shadow.end();
    let plain = Server::always(offer("12.50", "a"));
    let mut shadow = start(&plain.url(), &candidate, &[]);
    assert_eq!(call(&shadow, PRICE), offer("12.50", "a"));
    let line = shadow.line();
    assert!(
        line.contains("unanswered") && line.contains("certificate"),
        "{line}"
    );
    shadow.end();
}
