//! READ: text → [`Definition`], the YAML as written.
//!
//! These structs are the definition language: a key is a field here and a section in `service-defs/README.md`. Nothing is
//! required and nothing is resolved at this stage; what is missing or wrong is for lowering to say.

mod node;
mod syntax;

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use node::MOST_NODES;
pub(crate) use node::{Found, Mistake, MistakeKind, NodeId, read};
pub(crate) use syntax::{complaint, line_column, offset};

/// A definition file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Definition {
    pub service: Option<Located<String>>,
    pub rust: Option<Located<String>>,
    pub namespace: Option<Located<String>>,
    pub path: Option<Located<String>>,
    pub bindings: Option<Located<Vec<Located<String>>>>,
    pub style: Option<Located<String>>,
    pub element_form: Option<Located<String>>,
    pub doc: Option<String>,
    pub operations: Entries<OperationDefinition>,
    pub headers: Entries<Located<TypeOrMap<HeaderKeys>>>,
    pub faults: Entries<Located<TypeOrMap<FaultKeys>>>,
    pub types: Entries<TypeDefinition>,
    pub enums: Entries<EnumDefinition>,
}

/// An entry of `operations`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct OperationDefinition {
    pub rust: Option<Located<String>>,
    pub doc: Option<String>,
    pub parameters: Entries<Located<TypeOrMap>>,
    pub result: Option<Located<TypeOrMap>>,
    pub bindings: Option<Located<Vec<Located<String>>>>,
    pub action: Option<Located<String>>,
    pub request: Option<Located<String>>,
    pub response: Option<Located<String>>,
    pub result_element: Option<Located<String>>,
    pub style: Option<Located<String>>,
    pub one_way: Option<Located<bool>>,
    pub headers: HeadersOfOperation,
    pub faults: Vec<Located<String>>,
}

/// The SOAP headers of an operation, by their names.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct HeadersOfOperation {
    pub r#in: Vec<Located<String>>,
    pub out: Vec<Located<String>>,
}

/// The map form of an entry of `headers`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct HeaderKeys {
    pub r#type: Option<Located<String>>,
    pub rust: Option<Located<String>>,
    pub doc: Option<String>,
    pub secret: Option<Located<bool>>,
    pub required: Option<Located<bool>>,
    pub must_understand: Option<Located<bool>>,
}

/// The map form of an entry of `faults`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct FaultKeys {
    pub r#type: Option<Located<String>>,
    pub doc: Option<String>,
}

/// An entry of `types`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TypeDefinition {
    pub rust: Option<Located<String>>,
    pub doc: Option<String>,
    pub rust_type: Option<Located<String>>,
    pub extends: Option<Located<String>>,
    pub r#abstract: Option<Located<bool>>,
    pub attributes: Entries<Located<TypeOrMap<SimpleKeys>>>,
    pub text: Option<Located<TypeOrMap<SimpleKeys>>>,
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
#[serde(default, deny_unknown_fields)]
pub(crate) struct SimpleKeys {
    pub r#type: Option<Located<String>>,
    pub rust: Option<Located<String>>,
    pub doc: Option<String>,
    pub secret: Option<Located<bool>>,
    pub rust_type: Option<Located<String>>,
}

/// The map form of an element.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ElementKeys {
    pub r#type: Option<Located<String>>,
    pub rust: Option<Located<String>>,
    pub doc: Option<String>,
    pub secret: Option<Located<bool>>,
    pub absent: Option<Located<String>>,
    pub item: Option<Located<ItemNames>>,
    pub list: Option<Located<String>>,
    pub rust_type: Option<Located<String>>,
    pub choice: Option<Located<Entries<Located<TypeOrMap>>>>,
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
#[serde(default, deny_unknown_fields)]
pub(crate) struct EnumKeys {
    pub rust: Option<Located<String>>,
    pub doc: Option<String>,
    pub rust_type: Option<Located<String>>,
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
#[serde(default, deny_unknown_fields)]
pub(crate) struct ValueKeys {
    pub rust: Option<Located<String>>,
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
