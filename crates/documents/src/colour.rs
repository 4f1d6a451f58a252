//! Messages in colours: `b` is the name of an element, `em` that of an attribute, a header or a
//! member, `samp` a text in quotes, `i` a placeholder.

use crate::escape::escaped;
use crate::template::{Piece, Template};

/// The syntax that a character of a message belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Syntax {
    /// The start line and the headers.
    Head,
    Text,
    /// The name in a tag, with the sign before it.
    Tag,
    /// A tag after its name.
    Attributes,
    /// The value of an attribute, or a text in JSON.
    Quoted,
}

/// The markup of a message, with its head if it has one.
pub(crate) fn coloured(message: &Template) -> String {
    let text = message.as_str();
    let (has_head, body) = match text.split_once("\n\n") {
        Some((head, body)) if !head.trim_start().starts_with('<') => (true, body),
        _ => (!text.trim_start().starts_with(['<', '{', '[']), text),
    };
    let is_json = body.trim_start().starts_with(['{', '[', '"']);
    let mut painter = Painter {
        part: if has_head { Syntax::Head } else { Syntax::Text },
        is_json,
        open: None,
        last: '\0',
        markup: String::with_capacity(2 * text.len()),
    };
    for piece in message.pieces() {
        match piece {
            Piece::Text(text) => painter.text(text),
            Piece::Placeholder(text) => {
                painter.end();
                painter.markup += &format!("<i>{}</i>", escaped(text));
            }
        }
    }
    painter.end();
    painter.markup
}

struct Painter {
    part: Syntax,
    is_json: bool,
    /// The element that is open.
    open: Option<&'static str>,
    /// The character before.
    last: char,
    markup: String,
}

impl Painter {
    fn text(&mut self, text: &str) {
        let mut from = 0;
        for (at, character) in text.char_indices() {
            let (tag, next) = self.step(character, &text[at..]);
            if tag != self.open {
                self.markup += &escaped(&text[from..at]);
                from = at;
                self.end();
                if let Some(tag) = tag {
                    self.markup += &format!("<{tag}>");
                }
                self.open = tag;
            }
            (self.part, self.last) = (next, character);
        }
        self.markup += &escaped(&text[from..]);
    }

    fn end(&mut self) {
        if let Some(tag) = self.open.take() {
            self.markup += &format!("</{tag}>");
        }
    }

    /// The element around a character, and the syntax after it.
    fn step(&self, character: char, rest: &str) -> (Option<&'static str>, Syntax) {
        let tag = match self.part {
            Syntax::Head | Syntax::Text => None,
            Syntax::Tag => Some("b"),
            Syntax::Attributes => Some("em"),
            Syntax::Quoted => Some("samp"),
        };
        match (self.part, character) {
            (Syntax::Head, '\n') if self.last == '\n' => (None, Syntax::Text),
            (Syntax::Head, _) => (None, Syntax::Head),
            (Syntax::Text, '"') if self.is_json => (Some("samp"), Syntax::Quoted),
            (Syntax::Text, '<') if !self.is_json => {
                let is_tag =
                    rest[1..].starts_with(|c: char| c.is_alphabetic() || "/?_".contains(c));
                if is_tag {
                    (Some("b"), Syntax::Tag)
                } else {
                    (None, Syntax::Text)
                }
            }
            (Syntax::Tag | Syntax::Attributes, '>') => (Some("b"), Syntax::Text),
            (Syntax::Tag, c) if c.is_whitespace() => (None, Syntax::Attributes),
            (Syntax::Attributes, '/' | '?') => (Some("b"), Syntax::Attributes),
            (Syntax::Attributes, '"') => (Some("samp"), Syntax::Quoted),
            (Syntax::Attributes, '=') => (None, Syntax::Attributes),
            (Syntax::Quoted, '"') if !self.is_json => (tag, Syntax::Attributes),
            (Syntax::Quoted, '"') if self.last != '\\' => (tag, Syntax::Text),
            (part, _) => (tag, part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, placeholder: &str) -> String {
        let mut template = Template::default();
        template.text(text);
        template.placeholder(placeholder);
        coloured(&template)
    }

    #[test]
    fn tags_attributes_and_texts_have_elements_of_their_own() {
        assert_eq!(
            of("POST / HTTP/1.1\nHost: a<b\n\n<a x=\"1\">t</a>", ""),
            "POST / HTTP/1.1\nHost: a&lt;b\n\n<b>&lt;a</b> <em>x</em>=<samp>&quot;1&quot;</samp><b>&gt;</b>t<b>&lt;/a&gt;</b>"
        );
        assert_eq!(
            of("{ \"a\": ", "int"),
            "{ <samp>&quot;a&quot;</samp>: <i>int</i>"
        );
    }
}
