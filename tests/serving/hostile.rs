//! Hostile and ill-formed messages: they get a fault, never a result or a panic, wherever in the
//! message the bad content is.

use bytes::Bytes;
use http::StatusCode;
use svcgen::{Limits, ServerOptions};
use svcgen_tests::authenticator::AuthenticatorServer;
use svcgen_tests::few_or_all;
use svcgen_tests::fixture::{self, Fixture};
use svcgen_tests::numbers::Numbers;

/// A SOAP version, with its texts in messages.
#[derive(Debug, Clone, Copy)]
struct Version {
    namespace: &'static str,
    content_type: &'static str,
    blames_caller: &'static str,
}

const VERSIONS: [Version; 2] = [
    Version {
        namespace: "http://schemas.xmlsoap.org/soap/envelope/",
        content_type: "text/xml; charset=utf-8",
        blames_caller: "<faultcode>soap:Client</faultcode>",
    },
    Version {
        namespace: "http://www.w3.org/2003/05/soap-envelope",
        content_type: "application/soap+xml; charset=utf-8",
        blames_caller: "<soap:Value>soap:Sender</soap:Value>",
    },
];

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";

/// The place of the hidden content in a message.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    /// In a header block that need not be understood.
    Header,
    /// In a child of the operation that is not in the definition.
    UnknownChild,
    /// In the text of an argument.
    Argument,
    /// Between the arguments.
    Operation,
}

const PLACES: [Place; 4] = [
    Place::Header,
    Place::UnknownChild,
    Place::Argument,
    Place::Operation,
];

fn envelope(version: Version, header: &str, body: &str) -> String {
    let namespace = version.namespace;
    format!(
        "<s:Envelope xmlns:s=\"{namespace}\"><s:Header>{header}</s:Header><s:Body>{body}</s:Body></s:Envelope>"
    )
}

fn login(username: &str, before: &str) -> String {
    let arguments = format!("{before}<username>{username}</username><password>secret</password>");
    format!("<Login xmlns=\"http://example.com/svc/auth\">{arguments}</Login>")
}

/// Returns a message with this text at a place.
fn message(version: Version, place: Place, hidden: &str) -> Vec<u8> {
    let ignored = format!("<h:Ignored xmlns:h=\"urn:h\">{hidden}</h:Ignored>");
    let text = match place {
        Place::Header => envelope(version, &ignored, &login("alice", "")),
        Place::UnknownChild => envelope(
            version,
            "",
            &login("alice", &format!("<unknown>{hidden}</unknown>")),
        ),
        Place::Argument => envelope(version, "", &login(hidden, "")),
        Place::Operation => envelope(version, "", &login("alice", hidden)),
    };
    (DECLARATION.to_owned() + &text).into_bytes()
}

struct Answer {
    status: StatusCode,
    body: String,
}

async fn post_to(server: &AuthenticatorServer<Fixture>, version: Version, body: Vec<u8>) -> Answer {
    let request = http::Request::post("/SvcDotNet/Authenticator.asmx")
        .header("Content-Type", version.content_type)
        .body(Bytes::from(body))
        .expect("a request");
    let answer = server.answer(request).await;
    let (parts, body) = answer.into_parts();
    Answer {
        status: parts.status,
        body: String::from_utf8(body.to_vec()).expect("an answer in UTF-8"),
    }
}

async fn post(version: Version, body: Vec<u8>) -> Answer {
    post_to(&fixture::authenticator_server(), version, body).await
}

/// Checks that the answer is a fault that blames the caller, in well-formed XML.
fn assert_refused(version: Version, answer: &Answer, what: &str) {
    let status = answer.status.as_u16();
    assert!(
        status == 400 || status == 500,
        "{what}: {status} {}",
        answer.body
    );
    assert!(
        answer.body.contains(version.blames_caller),
        "{what}: {status} {}",
        answer.body
    );
    roxmltree::Document::parse(&answer.body)
        .unwrap_or_else(|error| panic!("{what}: {error}: {}", answer.body));
}

fn assert_malformed(version: Version, answer: &Answer, what: &str) {
    assert_refused(version, answer, what);
    assert_eq!(answer.status, 400, "{what}: {}", answer.body);
}

fn assert_served(answer: &Answer, what: &str) {
    assert_eq!(answer.status, 200, "{what}: {}", answer.body);
}

