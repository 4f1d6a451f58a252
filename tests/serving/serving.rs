//! Both services behind a socket: routing, mounting, stopping, limits, timeouts, and the rules of
//! HTTP/1 for connections.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use svcgen::{Context, Fault, Limits, Router, ServerOptions};
use svcgen_tests::authenticator::{
    AuthenticatorHandler, AuthenticatorServer, ClientAuthWithResultRequest, LoginRequest,
    LoginResult,
};
use svcgen_tests::fixture::{self, Fixture};
use svcgen_tests::raw_http::{Answer, Running};
use tower_service::Service;

const AUTHENTICATOR: &str = "/SvcDotNet/Authenticator.asmx";
const DEVICE: &str = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx";

fn soap(username: &str) -> String {
    format!(
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><Login xmlns=\"http://example.com/svc/auth\">\
         <username>{username}</username><password>secret</password></Login></s:Body></s:Envelope>"
    )
}

fn head(version: &str, length: Option<usize>, extra: &str) -> String {
    let length = length.map_or_else(String::new, |length| {
        format!("Content-Length: {length}\r\n")
    });
    format!(
        "POST {AUTHENTICATOR} {version}\r\nHost: h\r\nContent-Type: text/xml; charset=utf-8\r\n\
         SOAPAction: \"http://example.com/svc/auth/Login\"\r\n{length}{extra}\r\n"
    )
}

fn soap_request(username: &str, extra: &str) -> Vec<u8> {
    let body = soap(username);
    (head("HTTP/1.1", Some(body.len()), extra) + &body).into_bytes()
}

fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").into_bytes()
}

fn with_method(method: &str, path: &str) -> Vec<u8> {
    format!("{method} {path} HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        .into_bytes()
}

fn assert_logged_in(answer: &Answer) {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(
        answer.text().contains("<LoginResult>true</LoginResult>"),
        "{}",
        answer.text()
    );
}

fn closes(answer: &Answer) -> bool {
    answer
        .header("connection")
        .is_some_and(|value| value.eq_ignore_ascii_case("close"))
}

#[test]
fn a_router_serves_both_services() {
    let server = running!(fixture::router());
    let answer = server.exchange(&get(&format!(
        "{AUTHENTICATOR}/Login?username=alice&password=secret"
    )));
    assert!(
        answer
            .text()
            .ends_with("<boolean xmlns=\"http://example.com/svc/auth\">true</boolean>")
    );
    let answer = server.exchange(&get(&format!("{DEVICE}/TestConnection")));
    assert!(
        answer
            .text()
            .ends_with("<string xmlns=\"http://example.com/svc/device\">connection ok</string>")
    );
    for path in [
        AUTHENTICATOR.to_lowercase(),
        AUTHENTICATOR.to_uppercase(),
        AUTHENTICATOR.replace("tor", "%74or"),
    ] {
        let answer = server.exchange(&get(&format!(
            "{path}/Login?username=alice&password=secret"
        )));
        assert_eq!(answer.status, 200, "{path}");
    }
    let answer = server.exchange(&soap_request("alice", "Connection: close\r\n"));
    assert_logged_in(&answer);
}

#[test]
fn other_paths_are_not_found() {
    let server = running!(fixture::router());
    for path in [
        "/SvcDotNet",
        "/SvcDotNet/",
        "/SvcDotNet/Authenticator.asm",
        "/SvcDotNet/Authenticator.asmxx",
        "/SvcDotNet/Nope.asmx",
        "/x/SvcDotNet/Authenticator.asmx",
        "/%00",
        "*",
    ] {
        for method in ["GET", "POST", "DELETE"] {
            let request = with_method(method, path);
            let answer = server.exchange(&request);
            // hyper itself refuses a target that is not a URI.
            assert!(
                [404, 400].contains(&answer.status),
                "{method} {path}: {}",
                answer.status
            );
            assert!(
                !answer.text().contains('<'),
                "{method} {path}: {}",
                answer.text()
            );
        }
    }
}

#[test]
fn other_methods_are_refused_with_allow() {
    let server = running!(fixture::router());
    for (path, allowed) in [
        (AUTHENTICATOR.to_owned(), &["POST"][..]),
        (DEVICE.to_owned(), &["POST"]),
        (format!("{AUTHENTICATOR}/Login"), &["GET", "POST"]),
        (format!("{DEVICE}/NoOp"), &["GET", "POST"]),
    ] {
        for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"] {
            let answer = server.exchange(&with_method(method, &path));
            assert_eq!(answer.status, 405, "{method} {path}");
            let allow: Vec<&str> = answer
                .header("allow")
                .unwrap_or_default()
                .split(", ")
                .collect();
            for method in allowed {
                assert!(allow.contains(method), "{path}: {allow:?}");
            }
            assert_eq!(
                answer.header("content-type"),
                Some("text/plain; charset=utf-8"),
                "{method} {path}"
            );
        }
    }
}

