//! Requests for operations without a handler method are forwarded to another server unchanged, and
//! its answers are returned unchanged.

mod failing;
mod http2;
mod original;
mod targets;
mod watched;

use std::convert::Infallible;
use std::time::Duration;

use svcgen::HttpTransport;
use svcgen::codegen::DispatchTo;
use svcgen::fallback::Fallback;
use svcgen::layer::CallResponse;
use svcgen::{Binding, Context, Documents, Fault, Limits, Router, ServerOptions};
use svcgen_attachments::{Attachments, ServerAttachments as _};
use svcgen_tests::raw_http::{Answer, Running};
use svcgen_ws::ws_addressing::ServerAddressing as _;
use svcgen_ws::ws_security::{ReceivedToken, ServerSecurity as _, WsSecurity};
use tower::ServiceBuilder;

use crate::worker::{Worker, body, call, call_over, head};
use original::{Original, Sent};
use work::{NotifyRequest, StoreRequest, WorkHandler, WorkServer};

#[derive(svcgen::Service)]
#[service(definition = "serving/work.yaml", optional_methods = ".")]
struct Work;

/// Implements no operation.
struct Nothing;

impl WorkHandler for Nothing {}

/// Implements one operation.
struct Stores;

impl WorkHandler for Stores {
    async fn store(&self, _: &Context, request: StoreRequest) -> Result<String, Fault> {
        Ok(format!("new {}", request.text))
    }
}

const OPERATIONS: [&str; 3] = ["Store", "Read", "Notify"];

/// Returns a server without an implemented operation.
fn before(original: &Original) -> WorkServer<Nothing> {
    WorkServer::new(Nothing).with_fallback(fallback(original))
}

/// Returns a server with one implemented operation.
fn moving(original: &Original) -> WorkServer<Stores> {
    WorkServer::new(Stores).with_fallback(fallback(original))
}

fn fallback(original: &Original) -> Fallback {
    HttpTransport::fallback(&original.url()).unwrap()
}

#[test]
fn the_original_checks_the_headers_that_it_gets() {
    let original = Original::answering(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 4\r\n\r\n<a/>",
    );
    let policy = WsSecurity::new(|_: &ReceivedToken| false);
    let server = running!(
        moving(&original)
            .with_ws_security(policy)
            .with_ws_addressing()
    );
    let passed = server.exchange(&call("Read", "x"));
    assert_eq!((passed.status, passed.text()), (200, "<a/>"));
    let refused = server.exchange(&call("Store", "x"));
    assert!(
        refused.text().contains("q0:InvalidSecurity<"),
        "{}",
        refused.text()
    );
}

/// Without other information, the body names the operation, also in a package.
#[test]
fn messages_with_parts_go_where_their_operation_is() {
    let original = Original::answering(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 4\r\n\r\n<a/>",
    );
    let server = running!(moving(&original).with_attachments(Attachments::new()));
    for (operation, answered) in [("Store", "new x"), ("Read", "<a/>")] {
        for action in ["", "SOAPAction: \"urn:example:work/*\"\r\n"] {
            let action = action.replace('*', operation);
            let message = body(operation, "x");
            let package = format!(
                "--b\r\nContent-Type: text/xml\r\n\r\n{message}\r\n--b\r\n\r\npart\r\n--b--"
            );
            let length = package.len();
            let request = format!(
                "POST /Work.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/related; boundary=b\r\n{action}Content-Length: {length}\r\n\r\n{package}"
            );
            let answer = server.exchange(request.as_bytes());
            assert!(answer.text().contains(answered), "{}", answer.text());
            if operation == "Read" {
                assert_eq!(original.next().body, package.as_bytes());
            }
            assert!(original.is_done());
        }
    }
}

/// Returns the headers without `Date`, sorted by name.
fn headers(answer: &Answer) -> Vec<(String, String)> {
    let told = answer.headers.iter();
    let told = told.map(|(name, value)| (name.to_ascii_lowercase(), value.clone()));
    let mut told: Vec<_> = told.filter(|(name, _)| name != "date").collect();
    told.sort();
    told
}

fn same(one: &Answer, other: &Answer) -> bool {
    one.status == other.status && headers(one) == headers(other) && one.body == other.body
}

