//! A service in a time zone: the values of its handler, and the texts on the wire.

use http::{Request, StatusCode};
use svcgen::types::{Date, DateTime, Time};
use svcgen::{Binding, Context, Fault};
use svcgen_codegen::Config;

use crate::shapes::wait;

svcgen::include_service!("clock");

use clock::*;

/// Returns its parameters, in another zone if the value has an offset.
struct Echo;

impl ClockHandler for Echo {
    async fn echo_moment(
        &self,
        _: &Context,
        request: EchoMomentRequest,
    ) -> Result<DateTime, Fault> {
        Ok(request.v)
    }

    async fn echo_day(&self, _: &Context, request: EchoDayRequest) -> Result<Date, Fault> {
        Ok(request.v)
    }

    async fn echo_time(&self, _: &Context, request: EchoTimeRequest) -> Result<Time, Fault> {
        Ok(request.v)
    }

    async fn fail(&self, _: &Context, request: FailRequest) -> Result<(), Fault> {
        let late = LateDetail { value: request.v };
        let closed = Hours {
            until: "2024-02-29T23:00:00+02:00".parse().unwrap(),
            day: None,
        };
        Err(Fault::client("late")
            .with_detail(&late)
            .with_detail(&closed))
    }
}

fn soap(operation: &str, text: &str) -> String {
    let envelope = format!(
        r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><{operation} xmlns="urn:example:clock"><v>{text}</v></{operation}></s:Body></s:Envelope>"#
    );
    let request = Request::post("/Clock.asmx").header("Content-Type", "text/xml");
    answer(
        request.body(envelope.into()).unwrap(),
        &format!("<{operation}Result>"),
    )
}

fn get(operation: &str, text: &str) -> String {
    let text: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let request = Request::get(format!("/Clock.asmx/{operation}?v={text}"));
    answer(
        request.body(Vec::new().into()).unwrap(),
        "\"urn:example:clock\">",
    )
}

/// Returns the text after a tag in the answer.
fn answer(request: Request<bytes::Bytes>, tag: &str) -> String {
    let response = wait(ClockServer::new(Echo).answer(request));
    let body = String::from_utf8(response.body().to_vec()).unwrap();
    assert_eq!(response.status(), StatusCode::OK, "{body}");
    let (_, rest) = body.split_once(tag).unwrap_or_else(|| panic!("{body}"));
    rest[..rest.find('<').unwrap()].to_owned()
}

#[test]
fn offsets_are_shown_in_the_zone() {
    let rows = [
        ("EchoMoment", "2024-02-29T12:00:00", "2024-02-29T12:00:00"),
        ("EchoMoment", "2024-02-29T12:00:00Z", "2024-02-29T12:00:00Z"),
        (
            "EchoMoment",
            "2024-02-29T23:00:00.5-05:00",
            "2024-03-01T09:30:00.5+05:30",
        ),
        (
            "EchoMoment",
            "2024-02-29T12:00:00+05:30",
            "2024-02-29T12:00:00+05:30",
        ),
        // The year 10000 is not possible.
        (
            "EchoMoment",
            "9999-12-31T23:00:00+00:00",
            "9999-12-31T23:00:00+00:00",
        ),
        ("EchoDay", "2024-02-29", "2024-02-29"),
        ("EchoDay", "2024-02-29Z", "2024-02-29"),
        ("EchoDay", "2024-02-29+14:00", "2024-02-28"),
        ("EchoTime", "12:00:00", "12:00:00.0000000+05:30"),
        ("EchoTime", "23:00:00+00:00", "04:30:00.0000000+05:30"),
        ("EchoTime", "12:00:00Z", "17:30:00.0000000+05:30"),
    ];
    for (operation, sent, expected) in rows {
        assert_eq!(soap(operation, sent), expected, "{operation} {sent}");
    }
}

#[test]
fn moments_of_forms_are_shown_in_the_zone() {
    let rows = [
        ("EchoMoment", "2024-02-29 12:00", "2024-02-29T12:00:00"),
        (
            "EchoMoment",
            "2024-02-29T12:00:00Z",
            "2024-02-29T17:30:00+05:30",
        ),
        (
            "EchoMoment",
            "Thu, 29 Feb 2024 20:00:00 GMT",
            "2024-03-01T01:30:00+05:30",
        ),
        ("EchoDay", "2024-02-29T20:00:00Z", "2024-03-01"),
        ("EchoTime", "2024-02-29T20:00:00Z", "01:30:00.0000000+05:30"),
    ];
    for (operation, sent, expected) in rows {
        assert_eq!(get(operation, sent), expected, "{operation} {sent}");
    }
}

