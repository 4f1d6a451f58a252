//! A proof: which calls, how many, and how they are sent.

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

/// Calls of a service that are made of its definition, sent to two servers, and whose answers are
/// compared.
///
/// The calls are samples and given values, over every binding; then each with one change, at the
/// edges of types, in the form of the message, or wrong; then each with two. A call whose answers
/// differ is made smaller as long as they do.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Proof {
    pub(crate) service: Service,
    /// The operations that are called: at first those that are `read_only` by the definition.
    pub operations: Vec<Operation>,
    /// The bindings that they are called over, of those that they have: at first all.
    pub bindings: Bindings,
    /// What does not count.
    pub rules: Rules,
    /// How alike answers have to be: at first the same bytes.
    pub accepted: Likeness,
    /// Decides the order of calls: the same seed makes the same ones.
    pub seed: u64,
    /// How many calls are made, a thousand at first, besides those that make a difference smaller.
    pub calls: usize,
    /// It ends with so many findings, 500 at first.
    pub most_findings: usize,
    /// No call begins after this time.
    pub time: Option<Duration>,
    /// How many calls are sent at once; one at first.
    pub at_once: NonZeroUsize,
    /// How many calls a second are sent, at most. It needs the timer of tokio.
    pub rate: Option<f64>,
    /// Secrets that the transports of the servers send, such as passwords: no text shows them.
    pub hidden: Secrets,
    /// The values of what recorded calls mask.
    pub secrets: MaskedValues,
    pub(crate) given: Vec<(Operation, Json)>,
    pub(crate) headers: Vec<(Operation, Json)>,
    pub(crate) recorded: Vec<PathBuf>,
}

impl Proof {
    /// A proof of what a service answers.
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

    /// Makes calls of an operation with these parameters, and changes them. Values of which the
    /// servers know something tell more than samples.
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

    /// The values of a call with these parameters.
    pub(crate) fn values(&self, operation: Operation, parameters: Json) -> Values {
        let given = self.headers.iter().find(|(of, _)| *of == operation);
        let headers = given.map(|(_, headers)| headers.clone());
        Values {
            operation,
            headers: headers.unwrap_or_else(|| operation.header_place().sample()),
            parameters,
        }
    }

    /// Makes calls with the values of recorded ones, over every binding. A call that holds a masked
    /// value which is not known is left out, and the report says how many are.
    #[must_use]
    pub fn with_recorded(mut self, folder: impl Into<PathBuf>) -> Self {
        self.recorded.push(folder.into());
        self
    }
}
