//! Attributes and derives by patterns, and types that other crates cannot destructure.

use std::collections::BTreeSet;

use svcgen_codegen::Config;

use super::{assert_refused, generate};

#[derive(svcgen::Service)]
#[service(
    definition = "definitions/valid/shop.yaml",
    type_attribute = "Phone=#[derive(PartialOrd)]",
    type_attribute = "Phone=#[cfg_attr(all(), derive(Ord))]",
    type_derive = "Kind=PartialOrd, Ord, Hash, ::core::clone::Clone",
    type_derive = "Any*=serde::Serialize",
    type_derive = "*Contact=serde::Serialize",
    type_derive = "P*=serde::Serialize",
    type_derive = "Card=serde::Serialize",
    type_derive = "Kind=serde::Serialize",
    type_derive = "Ki*=Hash, serde::Serialize",
    field_attribute = "Phone.kind=#[serde(rename = \"what\")]",
    field_attribute = "CustomerContact.Phone=#[serde(rename = \"call\")]",
    field_attribute = "Kind.Gift=#[serde(rename = \"present\")]",
    field_attribute = "*.amount=#[serde(skip)]",
    field_attribute = "Card.Number=#[serde(skip)]",
    field_attribute = "AnyPayment.Card=#[serde(rename = \"plastic\")]",
    field_attribute = "*Headers.Session=#[serde(skip_serializing_if = \"Option::is_none\")]",
    field_attribute = "PayRequest=#[serde(rename = \"all\")]"
)]
struct Shop;

fn written(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

#[test]
fn derives_and_attributes_do_what_they_do_by_hand() {
    use shop::{Kind, Phone};
    let kinds: BTreeSet<_> = [Kind::Gift, Kind::Plain].into();
    assert_eq!(kinds.first(), Some(&Kind::Plain));
    assert!(
        Phone::default()
            < Phone {
                value: "1".to_owned(),
                ..Default::default()
            }
    );
    let phone = Phone {
        kind: Some(Kind::Gift),
        value: "1".to_owned(),
    };
    assert_eq!(written(&phone), r#"{"what":"present","value":"1"}"#);
    let payment = shop::AnyPayment::from(shop::Card::default());
    assert_eq!(written(&payment), r#"{"plastic":{}}"#);
    let contact = shop::CustomerContact::Phone(phone);
    assert_eq!(
        written(&contact),
        r#"{"call":{"what":"present","value":"1"}}"#
    );
    assert_eq!(written(&shop::PayHeaders::default()), "{}");
    let request = shop::PayRequest { payment };
    assert_eq!(written(&request), r#"{"all":{"plastic":{}}}"#);
}

#[test]
fn every_type_and_every_member_can_be_named() {
    let config = Config::new()
        .type_attribute(".", "#[a]")
        .field_attribute(".", "#[b]")
        .non_exhaustive(["."]);
    let file = crate::names::with_declared(&generate(&config).code).unwrap();
    let count = |attributes: &[syn::Attribute], name: &str| {
        attributes
            .iter()
            .filter(|one| one.path().is_ident(name))
            .count()
    };
    let mut types = 0;
    for item in &file.items {
        let (name, attributes, members): (_, _, Vec<_>) = match item {
            syn::Item::Struct(item) if matches!(item.fields, syn::Fields::Named(_)) => (
                &item.ident,
                &item.attrs,
                item.fields.iter().map(|field| &field.attrs).collect(),
            ),
            syn::Item::Enum(item) => (
                &item.ident,
                &item.attrs,
                item.variants.iter().map(|variant| &variant.attrs).collect(),
            ),
            _ => continue,
        };
        types += 1;
        assert_eq!(
            (count(attributes, "a"), count(attributes, "non_exhaustive")),
            (1, 1),
            "{name}"
        );
        assert!(
            members.iter().all(|attributes| count(attributes, "b") == 1),
            "{name}"
        );
    }
    assert_eq!(
        types, 14,
        "structs, requests, headers, choices, families, enumerations"
    );
}

#[test]
fn patterns_that_match_nothing_are_told_with_near_ones() {
    let must_use = "#[must_use]";
    let of_type = |pattern| Config::new().type_attribute(pattern, must_use);
    assert_refused(
        of_type("Recipt"),
        "SVC030",
        &[
            "the option `type_attribute`: no type is called `Recipt`",
            "did you mean `Receipt`?",
        ],
    );
    assert_refused(
        of_type("ShopHandler"),
        "SVC030",
        &["`*` stands for any characters"],
    );
    assert_refused(
        of_type("*Reqest"),
        "SVC030",
        &["no type is called `*Reqest`"],
    );
    let of_field = |pattern| Config::new().field_attribute(pattern, must_use);
    assert_refused(
        of_field("Receipt.Notes"),
        "SVC030",
        &[
            "no field or variant is called",
            "did you mean `Receipt.Note`?",
        ],
    );
    assert_refused(
        of_field("Receipt.note"),
        "SVC030",
        &["did you mean `Receipt.Note`?"],
    );
    assert_refused(
        Config::new().type_derive("Knid", "Eq"),
        "SVC030",
        &["did you mean `Kind`?"],
    );
    assert_refused(
        Config::new().non_exhaustive(["Knid"]),
        "SVC030",
        &["did you mean `Kind`?"],
    );
    let types = Config::new()
        .extern_path("Line", "crate::Line")
        .type_attribute("Line", must_use);
    assert_refused(types, "SVC030", &["no type is called `Line`"]);
    let deep = format!("#[x{}{}]", "(".repeat(50_000), ")".repeat(50_000));
    let deep = Config::new().type_attribute("Item", &deep);
    assert_refused(deep, "SVC031", &["at most 64 brackets open"]);
}
