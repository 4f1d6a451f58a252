//! Errors that quote the other side: equal to those of ASMX for texts of usual length, bounded for
//! longer ones, and safe to print.

use bytes::Bytes;
use http::Request;
use svcgen::transport::{TransportError, TransportErrorKind, transport_fn};
use svcgen::{Binding, CallError, Fault, ReadError, ReadErrorKind, ServerOptions};
use svcgen_tests::authenticator::{AuthenticatorClient, LoginRequest};
use svcgen_tests::fixture;

const AUTHENTICATOR: &str = "/SvcDotNet/Authenticator.asmx";
const DEVICE: &str = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx";
const SOAP11: &str = "http://schemas.xmlsoap.org/soap/envelope/";

/// More bytes than any message may contain.
const MUCH: usize = 900_000;
/// The maximum length of an answer.
const MOST: usize = 2_500;

/// A request of a caller who controls one part of it.
struct Sent {
    target: String,
    headers: Vec<(&'static str, String)>,
    body: String,
}

impl Sent {
    fn soap(action: &str, body: String) -> Self {
        Self {
            target: DEVICE.to_owned(),
            headers: vec![
                ("Content-Type", "text/xml; charset=utf-8".to_owned()),
                ("SOAPAction", action.to_owned()),
            ],
            body,
        }
    }

    fn soap12(action: &str, body: &str) -> Self {
        let content_type = format!("application/soap+xml; action=\"{action}\"");
        Self {
            target: DEVICE.to_owned(),
            headers: vec![("Content-Type", content_type)],
            body: envelope("http://www.w3.org/2003/05/soap-envelope", body),
        }
    }

    fn form(operation: &str, content_type: &str, body: String) -> Self {
        Self {
            target: format!("{DEVICE}/{operation}"),
            headers: vec![("Content-Type", content_type.to_owned())],
            body,
        }
    }

