//! The interface of a binding.

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;
use http::uri::PathAndQuery;
use http::{HeaderMap, Method, Request, Response, Uri};
use svcgen_model::{At, Binding, Operation, Service, base_path};

use super::operations::Operations;
use super::received::Received;
use crate::buffers;
use crate::call_error::CallError;
use crate::failure::Failure;
use crate::mask::MaskedNotation;
use crate::unknown_header::{UnderstoodHeaders, UnknownHeader};
use svcgen_wire::Limits;
use svcgen_wire::ReadError;
use svcgen_wire::internals::Charset;
use svcgen_wire::internals::Facets;
use svcgen_wire::internals::{BinaryParts, BinaryPartsWriter};
use svcgen_wire::{Content, Element, Reader};

/// Decides which requests belong to a binding, and refuses those that are not calls, also for
/// services without operations over it.
pub(crate) trait BindingRouter: Sync {
    fn binding(&self) -> Binding;

    /// Routes a request by its head. Returns `None` if it belongs to another binding.
    ///
    /// # Errors
    ///
    /// The request belongs to this binding, but is not a call.
    fn route(&self, head: &Head<'_>) -> Option<Result<CallHead, Failure>>;

    /// Returns the response to a request that failed before its operation was known.
    fn refuse(&self, failure: &Failure) -> Response<Bytes>;

    /// Returns the operation that the head of a request names, for bindings whose paths do not name
    /// it; `None` if the head alone does not.
    fn named(
        &self,
        _service: &Service<'_>,
        _operations: &Operations,
        _headers: &HeaderMap,
    ) -> Option<usize> {
        None
    }

    /// Returns the media type of requests to the path of the service; `None` if each operation has
    /// a path.
    fn media_type(&self) -> Option<&'static str> {
        None
    }
}

/// A binding: reads requests and writes answers for a server, writes requests and reads answers for
/// a client.
pub(crate) trait Protocol: BindingRouter {
    /// Decodes the body of a request, for bindings that read text.
    ///
    /// # Errors
    ///
    /// The body is not text in its encoding.
    fn decode<'b>(
        &self,
        _charset: Option<Charset>,
        _body: &'b [u8],
    ) -> Result<Cow<'b, str>, Failure> {
        Ok(Cow::Borrowed(""))
    }

    /// Finds the operation of a request and opens its parameters.
    ///
    /// # Errors
    ///
    /// The request is not a call.
    fn open<'m>(
        &'static self,
        head: CallHead,
        message: &Message<'_, 'm>,
    ) -> Result<OpenedRequest<'m>, Unopened>;

    /// Writes the answer to a call. `result` writes the result as an element with a given name, or
    /// several results with their own names. Over SOAP, long bytes are written to `parts`, if
    /// given.
    ///
    /// # Errors
    ///
    /// The result cannot be written.
    fn write_answer(
        &self,
        answer: &Answer<'_>,
        parts: Option<&mut dyn BinaryPartsWriter>,
        result: &mut dyn FnMut(&str, &mut Content<'_>),
        body: &mut Vec<u8>,
    ) -> Result<(), Failure>;

    /// Returns the response to a call, from the body that [`write_answer`](Self::write_answer)
    /// wrote, or from a failure.
    fn respond(
        &self,
        operation: &Operation<'_>,
        outcome: Result<Vec<u8>, &Failure>,
    ) -> Response<Bytes>;

    /// Whether a fault of the handler is answered without the status, the headers and the cookies
    /// that it has set.
    fn clears_head(&self) -> bool {
        false
    }

    /// Returns the code that masks messages, if they are neither XML nor forms.
    fn masked(&self) -> Option<&dyn MaskedNotation> {
        None
    }

    /// Returns the request of a client. `parameters` writes the parameters. Over SOAP, long bytes
    /// are written to `parts`, if given.
    fn request(
        &self,
        call: &Outgoing<'_>,
        parts: Option<&mut dyn BinaryPartsWriter>,
        parameters: &mut dyn FnMut(&mut Content<'_>),
    ) -> Result<Request<Bytes>, CallError>;

    /// Reads a response for a client. `result` reads the result or, in SOAP, the element of several
    /// results; `header` reads each SOAP header. Returns whether there was a result.
    fn read_response(
        &self,
        received: &Received<'_>,
        result: &mut ReadValue<'_>,
        header: &mut ReadHeader<'_>,
    ) -> Result<bool, CallError>;
}

/// Reads a value from its element, its field or its object.
pub(crate) type ReadValue<'r> = dyn FnMut(&mut Element<'_>) -> Result<(), ReadError> + 'r;

/// Reads the current header and returns `true`; leaves a header that it does not know unread and
/// returns `false`.
pub(crate) type ReadHeader<'r> = dyn FnMut(&mut Reader<'_>) -> Result<bool, ReadError> + 'r;

