//! The number of a YAML node → its place in the text.
//!
//! The only places that `yaml_serde` gives are those of its errors: so the text is read once more, and reading a scalar that is
//! looked for fails there, which the reader around it forgives. What is not a scalar cannot be read on after that, and costs a
//! reading of its own. There is no second reading when nothing is wrong.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::definition::{Document, Lines, NodeId, line_column};

/// The most lists and maps that are looked up; of others the scalar before them is shown.
const MOST_READINGS: usize = 100;

/// Where nodes are.
#[derive(Debug, Default)]
pub(crate) struct Places(HashMap<u32, Range<usize>>);

impl Places {
    /// Looks nodes up.
    pub fn of(text: &str, nodes: impl IntoIterator<Item = NodeId>) -> Self {
        let wanted: BTreeSet<u32> = nodes.into_iter().map(|node| node.0).collect();
        let mut places = Self::default();
        let (text, _) = &without_tags(text);
        if let Some(last) = wanted.last().copied() {
            places.read(text, Walk::new(&wanted, last));
        }
        let others: Vec<_> = (wanted.iter().copied())
            .filter(|node| !places.0.contains_key(node))
            .collect();
        for node in others.iter().copied().take(MOST_READINGS) {
            places.read(text, Walk::new(&wanted, node).until_its_start());
        }
        places.read_before(text, others.into_iter().skip(MOST_READINGS).collect());
        places
    }

    /// The bytes of the text that a node starts with: all of a scalar on one line, the first character of anything else.
    pub fn span(&self, node: NodeId) -> Range<usize> {
        self.0.get(&node.0).cloned().unwrap_or_default()
    }

    fn read(&mut self, text: &str, mut walk: Walk<'_>) {
        // Reading ends with an error where it has gone far enough.
        let end = walk
            .deserialize(serde_yaml::Deserializer::from_str(text))
            .err();
        if let (Some(node), Some(error)) = (walk.start_of, end) {
            walk.found.push((node, error.to_string(), None));
        }
        let lines = Lines::of(text);
        for (node, error, scalar) in walk.found {
            let start = lines.offset(line_column(&error).unwrap_or((1, 1)));
            self.0.insert(node, token(text, start, scalar.as_deref()));
        }
    }

    /// Takes the key before a value for its place.
    fn read_before(&mut self, text: &str, nodes: Vec<u32>) {
        let before: BTreeSet<u32> = nodes.iter().map(|node| node.saturating_sub(1)).collect();
        let Some(last) = before.last().copied() else {
            return;
        };
        self.read(text, Walk::new(&before, last));
        for node in nodes {
            let place = self.span(NodeId(node.saturating_sub(1)));
            self.0.insert(node, place);
        }
    }
}

/// The bytes of the token that starts at a byte, behind its anchor and tag; at most to the end of its line.
fn token(text: &str, start: usize, scalar: Option<&str>) -> Range<usize> {
    let start = start + properties(&text[start..]);
    let rest = &text[start..];
    let length = match scalar {
        Some(scalar) if !scalar.contains('\n') && rest.starts_with(scalar) => scalar.len(),
        _ => token_length(rest),
    };
    start..start + length
}

/// A text with blanks in place of its YAML tags, but for those behind the first hundred; and where these stand.
pub(crate) fn without_tags(text: &str) -> (Cow<'_, str>, Vec<Range<usize>>) {
    let mut bare = Cow::Borrowed(text);
    let mut tags = Vec::new();
    let mut marks = text.match_indices('!');
    if marks.all(|(at, _)| text[..at].ends_with(char::is_alphanumeric)) {
        return (bare, tags);
    }
    let mut local = with_local_tags(text);
    while tags.len() < MOST_READINGS {
        let error = Document::read(&local).err();
        let Some(tag) = error.and_then(|error| tag(text, error.location()?)) else {
            break;
        };
        let blanks = " ".repeat(tag.len());
        local.replace_range(tag.clone(), &blanks);
        bare.to_mut().replace_range(tag.clone(), &blanks);
        tags.push(tag);
    }
    (bare, tags)
}

/// A text with the same places, in which YAML's own tags are others: reading fails at these alone.
fn with_local_tags(text: &str) -> String {
    let mut local = text.replace("!!", "!-");
    for (at, verbatim) in text.match_indices("!<") {
        let behind = at + verbatim.len();
        if text[behind..].starts_with(|c: char| c.is_ascii_alphanumeric()) {
            local.replace_range(behind..=behind, "!");
        }
    }
    local
}

