//! The documents of a service: WSDL, discovery, samples and pages, written from one [`Description`].
//!
//! A description is plain data that borrows everything, so that the rows of it ([`schema`]) stand in `const` tables of emitted code,
//! and the command makes them from a definition without compiling anything. No input or output happens here, and nothing can fail.
#![forbid(unsafe_code)]

mod description;
mod disco;
mod errors;
mod escape;
mod html;
mod markdown;
pub mod page;
mod prose;
pub mod reference;
mod rows;
pub mod samples;
pub mod schema;
mod simple;
pub mod types;
mod wsdl;
mod xml;

pub use description::{Binding, Bindings, Description, Header, Operation, TypeDefinition};
pub use disco::disco;
pub use simple::is_value;
pub use wsdl::{Shape, WsdlOptions, encoding_schema, forms_schema, wsdl};
