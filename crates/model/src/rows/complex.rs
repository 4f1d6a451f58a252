//! Complex types, with their choices and sequences.

use super::{Element, ElementForm, Form, Occurs, Scope, TypeId, TypeRef, element};
use crate::SimpleType;

/// A sequence of elements: a type of its own, or the parameters or headers of an operation.
#[derive(Debug, Clone, Copy)]
pub struct ComplexType<'a> {
    /// The name.
    pub name: &'a str,
    /// Its namespace, and the form of its elements.
    pub scope: Scope<&'a str>,
    /// The attributes; inherited ones first.
    pub attributes: &'a [Element<'a>],
    /// The text content, instead of elements. Its name is not on the wire.
    pub text: Option<Element<'a>>,
    /// The schema of the set of tables in the text.
    pub data_set: Option<DataSetSchema<'a>>,
    /// The elements in wire order, with those of choices and sequences; inherited ones first.
    pub elements: &'a [Element<'a>],
    /// The choices and sequences among the elements, each before those within it.
    pub groups: &'a [Group<'a>],
    /// The kind of its content.
    pub kind: Kind,
    /// The base type.
    pub extends: Option<TypeId>,
    /// Whether it restricts its base: it repeats all of its content, and inherits nothing.
    pub restricts: bool,
    /// Whether only derived types have values.
    pub is_abstract: bool,
    /// Whether it is a struct in .NET, whose value is never absent.
    pub by_value: bool,
    /// Whether its elements, each of which occurs at most once, may be in any order: `all` in XML
    /// Schema, which is not part of other groups.
    pub unordered: bool,
    /// Whether it is the parameters or the results of an operation: if a message contains a wrapped
    /// list twice, the first counts then, but in a type the last.
    pub is_message: bool,
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// Creates a complex type with these elements.
pub const fn complex_type<'a>(name: &'a str, elements: &'a [Element<'a>]) -> ComplexType<'a> {
    ComplexType {
        name,
        scope: Scope::SERVICE,
        attributes: &[],
        text: None,
        data_set: None,
        elements,
        groups: &[],
        kind: Kind::of(elements),
        extends: None,
        restricts: false,
        is_abstract: false,
        by_value: false,
        unordered: false,
        is_message: false,
        documentation: 0,
    }
}

impl<'a> ComplexType<'a> {
    /// A type without content.
    pub const EMPTY: Self = complex_type("", &[]);

    /// Sets a namespace of its own.
    #[must_use]
    pub const fn in_namespace(mut self, namespace: &'a str) -> Self {
        self.scope.namespace = Some(namespace);
        self
    }

    /// Sets a form of its own for its elements.
    #[must_use]
    pub const fn in_form(mut self, form: ElementForm) -> Self {
        self.scope.element_form = Some(form);
        self
    }

    /// Sets the choices and sequences, each before those within it.
    #[must_use]
    pub const fn groups(mut self, groups: &'a [Group<'a>]) -> Self {
        self.groups = groups;
        if !matches!(self.kind, Kind::Mixed) {
            self.kind = Kind::Other;
        }
        self
    }

    /// Whether it has text among its elements.
    pub fn is_mixed(&self) -> bool {
        let is_text = |text: Element<'_>| !text.type_ref.is_simple();
        self.kind == Kind::Mixed || self.text.is_some_and(is_text)
    }

    builders! {
        /// Sets the attributes.
        attributes(attributes: &'a [Element<'a>]) { attributes: attributes }
        /// Sets the text content.
        text(text: Element<'a>) { text: Some(text) }
        /// Makes it a set of tables.
        data_set(schema: DataSetSchema<'a>) { data_set: Some(schema), text: Some(element("text", TypeRef::Simple(SimpleType::DataSet))) }
        /// Sets the base type.
        extends(base: TypeId) { extends: Some(base) }
        /// Sets the base type, whose content it repeats.
        restricts(base: TypeId) { extends: Some(base), restricts: true }
        /// Makes it abstract.
        abstract_type() { is_abstract: true }
        /// Makes it a struct of .NET.
        by_value() { by_value: true }
        /// Lets its elements be in any order.
        unordered() { unordered: true, kind: Kind::Other }
        /// Makes it the parameters or the results of an operation.
        message() { is_message: true }
        /// Sets the number of its documentation.
        documented(number: u32) { documentation: number }
    }
}

