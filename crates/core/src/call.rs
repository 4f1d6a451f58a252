//! Calls for handlers and generated code, over any binding.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bytes::Bytes;
use http::{Extensions, HeaderMap, Method, Uri};
use svcgen_model::{self as model, At, Element, ElementForm, Operation, Service};

use crate::binding::Binding;
use crate::binding::protocol::{Answer, OpenedRequest, Parameters, Protocol, ReadHeader};
use crate::binding::soap::version::Version;
use crate::binding::soap::{Headers, MessageKind, read_unknown_header, write_headers};
use crate::buffers;
use crate::described::Model;
use crate::failure::Failure;
use crate::fault::Fault;
use crate::heads::Heads;
use crate::outcome::Outcome;
use crate::packaging::WrittenParts;
use crate::peer::{PeerCertificates, RemoteAddress, User};
use crate::server_options::ServerOptions;
use crate::unknown_header::UnknownHeader;
use svcgen_wire::{Complex, Content, Fields, ReadError, Value};

/// The context of a call for its handler: the binding, the operation and the HTTP request.
pub struct Context {
    pub(crate) heads: Arc<Heads>,
    pub(crate) binding: Binding,
    model: Model,
    operation: usize,
    pub(crate) unknown_headers: Vec<UnknownHeader>,
}

impl Context {
    pub(crate) fn new(heads: Arc<Heads>, binding: Binding, model: Model, operation: usize) -> Self {
        Self {
            heads,
            binding,
            model,
            operation,
            unknown_headers: Vec::new(),
        }
    }

    /// Returns the binding of the call.
    pub fn binding(&self) -> Binding {
        self.binding
    }

    /// Returns the called service.
    pub fn service(&self) -> &Service<'_> {
        self.model.service().row()
    }

    /// Returns the called operation.
    pub fn operation(&self) -> &Operation<'_> {
        self.model.operation(self.operation)
    }

    /// Returns the operation with its service.
    fn called(&self) -> (&Service<'_>, At<'_, Operation<'_>>) {
        (self.service(), self.model.operation_at(self.operation))
    }

    /// Returns the method of the HTTP request.
    pub fn method(&self) -> &Method {
        &self.heads.parts.method
    }

    /// Returns the target of the HTTP request. Over HTTP GET, its query contains the parameters,
    /// including secrets.
    pub fn uri(&self) -> &Uri {
        &self.heads.parts.uri
    }

    /// Returns the headers of the HTTP request.
    pub fn headers(&self) -> &HeaderMap {
        &self.heads.parts.headers
    }

    /// Returns the extensions of the HTTP request, which the HTTP server and middleware added.
    pub fn extensions(&self) -> &Extensions {
        &self.heads.parts.extensions
    }

    /// Returns the SOAP headers of the request that the operation does not declare, if its
    /// `headers` have `unknown: true`; otherwise only those that the server
    /// [understands](crate::ServerOptions::with_understood_headers).
    ///
    /// ```
    /// # fn handle(context: &svcgen::Context) {
    /// for header in context.unknown_headers() {
    ///     if header.namespace() == "http://example.com/trace" {
    ///         println!("{}", header.xml());
    ///         header.understand();
    ///     }
    /// }
    /// # }
    /// ```
    pub fn unknown_headers(&self) -> &[UnknownHeader] {
        &self.unknown_headers
    }

    /// Returns the address of the caller, if the request has the extension [`RemoteAddress`].
    pub fn remote_address(&self) -> Option<SocketAddr> {
        RemoteAddress::of(self.extensions())
    }

    /// Returns the certificates of the caller in DER, its own first. The list is empty unless the
    /// request has the extension [`PeerCertificates`].
    pub fn peer_certificates(&self) -> &[Bytes] {
        PeerCertificates::of(self.extensions())
    }

    /// Returns the name of the user who calls, if the server or a layer has verified it and added
    /// the extension [`User`].
    pub fn user(&self) -> Option<&str> {
        User::of(self.extensions())
    }
}

impl Fault {
    /// Adds SOAP headers: those that the operation declares for faults, or those of its answers, in
    /// the type that the handler returns. Bindings other than SOAP omit them. If XML cannot
    /// represent a value, the fault is replaced by a fault of the server.
    #[must_use]
    pub fn with_headers<T: Complex>(self, context: &Context, headers: &T) -> Self {
        let operation = context.operation();
        let known = operation.fault_headers;
        let known = known.filter(|known| known.fields.elements == T::TYPE.elements);
        let known = known.or(operation.response_headers);
        let version = context.model.soap_version(context.binding);
        self.with_headers_of(version, context.called(), known, headers)
    }

    /// Adds SOAP headers, as [`with_headers`](Self::with_headers) does, for an operation given by
    /// its index and a binding: the headers that the operation declares for faults, or else those
    /// of its answers.
    ///
    /// # Panics
    ///
    /// The service has no operation of this index.
    #[must_use]
    pub fn with_header_fields(
        self,
        model: &Model,
        operation: usize,
        binding: Binding,
        headers: &dyn Fields,
    ) -> Self {
        let called = (model.service().row(), model.operation_at(operation));
        let row = model.operation(operation);
        let known = row.fault_headers.or(row.response_headers);
        self.with_headers_of(model.soap_version(binding), called, known, headers)
    }