#[test]
fn without_a_fallback_every_binding_tells_what_is_not_written() {
    // A layer that is slow after the handler must not turn the fault of a one-way call into 202.
    let slow = || {
        ServiceBuilder::new().then(async |answer: Result<CallResponse, Infallible>| {
            tokio::time::sleep(Duration::from_millis(20)).await;
            answer
        })
    };
    let plain = running!(WorkServer::new(Nothing));
    let layered = running!(WorkServer::new(Nothing).with_layer(slow()));
    for server in [&plain, &layered] {
        for binding in Binding::ALL {
            for operation in OPERATIONS {
                let answer = server.exchange(&call_over(binding, operation, "text"));
                assert_eq!(answer.status, 500, "{binding} {operation}");
                let text = format!("The operation `{operation}` is not implemented.");
                assert!(answer.text().contains(&text), "{binding} {answer:?}");
            }
        }
    }
    // A fault of an implemented one-way operation is not returned, as in ASMX.
    let written = running!(WorkServer::new(Notified));
    for binding in Binding::SOAP {
        let answer = written.exchange(&call_over(binding, "Notify", "text"));
        assert_eq!((answer.status, answer.text()), (202, ""), "{binding}");
    }
}

/// Fails in its only operation, which is one-way.
struct Notified;

impl WorkHandler for Notified {
    async fn notify(&self, _: &Context, _: NotifyRequest) -> Result<(), Fault> {
        Err(Fault::exception("The queue is full."))
    }
}

#[test]
fn requests_and_answers_pass_unchanged_over_every_binding() {
    let original = Original::answering(
        b"HTTP/1.1 299 Odd\r\nContent-Type: text/odd\r\nX-Odd: a\r\nx-odd: b\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nServer: IIS\r\n\
          Keep-Alive: timeout=5\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nContent-Length: 4\r\n\r\na\0\xffb",
    );
    let server = running!(before(&original));
    for binding in Binding::ALL {
        for operation in OPERATIONS {
            let request = call_over(binding, operation, "some text");
            let added = b"X-Own: \xe9 1\r\nX-Hop-Too: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\nConnection: keep-alive, X-Hop-Too\r\n\r\n";
            let at = request.windows(4).position(|bytes| bytes == b"\r\n\r\n");
            let (start, rest) = request.split_at(at.unwrap() + 2);
            let sent = [start, added, &rest[2..]].concat();
            let answer = server.exchange(&sent);
            let expected = [
                ("content-length", "4"),
                ("content-type", "text/odd"),
                ("server", "IIS"),
                ("set-cookie", "a=1"),
                ("set-cookie", "b=2"),
                ("x-odd", "a"),
                ("x-odd", "b"),
            ];
            let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
            assert_eq!(answer.status, 299, "{binding} {operation}");
            assert_eq!(headers(&answer), expected, "{binding} {operation}");
            assert_eq!(answer.body, b"a\0\xffb");
            let (mut came, got) = (Sent::read(&request), original.next());
            came.set("host", &original.host());
            came.headers.push(("x-own".to_owned(), b"\xe9 1".to_vec()));
            came.headers.sort();
            assert_eq!(got, came, "{binding} {operation}");
        }
    }
    assert!(original.is_done());
}

#[test]
fn answers_are_those_that_the_original_gives_itself() {
    let old = running!(crate::worker::WorkServer::new(Worker::new()));
    let url = format!("http://{}", old.address);
    let both = HttpTransport::fallback(&url).unwrap().with_documents(true);
    let server = running!(WorkServer::new(Nothing).with_fallback(both));
    let get = |target: &str| format!("GET {target} HTTP/1.1\r\nHost: {}\r\n\r\n", old.address);
    let mut requests: Vec<_> = ["/", "/Other.asmx", "/Work.asmx", "/Work.asmx?wsdl"]
        .into_iter()
        .chain([
            "/Work.asmx?op=Read",
            "/Work.asmx/js",
            "/Work.asmx/Nothing?a=1",
        ])
        .map(|target| get(target).into_bytes())
        .collect();
    for binding in Binding::ALL {
        let calls = OPERATIONS.map(|operation| call_over(binding, operation, "some text"));
        requests.extend(calls);
        requests.push(call_over(binding, "Unknown", "some text"));
    }
    requests.push((head("Read", 3) + "<a>").into_bytes());
    requests.push(b"PUT /Work.asmx HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\na".to_vec());
    for request in requests {
        let [asked, passed] = [&old, &server].map(|running| running.exchange(&request));
        let text = String::from_utf8_lossy(&request).into_owned();
        assert!(same(&asked, &passed), "{text}\n{asked:?}\n{passed:?}");
    }
}

