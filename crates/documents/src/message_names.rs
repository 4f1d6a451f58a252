//! The names of messages for headers and faults.

use std::collections::{HashMap, HashSet};

use svcgen_model::{At, Service, header_elements, numbered};

/// The names of the messages for headers and faults.
pub(crate) struct MessageNames<'a> {
    /// By operation and header.
    headers: HashMap<(&'a str, &'a str), String>,
    faults: HashMap<&'a str, String>,
}

impl<'a> MessageNames<'a> {
    /// Gives each message a name that differs from those of all other messages of the service,
    /// including those of operations, which contain one of these infixes.
    pub fn new(service: At<'a, Service<'a>>, infixes: &[&str]) -> Self {
        let ends = infixes.iter();
        let ends = ends.flat_map(|infix| [format!("{infix}In"), format!("{infix}Out")]);
        let ends: Vec<_> = ends.collect();
        let names = service.operations().map(|operation| operation.name);
        let named = names.flat_map(|name| ends.iter().map(move |end| format!("{name}{end}")));
        let mut taken: HashSet<_> = named.collect();
        let mut free = |wanted| numbered(wanted, |name| taken.insert(name.clone()));
        let (mut headers, mut faults) = (HashMap::new(), HashMap::new());
        for operation in service.operations() {
            for header in header_elements(operation) {
                let name = || free(format!("{}{}", operation.name, header.name));
                let key = (operation.name, header.name);
                headers.entry(key).or_insert_with(name);
            }
            for fault in operation.faults() {
                let name = || free(fault.name.to_owned());
                faults.entry(fault.name).or_insert_with(name);
            }
        }
        Self { headers, faults }
    }

    /// Returns the name of the message for a header of an operation.
    pub fn header<'n>(&'n self, operation: &'n str, header: &'n str) -> &'n str {
        &self.headers[&(operation, header)]
    }

    /// Returns the name of the message for a fault.
    pub fn fault(&self, fault: &str) -> &str {
        &self.faults[fault]
    }
}
