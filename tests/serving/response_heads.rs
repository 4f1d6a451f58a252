//! The response headers and statuses that handlers set, over sockets; and unit tests of handlers,
//! with contexts that were not created by a server.

use http::{HeaderValue, StatusCode, header};
use svcgen::types::XmlFragment;
use svcgen::{Binding, Context, Fault, PeerCertificates};
use svcgen_tests::raw_http::Answer;
use svcgen_tests::work::MODULE;

use crate::worker::{
    NotifyRequest, ReadRequest, StoreRequest, WorkHandler, WorkServer, call, call_over, notify,
};

/// Sets the headers that the text of a call asks for.
struct Speaker;

fn say(context: &Context, text: &str) -> Result<String, Fault> {
    context.set_response_header("X-Version", 7)?;
    context.set_response_header("X-Version", 8)?;
    context.append_response_header("Vary", "Accept")?;
    context.append_response_header(header::VARY, HeaderValue::from_static("Origin"))?;
    context.set_cookie("a=b; Path=/; HttpOnly")?;
    context.set_cookie("c=\"d\"")?;
    match text {
        "fault" => {
            context.set_status(StatusCode::NOT_FOUND);
            return Err(Fault::client("There is none."));
        }
        "panic" => {
            context.set_status(StatusCode::NOT_FOUND);
            panic!("this panic is part of the test");
        }
        "length" => context.set_response_header("content-length", 7)?,
        "kept" => context.set_response_header("Cache-Control", "max-age=60")?,
        status => context.set_status(status.parse().expect("a status")),
    }
    Ok(text.to_owned())
}

impl WorkHandler for Speaker {
    async fn store(&self, context: &Context, request: StoreRequest) -> Result<String, Fault> {
        say(context, &request.text)
    }

    async fn read(&self, context: &Context, request: ReadRequest) -> Result<String, Fault> {
        let user = context.extensions().get::<&str>();
        let certificates = context.peer_certificates().len();
        let headers: Vec<_> = context
            .unknown_headers()
            .iter()
            .map(|known| known.name())
            .collect();
        Ok(format!(
            "{} {} {} {:?} {:?} {certificates} {headers:?} {:?} {}",
            context.method(),
            context.uri(),
            context.operation().name,
            context.headers().get(header::AUTHORIZATION),
            user,
            context.remote_address(),
            request.text,
        ))
    }

    async fn notify(&self, context: &Context, _: NotifyRequest) -> Result<(), Fault> {
        say(context, "201").map(drop)
    }
}

fn values<'a>(answer: &'a Answer, name: &str) -> Vec<&'a str> {
    let headers = answer.headers.iter();
    let named = headers.filter(|(known, _)| known.eq_ignore_ascii_case(name));
    named.map(|(_, value)| value.as_str()).collect()
}

#[test]
fn headers_and_cookies_hold_over_each_binding_and_the_status_over_http() {
    let server = running!(WorkServer::new(Speaker));
    let mut connection = server.connect();
    for binding in Binding::ALL {
        for (text, status, over_soap) in [
            ("200", 200, 200),
            ("201", 201, 200),
            ("kept", 200, 200),
            ("204", 204, 200),
            ("205", 205, 200),
            ("304", 304, 200),
            ("403", 403, 200),
            ("fault", 404, 500),
            ("panic", 500, 500),
        ] {
            let status = if binding.is_soap() { over_soap } else { status };
            connection
                .send(&call_over(binding, "Store", text))
                .expect("sent");
            let answer = connection.answer().expect("an answer");
            if binding == Binding::Json && ["fault", "panic"].contains(&text) {
                // As in ASMX, these errors do not have the headers.
                assert_eq!(answer.status, 500);
                assert_eq!(values(&answer, "jsonerror"), ["true"]);
                for name in ["x-version", "vary", "set-cookie"] {
                    assert_eq!(values(&answer, name), [""; 0]);
                }
                continue;
            }
            assert_eq!(answer.status, status, "{binding} {text}");
            assert_eq!(values(&answer, "x-version"), ["8"]);
            assert_eq!(values(&answer, "vary"), ["Accept", "Origin"]);
            assert_eq!(
                values(&answer, "set-cookie"),
                ["a=b; Path=/; HttpOnly", "c=\"d\""]
            );
            let is_empty = [204, 205, 304].contains(&status);
            assert_eq!(answer.body.is_empty(), is_empty, "{binding} {text}");
            assert_eq!(answer.header("content-type").is_none(), is_empty);
            let kept = if text == "kept" {
                "max-age=60"
            } else {
                "private, max-age=0"
            };
            assert_eq!(values(&answer, "cache-control"), [kept]);
        }
    }
}

