//! Servers that read and answer messages with attachments.

use std::sync::Arc;

use http::header::ACCEPT;
use http::{Extensions, request};
use svcgen_core::internals::{
    MediaType, Pack as _, Packaging, Unpack, UnpackError, Unpacked, WriteParts, header_text,
};
use svcgen_core::{Endpoint, Server};

use crate::multipart::Bounds;
use crate::options::Attachments;
use crate::outgoing::OutgoingAttachments;
use crate::package::{MULTIPART, Package, message_type};
use crate::received::ReceivedAttachments;
use crate::written::Parts;

/// Adds attachments to a [`Server`] or an [`Endpoint`].
pub trait ServerAttachments {
    /// Returns the same service, which reads messages with attachments and answers in MTOM to
    /// callers that use it: see the [crate].
    #[must_use]
    fn with_attachments(self, attachments: Attachments) -> Self;
}

impl ServerAttachments for Endpoint {
    fn with_attachments(self, attachments: Attachments) -> Self {
        let options = self.options().clone();
        self.with_options(options.with_packaging(Arc::new(attachments)))
    }
}

impl<S, H> ServerAttachments for Server<S, H> {
    fn with_attachments(self, attachments: Attachments) -> Self {
        self.change_endpoint(|endpoint| endpoint.with_attachments(attachments))
    }
}

impl Packaging for Attachments {
    fn message_type(&self, content_type: &str) -> Option<String> {
        message_type(content_type)
    }

    fn most_bytes(&self) -> usize {
        self.most_bytes
    }

    fn has_policy(&self) -> bool {
        self.policy
    }

    fn unpack(&self, content_type: &str, message: usize) -> Box<dyn Unpack> {
        let bounds = Bounds {
            root: message,
            ..self.bounds.clone()
        };
        Box::new(Package::new(content_type, bounds, self.disk.clone()))
    }

    fn begin(&self, extensions: &mut Extensions) {
        extensions.insert(OutgoingAttachments::new());
    }

    fn write(&self, request: &request::Parts) -> Option<Box<dyn WriteParts>> {
        let received = ReceivedAttachments::of(&request.extensions);
        let reads_mtom = match received {
            Some(received) => received.are_of_mtom(),
            None => accepts_mtom(request),
        };
        let attached = OutgoingAttachments::added(&request.extensions);
        if !reads_mtom && attached.is_empty() {
            return None;
        }
        let threshold = if reads_mtom {
            self.threshold
        } else {
            usize::MAX
        };
        let mut parts = Parts::new(threshold, reads_mtom && received.is_some());
        for one in attached {
            parts.attach(one.id(), one.content_type(), one.bytes());
        }
        Some(Box::new(parts))
    }
}

impl Attachments {
    /// Unpacks a whole package. The reader of the message limits its length.
    pub(crate) fn unpacked(
        &self,
        content_type: &str,
        body: &[u8],
    ) -> Result<Unpacked, UnpackError> {
        let mut package = Packaging::unpack(self, content_type, usize::MAX);
        package.push(body)?;
        package.finish()
    }
}

/// Whether a caller accepts MTOM. A caller that accepts DIME, such as Axis 1, is older than MTOM:
/// its `multipart/related` is SOAP with Attachments.
fn accepts_mtom(request: &request::Parts) -> bool {
    accepts(request, MULTIPART) && !accepts(request, "application/dime")
}

/// Whether a caller accepts a media type.
fn accepts(request: &request::Parts, media_type: &str) -> bool {
    let mut accepted = request.headers.get_all(ACCEPT).iter();
    accepted.any(|accepted| {
        let accepted = header_text(Some(accepted));
        let mut ranges = accepted.split(',').map(MediaType::read);
        ranges.any(|range| {
            let is_refused = range.parameter("q").is_some_and(|weight| {
                weight
                    .trim()
                    .parse::<f32>()
                    .is_ok_and(|weight| weight == 0.0)
            });
            range.is(media_type) && !is_refused
        })
    })
}
