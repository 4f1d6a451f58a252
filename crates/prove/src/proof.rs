//! A proof: the selection and number of its calls, and how they are sent.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value as Json;
use svcgen::Binding;
use svcgen::mask::Secrets;
use svcgen_messages::{Operation, Service};
use svcgen_model::Bindings;
use svcgen_replay::{Likeness, MaskedValues, Rules};

use crate::recorded::Values;

/// Generates calls from the definition of a service, sends them to two servers, and compares the
/// answers.
///
/// The calls have samples and given values, over every binding; then one change each, at the edges
/// of types, in the form of the message, or wrong; then two changes each. A call whose answers
/// differ is made smaller as long as they do.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Proof {
    pub(crate) service: Service,
    /// The operations that are called; by default those that the definition declares as
    /// `read_only`.
    pub operations: Vec<Operation>,
    /// The bindings over which they are called if they have them; by default all.
    pub bindings: Bindings,
    /// The rules for differences that do not count.
    pub rules: Rules,
    /// The required similarity of answers; by default the same bytes.
    pub accepted: Likeness,
    /// The seed that decides the order of calls: the same seed makes the same calls.
    pub seed: u64,
    /// The number of calls, besides the calls that make a difference smaller; by default 1000.
    pub calls: usize,
    /// The number of findings that ends the proof; by default 500.
    pub most_findings: usize,
    /// The time after which no further call is sent.
    pub time: Option<Duration>,
    /// The number of calls that are sent at once; by default one.
    pub at_once: NonZeroUsize,
    /// The maximum number of calls per second. It needs the timer of tokio.
    pub rate: Option<f64>,
    /// Secrets that the transports of the servers send, such as passwords, which no text shows.
    pub hidden: Secrets,
    /// The values that are masked in recorded calls.
    pub secrets: MaskedValues,
    pub(crate) given: Vec<(Operation, Json)>,
    pub(crate) headers: Vec<(Operation, Json)>,
    pub(crate) recorded: Vec<PathBuf>,
}

impl Proof {
    /// Creates a proof of a service with the default settings.
    pub fn new(service: Service) -> Self {
        let operations = service.operations();
        Self {
            service,
            operations: operations.filter(|one| one.row().row().read_only).collect(),
            bindings: Bindings::of(&Binding::ALL),
            rules: Rules::new(),
            accepted: Likeness::Identical,
            seed: 0,
            calls: 1000,
            most_findings: 500,
            time: None,
            at_once: NonZeroUsize::MIN,
            rate: None,
            hidden: Secrets::new(),
            secrets: MaskedValues::default(),
            given: Vec::new(),
            headers: Vec::new(),
            recorded: Vec::new(),
        }
    }

    /// Makes calls of an operation with these parameters, and changes them. Values that the servers
    /// know show more than samples.
    #[must_use]
    pub fn with_values(mut self, operation: Operation, parameters: Json) -> Self {
        self.given.push((operation, parameters));
        self
    }

    /// Makes calls of an operation with these SOAP headers instead of samples, and changes them.
    #[must_use]
    pub fn with_headers(mut self, operation: Operation, headers: Json) -> Self {
        self.headers.push((operation, headers));
        self
    }

    /// Returns the values of a call with these parameters.
    pub(crate) fn values(&self, operation: Operation, parameters: Json) -> Values {
        let given = self.headers.iter().find(|(of, _)| *of == operation);
        let headers = given.map(|(_, headers)| headers.clone());
        Values {
            operation,
            headers: headers.unwrap_or_else(|| operation.header_place().sample()),
            parameters,
        }
    }

    /// Makes calls with the values of recorded calls, over every binding. A call with a masked
    /// value that is not known is left out, and the report states the number of such calls.
    #[must_use]
    pub fn with_recorded(mut self, folder: impl Into<PathBuf>) -> Self {
        self.recorded.push(folder.into());
        self
    }
}