#[test]
fn a_written_method_moves_its_operation_over_and_no_other() {
    let original = Original::new();
    let server = running!(moving(&original));
    for binding in Binding::ALL {
        let answer = server.exchange(&call_over(binding, "Store", "text"));
        assert_eq!(answer.status, 200, "{binding}");
        assert!(answer.text().contains("new text"), "{binding} {answer:?}");
        assert!(original.is_done(), "{binding}");
        for operation in ["Read", "Notify"] {
            let answer = server.exchange(&call_over(binding, operation, "text"));
            assert_eq!(answer.text(), "original", "{binding} {operation}");
            original.next();
        }
    }
}

#[derive(svcgen::Service)]
#[service(definition = "definitions/valid/messages.yaml", optional_methods = ".")]
struct Messages;

#[derive(svcgen::Service)]
#[service(definition = "definitions/lab/encoded.yaml", optional_methods = ".")]
struct Encoded;

impl messages::MessagesHandler for Stores {
    async fn logout(&self, _: &Context, _: messages::LogoutHeaders) -> Result<(), Fault> {
        Ok(())
    }
}

impl wide_encoded::WideEncodedHandler for Nothing {}

#[test]
fn methods_of_every_shape_are_known_to_be_written_or_not() {
    let operations = messages::MODULE.service.unwrap().operations;
    assert!(operations.len() > 6);
    for (index, operation) in operations.iter().enumerate() {
        let implements = <messages::MessagesService as DispatchTo<Stores>>::implements(index);
        assert_eq!(implements, operation.name == "Logout", "{}", operation.name);
    }
    for index in 0..wide_encoded::MODULE.service.unwrap().operations.len() {
        assert!(!<wide_encoded::WideEncodedService as DispatchTo<Nothing>>::implements(index));
    }
}

#[test]
fn without_a_fallback_operations_that_are_not_written_are_faults() {
    let server = running!(WorkServer::new(Stores));
    let answer = server.exchange(&call("Read", "text"));
    let text = "The operation `Read` is not implemented.";
    assert!(
        answer.status == 500 && answer.text().contains(text),
        "{answer:?}"
    );
}

#[test]
fn nobody_reaches_the_old_code_of_a_moved_operation_by_a_message_that_is_not_read() {
    let original = Original::new();
    let server = running!(moving(&original));
    let broken = |operation| (head(operation, 3) + "<a>").into_bytes();
    assert_eq!(server.exchange(&broken("Store")).status, 500);
    let compressed = |operation| {
        let head = head(operation, 3).replace("\r\n\r\n", "\r\nContent-Encoding: br\r\n\r\n");
        (head + "abc").into_bytes()
    };
    assert_eq!(server.exchange(&compressed("Store")).status, 415);
    assert!(original.is_done());
    // Requests for the original are not parsed.
    for request in [broken("Read"), compressed("Read")] {
        assert_eq!(server.exchange(&request).text(), "original");
        assert_eq!(original.next().body, Sent::read(&request).body);
    }
    // A request that does not name its operation is parsed; up to its end it names none.
    let unnamed = head("Read", 3).replace("SOAPAction: \"urn:example:work/Read\"\r\n", "");
    let answer = server.exchange(&(unnamed + "<a>").into_bytes());
    assert_eq!(answer.text(), "original");
}

