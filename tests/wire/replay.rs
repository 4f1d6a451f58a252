//! Every recorded request, sent byte for byte over a socket, gets the recorded answer, except where
//! a row here has another one.

use std::collections::BTreeSet;
use std::fmt::Write;

use svcgen::Documents;
use svcgen::documents::Shape;
use svcgen_tests::fixture::{self, show};
use svcgen_tests::raw_http::{Answer, Running, parse_answer, split};
use svcgen_tests::recorded::{self, ADDED, Exchange, Filled, Seen, compare, replaced, seen};

const GROUPS: [&str; 13] = [
    "action", "charset", "client", "code", "ctype", "doc", "err", "fault", "get", "ok", "post",
    "shape", "version",
];

const FILLED: [Filled; 12] = [
    ("action/soap11-bare-op", &["SOAPAction", "Login"]),
    (
        "action/soap11-half-quoted",
        &["SOAPAction", "\"http://example.com/svc/auth/Login"],
    ),
    (
        "action/soap11-trailing-slash",
        &["SOAPAction", "http://example.com/svc/auth/Login/"],
    ),
    (
        "action/soap12-param-not-an-envelope",
        &[
            "http://example.com/svc/auth",
            "http://schemas.xmlsoap.org/soap/envelope/",
        ],
    ),
    ("err/header-mustunderstand-bad-body-soap11", &["Nope"]),
    ("err/header-mustunderstand-other-actor-soap11", &["Nope"]),
    ("get/unknown-op", &["Nope"]),
    ("get/wrong-case-op", &["login", "Login"]),
    ("post/ctype-multipart", &["multipart/form-data; boundary=b"]),
    ("post/ctype-text-xml", &["text/xml; charset=utf-8"]),
    ("post/soap-to-op-path", &["text/xml; charset=utf-8"]),
    (
        "version/unknown-envelope-11",
        &[
            "http://www.w3.org/2001/12/soap-envelope",
            "http://schemas.xmlsoap.org/soap/envelope/",
        ],
    ),
];

/// The reason for an intended difference.
#[derive(Debug, Clone, Copy)]
enum Reason {
    /// Malformed XML, DTD: the fault says what is wrong and where; the original answers 400 without
    /// a body.
    MalformedXml,
    /// SOAPAction names one operation, the Body has another element: the original runs the
    /// operation with all arguments absent.
    OtherOperation,
    /// Invalid UTF-8 in XML: the original reads U+FFFD.
    InvalidUtf8,
    /// A written text contains CR: the original writes it unescaped, so that readers lose it.
    CarriageReturn,
    /// 415: one line of text has the supported media types; the original has no body or an HTML
    /// page.
    MediaType,
    /// A mustUnderstand header for another actor: the original refuses it, but by SOAP it must be
    /// ignored.
    OtherActor,
    /// Microsoft's own proxies send `%uXXXX`, which is decoded; the recorded server did not decode
    /// it in any GET and in some POSTs.
    PercentU,
}

enum Instead {
    /// The recorded answer with each CR in a text as `&#xD;`.
    EscapedCarriageReturns,
    /// A fault with this status, this code, the sentence for an unreadable request, and these words
    /// after it.
    Fault {
        status: u16,
        code: &'static str,
        words: &'static [&'static str],
    },
    /// One line of text with 415.
    UnsupportedMediaType,
    /// 200 with the recorded answer of this exchange.
    AnswerOf(&'static str),
    /// The recorded answer with another message.
    Message(fn() -> String),
}

struct Exception {
    name: &'static str,
    reason: Reason,
    instead: Instead,
}

const READ: &str = "Server was unable to read request. ---&gt; ";

const fn fault(
    name: &'static str,
    reason: Reason,
    status: u16,
    code: &'static str,
    words: &'static [&'static str],
) -> Exception {
    Exception {
        name,
        reason,
        instead: Instead::Fault {
            status,
            code,
            words,
        },
    }
}

const fn malformed(
    name: &'static str,
    code: &'static str,
    words: &'static [&'static str],
) -> Exception {
    fault(name, Reason::MalformedXml, 400, code, words)
}

const fn other_operation(name: &'static str, words: &'static [&'static str]) -> Exception {
    fault(name, Reason::OtherOperation, 500, "soap:Client", words)
}

const fn invalid_utf8(
    name: &'static str,
    code: &'static str,
    words: &'static [&'static str],
) -> Exception {
    fault(name, Reason::InvalidUtf8, 400, code, words)
}