    /// Returns the text of the answer.
    async fn answered(self, options: ServerOptions) -> String {
        let mut request = Request::post(self.target);
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        let request = request.body(Bytes::from(self.body)).unwrap();
        let server = fixture::device_login_server().with_options(options);
        let response = server.answer(request).await;
        assert!(response.status().as_u16() >= 400, "{response:?}");
        String::from_utf8(response.into_body().to_vec()).unwrap()
    }
}

fn envelope(namespace: &str, body: &str) -> String {
    format!("<e:Envelope xmlns:e=\"{namespace}\"><e:Body>{body}</e:Body></e:Envelope>")
}

const LOGIN: &str = "http://example.com/svc/device/LoginWithEncryptedPassword";
const FORM: &str = "application/x-www-form-urlencoded";

fn login(argument: &str) -> String {
    format!(
        "<LoginWithEncryptedPassword xmlns=\"http://example.com/svc/device\">{argument}</LoginWithEncryptedPassword>"
    )
}

/// Returns a request for every message of a server that quotes its caller, with a quotation of a
/// length.
fn quoting(length: usize) -> Vec<Sent> {
    let much = "x".repeat(length);
    let name = "n".repeat(length.min(1_000));
    let namespace = "u".repeat(length.min(60_000));
    let soap = |body: &str| Sent::soap(LOGIN, envelope(SOAP11, body));
    vec![
        Sent::soap(&much, envelope(SOAP11, &login(""))),
        Sent::soap12(&much, "<other/>"),
        Sent::soap(LOGIN, envelope(&namespace, "")),
        soap(&format!("<{name} xmlns=\"{namespace}\"/>")),
        Sent::soap(
            LOGIN,
            format!(
                "<e:Envelope xmlns:e=\"{SOAP11}\"><e:Header><{name} e:mustUnderstand=\"1\"/></e:Header><e:Body/></e:Envelope>"
            ),
        ),
        // This is only refused by strict reading.
        soap(&format!("{}<{name}/>", login(""))),
        soap(&format!("<{name}:a/>")),
        soap(&login(&format!("<{name}></{name}x>"))),
        soap(&format!("<{name}>").repeat(if length == MUCH { 50 } else { 3 })),
        soap(&login(&format!("<userInitiated>{much}</userInitiated>"))),
        soap(&login(&format!("<userInitiated><{name}/></userInitiated>"))),
        Sent {
            target: DEVICE.to_owned(),
            headers: vec![("Content-Type", "text/xml".to_owned())],
            body: format!("<?xml version=\"1.0\" encoding=\"{much}\"?><a/>"),
        },
        Sent::form(&name, FORM, String::new()),
        Sent::form(&namespace, FORM, String::new()),
        Sent::form("Login", &much, String::new()),
        Sent::form(
            "LoginWithEncryptedPassword",
            FORM,
            format!("username=&encryptedPassword=&devicePin=&userInitiated={much}"),
        ),
    ]
}

fn every_other_strict(index: usize) -> ServerOptions {
    ServerOptions::new().with_strict(index % 2 == 1)
}

#[tokio::test]
async fn answers_do_not_grow_with_what_they_quote() {
    for (index, sent) in quoting(MUCH).into_iter().enumerate() {
        let strict = every_other_strict(index);
        let is_xml = !sent.target.contains("asmx/");
        let text = sent.answered(strict).await;
        assert!(text.len() < MOST, "{index}: {} {:.300}", text.len(), text);
        if is_xml {
            roxmltree::Document::parse(&text).unwrap();
        }
    }
}

#[tokio::test]
async fn texts_of_usual_length_are_quoted_whole() {
    for (index, sent) in quoting(40).into_iter().enumerate() {
        let text = sent.answered(every_other_strict(index)).await;
        assert!(!text.contains('…'), "{index}: {text}");
    }
    let action = format!("urn:{}", "a".repeat(600));
    let sent = Sent::soap(&action, envelope(SOAP11, &login("")));
    let text = sent.answered(ServerOptions::new()).await;
    let expected =
        format!("Server did not recognize the value of HTTP Header SOAPAction: {action}.");
    assert!(text.contains(&expected), "{text}");
}

/// If a caller does not escape `&` and `=` in a password, its rest is read as a field.
#[tokio::test]
async fn strict_forms_quote_no_names() {
    let body = "username=alice&password=hunter&2=secret".to_owned();
    let mut sent = Sent::form("Login", FORM, body);
    sent.target = format!("{AUTHENTICATOR}/Login");
    let mut request = Request::post(sent.target);
    request = request.header("Content-Type", FORM);
    let options = ServerOptions::new().with_strict(true);
    let server = fixture::authenticator_server().with_options(options);
    let response = server
        .answer(request.body(Bytes::from(sent.body)).unwrap())
        .await;
    assert_eq!(
        response.body(),
        "Field 3 of the form is not a parameter. Parameters: username, password.\n"
    );
}

async fn call(binding: Binding, status: u16, media_type: &str, body: &str) -> CallError {
    let response = http::Response::builder()
        .status(status)
        .header("Content-Type", media_type)
        .body(Bytes::copy_from_slice(body.as_bytes()))
        .unwrap();
    let transport = transport_fn(move |_| std::future::ready(Ok(response.clone())));
    let client = AuthenticatorClient::new(transport, "http://h")
        .unwrap()
        .with_binding(binding);
    client.login(&LoginRequest::default()).await.unwrap_err()
}

fn assert_printable(error: &dyn std::fmt::Display, what: &str) {
    let text = error.to_string();
    assert!(text.len() < MOST, "{what}: {}", text.len());
    let controls =
        |c: char| c.is_control() || "\u{202E}\u{2066}\u{200F}\u{61C}\u{2028}".contains(c);
    assert!(!text.contains(controls), "{what}: {text:?}");
}

/// A long fault that contains terminal control characters and overrides the text direction in logs.
#[tokio::test]
async fn errors_of_clients_are_safe_to_print() {
    let evil = "\u{202E}\u{2066}\u{200F}\u{61C}\u{2028}\u{9B}2J\n[ERROR] forged ";
    let long = evil.repeat(MUCH / evil.len());
    // Names cannot contain control characters, but characters that change the text direction.
    let name = format!("n{}", "\u{200D}\u{203F}x".repeat(100));
    let fault = |text: &str| {
        format!(
            "<e:Fault><faultcode xmlns:q=\"urn:{text}\">q:Mine</faultcode><faultstring>{text}</faultstring><faultactor>{text}</faultactor></e:Fault>"
        )
    };
    let xml = "text/xml";
    let soap = |body: &str| envelope(SOAP11, body);
    for (what, binding, status, media_type, body) in [
        (
            "fault",
            Binding::Soap11,
            500,
            xml,
            soap(&fault(&long.repeat(2))),
        ),
        (
            "code",
            Binding::Soap11,
            500,
            xml,
            soap(&fault(&long[..60_000])),
        ),
        (
            "form fault",
            Binding::HttpGet,
            500,
            "text/plain; charset=utf-8",
            long.clone(),
        ),
        ("status", Binding::Soap11, 404, "text/plain", long.clone()),
        ("body", Binding::Soap11, 200, "text/\"x", long.clone()),
        ("root", Binding::Soap11, 200, xml, format!("<{name}/>")),
        (
            "element",
            Binding::Soap11,
            200,
            xml,
            soap(&format!("<{name} xmlns=\"{}\"/>", &long[..60_000])),
        ),
        (
            "header",
            Binding::Soap11,
            200,
            xml,
            format!(
                "<e:Envelope xmlns:e=\"{SOAP11}\"><e:Header><{name} e:mustUnderstand=\"1\"/></e:Header><e:Body><LoginResponse xmlns=\"http://example.com/svc/auth\"><LoginResult>1</LoginResult></LoginResponse></e:Body></e:Envelope>"
            ),
        ),
        (
            "value",
            Binding::Soap11,
            200,
            xml,
            soap(&format!(
                "<LoginResponse xmlns=\"http://example.com/svc/auth\"><LoginResult>{long}</LoginResult></LoginResponse>"
            )),
        ),
        (
            "root of a form",
            Binding::HttpGet,
            200,
            xml,
            format!("<{name} xmlns=\"{}\"/>", &long[..60_000]),
        ),
        (
            "encoding",
            Binding::HttpGet,
            200,
            xml,
            format!(
                "<?xml version=\"1.0\" encoding=\"{}\"?><a/>",
                "x".repeat(MUCH)
            ),
        ),
    ] {
        let error = call(binding, status, media_type, &body).await;
        assert_printable(&error, what);
        if let CallError::Fault(fault) = &error {
            assert_printable(fault, what);
            assert!(
                fault.text().len() >= 60_000 - 4 && fault.text().contains("\u{202E}"),
                "{what}"
            );
        }
    }
    let kind = TransportErrorKind::Exchange;
    assert_printable(&TransportError::new(kind, &*long), "transport");
    assert_printable(&ReadError::new(ReadErrorKind::Value, &*long), "read");
    assert_printable(&Fault::exception(&long), "a handler's");
}
