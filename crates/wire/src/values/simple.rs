//! The lexical forms of simple types: in XML those of XML Schema as .NET reads and writes them, in
//! a form those of .NET.
//!
//! Each type is a row of the model and an `impl` of [`Simple`](text_value::Simple) for its Rust
//! type.

mod bytes;
mod char_code;
mod duration;
mod element_builder;
mod fragment;
mod hex_binary;
mod integer;
mod invariant;
mod lexical;
pub(crate) mod mismatch;
pub(crate) mod number;
mod primitives;
pub(crate) mod qname;
mod text;
pub(crate) mod text_value;

#[cfg(feature = "time")]
pub(crate) mod calendar;
#[cfg(feature = "time")]
mod date_time;
#[cfg(feature = "decimal")]
mod decimal;
#[cfg(feature = "guid")]
mod guid;

/// The types of simple values besides Rust's own, and the errors of parsing them.
pub mod types {
    #[cfg(feature = "time")]
    pub use super::calendar::Zone;
    #[cfg(feature = "time")]
    pub use super::date_time::{Date, DateTime, Time};
    pub use super::duration::Duration;
    pub use super::element_builder::ElementBuilder;
    pub use super::fragment::XmlFragment;
    pub use super::hex_binary::HexBinary;
    pub use super::integer::Integer;
    pub use super::qname::QName;
    pub use super::text_value::LexicalError;
    /// XML Schema decimal, .NET `Decimal`.
    #[cfg(feature = "decimal")]
    pub use rust_decimal::Decimal;
    /// .NET `Guid`.
    #[cfg(feature = "guid")]
    pub use uuid::Uuid as Guid;
}
