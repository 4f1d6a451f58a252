//! A crate of `svcgen new --from` with a fallback, in front of a server that answers by itself.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use crate::follow::{cargo_run, replace, repository};
use crate::shell::shell;

const DEFINITION: &str = "
service: Greeter
namespace: urn:example:greeter
path: /Greeter.asmx
operations:
  Greet: { parameters: { name: string? }, result: string? }
  Part: { parameters: { name: string? }, result: string? }
";

/// Starts a server that answers each request with its first line, its body and how it was sent,
/// until the process ends. Returns its address.
fn original() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for connection in listener.incoming() {
            thread::spawn(move || answer(connection.unwrap()));
        }
    });
    address
}

fn answer(mut connection: TcpStream) {
    let mut request = BufReader::new(connection.try_clone().unwrap());
    loop {
        let (mut first, mut length) = (String::new(), 0);
        if request.read_line(&mut first).unwrap_or_default() == 0 {
            return;
        }
        let mut line = String::new();
        while request.read_line(&mut line).unwrap() > 2 {
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            line.clear();
        }
        let mut body = vec![0; length];
        request.read_exact(&mut body).unwrap();
        let body = [b"original: ", first.as_bytes(), &body].concat();
        let head = format!(
            "HTTP/1.1 203 OK\r\nX-Powered-By: ASP.NET\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        // A client may disconnect before it has read everything.
        let _ = connection.write_all(&[head.as_bytes(), &body].concat());
    }
}

/// Returns the answer to a request, without its time.
fn ask(address: &str, request: &str) -> String {
    let mut connection = TcpStream::connect(address).unwrap();
    connection.write_all(request.as_bytes()).unwrap();
    let mut answer = BufReader::new(connection);
    let (mut head, mut length) = (Vec::new(), 0);
    loop {
        let mut line = String::new();
        assert!(answer.read_line(&mut line).unwrap() > 0, "{head:?}");
        let line = line.to_ascii_lowercase();
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        head.extend((!line.starts_with("date:")).then_some(line));
    }
    head.sort();
    let mut body = vec![0; length];
    answer.read_exact(&mut body).unwrap();
    head.concat() + &String::from_utf8(body).unwrap()
}

fn requests() -> Vec<(&'static str, String)> {
    let envelope = |operation| {
        format!(
            "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>\
             <{operation} xmlns=\"urn:example:greeter\"><name>Ada</name></{operation}></s:Body></s:Envelope>"
        )
    };
    let soap = |operation| {
        let body = envelope(operation);
        format!(
            "POST /Greeter.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml; charset=utf-8\r\n\
             SOAPAction: \"urn:example:greeter/{operation}\"\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let get = |target| format!("GET {target} HTTP/1.1\r\nHost: h\r\n\r\n");
    vec![
        ("Greet", soap("Greet")),
        ("Greet", get("/Greeter.asmx/Greet?name=Ada")),
        ("Part", soap("Part")),
        ("Part", get("/Greeter.asmx/Part?name=Ada")),
        ("", get("/Greeter.asmx/Unknown?a=b")),
        ("", get("/other/page.aspx?a=b")),
    ]
}

#[test]
fn a_crate_answers_as_the_original_until_a_method_is_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("greeter.yaml"), DEFINITION).unwrap();
    let original = original();
    let checkout = repository();
    let call = format!(
        "svcgen new --from greeter.yaml --path '{}' polite",
        checkout.display()
    );
    let (code, said) = shell(folder.path(), 0, &call);
    assert_eq!(code, 0, "{said}");
    let polite = folder.path().join("polite");
    let main = polite.join("src/main.rs");
    let line = "    let services = services();\n";
    let falls_back = format!(
        "{line}    let services = services.with_fallback(svcgen::HttpTransport::fallback(\"http://{original}/\")?);\n"
    );
    replace(&main, line, &falls_back);
    let (serving, line) = cargo_run(&polite);
    let address = |line: &str| {
        let address = line.trim_start_matches("See http://").trim();
        address.trim_end_matches('/').to_owned()
    };
    for (_, request) in requests() {
        let asked = ask(&original, &request);
        assert!(asked.contains("original: "), "{asked}");
        assert_eq!(ask(&address(&line), &request), asked, "{request}");
    }
    drop(serving);
    // One operation is implemented, and only this one is answered by the crate.
    let method = "impl greeter::GreeterHandler for Application {\n    async fn greet(&self, _: &svcgen::Context, request: greeter::GreetRequest) -> Result<Option<String>, svcgen::Fault> {\n        \
                  Ok(request.name.map(|name| format!(\"new: {name}\")))\n    }\n}\n";
    replace(
        &main,
        "impl greeter::GreeterHandler for Application {}\n",
        method,
    );
    let (_serving, line) = cargo_run(&polite);
    for (operation, request) in requests() {
        let answer = ask(&address(&line), &request);
        if operation == "Greet" {
            assert!(
                answer.contains("new: Ada") && !answer.contains("asp.net"),
                "{answer}"
            );
        } else {
            assert_eq!(answer, ask(&original, &request), "{request}");
        }
    }
}
