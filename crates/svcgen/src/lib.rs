//! Serves and calls ASMX-style web services over SOAP 1.1, SOAP 1.2, HTTP GET, HTTP POST and JSON.
//!
//! # A server and a client
//!
#![cfg_attr(
    all(feature = "derive", feature = "serve", feature = "client"),
    doc = "```"
)]
#![cfg_attr(
    not(all(feature = "derive", feature = "serve", feature = "client")),
    doc = "```ignore"
)]
//! use svcgen::{Context, Fault};
//!
//! // service: Greeter
//! // operations: { Greet: { parameters: { name: "string?" }, result: Greeting } }
//! // types: { Greeting: { elements: { Text: "string?", Length: int } } }
//! #[derive(svcgen::Service)]
//! #[service(definition = "../../examples/service-defs/greeter.yaml")]
//! struct Greeter;
//! use greeter::{GreetRequest, GreeterClient, GreeterHandler, GreeterServer, Greeting};
//!
//! struct Polite;
//! impl GreeterHandler for Polite {
//!     async fn greet(&self, _: &Context, request: GreetRequest) -> Result<Greeting, Fault> {
//!         let name = request.name.ok_or_else(|| Fault::client("Who is to be greeted?"))?;
//!         let text = format!("Hello, {name}!");
//!         Ok(Greeting { length: text.len() as i32, text: Some(text) })
//!     }
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//!     let url = format!("http://{}", listener.local_addr()?);
//!     tokio::spawn(async { svcgen::serve(listener, GreeterServer::new(Polite)).await });
//!
//!     let client = GreeterClient::connect(&url)?.with_binding(svcgen::Binding::Soap12);
//!     let greeting = client.greet(&GreetRequest { name: Some("Ada".to_owned()) }).await?;
//!     assert_eq!(greeting.text.as_deref(), Some("Hello, Ada!"));
//!     Ok(())
//! }
//! ```
//!
//! An application uses this crate together with the code generated for its services:
//!
//! - [`include_service!`] or `#[derive(svcgen::Service)]` includes the generated code.
//! - Servers are a [`Server`] under a generated name, with [`ServerOptions`], [`Limits`] and [`Documents`]. [`Router`] combines several
//!   services; [`serve`](fn@serve), [`serve_per_core`] and [`stop_signal`] run them. Handlers use [`Context`], [`Fault`] and [`FaultCode`].
//! - Clients have methods that return a [`ClientCall`] and fail with a [`CallError`]. They send requests over [`HttpTransport`] or another
//!   [`Transport`]; [`codegen::Client`] has their settings, layers and retries.
//! - Both use [`Binding`] and [`Bindings`], and, in fields of structs, [`Secret`] and the types of [`types`].
//!
//! [`codegen`] is the runtime of generated code.
//!
//! Without features, the crate does no input or output: a server turns an [`http::Request`] into an [`http::Response`]
//! ([`Server::answer`]); a client writes requests ([`codegen::Client::request`]) and reads responses ([`codegen::Client::answer`]).
//!
//! # In production
//!
//! The book, `docs/SUMMARY.md` in the repository, has a complete program and a section for most of these topics:
//!
//! | for | see |
//! |---|---|
//! | code that runs around every call: authorisation by operation, time limits, extensions for handlers | [`layer`], [`Server::with_layer`] |
//! | headers, cookies and the status of responses; unit tests of handlers | [`Context::set_response_header`], [`Context::for_test`] |
//! | several services, an index page; other paths; axum routers | [`Router`]; [`ServerOptions::with_paths`]; the feature `axum` of `svcgen-core` |
//! | TLS and client certificates, HTTP/2, Unix sockets, health, shutdown, a runtime for each core | [`serve`](mod@serve) |
//! | spans and trace contexts, metrics, logs of messages with secrets masked | the crate `svcgen-observe` |
//! | https, proxies, credentials, redirects, time limits of clients | [`HttpTransport`], `svcgen_http::ReqwestTransport` |
//! | headers and a time limit for one call, the status and headers of its response | [`ClientCall`] |
//! | tower layers, retries and boxed transports for clients; clients without async; browsers | [`codegen::Client`], [`transport`]; [`Blocking`]; the feature `fetch` |
//! | answers that .NET clients refuse | [`Accept`], [`codegen::Client::with_accepted`] |
//! | `wsa:Action`, `wsa:MessageID` and so on | `svcgen_ws::ws_addressing` |
//! | logins by Basic, Negotiate, NTLM or a scheme of your own | [`authentication`], [`Server::with_authentication`] |
//! | logins by `wsse:UsernameToken`; the name of the user | `svcgen_ws::ws_security`; [`Context::user`] |
//! | errors of calls, and hints for them | [`CallError`] |
//! | a service that moves to Rust one operation at a time | [`fallback`], [`Server::with_fallback`] |
//! | mocks, recorded exchanges as tests | the crate `svcgen-testing` |
//!
//! # Testing
//!
//! Servers and routers are transports, so a client can call them in the same process, without a socket:
//! `GreeterClient::new(GreeterServer::new(Polite), "http://localhost")`.
//!
//! The crate `svcgen-testing` adds mocks, and replays recorded exchanges as tests.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `serve`, on by default | [`serve`](fn@serve): HTTP/1.1 on hyper and tokio; [`stop_signal`]: Ctrl-C and SIGTERM |
//! | `client`, on by default | [`HttpTransport`]: HTTP/1.1 on hyper and tokio; [`Blocking`]: clients in code that is not async |
//! | `documents`, on by default | [`Documents`]: WSDL, discovery documents and a help page at the service's path |
//! | `json` | calls over JSON; generated code of services with this binding needs it |
//! | `sessions` | [`Context::session`]: sessions of callers by cookie, and [`SessionStore`], which keeps their state (adds getrandom) |
//! | `tls` | TLS for [`serve`](fn@serve) and [`HttpTransport`] (adds rustls, rustls-native-certs and ring, which needs a C compiler) |
//! | `http2` | HTTP/2 for [`serve`](fn@serve) (adds h2) |
//! | `gzip` | [`ServerOptions::with_gzip`] and [`HttpTransport::with_gzip`]: bodies in gzip (adds flate2) |
//! | `proxy` | [`HttpTransport::with_proxy`] (adds ipnet, percent-encoding, tracing and futures-channel) |
//! | `fetch` | [`codegen::DefaultTransport`] on wasm32-unknown-unknown: `FetchTransport`, which uses the browser's fetch (adds wasm-bindgen, js-sys and web-sys there) |
//! | `derive` | `#[derive(svcgen::Service)]` (adds the generator) |
//! | `time` | dateTime, date and time as types of chrono (adds num-traits) |
//! | `time-zones` | names from the IANA database as `time_zone` of a service, by chrono-tz (adds phf) |
//! | `decimal` | decimal as the `Decimal` of rust_decimal, which has the same 96 bits and scale as .NET's (adds arrayvec and num-traits) |
//! | `guid` | guid as the `Uuid` of uuid |
//! | `data-sets` | dataSet and dataTable: [`types::DataSet`] and [`types::DataTable`] (adds `decimal`, `guid` and `time`, the types of columns) |
//! | `facets` | [`ServerOptions::with_facets`] and [`codegen::Client::with_facets`]: checks of facets (adds regex) |
//! | `serde` | `Serialize` and `Deserialize` for the types of this crate, and [`serde`] itself, for the option `serde` |
//!
//! # Additional crates
//!
//! Few services need these crates. Add a crate to `Cargo.toml` with the same version, and with the feature if the table names one.
//!
//! | crate | feature | what it adds |
//! |---|---|---|
//! | `svcgen-observe` | `tracing`, on by default | `svcgen_observe::trace`: spans of calls for `tracing`, and W3C trace contexts |
//! | | `metrics`, on by default | `svcgen_observe::metrics`: calls, their time and their bytes, for any exporter of the facade metrics |
//! | | | `svcgen_observe::message_log`: logs of messages with secrets masked |
//! | `svcgen-attachments` | | messages with attachments: MTOM, and parts of SOAP with Attachments |
//! | `svcgen-signatures` | | messages signed with X.509 certificates, of servers and clients |
//! | `svcgen-ws` | | `svcgen_ws::ws_security`: `UsernameToken` and `Timestamp`; `svcgen_ws::ws_addressing`: headers of WS-Addressing |
//! | `svcgen-testing` | | mocks of services, for the option `mocks`, and recorded exchanges as tests |
//! | `svcgen-http` | `cookies` | `svcgen_http::Cookies`: a transport that keeps the cookies of servers |
//! | | `reqwest` | `svcgen_http::ReqwestTransport`: calls through a reqwest client, without reqwest's default features |
//! | | `systemd` | [`serve::inherited_listeners`](mod@serve), and notifications to the service manager when a server is ready or stops |
//! | `svcgen-core` | `axum` | correct paths, addresses in documents and [`RemoteAddress`] under axum routers, which cut off the start of paths |
//! | | `openapi` | an OpenAPI document at `?openapi` (adds serde_json) |
//! | | `theme` | [`Documents`]`::with_theme`: colours of the help page (adds sha2) |
//! | `svcgen-macros` | `wsdl` | WSDLs instead of definitions in `#[derive(svcgen::Service)]` |
//! | `svcgen-wire` | `compact_str` | text in `CompactString`, for the option `extern_path` |
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod codegen;
pub mod types {
    //! Types of simple values that Rust does not have, and the errors of parsing them.

