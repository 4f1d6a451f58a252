//! Reads WSDL 1.1 and XML Schema documents with everything that they import, and resolves them into
//! components. It serves `svcgen-import`, `svcgen-replay` and `svcgen-prove`, and changes with each
//! version.
//!
//! | stage | file | what it does |
//! |---|---|---|
//! | load | `sources.rs` | loads documents, and everything that they import and include; only the loader reads files and the network |
//! | read | `schema.rs`, `wsdl.rs` | turns documents into components of schemas and services, and reports missing and wrong documents |
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
