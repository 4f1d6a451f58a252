//! Types, elements, attributes and headers of several namespaces.

use svcgen::{Binding, Context, Fault};
use svcgen_tests::lab;
use svcgen_tests::raw_http::Running;

svcgen::include_service!("wide_namespaces");
use wide_namespaces::*;

/// The operations of `GWide.cs`, and others that return their parameters.
struct Handlers;

impl WideNamespacesHandler for Handlers {
    async fn echo_address(
        &self,
        _: &Context,
        request: EchoAddressRequest,
    ) -> Result<Option<Address>, Fault> {
        Ok(request.address)
    }

    async fn echo_address_ns(
        &self,
        _: &Context,
        request: EchoAddressNsRequest,
    ) -> Result<Option<Address>, Fault> {
        // Missing `int` members are 0 in the original.
        Ok(request.r#in)
    }

    async fn get_address(&self, _: &Context) -> Result<Option<Address>, Fault> {
        let text = |text: &str| Some(text.to_owned());
        Ok(Some(Address {
            street: text("s"),
            zip: text("z"),
            country: text("c"),
            kind: text("k"),
            lang: text("en"),
            ..Address::default()
        }))
    }

    async fn get_addresses(&self, _: &Context) -> Result<Option<Vec<Option<Address>>>, Fault> {
        let address = Address {
            street: Some("s".to_owned()),
            ..Address::default()
        };
        Ok(Some(vec![Some(address), None]))
    }

    async fn unqualified(
        &self,
        _: &Context,
        request: UnqualifiedRequest,
    ) -> Result<Option<String>, Fault> {
        let or_null = |text: Option<String>| text.unwrap_or_else(|| "null".to_owned());
        Ok(Some(or_null(request.s) + &or_null(request.t)))
    }

    async fn list_ns(
        &self,
        _: &Context,
        request: ListNsRequest,
    ) -> Result<Option<Vec<Option<String>>>, Fault> {
        let texts = |ids: Vec<i32>| ids.iter().map(|id| Some(id.to_string())).collect();
        Ok(request.ids.map(texts))
    }

    async fn renamed(&self, _: &Context, request: RenamedRequest) -> Result<Option<String>, Fault> {
        Ok(request.s)
    }

    async fn echo_plain(
        &self,
        _: &Context,
        headers: EchoPlainHeaders,
        request: EchoPlainRequest,
    ) -> Result<(Option<Plain>, EchoPlainResponseHeaders), Fault> {
        let headers = EchoPlainResponseHeaders {
            ticket: headers.ticket,
        };
        Ok((request.plain, headers))
    }

    async fn echo_base(
        &self,
        _: &Context,
        request: EchoBaseRequest,
    ) -> Result<Option<AnyBase>, Fault> {
        Ok(request.base)
    }
}

fn server() -> WideNamespacesServer<Handlers> {
    WideNamespacesServer::new(Handlers)
}

#[test]
fn recorded_exchanges_are_answered_as_recorded() {
    let running = Running::of(server());
    lab::replay(&running, &["ns"], &[]);
    running.stop().expect("a server that stops in peace");
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn client(binding: Binding) -> WideNamespacesClient<WideNamespacesServer<Handlers>> {
    let client = WideNamespacesClient::new(server(), "http://localhost").unwrap();
    client.with_binding(binding)
}

/// Elements with the names of other elements, references, and a choice, in a type whose elements
/// are unqualified.
fn plain() -> Plain {
    Plain {
        name: text("own"),
        common_name: text("common"),
        own: 5,
        points: vec![Pt { x: 1, y: 2 }],
        place: PlainPlace::There(CommonPt { x: 3, y: 4 }),
    }
}

#[tokio::test]
async fn what_was_written_is_read() {
    for binding in [Binding::Soap11, Binding::Soap12] {
        let client = client(binding);
        let headers = EchoPlainHeaders {
            ticket: Some(Ticket {
                level: 3,
                key: text("k"),
            }),
        };
        let request = EchoPlainRequest {
            plain: Some(plain()),
        };
        let (back, answered) = client.echo_plain(&headers, &request).await.unwrap();
        assert_eq!(back, Some(plain()), "{binding}");
        assert_eq!(answered.ticket, headers.ticket, "{binding}");

        let derived = AnyBase::Derived(Derived {
            a: 1,
            b: 2,
            r#where: Some(CommonPt { x: 3, y: 4 }),
        });
        let request = EchoBaseRequest {
            base: Some(derived.clone()),
        };
        assert_eq!(client.echo_base(&request).await.unwrap(), Some(derived));
    }
    for binding in Binding::DEFAULT {
        let request = RenamedRequest { s: text("x") };
        assert_eq!(client(binding).renamed(&request).await.unwrap(), text("x"));
        let addresses = client(binding).get_addresses().await.unwrap().unwrap();
        let street = addresses[0].as_ref().unwrap().street.as_deref();
        assert_eq!((street, &addresses[1]), (Some("s"), &None), "{binding}");
        let address = client(binding).get_address().await.unwrap().unwrap();
        assert_eq!(address.lang.as_deref(), Some("en"), "{binding}");
    }
}

/// Returns the Body of the answer to a Body over SOAP 1.1.
async fn answer(action: &str, body: &str) -> String {
    let message = format!(
        r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><s:Body>{body}</s:Body></s:Envelope>"#
    );
    let request = http::Request::post("/GWide.asmx")
        .header("Content-Type", "text/xml")
        .header(
            "SOAPAction",
            match action {
                "" => "urn:custom-action".to_owned(),
                action => format!("http://lab.example/g/{action}"),
            },
        )
        .body(message.into())
        .unwrap();
    let body = server().answer(request).await.into_body();
    let text = String::from_utf8(body.to_vec()).unwrap();
    let (_, rest) = text.split_once("<soap:Body>").unwrap();
    rest.replace("</soap:Body></soap:Envelope>", "")
}

#[tokio::test]
async fn elements_of_other_namespaces_are_unknown() {
    let plain = |inner: &str| {
        format!(
            r#"<EchoPlain xmlns="http://lab.example/g" xmlns:p="Plain" xmlns:c="http://lab.example/g/common"><plain>{inner}</plain></EchoPlain>"#
        )
    };
    let own = |name: &str| {
        format!(
            r#"<EchoPlainResponse xmlns="http://lab.example/g"><EchoPlainResult>{name}<Own xmlns="Plain">0</Own><Points xmlns="" /><Here xmlns=""><X xmlns="http://lab.example/g">0</X><Y xmlns="http://lab.example/g">0</Y></Here></EchoPlainResult></EchoPlainResponse>"#
        )
    };
    for (sent, back) in [
        ("<Name>svc</Name>", ""),
        ("<p:Name>qualified</p:Name>", ""),
        (
            r#"<Name xmlns="">own</Name>"#,
            r#"<Name xmlns="">own</Name>"#,
        ),
        (
            "<c:Name>common</c:Name>",
            r#"<Name xmlns="http://lab.example/g/common">common</Name>"#,
        ),
    ] {
        assert_eq!(answer("EchoPlain", &plain(sent)).await, own(back), "{sent}");
    }
}

#[tokio::test]
async fn messages_are_in_their_namespace() {
    let ask = |namespace: &str| format!(r#"<AskIt xmlns="{namespace}"><s>x</s></AskIt>"#);
    let answered = answer("", &ask("urn:rq")).await;
    assert_eq!(
        answered,
        r#"<GotIt xmlns="urn:rs"><RenamedResult>x</RenamedResult></GotIt>"#
    );
    let refused = answer("Renamed", &ask("http://lab.example/g")).await;
    assert!(refused.contains("soap:Client"), "{refused}");
}

#[tokio::test]
async fn types_are_named_by_their_namespace() {
    let base = |attributes: &str| {
        format!(
            r#"<EchoBase xmlns="http://lab.example/g" xmlns:c="http://lab.example/g/common"><base {attributes}><A>1</A><c:B>2</c:B></base></EchoBase>"#
        )
    };
    assert_eq!(
        answer("EchoBase", &base(r#"xsi:type="c:Derived""#)).await,
        r#"<EchoBaseResponse xmlns="http://lab.example/g"><EchoBaseResult xmlns:q1="http://lab.example/g/common" xsi:type="q1:Derived"><A>1</A><q1:B>2</q1:B></EchoBaseResult></EchoBaseResponse>"#
    );
    let unknown = answer("EchoBase", &base(r#"xsi:type="Derived""#)).await;
    assert!(unknown.contains("The specified type was not recognized: name='Derived', namespace='http://lab.example/g'"), "{unknown}");
}

#[test]
fn the_reference_tells_namespaces_that_are_not_those_of_the_service() {
    let text = include_str!("../../definitions/lab/namespaces.yaml");
    let described = svcgen_codegen::Config::new().describe("namespaces.yaml", text);
    let written = described.unwrap().with(|service| {
        use svcgen_documents::reference;
        [reference::markdown(service), reference::html(service)]
    });
    let [markdown, html] = written.unwrap();
    for (namespace, types) in [("http://lab.example/g/common", 3), ("Plain", 1)] {
        let written = format!("Namespace: `{namespace}`");
        assert_eq!(markdown.matches(&written).count(), types, "{markdown}");
        let written = format!("<p>Namespace: <code>{namespace}</code></p>");
        assert_eq!(html.matches(&written).count(), types, "{html}");
    }
    for note in [
        "namespace: http://lab.example/g/other",
        "namespace: http://www.w3.org/XML/1998/namespace",
        "in no namespace",
        "in the namespace of the type",
    ] {
        let words = markdown.replace("\\", "");
        assert!(words.contains(note), "{note}: {markdown}");
        assert!(
            html.contains(&format!("<span class=\"badge\">{note}</span>")),
            "{note}: {html}"
        );
    }
}
