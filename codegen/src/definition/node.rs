//! The YAML of a file as a tree of numbered nodes, and that tree as a source for serde.
//!
//! serde gives no places and `yaml_serde` keeps the last of repeated keys, so a file is read into nodes first. A node's number is
//! its turn in the document; [`crate::locate`] turns it into a line and a column when something is wrong.

use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, Visitor,
};

use super::{Definition, LOCATED};

/// The most nodes that a file may have once its aliases are followed.
pub(super) const MOST_NODES: u32 = 500_000;

/// The most mistakes in the shape of a file that are looked for.
const MOST_MISTAKES: usize = 100;

/// The turn of a node in its document, 0 for the root. A key and its value are nodes of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(pub u32);

impl NodeId {
    /// The value that stands after this key.
    pub fn value(self) -> Self {
        Self(self.0 + 1)
    }
}

/// Something that no definition can hold, whatever its names mean.
#[derive(Debug)]
pub(crate) struct Mistake {
    pub node: Option<NodeId>,
    /// The map or list around the node.
    pub within: Option<NodeId>,
    /// The name of the entry that the keys belong to which are wrong.
    pub entry: Option<String>,
    pub kind: MistakeKind,
}

#[derive(Debug)]
pub(crate) enum MistakeKind {
    UnknownKey {
        key: String,
        known: &'static [&'static str],
    },
    RepeatedKey {
        key: String,
        first: NodeId,
    },
    WrongKind {
        found: Found,
        expected: String,
        /// The keys of the map that is expected, if they are of the language.
        known: &'static [&'static str],
    },
    Other(String),
}

/// The most characters of a text that messages show.
const MOST_SHOWN: usize = 60;

/// What stands where something else is expected.
#[derive(Debug)]
pub(crate) enum Found {
    Text(String),
    List,
    Map,
    Nothing,
    Other(String),
}

impl Found {
    pub fn in_words(&self) -> String {
        match self {
            Self::Text(text) => match text.char_indices().nth(MOST_SHOWN) {
                None => format!("the text `{text}`"),
                Some((end, _)) => format!("a text that begins with `{}`", &text[..end]),
            },
            Self::List => "a list".to_owned(),
            Self::Map => "a map".to_owned(),
            Self::Nothing => "nothing".to_owned(),
            Self::Other(words) => words.clone(),
        }
    }
}

/// The YAML of a file.
#[derive(Debug, Clone)]
pub(crate) struct Document(Node);

impl Document {
    /// # Errors
    ///
    /// The text is not one YAML document, or a needlessly large one.
    pub fn read(text: &str) -> Result<Self, serde_yaml::Error> {
        Node::read(text).map(Self)
    }

    /// The definition that it holds, and what had to be left out for that.
    pub fn definition(&mut self) -> (Definition, Vec<Mistake>) {
        let Self(root) = self;
        let mut mistakes = Vec::new();
        root.merge(&mut mistakes);
        root.take_repeated_keys(&mut mistakes);
        loop {
            match Definition::deserialize(&*root) {
                Ok(definition) => return (definition, mistakes),
                Err(mut mistake) => {
                    let map = mistake.map();
                    mistake.entry = map.and_then(|map| root.key_of(map)).map(str::to_owned);
                    let removed = mistake.node.is_some_and(|node| root.remove(node));
                    mistakes.push(mistake);
                    if !removed || mistakes.len() > MOST_MISTAKES {
                        return (Definition::default(), mistakes);
                    }
                }
            }
        }
    }

    /// Leaves a key, a value or an item out; says whether it was there.
    pub fn remove(&mut self, node: NodeId) -> bool {
        self.0.remove(node)
    }

    /// Replaces the first `wrong` in a scalar; says whether it was there.
    pub fn replace(&mut self, node: NodeId, wrong: &str, right: &str) -> bool {
        match self.0.find(node).map(|found| &mut found.kind) {
            Some(Kind::Scalar(text)) if text.contains(wrong) => {
                *text = text.replacen(wrong, right, 1);
                true
            }
            _ => false,
        }
    }
}

#[derive(Debug, Clone)]
struct Node {
    id: NodeId,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    /// A scalar as its author wrote it.
    Scalar(String),
    /// Nothing at all where a value could stand, as after `parameters:`.
    Nothing,
    Sequence(Vec<Node>),
    Mapping(Vec<(Node, Node)>),
}

