//! Elements and attributes, and references to their types.

use super::Form;
use crate::{Facet, SimpleType, TextForm};

/// An element, an attribute, the text of a type, or the item of a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Element<'a> {
    /// The name.
    pub name: &'a str,
    /// The type.
    pub type_ref: TypeRef<'a>,
    /// Its namespace.
    pub form: Form<&'a str>,
    /// The form of an absent value.
    pub absence: Absence,
    /// Whether it occurs any number of times, including none: an unwrapped list.
    pub repeated: bool,
    /// Whether it is a wrapped list whose items are added to those of other elements with its name:
    /// a `List<T>` in .NET.
    pub collection: bool,
    /// The number of times that the schema lets it occur, if it is repeated or the item of a list.
    /// Any number is read.
    pub occurs: Occurs,
    /// Whether its text contains any number of values, separated by blanks.
    pub texts: bool,
    /// Whether its value is a secret: a password field on the help page, never part of a URL there.
    pub secret: bool,
    /// The name in .NET code, if it differs: it is the name of the field in a form.
    pub net: Option<&'a str>,
    /// The namespaces of a wildcard, as in the attribute `namespace` of `any` in XML Schema, or an
    /// empty text for all: it stands for the elements, or the attributes, that its type does not
    /// name. They are of the type `any`. Its name is not on the wire.
    pub wildcard: Option<&'a str>,
    /// Whether it stands for the text between the elements of its type, of which it is an
    /// alternative in a repeated choice. It is a `string`, and its name is not on the wire.
    pub characters: bool,
    /// The values that the schema allows; for an unwrapped list or values in a text, those of each
    /// item.
    pub facets: &'a [(Facet, &'a str)],
    /// The member types if the value is of a union: members without names, of simple types and
    /// enumerations.
    pub union: &'a [Self],
    /// The value that a missing element stands for, or the only allowed value.
    pub constraint: Option<ValueConstraint<&'a str>>,
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// The number of times that the schema lets an element or a group occur: `minOccurs` and
/// `maxOccurs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurs {
    /// The minimum.
    pub least: u32,
    /// The maximum; `None` for any number.
    pub most: Option<u32>,
}

impl Occurs {
    /// Any number of times.
    pub const ANY: Self = Self {
        least: 0,
        most: None,
    };

    /// The counts of a part: `occurs` if it is repeated, otherwise once; `optional` parts may be
    /// absent.
    pub(crate) fn of(repeated: bool, occurs: Self, optional: bool) -> Self {
        let once = Self {
            least: 1,
            most: Some(1),
        };
        let occurs = if repeated { occurs } else { once };
        let least = if optional { 0 } else { occurs.least };
        Self { least, ..occurs }
    }

    /// The total counts of a part within another one with the counts `around`.
    pub(crate) fn times(self, around: Self) -> Self {
        let most = self.most.zip(around.most);
        Self {
            least: self.least.saturating_mul(around.least),
            most: most.and_then(|(one, other)| one.checked_mul(other)),
        }
    }

    /// Returns the counts that either one allows.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.zip(other.most).map(|(one, other)| one.max(other)),
        }
    }
}

/// The value constraint of an element or an attribute (XML Schema 1.0 §3.2.1, §3.3.1), or the
/// default of the text of an object: a text as in XML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueConstraint<T> {
    /// The value of an absent element; an element with this value is not written.
    Default(T),
    /// The only value that the schema allows. It is always written, and any value is accepted when
    /// reading.
    Fixed(T),
    /// The value of an absent element; it is always written. For the text of an object it is not in
    /// the schema: it is the value that a constructor of .NET sets.
    Initial(T),
}

impl<'a> ValueConstraint<&'a str> {
    /// Returns the name of the attribute in a schema, which describes no text of objects, and the
    /// text.
    pub const fn attribute(self) -> (&'static str, &'a str) {
        match self {
            Self::Default(text) | Self::Initial(text) => ("default", text),
            Self::Fixed(text) => ("fixed", text),
        }
    }
}

