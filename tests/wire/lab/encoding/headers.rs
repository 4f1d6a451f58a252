//! SOAP headers of encoded messages.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use svcgen::types::SoapHeader;
use svcgen::{Binding, Context, Fault, Router};
use svcgen_tests::lab::replay;
use svcgen_tests::random::text;
use svcgen_tests::raw_http::Running;

use super::{POINT, Result, derived_point, document_is_recorded};
use crate::shapes::wait;

svcgen::include_service!("wide_head");
svcgen::include_service!("wide_rpc_head");
use wide_head::*;
use wide_rpc_head::{
    LiteralHeaders as TurnedHeaders, LiteralRequest as TurnedRequest,
    LiteralResponseHeaders as TurnedResponseHeaders, TracedHeaders, TracedRequest,
    TracedResponseHeaders, WideRpcHeadHandler, WideRpcHeadServer,
};

/// The handlers of `GHead` and `GRpcHead`.
struct Heads;

/// Evaluates `text ?? "null"` of C#.
fn or_null(text: Option<&str>) -> &str {
    text.unwrap_or("null")
}

fn shown(pass: &SoapHeader<Pass>) -> String {
    let Pass {
        level,
        key,
        r#where,
        nums,
        n,
    } = &pass.value;
    let place = r#where.as_ref().map(|place| match place {
        AnyPt::Pt(Pt { x, y }) => format!("{x},{y}"),
        AnyPt::Pt3(Pt3 { x, y, .. }) => format!("{x},{y}+"),
    });
    let nums = nums.as_ref().map(|nums| {
        let nums: Vec<_> = nums.iter().map(i32::to_string).collect();
        nums.join(",")
    });
    [
        or_null(key.as_deref()),
        or_null(level.as_deref()),
        or_null(place.as_deref()),
        or_null(nums.as_deref()),
        &n.map_or_else(String::new, |n| n.to_string()),
        if pass.must_understand {
            "True"
        } else {
            "False"
        },
        pass.actor.as_deref().unwrap_or_default(),
    ]
    .join("|")
}

fn made(key: &str) -> SoapHeader<Pass> {
    let key = Some(key.to_owned());
    Pass {
        key,
        ..Pass::default()
    }
    .into()
}

impl WideHeadHandler for Heads {
    async fn with_pass(
        &self,
        _: &Context,
        headers: WithPassHeaders,
        request: WithPassRequest,
    ) -> Result<(Option<String>, WithPassResponseHeaders)> {
        let how = request.how.unwrap_or_default();
        let (text, pass) = match headers.pass {
            None if how == "none" => ("null".to_owned(), None),
            None => ("made".to_owned(), Some(made("new"))),
            Some(mut pass) => {
                let text = shown(&pass);
                if how == "actor" {
                    pass.actor = Some("urn:next".to_owned());
                    pass.must_understand = true;
                }
                (text, Some(pass))
            }
        };
        Ok((Some(text), WithPassResponseHeaders { pass }))
    }

