//! Values of every kind: reading, and the places of errors.

use super::types::*;
use svcgen::codegen::Reader;
use svcgen::{Limits, ReadError, ReadErrorKind, Secret};

/// Reads a document whose root is a value.
fn read<T: svcgen::codegen::Value + Default>(text: &str) -> Result<T, ReadError> {
    let mut reader = Reader::new(text, &Limits::default());
    let mut value = T::default();
    reader.root()?;
    reader.read(&mut value)?;
    reader.finish()?;
    Ok(value)
}

fn record(content: &str) -> Record {
    read(&format!("<Record xmlns='urn:r' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xmlns:p='urn:r' xmlns:o='urn:o'>{content}</Record>")).unwrap()
}

fn record_error(content: &str) -> ReadError {
    let text = format!(
        "<Record xmlns='urn:r' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'>{content}</Record>"
    );
    read::<Record>(&text).expect_err(content)
}

#[test]
fn children_come_in_any_order_and_the_first_one_counts() {
    let expected = Record {
        id: 7,
        name: Some("n".into()),
        ..Record::default()
    };
    for content in [
        "<Id>7</Id><Name>n</Name>",
        "<Name>n</Name><Id>7</Id>",
        "\n  <Id>7</Id>\r\n\t<Name>n</Name>\n",
        "<Id>7</Id><Name>n</Name><Id>8</Id><Name/><Name>m</Name>",
        "<p:Name>n</p:Name><p:Id>7</p:Id>",
        "<Id>7</Id><p:Name>n</p:Name>",
        "<Id a='1' p:a='2'>7</Id><Name\n>n</Name\t>",
        "<Id xmlns:q='urn:q'>7</Id><q:Name xmlns:q='urn:r'>n</q:Name>",
        "<Unknown><Id>9</Id><x/></Unknown><Id>7</Id><Name>n</Name>",
        "<o:Id>9</o:Id><Id xmlns=''>9</Id><ID>9</ID><Id>7</Id><Name>n</Name>",
        "<!-- c --><?p i?><Id>7</Id><!----><Name>n</Name><?p?>",
        "text<Id>7</Id> &amp; <![CDATA[ more <x> ]]><Name>n</Name>text",
        "<Id xsi:type='xsd:int'>7</Id><Name>n</Name><IdX>1</IdX><I>1</I>",
        "<Id><![CDATA[7]]></Id><Name>&#110;</Name>",
        "<Id> +007\n</Id><Name><![CDATA[]]>n<![CDATA[]]></Name>",
    ] {
        assert_eq!(record(content), expected, "{content}");
    }
}

#[test]
fn nothing_is_needed() {
    assert_eq!(record(""), Record::default());
    assert_eq!(read::<Record>("<Record/>").unwrap(), Record::default());
    assert_eq!(
        read::<Record>("<r:Record xmlns:r='urn:r' ><r:Id>7</r:Id></r:Record >")
            .unwrap()
            .id,
        7
    );
}

#[test]
fn text_keeps_all_its_characters() {
    for (raw, value) in [
        ("", ""),
        (" ", " "),
        ("\n", "\n"),
        (" a\tb ", " a\tb "),
        ("a\r\nb\rc\n", "a\nb\nc\n"),
        ("a&#xD;\nb&#13;&#10;", "a\r\nb\r\n"),
        ("&lt;&gt;&amp;&apos;&quot;", "<>&'\""),
        ("<![CDATA[<b>&amp;\r\n]]]]><![CDATA[>]]>", "<b>&amp;\n]]>"),
        ("]]&gt;", "]]>"),
        ("]] >", "]] >"),
        ("é日本😀&#x1F600;", "é日本😀😀"),
        ("&#x10FFFF;&#x000041;", "\u{10FFFF}A"),
        (
            "\u{85}\u{2028}\u{FEFF}\u{FFFD}",
            "\u{85}\u{2028}\u{FEFF}\u{FFFD}",
        ),
    ] {
        assert_eq!(
            record(&format!("<Name>{raw}</Name>")).name.as_deref(),
            Some(value),
            "{raw:?}"
        );
        assert_eq!(
            record(&format!("<Name a=''>{raw}</Name>")).name.as_deref(),
            Some(value),
            "{raw:?}"
        );
        assert_eq!(
            record(&format!("<x><Name>{raw}</Name></x>{raw}")),
            Record::default(),
            "{raw:?}"
        );
    }
    assert_eq!(record("<Name/>").name.as_deref(), Some(""));
    assert_eq!(record("<Name />").name.as_deref(), Some(""));
    assert_eq!(record("<Name  />").name.as_deref(), Some(""));
}

