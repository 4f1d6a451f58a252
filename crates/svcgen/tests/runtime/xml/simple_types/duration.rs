//! duration.

use proptest::prelude::*;
use svcgen::types::Duration;

use super::{keeps, read, read_document, reads_fields, refuses, refuses_fields, rewrites, write};

#[test]
fn durations() {
    keeps::<Duration>(&[
        "P1Y",
        "P1M",
        "P1D",
        "PT1H",
        "PT1M",
        "PT1S",
        "PT0.5S",
        "P1Y2M3DT4H5M6.789S",
        "-P1Y",
        "-PT0.000000001S",
        "PT90M",
        "P400D",
        "P1YT1S",
        "PT0S",
        "PT18446744073709551615S",
        "P18446744073709551615Y",
    ]);
    rewrites::<Duration>(&[
        (" P1D\n", "P1D"),
        ("P0Y", "PT0S"),
        ("-P0D", "PT0S"),
        ("P0Y0M0DT0H0M0S", "PT0S"),
        ("P01D", "P1D"),
        ("P0Y1D", "P1D"),
        ("PT1.50S", "PT1.5S"),
        ("PT1.000S", "PT1S"),
        ("PT0.1234567891S", "PT0.123456789S"),
    ]);
    refuses::<Duration>(
        &[
            "",
            " ",
            "P",
            "-P",
            "PT",
            "P1",
            "P1YT",
            "1Y",
            "P1S",
            "P1H",
            "PT1Y",
            "PT1D",
            "P1M1Y",
            "P1D1Y",
            "PT1S1M",
            "P-1Y",
            "+P1Y",
            "--P1Y",
            "P+1Y",
            "P1.5Y",
            "PT1.5M",
            "PT1.S",
            "PT.5S",
            "PT1.5",
            "PT-1S",
            "p1y",
            "P1y",
            "P 1Y",
            "P1Y 2M",
            "P1W",
            "PYMD",
            "PT1ST",
            "P1DT1HT1M",
            "PT1.+5S",
            "PT18446744073709551616S",
            "P1Y2Y",
            "１",
        ],
        "The string '{}' is not a valid Duration value.",
    );
    let nil = r#"<v xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>"#;
    assert_eq!(read_document::<Duration>(nil).unwrap(), Duration::default());
    assert_eq!(read_document::<Option<Duration>>(nil).unwrap(), None);
}

#[test]
fn durations_in_a_form() {
    reads_fields::<Duration>(&[("P1D", "P1D")]);
    refuses_fields::<Duration>(
        &["", "1 day"],
        "duration",
        "The string '{}' is not a valid Duration value.",
    );
}

#[test]
fn only_lengths_of_time_are_std_durations() {
    let parse = |text: &str| std::time::Duration::try_from(text.parse::<Duration>().unwrap()).ok();
    assert_eq!(
        parse("P1DT1H1M1.5S"),
        Some(std::time::Duration::from_millis(90_061_500))
    );
    assert_eq!(parse("P1M"), None);
    assert_eq!(parse("-PT1S"), None);
    assert_eq!(parse("P18446744073709551615D"), None);
    assert_eq!(
        write(&Duration::from(std::time::Duration::from_millis(1_500))),
        "PT1.5S"
    );
}

#[test]
fn nanoseconds_of_more_than_a_second_are_seconds() {
    let value = Duration {
        seconds: u64::MAX,
        nanoseconds: 1_500_000_000,
        ..Duration::default()
    };
    assert_eq!(write(&value), "PT18446744073709551616.5S");
    assert_eq!(
        write(&Duration {
            nanoseconds: 3_000_000_000,
            ..Duration::default()
        }),
        "PT3S"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_duration_is_read_as_it_was_written(negative: bool, parts: [u64; 6], zero: [bool; 7], nanoseconds in 0..1_000_000_000u32) {
        let part = |index: usize| if zero[index] { 0 } else { parts[index] };
        let mut value = Duration {
            negative,
            years: part(0),
            months: part(1),
            days: part(2),
            hours: part(3),
            minutes: part(4),
            seconds: part(5),
            nanoseconds: if zero[6] { 0 } else { nanoseconds },
        };
        value.negative &= value != Duration { negative: true, ..Duration::default() };
        prop_assert_eq!(read::<Duration>(&write(&value)).unwrap(), value);
    }

    #[test]
    fn no_duration_is_too_strange(text in "[-+]?P?[0-9YMDTHS.]{0,30}") {
        let _ = read::<Duration>(&text).is_ok();
    }
}