impl Node {
    fn read(text: &str) -> Result<Self, serde_yaml::Error> {
        let mut reader = ReadShape {
            next: 0,
            odd_scalars: false,
        };
        let mut root = reader.deserialize(serde_yaml::Deserializer::from_str(text))?;
        if reader.odd_scalars {
            ReadScalars(&mut root).deserialize(serde_yaml::Deserializer::from_str(text))?;
        }
        Ok(root)
    }

    /// Puts what `<<` names in its place, but for keys that are there already (YAML's type `merge`).
    fn merge(&mut self, mistakes: &mut Vec<Mistake>) {
        match &mut self.kind {
            Kind::Scalar(_) | Kind::Nothing => {}
            Kind::Sequence(items) => items.iter_mut().for_each(|item| item.merge(mistakes)),
            Kind::Mapping(entries) => {
                entries
                    .iter_mut()
                    .for_each(|(_, value)| value.merge(mistakes));
                if entries.iter().any(|(key, _)| key.is_merge()) {
                    *entries = merged(std::mem::take(entries), mistakes);
                }
            }
        }
    }

    fn is_merge(&self) -> bool {
        self.name() == Some("<<")
    }

    fn name(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(name) => Some(name),
            _ => None,
        }
    }

    /// The maps that `<<` is to merge.
    fn into_merged(self, mistakes: &mut Vec<Mistake>) -> Vec<(Self, Self)> {
        match self.kind {
            Kind::Mapping(entries) => entries,
            Kind::Sequence(items) => items
                .into_iter()
                .flat_map(|item| item.into_merged(mistakes))
                .collect(),
            Kind::Scalar(_) | Kind::Nothing => {
                let refused = self.refuse::<()>(&"a map to merge, as in `<<: *name`");
                mistakes.extend(refused.err());
                Vec::new()
            }
        }
    }

    /// Keeps the first of repeated keys.
    fn take_repeated_keys(&mut self, mistakes: &mut Vec<Mistake>) {
        match &mut self.kind {
            Kind::Scalar(_) | Kind::Nothing => {}
            Kind::Sequence(items) => items
                .iter_mut()
                .for_each(|item| item.take_repeated_keys(mistakes)),
            Kind::Mapping(entries) => {
                let mut seen = std::collections::HashMap::new();
                entries.retain(|(key, _)| {
                    let Kind::Scalar(name) = &key.kind else {
                        return true;
                    };
                    let first = *seen.entry(name.clone()).or_insert(key.id);
                    if first != key.id {
                        let kind = MistakeKind::RepeatedKey {
                            key: name.clone(),
                            first,
                        };
                        mistakes.push(Mistake::new(kind).at(key.id));
                    }
                    first == key.id
                });
                entries
                    .iter_mut()
                    .for_each(|(_, value)| value.take_repeated_keys(mistakes));
            }
        }
    }

    /// Removes a key, a value or an item from beneath this node: what stays can be read without it. A value leaves nothing in
    /// its place, and its key too if nothing is what was wrong.
    fn remove(&mut self, id: NodeId) -> bool {
        match &mut self.kind {
            Kind::Scalar(_) | Kind::Nothing => false,
            Kind::Sequence(items) => {
                let before = items.len();
                items.retain(|item| item.id != id);
                items.len() < before || items.iter_mut().any(|item| item.remove(id))
            }
            Kind::Mapping(entries) => {
                let before = entries.len();
                entries.retain(|(key, value)| {
                    key.id != id && !(value.id == id && matches!(value.kind, Kind::Nothing))
                });
                if let Some((_, value)) = entries.iter_mut().find(|(_, value)| value.id == id) {
                    value.kind = Kind::Nothing;
                    return true;
                }
                entries.len() < before
                    || entries
                        .iter_mut()
                        .any(|(key, value)| key.remove(id) || value.remove(id))
            }
        }
    }

    fn find(&mut self, id: NodeId) -> Option<&mut Self> {
        if self.id == id {
            return Some(self);
        }
        match &mut self.kind {
            Kind::Scalar(_) | Kind::Nothing => None,
            Kind::Sequence(items) => items.iter_mut().find_map(|item| item.find(id)),
            Kind::Mapping(entries) => entries
                .iter_mut()
                .find_map(|(key, value)| key.find(id).or_else(|| value.find(id))),
        }
    }

    /// The key whose value a node is.
    fn key_of(&self, id: NodeId) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(_) | Kind::Nothing => None,
            Kind::Sequence(items) => items.iter().find_map(|item| item.key_of(id)),
            Kind::Mapping(entries) => {
                let mut values = entries.iter();
                match values.find(|(_, value)| value.id == id) {
                    Some((key, _)) => key.name(),
                    None => entries.iter().find_map(|(_, value)| value.key_of(id)),
                }
            }
        }
    }

    fn unexpected(&self) -> Unexpected<'_> {
        match &self.kind {
            Kind::Scalar(text) => Unexpected::Str(text),
            Kind::Nothing => Unexpected::Unit,
            Kind::Sequence(_) => Unexpected::Seq,
            Kind::Mapping(_) => Unexpected::Map,
        }
    }

    fn refuse<T>(&self, visitor: &dyn Expected) -> Result<T, Mistake> {
        let mistake: Mistake = serde::de::Error::invalid_type(self.unexpected(), visitor);
        Err(mistake.at(self.id))
    }
}