#[tokio::test]
async fn servers_mount_in_axum() {
    let operations = format!("{AUTHENTICATOR}/{{operation}}");
    let app: axum::Router = axum::Router::new()
        .route("/health", axum::routing::get(|| async { "well" }))
        .route_service(AUTHENTICATOR, fixture::authenticator_server())
        .route_service(&operations, fixture::authenticator_server())
        .fallback_service(Router::new().with_service(fixture::device_login_server()));
    let call = |request: http::Request<axum::body::Body>| {
        let mut app = app.clone();
        async move {
            let answer = Service::call(&mut app, request)
                .await
                .expect("never an error");
            let (parts, body) = answer.into_parts();
            let body = body.collect().await.expect("a body").to_bytes();
            (
                parts.status.as_u16(),
                String::from_utf8(body.to_vec()).expect("UTF-8"),
            )
        }
    };
    let get = |path: &str| {
        http::Request::get(path)
            .body(axum::body::Body::empty())
            .expect("a request")
    };
    assert_eq!(call(get("/health")).await, (200, "well".to_owned()));
    let (status, body) = call(get(&format!(
        "{AUTHENTICATOR}/Login?username=alice&password=secret"
    )))
    .await;
    assert!(
        status == 200 && body.contains(">true</boolean>"),
        "{status} {body}"
    );
    let (status, body) = call(get(&format!("{DEVICE}/TestConnection"))).await;
    assert!(
        status == 200 && body.contains(">connection ok<"),
        "{status} {body}"
    );
    let (status, _) = call(get("/nothing")).await;
    assert_eq!(status, 404);
    let request = http::Request::post(AUTHENTICATOR)
        .header("Content-Type", "text/xml; charset=utf-8")
        .body(axum::body::Body::from(soap("alice")))
        .expect("a request");
    let (status, body) = call(request).await;
    assert!(
        status == 200 && body.contains("<LoginResult>true</LoginResult>"),
        "{status} {body}"
    );
}

#[test]
fn an_axum_router_is_served_too() {
    let app: axum::Router = axum::Router::new()
        .route("/health", axum::routing::get(|| async { "well" }))
        .fallback_service(fixture::router());
    let server = running!(app);
    assert_eq!(server.exchange(&get("/health")).text(), "well");
    assert_logged_in(&server.exchange(&soap_request("alice", "Connection: close\r\n")));
}

#[tokio::test]
async fn servers_take_any_body() {
    let body = Frames(vec!["password=secret", "name=alice&", "user"]);
    let request = http::Request::post(format!("{AUTHENTICATOR}/Login"))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .body(body)
        .expect("a request");
    let answer = Service::call(&mut fixture::router(), request)
        .await
        .expect("never an error");
    let body = answer
        .into_body()
        .collect()
        .await
        .expect("a body")
        .to_bytes();
    assert!(body.ends_with(b">true</boolean>"), "{body:?}");
}

