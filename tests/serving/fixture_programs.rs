//! The fixture programs against each other, and against no server.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
#[cfg(unix)]
use std::time::Duration;

#[cfg(unix)]
use svcgen_tests::raw_http::Connection;

/// `fixture_server` on a free port, which is stopped when dropped.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_fixture_server"))
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("fixture_server starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("its output"))
            .read_line(&mut line)
            .expect("a line");
        let url = line
            .strip_prefix("listening on ")
            .unwrap_or_else(|| panic!("{line:?}"))
            .trim_end()
            .to_owned();
        Self { process, url }
    }

    fn port(&self) -> u16 {
        self.url
            .rsplit(':')
            .next()
            .and_then(|port| port.parse().ok())
            .expect("a port")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn client(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fixture_client"))
        .args(arguments)
        .output()
        .expect("fixture_client starts")
}

fn server_output(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fixture_server"))
        .args(arguments)
        .output()
        .expect("fixture_server starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Returns the numbers of the last line, `N passed, N failed`.
fn counts(output: &Output) -> (usize, usize) {
    let stdout = text(&output.stdout);
    let line = stdout.lines().last().unwrap_or_default();
    let counts = line.split_once(" passed, ").and_then(|(passed, rest)| {
        Some((
            passed.parse().ok()?,
            rest.strip_suffix(" failed")?.parse().ok()?,
        ))
    });
    counts.unwrap_or_else(|| panic!("no counts in {line:?}: {}", text(&output.stderr)))
}

/// All bindings, or the requested ones.
#[test]
fn bindings_pass() {
    let server = Server::start(&["--port", "0", "--host=127.0.0.1"]);
    let slash = format!("{}/", server.url);
    let passed = |arguments: &[&str]| {
        let output = client(arguments);
        let (passed, failed) = counts(&output);
        let outcome = (failed, output.status.code());
        assert_eq!(
            outcome,
            (0, Some(0)),
            "{arguments:?}: {}",
            text(&output.stdout)
        );
        passed
    };
    let all = passed(&[&server.url, "--exact-line-ends"]);
    let two = passed(&[&slash, "--binding=http-get", "--binding", "soap12"]);
    assert!(two >= 200 && all >= two + 200, "{all}, {two} checks");
}

#[test]
fn an_unreachable_server_is_said() {
    // This port was free a moment ago.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let output = client(&[&url]);
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(
        error.contains(&url) && error.contains("cannot be reached"),
        "{error}"
    );
}

/// Against another server, every check fails in bounded time.
#[test]
fn another_server_fails_every_check() {
    let server = Server::start(&["--port", "0"]);
    let output = client(&[&format!("{}/elsewhere", server.url), "--binding", "soap11"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let (passed, failed) = counts(&output);
    let stdout = text(&output.stdout);
    // Calls that are refused before sending are refused with any server.
    assert!(
        failed > 100 && passed < 30,
        "{passed} passed, {failed} failed"
    );
    assert!(
        stdout
            .lines()
            .next()
            .is_some_and(|line| line.starts_with("FAILED SOAP 1.1 ")),
        "{stdout}"
    );
}

#[test]
fn bad_usage_of_the_client_is_said() {
    for (arguments, said) in [
        (&[][..], "BASE_URL is missing"),
        (&["--nope", "http://127.0.0.1:1"], "unknown flag `--nope`"),
        (
            &["http://127.0.0.1:1", "http://127.0.0.1:2"],
            "unexpected argument `http://127.0.0.1:2`",
        ),
        (
            &["http://127.0.0.1:1", "--binding"],
            "--binding needs a value",
        ),
        (
            &["http://127.0.0.1:1", "--binding", "soap13"],
            "unknown binding `soap13`",
        ),
        (
            &["ftp://127.0.0.1:1"],
            "`ftp://127.0.0.1:1` is not a base URL",
        ),
        (&["not a url"], "`not a url` is not a base URL"),
    ] {
        let output = client(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(
            error.contains(said) && error.contains("usage: fixture_client"),
            "{arguments:?}: {error}"
        );
    }
}

#[test]
fn bad_usage_of_the_server_is_said() {
    for (arguments, said) in [
        (&["--nope"][..], "unknown argument `--nope`"),
        (&["8080"], "unknown argument `8080`"),
        (&["--port"], "--port needs a value"),
        (&["--port", "70000"], "`70000` is not a port"),
        (&["--port", "x"], "`x` is not a port"),
        (&["--port", "0", "--host"], "--host needs a value"),
    ] {
        let output = server_output(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(
            error.contains(said) && error.contains("usage: fixture_server"),
            "{arguments:?}: {error}"
        );
    }
}

#[test]
fn a_port_in_use_is_said() {
    let server = Server::start(&["--port", "0"]);
    let output = server_output(&["--port", &server.port().to_string()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains(&server.port().to_string()),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn help_is_printed() {
    for (output, usage) in [
        (client(&["--help"]), "usage: fixture_client"),
        (server_output(&["-h"]), "usage: fixture_server"),
    ] {
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).starts_with(usage));
    }
}

#[cfg(unix)]
fn send(signal: &str, server: &Server) {
    crate::kill(signal, server.process.id());
}

/// The caller has not sent its whole body, so a stopping server waits for it.
#[cfg(unix)]
#[test]
fn a_second_signal_aborts_the_calls_that_run() {
    for [first, second] in [["-TERM", "-TERM"], ["-INT", "-TERM"], ["-INT", "-INT"]] {
        let mut server = Server::start(&["--port", "0"]);
        let address = ([127, 0, 0, 1], server.port()).into();
        let mut connection = Connection::open(address).expect("a connection");
        let head = "POST /SvcDotNet/Authenticator.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\n\
                    Expect: 100-continue\r\nContent-Length: 10\r\n\r\n";
        connection.send(head.as_bytes()).expect("sent");
        assert_eq!(connection.head().expect("the call runs").0, 100);
        send(first, &server);
        while Connection::open(address).is_ok() {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(server.process.try_wait().expect("a status").is_none());
        send(second, &server);
        let status = server.process.wait().expect("an exit status");
        assert_eq!(status.code(), Some(0));
        // There is no fault for a slow body.
        assert_eq!(connection.rest().unwrap_or_default(), b"");
    }
}

#[cfg(unix)]
#[test]
fn signals_stop_the_server() {
    for signal in ["-TERM", "-INT"] {
        let mut server = Server::start(&["--port", "0"]);
        send(signal, &server);
        let status = server.process.wait().expect("an exit status");
        assert_eq!(status.code(), Some(0), "{signal}");
    }
}
