//! The tokenizer, strictly according to XML 1.0 (fifth edition) and Namespaces in XML 1.0.
//!
//! It is always between two tokens. [`Tokens::child`] and [`Tokens::text`] read on.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use super::characters::{Survey, is_space};
use super::error::{CONCEALED, Position, ReadError, ReadErrorKind};
use super::names::{ascii_qualified_name, ncname_length};
use super::namespaces::{Namespace, Namespaces};
use super::room::Room;
use super::scan::{blanks, starts_with};
use super::scopes::Scopes;
use crate::accept::Accepted;
use crate::limits::Limits;

/// A reader of XML, token by token.
#[derive(Debug, Clone)]
pub struct Tokens<'i> {
    /// The document, up to the first character that XML forbids.
    pub input: &'i str,
    /// The forbidden character after that, if any.
    illegal: Option<char>,
    /// The index of the next token.
    pub at: usize,
    /// Whether the document contains a carriage return.
    pub(crate) carriage_return: bool,
    /// Whether the document contains `]]>`.
    pub(crate) section_end: bool,
    /// Whether it contains neither.
    pub(crate) plain: bool,
    pub(crate) limits: Limits,
    /// Whether unexpected elements are refused instead of skipped.
    pub(crate) strict: bool,
    /// The accepted deviations that .NET does not read.
    #[doc(hidden)]
    pub accepted: Accepted,
    /// Whether the fast paths are used. Signatures and tests turn them off.
    pub fast: bool,
    /// The open elements, outermost first.
    pub(crate) open: Vec<Open>,
    /// The element whose start tag the fast path took, until its content is read. It is not in
    /// `open`.
    pub(crate) leaf: Option<Leaf>,
    /// Whether the innermost open element is `<x/>`, which is still to be closed.
    pub empty: bool,
    /// The index of the last end tag.
    pub end_tag_at: usize,
    /// The namespaces that are declared.
    pub namespaces: Namespaces<'i>,
    /// The attributes of the last start tag, without namespace declarations.
    pub attributes: Vec<Attribute<'i>>,
    /// The `xsi:nil` of the last start tag.
    pub(crate) nil: Nil,
    /// The number of start tags so far.
    pub(crate) elements: usize,
    /// The memory that values may still take.
    pub room: Room,
    /// The number of open elements around the value that is being read.
    outside: usize,
    /// The namespaces of elements, if they may differ from that of their parent.
    pub(crate) scopes: Option<Scopes<'i>>,
}

/// The value of `xsi:nil` in a start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nil {
    No,
    Yes,
    /// A value that is not a boolean, which is an error where nil has a meaning.
    Wrong,
}

/// An element whose content is next.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leaf {
    /// The index of its name. Not zero, because `<` comes before.
    pub(crate) start: NonZeroUsize,
}

/// An open element.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Open {
    /// The index of its name.
    pub(crate) start: usize,
    /// The length of the name with its prefix, in bytes.
    pub(crate) length: u32,
    /// The length of the prefix without the colon, in bytes.
    pub(crate) prefix: u32,
    pub(crate) namespace: Namespace,
    /// The number of namespace declarations in force around it.
    pub(crate) bindings: u32,
}

impl Open {
    /// The index of the end of the name.
    #[inline]
    pub(crate) fn end(&self) -> usize {
        self.start + self.length as usize
    }

    /// The index of the local name, after the prefix and its colon.
    #[inline]
    pub(crate) fn local_start(&self) -> usize {
        let has_prefix = self.prefix > 0;
        self.start + self.prefix as usize + usize::from(has_prefix)
    }
}

/// The next token in an element, except for comments and processing instructions.
#[derive(Debug)]
pub enum Piece<'i> {
    /// Text, with its references and CDATA sections decoded.
    Text(Cow<'i, str>),
    /// The start tag of a child, which is now the innermost open element.
    Start,
    /// The end tag of the element.
    End,
}

#[derive(Clone, Debug)]
pub struct Attribute<'i> {
    pub prefix: &'i str,
    pub local_name: &'i str,
    pub namespace: Namespace,
    pub value: Cow<'i, str>,
}

