//! Which methods of a handler an application has not written.

use crate::codegen::NotImplemented;
use crate::fault::Fault;

/// Whether futures of this type are those of default methods. They borrow from the call, which `TypeId` of std does not allow.
pub(crate) fn is_left_out<F, O>() -> bool
where
    F: Future<Output = Result<O, Fault>>,
{
    typeid::of::<F>() == typeid::of::<NotImplemented<O>>()
}