#[test]
fn operations_that_only_the_body_names_are_told_apart() {
    use std::io::Write;

    let original = Original::new();
    let options = ServerOptions::new().with_gzip(true);
    let options = options.with_fallback(fallback(&original));
    let server = running!(WorkServer::new(Stores).with_options(options));
    for operation in ["Store", "Read"] {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(body(operation, "text").as_bytes()).unwrap();
        for (coding, body) in [
            ("", body(operation, "text").into_bytes()),
            ("Content-Encoding: gzip\r\n", gzip.finish().unwrap()),
        ] {
            let head = format!(
                "POST /Work.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\n{coding}Content-Length: {}\r\n\r\n",
                body.len()
            );
            let answer = server.exchange(&[head.as_bytes(), &body].concat());
            if operation == "Store" {
                assert!(answer.text().contains("new text"), "{coding} {answer:?}");
                assert!(original.is_done());
            } else {
                assert_eq!(answer.text(), "original", "{coding}");
                assert_eq!(original.next().body, body, "{coding}");
            }
        }
    }
}

#[test]
fn documents_are_those_of_the_server_unless_asked_for() {
    let original = Original::new();
    let get = |target: &str| format!("GET {target} HTTP/1.1\r\nHost: h\r\n\r\n").into_bytes();
    let targets = ["/Work.asmx", "/Work.asmx?wsdl", "/Work.asmx/js", "/"];
    let own = running!(
        Router::new()
            .with_fallback(fallback(&original))
            .with_service(WorkServer::new(Nothing))
    );
    for target in targets {
        let answer = own.exchange(&get(target));
        assert!(
            answer.status == 200 && answer.text() != "original",
            "{target}"
        );
    }
    assert!(original.is_done());
    let all = fallback(&original).with_documents(true);
    let router = Router::new().with_service(WorkServer::new(Nothing));
    let theirs = running!(router.with_fallback(all));
    for target in targets {
        assert_eq!(theirs.exchange(&get(target)).text(), "original", "{target}");
        assert_eq!(original.next().target, target);
    }
    // Without documents, these queries are forwarded.
    let off = before(&original).with_documents(Documents::off());
    assert_eq!(
        running!(off).exchange(&get("/Work.asmx?wsdl")).text(),
        "original"
    );
}