    async fn two(
        &self,
        _: &Context,
        headers: TwoHeaders,
        request: TwoRequest,
    ) -> Result<(Option<AnyPt>, TwoResponseHeaders)> {
        let id = Some("t".to_owned());
        let trail = headers.trail.unwrap_or(Trail { id, r#where: None });
        let mut pass = headers.pass;
        if let Some(pass) = &mut pass {
            pass.value.r#where = request.p.clone();
        }
        let trail = Some(trail);
        Ok((request.p, TwoResponseHeaders { pass, trail }))
    }

    async fn fails(&self, context: &Context, request: FailsRequest) -> Result<Option<String>> {
        let mut pass = made(&request.how.unwrap_or_default());
        pass.value.r#where = Some(AnyPt::Pt(Pt::default()));
        let headers = FailsFaultHeaders { pass: Some(pass) };
        Err(Fault::client("no").with_headers(context, &headers))
    }

    async fn unknown(
        &self,
        context: &Context,
        headers: UnknownHeaders,
        request: UnknownRequest,
    ) -> Result<Option<String>> {
        let mut texts = vec![request.s.unwrap_or_default()];
        let pass = headers.pass.and_then(|pass| pass.value.key);
        texts.extend(pass);
        for header in context.unknown_headers() {
            texts.push(format!("types:{}", header.name()));
            header.understand();
        }
        Ok(Some(texts.join("|")))
    }

    async fn literal(
        &self,
        _: &Context,
        headers: LiteralHeaders,
        request: LiteralRequest,
    ) -> Result<(Option<String>, LiteralResponseHeaders)> {
        let pass = headers.pass;
        let key = pass.as_ref().and_then(|pass| pass.value.key.as_deref());
        let text = request.s.unwrap_or_default() + key.unwrap_or_default();
        Ok((Some(text), LiteralResponseHeaders { pass }))
    }

    async fn doc_enc(
        &self,
        _: &Context,
        headers: DocEncHeaders,
        request: wide_head::DocEncRequest,
    ) -> Result<(Option<String>, DocEncResponseHeaders)> {
        let trail = headers.trail;
        let id = trail.as_ref().and_then(|trail| trail.id.as_deref());
        let text = request.s.unwrap_or_default() + id.unwrap_or_default();
        Ok((Some(text), DocEncResponseHeaders { trail }))
    }
}

impl WideRpcHeadHandler for Heads {
    async fn traced(
        &self,
        _: &Context,
        headers: TracedHeaders,
        request: TracedRequest,
    ) -> Result<(Option<String>, TracedResponseHeaders)> {
        let trail = headers.trail.unwrap_or_else(|| wide_rpc_head::Trail {
            id: Some("t".to_owned()),
            r#where: Some(wide_rpc_head::Pt::default()),
        });
        let text = request.s.unwrap_or_default() + trail.id.as_deref().unwrap_or_default();
        let trail = Some(trail);
        Ok((Some(text), TracedResponseHeaders { trail }))
    }

    async fn literal(
        &self,
        _: &Context,
        headers: TurnedHeaders,
        request: TurnedRequest,
    ) -> Result<(Option<String>, TurnedResponseHeaders)> {
        let trail = headers.trail;
        let id = trail.as_ref().and_then(|trail| trail.id.as_deref());
        let text = request.s.unwrap_or_default() + id.unwrap_or_default();
        Ok((Some(text), TurnedResponseHeaders { trail }))
    }
}

#[test]
fn headers_are_read_and_written_as_recorded() {
    let services = Router::new().with_service(WideHeadServer::new(Heads));
    let services = services.with_service(WideRpcHeadServer::new(Heads));
    let server = Running::of(services);
    replay(&server, &["rpc-head"], &[]);
}

#[test]
fn documents_are_as_recorded() {
    // In the original, an attribute of an encoded class is an element of the literal one, and the
    // type that is only included for encoded messages is not in a literal message.
    let elements = [
        r#"          <s:element minOccurs="0" maxOccurs="1" name="Key" type="s:string" />
          <s:element minOccurs="0" maxOccurs="1" name="level" type="s:string" />
"#,
        r#"          <s:element minOccurs="0" maxOccurs="1" name="Key" type="s:string" />
"#,
    ];
    let attributes = r#"        <s:attribute name="level" type="s:string" />
        <s:anyAttribute />
"#;
    let with_derived = format!("{POINT}{}", derived_point("tns"));
    document_is_recorded(
        "head",
        include_str!("../../../recorded/lab/wsdl/GHead.wsdl"),
        &[
            (elements[0], elements[1]),
            ("        <s:anyAttribute />\n", attributes),
            (POINT, &with_derived),
        ],
    );
    document_is_recorded(
        "rpc_head",
        include_str!("../../../recorded/lab/wsdl/GRpcHead.wsdl"),
        &[],
    );
}

fn pass(level: &str, point: AnyPt) -> SoapHeader<Pass> {
    let mut pass = SoapHeader::from(Pass {
        level: Some(level.to_owned()),
        key: Some("<k>".to_owned()),
        r#where: Some(point),
        nums: Some(vec![1, 2]),
        n: Some(-1),
    });
    pass.actor = Some("urn:a&b".to_owned());
    pass
}

#[test]
fn headers_go_there_and_back() {
    for binding in [Binding::Soap11, Binding::Soap12] {
        let server = WideHeadServer::new(Heads);
        let client = WideHeadClient::new(server, "http://h").unwrap();
        let client = client.with_binding(binding);
        let how = || Some("x".to_owned());
        let sent = pass("<3>", AnyPt::Pt3(Pt3 { x: 1, y: 2, z: 3 }));
        let headers = WithPassHeaders {
            pass: Some(sent.clone()),
        };
        let got = wait(client.with_pass(&headers, &WithPassRequest { how: how() }));
        let (text, got) = got.unwrap();
        assert_eq!(text.as_deref(), Some("<k>|<3>|1,2+|1,2|-1|False|urn:a&b"));
        assert_eq!(got.pass, Some(sent));

        let none = wait(client.with_pass(
            &WithPassHeaders { pass: None },
            &WithPassRequest {
                how: Some("none".to_owned()),
            },
        ));
        assert_eq!(none.unwrap().1.pass, None);

        let headers = TwoHeaders {
            pass: Some(made("k")),
            trail: Some(Trail {
                id: None,
                r#where: Some(AnyPt::Pt(Pt { x: 7, y: 8 })),
            }),
        };
        let p = Some(AnyPt::Pt(Pt { x: 1, y: 2 }));
        let request = TwoRequest { p: p.clone() };
        let (result, got) = wait(client.two(&headers, &request)).unwrap();
        assert_eq!(result, p);
        assert_eq!(got.pass.and_then(|pass| pass.value.r#where), p);
        assert_eq!(got.trail, headers.trail);

        let failed = wait(client.fails(&FailsRequest { how: how() })).unwrap_err();
        let fault = failed.fault().unwrap();
        let headers = fault.read_headers::<FailsFaultHeaders>().unwrap().unwrap();
        let mut expected = made("x");
        expected.value.r#where = Some(AnyPt::Pt(Pt::default()));
        assert_eq!(headers.pass, Some(expected));
    }
}

/// Sends this in the Header over SOAP 1.1. Returns the answer.
fn sent(header: &str, strict: bool) -> String {
    let message = format!(
        r#"<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:soapenc="http://schemas.xmlsoap.org/soap/encoding/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:tns="http://lab.example/g/head" xmlns:types="http://lab.example/g/head/encodedTypes"><soap:Header>{header}</soap:Header><soap:Body><tns:WithPass><how>x</how></tns:WithPass></soap:Body></soap:Envelope>"#
    );
    let request = http::Request::post("/GHead.asmx")
        .header("content-type", "text/xml; charset=utf-8")
        .header("soapaction", "\"http://lab.example/g/head/WithPass\"")
        .body(message.into())
        .unwrap();
    let options = svcgen::ServerOptions::default().with_strict(strict);
    let server = WideHeadServer::new(Heads).with_options(options);
    String::from_utf8(wait(server.answer(request)).body().to_vec()).unwrap()
}

#[test]
fn hostile_headers_are_refused() {
    let itself = r##"<types:Pass id="1" xsi:type="types:Pass"><Where href="#1"/></types:Pass>"##;
    let answer = sent(itself, false);
    assert!(
        answer.contains("<faultstring>Server was unable to read request.")
            && answer.contains("of type Pass to an object of type Pt"),
        "{answer}"
    );
    // Every reference counts towards the memory, so that few bytes cannot become many values.
    let nums = "<i>1</i>".repeat(10_000);
    let many = r##"<types:Pass><Nums href="#n"/></types:Pass>"##.repeat(2_000);
    let array = format!(r#"<a id="n" soapenc:arrayType="xsd:int[]">{nums}</a>"#);
    let answer = sent(&format!("{many}{array}"), false);
    // Of several headers with the same name, the first counts.
    assert!(answer.contains("|1,1,1,"), "{answer:.500}");
    let deep = "<Where>".repeat(10_000);
    assert!(sent(&format!("<types:Pass>{deep}"), false).contains("soap:Client"));
    // A strict server refuses unexpected elements in headers, as in encoded values.
    let unknown = "<types:Pass><Nope/></types:Pass>";
    assert!(sent(unknown, true).contains("'Nope' is not expected there"));
    assert!(sent(unknown, false).contains("null|null|null"));
}

fn passes() -> BoxedStrategy<SoapHeader<Pass>> {
    let point = any::<(i32, i32, Option<i32>)>().prop_map(|(x, y, z)| match z {
        None => AnyPt::Pt(Pt { x, y }),
        Some(z) => AnyPt::Pt3(Pt3 { x, y, z }),
    });
    let nums = vec(any::<i32>(), 0..4);
    let texts = (
        option::of(text()),
        option::of(text()),
        option::of("[a-z&<]{1,9}"),
    );
    let flags = any::<bool>();
    (
        texts,
        option::of(point),
        option::of(nums),
        any::<Option<i32>>(),
        flags,
    )
        .prop_map(
            |((level, key, actor), r#where, nums, n, must_understand)| SoapHeader {
                value: Pass {
                    level,
                    key,
                    r#where,
                    nums,
                    n,
                },
                actor,
                must_understand,
                relay: false,
            },
        )
        .boxed()
}

proptest! {
    #[test]
    fn headers_come_back_as_they_were(
        pass in option::of(passes()),
        soap12 in any::<bool>(),
        how in text(),
    ) {
        let server = WideHeadServer::new(Heads);
        let client = WideHeadClient::new(server, "http://h").unwrap();
        let client = client.with_binding(if soap12 { Binding::Soap12 } else { Binding::Soap11 });
        let request = WithPassRequest { how: Some("none".to_owned()) };
        let headers = WithPassHeaders { pass: pass.clone() };
        let (_, got) = wait(client.with_pass(&headers, &request)).unwrap();
        prop_assert_eq!(got.pass, pass);
        let failed = wait(client.fails(&FailsRequest { how: Some(how.clone()) })).unwrap_err();
        let headers = failed.fault().unwrap().read_headers::<FailsFaultHeaders>();
        let got = headers.unwrap().unwrap().pass.unwrap();
        prop_assert_eq!(got.value.key, Some(how));
    }
}
