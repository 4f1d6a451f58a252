//! Simple values: a table of conversions in .NET.

use super::*;

fn simple(text: &str, simple: SimpleType) -> Result<String, String> {
    let document = document(text).map_err(|error| error.message().to_owned())?;
    let values = Values::new(&document, service());
    let read = values.simple(document.root(), simple, TimeZone::AsWritten);
    read.map(Cow::into_owned)
        .map_err(|error| error.message().to_owned())
}

#[track_caller]
fn check(kind: SimpleType, rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        let read = simple(text, kind).unwrap_or_else(|error| error);
        assert_eq!(read, *expected, "{text} as {kind:?}");
    }
}

#[test]
fn booleans() {
    check(
        SimpleType::Boolean,
        &[
            ("true", "true"),
            ("\"true\"", "true"),
            ("\"True\"", "true"),
            ("\" FALSE \"", "false"),
            ("{}", "false"),
            ("1", "1 is not a valid value for Boolean."),
            ("0", "0 is not a valid value for Boolean."),
            ("\"1\"", "1 is not a valid value for Boolean."),
            ("\"\"", " is not a valid value for Boolean."),
            ("null", "Cannot convert null to a value type."),
        ],
    );
}

#[test]
fn integers() {
    check(
        SimpleType::Int,
        &[
            ("42", "42"),
            ("+42", "42"),
            ("042", "042"),
            ("-7", "-7"),
            ("-0", "0"),
            ("\"42\"", "42"),
            ("\" 42 \"", "42"),
            ("1e2", "100"),
            ("\"0x10\"", "16"),
            ("\"#10\"", "16"),
            ("\"&hfF\"", "255"),
            ("\"0xffffffff\"", "-1"),
            ("{}", "0"),
            ("{\"a\":1}", "0"),
            ("42.0", "42"),
            ("42.", "42"),
            ("42.7", "42.7 is not a valid value for Int32."),
            ("\"42.0\"", "42.0 is not a valid value for Int32."),
            ("\"1e2\"", "1e2 is not a valid value for Int32."),
            ("\"1,000\"", "1,000 is not a valid value for Int32."),
            ("\"0x\"", "0x is not a valid value for Int32."),
            ("\"0x+1\"", "0x+1 is not a valid value for Int32."),
            (
                "\"0x100000000\"",
                "0x100000000 is not a valid value for Int32.",
            ),
            ("true", "True is not a valid value for Int32."),
            ("NaN", "NaN is not a valid value for Int32."),
            ("\"\"", " is not a valid value for Int32."),
            (
                "[1]",
                "Type 'System.Int32' is not supported for deserialization of an array.",
            ),
            ("null", "Cannot convert null to a value type."),
            ("2147483647", "2147483647"),
            ("2147483648", "2147483648 is not a valid value for Int32."),
            ("1e10", "10000000000 is not a valid value for Int32."),
            (
                "\"\\/Date(0)\\/\"",
                "1970-01-01 00:00:00Z is not a valid value for Int32.",
            ),
        ],
    );
    check(
        SimpleType::UnsignedLong,
        &[
            ("18446744073709551615", "18446744073709551615"),
            (
                "18446744073709551616",
                "18446744073709551616 is not a valid value for UInt64.",
            ),
            ("-1", "-1 is not a valid value for UInt64."),
            ("+1", "1"),
            ("-0", "0"),
            ("\"0xffffffffffffffff\"", "18446744073709551615"),
        ],
    );
    check(
        SimpleType::Long,
        &[
            ("-9223372036854775808", "-9223372036854775808"),
            (
                "9223372036854775808",
                "9223372036854775808 is not a valid value for Int64.",
            ),
        ],
    );
    check(
        SimpleType::Byte,
        &[
            ("-128", "-128"),
            ("\"0x80\"", "-128"),
            ("128", "128 is not a valid value for SByte."),
        ],
    );
}

