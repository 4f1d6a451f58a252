//! What documents say of the binding JSON.

mod documents;
#[cfg(feature = "openapi")]
mod openapi;
mod proxies;
mod services;