/// The schema of a set of tables, .NET's typed `DataSet`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataSetSchema<'a> {
    /// The name of the set.
    pub name: &'a str,
    /// The namespace of its elements; empty for none.
    pub namespace: &'a str,
    /// The element `xs:schema`, with everything that it needs.
    pub schema: &'a str,
}

/// The kind of content of a type, which selects the reader of the runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Up to 64 elements that occur at most once, in the form of the type, and no wildcard.
    Record,
    /// A single element, which is repeated.
    List,
    /// Elements with text between them ([`Element::characters`]).
    Mixed,
    /// Anything else.
    Other,
}

impl Kind {
    const fn of(elements: &[Element<'_>]) -> Self {
        if let [
            Element {
                repeated: true,
                wildcard: None,
                ..
            },
        ] = elements
        {
            return Self::List;
        }
        let mut is_record = elements.len() <= 64;
        let mut index = 0;
        while index < elements.len() {
            let element = &elements[index];
            if element.characters {
                return Self::Mixed;
            }
            is_record &= !element.repeated
                && matches!(element.form, Form::Default)
                && element.wildcard.is_none();
            index += 1;
        }
        if is_record { Self::Record } else { Self::Other }
    }
}

/// A model group (XML Schema 1.0 §3.8): elements of a type of which one occurs, or which occur
/// together. Groups nest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group<'a> {
    /// The name, which is not on the wire.
    pub name: &'a str,
    /// The kind of the group.
    pub kind: GroupKind,
    /// The head of the substitution group (XML Schema 1.0 §2.2.2.2) of a choice's alternatives: an
    /// abstract global element of the type's namespace, which schemas refer to.
    pub head: Option<&'a str>,
    /// The index of the first of its elements among those of the type.
    pub first: usize,
    /// The index after the last one.
    pub end: usize,
    /// Whether it may be absent.
    pub optional: bool,
    /// Whether it may occur any number of times, including none.
    pub repeated: bool,
    /// The number of times that the schema lets it occur, if it is repeated. Any number is read.
    pub occurs: Occurs,
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// The kind of a group, its compositor in XML Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKind {
    /// One of them occurs.
    Choice,
    /// They occur together.
    Sequence,
}

impl GroupKind {
    /// Returns the name in XML Schema, and in definitions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Choice => "choice",
            Self::Sequence => "sequence",
        }
    }
}

/// Creates a required choice among the elements `first..end`.
pub const fn choice(name: &str, first: usize, end: usize) -> Group<'_> {
    group(name, GroupKind::Choice, first, end)
}

/// Creates a required sequence of the elements `first..end`.
pub const fn sequence(name: &str, first: usize, end: usize) -> Group<'_> {
    group(name, GroupKind::Sequence, first, end)
}

/// Creates a required group of the elements `first..end`.
pub const fn group(name: &str, kind: GroupKind, first: usize, end: usize) -> Group<'_> {
    Group {
        name,
        kind,
        head: None,
        first,
        end,
        optional: false,
        repeated: false,
        occurs: Occurs::ANY,
        documentation: 0,
    }
}

impl<'a> Group<'a> {
    builders! {
        /// Puts its elements into the substitution group with this head.
        head(name: &'a str) { head: Some(name) }
        /// Makes it optional.
        omitted() { optional: true }
        /// Lets it occur any number of times.
        repeated() { repeated: true }
        /// Sets the number of times that the schema lets it occur.
        occurs(least: u32, most: Option<u32>) { occurs: Occurs { least, most } }
        /// Sets the number of its documentation.
        documented(number: u32) { documentation: number }
    }

    /// Whether it is a sequence.
    pub const fn is_sequence(&self) -> bool {
        matches!(self.kind, GroupKind::Sequence)
    }

    /// Whether the element at an index is in it.
    pub const fn contains(&self, index: usize) -> bool {
        self.first <= index && index < self.end
    }
}
