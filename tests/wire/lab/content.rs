//! XML without a declared type.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use svcgen::types::{XmlAttributes, XmlFragment};
use svcgen::{Binding, CallError, Context, Fault};
use svcgen_tests::lab::replay;
use svcgen_tests::raw_http::Running;

svcgen::include_service!("any_content");
use any_content::*;

/// The handlers of `GWide.cs`. In .NET, a parameter of the type `XmlNode` is the first node.
struct Handlers;

impl AnyContentHandler for Handlers {
    async fn echo_node(
        &self,
        _: &Context,
        request: EchoNodeRequest,
    ) -> Result<Option<XmlFragment>, Fault> {
        Ok(request.node.and_then(|node| node.first_node()))
    }

    async fn echo_doc(
        &self,
        _: &Context,
        request: EchoDocRequest,
    ) -> Result<Option<XmlFragment>, Fault> {
        Ok(request.doc)
    }

    async fn any_one(&self, _: &Context, request: AnyOneRequest) -> Result<AnyOneResponse, Fault> {
        let any = request.any;
        Ok(AnyOneResponse { any })
    }

    async fn any_many(
        &self,
        _: &Context,
        request: AnyManyRequest,
    ) -> Result<AnyManyResponse, Fault> {
        let any = request.any;
        Ok(AnyManyResponse { any })
    }

    async fn refuse(&self, _: &Context, request: RefuseRequest) -> Result<(), Fault> {
        let fault = Fault::client("refused");
        let mixed = Mixed {
            value: XmlFragment::parse("a<b/>").unwrap(),
        };
        Err(match &*request.what {
            "Code" => fault.with_detail(&CodeDetail { value: 7 }),
            "Codes" => fault.with_detail(&CodesDetail {
                value: vec![None, Some(svcgen::types::Guid::nil())],
            }),
            "Reason" => fault.with_detail(&mixed),
            "Again" => fault.with_detail(&AgainDetail { value: mixed }),
            "Far" => fault.with_detail(&far_detail()),
            _ => fault.with_detail(&RawDetail { value: mixed.value }),
        })
    }

    async fn echo_open(
        &self,
        _: &Context,
        request: EchoOpenRequest,
    ) -> Result<Option<Open>, Fault> {
        Ok(request.v)
    }

    async fn echo_mixed(
        &self,
        _: &Context,
        request: EchoMixedRequest,
    ) -> Result<Option<Mixed>, Fault> {
        Ok(request.v)
    }

    /// In .NET, a text is the same object as the value of a `b`, so it is returned as one.
    async fn echo_mixed_text(
        &self,
        _: &Context,
        request: EchoMixedTextRequest,
    ) -> Result<Option<MixedText>, Fault> {
        let mut answer = request.v;
        for item in answer.iter_mut().flat_map(|mixed| &mut mixed.items) {
            if let MixedTextItems::Text(text) = item {
                *item = MixedTextItems::B(std::mem::take(text));
            }
        }
        Ok(answer)
    }
}

/// The exchange of `EchoMixedText`, which was measured but not recorded.
#[tokio::test]
async fn text_comes_back_as_an_element_as_in_dot_net() {
    let body = |content: &str| {
        format!(
            "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>\
             <EchoMixedText xmlns=\"http://lab.example/g\"><v>{content}</v></EchoMixedText></s:Body></s:Envelope>"
        )
    };
    let sent = body("one<b>2</b>three <i>4</i> <!-- -->\n five<u>6</u>seven<Text>8</Text>");
    let request = http::Request::post("/GWide.asmx")
        .header("content-type", "text/xml; charset=utf-8")
        .header("soapaction", "http://lab.example/g/EchoMixedText");
    let request = request.body(bytes::Bytes::from(sent)).unwrap();
    let answer = AnyContentServer::new(Handlers).answer(request).await;
    let answer = String::from_utf8(answer.body().to_vec()).unwrap();
    let result = "<EchoMixedTextResult><b>one</b><b>2</b><b>three </b><i>4</i><b>\n five</b><b>seven</b></EchoMixedTextResult>";
    assert!(answer.contains(result), "{answer}");
}

#[test]
fn content_is_answered_as_recorded() {
    let server = Running::of(AnyContentServer::new(Handlers));
    let recorded = [
        "any/node",
        "any/node-empty",
        "any/node-spaces",
        "any/doc",
        "any/one",
        "any/many",
        "any/open",
        "any/mixed",
    ];
    replay(&server, &recorded, &[]);
}

#[test]
fn documents_are_as_recorded() {
    super::documents_are_recorded(
        "content",
        &[
            "Refuse", "\"Code", "\"Reason", "\"Again", "\"Raw", "Far", "Guid",
        ],
    );
}

fn client(binding: Binding) -> AnyContentClient<AnyContentServer<Handlers>> {
    let server = AnyContentServer::new(Handlers);
    let client = AnyContentClient::new(server, "http://localhost").unwrap();
    client.with_binding(binding)
}

