//! Clients of encoded operations, and round trips of values.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use svcgen::Binding;
use svcgen::codegen::{Client, Complex};
use svcgen::types::{Object, QName};
use svcgen_model::SimpleType;
use svcgen_tests::random::text;
use svcgen_tests::raw_http::split;
use svcgen_tests::recorded;

use super::*;
use crate::shapes::wait;

#[tokio::test]
async fn clients_send_what_proxies_do_and_read_all_answers() {
    for binding in [Binding::Soap11, Binding::Soap12] {
        let client = WideRpcClient::new(WideRpcServer::new(Rpc), "http://h").unwrap();
        let client = client.with_binding(binding);
        assert_eq!(client.sum(&SumRequest { a: 1, b: 2 }).await.unwrap(), 3);
        assert_eq!(client.null_text().await.unwrap(), None);
        assert_eq!(client.get_tree().await.unwrap(), Some(tree()));
        let sent = Some(tree());
        let got = client.echo_tree(&EchoTreeRequest { t: sent.clone() }).await;
        assert_eq!(got.unwrap(), sent);
        let derived = client.get_derived().await.unwrap();
        assert_eq!(derived, Some(AnyPt::Pt3(Pt3 { x: 1, y: 0, z: 3 })));
        let v = Some(vec![Some(vec![1]), None, Some(vec![2, 3]), Some(vec![])]);
        let got = client.echo_jag(&EchoJagRequest { v: v.clone() }).await;
        assert_eq!(got.unwrap(), v);
        let p = Some(vec![derived, None, Some(point(4))]);
        let got = client.echo_pts(&EchoPtsRequest { p: p.clone() }).await;
        assert_eq!(got.unwrap(), p);
        let (a, b) = (7, Some("x".to_owned()));
        let got = client.out_ref(&OutRefRequest { a, b }).await.unwrap();
        assert_eq!((got.b.as_deref(), got.c), (Some("x!"), Some(point(7))));
        client.nothing().await.unwrap();
        let s = || Some("x".to_owned());
        client.fire(&FireRequest { s: s() }).await.unwrap();
        assert_eq!(
            client.renamed(&RenamedRequest { s: s() }).await.unwrap(),
            s()
        );
        let p = || Some(point(5));
        let literal = client.lit_pt(&LitPtRequest { p: p(), s: None }).await;
        assert_eq!(literal.unwrap(), p());
        let document = client.doc_enc(&DocEncRequest { p: p(), s: None }).await;
        assert_eq!(document.unwrap(), p());
        let failed = client.throw().await.unwrap_err().to_string();
        assert!(failed.contains("boom"), "{failed}");
    }
}

#[test]
fn requests_are_those_of_proxies() {
    fn sent<Q: Complex>(operation: &str, parameters: &Q) -> String {
        let operations = MODULE.service.unwrap().operations;
        let index = operations.iter().position(|one| one.name == operation);
        let client = Client::new(&MODULE, (), "http://localhost").unwrap();
        let request = client.request(index.unwrap(), &(), parameters).unwrap();
        String::from_utf8(request.body().to_vec()).unwrap()
    }
    let recorded = |name: &str| {
        let exchanges = recorded::lab(&[&format!("rpc-client/{name}")]);
        let (_, body) = split(&exchanges[0].request);
        String::from_utf8(body.to_vec()).unwrap()
    };
    let p = Some(AnyPt::Pt(Pt { x: 1, y: 2 }));
    let sent_point = sent("EchoPt", &EchoPtRequest { p });
    assert_eq!(sent_point, recorded("dotnet-object"));
    let sent_null = sent("Text", &TextRequest { s: None });
    assert_eq!(sent_null, recorded("dotnet-null"));
    let t = Some(Tree {
        tags: Some(vec![Some("a".to_owned()), None]),
        any: Some(Object::Int(5)),
        left: Some(Box::new(leaf("leaf"))),
        ..leaf("root")
    });
    // In the recording, the object is also on the right.
    let original = recorded("dotnet-tree").replace("<Right href=\"#id2\" />", "");
    assert_eq!(sent("EchoTree", &EchoTreeRequest { t }), original);
}