    fn with_headers_of<'s>(
        self,
        version: &Version,
        called: (&'s Service<'s>, At<'s, Operation<'s>>),
        known: Option<&'s model::Headers<'s>>,
        headers: &dyn Fields,
    ) -> Self {
        let markup = write_headers(version, called, MessageKind::Fault, known, headers);
        self.with_header_markup(markup)
    }
}

/// Omits the query and the headers, which may contain secrets.
impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("binding", &self.binding)
            .field("operation", &self.operation().name)
            .field("path", &self.heads.parts.uri.path())
            .finish_non_exhaustive()
    }
}

/// A call for generated code, which reads the parameters and writes the result.
pub struct Call<'a> {
    context: Context,
    protocol: &'static dyn Protocol,
    /// `None` once the parameters are read.
    parameters: Option<Box<dyn Parameters + 'a>>,
    options: &'a ServerOptions,
    /// The number of bytes to reserve for the answer.
    capacity: &'a AtomicUsize,
    /// The headers of the answer, as markup.
    headers: Vec<u8>,
    /// Set once the parameters of a one-way call are read.
    accepted: Option<Arc<AtomicBool>>,
}

impl<'a> Call<'a> {
    pub(crate) fn new(
        heads: Arc<Heads>,
        model: &Model,
        opened: OpenedRequest<'a>,
        options: &'a ServerOptions,
        capacity: &'a AtomicUsize,
        accepted: Option<Arc<AtomicBool>>,
    ) -> Self {
        let binding = opened.protocol.binding();
        let mut context = Context::new(heads, binding, model.clone(), opened.operation);
        context.unknown_headers = opened.understood;
        Self {
            context,
            protocol: opened.protocol,
            parameters: Some(opened.parameters),
            options,
            capacity,
            headers: Vec::new(),
            accepted,
        }
    }

    /// Creates a call that is already read, with the model and the options of its endpoint.
    pub(crate) fn unread(
        model: &Model,
        protocol: &'static dyn Protocol,
        operation: usize,
        options: &'a ServerOptions,
        capacity: &'a AtomicUsize,
    ) -> Self {
        let (parts, ()) = http::Request::new(()).into_parts();
        let heads = Arc::new(Heads::new(parts));
        Self {
            context: Context::new(heads, protocol.binding(), model.clone(), operation),
            protocol,
            parameters: None,
            options,
            capacity,
            headers: Vec::new(),
            accepted: None,
        }
    }

    /// Returns the context for the handler.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Reads the SOAP headers of the operation; bindings other than SOAP have none. Call this
    /// before [`read`](Self::read).
    ///
    /// # Errors
    ///
    /// Returns the fault for the caller if a value is not of its type or a required header is
    /// missing.
    pub fn headers<T: Complex>(&mut self) -> Result<T, Failure> {
        let mut values = T::default();
        self.read_headers_of(T::TYPE.elements, &mut values)?;
        Ok(values)
    }

    /// Reads the SOAP headers of the operation into an object with the elements of its
    /// [`headers`](svcgen_model::Operation::headers), as [`headers`](Self::headers) does.
    ///
    /// # Errors
    ///
    /// The same as for [`headers`](Self::headers).
    pub fn headers_into(&mut self, headers: &mut dyn Fields) -> Result<(), Failure> {
        let model = self.context.model.clone();
        let known = model.operation(self.context.operation).headers;
        self.read_headers_of(known.map_or(&[], |known| known.fields.elements), headers)
    }

