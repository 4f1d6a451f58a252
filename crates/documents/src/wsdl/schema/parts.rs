//! A schema for each namespace.

use std::borrow::Cow;

use svcgen_model::DataSetSchema;

use super::Schema;
use crate::xml::Xml;

/// The schema of a namespace.
pub(in crate::wsdl) struct NamespaceSchema<'a> {
    pub namespace: Cow<'a, str>,
    /// The namespaces that it refers to, in order of appearance.
    pub imports: Vec<&'a str>,
    /// The typed sets in it.
    pub sets: Vec<DataSetSchema<'a>>,
    /// The declarations and definitions so far.
    pub xml: Xml,
}

impl<'a> NamespaceSchema<'a> {
    pub(super) fn new(namespace: Cow<'a, str>) -> Self {
        Self {
            namespace,
            imports: Vec::new(),
            sets: Vec::new(),
            xml: Xml::part(3),
        }
    }
}

impl<'a> Schema<'a> {
    /// Returns a name with the prefix of its namespace: `tns`, or `s` and a number by order of
    /// appearance.
    pub fn prefixed(&mut self, namespace: impl Into<Cow<'a, str>>, name: &str) -> String {
        let number = self.part(namespace.into());
        if self.parts[number].namespace.is_empty() {
            // There is no default namespace.
            name.to_owned()
        } else if self.parts[number].namespace == self.target {
            format!("tns:{name}")
        } else {
            format!("s{number}:{name}")
        }
    }

    fn part(&mut self, namespace: Cow<'a, str>) -> usize {
        let known = self
            .parts
            .iter()
            .position(|part| part.namespace == namespace);
        known.unwrap_or_else(|| {
            self.parts.push(NamespaceSchema::new(namespace));
            self.parts.len() - 1
        })
    }

    /// Like `prefixed`, and imports the namespace into the schema that is being written.
    pub(super) fn imported(&mut self, namespace: &'a str, name: &str) -> String {
        self.import(namespace);
        self.prefixed(namespace, name)
    }

    pub(super) fn import(&mut self, namespace: &'a str) {
        let part = &mut self.parts[self.current];
        if part.namespace != namespace && !part.imports.contains(&namespace) {
            part.imports.push(namespace);
        }
    }

    /// Writes into the schema of a namespace.
    pub(super) fn within<T>(
        &mut self,
        namespace: &'a str,
        write: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let part = self.part(namespace.into());
        let outer = std::mem::replace(&mut self.current, part);
        let written = write(self);
        self.current = outer;
        written
    }

    pub(super) fn xml(&mut self) -> &mut Xml {
        &mut self.parts[self.current].xml
    }
}
