//! The parts that handlers and callers add to their messages (SOAP with Attachments).

use std::error::Error;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use http::{Extensions, HeaderValue};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use svcgen_core::internals::printable;
use svcgen_core::types::LargeBytes;
use svcgen_core::{ClientCall, Context};

use crate::written::random;

/// A part to send with a message.
///
/// ```
/// use svcgen_attachments::OutgoingAttachment;
///
/// let scan = OutgoingAttachment::new("image/png", vec![1, 2, 3])?;
/// // The value of a `swaRef`.
/// assert!(scan.reference().starts_with("cid:"));
/// # Ok::<(), svcgen_attachments::AttachmentError>(())
/// ```
pub struct OutgoingAttachment {
    /// The `Content-ID`, without angle brackets.
    id: String,
    content_type: String,
    bytes: LargeBytes,
}

/// The characters that are escaped in the `Content-ID` of a part of the message in the WSDL.
const ESCAPED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

impl OutgoingAttachment {
    /// Creates a part with this media type and a new `Content-ID`. The bytes are a `Vec<u8>` or
    /// [`LargeBytes`]; a server reads bytes in a file while it sends them.
    ///
    /// # Errors
    ///
    /// The media type is blank, or not an ASCII header value.
    ///
    /// # Panics
    ///
    /// The system provides no random bytes.
    pub fn new(content_type: &str, bytes: impl Into<LargeBytes>) -> Result<Self, AttachmentError> {
        let is_header = HeaderValue::from_str(content_type).is_ok();
        if !is_header || !content_type.is_ascii() || content_type.trim().is_empty() {
            let content_type = printable(content_type);
            let why = format!("'{content_type}' is not the media type of an attachment.");
            return Err(AttachmentError(why));
        }
        Ok(Self {
            id: format!("{}@svcgen", random()),
            content_type: content_type.to_owned(),
            bytes: bytes.into(),
        })
    }

    /// Returns the same part as the named part of the message in the WSDL, which the binding
    /// declares as `mime:content` (WS-I Attachments Profile 1.0, R2933).
    #[must_use]
    pub fn for_part(mut self, name: &str) -> Self {
        self.id = format!("{}={}", utf8_percent_encode(name, &ESCAPED), self.id);
        self
    }

    /// Returns the URL of the part, `cid:ID`: the value of a `swaRef`.
    pub fn reference(&self) -> String {
        reference(&self.id)
    }

    /// Returns the media type.
    pub fn content_type(&self) -> &str {
        &self.content_type
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &LargeBytes {
        &self.bytes
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }
}

/// Returns the URL of the part with an id (RFC 2392).
fn reference(id: &str) -> String {
    const KEPT: AsciiSet = ESCAPED.remove(b'@');
    format!("cid:{}", utf8_percent_encode(id, &KEPT))
}

/// Omits the content, which may contain secrets.
impl fmt::Debug for OutgoingAttachment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutgoingAttachment")
            .field("id", &self.id)
            .field("content_type", &self.content_type)
            .field("len", &self.bytes.len())
            .finish_non_exhaustive()
    }
}

/// The parts that a handler adds to its answer. A fault is sent without them.
///
/// ```
/// use svcgen::{Context, Fault};
/// use svcgen_attachments::{OutgoingAttachment, OutgoingAttachments};
///
/// /// Sends a scan beside the answer, and returns the reference to it.
/// fn scan(context: &Context, bytes: Vec<u8>) -> Result<String, Fault> {
///     let scan = OutgoingAttachment::new("image/png", bytes)?;
///     let reference = scan.reference();
///     OutgoingAttachments::of(context)?.add(scan);
///     Ok(reference)
/// }
/// ```
///
/// In a unit test of a handler, they are an extension of the context:
///
/// ```
/// # use svcgen::{Context, Fault};
/// # use svcgen::codegen::model::{Module, Service, complex_type, operation};
/// # use svcgen_attachments::{OutgoingAttachment, OutgoingAttachments};
/// # static OPERATIONS: [svcgen::codegen::model::Operation<'static>; 1] = [operation("Scan", "urn:s/Scan", complex_type("Scan", &[]), "ScanResponse")];
/// # static MODULE: Module<'static> = Module::new(&[], &[]).with_service(Service::new("Scans", "urn:s", "/Scans.asmx", &OPERATIONS));
/// # fn scan(context: &Context) -> Result<(), Fault> {
/// #     Ok(OutgoingAttachments::of(context)?.add(OutgoingAttachment::new("image/png", vec![1])?))
/// # }
/// let attachments = OutgoingAttachments::new();
/// let context = Context::for_test(&MODULE, "Scan").with_extension(attachments.clone());
/// scan(&context)?;
/// assert_eq!(attachments.take()[0].content_type(), "image/png");
/// # Ok::<(), Fault>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct OutgoingAttachments(Arc<Mutex<Vec<OutgoingAttachment>>>);

impl OutgoingAttachments {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the parts of the answer to a call.
    ///
    /// # Errors
    ///
    /// The answer cannot have parts: the server was created without
    /// [`with_attachments`](crate::ServerAttachments::with_attachments), the call is not over SOAP,
    /// or the operation is one-way.
    pub fn of(context: &Context) -> Result<&Self, AttachmentError> {
        context.extensions().get().ok_or_else(|| {
            let (binding, operation) = (context.binding(), context.operation());
            let why = if !binding.is_soap() {
                format!("Answers over {binding} have no attachments.")
            } else if operation.one_way {
                format!("{} is one-way: nobody gets attachments.", operation.name)
            } else {
                "The server has no attachments: make it with `with_attachments`.".to_owned()
            };
            AttachmentError(why)
        })
    }

    /// Adds a part.
    pub fn add(&self, attachment: OutgoingAttachment) {
        self.with(|all| all.push(attachment));
    }

    /// Takes the added parts.
    pub fn take(&self) -> Vec<OutgoingAttachment> {
        self.with(std::mem::take)
    }

    /// Takes the parts that the handler of a call has added.
    pub(crate) fn added(extensions: &Extensions) -> Vec<OutgoingAttachment> {
        extensions.get().map(Self::take).unwrap_or_default()
    }

    fn with<T>(&self, change: impl FnOnce(&mut Vec<OutgoingAttachment>) -> T) -> T {
        // Nothing panics while it is locked.
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The reason why an attachment cannot be sent. In a handler, `?` converts it to a fault of the
/// server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttachmentError(String);

impl fmt::Display for AttachmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for AttachmentError {}

/// Adds attachments to a call of a client.
pub trait CallAttachments {
    /// Sends a part with the request. The call fails with
    /// [`CallError::Attachments`](svcgen_core::CallError::Attachments) if its client was created
    /// without [`with_attachments`](crate::ClientAttachments::with_attachments), or uses another
    /// binding than SOAP.
    #[must_use]
    fn with_attachment(self, attachment: OutgoingAttachment) -> Self;
}

impl<T, R> CallAttachments for ClientCall<'_, T, R> {
    fn with_attachment(self, attachment: OutgoingAttachment) -> Self {
        let OutgoingAttachment {
            id,
            content_type,
            bytes,
        } = attachment;
        self.with_attached(|parts| parts.attach(&id, &content_type, &bytes))
    }
}
