//! Samples of messages: what goes over the wire, with placeholders for values.
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

use svcgen_model::{At, Binding, Operation, Service};

use crate::binding::documented;
use crate::binding::interface::Writer;
pub use crate::template::{Piece, Template};
use crate::types::Types;

/// What a call over a binding looks like: start line, headers, an empty line and the body, lines ending in LF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The binding.
    pub binding: Binding,
    /// What the caller sends.
    pub request: Template,
    /// What a call that goes well is answered with.
    pub response: Template,
}

/// A fault that an operation answers over a version of SOAP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultSample<'d> {
    /// The name of the fault, which is that of the element of its detail.
    pub name: &'d str,
    /// The version.
    pub binding: Binding,
    /// What the caller is answered.
    pub response: Template,
}

/// A sample for each binding that an operation is offered over. `host` is that of the URL, with its port.
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

/// A sample for each fault of an operation, over each version of SOAP that it is offered over.
pub fn faults<'d>(
    service: At<'d, Service<'d>>,
    operation: At<'d, Operation<'d>>,
) -> Vec<FaultSample<'d>> {
    let types = &Types::of(service);
    let writer = Writer { service, types };
    let mut samples = Vec::new();
    for detail in operation.faults() {
        for binding in operation.bindings.iter().filter(|each| each.is_soap()) {
            samples.push(FaultSample {
                name: detail.name,
                binding,
                response: documented(binding).failure(&writer, Some(detail)),
            });
        }
    }
    samples
}

/// How a failure is answered over each binding that some operation is offered over.
pub fn failures(service: At<'_, Service<'_>>) -> Vec<(Binding, Template)> {
    let types = &Types::of(service);
    let writer = Writer { service, types };
    let bindings = service.bindings().iter();
    bindings
        .map(|binding| (binding, documented(binding).failure(&writer, None)))
        .collect()
}