/// Ill-formed content of elements.
const ILL_FORMED: &[&str] = &[
    // Tags.
    "<a>",
    "</a>",
    "<a></b>",
    "<a></A>",
    "<a><b></a></b>",
    "< a/>",
    "<a/ >",
    "<a",
    "<a/",
    "<",
    "<>",
    "</>",
    "<a></a b=\"\">",
    "<a></ a>",
    "<a><",
    "<%=x%>",
    "<!>",
    "<a//>",
    "<a/>>]]>",
    // Names.
    "<1a/>",
    "<-a/>",
    "<.a/>",
    "<a$/>",
    "<a b!=\"\"/>",
    "<\u{d7}/>",
    "<a\u{a0}b=\"\"/>",
    "<a\u{37e}/>",
    "<\u{1f600}<",
    // Attributes.
    "<a b/>",
    "<a b=c/>",
    "<a b=/>",
    "<a =\"\"/>",
    "<a b=\"1\" b=\"2\"/>",
    "<a b=\"1\"c=\"2\"/>",
    "<a b=\"<\"/>",
    "<a b=\"&\"/>",
    "<a b=\"&x;\"/>",
    "<a b=\"&#0;\"/>",
    "<a b='x/>",
    "<a b=\"x'/>",
    "<a b=\"\u{1}\"/>",
    "<a b==\"\"/>",
    "<a \"b\"=\"\"/>",
    "<a b=\"\" b=\"\"/>",
    // Namespaces.
    "<p:a/>",
    "<a p:b=\"\"/>",
    "<a:b:c/>",
    "<:a/>",
    "<a:/>",
    "<a :b=\"\"/>",
    "<a b:=\"\"/>",
    "<a xmlns:p=\"\"/>",
    "<xmlns:a/>",
    "<a xmlns:xml=\"urn:x\"/>",
    "<a xmlns:xmlns=\"urn:x\"/>",
    "<a xmlns=\"http://www.w3.org/2000/xmlns/\"/>",
    "<a xmlns=\"http://www.w3.org/XML/1998/namespace\"/>",
    "<a xmlns:p=\"http://www.w3.org/2000/xmlns/\"/>",
    "<a xmlns:p=\"http://www.w3.org/XML/1998/namespace\"/>",
    "<a xmlns:p=\"urn:x\" xmlns:q=\"urn:x\" p:b=\"\" q:b=\"\"/>",
    "<a xmlns:p=\"urn:x\" xmlns:q=\"urn:&#x78;\" p:b=\"\" q:b=\"\"/>",
    "<a xmlns:p=\"urn:x\" xmlns:p=\"urn:y\"/>",
    "<a xmlns=\"\" xmlns=\"\"/>",
    "<p:a xmlns:q=\"urn:x\"/>",
    "<b><a xmlns:p=\"urn:x\"/><p:a/></b>",
    "<a xmlns:1=\"urn:x\"/>",
    // References.
    "&",
    "& ",
    "&;",
    "&x",
    "&x;",
    "&lt",
    "&nbsp;",
    "&AMP;",
    "&amp",
    "&#;",
    "&#x;",
    "&#0;",
    "&#1;",
    "&#8;",
    "&#11;",
    "&#31;",
    "&#xD800;",
    "&#xDFFF;",
    "&#xFFFE;",
    "&#xFFFF;",
    "&#x110000;",
    "&#99999999999999999999;",
    "&#X41;",
    "&#-1;",
    "&#+65;",
    "&#x 41;",
    "&# 65;",
    "&#6 5;",
    "&#x41",
    "&#65",
    "&#xG;",
    "&#4A;",
    "& amp;",
    "&amp ;",
    "&1;",
    "&&amp;",
    // Characters.
    "\0",
    "\u{1}",
    "\u{8}",
    "\u{b}",
    "\u{c}",
    "\u{e}",
    "\u{1f}",
    "\u{fffe}",
    "\u{ffff}",
    "a\u{1}b",
    "<a>\u{1}</a>",
    "<!--\u{1}-->",
    "<?p \u{1}?>",
    "<![CDATA[\u{1}]]>",
    "<![CDATA[\u{fffe}]]>",
    "<a\u{0}/>",
    // Character data.
    "]]>",
    "a]]>b",
    "]]]>",
    "<![CDATA[x",
    "<![CDATA[x]]",
    "<![CDATA[x]]>]]>",
    "<![cdata[x]]>",
    "<![CDATA [x]]>",
    "<! [CDATA[x]]>",
    "<![CDATA[a]]>b]]>",
    // Comments and instructions.
    "<!-- -- -->",
    "<!-- --->",
    "<!-->",
    "<!--->",
    "<!-- ",
    "<!--x->",
    "<! -- x -->",
    "<!-x-->",
    "<?p",
    "<?p x",
    "<?p x>",
    "<??>",
    "<? p?>",
    "<?1p?>",
    "<?a:b?>",
    "<?p>",
    "<?xml version=\"1.0\"?>",
    "<?XML x?>",
    "<?Xml?>",
    "<?xml?>",
    "<?p?x?",
    // Declarations.
    "<!DOCTYPE x>",
    "<!doctype x>",
    "<!ENTITY x \"y\">",
    "<!ELEMENT a ANY>",
    "<!ATTLIST a b CDATA #IMPLIED>",
    "<!NOTATION n PUBLIC \"p\">",
    "<![INCLUDE[x]]>",
    "%x;<",
    "<!DOCTYPE x [<!ENTITY e \"v\">]>&e;",
];

