//! The bindings: servers and clients of ASMX-style web services as functions from HTTP requests to
//! HTTP responses.
//!
//! Nothing here uses the network, or files other than those of values. Applications use
//! [`svcgen`](https://github.com/svcgen/svcgen), which re-exports the public items of this crate
//! under the same names.
#![forbid(unsafe_code)]
#![cfg_attr(
    all(target_family = "wasm", target_os = "unknown"),
    allow(clippy::arc_with_non_send_sync, reason = "a page has one thread")
)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod added_header;
pub mod authentication;
mod binding;
mod body;
mod buffers;
mod call;
mod call_error;
mod callers;
mod client;
mod connection_grants;
mod context_for_test;
mod deadline;
mod described;
#[cfg(feature = "documents")]
pub mod documents;
mod endpoint;
mod failure;
pub mod fallback;
mod fault;
mod gzip;
mod heads;
mod host;
mod in_process;
pub mod layer;
pub mod mask;
mod maybe_send;
mod media_type;
mod not_implemented;
mod outcome;
mod outgoing_body;
mod packaging;
mod paths;
mod peer;
mod quota;
mod response;
mod response_head;
mod router;
mod routing;
mod server;
mod server_options;
#[cfg(feature = "sessions")]
mod session;
#[cfg(feature = "sessions")]
mod session_store;
mod tower_service;
pub mod transport;
mod transport_error;
mod unknown_header;

#[cfg(feature = "json")]
pub use binding::spoken::JSON;
pub use binding::spoken::{
    HTTP_GET, HTTP_POST, SOAP_11, SOAP_11_ENCODED, SOAP_12, SOAP_12_ENCODED, ServiceModule,
    SpokenProtocol,
};
pub use binding::{Binding, Bindings};
pub use call::{Call, Context, Reply};
pub use call_error::{CallError, CallErrorKind};
pub use client::{Answer, Answered, Client, ClientCall, FaultHeaders};
pub use described::{Model, ModelSource};
#[cfg(feature = "documents")]
pub use documents::Documents;
pub use endpoint::{Dispatch, Dispatched, Endpoint};
pub use failure::Failure;
pub use fallback::Fallback;
pub use fault::{DetailElement, Fault, FaultCode, FaultDetail};
pub use not_implemented::{NotImplemented, argument, is_written};
pub use outgoing_body::OutgoingBody;
pub use paths::{InvalidPath, below_path};
pub use peer::{PeerCertificates, RemoteAddress, User};
pub use response_head::InvalidHeader;
pub use router::{PathConflict, Router};
pub use server::{DispatchTo, Server};
pub use server_options::ServerOptions;
#[cfg(feature = "sessions")]
pub use session::Session;
#[cfg(feature = "sessions")]
pub use session_store::{MemorySessions, SessionStore};
pub use svcgen_wire::{Limits, ReadError, ReadErrorKind, Secret, WriteError, secret, types};
pub use tower_service::ResponseFuture;
pub use transport::Transport;
pub use unknown_header::UnknownHeader;

#[doc(hidden)]
pub mod internals {
    //! Internal items for the other crates of svcgen, which change with each version.

    pub use crate::authentication::OnlyHttp1;
    pub use crate::binding::received::before_document;
    pub use crate::binding::soap::is_for_us;
    pub use crate::body::{BodyError, collect};
    pub use crate::connection_grants::{ConnectionGrants, Detach};
    pub use crate::gzip::{forget, inflated};
    pub use crate::host::{Host, names_one_of};
    pub use crate::layer::report::{FailureTexts, described, mask_of};
    pub use crate::layer::{Surroundings, Within};
    pub use crate::media_type::{MediaType, header_text, is_gzip, message_text};
    pub use crate::packaging::{
        NewParts, Pack, Packaging, ReceivedParts, Unpack, UnpackError, Unpacked, WriteParts,
        WrittenParts,
    };
    pub use crate::peer::Encrypted;
    pub use crate::quota::Quota;
    pub use crate::response::{accepted, close_connection, not_allowed, refused};
    pub use crate::transport::within;
    pub use svcgen_wire::internals::{chain, printable};
}
