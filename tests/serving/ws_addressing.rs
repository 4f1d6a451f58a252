//! WS-Addressing over sockets: accepted and refused requests of a server, and the requests of a
//! client.

use svcgen::{Binding, Context, Fault};
use svcgen_tests::raw_http::{Answer, Running};
use svcgen_tests::work::WorkClient;
use svcgen_ws::ws_addressing::{ClientAddressing as _, ServerAddressing as _, Version};
use svcgen_ws::ws_security::{
    ClientSecurity as _, ReceivedToken, ServerSecurity as _, UsernameToken, WsSecurity,
};

use crate::worker::{NotifyRequest, ReadRequest, StoreRequest, WorkHandler, WorkServer, call_over};

const SOAP: [Binding; 2] = [Binding::Soap11, Binding::Soap12];
const VERSIONS: [Version; 2] = [Version::Recommendation, Version::Submission];
const STORE: &str = "urn:example:work/Store";

struct Told;

impl WorkHandler for Told {
    async fn store(&self, _: &Context, request: StoreRequest) -> Result<String, Fault> {
        match &*request.text {
            "fault" => Err(Fault::client("As it was asked for.")),
            _ => Ok(request.text),
        }
    }

    async fn read(&self, _: &Context, request: ReadRequest) -> Result<String, Fault> {
        Ok(request.text)
    }

    async fn notify(&self, _: &Context, _: NotifyRequest) -> Result<(), Fault> {
        Ok(())
    }
}

fn serving() -> Running {
    running!(WorkServer::new(Told).with_ws_addressing())
}

/// Returns a call of an operation with this content of its Header.
fn call_of(binding: Binding, operation: &str, text: &str, header: &str) -> Vec<u8> {
    let request = String::from_utf8(call_over(binding, operation, text)).unwrap();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let header = format!("<s:Header>{header}</s:Header><s:Body>");
    let with_header = body.replacen("<s:Body>", &header, 1);
    let [before, after] =
        [body, &*with_header].map(|body| format!("Content-Length: {}", body.len()));
    format!("{}\r\n\r\n{with_header}", head.replace(&before, &after)).into_bytes()
}

fn call(binding: Binding, text: &str, header: &str) -> Vec<u8> {
    call_of(binding, "Store", text, header)
}

/// Returns a header of a version that must be understood.
fn header(version: Version, name: &str, inside: &str) -> String {
    let namespace = version.namespace();
    format!("<a:{name} s:mustUnderstand=\"1\" xmlns:a=\"{namespace}\">{inside}</a:{name}>")
}

fn usual(version: Version) -> String {
    let headers = [
        ("Action", STORE),
        ("MessageID", "urn:id:&lt;1&gt;"),
        ("To", "http://h/Work.asmx"),
    ];
    headers
        .map(|(name, text)| header(version, name, text))
        .concat()
}

fn reply_to(version: Version, name: &str, address: &str, more: &str) -> String {
    header(
        version,
        name,
        &format!("<a:Address>{address}</a:Address>{more}"),
    )
}

fn anonymous(version: Version) -> &'static str {
    match version {
        Version::Submission => "http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous",
        _ => "http://www.w3.org/2005/08/addressing/anonymous",
    }
}

/// Returns the texts of the headers in an answer, with their names.
fn headers_of(answer: &Answer, version: Version) -> Vec<(String, String)> {
    let document = roxmltree::Document::parse(answer.text()).unwrap();
    let header = document
        .descendants()
        .find(|node| node.has_tag_name((envelope_of(answer), "Header")));
    let headers = header.into_iter().flat_map(|header| header.children());
    let named = headers.filter(|node| node.tag_name().namespace() == Some(version.namespace()));
    let text = |node: roxmltree::Node<'_, '_>| node.text().unwrap_or_default().to_owned();
    named
        .map(|node| (node.tag_name().name().to_owned(), text(node)))
        .collect()
}

fn envelope_of(answer: &Answer) -> &'static str {
    [
        "http://schemas.xmlsoap.org/soap/envelope/",
        "http://www.w3.org/2003/05/soap-envelope",
    ]
    .into_iter()
    .find(|namespace| answer.text().contains(*namespace))
    .unwrap()
}

fn assert_headers(answer: &Answer, version: Version, action: &str) {
    let headers = headers_of(answer, version);
    let names: Vec<_> = headers.iter().map(|(name, _)| &**name).collect();
    assert_eq!(
        names,
        ["Action", "MessageID", "RelatesTo", "To"],
        "{}",
        answer.text()
    );
    let [(_, found), (_, id), (_, to_id), (_, to)] = &*headers else {
        panic!("{headers:?}");
    };
    assert_eq!(found, action);
    assert!(id.starts_with("urn:uuid:") && id.len() == 45, "{id}");
    assert_eq!((&**to_id, &**to), ("urn:id:<1>", anonymous(version)));
}

