//! Facets that are checked.

mod rules;
mod text;
mod walk;

use std::sync::Arc;

use svcgen_model::{At, Operation, Service};

use super::Part;
use crate::values::element::Element;
use crate::xml::error::ReadError;
pub use rules::FacetRules;
use walk::Walk;

/// The facets that a server or a client checks: none, or those of its service.
#[derive(Clone, Default, Debug)]
pub struct Facets(Option<Arc<FacetRules>>);

impl Facets {
    /// Those of a service, if they are checked.
    ///
    /// # Panics
    ///
    /// A pattern is no regular expression of XML Schema.
    pub fn of(service: At<'_, Service<'_>>, checked: bool) -> Self {
        Self(checked.then(|| Arc::new(FacetRules::of(service))))
    }
}

/// What is checked of the message that is being read.
#[derive(Clone, Copy, Default, Debug)]
pub struct Checks<'i> {
    rules: Option<&'i FacetRules>,
    part: Option<(At<'i, Operation<'i>>, Part)>,
}

impl<'i> Checks<'i> {
    /// By the facets of a service.
    pub fn new(facets: &'i Facets) -> Self {
        let rules = facets.0.as_deref();
        Self { rules, part: None }
    }

    /// Says which part of which call is read.
    pub fn expect(&mut self, operation: At<'i, Operation<'i>>, part: Part) {
        self.part = Some((operation, part));
    }

    /// What is read, if it is to be checked.
    fn expected(self) -> Option<(&'i FacetRules, At<'i, Operation<'i>>, Part)> {
        let (rules, (operation, part)) = (self.rules?, self.part?);
        Some((rules, operation, part))
    }
}

impl<'i> Element<'i> {
    /// The same element, to be read once more.
    fn copy(&self) -> Self {
        Self {
            tokens: self.tokens.clone(),
            given: self.given.clone(),
            time_zone: self.time_zone,
            going_on: self.going_on,
            list_names: self.list_names,
            text_form: self.text_form,
            items: self.items,
            checks: self.checks,
        }
    }

    /// Reads the part of the message that is expected with `read`, and checks it.
    #[doc(hidden)]
    pub fn checked(
        &mut self,
        read: &mut dyn FnMut(&mut Element<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let Some((rules, operation, part)) = self.checks.expected() else {
            return read(self);
        };
        let mut copy = self.copy();
        read(self)?;
        Walk { rules, operation }.part(part, &mut copy)
    }

    /// Reads the SOAP header of this index with `read`, and checks it.
    pub(crate) fn checked_header(
        &mut self,
        index: usize,
        read: impl FnOnce(&mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let Some((rules, operation, part)) = self.checks.expected() else {
            return read(self);
        };
        let mut copy = self.copy();
        read(self)?;
        Walk { rules, operation }.header(part, index, &mut copy)
    }
}
