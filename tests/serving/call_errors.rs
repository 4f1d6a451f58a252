//! Errors of calls: their kinds, whether the service may have run the call, and their messages.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use svcgen::transport::{TransportError, TransportErrorKind, transport_fn};
use svcgen::{Binding, CallError, CallErrorKind, HttpTransport, Limits, Transport};
use svcgen_tests::authenticator::{AuthenticatorClient, LoginRequest};
use svcgen_tests::fixture;

const URL: &str = "http://h/svc/Authenticator.asmx";

fn login() -> LoginRequest {
    LoginRequest {
        username: Some("alice".to_owned()),
        password: Some("hunter2".into()),
    }
}

/// Returns a client that gets this answer to every call.
fn answered(answer: Response<&'static str>) -> AuthenticatorClient<impl Transport> {
    let answer = answer.map(Bytes::from);
    let transport = transport_fn(move |_: Request<Bytes>| {
        let answer = answer.clone();
        async { Ok(answer) }
    });
    AuthenticatorClient::new(transport, URL).unwrap()
}

async fn error_of<T: Transport>(client: &AuthenticatorClient<T>) -> CallError {
    client.login(&login()).await.unwrap_err()
}

/// Checks the properties of every error.
fn check(error: &CallError, kind: CallErrorKind, may_have_run: bool, said: &str) {
    let text = error.to_string();
    assert_eq!(text, said);
    assert_eq!(error.kind(), kind, "{text}");
    assert_eq!(error.may_have_run(), may_have_run, "{text}");
    assert!(!text.contains(['\n', '\r']) && text.len() < 1_500, "{text}");
    let hint = error.hint().map(|hint| format!(" (hint: {hint})"));
    assert!(text.ends_with(&hint.unwrap_or_default()), "{text}");
}

#[tokio::test]
async fn statuses_that_no_service_answers_with() {
    type Row<'r> = (u16, &'r [(&'r str, &'r str)], &'r str, &'r str);
    let rows: &[Row<'_>] = &[
        (
            301,
            &[("location", "https://u:p@h/new/A.asmx?token=1")],
            "",
            "301 Moved Permanently (hint: no redirect is followed; if h/new/A.asmx is the service, give its URL)",
        ),
        (
            302,
            &[("location", "/login?to=%2fA.asmx")],
            "",
            "302 Found (hint: no redirect is followed; if /login is the service, give its URL)",
        ),
        (
            307,
            &[],
            "",
            "307 Temporary Redirect (hint: no redirect is followed)",
        ),
        (
            400,
            &[],
            "Bad Request - Invalid Hostname",
            "400 Bad Request: Bad Request - Invalid Hostname",
        ),
        (
            401,
            &[("www-authenticate", "Basic realm=\"x\"")],
            "",
            "401 Unauthorized (hint: it wants credentials for Basic, in the header Authorization)",
        ),
        (
            401,
            &[("www-authenticate", "NTLM")],
            "",
            "401 Unauthorized (hint: it wants credentials for NTLM, in the header Authorization)",
        ),
        (
            401,
            &[],
            "",
            "401 Unauthorized (hint: it wants credentials, in the header Authorization)",
        ),
        (
            403,
            &[],
            "no",
            "403 Forbidden: no (hint: the caller may not use http://h/svc/Authenticator.asmx, or its credentials are not enough)",
        ),
        (
            404,
            &[],
            "<html>\r\n no such page",
            "404 Not Found: <html> no such page (hint: there is no service at http://h/svc/Authenticator.asmx; give the URL of the service, or the base URL before the path of its definition)",
        ),
        (
            405,
            &[("allow", "GET")],
            "",
            "405 Method Not Allowed (hint: http://h/svc/Authenticator.asmx takes no calls, so it may not be the URL of the service)",
        ),
        (
            407,
            &[],
            "",
            "407 Proxy Authentication Required (hint: the proxy before the service wants credentials)",
        ),
        (
            413,
            &[],
            "",
            "413 Payload Too Large (hint: the request is longer than the server allows)",
        ),
        (
            415,
            &[],
            "",
            "415 Unsupported Media Type (hint: the service may not speak this binding; choose another one with `with_binding`)",
        ),
        (
            429,
            &[("retry-after", "7")],
            "",
            "429 Too Many Requests (hint: it is busy; try again in 7 seconds)",
        ),
        (
            500,
            &[],
            "<html>stack trace",
            "500 Internal Server Error: <html>stack trace",
        ),
        (
            502,
            &[],
            "",
            "502 Bad Gateway (hint: a proxy before the service got no answer from it)",
        ),
        (
            503,
            &[],
            "",
            "503 Service Unavailable (hint: it is busy or out of service; try again later)",
        ),
        (
            503,
            &[("retry-after", "Fri, 31 Dec 1999 23:59:59 GMT")],
            "",
            "503 Service Unavailable (hint: it is busy; try again from Fri, 31 Dec 1999 23:59:59 GMT on)",
        ),
        (
            504,
            &[],
            "",
            "504 Gateway Timeout (hint: a proxy before the service got no answer from it)",
        ),
    ];
    for (status, headers, body, said) in rows {
        for binding in Binding::DEFAULT {
            let mut answer = Response::builder().status(*status);
            if !body.is_empty() {
                answer = answer.header("content-type", "text/html");
            }
            for (name, value) in *headers {
                answer = answer.header(*name, *value);
            }
            let client = answered(answer.body(*body).unwrap()).with_binding(binding);
            let said = format!("the server answered {said}");
            check(&error_of(&client).await, CallErrorKind::Status, true, &said);
        }
    }
}

