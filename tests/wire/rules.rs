//! Rules of the wire that are not in a recorded exchange, with a row for each.

use bytes::Bytes;
use svcgen_tests::fixture::{self, show};

const AUTHENTICATOR: &str = "/SvcDotNet/Authenticator.asmx";
const DEVICE: &str = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx";
const SOAP11: &str = "http://schemas.xmlsoap.org/soap/envelope/";
const SOAP12: &str = "http://www.w3.org/2003/05/soap-envelope";
const LOGIN: &str = "<Login xmlns=\"http://example.com/svc/auth\"><username>alice</username><password>secret</password></Login>";

struct Answer {
    status: u16,
    content_type: Option<String>,
    cache_control: Option<String>,
    body: String,
}

impl Answer {
    fn is_true(&self) -> bool {
        self.status == 200 && self.body.contains("<LoginResult>true</LoginResult>")
    }

    /// Returns the code and the text of the fault, in either version.
    fn fault(&self) -> (String, String) {
        let document = roxmltree::Document::parse(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.body));
        let text = |name: &str| {
            let node = document
                .descendants()
                .find(|node| node.tag_name().name() == name);
            node.and_then(|node| node.text())
                .unwrap_or_default()
                .to_owned()
        };
        if self.body.contains("<faultcode>") {
            (text("faultcode"), text("faultstring"))
        } else {
            (text("Value"), text("Text"))
        }
    }
}

