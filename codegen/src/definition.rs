//! READ: text → [`Definition`], the YAML as written.
//!
//! These structs are the definition language: a key is a field here and a section in `service-defs/README.md`. Nothing is
//! required and nothing is resolved at this stage; what is missing or wrong is for lowering to say.

mod node;
#[cfg(feature = "schema")]
mod schema;
mod syntax;

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use node::MOST_NODES;
pub(crate) use node::{Document, Found, Mistake, MistakeKind, NodeId};
#[cfg(feature = "schema")]
pub use schema::schema;
pub(crate) use syntax::{Lines, complaint, line_column};

/// A definition file.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Definition {
    /// The service's name in its WSDL. Rust names are made from it: `GreeterHandler`, `GreeterServer`, `GreeterClient`, module `greeter`.
    pub service: Option<Located<String>>,
    /// Another name to make the Rust names from.
    pub rust: Option<Located<String>>,
    /// The XML namespace of all elements: an absolute URI.
    pub namespace: Option<Located<String>>,
    /// The path of the service's URL. The HTTP GET and POST bindings add `/OPERATION`.
    pub path: Option<Located<String>>,
    /// The bindings that operations are offered over: `soap11`, `soap12`, `http-get`, `http-post`.
    pub bindings: Option<Located<Vec<Located<String>>>>,
    /// How the SOAP messages of operations are laid out: `document`, or `rpc` (rpc/literal: parameters and results in no namespace).
    pub style: Option<Located<String>>,
    /// Whether the elements of types are in the namespace: `qualified` or `unqualified`.
    pub element_form: Option<Located<String>>,
    /// Documentation of the module.
    pub doc: Option<String>,
    /// Files whose types this one uses.
    pub include: Vec<Located<PathOrMap>>,
    /// The codes of warnings that are not wanted in this file. `svcgen explain` lists all.
    pub allow: Vec<Located<String>>,
    /// A map from operations' names to what is said of them. At least one.
    pub operations: Entries<OperationDefinition>,
    /// A map from SOAP headers' names to their types.
    pub headers: Entries<Located<TypeOrMap<HeaderKeys>>>,
    /// A map from faults' names to the types of their details.
    pub faults: Entries<Located<TypeOrMap<FaultKeys>>>,
    /// A map from complex types' names to what is said of them.
    pub types: Entries<TypeDefinition>,
    /// A map from enumerations' names to their values.
    pub enums: Entries<EnumDefinition>,
}

impl Definition {
    /// The names of all types and enumerations.
    pub fn names_of_types(&self) -> impl Iterator<Item = &str> {
        let types = self.types.0.iter().map(|(key, _)| key);
        let enums = self.enums.0.iter().map(|(key, _)| key);
        types.chain(enums).map(|key| key.value.as_str())
    }
}

/// An entry of `include`: the path of a file, or a map that says more.
#[derive(Debug)]
pub(crate) enum PathOrMap {
    Path(String),
    Map(IncludeKeys),
}

/// The map form of a file that is included.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct IncludeKeys {
    /// The path of the file, relative to the file that includes it.
    pub file: Option<Located<String>>,
    /// The path of its module, as seen from the module of this file.
    pub module: Option<Located<String>>,
}

impl Located<PathOrMap> {
    /// The keys of the map form; the short form is `file` alone.
    pub fn keys(&self) -> IncludeKeys {
        match &self.value {
            PathOrMap::Map(keys) => keys.clone(),
            PathOrMap::Path(path) => IncludeKeys {
                file: Some(Located {
                    value: path.clone(),
                    node: self.node,
                }),
                module: None,
            },
        }
    }
}

/// An entry of `operations`.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct OperationDefinition {
    /// The name of the methods in Rust, and of the request struct (`SayHelloRequest`).
    pub rust: Option<Located<String>>,
    /// Documentation of the methods.
    pub doc: Option<String>,
    /// A map from parameters' names to types: the child elements of the request, in this order.
    pub parameters: Entries<Located<TypeOrMap>>,
    /// The type of the result, or the map form of an element.
    pub result: Option<Located<TypeOrMap>>,
    /// The bindings of this operation. Those over HTTP GET and POST cannot carry objects as parameters.
    pub bindings: Option<Located<Vec<Located<String>>>>,
    /// The SOAPAction.
    pub action: Option<Located<String>>,
    /// The request wrapper element.
    pub request: Option<Located<String>>,
    /// The response wrapper element.
    pub response: Option<Located<String>>,
    /// The element of the result in the response wrapper.
    pub result_element: Option<Located<String>>,
    /// The style of this operation.
    pub style: Option<Located<String>>,
    /// Whether nothing is answered over SOAP: the caller hears that the request was read (`202 Accepted`), not what came of it. No result, no faults. Over HTTP GET and POST it is an operation without a result.
    pub one_way: Option<Located<bool>>,
    /// The SOAP headers that it takes and answers.
    pub headers: HeadersOfOperation,
    /// The names of the faults that it may answer with, for its documentation.
    pub faults: Vec<Located<String>>,
}

