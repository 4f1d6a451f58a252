//! Numbers: integer of any length, float and double, and the number of a char.

use proptest::prelude::*;
use svcgen::types::Integer;

use super::{
    keeps, read, read_document, read_field, reads_fields, refuses, refuses_fields, rewrites,
    try_write, write, write_field,
};

const NOT_A_NUMBER: &str = "Input string was not in a correct format.";

#[test]
fn integers() {
    keeps::<Integer>(&[
        "0",
        "1",
        "-1",
        "340282366920938463463374607431768211456",
        "-99999999999999999999999999999999999999999999999999",
        "+42",
        "0042",
        "-0",
        // ASMX accepts any text.
        "1.0",
        "1 000",
        "a &amp; b",
    ]);
    rewrites::<Integer>(&[(" 42\n", "42"), ("\u{A0}7", "7")]);
    reads_fields::<Integer>(&[(" 7 ", " 7 "), ("", ""), ("1.5", "1.5")]);
    for (text, number) in [
        ("+42", Some(42)),
        ("-0042", Some(-42)),
        ("1.0", None),
        ("", None),
    ] {
        let read: Integer = read(text).unwrap();
        assert_eq!(i128::try_from(&read).ok(), number, "{text}");
    }
    let nil = r#"<v xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>"#;
    assert_eq!(read_document::<Integer>(nil).unwrap(), Integer::from(0));
    assert_eq!(i128::try_from(&Integer::from(i128::MIN)), Ok(i128::MIN));
}