async fn send(
    method: &str,
    target: &str,
    headers: &[(&str, &str)],
    body: impl Into<Vec<u8>>,
) -> Answer {
    let mut request = http::Request::builder().method(method).uri(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let answer = fixture::router()
        .answer(request.body(Bytes::from(body.into())).expect("a request"))
        .await;
    let header = |name: &str| {
        answer
            .headers()
            .get(name)
            .map(|value| value.to_str().expect("ASCII").to_owned())
    };
    Answer {
        status: answer.status().as_u16(),
        content_type: header("content-type"),
        cache_control: header("cache-control"),
        body: String::from_utf8(answer.body().to_vec()).expect("UTF-8"),
    }
}

fn envelope(namespace: &str, header: &str, body: &str) -> String {
    format!(
        "<soap:Envelope xmlns:soap=\"{namespace}\">{header}<soap:Body>{body}</soap:Body></soap:Envelope>"
    )
}

async fn soap11(path: &str, header: &str, body: &str) -> Answer {
    send(
        "POST",
        path,
        &[("Content-Type", "text/xml; charset=utf-8")],
        envelope(SOAP11, header, body),
    )
    .await
}

async fn soap12(path: &str, header: &str, body: &str) -> Answer {
    send(
        "POST",
        path,
        &[("Content-Type", "application/soap+xml; charset=utf-8")],
        envelope(SOAP12, header, body),
    )
    .await
}

/// Returns the password and the mac address in these children, as shown by the fixture's `echo`.
async fn echoed(children: &str) -> String {
    let body = format!(
        "<ClientAuthWithResult xmlns=\"http://example.com/svc/auth\"><username>echo</username>{children}</ClientAuthWithResult>"
    );
    shown(&soap11(AUTHENTICATOR, "", &body).await)
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

fn shown(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.body);
    text_of(answer, "Message")
}

/// Returns the text of the first element with a name.
fn text_of(answer: &Answer, name: &str) -> String {
    let rest = answer.body.split_once(&format!("<{name}>"));
    let text = rest.and_then(|(_, rest)| rest.split_once(&format!("</{name}>")));
    text.unwrap_or_else(|| panic!("{}", answer.body))
        .0
        .to_owned()
}

// Routing.

#[tokio::test]
async fn soap_actions_route_soap_1_1() {
    let served = [
        "\"http://example.com/svc/auth/Login\"",
        "http://example.com/svc/auth/Login",
        "\"http%3A%2F%2Fexample.com%2Fsvc%2Fauth%2FLogin\"",
        "http%3a%2f%2fexample.com%2fsvc%2fauth%2fLogin",
        // As decoded by `HttpUtility.UrlDecode`.
        "\"http://example.com/svc/auth/%u004cogi%u006E\"",
        "%u0068ttp://example.com/svc/%61uth/Login",
    ];
    for action in served {
        let headers = [
            ("Content-Type", "text/xml; charset=utf-8"),
            ("SOAPAction", action),
        ];
        assert!(
            send("POST", AUTHENTICATOR, &headers, envelope(SOAP11, "", LOGIN))
                .await
                .is_true(),
            "{action}"
        );
    }
    for action in [
        "",
        "\"\"",
        "\"http://example.com/svc/auth/login\"",
        "http://example.com/svc/device/Login",
        "Login",
        "\"",
        "\"urn:x\"",
    ] {
        let headers = [
            ("Content-Type", "text/xml; charset=utf-8"),
            ("SOAPAction", action),
        ];
        let answer = send("POST", AUTHENTICATOR, &headers, envelope(SOAP11, "", LOGIN)).await;
        assert_eq!(
            (answer.status, answer.fault().0.as_str()),
            (500, "soap:Client"),
            "{action}"
        );
        assert_eq!(answer.cache_control.as_deref(), Some("private"), "{action}");
    }
    for (action, told) in [
        ("\"urn:<x>\"", "urn:<x>"),
        ("\"urn:a+b%u00e9%C3%A9%zz\"", "urn:a béé%zz"),
        ("urn:%00%0Aa", "urn:\u{FFFD}\na"),
    ] {
        let headers = [
            ("Content-Type", "text/xml; charset=utf-8"),
            ("SOAPAction", action),
        ];
        let answer = send("POST", AUTHENTICATOR, &headers, envelope(SOAP11, "", LOGIN)).await;
        assert_eq!(
            answer.fault().1,
            format!("Server did not recognize the value of HTTP Header SOAPAction: {told}.")
        );
    }
}

#[tokio::test]
async fn actions_and_elements_route_soap_1_2() {
    let message = || envelope(SOAP12, "", LOGIN);
    for content_type in [
        "application/soap+xml",
        "application/soap+xml; charset=utf-8; action=\"http://example.com/svc/auth/Login\"",
        "application/soap+xml;action=http://example.com/svc/auth/Login;charset=utf-8",
        "application/soap+xml; charset=utf-8; action=\" http://example.com/svc/auth/Login \"",
        "application/soap+xml; charset=utf-8; action=\"urn:unknown\"",
        "application/soap+xml; charset=utf-8; action=\"\"",
        "Application/SOAP+XML; Charset=\"UTF-8\"; Action=\"http://example.com/svc/auth/Login\"",
    ] {
        let answer = send(
            "POST",
            AUTHENTICATOR,
            &[("Content-Type", content_type)],
            message(),
        )
        .await;
        assert!(answer.is_true(), "{content_type}: {}", answer.body);
        assert_eq!(
            answer.content_type.as_deref(),
            Some("application/soap+xml; charset=utf-8")
        );
    }
    // The SOAPAction header has no meaning in SOAP 1.2.
    let headers = [
        ("Content-Type", "application/soap+xml; charset=utf-8"),
        ("SOAPAction", "\"urn:unknown\""),
    ];
    assert!(
        send("POST", AUTHENTICATOR, &headers, message())
            .await
            .is_true()
    );
    let headers = [(
        "Content-Type",
        "application/soap+xml; charset=utf-8; action=\"urn:unknown\"",
    )];
    let unknown = envelope(SOAP12, "", "<Nope xmlns=\"http://example.com/svc/auth\"/>");
    let answer = send("POST", AUTHENTICATOR, &headers, unknown).await;
    let said = "Unable to handle request. The action 'urn:unknown' was not recognized.";
    assert_eq!(
        (answer.status, answer.fault()),
        (500, ("soap:Sender".to_owned(), said.to_owned()))
    );
    // The action of one operation with the element of another.
    let headers = [(
        "Content-Type",
        "application/soap+xml; action=\"http://example.com/svc/auth/ClientAuthWithResult\"",
    )];
    let answer = send("POST", AUTHENTICATOR, &headers, message()).await;
    assert_eq!(
        (answer.status, answer.fault().0.as_str()),
        (500, "soap:Sender")
    );
}

#[tokio::test]
async fn without_an_action_the_element_routes() {
    let said = "Unable to handle request without a valid action parameter. Please supply a valid soap action.";
    for body in [
        "",
        "text",
        "<!-- -->",
        "<Nope xmlns=\"http://example.com/svc/auth\"/>",
        "<login xmlns=\"http://example.com/svc/auth\"/>",
        "<Login/>",
        "<Login xmlns=\"http://example.com/svc/device\"/>",
        "<LoginResponse xmlns=\"http://example.com/svc/auth\"/>",
    ] {
        let answer = soap11(AUTHENTICATOR, "", body).await;
        assert_eq!(
            (answer.status, answer.fault()),
            (500, ("soap:Client".to_owned(), said.to_owned())),
            "{body}"
        );
        let answer = soap12(AUTHENTICATOR, "", body).await;
        assert_eq!(
            (answer.status, answer.fault()),
            (500, ("soap:Sender".to_owned(), said.to_owned())),
            "{body}"
        );
    }
}

#[tokio::test]
async fn media_types_are_read_generously() {
    for content_type in [
        "text/xml",
        "TEXT/XML; CHARSET=UTF-8",
        "text/xml;",
        "text/xml;charset=utf-8",
        "text/xml ; charset=utf-8",
        " text/xml; charset=utf-8 ",
        "text/xml; charset=\"utf-8\"",
        "text/xml; charset='utf-8'",
        "text/xml; charset=no-such-charset",
        "text/xml; charset=",
        "text/xml; a=b; charset=UTF8",
    ] {
        let answer = send(
            "POST",
            AUTHENTICATOR,
            &[("Content-Type", content_type)],
            envelope(SOAP11, "", LOGIN),
        )
        .await;
        assert!(
            answer.is_true(),
            "{content_type}: {} {}",
            answer.status,
            answer.body
        );
    }
    for content_type in [
        "text/plain",
        "application/xml",
        "application/json",
        "text/xmlx",
        "multipart/related",
        "x",
        "",
    ] {
        let answer = send(
            "POST",
            AUTHENTICATOR,
            &[("Content-Type", content_type)],
            envelope(SOAP11, "", LOGIN),
        )
        .await;
        assert_eq!(answer.status, 415, "{content_type}");
        assert_eq!(
            answer.content_type.as_deref(),
            Some("text/plain; charset=utf-8"),
            "{content_type}"
        );
    }
    assert_eq!(
        send("POST", AUTHENTICATOR, &[], envelope(SOAP11, "", LOGIN))
            .await
            .status,
        415
    );
}

/// Messages with attachments are refused with their name where SOAP is served; at the path of an
/// operation, they are forms of another media type.
#[tokio::test]
async fn attachments_are_refused_at_every_path() {
    let related = r#"multipart/related; type="application/xop+xml"; boundary=b"#;
    for (content_type, name) in [
        (related, "MTOM, XOP or SOAP with Attachments"),
        ("application/dime", "DIME"),
    ] {
        let headers = [("Content-Type", content_type), ("SOAPAction", "\"x\"")];
        let shouted = DEVICE.to_uppercase();
        let asked = format!("{AUTHENTICATOR}?op=Login");
        for path in [AUTHENTICATOR, DEVICE, &shouted, &asked] {
            let answer = send("POST", path, &headers, "--b").await;
            let said = (answer.status, answer.content_type.as_deref());
            assert_eq!(said, (415, Some("text/plain; charset=utf-8")), "{path}");
            assert!(
                answer.body.contains(name) && answer.body.lines().count() == 1,
                "{path}: {}",
                answer.body
            );
        }
        let operation = format!("{AUTHENTICATOR}/Login");
        let answer = send("POST", &operation, &headers, "--b").await;
        let quoted = content_type.replace('"', "&quot;");
        assert_eq!(
            (answer.status, &*answer.body),
            (500, &*format!("Request format is invalid: {quoted}.\n"))
        );
        // An operation without parameters does not read the body.
        let nothing = format!("{DEVICE}/TestConnection");
        assert_eq!(send("POST", &nothing, &headers, "--b").await.status, 200);
        assert_eq!(send("PUT", &operation, &headers, "--b").await.status, 405);
        assert_eq!(send("POST", "/none", &headers, "--b").await.status, 404);
    }
}

#[tokio::test]
async fn the_envelope_decides_the_version_of_the_answer() {
    let answer = send(
        "POST",
        AUTHENTICATOR,
        &[("Content-Type", "text/xml")],
        envelope(SOAP12, "", LOGIN),
    )
    .await;
    assert!(answer.is_true() && answer.body.contains(SOAP12));
    assert_eq!(
        answer.content_type.as_deref(),
        Some("application/soap+xml; charset=utf-8")
    );
    let headers = [("Content-Type", "application/soap+xml; charset=utf-8")];
    assert_eq!(
        send("POST", AUTHENTICATOR, &headers, envelope(SOAP11, "", LOGIN))
            .await
            .status,
        415
    );
}

#[tokio::test]
async fn queries_mean_nothing_to_soap() {
    for query in ["?", "?x=1", "?wsdl", "?WSDL", "?op=Login", "?username=bob"] {
        assert!(
            soap11(&format!("{AUTHENTICATOR}{query}"), "", LOGIN)
                .await
                .is_true(),
            "{query}"
        );
    }
}

#[tokio::test]
async fn elements_after_the_body_are_ignored() {
    let message = envelope(SOAP11, "", LOGIN)
        .replace("</soap:Body>", "</soap:Body><x/><soap:Header/><!-- -->");
    let answer = send(
        "POST",
        AUTHENTICATOR,
        &[("Content-Type", "text/xml")],
        message,
    )
    .await;
    assert!(answer.is_true(), "{}", answer.body);
}

// Messages of other stacks.

#[tokio::test]
async fn messages_of_other_stacks_are_served() {
    let xsi = "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\"";
    for (stack, message) in [
        (
            "one prefix for everything",
            format!(
                "<SOAP-ENV:Envelope xmlns:SOAP-ENV=\"{SOAP11}\" xmlns:ns1=\"http://example.com/svc/auth\"><SOAP-ENV:Body><ns1:Login><ns1:username>alice</ns1:username><ns1:password>secret</ns1:password></ns1:Login></SOAP-ENV:Body></SOAP-ENV:Envelope>\n"
            ),
        ),
        (
            "two prefixes for the envelope",
            format!(
                "<e:Envelope xmlns:e=\"{SOAP11}\" xmlns:f=\"{SOAP11}\"><e:Header/><f:Body>{LOGIN}</f:Body></e:Envelope>"
            ),
        ),
        (
            "indented",
            format!(
                "<?xml version=\"1.0\" encoding=\"utf-8\" ?>\r\n<e:Envelope\r\n  xmlns:e=\"{SOAP11}\">\r\n  <e:Body>\r\n    {}\r\n  </e:Body>\r\n</e:Envelope>\r\n",
                LOGIN.replace("><", ">\r\n      <")
            ),
        ),
        (
            "standalone",
            format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>{}",
                envelope(SOAP11, "", LOGIN)
            ),
        ),
        (
            "single quotes",
            format!(
                "<?xml version='1.0' encoding='utf-8'?>{}",
                envelope(SOAP11, "", LOGIN)
            ),
        ),
        (
            "types on every argument",
            format!(
                "<s:Envelope {xsi} xmlns:s=\"{SOAP11}\" s:encodingStyle=\"http://schemas.xmlsoap.org/soap/encoding/\"><s:Body><Login xmlns=\"http://example.com/svc/auth\" s:encodingStyle=\"http://schemas.xmlsoap.org/soap/encoding/\"><username xsi:type=\"xsd:string\">alice</username><password xsi:type=\"xsd:string\">secret</password></Login></s:Body></s:Envelope>"
            ),
        ),
        (
            "no prefix",
            format!("<Envelope xmlns=\"{SOAP11}\"><Body>{LOGIN}</Body></Envelope>"),
        ),
        (
            "prefixes in any place",
            format!(
                "<s:Envelope xmlns:s=\"{SOAP11}\"><s:Body><a:Login xmlns:a=\"http://example.com/svc/auth\"><b:username xmlns:b=\"http://example.com/svc/auth\">alice</b:username><password xmlns=\"http://example.com/svc/auth\">secret</password></a:Login></s:Body></s:Envelope>"
            ),
        ),
    ] {
        let answer = send(
            "POST",
            AUTHENTICATOR,
            &[("Content-Type", "text/xml; charset=utf-8")],
            message,
        )
        .await;
        assert!(
            answer.is_true(),
            "{stack}: {} {}",
            answer.status,
            answer.body
        );
    }
    let nil = "<NoOp xsi:nil=\"true\" xmlns=\"http://example.com/svc/device\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"/>";
    assert_eq!(soap11(DEVICE, "", nil).await.status, 200);
}