/// A stream of frames, in reverse order.
struct Frames(Vec<&'static str>);

impl http_body::Body for Frames {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, Self::Error>>> {
        std::task::Poll::Ready(
            self.0
                .pop()
                .map(|data| Ok(http_body::Frame::data(Bytes::from(data)))),
        )
    }
}

#[test]
fn a_connection_carries_several_calls() {
    let server = running!(fixture::router());
    let mut connection = server.connect();
    for username in ["alice", "bob", "alice"] {
        connection.send(&soap_request(username, "")).expect("sent");
        let answer = connection.answer().expect("an answer");
        assert!(answer.text().contains(&format!(
            "<LoginResult>{}</LoginResult>",
            username == "alice"
        )));
        assert!(!closes(&answer));
    }
    // A fault or a routing error does not close a connection, either.
    connection.send(&soap_request("throw", "")).expect("sent");
    assert_eq!(connection.answer().expect("an answer").status, 500);
    connection
        .send(b"GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n")
        .expect("sent");
    assert_eq!(connection.answer().expect("an answer").status, 404);
    connection.send(&soap_request("alice", "")).expect("sent");
    assert_logged_in(&connection.answer().expect("an answer"));
}

#[test]
fn pipelined_calls_are_answered_in_order() {
    let server = running!(fixture::router());
    let mut connection = server.connect();
    let both = [
        soap_request("alice", ""),
        soap_request("bob", ""),
        soap_request("alice", "Connection: close\r\n"),
    ]
    .concat();
    connection.send(&both).expect("sent");
    for expected in ["true", "false", "true"] {
        let answer = connection.answer().expect("an answer");
        assert!(
            answer
                .text()
                .contains(&format!("<LoginResult>{expected}</LoginResult>")),
            "{}",
            answer.text()
        );
    }
    assert_eq!(connection.rest().expect("the end"), b"");
}

#[test]
fn connection_close_is_echoed_and_kept() {
    let server = running!(fixture::router());
    for value in ["close", "Close", "close, TE"] {
        let mut connection = server.connect();
        connection
            .send(&soap_request("alice", &format!("Connection: {value}\r\n")))
            .expect("sent");
        let answer = connection.answer().expect("an answer");
        assert_logged_in(&answer);
        assert!(closes(&answer), "{value}: {:?}", answer.headers);
        assert_eq!(connection.rest().expect("the end"), b"");
    }
}

#[test]
fn http_1_0_is_served() {
    let server = running!(fixture::router());
    let mut connection = server.connect();
    let body = soap("alice");
    connection
        .send((head("HTTP/1.0", Some(body.len()), "") + &body).as_bytes())
        .expect("sent");
    let answer = connection.answer().expect("an answer");
    assert_logged_in(&answer);
    assert_eq!(answer.header("transfer-encoding"), None);
    assert_eq!(connection.rest().expect("the end"), b"");

    let mut connection = server.connect();
    let request =
        format!("GET {AUTHENTICATOR}/Login?username=alice&password=secret HTTP/1.0\r\n\r\n");
    connection.send(request.as_bytes()).expect("sent");
    assert_eq!(connection.answer().expect("an answer").status, 200);
}

#[test]
fn expect_100_continue_is_honoured() {
    let server = running!(fixture::router());
    let mut connection = server.connect();
    let body = soap("alice");
    connection
        .send(head("HTTP/1.1", Some(body.len()), "Expect: 100-continue\r\n").as_bytes())
        .expect("sent");
    let (status, _) = connection.head().expect("an interim answer");
    assert_eq!(status, 100);
    connection.send(body.as_bytes()).expect("sent");
    assert_logged_in(&connection.answer().expect("an answer"));

    // A caller that does not wait is served, too.
    let mut connection = server.connect();
    connection
        .send(&soap_request("alice", "Expect: 100-continue\r\n"))
        .expect("sent");
    assert_logged_in(&connection.answer().expect("an answer"));
}

#[test]
fn odd_callers_are_served() {
    let server = running!(fixture::router());
    for extra in [
        "Accept: application/soap\r\n",
        "TE: trailers\r\n",
        "Accept-Encoding: gzip, deflate\r\n",
        "Content-Encoding: identity\r\n",
        "Content-Encoding: \r\n",
        "Content-Encoding: UTF-8\r\n",
        "Pragma: no-cache\r\n",
        "Accept: text/html\r\nAccept-Language: xx\r\n",
        "Cookie: a=b\r\n",
        "Connection: TE\r\n",
        "Connection: keep-alive\r\nKeep-Alive: 300\r\n",
        "X: \u{e9}\r\n",
    ] {
        assert_logged_in(&server.exchange(&soap_request("alice", extra)));
    }
    let answer = server.exchange(&soap_request("alice", "Content-Encoding: gzip\r\n"));
    assert_eq!(answer.status, 415, "{}", answer.text());
    let get = format!("GET {DEVICE}/NoOp HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\n\r\n");
    assert_eq!(server.exchange(get.as_bytes()).status, 200);
}

fn chunked(body: &str, size: usize) -> Vec<u8> {
    let mut request = head("HTTP/1.1", None, "Transfer-Encoding: chunked\r\n").into_bytes();
    for chunk in body.as_bytes().chunks(size) {
        request.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        request.extend_from_slice(chunk);
        request.extend_from_slice(b"\r\n");
    }
    request.extend_from_slice(b"0\r\n\r\n");
    request
}

#[test]
fn chunked_bodies_are_read_and_limited() {
    let body = soap("alice");
    let limited = |bytes: usize| {
        let options = ServerOptions::new().with_limits(Limits::default().with_body(bytes));
        Router::new().with_service(AuthenticatorServer::new(Fixture).with_options(options))
    };
    let (enough, short) = (limited(body.len()), limited(body.len() - 1));
    let enough = running!(enough);
    let short = running!(short);
    for size in [1, 7, 100, 10_000] {
        assert_logged_in(&enough.exchange(&chunked(&body, size)));
        let answer = short.exchange(&chunked(&body, size));
        assert_eq!(answer.status, 500, "{}", answer.text());
        assert!(
            answer.text().contains("<faultcode>soap:Server</faultcode>"),
            "{}",
            answer.text()
        );
    }
    assert_logged_in(&enough.exchange(&soap_request("alice", "")));
    assert_eq!(short.exchange(&soap_request("alice", "")).status, 500);
}

/// A caller whose request is refused by its head can send it to the end, receives the reason and
/// may continue.
#[test]
fn refused_requests_are_read_to_their_end() {
    let server = running!(fixture::router());
    let body = " ".repeat(300_000);
    for (line, media_type, status) in [
        ("POST /nope", "text/xml", 404),
        (&*format!("PUT {AUTHENTICATOR}"), "text/xml", 405),
        (&*format!("POST {AUTHENTICATOR}"), "text/plain", 415),
        (&*format!("POST {AUTHENTICATOR}/Nope"), "text/xml", 500),
        (&*format!("GET {DEVICE}/NoOp"), "text/xml", 200),
    ] {
        let head = |extra: &str| {
            let length = body.len();
            format!(
                "{line} HTTP/1.1\r\nHost: h\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n{extra}\r\n"
            )
        };
        let mut connection = server.connect();
        connection.send(head("").as_bytes()).expect("sent");
        std::thread::sleep(Duration::from_millis(50));
        for part in body.as_bytes().chunks(100_000) {
            connection.send(part).expect(line);
        }
        assert_eq!(connection.answer().expect(line).status, status, "{line}");
        connection.send(&soap_request("alice", "")).expect("sent");
        assert_logged_in(&connection.answer().expect(line));
        if status == 200 {
            continue;
        }
        // A caller that expects `100-continue` is told not to send it.
        let mut connection = server.connect();
        connection
            .send(head("Expect: 100-continue\r\n").as_bytes())
            .expect("sent");
        let answer = connection.answer().expect(line);
        assert_eq!(
            (answer.status, &answer.interim[..]),
            (status, &[][..]),
            "{line}"
        );
        assert!(closes(&answer), "{line}");
    }
}

/// A body that never ends is cut at the limit, and not kept in memory.
#[test]
fn endless_bodies_are_cut() {
    let server = running!(fixture::router());
    let mut connection = server.connect();
    connection
        .send(head("HTTP/1.1", None, "Transfer-Encoding: chunked\r\n").as_bytes())
        .expect("sent");
    let chunk = [b"10000\r\n".as_slice(), &[b' '; 0x1_0000], b"\r\n"].concat();
    let mut sent = 0;
    while sent < 64 << 20 && connection.send(&chunk).is_ok() {
        sent += 0x1_0000;
    }
    assert!(sent < 64 << 20, "the server takes everything");
    // If the answer arrives before the reset, it is a fault.
    if let Ok(answer) = connection.answer() {
        assert_eq!(answer.status, 500);
    }
    assert_logged_in(&server.exchange(&soap_request("alice", "")));
}

fn assert_cut(server: &Running, bytes: &[u8], what: &str) {
    let mut connection = server.connect();
    connection.send(bytes).expect("sent");
    // Closing and a reset are both an end.
    if let Err(error) = connection.rest() {
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset, "{what}");
    }
    assert_logged_in(&server.exchange(&soap_request("alice", "")));
}