/// Well-formed content: accepted where it is skipped, so that the table above is refused for the
/// right reason.
const WELL_FORMED: &[&str] = &[
    "",
    " ",
    "x",
    "<a/>",
    "<a />",
    "<a></a >",
    "<a\n b = '1'\tc=\"2\"\r\n/>",
    "<a b=\"]]>\"/>",
    "<a b='\"&quot;&apos;' />",
    "<a b=\">\"/>",
    "&lt;&gt;&amp;&quot;&apos;",
    "&#9;&#10;&#13;&#32;&#x10FFFF;&#xE000;&#xFFFD;&#0065;",
    "<![CDATA[<a>&x;]]>",
    "<![CDATA[]]>",
    "<![CDATA[]]]]>",
    "]]&gt;",
    "]] >",
    "<!-- c -->",
    "<!---->",
    "<!-- - - -->",
    "<?p?>",
    "<?p i?>",
    "<?p ??>",
    "<?xml-stylesheet x?>",
    "<?xmlish?>",
    "<p:a xmlns:p=\"urn:x\" p:b=\"\" b=\"\"/>",
    "<a xmlns:xml=\"http://www.w3.org/XML/1998/namespace\" xml:lang=\"en\"/>",
    "<a xml:space=\"preserve\"/>",
    "<a xmlns=\"\"/>",
    "<\u{e9}\u{65e5}/>",
    "<_a-.1/>",
    "\u{7f}\u{85}\u{fffd}\u{1f600}",
    "<a><b><c/></b></a>",
    "<a xmlns:p=\"urn:x\" xmlns:q=\"urn:y\" p:b=\"\" q:b=\"\"/>",
];

#[tokio::test]
async fn ill_formed_content_is_refused_everywhere() {
    for version in VERSIONS {
        for place in PLACES {
            for hidden in ILL_FORMED {
                let answer = post(version, message(version, place, hidden)).await;
                let what = format!("{hidden:?} at {place:?}");
                // In a text, any markup is refused, well-formed or not.
                match place {
                    Place::Argument => assert_refused(version, &answer, &what),
                    _ => assert_malformed(version, &answer, &what),
                }
            }
        }
    }
}

#[tokio::test]
async fn well_formed_content_is_skipped() {
    for version in VERSIONS {
        for place in [Place::Header, Place::UnknownChild, Place::Operation] {
            for hidden in WELL_FORMED {
                let answer = post(version, message(version, place, hidden)).await;
                assert_served(&answer, &format!("{hidden:?} at {place:?}"));
                assert!(
                    answer.body.contains("<LoginResult>true</LoginResult>"),
                    "{hidden:?} at {place:?}: {}",
                    answer.body
                );
            }
        }
    }
}

