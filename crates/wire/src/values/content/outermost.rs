//! The outermost elements of messages and documents: roots, request and response elements, SOAP
//! headers.

use super::{Content, Extras, Outermost, ValuePlace};
use crate::xml::append::append;
use crate::xml::escape;
use crate::xml::scopes::Rows;

impl<'a> Content<'a> {
    /// Starts an element in a namespace, with the rows of its child elements.
    pub fn start_message(&mut self, name: &str, namespace: &'a str, rows: Rows<'a>) {
        self.namespace = Some(namespace);
        self.open_tag(name);
        if !namespace.is_empty() {
            self.attribute_text("xmlns", namespace);
        }
        if let Some(levels) = &mut self.levels {
            levels.start_message(namespace, rows);
        }
    }

    /// Writes a root element by calling `write`. `complex` roots declare `xsd` and `xsi`.
    pub fn write_root(
        &mut self,
        name: &str,
        complex: bool,
        namespace: &'a str,
        write: &mut dyn FnMut(&mut Self),
    ) {
        let before = self.out.len();
        self.write_root_value(complex, namespace, write);
        if self.out.len() == before {
            self.open(name);
            self.declare_schema();
            self.attribute_text("xsi:nil", "true");
            self.attribute_text("xmlns", namespace);
            self.end(name);
        }
    }

    /// Writes a root element as [`write_root`](Self::write_root) does, or nothing if the value is
    /// absent.
    pub fn write_root_value(
        &mut self,
        complex: bool,
        namespace: &'a str,
        write: &mut dyn FnMut(&mut Self),
    ) {
        let outermost = if complex {
            Outermost::Schema
        } else {
            Outermost::Bare
        };
        self.namespace = Some(namespace);
        self.extras = Some(Extras::new(namespace, outermost));
        write(self);
        (self.extras, self.levels) = (None, None);
    }

    /// Writes a value that is a document by calling `write`; nothing if it is absent or empty.
    pub fn write_document(&mut self, name: &str, write: &mut dyn FnMut(&mut Self)) {
        let start = self.out.len();
        // XML that is written as text has no element around it.
        self.place = ValuePlace::Text;
        write(self);
        self.place = ValuePlace::Element;
        let markup = self.split_off(start);
        if !self.document(&markup) {
            self.fail(format!(
                "'{name}' is not one element, which an answer over HTTP GET or POST is."
            ));
        }
    }

    /// Writes SOAP headers by calling `write`. Each declares the namespace, and those in
    /// `must_understand` have that attribute. `actor` is the name of the attribute with the
    /// receiver of a header.
    pub fn write_headers(
        &mut self,
        namespace: &'a str,
        must_understand: &'a [&'a str],
        actor: &'static str,
        write: &mut dyn FnMut(&mut Self),
    ) {
        let outermost = Outermost::Header {
            must_understand,
            actor,
        };
        self.namespace = Some(namespace);
        self.extras = Some(Extras::new(namespace, outermost));
        write(self);
        (self.extras, self.levels) = (None, None);
    }

    /// Writes an element without a namespace around the elements that `write` writes. Each of those
    /// declares the namespace.
    pub fn write_parts(
        &mut self,
        around: &str,
        namespace: &'a str,
        write: &mut dyn FnMut(&mut Self),
    ) {
        append!(self.out, b"<", around.as_bytes(), b">");
        let started = self.out.len();
        self.write_headers(namespace, &[], "", write);
        (self.started, self.depth) = (started, 1);
        self.end_named(around);
    }

    /// Adds the SOAP attributes to the SOAP header that starts at `start`, before the attributes of
    /// its type, as .NET does.
    pub(crate) fn add_soap_attributes(
        &mut self,
        start: usize,
        must_understand: bool,
        actor: Option<&str>,
        relay: bool,
    ) {
        let Some(Extras {
            outermost: Outermost::Header { actor: name, .. },
            ..
        }) = self.extras
        else {
            return;
        };
        let mut attributes = Vec::new();
        if must_understand {
            attributes.extend_from_slice(b" soap:mustUnderstand=\"1\"");
        }
        if let Some(actor) = actor {
            append!(&mut attributes, b" soap:", name.as_bytes(), b"=\"");
            if !escape::attribute(&mut attributes, actor.as_bytes()) {
                self.refuse(Some(name), actor);
            }
            attributes.push(b'"');
        }
        // SOAP 1.1 has actors, but no relaying.
        if relay && name == "role" {
            attributes.extend_from_slice(b" soap:relay=\"1\"");
        }
        let mut rest = self.out[start..].iter();
        let length = rest.position(|byte| matches!(byte, b' ' | b'>'));
        let at = start + length.unwrap_or_default();
        self.out.splice(at..at, attributes);
    }
}
