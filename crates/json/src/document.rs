//! A JSON text as an index of its values.
//!
//! Its reader accepts the same extensions of JSON as that of .NET: single quotes, names without
//! quotes, control characters in text, more forms of numbers. It refuses everything else with the
//! messages of .NET.

use std::borrow::Cow;

use svcgen_model as model;

use crate::parse::{Entry, parse};
use crate::text::{date, unescaped};
use svcgen_wire::FormFields;
use svcgen_wire::internals::Node;
use svcgen_wire::internals::Position;
use svcgen_wire::internals::Room;
use svcgen_wire::{ReadError, ReadErrorKind};

/// The kind of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind<'d> {
    Null,
    Boolean(bool),
    /// The number as written.
    Number(&'d str),
    Text,
    List,
    Object,
}

/// A JSON text with the places of its values, in their order.
#[derive(Debug)]
pub struct Document<'t> {
    text: Cow<'t, str>,
    entries: Vec<Entry>,
}

impl<'t> Document<'t> {
    /// Reads one value. `text` is decoded and without a byte order mark. A text of only white space
    /// is null, as in .NET.
    ///
    /// # Errors
    ///
    /// The text is not a value, is too deep, or takes more memory than its message may.
    pub fn read(text: &'t str, room: &mut Room) -> Result<Self, ReadError> {
        let mut entries = Vec::new();
        parse(text, 0, &mut entries, room)?;
        let text = Cow::Borrowed(text);
        Ok(Self { text, entries })
    }

    /// Reads an object: the parameters among the fields of a query. Their values are JSON texts,
    /// and an empty one is null. Names are compared without regard to case, and several values with
    /// the same name are joined by commas.
    ///
    /// # Errors
    ///
    /// The errors of [`read`](Self::read).
    pub(crate) fn of_query(
        fields: &FormFields<'_>,
        parameters: &[model::Element<'_>],
        room: &mut Room,
    ) -> Result<Self, ReadError> {
        let lengths = fields
            .iter()
            .map(|(name, value)| name.len() + value.len() + "null,".len());
        let length = lengths.sum();
        room.take(length)?;
        let mut text = String::with_capacity(length);
        let mut parts = Vec::new();
        text.push('{');
        for row in parameters {
            let name = row.field_name();
            let start = text.len();
            for (_, value) in fields
                .iter()
                .filter(|(other, _)| other.eq_ignore_ascii_case(name))
            {
                text.push_str(if text.len() == start { name } else { "," });
                text.push_str(value);
            }
            if text.len() > start {
                let value = start + name.len();
                if text[value..].trim().is_empty() {
                    text.push_str("null");
                }
                parts.push((start, value, text.len()));
            }
        }
        text.push('}');
        let mut entries = Vec::new();
        room.push(&mut entries, Entry::new(0, 0))?;
        for (start, value, end) in parts {
            room.push(&mut entries, Entry::new(start, value))?;
            parse(&text[value..end], value, &mut entries, room)?;
        }
        entries[0] = entries[0].with_end(entries.len());
        room.push(&mut entries, Entry::new(text.len() - 1, text.len()))?;
        let text = Cow::Owned(text);
        Ok(Self { text, entries })
    }

    /// Returns the root value.
    pub fn root(&self) -> Node {
        0
    }

    /// The kind of a value.
    #[inline]
    pub(crate) fn kind(&self, node: Node) -> Kind<'_> {
        match self.first_byte(self.entries[node as usize]) {
            None | Some(b'n') => Kind::Null,
            Some(b'"' | b'\'') => Kind::Text,
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::List,
            Some(b't') => Kind::Boolean(true),
            Some(b'f') => Kind::Boolean(false),
            Some(_) => Kind::Number(self.raw(node)),
        }
    }

    /// Whether a value is null.
    #[inline]
    pub(crate) fn is_null(&self, node: Node) -> bool {
        self.kind(node) == Kind::Null
    }

    /// Whether a value is an object.
    pub fn is_object(&self, node: Node) -> bool {
        self.kind(node) == Kind::Object
    }