/// A comment, an instruction or an element in a text could hide a part of it from another reader.
#[tokio::test]
async fn markup_inside_a_text_is_refused() {
    for version in VERSIONS {
        for text in [
            "admin<!-- -->@x",
            "<!-- -->alice",
            "alice<!-- -->",
            "al<?p i?>ice",
            "<?p?>alice",
            "alice<?p?>",
            "al<b/>ice",
            "<b>alice</b>",
            "alice<b/>",
            "<b/>",
            "<username>alice</username>",
            "<!---->",
            "<![CDATA[al]]><!-- --><![CDATA[ice]]>",
        ] {
            let answer = post(version, message(version, Place::Argument, text)).await;
            assert_refused(version, &answer, text);
        }
        for text in [
            "<![CDATA[alice]]>",
            "al<![CDATA[ic]]>e",
            "&#97;lice",
            "<![CDATA[]]>alice",
        ] {
            let answer = post(version, message(version, Place::Argument, text)).await;
            assert!(
                answer.body.contains("<LoginResult>true</LoginResult>"),
                "{text}: {}",
                answer.body
            );
        }
    }
}

/// Content that is not allowed before, around or after the envelope.
#[tokio::test]
async fn ill_formed_documents_are_refused() {
    for version in VERSIONS {
        let good = envelope(version, "", &login("alice", ""));
        let lol = "<!DOCTYPE l [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">]>";
        let with_entity = envelope(version, "", &login("&c;", ""));
        let documents = [
            String::new(),
            " ".to_owned(),
            "hello".to_owned(),
            "{\"username\":\"alice\"}".to_owned(),
            DECLARATION.to_owned(),
            "<!-- -->".to_owned(),
            format!("<!DOCTYPE x>{good}"),
            format!("{DECLARATION}<!DOCTYPE s:Envelope SYSTEM \"file:///etc/passwd\">{good}"),
            format!("<!DOCTYPE x PUBLIC \"-//x\" \"http://127.0.0.1:1/x.dtd\">{good}"),
            format!("<!DOCTYPE x [<!ENTITY % p SYSTEM \"http://127.0.0.1:1/\">%p;]>{good}"),
            format!("{lol}{with_entity}"),
            with_entity.clone(),
            format!("<!DOCTYPE x [<!ENTITY c SYSTEM \"file:///etc/passwd\">]>{with_entity}"),
            format!("{good}<!DOCTYPE x>"),
            format!("{good}{good}"),
            format!("{good}<x/>"),
            format!("{good}x"),
            format!("x{good}"),
            format!("{good}&#32;"),
            format!("&#32;{good}"),
            format!("<![CDATA[]]>{good}"),
            format!("{good}<![CDATA[]]>"),
            format!("{good}</s:Envelope>"),
            format!("{good}\0"),
            format!("{good}\u{1}"),
            format!("{good}<!-- -- -->"),
            format!("{good}<?xml version=\"1.0\"?>"),
            format!("{good}<"),
            format!(" {DECLARATION}{good}"),
            format!("{DECLARATION}{DECLARATION}{good}"),
            format!("<!-- -->{DECLARATION}{good}"),
            format!("\u{feff}\u{feff}{good}"),
            format!(" \u{feff}{good}"),
            format!("<?xml?>{good}"),
            format!("<?xml encoding=\"utf-8\"?>{good}"),
            format!("<?xml version=\"1.0\" encoding=\"\"?>{good}"),
            format!("<?xml version=\"1.0\" encoding=\"-x\"?>{good}"),
            format!("<?xml version=\"1.0\"encoding=\"utf-8\"?>{good}"),
            format!("<?xml encoding=\"utf-8\" version=\"1.0\"?>{good}"),
            format!("<?xml version=\"1.0\" standalone=\"maybe\"?>{good}"),
            format!("<?xml version=\"1.0\" standalone=\"yes\" encoding=\"utf-8\"?>{good}"),
            format!("<?xml version=\"1.0\" version=\"1.0\"?>{good}"),
            format!("<?xml version=\"2.0\"?>{good}"),
            format!("<?xml version=1.0?>{good}"),
            format!("<?xml version=\"1.0'?>{good}"),
            format!("<?xml version=\"1.0\" ? >{good}"),
            format!("<?xml version=\"1.0\">{good}"),
            format!("<?xml version=\"1.0\" extra=\"1\"?>{good}"),
            format!("<?XML version=\"1.0\"?>{good}"),
            good[..good.len() - 1].to_owned(),
            good[..good.len() - "</s:Envelope>".len()].to_owned(),
            good.replace("</s:Body>", ""),
            good.replace("</s:Body></s:Envelope>", "</s:Envelope></s:Body>"),
            good.replace("xmlns:s=", "xmlns:t="),
        ];
        for document in documents {
            let answer = post(version, document.clone().into_bytes()).await;
            // If no envelope determines the version, the answer may be in SOAP 1.1.
            let version = if answer.body.contains(VERSIONS[0].blames_caller) {
                VERSIONS[0]
            } else {
                version
            };
            assert_malformed(version, &answer, &document);
        }
        for document in [
            format!("\u{feff}{good}"),
            format!("{good}\r\n<!-- -->\n<?p?> "),
            format!("<?xml version='1.0' standalone='yes'?>\n{good}"),
        ] {
            assert_served(
                &post(version, document.clone().into_bytes()).await,
                &document,
            );
        }
    }
}

