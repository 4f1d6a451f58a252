//! Types with the traits of serde, and secrets that stay secret.

use svcgen_codegen::Config;

use super::generate;

#[derive(svcgen::Service)]
#[service(
    definition = "definitions/valid/shop.yaml",
    serde = true,
    open_enums = ".",
    type_derive = ".=serde::Serialize, ::serde::Deserialize",
    field_attribute = "Card.Number=#[serde(serialize_with = \"svcgen::secret::expose\")]"
)]
struct Shop;

#[derive(svcgen::Service)]
#[service(definition = "definitions/lab/objects.yaml", serde = true)]
struct Objects;

use shop::{
    AnyPayment, Card, Customer, CustomerContact, Kind, Line, LoginRequest, OrderRequest, Phone,
};

fn order() -> OrderRequest {
    OrderRequest {
        customer: Customer {
            number: 7,
            name: "Ada".to_owned(),
            born: Some("1815-12-10T00:00:00Z".parse().unwrap()),
            contact: Some(CustomerContact::Phone(Phone {
                kind: Some(Kind::Gift),
                value: "1".to_owned(),
            })),
        },
        lines: vec![Line {
            article: "tea".to_owned(),
            pieces: 2,
            of: Some(Box::default()),
        }],
        kind: Some(Kind::Other("Bulk".to_owned())),
        note: None,
    }
}

#[test]
fn names_are_those_of_the_wire() {
    let written = serde_json::to_value(order()).unwrap();
    let expected = serde_json::json!({
        "customer": {
            "number": 7,
            "Name": "Ada",
            "Born": "1815-12-10T00:00:00Z",
            "Contact": { "Phone": { "kind": "Gift", "$text": "1" } },
        },
        "lines": [{ "Article": "tea", "Pieces": 2, "Of": { "Article": "", "Pieces": 0, "Of": null } }],
        "kind": "Bulk",
        "note": null,
    });
    assert_eq!(written, expected);
    assert_eq!(
        serde_json::from_value::<OrderRequest>(written).unwrap(),
        order()
    );
}

