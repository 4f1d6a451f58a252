//! Errors of reading and writing.

use std::fmt;

use crate::error_text::{bounded, innermost, printable};

/// The kind of a [`ReadError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// XML that is not well-formed, a document type definition, invalid base64, or markup in a text
    /// value.
    Malformed,
    /// Well-formed XML that is not a value of its type.
    Value,
    /// More than [`Limits`](crate::Limits) allow.
    Limit,
    /// A form without a required parameter.
    Missing,
}

/// Replaces a secret in a message.
pub const CONCEALED: &str = "[secret]";

/// The reason why a message could not be read, and the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError(Box<Details>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Details {
    kind: ReadErrorKind,
    message: String,
    /// The message without the value that it quotes.
    concealed: Option<String>,
    place: Option<Position>,
    path: String,
}

/// A position in a document: line and column, both counted from 1; columns are counted in UTF-16
/// code units, as in .NET.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Position {
    /// The position of a byte offset; a line ends with LF, CR or CR LF.
    pub fn of(text: &str, offset: usize) -> Self {
        let before = &text.as_bytes()[..offset];
        let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
        let mut line = 1;
        for (at, &byte) in before.iter().enumerate() {
            line += usize::from(
                byte == b'\r' || (byte == b'\n' && (at == 0 || before[at - 1] != b'\r')),
            );
        }
        Self {
            line,
            column: text[start..offset].encode_utf16().count() + 1,
        }
    }
}

impl Position {
    /// The byte offset of a position in a text whose lines end with LF; the end of the line or of
    /// the text if the position is after it.
    pub(crate) fn offset(self, text: &str) -> usize {
        let mut lines = text.split_inclusive('\n');
        let before: usize = lines.by_ref().take(self.line - 1).map(str::len).sum();
        let line = lines.next().unwrap_or_default();
        let mut column = 1;
        let found = line.char_indices().find(|(_, character)| {
            let here = column;
            column += character.len_utf16();
            here >= self.column
        });
        before + found.map_or(line.len(), |(at, _)| at)
    }
}

impl ReadError {
    /// Creates an error without a place in a document.
    pub fn new(kind: ReadErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Details {
            kind,
            message: bounded(message.into()).into_owned(),
            concealed: None,
            place: None,
            path: String::new(),
        }))
    }

    /// Moves the error to a place in the document and a path of elements.
    pub fn at(mut self, place: Position, path: String) -> Self {
        self.0.place = Some(place);
        self.0.path = path;
        self
    }

    pub(crate) fn place(&self) -> Option<Position> {
        self.0.place
    }

    /// Moves the error to another place.
    pub(crate) fn moved(mut self, place: Position) -> Self {
        self.0.place = Some(place);
        self
    }

    /// Makes it an error about a form field.
    pub(crate) fn of_field(mut self, name: &str) -> Self {
        self.0.path = name.to_owned();
        self
    }

    /// Sets the message to use for a secret value.
    pub fn or_concealed(mut self, message: impl Into<String>) -> Self {
        self.0.concealed = Some(bounded(message.into()).into_owned());
        self
    }

    /// Removes the message for a secret, because the error's own message quotes nothing secret.
    pub(crate) fn not_concealed(mut self) -> Self {
        self.0.concealed = None;
        self
    }

    /// Removes a secret value from the message and the path. In a document it is the value of the
    /// element at this level of the path: names below it may be text that was not escaped.
    pub fn conceal(mut self, level: usize) -> Self {
        if let Some(message) = self.0.concealed.take() {
            self.0.message = message;
        }
        if self.0.place.is_some()
            && let Some((end, _)) = self.0.path.match_indices('/').nth(level.saturating_sub(1))
        {
            self.0.path.truncate(end);
        }
        self
    }

    /// The kind of the error.
    pub fn kind(&self) -> ReadErrorKind {
        self.0.kind
    }

    /// The message without the place; the middle of a message of more than 1,000 bytes is left out.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The line, counted from 1; `None` for a form. An invalid value is reported at the end of its
    /// element, as in .NET.
    pub fn line(&self) -> Option<usize> {
        self.0.place.map(|place| place.line)
    }

    /// The column, counted in UTF-16 code units from 1, as in .NET; `None` for a form.
    pub fn column(&self) -> Option<usize> {
        self.0.place.map(|place| place.column)
    }

    /// The open elements, outermost first, such as `LoginWithEncryptedPassword/userInitiated`; for
    /// a form, the parameter.
    pub fn path(&self) -> &str {
        &self.0.path
    }
}

/// Writes one line without control characters, whatever the message quotes.
impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.path.is_empty() {
            write!(f, "{}: ", printable(&innermost(&self.0.path)))?;
        }
        f.write_str(&printable(&self.0.message))?;
        match self.0.place {
            Some(place) => write!(f, " (line {}, column {})", place.line, place.column),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ReadError {}

/// The reason why a value could not be written. It names the element and never quotes the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteError {
    message: String,
}

impl WriteError {
    /// Creates an error with a message.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for WriteError {}
