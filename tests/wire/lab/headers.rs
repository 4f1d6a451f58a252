//! SOAP headers that are not in a definition, and headers of faults.

use bytes::Bytes;
use svcgen::{Binding, Context, Fault};
use tower::layer::util::Identity;

svcgen::include_service!("wide_headers");
use wide_headers::*;

pub(super) struct Handlers;

/// Returns the original's text for its `SoapUnknownHeader`s.
fn told(context: &Context) -> String {
    let headers = context.unknown_headers().iter().map(|header| {
        let must = if header.must_understand() {
            "True"
        } else {
            "False"
        };
        let actor = header.actor().unwrap_or_default();
        format!(" {}|{must}|{actor}", header.name())
    });
    headers.collect()
}

impl WideHeadersHandler for Handlers {
    async fn two(
        &self,
        context: &Context,
        headers: TwoHeaders,
    ) -> Result<(Option<String>, TwoResponseHeaders), Fault> {
        for header in context.unknown_headers() {
            header.understand();
        }
        let key = headers
            .ticket
            .map_or("none".to_owned(), |ticket| ticket.key);
        let trace = TwoResponseHeaders {
            trace: Some("t1".to_owned()),
        };
        Ok((Some(key + &told(context)), trace))
    }

    async fn any(&self, context: &Context, request: AnyRequest) -> Result<Option<String>, Fault> {
        let understood = request.s.unwrap_or_default();
        let headers = context.unknown_headers();
        for header in headers
            .iter()
            .filter(|header| header.namespace() == understood)
        {
            header.understand();
        }
        let headers = headers.iter().map(|header| header.xml().as_str());
        Ok(Some(headers.collect()))
    }

    async fn none(&self, context: &Context, _: NoneHeaders) -> Result<(), Fault> {
        assert!(context.unknown_headers().is_empty());
        Ok(())
    }

    async fn notify(&self, _: &Context) -> Result<(), Fault> {
        Ok(())
    }

    async fn kept(&self, _: &Context, request: KeptRequest) -> Result<i32, Fault> {
        match request.s.as_deref() {
            Some("fail") => Err(Fault::exception("failed")),
            _ => Ok(1),
        }
    }

    async fn refuse(&self, context: &Context) -> Result<(i32, RefuseResponseHeaders), Fault> {
        let headers = RefuseResponseHeaders {
            trace: Some("t<1".to_owned()),
            ticket: Some(Ticket {
                level: 3,
                key: "in fault".to_owned(),
            }),
        };
        let fault = Fault::client("told").with_actor("http://lab.example/actor");
        Err(fault.with_headers(context, &headers))
    }
}

pub(super) const VERSIONS: [(Binding, &str, &str); 2] = [
    (
        Binding::Soap11,
        "text/xml",
        "http://schemas.xmlsoap.org/soap/envelope/",
    ),
    (
        Binding::Soap12,
        "application/soap+xml",
        "http://www.w3.org/2003/05/soap-envelope",
    ),
];

async fn answer((_, content_type, namespace): (Binding, &str, &str), rest: &str) -> (u16, String) {
    let message = format!(
        r#"<soap:Envelope xmlns:soap="{namespace}" xmlns:out="urn:out" xmlns:o="urn:o">{rest}</soap:Envelope>"#
    );
    let message = message.replace("NS", "urn:example:headers");
    let request = http::Request::post("/WideHeaders.asmx").header("Content-Type", content_type);
    let request = request.body(Bytes::from(message)).unwrap();
    let answer = WideHeadersServer::new(Handlers).answer(request).await;
    let status = answer.status().as_u16();
    (
        status,
        String::from_utf8(answer.into_body().to_vec()).unwrap(),
    )
}

fn call(header: &str, operation: &str) -> String {
    format!("<soap:Header>{header}</soap:Header><soap:Body><{operation} xmlns=\"NS\"/></soap:Body>")
}

#[tokio::test]
async fn unknown_headers_reach_the_handler_as_recorded() {
    for version in VERSIONS {
        let actor = if version.0 == Binding::Soap12 {
            "role"
        } else {
            "actor"
        };
        // As recorded in `hdr/two`, but in one namespace.
        let header = format!(
            r#"<Ticket xmlns="NS" level="3"><Key>k</Key></Ticket><Other xmlns="urn:o" soap:mustUnderstand="1" soap:{actor}="urn:me">v</Other><Third xmlns=""/>"#
        );
        let (status, body) = answer(version, &call(&header, "Two")).await;
        assert_eq!(status, 200, "{body}");
        let expected = r#"<soap:Header><Trace soap:mustUnderstand="1" xmlns="urn:example:headers">t1</Trace></soap:Header><soap:Body><TwoResponse xmlns="urn:example:headers"><TwoResult>k Other|True|urn:me Third|False|</TwoResult></TwoResponse></soap:Body>"#;
        assert!(body.contains(expected), "{body}");
        let without = "<soap:Body><Two xmlns=\"NS\"/></soap:Body>";
        let (_, body) = answer(version, without).await;
        assert!(body.contains("<TwoResult>none</TwoResult>"), "{body}");
    }
}

