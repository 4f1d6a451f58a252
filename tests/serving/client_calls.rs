//! Calls of emitted clients: their settings, the time at which they are sent, and the details of
//! their answers.

use std::sync::Mutex;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, Response};
use svcgen::transport::{
    CallTimeout, CalledOperation, TransportError, TransportErrorKind, transport_fn,
};
use svcgen::{Binding, CallError, ClientCall, HttpTransport, Transport};
use svcgen_tests::authenticator::{AuthenticatorClient, LoginRequest};
use svcgen_tests::fixture;

fn login() -> LoginRequest {
    LoginRequest {
        username: Some("alice".to_owned()),
        password: Some("secret".into()),
    }
}

/// Records requests, and forwards them to the fixture.
struct Kept {
    requests: Mutex<Vec<Request<Bytes>>>,
}

impl Transport for Kept {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        self.requests.lock().unwrap().push(request.clone());
        let mut answer = fixture::authenticator_server().send(request).await?;
        let left = HeaderValue::from_static("41");
        answer.headers_mut().insert("X-Calls-Left", left);
        Ok(answer)
    }
}

fn client(binding: Binding) -> AuthenticatorClient<Kept> {
    let requests = Mutex::default();
    let client = AuthenticatorClient::new(Kept { requests }, "http://service.example");
    client.unwrap().with_binding(binding)
}

fn kept(client: &AuthenticatorClient<Kept>) -> Vec<Request<Bytes>> {
    std::mem::take(&mut client.as_ref().transport().requests.lock().unwrap())
}

fn text(request: &Request<Bytes>) -> String {
    String::from_utf8(request.body().to_vec()).unwrap()
}

#[tokio::test]
async fn a_call_is_a_future_that_borrows_the_client_alone() {
    fn is_send<T: Send>(value: T) -> T {
        value
    }
    for binding in Binding::DEFAULT {
        let client = client(binding);
        let call = is_send(client.login(&login()));
        assert_eq!(kept(&client).len(), 0, "it is sent when it is awaited");
        assert!(call.await.unwrap());
        let both = tokio::join!(client.login(&login()), client.login(&login()));
        assert!(both.0.unwrap() && both.1.unwrap());
        let limited = tokio::time::timeout(Duration::from_secs(60), client.login(&login()));
        assert!(limited.await.unwrap().unwrap());
        let boxed: Vec<_> = (0..2).map(|_| Box::pin(client.login(&login()))).collect();
        for call in boxed {
            assert!(call.await.unwrap());
        }
        assert_eq!(kept(&client).len(), 6);
    }
}

#[tokio::test]
async fn headers_and_extensions_of_a_call_are_its_own() {
    #[derive(Clone, Debug, PartialEq)]
    struct Tenant(u32);

    for binding in Binding::DEFAULT {
        let client = client(binding);
        let call = client.login(&login()).with_header("X-Request-Id", "17");
        let call = call.with_header(http::header::COOKIE, HeaderValue::from_static("a=b"));
        let call = call
            .with_header("X-Request-Id", "18")
            .with_extension(Tenant(7));
        assert!(call.await.unwrap());
        assert!(client.login(&login()).await.unwrap());
        let [with, without] = &kept(&client)[..] else {
            panic!("two requests");
        };
        assert_eq!(with.headers()["x-request-id"], "18");
        assert_eq!(with.headers()["cookie"], "a=b");
        assert_eq!(with.extensions().get(), Some(&Tenant(7)));
        assert_eq!(with.headers().len(), without.headers().len() + 2);
        assert_eq!(with.body(), without.body());
        let called = with.extensions().get::<CalledOperation>().unwrap();
        assert_eq!(called.service(), "Authenticator");
        assert_eq!(called.operation(), "Login");
        assert_eq!(called.binding(), binding);
        assert!(!called.is_read_only());
    }
}

#[tokio::test]
async fn a_header_that_cannot_be_sent_is_told_when_the_call_is_awaited() {
    let client = client(Binding::Soap11);
    type Change = for<'c> fn(ClientCall<'c, Kept, bool>) -> ClientCall<'c, Kept, bool>;
    let rows: [(Change, &str); 4] = [
        (
            |call| call.with_header("X Id", "1"),
            "a header of the request cannot be sent: invalid HTTP header name",
        ),
        (
            |call| call.with_header("X-Id", "1\r\nX-Other: 2"),
            "the header x-id of the request cannot be sent: failed to parse header value",
        ),
        (
            |call| call.with_header("Content-Length", "1"),
            "the header content-length of the request cannot be sent: the transport writes it",
        ),
        (
            |call| call.with_header("Transfer-Encoding", "chunked"),
            "the header transfer-encoding of the request cannot be sent: the transport writes it",
        ),
    ];
    for (change, expected) in rows {
        // The first mistake is reported.
        let call = change(client.login(&login())).with_soap_header("<a");
        let error = call.await.unwrap_err();
        assert!(matches!(error, CallError::HttpHeader { .. }));
        assert_eq!(error.to_string(), expected);
    }
    assert_eq!(kept(&client).len(), 0);
}

