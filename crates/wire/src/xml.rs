//! XML 1.0 (fifth edition) with namespaces: a strict tokenizer, and the building blocks of writers.

pub(crate) mod append;
pub(crate) mod characters;
pub(crate) mod error;
pub(crate) mod escape;
pub(crate) mod fast_path;
mod message_start;
pub(crate) mod names;
pub(crate) mod namespaces;
mod prolog;
pub(crate) mod room;
mod scan;
pub(crate) mod scopes;
mod tags;
mod text;
pub(crate) mod tokens;

pub use error::{ReadError, ReadErrorKind, WriteError};
pub use namespaces::ENVELOPES;
pub use prolog::declared_encoding;
pub use scopes::{Parts, Rows, Scopes};
