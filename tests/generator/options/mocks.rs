//! Mocks: their answers, the calls that they record, and their messages about unexpected calls.

use std::panic::{AssertUnwindSafe, catch_unwind};

use svcgen::{Binding, CallError, Fault, Router};
use svcgen_codegen::Config;

use super::{SHOP, generate, wait};

#[derive(svcgen::Service)]
#[service(definition = "generator/options/mocked.yaml", mocks = true)]
struct Desk;

use desk::{
    DeskClient, DeskServer, GreetRequest, Greeting, MockDesk, NamesRequest, NotifyRequest,
    OpenHeaders, ParseRequest, ParseResponse, Ticket, TraceHeaders, TraceRequest,
    TraceResponseHeaders,
};

fn request(name: &str) -> GreetRequest {
    GreetRequest {
        name: Some(name.to_owned()),
        word: Some("hunter2".into()),
    }
}

fn greeting(text: &str) -> Greeting {
    Greeting {
        text: Some(text.to_owned()),
        length: text.len() as i32,
    }
}

fn text_of(fault: Result<Greeting, CallError>) -> String {
    match fault {
        Err(CallError::Fault(fault)) => fault.text().to_owned(),
        other => panic!("no fault: {other:?}"),
    }
}

/// Returns the message of a panic.
fn said(panics: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(panics)).expect_err("a panic");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic!("no text: {panic:?}"),
    }
}

#[test]
fn a_mock_answers_in_the_order_of_its_expectations_over_each_binding() {
    for binding in Binding::ALL {
        let mock = MockDesk::new();
        mock.greet.returns(greeting("Hello"));
        mock.greet.returns(greeting("Again")).times(2);
        mock.greet.fails(Fault::client("Enough."));
        mock.greet.answers(|context, request| {
            let name = request.name.unwrap_or_default();
            Ok(greeting(&format!("{name} over {}", context.binding())))
        });
        let client = mock.client().with_binding(binding);
        let answer = || wait(client.greet(&request("Ada")));
        assert_eq!(answer().unwrap(), greeting("Hello"));
        assert_eq!(answer().unwrap(), greeting("Again"));
        assert_eq!(answer().unwrap(), greeting("Again"));
        let fault = answer().expect_err("a fault");
        assert!(fault.to_string().contains("Enough."), "{fault}");
        assert_eq!(answer().unwrap(), greeting(&format!("Ada over {binding}")));
        assert_eq!(mock.greet.calls(), vec![request("Ada"); 5]);
        mock.verify();
    }
}

#[test]
fn operations_of_every_shape_are_mocked() {
    let ticket = || Ticket {
        key: "k".to_owned(),
    };
    let mock = MockDesk::new();
    let client = mock.client();
    mock.notify.returns(());
    let notice = NotifyRequest {
        text: "now".to_owned(),
    };
    wait(client.notify(&notice)).unwrap();
    assert_eq!(mock.notify.calls(), [notice]);
    mock.ping.returns(());
    wait(client.ping()).unwrap();
    assert_eq!(mock.ping.calls(), [()]);
    let names = vec![Some("a".to_owned()), None];
    mock.names.returns(names.clone());
    let least = NamesRequest { least: vec![1, 2] };
    assert_eq!(wait(client.names(&least)).unwrap(), names);
    assert_eq!(mock.names.calls(), [least]);
    let parsed = ParseResponse {
        parse_result: true,
        value: 5,
    };
    mock.parse.returns(parsed.clone());
    let text = ParseRequest {
        text: "5".to_owned(),
    };
    assert_eq!(wait(client.parse(&text)).unwrap(), parsed);
    mock.trace.answers(|_, (headers, request)| {
        let text = format!("{} {}", headers.ticket.key, request.step);
        let ticket = Ticket {
            key: "next".to_owned(),
        };
        let ticket = Some(ticket);
        Ok((Some(text), TraceResponseHeaders { ticket }))
    });
    let headers = TraceHeaders { ticket: ticket() };
    let step = TraceRequest { step: 3 };
    let (text, answered) = wait(client.trace(&headers, &step)).unwrap();
    let key = answered.ticket.map(|ticket| ticket.key);
    assert_eq!(
        (text.as_deref(), key.as_deref()),
        (Some("k 3"), Some("next"))
    );
    assert_eq!(mock.trace.calls(), [(headers, step)]);
    mock.open.returns(());
    let headers = OpenHeaders { ticket: ticket() };
    wait(client.open(&headers)).unwrap();
    assert_eq!(mock.open.calls(), [headers]);
    mock.mock.returns(0);
    mock.verify.returns(1);
    mock.client.returns(2);
    assert_eq!(wait(client.mock()).unwrap(), 0);
    assert_eq!(wait(client.verify()).unwrap(), 1);
    assert_eq!(wait(client.client()).unwrap(), 2);
}

