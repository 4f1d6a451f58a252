//! `svcgen call`: the requests that servers get, and the output for their answers.

mod failing;
mod foreign;

use std::ffi::OsStr;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::thread::{self, JoinHandle};

use serde_json::{Value as Json, json};
use svcgen::serve::Tls;
use svcgen::{Fault, FaultCode, Router, serve};
use svcgen_attachments::{
    Attachments, OutgoingAttachment, OutgoingAttachments, ServerAttachments as _,
};
use svcgen_messages::{Answer, Request, Service};
use tempfile::TempDir;
use tokio::sync::oneshot;

use crate::{Ended, svcgen_in};

const SHOP: &str = "
service: Shop
namespace: urn:shop
path: /Shop.asmx
bindings: [soap11, soap12, http-get, http-post, json]
headers: { Session: { type: SessionHeader } }
faults: { SoldOut: SoldOutDetail }
operations:
  Echo:
    parameters: { text: string?, number: int, price: decimal, day: date?, urgent: boolean, tone: Tone }
    result: string?
  Order:
    bindings: [soap11, soap12, json]
    parameters: { order: Order }
    result: Line[]
  Login:
    bindings: [soap11, http-post]
    parameters: { user: string, password: { type: string?, secret: true } }
    result: string?
  Secure:
    bindings: [soap11]
    headers: { in: [Session] }
    parameters: { text: string? }
    result: string?
  Refuse:
    bindings: [soap11, soap12]
    parameters: { password: { type: string?, secret: true } }
    faults: [SoldOut]
types:
  Order: { elements: { Note: string?, Photo: base64Binary?, Tags: 'string[]?', Lines: 'Line[]?' } }
  Line: { elements: { Article: string, Count: int } }
  SoldOutDetail: { elements: { Article: string?, Left: int } }
  SessionHeader: { elements: { Token: { type: string?, secret: true }, Id: int } }
enums:
  Tone: [Plain, Friendly]
";

/// A server of the shop that answers until it is dropped.
pub(crate) struct Server {
    pub url: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub fn start() -> Self {
        Self::with(None)
    }

    fn with(tls: Option<Tls>) -> Self {
        let service = Service::of_definition("shop.yaml", SHOP).unwrap();
        let endpoint = service.endpoint(|request| async move { answer(&request) });
        let router = Router::new().with_service(endpoint.with_attachments(Attachments::new()));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                let mut serving = serve(listener, router).with_shutdown(async {
                    let _ = stopped.await;
                });
                if let Some(tls) = tls {
                    serving = serving.with_tls(tls);
                }
                serving.await.unwrap();
            });
        });
        Self {
            url: format!("{scheme}://127.0.0.1:{port}"),
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
        let _ = self.thread.take().unwrap().join();
    }
}

/// Answers with the values of the request, so that the caller sees them.
fn answer(request: &Request) -> Result<Answer, Fault> {
    let parameters = &request.parameters;
    match request.operation.name() {
        "Order" => {
            let order = &parameters["order"];
            let photo = json!([{ "Article": order["Photo"], "Count": 1 }]);
            let lines = order.get("Lines").filter(|lines| !lines.is_null());
            let photo = (!order["Photo"].is_null()).then_some(&photo);
            if order["Note"] == "scanned" {
                let attachments: &OutgoingAttachments = request.extensions.get().unwrap();
                attachments.add(OutgoingAttachment::new("image/png", vec![1])?);
                attachments.add(OutgoingAttachment::new("image/png", vec![2])?);
            }
            Ok(Answer::from(lines.or(photo).unwrap_or(&json!([])).clone()))
        }
        "Refuse" => {
            let fault = Fault::new(
                FaultCode::Client,
                format!(
                    "Sold out for {}.",
                    parameters["password"].as_str().unwrap_or_default()
                ),
            );
            let detail = json!({ "Article": "Pen", "Left": 2 });
            Err(request
                .operation
                .with_detail(fault, "SoldOut", &detail)
                .unwrap())
        }
        "Login" if parameters["password"] != "hunter2&co" => {
            Err(Fault::client("The password is wrong."))
        }
        "Secure" => Ok(Answer::from(Json::from(request.headers.to_string()))),
        _ => Ok(Answer::from(Json::String(parameters.to_string()))),
    }
}

