//! Elements and attributes, and their content.

use svcgen_model::{Absence, Facet, Form, Occurs, SimpleType, ValueConstraint, named_in};

use super::name::Name;

/// An element of a complex type, a parameter, or a result element; or an attribute. A choice or a
/// sequence is an element whose name is not on the wire.
#[derive(Debug, Clone)]
pub struct Element {
    /// The name, and the field or variant in Rust.
    pub name: Name,
    /// The documentation.
    pub documentation: Option<String>,
    /// The type of its content.
    pub type_ref: TypeRef,
    /// Its namespace.
    pub form: Form<String>,
    /// The form of an absent value on the wire.
    pub absence: Absence,
    /// The facets of the values that the schema allows; for a list, those of its items.
    pub facets: Vec<(Facet, String)>,
    /// The member types if the value is of a union: members without names, of simple types and
    /// enumerations.
    pub union: Vec<Self>,
    /// The number of list items that the schema allows.
    pub occurs: Occurs,
    /// Whether Rust keeps it in a `Secret`.
    pub secret: bool,
    /// Whether Rust keeps it in a `SoapHeader`, with the attributes of SOAP.
    pub soap_attributes: bool,
    /// The name in .NET code, if it is another one.
    pub net: Option<String>,
    /// Whether the value needs a `Box`, since its type holds itself or is large.
    pub boxed: bool,
    /// The wildcard, if it is one.
    pub wildcard: Option<Wildcard>,
    /// Whether it stands for the text between elements.
    pub characters: bool,
    /// The value that a missing element stands for, or the only allowed value.
    pub constraint: Option<ValueConstraint<String>>,
}

impl Element {
    /// An element with this type, without anything else.
    pub(crate) fn new(name: Name, type_ref: TypeRef, absence: Absence) -> Self {
        Self {
            name,
            documentation: None,
            type_ref,
            form: Form::Default,
            absence,
            facets: Vec::new(),
            union: Vec::new(),
            occurs: Occurs::ANY,
            secret: false,
            soap_attributes: false,
            net: None,
            boxed: false,
            wildcard: None,
            characters: false,
            constraint: None,
        }
    }

    /// Whether its name is on the wire.
    pub(crate) fn is_named(&self) -> bool {
        self.wildcard.is_none() && !self.characters && self.type_ref.group().is_none()
    }

    /// Whether it is a wildcard for attributes.
    pub(crate) fn is_any_attributes(&self) -> bool {
        let wildcard = self.wildcard.as_ref();
        wildcard.is_some_and(|wildcard| wildcard.of == WildcardOf::Attributes)
    }

    /// Returns the text of the default value of its field, if it differs from the default of its
    /// type.
    pub fn initial(&self) -> Option<&str> {
        let constraint = self.constraint.as_ref();
        let constraint = constraint.filter(|_| self.absence == Absence::Required);
        constraint.map(|constraint| constraint.as_deref().attribute().1)
    }

    /// The bytes that this text takes outside of its value.
    pub(crate) fn bytes_of_initial(&self) -> usize {
        let simple = self.type_ref.simple();
        let is_kept =
            simple.is_some_and(|simple| simple.row().memory == svcgen_model::Memory::LIST);
        self.initial().filter(|_| is_kept).map_or(0, str::len)
    }

