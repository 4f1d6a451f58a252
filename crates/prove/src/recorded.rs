//! Values of recorded calls.

use std::fmt;
use std::path::Path;

use bytes::Bytes;
use http::Request;
use serde_json::Value as Json;
use svcgen::Secret;
use svcgen::mask::SECRET;
use svcgen_messages::Operation;
use svcgen_replay::Comparer;
use svcgen_testing::{RecordedExchange, ReplayError};

use crate::change::{Change, places};
use crate::edit::Edit;
use crate::failed::ProofFailed;
use crate::place::Place;

/// Values of a call: SOAP headers and parameters.
#[derive(Clone, PartialEq)]
pub(crate) struct Values {
    pub(crate) operation: Operation,
    pub(crate) headers: Json,
    pub(crate) parameters: Json,
}

/// They may be secrets.
impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Values").field(&self.operation).finish()
    }
}

/// A value that recordings mask.
#[derive(Debug, Clone)]
pub(crate) struct RecordedSecret {
    name: String,
    /// The name and the text of another value that the call has to hold.
    beside: Option<(String, String)>,
    value: Secret<String>,
}

impl RecordedSecret {
    pub(crate) fn new(name: &str, beside: Option<(&str, &str)>, value: &Secret<String>) -> Self {
        Self {
            name: name.to_owned(),
            beside: beside.map(|(name, text)| (name.to_owned(), text.to_owned())),
            value: value.clone(),
        }
    }

    /// Whether it stands at a place, of all places of a call.
    fn is_at(&self, place: &Place, all: &[Place]) -> bool {
        let holds = |(name, text): &(String, String)| {
            let mut named = all.iter().filter(|place| is_called(place, name));
            named.any(|place| place.text.as_ref() == Some(text))
        };
        is_called(place, &self.name) && self.beside.as_ref().is_none_or(holds)
    }
}

fn is_called(place: &Place, name: &str) -> bool {
    let last = place.path.0.last();
    last.is_some_and(|step| step.name.trim_start_matches('@').eq_ignore_ascii_case(name))
}

/// Adds the values of the calls in a folder. Returns what is to be known of others.
pub(crate) fn read(
    folder: &Path,
    comparer: &Comparer,
    secrets: &[RecordedSecret],
    given: &mut Vec<Values>,
) -> Result<Option<String>, ProofFailed> {
    let failed = |error: ReplayError| ProofFailed(error.to_string());
    let (mut calls, mut unread) = (0, 0);
    for exchange in RecordedExchange::in_folder(folder).map_err(failed)? {
        let request = exchange.request().map_err(failed)?;
        let Some((operation, _)) = comparer.asked(&request).called() else {
            continue;
        };
        calls += 1;
        match values(request, operation, secrets) {
            Some(values) if given.contains(&values) => {}
            Some(values) => given.push(values),
            None => unread += 1,
        }
    }
    let folder = folder.display();
    if calls == 0 {
        return Err(ProofFailed(format!(
            "{folder}: no recorded exchange is a call of the definition"
        )));
    }
    Ok((unread > 0).then(|| {
        format!("{unread} of {calls} calls in {folder} cannot be read, or hold a masked value that is not given: they are not used")
    }))
}

fn values(
    mut request: Request<Bytes>,
    operation: Operation,
    secrets: &[RecordedSecret],
) -> Option<Values> {
    let places = places(&request, operation);
    for place in places
        .iter()
        .filter(|place| place.text.as_deref() == Some(SECRET))
    {
        let fitting = secrets.iter().filter(|one| one.is_at(place, &places));
        // What holds for some calls alone comes before what holds for all.
        let value = &fitting.min_by_key(|one| one.beside.is_none())?.value;
        let change = Change::At(place.path.clone(), Edit::Text(value.as_str().to_owned()));
        request = change.apply(request)?;
    }
    // Why it cannot be read may quote it.
    let read = operation.service().read_request(request).ok()?;
    Some(Values {
        operation,
        headers: read.headers,
        parameters: read.parameters,
    })
}