#[tokio::test]
async fn soap_headers_that_are_not_declared_come_first() {
    let header = r#"<t:Tenant xmlns:t="urn:tenants"><t:Id>&lt;soap:Body></t:Id></t:Tenant>"#;
    for binding in [Binding::Soap11, Binding::Soap12] {
        let client = client(binding);
        assert!(client.login(&login()).await.unwrap());
        let call = client.login(&login()).with_soap_header(header);
        let call = call.with_soap_header(" <First xmlns='urn:x'/>\n");
        assert!(call.await.unwrap());
        let sent: Vec<_> = kept(&client).iter().map(text).collect();
        let headers =
            format!("<soap:Header><First xmlns='urn:x'/>{header}</soap:Header><soap:Body>");
        assert_eq!(sent[1], sent[0].replacen("<soap:Body>", &headers, 1));
    }
    let client = client(Binding::Soap12);
    for (wrong, place) in [
        ("", ""),
        ("text", "line 1"),
        ("<a>", "line 1"),
        ("<a/><b/>", "line 1, column 6"),
        ("<s:a/>", "line 1"),
        ("<a/>\n</soap:Header>", "line 2"),
        ("<?xml version='1.0'?><a/>", "declaration"),
        ("<!DOCTYPE a><a/>", "line 1"),
    ] {
        let error = client.login(&login()).with_soap_header(wrong).await;
        let error = error.unwrap_err();
        assert!(matches!(error, CallError::SoapHeader(_)), "{wrong}");
        let error = error.to_string();
        let expected = "the SOAP header cannot be sent: ";
        assert!(
            error.starts_with(expected) && error.contains(place),
            "{error}"
        );
    }
    let client = client.with_binding(Binding::HttpPost);
    let error = client.login(&login()).with_soap_header("<a/>").await;
    let error = error.unwrap_err().to_string();
    assert_eq!(
        error,
        "the SOAP headers given to Login cannot be sent over HTTP POST (hint: `with_binding` chooses another binding)"
    );
    assert_eq!(kept(&client).len(), 0);
}

#[tokio::test]
async fn status_and_headers_come_with_the_result_and_with_errors() {
    for binding in Binding::DEFAULT {
        let client = client(binding);
        let answered = client.login(&login()).answered().await;
        assert!(answered.result.unwrap());
        assert_eq!(answered.status.unwrap(), 200);
        assert_eq!(answered.headers["x-calls-left"], "41");
    }
    let client = AuthenticatorClient::new(
        transport_fn(|_| async {
            let answer = Response::builder().status(503).header("Retry-After", "7");
            Ok(answer.body(Bytes::from_static(b"busy")).unwrap())
        }),
        "http://service.example",
    );
    let answered = client.unwrap().login(&login()).answered().await;
    assert!(matches!(
        answered.result,
        Err(CallError::Status { status, .. }) if status == 503
    ));
    assert_eq!(answered.headers["retry-after"], "7");
    let failed = transport_fn(|_| async {
        let kind = TransportErrorKind::Connect;
        Err(TransportError::new(kind, "no connection"))
    });
    let client = AuthenticatorClient::new(failed, "http://service.example").unwrap();
    let answered = client.login(&login()).answered().await;
    assert!(matches!(answered.result, Err(CallError::Transport(_))));
    assert!(answered.status.is_none() && answered.headers.is_empty());
}

fn is_timeout<R>(result: Result<R, CallError>) -> String {
    match result {
        Err(CallError::Transport(error)) if error.kind() == TransportErrorKind::Timeout => {
            error.to_string()
        }
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("the call has a result"),
    }
}

#[tokio::test]
async fn the_time_of_a_call_takes_the_place_of_the_transports() {
    // It accepts connections and never answers.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (short, long) = (Duration::from_millis(50), Duration::from_millis(150));
    for (transports, calls) in [(long * 1000, short), (short, long)] {
        let transport = HttpTransport::new().with_timeout(transports);
        let client = AuthenticatorClient::new(transport, &url).unwrap();
        let began = std::time::Instant::now();
        let error = is_timeout(client.login(&login()).with_timeout(calls).await);
        assert_eq!(error, format!("the call took longer than {calls:?}"));
        assert!(began.elapsed() >= calls);
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_call_holds_for_every_transport() {
    let seen = Mutex::default();
    let silent = transport_fn(|request: Request<Bytes>| {
        *seen.lock().unwrap() = request.extensions().get::<CallTimeout>().copied();
        std::future::pending()
    });
    let client = AuthenticatorClient::new(silent, "http://service.example").unwrap();
    let time = Duration::from_secs(5);
    let error = is_timeout(client.login(&login()).with_timeout(time).await);
    assert_eq!(error, "the call took longer than 5s");
    assert_eq!(*seen.lock().unwrap(), Some(CallTimeout(time)));
}
