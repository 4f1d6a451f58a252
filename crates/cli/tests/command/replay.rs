//! `svcgen replay`: recordings of `svcgen record`, against the same server and others.
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Output;
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::relay::Relay;
use crate::{at_once, command};

const DEFINITION: &str = "
service: Orders
namespace: http://example.com/orders
path: /Orders.asmx
operations:
  Login:
    parameters: { user: string?, password: { type: string?, secret: true } }
    result: Session
  GetOrder:
    parameters: { key: { type: string?, secret: true }, id: int }
    result: Order
types:
  Session: { elements: { Key: { type: string?, secret: true } } }
  Order: { elements: { Id: int, Price: decimal } }
";

/// Starts a server that answers each request by its first line and its headers, until the test
/// ends.
fn serve(answer: impl Fn(&str) -> String + Send + Sync + Copy + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for stream in listener.incoming() {
            thread::spawn(move || {
                let stream = stream.unwrap();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                loop {
                    let mut head = String::new();
                    while !head.ends_with("\r\n\r\n") {
                        if reader.read_line(&mut head).unwrap_or(0) == 0 {
                            return;
                        }
                    }
                    let body = answer(&head);
                    let length = body.len();
                    let response = format!(
                        "HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: {length}\r\n\r\n{body}"
                    );
                    (&stream).write_all(response.as_bytes()).unwrap();
                    if head.contains("Connection: close") {
                        return;
                    }
                }
            });
        }
    });
    format!("http://{address}")
}

