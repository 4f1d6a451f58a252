//! Completions after `svcgen call`: operations, their parameters and bindings.

use std::ffi::OsStr;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use clap::FromArgMatches;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use svcgen::Binding;
use svcgen_messages::{Operation, Place, Service};

use super::given::{first_item, first_member};
use super::{Arguments, list};
use crate::completions::Typed;
use crate::console::Console;

/// The time to read a definition: someone who pressed a key does not wait longer.
const LONGEST: Duration = Duration::from_millis(500);

/// Completes the names of operations.
pub(super) fn operations() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let call = TypedCall::now();
        let operations = call.iter().flat_map(|call| call.service.operations());
        let candidates = operations.map(|operation| {
            let help = operation.row().documentation().map(str::trim);
            let help = help.filter(|help| !help.is_empty()).map(str::to_owned);
            let help = help.unwrap_or_else(|| list::line(operation));
            candidate(operation.name().to_owned(), &help)
        });
        beginning(current, candidates)
    })
}

/// Completes parameters and their values.
pub(super) fn parameters() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        if let Some(file) = current.to_str().and_then(|word| word.strip_prefix('@')) {
            return files(file, "@");
        }
        let Some((call, operation)) = TypedCall::operation() else {
            return Vec::new();
        };
        members(
            current,
            operation.parameter_place(),
            &call.arguments.arguments,
        )
    })
}

/// Completes SOAP headers and their values.
pub(super) fn headers() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| match TypedCall::operation() {
        Some((call, operation)) => members(
            current,
            operation.header_place(),
            &call.arguments.soap_header,
        ),
        None => Vec::new(),
    })
}

/// Completes the bindings of the operation, or else of the service, or else all bindings.
pub(super) fn bindings() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let call = TypedCall::now();
        let offered = |binding: &Binding| match &call {
            Some(call) => {
                let mut operations = match call.named() {
                    Some(operation) => vec![operation],
                    None => call.service.operations().collect(),
                }
                .into_iter();
                operations.any(|operation| operation.row().row().bindings.contains(*binding))
            }
            None => true,
        };
        let keys = Binding::ALL.into_iter().filter(offered).map(Binding::key);
        beginning(current, keys.map(CompletionCandidate::new))
    })
}

/// The typed part of a call.
struct TypedCall {
    arguments: Arguments,
    service: Service,
}

impl TypedCall {
    /// Reads the typed command line; `None` if it names no file, or the file cannot be read in
    /// time.
    fn now() -> Option<Self> {
        let (done, result) = mpsc::channel();
        // The thread may read on until the process ends.
        thread::spawn(move || {
            // If it took too long, nothing receives the result.
            drop(done.send(Self::read()));
        });
        result.recv_timeout(LONGEST).ok().flatten()
    }

    fn read() -> Option<Self> {
        let mut words = Typed::now().others();
        let name = words.iter().position(|word| word == "call")?;
        // Pressing a key must not send requests to hosts.
        words.insert(name + 1, "--offline".into());
        let command = crate::command().ignore_errors(true);
        let matches = command.try_get_matches_from(words).ok()?;
        let arguments = Arguments::from_arg_matches(matches.subcommand()?.1).ok()?;
        if arguments.service.url().is_some() {
            return None;
        }
        let console = Console::silent();
        let (service, _) = arguments.service.open(&arguments.reading, &console).ok()?;
        Some(Self { arguments, service })
    }

    /// Returns the operation that is named.
    fn named(&self) -> Option<Operation> {
        let name = self.arguments.operation.as_deref()?;
        self.service.operation(name).ok()
    }

    /// Returns the typed call with its operation.
    fn operation() -> Option<(Self, Operation)> {
        let call = Self::now()?;
        let operation = call.named()?;
        Some((call, operation))
    }
}

fn candidate(text: String, help: &str) -> CompletionCandidate {
    let line = help.lines().next().unwrap_or_default();
    CompletionCandidate::new(text).help(Some(line.to_owned().into()))
}