#[test]
fn nil_is_absent() {
    for nil in [
        "<{} xsi:nil='true'/>",
        "<{} xsi:nil=' 1\n'></{}>",
        "<{} xsi:nil='true'>ignored<x/></{}>",
    ] {
        for name in ["Name", "Bytes", "Inner", "Numbers", "Age", "Flavour"] {
            assert_eq!(
                record(&nil.replace("{}", name)),
                Record::default(),
                "{nil} {name}"
            );
        }
    }
    // Where a value may not be nil, .NET ignores `xsi:nil` and reads the content.
    for name in ["Id", "Flag", "Kind"] {
        let empty = format!("<{name} xsi:nil='true'/>");
        assert_eq!(record_error(&empty).kind(), ReadErrorKind::Value, "{empty}");
    }
    assert_eq!(record("<Id xsi:nil='true'>7</Id>").id, 7);
    assert_eq!(record("<Tag xsi:nil='1'>t</Tag>").tags, ["t"]);
    assert_eq!(
        record("<Name xsi:nil='false'>n</Name>").name.as_deref(),
        Some("n")
    );
    assert_eq!(
        record("<Name nil='true' o:nil='true'>n</Name>")
            .name
            .as_deref(),
        Some("n")
    );
    assert_eq!(record("<Tag xsi:nil='1'/>").tags, [""]);
}

#[test]
fn lists_objects_and_unwrapped_lists() {
    let read = record(
        "<Numbers><int>1</int> <int>2</int><other/><int xmlns=''>9</int></Numbers><Numbers><int>3</int></Numbers>\
         <Inner><Id>1</Id><Inner><Id>2</Id></Inner></Inner>\
         <Records><Record><Id>1</Id></Record><Record xsi:nil='true'/><Record/></Records>\
         <Tag>a</Tag><Name>n</Name><Tag>b</Tag><Tag/>",
    );
    assert_eq!(read.numbers, Some(vec![1, 2]));
    let inner = read.inner.unwrap();
    assert_eq!((inner.id, inner.inner.unwrap().id), (1, 2));
    let records = read.records;
    assert_eq!(
        records,
        [
            Some(Record {
                id: 1,
                ..Record::default()
            }),
            None,
            Some(Record::default())
        ]
    );
    assert_eq!(read.tags, ["a", "b", ""]);
    assert_eq!(record("<Numbers/>").numbers, Some(vec![]));
    assert_eq!(record("<Numbers>\n</Numbers>").numbers, Some(vec![]));
    assert_eq!(record("").numbers, None);
}

#[test]
fn attributes_are_values() {
    let read = read::<Record>(
        "<Record version=' 3 ' o:version='4' xmlns:o='urn:o' label='a&amp;&#10;b\n'/>",
    )
    .unwrap();
    assert_eq!(
        (read.version, read.label.as_deref()),
        (Some(3), Some("a&\nb "))
    );
    let error = self::read::<Record>("<Record version='x'/>").unwrap_err();
    assert_eq!(
        error.to_string(),
        "Record: Input string was not in a correct format. (line 1, column 9)"
    );
}

#[test]
fn base64_may_hold_white_space_and_lack_padding() {
    for (raw, value) in [
        ("AAEC/f7/", &[0, 1, 2, 0xFD, 0xFE, 0xFF][..]),
        (" AA EC\r\n/f7/\t", &[0, 1, 2, 0xFD, 0xFE, 0xFF]),
        ("QQ==", b"A"),
        ("QQ=", b"A"),
        ("QQ", b"A"),
        ("Q Q = =", b"A"),
        ("QUI", b"AB"),
        ("QUI=", b"AB"),
        ("QR==", b"A"),
        ("", b""),
        (" \n", b""),
        ("<![CDATA[QQ]]>==", b"A"),
    ] {
        assert_eq!(
            record(&format!("<Bytes>{raw}</Bytes>")).bytes.as_deref(),
            Some(value),
            "{raw:?}"
        );
    }
    for raw in [
        "Q", "QUJDR", "QQ==QQ==", "=", "==", "Q===", "QQ-_", "QQ*=", "Q=Q", "é", "QQ===", "QUJD=",
    ] {
        let error = record_error(&format!("<Bytes>{raw}</Bytes>"));
        assert_eq!(error.kind(), ReadErrorKind::Malformed, "{raw:?}");
        assert!(!error.message().contains(raw) || raw.len() < 3, "{raw:?}");
    }
}

