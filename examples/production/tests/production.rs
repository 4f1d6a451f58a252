//! Runs the server and the client of the example.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::mpsc;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use svcgen::http::{Method, Request, header};
use svcgen::http_transport::Tls;
use svcgen::{HttpTransport, Transport};

const TOKEN: &str = "a-token-that-nobody-sees";

/// Writes the certificate of an issuer, and a server certificate that it issued.
fn write_certificates(folder: &Path) {
    let mut issuer = CertificateParams::default();
    issuer.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let issuer_key = KeyPair::generate().unwrap();
    let root = issuer.self_signed(&issuer_key).unwrap();
    let key = KeyPair::generate().unwrap();
    let server = CertificateParams::new(["localhost".to_owned()]).unwrap();
    let issuer = Issuer::new(issuer, issuer_key);
    let certificate = server.signed_by(&key, &issuer).unwrap();
    fs::write(folder.join("issuer.pem"), root.pem()).unwrap();
    fs::write(folder.join("server.pem"), certificate.pem()).unwrap();
    fs::write(folder.join("server.key"), key.serialize_pem()).unwrap();
}

/// A process that is killed at the end of the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the server. Returns it, its URL, and the rest of its output.
fn serve(variables: &[(&str, &str)]) -> (Process, String, BufReader<ChildStdout>) {
    let mut server = Process(
        Command::new(env!("CARGO_BIN_EXE_production-example"))
            .envs([("TOKEN", TOKEN), ("ADDRESS", "127.0.0.1:0")])
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap(),
    );
    let mut printed = BufReader::new(server.0.stdout.take().unwrap());
    let mut line = String::new();
    printed.read_line(&mut line).unwrap();
    let (_, port) = line.trim_end().rsplit_once(':').unwrap();
    (server, port.to_owned(), printed)
}

fn order(folder: &Path, url: &str, token: &str) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_order"))
        .envs([("URL", url), ("TOKEN", token)])
        .env("ROOTS", folder.join("issuer.pem"))
        .output()
        .unwrap();
    let printed = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(printed).unwrap())
}

#[tokio::test]
async fn a_client_orders_and_the_server_is_watched_and_stops() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_certificates(folder);
    let [certificates, key] = ["server.pem", "server.key"].map(|file| folder.join(file));
    let (mut server, port, mut printed) = serve(&[
        ("CERTIFICATES", certificates.to_str().unwrap()),
        ("KEY", key.to_str().unwrap()),
    ]);
    let url = format!("https://localhost:{port}");

    let (is_done, printed_by_client) = order(folder, &url, TOKEN);
    assert!(is_done, "{printed_by_client}");
    assert_eq!(
        printed_by_client,
        "a teapot is 1499 cents\norder of 2998 cents\n"
    );
    let (is_done, printed_by_client) = order(folder, &url, "another");
    assert!(!is_done);
    assert!(
        printed_by_client.starts_with("a teapot is 1499 cents\n"),
        "{printed_by_client}"
    );
    assert!(printed_by_client.contains("401"), "{printed_by_client}");

    let tls = Tls::new().with_roots_file(folder.join("issuer.pem"));
    let transport = HttpTransport::new().with_tls(tls.unwrap());
    let get = async |path: &str| {
        let request = Request::get(format!("{url}{path}")).body(Default::default());
        let response = transport.send(request.unwrap()).await.unwrap();
        let text = String::from_utf8(response.body().to_vec()).unwrap();
        (response.status().as_u16(), text)
    };
    assert_eq!(get("/readyz").await.0, 200);
    let (status, metrics) = get("/metrics").await;
    assert_eq!(status, 200);
    let calls = |operation: &str, outcome: &str| {
        let mut lines = metrics.lines();
        let line = lines.find(|line| {
            line.starts_with("svcgen_server_calls_total")
                && line.contains(&format!("operation=\"{operation}\""))
                && line.contains(&format!("outcome=\"{outcome}\""))
        });
        line.and_then(|line| line.rsplit(' ').next()?.parse::<u64>().ok())
    };
    assert_eq!(calls("Price", "answered"), Some(2), "{metrics}");
    assert_eq!(calls("Order", "answered"), Some(1), "{metrics}");
    assert_eq!(calls("Order", "refused"), Some(1), "{metrics}");
    drop(transport);

    let pid = server.0.id().to_string();
    // A builtin of the shell; the program is not on every machine.
    let kill = ["-c", r#"kill "$0" "$1""#, "-TERM", &pid];
    assert!(Command::new("sh").args(kill).status().unwrap().success());
    assert!(server.0.wait().unwrap().success());
    let mut log = String::new();
    printed.read_to_string(&mut log).unwrap();
    assert!(log.contains("Order"), "{log}");
    // The last line says how the server stopped.
    assert!(log.ends_with(", none was cut\n"), "{log}");
    assert!(!log.contains(TOKEN), "{log}");
}

