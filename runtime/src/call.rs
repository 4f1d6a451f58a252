//! One call as emitted code and handlers see it, whatever binding it came over.

use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::{Extensions, HeaderMap, Method, Uri, request};

use crate::binding::envelope::Headers;
use crate::binding::form::{Form, TooManyFields};
use crate::binding::{Binding, envelope, http_get, http_post, http_result};
use crate::failure::Failure;
use crate::fault::Fault;
use crate::limits::Limits;
use crate::service::{Header, Operation, Root, ServiceDescription};
use crate::xml::{
    Complex, Content, ElementForm, ReadError, ReadErrorKind, Value, read_form, unknown_field,
};

/// What a handler may ask about the call besides its parameters.
pub struct Context {
    parts: Box<request::Parts>,
    binding: Binding,
    service: &'static ServiceDescription,
    operation: &'static Operation,
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
    pub fn service(&self) -> &'static ServiceDescription {
        self.service
    }

    /// The operation called.
    pub fn operation(&self) -> &'static Operation {
        self.operation
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
            .field("operation", &self.operation.name)
            .field("path", &self.parts.uri.path())
            .finish_non_exhaustive()
    }
}

/// One call on its way through emitted code: parameters to read, a result to write.
pub struct Call<'a> {
    context: Context,
    parameters: Parameters<'a>,
    settings: Settings<'a>,
    /// The headers of the answer, as markup.
    headers: Vec<u8>,
}

/// Where the parameters of a call are read from.
pub(crate) enum Parameters<'a> {
    Soap(envelope::Request<'a>),
    Query(&'a [u8]),
    Body {
        body: &'a [u8],
        content_type: &'a str,
    },
    Read,
}

impl<'a> Parameters<'a> {
    /// The fields of a query or of a body.
    fn form(&self, limits: &Limits) -> Result<Form<'a>, Failure> {
        let form = match *self {
            Self::Query(query) => http_get::read(query, limits),
            Self::Body { body, content_type } => http_post::read(body, content_type, limits)?,
            Self::Soap(_) | Self::Read => Ok(Form::default()),
        };
        form.map_err(|TooManyFields| {
            let message = format!("The form has more than {} parameters.", limits.parameters);
            ReadError::new(ReadErrorKind::Limit, message).into()
        })
    }
}

/// What a server is set to, as one call needs it.
#[derive(Clone, Copy)]
pub(crate) struct Settings<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) crlf: bool,
    /// How long the last answer of the operation was.
    pub(crate) length: &'a AtomicUsize,
}

/// Where a result is written.
enum Place {
    Element(&'static str),
    Root {
        root: Root,
        namespace: &'static str,
        form: ElementForm,
    },
}

impl<'a> Call<'a> {
    pub(crate) fn new(
        parts: Box<request::Parts>,
        binding: Binding,
        service: &'static ServiceDescription,
        operation: usize,
        parameters: Parameters<'a>,
        settings: Settings<'a>,
    ) -> Self {
        let operation = &service.operations[operation];
        Self {
            context: Context {
                parts,
                binding,
                service,
                operation,
            },
            parameters,
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
            Err(failure) => Err(match self.take_parameters() {
                Parameters::Soap(request) => request.refuse(failure),
                _ => failure,
            }),
        }
    }

    fn read_headers<T: Complex>(&mut self, values: &mut T) -> Result<(), Failure> {
        let Context {
            service, operation, ..
        } = self.context;
        let mut headers = Headers {
            service,
            values,
            found: Vec::new(),
        };
        if let Parameters::Soap(request) = &mut self.parameters {
            request.read_headers(&mut |reader| headers.read(reader))?;
        }
        let is_missing = |header: &&Header| {
            header.required
                && !headers
                    .found
                    .iter()
                    .any(|index| T::ELEMENTS[*index] == header.name)
        };
        match operation.headers.iter().find(is_missing) {
            None => Ok(()),
            Some(Header { name, .. }) => Err(Failure::early(Fault::client(format_args!(
                "SOAP header {name} of namespace {} is required by {} and missing.",
                service.namespace, operation.name,
            )))),
        }
    }

