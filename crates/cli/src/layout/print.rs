//! Prints a tree.

use svcgen_language::yaml::{Collection, Content, Node, NodeId, ScalarStyle, Slot};

use super::WIDTH;
use super::comments::{Comment, Notes};
use super::order::Header;
use super::scalar::{self, Lines};

/// The indentation of a block.
const STEP: usize = 2;

const ROOT: NodeId = NodeId(0);

/// Prints the entries of a file, with a blank line before and after each section.
pub(super) fn print(source: &str, file: &[&Slot], header: &Header, notes: &Notes) -> String {
    let mut printer = Printer {
        source,
        notes,
        text: String::new(),
        blank_wanted: false,
        is_first: false,
        after_dash: false,
    };
    printer.comments(&header.comments, 0);
    printer.blank_wanted = header.blank;
    for slot in file {
        let is_section = matches!(&slot.value.content, Content::Collection(map) if map.is_map && !map.slots.is_empty());
        printer.blank_wanted |= is_section;
        printer.slot(slot, 0, is_section);
        printer.blank_wanted = is_section;
    }
    if file.is_empty() {
        printer.text.push_str("{}\n");
    }
    printer.comments(notes.below(ROOT), 0);
    printer.text
}

struct Printer<'t> {
    /// The original text.
    source: &'t str,
    notes: &'t Notes,
    text: String,
    /// Whether a blank line precedes the next line.
    blank_wanted: bool,
    /// Whether the next line is the first of a block, which no blank line precedes.
    is_first: bool,
    /// Whether the next entry continues the line of a dash.
    after_dash: bool,
}

impl Printer<'_> {
    fn comments(&mut self, comments: &[Comment], indent: usize) {
        for comment in comments {
            self.blank_wanted |= comment.blank;
            self.start_line(indent);
            self.text.push_str(&comment.text);
            self.text.push('\n');
        }
    }

    fn start_line(&mut self, indent: usize) {
        let is_first = std::mem::take(&mut self.is_first) || self.text.is_empty();
        if std::mem::take(&mut self.blank_wanted) && !is_first {
            self.text.push('\n');
        }
        if !std::mem::take(&mut self.after_dash) {
            self.indent(indent);
        }
    }

    fn indent(&mut self, indent: usize) {
        self.text.extend(std::iter::repeat_n(' ', indent));
    }

    fn end_line(&mut self, right: Option<&Comment>) {
        if let Some(comment) = right {
            self.text.push_str("  ");
            self.text.push_str(&comment.text);
        }
        self.text.push('\n');
    }

    /// Prints an entry or an item; a section is always a block.
    fn slot(&mut self, slot: &Slot, indent: usize, is_section: bool) {
        let head = head(slot);
        let room = WIDTH.saturating_sub(indent + head.chars().count() + 1);
        let braces = match &slot.value.content {
            Content::Collection(collection) if !is_section => {
                flow(&slot.value, collection, self.notes)
            }
            _ => None,
        };
        // An empty collection has no block form.
        let braces = braces.filter(|text| text.chars().count() <= room.max("{}".len()));
        let note = self.notes.of(slot);
        let right = note.right.as_ref();
        self.comments(&note.above, indent);
        if has_no_first_line(slot) && braces.is_none() {
            self.comments(note.right.as_slice(), indent);
        }
        self.blank_wanted |= note.blank;
        self.start_line(indent);
        self.text.push_str(&head);
        match (&slot.value.content, braces) {
            (Content::Nothing, _) => self.end_line(right),
            (Content::Alias { name, .. }, _) => self.value(&format!("*{name}"), right),
            (Content::Scalar { .. }, _) => self.scalar(&slot.value, right, indent + STEP),
            (Content::Collection(_), Some(braces)) => self.value(&braces, right),
            (Content::Collection(collection), None) => self.block(collection, slot, indent),
        }
    }

    fn value(&mut self, text: &str, right: Option<&Comment>) {
        self.text.push(' ');
        self.text.push_str(text);
        self.end_line(right);
    }

    /// Prints a scalar, whose lines after the first are indented.
    fn scalar(&mut self, node: &Node, right: Option<&Comment>, indent: usize) {
        let Some(Lines {
            first,
            rest,
            is_block,
        }) = scalar::in_lines(node, self.source)
        else {
            return self.value(&scalar::in_line(node, false), right);
        };
        // A multi-line scalar that is not a block scalar can have a comment after its last line
        // only.
        self.value(&first, right.filter(|_| is_block));
        for line in rest {
            if !line.is_empty() {
                self.indent(indent);
                self.text.push_str(&line);
            }
            self.text.push('\n');
        }
        if !is_block && right.is_some() {
            self.text.pop();
            self.end_line(right);
        }
    }

    fn block(&mut self, collection: &Collection, slot: &Slot, indent: usize) {
        match (&slot.key, &slot.value.anchor) {
            (None, None) => {
                self.text.push(' ');
                self.after_dash = true;
            }
            (None, Some(_)) => self.text.push('\n'),
            (Some(_), _) => self.end_line(self.notes.of(slot).right.as_ref()),
        }
        self.is_first = true;
        for slot in &collection.slots {
            self.slot(slot, indent + STEP, false);
        }
        self.comments(self.notes.below(slot.value.id), indent + STEP);
    }
}

