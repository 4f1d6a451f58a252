//! Answers from rules.

use super::*;

#[test]
fn rules_answer_by_the_parameters() {
    let mock = Mock::with_rules(
        r#"
rules:
- operation: Order
  when: { id: 7 }
  answer: { Number: 7, Text: seven, Day: 2024-02-29, Status: Closed }
- operation: Order
  when: { note: { matches: "^a+$" } }
  answer: { Number: 1 }
  sample: true
- operation: Order
  when: { from: { Town: Ulm, Codes: [1, { matches: "^2" }] } }
  answer: null
- operation: Order
  when: { note: { absent: true }, id: 8 }
  fault: { code: Client, text: "gone: {{ parameters.id }}", detail: { OutOfStock: { Article: pear, Count: "{{ parameters.id }}" } } }
- operation: Order
  when: { note: 0042 }
  answer: { Number: 010, Text: 12.50, Day: 2024-02-29, Status: Open }
- operation: Order
  when: { id: 9 }
  headers: { Ticket: "t-{{ parameters.id }}" }
  http: { headers: { X-Seen: "{{ headers.Session }}" } }
"#,
    );
    let order = |parameters: Json| mock.call("Order", parameters);
    let seven = json!({ "Number": 7, "Text": "seven", "Day": "2024-02-29", "Status": "Closed" });
    assert_eq!(order(json!({ "id": 7, "note": "aaa" })), Ok(seven));
    let filled = json!({ "Number": 1, "Text": "string", "Day": "2024-01-31", "Status": "Open" });
    assert_eq!(order(json!({ "id": 1, "note": "aaa" })), Ok(filled.clone()));
    let from = |codes: Json| json!({ "id": 1, "from": { "Town": "Ulm", "Codes": codes } });
    assert_eq!(order(from(json!([1, 20]))), Ok(Json::Null));
    assert_eq!(order(from(json!([1, 30]))), Ok(filled.clone()));
    assert_eq!(order(from(json!([1, 20, 3]))), Ok(filled));
    // A scalar has the type of its place, whatever type YAML gives it.
    let typed = json!({ "Number": 10, "Text": "12.50", "Day": "2024-02-29", "Status": "Open" });
    assert_eq!(order(json!({ "id": 1, "note": "0042" })), Ok(typed));
    assert_eq!(order(json!({ "id": 8 })), Err("gone: 8".to_owned()));
    assert!(order(json!({ "id": 8, "note": "here" })).is_ok());

    for binding in [Binding::Soap11, Binding::Soap12] {
        let operation = operation("Order");
        let response = mock.send(&operation.request(&json!({ "id": 8 }), binding).unwrap());
        let Err(CallError::Fault(fault)) = operation.read_answer(&response, binding) else {
            panic!("{response:?}");
        };
        assert_eq!(fault.code().to_string(), "Client");
        let detail = json!({ "OutOfStock": { "Article": "pear", "Count": 8 } });
        assert_eq!(operation.read_detail(&fault).unwrap(), detail);

        let client = service().client((), "http://localhost").unwrap();
        let client = client.with_binding(binding);
        let session = json!({ "Session": "s1" });
        let request = operation.request_by(&client, &session, &json!({ "id": 9 }));
        let response = mock.send(&request.unwrap());
        assert_eq!(response.headers()["x-seen"], "s1");
        let answer = operation.read_answer(&response, binding).unwrap();
        assert_eq!(answer.headers, json!({ "Ticket": "t-9" }));
    }
}

