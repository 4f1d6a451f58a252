//! serde (feature `serde`): values of the runtime as the texts that they are on the wire, and secrets as nothing at all.

use std::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::secret::Secret;
use crate::values::types;

macro_rules! texts {
    ($($type:ty)*) => {
        $(
            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> Deserialize<'de> for $type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let text = Cow::<str>::deserialize(deserializer)?;
                    text.parse().map_err(D::Error::custom)
                }
            }
        )*
    };
}

texts!(types::Duration types::HexBinary types::Integer types::QName types::XmlFragment);
#[cfg(feature = "time")]
texts!(types::DateTime types::Date types::Time);

/// A secret is written as nothing (`null`), whatever it is part of. [`expose`] writes it where that is wanted.
impl<T> Serialize for Secret<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Secret<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::new)
    }
}

/// Writes a secret that serde would leave out, for `#[serde(serialize_with = "svcgen::secret::expose")]` on a field.
///
/// # Errors
///
/// Those of the serializer.
pub fn expose<S: Serializer>(secret: &impl Exposed, serializer: S) -> Result<S::Ok, S::Error> {
    secret.expose(serializer)
}

/// What [`expose`] can write: a secret, or an optional one.
pub trait Exposed {
    /// Writes the value itself.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    fn expose<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

impl<T: Serialize> Exposed for Secret<T> {
    fn expose<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<T: Serialize> Exposed for Option<Secret<T>> {
    fn expose<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_deref().serialize(serializer)
    }
}