fn order(price: &str) -> String {
    format!(r#"<Order xmlns="http://example.com/orders"><Id>7</Id><Price>{price}</Price></Order>"#)
}

fn session(key: &str) -> String {
    format!(r#"<Session xmlns="http://example.com/orders"><Key>{key}</Key></Session>"#)
}

fn original(head: &str) -> String {
    if head.contains("/Login") {
        session("key-of-then")
    } else {
        order("12.50")
    }
}

/// Requires the password in logins, and the current key in other calls.
fn same(head: &str) -> String {
    match head {
        _ if head.contains("password=hunter2") => session("key-of-now"),
        _ if head.contains("key=key%2Dof%2Dnow") => order("12.50"),
        _ => "<refused />".to_owned(),
    }
}

fn altered(head: &str) -> String {
    if head.contains("/Login") {
        session("key-of-now")
    } else {
        order("12.75")
    }
}

fn other_form(head: &str) -> String {
    if head.contains("/Login") {
        session("key-of-now")
    } else {
        order("12.5")
    }
}

/// Records two calls with the real command.
fn record(folder: &Path) {
    fs::write(folder.join("orders.yaml"), DEFINITION).unwrap();
    let upstream = serve(original);
    let (out, definition) = (folder.join("recorded"), folder.join("orders.yaml"));
    let arguments: [&dyn AsRef<OsStr>; 5] = [&"--upstream", &upstream, &"--out", &out, &definition];
    let mut recorder = Relay::start("record", &arguments, &upstream);
    for path in [
        "Login?user=ada&password=hunter2",
        "GetOrder?key=key-of-then&id=7",
    ] {
        let mut caller = TcpStream::connect(&recorder.address).unwrap();
        let request =
            format!("GET /Orders.asmx/{path} HTTP/1.1\r\nHost: old\r\nConnection: close\r\n\r\n");
        caller.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        caller.read_to_string(&mut answer).unwrap();
        recorder.line_with(" 200 ");
    }
    recorder.end();
}

fn replay(folder: &Path, url: &str, arguments: &[&str]) -> Output {
    let mut command = command(&[&"replay", &"recorded", &"--against", &url]);
    command.args(arguments).current_dir(folder);
    command.env("ORDERS_PASSWORD", "hunter2").output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const SECRET: [&str; 2] = ["--secret", "password=env:ORDERS_PASSWORD"];

#[test]
fn a_recording_is_replayed_against_the_same_server_and_an_altered_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    record(folder);
    let recorded = fs::read_to_string(folder.join("recorded/00000001/request.http")).unwrap();
    assert!(recorded.contains("password=[secret]"), "{recorded}");

    let with = |more: &[&'static str]| [&["orders.yaml"], &SECRET[..], more].concat();
    let output = replay(folder, &serve(same), &with(&[]));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let table = "operation  identical  same-document  same-values  differs  unanswered  unsent\n\
                 GetOrder           1              0            0        0           0       0\n\
                 Login              1              0            0        0           0       0\n";
    assert_eq!(text(&output.stdout), table);

    let reports = [
        "--report", "r.html", "--report", "r.json", "--report", "r.xml",
    ];
    let output = replay(folder, &serve(altered), &with(&reports));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = text(&output.stdout);
    let expected = "\nGetOrder: differs\n  value at GetOrderResult.Price\n    expected  12.50\n    found     12.75\n  1 exchange: 00000002\n";
    assert!(said.contains(expected), "{said}");
    assert!(
        said.ends_with("wrote r.html\nwrote r.json\nwrote r.xml\n"),
        "{said}"
    );
    let json: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("r.json")).unwrap()).unwrap();
    assert_eq!(json["summary"]["GetOrder"]["differs"], 1);
    let junit = fs::read_to_string(folder.join("r.xml")).unwrap();
    assert!(
        junit.contains("<testsuites tests=\"2\" failures=\"1\" errors=\"0\">"),
        "{junit}"
    );
    let html = fs::read_to_string(folder.join("r.html")).unwrap();
    for file in [said, json.to_string(), junit, html] {
        for secret in ["hunter2", "key-of-now", "key-of-then"] {
            assert!(!file.contains(secret), "{secret}: {file}");
        }
    }

    let url = serve(other_form);
    let output = replay(folder, &url, &with(&[]));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let output = replay(folder, &url, &with(&["--accept", "same-values"]));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    fs::write(
        folder.join("rules.yaml"),
        "near: { GetOrderResult.Price: 0.5 }\n",
    )
    .unwrap();
    let output = replay(folder, &serve(altered), &with(&["--rules", "rules.yaml"]));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn what_is_missing_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    record(folder);
    let url = serve(altered);
    let output = replay(folder, &url, &["orders.yaml", "--only", "Login"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = text(&output.stdout);
    assert!(
        said.contains("Login: unsent\n  the request holds masked values"),
        "{said}"
    );

    // Nobody listens there.
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let closed = format!("http://{closed}");
    let output = replay(folder, &closed, &[&["orders.yaml"], &SECRET[..]].concat());
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert!(
        text(&output.stdout).contains("Login: unanswered\n"),
        "{output:?}"
    );

    fs::write(folder.join("rules.yaml"), "ignored: []\n").unwrap();
    for (arguments, expected) in [
        (&["--only", "Login"][..], "with a definition alone"),
        (
            &["orders.yaml", "--only", "Logon"],
            "Orders has no operation 'Logon'; it has Login, GetOrder",
        ),
        (
            &["orders.yaml", "--read-only"],
            "recorded: no recorded call is of what is asked for",
        ),
        (
            &["--report", "r.txt"],
            "r.txt: name a report `.html`, `.json` or, for JUnit, `.xml`",
        ),
        (
            &["--rules", "rules.yaml"],
            "rules.yaml: unknown field `ignored`",
        ),
        (&["--rate", "0/s"], "write it as `20/s`, or `recorded`"),
        (
            &["--secret", "password"],
            "write it as `name=env:VARIABLE` or `name[parameter=text]=env:VARIABLE`",
        ),
        (
            &["--secret", "password[user]=env:X"],
            "write it as `name=env:VARIABLE`",
        ),
        (
            &["--secret", "[user=a]=env:X"],
            "write it as `name=env:VARIABLE`",
        ),
        (
            &["--secret", "password[user=a]=env:UNSET_VARIABLE"],
            "password where user is a should be in the environment variable UNSET_VARIABLE",
        ),
        (
            &["orders.yaml", "--secret", "password=env:UNSET_VARIABLE"],
            "environment variable UNSET_VARIABLE, which is not set",
        ),
        (&["--concurrency", "0"], "write a number from 1 to 1000"),
    ] {
        let output = replay(folder, &url, arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn what_is_no_call_is_recorded_and_told_and_not_sent() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("orders.yaml"), DEFINITION).unwrap();
    let page = |head: &str| match head {
        _ if head.contains("/Login?") || head.contains("/GetOrder?") => original(head),
        _ => format!(
            "<!DOCTYPE html>\n<html>{}</html>",
            "<p>old</p>\n".repeat(600)
        ),
    };
    let upstream = serve(page);
    let (out, definition) = (folder.join("recorded"), folder.join("orders.yaml"));
    let arguments: [&dyn AsRef<OsStr>; 5] = [&"--upstream", &upstream, &"--out", &out, &definition];
    let mut recorder = Relay::start("record", &arguments, &upstream);
    let mut said = String::new();
    let calls = [
        "/Orders.asmx/Login?user=ada&password=hunter2",
        "/Orders.asmx/GetOrder?key=key-of-then&id=7",
    ];
    let others = [
        "/Orders.asmx?wsdl",
        "/Orders.asmx?WSDL",
        "/Orders.asmx?op=GetOrder",
        "/Orders.asmx?disco",
        "/Orders.asmx?singleWsdl",
        "/Orders.asmx?xsd=xsd0",
        "/Orders.asmx?token=s3cret",
        "/Orders.asmx",
        "/Orders.asmx/js",
        "/favicon.ico",
        "/livez",
    ];
    for target in others.iter().chain(&calls) {
        let mut caller = TcpStream::connect(&recorder.address).unwrap();
        let request = format!("GET {target} HTTP/1.1\r\nHost: old\r\nConnection: close\r\n\r\n");
        caller.write_all(request.as_bytes()).unwrap();
        caller.read_to_end(&mut Vec::new()).unwrap();
        said += &recorder.line_with(" 200 ");
    }
    let end = recorder.end();
    let expected = format!(
        "13 exchanges are in {}, 11 of them no call\n",
        out.display()
    );
    assert_eq!(end, expected);
    assert!(
        said.contains("00000001 GET /Orders.asmx?wsdl 200 "),
        "{said}"
    );
    for (index, target) in others.iter().enumerate() {
        let request = out.join(format!("{:08}/request.http", index + 1));
        let request = fs::read_to_string(request).unwrap();
        let shown = target.replace("token=s3cret", "[omitted]");
        assert!(
            request.starts_with(&format!("GET {shown} HTTP/1.1\r\n")),
            "{request}"
        );
    }

    // A service with the same answers to calls passes, whatever its other answers are.
    let output = replay(
        folder,
        &serve(same),
        &[&["orders.yaml"], &SECRET[..]].concat(),
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told = text(&output.stdout);
    assert!(
        told.contains(
            "\nnot a call, and not sent: 11 exchanges: GET /Orders.asmx, GET /Orders.asmx/js, "
        ) && told.ends_with(" and 1 more\n"),
        "{told}"
    );
    // Without a definition, calls are recognized by their usual forms.
    let refused = serve(|_| "<refused />".to_owned());
    let output = replay(folder, &refused, &[]);
    let told = text(&output.stdout);
    assert!(
        told.contains("not a call, and not sent: 11 exchanges: GET /Orders.asmx (8), "),
        "{told}"
    );
}

#[test]
fn one_way_calls_are_replayed_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let definition = "service: Orders\nnamespace: http://example.com/orders\npath: /Orders.asmx\n\
                      operations: { Notify: { one_way: true, parameters: { id: int } } }\n";
    fs::write(folder.join("orders.yaml"), definition).unwrap();
    let exchange = folder.join("recorded/00000001");
    fs::create_dir_all(&exchange).unwrap();
    let body = "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>\
                <Notify xmlns=\"http://example.com/orders\"><id>7</id></Notify></s:Body></s:Envelope>";
    let request = format!(
        "POST /Orders.asmx HTTP/1.1\r\nHost: old\r\nContent-Type: text/xml; charset=utf-8\r\n\
         SOAPAction: \"http://example.com/orders/Notify\"\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    fs::write(exchange.join("request.http"), request).unwrap();
    let answer = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
    fs::write(exchange.join("response.http"), answer).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = thread::spawn(move || {
        let mut caller = BufReader::new(listener.accept().unwrap().0);
        let mut read = String::new();
        while !read.ends_with("</s:Envelope>") {
            let bytes = caller.fill_buf().unwrap().to_vec();
            read += std::str::from_utf8(&bytes).unwrap();
            caller.consume(bytes.len());
        }
        caller.get_mut().write_all(answer.as_bytes()).unwrap();
    });
    let output = replay(folder, &url, &["orders.yaml"]);
    server.join().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn logins_of_several_callers_have_a_password_each() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("orders.yaml"), DEFINITION).unwrap();
    let answer = session("[secret]");
    for (number, user) in ["ann", "bob", "ann", "eve", "eve"].iter().enumerate() {
        let exchange = folder.join(format!("recorded/{number}"));
        fs::create_dir_all(&exchange).unwrap();
        let request = format!(
            "GET /Orders.asmx/Login?user={user}&password=[secret] HTTP/1.1\r\nHost: old\r\n\r\n"
        );
        fs::write(exchange.join("request.http"), request).unwrap();
        let length = answer.len();
        let response = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: {length}\r\n\r\n{answer}"
        );
        fs::write(exchange.join("response.http"), response).unwrap();
    }
    let url = serve(|head| match head {
        _ if head.contains("user=ann&password=hunter2 ") => session("a"),
        _ if head.contains("user=bob&password=of%2Dbob ") => session("b"),
        _ => "<refused />".to_owned(),
    });
    let with = [
        "orders.yaml",
        "--secret",
        "password[user=ann]=env:ORDERS_PASSWORD",
        "--secret",
        "password[user=bob]=of-bob",
    ];
    let output = replay(folder, &url, &with);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = text(&output.stdout);
    let table = "\nLogin              3              0            0        0           0       2\n";
    assert!(said.contains(table), "{said}");
    // Equal messages are printed once.
    assert_eq!(said.matches("Login: unsent").count(), 1, "{said}");
    assert!(said.contains("\n  2 exchanges: 3, 4\n"), "{said}");
    assert!(
        !said.contains("hunter2") && !said.contains("of-bob"),
        "{said}"
    );
}

/// The requests that a server received.
#[derive(Default)]
struct Seen {
    ids: Vec<usize>,
    in_flight: usize,
    most_in_flight: usize,
}

/// Starts a server that records the ids in requests, and answers once it has had this many requests
/// at the same time.
fn counting(at_once: usize) -> (String, &'static Mutex<Seen>) {
    let seen: &'static (Mutex<Seen>, Condvar) = Box::leak(Box::default());
    let url = serve(move |head| {
        let id = head.split_once("id=").unwrap().1;
        let id = id.split_once(' ').unwrap().0.parse().unwrap();
        let (state, changed) = seen;
        let mut now = state.lock().unwrap();
        now.ids.push(id);
        now.in_flight += 1;
        now.most_in_flight = now.most_in_flight.max(now.in_flight);
        changed.notify_all();
        let waited = changed.wait_timeout_while(now, Duration::from_secs(50), |now| {
            now.most_in_flight < at_once
        });
        waited.unwrap().0.in_flight -= 1;
        order("12.50")
    });
    (url, &seen.0)
}

/// Writes calls with ids from 0, one each second, on the connections in turn.
fn calls(folder: &Path, count: usize, connections: usize) {
    for id in 0..count {
        let folder = folder.join(format!("recorded/{id:08}"));
        fs::create_dir_all(&folder).unwrap();
        let request = format!(
            "GET /Orders.asmx/GetOrder?key=k&id={id} HTTP/1.1\r\nHost: old\r\nContent-Length: 0\r\n\r\n"
        );
        fs::write(folder.join("request.http"), request).unwrap();
        let body = order("12.50");
        let response = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        fs::write(folder.join("response.http"), response).unwrap();
        let about = serde_json::json!({
            "begun": format!("2024-05-01T10:00:{id:02}Z"),
            "connection": id % connections,
            "caller": "10.0.0.1:50000",
        });
        fs::write(folder.join("exchange.json"), about.to_string()).unwrap();
    }
}

#[test]
fn calls_of_a_connection_stay_in_order_while_others_are_under_way() {
    const CONNECTIONS: usize = 3;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    calls(folder, 12, CONNECTIONS);
    for (concurrency, most) in [(1, 1), (2, 2), (8, CONNECTIONS)] {
        let (url, seen) = counting(most);
        let output = replay(folder, &url, &["--concurrency", &concurrency.to_string()]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let seen = seen.lock().unwrap();
        assert_eq!(seen.most_in_flight, most, "of {concurrency}");
        assert_eq!(seen.ids.len(), 12, "{:?}", seen.ids);
        for connection in 0..CONNECTIONS {
            let ids = seen
                .ids
                .iter()
                .filter(|id| **id % CONNECTIONS == connection);
            assert!(ids.is_sorted(), "{:?}", seen.ids);
        }
        if concurrency == 1 {
            assert!(seen.ids.is_sorted(), "{:?}", seen.ids);
        }
    }
}

#[test]
fn calls_are_not_sent_faster_than_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    calls(folder, 3, 3);
    at_once(&["1/s", "recorded"], |rate| {
        let (url, seen) = counting(0);
        let began = Instant::now();
        let output = replay(folder, &url, &["--rate", rate, "--concurrency", "3"]);
        let took = began.elapsed();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(took >= Duration::from_secs(2), "{rate}: {took:?}");
        assert_eq!(seen.lock().unwrap().ids.len(), 3, "{rate}");
    });
}