/// The length of the markup before the name or the text of the node at the start of a text.
pub(crate) fn before_name(text: &[u8]) -> usize {
    let markup = match text {
        [b'<', b'!', b'-', ..] => "<!--",
        [b'<', b'!', ..] => "<![CDATA[",
        [b'<', b'/', ..] => "</",
        [b'<', b'?', ..] => "<?",
        [b'<', ..] => "<",
        _ => "",
    };
    markup.len()
}

pub(crate) type Result<T> = std::result::Result<T, ReadError>;

impl<'i> Tokens<'i> {
    /// Creates a tokenizer for a document.
    pub fn new(input: &'i str, limits: &Limits) -> Self {
        let survey = Survey::of(input);
        Self {
            input: &input[..survey.end],
            illegal: input[survey.end..].chars().next(),
            at: 0,
            carriage_return: survey.carriage_return,
            section_end: survey.section_end,
            plain: !(survey.carriage_return || survey.section_end),
            limits: limits.with_depth(limits.depth.min(Limits::MOST_DEPTH)),
            strict: false,
            accepted: Accepted::default(),
            fast: true,
            open: Vec::new(),
            leaf: None,
            empty: false,
            end_tag_at: 0,
            namespaces: Namespaces::default(),
            attributes: Vec::new(),
            nil: Nil::No,
            elements: 0,
            room: Room::of_message(input.len(), input.len(), limits),
            outside: 0,
            scopes: None,
        }
    }

    /// Reads up to and including the start tag of the root.
    pub fn root(&mut self) -> Result<()> {
        self.open = Vec::with_capacity(16);
        self.namespaces.reserve(8);
        if !self.take_declaration() {
            self.declaration()?;
        }
        self.outside_root()?;
        if self.take_root() {
            return Ok(());
        }
        match self.rest() {
            [b'<', ..] => self.start_tag(),
            [] if self.illegal.is_none() => Err(self.error(self.at, "Root element is missing.")),
            _ => Err(self.outside_error()),
        }
    }

    /// Reads up to the end of the document.
    pub fn finish(&mut self) -> Result<()> {
        if !self.open.is_empty() {
            return Err(self.unfinished());
        }
        self.outside_root()?;
        match self.rest() {
            [] if self.illegal.is_none() => Ok(()),
            [b'<', next, ..] if !matches!(next, b'!' | b'/') => Err(self.error(
                self.at + 1,
                "There are multiple root elements; a document has one.",
            )),
            _ => Err(self.outside_error()),
        }
    }

    /// Reads up to and including the start tag of the next child of the innermost open element.
    /// Returns `false` if its end tag came instead.
    pub fn child(&mut self) -> Result<bool> {
        if self.empty {
            self.close();
            return Ok(false);
        }
        loop {
            match self.rest() {
                [b'<', b'/', ..] => {
                    self.end_tag()?;
                    self.close();
                    return Ok(false);
                }
                [b'<', b'!', b'[', ..] => drop(self.section()?),
                [b'<', b'!', ..] => self.comment()?,
                [b'<', b'?', ..] => self.instruction()?,
                [b'<', ..] if self.take_body_or_wrapper() => return Ok(true),
                [b'<', ..] => return self.start_tag().map(|()| true),
                _ => self.pass_text()?,
            }
        }
    }

