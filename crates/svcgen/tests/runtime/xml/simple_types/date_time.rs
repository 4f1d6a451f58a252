//! dateTime, date and time.

use proptest::prelude::*;
use svcgen::chrono::{
    self, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Offset as _, TimeDelta, Utc,
};
use svcgen::types::{Date, DateTime, Time, Zone};

use super::{
    keeps, read, read_field, reads_fields, refuses, refuses_fields, rewrites, try_write, write,
    write_field,
};

const NO_DATE_TIME: &str = "String was not recognized as a valid DateTime.";

#[test]
fn date_and_time() {
    keeps::<DateTime>(&[
        "2002-05-30T09:00:00",
        "2002-05-30T09:00:00Z",
        "2002-05-30T09:00:00+02:00",
        "2002-05-30T09:00:00-05:30",
        "2002-05-30T09:00:00+00:00",
        "2002-05-30T09:00:00.5",
        "2002-05-30T09:00:00.0000001Z",
        "2002-05-30T09:00:00.1234567+14:00",
        "2002-05-30T09:00:00-14:00",
        "0001-01-01T00:00:00",
        "9999-12-31T23:59:59.9999999",
        "2000-02-29T00:00:00",
        "2400-02-29T00:00:00",
        "1969-12-31T23:59:59.9Z",
    ]);
    rewrites::<DateTime>(&[
        (" 2002-05-30T09:00:00 ", "2002-05-30T09:00:00"),
        ("\n\t2002-05-30T09:00:00Z\r\n", "2002-05-30T09:00:00Z"),
        ("2002-05-30T09:00:00z", "2002-05-30T09:00:00Z"),
        ("2002-05-30T09:00:00-00:00", "2002-05-30T09:00:00+00:00"),
        ("2002-05-30T09:00:00.50", "2002-05-30T09:00:00.5"),
        ("2002-05-30T09:00:00.0000000", "2002-05-30T09:00:00"),
        (
            "2002-05-30T09:00:00.12345674",
            "2002-05-30T09:00:00.1234567",
        ),
        (
            "2002-05-30T09:00:00.12345675",
            "2002-05-30T09:00:00.1234568",
        ),
        (
            "2002-05-30T09:00:00.12345665",
            "2002-05-30T09:00:00.1234566",
        ),
        (
            "2002-05-30T09:00:00.123456650000001",
            "2002-05-30T09:00:00.1234567",
        ),
        ("2002-12-31T23:59:59.99999999", "2003-01-01T00:00:00"),
        ("2002-05-30", "2002-05-30T00:00:00"),
        ("2002-05-30Z", "2002-05-30T00:00:00Z"),
        ("2002-05-30+02:00", "2002-05-30T00:00:00+02:00"),
        ("2002-05", "2002-05-01T00:00:00"),
        ("2002-05Z", "2002-05-01T00:00:00Z"),
        ("2002", "2002-01-01T00:00:00"),
        ("2002-05:00", "2002-01-01T00:00:00-05:00"),
        ("--02-29", "1904-02-29T00:00:00"),
        ("--05", "1904-05-01T00:00:00"),
        ("--05--+02:00", "1904-05-01T00:00:00+02:00"),
        ("---31", "1904-01-31T00:00:00"),
    ]);
    refuses::<DateTime>(
        &[
            "",
            " ",
            "abc",
            "2002-05-30T",
            "2002-05-30T09",
            "2002-05-30T09:00",
            "2002-05-30T09:00:0",
            "2002-05-30T09:00:00.",
            "2002-05-30T9:00:00",
            "2002-5-30T09:00:00",
            "02-05-30T09:00:00",
            "20020-05-30T09:00:00",
            "-2002-05-30T09:00:00",
            "+2002-05-30T09:00:00",
            "0000-05-30T09:00:00",
            "2002-00-30T09:00:00",
            "2002-13-30T09:00:00",
            "2002-05-00T09:00:00",
            "2002-04-31T09:00:00",
            "2001-02-29T09:00:00",
            "1900-02-29T09:00:00",
            "2002-05-30T25:00:00",
            "2002-05-30T24:00:00",
            "2002-12-31T24:00:00.000Z",
            "2002-05-30T24:01:00",
            "2002-05-30T09:60:00",
            "2002-06-30T23:59:60",
            "2002-06-30T23:59:60Z",
            "9999-12-31T23:59:59.99999999",
            "2002-05-30 09:00:00",
            "2002-05-30t09:00:00",
            "2002-05-30T09:00:00 Z",
            "2002-05-30T09:00:00ZZ",
            "2002-05-30T09:00:00Z+02:00",
            "2002-05-30T09:00:00+2:00",
            "2002-05-30T09:00:00+02",
            "2002-05-30T09:00:00+0200",
            "2002-05-30T09:00:00+14:01",
            "2002-05-30T09:00:00-15:00",
            "2002-05-30T09:00:00+02:60",
            "2002-05-30T09:00:00,5",
            "2002-05-30T09:00:+1",
            "2002-05-30T-9:00:00",
            "2002/05/30T09:00:00",
            "20020530T090000",
            "09:00",
            "T09:00:00",
            "200",
            "2002-13",
            "2002-05-",
            "--02-30",
            "--13",
            "--05-",
            "---32",
            "-05",
            "２００２-05-30T09:00:00",
            "2002-05-3０",
        ],
        "The string '{}' is not a valid AllXsd value.",
    );
}

