//! The output of masks.

use std::fmt;
use std::ops::Deref;

/// Content of messages without secrets, and without parts that the definition does not describe.
///
/// Only functions of this module create values of this type. So code that prints, writes or keeps
/// content requires masked content by the type of its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct Masked<T>(T);

impl<T> Masked<T> {
    /// Wraps the output of a mask; only for masks.
    pub(super) const fn new(masked: T) -> Self {
        Self(masked)
    }

    /// Returns the content.
    pub fn into_inner(self) -> T {
        self.0
    }

    /// Borrows the content.
    pub fn by_ref(&self) -> Masked<&T> {
        Masked(&self.0)
    }

    /// Converts the content. The function is a pointer and captures nothing, so it cannot add other
    /// content.
    pub fn map<U>(self, form: fn(T) -> U) -> Masked<U> {
        Masked(form(self.0))
    }

    /// Combines two masked values.
    pub fn and<U>(self, other: Masked<U>) -> Masked<(T, U)> {
        Masked((self.0, other.0))
    }
}

impl Masked<&'static str> {
    /// Wraps a text of the program. No content of messages is `'static`.
    pub const fn fixed(text: &'static str) -> Self {
        Self(text)
    }
}

impl<T> Deref for Masked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Display> fmt::Display for Masked<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: AsRef<str>> PartialEq<str> for Masked<T> {
    fn eq(&self, other: &str) -> bool {
        self.0.as_ref() == other
    }
}

impl<T: AsRef<str>> PartialEq<&str> for Masked<T> {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

/// A collection of only masked parts is masked.
impl<T, C: FromIterator<T>> FromIterator<Masked<T>> for Masked<C> {
    fn from_iter<I: IntoIterator<Item = Masked<T>>>(parts: I) -> Self {
        Self(parts.into_iter().map(Masked::into_inner).collect())
    }
}
