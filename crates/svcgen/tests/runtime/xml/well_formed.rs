//! Unusual documents that are well-formed.

use svcgen::codegen::Reader;
use svcgen::types::QName;
use svcgen::{Limits, ReadError};

const DOCUMENTS: &[&str] = &[
    "<a/>",
    "<a />",
    "<a\n/>",
    "<a></a>",
    "<a></a >",
    "<a></a\r\n>",
    "\n<a/>\n",
    " \t\r\n<a/> \t\r\n",
    "<_/>",
    "<a.b-c_d1/>",
    "<é/>",
    "<日本/>",
    "<a\u{B7}\u{300}/>",
    "<\u{10000}\u{EFFFF}/>",
    "<\u{37F}\u{200C}/>",
    "<?xml version='1.0'?><a/>",
    "<?xml version=\"1.0\"?><a/>",
    "<?xml version='1.1'?><a/>",
    "<?xml version='1.99'?><a/>",
    "<?xml version = '1.0' ?><a/>",
    "<?xml\n\tversion='1.0'\r\nencoding='utf-8'\nstandalone='no'\n?><a/>",
    "<?xml version='1.0' standalone='yes'?><a/>",
    "<?xml version='1.0' encoding='x-a.b_c'?>\n<!-- c --><?p?>\n<a/>\n<?p q?><!-- d -->\n",
    "<?xml-stylesheet href='x'?><a/>",
    "<?xmlx?><a/>",
    "<?p ??><a/>",
    "<?p ? >?><a/>",
    "<?é x?><a/>",
    "<?p <&]]>--?><a/>",
    "<!----><a/>",
    "<!-- - - --><a/>",
    "<!-- <&]]> ' \" --><a/>",
    "<!--é--><a/>",
    "<!-- -\u{7F}--><a/>",
    "<a><!--x--></a>",
    "<a><?p x?></a>",
    "<a>&lt;&gt;&amp;&apos;&quot;&#9;&#10;&#13;&#32;&#xD7FF;&#xE000;&#xFFFD;&#x10000;&#x10FFFF;</a>",
    "<a>&#x00000000000000000041;&#000065;</a>",
    "<a>></a>",
    "<a>]]</a>",
    "<a>]></a>",
    "<a>]]&gt;</a>",
    "<a>]<![CDATA[]>]]></a>",
    "<a><![CDATA[]]></a>",
    "<a><![CDATA[<&>--]] >]]]]></a>",
    "<a>\u{7F}\u{80}\u{9F}\u{D7FF}\u{E000}\u{FFFD}\u{10000}\u{10FFFF}\u{FEFF}\u{FDD0}</a>",
    "<a>' \"</a>",
    "<a\u{20}b='>'/>",
    "<a b='\"' c=\"'\"/>",
    "<a b = 'c'/>",
    "<a\nb\n=\n'c'\n/>",
    "<a b=''/>",
    "<a b='&lt;&#60;&amp;'/>",
    "<a b='\t\r\n'/>",
    "<a b=']]>'/>",
    "<a b='1' B='2'/>",
    "<a ab='1' a='2'/>",
    "<a xmlns=''/>",
    "<a xmlns='urn:x'><b xmlns=''/></a>",
    "<a xmlns='urn:x' xmlns:p='urn:x' b='1' p:b='2'/>",
    "<p:a xmlns:p='urn:p'/>",
    "<p:a b='1' xmlns:p='urn:p' p:b='2'/>",
    "<a p:b='1' xmlns:p='urn:p'/>",
    "<a xml:lang='en' xml:space='preserve'/>",
    "<xml:a/>",
    "<a xmlns:xml='http://www.w3.org/XML/1998/namespace'/>",
    "<xmlns/>",
    "<xml/>",
    "<a xmlnsx='1'/>",
    "<a xmlns:xmlx='urn:x'/>",
    "<a xmlns:p='urn:1'><b xmlns:p='urn:2'/><p:c/></a>",
    "<a xmlns:p='urn:1' xmlns:q='urn:2' p:b='' q:b=''/>",
    "<a xmlns:p=' '/>",
    "<a xmlns:p='urn:x'><p:b><p:c xmlns:p='urn:y'/></p:b></a>",
    "<p.q-r:a xmlns:p.q-r='urn:x'></p.q-r:a>",
    "<a xmlns=' http://www.w3.org/XML/1998/namespace'/>",
    "<a><a><a/></a><a/></a>",
    "<ab><a/></ab>",
    "<a><ab></ab></a>",
    "<a>text<b/>text<!--c-->text</a>",
];

