//! A definition that is being written: a tree of keys and texts, with comments and the places in
//! the WSDL that they come from.
//!
//! It knows YAML but not the language: the keys are those of `definition.rs`. The text is laid out
//! as a person would write it: operations, types and everything with comments as blocks, small
//! things in braces and brackets.

use std::fmt::Write;

use svcgen_language::diagnostic::sanitize;
use svcgen_language::yaml::{self, can_be_block};
use svcgen_wsdl::report::DocumentSpan;

/// A text, a map or a list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    pub content: Content,
    /// The comment above it, without `#`, one line each.
    pub comments: Vec<String>,
    /// The place in the WSDL that it was made from.
    pub place: Option<DocumentSpan>,
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

    /// Creates documentation from the lines of a text, without their common indentation and without
    /// surrounding blank lines.
    pub fn doc(text: &str) -> Self {
        let lines: Vec<_> = text.lines().map(str::trim_end).collect();
        let is_blank = |line: &&str| line.trim().is_empty();
        let start = lines.iter().position(|line| !is_blank(line));
        let end = lines.iter().rposition(|line| !is_blank(line));
        let lines = match start.zip(end) {
            Some((start, end)) => &lines[start..=end],
            None => &[],
        };
        let indent = |line: &&str| line.len() - line.trim_start().len();
        // The first line directly follows the start tag.
        let rest = lines.iter().skip(1).filter(|line| !is_blank(line));
        let indent = rest.map(indent).min().unwrap_or_default();
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            if index == 0 {
                text.push_str(line.trim_start());
            } else {
                text.push('\n');
                text.push_str(line.get(indent..).unwrap_or_else(|| line.trim_start()));
            }
        }
        // YAML does not allow tabs as indentation.
        let mut text = text.replace('\t', " ");
        if text.contains('\n') {
            text.push('\n');
        }
        Self::from(text)
    }

    /// Sets the place that it was made from.
    #[must_use]
    pub fn at(mut self, place: DocumentSpan) -> Self {
        self.place = Some(place);
        self
    }

    /// Adds a message as a comment, as a sentence and only once, and lays out the enclosing drafts
    /// as blocks.
    pub fn comment(&mut self, message: impl AsRef<str>) {
        let mut rest = message.as_ref().chars();
        let first = rest.next().into_iter().flat_map(char::to_uppercase);
        let mut sentence: String = first.chain(rest).collect();
        if !sentence.ends_with('.') {
            sentence.push('.');
        }
        if !self.comments.contains(&sentence) {
            self.comments.push(sentence);
        }
    }

    /// Sets a key of a map, at the end if it is new. Anything other than a map becomes one.
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

    /// The mutable value of a key.
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

    /// The number of entries or items.
    pub fn len(&self) -> usize {
        match &self.content {
            Content::List(items) => items.len(),
            Content::Map(entries) => entries.len(),
            _ => 0,
        }
    }

    /// The key of an entry (empty for an item) and its value.
    pub fn slot(&self, at: usize) -> Option<(&str, &Self)> {
        match &self.content {
            Content::List(items) => items.get(at).map(|item| ("", item)),
            Content::Map(entries) => entries.get(at).map(|(key, value)| (key.as_str(), value)),
            _ => None,
        }
    }

    /// The draft at the end of a path.
    pub fn within(&self, path: &[usize]) -> Option<&Self> {
        let mut path = path.iter();
        path.try_fold(self, |within, slot| Some(within.slot(*slot)?.1))
    }

    /// Sets a key if the value has entries.
    pub fn set_filled(&mut self, key: &str, value: Self) {
        if !value.entries().is_empty() {
            self.set(key, value);
        }
    }

    /// The place of the draft at the end of a path, or of its nearest ancestor that has one.
    pub fn place_at(&self, path: &[usize]) -> Option<DocumentSpan> {
        let within = path.split_first().and_then(|(first, rest)| {
            let (_, value) = self.slot(*first)?;
            value.place_at(rest)
        });
        within.or(self.place)
    }

    /// The mutable draft at the end of a path.
    pub fn at_path(&mut self, path: &[usize]) -> Option<&mut Self> {
        let Some((first, rest)) = path.split_first() else {
            return Some(self);
        };
        let within = match &mut self.content {
            Content::List(items) => items.get_mut(*first),
            Content::Map(entries) => entries.get_mut(*first).map(|(_, value)| value),
            _ => None,
        };
        within?.at_path(rest)
    }

    /// Converts a text to the long form, a map in which the text is the value of `key`.
    pub fn long(&mut self, key: &str) -> &mut Self {
        if !matches!(self.content, Content::Map(_)) {
            let mut map = Self {
                comments: std::mem::take(&mut self.comments),
                place: self.place,
                ..Self::flow_map()
            };
            if !matches!(self.content, Content::Nothing) {
                map.set(key, std::mem::take(self));
            }
            *self = map;
        }
        self
    }

    /// Removes the entries for which a function returns false, given their keys and numbers.
    pub fn retain(&mut self, mut keeps: impl FnMut(&str, usize) -> bool) {
        let mut number = 0..;
        let mut keeps = |key: &str| keeps(key, number.next().unwrap_or_default());
        match &mut self.content {
            Content::Map(entries) => entries.retain(|(key, _)| keeps(key)),
            Content::List(items) => items.retain(|_| keeps("")),
            _ => {}
        }
    }

    /// The mutable entries of a map.
    pub fn entries_mut(&mut self) -> &mut [(String, Self)] {
        match &mut self.content {
            Content::Map(entries) => entries,
            _ => &mut [],
        }
    }

    /// Sets a key of a map, before the others if it is new.
    pub fn set_first(&mut self, key: &str, value: impl Into<Self>) {
        let is_new = self.get(key).is_none();
        self.set(key, value);
        if let (Content::Map(entries), true) = (&mut self.content, is_new) {
            entries.rotate_right(1);
        }
    }

    /// Sorts the entries of a map.
    pub fn sort_by_key<K: Ord>(&mut self, rank: impl Fn(&str) -> K) {
        if let Content::Map(entries) = &mut self.content {
            entries.sort_by_key(|(key, _)| rank(key));
        }
    }

    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Converts to the short form: a map with no key but `key` becomes the value of that key.
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

