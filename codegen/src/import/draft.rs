//! A definition that is being written: a tree of keys and texts, with comments and the places in the WSDL that they come from.
//!
//! It knows YAML and nothing of the language: the keys are those of `definition.rs`. Printed text is laid out as a person would: operations, types
//! and what has comments as blocks, everything small in braces and brackets.

use std::fmt::Write;

use super::place::Place;

/// A text, a map or a list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    pub content: Content,
    /// The comment above it, without `#`; a line each.
    pub comments: Vec<String>,
    /// What it was made from.
    pub place: Option<Place>,
    /// Whether a map or a list is written in braces or brackets if it fits.
    pub flow: bool,
}

#[derive(Debug, Clone, Default)]
pub(crate) enum Content {
    /// Nothing: `Logout:`.
    #[default]
    Nothing,
    Text(String),
    List(Vec<Draft>),
    /// Keys are distinct.
    Map(Vec<(String, Draft)>),
}

impl From<&str> for Draft {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl From<String> for Draft {
    fn from(text: String) -> Self {
        Self {
            content: Content::Text(text),
            ..Self::default()
        }
    }
}

impl From<bool> for Draft {
    fn from(value: bool) -> Self {
        Self::from(value.to_string())
    }
}

impl Draft {
    /// A map in a block.
    pub fn map() -> Self {
        Self {
            content: Content::Map(Vec::new()),
            ..Self::default()
        }
    }

    /// A map in braces.
    pub fn flow_map() -> Self {
        Self {
            flow: true,
            ..Self::map()
        }
    }

    /// A list in brackets.
    pub fn list(items: impl IntoIterator<Item = Self>) -> Self {
        Self {
            content: Content::List(items.into_iter().collect()),
            flow: true,
            ..Self::default()
        }
    }

    /// Says what it was made from.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Adds a comment, and writes what holds it as blocks.
    pub fn comment(&mut self, text: impl Into<String>) {
        self.comments.push(text.into());
    }

    /// Sets a key of a map, at the end if it is new. What is no map becomes one.
    pub fn set(&mut self, key: &str, value: impl Into<Self>) -> &mut Self {
        if !matches!(self.content, Content::Map(_)) {
            self.content = Content::Map(Vec::new());
        }
        let Content::Map(entries) = &mut self.content else {
            unreachable!("it is a map");
        };
        let at = entries.iter().position(|(name, _)| name == key);
        let at = at.unwrap_or_else(|| {
            entries.push((key.to_owned(), Self::default()));
            entries.len() - 1
        });
        entries[at].1 = value.into();
        &mut entries[at].1
    }

    /// Adds an entry whose key is known to be new, in constant time.
    pub fn push(&mut self, key: impl Into<String>, value: impl Into<Self>) {
        if let Content::Map(entries) = &mut self.content {
            entries.push((key.into(), value.into()));
        }
    }