/// The SOAP headers of an operation, by their names.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct HeadersOfOperation {
    /// The headers of requests.
    pub r#in: Vec<Located<String>>,
    /// The headers of answers.
    pub out: Vec<Located<String>>,
}

/// The map form of an entry of `headers`.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct HeaderKeys {
    /// The type of the header: anything but a list.
    pub r#type: Option<Located<String>>,
    /// The name of the field.
    pub rust: Option<Located<String>>,
    /// Documentation of the field.
    pub doc: Option<String>,
    /// Whether the value is hidden.
    pub secret: Option<Located<bool>>,
    /// Whether a request without it is refused; its field is then no `Option`, unless its type is `T?`.
    pub required: Option<Located<bool>>,
    /// Whether it is sent with `soap:mustUnderstand="1"`.
    pub must_understand: Option<Located<bool>>,
}

/// The map form of an entry of `faults`.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct FaultKeys {
    /// The complex type of the detail.
    pub r#type: Option<Located<String>>,
    /// What the fault says.
    pub doc: Option<String>,
}

/// An entry of `types`.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TypeDefinition {
    /// The name of the struct.
    pub rust: Option<Located<String>>,
    /// Documentation of the struct.
    pub doc: Option<String>,
    /// The path, as seen from the emitted module, of a Rust type that another service's module or the crate has already. It is imported instead of emitted, so that services share it; it implements `svcgen::Complex`.
    pub rust_type: Option<Located<String>>,
    /// The type whose attributes, text and elements come before the own ones; at most 64 in a row.
    pub extends: Option<Located<String>>,
    /// Whether no value is of this type, only of types that extend it.
    pub r#abstract: Option<Located<bool>>,
    /// A map from attributes' names to simple types and enumerations. `T?` is left out when it is absent.
    pub attributes: Entries<Located<TypeOrMap<SimpleKeys>>>,
    /// The type of the text that stands there instead of elements: a simple type or an enumeration. The field is called `value`.
    pub text: Option<Located<TypeOrMap<SimpleKeys>>>,
    /// A map from elements' names to types, in the order of the wire.
    pub elements: Entries<Located<TypeOrMap>>,
}

/// A parameter, a result or an element of a type: a type alone, or a map that says more.
#[derive(Debug, Clone)]
pub(crate) enum TypeOrMap<K = ElementKeys> {
    Type(String),
    Map(K),
}

/// The map form of an attribute or of the text of a type.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SimpleKeys {
    /// The type.
    pub r#type: Option<Located<String>>,
    /// The name of the field.
    pub rust: Option<Located<String>>,
    /// Documentation of the field.
    pub doc: Option<String>,
    /// Whether the value is hidden.
    pub secret: Option<Located<bool>>,
    /// The Rust type of the value, as for elements.
    pub rust_type: Option<Located<String>>,
}

/// The map form of an element.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ElementKeys {
    /// The type.
    pub r#type: Option<Located<String>>,
    /// The name of the field.
    pub rust: Option<Located<String>>,
    /// Documentation of the field.
    pub doc: Option<String>,
    /// Whether `Debug`, errors and traces hide the value. For `string` and `base64Binary`.
    pub secret: Option<Located<bool>>,
    /// How an absent value is written: `omit` leaves the element out, `nil` writes `xsi:nil="true"`. Reading accepts both.
    pub absent: Option<Located<String>>,
    /// The name of a list's item elements. Of a list of lists, that of the inner items, or both: `[row, cell]`.
    pub item: Option<Located<ItemNames>>,
    /// `unwrapped` repeats the element itself, without one around its items. For `T[]`.
    pub list: Option<Located<String>>,
    /// The path of a Rust type of your own for a simple value, as seen from the emitted module. It implements `svcgen::Value`, `Default`, `Debug`, `Clone` and `PartialEq`.
    pub rust_type: Option<Located<String>>,
    /// Elements of which one is there, instead of `type`: a map from elements to types. In Rust an enum named after the type and the choice, `PersonContact`. `rust` of an alternative names the variant.
    pub choice: Option<Located<Entries<Located<TypeOrMap>>>>,
    /// Whether none of a choice may be there.
    pub optional: Option<Located<bool>>,
}

