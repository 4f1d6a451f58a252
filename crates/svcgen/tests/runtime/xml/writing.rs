//! Written XML, byte for byte.

use super::types::{Flavour, Kind, Record};
use svcgen::codegen::{Content, List, Value};
use svcgen::{Secret, WriteError};

fn compact<T: Value>(name: &str, value: &T) -> String {
    let mut out = Vec::new();
    let mut content = Content::compact(&mut out);
    content.element(name, value);
    content.finish().unwrap();
    String::from_utf8(out).unwrap()
}

fn form<T: Value>(name: &str, value: &T) -> String {
    let mut out = b"?".to_vec();
    let mut content = Content::form(&mut out);
    content.element(name, value);
    content.finish().unwrap();
    String::from_utf8(out).unwrap()
}

fn indented<T: Value>(name: &str, complex: bool, value: &T) -> String {
    let mut out = b"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".to_vec();
    let mut content = Content::indented(&mut out);
    content.root(name, complex, "urn:r", value);
    content.finish().unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn values() {
    assert_eq!(compact("X", &"".to_owned()), "<X />");
    assert_eq!(compact("X", &" a ".to_owned()), "<X> a </X>");
    assert_eq!(
        compact(
            "X",
            &"  a<b>c&d\"e'f\tTAB\r\nCRLF\nLF\rCR é日本😀 ]]> end  ".to_owned()
        ),
        "<X>  a&lt;b&gt;c&amp;d\"e'f\tTAB&#xD;\nCRLF\nLF&#xD;CR é日本😀 ]]&gt; end  </X>"
    );
    assert_eq!(
        compact("X", &"ﬁ｡\u{FEFF}\u{FFFD}".to_owned()),
        "<X>ﬁ｡\u{FEFF}\u{FFFD}</X>"
    );
    assert_eq!(compact("X", &None::<String>), "");
    assert_eq!(compact("X", &Some(String::new())), "<X />");
    assert_eq!(compact("X", &true), "<X>true</X>");
    assert_eq!(compact("X", &i64::MIN), "<X>-9223372036854775808</X>");
    assert_eq!(
        compact("X", &vec![0u8, 1, 2, 0xFD, 0xFE, 0xFF]),
        "<X>AAEC/f7/</X>"
    );
    assert_eq!(compact("X", &b"A".to_vec()), "<X>QQ==</X>");
    assert_eq!(compact("X", &Vec::<u8>::new()), "<X />");
    assert_eq!(compact("X", &Kind::Hot), "<X>Hot</X>");
    assert_eq!(compact("X", &Flavour::Sour), "<X>Sour &amp; Hot</X>");
    assert_eq!(compact("X", &Secret::from("p<w")), "<X>p&lt;w</X>");
    assert_eq!(compact("X", &()), "<X />");
    assert_eq!(
        compact("X", &List::new(["int"], vec![1, -2])),
        "<X><int>1</int><int>-2</int></X>"
    );
    assert_eq!(
        compact("X", &List::new(["int"], vec![Some(1), None])),
        "<X><int>1</int><int xsi:nil=\"true\" /></X>"
    );
    assert_eq!(
        compact("X", &List::new(["int"], Vec::<i32>::new())),
        "<X />"
    );
    assert_eq!(compact("X", &List::new(["int"], None::<Vec<i32>>)), "");
}

fn full() -> Record {
    Record {
        version: Some(3),
        label: Some("a&<>\"'\t\r\n".to_owned()),
        id: 1,
        name: Some(String::new()),
        bytes: Some(vec![]),
        inner: Some(Box::new(Record {
            id: 2,
            age: Some(-1),
            ..Record::default()
        })),
        numbers: Some(vec![1, 2]),
        records: vec![None],
        tags: vec!["a".into(), "b".into()],
        ratio: Some(1e16),
        ..Record::default()
    }
}

#[test]
fn layouts() {
    assert_eq!(
        compact("R", &full()),
        "<R version=\"3\" label=\"a&amp;&lt;&gt;&quot;'&#x9;&#xD;&#xA;\"><Id>1</Id><Name /><Flag>false</Flag><Kind>Cold</Kind><Flavour xsi:nil=\"true\" /><Age xsi:nil=\"true\" />\
         <Bytes /><Inner><Id>2</Id><Flag>false</Flag><Kind>Cold</Kind><Flavour xsi:nil=\"true\" /><Age>-1</Age><Records /><Ratio xsi:nil=\"true\" /></Inner>\
         <Numbers><int>1</int><int>2</int></Numbers><Records><Record xsi:nil=\"true\" /></Records><Tag>a</Tag><Tag>b</Tag><Ratio>1E+16</Ratio></R>"
    );
    let expected = r#"<?xml version="1.0" encoding="utf-8"?>
<R xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="3" label="a&amp;&lt;&gt;&quot;'&#x9;&#xD;&#xA;" xmlns="urn:r">
  <Id>1</Id>
  <Name />
  <Flag>false</Flag>
  <Kind>Cold</Kind>
  <Flavour xsi:nil="true" />
  <Age xsi:nil="true" />
  <Bytes />
  <Inner>
    <Id>2</Id>
    <Flag>false</Flag>
    <Kind>Cold</Kind>
    <Flavour xsi:nil="true" />
    <Age>-1</Age>
    <Records />
    <Ratio xsi:nil="true" />
  </Inner>
  <Numbers>
    <int>1</int>
    <int>2</int>
  </Numbers>
  <Records>
    <Record xsi:nil="true" />
  </Records>
  <Tag>a</Tag>
  <Tag>b</Tag>
  <Ratio>1E+16</Ratio>
</R>"#;
    assert_eq!(indented("R", true, &full()), expected);
    let mut crlf = Vec::new();
    let mut content = Content::indented_crlf(&mut crlf);
    content.root(
        "R",
        true,
        "urn:r",
        &Record {
            name: Some("\n".into()),
            ..full()
        },
    );
    content.finish().unwrap();
    let expected = expected
        .replace('\n', "\r\n")
        .replace("<Name />", "<Name>\n</Name>");
    assert_eq!(
        String::from_utf8(crlf).unwrap(),
        expected.split_once("\r\n").unwrap().1
    );
}

#[test]
fn elements_at_any_depth_are_indented() {
    let mut record = Record::default();
    for _ in 0..60 {
        record = Record {
            inner: Some(Box::new(record)),
            ..Record::default()
        };
    }
    let text = indented("R", true, &record);
    let mut depth = 0;
    for line in text.lines().skip(1) {
        let tag = line.trim_start();
        depth -= usize::from(tag.starts_with("</"));
        assert_eq!(line.len() - tag.len(), 2 * depth, "{line}");
        depth += usize::from(!tag.contains("</") && !tag.ends_with("/>"));
    }
    assert_eq!(depth, 0);
    assert!(text.contains(&format!("\n{}<Id>0</Id>\n", " ".repeat(122))));
}

#[test]
fn roots() {
    const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
    const SCHEMA: &str = "xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";
    for (written, expected) in [
        (
            indented("boolean", false, &true),
            "<boolean xmlns=\"urn:r\">true</boolean>".to_owned(),
        ),
        (
            indented("string", false, &Some(String::new())),
            "<string xmlns=\"urn:r\" />".to_owned(),
        ),
        (
            indented("string", false, &None::<String>),
            format!("<string {SCHEMA} xsi:nil=\"true\" xmlns=\"urn:r\" />"),
        ),
        (
            indented("Kind", false, &Kind::Cold),
            "<Kind xmlns=\"urn:r\">Cold</Kind>".to_owned(),
        ),
        (
            indented("R", true, &None::<Record>),
            format!("<R {SCHEMA} xsi:nil=\"true\" xmlns=\"urn:r\" />"),
        ),
        (
            indented("ArrayOfInt", true, &List::new(["int"], vec![7])),
            format!("<ArrayOfInt {SCHEMA} xmlns=\"urn:r\">\n  <int>7</int>\n</ArrayOfInt>"),
        ),
        (
            indented("ArrayOfInt", true, &List::new(["int"], Vec::<i32>::new())),
            format!("<ArrayOfInt {SCHEMA} xmlns=\"urn:r\" />"),
        ),
        (
            indented("ArrayOfInt", true, &List::new(["int"], None::<Vec<i32>>)),
            format!("<ArrayOfInt {SCHEMA} xsi:nil=\"true\" xmlns=\"urn:r\" />"),
        ),
    ] {
        assert_eq!(written, DECLARATION.to_owned() + &expected);
    }
}

#[test]
fn envelopes() {
    let mut out = Vec::new();
    let mut content = Content::compact(&mut out);
    content.raw("<s:Body>");
    content.start("LoginResponse", &[("xmlns", "urn:a&b")]);
    content.element("LoginResult", &true);
    content.end("LoginResponse");
    content.start("Empty", &[("xmlns", "urn:e")]);
    content.element("X", &None::<String>);
    content.end("Empty");
    content.text("faultstring", "a > b");
    content.raw("<x>");
    content.escaped("<&");
    content.raw("</x></s:Body>");
    assert_eq!(content.len(), out_len(&content));
    content.finish().unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "<s:Body><LoginResponse xmlns=\"urn:a&amp;b\"><LoginResult>true</LoginResult></LoginResponse><Empty xmlns=\"urn:e\" /><faultstring>a &gt; b</faultstring><x>&lt;&amp;</x></s:Body>"
    );
}

