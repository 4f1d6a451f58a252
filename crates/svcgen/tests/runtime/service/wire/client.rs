//! The client: the requests that it writes, and the answers that it reads.

use bytes::Bytes;
use http::{Request, Response};
use svcgen::codegen::Client as BareClient;
use svcgen::codegen::model::TypeRef::Simple;
use svcgen::codegen::model::{
    Bindings, Module, ResponseFormat, ScriptMethod, Service, SimpleType, complex_type, element,
    operation,
};
use svcgen::{Binding, CallError, FaultCode, Secret};

use super::calls::{SOAP11, SOAP12, envelope, ready};
use super::service::{Account, Client, EchoRequest, LoginRequest, MODULE, Server, Shows};

fn login(username: &str) -> LoginRequest {
    LoginRequest {
        username: Some(username.to_owned()),
        password: Some(Secret::from("secret")),
        tries: 3,
    }
}

fn in_process() -> Client<impl svcgen::Transport> {
    let server = Server::new(Shows);
    let transport = svcgen::transport::transport_fn(move |request: Request<Bytes>| {
        let server = server.clone();
        async move { Ok(server.answer(request).await) }
    });
    Client::new(transport, "http://localhost").unwrap()
}

#[test]
fn calls_over_every_binding() {
    for binding in Binding::ALL {
        let client = in_process().with_binding(binding);
        let account = ready(client.login(login("alice"))).unwrap();
        assert_eq!(
            account,
            Account {
                id: 3,
                name: Some("Some(\"alice\") Some(6)".to_owned())
            },
            "{binding}"
        );
        let text = "  <&>\"'é日😀 +%\t\n\r ";
        let echoed = ready(client.echo(EchoRequest {
            text: Some(text.to_owned()),
        }))
        .unwrap();
        assert_eq!(echoed.as_deref(), Some(text), "{binding}");
        ready(client.no_op()).unwrap();
        assert_eq!(ready(client.count()).unwrap(), None, "{binding}");
        match ready(client.soap_only()) {
            Ok(numbers) => assert!(binding.is_soap() && numbers == [1, -2]),
            Err(error) => assert_eq!(
                error.to_string(),
                format!(
                    "the operation SoapOnly is not offered over {binding} (hint: `with_binding` chooses another binding)"
                )
            ),
        }
        let fault = ready(client.login(login("throw"))).unwrap_err();
        let fault = fault.fault().unwrap();
        assert_eq!(fault.code(), &FaultCode::Server);
        assert!(fault.text().ends_with("boom <&> é"), "{fault}");
    }
}

#[test]
fn faults_keep_their_parts() {
    let eleven = ready(in_process().login(login("refuse"))).unwrap_err();
    let eleven = eleven.fault().unwrap();
    assert_eq!(
        (eleven.code(), eleven.actor()),
        (&FaultCode::other("urn:accounts", "Locked"), Some("urn:me"))
    );
    let twelve = ready(
        in_process()
            .with_binding(Binding::Soap12)
            .login(login("refuse")),
    )
    .unwrap_err();
    assert_eq!(twelve.fault().unwrap().subcodes()[0].local(), "Deeper");
    assert_eq!(
        twelve.to_string(),
        "the service answered with a fault ({urn:accounts}Locked): locked"
    );
}

#[test]
fn secrets_are_never_part_of_a_url_over_json() {
    static WITH_SECRET: Module<'static> = Module::new(&[], &[]).with_service(Service::new(
        "Vault",
        "urn:vault",
        "/Vault.asmx",
        &[operation(
            "Open",
            "urn:vault/Open",
            complex_type(
                "Open",
                &[element("pin", Simple(SimpleType::String)).secret()],
            ),
            "OpenResponse",
        )
        .over(Bindings::of(&[Binding::Json]))
        .script(ScriptMethod {
            use_http_get: true,
            response_format: ResponseFormat::Json,
        })],
    ));
    let client = BareClient::new(&WITH_SECRET, (), "http://h").unwrap();
    let error = client
        .with_binding(Binding::Json)
        .request(0, &(), &())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the request cannot be written: 'pin' is a secret, and the parameters of Open would be part of the URL."
    );
    assert!(!error.may_have_run());
}

fn client(binding: Binding) -> BareClient<()> {
    BareClient::new(&MODULE, (), "http://h:81/")
        .unwrap()
        .with_binding(binding)
}

