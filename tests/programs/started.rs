//! The page for browsers is served.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use svcgen_tests::raw_http::Connection;

#[test]
fn the_help_page_is_served() {
    let mut process = Command::new(env!("CARGO_BIN_EXE_help_page"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("help_page starts");
    let mut line = String::new();
    let output = process.stdout.take().expect("its output");
    BufReader::new(output).read_line(&mut line).expect("a line");
    let (_, url) = line.split_once("http://").expect("a URL");
    let (address, path) = url.trim_end().split_once('/').expect("a path");
    let mut connection = Connection::open(address.parse().expect("an address")).expect("a server");
    let request = format!("GET /{path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    connection.send(request.as_bytes()).expect("sent");
    let answer = connection.answer().expect("an answer");
    process.kill().expect("it runs");
    process.wait().expect("it ends");
    assert_eq!(answer.status, 200, "{}", answer.text());
}
