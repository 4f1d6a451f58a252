//! The checks of the fixture client: every operation with ordinary and hard values over any
//! transport.
//!
//! The checks are independent of the server; all expectations follow from the rules of
//! `recorded/README.md`.

use std::fmt;

use svcgen::{Binding, CallError, Secret, Transport};

use crate::authenticator::AuthenticatorClient;
use crate::device_login_service::DeviceLoginServiceClient;
use crate::fixture::show;

mod authenticator;
mod device_login;
mod fields;
mod values;

use fields::{Fields, Text, as_xml_reads};
pub use values::carries_absence;

/// The bindings by their names on the command line.
pub const BINDINGS: [(&str, Binding); 4] = [
    ("soap11", Binding::Soap11),
    ("soap12", Binding::Soap12),
    ("http-get", Binding::HttpGet),
    ("http-post", Binding::HttpPost),
];

/// The accepted forms of a carriage return in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnds {
    /// Only a carriage return.
    Exact,
    /// Also as XML 1.0 §2.11 reads an unescaped one: CR LF and CR as LF.
    AsXmlReads,
}

/// The result of a run.
#[derive(Debug, Default)]
pub struct Report {
    /// The number of right fields, faults and refusals.
    pub passed: usize,
    /// The wrong fields and the answers of the wrong kind, in order of the calls.
    pub failures: Vec<Failure>,
}

/// One wrong field of an answer, or one answer of the wrong kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The binding of the call.
    pub binding: Binding,
    /// The service, the operation and its arguments.
    pub call: String,
    /// The field's path, empty for the whole answer.
    pub field: String,
    /// The expectation by the rules.
    pub expected: String,
    /// The received value.
    pub got: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            binding,
            call,
            field,
            expected,
            got,
        } = self;
        let field = if field.is_empty() { "answer" } else { field };
        write!(
            f,
            "{binding} {call}: {field}: expected {}, got {}",
            shortened(expected),
            shortened(got)
        )
    }
}

fn shortened(text: &str) -> String {
    const SHOWN: usize = 300;
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
    }
}

/// Returns the clients of both services over one binding.
///
/// # Errors
///
/// The URL is not a base URL.
pub fn clients<T: Transport + Clone>(
    transport: T,
    base_url: &str,
    binding: Binding,
) -> Result<(AuthenticatorClient<T>, DeviceLoginServiceClient<T>), CallError> {
    let authenticator =
        AuthenticatorClient::new(transport.clone(), base_url)?.with_binding(binding);
    let device = DeviceLoginServiceClient::new(transport, base_url)?.with_binding(binding);
    Ok((authenticator, device))
}

/// Runs all checks over each of these bindings.
///
/// # Errors
///
/// The server cannot be reached at all. If a server stops answering later, the remaining checks
/// fail.
pub async fn run<T: Transport + Clone>(
    transport: T,
    base_url: &str,
    bindings: &[Binding],
    line_ends: LineEnds,
) -> Result<Report, CallError> {
    let mut report = Report::default();
    for (index, &binding) in bindings.iter().enumerate() {
        let (authenticator, device) = clients(transport.clone(), base_url, binding)?;
        if index == 0 {
            check_reachable(&device).await?;
        }
        let mut checker = Checker {
            binding,
            authenticator,
            device,
            line_ends,
            report: &mut report,
            unanswered: 0,
        };
        checker.check_authenticator().await;
        checker.check_device_login().await;
    }
    Ok(report)
}

async fn check_reachable<T: Transport>(
    device: &DeviceLoginServiceClient<T>,
) -> Result<(), CallError> {
    match device.test_connection().await {
        Err(error @ CallError::Transport(_)) => Err(error),
        _ => Ok(()),
    }
}

struct Checker<'r, T> {
    binding: Binding,
    authenticator: AuthenticatorClient<T>,
    device: DeviceLoginServiceClient<T>,
    line_ends: LineEnds,
    report: &'r mut Report,
    /// The number of consecutive calls without an answer.
    unanswered: usize,
}

/// The number of consecutive calls without an answer after which the rest are skipped.
const GIVE_UP_AFTER: usize = 3;