/// Returns the candidates that begin with the typed text.
fn beginning(
    current: &OsStr,
    candidates: impl Iterator<Item = CompletionCandidate>,
) -> Vec<CompletionCandidate> {
    let typed = current.as_encoded_bytes();
    let begins = |one: &CompletionCandidate| one.get_value().as_encoded_bytes().starts_with(typed);
    candidates.filter(begins).collect()
}

/// Completes the path of a file after a prefix.
fn files(path: &str, prefix: &str) -> Vec<CompletionCandidate> {
    let paths = PathCompleter::file().complete(OsStr::new(path));
    let prefixed = paths.into_iter().map(|path| path.add_prefix(prefix));
    prefixed.collect()
}

/// Completes members of an object that are not given yet, as `name=`, or the values of the typed
/// member.
fn members(current: &OsStr, place: Place, given: &[String]) -> Vec<CompletionCandidate> {
    let Some(typed) = current.to_str() else {
        return Vec::new();
    };
    let candidates = match typed.split_once('=') {
        Some((path, text)) => values(place, path, text),
        None => {
            let given = given.iter().filter_map(|one| one.split_once('='));
            let given: Vec<_> = given.map(|(path, _)| path).collect();
            paths(place, typed, &given)
        }
    };
    beginning(current, candidates.into_iter())
}

/// Returns the place of the first step of a path, and the rest of the path.
fn step(place: Place, path: &str) -> Option<(Place, &str)> {
    match path.strip_prefix('[') {
        Some(path) => Some((place.item()?, first_item(path)?.1)),
        None => first_member(place, path).map(|(_, member, rest)| (member, rest)),
    }
}

/// Completes the values of the place at a path.
fn values(mut place: Place, path: &str, text: &str) -> Vec<CompletionCandidate> {
    let mut rest = path;
    while !rest.is_empty() {
        let Some(next) = step(place, rest) else {
            return Vec::new();
        };
        (place, rest) = next;
    }
    if let Some(file) = text.strip_prefix('@') {
        return files(file, &format!("{path}=@"));
    }
    let values = if place.is_secret() {
        if let Some(file) = text.strip_prefix("file:") {
            return files(file, &format!("{path}=file:"));
        }
        vec!["env:", "file:", "prompt:"]
    } else {
        place.values()
    };
    let values = values.into_iter();
    values
        .map(|value| CompletionCandidate::new(format!("{path}={value}")))
        .collect()
}

/// Completes the typed path by one step.
fn paths(mut place: Place, path: &str, given: &[&str]) -> Vec<CompletionCandidate> {
    let mut rest = path;
    while let Some((next, after)) = step(place, rest).filter(|(_, after)| !after.is_empty()) {
        (place, rest) = (next, after);
    }
    let done = &path[..path.len() - rest.len()];
    let mut offered = Vec::new();
    if rest.starts_with('[') {
        offer(place, done.to_owned(), given, &mut offered);
        return offered;
    }
    let dot = if rest.starts_with('.') { "." } else { "" };
    for name in place.members() {
        let path = format!("{done}{dot}{name}");
        if let Some(member) = place.member(name).filter(|_| !given.contains(&&*path)) {
            offer(member, path, given, &mut offered);
        }
    }
    offered
}

/// Offers a path with the text that follows it: a value, members, or the items so far and one more.
fn offer(place: Place, path: String, given: &[&str], offered: &mut Vec<CompletionCandidate>) {
    if let Some(item) = place.item() {
        for index in 0.. {
            let path = format!("{path}[{index}]");
            let is_given = given.iter().any(|given| given.starts_with(&path));
            if !given.contains(&&*path) {
                offer(item, path, given, offered);
            }
            if !is_given {
                return;
            }
        }
    }
    let end = if place.members().is_empty() { "=" } else { "." };
    offered.push(candidate(path + end, &place.type_name()));
}