/// Creates a folder with the definition.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("shop.yaml"), SHOP).unwrap();
    folder
}

fn call_in(folder: &Path, url: &str, arguments: &[&str]) -> Ended {
    let mut all: Vec<&dyn AsRef<OsStr>> = vec![&"call", &"shop.yaml"];
    all.extend(arguments.iter().map(|one| one as &dyn AsRef<OsStr>));
    all.extend([&"--url" as &dyn AsRef<OsStr>, &url]);
    svcgen_in(folder, &all, b"")
}

#[test]
fn every_binding_carries_parameters_of_every_type() {
    let (server, folder) = (Server::start(), folder());
    for binding in ["soap11", "soap12", "http-get", "http-post", "json"] {
        let arguments = [
            "Echo",
            "text=Ada & <b>=1",
            "number=-7",
            "price=1.10",
            "day=2024-01-31",
            "urgent=true",
            "tone=Friendly",
            "--binding",
            binding,
        ];
        let called = call_in(folder.path(), &server.url, &arguments);
        assert_eq!(called.code, Some(0), "{binding}: {called:?}");
        let printed: String = serde_yaml::from_str(&called.stdout).unwrap();
        let read: Json = serde_json::from_str(&printed).unwrap();
        assert_eq!(
            read,
            json!({
                "text": "Ada & <b>=1", "number": -7, "price": "1.10",
                "day": "2024-01-31", "urgent": true, "tone": "Friendly",
            }),
            "{binding}"
        );
        assert_eq!(called.stderr, "", "{binding}");
    }
}

#[test]
fn objects_come_from_paths_files_and_samples() {
    let (server, folder) = (Server::start(), folder());
    let lines = |arguments: &[&str]| {
        let all = [&["Order", "--format", "json"], arguments].concat();
        let called = call_in(folder.path(), &server.url, &all);
        assert_eq!(called.code, Some(0), "{called:?}");
        serde_json::from_str::<Json>(&called.stdout).unwrap()
    };
    let pen = json!([{ "Article": "0042", "Count": 2 }]);
    assert_eq!(
        lines(&["order.Lines[0].Article=0042", "order.Lines[0].Count=2"]),
        pen
    );
    assert_eq!(lines(&["order.Lines=[{ Article: 0042, Count: 2 }]"]), pen);
    let file = "order:\n  Note: no\n  Lines:\n  - Article: 0042\n    Count: 1\n";
    fs::write(folder.path().join("order.yaml"), file).unwrap();
    assert_eq!(lines(&["@order.yaml", "order.Lines[0].Count=2"]), pen);
    fs::write(folder.path().join("lines.json"), pen.to_string()).unwrap();
    assert_eq!(lines(&["order.Lines=@lines.json"]), pen);
    assert_eq!(lines(&["--samples", "order.Lines=@lines.json"]), pen);
    assert_eq!(lines(&["--samples"]).as_array().unwrap().len(), 2);

    let all: [&dyn AsRef<OsStr>; 6] = [
        &"call",
        &"shop.yaml",
        &"Order",
        &"@-",
        &"--url",
        &server.url,
    ];
    let called = svcgen_in(folder.path(), &all, file.as_bytes());
    assert_eq!(
        called.stdout, "- Article: '0042'\n  Count: 1\n",
        "{called:?}"
    );
    let table = call_in(
        folder.path(),
        &server.url,
        &[
            "Order",
            "@order.yaml",
            "order.Lines[1].Article=Ink",
            "order.Lines[1].Count=10",
            "--format",
            "table",
        ],
    );
    assert_eq!(
        table.stdout, "Article  Count\n0042         1\nInk         10\n",
        "{table:?}"
    );
}