    fn take_parameters(&mut self) -> Parameters<'a> {
        std::mem::replace(&mut self.parameters, Parameters::Read)
    }

    /// Reads the parameters and the rest of the message, so that nothing runs on a malformed one. Called once, also for an operation without parameters.
    ///
    /// # Errors
    ///
    /// What the caller is told: the message is not well-formed, a value is not of its type, a header is not understood.
    pub fn read<T: Complex>(&mut self) -> Result<T, Failure> {
        let mut value = T::default();
        match &mut self.parameters {
            Parameters::Soap(request) => {
                let forms = self.context.operation.forms(self.context.service);
                request.read(forms, &mut |reader| reader.read(&mut value))?
            }
            // Without parameters neither the query nor the body is looked at.
            _ if T::ELEMENTS.is_empty() => {}
            parameters => {
                let form = parameters.form(self.settings.limits)?;
                if self.settings.limits.strict {
                    refuse_unknown(T::ELEMENTS, &form)?;
                }
                read_form(form.fields(), &mut value)?
            }
        }
        self.parameters = Parameters::Read;
        Ok(value)
    }

    /// Writes the answer; `&()` if there is no result.
    ///
    /// # Errors
    ///
    /// The result holds a character that XML cannot carry.
    pub fn reply<R: Value>(self, result: &R) -> Result<Reply, Failure> {
        self.write(&mut |place, out| match place {
            Place::Element(name) => out.element(name, result),
            Place::Root {
                root,
                namespace,
                form,
            } => out.root_of(
                root.name(),
                matches!(root, Root::Complex(_)),
                namespace,
                form,
                result,
            ),
        })
    }

    /// Gives the answer SOAP headers; over HTTP GET and POST there is no place for them.
    ///
    /// # Errors
    ///
    /// A header holds a character that XML cannot carry.
    pub fn with_headers<T: Complex>(mut self, headers: &T) -> Result<Self, Failure> {
        let Context {
            service, operation, ..
        } = self.context;
        self.headers = envelope::write_headers(service, operation.response_headers, headers)?;
        Ok(self)
    }

    fn write(self, result: &mut dyn FnMut(Place, &mut Content<'_>)) -> Result<Reply, Failure> {
        let Self {
            context:
                Context {
                    binding,
                    service,
                    operation,
                    ..
                },
            settings,
            headers,
            ..
        } = self;
        if operation.one_way {
            return Ok(Reply { body: Vec::new() });
        }
        let mut body = Vec::with_capacity(settings.length.load(Ordering::Relaxed));
        match (binding.version(), operation.result) {
            (Some(version), None) => envelope::write(
                version.answer_start(operation),
                service,
                operation,
                &headers,
                operation.response,
                &mut body,
                &mut |_| {},
            )?,
            (Some(version), Some((name, _))) => {
                envelope::write(
                    version.answer_start(operation),
                    service,
                    operation,
                    &headers,
                    operation.response,
                    &mut body,
                    &mut |out| {
                        let before = out.len();
                        result(Place::Element(name), out);
                        if operation.nillable && out.len() == before {
                            out.nillable(name, &None::<bool>);
                        }
                    },
                )?;
            }
            (None, None) => {}
            (None, Some((_, root))) => {
                http_result::write(settings.crlf, &mut body, &mut |out| {
                    let place = Place::Root {
                        root,
                        namespace: service.namespace,
                        form: service.element_form,
                    };
                    result(place, out)
                })?;
            }
        }
        // A little more than the last one, so that answers of about one length do not grow their buffer.
        settings
            .length
            .store(body.len() + body.len() / 8, Ordering::Relaxed);
        Ok(Reply { body })
    }
}

/// Refuses a form with a field that is no parameter.
fn refuse_unknown(elements: &[&str], form: &Form<'_>) -> Result<(), ReadError> {
    match unknown_field(elements, form.fields()) {
        None => Ok(()),
        Some(name) => {
            let message = format!(
                "There is no parameter '{name}'. Parameters: {}.",
                elements.join(", ")
            );
            Err(ReadError::new(ReadErrorKind::Value, message))
        }
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