#[test]
fn half_sent_headers_are_cut() {
    let server = running!(
        fixture::router(),
        with_header_timeout(Duration::from_millis(200))
    );
    assert_cut(
        &server,
        b"POST /SvcDotNet/Authenticator.asmx HTTP/1.1\r\nHost: h\r\nConte",
        "half a head",
    );
    assert_cut(&server, b"P", "one byte");
    assert_cut(&server, b"", "silence");
}

#[test]
fn half_sent_bodies_are_cut() {
    let server = running!(
        fixture::router(),
        with_body_timeout(Duration::from_millis(200))
    );
    let body = soap("alice");
    let half = head("HTTP/1.1", Some(body.len()), "") + &body[..20];
    assert_cut(&server, half.as_bytes(), "half a body");
    let chunk = head("HTTP/1.1", None, "Transfer-Encoding: chunked\r\n") + "5\r\n<s:En\r\n";
    assert_cut(&server, chunk.as_bytes(), "one chunk");
}

/// The longest duration means that there is no timeout.
#[test]
fn times_may_be_endless() {
    let server = running!(
        fixture::router(),
        with_header_timeout(Duration::MAX),
        with_body_timeout(Duration::MAX),
        with_write_timeout(Duration::MAX),
        with_shutdown_timeout(Duration::MAX)
    );
    let request = soap_request("alice", "");
    let mut connection = server.connect();
    for part in request.chunks(request.len() / 4) {
        connection.send(part).expect("sent");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_logged_in(&connection.answer().expect("an answer"));
}

/// Panics when a user named `panic` logs in, is slow for `slow`, never answers `endless`, answers
/// `together` when all of these have arrived, and otherwise does the same as the fixture.
struct Moody {
    started: Arc<tokio::sync::Notify>,
    together: tokio::sync::Barrier,
}

/// The number of users named `together`.
const TOGETHER: usize = 20;

impl AuthenticatorHandler for Moody {
    async fn client_auth_with_result(
        &self,
        context: &Context,
        request: ClientAuthWithResultRequest,
    ) -> Result<LoginResult, Fault> {
        Fixture.client_auth_with_result(context, request).await
    }

    async fn login(&self, context: &Context, request: LoginRequest) -> Result<bool, Fault> {
        match request.username.as_deref() {
            Some("panic") => panic!("this panic is part of the test"),
            Some("panic later") => {
                tokio::task::yield_now().await;
                panic!("this panic is part of the test");
            }
            Some("slow") => {
                self.started.notify_one();
                tokio::time::sleep(Duration::from_millis(400)).await;
                Ok(true)
            }
            Some("endless") => {
                self.started.notify_one();
                std::future::pending().await
            }
            Some("together") => {
                self.together.wait().await;
                Ok(true)
            }
            _ => AuthenticatorHandler::login(&Fixture, context, request).await,
        }
    }
}

fn moody() -> (AuthenticatorServer<Moody>, Arc<tokio::sync::Notify>) {
    let started = Arc::new(tokio::sync::Notify::new());
    (
        AuthenticatorServer::new(Moody {
            started: Arc::clone(&started),
            together: tokio::sync::Barrier::new(TOGETHER),
        }),
        started,
    )
}

#[test]
fn a_panicking_handler_is_a_server_fault() {
    let (service, _) = moody();
    let server = running!(service);
    let mut connection = server.connect();
    for username in ["panic", "panic later"] {
        connection.send(&soap_request(username, "")).expect("sent");
        let answer = connection.answer().expect("an answer");
        assert_eq!(answer.status, 500);
        assert!(
            answer.text().contains("<faultcode>soap:Server</faultcode>"),
            "{}",
            answer.text()
        );
        assert!(
            !answer.text().contains("part of the test"),
            "{}",
            answer.text()
        );
        connection.send(&soap_request("alice", "")).expect("sent");
        assert_logged_in(&connection.answer().expect("an answer"));
    }
    let answer = server.exchange(&get(&format!(
        "{AUTHENTICATOR}/Login?username=panic&password=p"
    )));
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (500, Some("text/plain; charset=utf-8"))
    );
    assert_logged_in(&server.exchange(&soap_request("alice", "")));
}