#[test]
fn files_are_text_or_bytes() {
    let (server, folder) = (Server::start(), folder());
    fs::write(folder.path().join("photo"), [0, 255, 10]).unwrap();
    fs::write(folder.path().join("note"), "two\nlines").unwrap();
    let arguments = [
        "Order",
        "order.Photo=@photo",
        "order.Note=@note",
        "order.Tags=[a, 1.10]",
        "--show",
    ];
    let called = call_in(folder.path(), &server.url, &arguments);
    assert_eq!(called.code, Some(0), "{called:?}");
    for shown in [
        "<Photo>AP8K</Photo>",
        "<Note>two\nlines</Note>",
        "<string>1.10</string>",
    ] {
        assert!(called.stderr.contains(shown), "{shown}: {called:?}");
    }
    let arguments = ["Order", "order.Note=@@home", "--show"];
    let called = call_in(folder.path(), &server.url, &arguments);
    assert!(called.stderr.contains("<Note>@home</Note>"), "{called:?}");
    for binding in ["soap11", "soap12"] {
        let arguments = [
            "Order",
            "order.Photo=@photo",
            "--mtom",
            "--show",
            "--binding",
            binding,
        ];
        let called = call_in(folder.path(), &server.url, &arguments);
        let shown = "<xop:Include ";
        assert!(called.stderr.contains(shown), "{called:?}");
        assert_eq!(called.stdout, "- Article: AP8K\n  Count: 1\n");
    }
    let arguments = ["Login", "--mtom", "--binding", "http-post", "--samples"];
    let called = call_in(folder.path(), &server.url, &arguments);
    let refused = "error: the attachments given to Login cannot be sent over HTTP POST by this client (hint: SOAP carries them; `--binding` chooses another binding)\n";
    assert_eq!((called.code, &*called.stderr), (Some(2), refused));
    let arguments = ["Order", "order.Note=scanned"];
    let called = call_in(folder.path(), &server.url, &arguments);
    let note = "note: attachments of the answer that no value includes are not printed: 2\n";
    assert_eq!(called.stderr, note);
    let arguments = ["Order", "order.Note=cid:scan"];
    let called = call_in(folder.path(), &server.url, &arguments);
    let note = "note: the request refers to an attachment (cid:), and `svcgen call` sends none\n";
    assert_eq!(called.stderr, note);
    let arguments = ["Order", "order.Photo=@gone"];
    let called = call_in(folder.path(), &server.url, &arguments);
    assert!(
        called.stderr.contains("order.Photo: gone cannot be read"),
        "{called:?}"
    );
    assert_eq!(called.code, Some(2));
}