// Values over SOAP.

#[tokio::test]
async fn texts_over_soap() {
    for (password, text) in [
        ("<password> a  b </password>", Some(" a  b ")),
        ("<password>a\r\nb\rc\nd</password>", Some("a\nb\nc\nd")),
        ("<password>a&#xD;&#10;&#13;b</password>", Some("a\r\n\rb")),
        (
            "<password><![CDATA[ <a> & ]]>&lt;<![CDATA[]]></password>",
            Some(" <a> & <"),
        ),
        (
            "<password>&quot;&apos;&#233;&#x1F600;</password>",
            Some("\"'\u{e9}\u{1f600}"),
        ),
        ("<password a='b'>x</password>", Some("x")),
        ("<password>x</password><password>y</password>", Some("x")),
        ("<other/><password>x</password><other>y</other>", Some("x")),
        ("<password>x</password><macAddress/>", Some("x")),
    ] {
        let mac = if password.contains("macAddress") {
            Some("")
        } else {
            None
        };
        assert_eq!(
            echoed(password).await,
            show(text) + &show(mac) + "[null]",
            "{password}"
        );
    }
    let nil = "<password>x</password><macAddress xsi:nil=\"VALUE\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"/>";
    for (value, text) in [
        ("true", None),
        ("1", None),
        (" true ", None),
        ("false", Some("")),
        ("0", Some("")),
    ] {
        assert_eq!(
            echoed(&nil.replace("VALUE", value)).await,
            "[1:x]".to_owned() + &show(text) + "[null]",
            "{value}"
        );
    }
}

