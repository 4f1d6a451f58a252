//! The components of schemas (XML Schema 1.0 Part 1 §2.2): all declarations, with every reference
//! resolved to a name and every group expanded in place.
//!
//! Names, texts and documentation borrow from the documents.

mod attributes;
mod circles;
mod complex;
mod declarations;
mod meaning;
mod particles;
mod prefixes;
mod reach;
mod read;
mod reader;
mod sets;
mod simple;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

pub use read::read;
pub use sets::{SetSchema, TypedSet};

pub use super::names::{Name, XML_SCHEMA, builtin};
use super::report::DocumentSpan;

/// The number of a type in [`Schemas::types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// The components of all documents.
#[derive(Debug, Default)]
pub struct Schemas<'s> {
    /// All types, named and anonymous.
    pub types: Vec<Type<'s>>,
    /// The types that are declared by name, without those of XML Schema itself.
    pub named: HashMap<Name<'s>, TypeId>,
    /// Global elements.
    pub elements: HashMap<Name<'s>, Element<'s>>,
    /// The members of substitution groups by their heads, in the order of the documents.
    pub substitutions: HashMap<Name<'s>, Vec<Name<'s>>>,
    /// The namespaces of schemas, in the order of the documents.
    pub namespaces: Vec<&'s str>,
    /// The prefixes that schemas declare for namespaces, if they are meaningful.
    pub prefixes: HashMap<&'s str, &'s str>,
    /// The types that extend or restrict a complex type in a single step, in the order of the
    /// documents.
    derived: HashMap<TypeId, Vec<TypeId>>,
    /// The names that are referred to but not declared.
    pub(crate) missing: Vec<Missing<'s>>,
    /// Typed sets of tables by their namespaces.
    pub sets: HashMap<&'s str, TypedSet<'s>>,
}

/// The kinds of global components, each with its own symbol space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Symbol {
    Type,
    Element,
    Attribute,
    Group,
    AttributeGroup,
}

impl Symbol {
    /// The name of the kind in diagnostics.
    fn noun(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Element => "element",
            Self::Attribute => "attribute",
            Self::Group => "group",
            Self::AttributeGroup => "attribute group",
        }
    }
}

/// A name that is referred to but not declared.
#[derive(Debug)]
pub(crate) struct Missing<'s> {
    pub symbol: Symbol,
    pub name: Name<'s>,
    /// The first place that refers to it.
    pub place: DocumentSpan,
    /// The number of places that refer to it.
    pub count: usize,
}

/// The reference of an element or an attribute to its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TypeRef<'s> {
    /// A simple type of XML Schema or of the SOAP encoding, or `anyType`, by its local name.
    Builtin(&'s str),
    /// A type that the documents declare.
    Declared(TypeId),
    /// A name that is not declared. It is reported if a message reaches it.
    Missing(Name<'s>),
}

/// A type definition.
#[derive(Debug)]
pub struct Type<'s> {
    /// `None` for an anonymous one.
    pub name: Option<Name<'s>>,
    /// The place where it is defined.
    pub place: DocumentSpan,
    /// Its documentation.
    pub doc: Option<Cow<'s, str>>,
    /// The hints for .NET in the schema: `IsValueType` and the like, by namespace and local name.
    pub hints: Vec<(Name<'s>, &'s str)>,
    /// The values that it allows.
    pub kind: Kind<'s>,
}

/// A simple or a complex type.
#[derive(Debug)]
pub enum Kind<'s> {
    /// Only text.
    Simple(Simple<'s>),
    /// Elements, attributes, or text with attributes.
    Complex(Complex<'s>),
}

/// A simple type (Part 1 §3.14).
#[derive(Debug)]
pub struct Simple<'s> {
    /// Its variety, with the types that it is built from.
    pub variety: Variety<'s>,
    /// The facets of this step of restriction only.
    pub facets: Vec<Facet<'s>>,
    /// The values of `enumeration` of this step, in order.
    pub values: Vec<EnumerationValue<'s>>,
}

