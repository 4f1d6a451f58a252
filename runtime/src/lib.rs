//! What the code that svcgen emits stands on: the four ASMX bindings (SOAP 1.1, SOAP 1.2, HTTP GET and HTTP POST forms), both sides.
//!
//! An application meets [`Server`] and [`Router`] under the names that emitted code gives them, [`serve`](fn@serve) to run them,
//! [`Fault`] and [`Context`] in its handlers, and [`HttpTransport`] and [`CallError`] where it calls. The rest is for emitted code,
//! which uses nothing that a person could not write by hand.
//!
//! Without its features the crate does no input or output: a server turns an [`http::Request`] into an [`http::Response`]
//! ([`Server::answer`]), a client the other way round ([`Client::request`], [`Client::read`]).
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `serve`, on by default | [`serve`](fn@serve): HTTP/1.1 on hyper and tokio |
//! | `client`, on by default | [`HttpTransport`] on the same |
//! | `documents`, on by default | [`Documents`]: WSDL, discovery documents and a help page at the service's path |
//! | `derive`, on by default | `#[derive(svcgen::Service)]` |
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
mod described;
#[cfg(feature = "documents")]
mod documents;
mod endpoint;
mod failure;
mod fault;
pub mod fits;
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
pub use call::{Call, Context, RemoteAddress, Reply};
pub use call_error::CallError;
pub use client::Client;
pub use described::{Model, ModelSource};
#[cfg(feature = "documents")]
pub use documents::{Documents, InvalidUrl, InvokeForm};
pub use endpoint::{Dispatch, Dispatched, Endpoint, ResponseFuture};
pub use failure::Failure;
pub use fault::{Fault, FaultCode, FaultDetail};
#[cfg(feature = "client")]
pub use http_transport::HttpTransport;
pub use limits::Limits;
pub use router::Router;
pub use secret::Secret;
#[cfg(feature = "serde")]
pub use serde_values::{Exposed, expose};
#[cfg(feature = "serve")]
pub use serve::{RequestBody, Serve, serve, stop_signal};
pub use server::{Server, Service};
pub use server_options::ServerOptions;
#[cfg(feature = "documents")]
pub use svcgen_documents::Shape;
#[cfg(feature = "derive")]
pub use svcgen_macros::Service;
/// The model of a service: what emitted code states of it.
pub use svcgen_model as model;
pub use transport::{Transport, TransportError, TransportErrorKind, TransportFn, transport_fn};
pub use values::types::*;
pub use values::{
    Complex, Content, Element, Enumeration, FormFields, List, ListValue, OpenEnumeration, Reader,
    Value,
};
pub use xml::{ReadError, ReadErrorKind, WriteError, declared_encoding};

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

/// Emitted code names this constant, so that it compiles only with a runtime that it was emitted for.
pub const GENERATED_CODE_V1: () = ();

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
        include!(concat!(
            env!(
                "OUT_DIR",
                "this crate has no build script that makes its services: write `fn main() { svcgen_codegen::build([\"PATH.yaml\"]); }` into build.rs, with svcgen-codegen under [build-dependencies]"
            ),
            "/",
            $service,
            ".mod.rs"
        ));
    };
}
