//! Properties that hold for any text.

use proptest::prelude::*;
use serde_json::Value as Json;

use super::*;

/// A value read by another library. For repeated names, both use the last value.
fn json(document: &Document<'_>, node: Node) -> Json {
    match document.kind(node) {
        Kind::Null => Json::Null,
        Kind::Boolean(value) => Json::Bool(value),
        Kind::Number(token) => serde_json::from_str(token).unwrap(),
        Kind::Text => Json::String(document.text(node).unwrap().into_owned()),
        Kind::List => {
            let first = document.first(node);
            let items = std::iter::successors(first, |item| document.next(*item));
            items.map(|item| json(document, item)).collect()
        }
        Kind::Object => {
            let members = document.members(node);
            let members = members.map(|(name, value)| (name.into_owned(), json(document, value)));
            Json::Object(members.collect())
        }
    }
}

/// Reads a text, and each of its values as every type.
fn read_all(text: &str) {
    let Ok(document) = document(text) else {
        return;
    };
    let values = Values::new(&document, service()).strict(true);
    let mut next = vec![document.root()];
    while let Some(node) = next.pop() {
        for simple in SimpleType::ALL {
            for zone in [None, Some("-05:00")] {
                let _ = values.simple(node, *simple, TimeZone::named(zone));
            }
        }
        let _ = (
            values.is_absent(node),
            values.is_blank(node),
            values.bytes(node),
        );
        for row in MODULE.enumerations {
            let _ = values.enumeration(node, row, true);
        }
        for row in MODULE.types {
            let _ = values.members(node, row, &mut [None; 4]);
        }
        let _ = values.derived_type(node, &["Person", "Circle"], true);
        let _ = values.any_type(node, &["Circle"]);
        match document.kind(node) {
            Kind::List => {
                let first = values.first_item(node).unwrap();
                next.extend(std::iter::successors(first, |item| values.next(*item)));
            }
            Kind::Object => next.extend(document.members(node).map(|(_, value)| value)),
            _ => {}
        }
    }
}

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i64>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        any::<String>().prop_map(Json::String),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        let name = prop_oneof![any::<String>(), "(__type|Name|age)"];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Json::Array),
            prop::collection::vec((name, inner), 0..8)
                .prop_map(|members| Json::Object(members.into_iter().collect())),
        ]
    })
}

/// Pieces for texts that are nearly JSON.
const PIECES: [&str; 40] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "\\u00e9",
    "\\ud83d",
    "\\/",
    "true",
    "false",
    "null",
    "NaN",
    "-Infinity",
    "1",
    "-0",
    "1.50",
    "1e2",
    "1e400",
    "0x10",
    "+",
    "__type",
    "Name",
    "ageSpecified",
    "Lab.G.Person",
    "round",
    "\"\\/Date(0)\\/\"",
    "/Date(-1+0200)/",
    "2024-02-29T12:34:56Z",
    "Red, Green",
    " ",
    "\u{2028}",
    "é",
    "😀",
    "\"a\":",
    "\"\"",
    "[1,2]",
];

fn nearly_json() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_json_is_read_the_same(value in any_json()) {
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let known: Json = serde_json::from_str(&text).unwrap();
            let document = document(&text).unwrap();
            prop_assert_eq!(json(&document, document.root()), known);
            read_all(&text);
        }
    }

    #[test]
    fn nothing_panics(text in prop_oneof![any::<String>(), nearly_json()]) {
        read_all(&text);
        if let Ok(known) = serde_json::from_str::<Json>(&text) {
            let document = document(&text).unwrap();
            prop_assert_eq!(json(&document, document.root()), known);
        }
        let fields = [(Cow::Borrowed("a"), Cow::Borrowed(&*text)), (Cow::Borrowed("A"), Cow::Borrowed("1"))];
        let mut room = Room::of_fields(&fields, &Limits::default());
        if let Ok(document) = Document::of_query(&fields, MESSAGE.elements, &mut room) {
            prop_assert!(document.is_object(document.root()));
        }
    }

    #[test]
    fn a_changed_character_changes_nothing_else(value in any_json(), at in any::<prop::sample::Index>(), new in any::<char>()) {
        let mut text: Vec<char> = value.to_string().chars().collect();
        let at = at.index(text.len());
        text[at] = new;
        let text: String = text.into_iter().collect();
        read_all(&text);
        if let Ok(known) = serde_json::from_str::<Json>(&text) {
            let document = document(&text).unwrap();
            prop_assert_eq!(json(&document, document.root()), known);
        }
    }
}
