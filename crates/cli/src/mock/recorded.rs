//! Answers from recordings.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::Response;
use http::header::{CONNECTION, CONTENT_LENGTH, HeaderName, TRANSFER_ENCODING};
use serde_json::Value as Json;
use svcgen::Fault;
use svcgen::bytes::Bytes;
use svcgen::mask::{Mask, Masked, OMITTED, SECRET};
use svcgen_messages::{Operation, Request};
use svcgen_model::Binding;
use svcgen_replay::is_call;
use svcgen_testing::RecordedExchange;

use super::services::ServedService;
use crate::console::{Console, excerpt};

/// Headers of the connection, which the server writes itself.
const OF_CONNECTION: [HeaderName; 4] = [
    CONNECTION,
    CONTENT_LENGTH,
    HeaderName::from_static("keep-alive"),
    TRANSFER_ENCODING,
];

/// The maximum number of differences shown of a recorded request.
const MOST_SHOWN: usize = 5;

/// The recorded calls of services.
pub(super) struct RecordedCalls(Vec<RecordedCall>);

/// Equal requests, and the answers to them in order.
struct RecordedCall {
    operation: Operation,
    binding: Binding,
    parameters: Json,
    /// The name of the first recording.
    name: String,
    answers: Vec<Response<Bytes>>,
    calls: AtomicUsize,
}

impl RecordedCalls {
    /// Reads the recordings of a folder, and prints notes about the requests that are not answered.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be read, or no recording is a call of the services.
    pub(super) fn read(
        folder: &Path,
        services: &[ServedService],
        console: &Console,
    ) -> Result<Self, String> {
        let mut calls: Vec<RecordedCall> = Vec::new();
        let (mut unread, mut others) = (Vec::new(), BTreeSet::new());
        let exchanges = RecordedExchange::in_folder(folder).map_err(|error| error.to_string())?;
        for exchange in exchanges {
            let both = exchange
                .request()
                .and_then(|request| Ok((exchange.response(request.method())?, request)));
            let (mut response, request) = match both {
                Ok(both) => both,
                // It may be partly written, or have been removed.
                Err(error) => {
                    unread.push(format!("a recording cannot be read: {error}"));
                    continue;
                }
            };
            let (method, uri) = (request.method(), request.uri());
            let called = services.iter();
            let called =
                called.filter(|served| is_call(Some(served.service), method.as_str(), uri));
            let called = called.map(|served| {
                let read = served.read(&request);
                read.map_err(|fault| {
                    let secrets = Mask::new(served.service.row()).secrets(&request);
                    secrets.text(fault.text()).map(excerpt)
                })
            });
            let mut called = called.peekable();
            if called.peek().is_none() {
                others.extend(shown_by(services, &request));
                continue;
            }
            let name = exchange.name().to_owned();
            let mut why = Masked::fixed("").map(str::to_owned);
            let read = called.find_map(|read| read.map_err(|reason| why = reason).ok());
            let Some(read) = read else {
                unread.push(format!("{name} cannot be read as a call: {why}"));
                continue;
            };
            for header in OF_CONNECTION {
                response.headers_mut().remove(header);
            }
            let is_same =
                |call: &&mut RecordedCall| call.is_of(&read) && call.parameters == read.parameters;
            match calls.iter_mut().find(is_same) {
                Some(call) => call.answers.push(response),
                None => calls.push(RecordedCall {
                    operation: read.operation,
                    binding: read.binding,
                    parameters: read.parameters,
                    name,
                    answers: vec![response],
                    calls: AtomicUsize::new(0),
                }),
            }
        }
        if !others.is_empty() {
            let others: Masked<Vec<_>> = others.into_iter().collect();
            let others = others.map(|others| excerpt(&others.join(", ")));
            unread.push(format!(
                "the mock does not answer requests that are not calls: {others}"
            ));
        }
        if calls.is_empty() {
            let why = unread.first().map_or("", String::as_str);
            let folder = folder.display();
            return Err(format!(
                "no recording in {folder} is a call of the services: {why}"
            ));
        }
        for one in unread {
            console.note(one);
        }
        Ok(Self(calls))
    }

    /// Returns the recorded answer to a call.
    ///
    /// # Errors
    ///
    /// Returns an error that names the nearest recorded call if none is like it.
    pub(super) fn answer(&self, request: &Request) -> Result<Response<Bytes>, String> {
        let of_operation = || self.0.iter().filter(|call| call.is_of(request));
        let found = of_operation().find(|call| is_like(&call.parameters, &request.parameters));
        if let Some(call) = found {
            let number = call.calls.fetch_add(1, Ordering::Relaxed);
            let answer = call.answers.get(number).or(call.answers.last());
            return answer.cloned().ok_or_else(String::new);
        }
        let (operation, binding) = (request.operation, request.binding);
        let shown = |parameters: &Json| operation.parameter_place().mask(parameters);
        let given = shown(&request.parameters);
        let nearest =
            of_operation().min_by_key(|call| differences(&shown(&call.parameters), &given).len());
        let name = operation.name();
        Err(match nearest {
            None => format!("No call of {name} over {binding} is recorded."),
            Some(nearest) => {
                let recorded = shown(&nearest.parameters);
                let differences = differences(&recorded, &given);
                let more = differences.len().saturating_sub(MOST_SHOWN);
                let shown: Vec<_> = differences.iter().take(MOST_SHOWN).map(told).collect();
                let (shown, nearest) = (shown.join(", "), &nearest.name);
                let more = match more {
                    0 => String::new(),
                    more => format!(", and {more} more"),
                };
                format!(
                    "No call of {name} over {binding} with these parameters is recorded. The nearest is {nearest}: {shown}{more}."
                )
            }
        })
    }
}