    /// Returns the next token in the innermost open element, including text, for signatures; other
    /// readers skip text between children.
    pub fn piece(&mut self) -> Result<Piece<'i>> {
        if self.empty {
            self.close();
            return Ok(Piece::End);
        }
        loop {
            match self.rest() {
                [b'<', b'/', ..] => {
                    self.end_tag()?;
                    self.close();
                    return Ok(Piece::End);
                }
                [b'<', b'!', b'[', ..] => {}
                [b'<', b'!', ..] => {
                    self.comment()?;
                    continue;
                }
                [b'<', b'?', ..] => {
                    self.instruction()?;
                    continue;
                }
                [b'<', ..] => return self.start_tag().map(|()| Piece::Start),
                _ => {}
            }
            return self.piece_of_text().map(Piece::Text);
        }
    }

    /// Skips the innermost open element, through its end tag. Returns its content.
    pub fn skip(&mut self) -> Result<&'i str> {
        if self.empty {
            self.close();
            return Ok("");
        }
        let (level, start) = (self.open.len(), self.at);
        while self.open.len() >= level {
            self.child()?;
        }
        Ok(&self.input[start..self.end_tag_at])
    }

    /// Skips a value, which may be a secret, so errors do not quote it.
    pub(crate) fn skip_value(&mut self) -> Result<()> {
        let level = self.level();
        self.skip().map(drop).map_err(|error| error.conceal(level))
    }

    #[inline]
    pub(crate) fn rest(&self) -> &'i [u8] {
        &self.input.as_bytes()[self.at..]
    }

    /// Skips white space. Returns whether there was any.
    pub(crate) fn skip_space(&mut self) -> bool {
        let length = self
            .rest()
            .iter()
            .take_while(|byte| is_space(**byte))
            .count();
        self.at += length;
        length > 0
    }

    /// Skips blanks and control characters. All of these are white space: the document contains no
    /// other control characters.
    #[inline]
    pub(crate) fn skip_blanks(&mut self) {
        self.at += blanks(self.rest());
    }

    /// Whether the innermost open element, whose start tag was read last, contains only white
    /// space.
    pub fn is_blank(&self) -> bool {
        let rest = self.rest();
        self.empty || rest[blanks(rest)..].starts_with(b"</")
    }

    /// Whether the innermost open element, whose start tag was read last, has a child before any
    /// text.
    pub(crate) fn is_before_child(&self) -> bool {
        let rest = self.rest();
        !self.empty
            && matches!(&rest[blanks(rest)..], [b'<', next, ..] if !matches!(next, b'/' | b'!' | b'?'))
    }

    /// Whether the innermost open element, whose start tag was read last, is empty.
    pub(crate) fn is_without_text(&self) -> bool {
        self.empty || self.rest().starts_with(b"</")
    }

    /// Reads a name without a colon.
    pub(crate) fn ncname(&mut self, what: &str) -> Result<&'i str> {
        let start = self.at;
        let length = ncname_length(&self.input[start..]);
        if length == 0 {
            return Err(self.unexpected(what));
        }
        self.check_name(start, length)?;
        self.at += length;
        Ok(&self.input[start..self.at])
    }

    /// Reads a name with or without a prefix. Returns it with the length of the prefix.
    #[inline]
    pub(crate) fn qualified(&mut self, what: &str) -> Result<(&'i str, u32)> {
        if let Some((length, prefix)) = ascii_qualified_name(self.rest())
            && length <= self.limits.name
            && let Some((name, _)) = self.input[self.at..].split_at_checked(length)
        {
            self.at += length;
            return Ok((name, prefix as u32));
        }
        self.any_qualified(what)
    }

    /// Reads a name that is not ASCII, is too long or is malformed.
    #[inline(never)]
    fn any_qualified(&mut self, what: &str) -> Result<(&'i str, u32)> {
        let start = self.at;
        let first = self.ncname(what)?;
        if self.rest().first() != Some(&b':') {
            return Ok((first, 0));
        }
        self.at += 1;
        self.ncname("a name after the ':' of a prefix")?;
        self.check_name(start, self.at - start)?;
        if self.rest().first() == Some(&b':') {
            return Err(self.error(
                self.at,
                "A name has two colons; there is one at most, after the prefix.",
            ));
        }
        Ok((&self.input[start..self.at], first.len() as u32))
    }

    #[inline]
    pub(crate) fn check_name(&self, at: usize, length: usize) -> Result<()> {
        if length > self.limits.name {
            return Err(self.over(at, "bytes in a name", self.limits.name));
        }
        Ok(())
    }

    /// Opens an element, if the limits allow it.
    #[inline]
    pub(crate) fn enter(&mut self, open: Open) -> Result<()> {
        if self.open.len() >= self.limits.depth {
            return Err(self.over(open.start, "levels of elements", self.limits.depth));
        }
        if self.elements >= self.limits.elements {
            return Err(self.over(open.start, "elements", self.limits.elements));
        }
        self.elements += 1;
        self.open.push(open);
        Ok(())
    }

    /// The name of an open element, as written.
    pub(crate) fn name_of(&self, open: &Open) -> &'i str {
        &self.input[open.start..open.end()]
    }

    /// The prefix of the name of an open element.
    pub(crate) fn prefix_of(&self, open: &Open) -> &'i str {
        &self.input[open.start..open.start + open.prefix as usize]
    }

    /// The name of an open element, without its prefix.
    pub(crate) fn local_name_of(&self, open: &Open) -> &'i str {
        &self.input[open.local_start()..open.end()]
    }

    /// Closes the innermost open element after its end tag.
    #[inline]
    pub fn close(&mut self) {
        self.empty = false;
        if let Some(closed) = self.open.pop()
            && closed.bindings != self.namespaces.count()
        {
            self.namespaces.truncate(closed.bindings);
        }
    }

    /// Forgets the attributes of the last start tag.
    #[inline]
    pub(crate) fn forget_attributes(&mut self) {
        self.nil = Nil::No;
        if !self.attributes.is_empty() {
            self.clear_attributes();
        }
    }

    #[cold]
    fn clear_attributes(&mut self) {
        self.attributes.clear();
    }

    /// Reads `</name>` of the innermost open element, which stays open.
    #[inline(always)]
    pub(crate) fn end_tag(&mut self) -> Result<()> {
        self.end_tag_at = self.at;
        let Some(open) = self.open.last() else {
            return Err(self.error(self.at, "An end tag without a start tag."));
        };
        let bytes = self.input.as_bytes();
        let name = &bytes[open.start..open.end()];
        let rest = &bytes[self.at + 2..];
        if rest.len() > name.len() && rest[name.len()] == b'>' && starts_with(rest, name) {
            self.at += name.len() + 3;
            return Ok(());
        }
        self.end_tag_spaced(*open)
    }

    #[cold]
    fn end_tag_spaced(&mut self, open: Open) -> Result<()> {
        self.at += 2;
        let at = self.at;
        let (name, _) = self.qualified("a name after '</'")?;
        let expected = self.name_of(&open);
        if name != expected {
            let start = Position::of(self.input, open.start);
            let here = Position::of(self.input, at);
            let say = |expected: &str, name: &str| {
                format!(
                    "The '{expected}' start tag on line {} position {} does not match the end tag of '{name}'. Line {}, position {}.",
                    start.line, start.column, here.line, here.column
                )
            };
            return Err(self
                .error(at, say(expected, name))
                .or_concealed(say(CONCEALED, CONCEALED)));
        }
        self.skip_space();
        self.expect(b">", "'>' at the end of an end tag")
    }

    /// Reads `token`.
    pub(crate) fn expect(&mut self, token: &[u8], what: &str) -> Result<()> {
        if !self.rest().starts_with(token) {
            return Err(self.unexpected(what));
        }
        self.at += token.len();
        Ok(())
    }

    /// The index of a slice of the document.
    pub(crate) fn offset(&self, piece: &'i str) -> usize {
        piece.as_ptr() as usize - self.input.as_ptr() as usize
    }
}

