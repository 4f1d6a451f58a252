//! Text with placeholders.

use std::ops::Range;

use svcgen_model::is_hidden;

/// Text in which some words are placeholders: `string`, `int`, `length`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Template {
    text: String,
    placeholders: Vec<Range<usize>>,
}

/// A part of a [`Template`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'t> {
    /// Literal text.
    Text(&'t str),
    /// A placeholder for a value: the name of its type, or a value of an enumeration.
    Placeholder(&'t str),
}

impl Template {
    /// Returns the whole text, with the names of placeholders.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the parts of the text, in order.
    pub fn pieces(&self) -> Vec<Piece<'_>> {
        let (mut pieces, mut end) = (Vec::new(), 0);
        for range in &self.placeholders {
            pieces.push(Piece::Text(&self.text[end..range.start]));
            pieces.push(Piece::Placeholder(&self.text[range.clone()]));
            end = range.end;
        }
        pieces.push(Piece::Text(&self.text[end..]));
        pieces.retain(|piece| *piece != Piece::Text(""));
        pieces
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds text escaped for XML content and attributes. Invisible characters become references,
    /// and characters that XML cannot contain become U+FFFD.
    pub(crate) fn escaped(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.text("&amp;"),
                '<' => self.text("&lt;"),
                '>' => self.text("&gt;"),
                '"' => self.text("&quot;"),
                '\r' => self.text("&#xD;"),
                '\n' | '\t' => self.text.push(character),
                '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => self.text.push('\u{fffd}'),
                _ if is_hidden(character) => {
                    self.text
                        .push_str(&format!("&#x{:X};", u32::from(character)));
                }
                _ => self.text.push(character),
            }
        }
    }

    pub(super) fn placeholder(&mut self, name: &str) {
        if name.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(name);
        self.placeholders.push(start..self.text.len());
    }

    /// Adds several placeholders: `A or B or C`.
    pub(super) fn alternatives<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        for (index, name) in names.into_iter().enumerate() {
            if index > 0 {
                self.text(" or ");
            }
            self.placeholder(name);
        }
    }

    /// Converts the literal text; placeholders stay unchanged.
    pub(crate) fn mapped(&self, text: impl Fn(&str) -> String) -> Self {
        let mut mapped = Self::default();
        for piece in self.pieces() {
            match piece {
                Piece::Text(literal) => mapped.text(&text(literal)),
                Piece::Placeholder(name) => mapped.placeholder(name),
            }
        }
        mapped
    }

    pub(crate) fn append(&mut self, other: &Self) {
        let start = self.text.len();
        self.text.push_str(&other.text);
        let moved = other
            .placeholders
            .iter()
            .map(|range| range.start + start..range.end + start);
        self.placeholders.extend(moved);
    }
}

impl From<Template> for String {
    fn from(template: Template) -> Self {
        template.text
    }
}
