//! The programs that `svcgen new` writes: their logs, how they stop, and their errors if they
//! cannot start.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output, Stdio};

/// Runs a program until it has answered a request, and stops it. Returns the lines of its output
/// after the first.
fn serve(program: &str, path: &str, log: &str) -> Vec<String> {
    let mut server = Command::new(program)
        .arg("127.0.0.1:0")
        .env("RUST_LOG", log)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut printed = BufReader::new(server.stdout.take().unwrap());
    let mut first = String::new();
    printed.read_line(&mut first).unwrap();
    let (_, rest) = first.split_once("http://").unwrap();
    let (address, _) = rest.split_once('/').unwrap();
    let mut connection = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    connection.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    // A builtin of the shell; the program is not on every machine.
    let pid = server.id().to_string();
    let kill = ["-c", r#"kill -TERM "$0""#, &pid];
    assert!(Command::new("sh").args(kill).status().unwrap().success());
    assert!(server.wait().unwrap().success());
    printed.lines().map(Result::unwrap).collect()
}

fn failing(program: &str, address: &str) -> String {
    let Output { status, stderr, .. } = Command::new(program).arg(address).output().unwrap();
    assert_eq!(status.code(), Some(1));
    String::from_utf8(stderr).unwrap()
}

const PROGRAMS: [&str; 2] = [
    env!("CARGO_BIN_EXE_guide-new"),
    env!("CARGO_BIN_EXE_guide-new-from"),
];

#[test]
fn a_call_is_a_line_of_the_log_and_a_signal_ends_the_program() {
    let good = "/WeatherStation.asmx/Greet?name=Ada&tone=Formal";
    let lines = serve(PROGRAMS[0], good, "info");
    let [call, stopped] = &lines[..] else {
        panic!("{lines:?}")
    };
    for part in [
        " INFO call{operation=\"Greet\"}",
        "outcome=\"answered\"",
        "status_code=200",
    ] {
        assert!(call.contains(part), "{call}");
    }
    assert!(stopped.starts_with("stopped in "), "{stopped}");
    assert!(stopped.contains(" none was cut"), "{stopped}");
    // The log has no secret of a query.
    assert!(!call.contains("Ada"), "{call}");
    let good = serve(PROGRAMS[0], good, "warn");
    assert_eq!(good.len(), 1, "{good:?}");
    let bad = serve(
        PROGRAMS[0],
        "/WeatherStation.asmx/Greet?tone=Formal",
        "warn",
    );
    assert!(
        bad[0].contains(" WARN call{operation=\"Greet\"}"),
        "{bad:?}"
    );
    let of_definition = serve(PROGRAMS[1], "/Orders.asmx/Find?token=t&number=7", "info");
    let call = &of_definition[0];
    assert!(call.contains(" INFO call{operation=\"Find\"}"), "{call}");
}

#[test]
fn an_address_that_cannot_be_had_is_told_with_what_to_do() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = listener.local_addr().unwrap().to_string();
    for program in PROGRAMS {
        for (address, reason) in [
            (taken.as_str(), "in use"),
            ("8080", "invalid socket address"),
        ] {
            let said = failing(program, address);
            let start = format!("error: cannot listen on {address}: ");
            assert!(said.starts_with(&start), "{said}");
            assert!(said.contains(reason), "{said}");
            let end = "; pass another HOST:PORT as the argument\n";
            assert!(said.ends_with(end), "{said}");
        }
    }
}