const fn escaped(name: &'static str) -> Exception {
    Exception {
        name,
        reason: Reason::CarriageReturn,
        instead: Instead::EscapedCarriageReturns,
    }
}

const fn media_type(name: &'static str) -> Exception {
    Exception {
        name,
        reason: Reason::MediaType,
        instead: Instead::UnsupportedMediaType,
    }
}

const EXCEPTIONS: [Exception; 27] = [
    malformed(
        "action/soap11-missing-malformed-early",
        "soap:Client",
        &["XML document (1, ", "'soap:Bod'", "'soap:Body'"],
    ),
    malformed(
        "action/soap12-param-empty-body",
        "soap:Sender",
        &["XML document (1, 1)", "Root element is missing."],
    ),
    malformed(
        "err/dtd-soap11",
        "soap:Client",
        &["XML document (1, 39)", "document type definition"],
    ),
    malformed(
        "err/leading-whitespace-soap11",
        "soap:Client",
        &["XML document (2, 1)", "XML declaration"],
    ),
    malformed(
        "err/not-xml-soap11",
        "soap:Client",
        &["XML document (1, 1)", "root element"],
    ),
    malformed(
        "err/trailing-garbage-soap11",
        "soap:Client",
        &["XML document (1, 352)", "multiple root elements"],
    ),
    malformed(
        "err/truncated-xml-soap11",
        "soap:Client",
        &["XML document (1, 317)"],
    ),
    malformed(
        "err/undeclared-prefix-soap11",
        "soap:Client",
        &["XML document (1, 263)", "prefix 'q'"],
    ),
    other_operation(
        "action/soap11-other-op-empty-op",
        &["operation ClientAuthWithResult", "element Login"],
    ),
    other_operation(
        "err/unknown-op-element-soap11",
        &["operation Login", "element Nope"],
    ),
    invalid_utf8(
        "charset/invalid-utf8",
        "soap:Client",
        &["UTF-8", "Line 1, position 312."],
    ),
    invalid_utf8(
        "charset/soap12-invalid-utf8",
        "soap:Sender",
        &["UTF-8", "Line 1, position 310."],
    ),
    escaped("shape/auth-ClientAuth-special-get"),
    escaped("shape/auth-ClientAuth-special-post"),
    escaped("shape/auth-ClientAuth-special-soap11"),
    escaped("shape/auth-ClientAuth-special-soap12"),
    escaped("shape/device-Login-special-get"),
    escaped("shape/device-Login-special-post"),
    escaped("shape/device-Login-special-soap11"),
    escaped("shape/device-Login-special-soap12"),
    media_type("ctype/soap11-application-json"),
    media_type("ctype/soap11-form"),
    media_type("ctype/soap12-application-xml"),
    media_type("ctype/soap12-text-plain"),
    Exception {
        name: "err/header-mustunderstand-other-actor-soap11",
        reason: Reason::OtherActor,
        instead: Instead::AnswerOf("err/header-mustunderstand-0-soap11"),
    },
    Exception {
        name: "client/get-auth-ClientAuthWithResult-special",
        reason: Reason::PercentU,
        instead: Instead::Message(special_message_of_forms),
    },
    Exception {
        name: "client/post-auth-ClientAuthWithResult-special",
        reason: Reason::PercentU,
        instead: Instead::Message(special_message_of_forms),
    },
];

/// Returns the message by the fixture's rule for the exchanges `special` of Microsoft's form
/// proxies.
fn special_message_of_forms() -> String {
    show(Some("&>\"' \t\r\n\u{e9}\u{65e5}\u{1f600} ")) + &show(Some("a+b %")) + &show(Some(""))
}

fn is_html(answer: &Seen) -> bool {
    answer
        .headers
        .iter()
        .any(|(name, value)| name == "content-type" && value.starts_with("text/html"))
}

fn recorded_answer(exchange: &Exchange) -> Seen {
    recorded::recorded_answer(exchange, &FILLED)
}

fn differences(exchange: &Exchange, answer: &Answer) -> Vec<String> {
    let expected = recorded_answer(exchange);
    let got = seen(answer);
    let exception = EXCEPTIONS
        .iter()
        .find(|exception| exception.name == exchange.name);
    let mut differences = match exception {
        None if is_html(&expected) && expected.status == got.status => Vec::new(),
        None => compare(&expected, &got),
        Some(exception) if got == expected => {
            vec![format!(
                "the exception ({:?}) is not needed: the answer is the recorded one",
                exception.reason
            )]
        }
        Some(exception) => compare_instead(&exception.instead, &expected, &got),
    };
    differences.extend(connection_differences(exchange, answer));
    differences
}