#[test]
fn answers_and_faults_relate_to_their_requests() {
    let server = serving();
    for (binding, version) in SOAP
        .into_iter()
        .flat_map(|binding| VERSIONS.map(|version| (binding, version)))
    {
        let reply = reply_to(version, "ReplyTo", anonymous(version), "");
        let answer = server.exchange(&call(binding, "hello", &(usual(version) + &reply)));
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert!(answer.text().contains("<StoreResult>hello</StoreResult>"));
        assert_headers(&answer, version, "urn:example:work/StoreResponse");

        let fault = server.exchange(&call(binding, "fault", &usual(version)));
        assert!(
            fault.text().contains("As it was asked for."),
            "{}",
            fault.text()
        );
        let action = match version {
            Version::Submission => "http://schemas.xmlsoap.org/ws/2004/08/addressing/fault",
            _ => "http://www.w3.org/2005/08/addressing/soap/fault",
        };
        assert_headers(&fault, version, action);
    }
    // Without these headers, none are added to the answer.
    let plain = server.exchange(&call_over(Binding::Soap11, "Store", "hello"));
    assert!(!plain.text().contains("Header"), "{}", plain.text());
}

#[test]
fn reference_parameters_come_back() {
    let server = serving();
    for version in VERSIONS {
        let more = "<a:ReferenceParameters><t:T xmlns:t=\"urn:t\" k=\"1\">x</t:T><b/></a:ReferenceParameters>";
        let reply = reply_to(version, "ReplyTo", anonymous(version), more);
        let answer = server.exchange(&call(Binding::Soap11, "hello", &(usual(version) + &reply)));
        let document = roxmltree::Document::parse(answer.text()).unwrap();
        let found = ["T", "b"].map(|name| {
            document
                .descendants()
                .find(|node| node.tag_name().name() == name)
                .unwrap()
        });
        assert_eq!(
            (
                found[0].text(),
                found[0].attribute("k"),
                found[0].tag_name().namespace()
            ),
            (Some("x"), Some("1"), Some("urn:t"))
        );
        for node in found {
            let marked = (version == Version::Recommendation).then_some("true");
            assert_eq!(
                node.attribute((version.namespace(), "IsReferenceParameter")),
                marked
            );
            assert_eq!(node.parent().unwrap().tag_name().name(), "Header");
        }
    }
}

#[test]
fn reference_parameters_are_marked_once_however_they_are_written() {
    let server = serving();
    let version = Version::Recommendation;
    let marked = "a:IsReferenceParameter=\"true\"";
    for parameter in [
        &*format!("<T {marked}/>"),
        &format!("<T k='>' {marked}/>"),
        &format!("<T k=\">\" x='/>' {marked}></T>"),
        &format!(
            "<T xmlns:b='{}' b:IsReferenceParameter = '1'>x</T>",
            version.namespace()
        ),
        "<T k=\"IsReferenceParameter\"/>",
        "<T IsReferenceParameter='>'/>",
        "<T\n  k='>'\t>x</T>",
        "<T xmlns:wsa0='urn:0' wsa0:k='1'/>",
        "<wsa1:T xmlns:wsa0='urn:0' xmlns:wsa1=\"urn:>\" wsa0:k='1'/>",
        "<T xmlns:svcgen-wsa='urn:1' svcgen-wsa:k='1'/>",
    ] {
        let more = format!("<a:ReferenceParameters>{parameter}</a:ReferenceParameters>");
        let reply = reply_to(version, "ReplyTo", anonymous(version), &more);
        let answer = server.exchange(&call(Binding::Soap11, "hello", &(usual(version) + &reply)));
        let document = roxmltree::Document::parse(answer.text());
        let document = document.unwrap_or_else(|error| panic!("{error}: {}", answer.text()));
        let mut headers = document.descendants().filter(|node| {
            let mark = node.attribute((version.namespace(), "IsReferenceParameter"));
            mark.is_some_and(|mark| matches!(mark, "true" | "1"))
        });
        let header = headers
            .next()
            .unwrap_or_else(|| panic!("{parameter}: {}", answer.text()));
        assert_eq!(header.tag_name().name(), "T");
        assert!(headers.next().is_none(), "{parameter}: {}", answer.text());
    }
}

#[test]
fn answers_to_none_are_not_sent() {
    let server = serving();
    let version = Version::Recommendation;
    let none = "http://www.w3.org/2005/08/addressing/none";
    let quiet = usual(version) + &reply_to(version, "ReplyTo", none, "");
    for text in ["hello", "fault"] {
        let answer = server.exchange(&call(Binding::Soap11, text, &quiet));
        assert_eq!((answer.status, answer.text()), (202, ""));
    }
    let no_faults = usual(version) + &reply_to(version, "FaultTo", none, "");
    assert_eq!(
        server
            .exchange(&call(Binding::Soap12, "fault", &no_faults))
            .status,
        202
    );
    assert_eq!(
        server
            .exchange(&call(Binding::Soap12, "hello", &no_faults))
            .status,
        200
    );
    let one_way = header(version, "Action", "urn:example:work/Notify")
        + &reply_to(version, "ReplyTo", "http://elsewhere/", "");
    let accepted = server.exchange(&call_of(Binding::Soap11, "Notify", "x", &one_way));
    assert_eq!(accepted.status, 202, "{}", accepted.text());
}