fn encrypted(bytes: &str, initiated: &str) -> String {
    format!(
        "<LoginWithEncryptedPassword xmlns=\"http://example.com/svc/device\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><username>echo</username>{bytes}{initiated}</LoginWithEncryptedPassword>"
    )
}

fn login_error_message(answer: &Answer) -> String {
    text_of(answer, "LoginErrorMessage")
}

#[tokio::test]
async fn booleans_over_soap() {
    for (text, value) in [
        ("true", true),
        ("false", false),
        ("1", true),
        ("0", false),
        (" true ", true),
        ("\n1\t", true),
        ("&#32;false", false),
        ("<![CDATA[true]]>", true),
    ] {
        let answer = soap11(
            DEVICE,
            "",
            &encrypted("", &format!("<userInitiated>{text}</userInitiated>")),
        )
        .await;
        assert_eq!(
            login_error_message(&answer),
            format!("[null][null][{value}]"),
            "{text:?}"
        );
    }
    let answer = soap11(DEVICE, "", &encrypted("", "")).await;
    assert_eq!(login_error_message(&answer), "[null][null][false]");
    for (element, value) in [
        ("<userInitiated>yes</userInitiated>", "yes"),
        ("<userInitiated>TRUE</userInitiated>", "TRUE"),
        ("<userInitiated>2</userInitiated>", "2"),
        ("<userInitiated></userInitiated>", ""),
        ("<userInitiated/>", ""),
        ("<userInitiated xsi:nil=\"true\"/>", ""),
    ] {
        let body = encrypted("", element);
        let message = envelope(SOAP11, "", &body);
        // The position of the name in the end tag.
        let end = message.find(element).expect("the element") + element.len();
        let column = end + "</".len() + 1;
        let expected = format!(
            "Server was unable to read request. ---> There is an error in XML document (1, {column}). ---> The string '{value}' is not a valid Boolean value."
        );
        let answer = soap11(DEVICE, "", &body).await;
        assert_eq!(
            (answer.status, answer.fault()),
            (500, ("soap:Client".to_owned(), expected.clone())),
            "{element}"
        );
        let expected = expected.replace(
            &format!("(1, {column})"),
            &format!("(1, {})", column + SOAP12.len() - SOAP11.len()),
        );
        let answer = soap12(DEVICE, "", &body).await;
        assert_eq!(
            (answer.status, answer.fault()),
            (500, ("soap:Sender".to_owned(), expected)),
            "{element}"
        );
    }
}