fn walk(text: &str) -> Result<String, svcgen::ReadError> {
    let mut reader = Reader::new(text, &Limits::default());
    let mut names = String::new();
    reader.root()?;
    let mut open = 1;
    names.push_str(&format!(
        "{{{}}}{}",
        reader.namespace(),
        reader.local_name()
    ));
    while open > 0 {
        if reader.child()? {
            open += 1;
            names.push_str(&format!(
                " {{{}}}{}",
                reader.namespace(),
                reader.local_name()
            ));
        } else {
            open -= 1;
        }
    }
    reader.finish()?;
    Ok(names)
}

#[test]
fn documents() {
    assert!(DOCUMENTS.len() > 60);
    let mut refused = Vec::new();
    for document in DOCUMENTS {
        let names = walk(document).unwrap_or_else(|error| panic!("{document:?}: {error}"));
        let mut reader = Reader::new(document, &Limits::default());
        reader.root().unwrap();
        reader.skip().unwrap();
        reader.finish().unwrap();
        let Ok(other) = roxmltree::Document::parse(document) else {
            refused.push(*document);
            continue;
        };
        let expected: Vec<String> = other
            .root()
            .descendants()
            .filter(|node| node.is_element())
            .map(|node| {
                format!(
                    "{{{}}}{}",
                    node.tag_name().namespace().unwrap_or(""),
                    node.tag_name().name()
                )
            })
            .collect();
        assert_eq!(names, expected.join(" "), "{document:?}");
    }
    // The other parser does not know the only prefix that needs no declaration.
    assert_eq!(refused, ["<xml:a/>"]);
}

#[test]
fn walking() {
    let text = "<?xml version='1.0'?>\n<s:Envelope xmlns:s='urn:s' xmlns:q='urn:q' xmlns='urn:d'>\n <s:Header><q:h s:must=' 1 ' plain='2&lt;'/></s:Header> <s:Body><Fault><code xmlns:q='urn:inner'> q:Name\n</code><other>Bare</other><detail> <x>1</x> </detail></Fault></s:Body></s:Envelope>";
    let mut reader = Reader::new(text, &Limits::default());
    reader.root().unwrap();
    assert!(reader.is("urn:s", "Envelope") && !reader.is("urn:d", "Envelope"));
    assert_eq!(
        (reader.name(), reader.position(), reader.path()),
        ("s:Envelope", (2, 2), "Envelope".to_owned())
    );
    assert!(reader.child().unwrap() && reader.is("urn:s", "Header"));
    assert!(reader.child().unwrap() && reader.is("urn:q", "h"));
    assert_eq!(reader.attribute("urn:s", "must"), Some(" 1 "));
    assert_eq!(reader.attribute("", "plain"), Some("2<"));
    assert_eq!(
        (
            reader.attribute("urn:d", "plain"),
            reader.attribute("", "must")
        ),
        (None, None)
    );
    assert_eq!(reader.skip().unwrap(), "");
    assert!(!reader.child().unwrap());
    assert!(reader.child().unwrap() && reader.is("urn:s", "Body"));
    assert!(reader.child().unwrap() && reader.is("urn:d", "Fault"));
    assert_eq!(reader.path(), "Envelope/Body/Fault");
    assert!(reader.child().unwrap() && reader.is("urn:d", "code"));
    assert_eq!(
        qualified_name(&mut reader).unwrap(),
        QName::new("urn:inner", "Name")
    );
    assert!(reader.child().unwrap());
    assert_eq!(
        qualified_name(&mut reader).unwrap(),
        QName::new("urn:d", "Bare")
    );
    assert!(reader.child().unwrap());
    assert_eq!(reader.skip().unwrap(), " <x>1</x> ");
    assert!(!reader.child().unwrap() && !reader.child().unwrap() && !reader.child().unwrap());
    reader.finish().unwrap();
}

#[test]
fn an_undeclared_prefix_in_a_qualified_name() {
    let mut reader = Reader::new("<a>p:b</a>", &Limits::default());
    reader.root().unwrap();
    let error = qualified_name(&mut reader).unwrap_err();
    assert_eq!(
        (error.kind(), error.column()),
        (svcgen::ReadErrorKind::Value, Some(9))
    );
}

fn qualified_name(reader: &mut Reader<'_>) -> Result<QName, ReadError> {
    let mut name = QName::default();
    reader.read(&mut name).map(|()| name)
}
