//! The fast path for expected elements.
//!
//! It takes `<name>text</name>`, `<name>`, `<name />`, `<name/>` and the parent's end tag, where the name is expected and has the parent's prefix, and the text
//! needs no decoding. It changes nothing unless the whole element is within the limits. Everything else is left to the tokenizer, and so are all errors.

use std::num::NonZeroUsize;

use super::scan::{after_same, text_before};
use super::tokens::{Leaf, Open, Tokens};

/// The parts of the fast path that are the same for all children of an element.
pub(crate) struct FastPath<'i> {
    pub(crate) parent: Open,
    /// The parent's name with its prefix.
    name: &'i [u8],
    /// The parent's prefix with its colon; empty if there is none.
    prefix: &'i [u8],
    /// The limit of elements; 0 if the children have another namespace than the parent or are too deep.
    elements: usize,
    /// The limit of names, less the prefix.
    longest: usize,
}

impl<'i> Tokens<'i> {
    /// The fast path for the children of the innermost open element.
    pub(crate) fn fast_path(&self, parent: Open) -> FastPath<'i> {
        let name = &self.input.as_bytes()[parent.start..parent.end()];
        let prefix = parent.local_start() - parent.start;
        let namespace = self.namespace_of_children(&parent);
        let is_open = self.namespaces.same(namespace, parent.namespace)
            && self.open.len() < self.limits.depth;
        FastPath {
            parent,
            name,
            prefix: &name[..prefix],
            elements: if is_open { self.limits.elements } else { 0 },
            longest: self.limits.name.saturating_sub(prefix),
        }
    }

    /// The rest of the document after white space.
    #[inline(always)]
    pub(crate) fn rest_after_blanks(&mut self) -> &'i [u8] {
        if self.rest().first() != Some(&b'<') {
            self.skip_blanks();
        }
        self.rest()
    }

    /// Takes the end tag of the parent if it stands at the start of the rest.
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

    /// Takes an element of this name if it stands at the start of the rest: whole, as [`Tokens::leaf`], if it holds nothing but text, else its start tag.
    // One function that is not inlined, so that everything stays in registers.
    #[inline(never)]
    pub(crate) fn take_named(&mut self, path: &FastPath<'i>, name: &str, rest: &'i [u8]) -> bool {
        let [b'<', tag @ ..] = rest else {
            return false;
        };
        if self.elements >= path.elements || name.len() > path.longest {
            return false;
        }
        let content = match path.after_name(tag, name) {
            Some([b'>', content @ ..]) => content,
            Some([b' ', b'/', b'>', after @ ..] | [b'/', b'>', after @ ..]) => {
                return self.take_start(path, name, after, true);
            }
            _ => return false,
        };
        // `name>`
        let tag = &tag[..tag.len() - content.len()];
        if let Some((length, after)) = text_before(content, tag)
            && length <= self.limits.text
            && self.is_plain(&content[..length])
            && let Some(start) = NonZeroUsize::new(self.input.len() - content.len())
        {
            self.elements += 1;
            self.nil = false;
            self.leaf = Some(Leaf { start, length });
            self.at = self.input.len() - after.len();
            return true;
        }
        self.take_start(path, name, content, false)
    }

    #[inline(never)]
    fn take_start(
        &mut self,
        path: &FastPath<'i>,
        name: &str,
        content: &'i [u8],
        empty: bool,
    ) -> bool {
        let length = path.prefix.len() + name.len();
        self.push_taken(self.child_of(&path.parent, self.at + 1, length));
        self.at = self.input.len() - content.len();
        self.empty = empty;
        true
    }

    /// Opens the element of a leaf again, before its text, to be read token by token.
    #[cold]
    pub(crate) fn reopen(&mut self, leaf: Leaf) {
        let Some(parent) = self.open.last().copied() else {
            return;
        };
        let content = leaf.start.get();
        let before = &self.input.as_bytes()[..content - 1];
        let start = memchr::memrchr(b'<', before).map_or(0, |at| at + 1);
        self.open
            .push(self.child_of(&parent, start, before.len() - start));
        self.forget_attributes();
        self.at = content;
    }

    /// An element without attributes that has the prefix and the namespace of its parent.
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
