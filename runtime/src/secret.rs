//! Values that must not be shown.

use std::fmt;
use std::ops::{Deref, DerefMut};

use subtle::ConstantTimeEq;

use crate::xml::{Content, Element, ReadError, Value};

/// A value that never shows itself: `Debug` and `Display` print `[secret]`, and an error about it does not quote it.
///
/// ```
/// let password = svcgen::Secret::from("hunter2");
/// assert_eq!(format!("{password:?} {password}"), "[secret] [secret]");
/// assert_eq!(password.as_str(), "hunter2");
/// ```
#[derive(Clone, Default)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Keeps a value secret.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The value itself.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Secret<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Secret<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> From<T> for Secret<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl From<&str> for Secret<String> {
    fn from(value: &str) -> Self {
        Self(value.to_owned())
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

impl<T> fmt::Display for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

/// Takes as long for a value that differs at its first byte as for an equal one. Only the length shows.
impl<T: AsRef<[u8]>> PartialEq for Secret<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_ref().ct_eq(other.0.as_ref()).into()
    }
}

impl<T: AsRef<[u8]>> Eq for Secret<T> {}

impl<T: Value> Value for Secret<T> {
    const REPEATED: bool = T::REPEATED;

    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        self.0.read(element).map_err(ReadError::conceal)
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        self.0.write(name, out);
    }

    fn write_nillable(&self, name: &str, out: &mut Content<'_>) {
        self.0.write_nillable(name, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparison_is_by_value() {
        assert_eq!(Secret::from("a"), Secret::from("a"));
        assert_ne!(Secret::from("a"), Secret::from("b"));
        assert_ne!(Secret::from("a"), Secret::from("ab"));
        assert_eq!(Secret::new(vec![1u8]), Secret::new(vec![1u8]));
    }
}
