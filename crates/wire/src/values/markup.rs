//! Writes XML that no type describes: content as it is, without namespace declarations that are
//! already in scope.

use super::content::Content;
use super::nodes::{Nodes, name_length};
use crate::xml::namespaces::{SCHEMA_INSTANCE, XML_SCHEMA};

impl<'a> Content<'a> {
    /// Whether a prefix is certainly declared for a namespace around the next element.
    pub(super) fn is_declared(&self, prefix: &str, namespace: &str) -> bool {
        let declared = [("xsi", SCHEMA_INSTANCE), ("xsd", XML_SCHEMA)];
        match declared.iter().find(|(known, _)| *known == prefix) {
            // All documents declare `xsi`, and those of a service also `xsd`.
            Some((_, name)) => *name == namespace && (prefix == "xsi" || self.has_namespace()),
            None => false,
        }
    }

    /// Whether the last start tag has an attribute with this name as written.
    pub(super) fn has_attribute(&self, name: &str) -> bool {
        let written = self.written();
        // Values contain neither `<` nor quotes.
        let start = memchr::memrchr(b'<', written).unwrap_or(0);
        memchr::memmem::find(&written[start..], format!(" {name}=\"").as_bytes()).is_some()
    }

    /// Writes well-formed content into the innermost open element; the outermost elements of the
    /// content declare the namespaces that they need.
    pub(super) fn markup(&mut self, markup: &str) {
        let start = self.written().len();
        self.compact_markup(markup);
        if let Some(outer) = self.indented_depth() {
            let compact = self.split_off(start);
            self.put_indented(&compact, outer);
        }
    }

    fn compact_markup(&mut self, markup: &str) {
        let Some(default) = self.default_namespace() else {
            return self.raw(markup);
        };
        self.markup_without(markup, |prefix, value| match prefix {
            "" => value == default,
            ":xsi" => value == SCHEMA_INSTANCE,
            ":xsd" => value == XML_SCHEMA,
            _ => false,
        });
    }

    /// Writes well-formed content at a place where no default namespace is declared.
    pub fn unqualified_markup(&mut self, markup: &str) {
        self.markup_without(markup, |prefix, value| {
            prefix.is_empty() && value.is_empty()
        });
    }

    /// Writes a well-formed document without its declaration, or nothing. Returns whether it is
    /// blank or has exactly one outermost element.
    pub(super) fn document(&mut self, markup: &str) -> bool {
        let mut elements = 0;
        for node in Nodes::new(markup).map(|node| &markup[node]) {
            if !node.starts_with('<') || node.starts_with("<![CDATA[") {
                if node.trim_ascii().is_empty() {
                    continue;
                }
                return false;
            }
            let name = name_length(node);
            let (start, end) = node.split_at(name.map_or(0, |length| 1 + length));
            // No namespace is in scope around it.
            let end = end.strip_prefix(" xmlns=\"\"").unwrap_or(end);
            self.put_indented(&[start, end].concat(), 0);
            elements += usize::from(name.is_some());
        }
        elements == 1 || markup.trim_ascii().is_empty()
    }

    /// Writes well-formed content at a depth. Elements are indented as in .NET: in an element with
    /// text, nothing is indented from the text on.
    fn put_indented(&mut self, markup: &str, outer: usize) {
        let (mut at, mut depth) = (0, outer);
        // The depth of the outermost open element with text.
        let mut mixed = None;
        while at < markup.len() {
            let rest = &markup[at..];
            let is_tag = rest.starts_with('<');
            let length = if is_tag {
                Nodes::tag(rest)
            } else {
                memchr::memchr(b'<', rest.as_bytes()).unwrap_or(rest.len())
            };
            let node = &rest[..length];
            at += length;
            if !is_tag || node.starts_with("<![CDATA[") {
                mixed.get_or_insert(depth);
                self.raw(node);
                continue;
            }
            let is_end = node.starts_with("</");
            depth = depth.saturating_sub(usize::from(is_end));
            if mixed.is_none() {
                self.new_line(depth);
            }
            self.raw(node);
            if is_end {
                mixed = mixed.filter(|mixed| *mixed <= depth);
            } else if name_length(node).is_some() {
                depth += usize::from(!node.ends_with("/>"));
            }
        }
        if mixed.is_some() {
            self.stop_indenting();
        }
    }

    fn markup_without(&mut self, markup: &str, is_redundant: impl Fn(&str, &str) -> bool) {
        if memchr::memmem::find(markup.as_bytes(), b" xmlns").is_none() {
            return self.raw(markup);
        }
        let mut copied = 0;
        for name_end in outermost(markup) {
            let mut at = name_end;
            while let Some((prefix, value, length)) = declaration(&markup[at..]) {
                if is_redundant(prefix, value) {
                    self.raw(&markup[copied..at]);
                    copied = at + length;
                }
                at += length;
            }
        }
        self.raw(&markup[copied..]);
    }
}

/// The namespace declaration in double quotes at the start of the rest of a tag: its prefix with a
/// colon before it, its value as written, and its length.
fn declaration(rest: &str) -> Option<(&str, &str, usize)> {
    let after = rest.strip_prefix(" xmlns")?;
    let (prefix, value) = after.split_at(after.find('=')?);
    if !prefix.is_empty() && !prefix.starts_with(':') {
        return None;
    }
    let value = value.strip_prefix("=\"")?;
    let value = &value[..value.find('"')?];
    let length = " xmlns=\"\"".len() + prefix.len() + value.len();
    Some((prefix, value, length))
}

/// The ends of the names in the start tags of the outermost elements of well-formed content.
fn outermost(markup: &str) -> impl Iterator<Item = usize> {
    let mut nodes = Nodes::new(markup);
    std::iter::from_fn(move || {
        loop {
            let start = nodes.next()?.start;
            if let Some(length) = name_length(&markup[start..]) {
                return Some(start + 1 + length);
            }
        }
    })
}
