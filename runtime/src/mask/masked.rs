//! What masks have made.

use std::fmt;
use std::ops::Deref;

use http::HeaderName;
use svcgen_model::{At, Element};

use super::http::is_shown;
use super::marks::{OMITTED, SECRET};
use super::masking::Mask;
use super::places::{Place, Text};
use super::xml::is_of_protocol;

/// Content of messages without what its definition calls secret, and without what that does not describe.
///
/// Only the functions of this module make one. So whatever prints, writes or keeps content asks for it by its type, and gets nothing else.
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

    /// The same in another form. The function holds nothing itself, so that no other content comes with it.
    pub fn map<U>(self, form: fn(T) -> U) -> Masked<U> {
        Masked(form(self.0))
    }

    /// Both.
    pub fn and<U>(self, other: Masked<U>) -> Masked<(T, U)> {
        Masked((self.0, other.0))
    }

    /// What a mask makes of content, or all of it where a program runs without a definition: nothing tells it what is secret then.
    pub fn by<'m>(
        mask: Option<&Mask<'m>>,
        content: T,
        masked: impl FnOnce(&Mask<'m>) -> Self,
    ) -> Self {
        match mask {
            Some(mask) => masked(mask),
            None => Self(content),
        }
    }

    /// A text that stands where a row describes it. `mark` makes a value of [`SECRET`] and [`OMITTED`].
    ///
    /// ```
    /// use svcgen::codegen::model::{At, Module, SimpleType::String, TypeRef::Simple, element};
    /// use svcgen::mask::Masked;
    ///
    /// static MODULE: Module<'static> = Module::new(&[], &[]);
    /// let module = At::new(&MODULE, None);
    /// let (user, pin) = (element("user", Simple(String)), element("pin", Simple(String)).secret());
    /// let shown = |row| Masked::value(module.beside(row), "4711", |mark| mark).into_inner();
    /// assert_eq!([shown(&user), shown(&pin)], ["4711", "[secret]"]);
    /// ```
    pub fn value(row: At<'_, Element<'_>>, text: T, mark: fn(&'static str) -> T) -> Self {
        Self(match Place::of([row]).text() {
            Text::Shown => text,
            Text::Secret => mark(SECRET),
            Text::Unknown | Text::OfFault => mark(OMITTED),
        })
    }

    /// The value of an attribute that SOAP or XML Schema defines, such as `actor`: it is shown, and that of any other name is not.
    pub fn protocol_attribute(name: &str, value: T, mark: fn(&'static str) -> T) -> Self {
        Self(if is_of_protocol(name) {
            value
        } else {
            mark(OMITTED)
        })
    }
}

impl Masked<&'static str> {
    /// A text of the program: no content of messages lives as long.
    pub const fn fixed(text: &'static str) -> Self {
        Self(text)
    }
}

impl<'h> Masked<(&'h [u8], &'h [u8])> {
    /// A header, with its name as it is written: [`SECRET`] stands for the value unless the header is known to carry no credentials.
    pub fn header(name: &'h [u8], value: &'h [u8]) -> Self {
        let known = HeaderName::from_bytes(name);
        let is_shown = known.is_ok_and(|name| is_shown(&name));
        Self((name, if is_shown { value } else { SECRET.as_bytes() }))
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
