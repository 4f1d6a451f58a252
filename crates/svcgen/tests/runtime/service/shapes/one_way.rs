//! Operations that have no answer.

use std::sync::atomic::Ordering;

use svcgen::{Binding, CallError};

use super::calls::{Answer, SOAP, answer, client, client_told, form, ready, soap};
use super::service::*;

fn notify(server: &Server<DOCUMENT>, binding: Binding, text: &str, number: &str) -> Answer {
    let request = if binding.is_soap() {
        soap(
            binding,
            &format!(
                "<s:Body><t:Notify><t:text>{text}</t:text><t:number>{number}</t:number></t:Notify></s:Body>"
            ),
        )
    } else {
        form(binding, "Notify", &format!("text={text}&number={number}"))
    };
    answer(server, request)
}

#[test]
fn callers_hear_that_the_call_was_read_and_no_more() {
    let server = Server::<DOCUMENT>::new(Mirror::default());
    for binding in SOAP {
        for text in ["fails", "panic"] {
            let answered = notify(&server, binding, text, "1");
            assert_eq!(
                (answered.status, answered.body.as_str()),
                (202, ""),
                "{binding}"
            );
            assert_eq!(answered.content_type, None);
        }
    }
    assert_eq!(server.handler().notified.load(Ordering::Relaxed), 4);
}

#[test]
fn forms_have_no_such_calls() {
    let server = Server::<DOCUMENT>::new(Mirror::default());
    for binding in [Binding::HttpGet, Binding::HttpPost] {
        let answered = notify(&server, binding, "well", "1");
        assert_eq!((answered.status, answered.body.as_str()), (200, ""));
        assert_eq!(answered.content_type, None);
        assert_eq!(notify(&server, binding, "fails", "1").status, 500);
    }
}

#[test]
fn calls_that_cannot_be_read_are_refused() {
    let server = Server::<DOCUMENT>::new(Mirror::default());
    for binding in Binding::DEFAULT {
        assert_eq!(notify(&server, binding, "x", "many").status, 500);
    }
    for binding in SOAP {
        assert_eq!(notify(&server, binding, "&", "1").status, 400);
    }
    assert_eq!(server.handler().notified.load(Ordering::Relaxed), 0);
}

#[test]
fn callers_hear_nothing_of_headers_that_are_not_understood() {
    let server = Server::<DOCUMENT>::new(Mirror::default());
    for binding in SOAP {
        let header = r#"<s:Header><t:New s:mustUnderstand="1"/></s:Header>"#;
        let body = "<s:Body><t:Notify/></s:Body>";
        let answered = answer(&server, soap(binding, &format!("{header}{body}")));
        assert_eq!((answered.status, answered.body.as_str()), (202, ""));
        assert_eq!(answered.content_type, None);
    }
    assert_eq!(server.handler().notified.load(Ordering::Relaxed), 0);
}

#[test]
fn clients_take_any_empty_answer() {
    let call = |client: svcgen::codegen::Client<_>| {
        ready(client.call(2, &(), &NotifyRequest::default(), |answer| {
            answer.read::<()>()
        }))
    };
    for binding in Binding::DEFAULT {
        ready(
            client::<DOCUMENT>(binding).call(2, &(), &NotifyRequest::default(), |answer| {
                answer.read::<()>()
            }),
        )
        .unwrap();
        for status in [200, 202, 204] {
            ready(client_told(binding, status, "").call(
                2,
                &(),
                &NotifyRequest::default(),
                |answer| answer.read::<()>(),
            ))
            .unwrap();
        }
    }
    let error = call(client_told(Binding::Soap11, 404, "")).unwrap_err();
    assert!(matches!(error, CallError::Status { .. }), "{error}");
    // An empty answer is an error for an operation with a response.
    let error = ready(client_told(Binding::Soap11, 200, "").call(
        0,
        &(),
        &MirrorRequest::default(),
        |answer| answer.read::<()>(),
    ));
    assert!(error.is_err());
}
