//! The tree of a file → structs of the language; everything else in the tree is reported in one
//! pass.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::iter::from_fn;

use super::mistakes::{self, Expected};
use crate::sink::Sink;
use crate::span::{Located, NodeId};
use crate::yaml::{Collection, Content, Node, Tree};

/// The maximum number of reported mistakes in the shape of a file.
const MOST_MISTAKES: usize = 100;

/// Changes to a tree, which reading takes into account.
#[derive(Debug, Default)]
pub struct Edits {
    /// The number of times that nodes were removed.
    removed: HashMap<NodeId, u8>,
    /// The replacements in scalars: the wrong text and the right one.
    replaced: HashMap<NodeId, (String, String)>,
}

impl Edits {
    /// Leaves a key, a value or an item out; the rest can be read without it. A value is replaced
    /// by nothing, and removed with its key if that was wrong, too. Returns whether more is left
    /// out than before.
    pub fn remove(&mut self, node: NodeId) -> bool {
        let times = self.removed.entry(node).or_default();
        *times += 1;
        *times <= 2 && node != NodeId(0)
    }

    /// Replaces the first `wrong` in a scalar.
    pub fn replace(&mut self, node: NodeId, wrong: &str, right: &str) {
        let texts = (wrong.to_owned(), right.to_owned());
        self.replaced.insert(node, texts);
    }

    fn times_removed(&self, node: NodeId) -> u8 {
        self.removed.get(&node).copied().unwrap_or_default()
    }

    fn text<'n>(&self, node: NodeId, text: &'n str) -> Cow<'n, str> {
        match self.replaced.get(&node) {
            None => Cow::Borrowed(text),
            Some((wrong, right)) => Cow::Owned(text.replacen(wrong, right, 1)),
        }
    }
}

/// Renamed keys: the former name and the current one.
const RENAMED: [(&str, &str); 1] = [("safe", "read_only")];

/// The current name of a key of `K`, if a map contains it by its former name.
fn renamed<K: Keys>(key: &str, map: &[(Located<String>, &Node)]) -> Option<&'static str> {
    let (_, name) = RENAMED.iter().find(|(former, _)| *former == key)?;
    let is_free = map.iter().all(|(key, _)| key.value != *name);
    (is_free && K::KEYS.contains(name)).then_some(*name)
}

/// A mapping from names to `T`, in the order of the file.
#[derive(Debug, Clone)]
pub struct Entries<T>(pub Vec<(Located<String>, T)>, Index);

/// The indexes of entries by name, built at the first access.
type Index = OnceCell<HashMap<String, usize>>;

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self(Vec::new(), Index::new())
    }
}

impl<T> Entries<T> {
    /// Returns the names.
    pub fn keys(&self) -> impl Iterator<Item = &Located<String>> {
        self.0.iter().map(|(key, _)| key)
    }

    /// Returns the entry with a name.
    pub fn get(&self, name: &str) -> Option<&(Located<String>, T)> {
        let numbered = self.keys().enumerate();
        let index = self.1.get_or_init(|| {
            let named = numbered.map(|(number, key)| (key.value.clone(), number));
            named.collect()
        });
        self.0.get(*index.get(name)?)
    }
}

/// Reads a tree, and returns whether all of it was read: `sink` has the diagnostics of the parts
/// that were left out.
pub(super) fn read<T: Read + Default>(tree: &Tree, edits: &Edits, sink: &mut Sink) -> (T, bool) {
    let mut reader = Reader {
        edits,
        entry: String::new(),
        sink,
        wrong: HashSet::new(),
    };
    let value = reader.read(&tree.root).unwrap_or_default();
    (value, reader.wrong.is_empty())
}

/// A type that can be read from a node; `None` if the node is of another kind.
pub(super) trait Read: Sized {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self>;
}

/// A map with keys of the language.
pub(super) trait Keys: Default {
    const KEYS: &'static [&'static str];

    /// Reads the value of a key. Returns whether the language has such a key here.
    fn set(&mut self, key: &str, value: &Node, reader: &mut Reader<'_>) -> bool;
}

