//! Callers over HTTP/2, with and without TLS, whose calls go to an original of HTTP/1.1.

use svcgen::Binding;
use svcgen::serve::Tls;

use super::original::{Original, Sent};
use super::{before, call_over};
use crate::certificates::Issuer;
use crate::http2::{Caller, serving, tls_stream};

/// The original sends headers that HTTP/2 does not allow: connection headers, and a chunked body
/// with trailers.
const ANSWER: &[u8] =
    b"HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Hop\r\nKeep-Alive: timeout=5\r\nX-Hop: 1\r\nX-Kept: 1\r\n\
      Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nori\r\n5\r\nginal\r\n0\r\nX-Sum: 8\r\n\r\n";

async fn calls_fall_back(caller: &Caller, original: &Original) {
    for binding in Binding::ALL {
        let request = call_over(binding, "Read", "some text");
        let answer = caller.send(&request).await.expect("an answer");
        let headers = answer.headers().clone();
        assert_eq!(headers["x-kept"], "1", "{binding}");
        assert_eq!(headers["content-length"], "8", "{binding}");
        for name in [
            "connection",
            "keep-alive",
            "transfer-encoding",
            "trailer",
            "x-hop",
        ] {
            assert!(!headers.contains_key(name), "{binding} {name}");
        }
        let sent = original.next();
        let came = Sent::read(&request);
        assert_eq!(
            (sent.method, sent.target),
            (came.method, came.target),
            "{binding}"
        );
        assert_eq!(sent.body, came.body, "{binding}");
    }
    let (status, text) = caller
        .exchange(b"PUT /elsewhere HTTP/1.1\r\nCookie: a=1\r\nCookie: b=2\r\nContent-Length: 3\r\n\r\na\0b")
        .await;
    assert_eq!((status, &*text), (200, "original"));
    let sent = original.next();
    assert_eq!(sent.header("cookie"), Some("a=1; b=2"));
    assert_eq!(sent.header("host"), Some(&*original.host()));
    assert_eq!(sent.header("content-length"), Some("3"));
    assert_eq!(sent.body, b"a\0b");
    assert!(original.is_done());
}

#[tokio::test]
async fn callers_over_http_2_are_passed_on() {
    let original = Original::answering(ANSWER);
    let server = serving(before(&original), |serve| serve);
    calls_fall_back(&Caller::new(&server).await, &original).await;
}

#[tokio::test]
async fn callers_over_http_2_and_tls_are_passed_on() {
    let issuer = Issuer::new();
    let own = issuer.issue(&["localhost"]);
    let tls = Tls::from_pem(&own.certificate, &own.key).expect("a certificate");
    let original = Original::answering(ANSWER);
    let server = serving(before(&original), |serve| serve.with_tls(tls));
    let stream = tls_stream(&server, &issuer.root(), &["h2"]).await;
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    calls_fall_back(&Caller::over(stream).await, &original).await;
}
