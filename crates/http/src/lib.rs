//! HTTP for svcgen: a server and a client transport on hyper, TLS, cookies, blocking clients, and
//! transports on reqwest and in browsers.
//!
//! Applications use [`svcgen`](https://github.com/svcgen/svcgen), which re-exports most public
//! items of this crate under the same names.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "client")]
mod blocking;
#[cfg(feature = "cookies")]
mod cookies;
mod default_transport;
#[cfg(all(feature = "fetch", target_family = "wasm", target_os = "unknown"))]
mod fetch_transport;
#[cfg(feature = "client")]
pub mod http_transport;
#[cfg(feature = "reqwest")]
mod reqwest_transport;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(all(feature = "tls", any(feature = "client", feature = "serve")))]
pub mod tls;

#[cfg(feature = "cookies")]
pub use cookies::Cookies;
pub use default_transport::DefaultTransport;
#[cfg(all(feature = "fetch", target_family = "wasm", target_os = "unknown"))]
pub use fetch_transport::{Credentials, FetchTransport};
/// The crate of the client for [`ReqwestTransport`].
#[cfg(feature = "reqwest")]
pub use reqwest;
#[cfg(feature = "reqwest")]
pub use reqwest_transport::ReqwestTransport;
#[cfg(feature = "serve")]
pub use serve::{serve, serve_per_core, stop_signal};
#[cfg(feature = "client")]
pub use {blocking::Blocking, http_transport::HttpTransport};
