//! What emitted code is made of.
//!
//! It is public because emitted code stands in other crates, and for types and services that are written by hand or known only at run
//! time. [`GENERATED_CODE_V1`] versions it: code that was emitted for this version compiles with every runtime that has the constant,
//! and a runtime that breaks such code has a constant of another name instead.

pub mod fits;

pub use crate::call::{Call, Reply};
pub use crate::client::Client;
pub use crate::described::{Model, ModelSource};
pub use crate::endpoint::{Dispatch, Dispatched, Endpoint, ResponseFuture};
pub use crate::failure::Failure;
pub use crate::fault::FaultDetail;
pub use crate::server::DispatchTo;
pub use crate::values::{
    Complex, Content, Element, Enumeration, FormFields, List, ListValue, OpenEnumeration, Reader,
    Value,
};
pub use crate::xml::declared_encoding;
/// The model of a service: what emitted code states of it.
pub use svcgen_model as model;

/// Emitted code names this constant, so that it compiles only with a runtime that it was emitted for.
pub const GENERATED_CODE_V1: () = ();