#[test]
fn a_graceful_stop_finishes_the_calls_that_run() {
    let (service, started) = moody();
    let mut server = running!(service);
    let mut idle = server.connect();
    idle.send(&soap_request("alice", "")).expect("sent");
    assert_logged_in(&idle.answer().expect("an answer"));

    let mut busy = server.connect();
    busy.send(&soap_request("slow", "")).expect("sent");
    wait_for(&started);
    server.ask_to_stop();
    let answer = busy.answer().expect("an answer");
    assert_logged_in(&answer);
    assert_eq!(busy.rest().expect("the end"), b"");
    assert_eq!(idle.rest().expect("the end"), b"");
    let address = server.address;
    server.stop().expect("a server that stops in peace");
    let refused = std::net::TcpStream::connect(address).expect_err("nobody listens");
    assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
}

fn wait_for(notify: &tokio::sync::Notify) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    let waited = runtime
        .block_on(async { tokio::time::timeout(Duration::from_secs(10), notify.notified()).await });
    waited.expect("the handler started");
}

/// A call that never ends does not block the stop of the server forever.
#[test]
fn a_graceful_stop_ends() {
    let (service, started) = moody();
    let server = running!(service, with_shutdown_timeout(Duration::from_millis(50)));
    let mut busy = server.connect();
    busy.send(&soap_request("endless", "")).expect("sent");
    wait_for(&started);
    server.stop().expect("a server that stops in peace");
}