const START: &str = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body>";

#[tokio::test]
async fn answers_that_are_none() {
    use CallErrorKind::{Content, Element, Fault, Header, IllFormed, Limit, Value};
    let rows: &[(&str, &str, CallErrorKind, &str)] = &[
        (
            "text/html",
            "<html>Welcome",
            Content,
            "the answer is not a SOAP message but text/html: <html>Welcome (hint: a web page, as at another URL than that of the service, or of a sign-in or a proxy)",
        ),
        (
            "multipart/related; type=\"text/xml\"",
            "--x",
            Content,
            "the answer is not a SOAP message but multipart/related: --x (hint: `with_attachments` of `svcgen-attachments` reads attachments (MTOM))",
        ),
        (
            "application/json",
            "{}",
            Content,
            "the answer is not a SOAP message but application/json: {}",
        ),
        ("text/xml; charset=utf-8", "\u{1}", IllFormed, ""),
        ("text/xml; charset=none", "<a/>", Content, ""),
        (
            "text/xml",
            "<definitions/>",
            Content,
            "the answer is not a SOAP envelope but the element definitions (hint: the URL may not be that of the service)",
        ),
        ("text/xml", "START", IllFormed, ""),
        (
            "text/xml",
            "START<LoginResponse xmlns='http://example.com/svc/auth'>\n<LoginResult>maybe</LoginResult>",
            Value,
            "",
        ),
        (
            "text/xml",
            "START</e:Body></e:Envelope>",
            Element,
            "the Body of the answer is empty",
        ),
        (
            "text/xml",
            "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"/>",
            Element,
            "the answer has no Body",
        ),
        (
            "text/xml",
            "START<LogoutResponse xmlns='http://example.com/svc/auth'/></e:Body></e:Envelope>",
            Element,
            "the answer holds the element LogoutResponse of the namespace http://example.com/svc/auth where LoginResponse of http://example.com/svc/auth was expected (hint: it is the answer of another operation)",
        ),
        (
            "text/xml",
            "START<LoginResponse xmlns='http://tempuri.org/'/></e:Body></e:Envelope>",
            Element,
            "the answer holds the element LoginResponse of the namespace http://tempuri.org/ where LoginResponse of http://example.com/svc/auth was expected (hint: the service has another namespace than its definition)",
        ),
        (
            "text/xml",
            "START<Page xmlns='urn:pages'/></e:Body></e:Envelope>",
            Element,
            "the answer holds the element Page of the namespace urn:pages where LoginResponse of http://example.com/svc/auth was expected",
        ),
        (
            "text/xml",
            "START<LoginResponse xmlns='http://example.com/svc/auth'/></e:Body></e:Envelope>",
            Element,
            "the answer lacks the element LoginResult",
        ),
        (
            "text/xml",
            "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Header><x e:mustUnderstand='1'/></e:Header><e:Body><LoginResponse xmlns='http://example.com/svc/auth'><LoginResult>true</LoginResult></LoginResponse></e:Body></e:Envelope>",
            Header,
            "the answer has the header x, which must be understood and is not known",
        ),
        (
            "text/xml",
            "START<e:Fault><faultcode>e:Client</faultcode><faultstring>Server did not recognize the value of HTTP Header SOAPAction: x.</faultstring></e:Fault></e:Body></e:Envelope>",
            Fault,
            "the service answered with a fault (Client): Server did not recognize the value of HTTP Header SOAPAction: x. (hint: the service has no such operation, or another namespace than its definition)",
        ),
        (
            "text/xml",
            "START<e:Fault><faultcode>e:Server</faultcode><faultstring>no</faultstring></e:Fault></e:Body></e:Envelope>",
            Fault,
            "the service answered with a fault (Server): no",
        ),
    ];
    for (media_type, body, kind, said) in rows {
        let body: &'static str = body.replace("START", START).leak();
        let answer = Response::builder().header("content-type", *media_type);
        let error = error_of(&answered(answer.body(body).unwrap())).await;
        let text = error.to_string();
        let said = if said.is_empty() { &text } else { *said };
        check(&error, *kind, true, said);
        // The place, in the words of the reader.
        let is_read = matches!(kind, IllFormed | Value);
        assert_eq!(text.contains("(line "), is_read, "{text}");
    }
    let xml = |body| {
        Response::builder()
            .header("content-type", "text/xml")
            .body(body)
    };
    let client = answered(xml("<a/>").unwrap());
    let short = client.with(|client| client.with_limits(Limits::default().with_body(3)));
    let said = "the answer is longer than 3 bytes (hint: `Client::with_limits` sets another limit)";
    check(&error_of(&short).await, Limit, true, said);
    let body: &str = format!("{START}<a/></e:Body></e:Envelope>").leak();
    let client = answered(xml(body).unwrap());
    let flat = client.with(|client| client.with_limits(Limits::default().with_depth(2)));
    let error = error_of(&flat).await;
    let said = error.to_string();
    assert!(
        said.ends_with(" (hint: `Client::with_limits` sets other limits)"),
        "{said}"
    );
    check(&error, Limit, true, &said);
    let zipped = Response::builder()
        .header("content-encoding", "br")
        .body("x");
    let said = "the answer is compressed (br) though that was not asked for (hint: a transport has to decompress what it asks for)";
    check(
        &error_of(&answered(zipped.unwrap())).await,
        Content,
        true,
        said,
    );
}

