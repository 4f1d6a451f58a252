//! Start tags and end tags, their indentation, and the attributes of start tags that depend on
//! their place.

use svcgen_model::ComplexType;

use super::{Content, Extras, Outermost, ValuePlace};
use crate::values::levels::Prefixed;
use crate::xml::append::{LineStart, append, append_line};
use crate::xml::names::local_name;

const SCHEMA_DECLARATIONS: &str = r#" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance""#;

impl Content<'_> {
    /// Writes a start tag. In a form it writes nothing.
    pub fn start(&mut self, name: &str, attributes: &[(&str, &str)]) {
        match self.place {
            ValuePlace::Field { .. } => return,
            ValuePlace::Sink => return self.with_sink(|sink, out| sink.start_object(out, name)),
            ValuePlace::Text => {}
            ValuePlace::Element | ValuePlace::Attribute => self.open(name),
        }
        for (name, value) in attributes {
            self.attribute_text(name, value);
        }
    }

    /// Writes an end tag, or turns the start tag into an empty element if nothing was written
    /// since.
    pub fn end(&mut self, name: &str) {
        if matches!(self.place, ValuePlace::Field { .. } | ValuePlace::Sink) {
            return self.end_elsewhere();
        }
        match self.line {
            Some(line) if self.started != self.out.len() => self.end_on_line(line, name),
            _ => self.end_tag(name),
        }
    }

    /// Writes `<name xsi:nil="true" />`.
    pub fn nil(&mut self, name: &str) {
        if self.place != ValuePlace::Element {
            return self.absent(name, false);
        }
        self.open(name);
        self.attribute_text("xsi:nil", "true");
        self.end(name);
    }

    /// Writes `<name>`, on a line of its own if indented.
    #[inline]
    pub(crate) fn open(&mut self, name: &str) {
        if self.line.is_none() && self.extras.is_none() {
            self.open_tag(name);
        } else {
            self.open_otherwise(name);
        }
    }

    pub(super) fn open_tag(&mut self, name: &str) {
        self.depth += 1;
        self.started = self.out.len() + name.len() + 2;
        append!(self.out, b"<", name.as_bytes(), b">");
    }

    #[inline(never)]
    fn open_on_line(&mut self, line: &'static LineStart, name: &str) {
        append_line!(self.out, line, self.depth, b"<", name.as_bytes(), b">");
        self.depth += 1;
        self.started = self.out.len();
    }

    #[inline(never)]
    pub(super) fn open_otherwise(&mut self, name: &str) {
        // There is no line end before the root.
        let is_root = self.depth == 0 && self.started == usize::MAX;
        let line = self.line.filter(|_| !is_root);
        if self.levels.is_some() {
            if let Some(line) = line {
                line.append(self.out, self.depth);
            }
            return self.open_scoped(name);
        }
        match line {
            Some(line) => self.open_on_line(line, name),
            None => self.open_tag(name),
        }
        if self.extras.is_some() {
            self.add_extras(name);
        }
    }

    #[cold]
    pub(super) fn open_scoped(&mut self, name: &str) {
        let Some(levels) = &mut self.levels else {
            return;
        };
        let declared = levels.start(name);
        let name = local_name(name);
        match levels.prefix().map(|prefix| format!("{prefix}:{name}")) {
            Some(prefixed) => self.open_tag(&prefixed),
            None => self.open_tag(name),
        }
        self.add_outermost(name);
        let derived = self
            .extras
            .as_mut()
            .and_then(|extras| extras.derived.take());
        if let (Some(derived), Some(levels)) = (derived, &mut self.levels) {
            let Prefixed { name, declared } = levels.type_name(derived);
            if let Some((prefix, namespace)) = declared {
                self.attribute_text(&format!("xmlns:{prefix}"), namespace);
            }
            self.attribute_text("xsi:type", &name);
        }
        if let Some(namespace) = declared {
            self.declare("xmlns", namespace);
        }
    }

    #[cold]
    pub(super) fn add_extras(&mut self, name: &str) {
        let Some(extras) = &mut self.extras else {
            return;
        };
        let derived = extras.derived.take();
        let Extras {
            namespace,
            outermost,
            ..
        } = *extras;
        let is_outermost = self.depth == 1;
        let is_header = matches!(outermost, Outermost::Header { .. });
        if !is_outermost && derived.is_none() && !is_header {
            // The remaining elements have no extras.
            self.extras = None;
            return;
        }
        self.add_outermost(name);
        if let Some(derived) = derived {
            self.attribute_text("xsi:type", derived);
        }
        if is_outermost && outermost != Outermost::Started {
            self.declare("xmlns", namespace);
        }
    }

    /// Adds the attributes of the outermost element except for its namespace.
    pub(super) fn add_outermost(&mut self, name: &str) {
        let Some(extras) = &mut self.extras else {
            return;
        };
        extras.declaration = 0;
        match extras.outermost {
            _ if self.depth > 1 => {}
            Outermost::Schema => self.declare_schema(),
            Outermost::Header {
                must_understand, ..
            } if must_understand.contains(&name) => {
                self.attribute_text("soap:mustUnderstand", "1");
            }
            _ => {}
        }
    }

    /// Omits the declarations of `xsd` and `xsi` in the next element, if it is the outermost one.
    pub(crate) fn declare_no_schema(&mut self) {
        if let Some(extras) = &mut self.extras
            && extras.outermost == Outermost::Schema
            && self.depth == 0
        {
            extras.outermost = Outermost::Bare;
        }
    }

    /// Starts an element with text; at other places nothing is written before text.
    pub(crate) fn open_inline(&mut self, name: &str) {
        if self.place != ValuePlace::Text {
            self.open(name);
        }
    }

    pub(super) fn declare_schema(&mut self) {
        self.out.pop();
        self.raw(SCHEMA_DECLARATIONS);
        self.out.push(b'>');
        self.started = self.out.len();
    }

    /// Ends an element with text.
    #[doc(hidden)]
    pub fn end_inline(&mut self, name: &str) {
        match self.place {
            ValuePlace::Element | ValuePlace::Attribute => self.end_tag(name),
            _ => self.end_elsewhere(),
        }
    }

    /// Writes `</name>` on a line of its own.
    // Not inlined, so that tags without lines save no registers for it.
    #[inline(never)]
    fn end_on_line(&mut self, line: &'static LineStart, name: &str) {
        if self.levels.is_some() {
            line.append(self.out, self.depth - 1);
            return self.end_scoped(name);
        }
        self.depth -= 1;
        append_line!(self.out, line, self.depth, b"</", name.as_bytes(), b">");
    }

    /// Writes `</name>`, or ` />` in the start tag if nothing was written since.
    pub(super) fn end_tag(&mut self, name: &str) {
        if self.levels.is_some() {
            return self.end_scoped(name);
        }
        self.end_named(name);
    }

    #[cold]
    pub(super) fn end_scoped(&mut self, name: &str) {
        let name = local_name(name);
        match self.levels.as_mut().and_then(|levels| levels.end()) {
            Some(prefix) => self.end_named(&format!("{prefix}:{name}")),
            None => self.end_named(name),
        }
    }

    #[inline]
    pub(super) fn end_named(&mut self, name: &str) {
        self.depth -= 1;
        if self.started == self.out.len() {
            self.out.pop();
            self.out.extend_from_slice(b" />");
        } else {
            append!(self.out, b"</", name.as_bytes(), b">");
        }
    }

    /// Ends an element whose elements and text `write` writes.
    #[inline(never)]
    pub(crate) fn mixed(&mut self, name: &str, write: &mut dyn FnMut(&mut Self)) {
        let around = self.line;
        write(self);
        self.end(name);
        self.line = around;
    }

    /// Sets the type of the element that was started last.
    #[inline]
    pub(crate) fn describe(&mut self, complex: &'static ComplexType<'static>) {
        if let Some(levels) = &mut self.levels {
            levels.describe(complex);
        }
    }

    /// Writes a line end and blanks, if elements are on lines of their own.
    pub(crate) fn new_line(&mut self, depth: usize) {
        if let Some(line) = self.line {
            line.append(self.out, depth);
        }
    }

    /// The indentation depth of the next element, if it is indented.
    pub(crate) fn indented_depth(&self) -> Option<usize> {
        let is_indented = self.line.is_some() && self.depth > 0;
        is_indented.then_some(self.depth)
    }

    /// Writes the rest of the innermost open element without white space, because it has text
    /// between its elements.
    pub(crate) fn stop_indenting(&mut self) {
        self.line = None;
    }
}
