//! Finds the values of a JSON text, in one pass and without recursion.

use crate::MOST_DEPTH;
use svcgen_wire::internals::Room;
use svcgen_wire::internals::bounded;
use svcgen_wire::internals::number::{is_digits, is_float};
use svcgen_wire::internals::{CONCEALED, Position};
use svcgen_wire::{ReadError, ReadErrorKind};

/// A value, the name of a member before its value, or the end of a list or an object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// The offset of its first byte.
    start: u32,
    /// The offset after its last byte, and whether there are escapes before it; for a list or an
    /// object the index of the entry of its end.
    end: u32,
}

/// Flag in the end of a text with escapes.
const ESCAPED: u32 = 1 << 31;

/// The maximum size of a document in bytes.
const LONGEST: usize = ESCAPED as usize - 1;

impl Entry {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        // No document is longer.
        let [start, end] = [start, end].map(|at| at as u32);
        Self { start, end }
    }

    /// Sets the index of the entry with the end of a list or an object.
    pub(crate) fn with_end(self, end: usize) -> Self {
        let end = end as u32;
        Self { end, ..self }
    }

    /// The offset of its first byte.
    pub(crate) fn start(self) -> usize {
        self.start as usize
    }

    /// The offset after the last byte of a name or of a value that is neither a list nor an object.
    pub(crate) fn end(self) -> usize {
        (self.end & !ESCAPED) as usize
    }

    /// The index of the entry with its end, if it is a list or an object.
    pub(crate) fn closing(self) -> u32 {
        self.end
    }

    /// Whether it is a text with escapes.
    pub(crate) fn has_escapes(self) -> bool {
        self.end & ESCAPED != 0
    }
}

/// The maximum number of entries to reserve at first: 4 KiB.
const MOST_AT_FIRST: usize = 512;

type Result<T = ()> = std::result::Result<T, ReadError>;

/// Adds the entries of a text at an offset in its document.
pub(crate) fn parse(
    text: &str,
    offset: usize,
    entries: &mut Vec<Entry>,
    room: &mut Room,
) -> Result {
    if offset + text.len() > LONGEST {
        let message = "The message has 2 GiB or more.";
        return Err(ReadError::new(ReadErrorKind::Limit, message));
    }
    if entries.is_empty() {
        // Enough for most messages.
        let few = (text.len() / 8 + 2).min(MOST_AT_FIRST);
        room.take(few * size_of::<Entry>())?;
        entries.reserve_exact(few);
    }
    let parser = Parser {
        text,
        at: 0,
        offset,
        entries,
        room,
    };
    parser.read()
}

struct Parser<'p> {
    text: &'p str,
    /// The number of bytes read so far.
    at: usize,
    /// The offset of the text in its document.
    offset: usize,
    entries: &'p mut Vec<Entry>,
    room: &'p mut Room,
}

