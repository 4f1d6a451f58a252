//! Merges the changes between two definitions into the text of a third one, which was edited by
//! hand.

use std::ops::Range;

use svcgen_language::yaml::{Collection, Content, Node, Slot, Tree};

use super::value::{Value, after, block_entry, block_item, flow_entry, in_flow, key};

/// The keys that are never changed, because no WSDL contains them, or people write them better.
const BY_HAND: [&str; 18] = [
    "doc",
    "data_set",
    "rust",
    "rust_type",
    "secret",
    "net",
    "read_only",
    // The former name of `read_only`.
    "safe",
    "cache",
    "session",
    "allow",
    "time_zone",
    "script_method",
    "script_type",
    "routing",
    "include",
    "list",
    "path",
];

/// Whether a key is never changed.
pub(super) fn is_by_hand(key: &str) -> bool {
    BY_HAND.contains(&key)
}

/// A file with the edits to make.
#[derive(Debug)]
pub(super) struct File<'f> {
    pub text: &'f str,
    pub tree: &'f Tree,
    edits: Vec<(Range<usize>, String)>,
}

impl<'f> File<'f> {
    pub fn new(text: &'f str, tree: &'f Tree) -> Self {
        Self {
            text,
            tree,
            edits: Vec::new(),
        }
    }

    /// Returns the text with all edits.
    pub fn finish(mut self) -> String {
        // The sort is stable: at one place, the text that was added first comes first.
        self.edits.sort_by_key(|(range, _)| range.start);
        let mut text = String::new();
        let mut at = 0;
        for (range, replacement) in self.edits {
            text += &self.text[at.min(range.start)..range.start];
            text += &replacement;
            at = range.end.max(at);
        }
        text + &self.text[at..]
    }

