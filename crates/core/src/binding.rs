//! The bindings: how they read and write HTTP requests and responses.
//!
//! Each binding has its own folder. Every server [routes](BindingRouter) and refuses requests over
//! all bindings, also over those without operations; it has a [`Protocol`](protocol::Protocol) only
//! for the bindings that its service [speaks](spoken). The versions of SOAP share [`soap`], HTTP
//! GET and HTTP POST share [`http`]. Code outside these folders does not depend on particular
//! bindings.

mod http;
mod http_get;
mod http_post;
mod json;
pub(crate) mod operations;
pub(crate) mod protocol;
pub(crate) mod received;
pub(crate) mod soap;
pub(crate) mod spoken;

pub use svcgen_model::{Binding, Bindings};

use protocol::BindingRouter;

pub(crate) fn router(binding: Binding) -> &'static dyn BindingRouter {
    match binding {
        Binding::Soap11 => &soap::versions::SOAP_11,
        Binding::Soap12 => &soap::versions::SOAP_12,
        Binding::HttpGet => &http_get::PROTOCOL,
        Binding::HttpPost => &http_post::PROTOCOL,
        Binding::Json => &json::JSON,
    }
}