/// The text of a definition, with a map from its bytes to the drafts.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    pub text: String,
    /// Drafts in the order of the text, parents before children.
    marks: Vec<Mark>,
}

/// The start of a draft in the text, including its key.
#[derive(Debug, Clone, Copy)]
struct Mark {
    at: usize,
    /// The mark of the parent; the mark of the file itself is its own parent.
    parent: usize,
    slot: usize,
}

impl Printed {
    /// The path to the draft that is written at a byte offset.
    pub fn path(&self, at: usize) -> Vec<usize> {
        let mut mark = self
            .marks
            .partition_point(|mark| mark.at <= at)
            .saturating_sub(1);
        let mut path = Vec::new();
        while let Some(found) = self.marks.get(mark).filter(|_| mark > 0) {
            path.push(found.slot);
            mark = found.parent;
        }
        path.reverse();
        path
    }

    /// Records that a draft starts at the current offset.
    fn mark(&mut self, parent: usize, slot: usize) -> usize {
        let at = self.text.len();
        self.marks.push(Mark { at, parent, slot });
        self.marks.len() - 1
    }

    fn line(&mut self, indent: usize, text: &str) {
        let _ = write!(self.text, "{:indent$}{text}", "");
    }

    fn comments(&mut self, draft: &Draft, indent: usize) {
        for line in draft.comments.iter().flat_map(|comment| comment.lines()) {
            self.line(indent, format!("# {}", one_line(line)).trim_end());
            self.text.push('\n');
        }
    }

    fn slots(&mut self, draft: &Draft, mark: usize, indent: usize) {
        for at in 0..draft.len() {
            let Some((key, within)) = draft.slot(at) else {
                continue;
            };
            self.comments(within, indent);
            let mark = self.mark(mark, at);
            let start = self.text.len();
            self.line(indent, "");
            if matches!(draft.content, Content::Map(_)) {
                self.entry(key, within, mark, indent, start);
            } else {
                self.text.push('-');
                self.item(within, mark, indent, start);
            }
        }
    }

    fn entry(&mut self, key: &str, value: &Draft, mark: usize, indent: usize, start: usize) {
        let _ = write!(self.text, "{}:", yaml::value(key, false));
        self.value(value, mark, indent, start);
    }

    /// Writes an item after its dash.
    fn item(&mut self, item: &Draft, mark: usize, indent: usize, start: usize) {
        let entries = item.entries();
        // `- Value: { rust: Other }`
        if entries.is_empty() {
            return self.value(item, mark, indent, start);
        }
        if entries.len() > 1 && self.fits(item, mark, start) {
            return;
        }
        for (at, (key, within)) in entries.iter().enumerate() {
            let start = if at == 0 {
                self.text.push(' ');
                start
            } else {
                self.comments(within, indent + 2);
                let start = self.text.len();
                self.line(indent + 2, "");
                start
            };
            let mark = self.mark(mark, at);
            self.entry(key, within, mark, indent + 2, start);
        }
    }

