//! Reads and writes JSON like the script services of ASP.NET: texts to values and back, driven by
//! the rows of a service, without HTTP.
//!
//! Applications use [`svcgen`](https://github.com/svcgen/svcgen), whose feature `json` brings this
//! crate.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod convert;
mod decode;
mod document;
mod error;
mod members;
mod parameters;
mod parse;
#[cfg(test)]
mod reading;
mod rows;
mod simple;
mod text;
mod types;
mod values;
mod writer;
mod xml_result;

/// The maximum depth of values that .NET reads and writes, including the innermost one: its
/// `recursionLimit`.
pub const MOST_DEPTH: usize = 100;

#[doc(hidden)]
pub mod internals {
    //! The parts for the binding of `svcgen-core`. They change with each version, and nothing else
    //! uses them.

    pub use crate::MOST_DEPTH;
    pub use crate::decode::{decode, is_longer};
    pub use crate::document::Document;
    pub use crate::error::{NULL_REFERENCE, exception_type, too_long};
    pub use crate::parameters::Parameters;
    pub use crate::text::unescaped;
    pub use crate::values::Values;
    pub use crate::writer::{write_parameters, write_result};
    pub use crate::xml_result::write_xml;
}
