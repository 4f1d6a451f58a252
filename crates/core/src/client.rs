//! Clients: they make requests of values and read values from responses.

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

/// Calls the operations of a service. Emitted clients have a method for each operation.
#[derive(Clone)]
pub struct Client<T> {
    transport: T,
    caller: Caller,
}

impl<T> Client<T> {
    /// Creates a client of the service at `url`: the URL of the service, such as `http://127.0.0.1:8080/Greeter.asmx`, or a base URL, such
    /// as `http://127.0.0.1:8080`, to which the path of the definition is added. It calls over SOAP 1.1, or else over the first binding that
    /// the service has, in the order of [`Binding::ALL`].
    ///
    /// A URL that ends with that path, in any letter case, or with the name of a file (`/other/Greeting.asmx`) is the URL of the service.
    ///
    /// # Errors
    ///
    /// The URL is malformed, has a port that is none, is neither `http` nor `https`, holds a user name, a query or a fragment, or goes on
    /// after the service's (`/Greeter.asmx/Greet`). The error says what to write instead.
    ///
    /// # Panics
    ///
    /// The module has no service, or its time zone is not known.
    pub fn new(model: impl Into<Model>, transport: T, url: &str) -> Result<Self, CallError> {
        let model = model.into();
        // It panics here rather than in a call.
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
        };
        Ok(Self { transport, caller })
    }

    /// Calls the service at another path of its host, in place of that of the URL: one that neither is that of the definition nor ends with
    /// the name of a file.
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
    /// It is no path ([`CallError::Url`]).
    pub fn with_path(mut self, path: &str) -> Result<Self, CallError> {
        self.caller.url = with_path(&self.caller.url, path)?;
        Ok(self)
    }

    /// Calls through another transport, which is made of the present one.
    #[must_use]
    pub fn with_transport<U>(self, change: impl FnOnce(T) -> U) -> Client<U> {
        Client {
            transport: change(self.transport),
            caller: self.caller,
        }
    }

    /// Calls through a layer of [tower](https://docs.rs/tower) around the present transport.
    ///
    /// The one added last is outermost. [`CalledOperation`](crate::transport::CalledOperation) tells layers the operation of a request.
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

    /// Adds a SOAP header to each request over SOAP: one element with the namespaces that it needs, made anew for each try of a call if
    /// [retries](Self::with_retries) are added after it. [`ClientCall::with_soap_header`] adds one to a single call.
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

    /// Reads headers of answers that operations do not declare.
    pub fn with_understood(mut self, read: caller::ReadUnderstood) -> Self {
        self.caller.understood.push(read);
        self
    }

    /// Tries calls again that failed and may not have run, or that change nothing: see [`Retries`].
    #[cfg(feature = "clock")]
    #[must_use]
    pub fn with_retries(self, retries: Retries) -> Client<Retrying<T>> {
        self.with_transport(|transport| Retrying::new(transport, retries))
    }

    /// Calls over another binding.
    #[must_use]
    pub fn with_binding(mut self, binding: Binding) -> Self {
        self.caller.binding = binding;
        self
    }

    /// Bounds answers by other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.caller.limits = limits;
        self
    }

    /// Refuses elements that a type does not have, repeats or has in another order. By default they are ignored.
    #[must_use]
    pub fn with_strict(mut self, strict: bool) -> Self {
        self.caller.strict = strict;
        self
    }

    /// Reads what some servers answer and clients of .NET refuse, as this one does by default. What is sent stays the same.
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

    /// Checks the facets of answers, and refuses what they do not allow ([`CallError::Read`]). By default no value is checked, as by .NET.
    ///
    /// An answer is read twice then. The details and headers of faults are not checked.
    ///
    /// # Panics
    ///
    /// A pattern of the service is no regular expression of XML Schema (SVC047).
    #[cfg(feature = "facets")]
    #[must_use]
    pub fn with_facets(mut self, checked: bool) -> Self {
        self.caller.facets = Facets::of(self.caller.model.service(), checked);
        self
    }

    /// The binding of calls.
    pub fn binding(&self) -> Binding {
        self.caller.binding
    }

    /// The address of the service.
    pub fn url(&self) -> &Uri {
        &self.caller.url
    }

    /// The transport.
    pub fn transport(&self) -> &T {
        &self.transport
    }

    /// The HTTP request that calls an operation, the same bytes as Microsoft's clients send. `headers` are its SOAP headers, `&()` where there are none.
    ///
    /// # Errors
    ///
    /// A value cannot be written, the operation is not offered over the binding, or there are headers and the binding is HTTP GET or POST.
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

    /// The response to a call of an operation, to be read.
    pub fn answer<'a>(&'a self, operation: usize, response: &'a Response<Bytes>) -> Answer<'a> {
        Answer::new(&self.caller, operation, response)
    }

    /// Calls an operation with SOAP headers, `&()` where there are none, and reads its answer.
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
