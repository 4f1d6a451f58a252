//! Writes the documents of a service from its model: WSDL, discovery, samples, pages and OpenAPI.
//!
//! The crate does no input or output, and none of its functions can fail.
#![forbid(unsafe_code)]

mod binding;
#[cfg(feature = "openapi")]
mod calls;
mod colour;
mod disco;
mod escape;
mod frame;
mod html;
mod markdown;
mod markup;
mod message_names;
#[cfg(feature = "openapi")]
mod openapi;
pub mod page;
mod prose;
mod proxies;
pub mod reference;
mod rows;
pub mod samples;
mod shape;
mod template;
mod wsdl;
mod xml;

pub use disco::disco;
#[cfg(feature = "openapi")]
pub use openapi::openapi;
pub use proxies::Proxy;
pub use shape::Shape;
pub use wsdl::{WsdlOptions, schema_of_set, wsdl};