fn out_len(content: &Content<'_>) -> usize {
    content.len()
}

#[test]
fn forms() {
    assert_eq!(
        form("a", &"x y&z=+%é日😀-_.!*'()~\r\n".to_owned()),
        "?a=x+y%26z%3D%2B%25%C3%A9%E6%97%A5%F0%9F%98%80-_.!*'()%7E%0D%0A"
    );
    assert_eq!(form("a", &None::<String>), "?a=");
    assert_eq!(form("a", &Some(String::new())), "?a=");
    assert_eq!(form("a", &None::<i32>), "?a=");
    assert_eq!(form("a", &-5), "?a=-5");
    assert_eq!(form("a", &true), "?a=true");
    assert_eq!(form("a", &Kind::Hot), "?a=Hot");
    assert_eq!(form("a", &vec![65u8, 0, 255]), "?a=65&a=0&a=255");
    assert_eq!(form("a", &Vec::<u8>::new()), "?a=");
    assert_eq!(form("a", &None::<Vec<u8>>), "?");
    assert_eq!(form("a", &List::new(["int"], vec![1, 2])), "?a=1&a=2");
    assert_eq!(form("a", &List::new(["int"], None::<Vec<i32>>)), "?");
    assert_eq!(form("é b", &1), "?%C3%A9+b=1");
    let mut out = Vec::new();
    let mut content = Content::form(&mut out);
    content.element("a", &1);
    content.element("b", &None::<Vec<u8>>);
    content.nillable("c", &None::<i32>);
    content.list("d", ["int"], &vec![1, 2]);
    content.items("e", &["x".to_owned()]);
    content.finish().unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "a=1&c=&d=1&d=2&e=x");
}