    /// Sets a key unless the value is the default.
    pub fn set_some(&mut self, key: &str, value: Option<impl Into<Self>>) {
        if let Some(value) = value {
            self.set(key, value);
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries()
            .iter()
            .find_map(|(name, value)| (name == key).then_some(value))
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        let Content::Map(entries) = &mut self.content else {
            return None;
        };
        entries
            .iter_mut()
            .find_map(|(name, value)| (name == key).then_some(value))
    }

    /// The entries of a map.
    pub fn entries(&self) -> &[(String, Self)] {
        match &self.content {
            Content::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The short form: a map with nothing but `key` becomes the value of that.
    #[must_use]
    pub fn short(mut self, key: &str) -> Self {
        match &mut self.content {
            Content::Map(entries) if entries.len() == 1 && entries[0].0 == key => {
                let (_, mut value) = entries.remove(0);
                let mut comments = self.comments;
                comments.append(&mut value.comments);
                value.comments = comments;
                value.place = value.place.or(self.place);
                value
            }
            _ => self,
        }
    }
}

/// The longest line with a flow collection, as in the layout of the command.
const WIDTH: usize = 120;

/// Prints a definition.
pub(crate) fn print(draft: &Draft) -> String {
    let mut text = String::new();
    for line in &draft.comments {
        let _ = writeln!(text, "# {line}");
    }
    for (key, value) in draft.entries() {
        // A blank line before each section.
        if !text.is_empty() && !value.flow && !value.entries().is_empty() {
            text.push('\n');
        }
        entry(key, value, 0, &mut text);
    }
    text
}

fn entry(key: &str, value: &Draft, indent: usize, text: &mut String) {
    comments(value, indent, text);
    let start = text.len();
    let _ = write!(text, "{:indent$}{}:", "", scalar(key, false));
    self::value(value, indent, start, text);
}

fn comments(draft: &Draft, indent: usize, text: &mut String) {
    for line in &draft.comments {
        let _ = writeln!(text, "{:indent$}# {}", "", one_line(line));
    }
}

/// Writes a value after its key or dash, and ends the line.
fn value(value: &Draft, indent: usize, start: usize, text: &mut String) {
    match &value.content {
        Content::Nothing => text.push('\n'),
        Content::Text(one) => {
            let _ = writeln!(text, " {}", scalar(one, false));
        }
        Content::List(items) if items.is_empty() => text.push_str(" []\n"),
        Content::Map(entries) if entries.is_empty() => text.push_str(" {}\n"),
        Content::List(_) | Content::Map(_) => {
            if value.flow && !has_comments(value) {
                let mut line = String::new();
                flow(value, &mut line);
                if text[start..].chars().count() + 1 + line.chars().count() <= WIDTH {
                    let _ = writeln!(text, " {line}");
                    return;
                }
            }
            text.push('\n');
            match &value.content {
                Content::Map(entries) => {
                    for (key, value) in entries {
                        entry(key, value, indent + 2, text);
                    }
                }
                Content::List(items) => {
                    for one in items {
                        item(one, indent + 2, text);
                    }
                }
                _ => {}
            }
        }
    }
}

fn item(one: &Draft, indent: usize, text: &mut String) {
    comments(one, indent, text);
    let start = text.len();
    match one.entries() {
        // `- Value: { rust: Other }`
        [(key, within)] if within.comments.is_empty() && !one.flow => {
            let _ = write!(text, "{:indent$}- {}:", "", scalar(key, false));
            value(within, indent + 2, start, text);
        }
        _ => {
            let _ = write!(text, "{:indent$}-", "");
            value(one, indent, start, text);
        }
    }
}

fn has_comments(draft: &Draft) -> bool {
    let within = |one: &Draft| !one.comments.is_empty() || has_comments(one);
    match &draft.content {
        Content::List(items) => items.iter().any(within),
        Content::Map(entries) => entries.iter().any(|(_, value)| within(value)),
        _ => false,
    }
}

fn flow(draft: &Draft, line: &mut String) {
    match &draft.content {
        Content::Nothing => {}
        Content::Text(text) => line.push_str(&scalar(text, true)),
        Content::List(items) => {
            line.push('[');
            for (index, one) in items.iter().enumerate() {
                line.push_str(if index == 0 { "" } else { ", " });
                flow(one, line);
            }
            line.push(']');
        }
        Content::Map(entries) if entries.is_empty() => line.push_str("{}"),
        Content::Map(entries) => {
            for (index, (key, value)) in entries.iter().enumerate() {
                let start = if index == 0 { "{ " } else { ", " };
                let _ = write!(line, "{start}{}: ", scalar(key, true));
                flow(value, line);
            }
            line.push_str(" }");
        }
    }
}

fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").replace(|c: char| c.is_control(), "?")
}

/// A scalar, plain where YAML allows it, else in double quotes.
fn scalar(text: &str, in_flow: bool) -> String {
    let refused_first = |c: char| "-?:,[]{}#&*!|>'\"%@` ".contains(c);
    let is_refused = |c: char| {
        c.is_control()
            || matches!(
                c,
                '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' | '\u{85}' | '\u{2028}' | '\u{2029}'
            )
    };
    let is_plain = !text.is_empty()
        && !text.starts_with(refused_first)
        && !text.ends_with([' ', ':'])
        && !text.contains(is_refused)
        && !text.contains(": ")
        && !text.contains(" #")
        && !(in_flow && text.contains(['[', ']', '{', '}', ',']))
        && !matches!(text, "---" | "...");
    if is_plain {
        return text.to_owned();
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if is_refused(c) => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