#[test]
fn secrets_are_sent_and_never_shown() {
    let (server, folder) = (Server::start(), folder());
    fs::write(folder.path().join("secret"), "hunter2&co\n").unwrap();
    for binding in ["soap11", "http-post"] {
        for password in ["password=file:secret", "password=hunter2&co"] {
            let arguments = [
                "Login",
                "user=me",
                password,
                "--show",
                "--binding",
                binding,
                "--header",
                "X-Key: hunter2&co",
                "--user",
                "me:file:secret",
                "--format",
                "json",
            ];
            let called = call_in(folder.path(), &server.url, &arguments);
            assert_eq!(called.code, Some(0), "{called:?}");
            assert!(called.stderr.contains("[secret]"), "{called:?}");
            assert!(
                called.stderr.contains("authorization: [secret]"),
                "{called:?}"
            );
            assert!(!called.stderr.contains("hunter2"), "{called:?}");
            assert!(!called.stderr.contains("aHVudGVyMi"), "{called:?}");
        }
    }
    // A fault that quotes a secret.
    let called = call_in(
        folder.path(),
        &server.url,
        &["Refuse", "password=file:secret", "--show"],
    );
    assert_eq!(called.code, Some(3));
    assert!(
        called.stderr.contains("Sold out for [secret]."),
        "{called:?}"
    );
    assert!(!called.stderr.contains("hunter2"), "{called:?}");
    // Short secrets occur in every text: the words around a quotation stay.
    for (password, article) in [("p", "Pen"), ("e", "'[secret]'")] {
        let password = format!("password={password}");
        let called = call_in(folder.path(), &server.url, &["Refuse", &password]);
        assert_eq!(called.code, Some(3));
        let said = format!(
            "error: the service answered with a fault (Client): [secret]\ndetail:\n  SoldOut:\n    Article: {article}\n    Left: 2\n"
        );
        assert_eq!(called.stderr, said);
    }
    // A secret in a file that does not match the definition.
    fs::write(
        folder.path().join("login.yaml"),
        "user: me\npassword: [hunter2]\n",
    )
    .unwrap();
    let called = call_in(folder.path(), &server.url, &["Login", "@login.yaml"]);
    assert_eq!(called.code, Some(2));
    assert!(
        called.stderr.contains("login.yaml:2:11: password: "),
        "{called:?}"
    );
    assert!(!called.stderr.contains("hunter2"), "{called:?}");
}