impl RecordedCall {
    fn is_of(&self, request: &Request) -> bool {
        self.operation == request.operation && self.binding == request.binding
    }
}

impl ServedService {
    /// Reads a recorded request, whose secrets may be masked.
    fn read(&self, request: &http::Request<Bytes>) -> Result<Request, Fault> {
        let masked = self
            .masked
            .map(|masked| masked.read_request(request.clone()));
        let Some(Ok(mut read)) =
            masked.filter(|read| matches!(read, Ok(read) if is_masked(&read.parameters)))
        else {
            return self.service.read_request(request.clone());
        };
        let name = read.operation.name();
        let operation = self.service.operation(name);
        read.operation = operation.map_err(Fault::exception)?;
        // Masked messages still have the names of elements of XML values; this replaces such values
        // by `[omitted]`.
        read.parameters = read
            .operation
            .parameter_place()
            .mask(&read.parameters)
            .into_inner();
        Ok(read)
    }
}

/// Describes a request, masked by the service that knows most of it.
fn shown_by(services: &[ServedService], request: &http::Request<Bytes>) -> Option<Masked<String>> {
    let shown = services.iter().map(|served| {
        let shown = Mask::new(served.service.row()).request(request);
        shown.map(|shown| format!("{} {}", shown.method(), shown.uri()))
    });
    shown.min_by_key(|shown| shown.matches(OMITTED).count())
}

/// Whether a value, or one in it, is masked; a text may be XML with masked parts.
fn is_masked(recorded: &Json) -> bool {
    match recorded {
        Json::String(text) => text == SECRET || text.contains(OMITTED),
        Json::Array(items) => items.iter().any(is_masked),
        Json::Object(map) => map.values().any(is_masked),
        _ => false,
    }
}

/// Whether values equal the recorded ones; a masked value equals any other.
fn is_like(recorded: &Json, given: &Json) -> bool {
    match (recorded, given) {
        (Json::String(text), _) if [SECRET, OMITTED].contains(&text.as_str()) => true,
        (Json::Object(recorded), Json::Object(given)) => {
            recorded.len() == given.len()
                && recorded.iter().all(|(key, recorded)| {
                    given.get(key).is_some_and(|given| is_like(recorded, given))
                })
        }
        (Json::Array(recorded), Json::Array(given)) => {
            let mut both = recorded.iter().zip(given);
            recorded.len() == given.len() && both.all(|(one, other)| is_like(one, other))
        }
        (recorded, given) => recorded == given,
    }
}

/// A place in which values differ, with the recorded and the given value.
type Difference<'j> = (String, Option<&'j Json>, Option<&'j Json>);

/// Describes a difference.
fn told((place, recorded, given): &Difference<'_>) -> String {
    let text = |value: &Option<&Json>| {
        let text = value.map_or("nothing".to_owned(), Json::to_string);
        text.chars().take(60).collect::<String>()
    };
    format!("{place} is {} there, not {}", text(recorded), text(given))
}

fn differences<'j>(recorded: &'j Json, given: &'j Json) -> Vec<Difference<'j>> {
    let mut found = Vec::new();
    collect("", Some(recorded), Some(given), &mut found);
    found
}

fn collect<'j>(
    place: &str,
    recorded: Option<&'j Json>,
    given: Option<&'j Json>,
    found: &mut Vec<Difference<'j>>,
) {
    let within = |step: &str| match place {
        "" => step.to_owned(),
        place => format!("{place}.{step}"),
    };
    match (recorded, given) {
        (Some(one), Some(other)) if is_like(one, other) => {}
        (Some(Json::Object(one)), Some(Json::Object(other))) => {
            for (key, value) in one {
                collect(&within(key), Some(value), other.get(key), found);
            }
            for (key, value) in other.iter().filter(|(key, _)| !one.contains_key(*key)) {
                collect(&within(key), None, Some(value), found);
            }
        }
        (Some(Json::Array(one)), Some(Json::Array(other))) if one.len() == other.len() => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                collect(&format!("{place}[{index}]"), Some(one), Some(other), found);
            }
        }
        (recorded, given) => found.push((place.to_owned(), recorded, given)),
    }
}
