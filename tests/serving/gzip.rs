//! Answers and requests in gzip.

use std::io::{Read, Write};

use bytes::Bytes;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use http::{Method, Request, Response};
use svcgen::codegen::Endpoint;
use svcgen::transport::{TransportError, TransportErrorKind, transport_fn};
use svcgen::{HttpTransport, Limits, ServerOptions, Transport};
use svcgen_tests::checks::BINDINGS;
use svcgen_tests::device_login_service::{
    DeviceLoginServiceClient, DeviceLoginServiceServer, LoginRequest,
};
use svcgen_tests::fixture::{Fixture, device_login_server};
use tokio::net::TcpListener;

use crate::scripted::Scripted;

fn deflated(body: &[u8]) -> Vec<u8> {
    let mut deflating = GzEncoder::new(Vec::new(), Compression::best());
    deflating.write_all(body).expect("memory");
    deflating.finish().expect("memory")
}

fn inflated(body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    let mut inflating = GzDecoder::new(body);
    inflating.read_to_end(&mut whole).expect("gzip");
    whole
}

/// Returns the body that a client reads from an answer in gzip.
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

const PATH: &str = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx";

fn server(options: ServerOptions) -> DeviceLoginServiceServer<Fixture> {
    device_login_server().with_options(options.with_gzip(true))
}

/// Returns a login whose answer contains the password.
fn long_login() -> LoginRequest {
    LoginRequest {
        username: Some("raw".to_owned()),
        password: Some("long ".repeat(1_000).into()),
        ..Default::default()
    }
}

#[tokio::test]
async fn calls_are_read_and_answered_in_gzip_over_every_binding() {
    for (name, binding) in BINDINGS {
        let plain = transport_fn(|request: Request<Bytes>| async {
            Ok(device_login_server().answer(request).await)
        });
        let zipped = transport_fn(|request: Request<Bytes>| async {
            let (mut parts, body) = request.into_parts();
            parts
                .headers
                .insert("accept-encoding", "gzip".parse().expect("a header"));
            let mut body = body;
            if parts.method == Method::POST {
                parts
                    .headers
                    .insert("content-encoding", "gzip".parse().expect("a header"));
                body = deflated(&body).into();
            }
            let request = Request::from_parts(parts, body);
            let answer = server(ServerOptions::new()).answer(request).await;
            let (mut parts, body) = answer.into_parts();
            assert_eq!(parts.headers["content-encoding"], "gzip");
            assert_eq!(parts.headers["vary"], "Accept-Encoding");
            assert_eq!(parts.headers["content-length"], body.len().to_string());
            assert!(body.len() < 1_000);
            parts.headers.remove("content-encoding");
            Ok(Response::from_parts(parts, inflated(&body).into()))
        });
        let url = "http://service.example";
        let plain = DeviceLoginServiceClient::new(plain, url).expect("a URL");
        let expected = plain.with_binding(binding).login(&long_login()).await;
        let zipped = DeviceLoginServiceClient::new(zipped, url).expect("a URL");
        let answer = zipped.with_binding(binding).login(&long_login()).await;
        assert_eq!(answer.expect(name), expected.expect(name), "{name}");
    }
}

async fn answered(
    options: ServerOptions,
    headers: &[(&str, &str)],
    body: impl Into<Bytes>,
) -> Response<Bytes> {
    let mut request = Request::post(PATH).header("content-type", "text/xml");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(body.into()).expect("a request");
    device_login_server()
        .with_options(options)
        .answer(request)
        .await
}

#[tokio::test]
async fn requests_in_gzip_have_the_limit_of_bodies() {
    let zipped = [("content-encoding", "gzip")];
    let options = || {
        let limits = Limits::default().with_body(10_000);
        ServerOptions::new().with_gzip(true).with_limits(limits)
    };
    let bomb = deflated(&vec![b' '; 4 << 20]);
    assert!(bomb.len() < 10_000);
    let longest = deflated(&vec![b' '; 10_000]);
    let cut = &longest[..longest.len() - 1];
    let text = |answer: &Response<Bytes>| String::from_utf8_lossy(answer.body()).into_owned();
    for (body, said) in [
        (&bomb[..], "Maximum request length exceeded."),
        (&longest, "Root element is missing."),
        (cut, "is not gzip, or is cut off"),
        (b"<xml/>", "is not gzip, or is cut off"),
    ] {
        let answer = answered(options(), &zipped, body.to_vec()).await;
        assert!(text(&answer).contains(said), "{said}: {answer:?}");
        // The answer is the same as without a coding.
        let plain = answered(options(), &[], vec![b' '; 10_001]).await;
        if said.starts_with("Maximum") {
            assert_eq!(
                (answer.status(), answer.body()),
                (plain.status(), plain.body())
            );
        }
    }
    for (options, coding) in [
        (ServerOptions::new(), "gzip"),
        (options(), "deflate"),
        (options(), "gzip, gzip"),
    ] {
        let answer = answered(options, &[("content-encoding", coding)], "").await;
        assert_eq!(answer.status(), 415, "{coding}");
        assert!(text(&answer).contains("Content-Encoding"), "{answer:?}");
    }
}

/// Inflated bodies count towards the memory while they are inflated.
#[tokio::test]
async fn requests_in_gzip_take_memory_of_all_calls() {
    // The second does not have enough memory besides its compressed form, the third not even alone.
    for (length, status) in [(5_000, 400), (9_990, 503), (50_000, 500)] {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!(
            "http://{}{PATH}",
            listener.local_addr().expect("an address")
        );
        let serve = svcgen::serve(listener, Endpoint::from(server(ServerOptions::new())));
        tokio::spawn(async { serve.with_max_body_memory(10_000).await });
        let request = Request::post(url)
            .header("content-type", "text/xml")
            .header("content-encoding", "gzip")
            .body(deflated(&vec![b' '; length]).into());
        let answer = HttpTransport::new().send(request.expect("a request")).await;
        assert_eq!(answer.expect("an answer").status(), status, "{length}");
    }
}

#[tokio::test]
async fn answers_are_in_gzip_if_they_are_long_and_the_caller_accepts_it() {
    let get = async |options: ServerOptions, path: &str, accepted: &str| {
        let request = Request::get(path).header("accept-encoding", accepted);
        let request = request
            .header("host", "h")
            .body(Bytes::new())
            .expect("a request");
        let server = device_login_server().with_options(options);
        server.answer(request).await
    };
    let zipped = ServerOptions::new().with_gzip(true);
    let wsdl = format!("{PATH}?wsdl");
    let plain = get(ServerOptions::new(), &wsdl, "gzip").await;
    for name in ["content-encoding", "vary"] {
        assert!(!plain.headers().contains_key(name));
    }
    let answer = get(zipped.clone(), &wsdl, "br, gzip;q=0.5").await;
    assert_eq!(answer.headers()["content-encoding"], "gzip");
    assert_eq!(inflated(answer.body()), plain.body()[..]);
    // Caches distinguish the two answers.
    let identity = get(zipped.clone(), &wsdl, "gzip;q=0").await;
    assert_eq!(identity.headers()["vary"], "Accept-Encoding");
    assert!(!identity.headers().contains_key("content-encoding"));
    assert_eq!(identity.body(), plain.body());
    // Short answers are not compressed.
    let short = get(zipped, &format!("{PATH}/NoSuch"), "gzip").await;
    assert!(!short.headers().contains_key("vary"), "{short:?}");
}
