//! JSON, as `GJson.cs` was recorded to speak it.

mod calls;
mod clients;
mod services;

use bytes::Bytes;
use svcgen_tests::lab::{Departure, replay};
use svcgen_tests::raw_http::Running;
use svcgen_tests::recorded;

const DEPARTURES: [Departure; 8] = [
    Departure {
        name: "json-ct/json-on-service-soapaction",
        why: "a line says which media types are served",
        status: 415,
        holds: &["text/xml (SOAP 1.1)"],
    },
    Departure {
        name: "json-error/hidden-missing",
        why: "callers are told what is wrong",
        status: 500,
        holds: &["missing value for parameter: \\u0027b\\u0027."],
    },
    Departure {
        name: "json-error/hidden-throw",
        why: "callers are told what is wrong",
        status: 500,
        holds: &["boom", "System.ApplicationException"],
    },
    Departure {
        name: "json-error/outref",
        why: "an operation with several results is none over JSON, where the original can be called by nobody",
        status: 500,
        holds: &["OutRef is not called over JSON", "bindings: [soap11, json]"],
    },
    Departure {
        name: "json-value/bytes-04",
        why: "base64 is read, as ordinary writers of JSON send it",
        status: 200,
        holds: &[r#"{"d":[0,1,255]}"#],
    },
    Departure {
        name: "json-value/date-06",
        why: "ordinary writers of JSON do not escape the solidus",
        status: 200,
        holds: &["2024-02-29T12:34:56.7890000Z Utc"],
    },
    Departure {
        name: "json-value/int-16",
        why: "the recorded converter of numbers is not that of .NET Framework",
        status: 500,
        holds: &[
            r#""2147483648 is not a valid value for Int32.","StackTrace":"","ExceptionType":"System.Exception""#,
        ],
    },
    Departure {
        name: "json-value/map-01",
        why: "a definition has no dictionaries, so the service has no such operation",
        status: 404,
        holds: &["Unknown web method EchoMap."],
    },
];

fn running() -> Running {
    Running::of(services::router())
}

#[test]
fn calls_are_answered_as_recorded() {
    let folders = [
        "json-ct",
        "json-error",
        "json-get",
        "json-limit",
        "json-object",
        "json-req",
        "json-route",
        "json-value",
        "json-xml",
    ];
    replay(&running(), &folders, &DEPARTURES);
}

#[tokio::test]
async fn recordings_are_replayed_in_process() {
    let folder = tempfile::tempdir().unwrap();
    recorded::write_folders(&recorded::lab(&["json-xml"]), folder.path());
    let answered = svcgen::testing::replay(services::router(), &folder).await;
    answered.unwrap();
}

/// An `object` of .NET takes objects of no known type as dictionaries, and answers them in their order.
#[tokio::test]
async fn objects_of_no_type_are_dictionaries() {
    for (value, expected) in [
        (r#"{"b":1,"a":[{"c":null}],"":"x"}"#, None),
        (
            r#"{"q\"<":{"d":{"e":true}}}"#,
            Some(r#"{"q\"\u003c":{"d":{"e":true}}}"#),
        ),
        // The last of a name counts, in the first place.
        (r#"{"b":1,"a":2,"b":3}"#, Some(r#"{"b":3,"a":2}"#)),
        ("{}", None),
    ] {
        let request = http::Request::post("/GJson.asmx/EchoMapObj");
        let request = request.header("Content-Type", "application/json");
        let request = request.body(Bytes::from(format!(r#"{{"v":{value}}}"#)));
        let answer = services::router().answer(request.unwrap()).await;
        let expected = expected.unwrap_or(value);
        assert_eq!(answer.body(), &format!(r#"{{"d":{expected}}}"#));
        assert_eq!(answer.status(), 200);
    }
}
