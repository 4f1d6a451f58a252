//! Values whose type is given by `xsi:type`.

use svcgen_model::{MicrosoftType, SimpleType, TextForm};

use super::content::{Content, ValuePlace};
use super::dictionary::Dictionary;
use super::element::Element;
use super::notation::AnyType;
use super::simple::types;
use super::value::Value;
use crate::accept::Accept;
use crate::xml::error::ReadError;
use crate::xml::names::expanded_name;
use crate::xml::namespaces::XML_SCHEMA;

/// The types of a service that an [`Object`] may have; emitted code declares them as an enum. It
/// boxes objects, because objects may contain each other.
pub trait ObjectTypes: Sized {
    /// The names in `xsi:type`, `{NAMESPACE}NAME` in a namespace of their own.
    const NAMES: &'static [&'static str];

    /// Reads a value of the type `NAMES[index]`.
    fn read(index: usize, element: &mut Element<'_>) -> Result<Self, ReadError>;

    /// Writes the value as an element of this name, with its type.
    fn write(&self, name: &str, out: &mut Content<'_>);
}

/// No type at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NoTypes {}

impl ObjectTypes for NoTypes {
    const NAMES: &'static [&'static str] = &[];

    fn read(_index: usize, element: &mut Element<'_>) -> Result<Self, ReadError> {
        let message = "There is no type of this name.".to_owned();
        Err(element.error(crate::xml::ReadErrorKind::Value, message))
    }

    fn write(&self, _name: &str, _out: &mut Content<'_>) {
        match *self {}
    }
}