fn this_day() -> NaiveDate {
    let now = std::time::UNIX_EPOCH.elapsed().unwrap();
    let now = chrono::DateTime::from_timestamp(now.as_secs() as i64, 0);
    now.unwrap().date_naive()
}

#[test]
fn time_alone_is_of_today() {
    let before = this_day();
    let read: DateTime = read(" 09:00:00.5-05:00 ").unwrap();
    assert!([before, this_day()].contains(&read.local.date()), "{read}");
    assert!(read.to_string().ends_with("T09:00:00.5-05:00"), "{read}");
}

#[test]
fn field_without_a_date_is_of_today_and_without_a_year_of_this_year() {
    let today = this_day();
    let read: DateTime = read_field("12:34").unwrap();
    assert!([today, this_day()].contains(&read.local.date()), "{read}");
    for text in ["5/30", "May 30", "5\u{6708}30\u{65e5}"] {
        let read: DateTime = read_field(text).unwrap();
        let year = &today.to_string()[..4];
        assert_eq!(read.to_string(), format!("{year}-05-30T00:00:00"), "{text}");
    }
}

#[test]
fn date_without_a_year_is_of_this_year() {
    let year = this_day().to_string()[..4].to_owned();
    let texts = [
        ("--05-30", "-05-30"),
        ("--05--", "-05-01"),
        ("---30Z", "-01-30"),
    ];
    for (text, rest) in texts {
        let read: Date = read(text).unwrap();
        assert_eq!(read.to_string(), format!("{year}{rest}"), "{text}");
    }
}

