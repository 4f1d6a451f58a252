//! Clients: they write values into requests and read values from responses.

mod answer;
mod call;
mod caller;
mod fault_headers;
mod url;

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, Uri};
use tower_layer::Layer;

use crate::binding::Binding;
use crate::call_error::CallError;
use crate::described::Model;
use crate::packaging::NewParts;
use crate::transport::{Layered, Transport, TransportService, WithSoapHeader};
#[cfg(feature = "clock")]
use crate::transport::{Retries, Retrying};
pub use answer::Answer;
pub use call::{Answered, ClientCall};
use caller::Caller;
pub use fault_headers::FaultHeaders;
use svcgen_wire::{
    Accept, Fields, Limits, WriteError,
    internals::{Accepted, Facets, TimeZone},
    types::XmlFragment,
};
use url::{read_url, with_path};

/// Calls the operations of a service. Generated clients wrap it, with a method for each operation.
#[derive(Clone)]
pub struct Client<T> {
    transport: T,
    caller: Caller,
}

impl<T> Client<T> {
    /// Creates a client of the service at `url`.
    ///
    /// `url` is the URL of the service, such as `http://127.0.0.1:8080/Greeter.asmx`, or a base
    /// URL, such as `http://127.0.0.1:8080`; then the path of the definition is added. A URL counts
    /// as the URL of the service if it ends with the path of the definition, in any letter case, or
    /// with a file name (`/other/Greeting.asmx`).
    ///
    /// The client calls over SOAP 1.1 or, if the service does not have it, over its first binding
    /// in the order of [`Binding::ALL`].
    ///
    /// # Errors
    ///
    /// The URL is malformed, has an invalid port, is neither `http` nor `https`, contains a user
    /// name, a query or a fragment, or continues after the path of the service
    /// (`/Greeter.asmx/Greet`). The error contains the URL to write instead.
    ///
    /// # Panics
    ///
    /// The module has no service, or its time zone is not known.
    pub fn new(model: impl Into<Model>, transport: T, url: &str) -> Result<Self, CallError> {
        let model = model.into();
        // Panics here rather than in a call.
        TimeZone::of(model.service().row());
        let url = read_url(url, model.service().path)?;
        let binding = model.service().bindings().iter().next();
        let caller = Caller {
            url,
            binding: binding.unwrap_or_default(),
            model,
            limits: Limits::default(),
            strict: false,
            facets: Facets::default(),
            accepted: Accepted::default(),
            understood: Vec::new(),
            new_parts: None,
        };
        Ok(Self { transport, caller })
    }

    /// Replaces the path of the URL. Needed only if the path is neither that of the definition nor
    /// ends with a file name.
    ///
    /// ```
    /// # fn example<T>(client: svcgen::codegen::Client<T>) -> Result<(), svcgen::CallError> {
    /// let client = client.with_path("/api/greeter")?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The path is not valid ([`CallError::Url`]).
    pub fn with_path(mut self, path: &str) -> Result<Self, CallError> {
        self.caller.url = with_path(&self.caller.url, path)?;
        Ok(self)
    }

    /// Replaces the transport by one made from it.
    #[must_use]
    pub fn with_transport<U>(self, change: impl FnOnce(T) -> U) -> Client<U> {
        Client {
            transport: change(self.transport),
            caller: self.caller,
        }
    }

    /// Adds a [tower](https://docs.rs/tower) layer around the transport.
    ///
    /// The layer added last is outermost. Layers find the operation of a request in its extension
    /// [`CalledOperation`](crate::transport::CalledOperation).
    ///
    /// ```
    /// use svcgen::bytes::Bytes;
    /// use svcgen::http::{HeaderValue, Request, header};
    ///
    /// # fn example<T>(client: svcgen::codegen::Client<T>) -> svcgen::codegen::Client<impl svcgen::Transport>
    /// # where T: svcgen::Transport + Send + Sync + 'static {
    /// client.with_layer(tower::ServiceBuilder::new().map_request(|mut request: Request<Bytes>| {
    ///     let token = HeaderValue::from_static("Bearer 4711");
    ///     request.headers_mut().insert(header::AUTHORIZATION, token);
    ///     request
    /// }))
    /// # }
    /// ```
    #[must_use]
    pub fn with_layer<L>(self, layer: L) -> Client<Layered<L::Service>>
    where
        T: Transport,
        L: Layer<TransportService<T>>,
    {
        self.with_transport(|transport| {
            let timeout = transport.timeout();
            let service = layer.layer(TransportService::new(transport));
            Layered::new(service).with_timeout(timeout)
        })
    }

    /// Adds a SOAP header to each request over SOAP: one element with all its namespace
    /// declarations. If [retries](Self::with_retries) are added after it, the header is created
    /// again for each try. [`ClientCall::with_soap_header`] adds a header to a single call.
    ///
    /// ```
    /// use svcgen::types::XmlFragment;
    ///
    /// # fn example<T: svcgen::Transport>(client: svcgen::codegen::Client<T>) -> svcgen::codegen::Client<impl svcgen::Transport> {
    /// client.with_soap_header(|_| {
    ///     XmlFragment::element("Tenant").with_namespace("urn:tenants").with_text("17").build()
    /// })
    /// # }
    /// ```
    #[must_use]
    pub fn with_soap_header(
        self,
        make: impl Fn(&Request<Bytes>) -> Result<XmlFragment, WriteError> + Send + Sync + 'static,
    ) -> Client<WithSoapHeader<T>> {
        self.with_transport(|transport| WithSoapHeader::new(transport, Arc::new(make)))
    }

