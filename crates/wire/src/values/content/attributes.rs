//! Attributes of the last start tag.

use super::Content;
use crate::xml::append::append;
use crate::xml::escape;
use crate::xml::names::local_name;

impl Content<'_> {
    /// Declares a namespace after all attributes, as .NET does, and before other declarations.
    pub(super) fn declare(&mut self, name: &str, namespace: &str) {
        let before = self.out.len();
        self.attribute_text(name, namespace);
        let length = self.out.len() - before;
        if let Some(extras) = &mut self.extras {
            extras.declaration += length;
        }
    }

    /// Writes an attribute of a type, with the prefix of its namespace.
    pub(super) fn named_attribute(&mut self, name: &str, write: impl FnOnce(&mut Self, &str)) {
        let levels = self.levels.as_mut();
        let Some(prefixed) = levels.and_then(|levels| levels.attribute(name)) else {
            return write(self, local_name(name));
        };
        write(self, &prefixed.name);
        if let Some((prefix, namespace)) = prefixed.declared {
            self.declare(&format!("xmlns:{prefix}"), namespace);
        }
    }

    /// Writes ` name="value"` in the last start tag.
    #[doc(hidden)]
    pub fn attribute_text(&mut self, name: &str, value: &str) {
        if escape::is_plain(value.as_bytes()) {
            return self.plain_attribute(name, value.as_bytes());
        }
        self.start_attribute(name);
        if !escape::attribute(self.out, value.as_bytes()) {
            self.refuse(Some(name), value);
        }
        self.end_attribute();
    }

    pub(super) fn plain_attribute(&mut self, name: &str, value: &[u8]) {
        if self.extras.is_none() && self.started == self.out.len() {
            self.out.pop();
            append!(self.out, b" ", name.as_bytes(), b"=\"", value, b"\">");
            self.started = self.out.len();
        } else {
            self.start_attribute(name);
            self.out.extend_from_slice(value);
            self.end_attribute();
        }
    }

    pub(super) fn start_attribute(&mut self, name: &str) {
        if self.started != self.out.len() {
            return self.fail(format!("The attribute '{name}' comes after content."));
        }
        self.out.pop();
        self.out.push(b' ');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"=\"");
    }

    pub(super) fn end_attribute(&mut self) {
        self.out.push(b'"');
        // .NET declares the default namespace after all attributes.
        if let Some(extras) = &self.extras {
            let declaration_start = self.started - 1 - extras.declaration;
            self.out[declaration_start..].rotate_left(extras.declaration);
        }
        self.out.push(b'>');
        self.started = self.out.len();
    }
}
