//! `svcgen mock`: what callers get.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use http::{Request, Response};
use serde_json::{Value as Json, json};
use svcgen::CallError;
use svcgen::bytes::Bytes;
use svcgen_messages::{Operation, Service};
use svcgen_model::Binding;
use tempfile::TempDir;

use crate::{command, svcgen};

const SHOP: &str = "service: Shop
namespace: http://example.com/shop
path: /Shop.asmx
bindings: [soap11, soap12, http-get, http-post, json]
operations:
  Order:
    parameters: { id: int, note: string?, from: Address? }
    result: Order?
    bindings: [soap11, soap12, json]
    headers: { in: [Session], out: [Ticket] }
    faults: [OutOfStock]
  Add: { parameters: { amount: int }, result: int }
  Ping: {}
  Login: { parameters: { name: string?, password: { type: string?, secret: true } }, result: boolean, bindings: [soap11, soap12, http-post] }
headers:
  Session: string
  Ticket: string
types:
  Address: { elements: { Town: string?, Codes: \"int[]?\" } }
  Order: { elements: { Number: int, Text: string?, Day: date, Status: Status } }
  Line: { elements: { Article: string?, Count: int } }
enums:
  Status: [Open, Closed]
faults:
  OutOfStock: { type: Line }
";

/// A mock that runs, in a folder with its files.
struct Mock {
    child: Child,
    output: BufReader<ChildStdout>,
    errors: BufReader<ChildStderr>,
    /// `HOST:PORT`.
    address: String,
    folder: TempDir,
}

fn service() -> Service {
    Service::of_definition("shop.yaml", SHOP).unwrap()
}

fn operation(name: &str) -> Operation {
    service().operation(name).unwrap()
}

/// A folder with the definition and files.
fn folder_of(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("shop.yaml", SHOP)].iter().chain(files) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

impl Mock {
    fn start(files: &[(&str, &str)], arguments: &[&str]) -> Self {
        let folder = folder_of(files);
        let mut child = command(&[&"mock", &"--address", &"127.0.0.1:0"])
            .args(arguments)
            .current_dir(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let Some((name, address)) = line.trim_end().split_once(" http://") else {
            let mut why = String::new();
            errors.read_to_string(&mut why).unwrap();
            panic!("{line}{why}");
        };
        assert_eq!(name, "Shop");
        let address = address.strip_suffix("/Shop.asmx").unwrap().to_owned();
        Self {
            child,
            output,
            errors,
            address,
            folder,
        }
    }

    fn with_rules(rules: &str) -> Self {
        Self::start(
            &[("rules.yaml", rules)],
            &["--rules", "rules.yaml", "shop.yaml"],
        )
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    /// The next line that it prints.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    fn send(&self, request: &Request<Bytes>) -> Response<Bytes> {
        read(&mut self.sent(request)).unwrap()
    }

    /// A connection on which a request was sent.
    fn sent(&self, request: &Request<Bytes>) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream.write_all(&bytes_of(request)).unwrap();
        stream
    }

    fn get(&self, target: &str) -> Response<Bytes> {
        self.send(&Request::get(target).body(Bytes::new()).unwrap())
    }

    /// Calls an operation over SOAP 1.1. Returns the result, or the text of the fault.
    fn call(&self, name: &str, parameters: Json) -> Result<Json, String> {
        let (operation, binding) = (operation(name), Binding::Soap11);
        let response = self.send(&operation.request(&parameters, binding).unwrap());
        match operation.read_answer(&response, binding) {
            Ok(answer) => Ok(answer.value),
            Err(CallError::Fault(fault)) => Err(fault.text().to_owned()),
            Err(error) => panic!("{error}: {response:?}"),
        }
    }

    /// Presses Ctrl-C. Returns the exit code, and what else was printed.
    fn end(mut self) -> (Option<i32>, String, String) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(sent.success());
        let (mut output, mut errors) = (String::new(), String::new());
        self.output.read_to_string(&mut output).unwrap();
        self.errors.read_to_string(&mut errors).unwrap();
        (self.child.wait().unwrap().code(), output, errors)
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn bytes_of(request: &Request<Bytes>) -> Vec<u8> {
    let target = request.uri().path_and_query().unwrap();
    let mut bytes = format!(
        "{} {target} HTTP/1.1\r\nHost: localhost\r\n",
        request.method()
    );
    for (name, value) in request.headers() {
        bytes += &format!("{name}: {}\r\n", value.to_str().unwrap());
    }
    bytes += &format!("Content-Length: {}\r\n\r\n", request.body().len());
    [bytes.as_bytes(), request.body()].concat()
}

/// Reads a response with a length.
fn read(stream: &mut TcpStream) -> std::io::Result<Response<Bytes>> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap();
    let headers = lines.filter_map(|line| line.split_once(": "));
    let response = headers.fold(
        Response::builder().status(status),
        |response, (name, value)| response.header(name, value),
    );
    let length = response.headers_ref().unwrap().get("content-length");
    let length = length.map_or(0, |length| length.to_str().unwrap().parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok(response.body(Bytes::from(body)).unwrap())
}

fn text(response: &Response<Bytes>) -> String {
    String::from_utf8(response.body().to_vec()).unwrap()
}

#[test]
fn samples_are_answered_over_every_binding() {
    let mock = Mock::start(&[], &["shop.yaml"]);
    let mut count = 0;
    for operation in service().operations() {
        let sample = operation.sample_answer();
        for binding in operation.row().bindings.iter() {
            let request = operation
                .request(&operation.sample_parameters(), binding)
                .unwrap();
            let response = mock.send(&request);
            let answer = operation.read_answer(&response, binding).unwrap();
            assert_eq!(answer.value, sample.value, "{operation:?} over {binding}");
            if binding.is_soap() {
                assert_eq!(answer.headers, sample.headers);
            }
            count += 1;
        }
    }
    assert_eq!(count, 16);
    assert_eq!(operation("Order").sample_answer().value["Status"], "Open");

    let wsdl = text(&mock.get("/Shop.asmx?wsdl"));
    assert!(
        wsdl.contains("location=\"http://localhost/Shop.asmx\""),
        "{wsdl}"
    );
    let page = text(&mock.get("/Shop.asmx"));
    assert!(page.contains("<title>Shop Web Service</title>"), "{page}");
    assert!(text(&mock.get("/")).contains("/Shop.asmx"));
    assert_eq!(mock.get("/Other.asmx").status(), 404);
    let (code, _, errors) = mock.end();
    assert_eq!((code, &*errors), (Some(0), ""));
}

#[test]
fn a_wsdl_and_a_definition_are_served_side_by_side() {
    let folder = folder_of(&[]);
    let wsdl = svcgen(&[&"wsdl", &folder.path().join("shop.yaml")]).stdout;
    let wsdl = wsdl
        .replace("Shop", "Imported")
        .replace("/shop", "/imported");
    let mut mock = Mock::start(&[("imported.wsdl", &wsdl)], &["shop.yaml", "imported.wsdl"]);
    assert!(mock.line().starts_with("Imported http://"));
    assert_eq!(mock.call("Add", json!({ "amount": 1 })), Ok(json!(1)));
    let answer = mock.get("/Imported.asmx/Add?amount=7");
    assert!(text(&answer).contains(">1</int>"), "{answer:?}");
}

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
    // A scalar has the type of its place, whatever YAML takes it for.
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
            "rules.yaml:2:29: Add: there is no member 'amuont'. Known: amount.",
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
            "`matches` is no regular expression: ",
        ),
        (
            "rules:\n- { operation: Add, when: { amount: { absent: 1 } } }",
            "is written as `{ matches: REGEX }` or `{ absent: true }`",
        ),
        (
            "rules:\n- { operation: Order, when: { $headers: { Sesion: x } } }",
            "rules.yaml:2:43: headers: there is no member 'Sesion'. Known: Session.",
        ),
        (
            "rules:\n- { operation: Add, when: { $headers: { Session: x } } }",
            "rules.yaml:2:39: Add has no SOAP headers",
        ),
        (
            "rules:\n- { operation: Order, when: { $binding: [soap11, http-get] } }",
            "rules.yaml:2:50: `http-get` is no binding of Order; it has soap11, soap12, json",
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
            "`answer` stands in the steps of `sequence`",
        ),
    ];
    for (text, expected) in rules {
        let folder = folder_of(&[("rules.yaml", text)]);
        let mut call = command(&[&"mock", &"--address", &"127.0.0.1:0"]);
        let call = call.args(["--rules", "rules.yaml", "shop.yaml"]);
        let ended = call.current_dir(&folder).output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(said.contains(expected), "{text}\n{said}");
        assert_eq!(ended.status.code(), Some(1), "{said}");
        assert!(ended.stdout.is_empty());
    }
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
    for (arguments, code, expected) in [
        (
            &["--rules", "none.yaml", "shop.yaml"][..],
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
    ] {
        let (found, said) = mock(arguments);
        assert!(said.contains(expected), "{said}");
        assert_eq!(found, Some(code), "{said}");
    }
}

#[test]
fn changed_files_are_read_again_and_connections_stay() {
    let rules = |answer: &str| format!("rules: [{{ operation: Add, answer: {answer} }}]\n");
    let mut mock = Mock::with_rules(&rules("1"));
    let request = operation("Add")
        .request(&json!({ "amount": 1 }), Binding::Soap11)
        .unwrap();
    let mut open = mock.sent(&request);
    let mut again = || {
        let response = read(&mut open).unwrap();
        open.write_all(&bytes_of(&request)).unwrap();
        operation("Add")
            .read_answer(&response, Binding::Soap11)
            .unwrap()
            .value
    };
    assert_eq!(again(), 1);
    mock.write("rules.yaml", &rules("2"));
    assert_eq!(mock.line(), "read again\n");
    assert!(mock.line().starts_with("Shop http://"));
    // The first answer was sent before.
    assert_eq!((again(), again()), (json!(1), json!(2)));

    mock.write("rules.yaml", &rules("two"));
    let mut said = String::new();
    mock.errors.read_line(&mut said).unwrap();
    assert!(
        said.starts_with("error: rules.yaml:1:35: AddResponse: an integer"),
        "{said}"
    );
    said.clear();
    mock.errors.read_line(&mut said).unwrap();
    assert_eq!(said, "note: what was served before stays\n");
    assert_eq!((again(), again()), (json!(2), json!(2)));

    mock.write("rules.yaml", &rules("3"));
    mock.write(
        "shop.yaml",
        &SHOP.replace("  Login:", "  Twice: { result: int }\n  Login:"),
    );
    while !mock.line().starts_with("read again") {}
    mock.line();
    assert_eq!(mock.call("Add", json!({ "amount": 1 })), Ok(json!(3)));
    let begun = Instant::now();
    while mock.get("/Shop.asmx/Twice").status() != 200 {
        assert!(begun.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Writes an exchange as `svcgen record` does.
fn record(folder: &Path, name: &str, request: &Request<Bytes>, response: &[u8]) {
    let folder = folder.join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("request.http"), bytes_of(request)).unwrap();
    fs::write(folder.join("response.http"), response).unwrap();
}

#[test]
fn recordings_are_answered_as_they_were_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let login = |name: &str, password: &str| {
        let parameters = json!({ "name": name, "password": password });
        operation("Login")
            .request(&parameters, Binding::HttpPost)
            .unwrap()
    };
    let answer = |body: &str| {
        let length = body.len();
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nX-AspNet-Version: 4.0\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes()
    };
    let first =
        "<?xml version='1.0'?>\r\n<boolean  xmlns=\"http://example.com/shop\">true</boolean>\r\n";
    let second = first.replace("true", "false");
    record(
        folder.path(),
        "1",
        &login("Ada", "[secret]"),
        &answer(first),
    );
    record(
        folder.path(),
        "2",
        &login("Ada", "[secret]"),
        &answer(&second),
    );
    record(
        folder.path(),
        "3",
        &login("Bob", "[secret]"),
        &answer(first),
    );
    let page = Request::get("/Shop.asmx?wsdl").body(Bytes::new()).unwrap();
    record(folder.path(), "4", &page, &answer("<x/>"));
    let recorded = folder.path().display().to_string();
    let rules = "rules: [{ operation: Login, when: { name: Eve }, answer: false }]";
    let mock = Mock::start(
        &[("rules.yaml", rules)],
        &[
            "--recorded",
            &recorded,
            "--rules",
            "rules.yaml",
            "shop.yaml",
        ],
    );
    let ada = || mock.send(&login("Ada", "hunter2"));
    let answered = ada();
    assert_eq!(text(&answered), first);
    assert_eq!(answered.headers()["x-aspnet-version"], "4.0");
    assert_eq!(
        (text(&ada()), text(&ada())),
        (second.clone(), second.clone())
    );
    assert_eq!(text(&mock.send(&login("Bob", "x"))), first);
    // Rules go first.
    assert!(text(&mock.send(&login("Eve", "x"))).contains(">false<"));

    let unknown = mock.send(&login("Kim", "hunter2"));
    let said = text(&unknown).replace("&quot;", "\"");
    assert_eq!(unknown.status(), 500);
    assert!(said.contains("No call of Login over HTTP POST with these parameters is recorded. The nearest is 1: name is \"Ada\" there, not \"Kim\"."), "{said}");
    assert!(!said.contains("hunter2"));
    let none = mock.call("Add", json!({ "amount": 1 })).unwrap_err();
    assert!(
        none.contains("No call of Add over SOAP 1.1 is recorded."),
        "{none}"
    );
    let (_, _, errors) = mock.end();
    assert!(errors.starts_with("note: 4 is no call: "), "{errors}");
}

const BANK: &str = "service: Shop
namespace: http://example.com/bank
path: /Shop.asmx
bindings: [soap11, soap12, http-post, json]
operations:
  Pay:
    parameters:
      amount: int
      key: { type: 'base64Binary?', secret: true }
      cards: 'Card[]?'
      short: { type: 'string?', secret: true, facets: { max_length: 4 } }
    result: int
    bindings: [soap11, soap12, json]
  Enter: { parameters: { door: int, key: { type: base64Binary, secret: true } }, result: int }
types:
  Card: { attributes: { Code: { type: base64Binary, secret: true } }, elements: { Owner: string?, Pin: { type: 'base64Binary?', secret: true } } }
";

/// A message as `svcgen record` masks it.
fn masked(service: Service, request: &Request<Bytes>) -> Request<Bytes> {
    let masker = svcgen::mask::Mask::new(service.row());
    let masked = masker.request(request).map(Bytes::from);
    assert!(!format!("{masked:?}").contains("4711"), "{masked:?}");
    masked
}

#[test]
fn masked_secrets_of_bytes_are_like_anything() {
    let service = Service::of_definition("bank.yaml", BANK).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let parameters = |operation: &str, first: i32, secret: &str| match operation {
        "Enter" => json!({ "door": first, "key": secret }),
        _ => json!({
            "amount": first, "key": secret, "cards": [{ "Owner": "Ada", "Pin": secret, "Code": secret }], "short": secret,
        }),
    };
    let mut calls = Vec::new();
    for operation in service.operations() {
        for binding in operation.row().bindings.iter() {
            let request = |first, secret| {
                let parameters = parameters(operation.name(), first, secret);
                operation.request(&parameters, binding).unwrap()
            };
            let number = calls.len() as i32;
            let answer = operation.answer(&json!(number).into(), binding);
            let head = answer.headers()["content-type"].to_str().unwrap();
            let response = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {head}\r\n\r\n{}",
                text(&answer)
            );
            let recorded = masked(service, &request(number, "4711"));
            record(
                folder.path(),
                &number.to_string(),
                &recorded,
                response.as_bytes(),
            );
            calls.push((
                operation,
                binding,
                request(number, "aGk="),
                request(99, "aGk="),
            ));
        }
    }
    assert_eq!(calls.len(), 7);
    let recorded = folder.path().display().to_string();
    let files = [("bank.yaml", BANK)];
    let mock = Mock::start(&files, &["--recorded", &recorded, "bank.yaml"]);
    for (number, (operation, binding, like, unlike)) in calls.iter().enumerate() {
        let answer = operation.read_answer(&mock.send(like), *binding);
        assert_eq!(
            answer.unwrap().value,
            json!(number),
            "{operation:?} {binding}"
        );
        let fault = text(&mock.send(unlike)).replace("&quot;", "\"");
        let place = ["amount", "door"][usize::from(operation.name() == "Enter")];
        let nearest = format!("The nearest is {number}: {place} is {number} there, not 99.");
        assert!(fault.contains(&nearest), "{fault}");
    }
    let (_, _, errors) = mock.end();
    assert_eq!(errors, "");
}

#[test]
fn new_recordings_are_answered_without_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let request = |amount: i32| {
        let parameters = json!({ "amount": amount });
        operation("Add")
            .request(&parameters, Binding::HttpPost)
            .unwrap()
    };
    let answer = |value: i32| {
        let body = format!("<int xmlns=\"http://example.com/shop\">{value}</int>");
        let length = body.len();
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    };
    record(folder.path(), "1", &request(1), answer(10).as_bytes());
    let recorded = folder.path().display().to_string();
    let mut mock = Mock::start(&[], &["--recorded", &recorded, "shop.yaml"]);
    assert!(text(&mock.send(&request(1))).contains(">10<"));
    assert_eq!(mock.send(&request(2)).status(), 500);

    // Half of it: the other recordings are answered, and it is read when it is whole.
    let half = answer(20);
    record(
        folder.path(),
        "2",
        &request(2),
        &half.as_bytes()[..half.len() - 9],
    );
    assert_eq!(mock.line(), "read again\n");
    mock.line();
    let mut said = String::new();
    mock.errors.read_line(&mut said).unwrap();
    assert!(
        said.starts_with("note: a recording is not read: "),
        "{said}"
    );
    assert!(
        said.contains("2/response.http: Content-Length is"),
        "{said}"
    );
    assert!(text(&mock.send(&request(1))).contains(">10<"));
    assert_eq!(mock.send(&request(2)).status(), 500);

    record(folder.path(), "2", &request(2), half.as_bytes());
    assert_eq!(mock.line(), "read again\n");
    mock.line();
    assert!(text(&mock.send(&request(2))).contains(">20<"));
}