/// The parts of a request's head that a route depends on.
pub(crate) struct Head<'h> {
    pub(crate) service: &'h Service<'h>,
    pub(crate) operations: &'h Operations,
    pub(crate) method: &'h Method,
    /// The operation that the path names; `None` for the path of the service.
    pub(crate) operation: Option<&'h str>,
    pub(crate) content_type: Cow<'h, str>,
}

/// The information about a call in the head of its request.
#[derive(Clone, Copy)]
pub(crate) struct CallHead {
    /// The encoding of the body, if the media type names one.
    pub(crate) charset: Option<Charset>,
    /// The index of the operation, if the path names it.
    pub(crate) operation: Option<usize>,
}

/// A call, as known from the head of its request.
#[derive(Clone, Copy)]
pub(crate) struct Route {
    pub(crate) protocol: &'static dyn Protocol,
    pub(crate) head: CallHead,
}

/// A request with its body.
pub(crate) struct Message<'p, 'm> {
    pub(crate) service: At<'m, Service<'m>>,
    pub(crate) operations: &'p Operations,
    pub(crate) limits: &'p Limits,
    pub(crate) strict: bool,
    pub(crate) facets: &'m Facets,
    /// The SOAP headers that the server understands.
    pub(crate) understood: &'p UnderstoodHeaders,
    pub(crate) headers: &'p HeaderMap,
    pub(crate) query: &'m str,
    pub(crate) body: &'m [u8],
    /// The body as [`Protocol::decode`] gave it.
    pub(crate) text: &'m str,
    /// The parts that were sent with the message.
    pub(crate) parts: Option<&'m dyn BinaryParts>,
}

/// A request whose operation is known.
pub(crate) struct OpenedRequest<'m> {
    /// The protocol of the message, which may be another version of SOAP than the media type
    /// states.
    pub(crate) protocol: &'static dyn Protocol,
    pub(crate) operation: usize,
    pub(crate) parameters: Box<dyn Parameters + 'm>,
    /// The SOAP headers that the server understands.
    pub(crate) understood: Vec<UnknownHeader>,
}

/// The reason why a request is not a call.
pub(crate) enum Unopened {
    /// The request failed, and the response is written by this binding.
    Refused(&'static dyn BindingRouter, Failure),
    /// The media type belongs to another version of SOAP than the message.
    MediaType,
}

/// The parameters of a call, still in the form of its request.
pub(crate) trait Parameters: Send {
    /// Reads the headers that are for this service. Bindings without headers do nothing.
    fn read_headers(&mut self, _known: &mut ReadHeader<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    /// Returns the failure of a call whose headers are refused: `failure`, unless the rest of the
    /// message is malformed.
    fn refuse(self: Box<Self>, failure: Failure) -> Failure {
        failure
    }

    /// Reads the parameters and the rest of the message.
    fn read(self: Box<Self>, parameters: &mut ReadValue<'_>) -> Result<(), Failure>;
}

/// The parts of an answer, without its result.
#[cfg_attr(
    not(feature = "json"),
    allow(dead_code, reason = "some are of JSON alone")
)]
pub(crate) struct Answer<'a> {
    pub(crate) service: &'a Service<'a>,
    pub(crate) operation: At<'a, Operation<'a>>,
    /// The SOAP headers, as markup.
    pub(crate) headers: &'a [u8],
    pub(crate) limits: &'a Limits,
    pub(crate) crlf: bool,
    /// Whether NaN is written as an absent value.
    pub(crate) nan_as_null: bool,
}

/// The parts of a client's request, except its parameters.
pub(crate) struct Outgoing<'a> {
    pub(crate) url: &'a Uri,
    pub(crate) service: &'a Service<'a>,
    pub(crate) operation: At<'a, Operation<'a>>,
    /// The SOAP headers, as markup.
    pub(crate) headers: &'a [u8],
}

/// Returns a client's request without its own headers.
pub(super) fn new_request(method: Method, url: Uri, body: Vec<u8>) -> Request<Bytes> {
    let mut request = Request::new(buffers::into_bytes(body));
    *request.method_mut() = method;
    *request.uri_mut() = url;
    request
}

/// Returns the URL of a client's call of an operation with its own path, without `?` if the query
/// is empty.
pub(super) fn operation_url(call: &Outgoing<'_>, query: &str) -> Result<Uri, CallError> {
    let (path, name) = (base_path(call.url.path()), call.operation.name);
    let of_service = call.url.query().unwrap_or_default();
    let queries = [of_service, query];
    let queries: Vec<_> = queries.into_iter().filter(|one| !one.is_empty()).collect();
    let question_mark = if queries.is_empty() { "" } else { "?" };
    let query = queries.join("&");
    with_target(call.url, &format!("{path}/{name}{question_mark}{query}"))
}

/// Returns a URL with another path and query.
pub(crate) fn with_target(url: &Uri, target: &str) -> Result<Uri, CallError> {
    let refused = |error: &dyn fmt::Display| {
        CallError::Url(format!("the request has no valid address: {error}"))
    };
    let mut parts = url.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(target).map_err(|error| refused(&error))?);
    Uri::from_parts(parts).map_err(|error| refused(&error))
}