/// Errors.
impl<'i> Tokens<'i> {
    /// The error that the document is not well-formed at an index.
    #[cold]
    pub fn error(&self, at: usize, message: impl Into<String>) -> ReadError {
        self.error_of(ReadErrorKind::Malformed, at, message.into())
    }

    #[cold]
    pub(crate) fn error_of(&self, kind: ReadErrorKind, at: usize, message: String) -> ReadError {
        ReadError::new(kind, message).at(Position::of(self.input, at), self.path())
    }

    /// The error that `what` was expected here.
    #[cold]
    pub(crate) fn unexpected(&self, what: &str) -> ReadError {
        match self.rest() {
            [] => self.unfinished(),
            _ => self.error(self.at, format!("There should be {what} here.")),
        }
    }

    /// The error that the document ends too early.
    #[cold]
    pub(crate) fn unfinished(&self) -> ReadError {
        let end = self.input.len();
        if let Some(character) = self.illegal {
            return self.error(
                end,
                format!("U+{:04X} is not a character of XML.", u32::from(character)),
            );
        }
        let ended = "Unexpected end of file has occurred.";
        if self.open.is_empty() {
            return self.error(end, ended);
        }
        let open = self.open.iter().rev().map(|open| self.name_of(open));
        let open = open.collect::<Vec<_>>().join(", ");
        let message = format!("{ended} The following elements are not closed: {open}.");
        self.error(end, message).or_concealed(ended)
    }