/// The names of the items of a list: of the innermost ones, or of each level.
#[derive(Debug, Clone)]
pub(crate) enum ItemNames {
    Innermost(String),
    Each(Vec<Located<String>>),
}

/// An entry of `enums`: a list of values, or a map that says more.
#[derive(Debug, Default)]
pub(crate) struct EnumDefinition(pub EnumKeys);

/// The map form of an enumeration.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct EnumKeys {
    /// The name of the enum.
    pub rust: Option<Located<String>>,
    /// Documentation of the enum.
    pub doc: Option<String>,
    /// The path of a Rust enum that is imported instead of emitted, as for types; it implements `svcgen::Enumeration` and `svcgen::Value`.
    pub rust_type: Option<Located<String>>,
    /// Whether names that are not listed are kept, as `Other(String)`, and written back.
    pub open: Option<Located<bool>>,
    /// The values: names, or maps from one name to what is said of it.
    pub values: Vec<Located<NameOrMap>>,
}

/// A value of an enumeration: a name, or a map of one name to what is said about it.
#[derive(Debug)]
pub(crate) enum NameOrMap {
    Name(String),
    Map(Entries<ValueKeys>),
}

/// What can be said about a value.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ValueKeys {
    /// The name of the variant.
    pub rust: Option<Located<String>>,
    /// Documentation of the variant.
    pub doc: Option<String>,
}

/// A value and the node that it was read from.
#[derive(Debug, Clone)]
pub(crate) struct Located<T> {
    pub value: T,
    pub node: NodeId,
}

/// A mapping from names to `T`, in the order of the file.
#[derive(Debug, Clone)]
pub(crate) struct Entries<T>(pub Vec<(Located<String>, T)>);

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// The name by which [`Located`] asks a node for its number.
const LOCATED: &str = "$svcgen::Located";

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pair<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Pair<T> {
            type Value = Located<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a node")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let missing = || serde::de::Error::custom("a node has a number and a value");
                let node = NodeId(seq.next_element()?.ok_or_else(missing)?);
                let value = seq.next_element()?.ok_or_else(missing)?;
                Ok(Located { value, node })
            }
        }
        deserializer.deserialize_tuple_struct(LOCATED, 2, Pair(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for InOrder<T> {
            type Value = Entries<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map from names")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(InOrder(PhantomData))
    }
}

impl<'de, K: Deserialize<'de>> Deserialize<'de> for TypeOrMap<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Forms<K>(PhantomData<K>);
        impl<'de, K: Deserialize<'de>> Visitor<'de> for Forms<K> {
            type Value = TypeOrMap<K>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a type such as `string?`, or a map with the key `type`")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(TypeOrMap::Type(text.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                K::deserialize(MapAccessDeserializer::new(map)).map(TypeOrMap::Map)
            }
        }
        deserializer.deserialize_any(Forms(PhantomData))
    }
}

impl<'de> Deserialize<'de> for PathOrMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Forms;
        impl<'de> Visitor<'de> for Forms {
            type Value = PathOrMap;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the path of a file, or a map with the key `file`")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(PathOrMap::Path(text.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                IncludeKeys::deserialize(MapAccessDeserializer::new(map)).map(PathOrMap::Map)
            }
        }
        deserializer.deserialize_any(Forms)
    }
}

impl<'de> Deserialize<'de> for ItemNames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Forms;
        impl<'de> Visitor<'de> for Forms {
            type Value = ItemNames;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name, or a list of two names")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(ItemNames::Innermost(text.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(ItemNames::Each)
            }
        }
        deserializer.deserialize_any(Forms)
    }
}

impl<'de> Deserialize<'de> for NameOrMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Forms;
        impl<'de> Visitor<'de> for Forms {
            type Value = NameOrMap;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name, or a map from one name to what is said about it")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(NameOrMap::Name(text.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                Entries::deserialize(MapAccessDeserializer::new(map)).map(NameOrMap::Map)
            }
        }
        deserializer.deserialize_any(Forms)
    }
}

impl<'de> Deserialize<'de> for EnumDefinition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Forms;
        impl<'de> Visitor<'de> for Forms {
            type Value = EnumDefinition;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of names, or a map with the key `values`")
            }
            fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
                Ok(EnumDefinition(EnumKeys::default()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                let values = Vec::deserialize(SeqAccessDeserializer::new(seq))?;
                Ok(EnumDefinition(EnumKeys {
                    values,
                    ..EnumKeys::default()
                }))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                EnumKeys::deserialize(MapAccessDeserializer::new(map)).map(EnumDefinition)
            }
        }
        deserializer.deserialize_any(Forms)
    }
}
