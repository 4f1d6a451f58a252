//! QName.

use proptest::prelude::*;
use svcgen::codegen::{Complex, Content, Element, Fields};
use svcgen::types::QName;
use svcgen::{ReadError, ReadErrorKind};

use super::{read_document, read_field, try_write, write_field};

#[test]
fn names_are_read_by_the_namespaces_in_scope() {
    let rows = [
        (r#"<v xmlns:p="urn:p">p:a</v>"#, QName::new("urn:p", "a")),
        (
            r#"<v xmlns:p="urn:p"> p:a
</v>"#,
            QName::new("urn:p", "a"),
        ),
        (r#"<v xmlns="urn:d">a</v>"#, QName::new("urn:d", "a")),
        ("<v>a</v>", QName::new("", "a")),
        (r#"<v xmlns="">a</v>"#, QName::new("", "a")),
        (
            "<v>xml:lang</v>",
            QName::new("http://www.w3.org/XML/1998/namespace", "lang"),
        ),
        (
            r#"<v xmlns:p="urn:p">p:ä-1.b</v>"#,
            QName::new("urn:p", "ä-1.b"),
        ),
        (r#"<v xmlns:p="a&amp;b">p:a</v>"#, QName::new("a&b", "a")),
        ("<v/>", QName::default()),
        ("<v> </v>", QName::default()),
        (
            r#"<v xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>"#,
            QName::default(),
        ),
    ];
    for (document, name) in rows {
        assert_eq!(
            read_document::<QName>(document).unwrap(),
            name,
            "{document}"
        );
    }
}

#[test]
fn what_is_no_name_is_refused() {
    for text in [
        "p:", ":a", "p:a:b", "1a", "p:1a", "a b", "a/b", "-a", "1:a", "{urn:p}a",
    ] {
        let document = format!(r#"<v xmlns:p="urn:p">{text}</v>"#);
        let error = read_document::<QName>(&document).unwrap_err();
        assert_eq!(
            error.message(),
            format!("The string '{text}' is not a valid QName value.")
        );
        assert_eq!(
            (error.kind(), error.line(), error.column()),
            (ReadErrorKind::Value, Some(1), Some(document.len() - 1))
        );
    }
    let error = read_document::<QName>("<v>q:a</v>").unwrap_err();
    assert_eq!(error.message(), "Namespace prefix 'q' is not defined.");
}

use svcgen::codegen::model::TypeRef::Simple;
use svcgen::codegen::model::{ComplexType, SimpleType, complex_type, element};

#[derive(Debug, Default, PartialEq)]
struct Pair {
    kind: QName,
    role: QName,
    name: QName,
}

impl Complex for Pair {
    const TYPE: &'static ComplexType<'static> =
        &complex_type("Pair", &[element("Name", Simple(SimpleType::QName))]).attributes(&[
            element("kind", Simple(SimpleType::QName)),
            element("role", Simple(SimpleType::QName)),
        ]);
}

impl Fields for Pair {
    fn read_element(&mut self, _index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.read(&mut self.name)
    }

    fn write_elements(&self, out: &mut Content<'_>) {
        out.element("Name", &self.name);
    }

    fn read_attribute(
        &mut self,
        index: usize,
        attribute: &mut Element<'_>,
    ) -> Result<(), ReadError> {
        match index {
            0 => attribute.read(&mut self.kind),
            _ => attribute.read(&mut self.role),
        }
    }

    fn write_attributes(&self, out: &mut Content<'_>) {
        out.attribute("kind", &self.kind);
        out.attribute("role", &self.role);
    }
}

#[test]
fn names_in_elements_and_attributes_bring_their_prefixes() {
    let pair = Pair {
        kind: QName::new("urn:k", "a"),
        role: QName::new("urn:\"r\"", "b"),
        name: QName::new("urn:n&m", "c"),
    };
    let markup = try_write(&pair).unwrap();
    assert_eq!(
        markup,
        r#"<v xmlns:q1.kind="urn:k" kind="q1.kind:a" xmlns:q1.role="urn:&quot;r&quot;" role="q1.role:b"><Name xmlns:q1="urn:n&amp;m">q1:c</Name></v>"#
    );
    assert_eq!(read_document::<Pair>(&markup).unwrap(), pair);
    assert_eq!(try_write(&QName::new("", "a")).unwrap(), "<v>a</v>");
    assert_eq!(try_write(&QName::default()).unwrap(), "<v />");
    assert_eq!(
        try_write(&QName::new("http://www.w3.org/XML/1998/namespace", "lang")).unwrap(),
        "<v>xml:lang</v>"
    );
}

#[test]
#[should_panic(expected = "\"p:b\" is not a name without a prefix")]
fn a_name_is_made_of_nothing_else() {
    let _ = QName::new("urn:p", "p:b");
}

#[test]
fn an_element_of_its_own_line_keeps_its_text_together() {
    let mut bytes = Vec::new();
    let mut out = Content::indented(&mut bytes);
    out.start("Pair", &[]);
    out.element("Name", &QName::new("urn:n", "c"));
    out.end("Pair");
    out.finish().unwrap();
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        "<Pair>\n  <Name xmlns:q1=\"urn:n\">q1:c</Name>\n</Pair>"
    );
}

#[test]
fn without_prefixes_the_namespace_stands_in_braces() {
    let name = QName::new("urn:p", "a");
    assert_eq!(write_field(&name), "v=%7Burn%3Ap%7Da");
    assert_eq!(read_field::<QName>("{urn:p}a").unwrap(), name);
    assert_eq!(read_field::<QName>(" a ").unwrap(), QName::new("", "a"));
    let message = "Cannot convert p:a to QName.\r\nParameter name: type ---> The string is not a valid QName value.";
    assert_eq!(read_field::<QName>("p:a").unwrap_err().message(), message);
    assert!("{urn:p".parse::<QName>().is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_name_is_read_as_it_was_written(namespace in "[ -~é😀]{1,20}", local in "[_a-zé][-a-z0-9._é]{0,10}") {
        let name = QName::new(namespace, local);
        prop_assert_eq!(&read_document::<QName>(&try_write(&name).unwrap()).unwrap(), &name);
        prop_assert_eq!(&name.to_string().parse::<QName>().unwrap(), &name);
    }
}
