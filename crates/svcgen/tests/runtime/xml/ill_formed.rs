//! Pieces that are not XML, at every place: each is refused both when it is read and when it is
//! skipped.

use super::types::Record;
use svcgen::codegen::Reader;
use svcgen::{Limits, ReadError, ReadErrorKind};

type Way = fn(&str) -> Result<(), ReadError>;

/// The ways to read a document.
const WAYS: [Way; 3] = [skip, walk, value];

fn skip(text: &str) -> Result<(), ReadError> {
    let mut reader = Reader::new(text, &Limits::default());
    reader.root()?;
    reader.skip()?;
    reader.finish()
}

fn walk(text: &str) -> Result<(), ReadError> {
    let mut reader = Reader::new(text, &Limits::default());
    reader.root()?;
    let mut open = 1;
    while open > 0 {
        if reader.child()? {
            open += 1
        } else {
            open -= 1
        }
    }
    reader.finish()
}

fn value(text: &str) -> Result<(), ReadError> {
    let mut reader = Reader::new(text, &Limits::default());
    reader.root()?;
    reader.read(&mut Record::default())?;
    reader.finish()
}

fn refused(text: &str) {
    for (way, read) in WAYS.iter().enumerate() {
        let error = read(text).expect_err(text);
        assert_eq!(
            error.kind(),
            ReadErrorKind::Malformed,
            "way {way} {text:?}: {error}"
        );
        assert!(
            error.line().is_some() && !error.message().is_empty(),
            "{text:?}"
        );
    }
}

/// Whole documents.
const DOCUMENTS: &[&str] = &[
    // Shape.
    "",
    " ",
    "\n",
    "text",
    "<!-- only -->",
    "<?p only?>",
    "<?xml version='1.0'?>",
    "&amp;<a/>",
    "text<a/>",
    "<a/>text",
    "<a/>&#32;",
    "<a/><b/>",
    "<a></a><a></a>",
    "<a/><![CDATA[]]>",
    "<![CDATA[]]><a/>",
    "<a/>\u{FEFF}",
    "\u{FEFF}<a/>",
    "\u{FEFF}\u{FEFF}<a/>",
    "<a/></a>",
    "</a>",
    "<a/><",
    "<a/>]]>",
    "<",
    "<a",
    "<a ",
    "<a>",
    "<a><b>",
    "<a><b></b>",
    "<a><b/>",
    "<a></a",
    "<a></",
    "<a><",
    "<a/><?xml version='1.0'?>",
    "\u{1}<a/>",
    "<a/>\u{1}",
    "<a/>\u{0}",
    "<a/>\u{FFFE}",
    "<a/><!--\u{1}-->",
    "a<a/>",
    "<a/>\u{A0}",
    "<a/>\u{85}",
    // The XML declaration.
    " <?xml version='1.0'?><a/>",
    "\n<?xml version='1.0'?><a/>",
    "<!----><?xml version='1.0'?><a/>",
    "<?xml version='1.0'?><?xml version='1.0'?><a/>",
    "<?xml?><a/>",
    "<?xml ?><a/>",
    "<?xml encoding='utf-8'?><a/>",
    "<?xml version='1.0'><a/>",
    "<?xml version='1.0' ><a/>",
    "<?xml version='1.0'",
    "<?xml version='2.0'?><a/>",
    "<?xml version='1.'?><a/>",
    "<?xml version='1'?><a/>",
    "<?xml version='1.0a'?><a/>",
    "<?xml version=' 1.0'?><a/>",
    "<?xml version=''?><a/>",
    "<?xml version=1.0?><a/>",
    "<?xml version='1.0\"?><a/>",
    "<?xml version '1.0'?><a/>",
    "<?xml VERSION='1.0'?><a/>",
    "<?xml version='1.0'encoding='utf-8'?><a/>",
    "<?xml version='1.0' encoding=''?><a/>",
    "<?xml version='1.0' encoding='8859'?><a/>",
    "<?xml version='1.0' encoding='utf 8'?><a/>",
    "<?xml version='1.0' encoding='é'?><a/>",
    "<?xml version='1.0' encoding='utf-8' encoding='utf-8'?><a/>",
    "<?xml version='1.0' standalone='maybe'?><a/>",
    "<?xml version='1.0' standalone='YES'?><a/>",
    "<?xml version='1.0' standalone=''?><a/>",
    "<?xml version='1.0' standalone='yes' encoding='utf-8'?><a/>",
    "<?xml version='1.0' encoding='utf-8'standalone='yes'?><a/>",
    "<?xml version='1.0' version='1.0'?><a/>",
    "<?xml version='1.0' other='x'?><a/>",
    "<?xml version='1.0' encoding='utf-8' x?><a/>",
    "<?XML version='1.0'?><a/>",
    "<?Xml version='1.0'?><a/>",
    "<?xml\u{A0}version='1.0'?><a/>",
    "< ?xml version='1.0'?><a/>",
    "<?xml version='1.0'? ><a/>",
    "<?xml:x version='1.0'?><a/>",
    // Document type definitions.
    "<!DOCTYPE a><a/>",
    "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
    "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
    "<?xml version='1.0'?>\n<!DOCTYPE a><a/>",
    "<!doctype a><a/>",
    "<a/><!DOCTYPE a>",
    "<!ELEMENT a ANY><a/>",
    "<!ENTITY x 'y'><a/>",
    // The root's own tag.
    "<p:a/>",
    "<xml:a xmlns:xml='urn:x'/>",
    "<xmlns:a/>",
    "<:a/>",
    "<a:/>",
    "<a:b:c xmlns:a='urn:a'/>",
    "<1a/>",
    "<-a/>",
    "<.a/>",
    "< a/>",
    "<a / >",
    "<a/ >",
    "<a b/>",
    "<a b=/>",
    "<a b=c/>",
    "<a b='c/>",
    "<a b='c\"/>",
    "<a 'b'/>",
    "<a b='c'd='e'/>",
    "<a b='c' b='d'/>",
    "<a b='<'/>",
    "<a b='&'/>",
    "<a b='&x;'/>",
    "<a b='&#0;'/>",
    "<a b='\u{1}'/>",
    "<a =''/>",
    "<a b=''c/>",
    "<a b == 'c'/>",
    "<a/b='c'>",
    "<a,b='c'/>",
    "<a b='c',d='e'/>",
    "<a\u{A0}b='c'/>",
    "<a b='c' / d='e'>",
];

