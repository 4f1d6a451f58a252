//! What emitted code states about a service, and what it is handed for one call.

use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::{Extensions, HeaderMap, Method, StatusCode, Uri, request};

use crate::binding::form::{Form, TooManyFields};
use crate::binding::{Binding, Bindings, envelope, http_get, http_post, http_result};
use crate::fault::{Fault, FaultCode, Stage, unwritable};
use crate::limits::Limits;
use crate::xml::{Complex, Content, ReadError, ReadErrorKind, Value, WriteError, read_form};

/// A service as its definition states it: its names, its address and its operations.
#[derive(Debug)]
pub struct ServiceDescription {
    /// The name.
    pub name: &'static str,
    /// The namespace of its elements.
    pub namespace: &'static str,
    /// The path, such as `/SvcDotNet/Authenticator.asmx`; requests may write it in any letter case.
    pub path: &'static str,
    /// The operations, in the order of the definition. An operation is known by its index.
    pub operations: &'static [Operation],
    #[doc(hidden)]
    pub later: Later,
}

/// The field that no code states, so that `..Operation::NEW` is never superfluous.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Later(());

impl ServiceDescription {
    /// What emitted code fills up from, so that later fields need no new code.
    pub const NEW: Self = Self {
        name: "",
        namespace: "",
        path: "",
        operations: &[],
        later: Later(()),
    };

    /// The index of the operation that is offered over a binding and that `is` the one looked for.
    pub(crate) fn find(&self, binding: Binding, is: impl Fn(&Operation) -> bool) -> Option<usize> {
        self.operations
            .iter()
            .position(|operation| operation.bindings.contains(binding) && is(operation))
    }

    /// Whether any operation is offered over a binding.
    pub(crate) fn offers(&self, binding: Binding) -> bool {
        self.find(binding, |_| true).is_some()
    }
}

/// An operation: its names on the wire.
#[derive(Debug)]
pub struct Operation {
    /// The name, also the last segment of its path over HTTP GET and POST.
    pub name: &'static str,
    /// The SOAPAction.
    pub action: &'static str,
    /// The element in the Body of a request.
    pub request: &'static str,
    /// The element in the Body of an answer.
    pub response: &'static str,
    /// The element of the result in the response element, and its root element over HTTP GET and POST; absent if there is no result.
    pub result: Option<(&'static str, Root)>,
    /// Whether an absent result is written as `xsi:nil` (numbers, booleans, enumerations) or left out (everything else).
    pub nillable: bool,
    /// The bindings it is offered over.
    pub bindings: Bindings,
    #[doc(hidden)]
    pub later: Later,
}

impl Operation {
    /// What emitted code fills up from, so that later fields need no new code.
    pub const NEW: Self = Self {
        name: "",
        action: "",
        request: "",
        response: "",
        result: None,
        nillable: false,
        bindings: Bindings::ALL,
        later: Later(()),
    };
}

/// The root element of a result over HTTP GET and POST.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// A primitive or an enumeration: `<boolean xmlns="…">`.
    Simple(&'static str),
    /// An object or a list: `<LoginResult xmlns:xsd="…" xmlns:xsi="…" xmlns="…">`.
    Complex(&'static str),
}

impl Root {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Simple(name) | Self::Complex(name) => name,
        }
    }
}

/// A service that a handler of type `H` can stand behind. Emitted code implements it.
pub trait Service<H>: Send + Sync + 'static {
    /// The names and addresses.
    const DESCRIPTION: &'static ServiceDescription;

    /// Reads the parameters of an operation, calls the handler and writes the result.
    fn call(
        handler: &H,
        operation: usize,
        call: Call<'_>,
    ) -> impl Future<Output = Result<Reply, Failure>> + Send;
}

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
}

/// Where the parameters of a call are read from.
#[expect(
    clippy::large_enum_variant,
    reason = "a call has one, and it never moves to the heap"
)]
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
    Root { root: Root, namespace: &'static str },
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
        }
    }

    /// What the handler may ask about the call.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Reads the parameters and the rest of the message, so that nothing runs on a malformed one. Called once, also for an operation without parameters.
    ///
    /// # Errors
    ///
    /// What the caller is told: the message is not well-formed, a value is not of its type, a header is not understood.
    pub fn read<T: Complex>(&mut self) -> Result<T, Failure> {
        let mut value = T::default();
        match &mut self.parameters {
            Parameters::Soap(request) => request.read(&mut |reader| reader.read(&mut value))?,
            // Without parameters neither the query nor the body is looked at.
            _ if T::ELEMENTS.is_empty() => {}
            parameters => read_form(parameters.form(self.settings.limits)?.fields(), &mut value)?,
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
            Place::Root { root, namespace } => out.root(
                root.name(),
                matches!(root, Root::Complex(_)),
                namespace,
                result,
            ),
        })
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
            ..
        } = self;
        let mut body = Vec::with_capacity(settings.length.load(Ordering::Relaxed));
        match (binding.version(), operation.result) {
            (Some(version), None) => {
                envelope::write(version, service, operation.response, &mut body, &mut |_| {})?
            }
            (Some(version), Some((name, _))) => {
                envelope::write(
                    version,
                    service,
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
                let namespace = service.namespace;
                http_result::write(settings.crlf, &mut body, &mut |out| {
                    result(Place::Root { root, namespace }, out)
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

/// Why there is no answer: a fault and the HTTP status it goes out with.
#[derive(Debug)]
pub struct Failure {
    pub(crate) fault: Fault,
    pub(crate) status: StatusCode,
    /// Whether it was found before the call was made, which shows in `Cache-Control`.
    pub(crate) early: bool,
    /// What HTTP GET and POST say instead of the fault's text.
    pub(crate) form_text: Option<&'static str>,
}

impl Failure {
    /// Found before the call was made.
    pub(crate) fn early(fault: Fault) -> Self {
        Self {
            fault,
            status: StatusCode::INTERNAL_SERVER_ERROR,
            early: true,
            form_text: None,
        }
    }

    /// The body exceeds the limit.
    pub(crate) fn too_long() -> Self {
        let fault = Fault::server("Maximum request length exceeded.");
        Self {
            form_text: Some("Upload size exceeds httpRuntime limit."),
            ..Self::early(fault)
        }
    }

    /// The request is not one that can be read: its shape, not its text.
    pub(crate) fn request_format(message: impl fmt::Display) -> Self {
        Self::early(Fault::at(
            Stage::Reading,
            FaultCode::Client,
            format_args!("Request format is invalid: {message}"),
        ))
    }

    /// The bytes of the request are no well-formed XML.
    pub(crate) fn malformed(message: impl fmt::Display) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            ..Self::early(Fault::at(Stage::Reading, FaultCode::Client, message))
        }
    }
}

/// The handler failed.
impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self {
            fault,
            status: StatusCode::INTERNAL_SERVER_ERROR,
            early: false,
            form_text: None,
        }
    }
}

/// The parameters could not be read.
impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        let message = match (error.line(), error.column()) {
            (Some(line), Some(column)) => {
                format!(
                    "There is an error in XML document ({line}, {column}). ---> {}",
                    error.message()
                )
            }
            _ => error.message().to_owned(),
        };
        match error.kind() {
            ReadErrorKind::Malformed | ReadErrorKind::Limit => Self::malformed(message),
            _ => Self::early(Fault::at(Stage::Reading, FaultCode::Client, message)),
        }
    }
}

/// The result could not be written.
impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Fault::server(unwritable(&error)).into()
    }
}