    /// Writes a value after its key, and ends the line.
    fn value(&mut self, value: &Draft, mark: usize, indent: usize, start: usize) {
        match &value.content {
            Content::Nothing => self.text.push('\n'),
            Content::Text(text) if is_block(text) => {
                let chomp = if text.ends_with('\n') { "" } else { "-" };
                let _ = writeln!(self.text, " |{chomp}");
                for line in text.lines() {
                    self.line(if line.is_empty() { 0 } else { indent + 2 }, line);
                    self.text.push('\n');
                }
            }
            Content::Text(text) => {
                let _ = writeln!(self.text, " {}", yaml::value(text, false));
            }
            Content::List(_) | Content::Map(_) => {
                if !self.fits(value, mark, start) {
                    self.text.push('\n');
                    self.slots(value, mark, indent + 2);
                }
            }
        }
    }

    /// Writes a value in braces or brackets if that is its layout and it fits on its line; returns
    /// whether it did.
    fn fits(&mut self, value: &Draft, mark: usize, start: usize) -> bool {
        // An empty collection has no other form.
        let is_empty = value.len() == 0;
        if !is_empty && (!value.flow || has_lines(value)) {
            return false;
        }
        let (end, marks) = (self.text.len(), self.marks.len());
        self.text.push(' ');
        self.flow(value, mark);
        if !is_empty && self.text[start..].chars().count() > WIDTH {
            self.text.truncate(end);
            self.marks.truncate(marks);
            return false;
        }
        self.text.push('\n');
        true
    }

    fn flow(&mut self, draft: &Draft, mark: usize) {
        let (is_map, is_empty) = (matches!(draft.content, Content::Map(_)), draft.len() == 0);
        match &draft.content {
            Content::Nothing => return,
            Content::Text(text) => return self.text.push_str(&yaml::value(text, true)),
            _ if is_empty => return self.text.push_str(if is_map { "{}" } else { "[]" }),
            _ => self.text.push_str(if is_map { "{ " } else { "[" }),
        }
        for at in 0..draft.len() {
            let Some((key, within)) = draft.slot(at) else {
                continue;
            };
            self.text.push_str(if at == 0 { "" } else { ", " });
            let mark = self.mark(mark, at);
            if is_map {
                let _ = write!(self.text, "{}: ", yaml::value(key, true));
            }
            self.flow(within, mark);
        }
        self.text.push_str(if is_map { " }" } else { "]" });
    }
}

/// Prints a definition.
pub(crate) fn print(draft: &Draft) -> Printed {
    let mut printed = Printed::default();
    let root = printed.mark(0, 0);
    printed.comments(draft, 0);
    let mut was_section = !draft.comments.is_empty();
    for (at, (key, value)) in draft.entries().iter().enumerate() {
        let is_section = !value.entries().is_empty();
        if (is_section || was_section) && !printed.text.is_empty() {
            printed.text.push('\n');
        }
        was_section = is_section;
        printed.comments(value, 0);
        let mark = printed.mark(root, at);
        let _ = write!(printed.text, "{}:", yaml::value(key, false));
        if is_section {
            printed.text.push('\n');
            printed.slots(value, mark, 2);
        } else {
            let start = printed.text.len() - key.len() - 1;
            printed.value(value, mark, 0, start);
        }
    }
    printed
}

/// Whether a draft needs several lines, whatever its width.
fn has_lines(draft: &Draft) -> bool {
    let within = |one: &Draft| !one.comments.is_empty() || has_lines(one);
    match &draft.content {
        Content::Nothing => false,
        Content::Text(text) => is_block(text),
        Content::List(items) => items.iter().any(within),
        // In braces, not all YAML parsers accept a key without a value.
        Content::Map(entries) => entries
            .iter()
            .any(|(_, value)| matches!(value.content, Content::Nothing) || within(value)),
    }
}

fn is_block(text: &str) -> bool {
    text.contains('\n') && can_be_block(text) && !text.starts_with([' ', '\n'])
}

fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    sanitize(&words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn comments_hold_nothing_that_controls_a_terminal() {
        assert_eq!(one_line(" a\u{9b}2J\n b\u{202e}c\u{1b}"), "a?2J b?c?");
    }
}
