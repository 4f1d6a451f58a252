//! `docs/replace.md` can be followed word for word, with a local server in the place of the host.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use svcgen_codegen::Config;
use svcgen_documents::{Shape, WsdlOptions, wsdl};

use crate::sessions::{blocks, shell};

/// The service that is replaced.
const ORIGINAL: &str = "
service: Orders
namespace: http://shop.example.com/orders
path: /Orders.asmx
operations:
  Login: { parameters: { user: string?, password: { type: string?, secret: true } }, result: string?, allow: [SVC020] }
  Find: { parameters: { token: string?, number: int }, result: Order? }
  Place: { bindings: [soap11, soap12], parameters: { token: string?, order: Order? }, result: int }
types:
  Order: { elements: { Number: int, Placed: dateTime, State: State, Lines: 'Line[]?' } }
  Line: { elements: { Article: string?, Quantity: int, Price: decimal } }
enums:
  State: [Open, Sent]
";

const HOST: &str = "https://shop.example.com";
const SERVED: &str = "http://127.0.0.1:8080";

/// What it finds.
const FOUND: &str = r#"<Order xmlns="http://shop.example.com/orders"><Number>7</Number></Order>"#;

/// What is new in it later.
const NEWER: [(&str, &str); 2] = [
    (
        "  Place:",
        "  Cancel: { parameters: { token: string?, number: int }, result: boolean }\n  Place:",
    ),
    ("Price: decimal", "Price: decimal, Note: string?"),
];

fn document(definition: String) -> String {
    let described = Config::new().describe("orders.yaml", definition).unwrap();
    let options = WsdlOptions {
        shape: Shape::Original,
        ..WsdlOptions::default()
    };
    let document = described.with(|service| wsdl(service, &format!("{HOST}/Orders.asmx"), options));
    document.unwrap()
}

/// Answers the WSDL of the original at its address, and nothing else, until the process ends. Returns its address.
pub fn original() -> String {
    changing_original(Arc::default())
}

/// Answers the newer WSDL once that is wanted.
fn changing_original(is_newer: Arc<AtomicBool>) -> String {
    let definition = ORIGINAL.replace(", allow: [SVC020]", "");
    let newer = NEWER.iter().fold(definition.clone(), |text, (old, new)| {
        text.replace(old, new)
    });
    let documents = [document(definition), document(newer)];
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for connection in listener.incoming() {
            let number = usize::from(is_newer.load(Ordering::Relaxed));
            answer(connection.unwrap(), &documents[number]);
        }
    });
    address
}

fn answer(mut connection: TcpStream, document: &str) {
    let mut request = BufReader::new(connection.try_clone().unwrap());
    let (mut first, mut line) = (String::new(), String::new());
    request.read_line(&mut first).unwrap();
    while request.read_line(&mut line).unwrap() > 2 {
        line.clear();
    }
    let (status, body) = if first.starts_with("GET /Orders.asmx?wsdl HTTP/1.1") {
        ("200 OK", document)
    } else if first.starts_with("GET /Orders.asmx/Find?token=t&number=7 HTTP/1.1") {
        ("200 OK", FOUND)
    } else {
        ("500 Internal Server Error", "<html></html>")
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    // A client may go before it has read all.
    let _ = connection.write_all((head + body).as_bytes());
}

/// A program that serves, until it is dropped.
pub struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs `cargo run` in a crate; the service listens on a port that is free. Returns the first line that it prints.
pub fn cargo_run(folder: &Path) -> (Serving, String) {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::copy(repository.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let child = Command::new(cargo)
        .args(["run", "--offline", "--quiet", "--", "127.0.0.1:0"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut serving = Serving(child.unwrap());
    let mut line = String::new();
    let mut output = BufReader::new(serving.0.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    if line.is_empty() {
        let mut error = serving.0.stderr.take().unwrap();
        error.read_to_string(&mut line).unwrap();
        panic!("{line}");
    }
    (serving, line)
}

/// What somebody writes into the definition.
const BY_HAND: &str = "  # Who ordered is in the token.\n  Order:\n    rust: Purchase\n";

fn edit(definition: &Path) {
    let text = fs::read_to_string(definition).unwrap();
    let edited = text.replacen("  Order:\n", BY_HAND, 1);
    assert_ne!(text, edited);
    fs::write(definition, edited).unwrap();
}

/// Whether the lines of a session happened, where `…` stands for any lines.
fn check(command: &str, happened: &str, shown: &[&str]) {
    let mut lines = happened.lines();
    let mut skips = false;
    for wanted in shown {
        if *wanted == "…" {
            skips = true;
            continue;
        }
        let found = if skips {
            lines.find(|line| line == wanted)
        } else {
            lines.next().filter(|line| line == wanted)
        };
        assert!(found.is_some(), "{command}: {wanted}\n\n{happened}");
        skips = false;
    }
    let rest: Vec<_> = lines.collect();
    assert!(skips || rest.is_empty(), "{command}: {rest:?}");
}

#[test]
fn a_service_is_replaced_as_the_guide_says() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let guide = fs::read_to_string(repository.join("docs/replace.md")).unwrap();
    let is_newer = Arc::new(AtomicBool::new(false));
    let original = changing_original(Arc::clone(&is_newer));
    let home = tempfile::tempdir().unwrap();
    let mut folder: PathBuf = home.path().to_owned();
    let mut serving: Option<(Serving, String)> = None;
    let mut commands = 0;
    for session in blocks(&guide, "console") {
        for one in session.split("$ ").skip(1) {
            let (command, shown) = one.split_once('\n').unwrap();
            let shown: Vec<_> = shown.lines().collect();
            commands += 1;
            if let Some(inner) = command.strip_prefix("cd ") {
                folder.push(inner);
                continue;
            }
            if command == "cargo run" {
                let (server, line) = cargo_run(&folder);
                let address = line.trim_start_matches("See ").trim().trim_end_matches('/');
                check(command, &line.replace(address, SERVED), &shown);
                serving = Some((server, address.to_owned()));
                continue;
            }
            if command.contains("--update") && !is_newer.swap(true, Ordering::Relaxed) {
                edit(&folder.join("service-defs/orders.yaml"));
            }
            let mut real = command.replace(HOST, &original);
            if let Some((_, address)) = &serving {
                real = real.replace(SERVED, address);
            }
            // The published version is that of this checkout.
            let checkout = format!("svcgen new --path '{}' ", repository.display());
            let real = real.replace("svcgen new ", &checkout);
            let (_, happened) = shell(&folder, 0, &real);
            check(command, &happened.replace(&original, HOST), &shown);
        }
    }
    assert_eq!(commands, 15);
    let definition = fs::read_to_string(folder.join("service-defs/orders.yaml")).unwrap();
    assert!(definition.contains(BY_HAND), "{definition}");
}