impl Parser<'_> {
    /// Reads one value, and white space around it.
    fn read(mut self) -> Result {
        // The entries of the open lists and objects, and whether the innermost one is a list.
        let (mut open, mut depth, mut is_list) = ([0; MOST_DEPTH], 0, false);
        loop {
            // Start of a value.
            if depth == MOST_DEPTH {
                return Err(self.error(ReadErrorKind::Limit, "RecursionLimit exceeded."));
            }
            self.skip_blanks();
            let mut is_filled = false;
            match self.peek() {
                Some(b'[') => {
                    self.open(&mut open, &mut depth)?;
                    is_list = true;
                    is_filled = match self.peek() {
                        Some(b']') => false,
                        Some(_) => true,
                        None => {
                            return Err(self.malformed("Invalid array passed in, ']' expected."));
                        }
                    };
                }
                Some(b'{') => {
                    self.open(&mut open, &mut depth)?;
                    is_list = false;
                    is_filled = self.peek() != Some(b'}');
                    if is_filled {
                        self.name()?;
                    }
                }
                Some(b'"' | b'\'') => self.string()?,
                _ => self.primitive()?,
            }
            if is_filled {
                continue;
            }
            // End of a value, and of the lists and objects that end with it.
            loop {
                let Some(innermost) = depth.checked_sub(1) else {
                    return self.finish();
                };
                self.skip_blanks();
                match self.peek() {
                    Some(b',') => {
                        self.at += 1;
                        self.skip_blanks();
                        if !is_list {
                            // .NET accepts the end of an object here.
                            if self.peek() != Some(b'}') {
                                self.name()?;
                            }
                        } else if matches!(self.peek(), None | Some(b']')) {
                            self.take();
                            return Err(
                                self.malformed("Invalid array passed in, extra trailing ','.")
                            );
                        }
                        break;
                    }
                    Some(b']') if is_list => self.close(open[innermost])?,
                    Some(b'}') if !is_list => self.close(open[innermost])?,
                    _ => {
                        self.take();
                        return Err(if is_list {
                            self.malformed("Invalid array passed in, ',' expected.")
                        } else {
                            self.no_object()
                        });
                    }
                }
                depth = innermost;
                is_list = depth > 0 && self.is_list(open[depth - 1]);
            }
        }
    }

    /// Refuses anything after the value.
    fn finish(mut self) -> Result {
        self.skip_blanks();
        match self.take() {
            None => Ok(()),
            Some(_) => Err(self.no_primitive(self.at, self.text.len())),
        }
    }

    /// Opens a list or an object, and skips the white space after its bracket.
    fn open(&mut self, open: &mut [usize; MOST_DEPTH], depth: &mut usize) -> Result {
        open[*depth] = self.entries.len();
        *depth += 1;
        self.at += 1;
        self.add(self.at - 1)?;
        self.skip_blanks();
        Ok(())
    }

    /// Closes a list or an object, whose closing bracket is next.
    fn close(&mut self, opening: usize) -> Result {
        self.entries[opening] = self.entries[opening].with_end(self.entries.len());
        self.at += 1;
        self.add(self.at - 1)
    }

    fn is_list(&self, opening: usize) -> bool {
        let start = self.entries[opening].start() - self.offset;
        self.text.as_bytes()[start] == b'['
    }

    /// Reads the name of a member and its colon.
    fn name(&mut self) -> Result {
        match self.peek() {
            Some(b':') => {
                return Err(self.malformed("Invalid object passed in, member name expected."));
            }
            Some(b'"' | b'\'') => self.string()?,
            _ => {
                let start = self.at;
                self.token();
                self.add(start)?;
            }
        }
        self.skip_blanks();
        if self.peek() == Some(b':') {
            self.at += 1;
            return Ok(());
        }
        self.take();
        Err(self.no_object())
    }

    /// Reads a text in quotes.
    fn string(&mut self) -> Result {
        let bytes = self.text.as_bytes();
        let (start, quote) = (self.at, bytes[self.at]);
        self.at += 1;
        let mut escaped = 0;
        loop {
            let Some(length) = memchr::memchr2(quote, b'\\', &bytes[self.at..]) else {
                self.at = bytes.len();
                return Err(self.unterminated());
            };
            self.at += length + 1;
            if bytes[self.at - 1] == quote {
                self.add(start)?;
                let last = self.entries.len() - 1;
                self.entries[last].end |= escaped;
                return Ok(());
            }
            escaped = ESCAPED;
            match self.take() {
                Some(b'"' | b'\'' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {}
                Some(b'u') => {
                    let digits = bytes.get(self.at..self.at + 4).unwrap_or_default();
                    if digits.len() != 4 || !digits.iter().all(u8::is_ascii_hexdigit) {
                        return Err(self.malformed("Unrecognized escape sequence."));
                    }
                    self.at += 4;
                }
                Some(_) => return Err(self.malformed("Unrecognized escape sequence.")),
                None => return Err(self.unterminated()),
            }
        }
    }

    /// Reads a number, `true`, `false`, `null` or the empty end of the text, which is null.
    fn primitive(&mut self) -> Result {
        let start = self.at;
        if let Some(end) = self.end_of_integer() {
            self.at = end;
            return self.add(start);
        }
        self.token();
        let token = &self.text[start..self.at];
        let is_end = token.is_empty() && start == self.text.len();
        if is_end || matches!(token, "null" | "true" | "false") || is_number(token) {
            return self.add(start);
        }
        Err(self.no_primitive(start, self.at))
    }

    /// The end of an integer of few digits that is followed by `,`, `]` or `}`, the most common
    /// case.
    #[inline]
    fn end_of_integer(&self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let first = self.at + usize::from(self.peek()? == b'-');
        let digits = bytes.get(first..)?.iter().take(20);
        let count = digits.take_while(|byte| byte.is_ascii_digit()).count();
        let end = first + count;
        (count > 0 && matches!(bytes.get(end)?, b',' | b']' | b'}')).then_some(end)
    }

    /// Skips letters, digits and other characters of names and numbers.
    #[inline]
    fn token(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' | b'+' => self.at += 1,
                0x80.. => {
                    // .NET examines UTF-16 units, and a surrogate is not a letter.
                    let character = self.text[self.at..].chars().next();
                    let is_letter = |c: &char| c.is_alphanumeric() && c.len_utf16() == 1;
                    match character.filter(is_letter) {
                        Some(letter) => self.at += letter.len_utf8(),
                        None => return,
                    }
                }
                _ => return,
            }
        }
    }

    #[inline(always)]
    fn skip_blanks(&mut self) {
        if !matches!(self.peek(), Some(b'!'..=b'~')) {
            self.skip_some_blanks();
        }
    }

    #[inline(never)]
    fn skip_some_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\t'..=b'\r' => self.at += 1,
                0x80.. => {
                    let rest = &self.text[self.at..];
                    let blanks = rest.len() - rest.trim_start().len();
                    self.at += blanks;
                    if blanks == 0 {
                        return;
                    }
                }
                _ => return,
            }
        }
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Takes a character by its first byte.
    #[inline]
    fn take(&mut self) -> Option<u8> {
        let first = self.peek()?;
        self.at += 1;
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        Some(first)
    }

    /// Adds the entry for the text from a start to here.
    #[inline]
    fn add(&mut self, start: usize) -> Result {
        if self.entries.len() == self.entries.capacity() {
            self.grow()?;
        }
        let entry = Entry::new(self.offset + start, self.offset + self.at);
        self.entries.push(entry);
        Ok(())
    }

    /// Makes room for more entries.
    #[inline(never)]
    fn grow(&mut self) -> Result {
        let (capacity, rest) = (self.entries.capacity(), self.text.len() - self.at);
        // Every entry has at least a byte, except for null at the end.
        let size = size_of::<Entry>();
        let more = self.room.for_items(size, capacity, rest, rest + 1)?;
        self.entries.reserve_exact(more);
        Ok(())
    }

    #[cold]
    fn no_object(&self) -> ReadError {
        self.malformed("Invalid object passed in, ':' or '}' expected.")
    }

    #[cold]
    fn unterminated(&self) -> ReadError {
        self.malformed("Unterminated string passed in.")
    }

    #[cold]
    fn malformed(&self, message: &str) -> ReadError {
        self.error(ReadErrorKind::Malformed, message)
    }

    /// An error with the number of characters read and the whole text, as in .NET.
    #[cold]
    fn error(&self, kind: ReadErrorKind, message: &str) -> ReadError {
        let read = self.text[..self.at].encode_utf16().count();
        let text = format!("{message} ({read}): {}", bounded(self.text));
        self.placed(ReadError::new(kind, text).or_concealed(message), self.at)
    }

    /// The error for a part of the text that is not a value.
    #[cold]
    fn no_primitive(&self, start: usize, end: usize) -> ReadError {
        let say = |text: &str| format!("Invalid JSON primitive: {text}.");
        let message = say(&bounded(&self.text[start..end]));
        let error = ReadError::new(ReadErrorKind::Malformed, message);
        self.placed(error.or_concealed(say(CONCEALED)), start)
    }

    fn placed(&self, error: ReadError, at: usize) -> ReadError {
        error.at(Position::of(self.text, at), String::new())
    }
}

/// Whether .NET reads a token as a number: it accepts more than JSON, but no numbers beyond the
/// range of a double.
fn is_number(token: &str) -> bool {
    let unsigned = token.strip_prefix('-').unwrap_or(token);
    if unsigned.len() < 300 && is_digits(unsigned) {
        return !unsigned.is_empty();
    }
    if is_float(token) {
        return token.parse().is_ok_and(f64::is_finite);
    }
    matches!(token, "NaN" | "Infinity" | "-Infinity")
}
