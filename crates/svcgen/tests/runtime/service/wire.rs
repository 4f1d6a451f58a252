//! A service written by hand, end to end: bytes in, bytes out, no network.

mod calls;
mod client;
mod forms;
#[cfg(all(feature = "serve", feature = "client"))]
mod network;
mod service;
mod soap;
