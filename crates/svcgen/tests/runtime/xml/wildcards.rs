//! Types with wildcards for unnamed elements and attributes.

use svcgen::codegen::model::{ComplexType, SimpleType, TypeRef, complex_type, element};
use svcgen::codegen::{Complex, Content, Element, Fields, Reader};
use svcgen::types::{XmlAttributes, XmlFragment};
use svcgen::{Limits, ReadError, ReadErrorKind};

const ANY: TypeRef<'static> = TypeRef::Simple(SimpleType::Any);
const INT: TypeRef<'static> = TypeRef::Simple(SimpleType::Int);

#[derive(Debug, Default, PartialEq)]
struct Open {
    known: i32,
    first: i32,
    one: Option<XmlFragment>,
    others: Vec<XmlFragment>,
    last: i32,
    attributes: XmlAttributes,
}

impl Complex for Open {
    const TYPE: &'static ComplexType<'static> = &complex_type(
        "Open",
        &[
            element("First", INT),
            element("One", ANY).omitted().wildcard("urn:one ##local"),
            element("Others", ANY).repeated().wildcard("##other"),
            element("Last", INT),
        ],
    )
    .attributes(&[element("Extra", ANY).wildcard(""), element("known", INT)]);
}

impl Fields for Open {
    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        match index {
            0 => element.read(&mut self.first),
            1 => element.any(&mut self.one),
            2 => element.push_any(&mut self.others),
            _ => element.read(&mut self.last),
        }
    }

    fn write_elements(&self, out: &mut Content<'_>) {
        out.element("First", &self.first);
        out.any(&self.one);
        out.any(&self.others);
        out.element("Last", &self.last);
    }

    fn read_attribute(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        match index {
            0 => element.read(&mut self.attributes),
            _ => element.read(&mut self.known),
        }
    }

    fn write_attributes(&self, out: &mut Content<'_>) {
        out.attribute("known", &self.known);
        out.attribute("Extra", &self.attributes);
    }
}

fn read(document: &str, strict: bool, fast: bool) -> Result<Open, ReadError> {
    let mut reader = Reader::new(document, &Limits::default()).with_strict(strict);
    if !fast {
        reader = reader.without_fast_path();
    }
    let mut value = Open::default();
    reader.root()?;
    reader.read(&mut value)?;
    reader.finish()?;
    Ok(value)
}

#[track_caller]
fn read_in_each_way(document: &str) -> Open {
    let [slow, fast] = [false, true].map(|fast| read(document, false, fast).unwrap());
    assert_eq!(slow, fast, "{document}");
    fast
}

fn texts(fragments: &[XmlFragment]) -> Vec<&str> {
    fragments.iter().map(XmlFragment::as_str).collect()
}

#[test]
fn elements_that_are_not_named_may_stand_anywhere() {
    let open = read_in_each_way(
        "<o xmlns='urn:o' xmlns:p='urn:p'> <p:a/><Last>2</Last>t<b xmlns=''>1<c/></b><!-- --><p:d>x</p:d><First>1</First><p:Last>3</p:Last></o>",
    );
    assert_eq!((open.first, open.last), (1, 2));
    assert_eq!(open.one.unwrap().as_str(), "<b xmlns=''>1<c /></b>");
    let others = [
        r#"<p:a xmlns="urn:o" xmlns:p="urn:p" />"#,
        r#"<p:d xmlns="urn:o" xmlns:p="urn:p">x</p:d>"#,
        r#"<p:Last xmlns="urn:o" xmlns:p="urn:p">3</p:Last>"#,
    ];
    assert_eq!(texts(&open.others), others);
}