fn merged(entries: Vec<(Node, Node)>, mistakes: &mut Vec<Mistake>) -> Vec<(Node, Node)> {
    let own = entries.iter().filter(|(key, _)| !key.is_merge());
    let mut seen: HashSet<String> = own
        .filter_map(|(key, _)| key.name())
        .map(str::to_owned)
        .collect();
    let mut all = Vec::new();
    for (key, value) in entries {
        if !key.is_merge() {
            all.push((key, value));
            continue;
        }
        let merged = value.into_merged(mistakes).into_iter();
        all.extend(merged.filter(|(key, _)| {
            let name = key.name();
            name.is_none_or(|name| seen.insert(name.to_owned()))
        }));
    }
    all
}

/// Reads a document into nodes; scalars that YAML takes for something else than text are left empty.
struct ReadShape {
    next: u32,
    odd_scalars: bool,
}

impl ReadShape {
    fn start<E: serde::de::Error>(&mut self) -> Result<NodeId, E> {
        let id = NodeId(self.next);
        self.next += 1;
        if self.next > MOST_NODES {
            return Err(E::custom(format_args!(
                "a definition has at most {MOST_NODES} nodes"
            )));
        }
        Ok(id)
    }

    fn odd<E: serde::de::Error>(&mut self) -> Result<Node, E> {
        self.odd_scalars = true;
        Ok(Node {
            id: self.start()?,
            kind: Kind::Scalar(String::new()),
        })
    }
}

impl<'de> DeserializeSeed<'de> for &mut ReadShape {
    type Value = Node;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut ReadShape {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name, a list or a map without a YAML tag")
    }
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Node, E> {
        Ok(Node {
            id: self.start()?,
            kind: Kind::Scalar(text.to_owned()),
        })
    }
    fn visit_unit<E: serde::de::Error>(self) -> Result<Node, E> {
        self.odd_scalars = true;
        Ok(Node {
            id: self.start()?,
            kind: Kind::Nothing,
        })
    }
    fn visit_none<E: serde::de::Error>(self) -> Result<Node, E> {
        Err(E::custom("the definition is empty"))
    }
    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Node, A::Error> {
        Err(serde::de::Error::custom("a YAML tag means nothing here"))
    }
    fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<Node, E> {
        self.odd()
    }
    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<Node, E> {
        self.odd()
    }
    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<Node, E> {
        self.odd()
    }
    fn visit_i128<E: serde::de::Error>(self, _: i128) -> Result<Node, E> {
        self.odd()
    }
    fn visit_u128<E: serde::de::Error>(self, _: u128) -> Result<Node, E> {
        self.odd()
    }
    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<Node, E> {
        self.odd()
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let id = self.start()?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(&mut *self)? {
            items.push(item);
        }
        Ok(Node {
            id,
            kind: Kind::Sequence(items),
        })
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let id = self.start()?;
        let mut entries = Vec::new();
        while let Some(key) = map.next_key_seed(&mut *self)? {
            entries.push((key, map.next_value_seed(&mut *self)?));
        }
        Ok(Node {
            id,
            kind: Kind::Mapping(entries),
        })
    }
}

/// Reads a document whose shape is known once more, for the text of its scalars: `no`, `1.10` and `null` are names here.
struct ReadScalars<'n>(&'n mut Node);

impl<'de> DeserializeSeed<'de> for ReadScalars<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.0.kind {
            Kind::Scalar(_) | Kind::Nothing => deserializer.deserialize_str(self),
            Kind::Sequence(_) => deserializer.deserialize_seq(self),
            Kind::Mapping(_) => deserializer.deserialize_map(self),
        }
    }
}

