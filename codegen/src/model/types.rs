//! Complex types, choices and sequences, enumerations.

use std::path::Path;
use std::sync::Arc;

use svcgen_language::data_set_schema::DataSetSchema;
use svcgen_model::{GroupKind, Scope, SimpleType, named_in};

use super::element::{ComplexTypeId, Element};
use super::name::Name;

/// A sequence of elements: a type of its own, or the wrapper of an operation's parameters.
#[derive(Debug, Clone)]
pub struct ComplexType {
    /// The name, and the struct in Rust.
    pub name: Name,
    /// Its namespace, and the form of its elements.
    pub scope: Scope<String>,
    /// The root element of a result with this type over HTTP GET and POST, if it has one.
    pub(crate) root: Option<Root>,
    /// The origin, if another file defines it: its items are in another module.
    pub(crate) included: Option<Origin>,
    /// The path of the Rust type, if that is not emitted here.
    pub rust_type: Option<String>,
    /// The documentation.
    pub documentation: Option<String>,
    /// The attributes, those of the types that it extends first.
    pub attributes: Vec<Element>,
    /// The text content instead of elements.
    pub text: Option<Element>,
    /// The schema of the set of tables in the text.
    pub data_set: Option<DataSetSchema>,
    /// The full name in .NET code.
    pub net: Option<String>,
    /// Whether callers over JSON know it even where no operation uses it, and by which name.
    pub script_type: Option<ScriptName>,
    /// The elements, those of the types that it extends first.
    pub elements: Vec<Element>,
    /// Whether it is abstract: values are of types that extend it.
    pub is_abstract: bool,
    /// Whether it is a value type in .NET.
    pub by_value: bool,
    /// Whether its elements may be in any order.
    pub unordered: bool,
    /// The type whose attributes, text and elements come before its own, or that is restricted.
    pub extends: Option<ComplexTypeId>,
    /// Whether it restricts that type, from which it inherits nothing.
    pub restricts: bool,
    /// This type and those that extend it, if there are any.
    pub family: Option<Family>,
    /// Whether an empty value has boxes.
    pub(crate) has_boxes: bool,
    /// Whether it is cloned in place, as it is recursive through a large type.
    pub(crate) clones_in_place: bool,
}

impl ComplexType {
    /// Returns the type whose attributes, text and elements come before its own.
    pub fn inherits(&self) -> Option<ComplexTypeId> {
        self.extends.filter(|_| !self.restricts)
    }

    /// A type with these elements that is emitted here.
    pub(crate) fn new(name: Name, elements: Vec<Element>) -> Self {
        Self {
            name,
            scope: Scope::default(),
            root: None,
            included: None,
            rust_type: None,
            documentation: None,
            attributes: Vec::new(),
            text: None,
            data_set: None,
            net: None,
            script_type: None,
            elements,
            is_abstract: false,
            by_value: false,
            unordered: false,
            extends: None,
            restricts: false,
            family: None,
            has_boxes: false,
            clones_in_place: false,
        }
    }

    /// The name in `xsi:type`: `{NAMESPACE}NAME` if it has a namespace of its own.
    pub(crate) fn qualified_name(&self) -> String {
        named_in(self.scope.namespace.as_deref(), &self.name.xml)
    }

    /// Whether a struct is emitted for it.
    pub(crate) fn is_emitted(&self) -> bool {
        self.included.is_none() && self.rust_type.is_none() && !self.is_abstract
    }

    /// Returns the fields of its struct, in order.
    pub fn fields(&self) -> impl Iterator<Item = &Element> {
        self.attributes
            .iter()
            .chain(&self.text)
            .chain(&self.elements)
    }
}

/// The name by which callers over JSON know a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptName {
    /// Its name in .NET code.
    Net,
    /// Another one.
    Other(String),
}

/// A type and those that extend it, distinguished by `xsi:type`.
#[derive(Debug, Clone)]
pub struct Family {
    /// The enum of all its members.
    pub rust: String,
    /// The type itself first, unless it is abstract.
    pub members: Vec<FamilyMember>,
    /// As for types.
    pub(crate) clones_in_place: bool,
}

/// A type of a family.
#[derive(Debug, Clone, Copy)]
pub struct FamilyMember {
    /// The type.
    pub complex_type: ComplexTypeId,
    /// Whether the value needs a `Box`, since its type holds the family or is large.
    pub boxed: bool,
}

/// Elements of which one is present, or elements of a sequence, which are present together.
#[derive(Debug, Clone)]
pub struct Group {
    /// The enum, or the struct of a sequence.
    pub rust: String,
    /// Whether it is a choice or a sequence.
    pub kind: GroupKind,
    /// The head of the substitution group that the alternatives are in.
    pub head: Option<String>,
    /// The origin, if another file defines it.
    pub(crate) included: Option<Origin>,
    /// The documentation of the enum or the struct.
    pub(crate) about: String,
    /// The alternatives, whose Rust names are those of the variants; or the elements of a sequence.
    pub elements: Vec<Element>,
    /// As for types.
    pub(crate) clones_in_place: bool,
}

impl Group {
    /// Whether it is a sequence.
    pub fn is_sequence(&self) -> bool {
        self.kind == GroupKind::Sequence
    }
}

/// A list of named values.
#[derive(Debug, Clone)]
pub struct Enumeration {
    /// The name, and the enum in Rust.
    pub name: Name,
    /// Its namespace; `None` for that of the service.
    pub namespace: Option<String>,
    /// The origin, if another file defines it.
    pub(crate) included: Option<Origin>,
    /// The path of the Rust type, if that is not emitted here.
    pub rust_type: Option<String>,
    /// The documentation.
    pub documentation: Option<String>,
    /// The name in .NET code with its namespace.
    pub net: Option<String>,
    /// Whether page scripts know it even where no operation uses it.
    pub script_type: bool,
    /// The simple type of the values' texts.
    pub base: SimpleType,
    /// Whether unknown names are kept as `Other(String)`.
    pub is_open: bool,
    /// Whether values are sets of the listed ones.
    pub is_flags: bool,
    /// The values; the first one is the default.
    pub values: Vec<EnumerationValue>,
}

impl Enumeration {
    /// Returns the numbers of its values in .NET.
    pub fn numbers(&self) -> impl Iterator<Item = i64> {
        svcgen_model::numbers(self.is_flags, self.values.iter().map(|value| value.number))
    }
}

/// A value of an enumeration.
#[derive(Debug, Clone)]
pub struct EnumerationValue {
    /// The text on the wire, and the variant in Rust.
    pub name: Name,
    /// The name in .NET code, if it differs.
    pub net: Option<String>,
    /// The number in .NET code, if the definition contains it.
    pub number: Option<i64>,
    /// The documentation.
    pub documentation: Option<String>,
}

impl EnumerationValue {
    /// Returns the name in a form.
    pub fn field_name(&self) -> &str {
        self.net.as_ref().unwrap_or(&self.name.xml)
    }
}

/// The root element of a result over HTTP GET and POST.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// The name.
    pub name: String,
    /// The namespace; `None` for that of the service.
    pub namespace: Option<String>,
}

/// The file that defines an item, and its index there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    pub file: Arc<Path>,
    /// Its index among the items of its kind in the model of that file.
    pub index: usize,
}