impl Simple<'_> {
    /// Whether this step of restriction has any effect.
    fn is_restricted(&self) -> bool {
        !self.facets.is_empty() || !self.values.is_empty()
    }
}

/// The varieties of simple types.
#[derive(Debug)]
pub enum Variety<'s> {
    /// A restriction of another simple type.
    Restriction(TypeRef<'s>),
    /// A list of values of a type.
    List(TypeRef<'s>),
    /// A value of one of these types.
    Union(Vec<TypeRef<'s>>),
}

/// A value of `enumeration`.
#[derive(Debug)]
pub struct EnumerationValue<'s> {
    /// The value.
    pub text: &'s str,
    /// Its documentation.
    pub doc: Option<Cow<'s, str>>,
    /// The number that WCF gives it (`EnumerationValue` in `appinfo`).
    pub number: Option<i64>,
    /// The place where it is declared.
    pub place: DocumentSpan,
}

/// A facet other than `enumeration`: `maxLength` and its value.
#[derive(Debug)]
pub struct Facet<'s> {
    /// Its name in XML Schema 1.0.
    pub name: &'s str,
    /// The text of its `value`.
    pub value: &'s str,
    /// The place where it is declared.
    pub place: DocumentSpan,
}

/// A complex type (Part 1 §3.4).
#[derive(Debug)]
pub struct Complex<'s> {
    /// The type that it extends or restricts.
    pub derivation: Derivation<'s>,
    /// Whether only types that are derived from it occur.
    pub is_abstract: bool,
    /// Whether there may be text between elements.
    pub is_mixed: bool,
    /// Its own attributes, including those of attribute groups, but not those of the type that it
    /// extends or restricts. Their names are distinct.
    pub attributes: Vec<Attribute<'s>>,
    /// The attributes of the restricted type that it prohibits.
    pub prohibited: Vec<Name<'s>>,
    /// The wildcard for other attributes.
    pub any_attribute: Option<Wildcard<'s>>,
    /// The content that this step of derivation adds (`extension`), or the whole content.
    pub content: Content<'s>,
}

/// The derivation of a complex type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Derivation<'s> {
    /// No base, or `anyType`.
    None,
    /// It extends this type.
    Extension(TypeRef<'s>),
    /// It restricts this type.
    Restriction(TypeRef<'s>),
}

/// The content of an element with a complex type.
#[derive(Debug)]
pub enum Content<'s> {
    /// No content, or no new content.
    Empty,
    /// Text of a simple type (`simpleContent`).
    Simple(TypeRef<'s>),
    /// A non-empty model group: its particle is a sequence, a choice or `all`.
    Elements(Particle<'s>),
    /// An array of the SOAP encoding.
    EncodedArray(EncodedArray<'s>),
}

/// An array of the SOAP encoding, by `wsdl:arrayType` or its content.
#[derive(Debug, Clone, Copy)]
pub struct EncodedArray<'s> {
    /// The type of the items, which may be arrays themselves.
    pub item: TypeRef<'s>,
    /// The number of its dimensions.
    pub ranks: u32,
    /// The minimum number of items.
    pub min: u32,
    /// The maximum number of items; `None` for any number.
    pub max: Option<u32>,
}

impl EncodedArray<'static> {
    /// `soapenc:Array`: any number of anything.
    pub const ANY: Self = Self {
        item: TypeRef::Builtin("anyType"),
        ranks: 1,
        min: 0,
        max: None,
    };
}

/// A particle (Part 1 §3.9) in its simplest form: no group is empty, a sequence contains no
/// sequence that occurs once, a choice no such choice, and no group contains a single particle that
/// could have the group's number of occurrences itself.
#[derive(Debug, Clone)]
pub struct Particle<'s> {
    /// `minOccurs`.
    pub min: u32,
    /// `None` for `unbounded`.
    pub max: Option<u32>,
    /// The term that occurs.
    pub term: Term<'s>,
    /// The documentation of a group; elements and wildcards have their own.
    pub doc: Option<Cow<'s, str>>,
    /// The place where it is declared.
    pub place: DocumentSpan,
}