#[tokio::test]
async fn bytes_over_soap() {
    for (element, hex) in [
        ("", "null"),
        ("<encryptedPassword/>", ""),
        ("<encryptedPassword></encryptedPassword>", ""),
        ("<encryptedPassword>  </encryptedPassword>", ""),
        ("<encryptedPassword xsi:nil=\"true\"/>", "null"),
        (
            "<encryptedPassword>AAEC/f7/</encryptedPassword>",
            "000102fdfeff",
        ),
        (
            "<encryptedPassword> AA\r\nEC\t/f 7/\n</encryptedPassword>",
            "000102fdfeff",
        ),
        ("<encryptedPassword>QUI=</encryptedPassword>", "4142"),
        ("<encryptedPassword>QUI</encryptedPassword>", "4142"),
        ("<encryptedPassword>QQ==</encryptedPassword>", "41"),
        ("<encryptedPassword>QQ</encryptedPassword>", "41"),
        ("<encryptedPassword>Q Q = =</encryptedPassword>", "41"),
        (
            "<encryptedPassword><![CDATA[QQ==]]></encryptedPassword>",
            "41",
        ),
    ] {
        let answer = soap11(DEVICE, "", &encrypted(element, "")).await;
        assert_eq!(
            login_error_message(&answer),
            format!("[{hex}][null][false]"),
            "{element}"
        );
    }
    for text in [
        "A*==", "AAEC-f7_", "QQ==QQ==", "QQ==A", "=", "====", "Q=", "\u{e9}", "AAAA.", "Q",
    ] {
        let answer = soap11(
            DEVICE,
            "",
            &encrypted(
                &format!("<encryptedPassword>{text}</encryptedPassword>"),
                "",
            ),
        )
        .await;
        assert_eq!(
            (answer.status, answer.fault().0.as_str()),
            (400, "soap:Client"),
            "{text}: {}",
            answer.body
        );
    }
}

#[tokio::test]
async fn headers_that_must_be_understood() {
    let next11 = "http://schemas.xmlsoap.org/soap/actor/next";
    let header = |attributes: &str| {
        format!("<soap:Header><h:Nope xmlns:h=\"urn:h\" {attributes}>x</h:Nope></soap:Header>")
    };
    for attributes in [
        "soap:mustUnderstand=\"1\"".to_owned(),
        "soap:mustUnderstand=\"true\"".to_owned(),
        format!("soap:mustUnderstand=\"1\" soap:actor=\"{next11}\""),
        "soap:mustUnderstand=\"1\" soap:actor=\"\"".to_owned(),
    ] {
        let answer = soap11(AUTHENTICATOR, &header(&attributes), LOGIN).await;
        let said = "SOAP header Nope was not understood.";
        assert_eq!(
            (answer.status, answer.fault()),
            (500, ("soap:MustUnderstand".to_owned(), said.to_owned())),
            "{attributes}"
        );
        assert!(!answer.body.contains("detail"), "{}", answer.body);
    }
    for attributes in [
        "soap:mustUnderstand=\"1\"",
        "soap:mustUnderstand=\"true\"",
        "soap:mustUnderstand=\"1\" soap:role=\"http://www.w3.org/2003/05/soap-envelope/role/next\"",
        "soap:mustUnderstand=\"1\" soap:role=\"http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver\"",
    ] {
        let answer = soap12(AUTHENTICATOR, &header(attributes), LOGIN).await;
        assert_eq!(
            (answer.status, answer.fault().0.as_str()),
            (500, "soap:MustUnderstand"),
            "{attributes}"
        );
        assert!(!answer.body.contains("Detail"), "{}", answer.body);
    }
    for attributes in [
        "",
        "soap:mustUnderstand=\"0\"",
        "soap:mustUnderstand=\"false\"",
        "mustUnderstand=\"1\"",
        "soap:mustUnderstand=\"1\" soap:actor=\"urn:other\"",
    ] {
        assert!(
            soap11(AUTHENTICATOR, &header(attributes), LOGIN)
                .await
                .is_true(),
            "{attributes}"
        );
    }
    for attributes in [
        "soap:mustUnderstand=\"1\" soap:role=\"urn:other\"",
        "soap:mustUnderstand=\"1\" soap:role=\"http://www.w3.org/2003/05/soap-envelope/role/none\"",
    ] {
        assert!(
            soap12(AUTHENTICATOR, &header(attributes), LOGIN)
                .await
                .is_true(),
            "{attributes}"
        );
    }
}

// Characters.

fn utf16(text: &str, big: bool) -> Vec<u8> {
    text.encode_utf16()
        .flat_map(|unit| {
            if big {
                unit.to_be_bytes()
            } else {
                unit.to_le_bytes()
            }
        })
        .collect()
}

fn latin1(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| u8::try_from(u32::from(c)).expect("Latin-1"))
        .collect()
}

