//! The fast path for expected elements.
//!
//! It takes `<name>`, `<name />`, `<name/>` and the parent's end tag, where the name is expected
//! and has the parent's prefix, and then the text of an element with its end tag, if the text needs
//! no decoding. It changes nothing unless the tokens that it takes are within the limits.
//! Everything else is left to the tokenizer, and so are all errors.

use std::num::NonZeroUsize;

use super::scan::{after_end, after_same, digits, markup};
use super::scopes::Rows;
use super::text::predefined;
use super::tokens::{Leaf, Nil, Open, Tokens};

/// The parts of the fast path that are the same for all children of an element.
pub(crate) struct FastPath<'i> {
    /// The parent's name with its prefix.
    name: &'i [u8],
    /// The parent's prefix with its colon; empty if there is none.
    prefix: &'i [u8],
    /// The limit of elements; 0 if nothing can be taken, because the children have another
    /// namespace than the parent or are too deep.
    elements: usize,
    /// The limit of names, minus the prefix.
    longest: usize,
}

impl<'i> Tokens<'i> {
    /// The fast path for the children of the innermost open element, given their rows if these
    /// determine their namespaces.
    #[inline(always)]
    pub(crate) fn fast_path(&self, rows: Option<Rows<'_>>) -> Option<FastPath<'i>> {
        let parent = self.open.last()?;
        let name = &self.input.as_bytes()[parent.start..parent.end()];
        let prefix = parent.local_start() - parent.start;
        let is_open = self.fast
            && self.open.len() < self.limits.depth
            && rows.is_none_or(|rows| self.is_namespace_of_all(rows, parent));
        Some(FastPath {
            name,
            prefix: &name[..prefix],
            elements: if is_open { self.limits.elements } else { 0 },
            longest: self.limits.name.saturating_sub(prefix),
        })
    }

    /// Whether all these children of an element are in its namespace.
    #[cold]
    fn is_namespace_of_all(&self, rows: Rows<'_>, parent: &Open) -> bool {
        rows.namespace() == Some(self.namespaces.name(parent.namespace))
    }

    /// The rest of the document after white space.
    #[inline(always)]
    pub(crate) fn rest_after_blanks(&mut self) -> &'i [u8] {
        let rest = self.rest();
        if let [b'<', ..] = rest {
            return rest;
        }
        self.skip_blanks();
        self.rest()
    }

    /// Takes the end tag of the parent if the rest starts with it.
    #[inline(always)]
    pub(crate) fn take_end(&mut self, path: &FastPath<'i>, rest: &'i [u8]) -> bool {
        let [b'<', b'/', end @ ..] = rest else {
            return false;
        };
        let Some([b'>', after @ ..]) = after_same(end, path.name) else {
            return false;
        };
        self.end_tag_at = self.at;
        self.at = self.input.len() - after.len();
        self.close();
        true
    }

    /// Takes the start tag of an element with this name if the rest starts with it. The element
    /// becomes [`Tokens::leaf`], unless it is empty.
    #[inline(always)]
    pub(crate) fn take_named(&mut self, path: &FastPath<'i>, name: &str, rest: &'i [u8]) -> bool {
        let [b'<', tag @ ..] = rest else {
            return false;
        };
        let Some(after) = path.after_name(tag, name) else {
            return false;
        };
        if self.elements >= path.elements || name.len() > path.longest {
            return false;
        }
        let [b'>', content @ ..] = after else {
            return self.take_empty(path, name, after);
        };
        let Some(start) = NonZeroUsize::new(self.at + 1) else {
            return false;
        };
        self.elements += 1;
        self.nil = Nil::No;
        self.leaf = Some(Leaf { start });
        self.at = self.input.len() - content.len();
        true
    }

    /// Takes the start tag of an empty element; `after` is the text after its name.
    #[inline(never)]
    fn take_empty(&mut self, path: &FastPath<'i>, name: &str, after: &'i [u8]) -> bool {
        let ([b' ', b'/', b'>', after @ ..] | [b'/', b'>', after @ ..]) = after else {
            return false;
        };
        let Some(parent) = self.open.last() else {
            return false;
        };
        let length = path.prefix.len() + name.len();
        self.push_taken(self.child_of(parent, self.at + 1, length));
        self.at = self.input.len() - after.len();
        self.empty = true;
        true
    }