#[test]
fn what_is_refused_has_its_codes() {
    let server = serving();
    for version in VERSIONS {
        let id = header(version, "MessageID", "urn:id:&lt;1&gt;");
        let action = |action: &str| id.clone() + &header(version, "Action", action);
        let own = format!("<a:Address>{}</a:Address>", anonymous(version));
        let cases: [(String, &[&str], &str); 7] = [
            (
                id.clone(),
                &["MessageAddressingHeaderRequired"],
                "MessageInformationHeaderRequired",
            ),
            (
                action("urn:no"),
                &["ActionNotSupported"],
                "ActionNotSupported",
            ),
            (
                action("urn:example:work/Read"),
                &["InvalidAddressingHeader", "ActionMismatch"],
                "InvalidMessageInformationHeader",
            ),
            (
                usual(version) + &header(version, "Action", STORE),
                &["InvalidAddressingHeader", "InvalidCardinality"],
                "InvalidMessageInformationHeader",
            ),
            (
                usual(version) + &reply_to(version, "ReplyTo", "http://elsewhere/", ""),
                &["InvalidAddressingHeader", "OnlyAnonymousAddressSupported"],
                "InvalidMessageInformationHeader",
            ),
            (
                usual(version) + &header(version, "FaultTo", ""),
                &["InvalidAddressingHeader", "MissingAddressInEPR"],
                "InvalidMessageInformationHeader",
            ),
            (
                usual(version) + &reply_to(version, "ReplyTo", "http://elsewhere/", &own),
                &["InvalidAddressingHeader"],
                "InvalidMessageInformationHeader",
            ),
        ];
        for (headers, recommended, submitted) in cases {
            let codes = match version {
                Version::Submission => vec![submitted],
                _ => recommended.to_vec(),
            };
            let [soap11, soap12] =
                SOAP.map(|binding| server.exchange(&call(binding, "hello", &headers)));
            let q0 = format!("xmlns:q0=\"{}\">q0:", version.namespace());
            let last = codes.last().unwrap();
            let code = format!("<faultcode {q0}{last}</faultcode>");
            assert!(soap11.text().contains(&code), "{code}\n{}", soap11.text());
            for code in &codes {
                let code = format!("<soap:Subcode><soap:Value {q0}{code}</soap:Value>");
                assert!(soap12.text().contains(&code), "{code}\n{}", soap12.text());
            }
            let found = headers_of(&soap11, version);
            let action = match version {
                Version::Submission => "http://schemas.xmlsoap.org/ws/2004/08/addressing/fault",
                _ => "http://www.w3.org/2005/08/addressing/fault",
            };
            assert_eq!(found[0].1, action);
            assert!(
                found.contains(&("RelatesTo".to_owned(), "urn:id:<1>".to_owned())),
                "{found:?}"
            );
            assert!(!soap11.text().contains("StoreResult"), "{}", soap11.text());
        }
    }
}

#[test]
fn without_addressing_the_headers_are_not_understood() {
    let server = running!(WorkServer::new(Told));
    let answer = server.exchange(&call(
        Binding::Soap11,
        "hello",
        &usual(Version::Recommendation),
    ));
    assert!(
        answer.text().contains("was not understood"),
        "{}",
        answer.text()
    );
}

#[tokio::test]
async fn clients_send_what_servers_take_with_tokens_too() {
    let verify = |token: &ReceivedToken| token.matches(Some("s3cret"));
    for binding in SOAP {
        for version in VERSIONS {
            let server = WorkServer::new(Told)
                .with_ws_security(WsSecurity::new(verify))
                .with_ws_addressing();
            let client = WorkClient::new(server, "http://localhost")
                .unwrap()
                .with_binding(binding);
            let client = client.with(|client| {
                client
                    .with_ws_addressing(version)
                    .with_ws_security(UsernameToken::digest("ann", "s3cret"))
            });
            let request = StoreRequest {
                text: "hello".to_owned(),
            };
            assert_eq!(client.store(&request).await.unwrap(), "hello");
        }
    }
}

#[test]
fn faults_of_ws_security_have_the_headers() {
    let policy = WsSecurity::new(|_: &ReceivedToken| false);
    let server = running!(
        WorkServer::new(Told)
            .with_ws_security(policy)
            .with_ws_addressing()
    );
    let version = Version::Recommendation;
    let answer = server.exchange(&call(Binding::Soap11, "hello", &usual(version)));
    assert!(
        answer.text().contains("q0:InvalidSecurity<"),
        "{}",
        answer.text()
    );
    assert_headers(
        &answer,
        version,
        "http://www.w3.org/2005/08/addressing/soap/fault",
    );
}