/// Many concurrent connections, each with its own calls.
#[test]
fn calls_run_side_by_side() {
    let (service, _) = moody();
    let server = running!(service);
    std::thread::scope(|scope| {
        for _ in 0..TOGETHER {
            scope.spawn(|| assert_logged_in(&server.exchange(&soap_request("together", ""))));
        }
    });
}

/// The header timeout is for a single head: calls and bodies, which take longer here, do not count.
#[test]
fn only_heads_take_the_time_of_heads() {
    let (service, _) = moody();
    let server = running!(service, with_header_timeout(Duration::from_millis(200)));
    let mut connection = server.connect();
    for _ in 0..2 {
        connection.send(&soap_request("slow", "")).expect("sent");
        assert_logged_in(&connection.answer().expect("an answer"));
    }
    let request = soap_request("alice", "");
    let (start, rest) = request.split_at(request.len() - 20);
    connection.send(start).expect("sent");
    std::thread::sleep(Duration::from_millis(400));
    connection.send(rest).expect("sent");
    assert_logged_in(&connection.answer().expect("an answer"));
    assert_eq!(connection.rest().expect("the end"), b"");
}

/// The headers of a caller are available to the handler, with the binding and the operation.
#[tokio::test]
async fn the_context_tells_about_the_call() {
    struct Curious;
    impl AuthenticatorHandler for Curious {
        async fn client_auth_with_result(
            &self,
            context: &Context,
            _request: ClientAuthWithResultRequest,
        ) -> Result<LoginResult, Fault> {
            let header = context
                .headers()
                .get("x-trace")
                .and_then(|value| value.to_str().ok())
                .unwrap_or("none");
            let (binding, service, operation) = (
                context.binding(),
                context.service().name,
                context.operation().name,
            );
            let message = format!(
                "{binding} {service} {operation} {header} {}",
                context.uri().path()
            );
            Ok(LoginResult {
                message: Some(message),
                ..Default::default()
            })
        }

        async fn login(&self, _context: &Context, _request: LoginRequest) -> Result<bool, Fault> {
            Ok(false)
        }
    }
    let server = AuthenticatorServer::new(Curious);
    let path = format!(
        "{AUTHENTICATOR}/ClientAuthWithResult?username=a&password=b&macAddress=c&processName=d"
    );
    let request = http::Request::get(path)
        .header("X-Trace", "t-1")
        .body(Bytes::new())
        .expect("a request");
    let answer = server.answer(request).await;
    let body = String::from_utf8(answer.into_body().to_vec()).expect("UTF-8");
    let expected = format!(
        " Authenticator ClientAuthWithResult t-1 {AUTHENTICATOR}/ClientAuthWithResult</Message>"
    );
    assert!(body.contains(&expected), "{body}");
}
