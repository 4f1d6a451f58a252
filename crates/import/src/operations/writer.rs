//! What the operations of a service are written with.

use std::borrow::Cow;
use std::collections::HashMap;

use svcgen_wsdl::schema::Name;

use super::Defaults;
use crate::draft::Draft;
use crate::types::Types;

/// Writes the operations of a service, and what they refer to.
pub(super) struct Writer<'m, 's> {
    pub types: Types<'m, 's>,
    /// The namespace of the definition.
    pub home: &'s str,
    /// Whether the elements of types are in no namespace by default.
    pub is_unqualified: bool,
    pub file: Defaults,
    /// How many messages each element is.
    pub uses: HashMap<Name<'s>, usize>,
    pub declared: Declarations<'s>,
}

/// The headers and faults of a service by what they are on the wire.
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

/// What the Body of a message holds, in the words of the language.
pub(super) struct Body<'s> {
    /// The namespace and the name of the element around it, but in bare messages.
    pub wrapper: Option<(&'s str, Cow<'s, str>)>,
    pub members: Vec<(String, Draft)>,
}
