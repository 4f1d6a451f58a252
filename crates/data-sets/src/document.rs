//! Sets and tables as documents of their own.

use std::str::FromStr;

use svcgen_wire::{Content, Limits, ReadError, Reader, Value, WriteError};

use crate::set::DataSet;
use crate::table::DataTable;

/// Writes a value as the root of a document.
fn write(value: &impl Value, name: &str) -> Result<String, WriteError> {
    let mut out = Vec::new();
    let mut content = Content::compact(&mut out);
    value.write(name, &mut content);
    content.finish()?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Reads the root of a document, whatever its name.
fn read<T: Value + Default>(document: &str) -> Result<T, ReadError> {
    let mut reader = Reader::new(document, &Limits::default());
    reader.root()?;
    let mut value = T::default();
    reader.read(&mut value)?;
    reader.finish()?;
    Ok(value)
}

macro_rules! documents {
    ($($type:ty, $name:literal;)*) => {$(
        impl $type {
            /// Writes the schema and the rows, in an element.
            ///
            /// # Errors
            ///
            /// A text contains a character that XML cannot carry, or a part to write has no name.
            pub fn to_xml(&self) -> Result<String, WriteError> {
                write(self, $name)
            }
        }

        /// Serializes the text of an element with the schema and the rows.
        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let text = self.to_xml().map_err(serde::ser::Error::custom)?;
                serializer.serialize_str(&text)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }

        /// Reads the output of [`to_xml`](Self::to_xml): a schema and rows, in an element.
        impl FromStr for $type {
            type Err = ReadError;

            fn from_str(document: &str) -> Result<Self, ReadError> {
                read(document)
            }
        }
    )*};
}

documents! {
    DataSet, "DataSet";
    DataTable, "DataTable";
}