#[test]
fn what_cannot_be_written() {
    for character in [
        '\0', '\u{1}', '\u{8}', '\u{B}', '\u{C}', '\u{E}', '\u{1F}', '\u{FFFE}', '\u{FFFF}',
    ] {
        let refuse = |write: fn(&mut Content<'_>, String)| -> WriteError {
            let mut out = Vec::new();
            let mut content = Content::compact(&mut out);
            write(&mut content, format!("hunter2{character}"));
            content.element("Later", &"\u{2}".to_owned());
            content.finish().unwrap_err()
        };
        let expected = format!(
            "'X' holds the character U+{:04X}, which XML cannot carry.",
            character as u32
        );
        assert_eq!(
            refuse(|content, text| content.element("X", &text)).to_string(),
            expected
        );
        assert_eq!(
            refuse(|content, text| content.start("E", &[("X", &text)])).to_string(),
            expected.replace("'X'", "'E/X'")
        );
        let record = refuse(|content, text| {
            content.element(
                "X",
                &Record {
                    label: Some(text),
                    ..Record::default()
                },
            )
        });
        assert_eq!(record.to_string(), expected.replace("'X'", "'X/label'"));
    }
    let mut out = Vec::new();
    let mut content = Content::form(&mut out);
    content.element("X", &Record::default());
    assert_eq!(
        content.finish().unwrap_err().to_string(),
        "'X' is an object, and a form has no place for one."
    );
    assert_eq!(form("a", &"\u{1}\0".to_owned()), "?a=%01%00");
}

/// Returns the text escaped for XML, character by character.
fn escaped(text: &str) -> Option<String> {
    let character = |character| match character {
        '<' => Some("&lt;".to_owned()),
        '>' => Some("&gt;".to_owned()),
        '&' => Some("&amp;".to_owned()),
        '\r' => Some("&#xD;".to_owned()),
        '\u{FFFE}' | '\u{FFFF}' => None,
        character if character < ' ' && character != '\t' && character != '\n' => None,
        character => Some(character.to_string()),
    };
    text.chars().map(character).collect()
}

/// Names of every length with texts of every length, written into buffers of different capacities.
#[test]
fn lengths() {
    let (names, texts) = ("N".repeat(70), "text of some length ".repeat(7));
    for name in (1..70).map(|length| &names[..length]) {
        for text in (1..140).map(|length| &texts[..length]) {
            let mut out = Vec::with_capacity(name.len());
            let mut content = Content::compact(&mut out);
            content.text(name, text);
            content.start(name, &[(name, text)]);
            content.end(name);
            content.finish().unwrap();
            let expected = format!("<{name}>{text}</{name}><{name} {name}=\"{text}\" />");
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}

/// Every special character at every place of texts of every length.
#[test]
fn special_characters() {
    let special = "<>&\"'\t\n\r\u{0}\u{1F} \u{7F}é\u{E000}\u{FFFD}\u{FFFE}\u{FFFF}\u{10000}😀";
    for (length, at) in (1..40).flat_map(|length| (0..length).map(move |at| (length, at))) {
        for character in special.chars() {
            let text = format!(
                "{}{character}{}",
                "a".repeat(at),
                "z".repeat(length - at - 1)
            );
            let mut out = Vec::new();
            let mut content = Content::compact(&mut out);
            content.text("X", &text);
            match (content.finish(), escaped(&text)) {
                (Ok(()), Some(expected)) => {
                    assert_eq!(
                        String::from_utf8(out).unwrap(),
                        format!("<X>{expected}</X>")
                    );
                }
                (Err(_), None) => {}
                (written, expected) => panic!("{text:?}: {written:?}, {expected:?}"),
            }
        }
    }
}
