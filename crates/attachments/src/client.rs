//! Clients that send and read messages with attachments.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderValue, Request, Response};
use svcgen_core::internals::{WrittenParts, header_text};
use svcgen_core::transport::{CalledOperation, MaybeSend, TransportError, TransportErrorKind};
use svcgen_core::{Client, Transport};

use crate::options::Attachments;
use crate::package::message_type;
use crate::written::Parts;

/// Adds attachments to a [`Client`].
pub trait ClientAttachments<T> {
    /// Returns a client that reads answers with attachments, and sends requests in MTOM if the
    /// options enable it: see the [crate].
    #[must_use]
    fn with_attachments(self, attachments: Attachments) -> Client<AttachmentsTransport<T>>;

    /// Returns the same client for users that pack its requests and unpack its responses
    /// themselves, with [`Attachments::pack`] and [`Attachments::unpack`].
    #[must_use]
    fn with_parts_of(self, attachments: &Attachments) -> Self;
}

impl<T> ClientAttachments<T> for Client<T> {
    fn with_attachments(self, attachments: Attachments) -> Client<AttachmentsTransport<T>> {
        let client = self.with_parts_of(&attachments);
        client.with_transport(|transport| AttachmentsTransport {
            transport,
            attachments,
        })
    }

    fn with_parts_of(self, attachments: &Attachments) -> Self {
        let mtom = attachments.mtom;
        let threshold = if mtom {
            attachments.threshold
        } else {
            usize::MAX
        };
        self.with_parts(Arc::new(move || Box::new(Parts::new(threshold, mtom))))
    }
}

/// A transport that packs requests and unpacks responses. [`ClientAttachments::with_attachments`]
/// adds it to a client.
#[derive(Clone)]
pub struct AttachmentsTransport<T> {
    transport: T,
    attachments: Attachments,
}

/// The accepted media types of answers.
const ACCEPTED: HeaderValue =
    HeaderValue::from_static("text/xml, application/soap+xml, multipart/related");

impl<T: Transport> Transport for AttachmentsTransport<T> {
    fn send(
        &self,
        mut request: Request<Bytes>,
    ) -> impl Future<Output = Result<Response<Bytes>, TransportError>> + MaybeSend {
        let packed = self.attachments.pack(&mut request);
        let sent = packed.map(|()| self.transport.send(request));
        let attachments = self.attachments.clone();
        async move {
            let mut response = sent?.await?;
            attachments.unpack(&mut response)?;
            Ok(response)
        }
    }

    fn timeout(&self) -> Option<Duration> {
        self.transport.timeout()
    }
}

impl Attachments {
    /// Packs the request of a client with its parts, and accepts answers with parts. A request
    /// without parts, or over another binding than SOAP, keeps its body.
    ///
    /// # Errors
    ///
    /// A file that is a part cannot be read.
    pub fn pack(&self, request: &mut Request<Bytes>) -> Result<(), TransportError> {
        let called = request.extensions().get::<CalledOperation>();
        if called.is_none_or(|called| called.binding().is_soap()) {
            request.headers_mut().entry(ACCEPT).or_insert(ACCEPTED);
        }
        if let Some(WrittenParts(parts)) = request.extensions_mut().remove() {
            let message = std::mem::take(request.body_mut());
            let packed = parts.pack(request.headers_mut(), message);
            *request.body_mut() = packed.into_bytes().map_err(|error| {
                let message = "a file that is part of the request cannot be read";
                TransportError::new(TransportErrorKind::Layer, message).with_source(error)
            })?;
        }
        Ok(())
    }

    /// Reduces a response with parts to its message, and adds the parts to its extensions, where
    /// the client finds them. Other responses stay unchanged.
    ///
    /// # Errors
    ///
    /// The response is malformed, or exceeds a limit.
    pub fn unpack(&self, response: &mut Response<Bytes>) -> Result<(), TransportError> {
        let content_type = header_text(response.headers().get(CONTENT_TYPE));
        if message_type(&content_type).is_none() {
            return Ok(());
        }
        if response.body().len() > self.most_bytes {
            return Err(TransportError::too_long(self.most_bytes));
        }
        let unpacked = self.unpacked(&content_type, response.body());
        let unpacked = unpacked.map_err(|why| {
            let message = format!("the answer cannot be read: {why}");
            TransportError::new(TransportErrorKind::Exchange, message)
        })?;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, unpacked.content_type);
        headers.remove(CONTENT_LENGTH);
        response.extensions_mut().extend(unpacked.extensions);
        *response.body_mut() = unpacked.message;
        Ok(())
    }
}

impl<T: fmt::Debug> fmt::Debug for AttachmentsTransport<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AttachmentsTransport")
            .field("transport", &self.transport)
            .field("attachments", &self.attachments)
            .finish()
    }
}
