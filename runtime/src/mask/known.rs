//! The secrets of a request, which the text of a fault may quote.

use crate::limits::Limits;
use crate::xml::tokens::Tokens;

/// The most secrets that are searched for.
const MOST: usize = 64;

#[derive(Default)]
pub(super) struct Known {
    secrets: Vec<String>,
    /// Whether there are more.
    more: bool,
}

impl Known {
    pub(super) fn add(&mut self, secret: &str) {
        let secret = secret.trim();
        if secret.is_empty() || self.secrets.iter().any(|known| known == secret) {
            return;
        }
        if self.secrets.len() < MOST {
            self.secrets.push(secret.to_owned());
        } else {
            self.more = true;
        }
    }

    /// Adds what is left out, as it may be a secret. Shorter texts, such as `1` or `yes`, are in any text.
    pub(super) fn add_omitted(&mut self, text: &str) {
        if text.trim().len() > 3 {
            self.add(text);
        }
    }

    /// Whether a text may hold one of them.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let is_in = |secret: &String| memchr::memmem::find(text.as_bytes(), secret.as_bytes());
        self.more || self.secrets.iter().any(|secret| is_in(secret).is_some())
    }

    /// Whether the text that stands in XML may hold one of them.
    pub(super) fn is_in_markup(&self, markup: &str) -> bool {
        self.is_in(markup) || self.is_in(&unescaped(markup))
    }
}

/// The text in XML, up to markup that is no part of it.
pub(super) fn unescaped(markup: &str) -> String {
    // The text ends at markup.
    let ended = format!("{markup}<");
    let mut tokens = Tokens::new(&ended, &Limits::default());
    let text = tokens.text_between().ok().flatten();
    text.unwrap_or_default().into_owned()
}
