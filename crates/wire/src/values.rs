//! Values: what they are, and how they stand in XML and in the fields of a form.

pub(crate) mod base64;
mod checked;
mod child_loops;
mod children;
mod content;
#[cfg(feature = "data-sets")]
mod data_set;
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
mod levels;
mod list;
mod markup;
mod name_text;
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

pub use content::Content;
#[cfg(feature = "data-sets")]
pub use data_set::EmptySet;
pub use element::{Element, FormFields};
pub use encoded::{Scheme, Side, close_literal, encode, encode_headers, open_literal};
pub use enumeration::index_of;
pub use enumeration::{Enumeration, OpenEnumeration};
#[cfg(feature = "facets")]
pub use facets::FacetRules;
pub use facets::{Checks, Facets, Part};
pub use flags::Flags;
pub use form_fields::refuse_unknown_fields;
pub use in_place::{CloneInPlace, clone_apart, clone_value, cloned_in_place, new_in_place};
pub use levels::{Levels, is_row, no_rows};
pub use list::{List, ListValue};
pub use object::{ObjectKind, ObjectTypes};
pub use reader::Reader;
pub use simple::types;
pub use texts::Texts;
pub use time_zone::TimeZone;
pub use value::{AbsenceRules, Complex, Fields, Optional, Value, value_of};