    /// Opens the element of a leaf, to read its content token by token.
    pub(crate) fn open_leaf(&mut self) {
        let Some(leaf) = self.leaf.take() else {
            return;
        };
        let Some(parent) = self.open.last().copied() else {
            return;
        };
        let start = leaf.start.get();
        self.open
            .push(self.child_of(&parent, start, self.at - 1 - start));
        self.forget_attributes();
    }

    /// Moves past a leaf, whose end tag ends at this index.
    #[inline(always)]
    pub(crate) fn pass_leaf(&mut self, end: usize) {
        self.leaf = None;
        self.at = end;
    }

    /// The content of a leaf, and the end of its end tag: its name with `>`.
    #[inline(always)]
    fn content_of(&self, leaf: Leaf) -> Option<(&'i [u8], &'i [u8])> {
        let (before, content) = self.input.as_bytes().split_at_checked(self.at)?;
        Some((content, before.get(leaf.start.get()..)?))
    }

    /// The length of the text of a leaf, if it needs no decoding, and the index after the end tag.
    #[inline(always)]
    pub(crate) fn text_of(&self, leaf: Leaf) -> Option<(usize, usize)> {
        let (content, name) = self.content_of(leaf)?;
        let length = markup(content)?;
        let after = after_end(content.get(length..)?, name)?;
        let is_own = length <= self.limits.text && self.is_plain(content.get(..length)?);
        is_own.then_some((length, self.input.len() - after.len()))
    }

    /// The text of a leaf that needs no decoding except for references to predefined entities, and
    /// the index after the end tag.
    #[inline(never)]
    pub(crate) fn decoded_text_of(&self, leaf: Leaf) -> Option<(String, usize)> {
        let (content, name) = self.content_of(leaf)?;
        let length = memchr::memchr(b'<', content)?;
        let after = after_end(content.get(length..)?, name)?;
        let mut rest = self.input.get(self.at..self.at + length)?;
        if length > self.limits.text || !self.is_plain(rest.as_bytes()) {
            return None;
        }
        let mut text = String::with_capacity(length);
        while let Some(at) = memchr::memchr(b'&', rest.as_bytes()) {
            let (before, reference) = rest.split_at_checked(at)?;
            text.push_str(before);
            let (character, after) = predefined(reference)?;
            text.push(character);
            rest = after;
        }
        text.push_str(rest);
        Some((text, self.input.len() - after.len()))
    }

    /// The number in a leaf that has at most 19 digits, and the index after the end tag.
    // Does not search for the end of the text.
    #[inline(always)]
    pub(crate) fn digits_of(&self, leaf: Leaf) -> Option<(u64, usize)> {
        let (content, name) = self.content_of(leaf)?;
        let (number, length) = digits(content)?;
        if length > self.limits.text.min(19) {
            return None;
        }
        let after = after_end(content.get(length..)?, name)?;
        Some((number, self.input.len() - after.len()))
    }

    /// The boolean in a leaf with the text `true` or `false`, and the index after the end tag.
    #[inline(always)]
    pub(crate) fn boolean_of(&self, leaf: Leaf) -> Option<(bool, usize)> {
        let (content, name) = self.content_of(leaf)?;
        let (value, rest) = match content {
            [b't', b'r', b'u', b'e', rest @ ..] => (true, rest),
            [b'f', b'a', b'l', b's', b'e', rest @ ..] => (false, rest),
            _ => return None,
        };
        let after = after_end(rest, name)?;
        let is_short = content.len() - rest.len() <= self.limits.text;
        is_short.then_some((value, self.input.len() - after.len()))
    }

    /// Creates an element without attributes that has the prefix and the namespace of its parent.
    pub(super) fn child_of(&self, parent: &Open, start: usize, length: usize) -> Open {
        Open {
            start,
            length: length as u32,
            bindings: self.namespaces.count(),
            ..*parent
        }
    }
}

impl Tokens<'_> {
    /// Opens an element that a fast path took, and counts it.
    pub(super) fn push_taken(&mut self, open: Open) {
        self.open.push(open);
        self.elements += 1;
        self.forget_attributes();
    }
}

impl FastPath<'_> {
    /// The rest of a tag after the parent's prefix and this name.
    #[inline(always)]
    fn after_name<'t>(&self, tag: &'t [u8], name: &str) -> Option<&'t [u8]> {
        let local = match self.prefix {
            [] => tag,
            prefix => after_same(tag, prefix)?,
        };
        after_same(local, name.as_bytes())
    }
}