#[test]
fn the_first_wildcard_takes_what_fits_none() {
    let open = read_in_each_way("<o xmlns='urn:o'><a/><b/><One xmlns='urn:one'>1</One></o>");
    assert_eq!(open.one.unwrap().as_str(), r#"<a xmlns="urn:o" />"#);
    // The first wildcard has room for one element.
    assert!(open.others.is_empty());
    // The name of a wildcard is not the name of an element.
    let open = read_in_each_way("<o xmlns='urn:o'><Others>1</Others><One/></o>");
    assert_eq!(texts(&open.others), [r#"<Others xmlns="urn:o">1</Others>"#]);
    assert_eq!(open.one.unwrap().as_str(), r#"<One xmlns="urn:o" />"#);
}

#[test]
fn attributes_that_are_not_named_are_kept() {
    let schema = "http://www.w3.org/2001/XMLSchema-instance";
    let open = read_in_each_way(&format!(
        "<o xmlns='urn:o' xmlns:i='{schema}' xmlns:p='urn:p' Extra='1' known='7' p:known='2' i:type='Open' i:nil='false' i:x='p:y'/>"
    ));
    assert_eq!(open.known, 7);
    let kept: Vec<_> = open.attributes.iter().collect();
    assert_eq!(
        kept,
        [
            ("", "Extra", "1"),
            ("urn:p", "known", "2"),
            (schema, "x", "p:y")
        ]
    );
    let open = read_in_each_way("<o known='7'><First>1</First></o>");
    assert_eq!((open.known, open.attributes.is_empty()), (7, true));
}

#[test]
fn what_is_not_named_is_written_at_the_place_of_its_wildcard() {
    let open = read_in_each_way(
        "<o xmlns='urn:o' b='1' p:a='2' known='3' xmlns:p='urn:p'><Last>2</Last><p:a/><b/></o>",
    );
    let mut bytes = Vec::new();
    let mut out = Content::compact(&mut bytes);
    out.root("o", true, "urn:o", &open);
    out.finish().unwrap();
    let document = String::from_utf8(bytes).unwrap();
    let (_, rest) = document.split_once("-instance\"").unwrap();
    assert_eq!(
        rest,
        r#" known="3" b="1" p:a="2" xmlns:p="urn:p" xmlns="urn:o"><First>0</First><b /><p:a xmlns:p="urn:p" /><Last>2</Last></o>"#
    );
    assert_eq!(read_in_each_way(&document), open);
}

#[test]
fn an_attribute_is_not_written_twice() {
    let mut open = Open::default();
    open.attributes.set("", "known", "1");
    let mut bytes = Vec::new();
    let mut out = Content::compact(&mut bytes);
    out.element("o", &open);
    assert_eq!(
        out.finish().unwrap_err().to_string(),
        "The element has two attributes 'known'."
    );
}

#[test]
fn strict_reading_wants_the_place_of_the_wildcard() {
    let rows = [
        (
            "<o><First>1</First><a/><b xmlns='urn:b'/><b xmlns='urn:b'/><Last>1</Last></o>",
            true,
        ),
        ("<o><b xmlns='urn:b'/><Last>1</Last></o>", true),
        ("<o><Last>1</Last><a/></o>", false),
        ("<o><b xmlns='urn:b'/><First>1</First></o>", false),
    ];
    for (document, is_right) in rows {
        for fast in [false, true] {
            let verdict = read(document, true, fast);
            assert_eq!(verdict.is_ok(), is_right, "{document}: {verdict:?}");
        }
    }
}

#[test]
fn what_is_malformed_or_too_much_is_refused() {
    let rows = [
        ("<o><a></b></o>", ReadErrorKind::Malformed),
        ("<o><p:a/></o>", ReadErrorKind::Malformed),
        ("<o p:a='1'/>", ReadErrorKind::Malformed),
        ("<o><></o>", ReadErrorKind::Malformed),
    ];
    for (document, kind) in rows {
        for fast in [false, true] {
            assert_eq!(
                read(document, false, fast).unwrap_err().kind(),
                kind,
                "{document}"
            );
        }
    }
    let namespace = "n".repeat(60_000);
    let document = format!(r#"<o xmlns:p="{namespace}">{}</o>"#, "<p:a/>".repeat(1_000));
    let verdict = read(&document, false, true).map_err(|error| error.kind());
    assert!(verdict == Err(ReadErrorKind::Limit));
}
