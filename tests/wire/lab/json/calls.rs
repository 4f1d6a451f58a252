//! Calls over JSON from the perspective of callers.

use bytes::Bytes;
use svcgen::http::{HeaderMap, Method, Request, Response, StatusCode};
use svcgen::{Limits, ServerOptions};

use super::services::{Handlers, json, plain, router};

const JSON: &str = "application/json; charset=utf-8";

struct Answer {
    status: u16,
    headers: HeaderMap,
    body: String,
}

impl Answer {
    fn of(response: Response<Bytes>) -> Self {
        let (head, body) = response.into_parts();
        Self {
            status: head.status.as_u16(),
            headers: head.headers,
            body: String::from_utf8(body.to_vec()).unwrap(),
        }
    }

    fn header(&self, name: &str) -> Option<&str> {
        Some(self.headers.get(name)?.to_str().unwrap())
    }

    /// Checks that it is an error as callers over JSON expect it. Returns its members.
    #[track_caller]
    fn error(&self) -> [String; 2] {
        assert_eq!(self.header("jsonerror"), Some("true"), "{}", self.body);
        assert_eq!(self.header("cache-control"), Some("private"));
        assert_eq!(self.header("content-type"), Some(JSON));
        let told: serde_json::Value = serde_json::from_str(&self.body).unwrap();
        let members: Vec<_> = told.as_object().unwrap().keys().collect();
        assert_eq!(members.len(), 3, "{told}");
        let start = r#"{"Message":""#;
        assert!(self.body.starts_with(start), "{}", self.body);
        assert!(self.body.contains(r#"","StackTrace":"","ExceptionType":""#));
        ["Message", "ExceptionType"].map(|name| told[name].as_str().unwrap().to_owned())
    }
}

fn request(
    method: &str,
    target: &str,
    content_type: &str,
    body: impl AsRef<[u8]>,
) -> Request<Bytes> {
    let request = Request::builder()
        .method(method)
        .uri(target)
        .header("Host", "localhost");
    let request = match content_type {
        "" => request,
        named => request.header("Content-Type", named),
    };
    request.body(Bytes::copy_from_slice(body.as_ref())).unwrap()
}

async fn send(method: &str, target: &str, content_type: &str, body: impl AsRef<[u8]>) -> Answer {
    let request = request(method, target, content_type, body);
    Answer::of(router().answer(request).await)
}

async fn post(operation: &str, body: impl AsRef<[u8]>) -> Answer {
    send("POST", &format!("/GJson.asmx/{operation}"), JSON, body).await
}

/// Returns the answer to a call of a server with other limits.
async fn limited(limits: Limits, operation: &str, body: &str) -> Answer {
    let options = ServerOptions::new().with_limits(limits);
    let server = json::GJsonServer::new(Handlers).with_options(options);
    let request = request("POST", &format!("/GJson.asmx/{operation}"), JSON, body);
    Answer::of(server.answer(request).await)
}

#[tokio::test]
async fn a_path_with_an_operation_and_a_media_type_are_a_call() {
    for content_type in [
        "application/json",
        "application/json;",
        "APPLICATION/JSON; Charset=UTF-8",
        "application/json;anything",
    ] {
        let answer = send("POST", "/GPlain.asmx/Echo", content_type, r#"{"s":"x"}"#).await;
        assert_eq!((answer.status, &*answer.body), (200, r#"{"d":"x"}"#));
    }
    // Any other media type means a form.
    for content_type in [
        "application/json ; charset=utf-8",
        "application/jsonp",
        "text/json",
        "application/vnd.api+json",
        "",
    ] {
        let answer = send("POST", "/GPlain.asmx/Echo", content_type, r#"{"s":"x"}"#).await;
        let expected = format!("Request format is invalid: {content_type}.\n");
        assert_eq!((answer.status, &answer.body), (500, &expected));
        assert_eq!(answer.header("jsonerror"), None);
    }
    // Without an operation in the path, it is not a call over JSON.
    for target in ["/GPlain.asmx", "/GPlain.asmx/"] {
        let answer = send("POST", target, JSON, r#"{"s":"x"}"#).await;
        assert_eq!(answer.header("jsonerror"), None, "{}", answer.body);
    }
    let page = send("GET", "/GPlain.asmx?wsdl", JSON, "").await;
    assert_eq!(page.header("content-type"), Some("text/xml; charset=utf-8"));
    // The query of a POST is ignored.
    let answer = send("POST", "/GPlain.asmx/Echo?s=1", JSON, r#"{"s":"x"}"#).await;
    assert_eq!(answer.body, r#"{"d":"x"}"#);
}

#[tokio::test]
async fn the_other_bindings_serve_the_same_paths() {
    let answer = send("GET", "/GPlain.asmx/GetEcho?s=x", "", "").await;
    assert!(answer.body.contains(">x</string>"), "{}", answer.body);
    let answer = send("GET", "/GPlain.asmx/GetEcho?s=%22x%22", JSON, "").await;
    assert_eq!(answer.body, r#"{"d":"x"}"#);
    let form = "application/x-www-form-urlencoded";
    let answer = send("POST", "/GPlain.asmx/GetEcho", form, "s=x").await;
    assert!(answer.body.contains(">x</string>"), "{}", answer.body);
}

#[tokio::test]
async fn operations_are_named_in_any_letter_case() {
    for name in ["Echo", "echo", "ECHO", "%45cho"] {
        assert_eq!(post(name, r#"{"s":"x"}"#).await.body, r#"{"d":"x"}"#);
    }
}

#[tokio::test]
async fn operations_that_are_not_there_are_errors_in_json() {
    for name in ["Nope", "Echo/more", "Echo%20"] {
        let answer = post(name, "{}").await;
        assert_eq!(answer.status, 404);
        let [message, class] = answer.error();
        let name = name.replace("%20", " ");
        assert_eq!(
            message,
            format!("Unknown web method {name}.\nParameter name: methodName")
        );
        assert_eq!(class, "System.ArgumentException");
    }
}

#[tokio::test]
async fn other_methods_than_that_of_the_operation_are_errors() {
    let cases = [
        ("Echo", "GET"),
        ("Echo", "PUT"),
        ("Echo", "HEAD"),
        ("Echo", "OPTIONS"),
        ("Echo", "DELETE"),
    ];
    for (name, method) in cases {
        let answer = send(method, &format!("/GJson.asmx/{name}?s=1"), JSON, "").await;
        assert_eq!(answer.status, 500);
        let expected = "An attempt was made to call the method 'Echo' using a GET request, which is not allowed.";
        assert_eq!(
            answer.error(),
            [expected, "System.InvalidOperationException"]
        );
    }
    for method in ["POST", "PUT", "HEAD"] {
        let answer = send(method, "/GJson.asmx/getecho", JSON, r#"{"s":"x"}"#).await;
        let expected = "An attempt was made to call the method 'GetEcho' using a POST request, which is not allowed.";
        assert_eq!(answer.error()[0], expected);
    }
}

#[tokio::test]
async fn services_without_the_binding_say_what_is_missing() {
    let server = svcgen_tests::fixture::router();
    let target = "/SvcDotNet/Authenticator.asmx/Login";
    for method in ["POST", "GET"] {
        let request = request(method, target, "application/json", "{}");
        let answer = Answer::of(server.answer(request).await);
        assert_eq!(answer.status, 500);
        let [message, _] = answer.error();
        assert_eq!(
            message,
            "Only Web services with a [ScriptService] attribute on the class definition can be called from script. \
             Authenticator is not called over JSON: its definition has to say `bindings: [soap11, soap12, http-get, http-post, json]`."
        );
    }
    let answer = post("OutRef", "{}").await;
    let expected =
        "OutRef is not called over JSON: its definition has to say `bindings: [soap11, json]`.";
    assert_eq!((answer.status, &*answer.error()[0]), (500, expected));
}

#[tokio::test]
async fn bodies_are_utf8_unless_a_mark_says_otherwise() {
    let text = r#"{"s":"é日😀"}"#;
    let expected = r#"{"d":"é日😀"}"#;
    let marked = format!("\u{FEFF}{text}");
    let utf16 = |order: fn(u16) -> [u8; 2]| marked.encode_utf16().flat_map(order).collect();
    let utf32 = |order: fn(u32) -> [u8; 4]| marked.chars().map(u32::from).flat_map(order).collect();
    let bodies: [Vec<u8>; 6] = [
        text.into(),
        marked.clone().into(),
        utf16(u16::to_le_bytes),
        utf16(u16::to_be_bytes),
        utf32(u32::to_le_bytes),
        utf32(u32::to_be_bytes),
    ];
    for body in bodies {
        for charset in ["utf-8", "iso-8859-1", "none"] {
            let content_type = format!("application/json; charset={charset}");
            let answer = send("POST", "/GJson.asmx/Echo", &content_type, &body).await;
            assert_eq!(answer.body, expected, "{charset}");
        }
    }
    assert_eq!(
        post("Echo", b"{\"s\":\"\xE9\"}").await.body,
        "{\"d\":\"\u{FFFD}\"}"
    );
}

#[tokio::test]
async fn no_body_is_an_empty_object_and_blanks_are_nothing() {
    assert_eq!(post("NoArgs", "").await.body, r#"{"d":"ok"}"#);
    assert_eq!(post("NoArgs", "{}").await.body, r#"{"d":"ok"}"#);
    for body in [" ", "\r\n\t", "null", " null "] {
        let answer = post("NoArgs", body).await;
        assert_eq!(answer.status, 500);
        assert_eq!(
            answer.error()[1],
            "System.NullReferenceException",
            "{body:?}"
        );
    }
    for body in ["[]", "\"x\"", "5", "junk", "{", "{}}"] {
        assert_eq!(post("NoArgs", body).await.status, 500, "{body}");
    }
}

#[tokio::test]
async fn lengths_are_limited_in_utf16_units() {
    const MOST: usize = 102_400;
    let of_length = |length: usize, character: &str| {
        let count = (length - r#"{"s":""}"#.len()) / character.encode_utf16().count();
        format!(r#"{{"s":"{}"}}"#, character.repeat(count))
    };
    for character in ["x", "é", "😀"] {
        let answer = limited(Limits::default(), "Cached", &of_length(MOST, character)).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let answer = limited(Limits::default(), "Cached", &of_length(MOST + 2, character)).await;
        assert_eq!(answer.status, 500);
        let [message, class] = answer.error();
        assert!(message.starts_with(
            "Error during serialization or deserialization using the JSON JavaScriptSerializer. The length of the string exceeds the value set on the \
             maxJsonLength property."
        ));
        assert!(message.contains("`Limits::with_json_length`") && message.contains("102400"));
        assert!(message.ends_with("Parameter name: input"), "{message}");
        assert_eq!(class, "System.ArgumentException");
    }
    // The limit of a result excludes the object around it.
    let long = |count| format!(r#"{{"n":{count}}}"#);
    let answer = limited(Limits::default(), "Long", &long(MOST - 2)).await;
    assert_eq!((answer.status, answer.body.len()), (200, MOST + 6));
    let answer = limited(Limits::default(), "Long", &long(MOST - 1)).await;
    let [message, class] = answer.error();
    assert!(message.contains("maxJsonLength") && !message.contains("Parameter name"));
    assert_eq!(class, "System.InvalidOperationException");
    let limits = Limits::default().with_json_length(200_000);
    assert_eq!(limited(limits, "Long", &long(MOST)).await.status, 200);
    // Each parameter of a query is limited separately.
    let limits = Limits::default().with_json_length(5);
    let options = ServerOptions::new().with_limits(limits);
    let server = json::GJsonServer::new(Handlers).with_options(options);
    for (target, status) in [
        ("/GJson.asmx/GetSum?a=12345&b=54321", 200),
        ("/GJson.asmx/GetSum?a=123456&b=1", 500),
    ] {
        let answer = server.answer(request("GET", target, JSON, "")).await;
        assert_eq!(answer.status().as_u16(), status, "{target}");
    }
}

#[tokio::test]
async fn parameters_of_a_query_are_json() {
    let get = async |query: &str| send("GET", &format!("/GJson.asmx/{query}"), JSON, "").await;
    let answer = get("GetSum?B=%222%22&a=40&_=1700000000000&callback=x").await;
    assert_eq!((answer.status, &*answer.body), (200, r#"{"d":42}"#));
    for (query, expected) in [
        ("GetEcho?s=5", r#"{"d":"5"}"#),
        ("GetEcho?s='x'", r#"{"d":"x"}"#),
        ("GetEcho?s=%22%C3%A9%22", r#"{"d":"é"}"#),
    ] {
        assert_eq!(get(query).await.body, expected);
    }
    let answer = get("GetEcho?s=hello").await;
    let expected = ["Invalid JSON primitive: hello.", "System.ArgumentException"];
    assert_eq!(answer.error(), expected);
    let answer = get("GetEcho").await;
    let expected = "Invalid web service call, missing value for parameter: 's'.";
    assert_eq!(
        answer.error(),
        [expected, "System.InvalidOperationException"]
    );
}

#[tokio::test]
async fn answers_without_a_result_are_null() {
    for (operation, body) in [("Nothing", ""), ("Notify", r#"{"s":"x"}"#)] {
        let answer = post(operation, body).await;
        assert_eq!((answer.status, &*answer.body), (200, r#"{"d":null}"#));
        assert_eq!(answer.header("content-type"), Some(JSON));
        assert_eq!(answer.header("cache-control"), Some("private, max-age=0"));
    }
}

#[tokio::test]
async fn headers_of_answers_are_those_of_the_operation() {
    let cached = post("Cached", r#"{"s":"x"}"#).await;
    assert_eq!(cached.header("cache-control"), Some("no-cache"));
    assert_eq!(cached.header("pragma"), Some("no-cache"));
    assert_eq!(cached.header("expires"), Some("-1"));
    let answer = post("Status", r#"{"fails":false}"#).await;
    assert_eq!((answer.status, &*answer.body), (201, r#"{"d":"s"}"#));
    assert_eq!(answer.header("x-extra"), Some("1"));
    assert_eq!(answer.header("set-cookie"), Some("a=b"));
    // An error has none of these headers.
    let answer = post("Status", r#"{"fails":true}"#).await;
    assert_eq!(answer.status, 500);
    assert_eq!(answer.header("x-extra"), None);
    assert_eq!(answer.header("set-cookie"), None);
    let expected = ["It fails.", "System.Web.Services.Protocols.SoapException"];
    assert_eq!(answer.error(), expected);
}

#[tokio::test]
async fn results_in_xml() {
    for (operation, expected) in [
        (
            "XmlInt",
            r#"<?xml version="1.0" encoding="utf-8"?><int>5</int>"#,
        ),
        (
            "XmlSpot",
            r#"<?xml version="1.0" encoding="utf-8"?><Spot xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><X>1</X><Y>2</Y></Spot>"#,
        ),
    ] {
        let answer = post(operation, "").await;
        assert_eq!((answer.status, &*answer.body), (200, expected));
        assert_eq!(
            answer.header("content-type"),
            Some("text/xml; charset=utf-8")
        );
    }
    let answer = post("XmlNull", "").await;
    assert_eq!(answer.status, 500);
    let expected = [
        "Object reference not set to an instance of an object",
        "System.NullReferenceException",
    ];
    assert_eq!(answer.error(), expected);
    let answer = post("XmlText", "").await;
    assert_eq!(answer.error()[1], "System.InvalidOperationException");
}

#[tokio::test]
async fn results_too_deep_are_errors() {
    assert_eq!(post("Deep", r#"{"n":99}"#).await.status, 200);
    let answer = post("Deep", r#"{"n":100}"#).await;
    let expected = ["RecursionLimit exceeded.", "System.ArgumentException"];
    assert_eq!(answer.error(), expected);
}

#[tokio::test]
async fn unknown_members_are_refused_where_reading_is_strict() {
    let options = ServerOptions::new().with_strict(true);
    let server = plain::GPlainServer::new(Handlers).with_options(options);
    for (body, status) in [
        (r#"{"p":{"X":1,"Y":2}}"#, 200),
        (r#"{"p":{"X":1,"Y":2,"Z":3}}"#, 500),
        (r#"{"p":{"X":1,"Y":2},"q":1}"#, 500),
    ] {
        let request = request("POST", "/GPlain.asmx/EchoSpot", JSON, body);
        assert_eq!(
            server.answer(request).await.status().as_u16(),
            status,
            "{body}"
        );
    }
}

#[tokio::test]
async fn calls_of_other_hosts_and_origins_are_refused() {
    let options = ServerOptions::new()
        .with_allowed_hosts(["localhost"])
        .with_allowed_origins([]);
    let server = plain::GPlainServer::new(Handlers).with_options(options);
    let mut other = request("POST", "/GPlain.asmx/Echo", JSON, r#"{"s":"x"}"#);
    let origin = "http://other.example".parse().unwrap();
    other.headers_mut().insert("Origin", origin);
    assert_eq!(server.answer(other).await.status(), StatusCode::FORBIDDEN);
    let mut other = request("POST", "/GPlain.asmx/Echo", JSON, r#"{"s":"x"}"#);
    *other.method_mut() = Method::POST;
    let host = "other.example".parse().unwrap();
    other.headers_mut().insert("Host", host);
    assert_eq!(server.answer(other).await.status(), StatusCode::FORBIDDEN);
}
