//! Rules for reading and writing elements, attributes and texts by their rows. Emitted code and
//! messages by rows use only these.

use crate::rows::{Absence, Element, TypeRef, ValueConstraint};

/// The way to read an element, an attribute or the text of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// As a value.
    Value,
    /// As a value, but `<x/>` is the default, as in .NET for numbers and similar types.
    UnlessEmpty,
    /// As the next item of an unwrapped list.
    Push,
    /// As the next element of a wildcard.
    PushAny,
    /// As the element of a wildcard, which may be absent.
    Any,
    /// As the element of a wildcard, which is always present.
    AnyOne,
    /// As the attributes of a wildcard.
    AnyAttributes,
    /// As values in one text.
    Texts,
    /// As a wrapped list. An element with `xsi:nil` leaves the list unchanged.
    List,
    /// As a wrapped list. An element with `xsi:nil` makes the list absent, even after another one.
    NillableList,
    /// As a wrapped list, whose items are added to those of others.
    Collection,
}

/// The way to write an element, an attribute or the text of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// As an element; an absent value is omitted.
    Value,
    /// As an element; an absent value is `xsi:nil`.
    Nillable,
    /// As an element, unless the value is the default.
    UnlessDefault,
    /// As an element for each item.
    Items,
    /// As the elements of a wildcard.
    AnyItems,
    /// As the element of a wildcard, which may be absent.
    Any,
    /// As the element of a wildcard, which is always present.
    AnyOne,
    /// As an element with values in its text; an absent list is omitted.
    Texts,
    /// As an element with values in its text; an absent list is `xsi:nil`.
    NillableTexts,
    /// As a wrapped list; an absent one is omitted.
    List,
    /// As a wrapped list; an absent one is `xsi:nil`.
    NillableList,
    /// As text between elements.
    Characters,
    /// As an attribute; an absent value is omitted.
    Attribute,
    /// As an attribute, unless the value is the default.
    AttributeUnlessDefault,
    /// As an attribute with values in its text.
    AttributeTexts,
    /// As the attributes of a wildcard.
    AnyAttributes,
    /// As the text of an object.
    Content,
    /// As the text of an object, with values in it.
    ContentTexts,
}

impl Reading {
    /// Whether the value consists of several elements, or of an element with its tags.
    pub const fn is_gathered(self) -> bool {
        !matches!(self, Self::Value | Self::UnlessEmpty)
    }
}

impl Element<'_> {
    /// Whether its value is a list.
    pub const fn is_several(&self) -> bool {
        self.is_list() || self.repeated || self.texts
    }

    /// Returns the way to read it as an element.
    pub const fn reading(&self) -> Reading {
        match self.wildcard {
            Some(_) if self.repeated => Reading::PushAny,
            Some(_) if self.may_be_absent() => Reading::Any,
            Some(_) => Reading::AnyOne,
            None if self.repeated => Reading::Push,
            None if self.texts => Reading::Texts,
            None if self.collection => Reading::Collection,
            None if self.is_list() && self.is_nillable() => Reading::NillableList,
            None if self.is_list() => Reading::List,
            None if self.is_default_if_empty() => Reading::UnlessEmpty,
            None => Reading::Value,
        }
    }

    /// Returns the way to read it as an attribute.
    pub const fn attribute_reading(&self) -> Reading {
        match self.wildcard {
            Some(_) => Reading::AnyAttributes,
            None => self.text_reading(),
        }
    }

    /// Returns the way to read it as the text of an object.
    pub const fn text_reading(&self) -> Reading {
        if self.texts {
            Reading::Texts
        } else {
            Reading::Value
        }
    }

    /// Returns the way to write it as an element.
    pub const fn writing(&self) -> Writing {
        let is_nil = matches!(self.absence, Absence::Nil);
        match self.wildcard {
            Some(_) if self.repeated => Writing::AnyItems,
            Some(_) if self.may_be_absent() => Writing::Any,
            Some(_) => Writing::AnyOne,
            None if self.characters => Writing::Characters,
            None if self.repeated => Writing::Items,
            None if self.texts && is_nil => Writing::NillableTexts,
            None if self.texts => Writing::Texts,
            None if self.is_list() && is_nil => Writing::NillableList,
            None if self.is_list() => Writing::List,
            None if is_nil => Writing::Nillable,
            None if self.is_left_out_by_default() => Writing::UnlessDefault,
            None => Writing::Value,
        }
    }

    /// Returns the way to write it as an attribute.
    pub const fn attribute_writing(&self) -> Writing {
        match self.wildcard {
            Some(_) => Writing::AnyAttributes,
            None if self.texts => Writing::AttributeTexts,
            None if self.is_left_out_by_default() => Writing::AttributeUnlessDefault,
            None => Writing::Attribute,
        }
    }

    /// Returns the way to write it as the text of an object.
    pub const fn text_writing(&self) -> Writing {
        if self.texts {
            Writing::ContentTexts
        } else {
            Writing::Content
        }
    }

    const fn is_left_out_by_default(&self) -> bool {
        matches!(self.constraint, Some(ValueConstraint::Default(_)))
    }

    // Only values of simple types and enumerations have a constraint.
    const fn is_default_if_empty(&self) -> bool {
        let is_by_value = match self.type_ref {
            TypeRef::Simple(simple) => simple.row().by_value,
            TypeRef::Enumeration(_) => true,
            TypeRef::Complex(_) | TypeRef::List(_) | TypeRef::Dictionary(_) => false,
        };
        let constraint = self.constraint;
        is_by_value
            && matches!(
                constraint,
                Some(ValueConstraint::Default(_) | ValueConstraint::Initial(_))
            )
    }
}