/// A term; groups that are referred to by name are replaced by their content.
#[derive(Debug, Clone)]
pub enum Term<'s> {
    /// An element.
    Element(Box<Element<'s>>),
    /// All of these, in this order.
    Sequence(Vec<Particle<'s>>),
    /// One of these.
    Choice(Vec<Particle<'s>>),
    /// All of these, in any order.
    All(Vec<Particle<'s>>),
    /// Any element that the wildcard allows.
    Any(Wildcard<'s>),
}

/// An element declaration (Part 1 §3.3), global or local.
#[derive(Debug, Clone)]
pub struct Element<'s> {
    /// The name on the wire: no namespace if the element is unqualified.
    pub name: Name<'s>,
    /// The type of its content.
    pub type_ref: TypeRef<'s>,
    /// Whether this refers to a global element (`ref`).
    pub is_reference: bool,
    /// `nillable`: `xsi:nil` may replace the content.
    pub is_nillable: bool,
    /// Whether only members of its substitution group occur.
    pub is_abstract: bool,
    /// `default`.
    pub default: Option<&'s str>,
    /// `fixed`.
    pub fixed: Option<&'s str>,
    /// The head of the substitution group that it is a member of.
    pub substitutes: Option<Name<'s>>,
    /// Its documentation.
    pub doc: Option<Cow<'s, str>>,
    /// The hints for .NET in the schema: `msdata:IsDataSet`, `msprop`, `ActualType` and the like,
    /// by namespace and local name.
    pub hints: Vec<(Name<'s>, &'s str)>,
    /// The place where it is declared.
    pub place: DocumentSpan,
}

impl Element<'_> {
    /// Whether this element and another one look the same on the wire.
    pub fn is_same(&self, other: &Self) -> bool {
        self.name == other.name
            && self.type_ref == other.type_ref
            && self.is_nillable == other.is_nillable
            && (self.default, self.fixed) == (other.default, other.fixed)
    }
}

/// An attribute use (Part 1 §3.5).
#[derive(Debug, Clone)]
pub struct Attribute<'s> {
    /// No namespace if it is unqualified.
    pub name: Name<'s>,
    /// The type of its value.
    pub type_ref: TypeRef<'s>,
    /// `use="required"`.
    pub is_required: bool,
    /// `default`.
    pub default: Option<&'s str>,
    /// `fixed`.
    pub fixed: Option<&'s str>,
    /// Its documentation.
    pub doc: Option<Cow<'s, str>>,
    /// The place where it is declared.
    pub place: DocumentSpan,
}

/// A wildcard (Part 1 §3.10).
#[derive(Debug, Clone)]
pub struct Wildcard<'s> {
    /// The text of `namespace`; `##any` by default.
    pub namespaces: &'s str,
    /// Its documentation.
    pub doc: Option<Cow<'s, str>>,
    /// The place where it is declared.
    pub place: DocumentSpan,
}

impl<'s> Schemas<'s> {
    /// A type by its number.
    pub fn get(&self, id: TypeId) -> &Type<'s> {
        &self.types[id.0 as usize]
    }

    /// The members of a union, each once, including those of nested unions; `None` if there are
    /// more than 256 types.
    pub fn members_of_union(&self, members: &[TypeRef<'s>]) -> Option<Vec<TypeRef<'s>>> {
        let mut open: Vec<_> = members.iter().rev().copied().collect();
        let (mut all, mut seen) = (Vec::new(), HashSet::new());
        while let Some(member) = open.pop() {
            if !seen.insert(member) {
                continue;
            }
            if seen.len() > 256 {
                return None;
            }
            let inner = match member {
                TypeRef::Declared(id) => match &self.get(id).kind {
                    Kind::Simple(simple) if !simple.is_restricted() => Some(&simple.variety),
                    _ => None,
                },
                _ => None,
            };
            match inner {
                Some(Variety::Union(inner)) => open.extend(inner.iter().rev()),
                _ => all.push(member),
            }
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests;