/// Returns the start of a slot: key and colon, or dash, and the anchor of the value.
fn head(slot: &Slot) -> String {
    let key = slot.key.as_ref();
    let head = key.map_or_else(|| "-".to_owned(), |key| key_text(key, false));
    match &slot.value.anchor {
        None => head,
        Some(anchor) => format!("{head} &{anchor}"),
    }
}

/// Whether a comment at the end of its line would be on the line of its first entry, as for a block
/// in a list.
fn has_no_first_line(slot: &Slot) -> bool {
    slot.key.is_none() && matches!(slot.value.content, Content::Collection(_))
}

/// Writes a collection in flow style, unless it was written as a block or contains comments or
/// multi-line scalars.
fn flow(node: &Node, collection: &Collection, notes: &Notes) -> Option<String> {
    let is_empty = |slot: &Slot| matches!(slot.value.content, Content::Nothing);
    // Not every reader accepts a comma after a colon, and a list cannot have an empty item between
    // commas.
    let has_gap = match collection.slots.as_slice() {
        [only] => only.key.is_none() && is_empty(only),
        slots => slots.iter().any(is_empty),
    };
    if !collection.flow || has_gap || !notes.below(node.id).is_empty() {
        return None;
    }
    let slots = collection.slots.iter();
    let slots: Vec<_> = slots
        .map(|slot| flow_slot(slot, notes))
        .collect::<Option<_>>()?;
    Some(match (collection.is_map, slots.is_empty()) {
        (true, true) => "{}".to_owned(),
        (true, false) => format!("{{ {} }}", slots.join(", ")),
        (false, _) => format!("[{}]", slots.join(", ")),
    })
}

fn flow_slot(slot: &Slot, notes: &Notes) -> Option<String> {
    let note = notes.of(slot);
    if note.right.is_some() || !note.above.is_empty() {
        return None;
    }
    let value = flow_node(&slot.value, notes)?;
    match &slot.key {
        Some(key) if value.is_empty() => Some(key_text(key, true)),
        Some(key) => Some(format!("{} {value}", key_text(key, true))),
        None => Some(value),
    }
}

fn flow_node(node: &Node, notes: &Notes) -> Option<String> {
    let content = match &node.content {
        Content::Nothing => String::new(),
        Content::Scalar { .. } if scalar::is_wrapped(node) => return None,
        Content::Scalar { .. } => scalar::in_line(node, true),
        Content::Alias { name, .. } => format!("*{name}"),
        Content::Collection(collection) => flow(node, collection, notes)?,
    };
    Some(anchored(node, content))
}

fn anchored(node: &Node, content: String) -> String {
    match &node.anchor {
        None => content,
        Some(anchor) if content.is_empty() => format!("&{anchor}"),
        Some(anchor) => format!("&{anchor} {content}"),
    }
}

/// Writes a key with its colon.
fn key_text(key: &Node, in_flow: bool) -> String {
    match &key.content {
        // In quotes, it would not be a merge key.
        Content::Scalar { text, style } if text == "<<" && *style == ScalarStyle::Plain => {
            anchored(key, "<<:".to_owned())
        }
        Content::Scalar { .. } => anchored(key, format!("{}:", scalar::in_line(key, in_flow))),
        // Without the space, the colon would be part of the alias.
        Content::Alias { name, .. } => format!("*{name} :"),
        Content::Nothing | Content::Collection(_) => ":".to_owned(),
    }
}
