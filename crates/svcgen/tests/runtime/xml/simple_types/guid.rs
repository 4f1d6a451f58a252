//! guid.

use proptest::prelude::*;
use svcgen::types::Guid;

use super::{keeps, read, reads_fields, refuses, refuses_fields, rewrites, write};

const NOT_ONE: &str =
    "Guid should contain 32 digits with 4 dashes (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx).";

#[test]
fn guids() {
    const CANONICAL: &str = "0f8fad5b-d9cb-469f-a165-70867728950e";
    keeps::<Guid>(&[
        CANONICAL,
        "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ]);
    rewrites::<Guid>(&[
        ("0F8FAD5B-D9CB-469F-A165-70867728950E", CANONICAL),
        (" 0f8fad5b-D9CB-469f-a165-70867728950e\n", CANONICAL),
        ("0f8fad5bd9cb469fa16570867728950e", CANONICAL),
        ("{0f8fad5b-d9cb-469f-a165-70867728950e}", CANONICAL),
        ("(0f8fad5b-d9cb-469f-a165-70867728950e)", CANONICAL),
    ]);
    refuses::<Guid>(
        &[
            "abc",
            "0f8fad5b-d9cb-469f-a165-70867728950",
            "0f8fad5b-d9cb-469f-a165-70867728950e0",
            "0f8fad5b-d9cb-469f-a165-70867728950g",
            "0f8fad5bd9cb-469f-a165-70867728950e",
            "0f8fad5-bd9cb-469f-a165-70867728950e",
            "{0f8fad5b-d9cb-469f-a165-70867728950e",
            "0f8fad5b-d9cb-469f-a165-70867728950e}",
            "{0f8fad5b-d9cb-469f-a165-70867728950e)",
            "{0f8fad5bd9cb469fa16570867728950e}",
            "{{0f8fad5b-d9cb-469f-a165-70867728950e}}",
            "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
            "0f8fad5b d9cb 469f a165 70867728950e",
            "----------------0f8fad5bd9cb469f",
            "éééééééééééééééé",
        ],
        NOT_ONE,
    );
    reads_fields::<Guid>(&[("{0F8FAD5B-D9CB-469F-A165-70867728950E}", CANONICAL)]);
    refuses::<Guid>(&[""], "Unrecognized Guid format.");
    refuses_fields::<Guid>(&["abc"], "System.Guid", NOT_ONE);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_guid_is_read_as_it_was_written(bytes: [u8; 16]) {
        let value = Guid::from_bytes(bytes);
        prop_assert_eq!(read::<Guid>(&write(&value)).unwrap(), value);
        prop_assert_eq!(read::<Guid>(&write(&value).to_uppercase()).unwrap(), value);
    }
}
