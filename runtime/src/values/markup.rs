//! Writing XML that no type describes: content as it stands, without namespace declarations that its surroundings make.

use std::collections::HashMap;

use super::content::Content;
use crate::xml::namespaces::{SCHEMA_INSTANCE, XML_SCHEMA};

impl<'a> Content<'a> {
    /// Whether a prefix certainly is declared for a namespace around the next element.
    pub(super) fn is_declared(&self, prefix: &str, namespace: &str) -> bool {
        let declared = [("xsi", SCHEMA_INSTANCE), ("xsd", XML_SCHEMA)];
        match declared.iter().find(|(known, _)| *known == prefix) {
            // All documents declare `xsi`, those of a service `xsd`, too.
            Some((_, name)) => *name == namespace && (prefix == "xsi" || self.has_namespace()),
            None => false,
        }
    }

    /// Whether the last start tag has an attribute of this name as written.
    pub(super) fn has_attribute(&self, name: &str) -> bool {
        let written = self.written();
        // Values hold neither `<` nor quotes.
        let start = memchr::memrchr(b'<', written).unwrap_or(0);
        memchr::memmem::find(&written[start..], format!(" {name}=\"").as_bytes()).is_some()
    }

    /// Writes well-formed content, whose outermost elements declare what they need, in the innermost open element.
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

    /// Writes such content where no default namespace is declared.
    pub(crate) fn unqualified_markup(&mut self, markup: &str) {
        self.markup_without(markup, |prefix, value| {
            prefix.is_empty() && value.is_empty()
        });
    }

    /// Writes a well-formed document without its declaration, or nothing. Returns whether it has one outermost element.
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
            // No namespace is around it.
            let end = end.strip_prefix(" xmlns=\"\"").unwrap_or(end);
            self.put_indented(&[start, end].concat(), 0);
            elements += usize::from(name.is_some());
        }
        elements == 1 || markup.trim_ascii().is_empty()
    }

    /// Writes well-formed content, at a depth. Elements are indented as .NET does: but for those in an element with text, from the text on,
    /// and all within them.
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

/// The namespace declaration in double quotes at the start of the rest of a tag: its prefix with a colon before it, its value as written, its length.
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

/// The names of the innermost open elements of markup, so many of them, outermost first: of several of one name, one is told by its number, `Row[3]`.
pub(super) fn open_elements(markup: &[u8], depth: usize) -> Vec<String> {
    let markup = String::from_utf8_lossy(markup);
    let (mut open, mut counts) = (Vec::new(), vec![HashMap::new()]);
    let mut at = 0;
    while let Some(before) = memchr::memchr(b'<', &markup.as_bytes()[at..]) {
        let rest = &markup[at + before..];
        let tag = &rest[..Nodes::tag(rest)];
        at += before + tag.len();
        if tag.starts_with("</") {
            open.pop();
            counts.pop();
        } else if let Some(length) = name_length(tag) {
            let name = &tag[1..=length];
            let name = name.rsplit(':').next().unwrap_or(name);
            let Some(beside) = counts.last_mut() else {
                break;
            };
            let number: &mut usize = beside.entry(name).or_default();
            *number += 1;
            if !tag.ends_with("/>") {
                open.push((name, *number));
                counts.push(HashMap::new());
            }
        }
    }
    let open = open.iter().skip(open.len().saturating_sub(depth));
    let open = open.map(|(name, number)| match number {
        1 => (*name).to_owned(),
        _ => format!("{name}[{number}]"),
    });
    open.collect()
}

/// The length of the name of the element that starts here.
pub(super) fn name_length(node: &str) -> Option<usize> {
    let rest = node.strip_prefix('<')?;
    if rest.starts_with(['!', '?']) {
        return None;
    }
    rest.find([' ', '\t', '\n', '\r', '>', '/'])
}

/// The outermost nodes of well-formed content: elements, texts, comments, sections and instructions.
pub(super) struct Nodes<'m> {
    markup: &'m str,
    at: usize,
}

impl<'m> Nodes<'m> {
    pub(super) fn new(markup: &'m str) -> Self {
        Self { markup, at: 0 }
    }

    /// The length of the tag, comment, section or instruction at the start of the rest.
    fn tag(rest: &str) -> usize {
        let end = |end: &str| rest.find(end).map(|at| at + end.len());
        let length = if let Some(comment) = rest.strip_prefix("<!--") {
            comment.find("-->").map(|at| at + "<!---->".len())
        } else if rest.starts_with("<![CDATA[") {
            end("]]>")
        } else if rest.starts_with("<?") {
            end("?>")
        } else {
            let mut quote = None;
            let mut bytes = rest.bytes();
            let end = bytes.position(|byte| match (quote, byte) {
                (None, b'"' | b'\'') => {
                    quote = Some(byte);
                    false
                }
                (Some(open), _) if open == byte => {
                    quote = None;
                    false
                }
                (open, _) => open.is_none() && byte == b'>',
            });
            end.map(|at| at + 1)
        };
        length.unwrap_or(rest.len())
    }
}

impl Iterator for Nodes<'_> {
    type Item = std::ops::Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        let mut depth = 0usize;
        loop {
            let rest = &self.markup[self.at..];
            if rest.is_empty() {
                return (self.at > start).then_some(start..self.at);
            }
            if !rest.starts_with('<') {
                self.at += memchr::memchr(b'<', rest.as_bytes()).unwrap_or(rest.len());
            } else {
                let length = Self::tag(rest);
                let tag = &rest[..length];
                self.at += length;
                if tag.starts_with("</") {
                    depth = depth.saturating_sub(1);
                } else if !tag.starts_with("<!") && !tag.starts_with("<?") && !tag.ends_with("/>") {
                    depth += 1;
                }
            }
            if depth == 0 {
                return Some(start..self.at);
            }
        }
    }
}
