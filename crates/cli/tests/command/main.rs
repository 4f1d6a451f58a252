//! The command as called from a shell, with one file for each subcommand.

mod anything;
mod call;
mod check;
mod completions;
mod diff;
mod docs;
mod explain;
mod fmt;
mod generate;
mod help;
mod import;
#[path = "../../../../tests/src/invalid.rs"]
#[allow(dead_code, reason = "no diagnostics are compared here")]
mod invalid;
mod man;
mod messages;
mod mistakes;
mod mock;
mod new;
mod openapi;
mod original;
mod other_readers;
mod pages;
mod planted;
#[cfg(target_os = "linux")]
mod prompt;
mod prove;
mod record;
mod relay;
mod replay;
mod samples;
mod schema;
mod sessions;
mod shadow;
mod shell;
mod text;
mod watch;
mod wsdl;

use std::env;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

/// Returns the path of a definition in `service-defs/`.
fn definition(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../service-defs")
        .join(name)
}

/// A definition that breaks a rule in line 4, column 28.
const WRONG: &str = "service: S\nnamespace: urn:s\npath: /s\noperations: { A: { result: itn } }\n";

/// A valid definition.
const RIGHT: &str = "service: S\nnamespace: urn:s\npath: /s\noperations: { A: { result: int } }\n";

/// The result of a call.
#[derive(Debug)]
struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

fn command(arguments: &[&dyn AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svcgen"));
    command.args(arguments.iter().map(AsRef::as_ref));
    command
}

fn svcgen(arguments: &[&dyn AsRef<OsStr>]) -> Ended {
    command(arguments).output().unwrap().into()
}

/// Calls the command in a folder, with this standard input.
fn svcgen_in(folder: &Path, arguments: &[&dyn AsRef<OsStr>], stdin: &[u8]) -> Ended {
    let mut child = command(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut pipe, stdin) = (child.stdin.take().unwrap(), stdin.to_vec());
    // A command that does not read its input closes it.
    let writer = thread::spawn(move || pipe.write_all(&stdin));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    output.into()
}

/// Runs the cases of a test concurrently, as they wait.
fn at_once<T: Sync>(cases: &[T], run: impl Fn(&T) + Sync) {
    thread::scope(|scope| {
        for case in cases {
            scope.spawn(|| run(case));
        }
    });
}

/// Sends a signal to a process.
#[cfg(unix)]
fn kill(signal: &str, id: &str) {
    // A builtin of the shell; the program is not on every machine.
    let kill = ["-c", r#"kill "$0" "$1""#, signal, id];
    assert!(Command::new("sh").args(kill).status().unwrap().success());
}
