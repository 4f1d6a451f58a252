//! The XML declaration and the rest of the prolog (XML 1.0 §2.8).

use super::characters::is_space;
use super::error::ReadError;
use super::tokens::{Result, Tokens};

impl<'i> Tokens<'i> {
    /// Reads the XML declaration, if there is one.
    pub(crate) fn declaration(&mut self) -> Result<()> {
        let after = self.rest().strip_prefix(b"<?xml").and_then(<[u8]>::first);
        if !after.is_some_and(|byte| is_space(*byte)) {
            return Ok(());
        }
        self.at += "<?xml".len();
        self.skip_space();
        let at = self.at;
        let version = self
            .pseudo_attribute("version")?
            .ok_or_else(|| self.unexpected("'version' in the XML declaration"))?;
        if !version.strip_prefix("1.").is_some_and(|minor| {
            !minor.is_empty() && minor.bytes().all(|byte| byte.is_ascii_digit())
        }) {
            return Err(self.error(at, "The version of XML must be 1.0."));
        }
        let mut spaced = self.skip_space();
        let at = self.at;
        if spaced && let Some(encoding) = self.pseudo_attribute("encoding")? {
            self.check_encoding(at, encoding)?;
            spaced = self.skip_space();
        }
        let at = self.at;
        if spaced && let Some(standalone) = self.pseudo_attribute("standalone")? {
            if !matches!(standalone, "yes" | "no") {
                return Err(self.error(at, "'standalone' must be 'yes' or 'no'."));
            }
            self.skip_space();
        }
        self.expect(
            b"?>",
            "'encoding', 'standalone' or '?>', in this order, in the XML declaration",
        )
    }

    /// Reads `name="value"` if the name is the given one.
    fn pseudo_attribute(&mut self, name: &str) -> Result<Option<&'i str>> {
        if !self.rest().starts_with(name.as_bytes()) {
            return Ok(None);
        }
        self.at += name.len();
        self.skip_space();
        self.expect(b"=", "'=' in the XML declaration")?;
        self.skip_space();
        let quote = match self.rest() {
            [quote @ (b'"' | b'\''), ..] => *quote,
            _ => return Err(self.unexpected("a quoted value in the XML declaration")),
        };
        let start = self.at + 1;
        let Some(length) = memchr::memchr(quote, &self.rest()[1..]) else {
            return Err(self.endless(self.at, "A value in the XML declaration"));
        };
        self.at = start + length + 1;
        Ok(Some(&self.input[start..start + length]))
    }

    fn check_encoding(&self, at: usize, name: &str) -> Result<()> {
        let mut bytes = name.bytes();
        let well_formed = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic())
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'));
        if !well_formed {
            return Err(self.error(
                at,
                "The XML declaration names something that is no encoding.",
            ));
        }
        Ok(())
    }

    /// Reads the comments, processing instructions and white space that are allowed outside the
    /// root.
    pub(crate) fn outside_root(&mut self) -> Result<()> {
        loop {
            self.skip_space();
            match self.rest() {
                [b'<', b'!', b'[', ..] => return Ok(()),
                [b'<', b'!', ..] => self.comment()?,
                [b'<', b'?', ..] => self.instruction()?,
                _ => return Ok(()),
            }
        }
    }

    /// The error for markup or text that is not allowed outside the root.
    #[cold]
    pub(crate) fn outside_error(&self) -> ReadError {
        match self.rest() {
            [] => self.unfinished(),
            [0xEF, 0xBB, 0xBF, ..] => self.error(self.at, "A second byte order mark."),
            [b'<', b'/', ..] => self.error(self.at, "An end tag outside the root element."),
            [b'<', ..] => self.error(self.at, "A CDATA section outside the root element."),
            _ => self.error(self.at, "Text outside the root element; only comments, processing instructions and white space may stand there."),
        }
    }
}

/// The encoding that the XML declaration of a document in a superset of ASCII states. The
/// [`Reader`](crate::Reader) checks the grammar.
pub fn declared_encoding(bytes: &[u8]) -> Option<&str> {
    let bytes = bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(bytes)
        .strip_prefix(b"<?xml")?;
    // `<?xml-stylesheet` is a processing instruction.
    bytes.first().filter(|byte| is_space(**byte))?;
    let declaration = &bytes[..bytes.windows(2).position(|pair| pair == b"?>")?];
    let at = memchr::memmem::find(declaration, b"encoding")?;
    let value = declaration[at + "encoding".len()..]
        .trim_ascii_start()
        .strip_prefix(b"=")?
        .trim_ascii_start();
    let quote = *value
        .first()
        .filter(|quote| matches!(quote, b'"' | b'\''))?;
    let name = &value[1..1 + memchr::memchr(quote, &value[1..])?];
    std::str::from_utf8(name).ok()
}