#[tokio::test]
async fn charsets() {
    let message = |declaration: &str, password: &str| {
        let body = format!(
            "<ClientAuthWithResult xmlns=\"http://example.com/svc/auth\"><username>echo</username><password>{password}</password></ClientAuthWithResult>"
        );
        format!("{declaration}{}", envelope(SOAP11, "", &body))
    };
    let latin1_declared = "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>";
    let utf8_declared = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";
    let utf16_declared = "<?xml version=\"1.0\" encoding=\"utf-16\"?>";
    let wide = "\u{e9}\u{65e5}\u{1f600}";
    let bom = |text: String| format!("\u{feff}{text}");
    for (what, content_type, bytes, password) in [
        (
            "nothing said",
            "text/xml",
            message("", wide).into_bytes(),
            wide,
        ),
        (
            "UTF-8 declared",
            "text/xml",
            message(utf8_declared, wide).into_bytes(),
            wide,
        ),
        (
            "UTF-8 by its mark",
            "text/xml; charset=iso-8859-1",
            bom(message(utf8_declared, wide)).into_bytes(),
            wide,
        ),
        (
            "Latin-1 declared",
            "text/xml",
            latin1(&message(latin1_declared, "\u{e9}")),
            "\u{e9}",
        ),
        (
            "Latin-1 in the header",
            "text/xml; charset=iso-8859-1",
            latin1(&message(utf8_declared, "\u{e9}")),
            "\u{e9}",
        ),
        (
            "Latin-1 in the header alone",
            "text/xml; charset=ISO-8859-1",
            latin1(&message("", "\u{e9}")),
            "\u{e9}",
        ),
        (
            "UTF-8 in the header",
            "text/xml; charset=utf-8",
            message(latin1_declared, wide).into_bytes(),
            wide,
        ),
        (
            "unknown charset",
            "text/xml; charset=x-unknown",
            message(utf8_declared, wide).into_bytes(),
            wide,
        ),
        (
            "UTF-16 LE with a mark",
            "text/xml",
            utf16(&bom(message(utf16_declared, wide)), false),
            wide,
        ),
        (
            "UTF-16 BE with a mark",
            "text/xml; charset=utf-16",
            utf16(&bom(message(utf16_declared, wide)), true),
            wide,
        ),
        (
            "UTF-16 LE in the header",
            "text/xml; charset=utf-16le",
            utf16(&message(utf16_declared, wide), false),
            wide,
        ),
        (
            "UTF-16 BE in the header",
            "text/xml; charset=utf-16be",
            utf16(&message("", wide), true),
            wide,
        ),
        (
            "UTF-16 LE without a mark",
            "text/xml; charset=utf-16",
            utf16(&message(utf16_declared, wide), false),
            wide,
        ),
        (
            "UTF-16 LE without anything",
            "text/xml",
            utf16(&message(utf16_declared, wide), false),
            wide,
        ),
        (
            "UTF-16 BE without anything",
            "text/xml",
            utf16(&message(utf16_declared, wide), true),
            wide,
        ),
        (
            "windows-1252",
            "text/xml; charset=windows-1252",
            [message("", "\u{80}").replace('\u{80}', "|").into_bytes()].concat(),
            "|",
        ),
    ] {
        let answer = send(
            "POST",
            AUTHENTICATOR,
            &[("Content-Type", content_type)],
            bytes,
        )
        .await;
        assert_eq!(answer.status, 200, "{what}: {}", answer.body);
        assert_eq!(
            shown(&answer),
            show(Some(password)) + "[null][null]",
            "{what}"
        );
    }
}

// Forms.

const FORM: &str = "application/x-www-form-urlencoded";

/// Returns the password as received by the fixture, over GET and over POST.
async fn form_password(encoded: &str) -> [String; 2] {
    let fields = format!("username=echo&password={encoded}&macAddress=m&processName=p");
    let get = send(
        "GET",
        &format!("{AUTHENTICATOR}/ClientAuthWithResult?{fields}"),
        &[],
        "",
    )
    .await;
    let path = format!("{AUTHENTICATOR}/ClientAuthWithResult");
    let post = send("POST", &path, &[("Content-Type", FORM)], fields).await;
    [get, post].map(|answer| shown(&answer))
}

#[tokio::test]
async fn form_values_are_decoded() {
    for (encoded, text) in [
        ("a+b%20c", "a b c"),
        ("%2B", "+"),
        ("%C3%A9%E6%97%A5%F0%9F%98%80", "\u{e9}\u{65e5}\u{1f600}"),
        ("%c3%a9", "\u{e9}"),
        ("%u00E9%u65e5", "\u{e9}\u{65e5}"),
        ("%uD83D%uDE00", "\u{1f600}"),
        ("%U00e9", "%U00e9"),
        ("%u00", "%u00"),
        ("%uzzzz", "%uzzzz"),
        ("%zz%", "%zz%"),
        ("%4", "%4"),
        ("%E9", "\u{e9}"),
        ("%FF%FE", "\u{ff}\u{fe}"),
        ("%0D%0A%09", "\r\n\t"),
        ("a%2Cb", "a,b"),
        ("a%26b%3Dc", "a&b=c"),
        ("a=b", "a=b"),
        ("%3Cb%3E", "<b>"),
        ("%3Cscript%3E", "<script>"),
        ("%26%23x41;", "&#x41;"),
        ("'()*!-._~", "'()*!-._~"),
    ] {
        let [get, post] = form_password(encoded).await;
        let expected = (show(Some(text)) + "[1:m][1:p]")
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        assert_eq!(get, expected, "GET {encoded}");
        assert_eq!(post, expected, "POST {encoded}");
    }
}

