//! The bindings: how they read and write HTTP requests and responses.
//!
//! A [`Protocol`] is a binding for servers and clients; each has a folder of its own. The versions of SOAP share
//! [`soap`], HTTP GET and HTTP POST share [`http`]. Code outside these folders does not depend on particular bindings.

mod http;
mod http_get;
mod http_post;
mod json;
pub(crate) mod media_type;
pub(crate) mod operations;
pub(crate) mod protocol;
pub(crate) mod received;
pub(crate) mod soap;
mod soap11;
mod soap12;

pub use svcgen_model::{Binding, Bindings};

use protocol::Protocol;

/// The protocol of a binding.
pub(crate) fn protocol(binding: Binding) -> &'static dyn Protocol {
    match binding {
        Binding::Soap11 => &soap11::VERSION,
        Binding::Soap12 => &soap12::VERSION,
        Binding::HttpGet => &http_get::PROTOCOL,
        Binding::HttpPost => &http_post::PROTOCOL,
        Binding::Json => &json::JSON,
    }
}