#[test]
fn rules_see_soap_headers_and_the_binding() {
    let mock = Mock::with_rules(
        r#"
rules:
- operation: Order
  when: { id: 1, $headers: { Session: 0042 }, $binding: soap12 }
  fault: { text: "{{ headers.Session }} over {{ binding }}" }
- operation: Order
  when: { $headers: { Session: { matches: "^s" } } }
  fault: { text: "matched {{ headers.Session }}" }
- operation: Order
  when: { $binding: [soap11, json], $headers: { Session: { absent: true } } }
  fault: { text: "no session over {{ binding }}" }
"#,
    );
    let [soap11, soap12, script] = [Binding::Soap11, Binding::Soap12, Binding::Json];
    let ask = |id: i32, session: Option<&str>, binding: Binding| {
        let operation = operation("Order");
        let client = service().client((), "http://localhost").unwrap();
        let client = client.with_binding(binding);
        let headers = session.map_or(Json::Null, |session| json!({ "Session": session }));
        let request = operation.request_by(&client, &headers, &json!({ "id": id }));
        let response = mock.send(&request.unwrap());
        match operation.read_answer(&response, binding) {
            Ok(_) => "a sample".to_owned(),
            Err(CallError::Fault(fault)) => fault.text().to_owned(),
            Err(error) => panic!("{error}: {response:?}"),
        }
    };
    for (id, session, binding, expected) in [
        (1, Some("0042"), soap12, "0042 over soap12"),
        (2, Some("0042"), soap12, "a sample"),
        (1, Some("0042"), soap11, "a sample"),
        (1, Some("s7"), soap11, "matched s7"),
        (1, Some("7s"), soap11, "a sample"),
        (1, None, soap11, "no session over soap11"),
        (1, None, soap12, "a sample"),
        (1, None, script, "no session over json"),
    ] {
        assert_eq!(ask(id, session, binding), expected, "{session:?} {binding}");
    }
}

#[test]
fn rules_keep_state_and_go_through_sequences() {
    let mock = Mock::with_rules(
        r#"
state: { total: 100 }
rules:
- operation: Add
  when: { amount: 0 }
  sequence:
  - answer: 1
  - fault: { text: closed }
    http: { status: 503, headers: { Retry-After: 5 } }
  - answer: 3
    delay: 300ms
- operation: Add
  answer: "{{ state.total + parameters.amount }}"
  set: { total: "{{ state.total + parameters.amount }}" }
"#,
    );
    let add = |amount: i32| mock.call("Add", json!({ "amount": amount }));
    assert_eq!(
        (add(5), add(0), add(7)),
        (Ok(json!(105)), Ok(json!(1)), Ok(json!(112)))
    );
    let closed = mock.get("/Shop.asmx/Add?amount=0");
    assert_eq!(closed.status(), 503);
    assert_eq!(closed.headers()["retry-after"], "5");
    assert!(text(&closed).contains("closed"));
    for _ in 0..2 {
        let begun = Instant::now();
        assert_eq!(add(0), Ok(json!(3)));
        assert!(begun.elapsed() >= Duration::from_millis(300));
    }
}