#[test]
fn date_and_time_in_a_form() {
    reads_fields::<DateTime>(&[
        ("2002-05-30T09:00:00.5Z", "2002-05-30T09:00:00.5Z"),
        ("2002-05-30 09:00:00", "2002-05-30T09:00:00"),
        (" 2002-05-30  9:00 ", "2002-05-30T09:00:00"),
        ("2002-05-30 09:00:00 +02:00", "2002-05-30T09:00:00+02:00"),
        ("2002-05-30", "2002-05-30T00:00:00"),
        ("05/30/2002 09:00:00", "2002-05-30T09:00:00"),
        ("5/3/2002", "2002-05-03T00:00:00"),
        ("5/30/2002 9:00:00 AM", "2002-05-30T09:00:00"),
        ("5/30/2002 9:05 pm", "2002-05-30T21:05:00"),
        ("5/30/2002 12:00:00 AM", "2002-05-30T00:00:00"),
        ("5/30/2002 12:30:00 PM", "2002-05-30T12:30:00"),
        ("5/30/2002 1:34:56 PM", "2002-05-30T13:34:56"),
        ("2002/5/9", "2002-05-09T00:00:00"),
        ("5-30-2002", "2002-05-30T00:00:00"),
        ("5/30/02", "2002-05-30T00:00:00"),
        ("5/30/98", "1998-05-30T00:00:00"),
        ("30 May 2002", "2002-05-30T00:00:00"),
        ("30-may-2002 09:00", "2002-05-30T09:00:00"),
        ("May 30, 2002", "2002-05-30T00:00:00"),
        ("2002 May 30", "2002-05-30T00:00:00"),
        ("February 2002", "2002-02-01T00:00:00"),
        ("2002-05", "2002-05-01T00:00:00"),
        ("05/2002", "2002-05-01T00:00:00"),
        ("Thursday, 30 May 2002", "2002-05-30T00:00:00"),
        ("Thu, 30 May 2002 09:00:00 GMT", "2002-05-30T09:00:00Z"),
        (
            "2002-05-30T09:00:00.1234567-05:00",
            "2002-05-30T09:00:00.1234567-05:00",
        ),
    ]);
    let bad = [
        "",
        "abc",
        "30/05/2002",
        "30.05.2002",
        "20020530",
        "2002",
        "/Date(0)/",
        "May",
        "30 Mai 2002",
        "Friday, 30 May 2002",
        "May 30 May 2002",
        "1 2 3 2002",
        "2002-05-30T",
        "T09:00:00",
        "2002-05-30T09:00:00 09:00:00",
        "2002-05-",
        "05/30/2002x",
        "5/30/2002 13:00 AM",
        "2002-05-30 09",
        "9:00 é",
        "123/1/2002",
    ];
    refuses_fields::<DateTime>(&bad, "System.DateTime", NO_DATE_TIME);
    assert_eq!(
        write_field(&"2002-05-30T09:00:00+02:00".parse::<DateTime>().unwrap()),
        "v=2002-05-30T09%3A00%3A00%2B02%3A00"
    );
    assert!(read_field::<Option<DateTime>>("").unwrap().is_none());
}

/// The results of `DateTime.Parse` for texts, with `today` and `year` for parts that were taken
/// from the day of the call. `tests/dates/run` prints such lines.
const READ_BY_ASMX: &str = include_str!("dates_of_asmx.txt");

