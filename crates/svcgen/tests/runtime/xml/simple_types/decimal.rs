//! decimal.

use proptest::prelude::*;
use svcgen::types::Decimal;

use super::{
    keeps, read, read_field, reads_fields, refuses, refuses_fields, rewrites, write, write_field,
};

const NOT_A_NUMBER: &str = "Input string was not in a correct format.";
const OUT_OF_RANGE: &str = "Value was either too large or too small for a Decimal.";

#[test]
fn decimals() {
    keeps::<Decimal>(&[
        "0",
        "1",
        "-1",
        "1.10",
        "0.00",
        "-0.5",
        "100",
        "3.14159",
        "79228162514264337593543950335",
        "-79228162514264337593543950335",
        "7.9228162514264337593543950335",
        "0.0000000000000000000000000001",
        "0.0000000000000000000000000000",
    ]);
    rewrites::<Decimal>(&[
        (" 1.5\n", "1.5"),
        ("+1.5", "1.5"),
        ("1.", "1"),
        (".5", "0.5"),
        ("-.5", "-0.5"),
        ("007", "7"),
        ("-0", "0"),
        ("-0.00", "0.00"),
        ("000000000000000000000000000000000000001.0", "1.0"),
        (
            "0.00000000000000000000000000005",
            "0.0000000000000000000000000000",
        ),
        (
            "0.00000000000000000000000000015",
            "0.0000000000000000000000000002",
        ),
        (
            "0.00000000000000000000000000025",
            "0.0000000000000000000000000002",
        ),
        (
            "0.000000000000000000000000000250000001",
            "0.0000000000000000000000000003",
        ),
        (
            "1.99999999999999999999999999999999",
            "2.0000000000000000000000000000",
        ),
        (
            "79228162514264337593543950335.4",
            "79228162514264337593543950335",
        ),
        (
            "7922816251426433759354395033.55",
            "7922816251426433759354395034",
        ),
        (
            "7.92281625142643375935439503359",
            "7.922816251426433759354395034",
        ),
        (
            "8.0000000000000000000000000000",
            "8.000000000000000000000000000",
        ),
    ]);
    refuses::<Decimal>(
        &[
            "", " ", ".", "+", "-", "--1", "+-1", "1-", "1e5", "1E+5", "1,000", "1.2.3", "0x10",
            "abc", "1_000", "INF", "NaN", "1 2", "١",
        ],
        NOT_A_NUMBER,
    );
    refuses::<Decimal>(
        &[
            "79228162514264337593543950336",
            "-79228162514264337593543950336",
            "79228162514264337593543950335.5",
            "100000000000000000000000000000",
            "1000000000000000000000000000000000000000000000000000000000000.5",
        ],
        OUT_OF_RANGE,
    );
}

#[test]
fn decimals_in_a_form() {
    reads_fields::<Decimal>(&[
        ("1.10", "1.10"),
        (" -.5 ", "-0.5"),
        ("1,000", "1000"),
        ("1,0,0", "100"),
        ("1,000.50", "1000.50"),
        ("5-", "-5"),
        ("1,0.5 -", "-10.5"),
        (".5+", "0.5"),
    ]);
    refuses_fields::<Decimal>(
        &[
            "", "abc", ",1", "1.0,0", "1e3", "(5)", "$5", "-5-", "-", "5--",
        ],
        "System.Decimal",
        NOT_A_NUMBER,
    );
    assert_eq!(write_field(&"1.10".parse::<Decimal>().unwrap()), "v=1.10");
    assert_eq!(read_field::<Option<Decimal>>("").unwrap(), None);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_decimal_is_read_as_it_was_written(low: u32, middle: u32, high: u32, negative: bool, scale in 0..=28u32) {
        let value = Decimal::from_parts(low, middle, high, negative, scale);
        let again = read::<Decimal>(&write(&value)).unwrap();
        prop_assert_eq!((again, again.scale()), (value, value.scale()));
    }

    #[test]
    fn no_decimal_is_too_strange(text in "[-+]?[0-9]{0,40}[.]?[0-9]{0,40}") {
        let _ = read::<Decimal>(&text).is_ok();
    }
}
