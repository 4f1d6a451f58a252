//! Nodes with two forms: short, as a text or a list, or as a map of keys.

use svcgen_model::Facet;

use super::mistakes::Expected;
use super::read::{Entries, Keys, Read, Reader, key};
use super::{
    ElementKeys, EnumDefinition, EnumKeys, FacetKeys, FaultKeys, HeaderKeys, ItemNames, Located,
    MemberKeys, NameOrMap, NodeId, Shape, SimpleKeys, Texts,
};
use crate::yaml::{Content, Node};

impl<K: Keys> Read for Shape<K> {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        if let Content::Collection(map) = reader.content(node)
            && map.is_map
        {
            return Some(Self(reader.keys(node, map)));
        }
        reader.text_or_refuse(node, Expected::Shape(K::KEYS[0]))?;
        let mut keys = K::default();
        keys.set(K::KEYS[0], node, reader);
        Some(Self(keys))
    }
}

impl Read for NameOrMap {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let expected = Expected::Name("a text, or a map from one text to what is said about it");
        match reader.content(node) {
            Content::Collection(map) if map.is_map => Entries::read(node, reader).map(Self::Map),
            _ => reader.text_or_refuse(node, expected).map(Self::Name),
        }
    }
}

impl Read for Texts {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let expected = Expected::Name("a text, or a list of texts");
        match reader.content(node) {
            Content::Nothing => Some(Self::default()),
            Content::Collection(list) if !list.is_map => Some(Self(reader.items(list))),
            _ => {
                let (value, node) = (reader.text_or_refuse(node, expected)?, node.id);
                Some(Self(vec![Located { value, node }]))
            }
        }
    }
}

impl Read for ItemNames {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let expected = Expected::Name("a name, a list of two names, or a map");
        match reader.content(node) {
            Content::Collection(list) if !list.is_map => Some(Self::Each(reader.items(list))),
            Content::Collection(map) => Some(Self::Keys(reader.keys(node, map))),
            _ => reader.text_or_refuse(node, expected).map(Self::Innermost),
        }
    }
}

impl Read for EnumDefinition {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let mut keys = EnumKeys::default();
        match reader.content(node) {
            Content::Nothing => {}
            Content::Collection(map) if map.is_map => keys = reader.keys(node, map),
            Content::Collection(list) => keys.values = reader.items(list),
            _ => reader.refuse(
                node,
                Expected::List("a list of names, or a map with the key `values`"),
                &[],
            ),
        }
        Some(Self(keys))
    }
}

impl<K: Clone> Located<Shape<K>>
where
    ElementKeys: From<K>,
{
    /// Returns the keys, as those of an element.
    pub fn keys(&self) -> ElementKeys {
        self.value.0.clone().into()
    }
}

/// Converts maps with fewer keys into those of elements.
macro_rules! fewer_keys {
    ($($fewer:ident { $($key:ident),* })*) => {$(
        impl From<$fewer> for ElementKeys {
            fn from(keys: $fewer) -> Self {
                Self { $($key: keys.$key,)* ..Self::default() }
            }
        }
    )*};
}

fewer_keys! {
    SimpleKeys { r#type, name, namespace, form, rust, doc, secret, list, rust_type, net, facets, default, fixed, min, max, any, namespaces }
    HeaderKeys { r#type, name, namespace, rust, doc, secret, absent, facets }
    FaultKeys { r#type, namespace, facets, doc }
    MemberKeys { r#type, facets }
}

impl ElementKeys {
    /// Returns all keys but `rust` and `doc`, which fit only some elements, with their nodes if
    /// given.
    pub fn nodes(&self) -> [(&'static str, Option<NodeId>); 21] {
        fn node<T>(key: &Option<Located<T>>) -> Option<NodeId> {
            key.as_ref().map(|key| key.node)
        }
        macro_rules! nodes {
            ($($name:ident)*) => { [$((key(stringify!($name)), node(&self.$name))),*] };
        }
        nodes! {
            r#type name namespace form secret absent item list min max rust_type net facets default fixed
            choice sequence head optional any namespaces
        }
    }
}

impl FacetKeys {
    /// The keys of facets, in the order in which they are written.
    pub const OF_FACETS: [(Facet, &'static str); 11] = [
        (Facet::Pattern, "pattern"),
        (Facet::Length, "length"),
        (Facet::MinLength, "min_length"),
        (Facet::MaxLength, "max_length"),
        (Facet::MinInclusive, "min"),
        (Facet::MaxInclusive, "max"),
        (Facet::MinExclusive, "above"),
        (Facet::MaxExclusive, "below"),
        (Facet::TotalDigits, "total_digits"),
        (Facet::FractionDigits, "fraction_digits"),
        (Facet::WhiteSpace, "white_space"),
    ];

    /// Returns the facets that are given, with their keys and texts.
    pub fn given(&self) -> impl Iterator<Item = (Facet, &'static str, &Located<String>)> {
        let (_, pattern) = Self::OF_FACETS[0];
        let patterns = self.pattern.0.iter();
        let patterns = patterns.map(move |text| (Facet::Pattern, pattern, text));
        let texts = [
            &self.length,
            &self.min_length,
            &self.max_length,
            &self.min,
            &self.max,
            &self.above,
            &self.below,
            &self.total_digits,
            &self.fraction_digits,
            &self.white_space,
        ];
        let others = Self::OF_FACETS.into_iter().skip(1).zip(texts);
        patterns.chain(others.filter_map(|((facet, key), text)| Some((facet, key, text.as_ref()?))))
    }
}