/// A message must not run one operation for one reader, and another operation for another.
#[tokio::test]
async fn ambiguous_messages_are_refused() {
    for version in VERSIONS {
        let login = login("alice", "");
        let body = format!("<s:Body>{login}</s:Body>");
        let open = format!("<s:Envelope xmlns:s=\"{}\">", version.namespace);
        let other = "<ClientAuthWithResult xmlns=\"http://example.com/svc/auth\"/>";
        let wrapped = format!(
            "<s:Envelope xmlns:s=\"{}\">{body}</s:Envelope>",
            version.namespace
        );
        for message in [
            format!("{open}{body}{body}</s:Envelope>"),
            format!("{open}{body}<s:Body/></s:Envelope>"),
            format!("{open}<s:Body/>{body}</s:Envelope>"),
            format!("{open}<x/>{body}</s:Envelope>"),
            format!("{open}<s:Body><x>{login}</x></s:Body></s:Envelope>"),
            format!("{open}<s:Header>{body}</s:Header></s:Envelope>"),
            format!("{open}<s:Body/></s:Envelope>"),
            format!("{open}<s:Body>text</s:Body></s:Envelope>"),
            format!("{open}</s:Envelope>"),
            format!("{open}{wrapped}</s:Envelope>"),
            format!("{open}<s:Body>{wrapped}</s:Body></s:Envelope>"),
            format!("{open}<Body>{login}</Body></s:Envelope>"),
            format!("{open}<s:body>{login}</s:body></s:Envelope>"),
        ] {
            assert_refused(
                version,
                &post(version, message.clone().into_bytes()).await,
                &message,
            );
        }
        // If the Body has several elements, the first one counts, as in the original. The others
        // are not run.
        for (first, second) in [(&*login, &*login), (&login, other), (other, &login)] {
            let sent = |children: &str| {
                let message = format!("{open}<s:Body>{children}</s:Body></s:Envelope>");
                post(version, message.into_bytes())
            };
            let both = sent(&format!("{first}{second}")).await;
            assert_served(&both, first);
            assert_eq!(both.body, sent(first).await.body);
        }
    }
}

#[tokio::test]
async fn bytes_that_are_not_utf_8_are_refused() {
    let bad: [&[u8]; 12] = [
        b"\x80",
        b"\xff",
        b"\xfe",
        b"\xe9",
        b"\xc0\x80",
        b"\xc1\xbf",
        b"\xe2\x82",
        b"\xed\xa0\x80",
        b"\xed\xbf\xbf",
        b"\xf4\x90\x80\x80",
        b"\xf8\x88\x80\x80\x80",
        b"\xe0\x80\xbc",
    ];
    for version in VERSIONS {
        for place in PLACES {
            for bytes in bad {
                for hidden in [
                    "HERE",
                    "<a>HERE</a>",
                    "<a b=\"HERE\"/>",
                    "<!--HERE-->",
                    "<![CDATA[HERE]]>",
                    "<HERE/>",
                    "<?p HERE?>",
                ] {
                    let message = message(version, place, hidden);
                    let at = message
                        .windows(4)
                        .position(|window| window == b"HERE")
                        .expect("the place");
                    let message = [&message[..at], bytes, &message[at + 4..]].concat();
                    let answer = post(version, message).await;
                    assert_malformed(
                        version,
                        &answer,
                        &format!("{bytes:x?} in {hidden} at {place:?}"),
                    );
                }
            }
        }
    }
}

fn nested(levels: usize) -> String {
    "<a>".repeat(levels) + &"</a>".repeat(levels)
}

