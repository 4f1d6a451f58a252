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
mod pieces;
mod prolog;
mod prologue;
mod reader;
mod scan;
mod simple;
mod tags;
mod text;
mod tokens;
mod value;

pub(crate) use children::names as element_names;
pub use content::Content;
pub(crate) use element::unknown_field;
pub use element::{Element, FormFields, read_form};
pub(crate) use element_form::Forms;
pub use error::{ReadError, ReadErrorKind, WriteError};
pub use reader::{Reader, declared_encoding};
pub use simple::types;
pub use simple::types::*;
pub use value::{Complex, Enumeration, List, ListValue, Lists, ListsValue, OpenEnumeration, Value};
