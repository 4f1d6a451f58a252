//! Clients over JSON: with the server, with recorded answers, and with answers of other servers.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use svcgen::http::{Request, Response};
use svcgen::transport::TransportError;
use svcgen::types::{Dictionary, XmlFragment};
use svcgen::{Binding, CallError, FaultCode, Transport};
use svcgen_tests::raw_http::parse_answer;
use svcgen_tests::recorded;

use super::services::json::*;
use super::services::{plain, router};

fn client() -> GJsonClient<svcgen::Router> {
    let client = GJsonClient::new(router(), "http://localhost").unwrap();
    client.with_binding(Binding::Json)
}

/// Returns the same response to every request, and records the last request.
struct Canned {
    response: Response<Bytes>,
    asked: Arc<Mutex<Option<Request<Bytes>>>>,
}

impl Transport for Canned {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        *self.asked.lock().unwrap() = Some(request);
        Ok(self.response.clone())
    }
}

fn canned(response: Response<Bytes>) -> GJsonClient<Canned> {
    let asked = Arc::default();
    let client = GJsonClient::new(Canned { response, asked }, "http://localhost").unwrap();
    client.with_binding(Binding::Json)
}

/// Returns a client whose server returns a recorded answer.
fn recorded(name: &str) -> GJsonClient<Canned> {
    let exchanges = recorded::lab(&[name]);
    let answer = parse_answer(&exchanges[0].response);
    let mut response = Response::builder().status(answer.status);
    for (name, value) in &answer.headers {
        response = response.header(name, value);
    }
    canned(response.body(Bytes::from(answer.body)).unwrap())
}

