//! Turns bytes into values and back: XML 1.0 with namespaces, forms, SOAP encoding, character sets,
//! and the limits of messages. It knows no HTTP.
//!
//! Applications use [`svcgen`](https://github.com/svcgen/svcgen), which re-exports the public items
//! of this crate under the same names.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod accept;
mod charset;
mod error_text;
mod form;
mod json_text;
mod limits;
pub mod secret;
#[cfg(feature = "serde")]
mod serde_values;
mod values;
mod xml;

pub use accept::Accept;
pub use limits::Limits;
pub use secret::Secret;
#[cfg(feature = "facets")]
pub use values::FacetRules;
pub use values::{
    AbsenceRules, CloneInPlace, Complex, Content, Element, Enumeration, Fields, Flags, FormFields,
    List, ListValue, ObjectKind, ObjectTypes, OpenEnumeration, Optional, Reader, Texts, Value,
    clone_apart, clone_value, cloned_in_place, new_in_place, types, value_of,
};
pub use xml::{ReadError, ReadErrorKind, WriteError, declared_encoding};

/// The crate that provides the text type of the feature `compact_str`.
#[cfg(feature = "compact_str")]
pub use compact_str;

#[doc(hidden)]
pub mod internals {
    //! The building blocks of the bindings in `svcgen-core`. They change with each version, and
    //! nothing else uses them.

    pub use crate::accept::Accepted;
    pub use crate::append;
    pub use crate::charset::{Charset, decode_message};
    pub use crate::error_text::{bounded, chain, innermost, printable};
    pub use crate::values::binary_parts::XOP;
    pub use crate::values::field_text::xml_text;
    pub use crate::values::notation::{AnyType, Entries, Node, Sink, Source};
    pub use crate::values::simple::mismatch::Mismatch;
    pub use crate::values::simple::text_value::Simple;
    pub use crate::values::{
        BinaryParts, BinaryPartsWriter, Checks, Facets, Levels, MessagePart, Scheme, Side,
        TimeZone, close_literal, encode, encode_headers, index_of, is_row, no_rows, open_literal,
        refuse_unknown_fields,
    };
    pub use crate::xml::characters::{is_char, is_space};
    pub use crate::xml::error::{CONCEALED, Position};
    pub use crate::xml::names::expanded_name;
    pub use crate::xml::namespaces::{SCHEMA_INSTANCE, XML, XML_SCHEMA};
    pub use crate::xml::room::Room;
    pub use crate::xml::tokens::{Piece, Tokens};
    pub use crate::xml::{ENVELOPES, Parts, Rows, Scopes};

    /// Functions that `append!` calls.
    pub mod pieces {
        pub use crate::xml::append::{
            SHORT, append_long, append_otherwise, append_short, is_short,
        };
    }

    /// Names of flags.
    pub mod flags {
        pub use crate::values::flags::names;
    }

    /// Forms of HTTP GET and POST.
    pub mod form {
        pub use crate::form::decode::{decode, percent_decode};
        pub use crate::form::encode::escape;
        pub use crate::form::{Form, MEDIA_TYPE, read};
    }

    /// Texts in JSON.
    pub mod json_text {
        pub use crate::json_text::{is_plain, push_text};
    }

    /// Texts of numbers.
    pub mod number {
        pub use crate::values::simple::number::{integer, is_digits, is_float, split_sign, trim};
    }

    /// Texts as XML names.
    pub mod name_text {
        pub use crate::values::name_text::{decode, encode};
    }

    /// Bytes as Base64.
    pub mod base64 {
        pub use crate::values::base64::{decode, encode};
    }
}