#[test]
fn nothing_that_controls_a_terminal_is_printed() {
    let (server, folder) = (Server::start(), folder());
    // U+009B, which starts control sequences of 8-bit terminals, and an override of the text
    // direction.
    fs::write(
        folder.path().join("order.yaml"),
        "order: { Lines: [{ Article: \"a\\x9B2Jb\\u202Ec\", Count: 1 }] }\n",
    )
    .unwrap();
    for (format, shown) in [
        ("json", r#""Article": "a\u009B2Jb\u202Ec""#),
        ("yaml", r#""Article": "a\u009B2Jb\u202Ec""#),
        ("table", "a?2Jb?c"),
    ] {
        let arguments = [
            "Order",
            "@order.yaml",
            "--binding",
            "json",
            "--show",
            "--format",
            format,
        ];
        let called = call_in(folder.path(), &server.url, &arguments);
        assert_eq!(called.code, Some(0), "{called:?}");
        assert!(called.stdout.contains(shown), "{called:?}");
        let printed = called.stdout + &called.stderr;
        assert!(!printed.contains(svcgen_model::is_hidden), "{printed:?}");
    }
}

#[test]
fn soap_headers_go_along() {
    let (server, folder) = (Server::start(), folder());
    let arguments = [
        "Secure",
        "--soap-header",
        "Session.Id=7",
        "--soap-header",
        "Session.Token=t0ken",
        "--show",
    ];
    let called = call_in(folder.path(), &server.url, &arguments);
    assert_eq!(called.code, Some(0), "{called:?}");
    assert_eq!(
        called.stdout,
        "'{\"Session\":{\"Token\":\"t0ken\",\"Id\":7}}'\n"
    );
    assert!(
        called.stderr.contains("<Token>[secret]</Token>"),
        "{called:?}"
    );
    let with = call_in(
        folder.path(),
        &server.url,
        &["Echo", "--samples", "--answer-headers", "--format", "json"],
    );
    let printed: Json = serde_json::from_str(&with.stdout).unwrap();
    assert_eq!(printed["headers"], json!({}));
    assert!(printed["value"].is_string());
}

#[test]
fn a_wsdl_on_the_server_is_enough() {
    let (server, folder) = (Server::start(), folder());
    let url = format!("{}/Shop.asmx?wsdl", server.url);
    let arguments: [&dyn AsRef<OsStr>; 6] = [
        &"call",
        &url,
        &"Order",
        &"order.Lines[0].Article=a",
        &"order.Lines[0].Count=3",
        &"--show",
    ];
    let called = svcgen_in(folder.path(), &arguments, b"");
    assert_eq!(called.stdout, "- Article: a\n  Count: 3\n", "{called:?}");
    assert!(
        called
            .stderr
            .contains(&format!("POST {}/Shop.asmx\n", server.url)),
        "{called:?}"
    );
    let away: [&dyn AsRef<OsStr>; 7] = [
        &"call",
        &url,
        &"Echo",
        &"--url",
        &"http://other.invalid",
        &"--bearer",
        &"t",
    ];
    let refused = svcgen_in(folder.path(), &away, b"");
    assert!(refused.stderr.contains("are for one host"), "{refused:?}");
    assert_eq!(refused.code, Some(2));
}

#[test]
fn operations_are_listed_with_their_types() {
    let folder = folder();
    let listed = svcgen_in(folder.path(), &[&"call", &"--list", &"shop.yaml"], b"");
    assert_eq!(listed.code, Some(0), "{listed:?}");
    let expected = "\
Echo(text: string?, number: int, price: decimal, day: date?, urgent: boolean, tone: Tone): string?
Order(order: Order): Line[]
Login(user: string, password: string?): string?
Secure(text: string?): string?
Refuse(password: string?)
";
    assert_eq!(listed.stdout, expected);
    let one = svcgen_in(
        folder.path(),
        &[&"call", &"--list", &"shop.yaml", &"Order"],
        b"",
    )
    .stdout;
    let types = "\
Order(order: Order): Line[]
bindings: soap11, soap12, json
Order: { Note: string?, Photo: base64Binary?, Tags: string[]?, Lines: Line[]? }
Line: { Article: string, Count: int }
";
    assert_eq!(one, types);
    let secure = svcgen_in(
        folder.path(),
        &[&"call", &"--list", &"shop.yaml", &"Secure"],
        b"",
    )
    .stdout;
    assert!(
        secure.contains("SOAP headers: Session: SessionHeader"),
        "{secure}"
    );
}

#[test]
fn what_a_call_leaves_out_of_its_wsdl_is_noted() {
    let wsdl = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../import/tests/import/wsdl/service-attachments.wsdl");
    let folder = folder();
    let listed = svcgen_in(folder.path(), &[&"call", &"--list", &wsdl, &"Read"], b"");
    assert_eq!(listed.code, Some(0), "{listed:?}");
    for note in [
        "note: the attachment `image` is left out: ",
        "note: attachments (DIME) are left out: messages are XML alone\n",
    ] {
        assert!(listed.stderr.contains(note), "{listed:?}");
    }
}

#[test]
fn one_of_several_services_of_a_wsdl_is_named() {
    let wsdl = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../import/tests/import/wsdl/finish-services-of-similar-names.wsdl");
    let folder = folder();
    let several = svcgen_in(folder.path(), &[&"call", &"--list", &wsdl], b"");
    assert_eq!(
        (several.code, &*several.stdout),
        (Some(2), ""),
        "{several:?}"
    );
    let names = several.stderr.split("choose one of ").nth(1).unwrap();
    let names = names.split(" by `--service NAME`").next().unwrap();
    let names: Vec<_> = names.split(", ").collect();
    assert_eq!(names.len(), 2, "{several:?}");
    for name in names {
        let one = svcgen_in(
            folder.path(),
            &[&"call", &"--list", &wsdl, &"--service", &name],
            b"",
        );
        assert_eq!(one.code, Some(0), "{one:?}");
        assert!(one.stdout.contains('('), "{one:?}");
    }
    let none = svcgen_in(
        folder.path(),
        &[&"call", &"--list", &wsdl, &"--service", &"Nope"],
        b"",
    );
    assert!(
        none.stderr.contains("has no service `Nope`; it has "),
        "{none:?}"
    );
    let without = svcgen_in(folder.path(), &[&"call", &"shop.yaml"], b"");
    assert!(
        without
            .stderr
            .contains("it is one of Echo, Order, Login, Secure, Refuse"),
        "{without:?}"
    );
    assert_eq!(without.code, Some(2));
}
