//! hexBinary.

use std::borrow::Cow;

use proptest::prelude::*;
use svcgen::ReadErrorKind;
use svcgen::codegen::{Element, FormFields};
use svcgen::types::HexBinary;

use super::{keeps, read, rewrites, write, write_field};

#[test]
fn hexadecimal_bytes() {
    keeps::<HexBinary>(&["", "00", "0FB7", "DEADBEEF"]);
    rewrites::<HexBinary>(&[
        ("0fb7", "0FB7"),
        (" 0f b7\n", "0FB7"),
        ("dEaDbEeF", "DEADBEEF"),
        ("0 f", "0F"),
    ]);
    for bad in ["0", "0FB", "0G", "0x0F", "-0F", "é0", "１１"] {
        let error = read::<HexBinary>(bad).unwrap_err();
        assert_eq!(error.kind(), ReadErrorKind::Malformed, "{bad}");
        assert_eq!((error.line(), error.column()), (Some(1), Some(2)), "{bad}");
    }
    assert_eq!(
        "0FB".parse::<HexBinary>().unwrap_err().to_string(),
        "The string is not a valid hexBinary."
    );
}

#[test]
fn in_a_form_bytes_are_decimal() {
    assert_eq!(write_field(&HexBinary(vec![65, 66])), "v=65&v=66");
    let fields: &FormFields<'_> = &[
        (Cow::Borrowed("v"), Cow::Borrowed("65")),
        (Cow::Borrowed("v"), Cow::Borrowed("66")),
    ];
    let mut value: Option<HexBinary> = None;
    Element::from_form("v", fields).read(&mut value).unwrap();
    assert_eq!(value, Some(HexBinary(vec![65, 66])));
    Element::from_form("v", &[]).read(&mut value).unwrap();
    assert_eq!(value, None);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_bytes_are_read_as_they_were_written(bytes: Vec<u8>) {
        let value = HexBinary(bytes);
        prop_assert_eq!(&read::<HexBinary>(&write(&value)).unwrap(), &value);
        prop_assert_eq!(&read::<HexBinary>(&write(&value).to_lowercase()).unwrap(), &value);
    }
}
