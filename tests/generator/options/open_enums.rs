//! Enumerations that keep unknown names.

use svcgen::Binding;
use svcgen::codegen::OpenEnumeration;
use svcgen_codegen::Config;

use super::{SHOP, assert_refused, generate, wait};

#[derive(svcgen::Service)]
#[service(definition = "definitions/valid/shop.yaml", open_enums = "Kind")]
struct Shop;

super::echo!(shop);

use shop::Kind;

#[test]
fn unknown_names_come_back_as_they_were() {
    let other = || Kind::Other("Bulk <&\u{e9}>".to_owned());
    let server = shop::ShopServer::new(Echo);
    let client = shop::ShopClient::new(server, "http://localhost").unwrap();
    for binding in [
        Binding::Soap11,
        Binding::Soap12,
        Binding::HttpGet,
        Binding::HttpPost,
    ] {
        let client = client.clone().with_binding(binding);
        let request = shop::KindsRequest {
            like: other(),
            all: vec![Kind::Gift, other()],
        };
        let kinds = wait(client.kinds(&request)).unwrap();
        assert_eq!(kinds, [Kind::Gift, other(), other()], "{binding}");
    }
    let mut order = shop::OrderRequest {
        kind: Some(other()),
        ..Default::default()
    };
    order.customer.contact = Some(shop::CustomerContact::Phone(shop::Phone {
        kind: Some(other()),
        value: String::new(),
    }));
    let receipt = wait(client.order(&order.clone())).unwrap();
    assert_eq!(
        (receipt.kind, receipt.customer),
        (order.kind, order.customer)
    );
}

/// Returns the status and the text for a form.
fn kinds_of_form(query: &str) -> (u16, String) {
    let request = http::Request::get(format!("/Shop.asmx/Kinds?{query}"));
    let request = request.body(bytes::Bytes::new()).unwrap();
    let answer = wait(shop::ShopServer::new(Echo).answer(request));
    let text = String::from_utf8(answer.body().to_vec()).unwrap();
    (answer.status().as_u16(), text)
}

#[test]
fn numbers_stand_for_what_is_known_and_blanks_for_nothing() {
    let (status, text) = kinds_of_form("like=2&all=1&all=Express&all=7&all=%20Bulk%20");
    let values: Vec<_> = text
        .split("<Kind>")
        .skip(1)
        .map(|rest| rest.split('<').next().unwrap())
        .collect();
    assert_eq!(
        (status, values),
        (200, vec!["Express", "Express", "7", "Bulk", "Gift"])
    );
    for query in ["like=", "like=%20", "all=Gift"] {
        assert_eq!(kinds_of_form(query).0, 500, "{query}");
    }
}

#[test]
fn every_value_knows_its_name() {
    for (value, row) in Kind::VALUES.iter().zip(Kind::TYPE.values) {
        assert_eq!(value.as_str(), row.name);
    }
    assert_eq!(
        (Kind::default(), Kind::other("a").as_str()),
        (Kind::Plain, "a")
    );
}

#[test]
fn the_definition_and_the_option_say_the_same() {
    let text = SHOP.replace(
        "Kind: [Plain, Express, Gift]",
        "Kind: { open: true, values: [Plain, Express, Gift] }",
    );
    let by_definition = Config::new().generate("shop.yaml", &text).unwrap();
    let by_option = generate(&Config::new().open_enums(["."]));
    assert!(by_definition.code == by_option.code);
    let closed = text.replace("open: true", "open: false");
    let closed = Config::new().generate("shop.yaml", &closed).unwrap();
    assert!(closed.code == generate(&Config::new()).code);
    let own = Config::new()
        .open_enums(["Kind"])
        .extern_path("Kind", "crate::Kind");
    assert!(
        generate(&own)
            .code
            .contains("codegen::fits::open_enumeration::<Kind>()")
    );
    assert_refused(
        Config::new().open_enums(["Kid"]),
        "SVC030",
        &["no enumeration is called `Kid`", "did you mean `Kind`?"],
    );
}

#[test]
fn the_variant_for_others_has_its_name_to_itself() {
    let text = SHOP.replace("[Plain, Express, Gift]", "[Plain, other]");
    let diagnostics = Config::new()
        .open_enums(["."])
        .generate("shop.yaml", &text)
        .unwrap_err();
    let said = diagnostics.to_string();
    assert!(
        said.contains("SVC012") && said.contains("a variant `Other` for names"),
        "{said}"
    );
    let text = text.replace("other]", "{ other: { rust: Rest } }]");
    assert!(
        Config::new()
            .open_enums(["."])
            .generate("shop.yaml", &text)
            .is_ok()
    );
}
