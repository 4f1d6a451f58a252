//! What documents say of the bindings, each in a file of its own. [`soap`] has what the versions of SOAP share, [`http`] what
//! HTTP GET and HTTP POST share.

mod http;
mod http_get;
mod http_post;
pub(crate) mod interface;
mod soap;
mod soap11;
mod soap12;

use svcgen_model::Binding;

use interface::Documented;

/// What documents say of a binding.
pub(crate) fn documented(binding: Binding) -> &'static dyn Documented {
    match binding {
        Binding::Soap11 => &soap11::VERSION,
        Binding::Soap12 => &soap12::VERSION,
        Binding::HttpGet => &http_get::HTTP_GET,
        Binding::HttpPost => &http_post::HTTP_POST,
    }
}