async fn form(method: &str, operation: &str, fields: &str) -> Answer {
    match method {
        "GET" => send("GET", &format!("{operation}?{fields}"), &[], "").await,
        _ => send("POST", operation, &[("Content-Type", FORM)], fields).await,
    }
}

#[tokio::test]
async fn form_names_are_found() {
    let login = format!("{AUTHENTICATOR}/Login");
    for method in ["GET", "POST"] {
        for fields in [
            "username=alice&password=secret",
            "PASSWORD=secret&UserName=alice",
            "user%6eame=alice&%70assword=secret",
            "x=1&username=alice&&password=secret&y&=z&",
            "username=alice&password=secret&username2=x",
        ] {
            let answer = form(method, &login, fields).await;
            assert!(
                answer.body.contains(">true</boolean>"),
                "{method} {fields}: {}",
                answer.body
            );
        }
        for (fields, missing) in [
            ("", "username"),
            ("password=secret", "username"),
            ("username=alice", "password"),
            ("username&password=secret", "username"),
            ("username=alice;password=secret", "password"),
        ] {
            let answer = form(method, &login, fields).await;
            assert_eq!(
                (answer.status, answer.body.as_str()),
                (500, format!("Missing parameter: {missing}.\n").as_str()),
                "{method} {fields}"
            );
            assert_eq!(
                answer.content_type.as_deref(),
                Some("text/plain; charset=utf-8")
            );
            assert_eq!(answer.cache_control.as_deref(), Some("private"));
        }
        let repeated = form(
            method,
            &format!("{AUTHENTICATOR}/ClientAuthWithResult"),
            "username=echo&password=a&PASSWORD=&macAddress=m&password=c&processName=p",
        )
        .await;
        assert_eq!(shown(&repeated), "[4:a,,c][1:m][1:p]", "{method}");
    }
    // POST only reads the body, GET only the query.
    let answer = send(
        "POST",
        &format!("{login}?username=alice"),
        &[("Content-Type", FORM)],
        "password=secret",
    )
    .await;
    assert_eq!(answer.body, "Missing parameter: username.\n");
    let answer = send(
        "GET",
        &format!("{login}?username=alice"),
        &[("Content-Type", FORM)],
        "password=secret",
    )
    .await;
    assert_eq!(answer.body, "Missing parameter: password.\n");
}

#[tokio::test]
async fn booleans_in_forms() {
    let path = format!("{DEVICE}/LoginWithEncryptedPassword");
    for method in ["GET", "POST"] {
        for (text, value) in [
            ("true", true),
            ("True", true),
            ("TRUE", true),
            ("fAlse", false),
            ("+true+", true),
            ("%09false%0A", false),
        ] {
            let answer = form(
                method,
                &path,
                &format!("username=echo&devicePin=p&userInitiated={text}"),
            )
            .await;
            assert_eq!(
                login_error_message(&answer),
                format!("[null][1:p][{value}]"),
                "{method} {text}"
            );
        }
        for text in ["1", "0", "yes", "", "truefalse"] {
            let answer = form(
                method,
                &path,
                &format!("username=echo&devicePin=p&userInitiated={text}"),
            )
            .await;
            let said = format!(
                "Cannot convert {text} to System.Boolean.\r\nParameter name: type ---> String was not recognized as a valid Boolean.\n"
            );
            assert_eq!((answer.status, answer.body), (500, said), "{method} {text}");
        }
        let answer = form(method, &path, "username=echo&devicePin=p").await;
        assert_eq!(
            answer.body, "Missing parameter: userInitiated.\n",
            "{method}"
        );
        let answer = form(
            method,
            &path,
            "username=echo&devicePin=p&userInitiated=%3C'%22%C3%A9%3E",
        )
        .await;
        assert!(
            answer
                .body
                .starts_with("Cannot convert &lt;&#39;&quot;&#233;&gt; to System.Boolean."),
            "{}",
            answer.body
        );
    }
}

