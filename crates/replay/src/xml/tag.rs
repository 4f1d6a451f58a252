//! Start tags as they are written, of well-formed documents.

use std::ops::Range;

pub(super) struct Tag<'t> {
    pub(super) prefix: &'t str,
    pub(super) attributes: Vec<Written<'t>>,
    /// The white space before the end of the start tag.
    pub(super) end_space: &'t str,
    pub(super) is_empty_form: bool,
    /// The length of the start tag in bytes.
    pub(super) length: usize,
}

/// An attribute or a namespace declaration, as written.
pub(super) struct Written<'t> {
    pub(super) space: &'t str,
    pub(super) name: &'t str,
    pub(super) equals: &'t str,
    pub(super) quote: u8,
    pub(super) value: &'t str,
}

impl Written<'_> {
    /// Whether it declares a namespace.
    pub(super) fn is_declaration(&self) -> bool {
        self.name == "xmlns" || self.name.starts_with("xmlns:")
    }

    /// Returns its identity without its prefix: the declared namespace, or the local name.
    pub(super) fn key(&self) -> (bool, &str) {
        if self.is_declaration() {
            return (true, self.value);
        }
        (false, self.name.rsplit(':').next().unwrap_or_default())
    }

    pub(super) fn prefix(&self) -> &str {
        match self.name.split_once(':') {
            Some((_, prefix)) if self.is_declaration() => prefix,
            Some((prefix, _)) => prefix,
            None => "",
        }
    }
}

/// Reads the start tag that an element begins with.
pub(super) fn tag(source: &str) -> Tag<'_> {
    let mut rest = &source[source.len().min(1)..];
    let name = take(&mut rest, |c| {
        c.is_ascii_whitespace() || c == '/' || c == '>'
    });
    let prefix = name.split_once(':').map_or("", |(prefix, _)| prefix);
    let mut attributes = Vec::new();
    let (end_space, is_empty_form) = loop {
        let space = take(&mut rest, |c| !c.is_ascii_whitespace());
        if rest.starts_with(['/', '>']) || rest.is_empty() {
            break (space, rest.starts_with('/'));
        }
        let name = take(&mut rest, |c| c.is_ascii_whitespace() || c == '=');
        let equals = take(&mut rest, |c| c == '"' || c == '\'');
        let quote = rest.as_bytes().first().copied().unwrap_or(b'"');
        rest = rest.get(1..).unwrap_or_default();
        let value = take(&mut rest, |c| c == char::from(quote));
        rest = rest.get(1..).unwrap_or_default();
        attributes.push(Written {
            space,
            name,
            equals,
            quote,
            value,
        });
    };
    let rest = rest.len() - if is_empty_form { 2 } else { 1 }.min(rest.len());
    Tag {
        prefix,
        attributes,
        end_space,
        is_empty_form,
        length: source.len() - rest,
    }
}

fn take<'t>(rest: &mut &'t str, is_end: impl Fn(char) -> bool) -> &'t str {
    let end = rest.find(is_end).unwrap_or(rest.len());
    let taken = &rest[..end];
    *rest = &rest[end..];
    taken
}

/// Returns the range of the content of an element.
pub(super) fn content(source: &str) -> Range<usize> {
    let tag = tag(source);
    if tag.is_empty_form {
        return tag.length..tag.length;
    }
    tag.length..source.rfind("</").unwrap_or(tag.length)
}

/// Returns the white space in the end tag.
pub(super) fn space_of_end(source: &str) -> &str {
    let end = source.rfind("</").map_or("", |at| &source[at..]);
    let space = end.find(|c: char| c.is_ascii_whitespace());
    space.map_or("", |at| end[at..].trim_end_matches('>'))
}