#[test]
fn calls_are_logged_without_their_secrets() {
    let rules = "rules: [{ operation: Add, fault: { text: closed } }]";
    let arguments = ["--log", "--rules", "rules.yaml", "shop.yaml"];
    let mut mock = Mock::start(&[("rules.yaml", rules)], &arguments);
    let parameters = json!({ "name": "Ada", "password": "hunter2" });
    assert_eq!(mock.call("Login", parameters), Ok(json!(true)));
    assert!(mock.call("Add", json!({ "amount": 1 })).is_err());
    mock.get("/Shop.asmx?wsdl");
    let mut logged = || {
        let mut line: Json = serde_json::from_str(&mock.line()).unwrap();
        let time = line["milliseconds"].take();
        assert!(time.as_f64().unwrap() > 0.0);
        line.as_object_mut().unwrap().remove("milliseconds");
        line
    };
    assert_eq!(
        logged(),
        json!({
            "service": "Shop", "operation": "Login", "binding": "soap11",
            "parameters": { "name": "Ada", "password": "[secret]" }, "answer": true, "status": 200,
        })
    );
    let fault = logged();
    assert_eq!(
        fault["fault"],
        json!({ "code": "Server", "text": "closed" })
    );
    assert_eq!(fault["status"], 500);
    assert_eq!(
        logged(),
        json!({ "request": "GET /Shop.asmx", "status": 200 })
    );
}

#[test]
fn callers_are_served_over_tls() {
    let certified = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let certificate = certified.cert.pem();
    let files = [
        ("server.pem", &*certificate),
        ("server.key", &*certified.signing_key.serialize_pem()),
    ];
    let folder = folder_of(&files);
    let mut child = command(&[&"mock", &"--address", &"127.0.0.1:0"])
        .args([
            "--certificate",
            "server.pem",
            "--key",
            "server.key",
            "shop.yaml",
        ])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let (_, url) = line.trim_end().split_once(' ').unwrap();
    let url = url.replace("https://127.0.0.1", "https://localhost");
    let tls = svcgen::http_transport::Tls::new()
        .with_roots(certificate)
        .unwrap();
    let transport = svcgen::HttpTransport::new().with_tls(tls);
    let client = service().client(transport, &url).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let parameters = json!({ "amount": 1 });
    let answer = runtime.block_on(operation("Add").call(&client, &Json::Null, &parameters));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(answer.unwrap().value, 1);
}
