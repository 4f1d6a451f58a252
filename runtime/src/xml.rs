//! XML and its values: a strict reader, a writer, and the lexical forms of simple types.

mod characters;
mod children;
mod content;
mod element;
mod element_form;
mod error;
mod escape;
mod form;
mod lane;
mod names;
mod namespaces;
mod number;
mod outside_root;
mod pieces;
mod prologue;
mod reader;
mod scan;
mod simple;
mod tags;
mod text;
mod tokens;
mod value;

pub use content::Content;
pub(crate) use element::refuse_unknown_fields;
pub use element::{Element, FormFields};
pub(crate) use element_form::Forms;
pub use error::{ReadError, ReadErrorKind, WriteError};
pub use reader::{Reader, declared_encoding};
pub use simple::types;
pub use simple::types::*;
pub use value::{Complex, Enumeration, List, ListValue, OpenEnumeration, Value};
