//! Sample messages as they go over the wire, with placeholders for values.
//!
//! ```
//! use svcgen_documents::samples;
//! use svcgen_model::SimpleType::{Boolean, String};
//! use svcgen_model::TypeRef::Simple;
//! use svcgen_model::{At, Binding, Bindings, Module, Service, complex_type, element, operation};
//!
//! static MODULE: Module<'static> = Module::new(&[], &[]).with_service(Service::new(
//!     "Logins",
//!     "urn:x",
//!     "/Logins.asmx",
//!     &[operation("Login", "urn:x/Login", complex_type("Login", &[element("username", Simple(String)).omitted()]), "LoginResponse")
//!         .result(element("LoginResult", Simple(Boolean)), "boolean")
//!         .over(Bindings::of(&[Binding::HttpGet]))],
//! ));
//!
//! let service = At::service(&MODULE, None).unwrap();
//! let login = service.operations().next().unwrap();
//! let samples = samples::of(service, login, "localhost");
//! assert_eq!(samples[0].binding, Binding::HttpGet);
//! assert_eq!(samples[0].request.as_str(), "GET /Logins.asmx/Login?username=string HTTP/1.1\nHost: localhost\n");
//! ```

use svcgen_model::{At, Binding, Bindings, Operation, Service};

use crate::binding::Writer;
use crate::binding::documented;
pub use crate::template::{Piece, Template};
use crate::types::Types;

/// The messages of a call over a binding: start line, headers, an empty line and the body, with LF as line ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The binding.
    pub binding: Binding,
    /// The request.
    pub request: Template,
    /// The response of a successful call.
    pub response: Template,
}

/// A sample for each binding of an operation. `host` includes the port.
pub fn of(
    service: At<'_, Service<'_>>,
    operation: At<'_, Operation<'_>>,
    host: &str,
) -> Vec<Sample> {
    let types = &Types::of(service);
    let writer = Writer { service, types };
    let offered = operation.bindings.iter();
    offered
        .map(|binding| Sample {
            binding,
            request: documented(binding).request(&writer, operation, host),
            response: documented(binding).response(&writer, operation),
        })
        .collect()
}

/// A response for each fault of an operation over each version of SOAP, after the name of the fault.
pub(crate) fn faults<'d>(
    service: At<'d, Service<'d>>,
    operation: At<'d, Operation<'d>>,
) -> Vec<(&'d str, Binding, Template)> {
    let types = &Types::of(service);
    let writer = Writer { service, types };
    let mut samples = Vec::new();
    for detail in operation.faults() {
        for binding in operation.bindings.and(Bindings::SOAP).iter() {
            let response = documented(binding).failure(&writer, Some(detail));
            samples.push((detail.name, binding, response));
        }
    }
    samples
}

/// The response of a failed call over each binding of the service.
pub(crate) fn failures(service: At<'_, Service<'_>>) -> Vec<(Binding, Template)> {
    let types = &Types::of(service);
    let writer = Writer { service, types };
    let bindings = service.bindings().iter();
    bindings
        .map(|binding| (binding, documented(binding).failure(&writer, None)))
        .collect()
}
