//! What the feature `facets` has, without checking anything.

use std::marker::PhantomData;

use svcgen_model::{At, Operation};

use super::MessagePart;

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
    pub fn expect(&mut self, _: At<'i, Operation<'i>>, _: MessagePart) {}
}