#[test]
fn a_secret_of_an_earlier_call_that_the_state_keeps_is_not_logged() {
    let rules = r#"
state: { password: "" }
rules:
- operation: Login
  answer: true
  set: { password: "{{ parameters.password }}" }
- operation: Add
  when: { amount: 1 }
  fault: { text: "not as {{ state.password }}" }
- operation: Add
  fault: { text: "no {{ parameters.amount }}" }
  set: { password: "" }
"#;
    let mut mock = Mock::start(
        &[("rules.yaml", rules)],
        &["--rules", "rules.yaml", "--log", "shop.yaml"],
    );
    let login = json!({ "name": "Ada", "password": "hunter2" });
    mock.call("Login", login).unwrap();
    let said = mock.call("Add", json!({ "amount": 1 })).unwrap_err();
    assert!(said.contains("not as hunter2"), "{said}");
    mock.line();
    let line = mock.line();
    assert!(line.contains(r#""text":"[secret]""#), "{line}");
    // Other texts are shown, and the text is shown whole when the state no longer has the secret.
    for amount in [2, 1] {
        mock.call("Add", json!({ "amount": amount })).unwrap_err();
    }
    assert!(mock.line().contains(r#""text":"no 2""#));
    assert!(mock.line().contains(r#""text":"not as""#));
}

#[test]
fn answers_are_broken() {
    let mock = Mock::with_rules(
        r#"
rules:
- { operation: Add, when: { amount: 1 }, broken: reset }
- { operation: Add, when: { amount: 2 }, broken: half }
- { operation: Add, when: { amount: 3 }, broken: garbage }
"#,
    );
    let request = |amount: i32| {
        let request = operation("Add").request(&json!({ "amount": amount }), Binding::Soap11);
        request.unwrap()
    };
    let mut stream = mock.sent(&request(1));
    let error = stream.read(&mut [0]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);

    let whole = mock.send(&request(4));
    let mut half = Vec::new();
    // The connection is closed before the body is whole.
    let _ = mock.sent(&request(2)).read_to_end(&mut half);
    let half = String::from_utf8(half).unwrap();
    let (head, body) = half.split_once("\r\n\r\n").unwrap();
    let length = format!("content-length: {}", whole.body().len());
    assert!(head.to_lowercase().contains(&length), "{head}");
    assert_eq!(body.as_bytes(), &whole.body()[..whole.body().len() / 2]);

    let garbage = mock.send(&request(3));
    assert_eq!(garbage.status(), 200);
    let read = operation("Add").read_answer(&garbage, Binding::Soap11);
    assert!(
        !matches!(read, Ok(_) | Err(CallError::Fault(_))),
        "{read:?}"
    );
}

#[test]
fn mistakes_in_rules_are_told_with_their_places() {
    let rules: [(&str, &str); 27] = [
        ("", "rules.yaml is empty: write `rules:`"),
        ("rules: [", "rules.yaml:1:"),
        (
            "rulez: []",
            "rules.yaml:1:1: unknown key `rulez`; did you mean `rules`?",
        ),
        ("rules: {}", "rules.yaml:1:8: a list of rules is expected"),
        (
            "rules:\n- { operation: Oder }",
            "rules.yaml:2:16: there is no operation `Oder`; did you mean `Order`?",
        ),
        (
            "rules:\n- answer: 1",
            "rules.yaml:2:3: `operation` is missing",
        ),
        (
            "rules:\n- { service: Ship, operation: Add }",
            "rules.yaml:2:14: there is no service `Ship`; there is Shop",
        ),
        (
            "rules:\n- { operation: Add, when: { amuont: 1 } }",
            "rules.yaml:2:29: Add: there is no member 'amuont'; did you mean 'amount'? Known: amount.",
        ),
        (
            "rules:\n- { operation: Add, when: { amount: much } }",
            "rules.yaml:2:37: Add.amount: an integer",
        ),
        (
            "rules:\n- { operation: Order, when: { from: { Codes: [1, x] } } }",
            "rules.yaml:2:50: Order.from.Codes[1]: an integer",
        ),
        (
            "rules:\n- { operation: Add, when: { amount: { matches: '(' } } }",
            "`matches` is not a valid regular expression: ",
        ),
        (
            "rules:\n- { operation: Add, when: { amount: { absent: 1 } } }",
            "is written as `{ matches: REGEX }` or `{ absent: true }`",
        ),
        (
            "rules:\n- { operation: Order, when: { $headers: { Sesion: x } } }",
            "rules.yaml:2:43: headers: there is no member 'Sesion'; did you mean 'Session'? Known: Session.",
        ),
        (
            "rules:\n- { operation: Add, when: { $headers: { Session: x } } }",
            "rules.yaml:2:39: Add has no SOAP headers",
        ),
        (
            "rules:\n- { operation: Order, when: { $binding: [soap11, http-get] } }",
            "rules.yaml:2:50: `http-get` is not a binding of Order; it has soap11, soap12, json",
        ),
        (
            "rules:\n- { operation: Order, when: { $binding: { matches: soap } } }",
            "rules.yaml:2:41: a list of bindings is expected",
        ),
        (
            "rules:\n- { operation: Add, answer: x }",
            "rules.yaml:2:29: AddResponse: an integer",
        ),
        (
            "rules:\n- { operation: Order, answer: { Number: 1, Day: soon, Status: Open } }",
            "rules.yaml:2:49: OrderResponse.Day: a date",
        ),
        (
            "rules:\n- { operation: Order, answer: { Number: 1, Status: Open } }",
            "OrderResponse.Day: a date, such as \"2024-01-31\" is expected, and missing.",
        ),
        (
            "rules:\n- { operation: Order, answer: { Number: '{{ 1 }}', Statos: Open } }",
            "there is no member 'Statos'",
        ),
        (
            "rules:\n- { operation: Add, answer: '{{ 1 + }}' }",
            "rules.yaml:2:29: the template is wrong: syntax error",
        ),
        (
            "rules:\n- { operation: Order, fault: { detail: { Gone: 1 } } }",
            "the service has no fault 'Gone'; it has OutOfStock",
        ),
        (
            "rules:\n- { operation: Order, fault: { detail: { OutOfStock: { Count: x } } } }",
            "OutOfStock.Count: an integer",
        ),
        (
            "rules:\n- { operation: Ping, answer: 1 }",
            "rules.yaml:2:30: Ping has no result; leave `answer` out",
        ),
        (
            "rules:\n- { operation: Add, delay: soon }",
            "rules.yaml:2:28: a time is expected, such as `200ms`",
        ),
        (
            "rules:\n- { operation: Add, broken: down }",
            "rules.yaml:2:29: one of reset, half, garbage is expected",
        ),
        (
            "rules:\n- { operation: Add, answer: 1, sequence: [{ answer: 2 }] }",
            "`answer` belongs in the steps of `sequence`",
        ),
    ];
    at_once(&rules, |(text, expected)| {
        let folder = folder_of(&[("rules.yaml", text)]);
        let mut call = command(&[&"mock", &"--address", &"127.0.0.1:0"]);
        let call = call.args(["--rules", "rules.yaml", "shop.yaml"]);
        let ended = call.current_dir(&folder).output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(said.contains(expected), "{text}\n{said}");
        assert_eq!(ended.status.code(), Some(1), "{said}");
        assert!(ended.stdout.is_empty());
    });
}

#[test]
fn several_mistakes_are_told_at_once_and_wrong_calls_with_what_helps() {
    let rules = "rules:\n- { operation: Oder }\n- { operation: Add, delay: 1h, answer: true }\n";
    let folder = folder_of(&[
        ("rules.yaml", rules),
        ("other.yaml", &SHOP.replace("Shop\n", "Other\n")),
    ]);
    let mock = |arguments: &[&str]| {
        let mut call = command(&[&"mock", &"--address", &"127.0.0.1:0"]);
        let ended = call.args(arguments).current_dir(&folder).output().unwrap();
        (
            ended.status.code(),
            String::from_utf8(ended.stderr).unwrap(),
        )
    };
    let (_, said) = mock(&["--rules", "rules.yaml", "shop.yaml"]);
    assert_eq!(said.matches("error: rules.yaml:").count(), 3, "{said}");
    let calls: [(&[&str], _, _); 6] = [
        (
            &["--rules", "none.yaml", "shop.yaml"],
            2,
            "the rules none.yaml cannot be read",
        ),
        (&["none.yaml"], 2, "there is no file none.yaml"),
        (&["-"], 2, "standard input cannot be watched"),
        (
            &["shop.yaml", "other.yaml"],
            2,
            "the paths `/Shop.asmx` of Shop and `/Shop.asmx` of Other meet",
        ),
        (&["--recorded", "none", "shop.yaml"], 2, "none: "),
        (&["--certificate", "a.pem", "shop.yaml"], 2, "--key"),
    ];
    at_once(&calls, |(arguments, code, expected)| {
        let (found, said) = mock(arguments);
        assert!(said.contains(expected), "{said}");
        assert_eq!(found, Some(*code), "{said}");
    });
}