    /// The error that `what`, which starts at an index, is not ended.
    #[cold]
    pub(crate) fn endless(&self, at: usize, what: &str) -> ReadError {
        match self.illegal {
            Some(_) => self.unfinished(),
            None => self.error(at, format!("{what} has no end.")),
        }
    }

    /// The error that a limit is exceeded.
    #[cold]
    pub(crate) fn over(&self, at: usize, what: &str, limit: usize) -> ReadError {
        self.error_of(
            ReadErrorKind::Limit,
            at,
            format!("More than {limit} {what}."),
        )
    }

    /// Takes room for values.
    #[inline]
    pub fn take_room(&mut self, bytes: usize) -> Result<()> {
        self.room.take(bytes).map_err(|error| self.here(error))
    }

    /// Appends to a list, which takes room when it grows.
    #[inline]
    pub fn push<T>(&mut self, list: &mut Vec<T>, value: T) -> Result<()> {
        let pushed = self.room.push(list, value);
        pushed.map_err(|error| self.here(error))
    }

    /// Adds the current place to an error.
    #[cold]
    pub fn here(&self, error: ReadError) -> ReadError {
        self.placed(error, self.at)
    }

    /// Adds a place to an error.
    #[cold]
    pub fn placed(&self, error: ReadError, at: usize) -> ReadError {
        error.at(Position::of(self.input, at), self.path())
    }

    /// The place of a .NET reader at the node after the last token: its name or its text.
    pub(crate) fn next_node(&self) -> usize {
        (self.at + before_name(self.rest())).min(self.input.len())
    }

    /// The place of a .NET reader at the last end tag.
    pub fn end_tag_name(&self) -> usize {
        (self.end_tag_at + "</".len()).min(self.input.len())
    }

    /// The declarations of the start tag that was read last.
    pub fn declared_here(&self) -> impl Iterator<Item = (&'i str, &Cow<'i, str>)> {
        let outer = self.open.last().map_or(0, |open| open.bindings);
        self.namespaces.declared(outer)
    }

    /// The declarations in force in the innermost open element; of two for one prefix the last
    /// counts.
    pub fn declared(&self) -> impl Iterator<Item = (&'i str, &Cow<'i, str>)> {
        self.namespaces.declared(0)
    }

    /// The index of the name of the innermost open element.
    pub fn element_start(&self) -> usize {
        self.open.last().map_or(self.at, |open| open.start)
    }

    /// An error at the name of the innermost open element.
    pub(crate) fn error_at_element(&self, kind: ReadErrorKind, message: String) -> ReadError {
        self.error_of(kind, self.element_start(), message)
    }

    pub(crate) fn element_position(&self) -> (usize, usize) {
        let place = Position::of(self.input, self.element_start());
        (place.line, place.column)
    }

    /// The names of the open elements, starting with the value that is being read.
    pub(crate) fn path(&self) -> String {
        let names: Vec<&str> = self
            .open
            .iter()
            .skip(self.outside)
            .map(|open| self.local_name_of(open))
            .collect();
        names.join("/")
    }

    /// The number of open elements, starting with the value that is being read, including the one
    /// that the fast path took.
    #[inline]
    pub(crate) fn level(&self) -> usize {
        (self.open.len() + usize::from(self.leaf.is_some())).saturating_sub(self.outside)
    }

    /// Starts reading the innermost element as a value. Returns the argument for
    /// [`leave_value`](Self::leave_value).
    pub(crate) fn enter_value(&mut self) -> usize {
        let own = usize::from(self.leaf.is_none());
        let outside = self.open.len().saturating_sub(own);
        std::mem::replace(&mut self.outside, outside)
    }

    pub(crate) fn leave_value(&mut self, outside: usize) {
        self.outside = outside;
    }
}