/// Returns the error of a server that cannot start with these variables.
fn failing(variables: &[(&str, &str)]) -> String {
    let mut server = Command::new(env!("CARGO_BIN_EXE_production-example"));
    for name in ["TOKEN", "ADDRESS", "CERTIFICATES", "KEY"] {
        server.env_remove(name);
    }
    let Output { status, stderr, .. } = server.envs(variables.iter().copied()).output().unwrap();
    assert_eq!(status.code(), Some(1));
    String::from_utf8(stderr).unwrap()
}

#[test]
fn what_keeps_the_server_from_starting_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text");
    fs::write(&text, "no certificate").unwrap();
    let text = text.to_str().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = listener.local_addr().unwrap().to_string();
    let (token, address) = (("TOKEN", TOKEN), ("ADDRESS", "127.0.0.1:0"));
    let missing = |name| format!("set the variable {name}: it is missing, or is not UTF-8");
    let another = "; set ADDRESS to another HOST:PORT";
    for (variables, start, end) in [
        (&[address][..], &*missing("TOKEN"), ""),
        (&[token], &missing("ADDRESS"), ""),
        (
            &[token, ("ADDRESS", "8080")],
            "cannot listen on 8080: ",
            another,
        ),
        (
            &[token, ("ADDRESS", &taken)],
            &format!("cannot listen on {taken}: "),
            another,
        ),
        (
            &[token, address, ("CERTIFICATES", text)],
            &missing("KEY"),
            "",
        ),
        (
            &[
                token,
                address,
                ("CERTIFICATES", "nowhere.pem"),
                ("KEY", text),
            ],
            "CERTIFICATES and KEY: cannot read nowhere.pem: ",
            "",
        ),
        (
            &[token, address, ("CERTIFICATES", text), ("KEY", text)],
            &format!("CERTIFICATES and KEY: {text}: "),
            "",
        ),
    ] {
        let said = failing(variables);
        assert!(said.starts_with(&format!("error: {start}")), "{said}");
        assert!(said.ends_with(&format!("{end}\n")), "{said}");
        assert!(!said.contains(TOKEN), "{said}");
    }
}

/// Starts an original. Returns its URL, and the first lines of the requests that reach it.
fn original() -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = BufReader::new(connection.unwrap());
            let mut line = String::new();
            connection.read_line(&mut line).unwrap();
            let answer =
                b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\noriginal";
            connection.get_mut().write_all(answer).unwrap();
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    (url, told)
}

#[tokio::test]
async fn what_the_original_answers_needs_the_token() {
    let (original, reached) = original();
    let (_server, port, _printed) = serve(&[("ORIGINAL", &original)]);
    let transport = HttpTransport::new();
    let ask = async |method: Method, path: &str, action: Option<&str>, token: Option<&str>| {
        let mut request = Request::builder();
        if let Some(action) = action {
            request = request.header(header::CONTENT_TYPE, "text/xml");
            request = request.header("SOAPAction", action);
        }
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let uri = format!("http://127.0.0.1:{port}{path}");
        let request = request.method(method).uri(uri).body(Default::default());
        let response = transport.send(request.unwrap()).await.unwrap();
        let text = String::from_utf8_lossy(response.body()).into_owned();
        (response.status().as_u16(), text)
    };
    let unknown = "http://example.com/svc/orders/Refund";
    let requests = [
        (Method::GET, "/Orders.asmx/Refund?order=7", None),
        (Method::POST, "/Orders.asmx", Some(unknown)),
        (Method::PUT, "/Orders.asmx", None),
        (Method::GET, "/Admin.asmx/DeleteAll", None),
    ];
    for (method, path, action) in requests {
        for token in [None, Some("another")] {
            let (status, text) = ask(method.clone(), path, action, token).await;
            assert_eq!(status, 401, "{method} {path}: {text}");
        }
        let (status, text) = ask(method.clone(), path, action, Some(TOKEN)).await;
        assert_eq!((status, &*text), (200, "original"), "{method} {path}");
        // The first line of the request that reached it.
        let line = reached.recv().unwrap();
        assert_eq!(line, format!("{method} {path} HTTP/1.1\r\n"));
        assert!(reached.try_recv().is_err());
    }
    let (status, text) = ask(Method::GET, "/Orders.asmx/Price?article=teapot", None, None).await;
    assert_eq!(status, 200, "{text}");
    assert!(text.contains("1499"), "{text}");
}
