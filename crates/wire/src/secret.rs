//! Secrets: values that are never shown.

#[cfg(feature = "serde")]
mod exposed;

use std::fmt;
use std::ops::{Deref, DerefMut};

use subtle::ConstantTimeEq;

use crate::values::{Content, Element, Value};
use crate::xml::ReadError;
#[cfg(feature = "serde")]
pub use exposed::{Exposed, expose};

/// A value that is never shown: `Debug` and `Display` print `[secret]`, and errors do not quote it.
///
/// ```
/// let password = svcgen::Secret::from("hunter2");
/// assert_eq!(format!("{password:?} {password}"), "[secret] [secret]");
/// assert_eq!(password.as_str(), "hunter2");
/// ```
#[derive(Clone, Default)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Creates a secret.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// Returns the value itself.
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

impl From<&str> for Secret<String> {
    fn from(value: &str) -> Self {
        Self(value.to_owned())
    }
}

impl From<&[u8]> for Secret<Vec<u8>> {
    fn from(value: &[u8]) -> Self {
        Self(value.to_owned())
    }
}

// Not generic, so that `Secret::from("…")` needs no annotation.
macro_rules! from {
    ($($type:ty)*) => {
        $(
            impl From<$type> for Secret<$type> {
                fn from(value: $type) -> Self {
                    Self(value)
                }
            }
        )*
    };
}

from!(String Vec<u8> bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

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

/// Compares text and bytes in constant time, except that different lengths are detected at once.
impl<T: Comparable> PartialEq for Secret<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&other.0)
    }
}

impl<T: Comparable> Eq for Secret<T> {}

/// Values that are compared in constant time.
pub trait Comparable {
    /// Whether both values are equal.
    fn equals(&self, other: &Self) -> bool;
}

impl Comparable for String {
    fn equals(&self, other: &Self) -> bool {
        self.as_bytes().ct_eq(other.as_bytes()).into()
    }
}

impl Comparable for Vec<u8> {
    fn equals(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

macro_rules! comparable {
    ($($number:ty)*) => {
        $(
            impl Comparable for $number {
                fn equals(&self, other: &Self) -> bool {
                    self == other
                }
            }
        )*
    };
}

comparable!(bool i8 i16 i32 i64 u8 u16 u32 u64);

impl<T: Value> Value for Secret<T> {
    const REPEATED: bool = T::REPEATED;
    const BLANK_IS_ABSENT: bool = T::BLANK_IS_ABSENT;

    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        let level = element.level();
        self.0.read(element).map_err(|error| error.conceal(level))
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        self.0.write(name, out);
    }

    fn write_nillable(&self, name: &str, out: &mut Content<'_>) {
        self.0.write_nillable(name, out);
    }
}
