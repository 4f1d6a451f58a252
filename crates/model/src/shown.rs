//! What of a value may be seen where secrets may not: in logs, recordings, reports and pages.

use crate::at::{At, TypeAt};
use crate::rows::{ComplexType, Element};
use crate::simple::SimpleType;

/// What of a value may be seen, by the row that describes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shown<'m> {
    /// Nothing: it is a secret.
    Secret,
    /// Nothing: what is in it is not described, as in XML of any content.
    Undescribed,
    /// All of it: it is a text.
    Text,
    /// A value of the type that it names.
    AnyType,
    /// What may be seen of each part of an object.
    Object(At<'m, ComplexType<'m>>),
    /// What may be seen of each item that this row describes.
    Items(At<'m, Element<'m>>),
    /// What may be seen of each value of a dictionary that this row describes.
    Entries(At<'m, Element<'m>>),
}

impl<'m> At<'m, Element<'m>> {
    /// What of its value may be seen. Of an object it is said here for each part, and for its text
    /// by [`shown_text`](At::shown_text).
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
    /// What may be seen of the text between its tags: its text content, or what stands between its
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
