//! Values from a form or query.

use std::borrow::Cow;

use super::types::{Flavour, Kind};
use svcgen::codegen::{Complex, Content, Element, Fields, List, Value};
use svcgen::{Limits, ReadError, ReadErrorKind, Secret};

fn read<T: Value + Default>(fields: &[(&str, &str)]) -> Result<T, ReadError> {
    let fields: Vec<(Cow<'_, str>, Cow<'_, str>)> = fields
        .iter()
        .map(|(name, value)| (Cow::Borrowed(*name), Cow::Borrowed(*value)))
        .collect();
    let mut value = T::default();
    value.read(&mut Element::from_form("type", &fields))?;
    Ok(value)
}

fn one<T: Value + Default>(value: &str) -> Result<T, ReadError> {
    read(&[("other", "x"), ("TYPE", value)])
}

#[test]
fn text() {
    assert_eq!(one::<String>(" a ").unwrap(), " a ");
    assert_eq!(one::<Option<String>>("").unwrap().as_deref(), Some(""));
    assert_eq!(
        read::<String>(&[("type", "a"), ("Type", "b"), ("x", "y"), ("type", "")]).unwrap(),
        "a,b,"
    );
    for error in [
        read::<String>(&[]).unwrap_err(),
        read::<Option<String>>(&[("types", "")]).unwrap_err(),
        read::<i32>(&[]).unwrap_err(),
        read::<Option<Secret<String>>>(&[]).unwrap_err(),
    ] {
        assert_eq!(
            (error.kind(), error.message(), error.path()),
            (ReadErrorKind::Missing, "Missing parameter: type.", "type")
        );
        assert_eq!((error.line(), error.column()), (None, None));
    }
}

#[test]
fn numbers_and_booleans() {
    for (text, value) in [
        ("42", 42),
        (" +42 ", 42),
        ("042", 42),
        ("-0", 0),
        ("-2147483648", i32::MIN),
    ] {
        assert_eq!(one::<i32>(text).unwrap(), value);
    }
    for (text, value) in [
        ("true", true),
        (" TRUE ", true),
        ("False", false),
        ("\tfALSE", false),
    ] {
        assert_eq!(one::<bool>(text).unwrap(), value);
    }
    assert_eq!(one::<Option<i32>>("7").unwrap(), Some(7));
    assert_eq!(one::<Option<i32>>("").unwrap(), None);
    assert_eq!(one::<Option<bool>>("").unwrap(), None);
    assert_eq!(one::<Option<Kind>>("").unwrap(), None);
}

#[test]
fn enumerations() {
    for text in ["Hot", " Hot ", "1", " 01"] {
        assert_eq!(one::<Kind>(text).unwrap(), Kind::Hot, "{text}");
    }
    assert_eq!(one::<Flavour>("Sour & Hot").unwrap(), Flavour::Sour);
}

#[test]
fn errors_are_those_of_dot_net() {
    fn message<T: Value + Default + std::fmt::Debug>(text: &str) -> String {
        let error = one::<T>(text).unwrap_err();
        assert_eq!(error.kind(), ReadErrorKind::Value);
        error.message().to_owned()
    }
    const NOT_A_NUMBER: &str = "Input string was not in a correct format.";
    for (found, text, kind, why) in [
        (message::<i32>("abc"), "abc", "System.Int32", NOT_A_NUMBER),
        (message::<i32>(""), "", "System.Int32", NOT_A_NUMBER),
        (message::<i32>("1.0"), "1.0", "System.Int32", NOT_A_NUMBER),
        (
            message::<i32>("2147483648"),
            "2147483648",
            "System.Int32",
            "Value was either too large or too small for an Int32.",
        ),
        (message::<i64>("x"), "x", "System.Int64", NOT_A_NUMBER),
        (
            message::<bool>("1"),
            "1",
            "System.Boolean",
            "String was not recognized as a valid Boolean.",
        ),
        (
            message::<Kind>("Nope "),
            "Nope ",
            "Kind",
            "Requested value 'Nope' was not found.",
        ),
        (
            message::<Kind>("2"),
            "2",
            "Kind",
            "Requested value '2' was not found.",
        ),
        (
            message::<Flavour>("hot"),
            "hot",
            "TheFlavour",
            "Requested value 'hot' was not found.",
        ),
        (
            message::<Vec<u8>>("256"),
            "256",
            "System.Byte",
            "Value was either too large or too small for an unsigned byte.",
        ),
        (
            message::<Vec<u8>>("-1"),
            "-1",
            "System.Byte",
            "Value was either too large or too small for an unsigned byte.",
        ),
        (
            message::<Vec<u8>>("65,66"),
            "65,66",
            "System.Byte",
            NOT_A_NUMBER,
        ),
    ] {
        assert_eq!(
            found,
            format!("Cannot convert {text} to {kind}.\r\nParameter name: type ---> {why}")
        );
    }
}