    fn read_headers_of(
        &mut self,
        rows: &[Element<'_>],
        values: &mut dyn Fields,
    ) -> Result<(), Failure> {
        let read = self.read_headers(rows, values);
        read.map_err(|failure| match self.parameters.take() {
            Some(parameters) => parameters.refuse(failure),
            None => failure,
        })
    }

    fn read_headers(
        &mut self,
        rows: &[Element<'_>],
        values: &mut dyn Fields,
    ) -> Result<(), Failure> {
        let model = self.context.model.clone();
        let service = model.service();
        let operation = service.beside(&service.row().operations[self.context.operation]);
        let encoding = model.encoding(self.context.operation);
        let mut headers = Headers::new(service.row(), encoding, rows, values);
        self.take_headers(&mut |reader| headers.read(reader))?;
        let known = operation.headers.iter();
        let known = known.flat_map(|known| known.fields.elements.iter().zip(known.rules));
        let mut required = known.enumerate().filter(|(_, (_, rule))| rule.required);
        match required.find(|(index, _)| !headers.found.contains(index)) {
            None => Ok(()),
            Some((_, (element, _))) => {
                let namespace = operation.encoded.unwrap_or(service.scope().0);
                let namespace = element.form.of_element((namespace, ElementForm::Qualified));
                Err(Failure::early(Fault::client(format_args!(
                    "SOAP header {} of namespace {namespace} is required by {} and missing.",
                    element.name, operation.name,
                ))))
            }
        }
    }

    /// Reads all headers: with `known` the headers that the operation declares, and the others if
    /// the handler gets them.
    fn take_headers(&mut self, known: &mut ReadHeader<'_>) -> Result<(), ReadError> {
        let takes_unknown = self.context.operation().unknown_headers;
        let version = self.context.model.soap_version(self.context.binding);
        let unknown = &mut self.context.unknown_headers;
        let Some(parameters) = &mut self.parameters else {
            return Ok(());
        };
        parameters.read_headers(&mut |reader| {
            let is_known = known(reader)?;
            if !is_known && unknown.iter().any(|header| header.is_read(reader)) {
                reader.skip()?;
                return Ok(true);
            }
            if !is_known && takes_unknown {
                unknown.push(read_unknown_header(reader, version)?);
            }
            Ok(is_known || takes_unknown)
        })
    }

    /// Reads the parameters and the rest of the message, so that no handler runs on a malformed
    /// message. Call this once, even for an operation without parameters.
    ///
    /// # Errors
    ///
    /// Returns the fault for the caller if the message is malformed, a value is not of its type, or
    /// a header is not understood.
    pub fn read<T: Complex>(&mut self) -> Result<T, Failure> {
        let mut value = T::default();
        self.read_into(&mut value)?;
        Ok(value)
    }

    /// Reads the parameters into a value, as [`read`](Self::read) does: an object of the type
    /// [`parameters`](svcgen_model::Operation::parameters), or of
    /// [`ComplexType::EMPTY`](svcgen_model::ComplexType::EMPTY) if there are none.
    ///
    /// # Errors
    ///
    /// The same as for [`read`](Self::read).
    pub fn read_into<V: Value>(&mut self, value: &mut V) -> Result<(), Failure> {
        if self.context.operation().unknown_headers || !self.context.unknown_headers.is_empty() {
            self.take_headers(&mut |_| Ok(false))?;
        }
        if let Some(parameters) = self.parameters.take() {
            parameters.read(&mut |element| element.read(value))?;
        }
        if let Some(accepted) = &self.accepted {
            accepted.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Writes the answer. The result is `&()` if there is none.
    ///
    /// # Errors
    ///
    /// The result contains a character that XML cannot represent.
    pub fn reply<R: Value>(self, result: &R) -> Result<Reply, Failure> {
        self.write(&mut |name, out| out.element(name, result))
    }

    /// Writes the answer of an operation with several results. `returned` writes the result for
    /// HTTP GET and POST, which answer only one, as an element with a given name.
    ///
    /// # Errors
    ///
    /// A result contains a character that XML cannot represent.
    pub fn reply_results<R: Fields>(
        self,
        results: &R,
        mut returned: impl FnMut(&str, &mut Content<'_>),
    ) -> Result<Reply, Failure> {
        if self.context.binding.is_soap() {
            return self.write(&mut |_, out| results.write_elements(out));
        }
        self.write(&mut returned)
    }

    /// Adds SOAP headers to the answer. Other bindings omit them.
    ///
    /// # Errors
    ///
    /// A header contains a character that XML cannot represent.
    pub fn with_headers<T: Fields>(mut self, headers: &T) -> Result<Self, Failure> {
        let context = &self.context;
        let known = context.operation().response_headers;
        let (version, called) = (
            context.model.soap_version(context.binding),
            context.called(),
        );
        self.headers = write_headers(version, called, MessageKind::Answer, known, headers)?;
        Ok(self)
    }

    fn write(self, result: &mut dyn FnMut(&str, &mut Content<'_>)) -> Result<Reply, Failure> {
        let answer = Answer {
            service: self.context.service(),
            operation: self.context.model.operation_at(self.context.operation),
            headers: &self.headers,
            limits: &self.options.limits,
            crlf: self.options.crlf,
            nan_as_null: self.options.nan_as_null,
        };
        let mut unknown = self.context.unknown_headers.iter();
        if let Some(missed) = unknown.find(|header| header.is_missed()) {
            return Err(Failure {
                outcome: Outcome::Fault,
                ..Failure::not_understood(&missed.name)
            });
        }
        if answer.operation.one_way {
            return Ok(Reply::default());
        }
        let mut body = buffers::with_capacity(self.capacity.load(Ordering::Relaxed));
        let packaging = self.options.packaging.as_ref();
        let packaging = packaging.filter(|_| self.context.binding.is_soap());
        let mut parts = packaging.and_then(|one| one.write(&self.context.heads.parts));
        let writer = parts.as_deref_mut().map(|parts| parts as _);
        self.protocol
            .write_answer(&answer, writer, result, &mut body)?;
        // A little more than this answer, so that answers of a similar length fit into their
        // buffer.
        let capacity = body.len() + body.len() / 8;
        self.capacity.store(capacity, Ordering::Relaxed);
        let parts = parts.map(|parts| parts.finish());
        Ok(Reply { body, parts })
    }
}

impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("context", &self.context)
            .finish_non_exhaustive()
    }
}

/// A written answer.
#[derive(Debug, Default)]
pub struct Reply {
    pub(crate) body: Vec<u8>,
    /// The parts to send with the answer.
    pub(crate) parts: Option<WrittenParts>,
}