fn answer(status: u16, content_type: &str, body: &str) -> Response<Bytes> {
    let response = Response::builder().status(status);
    let response = response.header("Content-Type", content_type);
    response
        .body(Bytes::copy_from_slice(body.as_bytes()))
        .unwrap()
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn person() -> Person {
    Person {
        name: text("n'<é"),
        age: 3,
        tags: Some(vec![text("a"), None]),
        born: Some("2024-02-29T12:34:56.789Z".parse().unwrap()),
        likes: Colour::Blue,
        original: text(""),
        home: Spot { x: 1, y: -2 },
        upper: text("N'<É"),
        ..Person::default()
    }
}

#[tokio::test]
async fn values_come_back() {
    let client = client();
    for s in [None, text(""), text("a\"b\\c\u{0}\u{2028}'<&>😀")] {
        let request = EchoRequest { s: s.clone() };
        assert_eq!(client.echo(&request).await.unwrap(), s);
        let request = GetEchoRequest { s: s.clone() };
        assert_eq!(client.get_echo(&request).await.unwrap(), s);
        if s.is_some() {
            let request = XmlTextRequest { s: s.clone() };
            assert_eq!(client.xml_text(&request).await.unwrap(), s);
        }
    }
    let request = XmlStringRequest {
        s: text("<a>&é</a>"),
    };
    assert_eq!(client.xml_string(&request).await.unwrap(), request.s);
    assert_eq!(client.xml_spot().await.unwrap(), Spot { x: 1, y: 2 });
    assert_eq!(client.xml_int().await.unwrap(), 5);
    let manager = Manager {
        name: text("m"),
        upper: text("M"),
        level: 4,
        ..Manager::default()
    };
    for p in [
        None,
        Some(AnyPerson::Person(person())),
        Some(AnyPerson::Manager(manager)),
    ] {
        let request = EchoPersonRequest { p: p.clone() };
        assert_eq!(client.echo_person(&request).await.unwrap(), p);
        let request = GetPersonRequest { p: p.clone() };
        assert_eq!(client.get_person(&request).await.unwrap(), p);
    }
    for v in [
        None,
        Some(Dictionary::new()),
        Some([("z", 1), ("a b", -2)].into_iter().collect()),
    ] {
        let request = EchoMapRequest { v: v.clone() };
        assert_eq!(client.echo_map(&request).await.unwrap(), v);
    }
    let request = GetSumRequest { a: 40, b: 2 };
    assert_eq!(client.get_sum(&request).await.unwrap(), 42);
    assert_eq!(client.no_args().await.unwrap(), text("ok"));
    client.nothing().await.unwrap();
    client.notify(&NotifyRequest { s: None }).await.unwrap();
    let answered = client
        .status(&StatusRequest { fails: false })
        .answered()
        .await;
    assert_eq!(answered.status.unwrap().as_u16(), 201);
    assert_eq!(answered.result.unwrap(), text("s"));
}

#[tokio::test]
async fn requests_are_those_of_script_clients() {
    let last = Arc::<Mutex<_>>::default();
    let canned = Canned {
        response: answer(200, "application/json", r#"{"d":null}"#),
        asked: Arc::clone(&last),
    };
    let client = GJsonClient::new(canned, "http://localhost").unwrap();
    let client = client.with_binding(Binding::Json);
    let asked = || last.lock().unwrap().take().unwrap();
    client.echo(&EchoRequest { s: text("x") }).await.unwrap();
    let request = asked();
    assert_eq!(
        (request.method().as_str(), request.uri().path()),
        ("POST", "/GJson.asmx/Echo")
    );
    assert_eq!(
        request.headers()["content-type"],
        "application/json; charset=utf-8"
    );
    assert_eq!(request.body(), r#"{"s":"x"}"#);
    client.no_args().await.unwrap();
    assert_eq!(asked().body(), "{}");
    let s = text("a b,{\"é}");
    client.get_echo(&GetEchoRequest { s }).await.unwrap();
    let request = asked();
    assert_eq!(request.method(), "GET");
    assert_eq!(
        request.headers()["content-type"],
        "application/json; charset=utf-8"
    );
    let expected = "/GJson.asmx/GetEcho?s=%22a%20b%2C%7B%5C%22%C3%A9%7D%22";
    assert_eq!(request.uri().path_and_query().unwrap(), expected);
    assert!(request.body().is_empty());
}

#[tokio::test]
async fn recorded_answers_are_read() {
    let spoken = recorded("json-object/person");
    let read = spoken
        .echo_person(&EchoPersonRequest::default())
        .await
        .unwrap();
    let expected = Person {
        age: 3,
        tags: Some(vec![text("a"), None]),
        born: Some("1970-01-01T00:00:00Z".parse().unwrap()),
        likes: Colour::Blue,
        original: text("o"),
        name: text("n"),
        home: Spot { x: 1, y: 2 },
        upper: text("N"),
        ..Person::default()
    };
    assert_eq!(read, Some(AnyPerson::Person(expected)));
    let read = recorded("json-object/person-type-derived");
    let read = read
        .echo_person(&EchoPersonRequest::default())
        .await
        .unwrap();
    let Some(AnyPerson::Manager(manager)) = read else {
        panic!("{read:?} is no manager")
    };
    assert_eq!((manager.level, manager.upper), (4, text("M")));
    let people = recorded("json-object/people");
    let people = people
        .echo_people(&EchoPeopleRequest::default())
        .await
        .unwrap()
        .unwrap();
    assert!(people.len() == 2 && people[1].is_none());
    let colour = recorded("json-value/colour-04");
    let request = EchoColourRequest::default();
    assert_eq!(colour.echo_colour(&request).await.unwrap(), Colour::Green);
    let rights = recorded("json-value/rights-02");
    let rights = rights
        .echo_rights(&EchoRightsRequest::default())
        .await
        .unwrap();
    assert_eq!(rights, Rights::READ | Rights::DELETE);
    let bytes = recorded("json-value/bytes-01");
    let bytes = bytes
        .echo_bytes(&EchoBytesRequest::default())
        .await
        .unwrap();
    assert_eq!(bytes, Some(vec![0, 1, 255]));
    let number = recorded("json-value/double-10");
    let number = number
        .echo_double(&EchoDoubleRequest::default())
        .await
        .unwrap();
    assert_eq!(number, f64::NEG_INFINITY);
    let number = recorded("json-value/decimal-01");
    let number = number
        .echo_decimal(&EchoDecimalRequest::default())
        .await
        .unwrap();
    assert_eq!(number.to_string(), "1.50");
    let nothing = recorded("json-value/nullable-04");
    assert_eq!(
        nothing
            .echo_nullable(&EchoNullableRequest::default())
            .await
            .unwrap(),
        None
    );
    let escaped = recorded("json-req/escapes");
    let escaped = escaped.echo(&EchoRequest::default()).await.unwrap();
    assert_eq!(escaped, text("\"\\/\u{8}\u{c}\n\r\tAé日😀\0"));
    let xml = recorded("json-xml/text");
    assert_eq!(
        xml.xml_text(&XmlTextRequest::default()).await.unwrap(),
        text("<a>&é</a>")
    );
    let xml = recorded("json-xml/string");
    let xml = xml.xml_string(&XmlStringRequest::default()).await.unwrap();
    assert_eq!(xml, text("<a>&é</a>"));
}

#[tokio::test]
async fn recorded_errors_are_faults() {
    for (name, message, class) in [
        (
            "json-error/throw",
            "boom <&> é x",
            Some("System.ApplicationException"),
        ),
        (
            "json-error/hidden-throw",
            "There was an error processing the request.",
            None,
        ),
        (
            "json-route/get-on-post-op",
            "An attempt was made to call the method 'Echo' using a GET request, which is not allowed.",
            Some("System.InvalidOperationException"),
        ),
    ] {
        let error = recorded(name)
            .echo(&EchoRequest::default())
            .await
            .unwrap_err();
        let fault = error.fault().unwrap();
        assert_eq!((fault.text(), fault.exception_type()), (message, class));
        let is_hidden = class.is_none();
        let hint = "the service hides its errors (`customErrors`); its own log tells more";
        assert_eq!(error.hint().as_deref(), is_hidden.then_some(hint));
        assert_eq!(fault.code(), &FaultCode::Server);
    }
    // The text of a handler's fault arrives at the caller.
    let error = client()
        .throw(&ThrowRequest { s: text("y") })
        .await
        .unwrap_err();
    let fault = error.fault().unwrap();
    assert_eq!(fault.text(), "boom <&> é y");
    assert_eq!(fault.exception_type(), Some("System.ApplicationException"));
}

#[tokio::test]
async fn answers_need_no_wrapper_and_may_have_a_mark() {
    for body in [
        "\"x\"",
        r#"{"d":"x"}"#,
        "\u{FEFF}{\"d\":\"x\"}",
        r#" {"a":1,"d":"x"} "#,
    ] {
        for content_type in ["application/json", "Application/JSON; charset=iso-8859-1"] {
            let client = canned(answer(200, content_type, body));
            let read = client.echo(&EchoRequest::default()).await.unwrap();
            assert_eq!(read, text("x"), "{body}");
        }
    }
    let client = canned(answer(200, "application/json", r#"{"X":1,"Y":2}"#));
    let read = client.echo_spot(&EchoSpotRequest::default()).await.unwrap();
    assert_eq!(read, Spot { x: 1, y: 2 });
}

#[tokio::test]
async fn other_answers_are_told() {
    let page = "<html><title>Sign in</title>";
    let cases = [
        (
            answer(200, "text/html", page),
            "the answer is not JSON but text/html: <html>",
        ),
        (
            answer(401, "text/html", page),
            "the server answered 401 Unauthorized: <html>",
        ),
        (
            answer(404, "text/plain", "no"),
            "the server answered 404 Not Found: no",
        ),
        (
            answer(500, "text/html", page),
            "the server answered 500 Internal Server Error: <html>",
        ),
        (
            answer(500, "application/json", "[]"),
            "the server answered 500 Internal Server Error",
        ),
        (
            answer(200, "application/json", r#"{"d":"x"#),
            "the answer cannot be read: ",
        ),
        (
            answer(200, "application/json", r#"{"d":null}"#),
            "the answer lacks the element EchoIntResult",
        ),
        (
            answer(200, "application/json", ""),
            "the answer lacks the element EchoIntResult",
        ),
        (
            answer(200, "application/json", r#"{"d":"many"}"#),
            "the answer cannot be read: d: many is not a valid value for Int32.",
        ),
    ];
    for (response, expected) in cases {
        let client = canned(response);
        let error = client
            .echo_int(&EchoIntRequest::default())
            .await
            .unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
    // The answer to a script client instead of the redirect to a login page.
    let mut response = answer(
        401,
        "application/json",
        r#"{"Message":"Authentication failed.","StackTrace":null,"ExceptionType":"System.InvalidOperationException"}"#,
    );
    let yes = "true".parse().unwrap();
    response.headers_mut().insert("jsonerror", yes);
    let error = canned(response)
        .echo(&EchoRequest::default())
        .await
        .unwrap_err();
    assert_eq!(error.fault().unwrap().text(), "Authentication failed.");
}

#[tokio::test]
async fn soap_headers_and_other_bindings_have_no_place() {
    let header = XmlFragment::element("Tenant")
        .with_namespace("urn:t")
        .build()
        .unwrap();
    let client = client();
    let call = client.no_args().with_soap_header(header.as_str());
    let error = call.await.unwrap_err();
    assert!(matches!(error, CallError::Headers { .. }), "{error}");
    let error = client.out_ref(&OutRefRequest::default()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the operation OutRef is not offered over JSON (hint: `with_binding` chooses another binding)"
    );
}

#[tokio::test]
async fn all_bindings_of_a_service_are_its_client() {
    for binding in Binding::ALL {
        let client = plain::GPlainClient::new(router(), "http://localhost").unwrap();
        let request = plain::GetEchoRequest { s: text("a b") };
        let read = client
            .with_binding(binding)
            .get_echo(&request)
            .await
            .unwrap();
        assert_eq!(read, request.s, "{binding}");
    }
}
