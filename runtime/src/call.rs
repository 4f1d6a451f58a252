//! One call as emitted code and handlers see it, whatever binding it came over.

use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::{Extensions, HeaderMap, Method, Uri, request};
use svcgen_model::{Operation, Service};

use crate::binding::Binding;
use crate::binding::protocol::{Answer, Opened, Parameters, Protocol};
use crate::binding::soap::{Headers, write_headers};
use crate::described::Model;
use crate::failure::Failure;
use crate::fault::Fault;
use crate::values::{Complex, Content, Value};

/// What a handler may ask about the call besides its parameters.
pub struct Context {
    parts: Box<request::Parts>,
    binding: Binding,
    model: Model,
    operation: usize,
}

/// The address of the caller, an extension of the request that [`serve`](fn@crate::serve) adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemoteAddress(pub SocketAddr);

impl Context {
    /// The binding that the call came over.
    pub fn binding(&self) -> Binding {
        self.binding
    }

    /// The service called.
    pub fn service(&self) -> &Service<'_> {
        self.model.service().row()
    }

    /// The operation called.
    pub fn operation(&self) -> &Operation<'_> {
        self.model.operation(self.operation)
    }

    /// The method of the HTTP request.
    pub fn method(&self) -> &Method {
        &self.parts.method
    }

    /// The target of the HTTP request. Over HTTP GET its query holds the parameters, secrets too.
    pub fn uri(&self) -> &Uri {
        &self.parts.uri
    }

    /// The headers of the HTTP request.
    pub fn headers(&self) -> &HeaderMap {
        &self.parts.headers
    }

    /// The extensions of the HTTP request: what the HTTP server and middleware added.
    pub fn extensions(&self) -> &Extensions {
        &self.parts.extensions
    }

    /// The address of the caller, if the HTTP server told it as [`RemoteAddress`].
    pub fn remote_address(&self) -> Option<SocketAddr> {
        self.parts
            .extensions
            .get::<RemoteAddress>()
            .map(|address| address.0)
    }
}

/// Without the query and the headers, which may hold secrets.
impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("binding", &self.binding)
            .field("operation", &self.operation().name)
            .field("path", &self.parts.uri.path())
            .finish_non_exhaustive()
    }
}

/// One call on its way through emitted code: parameters to read, a result to write.
pub struct Call<'a> {
    context: Context,
    protocol: &'static dyn Protocol,
    /// `None` once they are read.
    parameters: Option<Box<dyn Parameters + 'a>>,
    settings: Settings<'a>,
    /// The headers of the answer, as markup.
    headers: Vec<u8>,
}

/// What a server is set to, as one call needs it.
#[derive(Clone, Copy)]
pub(crate) struct Settings<'a> {
    pub(crate) crlf: bool,
    /// How long the last answer of the operation was.
    pub(crate) length: &'a AtomicUsize,
}

/// Writes a result as an element of this name.
type WriteResult<'w> = dyn FnMut(&str, &mut Content<'_>) + 'w;

impl<'a> Call<'a> {
    pub(crate) fn new(
        parts: Box<request::Parts>,
        model: &Model,
        opened: Opened<'a>,
        settings: Settings<'a>,
    ) -> Self {
        Self {
            context: Context {
                parts,
                binding: opened.binding,
                model: model.clone(),
                operation: opened.operation,
            },
            protocol: opened.protocol,
            parameters: Some(opened.parameters),
            settings,
            headers: Vec::new(),
        }
    }

    /// What the handler may ask about the call.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Reads the SOAP headers of the request that the operation knows; over HTTP GET and POST there are none. Called before [`read`](Self::read).
    ///
    /// # Errors
    ///
    /// What the caller is told: a value is not of its type, or a required header is missing.
    pub fn headers<T: Complex>(&mut self) -> Result<T, Failure> {
        let mut values = T::default();
        match self.read_headers(&mut values) {
            Ok(()) => Ok(values),
            Err(failure) => Err(match self.parameters.take() {
                Some(parameters) => parameters.refuse(failure),
                None => failure,
            }),
        }
    }

    fn read_headers<T: Complex>(&mut self, values: &mut T) -> Result<(), Failure> {
        let service = self.context.model.service();
        let operation = &service.row().operations[self.context.operation];
        let mut headers = Headers {
            service: service.row(),
            values,
            found: Vec::new(),
        };
        if let Some(parameters) = &mut self.parameters {
            parameters.read_headers(&mut |reader| headers.read(reader))?;
        }
        let known = operation.headers.iter();
        let known = known.flat_map(|known| known.fields.elements.iter().zip(known.rules));
        let mut required = known.enumerate().filter(|(_, (_, rule))| rule.required);
        match required.find(|(index, _)| !headers.found.contains(index)) {
            None => Ok(()),
            Some((_, (element, _))) => Err(Failure::early(Fault::client(format_args!(
                "SOAP header {} of namespace {} is required by {} and missing.",
                element.name, service.namespace, operation.name,
            )))),
        }
    }

    /// Reads the parameters and the rest of the message, so that nothing runs on a malformed one. Called once, also for an operation without parameters.
    ///
    /// # Errors
    ///
    /// What the caller is told: the message is not well-formed, a value is not of its type, a header is not understood.
    pub fn read<T: Complex>(&mut self) -> Result<T, Failure> {
        let mut value = T::default();
        if let Some(parameters) = self.parameters.take() {
            parameters.read(&mut |element| element.read(&mut value))?;
        }
        Ok(value)
    }

    /// Writes the answer; `&()` if there is no result.
    ///
    /// # Errors
    ///
    /// The result holds a character that XML cannot carry.
    pub fn reply<R: Value>(self, result: &R) -> Result<Reply, Failure> {
        self.write(&mut |name, out| out.element(name, result))
    }

    /// Gives the answer SOAP headers; over HTTP GET and POST there is no place for them.
    ///
    /// # Errors
    ///
    /// A header holds a character that XML cannot carry.
    pub fn with_headers<T: Complex>(mut self, headers: &T) -> Result<Self, Failure> {
        let Context {
            model, operation, ..
        } = &self.context;
        let known = model.operation(*operation).response_headers.as_ref();
        self.headers = write_headers(&model.service(), known, headers)?;
        Ok(self)
    }

    fn write(self, result: &mut WriteResult<'_>) -> Result<Reply, Failure> {
        let Self {
            context,
            protocol,
            settings,
            headers,
            ..
        } = self;
        let answer = Answer {
            service: context.service(),
            operation: context.operation(),
            headers: &headers,
            crlf: settings.crlf,
        };
        if answer.operation.one_way {
            return Ok(Reply { body: Vec::new() });
        }
        let mut body = Vec::with_capacity(settings.length.load(Ordering::Relaxed));
        protocol.write_answer(&answer, result, &mut body)?;
        // A little more than the last one, so that answers of about one length do not grow their buffer.
        settings
            .length
            .store(body.len() + body.len() / 8, Ordering::Relaxed);
        Ok(Reply { body })
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
#[derive(Debug)]
pub struct Reply {
    pub(crate) body: Vec<u8>,
}
