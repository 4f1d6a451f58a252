//! The facets that are checked, and the state of a check.

mod rules;
mod text;

use std::sync::Arc;

use svcgen_model::{At, Operation, Service};

use super::MessagePart;
pub use rules::FacetRules;
pub(crate) use text::violated_length;

/// The facets that a server or a client checks: none, or those of its service.
#[derive(Clone, Default, Debug)]
pub struct Facets(Option<Arc<FacetRules>>);

impl Facets {
    /// Collects the facets of a service, if they are to be checked.
    ///
    /// # Panics
    ///
    /// Panics if a pattern is not a regular expression of XML Schema.
    pub fn of(service: At<'_, Service<'_>>, checked: bool) -> Self {
        Self(checked.then(|| Arc::new(FacetRules::of(service))))
    }
}

/// The checks of the message that is being read.
#[derive(Clone, Copy, Default, Debug)]
pub struct Checks<'i> {
    rules: Option<&'i FacetRules>,
    part: Option<(At<'i, Operation<'i>>, MessagePart)>,
}

impl<'i> Checks<'i> {
    /// Creates checks by the facets of a service.
    pub fn new(facets: &'i Facets) -> Self {
        let rules = facets.0.as_deref();
        Self { rules, part: None }
    }

    /// Sets the call and the part of it that is read.
    pub fn expect(&mut self, operation: At<'i, Operation<'i>>, part: MessagePart) {
        self.part = Some((operation, part));
    }

    /// The part that is read, if it is to be checked.
    pub(crate) fn expected(self) -> Option<(&'i FacetRules, At<'i, Operation<'i>>, MessagePart)> {
        let (rules, (operation, part)) = (self.rules?, self.part?);
        Some((rules, operation, part))
    }
}
