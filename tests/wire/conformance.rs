//! Everything that is well-formed by XML 1.0 (fifth edition) and Namespaces in XML 1.0 is accepted,
//! and everything else is refused, in every part of a message.
//!
//! The tables are in `conformance/`. The W3C's files are used if `tests/conformance/fetch` has
//! loaded them.

mod w3c;

use bytes::Bytes;
use svcgen_tests::few_or_all;
use svcgen_tests::fixture;
use svcgen_tests::rows::{Row, bytes, rows, text};

const ILL_FORMED: &str = include_str!("../conformance/ill-formed-content.txt");
const ILL_FORMED_DOCUMENTS: &str = include_str!("../conformance/ill-formed-documents.txt");
const WELL_FORMED: &str = include_str!("../conformance/well-formed-content.txt");
const WELL_FORMED_DOCUMENTS: &str = include_str!("../conformance/well-formed-documents.txt");
const VALUES: &str = include_str!("../conformance/well-formed-values.txt");

const PATH: &str = "/SvcDotNet/Authenticator.asmx";
const NAMESPACE: &str = "http://example.com/svc/auth";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    Soap11,
    Soap12,
}

const VERSIONS: [Version; 2] = [Version::Soap11, Version::Soap12];

impl Version {
    fn namespace(self) -> &'static str {
        match self {
            Self::Soap11 => "http://schemas.xmlsoap.org/soap/envelope/",
            Self::Soap12 => "http://www.w3.org/2003/05/soap-envelope",
        }
    }

    fn sender_fault(self) -> &'static str {
        match self {
            Self::Soap11 => "<faultcode>soap:Client</faultcode>",
            Self::Soap12 => "<soap:Value>soap:Sender</soap:Value>",
        }
    }

    fn request(self, operation: &str, body: Vec<u8>) -> http::Request<Bytes> {
        let action = format!("{NAMESPACE}/{operation}");
        let request = http::Request::post(PATH);
        let request = match self {
            Self::Soap11 => request
                .header("Content-Type", "text/xml; charset=utf-8")
                .header("SOAPAction", format!("\"{action}\"")),
            Self::Soap12 => request.header(
                "Content-Type",
                format!("application/soap+xml; charset=utf-8; action=\"{action}\""),
            ),
        };
        request.body(Bytes::from(body)).expect("a request")
    }
}

/// The place of a row's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Header,
    BeforeParameters,
    BetweenParameters,
    AfterParameters,
    UnknownParameter,
    AfterBody,
    Value,
}

/// All places between elements.
const BETWEEN: [Place; 6] = [
    Place::Header,
    Place::BeforeParameters,
    Place::BetweenParameters,
    Place::AfterParameters,
    Place::UnknownParameter,
    Place::AfterBody,
];

