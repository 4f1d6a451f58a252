//! Values with a single text: elements, attributes and fields.

use svcgen_model::{SimpleType, TextForm};

use super::{Content, ValuePlace};
use crate::form::encode::escape as escape_form;
use crate::values::base64;
use crate::values::binary_parts;
use crate::values::large_bytes::LargeBytes;
use crate::values::name_text;
use crate::values::nodes::open_elements;
use crate::xml::append::{append, append_line};
use crate::xml::{characters, escape};

/// `<name>text</name>`
#[inline]
fn leaf(out: &mut Vec<u8>, name: &str, text: &[u8]) {
    let name = name.as_bytes();
    append!(out, b"<", name, b">", text, b"</", name, b">");
}

impl Content<'_> {
    /// Writes text as an element.
    pub fn text(&mut self, name: &str, text: &str) {
        if self.is_straight() && !text.is_empty() && escape::is_plain(text.as_bytes()) {
            self.leaf(name, text.as_bytes());
        } else {
            self.other_text(name, text);
        }
    }

    /// The form of the text in an element or attribute of this name, or in the object that was
    /// started last.
    pub(crate) fn form_of_text(&self, name: &str) -> TextForm {
        let Some(levels) = &self.levels else {
            return self.text_form;
        };
        match self.place {
            ValuePlace::Element => levels.form_of_element(name),
            ValuePlace::Attribute => levels.form_of_attribute(name),
            ValuePlace::Text => levels.form_of_text(),
            ValuePlace::Field { .. } | ValuePlace::Sink => TextForm::AsIs,
        }
    }

    #[inline(never)]
    pub(super) fn other_text(&mut self, name: &str, text: &str) {
        match self.form_of_text(name) {
            TextForm::AsIs => self.text_at_place(name, text),
            form => self.text_at_place(name, &name_text::write(form, text)),
        }
    }

    fn text_at_place(&mut self, name: &str, text: &str) {
        match self.place {
            ValuePlace::Sink => self.with_sink(|sink, out| {
                sink.simple(out, name, SimpleType::String, text.as_bytes());
            }),
            ValuePlace::Field { .. } => self.field_text(name, text.as_bytes()),
            ValuePlace::Attribute => self.named_attribute_text(name, text),
            ValuePlace::Element | ValuePlace::Text => self.escaped_inline(name, text),
        }
    }

    // This function and the next ones are not inlined, so that the path to a sink need not save
    // registers for other places.
    #[inline(never)]
    fn field_text(&mut self, name: &str, text: &[u8]) {
        self.field(name);
        escape_form(self.out, text);
    }

    #[inline(never)]
    fn named_attribute_text(&mut self, name: &str, text: &str) {
        self.named_attribute(name, |out, name| out.attribute_text(name, text));
    }

    #[inline(never)]
    fn escaped_inline(&mut self, name: &str, text: &str) {
        self.open_inline(name);
        self.escaped(text);
        self.end_inline(name);
    }

    /// Writes a value that needs no escaping, such as a number, as an element.
    pub(crate) fn plain(&mut self, name: &str, text: &[u8], simple: SimpleType) {
        if self.is_straight() && !text.is_empty() {
            self.leaf(name, text);
        } else {
            self.other_plain(name, text, simple);
        }
    }

    #[inline(never)]
    pub(super) fn other_plain(&mut self, name: &str, text: &[u8], simple: SimpleType) {
        match self.place {
            ValuePlace::Sink => self.with_sink(|sink, out| sink.simple(out, name, simple, text)),
            ValuePlace::Field { .. } => self.field_text(name, text),
            ValuePlace::Attribute => self.plain_named_attribute(name, text),
            ValuePlace::Element | ValuePlace::Text => self.plain_inline(name, text),
        }
    }

    #[inline(never)]
    fn plain_named_attribute(&mut self, name: &str, text: &[u8]) {
        self.named_attribute(name, |out, name| out.plain_attribute(name, text));
    }

    #[inline(never)]
    fn plain_inline(&mut self, name: &str, text: &[u8]) {
        self.open_inline(name);
        self.out.extend_from_slice(text);
        self.end_inline(name);
    }

    /// Whether the next value is written as an element without extras, which is the usual case.
    #[inline]
    pub(super) fn is_straight(&self) -> bool {
        // There is no line end before the root.
        let has_line = self.line.is_none() || self.depth > 0;
        has_line && self.place == ValuePlace::Element && self.extras.is_none()
    }

    /// Writes an element of text that needs no escaping, if [`is_straight`](Self::is_straight).
    #[inline]
    pub(super) fn leaf(&mut self, name: &str, text: &[u8]) {
        if self.line.is_none() {
            leaf(self.out, name, text);
        } else {
            self.indented_leaf(name, text);
        }
    }

    #[inline(never)]
    fn indented_leaf(&mut self, name: &str, text: &[u8]) {
        let Some(line) = self.line else {
            return leaf(self.out, name, text);
        };
        let name = name.as_bytes();
        append_line!(
            self.out, line, self.depth, b"<", name, b">", text, b"</", name, b">"
        );
    }

    /// Writes bytes: base64 in XML, one decimal field for each byte in a form.
    pub(crate) fn bytes(&mut self, name: &str, bytes: &[u8]) {
        match self.place {
            ValuePlace::Field { .. } if bytes.is_empty() => self.field(name),
            ValuePlace::Field { .. } => bytes.iter().for_each(|byte| {
                let mut digits = itoa::Buffer::new();
                let digits = digits.format(*byte).as_bytes();
                self.plain(name, digits, SimpleType::UnsignedByte);
            }),
            ValuePlace::Sink => self.with_sink(|sink, out| sink.bytes(out, name, bytes)),
            ValuePlace::Attribute => self.named_attribute(name, |out, name| {
                out.start_attribute(name);
                base64::encode(bytes, out.out);
                out.end_attribute();
            }),
            ValuePlace::Element | ValuePlace::Text => {
                self.open_inline(name);
                let parts = self.parts.as_mut();
                match parts.and_then(|parts| parts.add(bytes)) {
                    Some(href) => binary_parts::write_include(&href, self.out),
                    None => base64::encode(bytes, self.out),
                }
                self.end_inline(name);
            }
        }
    }

    /// Writes the bytes of a file as a part. Returns `false` if the message or this place cannot
    /// have parts.
    pub(crate) fn file_part(&mut self, name: &str, file: &LargeBytes) -> bool {
        let is_markup = matches!(self.place, ValuePlace::Element | ValuePlace::Text);
        let parts = self.parts.as_mut().filter(|_| is_markup);
        let Some(href) = parts.and_then(|parts| parts.add_file(file)) else {
            return false;
        };
        self.open_inline(name);
        binary_parts::write_include(&href, self.out);
        self.end_inline(name);
        true
    }

    /// Writes text between tags, escaped.
    pub fn escaped(&mut self, text: &str) {
        if !escape::text(self.out, text.as_bytes()) {
            self.refuse(None, text);
        }
    }

    /// Reports an error for a text with characters that XML forbids, in an attribute of this name
    /// or in the innermost open element.
    #[cold]
    pub(super) fn refuse(&mut self, attribute: Option<&str>, text: &str) {
        // Only the first error is kept.
        if self.any_characters || self.error.is_some() {
            return;
        }
        let mut characters = text.chars();
        let character = characters.find(|character| !characters::is_char(*character));
        let character = character.map_or(0, u32::from);
        let mut path = open_elements(&self.out[self.first..], self.depth);
        path.extend(attribute.map(str::to_owned));
        let holder = match path.as_slice() {
            [] => "A text".to_owned(),
            path => format!("'{}'", path.join("/")),
        };
        self.fail(format!(
            "{holder} holds the character U+{character:04X}, which XML cannot carry."
        ));
    }
}