fn text(request: &Request<Bytes>) -> &str {
    std::str::from_utf8(request.body()).unwrap()
}

#[test]
fn requests_over_soap() {
    let request = client(Binding::Soap11)
        .request(0, &(), &login("alice"))
        .unwrap();
    assert_eq!(request.uri(), "http://h:81/Svc/Accounts.asmx");
    assert_eq!(request.headers()["soapaction"], "\"urn:accounts/Login\"");
    assert_eq!(request.headers()["content-type"], "text/xml; charset=utf-8");
    assert_eq!(
        text(&request),
        concat!(
            r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/""#,
            r#" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body>"#,
            r#"<Login xmlns="urn:accounts"><username>alice</username><password>secret</password><tries>3</tries></Login></soap:Body></soap:Envelope>"#
        )
    );
    let request = client(Binding::Soap12).request(2, &(), &()).unwrap();
    assert_eq!(
        request.headers()["content-type"],
        "application/soap+xml; charset=utf-8; action=\"urn:accounts/NoOp\""
    );
    assert_eq!(request.headers().len(), 1);
    assert!(
        text(&request)
            .ends_with(r#"<soap:Body><NoOp xmlns="urn:accounts" /></soap:Body></soap:Envelope>"#)
    );
}

#[test]
fn a_client_calls_over_the_first_binding_of_its_service() {
    static MODULE: Module<'static> = Module::new(&[], &[]).with_service(Service::new(
        "Clock",
        "urn:clock",
        "/Clock.asmx",
        &[
            operation("Set", "urn:clock/Set", complex_type("Set", &[]), "Done")
                .over(Bindings::of(&[Binding::HttpPost])),
            operation("Tell", "urn:clock/Tell", complex_type("Tell", &[]), "Told")
                .over(Bindings::FORMS),
        ],
    ));
    let client = BareClient::new(&MODULE, (), "http://h").unwrap();
    let request = client.request(1, &(), &()).unwrap();
    assert_eq!(request.method(), "GET");
    assert_eq!(request.uri(), "http://h/Clock.asmx/Tell");
}

#[test]
fn requests_over_http() {
    let request = client(Binding::HttpGet)
        .request(
            0,
            &(),
            &LoginRequest {
                username: Some("a b".to_owned()),
                ..Default::default()
            },
        )
        .unwrap();
    assert_eq!(
        request.uri(),
        "http://h:81/Svc/Accounts.asmx/Login?username=a+b&password=&tries=0"
    );
    assert!(request.headers().is_empty());
    assert_eq!(
        client(Binding::HttpGet).request(2, &(), &()).unwrap().uri(),
        "http://h:81/Svc/Accounts.asmx/NoOp"
    );
    let request = client(Binding::HttpPost).request(2, &(), &()).unwrap();
    assert_eq!(
        (
            request.headers()["content-type"].to_str().unwrap(),
            text(&request)
        ),
        ("application/x-www-form-urlencoded", "")
    );
}

#[test]
fn what_cannot_be_written_is_not_sent() {
    let error = client(Binding::Soap11)
        .request(
            1,
            &(),
            &EchoRequest {
                text: Some("\u{1}".to_owned()),
            },
        )
        .unwrap_err();
    assert!(matches!(error, CallError::Write(_)), "{error}");
}

fn response(status: u16, content_type: &str, body: impl Into<Bytes>) -> Response<Bytes> {
    Response::builder()
        .status(status)
        .header("content-type", content_type)
        .body(body.into())
        .unwrap()
}

fn read(binding: Binding, response: &Response<Bytes>) -> Result<Account, CallError> {
    client(binding).answer(0, response).read::<Account>()
}

const RESULT: &str = r#"<ns1:LoginResponse xmlns:ns1="urn:accounts"><ns1:LoginResult><ns1:Id>7</ns1:Id></ns1:LoginResult></ns1:LoginResponse>"#;

#[test]
fn answers_of_other_stacks() {
    let expected = Account { id: 7, name: None };
    for (binding, other) in [(Binding::Soap11, SOAP12), (Binding::Soap12, SOAP11)] {
        let message = format!("<?xml version='1.0'?>\n{}\n", envelope(other, RESULT));
        assert_eq!(
            read(binding, &response(200, "text/xml", message.clone())).unwrap(),
            expected
        );
        assert_eq!(
            read(
                binding,
                &response(200, "application/soap+xml; action=\"x\"", message)
            )
            .unwrap(),
            expected
        );
    }
    let utf16: Vec<u8> = envelope(SOAP11, RESULT)
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect();
    assert_eq!(
        read(
            Binding::Soap11,
            &response(200, "text/xml; charset=utf-16be", utf16)
        )
        .unwrap(),
        expected
    );
    let root = r#"<a:Account xmlns:a="urn:accounts"><a:Id>7</a:Id></a:Account>"#;
    assert_eq!(
        read(
            Binding::HttpGet,
            &response(200, "text/xml; charset=utf-8", root)
        )
        .unwrap(),
        expected
    );
}