#[test]
fn a_value_error_says_where_the_reader_stands_after_its_element() {
    for (content, message, path, column) in [
        (
            "<Id>x</Id>",
            "Input string was not in a correct format.",
            "Record/Id",
            12,
        ),
        (
            "<Id a='b'>x</Id>",
            "Input string was not in a correct format.",
            "Record/Id",
            18,
        ),
        (
            "<Id/>",
            "Input string was not in a correct format.",
            "Record/Id",
            7,
        ),
        (
            "<Id>2147483648</Id>",
            "Value was either too large or too small for an Int32.",
            "Record/Id",
            21,
        ),
        (
            "é<Flag>yes</Flag>",
            "The string 'yes' is not a valid Boolean value.",
            "Record/Flag",
            19,
        ),
        (
            "<Flag> True </Flag>",
            "The string ' True ' is not a valid Boolean value.",
            "Record/Flag",
            21,
        ),
        (
            "<Kind>Hot </Kind>",
            "Instance validation error: 'Hot ' is not a valid value for Kind.",
            "Record/Kind",
            19,
        ),
        (
            "<Kind>0</Kind>",
            "Instance validation error: '0' is not a valid value for Kind.",
            "Record/Kind",
            16,
        ),
        (
            "<Flavour>0</Flavour>",
            "Instance validation error: '0' is not a valid value for TheFlavour.",
            "Record/Flavour",
            22,
        ),
        (
            "<Inner><Id>x</Id></Inner>",
            "Input string was not in a correct format.",
            "Record/Inner/Id",
            19,
        ),
        (
            "<Numbers><int>1</int><int>1.0</int></Numbers>",
            "Input string was not in a correct format.",
            "Record/Numbers/int",
            37,
        ),
        (
            "<Name>a<!-- -->b</Name>",
            "Unexpected node type Comment: the element holds a text value.",
            "Record/Name",
            8,
        ),
        (
            "<Name>a<?b c?></Name>",
            "Unexpected node type ProcessingInstruction: the element holds a text value.",
            "Record/Name",
            8,
        ),
        (
            "<Id>1<b/></Id>",
            "Unexpected node type Element: the element holds a text value.",
            "Record/Id",
            6,
        ),
    ] {
        let error = record_error(content);
        let start = "<Record xmlns='urn:r' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'>"
            .len()
            + 1;
        let kind = if message.starts_with("Unexpected node") {
            ReadErrorKind::Malformed
        } else {
            ReadErrorKind::Value
        };
        assert_eq!(error.kind(), kind, "{content}");
        assert_eq!(
            (error.message(), error.path()),
            (message, path),
            "{content}"
        );
        assert_eq!(
            (error.line(), error.column()),
            (Some(1), Some(start + column)),
            "{content}"
        );
    }
}

#[test]
fn secrets_are_not_quoted() {
    for (content, message) in [
        (
            "<Pin>12x</Pin>",
            "Input string was not in a correct format.",
        ),
        (
            "<Open>12x</Open>",
            "The string '[secret]' is not a valid Boolean value.",
        ),
        (
            "<Word>hun&ter2;</Word>",
            "Reference to an undeclared entity; there are 'lt', 'gt', 'amp', 'apos' and 'quot'.",
        ),
        (
            "<Word>hun<ter2>x</ter2></Word>",
            "Unexpected node type Element: the element holds a text value.",
        ),
    ] {
        let error = record_error(content);
        assert_eq!(error.message(), message, "{content}");
        let shown = format!("{error} {error:?}");
        assert!(
            !shown.contains("12x") && !shown.contains("hun") && !shown.contains("ter2"),
            "{shown}"
        );
    }
    let read = record("<Word>hunter2</Word><Pin>12</Pin>");
    assert_eq!(read.word, Some(Secret::from("hunter2")));
    assert!(!format!("{read:?}").contains("hunter2"));
}

#[test]
fn lines_and_columns_count_characters() {
    let error = read::<Record>("<Record>\n<Name>é日😀</Name>\r\n \r<Name/>日<Id>x</Id></Record>")
        .unwrap_err();
    assert_eq!((error.line(), error.column()), (Some(4), Some(21)));
}

#[test]
fn secrets_are_compared_by_value() {
    assert_eq!(Secret::from("a"), Secret::from("a"));
    assert_ne!(Secret::from("a"), Secret::from("b"));
    assert_ne!(Secret::from("a"), Secret::from("ab"));
    assert_eq!(Secret::new(vec![1u8]), Secret::new(vec![1u8]));
}