    /// Reads headers of answers that the operation does not declare.
    pub fn with_understood(mut self, read: caller::ReadUnderstood) -> Self {
        self.caller.understood.push(read);
        self
    }

    /// Writes long bytes of requests as parts, which the transport must send with them.
    #[doc(hidden)]
    #[must_use]
    pub fn with_parts(mut self, new: NewParts) -> Self {
        self.caller.new_parts = Some(new);
        self
    }

    /// Retries failed calls that cannot have run, or that change nothing: see [`Retries`].
    #[cfg(feature = "clock")]
    #[must_use]
    pub fn with_retries(self, retries: Retries) -> Client<Retrying<T>> {
        self.with_transport(|transport| Retrying::new(transport, retries))
    }

    /// Sets the binding of calls.
    #[must_use]
    pub fn with_binding(mut self, binding: Binding) -> Self {
        self.caller.binding = binding;
        self
    }

    /// Sets the limits of answers.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.caller.limits = limits;
        self
    }

    /// Sets whether to refuse unknown, repeated or misplaced elements. By default, they are
    /// ignored.
    #[must_use]
    pub fn with_strict(mut self, strict: bool) -> Self {
        self.caller.strict = strict;
        self
    }

    /// Accepts answers that break the standards in certain ways, which .NET clients refuse.
    /// Requests do not change.
    ///
    /// ```
    /// use svcgen::Accept;
    ///
    /// # fn example<T>(client: svcgen::codegen::Client<T>) -> svcgen::codegen::Client<T> {
    /// client.with_accepted([Accept::LeadingText, Accept::EmptyNumbers])
    /// # }
    /// ```
    #[must_use]
    pub fn with_accepted(mut self, accepted: impl IntoIterator<Item = Accept>) -> Self {
        let accepted = accepted.into_iter();
        self.caller.accepted = accepted.fold(self.caller.accepted, Accepted::with);
        self
    }

    /// Sets whether to check the facets of answers, and refuse forbidden values
    /// ([`CallError::Read`]). By default, as in .NET, no value is checked.
    ///
    /// With checks, each answer is read twice. Details and headers of faults are not checked.
    ///
    /// # Panics
    ///
    /// A pattern of the service is not a regular expression of XML Schema (SVC047).
    #[cfg(feature = "facets")]
    #[must_use]
    pub fn with_facets(mut self, checked: bool) -> Self {
        self.caller.facets = Facets::of(self.caller.model.service(), checked);
        self
    }

    /// Returns the binding of calls.
    pub fn binding(&self) -> Binding {
        self.caller.binding
    }

    /// Returns the address of the service.
    pub fn url(&self) -> &Uri {
        &self.caller.url
    }

    /// Returns the transport.
    pub fn transport(&self) -> &T {
        &self.transport
    }

    /// Writes the HTTP request of a call, with the same bytes as Microsoft's clients. `headers` are
    /// its SOAP headers, or `&()`.
    ///
    /// # Errors
    ///
    /// A value cannot be written, the operation is not offered over the binding, or there are
    /// headers and the binding is HTTP GET or POST.
    ///
    /// # Panics
    ///
    /// The service has no operation of this index.
    pub fn request<I: Fields, Q: Fields>(
        &self,
        operation: usize,
        headers: &I,
        parameters: &Q,
    ) -> Result<Request<Bytes>, CallError> {
        self.caller.request(operation, headers, parameters)
    }

    /// Wraps the response to a call, to read its result.
    pub fn answer<'a>(&'a self, operation: usize, response: &'a Response<Bytes>) -> Answer<'a> {
        Answer::new(&self.caller, operation, response)
    }

    /// Calls an operation and reads its answer. `headers` are its SOAP headers, or `&()`.
    ///
    /// ```
    /// # use svcgen::{ClientCall, Transport};
    /// # fn greet<'c, T: Transport>(client: &'c svcgen::codegen::Client<T>) -> ClientCall<'c, T, Option<String>> {
    /// client.call(0, &(), &(), |answer| answer.read())
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// The service has no operation of this index.
    pub fn call<I: Fields, Q: Fields, R>(
        &self,
        operation: usize,
        headers: &I,
        parameters: &Q,
        read: fn(Answer<'_>) -> Result<R, CallError>,
    ) -> ClientCall<'_, T, R> {
        let request = self.request(operation, headers, parameters);
        ClientCall::new((&self.transport, &self.caller), operation, request, read)
    }
}

impl<T> fmt::Debug for Client<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("service", &self.caller.service().name)
            .field("url", &self.caller.url)
            .field("binding", &self.caller.binding)
            .finish_non_exhaustive()
    }
}
