//! Sample messages as on the wire, with placeholders for values.
//!
//! ```
//! use svcgen_documents::samples::Samples;
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
//! let samples = Samples::new(service);
//! let samples = samples.of(login, "localhost");
//! assert_eq!(samples[0].binding, Binding::HttpGet);
//! assert_eq!(samples[0].request.as_str(), "GET /Logins.asmx/Login?username=string HTTP/1.1\nHost: localhost\n");
//! ```

use svcgen_model::{At, Binding, Bindings, Operation};

use crate::binding::documented;
pub use crate::markup::Samples;
pub use crate::template::{Piece, Template};

/// The messages of a call over a binding: start line, headers, an empty line and the body, with LF
/// as line ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The binding.
    pub binding: Binding,
    /// The request.
    pub request: Template,
    /// The response of a successful call.
    pub response: Template,
}

impl<'d> Samples<'d> {
    /// Creates a sample for each binding of an operation. `host` includes the port.
    pub fn of(&'d self, operation: At<'d, Operation<'d>>, host: &str) -> Vec<Sample> {
        let bindings = operation.bindings.iter();
        bindings
            .map(|binding| Sample {
                binding,
                request: documented(binding).request(self, operation, host),
                response: documented(binding).response(self, operation),
            })
            .collect()
    }

    /// A response over each version of SOAP for each fault of an operation, with the name of the
    /// fault.
    pub(crate) fn faults(
        &'d self,
        operation: At<'d, Operation<'d>>,
    ) -> Vec<(&'d str, Binding, Template)> {
        let mut samples = Vec::new();
        for detail in operation.faults() {
            for binding in operation.bindings.and(Bindings::SOAP).iter() {
                let response = documented(binding).failure(self, Some((operation, detail)));
                samples.push((detail.row().name, binding, response));
            }
        }
        samples
    }

    /// Additional information for callers over the bindings of the service.
    pub(crate) fn guides(&'d self) -> impl Iterator<Item = (Binding, String)> {
        let bindings = self.service.bindings().iter();
        bindings.filter_map(|binding| Some((binding, documented(binding).guide(self)?)))
    }

    /// The response of a failed call over each binding of the service.
    pub(crate) fn failures(&'d self) -> impl Iterator<Item = (Binding, Template)> {
        let bindings = self.service.bindings().iter();
        bindings.map(|binding| (binding, documented(binding).failure(self, None)))
    }
}