/// Pieces of content.
const CONTENT: &[&str] = &[
    // Tags.
    "</b>",
    "<b>",
    "<b></c>",
    "<b></B>",
    "<b></bb>",
    "<bb></b>",
    "<b></ b>",
    "<b></b c='d'>",
    "<b></b/>",
    "<b></>",
    "<>",
    "<b><c></b></c>",
    "< b/>",
    "<b/ >",
    "<b",
    "<b/",
    "<b c",
    "<b c=",
    "<b c='",
    "<b></b",
    "<b></",
    "<b><",
    "<1/>",
    "<-/>",
    "<b$/>",
    "<b\u{D7}/>",
    "<\u{300}b/>",
    "<b\u{37E}/>",
    "<\u{B7}/>",
    "<b\u{2000}/>",
    "<b\u{FFFD}\u{2190}/>",
    "<b&amp;/>",
    "<&amp;/>",
    "<<b/>>",
    "<b<c/>/>",
    "<a=b/>",
    "<b//>",
    "<b\u{1}/>",
    "<b></b\u{1}>",
    "<\u{EFFFF}\u{F0000}/>",
    // Attributes.
    "<b c/>",
    "<b c=d/>",
    "<b c='d\"/>",
    "<b c='d'e='f'/>",
    "<b c='1' c='2'/>",
    "<b c='1' d='2' c='3'/>",
    "<b c='a<b'/>",
    "<b c='&'/>",
    "<b c='&lt'/>",
    "<b c='&unknown;'/>",
    "<b c='&#1;'/>",
    "<b c='&#xFFFF;'/>",
    "<b c='\u{B}'/>",
    "<b 1='2'/>",
    "<b c='1'\u{A0}d='2'/>",
    "<b c=''d=''/>",
    "<b c= />",
    "<b ='d'/>",
    "<b c==''/>",
    "<b 'c'/>",
    "<b \"c\"/>",
    "<b c='d''/>",
    "<b c:='d'/>",
    "<b :c='d'/>",
    // Namespaces.
    "<q:b/>",
    "<b q:c='d'/>",
    "<q:b xmlns:p='urn:q'/>",
    "<b xmlns:q='urn:q'/><q:b/>",
    "<b xmlns:q='urn:q'></b><c q:d=''/>",
    "<q:b xmlns:q='urn:q'></b>",
    "<b xmlns:q='urn:q'></q:b>",
    "<b:c:d xmlns:b='urn:b'/>",
    "<b xmlns:c:d='urn:b'/>",
    "<b xmlns:='urn:b'/>",
    "<b xmlns:q=''/>",
    "<b xmlns:xml='urn:b'/>",
    "<b xmlns:xmlns='urn:b'/>",
    "<b xmlns:xmlns='http://www.w3.org/2000/xmlns/'/>",
    "<b xmlns:q='http://www.w3.org/XML/1998/namespace'/>",
    "<b xmlns='http://www.w3.org/XML/1998/namespace'/>",
    "<b xmlns:q='http://www.w3.org/2000/xmlns/'/>",
    "<b xmlns='http://www.w3.org/2000/xmlns/'/>",
    "<b xmlns:q='http://www.w3.org/2000/xmlns&#47;'/>",
    "<b xmlns:q='urn:q' xmlns:q='urn:r'/>",
    "<b xmlns='urn:q' xmlns='urn:q'/>",
    "<b xmlns:q='urn:q' xmlns:r='urn:q' q:c='1' r:c='2'/>",
    "<b xmlns:q='urn:&#113;' xmlns:r='urn:q' q:c='1' r:c='2'/>",
    "<xmlns:b/>",
    "<b xmlns:1='urn:q'/>",
    "<q:1 xmlns:q='urn:q'/>",
    "<q:b xmlns:q='urn:q'><c></q:b></c>",
    "<b xmlns:q='a' xmlns:r='b' xmlns:s='a' q:x='' r:x='' s:x=''/>",
    // References.
    "&",
    "&;",
    "& ;",
    "&amp",
    "&amp ;",
    "& amp;",
    "&AMP;",
    "&nbsp;",
    "&unknown;",
    "&#;",
    "&#x;",
    "&#X41;",
    "&#xG;",
    "&#4A;",
    "&#-1;",
    "&#+65;",
    "&# 65;",
    "&#65",
    "&#0;",
    "&#1;",
    "&#8;",
    "&#11;",
    "&#31;",
    "&#xD800;",
    "&#xDFFF;",
    "&#xD83D;&#xDE00;",
    "&#xFFFE;",
    "&#xFFFF;",
    "&#x110000;",
    "&#4294967361;",
    "&#99999999999999999999;",
    "&#x0000000000000110000;",
    "&a&b;",
    "&lt;&;",
    "&é;",
    "&#\u{661};",
    "a&b=c",
    "&#x41",
    "&&amp;",
    // Characters.
    "\u{0}",
    "\u{1}",
    "\u{8}",
    "\u{B}",
    "\u{C}",
    "\u{E}",
    "\u{1F}",
    "\u{FFFE}",
    "\u{FFFF}",
    "a\u{1}b",
    "<b>\u{1}</b>",
    "<!--\u{1}-->",
    "<?p \u{1}?>",
    "<![CDATA[\u{1}]]>",
    "<![CDATA[\u{FFFF}]]>",
    "é\u{FFFE}",
    // Text.
    "]]>",
    "a]]>b",
    "]]]>",
    "<![CDATA[]]>]]>",
    "\r\n]]>",
    // Comments, sections, instructions.
    "<!--",
    "<!-- ",
    "<!-- -",
    "<!-- --",
    "<!-- -- -->",
    "<!-- --->",
    "<!----->",
    "<!-->",
    "<!--->",
    "<!- - -->",
    "<! -- -->",
    "<!>",
    "<!",
    "<!x>",
    "<!DOCTYPE b>",
    "<!ENTITY b 'c'>",
    "<![",
    "<![CDATA",
    "<![CDATA[",
    "<![CDATA[ ]] >",
    "<![CDATA[ ]]",
    "<![cdata[]]>",
    "<! [CDATA[]]>",
    "<![ CDATA[]]>",
    "<![INCLUDE[]]>",
    "<?",
    "<?>",
    "<? ?>",
    "<?p",
    "<?p ",
    "<?p >",
    "<?p ?",
    "<?p? >",
    "<? p?>",
    "<?1?>",
    "<?xml?>",
    "<?xml version='1.0'?>",
    "<?XML x?>",
    "<?xMl x?>",
    "<?p:q?>",
    "<?:p?>",
    "<?p:?>",
    "<?p,x?>",
    "<?p'x'?>",
    "<?p\u{A0}x?>",
];

