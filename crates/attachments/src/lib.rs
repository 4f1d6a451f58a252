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
//! there are long bytes. Faults are messages alone, which callers in MTOM read as well.
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
//! [`ReceivedAttachments`], an extension of the request that [`svcgen_core::Context::extensions`]
//! has. Answers and requests with such parts are not written.
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
mod package;
mod part_head;
mod received;
mod server;
mod written;

pub use client::{AttachmentsTransport, ClientAttachments};
pub use options::Attachments;
pub use received::{Attachment, ReceivedAttachments};
pub use server::ServerAttachments;

#[doc(hidden)]
pub mod internals {
    //! For tests of the reader.

    pub use crate::multipart::{Bounds, Multipart, Part};
    pub use crate::part_head::PartHead;
}