/// Returns a call of `Login` whose answer is `true`, with this content in one place.
fn envelope(version: Version, place: Place, content: &[u8]) -> Vec<u8> {
    let at = |here: Place, otherwise: &str| {
        if place == here {
            content.to_vec()
        } else {
            otherwise.as_bytes().to_vec()
        }
    };
    let unknown = match place {
        Place::UnknownParameter => [b"<Extra>", content, b"</Extra>"].concat(),
        _ => Vec::new(),
    };
    let after = match place {
        Place::AfterBody => [b"<After xmlns=\"urn:after\">", content, b"</After>"].concat(),
        _ => Vec::new(),
    };
    [
        format!("<soap:Envelope xmlns:soap=\"{}\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">", version.namespace()).into(),
        b"<soap:Header><Ignorable xmlns=\"urn:ignorable\">".to_vec(),
        at(Place::Header, ""),
        format!("</Ignorable></soap:Header><soap:Body><Login xmlns=\"{NAMESPACE}\">").into(),
        at(Place::BeforeParameters, ""),
        unknown,
        b"<username>".to_vec(),
        at(Place::Value, "alice"),
        b"</username>".to_vec(),
        at(Place::BetweenParameters, ""),
        b"<password>secret</password>".to_vec(),
        at(Place::AfterParameters, ""),
        b"</Login></soap:Body>".to_vec(),
        after,
        b"</soap:Envelope>".to_vec(),
    ]
    .concat()
}

/// Returns the document of a row, in which `{}` is replaced by an envelope.
fn document(version: Version, row: &Row) -> Vec<u8> {
    let envelope = envelope(version, Place::Header, b"");
    let parts: Vec<Vec<u8>> = row.content.split("{}").map(bytes).collect();
    parts.join(&envelope[..])
}

/// Answers calls without a socket.
struct Called {
    server: svcgen_tests::authenticator::AuthenticatorServer<fixture::Fixture>,
    runtime: tokio::runtime::Runtime,
}

impl Called {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        Self {
            server: fixture::authenticator_server(),
            runtime,
        }
    }

    fn answer(&self, request: http::Request<Bytes>) -> (u16, String) {
        let response = self.runtime.block_on(self.server.answer(request));
        (
            response.status().as_u16(),
            String::from_utf8(response.body().to_vec()).expect("an answer in UTF-8"),
        )
    }

    /// Returns the answer if this message is not refused as malformed.
    fn not_refused(&self, version: Version, message: Vec<u8>) -> Option<String> {
        let (status, answer) = self.answer(version.request("Login", message));
        let refused = status == 400
            && answer.contains(version.sender_fault())
            && roxmltree::Document::parse(&answer).is_ok();
        (!refused).then(|| format!("{status} {answer}"))
    }

    /// Returns the answer if this message is not answered with `true`.
    fn not_accepted(&self, version: Version, message: Vec<u8>) -> Option<String> {
        let (status, answer) = self.answer(version.request("Login", message));
        let accepted = status == 200 && answer.contains("<LoginResult>true</LoginResult>");
        (!accepted).then(|| format!("{status} {answer}"))
    }
}

