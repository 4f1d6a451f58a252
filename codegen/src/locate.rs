//! The number of a YAML node → its place in the text.
//!
//! The only places that `yaml_serde` gives are those of its errors: so the text is read once more, up to the node, and reading
//! fails there. That costs a reading for each mistake and nothing when there is none.

use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::definition::NodeId;

/// The bytes of a text that a node starts with: all of a scalar on one line, the first character of anything else.
pub(crate) fn span(text: &str, node: NodeId) -> Range<usize> {
    let mut walk = WalkTo {
        nodes_before: node.0,
    };
    let place = walk
        .deserialize(serde_yaml::Deserializer::from_str(text))
        .err()
        .and_then(|error| error.location());
    match place {
        Some(place) => span_at(text, place.line(), place.column()),
        None => 0..0,
    }
}

/// The bytes of the token at a line and a column, both counted from 1 and in characters.
pub(crate) fn span_at(text: &str, line: usize, column: usize) -> Range<usize> {
    let line_start = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    let rest = &text[line_start..];
    let in_line = rest
        .char_indices()
        .nth(column.saturating_sub(1))
        .map_or(rest.len(), |(at, _)| at);
    let start = line_start + in_line;
    start..start + token_length(&text[start..])
}

/// How far the quoted text, or the run of other characters, reaches that a text starts with; at most to the end of its line.
fn token_length(text: &str) -> usize {
    let line = text.lines().next().unwrap_or_default();
    let Some(first) = line.chars().next() else {
        return 0;
    };
    let end = match first {
        '"' | '\'' => line[1..].find(first).map(|at| at + 2),
        '[' | ']' | '{' | '}' | ',' => Some(1),
        _ => line
            .find([' ', '\t', ',', '{', '}', ']'])
            .map(|at| at.max(first.len_utf8())),
    };
    let token = &line[..end.unwrap_or(line.len())];
    token.strip_suffix(':').unwrap_or(token).len()
}

struct WalkTo {
    nodes_before: u32,
}

impl WalkTo {
    fn arrive<E: serde::de::Error>(&mut self) -> Result<(), E> {
        self.nodes_before = self
            .nodes_before
            .checked_sub(1)
            .ok_or_else(|| E::custom("here"))?;
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for &mut WalkTo {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut WalkTo {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node")
    }
    fn visit_str<E: serde::de::Error>(self, _: &str) -> Result<(), E> {
        self.arrive()
    }
    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.arrive()
    }
    fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<(), E> {
        self.arrive()
    }
    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<(), E> {
        self.arrive()
    }
    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<(), E> {
        self.arrive()
    }
    fn visit_i128<E: serde::de::Error>(self, _: i128) -> Result<(), E> {
        self.arrive()
    }
    fn visit_u128<E: serde::de::Error>(self, _: u128) -> Result<(), E> {
        self.arrive()
    }
    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<(), E> {
        self.arrive()
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.arrive()?;
        while seq.next_element_seed(&mut *self)?.is_some() {}
        Ok(())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.arrive()?;
        while map.next_key_seed(&mut *self)?.is_some() {
            map.next_value_seed(&mut *self)?;
        }
        Ok(())
    }
}