fn connection_differences(exchange: &Exchange, answer: &Answer) -> Option<String> {
    let (head, _) = split(&exchange.request);
    let asked = String::from_utf8_lossy(head).contains("Connection: close");
    let echoed = answer
        .header("connection")
        .is_some_and(|value| value.eq_ignore_ascii_case("close"));
    let long = answer.header("content-length") != Some(&answer.body.len().to_string());
    let sniffed = answer.header(ADDED.0) != answer.header("content-type").map(|_| ADDED.1);
    match (asked && !echoed, sniffed, long) {
        (true, ..) => Some("`Connection: close` is not echoed".to_owned()),
        (_, true, _) => Some(format!("{}: {:?}", ADDED.0, answer.header(ADDED.0))),
        (.., true) => Some(format!(
            "Content-Length: {:?}",
            answer.header("content-length")
        )),
        _ => None,
    }
}

fn compare_instead(instead: &Instead, recorded: &Seen, got: &Seen) -> Vec<String> {
    match instead {
        Instead::EscapedCarriageReturns => {
            let body = replaced(&recorded.body, "\r", "&#xD;");
            compare(
                &Seen {
                    status: recorded.status,
                    headers: recorded.headers.clone(),
                    body,
                },
                got,
            )
        }
        Instead::Fault {
            status,
            code,
            words,
        } => compare_fault(*status, code, words, got),
        Instead::UnsupportedMediaType => compare_media_type(got),
        Instead::AnswerOf(name) => compare(&recorded_answer(&recorded::exchange(name)), got),
        Instead::Message(message) => {
            let text =
                String::from_utf8(recorded.body.clone()).expect("a recorded answer in UTF-8");
            let (before, rest) = text.split_once("<Message>").expect("a message");
            let (_, after) = rest.split_once("</Message>").expect("the end of a message");
            let message = message()
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            let body = format!("{before}<Message>{message}</Message>{after}").into_bytes();
            compare(
                &Seen {
                    status: recorded.status,
                    headers: recorded.headers.clone(),
                    body,
                },
                got,
            )
        }
    }
}

fn compare_fault(status: u16, code: &str, words: &[&str], got: &Seen) -> Vec<String> {
    let soap12 = code == "soap:Sender" || code == "soap:Receiver";
    let media = if soap12 {
        "application/soap+xml; charset=utf-8"
    } else {
        "text/xml; charset=utf-8"
    };
    let body = String::from_utf8_lossy(&got.body);
    let (before, after) = if soap12 {
        (
            format!(
                "<soap:Fault><soap:Code><soap:Value>{code}</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang=\"en\">"
            ),
            "</soap:Text></soap:Reason><soap:Detail /></soap:Fault></soap:Body></soap:Envelope>",
        )
    } else {
        (
            format!("<soap:Fault><faultcode>{code}</faultcode><faultstring>"),
            "</faultstring><detail /></soap:Fault></soap:Body></soap:Envelope>",
        )
    };
    let text = body
        .split_once(&before)
        .and_then(|(_, rest)| rest.strip_suffix(after));
    let mut differences = Vec::new();
    if got.status != status {
        differences.push(format!("status: expected {status}, got {}", got.status));
    }
    if got.headers != header_set(&[("cache-control", "private"), ("content-type", media)]) {
        differences.push(format!("headers: {:?}", got.headers));
    }
    let said = text
        .and_then(|text| text.strip_prefix(READ))
        .is_some_and(|text| words.iter().all(|word| text.contains(word)));
    if !said {
        differences.push(format!(
            "body: expected a {code} fault with {words:?}, got {body:?}"
        ));
    }
    differences
}

fn compare_media_type(got: &Seen) -> Vec<String> {
    let body = String::from_utf8_lossy(&got.body);
    let one_line = body.trim_end().lines().count() == 1;
    let names_both = body.contains("text/xml") && body.contains("application/soap+xml");
    let headers = header_set(&[
        ("cache-control", "private"),
        ("content-type", "text/plain; charset=utf-8"),
    ]);
    if got.status == 415 && got.headers == headers && one_line && names_both {
        return Vec::new();
    }
    vec![format!(
        "expected 415 and one line of text with both media types, got {} {:?} {body:?}",
        got.status, got.headers
    )]
}