#[test]
fn secrets_are_not_quoted() {
    for shown in [
        one::<Secret<i32>>("12x").unwrap_err().to_string(),
        one::<Secret<Vec<u8>>>("12x").unwrap_err().to_string(),
        one::<Option<Secret<Kind>>>("12x").unwrap_err().to_string(),
        read::<Secret<Vec<u8>>>(&[("type", "QUJD"), ("type", "12x")])
            .unwrap_err()
            .to_string(),
    ] {
        assert!(
            !shown.contains("12x") && shown.contains("[secret]"),
            "{shown}"
        );
    }
}

#[test]
fn bytes() {
    let fields = |values: &[&'static str]| {
        values
            .iter()
            .map(|value| ("type", *value))
            .collect::<Vec<_>>()
    };
    for (values, bytes) in [
        (&["65", "66"][..], &b"AB"[..]),
        (&["0", "255", "007"], &[0, 255, 7]),
        (&[" 65 "], b"A"),
        (&["123"], &[123]),
        (&[""], &[]),
        (&["AAEC/f7/"], &[0, 1, 2, 0xFD, 0xFE, 0xFF]),
        (&["QQ=="], b"A"),
        (&["QQ==", "QQ=="], b"A"),
        (&["+123"], &[123]),
        (&["++++"], &[0xFB, 0xEF, 0xBE]),
        (&[" QQ== "], b"A"),
        (&["1234"], &[0xD7, 0x6D, 0xF8]),
    ] {
        assert_eq!(
            read::<Vec<u8>>(&fields(values)).unwrap(),
            bytes,
            "{values:?}"
        );
        assert_eq!(
            read::<Option<Vec<u8>>>(&fields(values)).unwrap().as_deref(),
            Some(bytes),
            "{values:?}"
        );
    }
    assert_eq!(read::<Vec<u8>>(&[]).unwrap(), b"");
    assert_eq!(read::<Option<Vec<u8>>>(&[]).unwrap(), None);
    for values in [
        &["65", ""][..],
        &["", "65"],
        &["", ""],
        &["QQ==", "QUI="],
        &["QQ==", "65"],
        &["65", "QQ=="],
        &["QQ"],
        &["QQ-_"],
        &["QQ==="],
        &["x"],
    ] {
        let error = read::<Option<Vec<u8>>>(&fields(values)).unwrap_err();
        assert_eq!(error.kind(), ReadErrorKind::Value, "{values:?}");
    }
}

#[test]
fn lists() {
    assert_eq!(
        read::<List<Vec<i32>>>(&[("type", "1"), ("Type", " 2 ")])
            .unwrap()
            .values,
        [1, 2]
    );
    assert_eq!(
        read::<List<Vec<String>>>(&[("type", "a,b"), ("x", ""), ("type", "")])
            .unwrap()
            .values,
        ["a,b", ""]
    );
    assert_eq!(
        read::<List<Vec<i32>>>(&[]).unwrap().values,
        Vec::<i32>::new()
    );
    assert_eq!(read::<List<Option<Vec<i32>>>>(&[]).unwrap().values, None);
    assert!(read::<List<Vec<i32>>>(&[("type", "1"), ("type", "x")]).is_err());
}

use svcgen::codegen::model::TypeRef::Simple;
use svcgen::codegen::model::{ComplexType, SimpleType, complex_type, element};

#[derive(Debug, Default, PartialEq)]
struct Request {
    name: Option<String>,
    bytes: Option<Vec<u8>>,
    count: i32,
}

impl Complex for Request {
    const TYPE: &'static ComplexType<'static> = &complex_type(
        "Request",
        &[
            element("name", Simple(SimpleType::String)).omitted(),
            element("bytes", Simple(SimpleType::Base64Binary)).omitted(),
            element("count", Simple(SimpleType::Int)),
        ],
    );
}

impl Fields for Request {
    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        match index {
            0 => element.read(&mut self.name),
            1 => element.read(&mut self.bytes),
            _ => element.read(&mut self.count),
        }
    }

    fn write_elements(&self, out: &mut Content<'_>) {
        out.element("name", &self.name);
        out.element("bytes", &self.bytes);
        out.element("count", &self.count);
    }
}

#[test]
fn whole_forms() {
    let fields = [
        (Cow::Borrowed("COUNT"), Cow::Borrowed("7")),
        (Cow::Borrowed("extra"), Cow::Borrowed("")),
        (Cow::Borrowed("Name"), Cow::Borrowed("n")),
    ];
    let mut request = Request::default();
    let limits = Limits::default();
    Element::of_fields(&fields, &limits)
        .read(&mut request)
        .unwrap();
    assert_eq!(
        request,
        Request {
            name: Some("n".into()),
            bytes: None,
            count: 7
        }
    );
    let error = Element::of_fields(&fields[1..], &limits)
        .read(&mut request)
        .unwrap_err();
    assert_eq!(error.to_string(), "count: Missing parameter: count.");
    let mut out = Vec::new();
    let mut content = Content::form(&mut out);
    request.write_elements(&mut content);
    content.finish().unwrap();
    assert_eq!(out, b"name=n&count=7");
    let error = Request::default()
        .read(&mut Element::from_form("name", &fields))
        .unwrap_err();
    assert_eq!(error.kind(), ReadErrorKind::Value);
}
