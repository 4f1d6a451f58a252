//! The one driver that reads the children of every type.
//!
//! It has two lanes. Most messages hold the expected elements in the expected order, without attributes: there it compares the next bytes with the literal `<name>`.
//! Whatever else comes is read by the tokenizer. Both lanes see the same documents as well-formed, call the same fields and count the same limits.

use super::characters::is_space;
use super::element::Element;
use super::error::{ReadError, ReadErrorKind};
use super::namespaces::Namespace;
use super::scan::starts_with;
use super::tokens::{Open, Result, Tokens};

/// What the children of an element may be.
pub(super) struct Children<'t> {
    /// Their local names, in the order in which they are expected.
    pub(super) names: &'t [&'t str],
    /// The indexes of those that may occur more than once.
    pub(super) repeated: &'t [usize],
    /// The choices among them: the index of the first alternative, and the index after the last one.
    pub(super) choices: &'t [(usize, usize)],
}

impl Children<'_> {
    /// The index that stands for the child, one for all alternatives of a choice, and the index of the first child that may follow it.
    #[inline]
    fn place(&self, index: usize, repeated: bool) -> (usize, usize) {
        let choice = self
            .choices
            .iter()
            .find(|(first, end)| (*first..*end).contains(&index));
        let (first, end) = choice.copied().unwrap_or((index, index + 1));
        (first, if repeated { first } else { end })
    }
}

impl<'i> Element<'i> {
    /// Reads the children of the element, through its end tag: calls `field` with the index of each one that has an expected name and namespace, and skips the others, or refuses them if the reading is strict.
    pub(super) fn children(
        &mut self,
        children: &Children<'_>,
        field: &mut dyn FnMut(usize, &mut Element<'i>) -> Result<()>,
    ) -> Result<()> {
        let Some(parent) = self.tokens.open.last().copied() else {
            return Ok(());
        };
        let level = self.tokens.open.len() + 1;
        let namespace = self.tokens.namespace_of_children(&parent);
        let is_parents = self.tokens.namespaces.same(namespace, parent.namespace);
        let mut seen = Seen::default();
        let mut next = 0;
        loop {
            let expected = match is_parents {
                true => self.tokens.expected(&parent, children.names, next),
                false => None,
            };
            let index = match expected {
                Some(index) => index,
                None if !self.tokens.child()? => return Ok(()),
                None => match self.tokens.known(namespace, children.names, next) {
                    Some(index) if index >= next || !self.tokens.limits.strict => index,
                    None if !self.tokens.limits.strict => {
                        self.tokens.skip()?;
                        continue;
                    }
                    _ => {
                        return Err(self
                            .tokens
                            .unexpected_child(&parent, &children.names[next..]));
                    }
                },
            };
            let repeated = children.repeated.contains(&index);
            let (place, after) = children.place(index, repeated);
            if seen.insert(place) || repeated {
                field(index, self)?;
                next = after;
            }
            // A field that was seen before, or whose type did not read it.
            if self.tokens.open.len() >= level {
                self.tokens.skip()?;
            }
        }
    }
}

impl<'i> Tokens<'i> {
    /// The fast lane: reads `<name>`, `<name />` or `<name/>` if it stands here, after white space, with the parent's prefix and one of the names from `next` on. What exceeds a limit is left to the other lane, which says so.
    #[inline]
    fn expected(&mut self, parent: &Open, names: &[&str], next: usize) -> Option<usize> {
        let bytes = self.input.as_bytes();
        let mut start = self.at;
        while is_space(*bytes.get(start)?) {
            start += 1;
        }
        if bytes[start] != b'<' || self.empty {
            return None;
        }
        start += 1;
        let mut at = start;
        if parent.prefix > 0 {
            let prefix = &bytes[parent.start..parent.start + parent.prefix as usize];
            at += prefix.len() + 1;
            if !starts_with(&bytes[start..], prefix) || bytes.get(at - 1) != Some(&b':') {
                return None;
            }
        }
        let tag = &bytes[at..];
        let mut index = next;
        while let Some(name) = names.get(index) {
            if starts_with(tag, name.as_bytes())
                && let Some(after) = end_of_start_tag(&tag[name.len()..])
            {
                let length = at - start + name.len();
                let open = Open {
                    start,
                    length: length as u32,
                    bindings: self.namespaces.count(),
                    ..*parent
                };
                if !self.enter_if_allowed(open) {
                    return None;
                }
                self.forget_attributes();
                self.at = start + length + after;
                self.empty = after > 1;
                self.plain = after == 1;
                return Some(index);
            }
            index += 1;
        }
        None
    }

    /// The index of the name of the element that was opened last, if it has this namespace.
    fn known(&self, namespace: Namespace, names: &[&str], next: usize) -> Option<usize> {
        let open = self.open.last()?;
        if !self.namespaces.same(open.namespace, namespace) {
            return None;
        }
        let local_name = self.local_name_of(open);
        let later = names
            .iter()
            .skip(next)
            .position(|name| *name == local_name)
            .map(|index| next + index);
        later.or_else(|| names.iter().take(next).position(|name| *name == local_name))
    }

    /// The element that was opened last is none that strict reading allows here.
    #[cold]
    fn unexpected_child(&self, parent: &Open, allowed: &[&str]) -> ReadError {
        let may_follow = match allowed {
            [] => "No further element may stand there.".to_owned(),
            _ => format!("Elements that may: {}.", allowed.join(", ")),
        };
        let message = format!(
            "The element '{}' of namespace '{}' is not expected at this place in '{}'. {may_follow}",
            self.local_name(),
            self.namespace(),
            self.local_name_of(parent),
        );
        self.error_at_element(ReadErrorKind::Value, message)
    }
}

/// How long the end of a start tag without attributes is.
#[inline]
fn end_of_start_tag(text: &[u8]) -> Option<usize> {
    match text {
        [b'>', ..] => Some(1),
        [b' ', b'/', b'>', ..] => Some(3),
        [b'/', b'>', ..] => Some(2),
        _ => None,
    }
}

/// Which fields were read.
#[derive(Default)]
struct Seen {
    first: u64,
    /// Those from index 64 on.
    more: Vec<u64>,
}

impl Seen {
    /// Returns whether it is new.
    #[inline]
    fn insert(&mut self, index: usize) -> bool {
        let word = match index / 64 {
            0 => &mut self.first,
            word => {
                if self.more.len() < word {
                    self.more.resize(word, 0);
                }
                &mut self.more[word - 1]
            }
        };
        let bit = 1 << (index % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}