fn header_set(headers: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn fixture_server() -> Running {
    let documents = Documents::new()
        .with_shape(Shape::Original)
        .with_documentation(false);
    let services = svcgen::Router::new()
        .with_service(fixture::authenticator_server().with_documents(documents.clone()))
        .with_service(fixture::device_login_server().with_documents(documents));
    Running::of(services)
}

#[test]
fn recorded_requests_are_answered_as_recorded() {
    let server = fixture_server();
    let mut report = String::new();
    let mut replayed = 0;
    for exchange in recorded::exchanges(&GROUPS) {
        let answer = server.exchange(&exchange.request);
        for difference in differences(&exchange, &answer) {
            writeln!(report, "{}: {difference}", exchange.name).expect("text");
        }
        replayed += 1;
    }
    assert!(report.is_empty(), "of {replayed} exchanges:\n{report}");
    assert!(replayed > 200, "only {replayed} exchanges");
    server.stop().expect("a server that stops in peace");
}

#[test]
fn every_row_names_a_recorded_exchange() {
    let names: BTreeSet<String> = recorded::exchanges(&GROUPS)
        .into_iter()
        .map(|exchange| exchange.name)
        .collect();
    let exceptions: Vec<&str> = EXCEPTIONS.iter().map(|exception| exception.name).collect();
    let filled: Vec<&str> = FILLED.iter().map(|(name, _)| *name).collect();
    for rows in [exceptions, filled] {
        let unknown: Vec<&&str> = rows.iter().filter(|name| !names.contains(**name)).collect();
        assert!(unknown.is_empty(), "rows without an exchange: {unknown:?}");
        assert_eq!(
            rows.iter().collect::<BTreeSet<_>>().len(),
            rows.len(),
            "an exchange has two rows"
        );
    }
}

#[test]
fn every_placeholder_is_filled_and_every_filled_one_is_there() {
    for exchange in recorded::exchanges(&GROUPS) {
        let recorded = String::from_utf8_lossy(&exchange.response).into_owned();
        let values = FILLED
            .iter()
            .find(|(name, _)| *name == exchange.name)
            .map_or(&[][..], |(_, values)| values);
        for index in 0..3 {
            let placeholder = format!("{{{index}}}");
            let is_html = recorded.contains("<html");
            assert_eq!(
                recorded.contains(&placeholder) && !is_html,
                index < values.len(),
                "{} {placeholder}",
                exchange.name
            );
        }
    }
}

#[test]
fn every_group_is_replayed() {
    assert_eq!(recorded::groups(), GROUPS.map(str::to_owned).into());
}

/// Tests the comparison itself: the recorded answers pass, make every exception unnecessary, and
/// any change of them is noticed.
#[test]
fn the_comparison_notices() {
    for exchange in recorded::exchanges(&GROUPS) {
        let mut answer = parse_answer(&exchange.response);
        answer.body = recorded_answer(&exchange).body;
        if answer.header("content-type").is_some() {
            answer
                .headers
                .push((ADDED.0.to_owned(), ADDED.1.to_owned()));
        }
        let name = &exchange.name;
        let excepted = EXCEPTIONS.iter().any(|exception| exception.name == *name);
        let found = reported(&exchange, &answer);
        let needless = found
            .iter()
            .any(|difference| difference.contains("is not needed"));
        assert_eq!(needless, excepted, "{name}: {found:?}");
        assert!(excepted || found.is_empty(), "{name}: {found:?}");

        answer.status += 1;
        assert!(
            !reported(&exchange, &answer).is_empty(),
            "{name}: another status"
        );
        answer.status -= 1;
        if answer.header("content-type") != Some("text/html") {
            answer.body.push(b' ');
            assert!(
                !reported(&exchange, &answer).is_empty(),
                "{name}: another body"
            );
            answer.body.pop();
            answer
                .headers
                .push(("Cache-Control".to_owned(), "no-store".to_owned()));
            assert!(
                !reported(&exchange, &answer).is_empty(),
                "{name}: another header"
            );
        }
    }
}

/// Returns the differences that do not depend on the socket.
fn reported(exchange: &Exchange, answer: &Answer) -> Vec<String> {
    let mut found = differences(exchange, answer);
    found.retain(|difference| {
        !difference.starts_with("Content-Length") && !difference.starts_with("`Connection")
    });
    found
}
