//! The names of messages.

use std::collections::{HashMap, HashSet};
use std::iter::once;

use svcgen_model::{At, Service};

use crate::types::header_elements;

/// The names of the messages that carry headers and faults.
pub(crate) struct MessageNames<'a> {
    /// By operation and header.
    headers: HashMap<&'a str, HashMap<&'a str, String>>,
    faults: HashMap<&'a str, String>,
}

impl<'a> MessageNames<'a> {
    /// Names them so that no two messages of the service have one name; those of operations end in one of `kinds` and `In` or `Out`.
    pub fn new(service: At<'a, Service<'a>>, kinds: impl Iterator<Item = &'static str>) -> Self {
        let ends = kinds.flat_map(|kind| [format!("{kind}In"), format!("{kind}Out")]);
        let ends: Vec<_> = ends.collect();
        let names = service.operations().map(|operation| operation.name);
        let named = names.flat_map(|name| ends.iter().map(move |end| format!("{name}{end}")));
        let mut taken: HashSet<_> = named.collect();
        let mut free = |wanted| numbered(wanted, |name| taken.insert(name.clone()));
        let (mut headers, mut faults) = (HashMap::new(), HashMap::new());
        for operation in service.operations() {
            for header in header_elements(operation) {
                let of_operation: &mut HashMap<_, _> = headers.entry(operation.name).or_default();
                of_operation
                    .entry(header.name)
                    .or_insert_with(|| free(format!("{}{}", operation.name, header.name)));
            }
            for fault in operation.faults() {
                (faults.entry(fault.name)).or_insert_with(|| free(fault.name.to_owned()));
            }
        }
        Self { headers, faults }
    }

    /// The name of the message that carries a header of an operation.
    pub fn header(&self, operation: &str, header: &str) -> &str {
        let name = self
            .headers
            .get(operation)
            .and_then(|of_operation| of_operation.get(header));
        name.map_or("", String::as_str)
    }

    /// The name of the message that carries a fault's detail.
    pub fn fault(&self, fault: &str) -> &str {
        self.faults.get(fault).map_or("", String::as_str)
    }
}

/// A name that fits: this one, or else with a number.
pub(super) fn numbered(name: String, fits: impl FnMut(&String) -> bool) -> String {
    let others = (1..).map(|number| format!("{name}{number}"));
    let mut names = once(name.clone()).chain(others);
    names.find(fits).unwrap_or_default()
}
