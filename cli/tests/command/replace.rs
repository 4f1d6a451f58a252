//! `docs/replace.md` and `docs/quick-start.md` can be followed word for word, with a local server in the place of the host.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use http::Request;
use serde_json::{Value as Json, json};
use svcgen::bytes::Bytes;
use svcgen::codegen::Endpoint;
use svcgen_codegen::Config;
use svcgen_documents::{Shape, WsdlOptions, wsdl};
use svcgen_messages::Service;
use tokio::runtime::Builder;

use crate::sessions::shell;

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

/// The order that it has; there is no other.
const ORDER: i32 = 7;

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

/// Serves the original until the process ends: its WSDL, and calls of `Find` over HTTP GET. Returns its address.
pub fn original() -> String {
    changing_original(Arc::default())
}

/// Answers the newer WSDL once that is wanted.
fn changing_original(is_newer: Arc<AtomicBool>) -> String {
    let definition = ORIGINAL.replace(", allow: [SVC020]", "");
    let newer = NEWER.iter().fold(definition.clone(), |text, (old, new)| {
        text.replace(old, new)
    });
    let service = Service::of_definition("orders.yaml", &definition).unwrap();
    let endpoint = service.endpoint(|request| async move {
        let found = json!({ "Number": ORDER, "Placed": "0001-01-01T00:00:00", "State": "Sent" });
        let is_known = request.parameters["number"] == ORDER;
        Ok(if is_known { found } else { Json::Null }.into())
    });
    let documents = [document(definition), document(newer)];
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        for connection in listener.incoming() {
            let document = &documents[usize::from(is_newer.load(Ordering::Relaxed))];
            runtime.block_on(answer(connection.unwrap(), document, &endpoint));
        }
    });
    address
}

async fn answer(mut connection: TcpStream, document: &str, endpoint: &Endpoint) {
    let mut request = BufReader::new(connection.try_clone().unwrap());
    let (mut first, mut line) = (String::new(), String::new());
    request.read_line(&mut first).unwrap();
    while request.read_line(&mut line).unwrap() > 2 {
        line.clear();
    }
    let target = first.split(' ').nth(1).unwrap_or("/");
    let (status, body) = if target == "/Orders.asmx?wsdl" {
        ("200 OK".to_owned(), Bytes::from(document.to_owned()))
    } else if target.starts_with("/Orders.asmx/Find?") {
        let answer = endpoint.answer(Request::get(target).body(Bytes::new()).unwrap());
        let answer = answer.await;
        (answer.status().to_string(), answer.into_body())
    } else {
        (
            "500 Internal Server Error".to_owned(),
            Bytes::from("<html></html>"),
        )
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nCache-Control: private, max-age=0\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    // A client may go before it has read all.
    let _ = connection.write_all(&[head.as_bytes(), &body].concat());
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

/// A command that passes calls on, until it is ended.
struct Relaying(Serving);

impl Relaying {
    /// Starts it in a shell, at free ports; with the lines that it prints at first.
    fn start(folder: &Path, command: &str, count: usize) -> (Self, String) {
        let mut words = command.split(' ').skip(1);
        let mut arguments = Vec::new();
        while let Some(word) = words.next() {
            arguments.push(word);
            if ["--address", "--metrics"].contains(&word) {
                words.next();
                arguments.push("127.0.0.1:0");
            }
        }
        let child = Command::new(env!("CARGO_BIN_EXE_svcgen"))
            .args(arguments)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .spawn();
        let mut relaying = Self(Serving(child.unwrap()));
        let mut output = BufReader::new(relaying.0.0.stdout.take().unwrap());
        let mut lines = String::new();
        for _ in 0..count {
            output.read_line(&mut lines).unwrap();
        }
        // It must not wait for a reader.
        thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        (relaying, lines)
    }

    /// Ends it as Ctrl-C does.
    fn end(mut self) {
        let id = self.0.0.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &id])
                .status()
                .unwrap()
                .success()
        );
        assert!(self.0.0.wait().unwrap().success());
    }
}

/// Addresses of the guide, and where they are now.
struct Addresses(Vec<(String, String)>);

impl Addresses {
    fn real(&self, command: &str) -> String {
        let each = self.0.iter();
        each.fold(command.to_owned(), |text, (shown, real)| {
            text.replace(shown, real)
        })
    }

    fn shown(&self, happened: &str) -> String {
        let each = self.0.iter();
        each.fold(happened.to_owned(), |text, (shown, real)| {
            text.replace(real, shown)
        })
    }