#[test]
fn documents() {
    assert!(DOCUMENTS.len() > 100);
    for document in DOCUMENTS {
        refused(document);
    }
}

#[test]
fn content() {
    assert!(CONTENT.len() > 150);
    for piece in CONTENT {
        for (before, after) in [
            ("<Record>", "</Record>"),
            ("<Record><x>", "</x></Record>"),
            (
                "<Record xmlns='urn:r'><Id>1</Id><x y='z'><x/>",
                "<x/></x><Name>n</Name></Record>",
            ),
            ("<Record><Inner>", "</Inner></Record>"),
            (
                "<Record><Numbers><int>1</int>",
                "<int>1</int></Numbers></Record>",
            ),
            ("<Record><Name/><Name>", "</Name></Record>"),
            (
                "<Record xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><Name xsi:nil='true'>",
                "</Name></Record>",
            ),
            (
                "<r:Record xmlns:r='urn:r'><r:Inner>",
                "</r:Inner></r:Record>",
            ),
        ] {
            refused(&format!("{before}{piece}{after}"));
        }
    }
}

/// In a text value, a child, a comment or an instruction has an error of its own; the error for
/// malformed XML is only for malformed XML.
#[test]
fn text_values() {
    for piece in CONTENT {
        for name in ["Name", "Id", "Kind", "Bytes", "Word"] {
            for text in [
                format!("<Record><{name}>{piece}</{name}></Record>"),
                format!("<Record><{name} a=''>x{piece}y</{name}></Record>"),
                format!("<Record><Numbers><int>{piece}</int></Numbers></Record>"),
            ] {
                assert!(value(&text).is_err(), "{text:?}");
                assert_eq!(
                    skip(&text).unwrap_err().kind(),
                    ReadErrorKind::Malformed,
                    "{text:?}"
                );
            }
        }
    }
}

