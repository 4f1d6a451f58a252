//! Written values are read again unchanged: every request and response type, in every layout.

use std::borrow::Cow;
use std::fmt::Debug;

use proptest::prelude::*;
use svcgen::Limits;
use svcgen::codegen::{Complex, Content, Element, Reader, Value};
use svcgen_tests::random;

const NAMESPACE: &str = "http://example.com/svc/round-trip";
const INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

fn compact<T: Complex>(value: &T) -> String {
    let mut bytes = Vec::new();
    let mut out = Content::compact(&mut bytes);
    out.start("Root", &[("xmlns", NAMESPACE), ("xmlns:xsi", INSTANCE)]);
    value.write_elements(&mut out);
    out.end("Root");
    out.finish().expect("a value that XML can carry");
    String::from_utf8(bytes).expect("UTF-8")
}

fn indented<T: Complex>(value: &T, crlf: bool) -> String {
    let mut bytes = Vec::new();
    let mut out = if crlf {
        Content::indented_crlf(&mut bytes)
    } else {
        Content::indented(&mut bytes)
    };
    out.root("Root", true, NAMESPACE, value);
    out.finish().expect("a value that XML can carry");
    String::from_utf8(bytes).expect("UTF-8")
}

fn read<T: Value + Default>(document: &str) -> Result<T, String> {
    let limits = Limits::default();
    let mut reader = Reader::new(document, &limits);
    let mut value = T::default();
    let mut go = || {
        reader.root()?;
        reader.read(&mut value)?;
        reader.finish()
    };
    go().map_err(|error| format!("{error}: {document}"))?;
    Ok(value)
}

fn form<T: Complex>(value: &T) -> String {
    let mut bytes = Vec::new();
    let mut out = Content::form(&mut bytes);
    value.write_elements(&mut out);
    out.finish().expect("a value that a form can carry");
    String::from_utf8(bytes).expect("ASCII")
}

fn read_fields<T: Complex>(form: &str) -> Result<T, String> {
    let fields: Vec<(Cow<'_, str>, Cow<'_, str>)> = form
        .split('&')
        .filter_map(|field| field.split_once('='))
        .map(|(name, value)| (decode(name).into(), decode(value).into()))
        .collect();
    let mut value = T::default();
    Element::of_fields(&fields, &Limits::default())
        .read(&mut value)
        .map_err(|error| format!("{error}: {form}"))?;
    Ok(value)
}

/// Decodes a form by the URL standard, which does not have `%u`.
fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        bytes.push(match first {
            b'+' => b' ',
            b'%' => {
                let digits = std::str::from_utf8(&rest[..2]).expect("ASCII");
                rest = &rest[2..];
                u8::from_str_radix(digits, 16).expect("two hex digits")
            }
            plain => plain,
        });
    }
    String::from_utf8(bytes).expect("UTF-8")
}

/// Checks that an independent parser accepts the document, and that writing it again has the same
/// result.
pub(crate) fn check_xml<T: Complex + PartialEq + Debug>(value: &T) -> Result<(), TestCaseError> {
    for document in [
        compact(value),
        indented(value, false),
        indented(value, true),
    ] {
        let again: T = read(&document).map_err(TestCaseError::fail)?;
        prop_assert_eq!(&again, value, "{}", document);
        prop_assert!(
            roxmltree::Document::parse(&document).is_ok(),
            "{}",
            document
        );
    }
    let document = compact(value);
    prop_assert_eq!(
        compact(&read::<T>(&document).map_err(TestCaseError::fail)?),
        document
    );
    Ok(())
}

/// Checks that a second writing is equal to the first: a form does not distinguish absent from
/// empty, but nothing else may be lost.
pub(crate) fn check_form<T: Complex + PartialEq + Debug>(value: &T) -> Result<(), TestCaseError> {
    let written = form(value);
    prop_assert!(written.is_ascii(), "{}", written);
    let again: T = read_fields(&written).map_err(TestCaseError::fail)?;
    prop_assert_eq!(form(&again), written.clone());
    prop_assert_eq!(
        read_fields::<T>(&form(&again)).map_err(TestCaseError::fail)?,
        again,
        "{}",
        written
    );
    Ok(())
}

macro_rules! round_trips {
    ($($name:ident: $values:expr, $($check:ident),+;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
            $(
                #[test]
                fn $name(value in $values) {
                    $($check(&value)?;)+
                }
            )*
        }
    };
}

round_trips! {
    client_auth_request: random::client_auth_request(), check_xml, check_form;
    login_request: random::login_request(), check_xml, check_form;
    device_login_request: random::device_login_request(), check_xml, check_form;
    encrypted_request: random::encrypted_request(), check_xml, check_form;
    email_request: random::email_request(), check_xml, check_form;
    login_result: random::login_result(), check_xml;
    device_login_response: random::device_login_response(), check_xml;
}

/// Another order, other prefixes, unknown elements, comments and white space have no effect.
#[test]
fn elements_are_read_in_any_order_and_dress() {
    let response = svcgen_tests::fixture::full("welcome");
    let document = indented(&response, true);
    let parsed = roxmltree::Document::parse(&document).expect("XML");
    let children: Vec<&str> = parsed
        .root_element()
        .children()
        .filter(|node| node.is_element())
        .map(|node| &document[node.range()])
        .collect();
    let orders: [Vec<&str>; 2] = [children.iter().rev().copied().collect(), {
        let mut rotated = children.clone();
        rotated.rotate_left(4);
        rotated
    }];
    for order in orders {
        let joined = order.join("<!-- c --><unknown a='1'><deep/></unknown><?p i?>\n");
        for root in [
            format!("<Root xmlns=\"{NAMESPACE}\" xmlns:xsi=\"{INSTANCE}\">{joined}</Root>"),
            prefixed(&format!(
                "<Root xmlns=\"{NAMESPACE}\" xmlns:xsi=\"{INSTANCE}\">{joined}</Root>"
            )),
        ] {
            assert_eq!(
                read::<svcgen_tests::device_login_service::DeviceLoginResponse>(&root).as_ref(),
                Ok(&response)
            );
        }
    }
}

/// Returns the same document with the prefix `p` on every element.
fn prefixed(document: &str) -> String {
    let mut out = String::new();
    let mut rest = document;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out += before;
        let name = if tag.starts_with("</") { 2 } else { 1 };
        out += &tag[..name];
        if !tag[1..].starts_with(['!', '?']) {
            out += "p:";
        }
        rest = &tag[name..];
    }
    (out + rest).replace("xmlns=", "xmlns:p=")
}