/// The tag of the node at a place.
fn tag(text: &str, place: serde_yaml::Location) -> Option<Range<usize>> {
    let node = &text[Lines::of(text).offset((place.line(), place.column()))..];
    let tag = match node.starts_with('&') {
        true => node[node.find(char::is_whitespace)?..].trim_start(),
        false => node,
    };
    let end = match tag.starts_with("!<") {
        true => tag.find('>').map(|at| at + 1),
        false => tag.find(|c: char| c.is_whitespace() || ",[]{}".contains(c)),
    };
    let start = text.len() - tag.len();
    tag.starts_with('!')
        .then(|| start..start + end.unwrap_or(tag.len()))
}

/// How long the anchors and tags are that a text starts with, with the white space behind them.
fn properties(text: &str) -> usize {
    let mut rest = text;
    while rest.starts_with(['&', '!']) {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        rest = rest[end..].trim_start();
    }
    match rest.is_empty() {
        true => 0,
        false => text.len() - rest.len(),
    }
}

/// How far the quoted text, or the run of other characters, reaches that a text starts with; at most to the end of its line.
pub(crate) fn token_length(text: &str) -> usize {
    let line = text.lines().next().unwrap_or_default();
    let Some(first) = line.chars().next() else {
        return 0;
    };
    let end = match first {
        '"' | '\'' => quoted_length(line, first),
        '[' | ']' | '{' | '}' | ',' => Some(1),
        _ => line
            .find([' ', '\t', ',', '{', '}', ']'])
            .map(|at| at.max(first.len_utf8())),
    };
    let token = &line[..end.unwrap_or(line.len())];
    token.strip_suffix(':').unwrap_or(token).len()
}

fn quoted_length(line: &str, quote: char) -> Option<usize> {
    let mut characters = line.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        if character == '\\' && quote == '"' {
            characters.next();
        } else if character == quote {
            return Some(at + 1);
        }
    }
    None
}

struct Walk<'w> {
    /// Nodes that are looked for.
    wanted: &'w BTreeSet<u32>,
    last: u32,
    next: u32,
    /// The node that is looked for alone, whatever it is.
    start_of: Option<u32>,
    /// Nodes with the errors that tell their places, and their texts.
    found: Vec<(u32, String, Option<String>)>,
    /// The text of the scalar that was just met.
    met: Option<String>,
}

impl<'w> Walk<'w> {
    fn new(wanted: &'w BTreeSet<u32>, last: u32) -> Self {
        Self {
            wanted,
            last,
            next: 0,
            start_of: None,
            found: Vec::new(),
            met: None,
        }
    }

    fn until_its_start(mut self) -> Self {
        self.start_of = Some(self.last);
        self
    }

    /// Fails at scalars that are looked for.
    fn scalar<E: serde::de::Error>(&mut self, text: Option<&str>) -> Result<(), E> {
        let node = self.arrive()?;
        if !self.wanted.contains(&node) || self.start_of.is_some() {
            return Ok(());
        }
        self.met = Some(text.unwrap_or_default().to_owned());
        Err(E::custom("here"))
    }

    fn arrive<E: serde::de::Error>(&mut self) -> Result<u32, E> {
        let node = self.next;
        self.next += 1;
        match node > self.last || self.start_of == Some(node) {
            true => Err(E::custom("here")),
            false => Ok(node),
        }
    }
}

impl<'de> DeserializeSeed<'de> for &mut Walk<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match deserializer.deserialize_any(&mut *self) {
            Err(error) => match self.met.take() {
                Some(text) => {
                    let text = Some(text).filter(|text| !text.is_empty());
                    self.found.push((self.next - 1, error.to_string(), text));
                    Ok(())
                }
                None => Err(error),
            },
            Ok(()) => Ok(()),
        }
    }
}

impl<'de> Visitor<'de> for &mut Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node")
    }
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        self.scalar(Some(text))
    }
    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.scalar(None)
    }
    fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<(), E> {
        self.scalar(None)
    }
    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<(), E> {
        self.scalar(None)
    }
    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<(), E> {
        self.scalar(None)
    }
    fn visit_i128<E: serde::de::Error>(self, _: i128) -> Result<(), E> {
        self.scalar(None)
    }
    fn visit_u128<E: serde::de::Error>(self, _: u128) -> Result<(), E> {
        self.scalar(None)
    }
    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<(), E> {
        self.scalar(None)
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
