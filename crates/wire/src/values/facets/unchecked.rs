//! What the feature `facets` has, without checking anything.

use std::marker::PhantomData;

use svcgen_model::{At, Operation};

use super::Part;
use crate::values::element::Element;
use crate::xml::error::ReadError;

/// The facets that a server or a client checks: none.
#[derive(Clone, Default, Debug)]
pub struct Facets(());

/// What is checked of the message that is being read: nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Checks<'i>(PhantomData<&'i ()>);

impl<'i> Checks<'i> {
    /// By the facets of a service.
    pub fn new(_: &'i Facets) -> Self {
        Self::default()
    }

    /// Says which part of which call is read.
    pub fn expect(&mut self, _: At<'i, Operation<'i>>, _: Part) {}
}

impl Element<'_> {
    /// Reads the part of the message that is expected with `read`.
    #[doc(hidden)]
    pub fn checked(
        &mut self,
        read: &mut dyn FnMut(&mut Element<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        read(self)
    }

    /// Reads the SOAP header of this index with `read`.
    pub(crate) fn checked_header(
        &mut self,
        _: usize,
        read: impl FnOnce(&mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        read(self)
    }
}
