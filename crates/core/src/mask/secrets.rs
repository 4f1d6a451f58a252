//! Secrets, and texts that quote them.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::marks::SECRET;
use super::masked::Masked;
use svcgen_wire::Limits;
use svcgen_wire::internals::Accepted;
use svcgen_wire::internals::Tokens;
use svcgen_wire::internals::form::{decode, percent_decode};

/// The largest number of secrets of a request to search for.
const MOST: usize = 64;

/// The least number of characters to search for. Shorter secrets are in any text by chance, and the
/// place of a replacement would reveal them.
const SHORT: usize = 4;

/// Secrets that texts may quote: the secrets of a request
/// ([`Mask::secrets`](crate::mask::Mask::secrets)), or secrets that a program was given.
///
/// A quotation is recognised unchanged, escaped as in XML or JSON, percent-encoded as in a URL or a
/// form, or in base64.
#[derive(Clone, Default)]
pub struct Secrets {
    secrets: Vec<String>,
    /// Whether there may be other, unknown secrets.
    more: bool,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets").finish_non_exhaustive()
    }
}

impl Secrets {
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates the collection for a request that cannot be read: any text may quote a secret of it.
    pub fn unread() -> Self {
        Self {
            secrets: Vec::new(),
            more: true,
        }
    }

    /// Adds a secret.
    pub fn add(&mut self, secret: &str) {
        let secret = with_plain_lines(secret.trim());
        if !secret.is_empty() && self.secrets.iter().all(|known| *known != secret) {
            self.secrets.push(secret.into_owned());
        }
    }

    /// Adds the secrets of `others` that a text quotes, for code that stores the text.
    pub fn add_held(&mut self, others: &Self, text: &str) {
        self.more |= others.more;
        let readings = readings(text);
        let held = others.secrets.iter();
        held.filter(|secret| is_quoted(secret, &readings))
            .for_each(|secret| self.add(secret));
    }

    /// Masks a text of any origin: returns [`SECRET`] if it quotes a secret or may do so, otherwise
    /// the text.
    pub fn text<'t>(&self, text: &'t str) -> Masked<&'t str> {
        Masked::new(if self.are_in(text) { SECRET } else { text })
    }

    /// Masks a text of any origin: replaces each quotation by [`SECRET`]. If the text quotes a
    /// secret of less than four characters, replaces the whole text.
    ///
    /// ```
    /// use svcgen::mask::Secrets;
    ///
    /// let mut secrets = Secrets::new();
    /// secrets.add("hunter2");
    /// assert_eq!(*secrets.hidden("No user hunter2."), "No user [secret].");
    /// ```
    pub fn hidden<'t>(&self, text: &'t str) -> Masked<Cow<'t, str>> {
        let mut found = Vec::new();
        for secret in &self.secrets {
            let before = found.len();
            for form in forms(secret) {
                let starts = memchr::memmem::find_iter(text.as_bytes(), &form);
                found.extend(starts.map(|start| start..start + form.len()));
            }
            if secret.chars().count() < SHORT && found.len() > before {
                return Masked::new(SECRET.into());
            }
        }
        if found.is_empty() {
            return self.text(text).map(Cow::Borrowed);
        }
        // A mark that already replaces a secret is not one itself, even if it contains the text of
        // one.
        let marks = text.match_indices(SECRET);
        found.extend(marks.map(|(start, mark)| start..start + mark.len()));
        let (mut rest, mut end) = (Vec::new(), 0);
        for range in joined(found) {
            rest.push(&text[end..range.start]);
            end = range.end;
        }
        rest.push(&text[end..]);
        // The rest may quote a secret in a way that has no form to replace.
        if rest.iter().any(|text| self.are_in(text)) {
            return Masked::new(SECRET.into());
        }
        Masked::new(rest.join(SECRET).into())
    }

    /// Whether a text may quote a secret.
    fn are_in(&self, text: &str) -> bool {
        if self.more || self.secrets.is_empty() {
            return self.more;
        }
        let readings = readings(text);
        let mut secrets = self.secrets.iter();
        secrets.any(|secret| is_quoted(secret, &readings))
    }

    /// Adds a secret of a request.
    pub(crate) fn add_found(&mut self, secret: &str) {
        self.add(secret);
        let decoded = BASE64_STANDARD.decode(secret.trim()).unwrap_or_default();
        match str::from_utf8(&decoded) {
            Ok(text) if text.len() >= SHORT && !text.contains(char::is_control) => self.add(text),
            _ => {}
        }
        if self.secrets.len() > MOST {
            self.secrets.truncate(MOST);
            self.add_unread();
        }
    }

    /// Adds a secret of bytes, which messages write as base64 or byte by byte.
    pub(crate) fn add_bytes(&mut self, bytes: &[u8]) {
        if bytes.len() >= SHORT {
            self.add_found(&BASE64_STANDARD.encode(bytes));
        }
    }

    /// Records that there may be other, unknown secrets.
    pub(crate) fn add_unread(&mut self) {
        self.more = true;
    }

    /// Adds an omitted text of a request, because it may be a secret. Ignores short texts, such as
    /// `1` or `yes`, which are in any text.
    pub(crate) fn add_omitted(&mut self, text: &str) {
        if text.trim().len() >= SHORT {
            self.add_found(text);
        }
    }
}

/// Whether a text with these readings quotes a secret.
fn is_quoted(secret: &str, readings: &[String]) -> bool {
    let forms = forms(secret);
    readings.iter().any(|text| {
        let mut forms = forms.iter();
        forms.any(|form| memchr::memmem::find(text.as_bytes(), form.as_bytes()).is_some())
    })
}

