//! A service written by hand, end to end: bytes in, bytes out, no network.

#[path = "wire/calls.rs"]
mod calls;
#[path = "wire/client.rs"]
mod client;
#[path = "wire/forms.rs"]
mod forms;
#[cfg(all(feature = "serve", feature = "client"))]
#[path = "wire/network.rs"]
mod network;
#[path = "wire/service.rs"]
mod service;
#[path = "wire/soap.rs"]
mod soap;
