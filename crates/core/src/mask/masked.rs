//! What masks have made.

use std::fmt;
use std::ops::Deref;

/// Content of messages without what its definition calls secret, and without what that does not
/// describe.
///
/// Only the functions of this module make one. So whatever prints, writes or keeps content asks for
/// it by its type, and gets nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct Masked<T>(T);

impl<T> Masked<T> {
    /// For masks alone.
    pub(super) const fn new(masked: T) -> Self {
        Self(masked)
    }

    /// What it holds.
    pub fn into_inner(self) -> T {
        self.0
    }

    /// The same, borrowed.
    pub fn by_ref(&self) -> Masked<&T> {
        Masked(&self.0)
    }

    /// The same in another form. The function holds nothing itself, so that no other content comes
    /// with it.
    pub fn map<U>(self, form: fn(T) -> U) -> Masked<U> {
        Masked(form(self.0))
    }

    /// Both.
    pub fn and<U>(self, other: Masked<U>) -> Masked<(T, U)> {
        Masked((self.0, other.0))
    }
}

impl Masked<&'static str> {
    /// A text of the program: no content of messages lives as long.
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

/// What is made of masked parts alone is masked.
impl<T, C: FromIterator<T>> FromIterator<Masked<T>> for Masked<C> {
    fn from_iter<I: IntoIterator<Item = Masked<T>>>(parts: I) -> Self {
        Self(parts.into_iter().map(Masked::into_inner).collect())
    }
}