    #[cfg(feature = "data-sets")]
    pub use svcgen_data_sets::{
        Cell, CellValue, ColumnMapping, ColumnType, DataColumn, DataError, DataRelation, DataRow,
        DataSet, DataTable, DateTimeMode, RowState, UniqueKey,
    };
    pub use svcgen_wire::types::*;
}

#[cfg(feature = "documents")]
pub use svcgen_core::documents::{self, Documents};
pub use svcgen_core::{
    Answered, Binding, Bindings, CallError, CallErrorKind, ClientCall, Context, Fault, FaultCode,
    InvalidHeader, InvalidPath, PathConflict, PeerCertificates, RemoteAddress, Router, Server,
    ServerOptions, Transport, UnknownHeader, User, authentication,
    fallback::{self, Fallback},
    layer, mask, transport,
};
#[cfg(feature = "sessions")]
pub use svcgen_core::{MemorySessions, Session, SessionStore};
#[cfg(all(feature = "tls", any(feature = "client", feature = "serve")))]
pub use svcgen_http::tls;
#[cfg(feature = "client")]
pub use svcgen_http::{Blocking, HttpTransport, http_transport};
#[cfg(all(feature = "fetch", target_family = "wasm", target_os = "unknown"))]
pub use svcgen_http::{Credentials, FetchTransport};
#[cfg(feature = "serve")]
pub use svcgen_http::{serve, serve_per_core, stop_signal};
#[cfg(feature = "derive")]
pub use svcgen_macros::Service;
pub use svcgen_wire::{Accept, Limits, ReadError, ReadErrorKind, Secret, WriteError, secret};

// The crates whose types appear in signatures.
#[cfg(feature = "time")]
pub use chrono;
#[cfg(feature = "decimal")]
pub use rust_decimal;
#[cfg(feature = "serde")]
pub use serde;
#[cfg(feature = "guid")]
pub use uuid;
pub use {bytes, http};

/// Includes the module that `svcgen_codegen::build` wrote.
///
/// Name it by the service in snake case, or for a file of types by the name of the file.
///
/// ```text
/// svcgen::include_service!("authenticator");
/// use authenticator::AuthenticatorHandler;
/// ```
#[macro_export]
macro_rules! include_service {
    ($service:literal) => {
        // rust-analyzer expands no `env!` with a message.
        #[allow(unexpected_cfgs)]
        const _: () = {
            #[cfg(not(rust_analyzer))]
            let _ = env!(
                "OUT_DIR",
                "this crate has no build script that makes its services: write `fn main() { svcgen_codegen::build([\"PATH.yaml\"]); }` into build.rs, with svcgen-codegen under [build-dependencies]"
            );
        };
        include!(concat!(env!("OUT_DIR"), "/", $service, ".mod.rs"));
    };
}
