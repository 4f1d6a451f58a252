//! The client over TLS: the certificates that it trusts, its own certificate, and the errors of
//! failed handshakes.

use std::io::{Read, Write};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use rcgen::date_time_ymd;
use svcgen::http_transport::Tls;
use svcgen::transport::{TransportError, TransportErrorKind};
use svcgen::{CallError, HttpTransport, Transport};
use svcgen_tests::authenticator::{AuthenticatorClient, LoginRequest};
use svcgen_tests::checks::BINDINGS;
use svcgen_tests::fixture;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::certificates::{Issued, Issuer, TlsListener};

/// Serves the fixture services over TLS. Returns the port.
async fn serving(acceptor: TlsAcceptor) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let listener = TlsListener { listener, acceptor };
    tokio::spawn(async { svcgen::serve(listener, fixture::router()).await });
    port
}

fn trusting(issuer: &Issuer) -> Tls {
    Tls::new()
        .without_system_roots()
        .with_roots(issuer.root())
        .expect("a root")
}

async fn get(tls: Tls, url: &str) -> Result<u16, TransportError> {
    let request = Request::get(url).body(Bytes::new()).expect("a request");
    let transport = HttpTransport::new().with_tls(tls);
    let answer = transport.send(request).await?;
    Ok(answer.status().as_u16())
}

#[tokio::test]
async fn every_binding_is_called_over_tls() {
    let issuer = Issuer::new();
    for (host, name) in [("localhost", "localhost"), ("127.0.0.1", "127.0.0.1")] {
        let port = serving(issuer.issue(&[name]).acceptor(None)).await;
        let transport = HttpTransport::new().with_tls(trusting(&issuer));
        for (name, binding) in BINDINGS {
            let url = format!("https://{host}:{port}");
            let client = AuthenticatorClient::new(&transport, &url).expect("a URL");
            let request = LoginRequest {
                username: Some("alice".to_owned()),
                password: Some("hunter2".into()),
            };
            let answer = client.with_binding(binding).login(&request).await;
            assert!(answer.is_ok(), "{name}: {answer:?}");
        }
    }
}

/// A certificate must have the name and the issuer that the client expects.
#[tokio::test]
async fn certificates_are_checked_and_the_error_says_what_helps() {
    let (issuer, other) = (Issuer::new(), Issuer::new());
    let [old, older] = [date_time_ymd(2001, 1, 1), date_time_ymd(2000, 1, 1)];
    let [new, newer] = [date_time_ymd(2998, 1, 1), date_time_ymd(2999, 1, 1)];
    let shown: [(&str, Issued, &[&str]); 6] = [
        (
            "another issuer",
            other.issue(&["localhost"]),
            &["an issuer that is not trusted", "Tls::with_roots"],
        ),
        (
            "another name",
            issuer.issue(&["service.example", "other.example"]),
            &["not for localhost", "service.example", "other.example"],
        ),
        ("no name", issuer.issue(&[]), &["not for localhost"]),
        (
            "expired",
            issuer.issue_with(&["localhost"], |params| {
                (params.not_before, params.not_after) = (older, old);
            }),
            &["has expired", "days ago"],
        ),
        (
            "not valid yet",
            issuer.issue_with(&["localhost"], |params| {
                (params.not_before, params.not_after) = (new, newer);
            }),
            &["not valid yet", "clock"],
        ),
        (
            "a CA itself",
            other.itself(),
            &["cannot be used", "a CA itself"],
        ),
    ];
    for (what, issued, words) in shown {
        let port = serving(issued.acceptor(None)).await;
        let error = get(trusting(&issuer), &format!("https://localhost:{port}/"))
            .await
            .expect_err(what);
        assert_eq!(error.kind(), TransportErrorKind::Connect, "{what}: {error}");
        for word in words {
            assert!(error.to_string().contains(word), "{what}: {error}");
        }
        // The error says that the server was reached.
        let error = CallError::from(error);
        assert_eq!(error.hint().as_deref(), Some("nothing was sent"), "{error}");
    }
    // The roots of the system do not include this issuer, and given roots are added to them.
    let port = serving(issuer.issue(&["localhost"]).acceptor(None)).await;
    let url = format!("https://localhost:{port}/SvcDotNet/Authenticator.asmx");
    let besides = Tls::new().with_roots(issuer.root()).expect("a root");
    assert_eq!(get(besides, &url).await.expect("an answer"), 200);
    get(Tls::new(), &url).await.expect_err("an unknown issuer");
    let none = get(Tls::new().without_system_roots(), &url).await;
    let none = none.expect_err("no roots").to_string();
    assert!(none.contains("no roots to trust"), "{none}");
}