#[test]
fn secrets_are_not_written_unless_a_field_says_so() {
    let login = LoginRequest {
        username: "alice".to_owned(),
        password: Some("hunter2".into()),
    };
    let written = serde_json::to_string(&login).unwrap();
    assert_eq!(written, r#"{"username":"alice","password":null}"#);
    let read: LoginRequest =
        serde_json::from_str(r#"{"username":"alice","password":"hunter2"}"#).unwrap();
    assert_eq!(read, login);
    let card = AnyPayment::from(Card {
        amount: "12.50".parse().unwrap(),
        number: "4711".into(),
    });
    let written = serde_json::to_string(&card).unwrap();
    assert_eq!(written, r#"{"Card":{"amount":"12.50","Number":"4711"}}"#);
    assert_eq!(serde_json::from_str::<AnyPayment>(&written).unwrap(), card);
    let hidden = serde_json::to_string(&svcgen::Secret::from("hunter2")).unwrap();
    assert_eq!(hidden, "null");
    let lost = serde_json::from_str::<svcgen::Secret<String>>(&hidden);
    assert!(lost.is_err(), "nothing is not a secret");
}

/// Values of the runtime are serialized as their texts on the wire.
#[test]
fn simple_values_are_their_texts() {
    fn round<T>(text: &str)
    where
        T: std::str::FromStr<Err: std::fmt::Debug>
            + serde::Serialize
            + serde::de::DeserializeOwned
            + PartialEq
            + std::fmt::Debug,
    {
        let value: T = text.parse().unwrap();
        let written = serde_json::to_string(&value).unwrap();
        assert_eq!(written, format!("\"{text}\""));
        assert_eq!(serde_json::from_str::<T>(&written).unwrap(), value);
        let other = serde_json::from_str::<T>("\"<\"");
        // Any text is a valid integer, as in .NET.
        assert_eq!(
            other.is_ok(),
            std::any::type_name::<T>().ends_with("Integer"),
            "{other:?}"
        );
    }
    round::<svcgen::types::DateTime>("2020-01-02T03:04:05Z");
    round::<svcgen::types::Date>("2020-01-02");
    round::<svcgen::types::Time>("03:04:05Z");
    round::<svcgen::types::Duration>("P1DT2H");
    round::<svcgen::types::Integer>("340282366920938463463374607431768211456");
    round::<svcgen::types::HexBinary>("0AFF");
    round::<svcgen::types::Decimal>("1.50");
    round::<svcgen::types::Guid>("67e55044-10b1-426f-9247-bb680e5fe0c8");
    let large = svcgen::types::LargeBytes::from(b"abcd".to_vec());
    let written = serde_json::to_string(&large).unwrap();
    assert_eq!(written, "\"YWJjZA==\"");
    let read: svcgen::types::LargeBytes = serde_json::from_str(&written).unwrap();
    assert_eq!(read, large);
    let fragment: svcgen::types::XmlFragment = "<a>1</a>".parse().unwrap();
    let attributes = "xsi:type='p:Dog' xmlns:p='urn:p'".parse().unwrap();
    for fragment in [fragment.clone(), fragment.with_attributes(attributes)] {
        let written = serde_json::to_string(&fragment).unwrap();
        assert_eq!(
            serde_json::from_str::<svcgen::types::XmlFragment>(&written).unwrap(),
            fragment
        );
    }
}

#[test]
fn sets_are_their_documents() {
    let mut table = svcgen::types::DataTable::new("T");
    table.column::<String>("a b");
    table.push(["<".into()]).unwrap();
    let set = svcgen::types::DataSet::new("S").with_table(table);
    let written = serde_json::to_string(&set).unwrap();
    assert!(written.starts_with("\"<DataSet><xs:schema "), "{written}");
    let read: svcgen::types::DataSet = serde_json::from_str(&written).unwrap();
    assert_eq!(read, set);
    assert!(serde_json::to_string(&svcgen::types::DataTable::default()).is_err());
}

#[test]
fn objects_say_what_they_are() {
    use svcgen::types::Object;
    let bag = any_objects::Bag {
        any: Some(Object::Own(any_objects::Odd::Two.into())),
        many: Some(vec![Some(Object::Int(7)), None, Some(Object::Empty)]),
        list: Some(vec![Some(Object::Array(
            svcgen_model::SimpleType::Int,
            vec![Some(Object::Int(7))],
        ))]),
    };
    let written = serde_json::to_value(&bag).unwrap();
    let expected = serde_json::json!({
        "Any": { "Own": { "Odd": "two words" } },
        "Many": [{ "Int": 7 }, null, "Empty"],
        "List": [{ "Array": ["int", [{ "Int": 7 }]] }],
    });
    assert_eq!(written, expected);
    let read: any_objects::Bag = serde_json::from_value(written).unwrap();
    assert_eq!(read, bag);
}

#[test]
fn attributes_and_elements_of_one_name_are_two() {
    let text = "service: S\nnamespace: urn:s\npath: /s\nbindings: [soap11]\noperations: { A: { result: T } }\n\
                types: { T: { attributes: { id: { type: int, rust: key } }, elements: { id: int, Name: string } } }\n";
    let code = Config::new()
        .serde(true)
        .generate("s.yaml", text)
        .unwrap()
        .code;
    assert!(
        code.contains("#[serde(rename = \"@id\")]\n    pub key: i32"),
        "{code}"
    );
    assert!(
        code.contains("#[serde(rename = \"Name\")]\n    pub name: String"),
        "{code}"
    );
    assert!(!code.contains("#[serde(rename = \"id\")]"), "{code}");
    let runtime = generate(&Config::new().serde(true).runtime("crate::soap")).code;
    assert!(
        runtime.contains("crate::soap::serde::Serialize")
            && runtime.contains("#[serde(crate = \"crate::soap::serde\")]")
    );
    assert!(!generate(&Config::new()).code.contains("serde"));
}

#[test]
fn fields_of_several_namespaces_with_one_name_are_several() {
    let text = "service: S\nnamespace: urn:s\npath: /s\nbindings: [soap11]\nnamespaces: { o: \"urn:o\" }\n\
                operations: { A: { parameters: { t: T }, result: W } }\n\
                types:\n  \
                  T: { attributes: { lang: { type: string, namespace: xml }, lang1: { name: lang, type: int } }, \
                       elements: { Y: { type: int, namespace: o }, Y1: { name: Y, type: string } } }\n  \
                  W: { elements: { C: { choice: { Y: { type: int, namespace: o }, Y1: { name: Y, type: string } } } } }\n  \
                  X: { name: T, namespace: o, extends: T }\n  \
                  V: { extends: T }\n";
    let code = Config::new()
        .serde(true)
        .generate("s.yaml", text)
        .unwrap()
        .code;
    for field in [
        "\"@{http://www.w3.org/XML/1998/namespace}lang\")]\n    pub lang: String",
        "\"lang\")]\n    pub lang1: i32",
        "\"{urn:o}Y\")]\n    pub y: i32",
        "\"Y\")]\n    pub y1: String",
        "\"{urn:o}Y\")]\n    Y(i32)",
        "\"Y\")]\n    Y1(String)",
        "\"{urn:o}T\")]\n    X(X)",
    ] {
        assert!(
            code.contains(&format!("#[serde(rename = {field}")),
            "{field}: {code}"
        );
    }
}