/// Limits are exact: N is accepted, N + 1 is refused.
#[tokio::test]
async fn limits_are_exact() {
    let attributes = |count: usize| {
        let attributes: String = (0..count).map(|index| format!(" a{index}=\"\"")).collect();
        format!("<a{attributes}/>")
    };
    let limits = Limits::default();
    for version in VERSIONS {
        // The first three levels are Envelope, Header and the block, or Envelope, Body and Login.
        for (place, above) in [
            (Place::Header, 3),
            (Place::UnknownChild, 4),
            (Place::Operation, 3),
        ] {
            let cases = [
                (
                    "depth",
                    nested(limits.depth - above),
                    nested(limits.depth - above + 1),
                ),
                (
                    "attributes",
                    attributes(limits.attributes),
                    attributes(limits.attributes + 1),
                ),
                (
                    "name",
                    format!("<{}/>", "n".repeat(limits.name)),
                    format!("<{}/>", "n".repeat(limits.name + 1)),
                ),
                (
                    "attribute value",
                    format!("<a b=\"{}\"/>", "v".repeat(limits.attribute_value)),
                    format!("<a b=\"{}\"/>", "v".repeat(limits.attribute_value + 1)),
                ),
            ];
            for (what, within, beyond) in cases {
                assert_served(
                    &post(version, message(version, place, &within)).await,
                    &format!("{what} at {place:?}"),
                );
                let answer = post(version, message(version, place, &beyond)).await;
                assert_refused(version, &answer, &format!("{what} + 1 at {place:?}"));
            }
        }
    }
}

/// The stack does not grow with nested or repeated content. `tests/allocations/` checks the memory,
/// the benchmark `growth` measures the time.
#[tokio::test]
async fn bulk_is_refused() {
    let some = few_or_all(1_000, 10_000);
    let many_prefixes: String = (0..2 * some)
        .map(|index| format!(" xmlns:p{index}=\"urn:x\""))
        .collect();
    let bulk = [
        nested(20 * some),
        "<a>".repeat(40 * some),
        "<a b='".repeat(20 * some),
        format!("<a{many_prefixes}/>"),
        format!("<a {}/>", "b='' ".repeat(20 * some)),
        "<!--".repeat(20 * some),
        "<![CDATA[".repeat(10 * some),
        "&".repeat(100 * some),
        format!("<a b='{}'/>", "&#x41;".repeat(20 * some)),
        format!("<{}/>", "n".repeat(200 * some)),
    ];
    for version in VERSIONS {
        for place in PLACES {
            for hidden in &bulk {
                let answer = post(version, message(version, place, hidden)).await;
                assert_refused(version, &answer, &format!("{} at {place:?}", &hidden[..20]));
            }
        }
    }
}

/// A body over the limit is refused before it is read.
#[tokio::test]
async fn the_body_limit_is_exact() {
    for version in VERSIONS {
        let body = message(version, Place::Header, "x");
        let limit = |bytes: usize| {
            let mut options = ServerOptions::default();
            options.limits.body = bytes;
            AuthenticatorServer::new(Fixture).with_options(options)
        };
        assert_served(
            &post_to(&limit(body.len()), version, body.clone()).await,
            "the limit",
        );
        let answer = post_to(&limit(body.len() - 1), version, body).await;
        assert_eq!(answer.status, 500, "{}", answer.body);
        assert!(answer.body.contains(":Fault>"), "{}", answer.body);
    }
}

/// SOAP does not allow instructions in messages (SOAP 1.1 §3); a server may enforce it.
#[tokio::test]
async fn instructions_can_be_refused() {
    let limits = Limits::default().with_processing_instructions(false);
    let strict = AuthenticatorServer::new(Fixture).with_limits(limits);
    for version in VERSIONS {
        let instruction = "<?p i?>";
        for place in [Place::Header, Place::UnknownChild, Place::Operation] {
            let answer = post_to(&strict, version, message(version, place, instruction)).await;
            assert_refused(version, &answer, &format!("{place:?}"));
            let answer = post_to(&strict, version, message(version, place, "<!-- c -->")).await;
            assert_served(&answer, &format!("{place:?}"));
        }
        let good = envelope(version, "", &login("alice", ""));
        for document in [
            format!("{instruction}{good}"),
            format!("{good}{instruction}"),
        ] {
            let answer = post_to(&strict, version, document.into_bytes()).await;
            assert_refused(version, &answer, "outside the envelope");
        }
        let declared = format!("{DECLARATION}{good}");
        assert_served(
            &post_to(&strict, version, declared.into_bytes()).await,
            "declared",
        );
    }
}