#[test]
fn faults_with_any_status() {
    let fault = "<s:Fault><faultcode>s:Client</faultcode><faultstring>no</faultstring></s:Fault>";
    for status in [200, 400, 500] {
        let error = read(
            Binding::Soap11,
            &response(status, "text/xml", envelope(SOAP11, fault)),
        )
        .unwrap_err();
        assert_eq!(
            error.fault().map(|fault| (fault.code(), fault.text())),
            Some((&FaultCode::Client, "no"))
        );
    }
}

/// Returns the message without its hint.
fn error(binding: Binding, response: &Response<Bytes>) -> String {
    let error = read(binding, response).unwrap_err();
    let text = error.to_string();
    let hint = error
        .hint()
        .map_or_else(String::new, |hint| format!(" (hint: {hint})"));
    text.strip_suffix(&hint).unwrap().to_owned()
}

#[test]
fn what_is_no_answer_is_said() {
    let soap = |body: &str| {
        error(
            Binding::Soap11,
            &response(200, "text/xml", envelope(SOAP11, body)),
        )
    };
    assert_eq!(
        soap("<x:Other xmlns:x='urn:y'/>"),
        "the answer holds the element Other of the namespace urn:y where LoginResponse of urn:accounts was expected"
    );
    assert_eq!(
        soap("<LoginResponse xmlns='urn:accounts'/>"),
        "the answer lacks the element LoginResult"
    );
    assert_eq!(soap(""), "the Body of the answer is empty");
    assert!(
        soap("<LoginResponse xmlns='urn:accounts'>").starts_with("the answer cannot be read: ")
    );
    let html = "<html>\n<body>It works!";
    assert_eq!(
        error(Binding::Soap11, &response(200, "text/html", html)),
        "the answer is not a SOAP message but text/html: <html> <body>It works!"
    );
    assert_eq!(
        error(Binding::HttpPost, &response(200, "text/html", html)),
        "the answer is not XML but text/html: <html> <body>It works!"
    );
    assert_eq!(
        error(Binding::Soap11, &response(500, "text/html", html)),
        "the server answered 500 Internal Server Error: <html> <body>It works!"
    );
    assert_eq!(
        error(
            Binding::Soap11,
            &response(302, "text/xml", envelope(SOAP11, RESULT))
        )
        .split(':')
        .next(),
        Some("the server answered 302 Found")
    );
    assert_eq!(
        error(Binding::HttpGet, &response(404, "application/json", "{}")),
        "the server answered 404 Not Found"
    );
    assert_eq!(
        error(Binding::HttpGet, &response(200, "text/xml", "")),
        "the answer lacks the element LoginResult"
    );
    assert_eq!(
        error(Binding::HttpGet, &response(200, "text/xml", "<Other/>")),
        "the answer holds the element Other of no namespace where Account of urn:accounts was expected"
    );
    let mut zipped = response(200, "text/xml", "x");
    zipped
        .headers_mut()
        .insert("content-encoding", "gzip".parse().unwrap());
    assert_eq!(
        error(Binding::Soap11, &zipped),
        "the answer is compressed (gzip) though that was not asked for"
    );
    let long = client(Binding::Soap11).with_limits(svcgen::Limits::default().with_body(3));
    assert_eq!(
        long.answer(0, &response(200, "text/xml", "four"))
            .read::<Account>()
            .unwrap_err()
            .to_string(),
        "the answer is longer than 3 bytes (hint: `Client::with_limits` sets another limit)"
    );
}

#[test]
fn form_errors_are_faults() {
    let error = read(
        Binding::HttpGet,
        &response(
            500,
            "text/plain; charset=utf-8",
            "Missing &lt;parameter&gt; &#39;x&#39;.\r\n",
        ),
    )
    .unwrap_err();
    assert_eq!(
        error.fault().map(|fault| fault.text()),
        Some("Missing <parameter> 'x'.")
    );
}
