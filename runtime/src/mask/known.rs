//! The secrets of a request, which the text of a fault may quote.

use std::borrow::Cow;

use crate::accept::Accepted;
use crate::limits::Limits;
use crate::xml::tokens::Tokens;

/// The most secrets that are searched for.
const MOST: usize = 64;

#[derive(Default)]
pub(crate) struct Known {
    secrets: Vec<String>,
    /// Whether there may be others.
    more: bool,
}

impl Known {
    pub(crate) fn add(&mut self, secret: &str) {
        let secret = with_plain_lines(secret.trim());
        if secret.is_empty() || self.secrets.iter().any(|known| *known == secret) {
            return;
        }
        if self.secrets.len() < MOST {
            self.secrets.push(secret.into_owned());
        } else {
            self.add_unread();
        }
    }

    /// Says that there may be others.
    pub(crate) fn add_unread(&mut self) {
        self.more = true;
    }

    /// Adds what is left out, as it may be a secret. Shorter texts, such as `1` or `yes`, are in any text.
    pub(crate) fn add_omitted(&mut self, text: &str) {
        if text.trim().len() > 3 {
            self.add(text);
        }
    }

    /// Whether a text, escaped or not, may hold one of them.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.more || self.are_in(text) || self.are_in(&unescaped(text))
    }

    fn are_in(&self, text: &str) -> bool {
        let text = with_plain_lines(text);
        let is_in = |secret: &String| memchr::memmem::find(text.as_bytes(), secret.as_bytes());
        self.secrets.iter().any(|secret| is_in(secret).is_some())
    }
}

/// A text with LF for each end of a line, which readers of XML make of CR, too.
fn with_plain_lines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        return text.replace("\r\n", "\n").replace('\r', "\n").into();
    }
    text.into()
}

/// A text without references and CDATA sections. What is none of them stays.
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

/// The character of a reference, and what follows it.
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
