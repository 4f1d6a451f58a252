//! The values that schemas allow for a type.

use std::collections::BTreeSet;

use svcgen_codegen::model::{Element, Facet, Model, SimpleType, TypeRef};

use crate::message::{Message, Reading};

/// The values that a schema allows for the type of an element, or of a member of its union.
#[derive(PartialEq)]
pub(crate) struct Allowed<'m> {
    of: Of<'m>,
    facets: &'m [(Facet, String)],
    union: Vec<Self>,
}

/// The type of values.
#[derive(PartialEq)]
enum Of<'m> {
    Simple(SimpleType),
    /// The values of an enumeration.
    Texts(BTreeSet<&'m str>),
    /// Another type.
    Other,
}

impl<'m> Allowed<'m> {
    /// Returns the values of an element whose type is the same in both definitions.
    pub fn of(element: &'m Element, model: &'m Model) -> Self {
        let members = element.union.iter().map(|member| {
            let values = Self::of(member, model);
            let TypeRef::Enumeration(id) = member.type_ref else {
                return values;
            };
            let texts = model.enumerations[id.0].values.iter();
            let texts = texts.map(|value| value.name.xml.as_str()).collect();
            Self {
                of: Of::Texts(texts),
                ..values
            }
        });
        Self {
            of: element.type_ref.simple().map_or(Of::Other, Of::Simple),
            facets: &element.facets,
            union: members.collect(),
        }
    }

    /// Describes the change from one to the other; `None` if both allow the same values.
    pub fn change(was: &Self, is: &Self) -> Option<&'static str> {
        match (is.is_within(was), was.is_within(is)) {
            (true, true) => None,
            (true, false) => Some("allows fewer values"),
            (false, true) => Some("allows more values"),
            (false, false) => Some("allows other values"),
        }
    }

    /// Returns the reading of values that are allowed in one definition only.
    pub fn reading(was: &Self, is: &Self, message: Message) -> Reading {
        let (writer, reader) = message.ends(was, is);
        if !message.may_be_held_to_schema() || writer.is_within(reader) {
            return Reading::works("every value of the type is read");
        }
        Reading::depends(
            "svcgen and .NET read every value of the type, callers that hold to the schema do not",
        )
    }

    /// Whether each of these values is one of the others, as far as facets determine it.
    fn is_within(&self, other: &Self) -> bool {
        let keeps = |(facet, text): &(Facet, String)| {
            let mut same = self.facets.iter().filter(|(own, _)| own == facet);
            same.any(|(_, own)| facet.is_within(own, text))
        };
        self.is_of(other) && other.facets.iter().all(keeps)
    }

    /// Whether each of these values is of the type of the others, or is allowed by a member of
    /// their union.
    fn is_of(&self, other: &Self) -> bool {
        if !self.union.is_empty() {
            return self.union.iter().all(|member| member.is_of(other));
        }
        if !other.union.is_empty() {
            return other.union.iter().any(|member| self.is_within(member));
        }
        match (&self.of, &other.of) {
            (_, Of::Other | Of::Simple(SimpleType::String)) => true,
            (Of::Texts(own), Of::Texts(others)) => own.is_subset(others),
            (own, others) => own == others,
        }
    }
}
