//! Serving and calling ASMX-style web services: the four bindings (SOAP 1.1, SOAP 1.2, HTTP GET and HTTP POST forms), both sides.
//!
//! An application uses this crate beside the code that is emitted for its services:
//!
//! - [`Server`], under the name that emitted code gives it, with [`ServerOptions`], [`Limits`] and [`Documents`]; [`Router`] for several
//!   of them, [`serve`](fn@serve) and [`stop_signal`] to run them; [`Context`], [`Fault`] and [`FaultCode`] in its handlers;
//! - [`HttpTransport`] or a [`Transport`] of its own for the emitted client, with [`CallError`] and [`TransportError`];
//! - [`Binding`] and [`Bindings`] on both sides, and in the fields of emitted structs [`Secret`] and the types of [`types`];
//! - [`include_service!`] or `#[derive(svcgen::Service)]`, which bring that code in.
//!
//! Other names of the root are what methods of these take and return. All that emitted code alone uses stands in [`codegen`].
//!
//! Without its features the crate does no input or output: a server turns an [`http::Request`] into an [`http::Response`]
//! ([`Server::answer`]), a client the other way round ([`codegen::Client::request`], [`codegen::Client::read`]).
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `serve`, on by default | [`serve`](fn@serve): HTTP/1.1 on hyper and tokio |
//! | `client`, on by default | [`HttpTransport`] on the same |
//! | `documents`, on by default | [`Documents`]: WSDL, discovery documents and a help page at the service's path |
//! | `derive` | `#[derive(svcgen::Service)]`, which brings the generator into the build |
//! | `time` | dateTime, date and time, on chrono, whose calendar and types nearly all crates share (it brings num-traits) |
//! | `decimal` | decimal, on rust_decimal, which has the 96 bits and the scale of .NET's `Decimal` (it brings arrayvec and num-traits) |
//! | `guid` | guid, on uuid, which brings nothing |
//! | `compact_str` | text in [`compact_str::CompactString`], for the option `extern_path` |
//! | `serde` | `Serialize` and `Deserialize` for the values of the crate, and [`serde`] itself, for the option `serde` |
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod binding;
mod body;
mod call;
mod call_error;
mod client;
pub mod codegen;
mod described;
#[cfg(feature = "documents")]
mod documents;
mod endpoint;
mod failure;
mod fault;
mod form;
#[cfg(feature = "client")]
mod http_transport;
mod limits;
mod response;
mod router;
mod routing;
mod secret;
#[cfg(feature = "serde")]
mod serde_values;
#[cfg(feature = "serve")]
mod serve;
mod server;
mod server_options;
mod transport;
mod values;
mod xml;

pub use binding::{Binding, Bindings};
pub use call::{Context, RemoteAddress};
pub use call_error::CallError;
#[cfg(feature = "documents")]
pub use documents::{Documents, InvalidUrl, InvokeForm};
pub use fault::{Fault, FaultCode};
#[cfg(feature = "client")]
pub use http_transport::HttpTransport;
pub use limits::Limits;
pub use router::Router;
pub use secret::Secret;
#[cfg(feature = "serde")]
pub use serde_values::{Exposed, expose};
#[cfg(feature = "serve")]
pub use serve::{RequestBody, Serve, serve, stop_signal};
pub use server::Server;
pub use server_options::ServerOptions;
#[cfg(feature = "documents")]
pub use svcgen_documents::Shape;
#[cfg(feature = "derive")]
pub use svcgen_macros::Service;
pub use transport::{Transport, TransportError, TransportErrorKind, TransportFn, transport_fn};
pub use values::types;
pub use xml::{ReadError, ReadErrorKind, WriteError};

// The crates whose types stand in signatures.
#[cfg(feature = "time")]
pub use chrono;
#[cfg(feature = "compact_str")]
pub use compact_str;
#[cfg(feature = "decimal")]
pub use rust_decimal;
#[cfg(feature = "serde")]
pub use serde;
#[cfg(feature = "guid")]
pub use uuid;
pub use {bytes, http};

/// Includes the module that `svcgen_codegen::build` wrote for a service, by the service's name in snake case; or the one for a file of
/// types, by the file's.
///
/// ```text
/// svcgen::include_service!("authenticator");
/// use authenticator::AuthenticatorHandler;
/// ```
#[macro_export]
macro_rules! include_service {
    ($service:literal) => {
        // On its own, since editors resolve `include!` only of a variable without a message.
        const _: &str = env!(
            "OUT_DIR",
            "this crate has no build script that makes its services: write `fn main() { svcgen_codegen::build([\"PATH.yaml\"]); }` into build.rs, with svcgen-codegen under [build-dependencies]"
        );
        include!(concat!(env!("OUT_DIR"), "/", $service, ".mod.rs"));
    };
}
