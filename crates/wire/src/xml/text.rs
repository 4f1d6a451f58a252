//! Text, CDATA sections and references.

use std::borrow::Cow;

use super::characters::{is_char, is_space};
use super::error::ReadErrorKind;
use super::scan::{blanks, markup};
use super::tokens::{Result, Tokens};
use crate::accept::Accept;

/// Whether a run of text contains a carriage return or `]]>`.
#[inline(never)]
fn has_line_or_section_end(run: &[u8]) -> bool {
    memchr::memchr(b'\r', run).is_some() || memchr::memmem::find(run, b"]]>").is_some()
}

/// The character of a reference to one of the five entities that need no declaration, and the rest
/// after it.
#[inline]
pub(super) fn predefined(text: &str) -> Option<(char, &str)> {
    let (character, length) = match text.as_bytes() {
        [b'&', b'a', b'm', b'p', b';', ..] => ('&', 5),
        [b'&', b'l', b't', b';', ..] => ('<', 4),
        [b'&', b'g', b't', b';', ..] => ('>', 4),
        [b'&', b'q', b'u', b'o', b't', b';', ..] => ('"', 6),
        [b'&', b'a', b'p', b'o', b's', b';', ..] => ('\'', 6),
        _ => return None,
    };
    Some((character, text.get(length..)?))
}

/// The length of the text up to markup at the start of `text`, if a .NET reader considers it white
/// space; otherwise 0.
fn white_space(text: &[u8]) -> usize {
    let mut rest = text;
    loop {
        rest = &rest[blanks(rest)..];
        let Some(reference) = rest.strip_prefix(b"&#x") else {
            return match rest {
                [b'<', ..] => text.len() - rest.len(),
                _ => 0,
            };
        };
        let zeros = reference.iter().take_while(|byte| **byte == b'0').count();
        rest = match &reference[zeros..] {
            [b'9' | b'a' | b'A' | b'd' | b'D', b';', rest @ ..] => rest,
            [b'2', b'0', b';', rest @ ..] => rest,
            _ => return 0,
        };
    }
}

