//! The items of the feature `facets`, without any checks.

use std::marker::PhantomData;

use svcgen_model::{At, Operation};

use super::MessagePart;

/// The facets that a server or a client checks: none.
#[derive(Clone, Default, Debug)]
pub struct Facets(());

/// The checks of the message that is being read: none.
#[derive(Clone, Copy, Default, Debug)]
pub struct Checks<'i>(PhantomData<&'i ()>);

impl<'i> Checks<'i> {
    /// Creates checks that check nothing.
    pub fn new(_: &'i Facets) -> Self {
        Self::default()
    }

    /// Sets the call and the part of it that is read.
    pub fn expect(&mut self, _: At<'i, Operation<'i>>, _: MessagePart) {}
}