/// Returns a text, and its content if it is escaped as in XML, JSON, a URL or a form. Each of them
/// has several ways to escape a character, so no list of forms is complete.
fn readings(text: &str) -> [String; 5] {
    let plain = unescaped(text);
    [
        text.into(),
        unescaped_json(&plain).into(),
        percent_decode(&plain),
        decode(plain.as_bytes(), None),
        Cow::Borrowed(&*plain),
    ]
    .map(|text: Cow<'_, str>| with_plain_lines(&text).into_owned())
}

/// Returns the forms in which a text may repeat a secret.
fn forms(secret: &str) -> [String; 7] {
    let xml = secret.replace('&', "&amp;").replace('<', "&lt;");
    let base64 = BASE64_STANDARD.encode(secret);
    let escaped = |is_escaped: fn(char) -> bool| {
        let mut json = String::with_capacity(secret.len());
        for character in secret.chars() {
            match character {
                '"' | '\\' => json.extend(['\\', character]),
                '\n' => json.push_str("\\n"),
                '\t' => json.push_str("\\t"),
                escaped if is_escaped(escaped) => {
                    json.push_str(&format!("\\u{:04x}", u32::from(escaped)));
                }
                character => json.push(character),
            }
        }
        json
    };
    let percent = secret.bytes().map(|byte| match byte {
        plain if plain.is_ascii_alphanumeric() => char::from(plain).to_string(),
        byte => format!("%{byte:02X}"),
    });
    [
        secret.to_owned(),
        percent.collect(),
        // .NET escapes more characters than necessary.
        escaped(|character| character.is_control() || "'<>&".contains(character)),
        escaped(char::is_control),
        xml.replace('>', "&gt;"),
        xml,
        base64.trim_end_matches('=').to_owned(),
    ]
}

/// Sorts ranges, and merges overlapping ones.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// Replaces each end of a line by LF, as readers of XML do with CR.
fn with_plain_lines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        return text.replace("\r\n", "\n").replace('\r', "\n").into();
    }
    text.into()
}

/// Replaces references and CDATA sections by their text. Everything else stays.
pub(crate) fn unescaped(markup: &str) -> String {
    const SECTION: &str = "<![CDATA[";
    let mut text = String::with_capacity(markup.len());
    let mut rest = markup;
    while let Some(at) = memchr::memchr2(b'&', b'<', rest.as_bytes()) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(section) = rest.strip_prefix(SECTION) {
            let (section, after) = section.split_once("]]>").unwrap_or((section, ""));
            text.push_str(section);
            rest = after;
        } else if let Some((character, after)) = reference(rest) {
            text.push(character);
            rest = after;
        } else {
            text.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    text.push_str(rest);
    text
}

/// Replaces the escapes of JSON by their characters.
fn unescaped_json(text: &str) -> String {
    // A character beyond U+FFFF has two escapes, which are halves of it in UTF-16.
    let mut units = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        units.extend(before.encode_utf16());
        let digits = escape.strip_prefix('u').and_then(|digits| digits.get(..4));
        if let Some(unit) = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            units.push(unit);
            rest = &escape[5..];
            continue;
        }
        let mut characters = escape.chars();
        if let Some(character) = characters.next() {
            let escaped = match character {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                other => other,
            };
            units.extend_from_slice(escaped.encode_utf16(&mut [0; 2]));
        }
        rest = characters.as_str();
    }
    units.extend(rest.encode_utf16());
    String::from_utf16_lossy(&units)
}

/// Returns the character of the reference at the start of a text, and the text after it.
fn reference(text: &str) -> Option<(char, &str)> {
    const LONGEST: usize = 12;
    let mut beginning = text.bytes().take(LONGEST);
    let end = beginning
        .position(|byte| byte == b';')
        .filter(|_| text.starts_with('&'))?;
    let (reference, after) = text.split_at(end + 1);
    let mut tokens = Tokens::new(reference, &Limits::default());
    tokens.accepted = Accepted::WRITTEN_BY_NET;
    Some((tokens.reference().ok()?, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden_at_once() {
        for (text, secrets, shown) in [
            ("No user hunter2.", &["hunter2"][..], "No user [secret]."),
            ("hunter2hunter2", &["hunter2"], "[secret][secret]"),
            ("a&amp;b&lt;c d", &["a&b<c"], "[secret] d"),
            ("a%26b%3Cc d", &["a&b<c"], "[secret] d"),
            ("YSZiPGM= d", &["a&b<c"], "[secret]= d"),
            // One secret is in another, or overlaps its end.
            ("hunter2!", &["hunt", "hunter2"], "[secret]!"),
            ("hunter2x!", &["hunter2", "ter2x"], "[secret]!"),
            // A mark is not a secret.
            ("a secret: [secret]", &["secret"], "a [secret]: [secret]"),
            (
                "hunter2 [secret]",
                &["hunter2", "cret"],
                "[secret] [secret]",
            ),
            // There are more ways to escape it than one.
            ("a%26b%3cc d", &["a&b<c"], "[secret]"),
            ("a%26b+c", &["a&b c"], "[secret]"),
            (r"a\/\u00E9\ud83d\ude00", &["a/é😀"], "[secret]"),
            ("a&b a&#38;b", &["a&b"], "[secret]"),
            // Short secrets would be revealed by the missing text.
            ("type", &["p"], "[secret]"),
            ("the secret", &["e", "secret"], "[secret]"),
            ("no", &["e", "hunter2", ""], "no"),
        ] {
            let mut known = Secrets::new();
            secrets.iter().for_each(|secret| known.add(secret));
            assert_eq!(*known.hidden(text), shown, "{text}");
        }
    }
}