/// Faults describe the mistake and its place, but never repeat a secret of the message.
#[tokio::test]
async fn faults_do_not_repeat_secrets() {
    for version in VERSIONS {
        for broken in [
            "hunter2<b/>",
            "hunter2&nope;",
            "hunter2]]>",
            "hunter2\u{1}",
            "<b>hunter2</b>",
            // The secret is not escaped.
            "a<hunter2",
            "a<hunter2>",
            "a<hunter2 b>",
            "a</hunter2>",
            "a<x:hunter2/>",
            "a<hunter2:b/>",
            "a<b hunter2:c=''/>",
        ] {
            let body = format!(
                "<Login xmlns=\"http://example.com/svc/auth\"><username>a</username><password>{broken}</password></Login>"
            );
            let answer = post(version, envelope(version, "", &body).into_bytes()).await;
            assert_refused(version, &answer, broken);
            assert!(
                !answer.body.contains("hunter2"),
                "{broken}: {}",
                answer.body
            );
            for unread in [
                format!("<password>x</password><password>{broken}</password>"),
                format!(
                    "<password xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" i:nil=\"true\">{broken}</password>"
                ),
            ] {
                let body = format!("<Login xmlns=\"http://example.com/svc/auth\">{unread}</Login>");
                let answer = post(version, envelope(version, "", &body).into_bytes()).await;
                assert!(
                    !answer.body.contains("hunter2"),
                    "{unread}: {}",
                    answer.body
                );
            }
        }
    }
}

/// For any mutation of a message, the answer is a result or a fault in well-formed XML.
#[tokio::test]
async fn mutated_messages_are_answered_in_xml() {
    let mut numbers = Numbers::of_seed(0x5eed);
    let pieces: Vec<&str> = ILL_FORMED.iter().chain(WELL_FORMED).copied().collect();
    for round in 0..4_000 {
        let version = VERSIONS[round % 2];
        let mut body = message(
            version,
            PLACES[round % 4],
            "<a b=\"c\">&amp;<![CDATA[d]]></a>",
        );
        for _ in 0..=numbers.index(3) {
            let at = numbers.index(body.len());
            match numbers.index(4) {
                0 => body[at] = numbers.index(256) as u8,
                1 => drop(body.remove(at)),
                2 => body.truncate(at.max(1)),
                _ => drop(body.splice(at..at, pieces[numbers.index(pieces.len())].bytes())),
            }
        }
        let answer = post(version, body.clone()).await;
        let printed = String::from_utf8_lossy(&body);
        assert!(
            [200, 400, 500].contains(&answer.status.as_u16()),
            "{}: {printed}",
            answer.status
        );
        assert!(
            !answer.body.contains("soap:Server") && !answer.body.contains("soap:Receiver"),
            "{}: {printed}",
            answer.body
        );
        roxmltree::Document::parse(&answer.body)
            .unwrap_or_else(|error| panic!("{error}: {}: {printed}", answer.body));
    }
}

/// If a mutated message is accepted, an independent parser accepts it, too.
#[tokio::test]
async fn served_messages_are_well_formed() {
    let mut numbers = Numbers::of_seed(0xfeed);
    let bytes = b"<>&;'\"/=!?-[]: ax1\n\t#%";
    for round in 0..6_000 {
        let version = VERSIONS[round % 2];
        let mut body = message(
            version,
            PLACES[round % 4],
            "<p:a xmlns:p=\"urn:p\" b=\"c\">&#65;<!-- e --><![CDATA[d]]></p:a>",
        );
        let (at, byte) = (numbers.index(body.len()), bytes[numbers.index(bytes.len())]);
        match numbers.index(3) {
            0 => body[at] = byte,
            1 => body.insert(at, byte),
            _ => drop(body.remove(at)),
        }
        let answer = post(version, body.clone()).await;
        let printed = String::from_utf8(body).expect("ASCII");
        if answer.status == 200 {
            roxmltree::Document::parse(&printed)
                .unwrap_or_else(|error| panic!("served, but {error}: {printed}"));
        }
    }
}