#[test]
fn client_and_server_mean_the_same_moment() {
    for binding in Binding::DEFAULT {
        let transport = ClockServer::new(Echo);
        let client = ClockClient::new(transport, "http://localhost").unwrap();
        let client = client.with_binding(binding);
        let sent: DateTime = "2024-02-29T23:00:00-05:00".parse().unwrap();
        let got = wait(client.echo_moment(&EchoMomentRequest { v: sent })).unwrap();
        assert_eq!(got.to_utc(), sent.to_utc(), "{binding:?}");
        assert_eq!(got.to_string(), "2024-03-01T09:30:00+05:30", "{binding:?}");
    }
}

#[test]
fn names_of_zones_are_those_of_the_database() {
    let definition = |zone: &str| {
        format!(
            "{{ service: S, namespace: 'urn:s', path: /s, time_zone: '{zone}', operations: {{ A: }} }}"
        )
    };
    for zone in chrono_tz::TZ_VARIANTS {
        let checked = Config::new().describe("s", definition(zone.name()));
        assert!(checked.is_ok(), "{}", zone.name());
    }
    for wrong in [
        "EST5",
        "America/Newyork",
        "",
        "Z",
        "-5:00",
        "+14:01",
        "05:00",
        "+05:60",
    ] {
        let checked = Config::new().describe("s", definition(wrong));
        assert!(checked.is_err(), "{wrong}");
    }
}

#[tokio::test]
async fn details_of_faults_are_in_the_zone() {
    for binding in [Binding::Soap11, Binding::Soap12] {
        let client = ClockClient::new(ClockServer::new(Echo), "http://h").unwrap();
        let client = client.with_binding(binding);
        let v: DateTime = "2024-02-29T12:00:00+01:00".parse().unwrap();
        let error = client.fail(&FailRequest { v }).await.unwrap_err();
        let fault = error.fault().unwrap();
        assert_eq!(
            fault.detail().unwrap().replace(" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"", ""),
            "<Late xmlns=\"urn:example:clock\">2024-02-29T16:30:00+05:30</Late><Closed xmlns=\"urn:example:clock\"><Until>2024-03-01T02:30:00+05:30</Until><Day xsi:nil=\"true\" /></Closed>"
        );
    }
}

#[test]
fn details_that_others_wrote_are_read_in_the_zone() {
    let xml = "<Closed xmlns=\"urn:example:clock\"><Until>2024-02-29T23:00:00+02:00</Until><Day>2024-02-29-08:00</Day></Closed>";
    let fault = Fault::client("").with_detail_xml(svcgen::types::XmlFragment::parse(xml).unwrap());
    let hours = fault.read_detail::<Hours>().unwrap().unwrap();
    assert_eq!(hours.until.to_string(), "2024-03-01T02:30:00+05:30");
    assert_eq!(hours.day.unwrap().to_string(), "2024-02-29");
}

#[test]
fn the_page_and_the_reference_tell_the_zone() {
    let request = Request::get("/Clock.asmx").header("host", "localhost");
    let page = wait(ClockServer::new(Echo).answer(request.body(bytes::Bytes::new()).unwrap()));
    let page = String::from_utf8(page.body().to_vec()).unwrap();
    let fact = "<dt>Time zone</dt><dd><code>Asia/Kolkata</code>";
    assert!(page.contains(fact), "{page}");
    let text = include_str!("../definitions/valid/time_zone.yaml");
    let described = Config::new().describe("time_zone.yaml", text).unwrap();
    let written = described.with(|service| {
        [
            svcgen_documents::reference::markdown(service),
            svcgen_documents::reference::html(service),
        ]
    });
    let [markdown, html] = written.unwrap();
    assert!(
        markdown.contains("| Time zone | `Asia/Kolkata` |"),
        "{markdown}"
    );
    assert!(html.contains(fact), "{html}");
}
