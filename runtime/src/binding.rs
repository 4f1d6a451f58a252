//! The four ways an operation is offered: one file for each version of SOAP, one for forms, which HTTP GET and HTTP POST share; what else pairs of them share stands beside them.

pub(crate) mod answer;
pub(crate) mod charset;
pub(crate) mod envelope;
pub(crate) mod form;
pub(crate) mod http_result;
pub(crate) mod media_type;
pub(crate) mod plain_text;
pub(crate) mod soap11;
pub(crate) mod soap12;
pub(crate) mod soap_fault;

pub use svcgen_model::{Binding, Bindings};

use envelope::Version;

/// What is particular to a version of SOAP; none for HTTP GET and POST.
pub(crate) fn version(binding: Binding) -> Option<&'static Version> {
    match binding {
        Binding::Soap11 => Some(&soap11::VERSION),
        Binding::Soap12 => Some(&soap12::VERSION),
        Binding::HttpGet | Binding::HttpPost => None,
    }
}

/// Both versions of SOAP.
pub(crate) const VERSIONS: [&Version; 2] = [&soap11::VERSION, &soap12::VERSION];
