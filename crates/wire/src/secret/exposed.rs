//! Secrets in serde: never written, unless that is requested.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Secret;

/// Writes `null`, so that no secret is disclosed by accident; [`expose`] writes the value.
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

/// Writes the value of a secret, for `#[serde(serialize_with = "svcgen::secret::expose")]` on a
/// field.
///
/// # Errors
///
/// Returns the error of the serializer.
pub fn expose<S: Serializer>(secret: &impl Exposed, serializer: S) -> Result<S::Ok, S::Error> {
    secret.expose(serializer)
}

/// A secret or an optional secret, which [`expose`] writes.
pub trait Exposed {
    /// Writes the value itself.
    ///
    /// # Errors
    ///
    /// Returns the error of the serializer.
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