impl<'i> Tokens<'i> {
    /// Reads the text of the innermost open element, through its end tag, and leaves the element
    /// open for errors about its value. It may contain only text, CDATA sections and references.
    pub fn text(&mut self) -> Result<Cow<'i, str>> {
        if self.empty {
            return Ok(Cow::Borrowed(""));
        }
        if let Some(length) = markup(self.rest())
            && self.rest()[length..].starts_with(b"</")
            && length <= self.limits.text
        {
            let run = &self.input[self.at..self.at + length];
            if self.is_plain(run.as_bytes()) {
                self.at += length;
                self.end_tag()?;
                return Ok(Cow::Borrowed(run));
            }
        }
        self.mixed_text().map(Cow::Owned)
    }

    /// Whether a run of text without references needs no normalization.
    #[inline]
    pub(crate) fn is_plain(&self, run: &[u8]) -> bool {
        self.plain || !has_line_or_section_end(run)
    }

    fn mixed_text(&mut self) -> Result<String> {
        // Enough for most texts, because references are longer than their characters.
        let length = memchr::memchr(b'<', self.rest()).unwrap_or(0);
        let text = String::with_capacity(length.min(self.limits.text));
        let text = self.append_text(text)?;
        match self.rest() {
            [b'<', b'/', ..] => {
                self.end_tag()?;
                Ok(text)
            }
            _ => self.refuse_markup(),
        }
    }

    /// Reads the next text of the innermost open element, up to a child, a comment, an instruction
    /// or the end tag; `None` if a child or the end tag comes first.
    ///
    /// As in .NET, white space with hexadecimal references is not text, but with decimal references
    /// it is.
    pub(crate) fn text_between(&mut self) -> Result<Option<Cow<'i, str>>> {
        if self.empty {
            return Ok(None);
        }
        loop {
            self.at += white_space(self.rest());
            match self.rest() {
                [b'<', b'!', b'[', ..] => break,
                [b'<', b'!', ..] => self.comment()?,
                [b'<', b'?', ..] => self.instruction()?,
                [b'<', ..] => return Ok(None),
                _ => break,
            }
        }
        self.piece_of_text().map(Some)
    }

    /// Reads the text at the current position, up to other markup.
    pub(super) fn piece_of_text(&mut self) -> Result<Cow<'i, str>> {
        let rest = self.rest();
        if let Some(length) = markup(rest)
            && length > 0
            && rest[length..].starts_with(b"<")
            && !rest[length..].starts_with(b"<![")
            && length <= self.limits.text
            && self.is_plain(&rest[..length])
        {
            let run = &self.input[self.at..self.at + length];
            self.at += length;
            return Ok(Cow::Borrowed(run));
        }
        self.append_text(String::new()).map(Cow::Owned)
    }

    /// Appends the text, CDATA sections and references up to other markup.
    fn append_text(&mut self, mut text: String) -> Result<String> {
        let start = self.at;
        loop {
            match self.rest() {
                [b'<', b'!', b'[', ..] => {
                    let section = self.section()?;
                    self.push_lines(&mut text, section)?;
                }
                [b'<', ..] => return Ok(text),
                [b'&', ..] => {
                    let character = self.reference()?;
                    self.push_text(&mut text, character.encode_utf8(&mut [0; 4]))?;
                }
                _ => {
                    let run = self.run()?;
                    self.push_lines(&mut text, run)?;
                }
            }
            if text.len() > self.limits.text {
                return Err(self.over(start, "bytes in a text", self.limits.text));
            }
        }
    }

    /// Refuses an element, comment or processing instruction in a text value. ASMX treats it like
    /// malformed XML.
    fn refuse_markup(&mut self) -> Result<String> {
        let what = match self.rest() {
            [_, b'!', ..] => "Comment",
            [_, b'?', ..] => "ProcessingInstruction",
            _ => "Element",
        };
        let error = self.error_of(
            ReadErrorKind::Malformed,
            self.at + 1,
            format!("Unexpected node type {what}: the element holds a text value."),
        );
        match what {
            "Comment" => self.comment()?,
            "ProcessingInstruction" => self.instruction()?,
            _ => self.start_tag()?,
        }
        Err(error)
    }

    /// Appends text with its line ends normalized to LF (XML 1.0 §2.11).
    fn push_lines(&mut self, text: &mut String, run: &str) -> Result<()> {
        if !self.carriage_return {
            return self.push_text(text, run);
        }
        let mut rest = run;
        while let Some(at) = rest.find('\r') {
            self.push_text(text, &rest[..at])?;
            self.push_text(text, "\n")?;
            rest = &rest[at + 1..];
            rest = rest.strip_prefix('\n').unwrap_or(rest);
        }
        self.push_text(text, rest)
    }

    fn push_text(&mut self, text: &mut String, more: &str) -> Result<()> {
        let pushed = self.room.push_str(text, more);
        pushed.map_err(|error| self.here(error))
    }

    /// Skips text between children, which must be well-formed.
    pub(crate) fn pass_text(&mut self) -> Result<()> {
        self.skip_space();
        match self.rest() {
            [b'<', ..] => Ok(()),
            [b'&', ..] => self.reference().map(drop),
            _ => self.run().map(drop),
        }
    }

    /// Reads text up to the next markup.
    fn run(&mut self) -> Result<&'i str> {
        let Some(length) = markup(self.rest()) else {
            return Err(self.unfinished());
        };
        if length > self.limits.text {
            return Err(self.over(self.at, "bytes in a text", self.limits.text));
        }
        let run = &self.input[self.at..self.at + length];
        if self.section_end
            && let Some(at) = run.find("]]>")
        {
            return Err(self.error(self.at + at, "']]>' in text; its '>' is written '&gt;'."));
        }
        self.at += length;
        Ok(run)
    }

    /// Reads a CDATA section.
    pub(crate) fn section(&mut self) -> Result<&'i str> {
        let start = self.at;
        self.expect(b"<![CDATA[", "a CDATA section, '<![CDATA['")?;
        let Some(length) = memchr::memmem::find(self.rest(), b"]]>") else {
            return Err(self.endless(start, "A CDATA section"));
        };
        if length > self.limits.text {
            return Err(self.over(start, "bytes in a text", self.limits.text));
        }
        let text = &self.input[self.at..self.at + length];
        self.at += length + 3;
        Ok(text)
    }

    /// Reads a character reference, or a reference to one of the five entities that need no
    /// declaration.
    ///
    /// Its errors do not quote the reference: it may be part of a password.
    pub fn reference(&mut self) -> Result<char> {
        let start = self.at;
        if let Some((character, rest)) = predefined(&self.input[start..]) {
            self.at = self.input.len() - rest.len();
            return Ok(character);
        }
        let body = &self.rest()[1..];
        // Leading zeros are allowed, so a reference has any length.
        let Some(length) = body
            .iter()
            .position(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'#'))
        else {
            return Err(self.unfinished());
        };
        if length == 0 || body[length] != b';' {
            return Err(self.error(
                start,
                "'&' starts no reference; '&' itself is written '&amp;'.",
            ));
        }
        let character = match &body[..length] {
            [b'#', b'x', digits @ ..] => self.character(digits, 16)?,
            [b'#', digits @ ..] => self.character(digits, 10)?,
            _ => return Err(self.error(start, "Reference to an undeclared entity; there are 'lt', 'gt', 'amp', 'apos' and 'quot'.")),
        };
        self.at += length + 2;
        Ok(character)
    }

    fn character(&self, digits: &[u8], radix: u32) -> Result<char> {
        let mut code = 0u32;
        for &digit in digits {
            let Some(digit) = char::from(digit).to_digit(radix) else {
                return Err(self.error(
                    self.at,
                    "A character reference holds something else than digits.",
                ));
            };
            code = code.saturating_mul(radix).saturating_add(digit);
        }
        if digits.is_empty() {
            return Err(self.error(self.at, "A character reference without digits."));
        }
        match char::from_u32(code) {
            Some(character)
                if is_char(character) || self.accepted.has(Accept::ControlCharacters) =>
            {
                Ok(character)
            }
            _ => Err(self.error(
                self.at,
                "A reference to something that is not a character of XML.",
            )),
        }
    }

    /// Reads a comment.
    pub(crate) fn comment(&mut self) -> Result<()> {
        let start = self.at;
        if self.rest().starts_with(b"<!DOCTYPE") {
            return Err(self.error(
                start,
                "A document type definition, which is not accepted; leave it out.",
            ));
        }
        self.expect(b"<!--", "a comment, '<!--'")?;
        let Some(length) = memchr::memmem::find(self.rest(), b"--") else {
            return Err(self.endless(start, "A comment"));
        };
        self.at += length;
        self.expect(b"-->", "'-->': a comment cannot hold '--'")
    }

    /// Reads a processing instruction.
    pub(crate) fn instruction(&mut self) -> Result<()> {
        let start = self.at;
        if !self.limits.processing_instructions {
            return Err(self.error(start, "A processing instruction, which is not accepted."));
        }
        self.at += 2;
        let target = self.ncname("the name of a processing instruction, without a colon")?;
        if target.eq_ignore_ascii_case("xml") {
            return Err(self.error(start, "An XML declaration that is not at the very start of the document, or a processing instruction of the reserved name 'xml'."));
        }
        if self.rest().starts_with(b"?>") {
            self.at += 2;
            return Ok(());
        }
        if !self.rest().first().is_some_and(|byte| is_space(*byte)) {
            return Err(
                self.unexpected("white space or '?>' after the name of a processing instruction")
            );
        }
        let Some(length) = memchr::memmem::find(self.rest(), b"?>") else {
            return Err(self.endless(start, "A processing instruction"));
        };
        self.at += length + 2;
        Ok(())
    }
}