impl<T: Transport> Checker<'_, T> {
    fn absence(&self) -> bool {
        carries_absence(self.binding)
    }

    fn fail(
        &mut self,
        call: &str,
        field: &str,
        expected: impl Into<String>,
        got: impl Into<String>,
    ) {
        self.report.failures.push(Failure {
            binding: self.binding,
            call: shortened(call),
            field: field.to_owned(),
            expected: expected.into(),
            got: got.into(),
        });
    }

    fn note_answered<R>(&mut self, answer: &Result<R, CallError>) {
        let unanswered = matches!(answer, Err(CallError::Transport(_)));
        self.unanswered = if unanswered { self.unanswered + 1 } else { 0 };
    }

    fn given_up(&mut self, call: &str) -> bool {
        let given_up = self.unanswered >= GIVE_UP_AFTER;
        if given_up {
            self.fail(call, "", "an answer", "none: the server no longer answers");
        }
        given_up
    }

    /// Checks that the call was answered with exactly these fields.
    fn check(&mut self, call: &str, expected: &Fields, answer: Result<Fields, CallError>) {
        self.note_answered(&answer);
        match answer {
            Ok(got) => self.compare(call, expected, &got),
            Err(error) => self.fail(call, "", "a result", describe_error(&error)),
        }
    }

    fn compare(&mut self, call: &str, expected: &Fields, got: &Fields) {
        for (path, text) in expected {
            match got.iter().find(|(got_path, _)| got_path == path) {
                None => self.fail(call, path, show_text(text), "no such field"),
                Some((_, got)) if self.is_same(text, got) => self.report.passed += 1,
                Some((_, got)) => self.fail(call, path, show_text(text), show_text(got)),
            }
        }
        let known = |path: &String| expected.iter().any(|(expected, _)| expected == path);
        for (path, text) in got.iter().filter(|(path, _)| !known(path)) {
            self.fail(call, path, "no such field", show_text(text));
        }
    }

    fn is_same(&self, expected: &Text, got: &Text) -> bool {
        let normalised = || expected.as_deref().map(as_xml_reads) == *got;
        expected == got || (self.line_ends == LineEnds::AsXmlReads && normalised())
    }

    /// Checks that the call was answered with a fault that contains this text.
    fn check_fault<R>(&mut self, call: &str, expected: &str, answer: Result<R, CallError>) {
        self.note_answered(&answer);
        let said = match &answer {
            Ok(_) => Err("a result".to_owned()),
            Err(error) => fault_text(error).ok_or_else(|| describe_error(error)),
        };
        let describe = |text: &str| format!("a fault with the text {}", show(Some(text)));
        match said {
            Ok(text) if self.is_within(expected, &text) => self.report.passed += 1,
            Ok(text) => self.fail(call, "", describe(expected), describe(&text)),
            Err(got) => self.fail(call, "", describe(expected), got),
        }
    }

    fn is_within(&self, expected: &str, text: &str) -> bool {
        text.contains(expected)
            || (self.line_ends == LineEnds::AsXmlReads && text.contains(&as_xml_reads(expected)))
    }

    /// Checks that the client refused the call, because XML cannot contain an argument.
    fn check_unwritable<R>(&mut self, call: &str, answer: Result<R, CallError>) {
        match answer {
            Err(CallError::Write(_)) => self.report.passed += 1,
            Ok(_) => self.fail(call, "", UNSENT, "a result"),
            Err(error) => self.fail(call, "", UNSENT, describe_error(&error)),
        }
    }
}

const UNSENT: &str = "an error before sending";

fn show_text(text: &Text) -> String {
    text.as_deref()
        .map_or_else(|| "absent".to_owned(), |text| show(Some(text)))
}

fn describe_error(error: &CallError) -> String {
    format!("the error `{}`", with_causes(error))
}

/// Returns the text of an error with its causes.
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let said: Vec<_> = causes.map(ToString::to_string).collect();
    said.join(": ")
}

/// Returns the text of a fault, over any binding: for forms, a fault is an error status with a
/// text.
fn fault_text(error: &CallError) -> Option<String> {
    match error {
        CallError::Fault(fault) => Some(fault.text().to_owned()),
        CallError::Status { status, text, .. } if *status == 500 => Some(text.clone()),
        _ => None,
    }
}

/// Formats the arguments of a call for messages of failures.
fn print_call(name: &str, arguments: &[Option<&str>]) -> String {
    let arguments: Vec<String> = arguments
        .iter()
        .map(|argument| print_argument(*argument))
        .collect();
    format!("{name}({})", arguments.join(", "))
}

fn print_argument(argument: Option<&str>) -> String {
    match argument {
        None => "absent".to_owned(),
        Some(text) if text.len() > 40 => {
            format!("{:?}…", text.chars().take(40).collect::<String>())
        }
        Some(text) => format!("{text:?}"),
    }
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

fn secret(text: Option<&str>) -> Option<Secret<String>> {
    text.map(Into::into)
}
