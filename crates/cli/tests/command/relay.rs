//! A running command that forwards calls.
#![cfg(unix)]

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, ChildStdout, Stdio};

use crate::command;

/// `svcgen record` or `svcgen shadow` on a free port.
pub(crate) struct Relay {
    pub(crate) child: Child,
    pub(crate) output: BufReader<ChildStdout>,
    errors: BufReader<ChildStderr>,
    /// Host and port.
    pub(crate) address: String,
}

impl Relay {
    /// Starts a subcommand whose first line names this server.
    pub(crate) fn start(
        subcommand: &str,
        arguments: &[&dyn AsRef<OsStr>],
        passed_on_to: &str,
    ) -> Self {
        let mut command = command(&[&subcommand, &"--address", &"127.0.0.1:0"]);
        // The hosts in the requests of the tests.
        command.args([
            "--allow-host",
            "svc",
            "--allow-host",
            "shop",
            "--allow-host",
            "old",
        ]);
        command.args(arguments.iter().map(AsRef::as_ref));
        let (output, errors) = (Stdio::piped(), Stdio::piped());
        let mut child = command.stdout(output).stderr(errors).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let errors = BufReader::new(child.stderr.take().unwrap());
        let address = String::new();
        let mut relay = Self {
            child,
            output,
            errors,
            address,
        };
        let line = relay.line();
        let (address, rest) = line.split_once(" forwards to ").unwrap();
        assert_eq!(rest.trim_end(), passed_on_to);
        address
            .strip_prefix("http://")
            .unwrap()
            .clone_into(&mut relay.address);
        relay
    }

    /// Returns the next line of standard output.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    /// Returns the next line of standard error.
    pub(crate) fn error(&mut self) -> String {
        let mut line = String::new();
        self.errors.read_line(&mut line).unwrap();
        line
    }

    /// Returns the next line that contains a text.
    pub(crate) fn line_with(&mut self, text: &str) -> String {
        loop {
            let line = self.line();
            assert!(!line.is_empty(), "it has ended");
            if line.contains(text) {
                return line;
            }
        }
    }

    /// Returns the peak of its memory, in bytes.
    #[cfg(target_os = "linux")]
    pub(crate) fn peak(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:"));
        let kilobytes = line.unwrap().split_whitespace().nth(1).unwrap();
        kilobytes.parse::<usize>().unwrap() << 10
    }

    /// Presses Ctrl-C. Returns the rest of the output.
    pub(crate) fn end(self) -> String {
        self.end_with(0)
    }

    /// Does the same, for another exit code.
    pub(crate) fn end_with(mut self, code: i32) -> String {
        let id = self.child.id().to_string();
        crate::kill("-INT", &id);
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(code));
        rest
    }
}

/// A failed test leaves no process behind.
impl Drop for Relay {
    fn drop(&mut self) {
        // The process may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