#[tokio::test]
async fn what_is_not_understood_is_refused() {
    let must = r#"<o:A soap:mustUnderstand="1"/>"#;
    for version in VERSIONS {
        let actor = if version.0 == Binding::Soap12 {
            "role"
        } else {
            "actor"
        };
        let for_another = must.replace("A ", &format!(r#"A soap:{actor}="urn:another" "#));
        let understood = "<soap:Body><Any xmlns=\"NS\"><s>urn:o</s></Any></soap:Body>";
        for (rest, status) in [
            (call(must, "Any"), 500),
            (
                format!("<soap:Header>{must}</soap:Header>{understood}"),
                200,
            ),
            (call(&for_another, "Any"), 200),
            (call("<o:A/>", "Any"), 200),
            // These handlers do not receive the header.
            (call(must, "None"), 500),
            (call(&for_another, "None"), 200),
            // The caller of a one-way operation does not get the fault.
            (call(must, "Notify"), 202),
        ] {
            let (got, body) = answer(version, &rest).await;
            assert_eq!(got, status, "{rest}: {body}");
            let said = body.contains("SOAP header A was not understood.");
            assert_eq!(said, status == 500, "{rest}: {body}");
        }
    }
}

#[tokio::test]
async fn unknown_headers_stand_on_their_own() {
    for version in VERSIONS {
        let header = r#"<out:A o:b="1"><c xmlns="urn:c">x &lt; <!-- d -->y</c></out:A><e/>"#;
        let (status, body) = answer(version, &call(header, "Any")).await;
        assert_eq!(status, 200, "{body}");
        let result = roxmltree::Document::parse(&body).unwrap();
        let mut texts = result
            .descendants()
            .filter(|node| node.has_tag_name(("urn:example:headers", "AnyResult")));
        let markup = texts.next().unwrap().text().unwrap().to_owned();
        let alone = format!("<x>{markup}</x>");
        let alone = roxmltree::Document::parse(&alone).unwrap();
        let mut children = alone.root_element().children();
        let first = children.next().unwrap();
        assert!(first.has_tag_name(("urn:out", "A")), "{markup}");
        assert_eq!(first.attribute(("urn:o", "b")), Some("1"), "{markup}");
        assert!(
            first.first_child().unwrap().has_tag_name(("urn:c", "c")),
            "{markup}"
        );
        assert!(children.next().unwrap().has_tag_name("e"), "{markup}");
        let malformed = call("<a></b>", "Any");
        assert_eq!(answer(version, &malformed).await.0, 400);
    }
}

#[tokio::test]
async fn faults_have_headers() {
    for version in VERSIONS {
        let (status, body) = answer(version, &call("", "Refuse")).await;
        assert_eq!(status, 500);
        let headers = r#"<soap:Header><Trace soap:mustUnderstand="1" xmlns="urn:example:headers">t&lt;1</Trace><Ticket level="3" xmlns="urn:example:headers"><Key>in fault</Key></Ticket></soap:Header><soap:Body><soap:Fault>"#;
        assert!(body.contains(headers), "{body}");
        roxmltree::Document::parse(&body).unwrap();
    }
    let request = http::Request::get("/WideHeaders.asmx/Refuse");
    let request = request.body(Bytes::new()).unwrap();
    let answer = WideHeadersServer::new(Handlers).answer(request).await;
    assert_eq!(
        (answer.status().as_u16(), &answer.body()[..]),
        (500, &b"told\n"[..])
    );
}

/// Returns the headers for caches in an answer.
fn for_caches(answer: &http::Response<Bytes>) -> [Option<&str>; 3] {
    ["cache-control", "pragma", "expires"].map(|name| {
        answer
            .headers()
            .get(name)
            .map(|value| value.to_str().unwrap())
    })
}

#[tokio::test]
async fn answers_that_asmx_keeps_say_so() {
    are_kept(&WideHeadersServer::new(Handlers)).await;
    are_kept(&WideHeadersServer::new(Handlers).with_layer(Identity::new())).await;
}

async fn are_kept(server: &WideHeadersServer<Handlers>) {
    let kept = [Some("no-cache"), Some("no-cache"), Some("-1")];
    let called = [Some("private, max-age=0"), None, None];
    let early = [Some("private"), None, None];
    for (target, status, expected) in [
        ("Kept?s=x", 200, kept),
        ("Kept?s=fail", 500, kept),
        ("Kept", 500, early),
        ("Any?s=x", 200, called),
    ] {
        let request = http::Request::get(format!("/WideHeaders.asmx/{target}"));
        let answer = server.answer(request.body(Bytes::new()).unwrap()).await;
        assert_eq!(answer.status(), status, "{target}");
        assert_eq!(for_caches(&answer), expected, "{target}");
    }
    for (_, content_type, namespace) in VERSIONS {
        let message = format!(
            r#"<e:Envelope xmlns:e="{namespace}"><e:Body><Kept xmlns="urn:example:headers"/></e:Body></e:Envelope>"#
        );
        let request = http::Request::post("/WideHeaders.asmx").header("Content-Type", content_type);
        let answer = server
            .answer(request.body(Bytes::from(message)).unwrap())
            .await;
        assert_eq!(answer.status(), 200);
        assert_eq!(for_caches(&answer), kept);
    }
}
