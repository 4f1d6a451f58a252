//! Secrets that are typed on a terminal of `script`.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::call::{Server, folder};

/// Returns the text on the terminal of a call whose prompt is answered with `typed`, and of `stty`
/// after it.
fn shown(typed: &[u8]) -> String {
    let (server, folder) = (Server::start(), folder());
    let call = format!(
        "trap : INT; {} call shop.yaml Login user=me --url {} --show > result; echo code=$?; stty -a",
        env!("CARGO_BIN_EXE_svcgen"),
        server.url
    );
    let mut terminal = Command::new("script")
        .args(["--quiet", "--return", "--command", &call, "/dev/null"])
        .current_dir(folder.path())
        .env("SHELL", "/bin/sh")
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut output) = (
        terminal.stdin.take().unwrap(),
        terminal.stdout.take().unwrap(),
    );
    let mut shown = Vec::new();
    let mut byte = [0];
    while !shown.ends_with(b"password: ") && output.read(&mut byte).unwrap() > 0 {
        shown.extend(byte);
    }
    // The echo is turned off a moment after the prompt is printed.
    thread::sleep(Duration::from_millis(500));
    input.write_all(typed).unwrap();
    output.read_to_end(&mut shown).unwrap();
    terminal.wait().unwrap();
    String::from_utf8(shown).unwrap()
}

/// Whether the output of `stty` says that the terminal echoes.
fn echoes(shown: &str) -> bool {
    shown.split_whitespace().any(|word| word == "echo")
}

#[test]
fn a_typed_secret_is_sent_and_not_shown() {
    let shown = shown(b"hunter2&co\r");
    assert!(shown.starts_with("password: \r\n"), "{shown}");
    assert!(shown.contains("<password>[secret]</password>"), "{shown}");
    // The service refuses any other password.
    assert!(shown.contains("code=0"), "{shown}");
    assert!(!shown.contains("hunter2"), "{shown}");
    assert!(echoes(&shown), "{shown}");
}

#[test]
fn ctrl_c_at_the_prompt_ends_the_command() {
    let shown = shown(b"hun\x03");
    let after = shown.strip_prefix("password: \r\n").unwrap();
    assert!(after.starts_with("code=130\r\n"), "{shown}");
    assert!(!shown.contains("hun"), "{shown}");
    assert!(echoes(&shown), "{shown}");
}
