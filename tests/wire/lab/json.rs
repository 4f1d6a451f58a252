//! JSON, as recorded with `GJson.cs`.

mod calls;
mod clients;
mod services;

use bytes::Bytes;
use svcgen_tests::lab::{Departure, replay};
use svcgen_tests::raw_http::Running;
use svcgen_tests::recorded;

const DEPARTURES: [Departure; 7] = [
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
    let answered = svcgen_testing::replay(services::router(), &folder).await;
    answered.unwrap();
}

/// For .NET, objects of an unknown type are dictionaries in an `object`, and are returned in their
/// order.
#[tokio::test]
async fn objects_of_no_type_are_dictionaries() {
    for (value, expected) in [
        (r#"{"b":1,"a":[{"c":null}],"":"x"}"#, None),
        (
            r#"{"q\"<":{"d":{"e":true}}}"#,
            Some(r#"{"q\"\u003c":{"d":{"e":true}}}"#),
        ),
        // Of several members with the same name, the last value counts, at the place of the first.
        (r#"{"b":1,"a":2,"b":3}"#, Some(r#"{"b":3,"a":2}"#)),
        ("{}", None),
    ] {
        let answer = asked("EchoMapObj", format!(r#"{{"v":{value}}}"#)).await;
        let expected = expected.unwrap_or(value);
        assert_eq!(answer, (200, format!(r#"{{"d":{expected}}}"#)));
    }
}

async fn asked(operation: &str, body: String) -> (u16, String) {
    let request = http::Request::post(format!("/GJson.asmx/{operation}"));
    let request = request.header("Content-Type", "application/json");
    let request = request.body(Bytes::from(body));
    let answer = services::router().answer(request.unwrap()).await;
    let body = String::from_utf8(answer.body().to_vec()).unwrap();
    (answer.status().as_u16(), body)
}

#[tokio::test]
async fn dictionaries_keep_their_order_and_are_null_where_there_is_none() {
    for (value, expected) in [
        (r#"{"b":1,"a":"2","":-3}"#, r#"{"b":1,"a":2,"":-3}"#),
        // Of several entries with the same key, the last value counts, at the place of the first.
        (r#"{"b":1,"a":2,"b":3}"#, r#"{"b":3,"a":2}"#),
        (r#"{"B":1,"b":2}"#, r#"{"B":1,"b":2}"#),
        ("{}", "{}"),
        ("null", "null"),
    ] {
        let answer = asked("EchoMap", format!(r#"{{"v":{value}}}"#)).await;
        assert_eq!(answer, (200, format!(r#"{{"d":{expected}}}"#)));
    }
    let escaped = asked("EscapedKeys", "{}".to_owned()).await;
    let expected = r#"{"d":{"__type":"mine","a\"b\u0027c\u003cd\u003e\u0026é":"v"}}"#;
    assert_eq!(escaped, (200, expected.to_owned()));
}

#[tokio::test]
async fn what_is_no_dictionary_is_refused() {
    for (value, expected) in [
        ("[]", "is not supported for deserialization of an array."),
        (
            r#"[{"Key":"a","Value":1}]"#,
            "is not supported for deserialization of an array.",
        ),
        (
            "5",
            "Cannot convert object of type \\u0027System.Int32\\u0027",
        ),
        (r#"{"a":"x"}"#, "x is not a valid value for Int32."),
        (r#"{"a":null}"#, "Cannot convert null to a value type."),
        (
            r#"{"__type":"Lab.G.Person","a":1}"#,
            "Cannot convert object of type \\u0027Lab.G.Person\\u0027",
        ),
        (
            r#"{"__type":"zzz"}"#,
            "Operation is not valid due to the current state of the object.",
        ),
    ] {
        let (status, body) = asked("EchoMap", format!(r#"{{"v":{value}}}"#)).await;
        assert_eq!(status, 500, "{value}");
        assert!(body.contains(expected), "{value}: {body}");
    }
}