impl<'de> Visitor<'de> for ReadScalars<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what was there before")
    }
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        if !(text.is_empty() && matches!(self.0.kind, Kind::Nothing)) {
            self.0.kind = Kind::Scalar(text.to_owned());
        }
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        if let Kind::Sequence(items) = &mut self.0.kind {
            for item in items {
                seq.next_element_seed(ReadScalars(item))?;
            }
        }
        Ok(())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if let Kind::Mapping(entries) = &mut self.0.kind {
            for (key, value) in entries {
                map.next_key_seed(ReadScalars(key))?;
                map.next_value_seed(ReadScalars(value))?;
            }
        }
        Ok(())
    }
}

impl<'n> IntoDeserializer<'n, Mistake> for &'n Node {
    type Deserializer = Self;
    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for &'de Node {
    type Error = Mistake;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match &self.kind {
            Kind::Scalar(text) => visitor.visit_borrowed_str(text),
            Kind::Nothing => visitor.visit_unit(),
            Kind::Sequence(items) => visitor.visit_seq(SeqDeserializer::new(items.iter())),
            Kind::Mapping(entries) => {
                visitor.visit_map(MapDeserializer::new(entries.iter().map(|(k, v)| (k, v))))
            }
        }
        .map_err(|mistake| mistake.at(self.id))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match &self.kind {
            Kind::Scalar(text) if text == "true" => visitor.visit_bool(true),
            Kind::Scalar(text) if text == "false" => visitor.visit_bool(false),
            _ => self.refuse(&"`true` or `false`"),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match &self.kind {
            Kind::Scalar(text) => visitor.visit_borrowed_str(text),
            _ => self.refuse(&"a text"),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match &self.kind {
            Kind::Nothing => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match &self.kind {
            Kind::Sequence(_) => self.deserialize_any(visitor),
            _ => self.refuse(&"a list, as in `[a, b]`"),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match &self.kind {
            Kind::Nothing => {
                visitor.visit_map(MapDeserializer::new(std::iter::empty::<(&Node, &Node)>()))
            }
            Kind::Mapping(_) => self.deserialize_any(visitor),
            _ => self.refuse(&"a map, as in `name: …`"),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        let mut read = self.deserialize_map(visitor);
        if let Err(mistake) = &mut read
            && mistake.node == Some(self.id)
            && let MistakeKind::WrongKind { known, .. } = &mut mistake.kind
        {
            *known = fields;
        }
        read
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        debug_assert_eq!(name, LOCATED);
        visitor.visit_seq(NumberAndValue {
            node: self,
            next: 0,
        })
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str bytes byte_buf unit unit_struct newtype_struct tuple enum
        identifier ignored_any
    }
}

/// A node as [`super::Located`] reads it: its number, then itself.
struct NumberAndValue<'n> {
    node: &'n Node,
    next: u8,
}

impl<'n> SeqAccess<'n> for NumberAndValue<'n> {
    type Error = Mistake;

    fn next_element_seed<T: DeserializeSeed<'n>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Mistake> {
        self.next += 1;
        match self.next {
            1 => seed
                .deserialize(self.node.id.0.into_deserializer())
                .map(Some),
            2 => seed.deserialize(self.node).map(Some),
            _ => Ok(None),
        }
    }
}

impl Mistake {
    fn new(kind: MistakeKind) -> Self {
        Self {
            node: None,
            within: None,
            entry: None,
            kind,
        }
    }

    /// The map whose keys are wrong, or what stands where a map is expected.
    fn map(&self) -> Option<NodeId> {
        match &self.kind {
            MistakeKind::UnknownKey { .. } => self.within,
            MistakeKind::WrongKind { .. } => self.node,
            MistakeKind::RepeatedKey { .. } | MistakeKind::Other(_) => None,
        }
    }

    /// A mistake passes the nodes around it from the inside; the first is where it stands.
    fn at(mut self, node: NodeId) -> Self {
        match self.node {
            None => self.node = Some(node),
            Some(_) => {
                self.within.get_or_insert(node);
            }
        }
        self
    }
}

impl serde::de::Error for Mistake {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(MistakeKind::Other(message.to_string()))
    }
    fn unknown_field(key: &str, known: &'static [&'static str]) -> Self {
        Self::new(MistakeKind::UnknownKey {
            key: key.to_owned(),
            known,
        })
    }
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let found = match found {
            Unexpected::Str(text) => Found::Text(text.to_owned()),
            Unexpected::Seq => Found::List,
            Unexpected::Map => Found::Map,
            Unexpected::Unit => Found::Nothing,
            other => Found::Other(other.to_string()),
        };
        Self::new(MistakeKind::WrongKind {
            found,
            expected: expected.to_string(),
            known: &[],
        })
    }
}

impl std::error::Error for Mistake {}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.kind)
    }
}
