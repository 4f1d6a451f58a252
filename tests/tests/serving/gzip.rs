//! Answers and requests in gzip.

use std::io::Write;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::Request;
use svcgen::transport::{TransportError, TransportErrorKind};
use svcgen::{HttpTransport, Transport};

use crate::scripted::Scripted;

fn deflated(body: &[u8]) -> Vec<u8> {
    let mut deflating = GzEncoder::new(Vec::new(), Compression::best());
    deflating.write_all(body).expect("memory");
    deflating.finish().expect("memory")
}

/// The body that a client gets of an answer in gzip.
async fn received(transport: HttpTransport, body: Vec<u8>) -> Result<Bytes, TransportError> {
    let server = Scripted::start(None, move |seen| {
        assert_eq!(seen.header("Accept-Encoding"), Some("gzip"));
        let length = body.len();
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {length}\r\n\r\n"
        );
        [head.as_bytes(), &body].concat()
    })
    .await;
    let request = Request::get(server.url("/")).body(Bytes::new());
    let transport = transport.with_gzip(true);
    let answer = transport.send(request.expect("a request")).await?;
    assert!(!answer.headers().contains_key("content-encoding"));
    assert!(!answer.headers().contains_key("content-length"));
    Ok(answer.into_body())
}

#[tokio::test]
async fn clients_inflate_answers_within_their_limit() {
    let body = b"<xml/>".repeat(1_000);
    let transport = || HttpTransport::new().with_body_limit(6_000);
    let got = received(transport(), deflated(&body)).await;
    assert_eq!(got.expect("an answer"), body);

    let longer = deflated(&[&body[..], b" "].concat());
    let bomb = deflated(&vec![0; 5 << 20]);
    assert!(bomb.len() < 6_000);
    for too_long in [longer, bomb] {
        let error = received(transport(), too_long).await.expect_err("a limit");
        assert_eq!(error.kind(), TransportErrorKind::TooLong, "{error}");
    }
    let mut cut = deflated(&body);
    cut.truncate(cut.len() - 4);
    for (broken, said) in [(cut, "is cut off"), (body, "is broken")] {
        let error = received(transport(), broken).await.expect_err(said);
        assert_eq!(error.kind(), TransportErrorKind::Exchange, "{error}");
        assert!(error.to_string().contains(said), "{error}");
    }
}