/// Known outputs of .NET Framework's `XmlConvert.ToString(double)`.
#[test]
fn doubles_as_dotnet_framework_writes_them() {
    let rows: &[(f64, &str)] = &[
        (0.0, "0"),
        (-0.0, "-0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (0.1, "0.1"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1.0 / 3.0, "0.33333333333333331"),
        (2.0 / 3.0, "0.66666666666666663"),
        (std::f64::consts::PI, "3.1415926535897931"),
        (std::f64::consts::E, "2.7182818284590451"),
        (f64::EPSILON, "2.2204460492503131E-16"),
        (0.0001, "0.0001"),
        (0.00012345, "0.00012345"),
        (0.00001, "1E-05"),
        (1e-7, "1E-07"),
        (1.5e-10, "1.5E-10"),
        (1e14, "100000000000000"),
        (123456789012345.0, "123456789012345"),
        (1e15, "1E+15"),
        (1234567890123456.0, "1234567890123456"),
        (9007199254740992.0, "9007199254740992"),
        (9007199254740993.0, "9007199254740992"),
        (12345678901234568.0, "12345678901234568"),
        (123456789012345680.0, "1.2345678901234568E+17"),
        (1e16, "1E+16"),
        (1e20, "1E+20"),
        (1.5e300, "1.5E+300"),
        (-1e100, "-1E+100"),
        (f64::MAX, "1.7976931348623157E+308"),
        (f64::MIN, "-1.7976931348623157E+308"),
        (f64::MIN_POSITIVE, "2.2250738585072014E-308"),
        (5e-324, "4.94065645841247E-324"),
        (f64::INFINITY, "INF"),
        (f64::NEG_INFINITY, "-INF"),
        (f64::NAN, "NaN"),
        (-f64::NAN, "NaN"),
    ];
    for (value, text) in rows {
        assert_eq!(write(value), *text);
    }
    let floats: &[(f32, &str)] = &[
        (0.1, "0.1"),
        (1.0 / 3.0, "0.333333343"),
        (std::f32::consts::PI, "3.14159274"),
        (16777216.0, "16777216"),
        (1e6, "1000000"),
        (1e7, "1E+07"),
        (1e-5, "1E-05"),
        (f32::MAX, "3.40282347E+38"),
        (f32::MIN_POSITIVE, "1.17549435E-38"),
        (1e-45, "1.401298E-45"),
        (-0.0, "-0"),
        (f32::INFINITY, "INF"),
        (f32::NEG_INFINITY, "-INF"),
        (f32::NAN, "NaN"),
    ];
    for (value, text) in floats {
        assert_eq!(write(value), *text);
    }
}

#[test]
fn doubles() {
    rewrites::<f64>(&[
        (" 1.5 ", "1.5"),
        ("+1.5", "1.5"),
        ("1.", "1"),
        (".5", "0.5"),
        ("1e3", "1000"),
        ("1E+3", "1000"),
        ("12.5e-1", "1.25"),
        ("1e-400", "0"),
        (" INF ", "INF"),
        ("-INF", "-INF"),
        ("Infinity", "INF"),
        (" -Infinity", "-INF"),
        ("NaN", "NaN"),
        ("-0.0", "-0"),
        (
            "179769313486231570000000000000e279",
            "1.7976931348623157E+308",
        ),
    ]);
    refuses::<f64>(
        &[
            "", ".", "+", "1e", "1e+", "e5", "1e5.0", "1,5", "1,000", "inf", "infinity", "+INF",
            "nan", "-NaN", "0x10", "1_0", "1f", "1 5", "--1",
        ],
        NOT_A_NUMBER,
    );
    refuses::<f64>(
        &["1e309", "-1e400"],
        "Value was either too large or too small for a Double.",
    );
    refuses::<f32>(
        &["3.5e38"],
        "Value was either too large or too small for a Single.",
    );
}

#[test]
fn doubles_in_a_form() {
    reads_fields::<f64>(&[
        ("1.5", "1.5"),
        ("Infinity", "INF"),
        ("-Infinity", "-INF"),
        ("NaN", "NaN"),
        ("1e3", "1000"),
        ("1.", "1"),
        (" -1,000.5e1 ", "-10005"),
        ("1,5", "15"),
        ("1,,0,", "10"),
        ("1,.5", "1.5"),
    ]);
    refuses_fields::<f64>(
        &[
            "", "INF", "-INF", "infinity", ",1", "1.0,0", "1e1,0", "5-", "(5)", "$5", "- 5",
        ],
        "System.Double",
        "Input string was not in a correct format.",
    );
    refuses_fields::<f64>(
        &["1e309", "-1,0e400"],
        "System.Double",
        "Value was either too large or too small for a Double.",
    );
    for field in ["1,000", "1000.0", "1e3", "0x10", "5-", ""] {
        refuses_fields::<i32>(
            &[field],
            "System.Int32",
            "Input string was not in a correct format.",
        );
    }
    assert_eq!(write_field(&f64::INFINITY), "v=Infinity");
    assert_eq!(write_field(&f32::NEG_INFINITY), "v=-Infinity");
    assert_eq!(write_field(&f64::NAN), "v=NaN");
    assert_eq!(write_field(&1e20), "v=1E%2B20");
}

#[test]
fn chars() {
    rewrites::<char>(&[
        ("65", "65"),
        (" +0065 ", "65"),
        ("0", "0"),
        ("65535", "65535"),
        ("8364", "8364"),
    ]);
    refuses::<char>(&["", "A", "6.5"], NOT_A_NUMBER);
    refuses::<char>(
        &["-1", "65536", "99999999999999999999"],
        "Value was either too large or too small for a UInt16.",
    );
    refuses::<char>(
        &["55296", "57343"],
        "The number is that of a surrogate, which is half a character.",
    );
    assert_eq!(read_field::<char>("A").unwrap(), 'A');
    assert_eq!(read_field::<char>(" ").unwrap(), ' ');
    assert_eq!(read_field::<char>("€").unwrap(), '€');
    refuses_fields::<char>(
        &["", "65", "😀", "ab"],
        "System.Char",
        "String must be exactly one character long.",
    );
    assert_eq!(write_field(&'€'), "v=%E2%82%AC");
    assert_eq!(write_field(&'&'), "v=%26");
    assert_eq!(
        try_write(&'😀').unwrap_err(),
        "'v' holds a character of two UTF-16 code units, and a char is one."
    );
}

/// Returns the digits of a number without zeros at both ends.
fn significant(number: &str) -> String {
    let mantissa = number.split(['E', 'e']).next().unwrap_or_default();
    mantissa.replace('.', "").trim_matches('0').to_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_integer_is_read_as_it_was_written(text in "[-+]?[0-9]{1,60}") {
        let value: Integer = text.parse().unwrap();
        prop_assert_eq!(read::<Integer>(&write(&value)).unwrap(), value);
    }

    #[test]
    fn integers_of_the_machine_stay_the_same(value: i128) {
        prop_assert_eq!(i128::try_from(&read::<Integer>(&write(&Integer::from(value))).unwrap()), Ok(value));
    }

    #[test]
    fn every_double_is_read_as_it_was_written(bits: u64, small in -1000..1000i32) {
        for value in [f64::from_bits(bits), f64::from(small) / 100.0] {
            let again = read::<f64>(&write(&value)).unwrap();
            prop_assert!(again.to_bits() == value.to_bits() || (again.is_nan() && value.is_nan()));
            let again = read_field::<f64>(&write(&value)).unwrap();
            prop_assert!(again.to_bits() == value.to_bits() || (again.is_nan() && value.is_nan()));
        }
    }

    /// 15 digits, or 17 if 15 digits denote another number.
    #[test]
    fn a_double_has_the_digits_that_rounding_leaves(digits in "[1-9][0-9]{0,17}", exponent in -345..290i32) {
        let value: f64 = format!("{digits}e{exponent}").parse().unwrap();
        let mut rounded = format!("{value:.14e}");
        if rounded.parse() != Ok(value) {
            rounded = format!("{value:.16e}");
        }
        prop_assert_eq!(significant(&write(&value)), significant(&rounded));
    }

    #[test]
    fn every_float_is_read_as_it_was_written(bits: u32) {
        let value = f32::from_bits(bits);
        let again = read::<f32>(&write(&value)).unwrap();
        prop_assert!(again.to_bits() == value.to_bits() || (again.is_nan() && value.is_nan()));
    }

    #[test]
    fn every_char_is_read_as_it_was_written(unit: u16) {
        if let Some(value) = char::from_u32(unit.into()) {
            prop_assert_eq!(read::<char>(&write(&value)).unwrap(), value);
            prop_assert_eq!(read_field::<char>(&value.to_string()).unwrap(), value);
        }
    }
}