    /// Returns the text of its fixed value.
    pub fn fixed(&self) -> Option<&str> {
        match &self.constraint {
            Some(ValueConstraint::Fixed(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns the text of the value for a missing element, if it differs from the default of its
    /// type; an element with this value may be written all the same.
    pub fn missing(&self) -> Option<&str> {
        match &self.constraint {
            Some(ValueConstraint::Default(text) | ValueConstraint::Initial(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns the text of its default value, with which it is omitted.
    pub fn default(&self) -> Option<&str> {
        match &self.constraint {
            Some(ValueConstraint::Default(text)) => Some(text),
            _ => None,
        }
    }

    /// The name as emitted code writes it: `{NAMESPACE}NAME` if it is not in the namespace of its
    /// declaration.
    pub(crate) fn written_name(&self) -> String {
        named_in(self.form.own_namespace(), &self.name.xml)
    }

    /// Returns its name for serde beside others: those of several namespaces may share one.
    pub(crate) fn name_among(&self, all: &[Self]) -> String {
        let of_name = all.iter().filter(|other| other.name.xml == self.name.xml);
        if of_name.count() > 1 {
            self.written_name()
        } else {
            self.name.xml.clone()
        }
    }

    /// Returns the name of its field in a form.
    pub fn field_name(&self) -> &str {
        self.net.as_ref().unwrap_or(&self.name.xml)
    }
}

/// The scope of a wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wildcard {
    /// The kind of nodes that it stands for.
    pub of: WildcardOf,
    /// The namespaces, as in XML Schema; empty for all.
    pub namespaces: String,
}

/// The kind of nodes that a wildcard stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WildcardOf {
    /// Attributes.
    Attributes,
    /// Elements.
    Elements,
    /// The elements among the text of an object. Without a restriction there is no wildcard.
    Text,
}

/// A type, resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeRef {
    /// A simple type.
    Simple(SimpleType),
    /// A simple type in a Rust type of the application, by its path.
    Custom(SimpleType, String),
    /// A complex type.
    Complex(ComplexTypeId),
    /// An enumeration.
    Enumeration(EnumerationId),
    /// A choice or a sequence.
    Group(GroupId),
    /// A list.
    List(Box<ListType>),
    /// Values with texts as keys, in JSON alone.
    Dictionary(Box<DictionaryType>),
}

impl TypeRef {
    /// An unwrapped list of these items.
    pub(crate) fn repeated(item: &str, item_type: Self) -> Self {
        Self::List(Box::new(ListType {
            item: item.to_owned(),
            by_type: false,
            item_form: Form::Default,
            item_type,
            nillable_items: false,
            form: ListForm::Unwrapped,
        }))
    }

    /// Returns the simple type, regardless of its Rust type.
    pub fn simple(&self) -> Option<SimpleType> {
        match self {
            Self::Simple(simple) | Self::Custom(simple, _) => Some(*simple),
            _ => None,
        }
    }

    /// Whether it is a value type in .NET: absent ones are written with `xsi:nil`, others are left
    /// out.
    pub fn by_value(&self) -> bool {
        match self {
            Self::Enumeration(_) => true,
            _ => self.simple().is_some_and(|simple| simple.row().by_value),
        }
    }

    /// Returns the type itself, or the innermost type in a list or dictionary.
    pub fn innermost(&self) -> &Self {
        match self {
            Self::List(list) => list.item_type.innermost(),
            Self::Dictionary(dictionary) => dictionary.value_type.innermost(),
            _ => self,
        }
    }

    /// Whether it is a value of any type, or a list or a dictionary of them.
    pub fn is_object(&self) -> bool {
        matches!(self.innermost(), Self::Simple(SimpleType::AnyType))
    }

    /// The path of the application's Rust type for the values, if there is one.
    pub(crate) fn custom_path(&self) -> Option<&str> {
        match self.innermost() {
            Self::Custom(_, path) => Some(path),
            _ => None,
        }
    }

    /// Returns the choice or the sequence that this type is, or is a list of.
    pub fn group(&self) -> Option<GroupId> {
        match self.innermost() {
            Self::Group(id) => Some(*id),
            _ => None,
        }
    }
}

/// A list of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListType {
    /// The name of an item's element. While a definition is lowered, it is empty for items that are
    /// named after their type, a list.
    pub item: String,
    /// Whether an item is named after its type, a list, whose name depends on the service.
    pub(crate) by_type: bool,
    /// The namespace of an item's element.
    pub item_form: Form<String>,
    /// The type of an item.
    pub item_type: TypeRef,
    /// Whether items may be nil.
    pub nillable_items: bool,
    /// The form of the list on the wire.
    pub form: ListForm,
}

impl ListType {
    /// Whether the items are in an element of the list.
    pub fn is_wrapped(&self) -> bool {
        matches!(self.form, ListForm::Wrapped | ListForm::Collection)
    }

    /// Returns the inner lists of a list of lists.
    pub fn inner(&self) -> Option<&Self> {
        match &self.item_type {
            TypeRef::List(inner) => Some(inner),
            _ => None,
        }
    }
}

/// The form of a list on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListForm {
    /// The items are in an element of the list. The last of several such elements counts.
    Wrapped,
    /// The items are in an element of the list. The items of several such elements are added up.
    Collection,
    /// The items repeat the element.
    Unwrapped,
    /// The items are in the text of the element or the attribute, separated by blanks.
    Text,
}

/// A dictionary, whose keys are texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DictionaryType {
    /// The type of a value.
    pub value_type: TypeRef,
    /// Whether values may be null.
    pub nullable_values: bool,
}

/// The index of a complex type in its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComplexTypeId(pub usize);

/// The index of a choice or a sequence in its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub usize);

/// The index of an enumeration in its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnumerationId(pub usize);
