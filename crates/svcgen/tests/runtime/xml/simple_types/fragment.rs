//! XML content that no type describes.

use proptest::prelude::*;
use svcgen::codegen::{Content, Reader};
use svcgen::types::{XmlAttributes, XmlFragment};
use svcgen::{Limits, ReadErrorKind};

use super::{read_document, read_field, try_write, write_field};

#[test]
fn content_is_checked_and_declares_what_it_needs() {
    let rows = [
        ("", ""),
        ("text", "text"),
        (" a &lt; &#xD; b ", " a &lt; &#xD; b "),
        ("<a/>", r#"<a xmlns="" />"#),
        ("<a><b/></a>", r#"<a xmlns=""><b /></a>"#),
        (
            "one<a b='c'>two</a>three<a/>",
            r#"one<a xmlns="" b='c'>two</a>three<a xmlns="" />"#,
        ),
        (r#"<a xmlns="urn:a"/>"#, r#"<a xmlns="urn:a" />"#),
        (
            r#"<p:a xmlns:p="urn:p"><b/></p:a>"#,
            r#"<p:a xmlns="" xmlns:p="urn:p"><b /></p:a>"#,
        ),
        (
            "<!-- <a> --><a/><?pi <b>?>",
            r#"<!-- <a> --><a xmlns="" /><?pi <b>?>"#,
        ),
        ("<![CDATA[<a>]]>", "<![CDATA[<a>]]>"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("<a xml:lang='en'/>", r#"<a xmlns="" xml:lang='en' />"#),
        ("<é/>", r#"<é xmlns="" />"#),
    ];
    for (markup, fragment) in rows {
        let parsed = XmlFragment::parse(markup).unwrap_or_else(|error| panic!("{markup}: {error}"));
        assert_eq!(parsed.as_str(), fragment);
        assert_eq!(XmlFragment::parse(fragment).unwrap(), parsed);
    }
}

#[test]
fn what_is_not_well_formed_is_refused() {
    let rows = [
        "<",
        "<a>",
        "</a>",
        "</x>",
        "</x><x>",
        "<a></b>",
        "<a",
        "&",
        "&nbsp;",
        "&#0;",
        "]]>",
        "<p:a/>",
        "<a p:b='c'/>",
        "<a b='1' b='2'/>",
        "<a b=c/>",
        "<!--",
        "<!-- -- -->",
        "<!DOCTYPE a>",
        "<?xml version='1.0'?><a/>",
        "<![CDATA[",
        "\u{1}",
        "\u{FFFF}",
        "<a xmlns:p=''/>",
        "</x><!--",
        "--></x>",
        "</x\n><x>",
        "<a:b:c/>",
        "'/><a b='",
    ];
    for markup in rows {
        let error = XmlFragment::parse(markup).expect_err(markup);
        assert_eq!(error.kind(), ReadErrorKind::Malformed, "{markup}: {error}");
    }
    let error = XmlFragment::parse("<a>\n  <b></c>").unwrap_err();
    assert_eq!(
        (error.line(), error.column(), error.path()),
        (Some(2), Some(8), "a/b")
    );
    let error = XmlFragment::parse("é<p:a/>").unwrap_err();
    assert_eq!(
        (error.line(), error.column(), error.path()),
        (Some(1), Some(3), "a")
    );
}

#[test]
fn content_of_a_message_is_moved_with_its_namespaces() {
    let rows = [
        (r#"<v xmlns="urn:d"><a/></v>"#, r#"<a xmlns="urn:d" />"#),
        (
            r#"<v xmlns="urn:d"><a xmlns=""/><b xmlns="urn:b"/></v>"#,
            r#"<a xmlns="" /><b xmlns="urn:b" />"#,
        ),
        (
            r#"<v xmlns:p="urn:p" xmlns:q="urn:q"><p:a/></v>"#,
            r#"<p:a xmlns="" xmlns:p="urn:p" />"#,
        ),
        (
            r#"<v xmlns:p="urn:p"><a t="p:x"/>p:y</v>"#,
            r#"<a xmlns="" xmlns:p="urn:p" t="p:x" />p:y"#,
        ),
        (
            r#"<v xmlns:p="urn:p"><p:a xmlns:p="urn:other"/></v>"#,
            r#"<p:a xmlns="" xmlns:p="urn:other" />"#,
        ),
        (
            r#"<s:v xmlns:s="urn:s" xmlns="urn:d"><a/></s:v>"#,
            r#"<a xmlns="urn:d" />"#,
        ),
        (
            r#"<v xmlns:p="a&amp;&quot;b"><p:a/></v>"#,
            r#"<p:a xmlns="" xmlns:p="a&amp;&quot;b" />"#,
        ),
        (
            r#"<v xmlns:p="urn:p" xmlns:a-p="urn:q" xmlns="urn:d"><a-p:a>http://x</a-p:a></v>"#,
            r#"<a-p:a xmlns:a-p="urn:q" xmlns="urn:d">http://x</a-p:a>"#,
        ),
        ("<v/>", ""),
        ("<v></v>", ""),
        ("<v>a&amp;b</v>", "a&amp;b"),
    ];
    for (document, fragment) in rows {
        let read: XmlFragment =
            read_document(document).unwrap_or_else(|error| panic!("{document}: {error}"));
        assert_eq!(read.as_str(), fragment);
        assert!(XmlFragment::parse(read.as_str()).is_ok(), "{document}");
    }
    let nil = r#"<v xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>"#;
    assert_eq!(read_document::<Option<XmlFragment>>(nil).unwrap(), None);
    assert!(read_document::<XmlFragment>(nil).unwrap().is_empty());
}

#[test]
fn the_attributes_of_the_element_are_kept() {
    let rows = [
        (r#"<v a="1" b='"'/>"#, r#"<v a="1" b="&quot;" />"#),
        (
            r#"<v xmlns:p="urn:p" p:a="1" b="p"/>"#,
            r#"<v p:a="1" b="p" xmlns:p="urn:p" />"#,
        ),
        (
            r#"<v xmlns:p="urn:p" xmlns:q="urn:q" q:a="1" p:a="2" xml:lang="en">t</v>"#,
            r#"<v q:a="1" p:a="2" xml:lang="en" xmlns:p="urn:p" xmlns:q="urn:q">t</v>"#,
        ),
        // Qualified names in values need their declarations, too.
        (
            r#"<v xmlns:p="urn:p" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="p:Dog"/>"#,
            r#"<v xsi:type="p:Dog" xmlns:p="urn:p" />"#,
        ),
        (
            r#"<v xmlns="urn:d" xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:type="Dog"><b/></v>"#,
            r#"<v xsi:type="q1:Dog" xmlns:q1="urn:d"><b xmlns="urn:d" /></v>"#,
        ),
        (
            r#"<v a="http://x" b=":" c="no:where"/>"#,
            r#"<v a="http://x" b=":" c="no:where" />"#,
        ),
        // The attributes of outer elements are not copied to the element.
        (r#"<o a="1"><v/></o>"#, "<v />"),
    ];
    for (document, written) in rows {
        let mut reader = Reader::new(document, &Limits::default());
        reader.root().unwrap();
        if reader.local_name() == "o" {
            assert!(reader.child().unwrap());
        }
        let mut fragment = XmlFragment::default();
        reader.read(&mut fragment).unwrap();
        assert_eq!(try_write(&fragment).unwrap(), written);
    }
}

#[test]
fn attributes_are_set() {
    let mut attributes = XmlAttributes::new();
    assert!(attributes.is_empty());
    attributes.set("urn:a", "a", "0");
    attributes.set("urn:b", "a", "<\n");
    attributes.set("", "a", "2");
    attributes.set("urn:a", "a", "1");
    assert_eq!(attributes.get("urn:a", "a"), Some("1"));
    assert_eq!(attributes.get("urn:c", "a"), None);
    let fragment = XmlFragment::text("t").unwrap().with_attributes(attributes);
    assert_eq!(fragment.attributes().iter().count(), 3);
    assert_eq!(
        try_write(&fragment).unwrap(),
        r#"<v q1:a="1" q2:a="&lt;&#xA;" a="2" xmlns:q2="urn:b" xmlns:q1="urn:a">t</v>"#
    );
    for (name, value) in [
        ("xmlns", ""),
        ("a b", ""),
        ("", ""),
        ("p:a", ""),
        ("a", "\u{1}"),
    ] {
        let mut attributes = XmlAttributes::new();
        attributes.set("", name, value);
        let fragment = XmlFragment::new().with_attributes(attributes);
        assert!(try_write(&fragment).is_err(), "{name:?}");
    }
}

#[test]
fn attributes_are_text_as_in_a_tag() {
    let rows = [
        ("", ""),
        (r#" a = '1' "#, r#"a="1""#),
        (r#"p:a="1" xmlns:p="urn:p""#, r#"p:a="1" xmlns:p="urn:p""#),
        (
            r#"xsi:type="p:Dog" xmlns:p="urn:p""#,
            r#"xsi:type="p:Dog" xmlns:p="urn:p""#,
        ),
    ];
    for (text, written) in rows {
        let attributes: XmlAttributes = text.parse().unwrap();
        assert_eq!(attributes.to_string(), written);
        assert_eq!(written.parse(), Ok(attributes));
    }
    let wrong = [
        "a",
        "p:a='1'",
        "a='1'><b",
        "a='1'></a><a ",
        "a='1'/></x><!--",
        "a='1'><b/></a><a ",
        "/><a ",
        "a='1' a='1'",
        "></a><a",
    ];
    for text in wrong {
        assert!(text.parse::<XmlAttributes>().is_err(), "{text}");
    }
}

#[test]
fn the_first_node_is_what_net_gives_a_method() {
    let rows = [
        ("", None),
        (" \n\t", None),
        (" <a/> tail", Some(r#"<a xmlns="" />"#)),
        ("text<a/>", Some("text")),
        ("a &lt; b", Some("a &lt; b")),
        ("<![CDATA[<a>]]>x", Some("<![CDATA[<a>]]>")),
        (" <!-- > --> <a/>", Some(r#"<a xmlns="" />"#)),
        ("<?p <a> ?><!----> text<a/>", Some(" text")),
        ("<!-- alone -->", None),
        (
            "<a b='>'><!--<a>--><a><b c=\"/>\"/></a><![CDATA[</a>]]><?p </a>?></a><b/>",
            Some(
                "<a xmlns=\"\" b='>'><!--<a>--><a><b c=\"/>\" /></a><![CDATA[</a>]]><?p </a>?></a>",
            ),
        ),
    ];
    for (markup, first) in rows {
        let node = XmlFragment::parse(markup).unwrap().first_node();
        assert_eq!(node.as_ref().map(XmlFragment::as_str), first, "{markup}");
    }
}

#[test]
fn what_surrounds_a_fragment_is_not_declared_again() {
    let schema = "http://www.w3.org/2001/XMLSchema";
    let rows = [
        (r#"<a xmlns="urn:s"/>"#.to_owned(), "<a />"),
        (
            r#"<p:a xmlns:p="urn:p" xmlns="urn:s"><b/></p:a>"#.to_owned(),
            r#"<p:a xmlns:p="urn:p"><b /></p:a>"#,
        ),
        (
            r#"<a b=" xmlns='urn:s'"/>"#.to_owned(),
            r#"<a xmlns="" b=" xmlns='urn:s'" />"#,
        ),
        (
            r#"<a xmlns="urn:s"><b xmlns=""><c xmlns="urn:s"/></b></a>t<a xmlns="urn:s"/>"#
                .to_owned(),
            r#"<a><b xmlns=""><c xmlns="urn:s" /></b></a>t<a />"#,
        ),
        (
            format!(
                r#"<a xmlns="urn:s" xmlns:xsd="{schema}" xmlns:xsi="{schema}-instance" xsi:type="xsd:int">1</a>"#
            ),
            r#"<a xsi:type="xsd:int">1</a>"#,
        ),
        (
            format!(r#"<a xmlns="urn:s" xmlns:xsd="{schema}-other"/>"#),
            r#"<a xmlns:xsd="http://www.w3.org/2001/XMLSchema-other" />"#,
        ),
    ];
    for (markup, written) in rows {
        let fragment = XmlFragment::parse(&markup).unwrap();
        let mut bytes = Vec::new();
        let mut out = Content::compact(&mut bytes);
        out.root("v", true, "urn:s", &fragment);
        out.finish().unwrap();
        let document = String::from_utf8(bytes).unwrap();
        let (_, content) = document.split_once('>').unwrap();
        assert_eq!(content, format!("{written}</v>"));
    }
}

#[test]
fn the_innermost_declaration_is_taken() {
    let document = r#"<r xmlns="urn:1" xmlns:p="urn:1"><v xmlns="urn:2" xmlns:p="urn:2"><p:a><b/></p:a></v><p:after/></r>"#;
    let mut reader = Reader::new(document, &Limits::default());
    reader.root().unwrap();
    assert!(reader.child().unwrap());
    let mut fragment = XmlFragment::default();
    reader.read(&mut fragment).unwrap();
    assert_eq!(
        fragment.as_str(),
        r#"<p:a xmlns="urn:2" xmlns:p="urn:2"><b /></p:a>"#
    );
    assert!(reader.child().unwrap());
    assert_eq!(reader.namespace(), "urn:1");
    reader.skip().unwrap();
    assert!(!reader.child().unwrap());
    reader.finish().unwrap();
}

#[test]
fn declarations_do_not_multiply_without_bound() {
    let namespace = "n".repeat(60_000);
    let document = format!(r#"<v xmlns="{namespace}">{}</v>"#, "<a/>".repeat(1_000));
    assert_eq!(
        read_document::<XmlFragment>(&document).unwrap_err().kind(),
        ReadErrorKind::Limit
    );
}

#[test]
fn elements_are_built() {
    let reason = XmlFragment::element("Reason")
        .with_text("a < b & \"c\"\r")
        .with_text("]]>");
    let built = XmlFragment::element("Locked")
        .with_namespace("urn:x&y")
        .with_attribute("attempts", "<\"3\">\n")
        .with_child(reason)
        .with_child(XmlFragment::element("None").with_namespace(""))
        .with_fragment(&XmlFragment::parse("<p:raw xmlns:p='urn:p'/>").unwrap())
        .with_child(XmlFragment::element("Empty"))
        .build()
        .unwrap();
    assert_eq!(
        built.as_str(),
        "<Locked xmlns=\"urn:x&amp;y\" attempts=\"&lt;&quot;3&quot;&gt;&#xA;\"><Reason>a &lt; b &amp; \"c\"&#xD;]]&gt;</Reason><None xmlns=\"\" />\
         <p:raw xmlns=\"\" xmlns:p='urn:p' /><Empty /></Locked>"
    );
    assert_eq!(XmlFragment::parse(built.as_str()).unwrap(), built);
    assert_eq!(
        XmlFragment::element("a").build().unwrap().as_str(),
        r#"<a xmlns="" />"#
    );
    assert_eq!(XmlFragment::text("a<b").unwrap().as_str(), "a&lt;b");
    assert!(XmlFragment::text("\u{1}").is_err());
}

#[test]
fn nothing_else_is_built() {
    let element = XmlFragment::element;
    let wrong = [
        element(""),
        element("a b"),
        element("p:a"),
        element("1"),
        element("a><b"),
        element("a").with_attribute("b c", ""),
        element("a").with_attribute("p:b", ""),
        element("a").with_attribute("xmlns", "urn:x"),
        element("a")
            .with_attribute("b", "1")
            .with_attribute("b", "2"),
        element("a").with_attribute("b", "\u{0}"),
        element("a").with_text("\u{8}"),
        element("a").with_namespace("\u{8}"),
        element("a").with_namespace("http://www.w3.org/2000/xmlns/"),
        element("a").with_namespace("http://www.w3.org/XML/1998/namespace"),
        element("a").with_child(element("b/")),
    ];
    for builder in wrong {
        let shown = format!("{builder:?}");
        assert!(builder.build().is_err(), "{shown}");
    }
}

#[test]
fn a_fragment_is_written_as_it_stands() {
    let fragment = XmlFragment::parse("a<b> c </b>").unwrap();
    assert_eq!(
        try_write(&fragment).unwrap(),
        r#"<v>a<b xmlns=""> c </b></v>"#
    );
    assert_eq!(try_write(&XmlFragment::new()).unwrap(), "<v />");
    let mut bytes = Vec::new();
    let mut out = Content::indented(&mut bytes);
    out.element("v", &fragment);
    out.finish().unwrap();
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        r#"<v>a<b xmlns=""> c </b></v>"#
    );
    let mut bytes = Vec::new();
    let mut out = Content::compact(&mut bytes);
    out.start("v", &[]);
    out.attribute("w", &fragment);
    assert_eq!(
        out.finish().unwrap_err().to_string(),
        "'w' is XML, and an attribute or a text has no place for one."
    );
    assert_eq!(
        write_field(&XmlFragment::parse("a&amp;b").unwrap()),
        "v=a%26amp%3Bb"
    );
    assert_eq!(
        read_field::<XmlFragment>("a&amp;b").unwrap().as_str(),
        "a&amp;b"
    );
    assert!(
        read_field::<XmlFragment>("<a>")
            .unwrap_err()
            .message()
            .starts_with("Cannot convert <a> to System.Xml.XmlElement.")
    );
}

fn markup() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-z&é<\r]{0,6}".prop_map(|text| XmlFragment::text(&text).unwrap().as_str().to_owned()),
        Just("<!-- c -->".to_owned()),
        Just("<p:e xmlns:p='urn:p'/>".to_owned()),
        Just("<s:e/>".to_owned()),
    ];
    leaf.prop_recursive(4, 20, 4, |inner| {
        let children = prop::collection::vec(inner, 0..4).prop_map(|children| children.concat());
        prop_oneof![
            children
                .clone()
                .prop_map(|content| format!("<a b='s:c'>{content}</a>")),
            children
                .clone()
                .prop_map(|content| format!("<s:a xmlns='urn:i'>{content}</s:a>")),
            children.prop_map(|content| format!("<e xmlns:s='urn:inner'>{content}</e>")),
        ]
    })
}

/// Returns the expanded names, attributes and text, in document order.
fn meaning(document: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(document).unwrap();
    let all = document
        .root_element()
        .children()
        .flat_map(|child| child.descendants());
    all.map(|node| {
        let attributes: Vec<_> = node
            .attributes()
            .map(|attribute| (attribute.namespace(), attribute.name(), attribute.value()))
            .collect();
        format!(
            "{:?} {:?} {attributes:?} {}",
            node.tag_name(),
            node.text(),
            node.descendants().count()
        )
    })
    .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_fragment_means_the_same_anywhere(parts in prop::collection::vec(markup(), 0..4)) {
        let content = parts.concat();
        let here = format!("<v xmlns='urn:d' xmlns:s='urn:s'>{content}</v>");
        let fragment: XmlFragment = read_document(&here).unwrap();
        let there = format!("<other:w xmlns:other='urn:o' xmlns='urn:elsewhere' xmlns:s='urn:wrong'>{fragment}</other:w>");
        prop_assert_eq!(meaning(&here), meaning(&there));
        prop_assert_eq!(&XmlFragment::parse(fragment.as_str()).unwrap(), &fragment);
        prop_assert_eq!(&read_document::<XmlFragment>(&try_write(&fragment).unwrap()).unwrap(), &fragment);
    }

    #[test]
    fn what_is_accepted_is_well_formed(markup in "(<|>|/|a|x|</x>|<x>|b='c'|!--|--|\\?|&|;|amp| |'|\\]\\]>|!\\[CDATA\\[|xmlns='u'){0,12}") {
        if let Ok(fragment) = XmlFragment::parse(&markup) {
            prop_assert!(roxmltree::Document::parse(&format!("<x>{fragment}</x>")).is_ok(), "{}", fragment);
        }
    }
}