#[tokio::test]
async fn clients_show_certificates() {
    let (issuer, other) = (Issuer::new(), Issuer::new());
    let port = serving(issuer.issue(&["localhost"]).acceptor(Some(&issuer.root()))).await;
    let url = format!("https://localhost:{port}/SvcDotNet/Authenticator.asmx");
    let mine = issuer.issue(&["client"]);
    let identified = trusting(&issuer)
        .with_client_certificate(&mine.certificate, &mine.key)
        .expect("a certificate");
    assert_eq!(get(identified, &url).await.expect("an answer"), 200);

    let error = get(trusting(&issuer), &url)
        .await
        .expect_err("no certificate");
    assert!(
        error.to_string().contains("Tls::with_client_certificate"),
        "{error}"
    );
    let foreign = other.issue(&["client"]);
    let foreign = trusting(&issuer)
        .with_client_certificate(&foreign.certificate, &foreign.key)
        .expect("a certificate");
    let error = get(foreign, &url).await.expect_err("another issuer's");
    assert!(
        error
            .to_string()
            .contains("does not accept the certificate"),
        "{error}"
    );
}

/// The peer may be any program.
#[tokio::test]
async fn peers_without_tls_are_said() {
    // A ServerHello of TLS 1.0, with the cipher suite AES128-SHA.
    let hello = b"\x16\x03\x01\x00\x2a\x02\x00\x00\x26\x03\x01";
    let old = [&hello[..], &[7; 32], b"\x00\x00\x2f\x00"].concat();
    let answers: [(&[u8], &str); 12] = [
        (
            b"HTTP/1.1 400 Bad Request\r\n\r\n",
            "speaks no TLS on this port",
        ),
        (b"SSH-2.0-OpenSSH_9.0\r\n", "speaks no TLS on this port"),
        (b"220 mail.example ESMTP\r\n", "speaks no TLS on this port"),
        (b"", "closed the connection in the handshake"),
        (b"\x16", "closed the connection in the handshake"),
        (
            b"\x16\x03\x03\x00\x04\x02\x00",
            "closed the connection in the handshake",
        ),
        (&old, "neither TLS 1.2 nor 1.3"),
        // Alerts: only TLS 1.0 is supported, the name of the service is unknown, and an error.
        (b"\x15\x03\x01\x00\x02\x02\x46", "neither TLS 1.2 nor 1.3"),
        (b"\x15\x03\x03\x00\x02\x02\x70", "no service of this name"),
        (b"\x15\x03\x03\x00\x02\x02\x50", "the alert InternalError"),
        // A record that is too long, and an invalid handshake.
        (b"\x16\x03\x03\xff\xff\x02", "the handshake of TLS failed"),
        (
            b"\x16\x03\x03\x00\x05\x63\x00\x00\x01\x00",
            "the handshake of TLS failed",
        ),
    ];
    for (answer, word) in answers {
        let answer = answer.to_vec();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a connection");
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(&answer);
        });
        let error = get(Tls::new(), &format!("https://localhost:{port}/")).await;
        let error = error.expect_err(word);
        assert_eq!(error.kind(), TransportErrorKind::Connect, "{error}");
        assert!(error.to_string().contains(word), "{error}");
    }
}

/// The connect timeout includes the handshake, and the time of a call the time to connect: nothing
/// was sent in either case.
#[tokio::test]
async fn handshakes_end() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (short, long) = (Duration::from_millis(50), Duration::from_secs(50));
    for (connecting, call, said) in [
        (short, long, "longer than 50ms"),
        (long, short, "no connection to"),
    ] {
        let transport = HttpTransport::new().with_connect_timeout(connecting);
        let transport = transport.with_timeout(call);
        let url = format!("https://127.0.0.1:{port}/");
        let request = Request::get(url).body(Bytes::new()).expect("a request");
        let error = transport.send(request).await.expect_err("silence");
        assert_eq!(error.kind(), TransportErrorKind::Connect, "{error}");
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn certificates_and_keys_that_are_none_are_said() {
    let issuer = Issuer::new();
    let [mine, other] = [issuer.issue(&["a"]), issuer.issue(&["b"])];
    let tls = Tls::new;
    let broken = mine.certificate.replace("-----END", "---END");
    let cases = [
        (tls().with_roots(""), "the roots: it is not PEM"),
        (tls().with_roots(&mine.key), "the roots: there is no certificate in it"),
        (tls().with_roots(&broken), "the roots: it is ill-formed PEM"),
        (
            tls().with_roots("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
            "the roots: its certificate 1 is not a root",
        ),
        (tls().with_roots_file("/no/such/file.pem"), "cannot read /no/such/file.pem"),
        (
            tls().with_client_certificate(&mine.certificate, &other.key),
            "the client's key: the private key is not that of the first certificate",
        ),
        (
            tls().with_client_certificate(&mine.certificate, &mine.certificate),
            "the client's key: there is no private key in it",
        ),
        (
            tls().with_client_certificate(&mine.key, &mine.key),
            "the client's certificate: there is no certificate in it",
        ),
        (
            tls().with_client_certificate(
                &mine.certificate,
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
            ),
            "the private key is encrypted",
        ),
        (
            tls().with_client_certificate_files("/no/such/chain.pem", "/no/key.pem"),
            "cannot read /no/such/chain.pem",
        ),
    ];
    for (result, said) in cases {
        let error = result.expect_err(said).to_string();
        assert!(error.contains(said), "{said}: {error}");
    }
    let both = format!("{}{}", mine.certificate, mine.key);
    tls()
        .with_client_certificate(&both, &both)
        .expect("one file for both");
}
