//! Values of recorded calls.

use std::fmt;
use std::path::Path;

use serde_json::Value as Json;
use svcgen_messages::Operation;
use svcgen_replay::{Comparer, MaskedValues};
use svcgen_testing::{RecordedExchange, ReplayError};

use crate::failed::ProofFailed;

/// Values of a call: SOAP headers and parameters.
#[derive(Clone, PartialEq)]
pub(crate) struct Values {
    pub(crate) operation: Operation,
    pub(crate) headers: Json,
    pub(crate) parameters: Json,
}

/// Without the values, which may be secrets.
impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Values").field(&self.operation).finish()
    }
}

/// Adds the values of the calls in a folder. Returns a note if calls were left out.
pub(crate) fn read(
    folder: &Path,
    comparer: &Comparer,
    filled: &MaskedValues,
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
        let filled = filled.filled(&request);
        // The error is dropped, as it may quote a secret.
        let read = filled.and_then(|request| operation.service().read_request(request).ok());
        let values = read.map(|read| Values {
            operation,
            headers: read.headers,
            parameters: read.parameters,
        });
        match values {
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