    /// Returns the characters of a text.
    pub fn text(&self, node: Node) -> Option<Cow<'_, str>> {
        (self.kind(node) == Kind::Text).then(|| self.unquoted(node))
    }

    /// The milliseconds since 1970 in UTC for a text with escaped solidi, such as `"\/Date(0)\/"`.
    pub(crate) fn date(&self, node: Node) -> Option<i64> {
        date(self.raw(node).strip_prefix('"')?.strip_suffix('"')?, r"\/")
    }

    /// Returns the last member of an object with exactly this name.
    pub fn member(&self, object: Node, name: &str) -> Option<Node> {
        let named = self.members(object).filter(|(known, _)| known == name);
        named.map(|(_, value)| value).last()
    }

    /// The members of an object: names and values.
    pub(crate) fn members(&self, object: Node) -> impl Iterator<Item = (Cow<'_, str>, Node)> {
        let names = self.names(object);
        names.map(|name| (self.name(name), name + 1))
    }

    /// The names of the members of an object. The value of each is the next node.
    #[inline]
    pub(crate) fn names(&self, object: Node) -> impl Iterator<Item = Node> {
        let mut next = self.first(object);
        std::iter::from_fn(move || {
            let name = next?;
            next = self.next(name + 1);
            Some(name)
        })
    }

    /// Whether this is the name of a member, in quotes and without escapes.
    #[inline]
    pub(crate) fn is_named(&self, node: Node, name: &str) -> bool {
        let entry = self.entries[node as usize];
        let length = entry.end().wrapping_sub(entry.start());
        let bytes = self.text.as_bytes();
        length == name.len() + 2
            && matches!(bytes[entry.start()], b'"' | b'\'')
            && bytes[entry.start() + 1..entry.end() - 1] == *name.as_bytes()
    }

    /// The characters of a text without escapes.
    #[inline]
    pub(crate) fn plain_text(&self, node: Node) -> Option<&str> {
        let entry = self.entries[node as usize];
        let is_plain = matches!(self.first_byte(entry)?, b'"' | b'\'') && !entry.has_escapes();
        is_plain.then(|| self.text.get(entry.start() + 1..entry.end() - 1))?
    }

    /// A number of at most 18 digits, without a sign.
    #[inline]
    pub(crate) fn digits(&self, node: Node) -> Option<u64> {
        let raw = self.raw(node);
        if !(1..=18).contains(&raw.len()) {
            return None;
        }
        let mut number = 0;
        for byte in raw.bytes() {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                return None;
            }
            number = 10 * number + u64::from(digit);
        }
        Some(number)
    }

    /// The values of a list, if none is a list or an object.
    pub(crate) fn flat_items(&self, list: Node) -> Option<std::ops::Range<Node>> {
        let items = list + 1..self.entries[list as usize].closing();
        let mut all = items.clone();
        let is_flat = all.all(|node| {
            let first = self.first_byte(self.entries[node as usize]);
            !matches!(first, Some(b'[' | b'{'))
        });
        is_flat.then_some(items)
    }

    /// The first item of a list, or the name of the first member of an object.
    #[inline]
    pub(crate) fn first(&self, node: Node) -> Option<Node> {
        let first = node + 1;
        let is_filled = matches!(self.kind(node), Kind::List | Kind::Object) && !self.is_end(first);
        is_filled.then_some(first)
    }

    /// The item after another one in its list, or the name of the member after a value in its
    /// object.
    #[inline]
    pub(crate) fn next(&self, node: Node) -> Option<Node> {
        let next = match self.kind(node) {
            Kind::List | Kind::Object => self.entries[node as usize].closing() + 1,
            _ => node + 1,
        };
        (!self.is_end(next)).then_some(next)
    }

    /// An error about a value, with its place and its path.
    pub(crate) fn error(&self, node: Node, kind: ReadErrorKind, message: String) -> ReadError {
        ReadError::new(kind, message).at(self.place(node), self.path(node))
    }

    /// The place of a value.
    pub(crate) fn place(&self, node: Node) -> Position {
        Position::of(&self.text, self.entries[node as usize].start())
    }

    /// The members with this name in all objects, unless they are null.
    pub(crate) fn objects_with(&self, name: &str) -> impl Iterator<Item = Node> {
        let is_there = memchr::memmem::find(self.text.as_bytes(), name.as_bytes()).is_some();
        let nodes = if is_there {
            self.entries.len() as Node
        } else {
            0
        };
        (0..nodes)
            .filter(|node| self.is_object(*node))
            .filter_map(move |object| self.member(object, name))
    }

    /// The path to a value: the names of members and the indexes of items.
    fn path(&self, node: Node) -> String {
        let (mut path, mut at) = (String::new(), self.root());
        while at != node {
            let is_object = self.is_object(at);
            let Some(mut child) = self.first(at) else {
                break;
            };
            let mut index = 0;
            // The last child that begins before the value or at it.
            while let Some(next) = self.next(child + Node::from(is_object)) {
                if next > node {
                    break;
                }
                (child, index) = (next, index + 1);
            }
            if is_object {
                path.push_str(if path.is_empty() { "" } else { "/" });
                path.push_str(&self.name(child));
                child += 1;
            } else {
                path.push_str(&format!("[{index}]"));
            }
            if child > node {
                break;
            }
            at = child;
        }
        path
    }

    /// The name of a member.
    pub(crate) fn name(&self, node: Node) -> Cow<'_, str> {
        let raw = self.raw(node);
        if raw.starts_with(['"', '\'']) {
            return self.unquoted(node);
        }
        Cow::Borrowed(raw)
    }

    /// The characters of a name or a text in quotes.
    #[inline]
    fn unquoted(&self, node: Node) -> Cow<'_, str> {
        let entry = self.entries[node as usize];
        let text = self.text.get(entry.start() + 1..entry.end() - 1);
        let text = text.unwrap_or_default();
        if entry.has_escapes() {
            return Cow::Owned(unescaped(text));
        }
        Cow::Borrowed(text)
    }

    /// The source text of a name or of a value that is neither a list nor an object.
    #[inline]
    fn raw(&self, node: Node) -> &str {
        let entry = self.entries[node as usize];
        let raw = self.text.get(entry.start()..entry.end());
        raw.unwrap_or_default()
    }

    #[inline]
    fn first_byte(&self, entry: Entry) -> Option<u8> {
        self.text.as_bytes().get(entry.start()).copied()
    }

    /// Whether a node is after the last value of its list or its object.
    #[inline]
    fn is_end(&self, node: Node) -> bool {
        let entry = self.entries.get(node as usize);
        entry.is_none_or(|entry| matches!(self.first_byte(*entry), Some(b']' | b'}')))
    }
}