#[test]
fn routers_pass_on_other_paths_and_what_their_services_lack() {
    let (original, other) = (
        Original::new(),
        Original::answering(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother"),
    );
    let moved = moving(&other).with_paths(["/Moved.asmx"]).unwrap();
    let services = Router::new()
        .with_service(moved)
        .with_service(WorkServer::new(Stores));
    let server = running!(services.with_fallback(fallback(&original)));
    let asked = |request: Vec<u8>| server.exchange(&request).text().to_owned();
    assert_eq!(asked(call("Read", "text")), "original");
    assert_eq!(
        asked(b"DELETE /any/path?a=b HTTP/1.1\r\nHost: h\r\n\r\n".to_vec()),
        "original"
    );
    assert!(asked(call("Store", "text")).contains("new text"));
    // A service with its own fallback keeps it.
    let moved = String::from_utf8(call("Read", "text"))
        .unwrap()
        .replace("/Work", "/Moved");
    assert_eq!(asked(moved.into_bytes()), "other");
    let empty = running!(Router::new().with_fallback(fallback(&original)));
    assert_eq!(empty.exchange(&call("Read", "text")).text(), "original");
}

#[test]
fn bodies_are_bounded_and_asked_for() {
    let original = Original::new();
    let limits = Limits::default().with_body(1000);
    let server = running!(before(&original).with_limits(limits));
    let of_length = |length: usize, more: &str| {
        let head = head("Read", length).replace("\r\n\r\n", &format!("\r\n{more}\r\n"));
        [head.as_bytes(), &vec![b'a'; length]].concat()
    };
    assert_eq!(server.exchange(&of_length(1000, "")).text(), "original");
    assert_eq!(original.next().body.len(), 1000);
    for (path, type_of_answer) in [("/Work.asmx", "text/xml"), ("/Other.asmx", "text/plain")] {
        let request = String::from_utf8(of_length(1001, "")).unwrap();
        let answer = server.exchange(request.replace("/Work.asmx", path).as_bytes());
        assert_eq!(answer.status, 500, "{path}");
        assert!(
            answer.text().contains("Maximum request length exceeded."),
            "{path}"
        );
        assert!(
            answer
                .header("content-type")
                .unwrap()
                .starts_with(type_of_answer),
            "{path}"
        );
    }
    assert!(original.is_done());
    // The body is requested before the original gets the request.
    let mut connection = server.connect();
    let request = of_length(10, "Expect: 100-continue\r\n");
    let (start, rest) = request.split_at(request.len() - 10);
    connection.send(start).unwrap();
    assert_eq!(connection.head().unwrap().0, 100);
    connection.send(rest).unwrap();
    assert_eq!(connection.answer().unwrap().text(), "original");
    assert_eq!(original.next().header("expect"), None);
    let mut connection = server.connect();
    let too_long = String::from_utf8(of_length(1001, "Expect: 100-continue\r\n")).unwrap();
    connection
        .send(too_long.split_at(too_long.len() - 1001).0.as_bytes())
        .unwrap();
    let answer = connection.answer().unwrap();
    assert!(
        answer.interim.is_empty() && answer.status == 500,
        "{answer:?}"
    );
    assert!(original.is_done());
}

#[test]
fn bodies_in_chunks_and_in_gzip_keep_their_bytes() {
    let original = Original::new();
    let options = ServerOptions::new()
        .with_gzip(true)
        .with_fallback(fallback(&original));
    let server = running!(WorkServer::new(Nothing).with_options(options));
    let chunked = b"POST /Work.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nContent-Encoding: gzip\r\nAccept-Encoding: gzip, br\r\n\
                    Transfer-Encoding: chunked\r\n\r\n3\r\nab\x1f\r\n2;x=y\r\n\0\n\r\n0\r\nX-Trailer: 1\r\n\r\n";
    assert_eq!(server.exchange(chunked).text(), "original");
    let sent = original.next();
    assert_eq!(sent.body, b"ab\x1f\0\n");
    assert_eq!(sent.header("content-length"), Some("5"));
    assert_eq!(sent.header("content-encoding"), Some("gzip"));
    assert_eq!(sent.header("accept-encoding"), Some("gzip, br"));
    assert_eq!(sent.header("transfer-encoding"), None);
    assert_eq!(sent.header("x-trailer"), None);
}

#[test]
fn heads_and_answers_without_a_body_stay_so() {
    let answers: [(&str, &[u8], Option<&str>); 4] = [
        (
            "HEAD",
            b"HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n",
            Some("1234"),
        ),
        (
            "GET",
            b"HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n",
            None,
        ),
        ("GET", b"HTTP/1.1 204 No Content\r\n\r\n", None),
        (
            "GET",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
            Some("3"),
        ),
    ];
    for (method, answer, length) in answers {
        let original = Original::answering(answer);
        let plain = running!(before(&original));
        let layered = running!(crate::under_a_layer::around(before(&original)));
        for server in [&plain, &layered] {
            let mut connection = server.connect();
            // Two requests on a connection: a framing mistake shows in the next answer.
            for _ in 0..2 {
                let request = format!("{method} /Other.asmx HTTP/1.1\r\nHost: h\r\n\r\n");
                connection.send(request.as_bytes()).unwrap();
                let (status, headers) = connection.head().unwrap();
                let expected = String::from_utf8_lossy(&answer[9..12]).into_owned();
                assert_eq!(status.to_string(), expected, "{method}");
                let found = headers
                    .iter()
                    .find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
                assert_eq!(
                    found.map(|(_, value)| value.as_str()),
                    length,
                    "{method} {status}"
                );
                if method == "GET" && status == 200 {
                    assert_eq!(connection.read_exactly(3).unwrap(), b"abc");
                }
                assert_eq!(original.next().method, method);
            }
        }
    }
}

#[test]
fn connections_to_the_original_are_kept() {
    let original = Original::new();
    let server = running!(before(&original));
    let mut connection = server.connect();
    for _ in 0..3 {
        connection.send(&call("Read", "text")).unwrap();
        assert_eq!(connection.answer().unwrap().text(), "original");
        original.next();
    }
    assert_eq!(original.connections(), 1);
}

/// Returns the answers of a running server whose original cannot be reached.
fn exchange_all(server: &Running) -> Vec<(Binding, Answer)> {
    let each = Binding::ALL.into_iter();
    each.map(|binding| {
        (
            binding,
            server.exchange(&call_over(binding, "Read", "text")),
        )
    })
    .collect()
}