    /// Notes the addresses that a program prints, in the place of those in the guide.
    fn note(&mut self, shown: &str, happened: &str) {
        let happened = self.shown(happened);
        for (shown, real) in urls(shown).zip(urls(&happened)) {
            if shown != real {
                self.0.retain(|(known, _)| known != shown);
                self.0.push((shown.to_owned(), real.to_owned()));
            }
        }
    }
}

fn urls(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split([' ', ',', '\n']);
    let urls = words.filter(|word| word.starts_with("http://127.0.0.1:"));
    urls.map(|url| {
        url.match_indices('/')
            .nth(2)
            .map_or(url, |(end, _)| &url[..end])
    })
}

/// Writes the handler that the guide shows.
fn implement(folder: &Path, handler: &str) {
    let path = folder.join("src/main.rs");
    let text = fs::read_to_string(&path).unwrap();
    let start = text
        .find("impl orders::OrdersHandler for Application {")
        .unwrap();
    let (before, rest) = text.split_at(start);
    let end = rest.find("{}\n").map_or(usize::MAX, |end| end + 3);
    let end = end.min(rest.find("\n}\n").unwrap() + 3);
    fs::write(path, format!("{before}{handler}{}", &rest[end..])).unwrap();
}

/// Follows a page of the book in a new folder: runs its commands and writes its handlers. Returns the folder in which it ends, and the number of commands.
fn follow(
    page: &str,
    home: &Path,
    mut addresses: Addresses,
    mut before: impl FnMut(&str, &Path),
) -> (PathBuf, usize) {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(repository.join("docs").join(page)).unwrap();
    let mut folder: PathBuf = home.to_owned();
    let mut serving: Option<Serving> = None;
    let mut relaying: Option<Relaying> = None;
    let mut commands = 0;
    for block in page.split("```").skip(1).step_by(2) {
        if block.starts_with("rust\nimpl orders::OrdersHandler for Application") {
            implement(&folder, &block["rust\n".len()..]);
        }
        let session = block.strip_prefix("console\n").unwrap_or_default();
        for one in session.split("$ ").skip(1) {
            let (command, text) = one.split_once('\n').unwrap();
            let shown: Vec<_> = text.lines().collect();
            commands += 1;
            if let Some(inner) = command.strip_prefix("cd ") {
                folder.push(inner);
                continue;
            }
            if command == "cargo run" {
                drop(serving.take());
                let (server, line) = cargo_run(&folder);
                serving = Some(server);
                addresses.note(text, &line);
                check(command, &addresses.shown(&line), &shown);
                continue;
            }
            if ["svcgen record ", "svcgen shadow "]
                .iter()
                .any(|start| command.starts_with(start))
            {
                let (started, lines) =
                    Relaying::start(&folder, &addresses.real(command), shown.len());
                relaying = Some(started);
                addresses.note(text, &lines);
                check(command, &addresses.shown(&lines), &shown);
                continue;
            }
            if command.starts_with("svcgen replay ")
                && let Some(recording) = relaying.take()
            {
                recording.end();
            }
            before(command, &folder);
            // The published version is that of this checkout.
            let checkout = format!("svcgen new --path '{}' ", repository.display());
            let real = addresses.real(command).replace("svcgen new ", &checkout);
            let mut happened = shell(&folder, 0, &real).1;
            // Samples are counted when the candidate has answered.
            let begun = Instant::now();
            while command.contains("/metrics")
                && happened.is_empty()
                && begun.elapsed() < Duration::from_secs(30)
            {
                thread::sleep(Duration::from_millis(50));
                happened = shell(&folder, 0, &real).1;
            }
            check(command, &addresses.shown(&happened), &shown);
        }
    }
    if let Some(relaying) = relaying {
        relaying.end();
    }
    (folder, commands)
}

#[test]
fn a_service_is_replaced_as_the_guide_says() {
    let is_newer = Arc::new(AtomicBool::new(false));
    let original = changing_original(Arc::clone(&is_newer));
    let home = tempfile::tempdir().unwrap();
    let addresses = Addresses(vec![(HOST.to_owned(), original)]);
    let (folder, commands) = follow("replace.md", home.path(), addresses, |command, folder| {
        if command.contains("--update") && !is_newer.swap(true, Ordering::Relaxed) {
            edit(&folder.join("service-defs/orders.yaml"));
        }
    });
    assert_eq!(commands, 29);
    let definition = fs::read_to_string(folder.join("service-defs/orders.yaml")).unwrap();
    assert!(definition.contains(BY_HAND), "{definition}");
}

#[test]
fn the_quick_start_goes_as_it_says() {
    let home = tempfile::tempdir().unwrap();
    let (_, commands) = follow(
        "quick-start.md",
        home.path(),
        Addresses(Vec::new()),
        |_, _| {},
    );
    assert_eq!(commands, 6);
}
