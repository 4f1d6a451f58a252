//! The fast lane: one look at what stands next.
//!
//! Its rule: it takes `<name>text</name>`, `<name>`, `<name />`, `<name/>` and the parent's end tag, letter for letter, where the name is one of those that are expected,
//! written with the parent's prefix, and the text is its own value. It changes nothing before it has seen all of that within the limits.
//! Whatever else stands there it leaves to the general lane, which alone refuses.

use super::scan::{after_same, text_length};
use super::tokens::{Open, Tokens};

/// What the lane took.
pub(super) enum Taken {
    /// A whole element; its text is [`Tokens::leaf`].
    Leaf,
    Start,
    /// The end tag of the parent.
    End,
}

/// What is the same for all children of an element.
pub(super) struct Lane<'i> {
    parent: Open,
    /// The parent's name with its prefix.
    name: &'i [u8],
    /// The parent's prefix with its colon; empty if there is none.
    prefix: &'i [u8],
    /// Whether the children have the parent's namespace and are within the limit of depth.
    is_open: bool,
}

impl<'i> Tokens<'i> {
    /// The lane through the children of the innermost open element.
    pub(super) fn lane(&self, parent: Open, is_parents: bool) -> Lane<'i> {
        let name = self.name_of(&parent).as_bytes();
        let prefix = match parent.prefix {
            0 => 0,
            length => length as usize + 1,
        };
        Lane {
            parent,
            name,
            prefix: &name[..prefix],
            is_open: is_parents && self.open.len() < self.limits.depth,
        }
    }

    /// Takes what stands here after white space, if the rule allows it, with one of the names from `next` on. Returns the index of the name.
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        lane: &Lane<'i>,
        names: &[&str],
        next: usize,
    ) -> Option<(Taken, usize)> {
        if self.rest().first() != Some(&b'<') {
            self.skip_blanks();
        }
        if let Some(name) = names.get(next)
            && let Some(taken) = self.take_named(lane, name)
        {
            return Some((taken, next));
        }
        self.take_other(lane, names, next)
    }

    #[inline(never)]
    fn take_other(
        &mut self,
        lane: &Lane<'i>,
        names: &[&str],
        next: usize,
    ) -> Option<(Taken, usize)> {
        if let [b'<', b'/', end @ ..] = self.rest() {
            return self.take_end(lane, end).map(|taken| (taken, next));
        }
        let later = names.iter().enumerate().skip(next + 1);
        later
            .filter_map(|(index, name)| Some((self.take_named(lane, name)?, index)))
            .next()
    }

    /// Takes an element of this name if it stands here: whole, if it holds nothing but text, else its start tag.
    // Called, and all in one, so that everything stays in registers.
    #[inline(never)]
    fn take_named(&mut self, lane: &Lane<'i>, name: &str) -> Option<Taken> {
        let [b'<', tag @ ..] = self.rest() else {
            return None;
        };
        let allowed = lane.is_open
            && self.elements < self.limits.elements
            && lane.prefix.len() + name.len() <= self.limits.name;
        if !allowed {
            return None;
        }
        let content = match lane.after_name(tag, name)? {
            [b'>', content @ ..] => content,
            [b' ', b'/', b'>', after @ ..] | [b'/', b'>', after @ ..] => {
                return Some(self.take_start(lane, name, after, true));
            }
            _ => return None,
        };
        let Some((length, [b'<', b'/', end @ ..])) = text_length(content) else {
            return Some(self.take_start(lane, name, content, false));
        };
        let start = self.input.len() - content.len();
        // `name>`
        let tag = &tag[..tag.len() - content.len()];
        if let Some(after) = after_same(end, tag)
            && let Some(text) = self.input.get(start..start + length)
            && length <= self.limits.text
            && self.is_plain(text)
        {
            self.elements += 1;
            self.nil = false;
            self.leaf = Some(text);
            self.at = self.input.len() - after.len();
            return Some(Taken::Leaf);
        }
        Some(self.take_start(lane, name, content, false))
    }

    #[inline(never)]
    fn take_start(&mut self, lane: &Lane<'i>, name: &str, content: &'i [u8], empty: bool) -> Taken {
        let length = lane.prefix.len() + name.len();
        self.open
            .push(self.child_of(&lane.parent, self.at + 1, length));
        self.elements += 1;
        self.forget_attributes();
        self.at = self.input.len() - content.len();
        self.empty = empty;
        Taken::Start
    }

    fn take_end(&mut self, lane: &Lane<'i>, end: &'i [u8]) -> Option<Taken> {
        let [b'>', after @ ..] = after_same(end, lane.name)? else {
            return None;
        };
        self.end_tag_at = self.at;
        self.at = self.input.len() - after.len();
        self.close();
        Some(Taken::End)
    }

    /// Goes back to before the text of a leaf, so that the general lane reads it.
    #[cold]
    pub(super) fn reopen(&mut self, text: &'i str) {
        let Some(parent) = self.open.last().copied() else {
            return;
        };
        let content = self.offset(text);
        let before = &self.input.as_bytes()[..content - 1];
        let start = memchr::memrchr(b'<', before).map_or(0, |at| at + 1);
        self.open
            .push(self.child_of(&parent, start, before.len() - start));
        self.forget_attributes();
        self.at = content;
    }

    /// An element without attributes that has the prefix and the namespace of its parent.
    fn child_of(&self, parent: &Open, start: usize, length: usize) -> Open {
        Open {
            start,
            length: length as u32,
            bindings: self.namespaces.count(),
            ..*parent
        }
    }
}

impl Lane<'_> {
    /// What follows this name in a tag, which has it with the parent's prefix.
    #[inline(always)]
    fn after_name<'t>(&self, tag: &'t [u8], name: &str) -> Option<&'t [u8]> {
        let local = match self.prefix {
            [] => tag,
            prefix => after_same(tag, prefix)?,
        };
        after_same(local, name.as_bytes())
    }
}