#[test]
fn a_mock_is_served_as_any_handler() {
    let mock = MockDesk::new();
    mock.greet.returns(greeting("Hello"));
    let server = DeskServer::new(mock.clone());
    let server = server.with_paths(["/v2/Desk.asmx"]).unwrap();
    let client = DeskClient::new(Router::new().with_service(server), "http://desk.example/v2");
    let answer = wait(client.unwrap().greet(&request("Ada")));
    assert_eq!(answer.unwrap(), greeting("Hello"));
}

#[test]
fn a_call_that_is_not_expected_is_a_fault_and_fails_the_test() {
    let mock = MockDesk::new();
    mock.greet.returns(greeting("Hello"));
    let client = mock.client();
    wait(client.greet(&request("Ada"))).unwrap();
    let text = text_of(wait(client.greet(&request("Bob"))));
    assert_eq!(
        text,
        "Server was unable to process request. ---> MockDesk has no answer left for this call of Greet."
    );
    wait(client.ping()).expect_err("no call was expected");
    let expected = "MockDesk was not called as expected:\n  \
        Greet: expected 1 call, got 2\n    \
        GreetRequest { name: Some(\"Ada\"), word: Some([secret]) }\n    \
        GreetRequest { name: Some(\"Bob\"), word: Some([secret]) }\n  \
        Ping: expected no call, got 1\n    ()\n";
    assert_eq!(said(|| mock.verify()), expected);
    assert_eq!(said(|| drop(mock)), expected);
}

#[test]
fn calls_that_do_not_come_fail_the_test() {
    let mock = MockDesk::new();
    mock.ping.returns(()).times(2);
    mock.names.returns(Vec::new()).any_times();
    mock.greet.returns(greeting("Hello"));
    mock.greet.returns(greeting("Hello")).any_times();
    let expected = "MockDesk was not called as expected:\n  \
        Greet: expected 1 calls or more, got 0\n  \
        Ping: expected 2 calls, got 1\n    ()\n";
    wait(mock.client().ping()).unwrap();
    assert_eq!(said(|| mock.verify()), expected);
    wait(mock.client().ping()).unwrap();
    for _ in 0..12 {
        wait(mock.client().greet(&request("Ada"))).unwrap();
    }
    mock.verify();
    // The calls of a clone count for all, and only the first mock verifies.
    wait(mock.clone().client().mock()).expect_err("no call was expected");
    drop(mock.clone());
    for _ in 0..11 {
        wait(mock.client().mock()).expect_err("no call was expected");
    }
    let text = said(|| drop(mock));
    let shown = "    ()\n".repeat(10);
    let end = format!("Mock: expected no call, got 12\n{shown}    … and 2 more\n");
    assert!(text.ends_with(&end), "{text}");
}

#[test]
fn a_mock_does_not_panic_twice() {
    let text = said(|| {
        let mock = MockDesk::new();
        mock.ping.returns(());
        panic!("{}", "the test's own");
    });
    assert_eq!(text, "the test's own");
}

#[test]
fn mocks_are_emitted_for_those_who_want_them_and_have_a_server() {
    assert!(!generate(&Config::new()).code.contains("Mock"));
    let mocks = || Config::new().mocks(true);
    assert!(generate(&mocks()).code.contains("pub struct MockShop {"));
    assert!(!generate(&mocks().server(false)).code.contains("Mock"));
    let alone = generate(&mocks().client(false)).code;
    assert!(alone.contains("MockShop") && !alone.contains("ShopClient"));
    let taken = format!("{SHOP}\n").replacen(
        "\ntypes:\n",
        "\ntypes:\n  MockShop: { elements: { A: int } }\n",
        1,
    );
    let code = mocks().generate("shop.yaml", &taken).unwrap().code;
    assert!(code.contains("pub struct MockShop1 {"), "{code}");
}
