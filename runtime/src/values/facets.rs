//! Checks of facets: a message is read a second time by its rows, after its values were. Without the feature `facets` there is nothing here.

#[cfg(feature = "facets")]
mod field_text;
#[cfg(feature = "facets")]
mod known;
#[cfg(feature = "facets")]
mod text;
#[cfg(feature = "facets")]
mod walk;

#[cfg(not(feature = "facets"))]
use std::marker::PhantomData;
#[cfg(feature = "facets")]
use std::sync::Arc;

#[cfg(feature = "facets")]
use svcgen_model::Service;
use svcgen_model::{At, Operation};

use super::element::Element;
use crate::xml::error::ReadError;
#[cfg(feature = "facets")]
use known::Known;
#[cfg(feature = "facets")]
use walk::Walk;

/// The facets that a server or a client checks: none, or those of its service.
#[derive(Clone, Default)]
pub(crate) struct Facets {
    #[cfg(feature = "facets")]
    known: Option<Arc<Known>>,
}

impl Facets {
    /// Those of a service, if they are checked.
    ///
    /// # Panics
    ///
    /// A pattern is no regular expression of XML Schema.
    #[cfg(feature = "facets")]
    pub(crate) fn of(service: At<'_, Service<'_>>, checked: bool) -> Self {
        let known = checked.then(|| Arc::new(Known::of(service)));
        Self { known }
    }
}

/// The part of a call that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The parameters.
    Parameters,
    /// The results in SOAP.
    Results,
    /// The result that HTTP GET and POST answer.
    Returned,
}

/// What is checked of the message that is being read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Checks<'i> {
    #[cfg(feature = "facets")]
    known: Option<&'i Known>,
    #[cfg(feature = "facets")]
    part: Option<(At<'i, Operation<'i>>, Part)>,
    #[cfg(not(feature = "facets"))]
    nothing: PhantomData<&'i ()>,
}

#[cfg(feature = "facets")]
impl<'i> Checks<'i> {
    pub(crate) fn new(facets: &'i Facets) -> Self {
        let known = facets.known.as_deref();
        Self { known, part: None }
    }

    /// Says which part of which call is read.
    pub(crate) fn expect(&mut self, operation: At<'i, Operation<'i>>, part: Part) {
        self.part = Some((operation, part));
    }

    fn walk(self) -> Option<(Walk<'i>, Part)> {
        let (known, (operation, part)) = (self.known?, self.part?);
        Some((Walk { known, operation }, part))
    }
}

#[cfg(not(feature = "facets"))]
impl<'i> Checks<'i> {
    pub(crate) fn new(_: &'i Facets) -> Self {
        let nothing = PhantomData;
        Self { nothing }
    }

    pub(crate) fn expect(&mut self, _: At<'i, Operation<'i>>, _: Part) {}
}

#[cfg(feature = "facets")]
impl<'i> Element<'i> {
    /// Reads the part of the message that is expected with `read`, and checks it.
    pub(crate) fn checked(
        &mut self,
        read: &mut dyn FnMut(&mut Element<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let Some((walk, part)) = self.checks.walk() else {
            return read(self);
        };
        let mut copy = self.copy();
        read(self)?;
        walk.part(part, &mut copy)
    }

    /// Reads the SOAP header of this index with `read`, and checks it.
    pub(crate) fn checked_header(
        &mut self,
        index: usize,
        read: impl FnOnce(&mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let Some((walk, part)) = self.checks.walk() else {
            return read(self);
        };
        let mut copy = self.copy();
        read(self)?;
        walk.header(part, index, &mut copy)
    }
}

#[cfg(not(feature = "facets"))]
impl Element<'_> {
    pub(crate) fn checked(
        &mut self,
        read: &mut dyn FnMut(&mut Element<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        read(self)
    }

    pub(crate) fn checked_header(
        &mut self,
        _: usize,
        read: impl FnOnce(&mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        read(self)
    }
}