#[test]
fn one_way_calls_are_answered_before_their_handler_says_anything() {
    let server = running!(WorkServer::new(Speaker));
    let answer = server.exchange(&notify("x", "1"));
    assert_eq!(answer.status, 202);
    // Over HTTP GET, the answer waits for the handler.
    let get = call_over(Binding::HttpGet, "Notify", "x");
    assert_eq!(server.exchange(&get).status, 201);
}

#[test]
fn what_the_http_server_sets_is_refused() {
    let server = running!(WorkServer::new(Speaker));
    let answer = server.exchange(&call("Store", "length"));
    assert_eq!(answer.status, 500);
    // Only the log has the error.
    let text = "There was an error processing the request.";
    assert!(answer.text().contains(text), "{}", answer.text());
    let context = Context::for_test(&MODULE, "Store");
    for name in [
        "Connection",
        "transfer-encoding",
        "TE",
        "Trailer",
        "Upgrade",
    ] {
        let error = context.append_response_header(name, "x").unwrap_err();
        let name = name.to_lowercase();
        assert!(
            error
                .to_string()
                .starts_with(&format!("The header {name} of"))
        );
    }
    let error = context.set_response_header("a b", "x").unwrap_err();
    assert_eq!(
        error.to_string(),
        "A header of the answer has no valid name: invalid HTTP header name."
    );
    let error = context.set_response_header("X-A", "a\r\nb").unwrap_err();
    assert_eq!(
        error.to_string(),
        "The header x-a of the answer has no valid value: failed to parse header value."
    );
    for cookie in [
        "",
        "a",
        "=b",
        "a b=c",
        "a=b c",
        "a=b,c",
        "a=\"b",
        "a=b; Path=/\r\nSet-Cookie: c=d",
        "a=b\u{e9}",
        "a=b; Path=\u{e9}",
    ] {
        let error = context.set_cookie(cookie).unwrap_err();
        assert!(
            error.to_string().starts_with("A cookie cannot be set: "),
            "{error}"
        );
    }
    assert!(context.response_headers().is_empty());
    assert_eq!(context.response_status(), None);
}

#[tokio::test]
async fn handlers_are_tested_without_a_server() {
    let context = Context::for_test(&MODULE, "Store");
    let fault = Speaker
        .store(
            &context,
            StoreRequest {
                text: "fault".to_owned(),
            },
        )
        .await;
    assert_eq!(fault.unwrap_err().text(), "There is none.");
    assert_eq!(context.response_status(), Some(StatusCode::NOT_FOUND));
    let headers = context.response_headers();
    assert_eq!(headers["x-version"], "8");
    assert_eq!(headers.get_all(header::SET_COOKIE).iter().count(), 2);

    let read = async |context: &Context| {
        let request = ReadRequest {
            text: "x".to_owned(),
        };
        Speaker.read(context, request).await.unwrap()
    };
    let context = Context::for_test(&MODULE, "Read");
    assert_eq!(
        read(&context).await,
        "POST /Work.asmx Read None None 0 [] None x"
    );
    let element = XmlFragment::element("Trace")
        .with_namespace("urn:trace")
        .build()
        .unwrap();
    let context = context
        .with_binding(Binding::HttpGet)
        .with_header(
            header::AUTHORIZATION,
            HeaderValue::from_static("Bearer ann"),
        )
        .with_extension("Ann")
        .with_extension(PeerCertificates([bytes::Bytes::from_static(b"x")].into()))
        .with_unknown_header("urn:trace", "Trace", element)
        .with_remote_address(([127, 0, 0, 1], 80).into());
    assert_eq!(
        read(&context).await,
        "GET /Work.asmx/Read Read Some(\"Bearer ann\") Some(\"Ann\") 1 [\"Trace\"] Some(127.0.0.1:80) x"
    );
    assert_eq!(context.binding(), Binding::HttpGet);
}

#[test]
#[should_panic(expected = "Work has no operation Reed; it has Store, Read, Notify")]
fn a_context_is_of_an_operation_that_there_is() {
    let _ = Context::for_test(&MODULE, "Reed");
}

#[test]
#[should_panic(expected = "100 Continue is not a status that an answer can have")]
fn an_answer_is_not_informational() {
    Context::for_test(&MODULE, "Store").set_status(StatusCode::CONTINUE);
}
