//! Reads WSDL 1.1 and XML Schema: documents with what they import, resolved into components. Made for `svcgen-import`; it changes with each version.
//!
//! | stage | file | what it does |
//! |---|---|---|
//! | load | `sources.rs` | addresses → texts, with all that documents import and include; nothing but the loader reads files or the network |
//! | read | `schema.rs`, `wsdl.rs` | documents → components of schemas, services; what is not there or no WSDL is reported |
#![forbid(unsafe_code)]

pub mod file_names;
pub mod load;
mod names;
pub mod report;
pub mod rules;
pub mod schema;
pub mod sources;
pub mod wsdl;
mod xml;

pub(crate) const WSDL: &str = "http://schemas.xmlsoap.org/wsdl/";
