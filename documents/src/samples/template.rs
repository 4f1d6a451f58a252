//! A text with places to fill in.

use std::fmt;
use std::ops::Range;

/// A text in which some words stand for values: `string`, `int`, `length`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Template {
    text: String,
    placeholders: Vec<Range<usize>>,
}

/// A stretch of a [`Template`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'t> {
    /// What is sent as it stands.
    Text(&'t str),
    /// What stands for a value: the name of its type, or the values of an enumeration.
    Placeholder(&'t str),
}

impl Template {
    /// The whole text, placeholders as they are.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text in its pieces, in order.
    pub fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        let ends = std::iter::once(0).chain(self.placeholders.iter().map(|range| range.end));
        let starts = self.placeholders.iter().map(|range| range.start);
        let texts = ends
            .zip(starts.chain([self.text.len()]))
            .map(|(start, end)| Piece::Text(&self.text[start..end]));
        let placeholders = self
            .placeholders
            .iter()
            .map(|range| Some(Piece::Placeholder(&self.text[range.clone()])));
        texts
            .zip(placeholders.chain([None]))
            .flat_map(|(text, placeholder)| std::iter::once(text).chain(placeholder))
            .filter(|piece| *piece != Piece::Text(""))
    }

    pub(super) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn placeholder(&mut self, name: &str) {
        if name.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(name);
        self.placeholders.push(start..self.text.len());
    }

    /// One text of several placeholders: `A or B or C`.
    pub(super) fn alternatives<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        for (index, name) in names.into_iter().enumerate() {
            if index > 0 {
                self.text(" or ");
            }
            self.placeholder(name);
        }
    }

    pub(super) fn append(&mut self, other: &Self) {
        let start = self.text.len();
        self.text.push_str(&other.text);
        let moved = other
            .placeholders
            .iter()
            .map(|range| range.start + start..range.end + start);
        self.placeholders.extend(moved);
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
