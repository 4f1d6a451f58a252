//! Elements in no namespace, and rpc/literal.

use svcgen::Binding;
use svcgen::codegen::List;

use super::calls::{SOAP, answer, between, client, form, ready, soap};
use super::service::*;
use super::things::*;
use super::types::everything;

fn body_of<const STYLE: usize>(thing: Thing) -> String {
    let request = MirrorRequest { thing: Some(thing) };
    let request = client::<STYLE>(Binding::Soap11)
        .request(0, &(), &request)
        .unwrap();
    let text = String::from_utf8(request.body().to_vec()).unwrap();
    between(&text, "<soap:Body>", "</soap:Body>").to_owned()
}

fn small() -> Thing {
    Thing {
        pet: Some(AnyAnimal::Dog(Box::default())),
        last: Some("x".to_owned()),
        ..Thing::default()
    }
}

#[test]
fn namespaces_change_where_the_form_does() {
    assert_eq!(
        body_of::<DOCUMENT>(small()),
        r#"<Mirror xmlns="urn:things"><thing id="0"><Pet xsi:type="Dog"><Tricks>0</Tricks></Pet><Last>x</Last></thing></Mirror>"#
    );
    let unqualified = r#"<Mirror xmlns="urn:things"><thing id="0" xmlns=""><Pet xmlns:q1="urn:things" xsi:type="q1:Dog"><Tricks>0</Tricks></Pet><Last>x</Last></thing></Mirror>"#;
    assert_eq!(body_of::<UNQUALIFIED>(small()), unqualified);
    assert_eq!(body_of::<RPC_UNQUALIFIED>(small()), unqualified);
    assert_eq!(
        body_of::<RPC>(small()),
        r#"<Mirror xmlns="urn:things"><thing id="0" xmlns=""><Pet xsi:type="Dog" xmlns="urn:things"><Tricks>0</Tricks></Pet><Last xmlns="urn:things">x</Last></thing></Mirror>"#
    );
}

