//! The binding JSON in documents.

mod documents;
#[cfg(feature = "openapi")]
mod openapi;
mod proxies;
mod services;
