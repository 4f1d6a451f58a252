//! Redirects that a client follows, and the headers that it sends along.

use bytes::Bytes;
use http::{Method, Request, Response};
use svcgen::http_transport::Tls;
use svcgen::transport::{TransportError, TransportErrorKind};
use svcgen::{HttpTransport, Transport};
use svcgen_http::Cookies;

use crate::certificates::Issuer;
use crate::scripted::{Scripted, answer};

/// Starts a server that redirects every request to this place, except one for `/end`.
async fn leading(status: &'static str, to: String) -> Scripted {
    Scripted::start(None, move |seen| {
        if seen.head.contains(" /end ") {
            return answer("200 OK", "Set-Cookie: end=1\r\n", "here");
        }
        let headers = format!("Location: {to}\r\nSet-Cookie: way=1\r\n");
        answer(status, &headers, "elsewhere")
    })
    .await
}

async fn send(
    transport: &impl Transport,
    method: Method,
    url: &str,
) -> Result<Response<Bytes>, TransportError> {
    let request = Request::builder().method(method).uri(url);
    let request = request
        .header("Content-Length", 5)
        .header("SOAPAction", "\"x\"")
        .header("X-Api-Key", "hunter2")
        .header("Cookie", "own=hunter2");
    let request = request
        .body(Bytes::from_static(b"hello"))
        .expect("a request");
    transport.send(request).await
}

#[tokio::test]
async fn redirects_that_keep_the_method_are_followed() {
    let transport = HttpTransport::new().with_redirects(1);
    for status in [
        "301 Moved",
        "302 Found",
        "303 See Other",
        "307 Temporary",
        "308 Permanent",
    ] {
        for method in [Method::GET, Method::POST] {
            let server = leading(status, "end".to_owned()).await;
            let url = server.url("/a");
            let answer = send(&transport, method.clone(), &url)
                .await
                .expect("an answer");
            let follows = method == Method::GET || status.starts_with("30") && status > "307";
            let expected = if follows { "200" } else { &status[..3] };
            assert_eq!(answer.status().as_str(), expected, "{method} {status}");
            let seen = server.seen();
            assert_eq!(seen.len(), 1 + usize::from(follows), "{method} {status}");
            let last = seen.last().expect("a request");
            assert!(last.head.starts_with(method.as_str()), "{last:?}");
            assert_eq!(last.body, b"hello");
            // The same origin receives all headers.
            assert_eq!(last.header("X-Api-Key"), Some("hunter2"));
        }
        // By default, redirects are returned as answers.
        let server = leading(status, "/end".to_owned()).await;
        let answer = send(&HttpTransport::new(), Method::GET, &server.url("/a")).await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.status().as_str(), &status[..3]);
        assert_eq!(answer.headers()["location"], "/end");
        assert_eq!(server.seen().len(), 1);
    }
}

#[tokio::test]
async fn nothing_secret_goes_to_another_origin() {
    let other = leading("307 Temporary", String::new()).await;
    let server = leading("307 Temporary", other.url("/end")).await;
    let transport = HttpTransport::new().with_redirects(3);
    let transport = transport
        .with_basic_auth("user", "hunter2")
        .expect("a name");
    let transport = Cookies::new(transport);
    for _ in 0..2 {
        let answer = send(&transport, Method::POST, &server.url("/a")).await;
        let answer = answer.expect("an answer");
        assert_eq!(&answer.body()[..], b"here");
        // Only the cookie of the first origin.
        let set: Vec<_> = answer.headers().get_all("set-cookie").iter().collect();
        assert_eq!(set, ["way=1"]);
    }
    for seen in other.seen() {
        assert_eq!(seen.header("Soapaction"), Some("\"x\""), "{}", seen.head);
        assert_eq!(seen.body, b"hello");
        assert!(
            seen.head.contains(&format!("Host: {}", other.address)),
            "{}",
            seen.head
        );
        for name in ["Authorization", "Cookie", "X-Api-Key"] {
            assert_eq!(seen.header(name), None, "{}", seen.head);
        }
    }
    let seen = server.seen().pop().expect("a request");
    assert!(seen.head.contains("Authorization: Basic"), "{}", seen.head);
    assert!(seen.head.contains("way=1"), "{}", seen.head);
}

#[tokio::test]
async fn redirects_have_an_end_and_lead_to_no_worse_place() {
    let server = leading("307 Temporary", "/again?password=hunter2".to_owned()).await;
    let transport = HttpTransport::new().with_redirects(4);
    let error = send(&transport, Method::POST, &server.url("/a")).await;
    let error = error.expect_err("no end");
    assert_eq!(error.kind(), TransportErrorKind::Exchange, "{error}");
    let said = "more than 4 times, to 127.0.0.1/again at last";
    assert!(error.to_string().contains(said), "{error}");
    assert!(!error.to_string().contains("hunter2"), "{error}");
    assert_eq!(server.seen().len(), 5);
    for location in ["ftp://h/", "http://user@h/", "http://[", "javascript:x", ""] {
        let server = leading("307 Temporary", location.to_owned()).await;
        let answer = send(&transport, Method::POST, &server.url("/a")).await;
        let answer = answer.map(|answer| answer.status().as_u16());
        assert!(
            matches!(answer, Ok(307)) || location.is_empty(),
            "{location}: {answer:?}"
        );
    }
}

/// A client certificate is only for the origin of the call, too.
#[tokio::test]
async fn neither_certificates_nor_secrets_leave_https() {
    let issuer = Issuer::new();
    let mine = issuer.issue(&["client"]);
    let tls = Tls::new().without_system_roots().with_roots(issuer.root());
    let tls = tls
        .expect("a root")
        .with_client_certificate(&mine.certificate, &mine.key);
    let transport = HttpTransport::new()
        .with_tls(tls.expect("a certificate"))
        .with_redirects(1);
    let acceptor = issuer.issue(&["localhost"]).acceptor(Some(&issuer.root()));

    let plain = leading("200 OK", String::new()).await;
    let downgrade = plain.url("/end");
    let other = Scripted::start(Some(acceptor.clone()), |_| answer("200 OK", "", "here")).await;
    let other = format!("https://localhost:{}/end", other.address.port());
    for (to, followed) in [(downgrade, false), (other, true)] {
        let headers = format!("Location: {to}\r\n");
        let server = Scripted::start(Some(acceptor.clone()), move |_| {
            answer("308 Permanent Redirect", &headers, "")
        })
        .await;
        let url = format!("https://localhost:{}/", server.address.port());
        let answer = send(&transport, Method::POST, &url).await;
        match (followed, answer) {
            (false, answer) => assert_eq!(answer.expect("an answer").status(), 308),
            // The server requires a certificate, and does not get one.
            (true, answer) => {
                let error = answer.expect_err("no certificate").to_string();
                assert!(
                    error.contains("wants a certificate of the client"),
                    "{error}"
                );
            }
        }
    }
    assert!(plain.seen().is_empty());
}