#[test]
fn answers_in_rpc_style_declare_its_namespace_in_soap_12() {
    let declared = |binding, answer: &str| {
        answer.contains(r#"envelope" xmlns:rpc="http://www.w3.org/2003/05/soap-rpc" xmlns:xsi="#)
            == (binding == Binding::Soap12)
    };
    let pick = "<s:Body><t:Pick/></s:Body>";
    for binding in SOAP {
        let server = Server::<RPC>::new(Mirror::default());
        let answered = answer(&server, soap(binding, pick)).body;
        assert!(declared(binding, &answered), "{answered}");
        let server = Server::<DOCUMENT>::new(Mirror::default());
        assert!(
            !answer(&server, soap(binding, pick))
                .body
                .contains("xmlns:rpc")
        );
    }
}

fn comes_back<const STYLE: usize>() {
    for binding in SOAP {
        for thing in [Some(everything()), Some(small()), None] {
            let request = MirrorRequest {
                thing: thing.clone(),
            };
            let back: Option<Thing> =
                ready(client::<STYLE>(binding).call(0, &(), &request, |answer| answer.read()))
                    .unwrap();
            assert_eq!(back, thing);
        }
        for animal in [AnyAnimal::Dog(Box::default()), AnyAnimal::default()] {
            let request = AdoptRequest {
                animal: Some(animal.clone()),
                dog: Some(AnyDog::default()),
            };
            let back: Option<AnyAnimal> =
                ready(client::<STYLE>(binding).call(6, &(), &request, |answer| answer.read()))
                    .unwrap();
            assert_eq!(back, Some(animal));
        }
    }
    for binding in Binding::DEFAULT {
        let lists = ready(client::<STYLE>(binding).call(4, &(), &(), |answer| {
            answer.read_into::<List<Vec<Option<Vec<i32>>>, 2>>(List::of(["ArrayOfInt", "int"]))
        }))
        .unwrap();
        assert_eq!(lists.values, [Some(vec![1, 2]), None, Some(vec![])]);
        let request = PickRequest {
            kind: Some("Dog".to_owned()),
        };
        let picked: Option<AnyAnimal> =
            ready(client::<STYLE>(binding).call(5, &(), &request, |answer| answer.read())).unwrap();
        assert!(
            matches!(picked, Some(AnyAnimal::Dog(dog)) if dog.tricks == 2),
            "{binding}"
        );
        let request = ShowRequest {
            numbers: Some(vec![1, 2]),
            tags: vec!["a".to_owned(), "b".to_owned()],
            contact: Some(ThingContact::Phone(1)),
            id: 3,
        };
        let shown: Thing =
            ready(client::<STYLE>(binding).call(1, &(), &request, |answer| answer.read::<Thing>()))
                .unwrap();
        assert_eq!(shown.note.as_deref(), Some("a|b"));
        assert_eq!(shown.matrix, Some(vec![Some(vec![1, 2]), None]));
    }
}

#[test]
fn every_style_reads_what_it_writes() {
    comes_back::<DOCUMENT>();
    comes_back::<UNQUALIFIED>();
    comes_back::<RPC>();
    comes_back::<RPC_UNQUALIFIED>();
}

fn picked<const STYLE: usize>(kind: &str) -> String {
    let server = Server::<STYLE>::new(Mirror::default());
    let body = format!("<s:Body><t:Pick>{kind}</t:Pick></s:Body>");
    let answer = answer(&server, soap(Binding::Soap12, &body));
    between(
        &answer.body,
        r#"<PickResponse xmlns="urn:things""#,
        "</soap:Body>",
    )
    .to_owned()
}

#[test]
fn elements_of_the_other_form_are_unknown() {
    let dog = |attributes: &str, prefix: &str| {
        format!(
            r#"><PickResult{attributes}><{prefix}Name>Rex</{prefix}Name><{prefix}Tricks>2</{prefix}Tricks></PickResult></PickResponse>"#
        )
    };
    let unqualified = dog(r#" xmlns:q1="urn:things" xsi:type="q1:Dog" xmlns="""#, "");
    assert_eq!(
        picked::<DOCUMENT>("<t:kind>Dog</t:kind>"),
        dog(r#" xsi:type="Dog""#, "")
    );
    assert_eq!(picked::<DOCUMENT>("<kind>Dog</kind>"), " />");
    for kind in [
        "<kind>Dog</kind>",
        r#"<x xmlns="urn:x"/><kind xmlns="">Dog</kind>"#,
    ] {
        assert_eq!(picked::<UNQUALIFIED>(kind), unqualified);
        assert_eq!(picked::<RPC_UNQUALIFIED>(kind), unqualified);
        assert_eq!(
            picked::<RPC>(kind),
            dog(
                r#" xmlns:q1="urn:things" xsi:type="q1:Dog" xmlns="""#,
                "q1:"
            )
        );
    }
    assert_eq!(picked::<UNQUALIFIED>("<t:kind>Dog</t:kind>"), " />");
    // Several stacks send the parameters of rpc calls in this form.
    assert_eq!(
        picked::<RPC>("<t:kind>Dog</t:kind>"),
        picked::<RPC>("<kind>Dog</kind>")
    );
    assert_eq!(
        picked::<RPC_UNQUALIFIED>("<t:kind>Dog</t:kind>"),
        unqualified
    );
    assert_eq!(picked::<RPC>(r#"<kind xmlns="urn:x">Dog</kind>"#), " />");
}

#[test]
fn roots_over_http_are_qualified() {
    let get = |answer: super::calls::Answer| {
        answer
            .body
            .split_once("XMLSchema-instance\"")
            .unwrap()
            .1
            .to_owned()
    };
    let request = || form(Binding::HttpGet, "Pick", "kind=Animal");
    let qualified = " xmlns=\"urn:things\">\n  <Name>It</Name>\n</Animal>";
    assert_eq!(
        get(answer(&Server::<RPC>::new(Mirror::default()), request())),
        qualified
    );
    assert_eq!(
        get(answer(
            &Server::<UNQUALIFIED>::new(Mirror::default()),
            request()
        )),
        " xmlns=\"urn:things\">\n  <Name xmlns=\"\">It</Name>\n</Animal>"
    );
}
