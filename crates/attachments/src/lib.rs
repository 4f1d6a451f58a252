//! Attachments for servers and clients of `svcgen`: messages in `multipart/related`, as MTOM and
//! SOAP with Attachments have them.
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
//! came in base64 or as a part that an `xop:Include` names.
//!
//! # What a server does
//!
//! It reads requests over SOAP 1.1 and 1.2 in `multipart/related` whose root is
//! `application/xop+xml` (MTOM), `text/xml` or `application/soap+xml` (SOAP with Attachments).
//! Other requests are read as before. Layers and logs see the message alone, without its parts.
//!
//! It answers in MTOM if the request was in MTOM, or if the caller accepts `multipart/related` and
//! there are long bytes. A request with parts that is not in MTOM, and a caller that accepts DIME,
//! as Axis 1 does, get no MTOM. Faults are messages alone, which callers in MTOM read as well.
//!
//! With [`PartsOnDisk`] it keeps long parts in files, for values of
//! [`LargeBytes`](svcgen_core::types::LargeBytes), and reads files while it sends them. A client
//! holds its messages in memory.
//!
//! # What a client does
//!
//! It accepts answers in MTOM and reads them. It sends requests in MTOM if
//! [`Attachments::with_mtom`] says so.
//!
//! ```
//! use svcgen_attachments::{Attachments, ClientAttachments};
//!
//! # fn example<T: svcgen::Transport>(client: svcgen::codegen::Client<T>) -> svcgen::codegen::Client<impl svcgen::Transport> {
//! client.with_attachments(Attachments::new().with_mtom(true))
//! # }
//! ```
//!
//! Add it before headers and layers that change the message. The one added last runs first, and
//! beneath this one the message is already packed.
//!
//! # SOAP with Attachments
//!
//! Parts that no `xop:Include` names, such as those that a `swaRef` refers to, are
//! [`ReceivedAttachments`]: for handlers an extension of the request, which
//! [`svcgen_core::Context::extensions`] has, for callers one of the answer, in
//! [`svcgen_core::Answered::extensions`].
//!
//! A handler adds parts to its answer by [`OutgoingAttachments`], and a caller to its request by
//! [`CallAttachments::with_attachment`]. A message in MTOM stands in one package with them. What
//! cannot carry parts, such as another binding than SOAP, is an error.
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
    //! For tests of the reader.

    pub use crate::multipart::{Bounds, Multipart, Part};
    pub use crate::part_head::PartHead;
}
