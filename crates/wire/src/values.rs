//! Values, and their representation in XML and in the fields of a form.

pub(crate) mod base64;
pub(crate) mod binary_parts;
mod checks;
mod child_loops;
mod children;
mod content;
mod dictionary;
mod element;
mod encoded;
mod enumeration;
mod facets;
pub(crate) mod field_text;
pub(crate) mod flags;
mod form_fields;
mod in_notation;
mod in_place;
mod large_bytes;
mod levels;
mod list;
mod markup;
pub(crate) mod name_text;
mod named_zone;
mod nodes;
pub(crate) mod notation;
mod object;
mod reader;
pub(crate) mod simple;
mod soap_header;
mod texts;
mod time_zone;
mod value;
mod xml_attributes;

pub use binary_parts::{BinaryParts, BinaryPartsWriter};
#[cfg(feature = "facets")]
pub use checks::FacetRules;
pub use checks::{Checks, Facets, MessagePart};
pub use content::Content;
pub use element::{Element, FormFields};
pub use encoded::{Scheme, Side, close_literal, encode, encode_headers, open_literal};
pub use enumeration::index_of;
pub use enumeration::{Enumeration, OpenEnumeration};
pub use flags::Flags;
pub use form_fields::refuse_unknown_fields;
pub use in_place::{CloneInPlace, clone_apart, clone_value, cloned_in_place, new_in_place};
pub use levels::{Levels, is_row, no_rows};
pub use list::{List, ListValue};
pub use object::{ObjectKind, ObjectTypes};
pub use reader::Reader;
pub use texts::Texts;
pub use time_zone::TimeZone;
pub use value::{AbsenceRules, Complex, Fields, Optional, Value, value_of};

/// The types of values besides Rust's own, and the errors of parsing them.
pub mod types {
    pub use super::dictionary::Dictionary;
    pub use super::enumeration::UnknownName;
    pub use super::large_bytes::LargeBytes;
    pub use super::object::{NoTypes, Object};
    pub use super::simple::types::*;
    pub use super::soap_header::SoapHeader;
    pub use super::xml_attributes::XmlAttributes;
}
