//! The state that the operations of a service are written with.

use std::borrow::Cow;
use std::collections::HashMap;

use svcgen_wsdl::schema::Name;

use super::Defaults;
use crate::draft::Draft;
use crate::types::Types;

/// Writes the operations of a service and the items that they refer to.
pub(super) struct Writer<'m, 's> {
    pub types: Types<'m, 's>,
    /// The namespace of the definition.
    pub home: &'s str,
    /// Whether the elements of types are in no namespace by default.
    pub is_unqualified: bool,
    pub file: Defaults,
    /// The number of messages that use each element.
    pub uses: HashMap<Name<'s>, usize>,
    pub declared: Declarations<'s>,
}

/// The headers and faults of a service by their names on the wire.
#[derive(Debug)]
pub(super) struct Declarations<'s> {
    pub headers: Draft,
    pub faults: Draft,
    pub header_keys: HashMap<(Name<'s>, bool), String>,
    pub fault_keys: HashMap<Name<'s>, Option<String>>,
}

impl Default for Declarations<'_> {
    fn default() -> Self {
        Self {
            headers: Draft::map(),
            faults: Draft::map(),
            header_keys: HashMap::new(),
            fault_keys: HashMap::new(),
        }
    }
}

/// The content of the Body of a message, in the terms of the language.
pub(super) struct Body<'s> {
    /// The namespace and the name of the element around the members; `None` for bare messages.
    pub wrapper: Option<(&'s str, Cow<'s, str>)>,
    pub members: Vec<(String, Draft)>,
}
