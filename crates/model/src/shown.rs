//! The parts of a value that may be shown where secrets may not: in logs, recordings, reports and
//! pages.

use crate::at::{At, TypeAt};
use crate::rows::{ComplexType, Element};
use crate::simple::SimpleType;

/// The parts of a value that may be shown, according to its row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shown<'m> {
    /// Nothing, as it is a secret.
    Secret,
    /// Nothing, as its content is not described, as for XML of any content.
    Undescribed,
    /// All of it, as it is a text.
    Text,
    /// A value, according to the type that it names.
    AnyType,
    /// The parts of an object, each according to its own row.
    Object(At<'m, ComplexType<'m>>),
    /// The items of a list, according to this row.
    Items(At<'m, Element<'m>>),
    /// The values of a dictionary, according to this row.
    Entries(At<'m, Element<'m>>),
}

impl<'m> At<'m, Element<'m>> {
    /// Returns the parts of its value that may be shown. For an object, call this method for each
    /// part, and [`shown_text`](At::shown_text) for its text.
    pub fn shown(self) -> Shown<'m> {
        match self.type_at() {
            _ if self.row().secret => Shown::Secret,
            _ if self.row().wildcard.is_some() => Shown::Undescribed,
            TypeAt::Simple(SimpleType::AnyType) => Shown::AnyType,
            TypeAt::Simple(simple) if simple.is_xml() || simple.is_data_set() => Shown::Undescribed,
            TypeAt::Simple(_) | TypeAt::Enumeration(_) => Shown::Text,
            TypeAt::Complex(complex) => Shown::Object(complex),
            TypeAt::List(item) => Shown::Items(item),
            TypeAt::Dictionary(value) => Shown::Entries(value),
        }
    }
}

impl<'m> At<'m, ComplexType<'m>> {
    /// Whether the text between its tags may be shown: its text content, or the text between its
    /// elements.
    pub fn shown_text(self) -> Shown<'m> {
        let between = self.elements().filter(|row| row.row().characters);
        let texts = between.chain(self.text()).map(At::<Element<'_>>::shown);
        texts.fold(Shown::Undescribed, |all, one| match (all, one) {
            (Shown::Secret, _) | (_, Shown::Secret) => Shown::Secret,
            (_, Shown::Text) => Shown::Text,
            // A text has no parts.
            _ => all,
        })
    }
}
