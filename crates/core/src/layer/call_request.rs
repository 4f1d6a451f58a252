//! Calls for layers.

use std::convert::Infallible;
use std::fmt;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use http::{Extensions, HeaderMap, Method, Request, Uri, request};
use svcgen_model::Service;

use super::call_response::CallResponse;
use super::slot::Slot;
use super::target::Target;
use crate::binding::Binding;
use crate::binding::protocol::BindingRouter;
use crate::described::Model;
use crate::failure::Failure;
use crate::fault::Fault;
use crate::heads::Heads;
use crate::peer::{PeerCertificates, RemoteAddress, User};
use crate::unknown_header::UnknownHeader;

/// The future of [`CallService`](super::CallService).
pub type CallFuture = Pin<Box<dyn Future<Output = Result<CallResponse, Infallible>> + Send>>;

/// The continuation after the layers of a router.
pub(super) type Next = Box<dyn FnOnce(CallRequest) -> CallFuture + Send + Sync>;

/// A call on its way to its handler: the HTTP request with its body, and its target.
///
/// Refused requests are included, so that layers see all requests; [`target`](Self::target)
/// distinguishes them.
pub struct CallRequest {
    heads: Arc<Heads>,
    body: Bytes,
    model: Option<Model>,
    operation: Option<usize>,
    protocol: Option<&'static dyn BindingRouter>,
    next: Option<Next>,
    slot: Arc<Slot>,
    /// Whether another server reads the message.
    is_forwarded: bool,
}

impl CallRequest {
    pub(crate) fn new(
        heads: Arc<Heads>,
        body: Bytes,
        model: Option<Model>,
        operation: Option<usize>,
        protocol: Option<&'static dyn BindingRouter>,
    ) -> Self {
        Self {
            heads,
            body,
            model,
            operation,
            protocol,
            next: None,
            slot: Slot::new(),
            is_forwarded: false,
        }
    }

    /// Marks the request as forwarded to another server.
    pub(crate) fn forwarded(mut self) -> Self {
        self.is_forwarded = true;
        self
    }

    pub(super) fn with_next(mut self, next: Option<Next>) -> Self {
        self.next = next;
        self
    }

    pub(super) fn slot(&self) -> &Arc<Slot> {
        &self.slot
    }

    pub(super) fn protocol(&self) -> Option<&'static dyn BindingRouter> {
        self.protocol
    }

    fn parts_mut(&mut self) -> &mut request::Parts {
        &mut Heads::of_request(&mut self.heads).parts
    }

    /// Returns an answer that refuses the request with a fault.
    pub fn refused(&self, fault: Fault) -> CallResponse {
        CallResponse::failed(self.protocol, Failure::told(fault.bounded()))
    }

    /// Passes the request on from the innermost layer.
    pub(super) fn pass_on(mut self) -> CallFuture {
        match self.next.take() {
            Some(next) => next(self),
            None => {
                let handled = self.slot.call(self.heads);
                Box::pin(async { Ok(handled.await) })
            }
        }
    }

    /// Returns a copy of the HTTP request.
    pub fn copy(&self) -> Request<Bytes> {
        let mut copy = Request::new(self.body.clone());
        *copy.method_mut() = self.method().clone();
        *copy.uri_mut() = self.uri().clone();
        *copy.headers_mut() = self.headers().clone();
        copy
    }

    /// Returns the model of the service; `None` if the path belongs to no service.
    pub fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// Returns the called service; `None` if the path belongs to no service.
    pub fn service(&self) -> Option<&Service<'_>> {
        self.model.as_ref().map(|model| model.service().row())
    }

    /// Returns the target of the request.
    pub fn target(&self) -> Target<'_> {
        match (&self.model, self.operation) {
            (Some(model), Some(operation)) => Target::Operation(model.operation(operation)),
            _ if self.is_forwarded => Target::Forwarded,
            _ => Target::Refused,
        }
    }

    /// Returns the name of the called operation, for logs and metrics; `None` if the request does
    /// not name an operation that is known here. [`target`](Self::target) distinguishes such
    /// requests.
    pub fn operation_name(&self) -> Option<&str> {
        match self.target() {
            Target::Operation(operation) => Some(operation.name),
            Target::Refused | Target::Forwarded => None,
        }
    }

    /// Returns the binding of the call; `None` if the request belongs to no binding.
    pub fn binding(&self) -> Option<Binding> {
        self.protocol.map(BindingRouter::binding)
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

    /// Returns the headers of the HTTP request, to change them for inner layers and the handler.
    /// The binding and the operation stay, because they are already decided.
    pub fn headers_mut(&mut self) -> &mut HeaderMap {
        &mut self.parts_mut().headers
    }

    /// Returns the extensions of the HTTP request.
    pub fn extensions(&self) -> &Extensions {
        &self.heads.parts.extensions
    }

    /// Returns the extensions of the HTTP request, to add to them: the handler finds them in
    /// [`Context::extensions`](crate::Context::extensions).
    pub fn extensions_mut(&mut self) -> &mut Extensions {
        &mut self.parts_mut().extensions
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

    /// Returns the SOAP headers of the request that the server understands
    /// ([`ServerOptions::with_understood_headers`](crate::ServerOptions::with_understood_headers)),
    /// whether the operation declares them or not. Only handlers get other headers.
    pub fn unknown_headers(&self) -> &[UnknownHeader] {
        &self.heads.understood
    }

    /// Returns whether another server, the original of a `Fallback`, reads and answers the message.
    /// Then its SOAP headers are not known here.
    pub fn is_forwarded(&self) -> bool {
        self.is_forwarded
    }

    /// Returns the body of the HTTP request; empty if the request was refused before its body was
    /// read. It may contain secrets.
    pub fn body(&self) -> &Bytes {
        &self.body
    }
}

/// Omits the query, the headers and the body, which may contain secrets.
impl fmt::Debug for CallRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallRequest")
            .field("method", self.method())
            .field("path", &self.uri().path())
            .field("binding", &self.binding())
            .field("operation", &self.operation_name())
            .finish_non_exhaustive()
    }
}
