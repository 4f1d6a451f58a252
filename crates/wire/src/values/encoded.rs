//! SOAP encoding (SOAP 1.1 §5, SOAP 1.2 part 2 §3): values as graphs of typed, referenced objects.
//!
//! Values are trees, and the code for them reads and writes literal XML. An encoded message is
//! translated from and to literal XML by the rows of its operation, so operations without the
//! encoding are not affected.

mod headers;
mod read;
mod scheme;
mod targets;
mod write;

pub use headers::encode_headers;
pub(crate) use read::Decoded;
pub use scheme::{Scheme, Side};
pub use write::{close_literal, encode, open_literal};