#[test]
fn results_over_get_and_post_are_in_the_namespace_of_literal_types() {
    let get = |path: &str| {
        let request = Request::get(path).body("".into()).unwrap();
        let response = wait(WideRpcServer::new(Rpc).answer(request));
        String::from_utf8(response.body().to_vec()).unwrap()
    };
    let declared = "xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";
    let literal = "xmlns=\"http://lab.example/g/rpc/literalTypes\"";
    assert!(get("/GRpc.asmx/Sum?a=1&b=2").ends_with(&format!("<int {literal}>3</int>")));
    let derived = get("/GRpc.asmx/GetDerived?");
    let expected = format!("<Pt {declared} xsi:type=\"Pt3\" {literal}>");
    assert!(derived.contains(&expected), "{derived}");
    let client = WideRpcClient::new(WideRpcServer::new(Rpc), "http://h").unwrap();
    let client = client.with_binding(Binding::HttpGet);
    assert_eq!(wait(client.sum(&SumRequest { a: 1, b: 2 })).unwrap(), 3);
    let got = wait(client.get_derived()).unwrap();
    assert_eq!(got, Some(AnyPt::Pt3(Pt3 { x: 1, y: 0, z: 3 })));
    assert_eq!(wait(client.get_tree()).unwrap(), Some(tree()));
}

#[test]
fn arrays_in_soap_12_have_an_item_type_and_a_size() {
    let request = r#"<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:c="http://www.w3.org/2003/05/soap-encoding"><e:Body><t:EchoJag xmlns:t="http://lab.example/g/rpc"><v c:itemType="xsd:anyType" c:arraySize="2"><i c:itemType="xsd:int"><j>1</j></i><i c:arraySize="*"/></v></t:EchoJag></e:Body></e:Envelope>"#;
    let request = Request::post("/GRpc.asmx")
        .header(
            "content-type",
            "application/soap+xml; action=\"http://lab.example/g/rpc/EchoJag\"",
        )
        .body(request.into())
        .unwrap();
    let response = wait(WideRpcServer::new(Rpc).answer(request));
    let body = String::from_utf8(response.body().to_vec()).unwrap();
    let expected = r#"<rpc:result xmlns="">EchoJagResult</rpc:result><EchoJagResult soapenc:id="id1" soapenc:itemType="xsd:anyType" soapenc:arraySize="2"><Item soapenc:id="id2" soapenc:itemType="xsd:int" soapenc:arraySize="1"><Item>1</Item></Item><Item soapenc:id="id3" soapenc:itemType="xsd:int" soapenc:arraySize="0" /></EchoJagResult>"#;
    assert!(body.contains(expected), "{body}");
}

fn object() -> BoxedStrategy<Object<AnyObject>> {
    let simple = prop_oneof![
        text().prop_map(Object::String),
        any::<i64>().prop_map(Object::Long),
        any::<u16>().prop_map(Object::UnsignedShort),
        any::<bool>().prop_map(Object::Boolean),
        vec(any::<u8>(), 0..9).prop_map(Object::Base64Binary),
        Just(Object::Char('c')),
        Just(Object::QName(QName::new("urn:q", "name"))),
        Just(Object::Empty),
    ];
    let own = any::<i32>().prop_map(|x| Object::Own(AnyObject::from(Pt3 { x, y: 1, z: 2 })));
    let items = vec(option::of(any::<i32>().prop_map(Object::Int)), 0..4);
    let array = items.prop_map(|items| Object::Array(SimpleType::Int, items));
    let one = prop_oneof![simple, own, array];
    prop_oneof![
        one.clone(),
        vec(option::of(one), 0..4).prop_map(Object::List)
    ]
    .boxed()
}

fn trees() -> BoxedStrategy<Tree> {
    let texts = (option::of(text()), option::of(text()), option::of(text()));
    let others = (
        option::of(vec(option::of(text()), 0..4)),
        option::of(object()),
        option::of(any::<i32>()),
        option::of(vec(any::<u8>(), 0..9)),
        prop_oneof![Just(Num::Zero), Just(Num::Five), Just(Num::Six)],
    );
    let leaf = (texts, others).prop_map(|((at, name, renamed), (tags, any, n, b, e))| Tree {
        at,
        name,
        renamed,
        tags,
        any,
        n,
        b,
        e,
        ..Tree::default()
    });
    leaf.prop_recursive(4, 12, 2, |inner| {
        let sides = (option::of(inner.clone()), option::of(inner.clone()));
        (inner, sides).prop_map(|(tree, (left, right))| Tree {
            left: left.map(Box::new),
            right: right.map(Box::new),
            ..tree
        })
    })
    .boxed()
}

proptest! {
    /// Encoded values are decoded unchanged, by a server and by a client.
    #[test]
    fn values_come_back_as_they_were(t in option::of(trees()), o in option::of(object())) {
        for binding in [Binding::Soap11, Binding::Soap12] {
            let client = WideRpcClient::new(WideRpcServer::new(Rpc), "http://h").unwrap();
            let client = client.with_binding(binding);
            let got = wait(client.echo_tree(&EchoTreeRequest { t: t.clone() })).unwrap();
            prop_assert_eq!(&got, &t);
            let got = wait(client.echo_object(&EchoObjectRequest { o: o.clone() })).unwrap();
            prop_assert_eq!(&got, &o);
        }
    }
}