/// The name of a key in the language: for the field `r#type` it is `type`.
pub(super) const fn key(field: &'static str) -> &'static str {
    match field.as_bytes() {
        [b'r', b'#', key @ ..] => match str::from_utf8(key) {
            Ok(key) => key,
            Err(_) => field,
        },
        _ => field,
    }
}

/// A map of the language: its fields are its keys.
macro_rules! map {
    ($(#[$about:meta])* pub struct $name:ident { $($(#[$says:meta])* pub $field:ident: $type:ty,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Default)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "schema", schemars(default, deny_unknown_fields))]
        pub struct $name {
            $($(#[$says])* pub $field: $type,)*
        }

        impl read::Keys for $name {
            const KEYS: &'static [&'static str] = &[$(read::key(stringify!($field))),*];

            fn set(&mut self, key: &str, value: &crate::yaml::Node, reader: &mut read::Reader<'_>) -> bool {
                $(if key == read::key(stringify!($field)) {
                    self.$field = reader.read(value).unwrap_or_default();
                    return true;
                })*
                false
            }
        }
    };
}
pub(super) use map;

/// Reads a definition from a tree.
pub(super) struct Reader<'d> {
    edits: &'d Edits,
    /// The key whose value is being read; empty in a list.
    entry: String,
    sink: &'d mut Sink,
    /// Nodes with a reported mistake: a mistake that aliases repeat is reported once.
    wrong: HashSet<NodeId>,
}

impl Reader<'_> {
    pub fn read<T: Read>(&mut self, node: &Node) -> Option<T> {
        T::read(node.target(), self)
    }

    /// Reads the value of a key.
    fn read_value<T>(&mut self, key: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let around = std::mem::replace(&mut self.entry, key.to_owned());
        let value = read(self);
        self.entry = around;
        value
    }

    pub fn content<'n>(&self, node: &'n Node) -> &'n Content {
        match self.edits.times_removed(node.id) {
            0 => &node.content,
            _ => &Content::Nothing,
        }
    }

    fn text<'n>(&self, node: &'n Node) -> Option<Cow<'n, str>> {
        match self.content(node) {
            Content::Scalar { text, .. } => Some(self.edits.text(node.id, text)),
            _ => None,
        }
    }

    pub fn text_or_refuse(&mut self, node: &Node, expected: Expected) -> Option<String> {
        let text = self.text(node);
        if text.is_none() {
            self.refuse(node, expected, &[]);
        }
        text.map(Cow::into_owned)
    }

    /// Reads the items of a list.
    pub fn items<T: Read>(&mut self, list: &Collection) -> Vec<T> {
        let around = std::mem::take(&mut self.entry);
        let edits = self.edits;
        let items = list.slots.iter().map(|slot| slot.value.target());
        let items = items.filter(|item| edits.times_removed(item.id) == 0);
        let items = items.filter_map(|item| self.read(item)).collect();
        self.entry = around;
        items
    }

    /// The entries of a map, each key once: the first of repeated ones, and the map's own before
    /// those that `<<` merges (YAML's type `merge`).
    fn entries<'n>(&mut self, map: &'n Collection) -> Vec<(Located<String>, &'n Node)> {
        let mut seen: HashMap<String, NodeId> = HashMap::new();
        let (mut entries, mut merges) = (Vec::new(), Vec::new());
        for slot in &map.slots {
            let Some(key) = &slot.key else { continue };
            let (key, value) = (key.target(), slot.value.target());
            let nothing = matches!(value.content, Content::Nothing);
            let most = if nothing { 0 } else { 1 };
            if self.edits.times_removed(key.id) > 0 || self.edits.times_removed(value.id) > most {
                continue;
            }
            let Some(name) = self.text(key) else {
                self.refuse(key, Expected::Name("a name"), &[]);
                continue;
            };
            if name == "<<" {
                merges.push((entries.len(), value));
                continue;
            }
            let name = Located {
                value: name.into_owned(),
                node: key.id,
            };
            let first = *seen.entry(name.value.clone()).or_insert(key.id);
            if first == key.id {
                entries.push((name, value));
            } else if self.is_new_mistake(name.node) {
                mistakes::repeated_key(&name, first, self.sink);
            }
        }
        if merges.is_empty() {
            return entries;
        }
        let (mut own, mut all) = (entries.into_iter().enumerate().peekable(), Vec::new());
        for (before, value) in merges {
            all.extend(from_fn(|| own.next_if(|(at, _)| *at < before)).map(|(_, entry)| entry));
            let mut merged = self.merged(value);
            merged.retain(|(name, _)| seen.insert(name.value.clone(), name.node).is_none());
            all.append(&mut merged);
        }
        all.extend(own.map(|(_, entry)| entry));
        all
    }

    /// The entries that `<<` merges: those of a map, or of the maps in a list.
    fn merged<'n>(&mut self, value: &'n Node) -> Vec<(Located<String>, &'n Node)> {
        match self.content(value) {
            Content::Collection(map) if map.is_map => self.entries(map),
            Content::Collection(list) => {
                let maps = list.slots.iter();
                maps.flat_map(|slot| self.merged(slot.value.target()))
                    .collect()
            }
            _ => {
                let expected = Expected::Map("a map to merge, as in `<<: *name`");
                self.refuse(value, expected, &[]);
                Vec::new()
            }
        }
    }

    /// Reads the keys of the language in a map.
    pub fn keys<K: Keys>(&mut self, node: &Node, map: &Collection) -> K {
        let mut keys = K::default();
        let (mut free, mut unknown) = (K::KEYS.to_vec(), Vec::new());
        let entries = self.entries(map);
        for (key, value) in &entries {
            let name = match renamed::<K>(&key.value, &entries) {
                Some(name) => {
                    mistakes::former_key(key, name, self.sink);
                    name
                }
                None => &key.value,
            };
            if self.read_value(name, |reader| keys.set(name, value, reader)) {
                free.retain(|known| *known != name);
            } else {
                unknown.push(key);
            }
        }
        for key in unknown.into_iter().take(MOST_MISTAKES) {
            if self.is_new_mistake(key.node) {
                // A key that seems to be missing may be a misspelt one.
                self.sink.mute(node.id);
                mistakes::unknown_key(key, K::KEYS, &free, &self.entry, self.sink);
            }
        }
        keys
    }

    pub fn refuse(&mut self, node: &Node, expected: Expected, known: &[&str]) {
        if self.is_new_mistake(node.id) {
            let found = (node.id, self.content(node));
            mistakes::wrong_kind(found, expected, known, &self.entry, self.sink);
        }
    }

    fn is_new_mistake(&mut self, node: NodeId) -> bool {
        self.wrong.len() < MOST_MISTAKES && self.wrong.insert(node)
    }
}

