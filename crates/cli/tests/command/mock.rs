//! `svcgen mock`: the answers that callers get.
#![cfg(unix)]

mod addresses;
mod imported;
mod recorded;
mod rules;
mod soap_headers;

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use http::{Request, Response};
use serde_json::{Value as Json, json};
use svcgen::CallError;
use svcgen::bytes::Bytes;
use svcgen_messages::{Operation, Service};
use svcgen_model::Binding;
use tempfile::TempDir;

use crate::{at_once, command, svcgen};

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
  Stock: { result: dataTable?, bindings: [soap11] }
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

/// A running mock, and the folder with its files.
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

/// Creates a folder with the definition and files.
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
        let address = address.split('/').next().unwrap().to_owned();
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

    /// Returns the next line of its output.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    fn send(&self, request: &Request<Bytes>) -> Response<Bytes> {
        read(&mut self.sent(request)).unwrap()
    }

    /// Sends a request. Returns the connection.
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

    /// Presses Ctrl-C. Returns the exit code and the rest of the output.
    fn end(mut self) -> (Option<i32>, String, String) {
        let id = self.child.id().to_string();
        crate::kill("-INT", &id);
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

#[test]
fn tables_are_printed_and_given_as_rows() {
    let definition = "service: Shop
namespace: http://example.com/shop
path: /Shop.asmx
bindings: [soap11]
operations:
  Stock: { result: dataTable? }
  Keep: { parameters: { set: dataSet? }, result: int }
";
    let rules = "rules:\n- operation: Keep\n  when: { set: { matches: '<Price>1.10</Price>' } }\n  answer: 7\n";
    let mock = Mock::start(
        &[("shop.yaml", definition), ("rules.yaml", rules)],
        &["--rules", "rules.yaml", "shop.yaml"],
    );
    let url = format!("http://{}", mock.address);
    let call = |arguments: &[&str]| {
        let mut call = command(&[&"call", &"shop.yaml", &"--url", &url]);
        crate::Ended::from(
            call.args(arguments)
                .current_dir(&mock.folder)
                .output()
                .unwrap(),
        )
    };
    let stock = call(&["Stock", "--format", "json"]);
    let rows: Json = serde_json::from_str(&stock.stdout).unwrap();
    assert!(rows[0].is_object(), "{stock:?}");
    let columns: Vec<_> = rows[0].as_object().unwrap().keys().collect();
    let table = call(&["Stock", "--format", "table"]);
    for column in columns {
        assert!(
            table.stdout.lines().next().unwrap().contains(&**column),
            "{table:?}"
        );
    }
    let kept = call(&["Keep", "set={ Item: [{ Id: 7, Price: 1.10 }] }"]);
    assert_eq!((kept.code, &*kept.stdout), (Some(0), "7\n"), "{kept:?}");
    let wrong = call(&["Keep", "set={ Item: 7 }"]);
    assert!(
        wrong.stderr.contains("a list of rows is expected"),
        "{wrong:?}"
    );
}

#[test]
fn pages_whose_name_leads_here_get_nothing() {
    let mock = Mock::start(&[], &["--allow-host", "mock.example", "shop.yaml"]);
    let ask = |path: &str, host: &str| {
        let mut stream = TcpStream::connect(&mock.address).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    for host in ["localhost", &mock.address, "[::1]:80", "mock.example"] {
        let answer = ask("/Shop.asmx?wsdl", host);
        assert!(answer.starts_with("HTTP/1.1 200"), "{host}: {answer}");
    }
    for path in ["/Shop.asmx", "/Shop.asmx?wsdl", "/"] {
        for host in ["evil.example", "localhost.evil.example", "192.0.2.1"] {
            let answer = ask(path, host);
            assert!(
                !answer.starts_with("HTTP/1.1 200"),
                "{path} {host}: {answer}"
            );
            assert!(!answer.contains("Shop"), "{path} {host}: {answer}");
        }
    }
}

#[test]
fn a_head_that_never_ends_is_not_waited_for() {
    let mock = Mock::start(&[], &["shop.yaml"]);
    let mut stream = TcpStream::connect(&mock.address).unwrap();
    stream.write_all(b"GET /Shop.asmx HTTP/1.1\r\nX: ").unwrap();
    let begun = std::time::Instant::now();
    let mut answer = Vec::new();
    // The mock closes it, with an answer that gives the reason or without one.
    let _ = stream.read_to_end(&mut answer);
    assert!(begun.elapsed() < Duration::from_secs(20));
    let long = format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n",
        "x".repeat(64 << 10)
    );
    let mut stream = TcpStream::connect(&mock.address).unwrap();
    // The mock may close it before everything is sent.
    let _ = stream.write_all(long.as_bytes());
    let mut status = [0; 12];
    let is_read = stream.read_exact(&mut status).is_ok();
    assert!(!is_read || &status == b"HTTP/1.1 431", "{status:?}");
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

/// Reads a response that has a length.
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
                .request(&operation.parameter_place().sample(), binding)
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
    assert_eq!(count, 17);
    assert_eq!(operation("Order").sample_answer().value["Status"], "Open");
    let stock = operation("Stock").sample_answer().value.to_string();
    assert!(stock.contains("<Text>string</Text>"), "{stock}");

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
    // The first answer was already sent.
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
    assert_eq!(said, "note: the mock still serves the previous version\n");
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

#[test]
fn calls_are_logged_without_their_secrets() {
    let rules = r#"
rules:
- { operation: Add, fault: { text: closed } }
- { operation: Login, when: { name: Eve }, fault: { text: "wrong password {{ parameters.password }}" } }
"#;
    let arguments = ["--log", "--rules", "rules.yaml", "shop.yaml"];
    let mut mock = Mock::start(&[("rules.yaml", rules)], &arguments);
    let parameters = json!({ "name": "A\u{9b}\u{202e}", "password": "hunter2" });
    assert_eq!(mock.call("Login", parameters), Ok(json!(true)));
    assert!(mock.call("Add", json!({ "amount": 1 })).is_err());
    mock.get("/Shop.asmx?wsdl");
    mock.get("/Shop.asmx/Login;password=hunter2");
    let parameters = json!({ "name": "Eve", "password": "hunter2" });
    let said = mock.call("Login", parameters).unwrap_err();
    assert_eq!(said, "wrong password hunter2");
    let mut logged = || {
        let line = mock.line();
        assert!(!line.contains(svcgen_model::is_hidden), "{line:?}");
        let mut line: Json = serde_json::from_str(&line).unwrap();
        let time = line["milliseconds"].take();
        assert!(time.as_f64().unwrap() > 0.0);
        line.as_object_mut().unwrap().remove("milliseconds");
        line
    };
    assert_eq!(
        logged(),
        json!({
            "service": "Shop", "operation": "Login", "binding": "soap11",
            "parameters": { "name": "A\u{9b}\u{202e}", "password": "[secret]" }, "answer": true, "status": 200,
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
    assert_eq!(logged()["request"], "GET /Shop.asmx/[omitted]");
    let fault = logged();
    assert_eq!(
        fault["fault"],
        json!({ "code": "Server", "text": "[secret]" })
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