/// No prefix of a document is a document.
#[test]
fn truncated_documents() {
    let text = "<?xml version='1.0'?><!-- c --><Record a='b' xmlns='urn:r' xmlns:p='urn:r'><Id>1</Id>\n<p:Name>é&amp;<![CDATA[x]]></p:Name><?p q?><x/><Bytes>QUJD</Bytes><Tag /></Record>";
    for (end, _) in text.char_indices() {
        refused(&text[..end]);
        for character in ['\u{1}', '\u{FFFF}'] {
            let illegal = format!("{}{character}{}", &text[..end], &text[end..]);
            refused(&illegal);
            let error = value(&illegal).unwrap_err();
            let seen = error
                .message()
                .contains(&format!("U+{:04X}", character as u32));
            assert!(
                seen || error.column() < Some(text[..end].chars().count() + 1),
                "{illegal:?} {error}"
            );
        }
    }
    value(text).unwrap();
}

#[test]
fn errors_say_what_and_where() {
    for (text, message) in [
        (
            "<soap:Envelope xmlns:soap='urn:s'><soap:Bod></soap:Body></soap:Envelope>",
            "soap:Envelope/soap:Bod: The 'soap:Bod' start tag on line 1 position 36 does not match the end tag of 'soap:Body'. Line 1, position 47. (line 1, column 47)",
        ),
        (
            "<a><b>",
            "a/b: Unexpected end of file has occurred. The following elements are not closed: b, a. (line 1, column 7)",
        ),
        ("", "Root element is missing. (line 1, column 1)"),
        (
            "<a/>\n<b/>",
            "There are multiple root elements; a document has one. (line 2, column 2)",
        ),
        (
            "<!DOCTYPE a><a/>",
            "A document type definition, which is not accepted; leave it out. (line 1, column 1)",
        ),
        (
            "<a>\r\n\u{1}</a>",
            "a: U+0001 is not a character of XML. (line 2, column 1)",
        ),
        (
            "<a><p:b/></a>",
            "a/b: The prefix 'p' is not declared. (line 1, column 5)",
        ),
        (
            "<a b='1' b='2'/>",
            "a: A start tag has two attributes of one name. (line 1, column 10)",
        ),
    ] {
        let error = skip(text).unwrap_err().to_string();
        assert_eq!(
            error,
            message.replace("soap:Envelope/soap:Bod:", "Envelope/Bod:"),
            "{text:?}"
        );
    }
}

#[test]
fn declared_encodings() {
    let document = |encoding: &str| format!("<?xml version='1.0' encoding='{encoding}'?><a/>");
    for encoding in ["utf-8", "UTF-16", "ISO-8859-1", "x"] {
        skip(&document(encoding)).unwrap();
        let text = document(encoding);
        assert_eq!(
            svcgen::codegen::declared_encoding(text.as_bytes()),
            Some(encoding)
        );
    }
    for text in [
        "<a encoding='x'/>",
        "<?xml version='1.0'?><a encoding='x'/>",
        "",
        "<?xml encoding",
        "<?xml encoding='x?>",
        "<?xml-stylesheet encoding='x'?><a/>",
    ] {
        assert_eq!(
            svcgen::codegen::declared_encoding(text.as_bytes()),
            None,
            "{text}"
        );
    }
    assert_eq!(
        svcgen::codegen::declared_encoding(
            b"\xEF\xBB\xBF<?xml version = \"1.0\" encoding = \"a-b\" ?>"
        ),
        Some("a-b")
    );
}