impl ValueConstraint<String> {
    /// Borrows the text, as rows need it.
    pub fn as_deref(&self) -> ValueConstraint<&str> {
        match self {
            Self::Default(text) => ValueConstraint::Default(text),
            Self::Fixed(text) => ValueConstraint::Fixed(text),
            Self::Initial(text) => ValueConstraint::Initial(text),
        }
    }
}

/// Creates a required element.
pub const fn element<'a>(name: &'a str, type_ref: TypeRef<'a>) -> Element<'a> {
    Element {
        name,
        type_ref,
        form: Form::Default,
        absence: Absence::Required,
        repeated: false,
        collection: false,
        occurs: Occurs::ANY,
        texts: false,
        secret: false,
        net: None,
        wildcard: None,
        characters: false,
        facets: &[],
        union: &[],
        constraint: None,
        documentation: 0,
    }
}

impl<'a> Element<'a> {
    builders! {
        /// Sets its namespace.
        form(form: Form<&'a str>) { form: form }
        /// Omits it if the value is absent.
        omitted() { absence: Absence::Omitted }
        /// Writes `xsi:nil="true"` if the value is absent.
        nillable() { absence: Absence::Nil }
        /// Omits it if the value is absent; others may write `xsi:nil="true"`.
        omitted_or_nillable() { absence: Absence::Either }
        /// Lets it occur any number of times.
        repeated() { repeated: true }
        /// Adds up the items of several wrapped lists.
        collection() { collection: true }
        /// Sets the number of times that the schema lets it occur.
        occurs(least: u32, most: Option<u32>) { occurs: Occurs { least, most } }
        /// Makes its text a list of values, separated by blanks.
        texts() { texts: true }
        /// Makes it a secret.
        secret() { secret: true }
        /// Sets its name in .NET code.
        net(name: &'a str) { net: Some(name) }
        /// Makes it a wildcard for these namespaces; an empty text for all.
        wildcard(namespaces: &'a str) { wildcard: Some(namespaces) }
        /// Makes it the text between elements.
        characters() { characters: true }
        /// Sets the values that the schema allows.
        facets(facets: &'a [(Facet, &'a str)]) { facets: facets }
        /// Makes its type a union of these members.
        union(members: &'a [Self]) { union: members }
        /// Sets its default value, with which it is omitted.
        default_value(text: &'a str) { constraint: Some(ValueConstraint::Default(text)) }
        /// Sets its fixed value.
        fixed_value(text: &'a str) { constraint: Some(ValueConstraint::Fixed(text)) }
        /// Sets its value if it is absent, although it is always written.
        initial_value(text: &'a str) { constraint: Some(ValueConstraint::Initial(text)) }
        /// Sets the number of its documentation.
        documented(number: u32) { documentation: number }
    }

    /// Whether blanks are a value of it as the text of an object: it is required text.
    pub fn holds_blanks(&self) -> bool {
        let is_text = matches!(self.type_ref, TypeRef::Simple(simple) if simple.is_text());
        is_text && self.absence == Absence::Required
    }

    /// Returns the name of its field in a form: the one in .NET code.
    pub fn field_name(&self) -> &'a str {
        self.net.unwrap_or(self.name)
    }

    /// Whether the schema allows fewer values than its type has.
    pub const fn is_restricted(&self) -> bool {
        !self.facets.is_empty() || !self.union.is_empty()
    }

    /// Whether its name is on the wire: it is neither a wildcard nor the text between elements.
    pub const fn is_named(&self) -> bool {
        self.wildcard.is_none() && !self.characters
    }

    /// Whether it is a wildcard for this namespace, empty for none, in a type of the namespace
    /// `own`.
    pub fn is_wildcard_for(&self, namespace: &str, own: &str) -> bool {
        let is_one = |words: &str| match words {
            "##any" => true,
            "##other" => !namespace.is_empty() && namespace != own,
            "##local" => namespace.is_empty(),
            "##targetNamespace" => namespace == own,
            name => namespace == name,
        };
        let mut words = self
            .wildcard
            .into_iter()
            .flat_map(str::split_ascii_whitespace);
        self.wildcard.is_some_and(str::is_empty) || words.any(is_one)
    }

    /// Returns the form of its text in XML according to .NET.
    pub const fn text_form(&self) -> TextForm {
        match self.type_ref {
            TypeRef::Simple(simple) => simple.row().text,
            _ => TextForm::AsIs,
        }
    }

    /// Whether it is a wrapped list.
    pub const fn is_list(&self) -> bool {
        matches!(self.type_ref, TypeRef::List(_))
    }

    /// Returns the row of its items, if it is a wrapped list.
    pub const fn items(&self) -> Option<&'a Self> {
        match self.type_ref {
            TypeRef::List(item) => Some(item),
            _ => None,
        }
    }

    /// Whether it may be omitted: if a value is absent, or is its default.
    pub const fn is_omitted(&self) -> bool {
        matches!(self.absence, Absence::Omitted | Absence::Either)
            || matches!(self.constraint, Some(ValueConstraint::Default(_)))
    }

    /// Whether it is a single value, without a default, that is omitted if it is absent.
    pub const fn is_left_out(&self) -> bool {
        matches!(self.absence, Absence::Omitted | Absence::Either)
            && !matches!(self.constraint, Some(ValueConstraint::Default(_)))
            && !self.repeated
            && !self.texts
    }

    /// Whether a value may be absent.
    pub const fn may_be_absent(&self) -> bool {
        !matches!(self.absence, Absence::Required)
    }

    /// Whether an absent value may be written as `xsi:nil="true"`.
    pub const fn is_nillable(&self) -> bool {
        matches!(self.absence, Absence::Nil | Absence::Either)
    }
}

/// The form of an absent value on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// The value is never absent.
    Required,
    /// The element is omitted: `minOccurs="0"`.
    Omitted,
    /// The element has `xsi:nil="true"`.
    Nil,
    /// The element is omitted, and may have `xsi:nil="true"`: `minOccurs="0"` and
    /// `nillable="true"`.
    Either,
}

/// A type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TypeRef<'a> {
    /// A simple type, or any XML.
    Simple(SimpleType),
    /// A complex type.
    Complex(TypeId),
    /// An enumeration.
    Enumeration(TypeId),
    /// A wrapped list with these items.
    List(&'a Element<'a>),
    /// Values of this row with texts as keys, in JSON alone: a `Dictionary<string, T>` of .NET.
    Dictionary(&'a Element<'a>),
}

impl TypeRef<'_> {
    /// Whether the root of an answer over HTTP GET and POST declares the prefixes `xsd` and `xsi`.
    pub const fn declares_schema(&self) -> bool {
        match self {
            Self::Simple(simple) => simple.is_xml() && !simple.is_data_set(),
            _ => !self.is_simple(),
        }
    }

    /// Whether an answer over HTTP GET and POST is the value itself, XML unchanged, without an
    /// element of its type around it.
    pub const fn is_document(&self) -> bool {
        matches!(self, Self::Simple(SimpleType::Any))
    }

    /// Whether a value is a single text.
    pub const fn is_simple(&self) -> bool {
        match self {
            Self::Simple(simple) => !simple.is_xml(),
            Self::Enumeration(_) => true,
            Self::Complex(_) | Self::List(_) | Self::Dictionary(_) => false,
        }
    }
}

/// A reference to a complex type or an enumeration, relative to the module that contains it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TypeId {
    /// 0 for the module itself, otherwise the number of one of
    /// [`Module::includes`](crate::Module::includes), from 1.
    pub module: usize,
    /// The index among the types or the enumerations of that module.
    pub index: usize,
}

impl TypeId {
    /// Creates a reference to a type of the module itself.
    pub const fn own(index: usize) -> Self {
        Self::included(0, index)
    }

    /// Creates a reference to a type of an included module, numbered from 1.
    pub const fn included(module: usize, index: usize) -> Self {
        Self { module, index }
    }
}
