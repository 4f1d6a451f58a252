//! Attachments for servers and clients of `svcgen`: messages in `multipart/related`, as in MTOM and
//! SOAP with Attachments.
//!
//! ```
//! use svcgen_attachments::{Attachments, ServerAttachments};
//!
//! # fn example<S, H>(server: svcgen::Server<S, H>) -> svcgen::Server<S, H> {
//! server.with_attachments(Attachments::new())
//! # }
//! ```
//!
//! Handlers and callers see no difference: a value of `base64Binary` is a `Vec<u8>`, whether it
//! arrived in base64 or as a part that an `xop:Include` refers to.
//!
//! # What a server does
//!
//! It reads requests over SOAP 1.1 and 1.2 in `multipart/related` whose root is
//! `application/xop+xml` (MTOM), `text/xml` or `application/soap+xml` (SOAP with Attachments).
//! Other requests are read as before. Layers and logs see only the message, without its parts.
//!
//! It answers in MTOM if the request was in MTOM, or if the caller accepts `multipart/related` and
//! the answer contains long bytes. It does not answer in MTOM if the request had parts but was not
//! in MTOM, or if the caller accepts DIME, as Axis 1 does. Faults are sent without parts; callers
//! that use MTOM read them as well.
//!
//! With [`PartsOnDisk`], it keeps long parts in files, for values of type
//! [`LargeBytes`](svcgen_core::types::LargeBytes), and reads files while it sends them. A client
//! keeps its messages in memory.
//!
//! # What a client does
//!
//! It accepts answers in MTOM and reads them. It sends requests in MTOM if
//! [`Attachments::with_mtom`] enables it.
//!
//! ```
//! use svcgen_attachments::{Attachments, ClientAttachments};
//!
//! # fn example<T: svcgen::Transport>(client: svcgen::codegen::Client<T>) -> svcgen::codegen::Client<impl svcgen::Transport> {
//! client.with_attachments(Attachments::new().with_mtom(true))
//! # }
//! ```
//!
//! Add attachments before headers and layers that change the message. The layer added last runs
//! first, so layers added before the attachments see a packed message.
//!
//! # SOAP with Attachments
//!
//! Parts that no `xop:Include` refers to, such as the part of a `swaRef`, are
//! [`ReceivedAttachments`]. Handlers find them in the extensions of the request
//! ([`svcgen_core::Context::extensions`]), callers in the extensions of the answer
//! ([`svcgen_core::Answered::extensions`]).
//!
//! A handler adds parts to its answer with [`OutgoingAttachments`], and a caller adds parts to its
//! request with [`CallAttachments::with_attachment`]. A message in MTOM shares one package with
//! them. Adding parts to a message that cannot carry them, for example over another binding than
//! SOAP, is an error.
//!
//! ```
//! # use svcgen_attachments::{CallAttachments, OutgoingAttachment, ReceivedAttachments};
//! # async fn example<T: svcgen::Transport>(call: svcgen::ClientCall<'_, T, bool>) -> Result<(), Box<dyn std::error::Error>> {
//! let scan = OutgoingAttachment::new("image/png", std::fs::read("scan.png")?)?;
//! let answered = call.with_attachment(scan).answered().await;
//! if let Some(received) = ReceivedAttachments::of(&answered.extensions) {
//!     println!("{} parts came back", received.iter().count());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Layers and WS-Security do not see the parts. A signature cannot cover them: `svcgen-signatures`
//! refuses an `xop:Include` in a signed part.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod client;
mod encoding;
mod inline;
mod multipart;
mod options;
mod outgoing;
mod package;
mod part_bytes;
mod part_head;
mod received;
mod server;
mod written;

pub use client::{AttachmentsTransport, ClientAttachments};
pub use options::Attachments;
pub use outgoing::{AttachmentError, CallAttachments, OutgoingAttachment, OutgoingAttachments};
pub use part_bytes::PartsOnDisk;
pub use received::{Attachment, ReceivedAttachments};
pub use server::ServerAttachments;

#[doc(hidden)]
pub mod internals {
    //! Items for tests of the reader.

    pub use crate::multipart::{Bounds, Multipart, Part};
    pub use crate::part_head::PartHead;
}
