//! The lexical forms of simple types.

use std::borrow::Cow;
use std::fmt::Debug;

use svcgen::Limits;
use svcgen::codegen::{Content, Element, Reader, Value};

fn read<T: Value + Default>(text: &str) -> Option<T> {
    let document = format!("<a>{text}</a>");
    let mut reader = Reader::new(&document, &Limits::default());
    let mut value = T::default();
    reader.root().unwrap();
    reader.read(&mut value).ok()?;
    reader.finish().unwrap();
    Some(value)
}

fn read_field<T: Value + Default>(text: &str) -> Option<T> {
    let fields = [(Cow::Borrowed("a"), Cow::Borrowed(text))];
    let mut value = T::default();
    value.read(&mut Element::from_form("a", &fields)).ok()?;
    Some(value)
}

fn write<T: Value>(value: &T) -> String {
    let mut out = Vec::new();
    let mut content = Content::compact(&mut out);
    content.element("a", value);
    content.finish().unwrap();
    let text = String::from_utf8(out).unwrap();
    text.strip_prefix("<a>")
        .unwrap()
        .strip_suffix("</a>")
        .unwrap()
        .to_owned()
}

fn integers<T: Value + Default + Debug + PartialEq + Copy + TryFrom<i128>>(
    minimum: i128,
    maximum: i128,
) {
    let of = |value: i128| T::try_from(value).ok();
    for value in [minimum, minimum + 1, 0, 1, 42, 99, maximum - 1, maximum] {
        let text = value.to_string();
        assert_eq!(write(&of(value).unwrap()), text);
        for text in [text.clone(), format!(" \t\r\n{text}\n ")] {
            assert_eq!(
                (read(&text), read_field(&text)),
                (of(value), of(value)),
                "{text:?}"
            );
        }
        let digits = text.trim_start_matches('-');
        let padded = format!(
            "{}{}{digits}",
            if value < 0 { "-" } else { "+" },
            "0".repeat(40)
        );
        // In XML, unsigned numbers have no sign; in forms they may have one.
        let signed = of(value).filter(|_| minimum < 0);
        assert_eq!(
            (read(&padded), read_field(&padded)),
            (signed, of(value)),
            "{padded}"
        );
    }
    let zero = of(0).filter(|_| minimum < 0);
    assert_eq!((read("-0"), read_field("-0")), (zero, of(0)));
    for text in [
        (minimum - 1).to_string(),
        (maximum + 1).to_string(),
        format!("{maximum}0"),
        "9".repeat(400),
        format!("-{}", "9".repeat(400)),
    ] {
        assert_eq!(
            (read::<T>(&text), read_field::<T>(&text)),
            (None, None),
            "{text}"
        );
    }
    for text in [
        "",
        " ",
        "+",
        "-",
        "--1",
        "+-1",
        "- 1",
        "1 2",
        "1.0",
        "1.",
        ".5",
        "1e3",
        "0x10",
        "1,000",
        "1_000",
        "١",
        "\u{A0}1",
        "1\u{2003}",
        "abc",
        "1a",
        "INF",
        "true",
    ] {
        assert_eq!(
            (read::<T>(text), read_field::<T>(text)),
            (None, None),
            "{text:?}"
        );
    }
}

#[test]
fn every_integer_type() {
    integers::<i8>(i8::MIN.into(), i8::MAX.into());
    integers::<i16>(i16::MIN.into(), i16::MAX.into());
    integers::<i32>(i32::MIN.into(), i32::MAX.into());
    integers::<i64>(i64::MIN.into(), i64::MAX.into());
    integers::<u8>(u8::MIN.into(), u8::MAX.into());
    integers::<u16>(u16::MIN.into(), u16::MAX.into());
    integers::<u32>(u32::MIN.into(), u32::MAX.into());
    integers::<u64>(u64::MIN.into(), u64::MAX.into());
}

#[test]
fn booleans() {
    for (text, value) in [
        ("true", true),
        ("1", true),
        ("false", false),
        ("0", false),
        (" true ", true),
        ("\n0\t", false),
    ] {
        assert_eq!(read(text), Some(value), "{text:?}");
    }
    for text in [
        "",
        " ",
        "True",
        "TRUE",
        "yes",
        "2",
        "01",
        "t",
        "\u{A0}true",
        "true false",
    ] {
        assert_eq!(read::<bool>(text), None, "{text:?}");
    }
    for text in ["", "1", "0", "yes", "t"] {
        assert_eq!(read_field::<bool>(text), None, "{text:?}");
    }
    assert_eq!(
        (write(&true), write(&false)),
        ("true".to_owned(), "false".to_owned())
    );
}

#[test]
fn floats_are_read_as_dot_net_reads_them() {
    for (text, value) in [
        ("0", 0.0),
        ("-0", -0.0),
        ("1", 1.0),
        ("+1.5", 1.5),
        (" -2.25\n", -2.25),
        ("1.", 1.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1E+3", 1000.0),
        ("1.5e-3", 0.0015),
        ("INF", f64::INFINITY),
        ("-INF", f64::NEG_INFINITY),
        (" INF ", f64::INFINITY),
        ("5e-324", 5e-324),
        ("1e-999", 0.0),
        ("1.7976931348623157E+308", f64::MAX),
    ] {
        assert_eq!(
            read::<f64>(text).map(f64::to_bits),
            Some(value.to_bits()),
            "{text:?}"
        );
    }
    assert!(read::<f64>("NaN").unwrap().is_nan() && read::<f32>(" NaN").unwrap().is_nan());
    assert_eq!(read::<f32>("3.4028235E+38"), Some(f32::MAX));
    for text in [
        "",
        " ",
        ".",
        "+",
        "-",
        "e5",
        "1e",
        "1e+",
        "1e1.5",
        "1,5",
        "1.5.2",
        "0x1",
        "inf",
        "+INF",
        "+Infinity",
        "nan",
        "NAN",
        "1d",
        "1f",
        "1 2",
        "--1",
        "1e999",
        "-1e999",
    ] {
        assert_eq!(read::<f64>(text), None, "{text:?}");
    }
    assert_eq!(read::<f32>("1e39"), None);
}