#[tokio::test]
async fn failures_of_transports() {
    use CallErrorKind::{Limit, Request, Timeout, Transport};
    for (kind, of_call, may_have_run, hint) in [
        (
            TransportErrorKind::Connect,
            Transport,
            false,
            " (hint: nothing was sent; the server may be down, or its host or port is another one)",
        ),
        (
            TransportErrorKind::Timeout,
            Timeout,
            true,
            " (hint: the service may have run the call; `with_timeout` gives it more time)",
        ),
        (
            TransportErrorKind::TooLong,
            Limit,
            true,
            " (hint: the transport sets the limit)",
        ),
        (TransportErrorKind::Scheme, Request, false, ""),
        (
            TransportErrorKind::Exchange,
            Transport,
            true,
            " (hint: the service may have run the call)",
        ),
    ] {
        let transport = transport_fn(move |_| async move {
            Err(TransportError::new(kind, "it failed").with_source("why"))
        });
        let client = AuthenticatorClient::new(transport, URL).unwrap();
        let error = error_of(&client).await;
        check(&error, of_call, may_have_run, &format!("it failed{hint}"));
        let source = std::error::Error::source(&error).unwrap();
        assert_eq!(source.to_string(), "why");
    }
}

#[tokio::test]
async fn calls_that_cannot_be_made() {
    let client = AuthenticatorClient::new(fixture::authenticator_server(), URL);
    let client = client.unwrap();
    let call = client.login(&login()).with_header("a b", "c");
    let said = "a header of the request cannot be sent: invalid HTTP header name";
    check(
        &call.await.unwrap_err(),
        CallErrorKind::Request,
        false,
        said,
    );
    let unwritable = LoginRequest {
        username: Some("\u{1}".to_owned()),
        ..login()
    };
    let error = client.login(&unwritable).await.unwrap_err();
    let said = error.to_string();
    assert!(
        said.starts_with("the request cannot be written: "),
        "{said}"
    );
    check(&error, CallErrorKind::Request, false, &said);
    let client = client.with_binding(Binding::HttpGet);
    let error = client.login(&login()).with_soap_header("<a/>").await;
    let said = "the SOAP headers given to Login cannot be sent over HTTP GET (hint: `with_binding` chooses another binding)";
    check(&error.unwrap_err(), CallErrorKind::Request, false, said);
    let error = AuthenticatorClient::connect("localhost:80").unwrap_err();
    let said = "the URL has no scheme: write http://localhost:80 or https://localhost:80";
    check(&error, CallErrorKind::Request, false, said);
}

/// The most common mistakes, with a server.
#[tokio::test]
async fn a_url_of_something_else_is_told() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async { svcgen::serve(listener, fixture::router()).await });
    for path in [
        "",
        "/",
        "/SvcDotNet/Authenticator.asmx",
        "/svcdotnet/authenticator.ASMX",
    ] {
        let client = AuthenticatorClient::connect(&format!("http://{address}{path}")).unwrap();
        let called = client.as_ref().url().path();
        assert!(called.eq_ignore_ascii_case("/SvcDotNet/Authenticator.asmx"));
        let result = client.login(&login()).await;
        assert!(result.is_ok(), "{path}: {result:?}");
    }
    let elsewhere = AuthenticatorClient::connect(&format!("http://{address}/api")).unwrap();
    let error = error_of(&elsewhere).await;
    let url = format!("http://{address}/api/SvcDotNet/Authenticator.asmx");
    let hint = format!(
        "there is no service at {url}; give the URL of the service, or the base URL before the path of its definition"
    );
    assert_eq!(error.hint().unwrap(), hint);
    let there = AuthenticatorClient::from(
        elsewhere
            .as_ref()
            .clone()
            .with_path("/SvcDotNet/Authenticator.asmx")
            .unwrap(),
    );
    there.login(&login()).await.unwrap();
    for path in ["", "Login.asmx", "/a#b", "/a b"] {
        let error = there.as_ref().clone().with_path(path).unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::Request, "{path}");
    }
    server.abort();
    let _ = server.await;
    // The listener is closed.
    let transport = HttpTransport::new().with_connect_timeout(Duration::from_secs(5));
    let client = AuthenticatorClient::new(transport, &format!("http://{address}")).unwrap();
    let error = error_of(&client).await;
    assert!(!error.may_have_run(), "{error}");
}
