//! Operations that a handler does not implement.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context as TaskContext, Poll};

use crate::call::Context;
use crate::fault::{Fault, FaultCode, Stage};

/// The future of a handler's method that an application does not implement (option
/// `optional_methods`): returns the fault that the operation is not implemented. The caller of a
/// one-way operation gets this fault, too.
///
/// By this type, a server with a [`Fallback`](crate::fallback::Fallback) knows which operations go
/// to the original before any of them is called.
pub struct NotImplemented<O> {
    operation: &'static str,
    output: PhantomData<fn() -> O>,
}

impl<O> NotImplemented<O> {
    /// Creates the future of an operation.
    pub fn new(operation: &'static str) -> Self {
        Self {
            operation,
            output: PhantomData,
        }
    }
}

impl<O> Future for NotImplemented<O> {
    type Output = Result<O, Fault>;

    fn poll(self: Pin<&mut Self>, _: &mut TaskContext<'_>) -> Poll<Self::Output> {
        let operation = self.operation;
        let text = format_args!("The operation `{operation}` is not implemented.");
        Poll::Ready(Err(Fault::at(Stage::Unwritten, FaultCode::Server, text)))
    }
}

impl<O> fmt::Debug for NotImplemented<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NotImplemented")
            .field(&self.operation)
            .finish()
    }
}

/// Whether an application implements a method of its handler. `call` calls the method, but is not
/// run.
pub fn is_written<'a, H, F, O>(call: impl FnOnce(&'a H, &'a Context) -> F) -> bool
where
    H: 'a,
    F: Future<Output = Result<O, Fault>>,
{
    drop(call);
    // The futures borrow from the call, which `TypeId` of std does not allow.
    typeid::of::<F>() != typeid::of::<NotImplemented<O>>()
}

/// Returns an argument for a call that is not run.
///
/// # Panics
///
/// Always: the call must not run.
pub fn argument<T>() -> T {
    unreachable!("`is_written` runs no call")
}