#[test]
fn fields_are_read_as_by_asmx() {
    let given = std::env::var("DATES_OF_ASMX").ok();
    let given = given.map(|file| std::fs::read_to_string(file).unwrap());
    let lines: Vec<&str> = given.as_deref().unwrap_or(READ_BY_ASMX).lines().collect();
    assert!(lines.len() >= 300, "{} lines", lines.len());
    let today = this_day().to_string();
    let mut wrong = Vec::new();
    for line in lines {
        let (text, expected) = line.split_once('\t').unwrap();
        let expected = expected
            .replace("today", &today)
            .replace("year", &today[..4]);
        let read = read_field::<DateTime>(text).map(|read| match read.to_utc() {
            // .NET converts a moment to the time zone of its server, which is UTC here.
            Some(utc) => DateTime::from(utc).to_string(),
            None => read.to_string(),
        });
        let read = read.unwrap_or_else(|_| "refused".to_owned());
        if read != expected {
            wrong.push(format!("{text:?} is {expected}, and read as {read}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn offset_of_more_than_14_hours_in_a_form_is_a_moment() {
    reads_fields::<DateTime>(&[
        ("2002-05-30 09:00:00 +15:00", "2002-05-29T18:00:00Z"),
        ("2002-05-30T09:00:00-99:59", "2002-06-03T12:59:00Z"),
    ]);
}

#[test]
fn date() {
    keeps::<Date>(&["2002-05-30", "0001-01-01", "9999-12-31", "2000-02-29"]);
    rewrites::<Date>(&[
        (" 2002-05-30 ", "2002-05-30"),
        ("2002-05-30Z", "2002-05-30"),
        ("2002-05-30z", "2002-05-30"),
        ("2002-05-30+14:00", "2002-05-30"),
        ("2002-05-30-05:00", "2002-05-30"),
        ("2002-05", "2002-05-01"),
        ("2002Z", "2002-01-01"),
    ]);
    let bad = [
        "",
        "2002-5-30",
        "2002-05-30T00:00:00",
        "2002-05-30T",
        "2002-02-30",
        "0000-01-01",
        "10000-01-01",
        "-0001-01-01",
        "2002-05-30+14:01",
        "05/30/2002",
        "2002-5",
        "20020530",
        "09:00:00",
    ];
    refuses::<Date>(&bad, NO_DATE_TIME);
    reads_fields::<Date>(&[
        ("2002-05-30", "2002-05-30"),
        ("2002-05-30+02:00", "2002-05-30"),
        ("05/30/2002 00:00:00", "2002-05-30"),
        ("2002-05-30T09:00:00", "2002-05-30"),
    ]);
    refuses_fields::<Date>(
        &["", "2002-02-30", "30-05-2002"],
        "System.DateTime",
        NO_DATE_TIME,
    );
}

#[test]
fn time() {
    keeps::<Time>(&[
        "09:00:00.0000000+00:00",
        "00:00:00.0000000-05:00",
        "23:59:59.9999999+14:00",
    ]);
    rewrites::<Time>(&[
        ("09:00:00", "09:00:00.0000000+00:00"),
        (" 09:00:00\n", "09:00:00.0000000+00:00"),
        ("09:00:00Z", "09:00:00.0000000+00:00"),
        ("09:00:00.5+02:00", "09:00:00.5000000+02:00"),
    ]);
    refuses::<Time>(
        &[
            "",
            "9:00:00",
            "09:00",
            "24:00:00",
            "09:00:00.12345678",
            "09:00:60",
            "09:60:00",
            "09:00:00.",
            "09:00:00+15:00",
            "2002-05-30T09:00:00",
            "-09:00:00",
        ],
        NO_DATE_TIME,
    );
    let texts = ["09:00:00", "09:00:00Z", "09:00:00.5+02:00"];
    for text in texts {
        let time: Time = text.parse().unwrap();
        assert_eq!(time.to_string(), text);
        assert_eq!(read_field::<Time>(text).unwrap(), time);
    }
    reads_fields::<Time>(&[
        ("9:00", "09:00:00.0000000+00:00"),
        ("9:00 PM", "21:00:00.0000000+00:00"),
        ("01/01/0001 09:00:00", "09:00:00.0000000+00:00"),
        ("2002-05-30T09:00:00.5", "09:00:00.5000000+00:00"),
    ]);
    refuses_fields::<Time>(&["", "noon", "25:00", "9"], "System.DateTime", NO_DATE_TIME);
}

#[test]
fn a_moment_is_that_of_its_zone() {
    let utc = |text: &str| {
        text.parse::<DateTime>()
            .unwrap()
            .to_utc()
            .map(|utc| utc.to_string())
    };
    assert_eq!(
        utc("2002-05-30T09:00:00+02:00").as_deref(),
        Some("2002-05-30 07:00:00 UTC")
    );
    assert_eq!(
        utc("2002-05-30T09:00:00Z").as_deref(),
        Some("2002-05-30 09:00:00 UTC")
    );
    assert_eq!(utc("2002-05-30T09:00:00"), None);
    let moment: chrono::DateTime<Utc> = "2002-05-30T07:00:00Z".parse().unwrap();
    let offset = FixedOffset::east_opt(7200).unwrap();
    assert_eq!(write(&DateTime::from(moment)), "2002-05-30T07:00:00Z");
    assert_eq!(
        write(&DateTime::from(moment.with_timezone(&offset))),
        "2002-05-30T09:00:00+02:00"
    );
    assert_eq!(
        write(&DateTime::from(moment.naive_utc())),
        "2002-05-30T07:00:00"
    );
    assert_eq!(write(&DateTime::default()), "0001-01-01T00:00:00");
    assert_eq!(write(&Date::default()), "0001-01-01");
}

#[test]
fn what_dotnet_cannot_read_is_not_written() {
    let day = |year| NaiveDate::from_ymd_opt(year, 1, 1).unwrap();
    let midnight = NaiveTime::MIN;
    let message =
        "'v' is outside the years 1 to 9999, or its offset is not of whole minutes up to 14 hours.";
    for year in [-1, 0, 10_000, 200_000] {
        assert_eq!(try_write(&Date(day(year))).unwrap_err(), message);
        assert_eq!(
            try_write(&DateTime::from(day(year).and_time(midnight))).unwrap_err(),
            message
        );
    }
    for seconds in [1, 14 * 3600 + 60, -20 * 3600] {
        let zone = Zone::Offset(FixedOffset::east_opt(seconds).unwrap());
        assert_eq!(
            try_write(&DateTime::new(day(2002).and_time(midnight), zone)).unwrap_err(),
            message
        );
        assert_eq!(try_write(&Time::new(midnight, zone)).unwrap_err(), message);
    }
    let leap_second = NaiveTime::from_hms_nano_opt(23, 59, 59, 1_500_000_000).unwrap();
    assert_eq!(write(&Time::from(leap_second)), "23:59:59.9999999+00:00");
}

#[test]
fn text_of_a_value_is_not_in_its_error() {
    let error = "hunter2".parse::<DateTime>().unwrap_err();
    assert_eq!(error.to_string(), "The string is not a valid dateTime.");
    assert_eq!(
        "x".parse::<Time>().unwrap_err().to_string(),
        "The string is not a valid time."
    );
}

fn zones() -> impl Strategy<Value = Zone> {
    let offset = (-840..=840)
        .prop_map(|minutes: i32| Zone::Offset(FixedOffset::east_opt(minutes * 60).unwrap()));
    prop_oneof![Just(Zone::Unspecified), Just(Zone::Utc), offset]
}

fn ticks(day: u64) -> TimeDelta {
    TimeDelta::nanoseconds(day as i64 * 100)
}

fn local() -> impl Strategy<Value = NaiveDateTime> {
    // Days from 0001-01-01 to 9999-12-31, and ticks of a day.
    (1..=3_652_059i32, 0..864_000_000_000u64).prop_map(|(day, time)| {
        NaiveDate::from_num_days_from_ce_opt(day)
            .unwrap()
            .and_time(NaiveTime::MIN)
            + ticks(time)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_date_and_time_is_read_as_it_was_written(local in local(), zone in zones()) {
        let value = DateTime::new(local, zone);
        prop_assert_eq!(read::<DateTime>(&write(&value)).unwrap(), value);
        prop_assert_eq!(value.to_string().parse::<DateTime>().unwrap(), value);
        prop_assert_eq!(read_field::<DateTime>(&value.to_string()).unwrap(), value);
    }

    #[test]
    fn every_time_is_read_as_it_was_written(local in local(), zone in zones()) {
        let value = Time::new(local.time(), zone);
        let offset = zone.offset().unwrap_or(Utc.fix());
        let written = Time::new(local.time(), Zone::Offset(offset));
        prop_assert_eq!(read::<Time>(&write(&value)).unwrap(), written);
        prop_assert_eq!(value.to_string().parse::<Time>().unwrap(), value);
        prop_assert_eq!(read_field::<Time>(&value.to_string()).unwrap(), value);
    }

    #[test]
    fn every_date_is_read_as_it_was_written(local in local()) {
        let value = Date(local.date());
        prop_assert_eq!(read::<Date>(&write(&value)).unwrap(), value);
    }

    #[test]
    fn no_text_is_too_strange(text in "[-+0-9TZ:./ APM]{0,30}") {
        let _ = (read::<DateTime>(&text).is_ok(), read::<Date>(&text).is_ok(), read::<Time>(&text).is_ok());
        let _ = (read_field::<DateTime>(&text).is_ok(), read_field::<Date>(&text).is_ok(), read_field::<Time>(&text).is_ok());
    }
}