impl Read for String {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        reader.text_or_refuse(node, Expected::Text)
    }
}

impl Read for bool {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        match reader.text(node).as_deref() {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => {
                reader.refuse(node, Expected::Switch, &[]);
                None
            }
        }
    }
}

impl Read for i64 {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let number = reader.text(node).and_then(|text| text.parse().ok());
        if number.is_none() {
            reader.refuse(node, Expected::Number, &[]);
        }
        number
    }
}

impl<T: Read> Read for Option<T> {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        match reader.content(node) {
            Content::Nothing => Some(None),
            _ => T::read(node, reader).map(Some),
        }
    }
}

impl<T: Read> Read for Located<T> {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let value = T::read(node, reader)?;
        Some(Self {
            value,
            node: node.id,
        })
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        match reader.content(node) {
            Content::Collection(list) if !list.is_map => Some(reader.items(list)),
            _ => {
                reader.refuse(node, Expected::List("a list, as in `[a, b]`"), &[]);
                None
            }
        }
    }
}

impl<T: Read> Read for Entries<T> {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let map = match reader.content(node) {
            Content::Nothing => return Some(Self::default()),
            Content::Collection(map) if map.is_map => map,
            _ => {
                reader.refuse(node, A_MAP, &[]);
                return None;
            }
        };
        let mut entries = Vec::new();
        for (key, value) in reader.entries(map) {
            let value = reader.read_value(&key.value, |reader| reader.read(value));
            entries.extend(value.map(|value| (key, value)));
        }
        Some(Self(entries, Index::new()))
    }
}

const A_MAP: Expected = Expected::Map("a map, as in `name: …`");

/// A node that is not a map is read as an empty one, so that its name is known and uses of it are
/// not reported.
impl<K: Keys> Read for K {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        match reader.content(node) {
            Content::Nothing => {}
            Content::Collection(map) if map.is_map => return Some(reader.keys(node, map)),
            _ => reader.refuse(node, A_MAP, K::KEYS),
        }
        Some(K::default())
    }
}