#[tokio::test]
async fn bytes_in_forms() {
    let path = format!("{DEVICE}/LoginWithEncryptedPassword");
    let rest = "username=echo&devicePin=p&userInitiated=true";
    for method in ["GET", "POST"] {
        for (fields, hex) in [
            ("", "null"),
            ("&encryptedPassword=65&encryptedPassword=66", "4142"),
            (
                "&encryptedPassword=0&ENCRYPTEDPASSWORD=255&x=1&encryptedPassword=007",
                "00ff07",
            ),
            ("&encryptedPassword=+65+&encryptedPassword=%2B66", "4142"),
            ("&encryptedPassword=QUI%3D", "4142"),
            ("&encryptedPassword=QUI%3D&encryptedPassword=QUI%3D", "4142"),
            ("&encryptedPassword=AAEC%2Ff7%2F", "000102fdfeff"),
            ("&encryptedPassword=1234", "d76df8"),
            ("&encryptedPassword=", ""),
        ] {
            let answer = form(method, &path, &format!("{rest}{fields}")).await;
            assert_eq!(answer.status, 200, "{method} {fields}: {}", answer.body);
            assert_eq!(
                login_error_message(&answer),
                format!("[{hex}][1:p][true]"),
                "{method} {fields}"
            );
        }
        for (bytes, shown) in [
            ("256", "256"),
            ("-1", "-1"),
            ("65,66", "65,66"),
            ("1&encryptedPassword=1000", "1000"),
            ("1&encryptedPassword=x", "[secret]"),
            ("65,66,67,68", "[secret]"),
        ] {
            let answer = form(method, &path, &format!("{rest}&encryptedPassword={bytes}")).await;
            assert_eq!(answer.status, 500, "{method} {bytes}: {}", answer.body);
            // A number that is not a byte cannot be a part of a password; any other text could be.
            assert!(
                answer
                    .body
                    .starts_with(&format!("Cannot convert {shown} to System.Byte.")),
                "{method} {bytes}: {}",
                answer.body
            );
        }
        let answer = form(
            method,
            &path,
            &format!("{rest}&encryptedPassword=QUI%3D&encryptedPassword=QUE%3D"),
        )
        .await;
        assert_eq!(answer.status, 500, "{method}: {}", answer.body);
    }
}

#[tokio::test]
async fn form_bodies_need_their_media_type() {
    let path = format!("{AUTHENTICATOR}/Login");
    let fields = "username=alice&password=secret";
    for content_type in [
        FORM,
        "Application/X-WWW-Form-Urlencoded; charset=UTF-8",
        "application/x-www-form-urlencoded;",
    ] {
        let answer = send("POST", &path, &[("Content-Type", content_type)], fields).await;
        assert!(
            answer.body.ends_with(">true</boolean>"),
            "{content_type}: {}",
            answer.body
        );
    }
    let answer = send("POST", &path, &[("Content-Type", "text/<b>")], fields).await;
    assert_eq!(
        (answer.status, answer.body.as_str()),
        (500, "Request format is invalid: text/&lt;b&gt;.\n")
    );
    assert_eq!(
        send("POST", &path, &[], fields).await.body,
        "Request format is invalid: .\n"
    );
    // Operations without parameters ignore queries, headers and bodies.
    for (method, query, headers, body) in [
        ("POST", "", &[][..], ""),
        ("POST", "?x=1", &[("Content-Type", "text/json")], "{}"),
        ("POST", "?", &[("Content-Type", FORM)], "a=b"),
        ("GET", "?", &[], ""),
        ("GET", "?x&y=%zz", &[("Content-Type", "text/xml")], "x"),
    ] {
        let answer = send(
            method,
            &format!("{DEVICE}/TestConnection{query}"),
            headers,
            body,
        )
        .await;
        assert!(
            answer.body.ends_with(">connection ok</string>"),
            "{method} {query}: {}",
            answer.body
        );
        let answer = send(method, &format!("{DEVICE}/NoOp{query}"), headers, body).await;
        assert_eq!(
            (answer.status, answer.content_type, answer.body.as_str()),
            (200, None, ""),
            "{method} {query}"
        );
    }
}

#[tokio::test]
async fn operations_in_paths_are_exact() {
    for (operation, said) in [
        ("Nope", "Nope Web Service method name is not valid.\n"),
        (
            "%3Cb%3E'",
            "&lt;b&gt;&#39; Web Service method name is not valid.\n",
        ),
    ] {
        let answer = send("GET", &format!("{AUTHENTICATOR}/{operation}"), &[], "").await;
        assert_eq!(
            (answer.status, answer.body.as_str()),
            (500, said),
            "{operation}"
        );
        let answer = send(
            "POST",
            &format!("{AUTHENTICATOR}/{operation}"),
            &[("Content-Type", FORM)],
            "",
        )
        .await;
        assert_eq!(
            (answer.status, answer.body.as_str()),
            (500, said),
            "{operation}"
        );
    }
    let answer = send("POST", &format!("{DEVICE}/noop"), &[], "").await;
    assert!(answer.body.starts_with("Invalid method name &#39;noop&#39;,  method names are case sensitive.   The method name &#39;NoOp&#39; with"), "{}", answer.body);
    // The operations of one service are not in the other.
    assert_eq!(
        send("GET", &format!("{AUTHENTICATOR}/NoOp"), &[], "")
            .await
            .status,
        500
    );
}

#[tokio::test]
async fn faults_in_forms_are_escaped_text() {
    for method in ["GET", "POST"] {
        let answer = form(
            method,
            &format!("{AUTHENTICATOR}/Login"),
            "username=throw&password=%22'%C3%A9%E6%97%A5%F0%9F%98%80%C2%A0~",
        )
        .await;
        assert_eq!(answer.status, 500);
        assert!(
            answer
                .body
                .starts_with("boom &lt;&amp;&gt; &quot;&#39;&#233;\u{65e5}"),
            "{:?}",
            answer.body
        );
        assert_eq!(
            answer.content_type.as_deref(),
            Some("text/plain; charset=utf-8")
        );
        assert_eq!(answer.cache_control.as_deref(), Some("private, max-age=0"));
    }
}
