//! SOAP encoding (SOAP 1.1 §5, SOAP 1.2 part 2 §3): values as graphs of typed, referenced objects.
//!
//! Values are trees, and code for them reads and writes literal XML. An encoded message is
//! translated from and to that, by the rows of its operation: what does not use the encoding has no
//! part in it.

mod headers;
mod read;
mod scheme;
mod targets;
mod write;

pub use headers::encode_headers;
pub(crate) use read::Decoded;
pub use scheme::{Scheme, Side};
pub use write::{close_literal, encode, open_literal};