fn assert_none(wrong: &[String]) {
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn ill_formed_content_is_refused_everywhere() {
    let called = Called::new();
    let mut wrong = Vec::new();
    // Each row in each version at one place, which moves on from row to row, or at every place.
    let all = few_or_all(false, true);
    for (number, row) in rows(ILL_FORMED).enumerate() {
        for (version_number, version) in VERSIONS.into_iter().enumerate() {
            for (index, place) in BETWEEN.into_iter().enumerate() {
                if !all && index != (number + version_number) % BETWEEN.len() {
                    continue;
                }
                let message = envelope(version, place, &bytes(row.content));
                wrong.extend(
                    called
                        .not_refused(version, message)
                        .map(|what| format!("{row} in {place:?}, {version:?}: {what}")),
                );
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn ill_formed_documents_are_refused() {
    let called = Called::new();
    let mut wrong = Vec::new();
    for row in rows(ILL_FORMED_DOCUMENTS) {
        for version in VERSIONS {
            // Without an envelope, the version of the answer is SOAP 1.1.
            let answered = if row.content.contains("{}") {
                version
            } else {
                Version::Soap11
            };
            let (status, answer) = called.answer(version.request("Login", document(version, &row)));
            let faulty = VERSIONS
                .iter()
                .any(|version| answer.contains(version.sender_fault()));
            if status != 400 || !faulty {
                wrong.push(format!(
                    "{row}, {version:?} (answered in {answered:?}): {status} {answer}"
                ));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn odd_well_formed_content_is_accepted_everywhere() {
    let called = Called::new();
    let mut wrong = Vec::new();
    for row in rows(WELL_FORMED) {
        for version in VERSIONS {
            for place in BETWEEN {
                let message = envelope(version, place, &bytes(row.content));
                wrong.extend(
                    called
                        .not_accepted(version, message)
                        .map(|what| format!("{row} in {place:?}, {version:?}: {what}")),
                );
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn odd_well_formed_documents_are_accepted() {
    let called = Called::new();
    let mut wrong = Vec::new();
    for row in rows(WELL_FORMED_DOCUMENTS) {
        for version in VERSIONS {
            let message = document(version, &row);
            wrong.extend(
                called
                    .not_accepted(version, message)
                    .map(|what| format!("{row}, {version:?}: {what}")),
            );
        }
    }
    assert_none(&wrong);
}

/// Returns `ClientAuthWithResult` for `raw`, which returns the password: an element with this
/// content, in shapes that are read in different ways.
fn raw_call(version: Version, content: &str) -> [String; 4] {
    let open = format!(
        "<soap:Envelope xmlns:soap=\"{}\" xmlns:p=\"{NAMESPACE}\"><soap:Body>",
        version.namespace()
    );
    let close = "</soap:Body></soap:Envelope>";
    let wrap = |inner: String| format!("{open}{inner}{close}");
    [
        wrap(format!(
            "<ClientAuthWithResult xmlns=\"{NAMESPACE}\"><username>raw</username><password>{content}</password></ClientAuthWithResult>"
        )),
        wrap(format!(
            "<ClientAuthWithResult xmlns=\"{NAMESPACE}\"><password a='b' >{content}</password\n><username >raw</username></ClientAuthWithResult>"
        )),
        wrap(format!(
            "<p:ClientAuthWithResult><p:username>raw</p:username><p:password>{content}</p:password></p:ClientAuthWithResult>"
        )),
        wrap(format!(
            "<p:ClientAuthWithResult>\r\n<q:password xmlns:q='{NAMESPACE}'>{content}</q:password><!-- - --><x>]]&gt;</x><username xmlns='{NAMESPACE}'>raw</username></p:ClientAuthWithResult>"
        )),
    ]
}

#[test]
fn odd_values_are_read_as_what_they_mean() {
    let called = Called::new();
    let mut wrong = Vec::new();
    for row in rows(VALUES) {
        let (content, value) = row
            .content
            .split_once(" => ")
            .expect("a row of content => value");
        for version in VERSIONS {
            for message in raw_call(version, &text(content)) {
                let (status, answer) =
                    called.answer(version.request("ClientAuthWithResult", message.clone().into()));
                if status != 200 || message_of(&answer) != Some(text(value)) {
                    wrong.push(format!(
                        "{row}, {version:?}: {message:?} gives {status} {answer:?}"
                    ));
                }
            }
        }
    }
    assert_none(&wrong);
}

/// Returns the `Message` of an answer, read by another parser.
fn message_of(answer: &str) -> Option<String> {
    let document = roxmltree::Document::parse(answer).ok()?;
    let message = document
        .descendants()
        .find(|node| node.tag_name().name() == "Message")?;
    Some(message.text().unwrap_or_default().to_owned())
}

/// Rows that roxmltree accepts although they are not well-formed. Expat and libxml2 refuse them;
/// where these two differ, the specification decided.
const ROXMLTREE_ACCEPTS: &str = include_str!("../conformance/roxmltree-accepts.txt");

#[test]
fn the_tables_agree_with_another_parser() {
    let accepts = |message: Vec<u8>| {
        let parsed = String::from_utf8(message)
            .ok()
            .map(|text| roxmltree::Document::parse(&text).is_ok());
        parsed.unwrap_or(false)
    };
    let mut differing = Vec::new();
    for (table, well_formed) in [(ILL_FORMED, false), (WELL_FORMED, true)] {
        for row in rows(table) {
            if BETWEEN.iter().any(|place| {
                accepts(envelope(Version::Soap11, *place, &bytes(row.content))) != well_formed
            }) {
                differing.push(row.to_string());
            }
        }
    }
    for (table, well_formed) in [(ILL_FORMED_DOCUMENTS, false), (WELL_FORMED_DOCUMENTS, true)] {
        for row in rows(table) {
            if accepts(document(Version::Soap11, &row)) != well_formed {
                differing.push(row.to_string());
            }
        }
    }
    assert_eq!(differing, ROXMLTREE_ACCEPTS.lines().collect::<Vec<&str>>());
}

#[test]
fn the_tables_are_as_large_as_promised() {
    let ill_formed = rows(ILL_FORMED).count() + rows(ILL_FORMED_DOCUMENTS).count();
    let well_formed =
        rows(WELL_FORMED).count() + rows(WELL_FORMED_DOCUMENTS).count() + rows(VALUES).count();
    assert!(ill_formed >= 550, "{ill_formed} ill-formed rows");
    assert!(well_formed >= 130, "{well_formed} well-formed rows");
}