/// Declares the type, with a variant for each simple type.
macro_rules! objects {
    ($($(#[cfg($feature:meta)])? $variant:ident($type:ty) $about:literal;)*) => {
        /// A value of any type, which `xsi:type` names (XML Schema `anyType`, .NET `object`). `T`
        /// is an enum of the types of the service.
        ///
        /// ```
        /// use svcgen::types::Object;
        ///
        /// let object: Object = Object::Int(7);
        /// assert_ne!(object, Object::Long(7));
        /// ```
        ///
        /// A value without `xsi:type`, or of a type that the service does not know, is kept as XML.
        /// Simple types of XML Schema for which .NET has no type are read as text, as in .NET.
        #[derive(Debug, Clone, PartialEq, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum Object<T = NoTypes> {
            /// An empty element without a type: `new object()`.
            #[default]
            Empty,
            $(
                #[doc = $about]
                $(#[cfg($feature)])?
                $variant($type),
            )*
            /// `ArrayOfAnyType`; absent items are nil.
            List(Vec<Option<Self>>),
            /// An array of values of one simple type, such as `ArrayOfInt`, with that type; absent
            /// items are nil.
            Array(#[cfg_attr(feature = "serde", serde(with = "simple_name"))] SimpleType, Vec<Option<Self>>),
            /// An object without a type that the service knows, in JSON only: a
            /// `Dictionary<string, object>` of .NET. Absent values are null.
            Dictionary(Dictionary<Option<Self>>),
            /// A value of a type of the service.
            Own(T),
            /// Anything else: the content of the element, with its attributes.
            Xml(types::XmlFragment),
        }

        impl<T: ObjectTypes> Object<T> {
            /// The type of a simple value.
            pub fn simple_type(&self) -> Option<SimpleType> {
                match self {
                    $($(#[cfg($feature)])? Self::$variant(_) => Some(SimpleType::$variant),)*
                    _ => None,
                }
            }

            /// Reads a value of a simple type; `None` if it has no variant.
            fn read_simple(simple: SimpleType, element: &mut Element<'_>) -> Result<Option<Self>, ReadError> {
                Ok(match simple {
                    $($(#[cfg($feature)])? SimpleType::$variant => Some(Self::$variant(element.value()?)),)*
                    _ => None,
                })
            }

            /// The name of the type of an array of values of a simple type; `None` if the type has
            /// no variant.
            fn array_name(simple: SimpleType) -> Option<&'static str> {
                match simple {
                    $($(#[cfg($feature)])? SimpleType::$variant => Some(concat!("ArrayOf", stringify!($variant))),)*
                    _ => None,
                }
            }

            /// Writes a simple value without its type.
            fn write_simple(&self, name: &str, out: &mut Content<'_>) {
                match self {
                    $($(#[cfg($feature)])? Self::$variant(value) => value.write(name, out),)*
                    _ => {}
                }
            }
        }
    };
}

objects! {
    String(String) "`string`, and types of XML Schema that .NET keeps as text.";
    Boolean(bool) "`boolean`.";
    Int(i32) "`int`.";
    Long(i64) "`long`.";
    Short(i16) "`short`.";
    Byte(i8) "`byte`, .NET `sbyte`.";
    UnsignedByte(u8) "`unsignedByte`, .NET `byte`.";
    UnsignedShort(u16) "`unsignedShort`.";
    UnsignedInt(u32) "`unsignedInt`.";
    UnsignedLong(u64) "`unsignedLong`.";
    Float(f32) "`float`.";
    Double(f64) "`double`.";
    #[cfg(feature = "decimal")] Decimal(types::Decimal) "`decimal`.";
    Char(char) "`char` of Microsoft's namespace.";
    #[cfg(feature = "guid")] Guid(types::Guid) "`guid` of Microsoft's namespace.";
    #[cfg(feature = "time")] DateTime(types::DateTime) "`dateTime`.";
    #[cfg(feature = "time")] Date(types::Date) "`date`.";
    #[cfg(feature = "time")] Time(types::Time) "`time`.";
    Base64Binary(Vec<u8>) "`base64Binary`.";
    HexBinary(types::HexBinary) "`hexBinary`.";
    QName(types::QName) "`QName`.";
}

/// A simple type by its name.
#[cfg(feature = "serde")]
mod simple_name {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};
    use svcgen_model::SimpleType;

    pub(super) fn serialize<S: Serializer>(
        simple: &SimpleType,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(simple.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<SimpleType, D::Error> {
        let name = String::deserialize(deserializer)?;
        SimpleType::of_name(&name).ok_or_else(|| D::Error::custom("no simple type has this name"))
    }
}

/// The kind of an [`Object`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    /// An empty object, in another notation than XML.
    Empty,
    /// A value of a simple type.
    Simple(SimpleType),
    /// A list of objects.
    List,
    /// An array of values of one simple type.
    Array(SimpleType),
    /// An object without a known type but with members, in another notation than XML:
    /// [`Element::entries`] reads them.
    Dictionary,
    /// A value of one of the types of the service, by its index.
    Own(usize),
    /// Anything else.
    Xml,
}

/// The name of the type of a list of objects.
const LIST: &str = "ArrayOfAnyType";

impl Object {
    /// The kind that a name in `xsi:type` denotes, given the names of the types of the service.
    fn named(names: &[&str], namespace: &str, own: &str, name: &str) -> ObjectKind {
        let simple = SimpleType::of_name(name).filter(|simple| !simple.is_xml());
        match namespace {
            XML_SCHEMA if name == SimpleType::AnyType.name() => ObjectKind::Xml,
            XML_SCHEMA => {
                let known = simple.filter(|simple| simple.row().microsoft.is_none());
                match known.filter(|simple| <Object>::array_name(*simple).is_some()) {
                    Some(simple) => ObjectKind::Simple(simple),
                    // A type whose feature is off is kept as XML.
                    None if known.is_some_and(|simple| !is_text_in_net(simple)) => ObjectKind::Xml,
                    None => ObjectKind::Simple(SimpleType::String),
                }
            }
            MicrosoftType::NAMESPACE => {
                match simple.filter(|simple| simple.row().microsoft.is_some()) {
                    Some(simple) if <Object>::array_name(simple).is_some() => {
                        ObjectKind::Simple(simple)
                    }
                    _ => ObjectKind::Xml,
                }
            }
            _ => {
                let is_it = |known: &&str| {
                    let expanded = expanded_name(known);
                    expanded.unwrap_or((own, known)) == (namespace, name)
                };
                if let Some(index) = names.iter().position(is_it) {
                    return ObjectKind::Own(index);
                }
                if namespace != own {
                    return ObjectKind::Xml;
                }
                if name == LIST {
                    return ObjectKind::List;
                }
                let mut all = SimpleType::ALL.iter().copied();
                let simple = all.find(|simple| <Object>::array_name(*simple) == Some(name));
                simple.map_or(ObjectKind::Xml, ObjectKind::Array)
            }
        }
    }
}

impl Element<'_> {
    /// Returns the kind of a value of the type `anyType`; `names` are those of the types of the
    /// service, as in [`ObjectTypes::NAMES`]. The value is still to be read.
    ///
    /// # Errors
    ///
    /// Returns an error in a form or an attribute, which cannot hold an object.
    pub fn object_kind(&mut self, names: &[&str]) -> Result<ObjectKind, ReadError> {
        if let Some((source, node)) = self.source() {
            return Ok(match source.any_type(node, names)? {
                AnyType::Simple(simple) => ObjectKind::Simple(simple),
                AnyType::List => ObjectKind::List,
                AnyType::Dictionary => ObjectKind::Dictionary,
                AnyType::Own(index) => ObjectKind::Own(index),
                AnyType::Empty => ObjectKind::Empty,
            });
        }
        self.no_form("An object")?;
        self.open_leaf();
        let own = self.tokens.type_namespace();
        let Some((namespace, name)) = self.tokens.type_name()? else {
            return Ok(ObjectKind::Xml);
        };
        if self.tokens.is_nil() {
            return Ok(ObjectKind::Xml);
        }
        let mut kind = <Object>::named(names, namespace, own, name);
        if kind == ObjectKind::Xml && self.tokens.accepted.has(Accept::TypeNames) {
            let is_simple = SimpleType::of_name(name).is_some();
            let simple = [XML_SCHEMA, MicrosoftType::NAMESPACE];
            let others = [own]
                .into_iter()
                .chain(simple)
                .take(if is_simple { 3 } else { 1 });
            let mut kinds = others.map(|namespace| <Object>::named(names, namespace, own, name));
            kind = kinds.find(|kind| *kind != ObjectKind::Xml).unwrap_or(kind);
        }
        // Values that .NET keeps as text are trimmed, except for those of the text types
        // themselves.
        let is_kept = kind == ObjectKind::Simple(SimpleType::String);
        if is_kept && !matches!(name, "string" | "normalizedString") {
            self.text_form = TextForm::Trimmed;
        }
        Ok(kind)
    }
}

impl<T: ObjectTypes> Object<T> {
    /// Reads the items of an array.
    fn read_items(
        item: SimpleType,
        element: &mut Element<'_>,
    ) -> Result<Vec<Option<Self>>, ReadError> {
        let mut items: Vec<Option<Self>> = Vec::new();
        element.items(item.name(), &mut |_, element| {
            let place = element.add(&mut items)?;
            if element.take_absent(false)? {
                return Ok(());
            }
            *place = if item == SimpleType::AnyType {
                Some(element.value()?)
            } else {
                Self::read_simple(item, element)?
            };
            Ok(())
        })?;
        Ok(items)
    }
}

/// Whether .NET keeps values of a type as text.
fn is_text_in_net(simple: SimpleType) -> bool {
    simple.is_text() || simple.row().net == simple.name()
}

impl<T: ObjectTypes> Value for Object<T> {
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        *self = match element.object_kind(T::NAMES)? {
            ObjectKind::Empty => Self::Empty,
            ObjectKind::Simple(simple) => Self::read_simple(simple, element)?.unwrap_or_default(),
            ObjectKind::List => Self::List(Self::read_items(SimpleType::AnyType, element)?),
            ObjectKind::Array(simple) => Self::Array(simple, Self::read_items(simple, element)?),
            ObjectKind::Dictionary => Self::Dictionary(element.value()?),
            ObjectKind::Own(index) => Self::Own(T::read(index, element)?),
            ObjectKind::Xml => {
                let fragment = element.raw()?;
                if fragment.is_empty() && fragment.attributes().is_empty() {
                    Self::Empty
                } else {
                    Self::Xml(fragment)
                }
            }
        };
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        if !out.is_element() && !out.is_sink() {
            return out.no_form(name, "an object");
        }
        match self {
            Self::Empty => out.empty_object(name),
            Self::Own(value) => value.write(name, out),
            Self::Xml(fragment) => fragment.write(name, out),
            Self::List(items) => {
                out.object_list(name, SimpleType::AnyType, &mut |item_name, out| {
                    for item in items {
                        item.write_nillable(item_name, out);
                    }
                });
            }
            Self::Dictionary(entries) => entries.write(name, out),
            Self::Array(simple, items) => {
                out.object_list(name, *simple, &mut |item_name, out| {
                    for item in items {
                        match item {
                            None => out.nil(item_name),
                            Some(value) if value.simple_type() == Some(*simple) => {
                                value.write_simple(item_name, out);
                            }
                            Some(_) => out.fail(format!(
                                "'{name}' is an array of the type {simple:?}, and an item of it is of another type."
                            )),
                        }
                    }
                });
            }
            _ => {
                let Some(simple) = self.simple_type() else {
                    return;
                };
                out.object_value(name, simple, &mut |name, out| self.write_simple(name, out));
            }
        }
    }
}

impl Content<'_> {
    /// Writes a value that is not an object as an element with its type in `xsi:type`.
    pub fn described<T: Value>(&mut self, name: &str, type_name: &'static str, value: &T) {
        self.with_derived_type(type_name, |out| value.write(name, out));
    }

    /// Writes an empty object.
    pub fn empty_object(&mut self, name: &str) {
        self.start(name, &[]);
        self.end_inline(name);
    }

    /// Writes a list of objects, or an array of values of one simple type, as a value of the type
    /// `anyType`. `write` writes each item as an element with the given name.
    pub fn object_list(
        &mut self,
        name: &str,
        item: SimpleType,
        write: &mut dyn FnMut(&str, &mut Self),
    ) {
        let array = match item {
            SimpleType::AnyType => Some(LIST),
            simple => <Object>::array_name(simple),
        };
        let Some(array) = array else {
            return self.fail(format!("'{name}' is an array of the type {item:?}."));
        };
        self.with_derived_type(array, |out| out.start_list(name));
        write(item.name(), self);
        self.end_list(name);
    }

    /// Writes a value of a simple type as a value of the type `anyType`, by calling `write`, which
    /// writes it as an element with the given name.
    pub fn object_value(
        &mut self,
        name: &str,
        simple: SimpleType,
        write: &mut dyn FnMut(&str, &mut Self),
    ) {
        if self.is_sink() {
            return write(name, self);
        }
        self.typed(name, simple, |out| write("text", out));
    }

    /// Writes a simple value with its type in `xsi:type`.
    fn typed(&mut self, name: &str, simple: SimpleType, write: impl FnOnce(&mut Self)) {
        self.open(name);
        let type_name = simple.name();
        if simple.row().microsoft.is_some() {
            self.attribute_text("xmlns:q1", MicrosoftType::NAMESPACE);
            self.attribute_text("xsi:type", &format!("q1:{type_name}"));
        } else {
            if !self.is_declared("xsd", XML_SCHEMA) {
                self.attribute_text("xmlns:xsd", XML_SCHEMA);
            }
            self.attribute_text("xsi:type", &format!("xsd:{type_name}"));
        }
        self.at_place(ValuePlace::Text, write);
        self.end_inline(name);
    }
}
