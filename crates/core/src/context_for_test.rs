//! Contexts for unit tests of handlers.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use http::{HeaderName, HeaderValue, Method, Request, request};
use svcgen_model::base_path;

use crate::binding::Binding;
use crate::call::Context;
use crate::described::Model;
use crate::heads::Heads;
use crate::peer::RemoteAddress;
use crate::unknown_header::UnknownHeader;
use svcgen_wire::types::XmlFragment;

/// Contexts of calls without a server, for unit tests of handlers.
impl Context {
    /// Creates the context of a call over SOAP 1.1, without headers. The service is given by the
    /// `MODULE` of its emitted code or by a [`Model`], the operation by its name.
    ///
    /// ```
    /// use svcgen::{Context, Fault};
    /// # use svcgen::codegen::model::{Module, Operation, Service, complex_type, operation};
    /// # static OPERATIONS: [Operation<'static>; 1] = [operation("Greet", "urn:greeter/Greet", complex_type("Greet", &[]), "GreetResponse")];
    /// # static MODULE: Module<'static> = Module::new(&[], &[]).with_service(Service::new("Greeter", "urn:greeter", "/Greeter.asmx", &OPERATIONS));
    ///
    /// fn greet(context: &Context) -> Result<String, Fault> {
    ///     context.set_cookie("greeted=1")?;
    ///     Ok(format!("Hello over {}", context.binding()))
    /// }
    ///
    /// let context = Context::for_test(&MODULE, "Greet");
    /// assert_eq!(greet(&context)?, "Hello over SOAP 1.1");
    /// assert_eq!(context.response_headers()["set-cookie"], "greeted=1");
    /// # Ok::<(), Fault>(())
    /// ```
    ///
    /// # Panics
    ///
    /// The module has no service, or the service has no such operation.
    #[track_caller]
    pub fn for_test(service: impl Into<Model>, operation: &str) -> Self {
        let model = service.into();
        let service = model.service();
        let index = service
            .operations
            .iter()
            .position(|known| known.name == operation);
        let index = index.unwrap_or_else(|| {
            let names: Vec<_> = service.operations.iter().map(|known| known.name).collect();
            panic!(
                "{} has no operation {operation}; it has {}",
                service.name,
                names.join(", ")
            )
        });
        let mut request = Request::new(());
        *request.method_mut() = Method::POST;
        *request.uri_mut() = service.path.parse().unwrap_or_default();
        let heads = Arc::new(Heads::new(request.into_parts().0));
        Self::new(heads, Binding::default(), model, index)
    }

    /// Sets the binding of the call.
    #[must_use]
    pub fn with_binding(mut self, binding: Binding) -> Self {
        self.binding = binding;
        let mut path = self.service().path.to_owned();
        if !binding.has_operation_in_body() {
            path = format!("{}/{}", base_path(&path), self.operation().name);
        }
        let parts = self.parts_mut();
        parts.uri = path.parse().unwrap_or_default();
        parts.method = if binding.has_parameters_in_url() {
            Method::GET
        } else {
            Method::POST
        };
        self
    }

    /// Adds an HTTP header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.parts_mut().headers.append(name, value);
        self
    }

    /// Adds an extension, such as a user that a layer adds, or
    /// [`PeerCertificates`](crate::PeerCertificates).
    #[must_use]
    pub fn with_extension<T: Clone + Send + Sync + 'static>(mut self, extension: T) -> Self {
        self.parts_mut().extensions.insert(extension);
        self
    }

    /// Sets the address of the caller.
    #[must_use]
    pub fn with_remote_address(self, address: SocketAddr) -> Self {
        self.with_extension(RemoteAddress(address))
    }

    /// Adds a SOAP header that the operation does not declare: an element with this name, without
    /// `mustUnderstand`.
    #[must_use]
    pub fn with_unknown_header(mut self, namespace: &str, name: &str, xml: XmlFragment) -> Self {
        self.unknown_headers.push(UnknownHeader {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            xml,
            actor: None,
            must_understand: false,
            is_for_us: true,
            understood: AtomicBool::new(false),
        });
        self
    }

    fn parts_mut(&mut self) -> &mut request::Parts {
        &mut Heads::of_request(&mut self.heads).parts
    }
}
