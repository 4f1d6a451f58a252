//! Dictionaries.

use std::collections::{HashMap, HashSet};
use std::fmt;

use super::content::Content;
use super::element::Element;
use super::in_place::CloneInPlace;
use super::value::Value;
use crate::xml::error::ReadError;

/// Values by texts, in the order in which they were added: a `Dictionary<string, T>` of .NET, which
/// only JSON can carry.
///
/// ```
/// use svcgen::types::Dictionary;
///
/// let mut scores: Dictionary<i32> = [("Ann", 3), ("Bob", 5)].into_iter().collect();
/// scores.insert("Ann", 4);
/// assert_eq!(scores.get("Ann"), Some(&4));
/// assert_eq!(scores.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["Ann", "Bob"]);
/// ```
///
/// Two dictionaries are equal if their entries are equal and in the same order. A lookup searches
/// all entries: convert a large dictionary to a map.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Dictionary<T>(Vec<(String, T)>);

impl<T> Dictionary<T> {
    /// Creates an empty dictionary.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The number of entries.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no entries.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&T> {
        let mut entries = self.0.iter();
        entries
            .find(|(known, _)| known == key)
            .map(|(_, value)| value)
    }

    /// Sets the value of a key and returns the previous value. An existing key keeps its place.
    pub fn insert(&mut self, key: impl Into<String>, value: T) -> Option<T> {
        let key = key.into();
        let mut entries = self.0.iter_mut();
        if let Some((_, known)) = entries.find(|(known, _)| *known == key) {
            return Some(std::mem::replace(known, value));
        }
        self.0.push((key, value));
        None
    }

    /// The entries, in their order.
    pub fn iter(&self) -> std::slice::Iter<'_, (String, T)> {
        self.0.iter()
    }
}

impl<T> Default for Dictionary<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for Dictionary<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = self.0.iter().map(|(key, value)| (key, value));
        f.debug_map().entries(entries).finish()
    }
}

/// If several entries have the same key, the last value is kept at the place of the first, as in
/// .NET.
impl<T> From<Vec<(String, T)>> for Dictionary<T> {
    fn from(entries: Vec<(String, T)>) -> Self {
        let keys: HashSet<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
        if keys.len() == entries.len() {
            return Self(entries);
        }
        let (mut kept, mut places) = (Vec::with_capacity(keys.len()), HashMap::new());
        for (key, value) in entries {
            match places.get(&key) {
                Some(at) => {
                    let (_, known): &mut (String, T) = &mut kept[*at];
                    *known = value;
                }
                None => {
                    places.insert(key.clone(), kept.len());
                    kept.push((key, value));
                }
            }
        }
        Self(kept)
    }
}

/// Creates a dictionary as [`From`] does.
impl<K: Into<String>, T> FromIterator<(K, T)> for Dictionary<T> {
    fn from_iter<I: IntoIterator<Item = (K, T)>>(entries: I) -> Self {
        let entries = entries.into_iter().map(|(key, value)| (key.into(), value));
        Self::from(entries.collect::<Vec<_>>())
    }
}

impl<T> IntoIterator for Dictionary<T> {
    type Item = (String, T);
    type IntoIter = std::vec::IntoIter<(String, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'d, T> IntoIterator for &'d Dictionary<T> {
    type Item = &'d (String, T);
    type IntoIter = std::slice::Iter<'d, (String, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: CloneInPlace> CloneInPlace for (String, T) {
    fn clone_in_place(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
        self.1.clone_in_place(&source.1);
    }
}

impl<T: CloneInPlace> CloneInPlace for Dictionary<T> {
    fn clone_in_place(&mut self, source: &Self) {
        self.0.clone_in_place(&source.0);
    }
}

impl<T: Value + Default> Value for Dictionary<T> {
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        let mut entries: Vec<(String, T)> = Vec::new();
        element.entries(&mut |key, element| {
            let entry = element.add(&mut entries)?;
            key.clone_into(&mut entry.0);
            entry.1.read(element)
        })?;
        *self = Self::from(entries);
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        out.dictionary(name, &mut |out| {
            // .NET writes this key first, because readers check it first.
            let is_type = |(key, _): &&(String, T)| key == "__type";
            let (first, others): (Vec<_>, Vec<_>) = self.iter().partition(is_type);
            for (key, value) in first.into_iter().chain(others) {
                value.write_nillable(key, out);
            }
        });
    }
}

impl Content<'_> {
    /// Writes a dictionary by calling `write`, which writes the values as elements named after
    /// their keys: in JSON only.
    pub fn dictionary(&mut self, name: &str, write: &mut dyn FnMut(&mut Self)) {
        if !self.is_sink() {
            return self.fail(format!(
                "'{name}' is a dictionary, which has no place in XML."
            ));
        }
        self.with_sink(|sink, out| sink.start_dictionary(out, name));
        write(self);
        self.with_sink(|sink, out| sink.end_dictionary(out));
    }
}

#[cfg(feature = "serde")]
mod as_map {
    use std::marker::PhantomData;

    use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
    use serde::ser::{Serialize, Serializer};

    use super::Dictionary;

    impl<T: Serialize> Serialize for Dictionary<T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.iter().map(|(key, value)| (key, value)))
        }
    }

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Dictionary<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(Entries(PhantomData))
        }
    }

    struct Entries<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
        type Value = Dictionary<T>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a map")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = map.next_entry()? {
                entries.push(entry);
            }
            Ok(Dictionary::from(entries))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_of_a_key_stands_in_the_first_place() {
        let read: Dictionary<i32> = [("b", 1), ("a", 2), ("b", 3)].into_iter().collect();
        let mut made = Dictionary::new();
        assert_eq!(made.insert("b", 1), None);
        assert_eq!(made.insert("a", 2), None);
        assert_eq!(made.insert("b", 3), Some(1));
        assert_eq!(read, made);
        assert_eq!(format!("{read:?}"), r#"{"b": 3, "a": 2}"#);
        assert_eq!(
            (read.get("b"), read.get("c"), read.len()),
            (Some(&3), None, 2)
        );
    }

    #[test]
    fn dictionaries_have_no_place_in_xml() {
        let mut written = Vec::new();
        let mut out = Content::compact(&mut written);
        out.element("value", &Dictionary::from(vec![("a".to_owned(), 1)]));
        let refused = out.finish().expect_err("no XML");
        assert_eq!(
            refused.to_string(),
            "'value' is a dictionary, which has no place in XML."
        );
        let mut read = Dictionary::<i32>::new();
        let refused = Element::of_text("1").read(&mut read).expect_err("no JSON");
        assert_eq!(refused.message(), "A dictionary is read from JSON alone.");
    }
}
