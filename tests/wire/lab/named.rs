//! Messages and parts in other namespaces, several bindings, overloads.

use svcgen::types::XmlFragment;
use svcgen::{Binding, Context, Fault};
use svcgen_tests::lab::{Departure, replay};
use svcgen_tests::raw_http::Running;

svcgen::include_service!("g_bind");
svcgen::include_service!("g_overloads");
svcgen::include_service!("named_messages");
use g_bind::{GBindClient, GBindHandler, GBindServer, InOneRequest, InOwnRequest, InTwoRequest};
use g_overloads::{
    GOverloadsClient, GOverloadsHandler, GOverloadsServer, OverRequest, OverTextRequest,
};
use named_messages::*;

/// The operations of `GWide.cs` and its `GBind`.
struct Lab;

impl NamedMessagesHandler for Lab {
    async fn bare_named(
        &self,
        _: &Context,
        request: BareNamedRequest,
    ) -> Result<Option<ReplyPt>, Fault> {
        Ok(request.p.map(|AskPt { x, y }| ReplyPt { x, y }))
    }

    async fn lote(&self, _: &Context, request: LoteRequest) -> Result<Option<XmlFragment>, Fault> {
        let node = request.dados.and_then(|node| node.first_node());
        Ok(node.map(|node| {
            let name = node.as_str().strip_prefix('<');
            let name = name.and_then(|name| name.split([' ', '>', '/']).next());
            let [kind, name] = match name {
                Some(name) => ["Element", name],
                None => ["Text", "#text"],
            };
            let answer = format!(
                r#"<ret xmlns="urn:nfe" versao="4.00"><tipo>{kind}</tipo><nome>{name}</nome></ret>"#
            );
            XmlFragment::parse(&answer).unwrap()
        }))
    }

    async fn any_bare(
        &self,
        _: &Context,
        request: AnyBareRequest,
    ) -> Result<AnyBareResponse, Fault> {
        let any_bare_result = request.any;
        Ok(AnyBareResponse { any_bare_result })
    }

    async fn echo_open_ns(
        &self,
        _: &Context,
        request: EchoOpenNsRequest,
    ) -> Result<Option<OpenNs>, Fault> {
        Ok(request.v)
    }
}

impl GBindHandler for Lab {
    async fn in_one(&self, _: &Context, request: InOneRequest) -> Result<Option<String>, Fault> {
        Ok(request.s)
    }

    async fn in_two(&self, _: &Context, request: InTwoRequest) -> Result<Option<String>, Fault> {
        Ok(request.s)
    }

    async fn in_own(&self, _: &Context, request: InOwnRequest) -> Result<Option<String>, Fault> {
        Ok(request.s)
    }
}

impl GOverloadsHandler for Lab {
    async fn over(&self, _: &Context, _: OverRequest) -> Result<Option<String>, Fault> {
        Ok(Some("int".to_owned()))
    }

    async fn over_text(&self, _: &Context, _: OverTextRequest) -> Result<Option<String>, Fault> {
        Ok(Some("text".to_owned()))
    }
}

#[test]
fn messages_are_answered_as_recorded() {
    let server = Running::of(NamedMessagesServer::new(Lab));
    let recorded = [
        "any/bare",
        "any/lote-soap11",
        "any/lote-text",
        "any/open-ns",
        "bare/named",
    ];
    replay(&server, &recorded, &[]);
    // The original declares no schema for this element.
    super::documents_are_recorded("named_messages", &["name=\"one\""]);
}

#[test]
fn messages_of_several_bindings_are_answered_as_recorded() {
    let server = Running::of(GBindServer::new(Lab));
    let departure = Departure {
        name: "bind/one-service-ns",
        why: "an element that is not the operation's leaves no argument, which is told",
        status: 500,
        holds: &["whose element is InOne of namespace http://lab.example/g/bind/one"],
    };
    replay(&server, &["bind"], &[departure]);
}

#[test]
fn overloads_are_answered_as_recorded() {
    let server = Running::of(GOverloadsServer::new(Lab));
    replay(&server, &["over"], &[]);
    super::documents_are_recorded("overloads", &[]);
}

#[tokio::test]
async fn clients_call_the_operation_that_is_meant() {
    for binding in Binding::DEFAULT {
        let server = GOverloadsServer::new(Lab);
        let client = GOverloadsClient::new(server, "http://localhost").unwrap();
        let client = client.with_binding(binding);
        let int = client.over(&OverRequest { a: 1 }).await.unwrap();
        assert_eq!(int.as_deref(), Some("int"));
        let a = Some("1".to_owned());
        let text = client.over_text(&OverTextRequest { a }).await.unwrap();
        assert_eq!(text.as_deref(), Some("text"));
        let server = GBindServer::new(Lab);
        let client = GBindClient::new(server, "http://localhost").unwrap();
        let client = client.with_binding(binding);
        let s = Some("x".to_owned());
        let request = InOneRequest { s: s.clone() };
        assert_eq!(client.in_one(&request).await.unwrap(), s);
        let request = InTwoRequest { s: s.clone() };
        assert_eq!(client.in_two(&request).await.unwrap(), s);
        let request = InOwnRequest { s: s.clone() };
        assert_eq!(client.in_own(&request).await.unwrap(), s);
    }
}

#[tokio::test]
async fn parts_of_any_namespace_come_back() {
    let element = |markup: &str| XmlFragment::parse(markup).unwrap();
    for binding in [Binding::Soap11, Binding::Soap12] {
        let server = NamedMessagesServer::new(Lab);
        let client = NamedMessagesClient::new(server, "http://localhost").unwrap();
        let client = client.with_binding(binding);
        for p in [Some(AskPt { x: 1, y: 2 }), None] {
            let expected = p.clone().map(|AskPt { x, y }| ReplyPt { x, y });
            let came = client.bare_named(&BareNamedRequest { p }).await.unwrap();
            assert_eq!(came, expected);
        }
        for any in [Some(element(r#"<a xmlns="urn:w" b="1"><c/></a>"#)), None] {
            let request = AnyBareRequest { any };
            let came = client.any_bare(&request).await.unwrap();
            assert_eq!(came.any_bare_result, request.any);
        }
        let open = OpenNs {
            a: vec![element(r#"<x xmlns="urn:a"/>"#), element("<y/>")],
            one: Some(element("1<z/>")),
            last: Some("l".to_owned()),
        };
        let request = EchoOpenNsRequest { v: Some(open) };
        let came = client.echo_open_ns(&request).await.unwrap();
        assert_eq!(came, request.v);
    }
}