    /// Returns the value of a top-level key.
    pub fn section(&self, name: &str) -> Option<&'f Node> {
        find(collection(&self.tree.root)?, name).map(|slot| &*slot.value)
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |end| end + 1)
    }

    fn line_end(&self, at: usize) -> usize {
        let at = at.min(self.text.len());
        self.text[at..]
            .find('\n')
            .map_or(self.text.len(), |end| at + end)
    }

    /// Returns the end of the last line of a slot, without its line break.
    fn slot_end(&self, slot: &Slot) -> usize {
        let end = slot.value.end.byte.max(slot.first().end.byte);
        let text = self.text[..end.min(self.text.len())].trim_end();
        self.line_end(text.len())
    }

    /// Returns the start of the first line of a slot or of the comments above it.
    fn slot_start(&self, slot: &Slot) -> usize {
        let mut start = self.line_start(slot.first().start.byte);
        while start > 0 {
            let before = self.line_start(start - 1);
            if !self.text[before..start].trim_start().starts_with('#') {
                break;
            }
            start = before;
        }
        start
    }

    fn remove(&mut self, within: &Collection, index: usize) {
        let slots = &within.slots;
        let range = if !within.flow {
            let end = self.slot_end(&slots[index]);
            self.slot_start(&slots[index])..(end + 1).min(self.text.len())
        } else if index > 0 {
            end_in_flow(&slots[index - 1])..end_in_flow(&slots[index])
        } else if let Some(next) = slots.get(1) {
            slots[0].first().start.byte..next.first().start.byte
        } else {
            slots[0].first().start.byte..end_in_flow(&slots[0])
        };
        self.edits.push((range, String::new()));
    }

    /// Inserts an entry after a slot, or before the first one.
    fn insert(
        &mut self,
        within: &Collection,
        behind: Option<usize>,
        flow: &str,
        block: impl Fn(usize) -> String,
    ) {
        let slots = &within.slots;
        let (at, text) = match (behind, slots.first()) {
            (Some(index), _) if within.flow => (end_in_flow(&slots[index]), format!(", {flow}")),
            (None, Some(first)) if within.flow => (first.first().start.byte, format!("{flow}, ")),
            (Some(index), Some(first)) => {
                let indent = self.indent(first);
                let text = format!("\n{}", block(indent));
                (self.slot_end(&slots[index]), text)
            }
            (None, Some(first)) => {
                let text = format!("{}\n", block(self.indent(first)));
                (self.slot_start(first), text)
            }
            (_, None) => return,
        };
        self.edits.push((at..at, text));
    }

    /// Returns the number of spaces before a slot.
    fn indent(&self, slot: &Slot) -> usize {
        let start = self.line_start(slot.first().start.byte);
        let line = &self.text[start..];
        line.len() - line.trim_start_matches(' ').len()
    }

    /// Replaces the value of a node.
    fn replace(&mut self, node: &Node, value: &Value, indent: usize) {
        let is_flow = match &node.content {
            Content::Collection(collection) => collection.flow,
            _ => false,
        };
        let text = if is_flow || matches!(value, Value::Map(..) | Value::List(..)) {
            in_flow(value)
        } else {
            after(value, indent).trim_start().to_owned()
        };
        let blank = matches!(node.content, Content::Nothing);
        let text = if blank { format!(" {text}") } else { text };
        let range = node.start.byte..node.end.byte;
        // The range of a block extends beyond its last text.
        let length = self.text[range.clone()].trim_end().len();
        self.edits.push((range.start..range.start + length, text));
    }

    /// Merges the changes between two values into the node with the first one. `place` is its name
    /// in messages.
    pub fn merge(
        &mut self,
        node: &Node,
        base: &Value,
        new: &Value,
        place: &str,
    ) -> Result<(), String> {
        if base == new || Value::new(node) == *new {
            return Ok(());
        }
        if matches!(node.content, Content::Alias { .. }) {
            return Err(format!("{place} is an alias: change it by hand"));
        }
        // A definition edited by hand may write the absence of values in a key of its own,
        // `absent`.
        let says_absent = |within| position(within, "absent").is_some();
        let (base, new) = if collection(node).is_some_and(says_absent) {
            (&base.with_absent(), &new.with_absent())
        } else {
            (base, new)
        };
        match (base, new) {
            (Value::List(base, _), Value::List(new, _)) => self.merge_list(node, base, new, place),
            (Value::Map(..), Value::Map(..)) => self.merge_map(node, base, new, place),
            (Value::Text(_) | Value::Nothing, Value::Map(..)) => {
                let key = new.short_key().unwrap_or("type");
                self.merge_map(node, &base.long(key), new, place)
            }
            (Value::Map(..), Value::Text(_) | Value::Nothing) => {
                let key = base.short_key().unwrap_or("type");
                self.merge_map(node, base, &new.long(key), place)
            }
            _ => match collection(node) {
                None => {
                    self.replace(node, new, node.start.column);
                    Ok(())
                }
                Some(within) => {
                    let short = Value::new(node).short_key();
                    let slot = short.and_then(|key| find(within, key));
                    let slot = slot.ok_or_else(|| format!("{place} was rewritten by hand"))?;
                    self.merge(&slot.value, base, new, place)
                }
            },
        }
    }

    fn merge_map(
        &mut self,
        node: &Node,
        base: &Value,
        new: &Value,
        place: &str,
    ) -> Result<(), String> {
        let Some(within) = collection(node).filter(|within| within.is_map) else {
            return self.merge_short(node, base, new);
        };
        let mut behind = None;
        for (key, value) in new.entries() {
            let at = position(within, key);
            let before = base.get(key);
            match at {
                Some(index) => {
                    behind = Some(index);
                    if !is_by_hand(key) {
                        let node = &within.slots[index].value;
                        // A definition that nothing used until now is not in the old WSDL.
                        let before = before.cloned().unwrap_or_else(|| Value::new(node));
                        self.merge(node, &before, value, &format!("{place}/{key}"))?;
                    }
                }
                None if before == Some(value) => {}
                None if before.is_some() && is_by_hand(key) => {}
                None if before.is_none() && key == "doc" => {}
                None => self.insert(within, behind, &flow_entry(key, value), |indent| {
                    block_entry(key, value, indent)
                }),
            }
        }
        for (key, _) in base.entries() {
            if new.get(key).is_none()
                && !is_by_hand(key)
                && let Some(index) = position(within, key)
            {
                self.remove(within, index);
            }
        }
        Ok(())
    }

    /// Replaces a short form, or an absent value, by the new value.
    fn merge_short(&mut self, node: &Node, base: &Value, new: &Value) -> Result<(), String> {
        let mut entries: Vec<(String, Value)> = Vec::new();
        for (key, value) in new.entries() {
            let is_new = base.get(key).is_none();
            if !(is_new && key == "doc") {
                entries.push((key.clone(), value.clone()));
            }
        }
        let value = Value::Map(entries, super::value::Style::Flow).short();
        self.replace(node, &value, node.start.column);
        Ok(())
    }

    fn merge_list(
        &mut self,
        node: &Node,
        before: &[Value],
        now: &[Value],
        place: &str,
    ) -> Result<(), String> {
        let Some(within) = collection(node).filter(|within| !within.is_map) else {
            return Err(format!("{place} is not a list"));
        };
        let is_in =
            |items: &[Value], name: &str| items.iter().any(|one| one.item_name() == Some(name));
        let at = |name: &str| {
            let mut slots = within.slots.iter();
            slots.position(|slot| Value::new(&slot.value).item_name() == Some(name))
        };
        let mut behind = None;
        for item in now {
            let Some(name) = item.item_name() else {
                return Err(format!("{place} has items without names"));
            };
            match at(name) {
                Some(index) => behind = Some(index),
                None if is_in(before, name) => {}
                None => self.insert(within, behind, &in_flow(item), |indent| {
                    block_item(item, indent)
                }),
            }
        }
        for item in before.iter().filter_map(Value::item_name) {
            if !is_in(now, item)
                && let Some(index) = at(item)
            {
                self.remove(within, index);
            }
        }
        Ok(())
    }

    /// Merges the changes of a section. Removes a section that becomes empty.
    pub fn merge_section(&mut self, name: &str, base: &Value, new: &Value) -> Result<(), String> {
        let file = collection(&self.tree.root);
        let Some((file, index)) = file.and_then(|file| Some((file, position(file, name)?))) else {
            return Ok(());
        };
        let node = &file.slots[index].value;
        let left = Value::new(node);
        let is_left =
            |(key, _): &(String, Value)| new.get(key).is_some() || base.get(key).is_none();
        if !left.entries().iter().any(is_left) {
            self.remove(file, index);
            return Ok(());
        }
        self.merge(node, base, new, name)
    }

    /// Adds a new section at the end.
    pub fn add_section(&mut self, name: &str, value: &Value) {
        let end = self.text.trim_end().len();
        let blank = if matches!(value, Value::Map(..)) {
            "\n\n"
        } else {
            "\n"
        };
        let text = format!("{blank}{}", block_entry(name, value, 0));
        self.edits.push((end..end, text));
    }
}

/// Returns the end of a slot in braces or brackets.
fn end_in_flow(slot: &Slot) -> usize {
    slot.value.end.byte.max(slot.first().end.byte)
}

/// Returns the map or list of a node.
pub(super) fn collection(node: &Node) -> Option<&Collection> {
    match &node.content {
        Content::Collection(collection) => Some(collection),
        _ => None,
    }
}

fn position(within: &Collection, name: &str) -> Option<usize> {
    let mut slots = within.slots.iter();
    slots.position(|slot| key(slot.key.as_deref()) == name)
}

/// Returns the entry of a key.
pub(super) fn find<'n>(within: &'n Collection, name: &str) -> Option<&'n Slot> {
    position(within, name).map(|index| &within.slots[index])
}