#[test]
fn fractions() {
    check(
        SimpleType::Double,
        &[
            ("1", "1"),
            ("\"1.5\"", "1.5"),
            ("NaN", "NaN"),
            ("\"Infinity\"", "INF"),
            ("-Infinity", "-Infinity"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("-1.5", "-1.5"),
            ("1E-7", "1E-7"),
            ("{}", "0"),
            ("\"INF\"", "INF is not a valid value for Double."),
            ("\"1,5\"", "1,5 is not a valid value for Double."),
            ("\"1e400\"", "1e400 is not a valid value for Double."),
            ("true", "True is not a valid value for Double."),
        ],
    );
    check(
        SimpleType::Float,
        &[
            ("1.5", "1.5"),
            ("1e39", "1E+39 is not a valid value for Single."),
            ("\"NaN\"", "NaN"),
        ],
    );
    check(
        SimpleType::Decimal,
        &[
            ("1.50", "1.50"),
            ("\"1.50\"", "1.50"),
            ("1e2", "100"),
            ("\"1.5e1\"", "15"),
            ("\"1.50e1\"", "15.0"),
            ("\"1.5e-3\"", "0.0015"),
            ("\"-12.5E2\"", "-1250"),
            (
                "79228162514264337593543950335",
                "79228162514264337593543950335",
            ),
            (
                "79228162514264337593543950336",
                "7.9228162514264338E+28 is not a valid value for Decimal.",
            ),
            ("\"1e29\"", "1e29 is not a valid value for Decimal."),
            ("NaN", "NaN is not a valid value for Decimal."),
            ("\"1,5\"", "1,5 is not a valid value for Decimal."),
        ],
    );
}

#[test]
fn texts() {
    for kind in [
        SimpleType::String,
        SimpleType::GYear,
        SimpleType::Duration,
        SimpleType::Integer,
    ] {
        check(
            kind,
            &[
                ("\"x\"", "x"),
                ("042", "42"),
                ("1e2", "100"),
                ("1e21", "1E+21"),
                ("NaN", "NaN"),
                ("-Infinity", "-Infinity"),
                ("true", "True"),
                ("false", "False"),
                (
                    "[\"a\"]",
                    "Type 'System.String' is not supported for deserialization of an array.",
                ),
                (
                    "{\"a\":1}",
                    "No parameterless constructor defined for type of 'System.String'.",
                ),
                ("null", ""),
            ],
        );
    }
    check(
        SimpleType::String,
        &[
            ("12.50", "12.50"),
            (".5", "0.5"),
            ("5.", "5"),
            ("-0.0", "0.0"),
        ],
    );
    check(
        SimpleType::String,
        &[
            ("\"\\/Date(0)\\/\"", "1970-01-01 00:00:00Z"),
            ("\"/Date(0)/\"", "/Date(0)/"),
            ("'\\/Date(0)\\/'", "/Date(0)/"),
        ],
    );
    check(
        SimpleType::Char,
        &[
            ("\"x\"", "120"),
            ("\" \"", "32"),
            ("\"\"", "0"),
            ("null", "0"),
            ("{}", "0"),
            ("\" y \"", "121"),
            ("5", "53"),
            ("\"xy\"", "xy is not a valid value for Char."),
            ("65", "65 is not a valid value for Char."),
            ("\"😀\"", "😀 is not a valid value for Char."),
        ],
    );
    check(
        SimpleType::Guid,
        &[
            ("{}", "00000000-0000-0000-0000-000000000000"),
            ("null", "Cannot convert null to a value type."),
        ],
    );
}

#[test]
fn moments() {
    let leap = r#""\/Date(1709210096789)\/""#;
    check(
        SimpleType::DateTime,
        &[
            (leap, "2024-02-29T12:34:56.789Z"),
            (r#""\/Date(-1)\/""#, "1969-12-31T23:59:59.999Z"),
            (
                r#""\/Date(1709210096789+0200)\/""#,
                "2024-02-29T12:34:56.789Z",
            ),
            (r#""\/Date(0Z)\/""#, "1970-01-01T00:00:00Z"),
            ("\"/Date(0)/\"", "1970-01-01T00:00:00Z"),
            ("'/Date(0)/'", "1970-01-01T00:00:00Z"),
            ("\"2024-02-29T12:34:56Z\"", "2024-02-29T12:34:56Z"),
            ("\"2024-02-29T12:34:56\"", "2024-02-29T12:34:56"),
            ("\"02/29/2024\"", "2024-02-29T00:00:00"),
            ("\"2/29/2024 1:34 PM\"", "2024-02-29T13:34:00"),
            ("\"Thu, 29 Feb 2024 12:34:56 GMT\"", "2024-02-29T12:34:56Z"),
            ("\"\"", "0001-01-01T00:00:00"),
            ("\"  \"", "0001-01-01T00:00:00"),
            ("{}", "0001-01-01T00:00:00"),
            (
                "\"29/02/2024\"",
                "29/02/2024 is not a valid value for DateTime.",
            ),
            ("0", "0 is not a valid value for DateTime."),
            ("null", "Cannot convert null to a value type."),
            (r#""\/Date(253402300799999)\/""#, "9999-12-31T23:59:59.999Z"),
            (
                r#""\/Date(253402300800000)\/""#,
                "Ticks must be between DateTime.MinValue.Ticks and DateTime.MaxValue.Ticks.\r\nParameter name: ticks",
            ),
        ],
    );
    check(
        SimpleType::Date,
        &[
            (leap, "2024-02-29"),
            ("\"2024-02-29\"", "2024-02-29"),
            ("\"\"", "0001-01-01"),
        ],
    );
    check(
        SimpleType::Time,
        &[(leap, "12:34:56.789Z"), ("\"13:34\"", "13:34:00")],
    );
    let zoned = |text: &str, simple| {
        let document = document(text).unwrap();
        let values = Values::new(&document, service());
        let zone = TimeZone::named(Some("-05:00"));
        values
            .simple(document.root(), simple, zone)
            .unwrap()
            .into_owned()
    };
    assert_eq!(
        zoned("\"2024-02-29T12:34:56Z\"", SimpleType::DateTime),
        "2024-02-29T07:34:56-05:00"
    );
    assert_eq!(
        zoned("\"2024-02-29T12:34:56\"", SimpleType::DateTime),
        "2024-02-29T12:34:56"
    );
    assert_eq!(
        zoned(leap, SimpleType::DateTime),
        "2024-02-29T12:34:56.789Z"
    );
    assert_eq!(
        zoned(r#""\/Date(1709175600000)\/""#, SimpleType::Date),
        "2024-02-28"
    );
}

#[test]
fn guids() {
    use svcgen_wire::types::Guid;
    for text in [
        "\"6F9619FF-8B86-D011-B42D-00C04FC964FF\"",
        "\"{6f9619ff-8b86-d011-b42d-00c04fc964ff}\"",
        "\"6f9619ff8b86d011b42d00c04fc964ff\"",
    ] {
        let guid = read::<Guid>(text).unwrap();
        assert_eq!(guid.to_string(), "6f9619ff-8b86-d011-b42d-00c04fc964ff");
    }
    assert_eq!(refused::<Guid>("\"\""), "Unrecognized Guid format.");
    assert_eq!(
        refused::<Guid>("null"),
        "Cannot convert null to a value type."
    );
}