#[tokio::test]
async fn elements_beside_parameters_and_results_come_back() {
    let element = |name: &str| XmlFragment::element(name).with_namespace("urn:w").build();
    let elements = ["a", "b", "c"].map(|name| element(name).unwrap());
    for binding in [Binding::Soap11, Binding::Soap12] {
        let client = client(binding);
        for any in [&elements[..], &elements[..1], &[]] {
            let any = any.to_vec();
            let one = any.first().cloned();
            let first = Some("f".to_owned());
            let request = AnyManyRequest { first, any };
            let came = client.any_many(&request).await.unwrap();
            assert_eq!(came.any, request.any);
            let request = AnyOneRequest { any: one };
            let came = client.any_one(&request).await.unwrap();
            assert_eq!(came.any, request.any);
        }
    }
}

fn far_detail() -> Open {
    Open {
        first: Some("f".to_owned()),
        ..Open::default()
    }
}

#[tokio::test]
async fn details_are_of_any_type() {
    let mixed = XmlFragment::parse("a<b/>").unwrap();
    for binding in [Binding::Soap11, Binding::Soap12] {
        let client = client(binding);
        let fault = async |what: &str| {
            let what = what.to_owned();
            let error = client.refuse(&RefuseRequest { what }).await.unwrap_err();
            let CallError::Fault(fault) = error else {
                panic!("{error}");
            };
            fault
        };
        let code = fault("Code").await;
        let schema = "http://www.w3.org/2001/XMLSchema";
        let written = format!(
            r#"<Code xmlns:xsd="{schema}" xmlns:xsi="{schema}-instance" xmlns="http://lab.example/g">7</Code>"#
        );
        assert_eq!(code.detail(), Some(&*written));
        assert_eq!(code.read_detail(), Some(Ok(CodeDetail { value: 7 })));
        assert_eq!(code.read_detail::<CodesDetail>(), None);
        let value = vec![None, Some(svcgen::types::Guid::nil())];
        let codes = fault("Codes").await.read_detail();
        assert_eq!(codes, Some(Ok(CodesDetail { value })));
        let value = mixed.clone();
        let reason = fault("Reason").await.read_detail();
        assert_eq!(reason, Some(Ok(Mixed { value })));
        let value = Mixed {
            value: mixed.clone(),
        };
        let again = fault("Again").await.read_detail();
        assert_eq!(again, Some(Ok(AgainDetail { value })));
        let value = mixed.clone();
        let raw = fault("Raw").await.read_detail();
        assert_eq!(raw, Some(Ok(RawDetail { value })));
        let far = fault("Far").await;
        let markup = far.detail().unwrap();
        assert!(markup.starts_with("<Far "), "{markup}");
        assert!(markup.contains(r#"xmlns="urn:example:store""#), "{markup}");
        let first = r#"<First xmlns="http://lab.example/g">f</First>"#;
        assert!(markup.contains(first), "{markup}");
        assert_eq!(far.read_detail(), Some(Ok(far_detail())));
    }
}

fn element() -> BoxedStrategy<XmlFragment> {
    let markup = [
        "<a/>",
        "<First xmlns='urn:a'/>",
        "<b xmlns='http://lab.example/g' c='>'>1<!-- </b> --><b/></b>",
        "<p:Rest xmlns:p='urn:p' p:q='p:r'><![CDATA[<]]>\n</p:Rest>",
        "<Rest xmlns='http://lab.example/g'>1</Rest>",
    ];
    select(markup.to_vec())
        .prop_map(|markup| XmlFragment::parse(markup).unwrap())
        .boxed()
}

fn attributes() -> BoxedStrategy<XmlAttributes> {
    let texts = [
        "",
        "z='2'",
        "p:known='3' q='' xmlns:p='urn:p'",
        "xml:lang='pt' p:q='p:q' xmlns:p='urn:p'",
    ];
    select(texts.to_vec())
        .prop_map(|text| text.parse().unwrap())
        .boxed()
}

prop_compose! {
    fn open()(
        known in any::<i32>(),
        attrs in attributes(),
        first in prop::option::of("[a-z<&]{0,4}"),
        rest in vec(element(), 0..4),
        last in prop::option::of("[a-z<&]{0,4}"),
    ) -> Open {
        Open { known, attrs, first, rest, last }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_not_named_comes_back_as_it_was(open in open(), content in vec(element(), 0..3)) {
        let text: String = content.iter().map(|one| format!("t&amp;{one}")).collect();
        let mixed = Mixed { value: XmlFragment::parse(&text).unwrap() };
        for binding in [Binding::Soap11, Binding::Soap12] {
            let call = async {
                let client = client(binding);
                let request = EchoOpenRequest { v: Some(open.clone()) };
                let open = client.echo_open(&request).await.unwrap();
                let request = EchoMixedRequest { v: Some(mixed.clone()) };
                (open, client.echo_mixed(&request).await.unwrap())
            };
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let (came, mixed_came) = runtime.block_on(call);
            prop_assert_eq!(came.as_ref(), Some(&open));
            prop_assert_eq!(mixed_came.as_ref(), Some(&mixed));
        }
    }
}
