//! Reads YAML with places: maps of known keys, values, and mistakes in them.

use std::fmt::Display;

use serde_json::{Map, Number, Value as Json};
use svcgen_language::naming::nearest;
use svcgen_language::yaml::{Collection, Content, Node, ScalarStyle, Slot};
use svcgen_messages::Place;

use crate::mock::template::is_template;

/// The maximum number of mistakes shown of a file.
const MOST_SHOWN: usize = 20;

/// A file, and the mistakes found in it.
pub(super) struct Reader<'f> {
    pub(super) file: &'f str,
    pub(super) complaints: Vec<String>,
}

/// An entry of a map.
pub(super) struct Entry<'n> {
    pub(super) key: &'n str,
    pub(super) value: &'n Node,
}

/// Returns the value of the entry with a key.
pub(super) fn value_of<'n>(entries: &[Entry<'n>], key: &str) -> Option<&'n Node> {
    let found = entries.iter().find(|entry| entry.key == key);
    found.map(|entry| entry.value)
}

impl Reader<'_> {
    /// Returns the place of a node.
    pub(super) fn place(&self, node: &Node) -> String {
        let (line, column) = (node.start.line, node.start.column + 1);
        format!("{}:{line}:{column}", self.file)
    }

    /// Notes a mistake in a node.
    pub(super) fn complain(&mut self, node: &Node, message: impl Display) {
        if self.complaints.len() < MOST_SHOWN {
            let place = self.place(node);
            self.complaints.push(format!("{place}: {message}"));
        }
    }

    /// Returns the entries of a map that have known keys, and notes other keys.
    pub(super) fn entries<'n>(&mut self, node: &'n Node, known: &[&str]) -> Vec<Entry<'n>> {
        let mut entries: Vec<Entry<'n>> = Vec::new();
        let Content::Collection(Collection {
            is_map: true,
            slots,
            ..
        }) = &node.target().content
        else {
            let known = known.join(", ");
            self.complain(
                node,
                format_args!("a map is expected; its keys are {known}"),
            );
            return entries;
        };
        for slot in slots {
            let Some(key) = &slot.key else { continue };
            let name = text(key).unwrap_or_default();
            if !known.contains(&name) {
                let help = match nearest(name, known.iter().copied()) {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => format!("known: {}", known.join(", ")),
                };
                self.complain(key, format_args!("unknown key `{name}`; {help}"));
            } else if entries.iter().any(|entry| entry.key == name) {
                self.complain(key, format_args!("`{name}` is given twice"));
            } else {
                entries.push(Entry {
                    key: name,
                    value: &slot.value,
                });
            }
        }
        entries
    }

    /// Returns the items of a list; notes a mistake if there are none.
    pub(super) fn items<'n>(&mut self, node: &'n Node, what: &str) -> Vec<&'n Node> {
        match &node.target().content {
            Content::Collection(list) if !list.is_map && !list.slots.is_empty() => {
                list.slots.iter().map(|slot| &*slot.value).collect()
            }
            _ => {
                self.complain(node, format_args!("a list of {what} is expected"));
                Vec::new()
            }
        }
    }

    /// Returns the text of a scalar; notes a mistake if the node is not a scalar.
    pub(super) fn text<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n str> {
        let text = text(node);
        if text.is_none() {
            self.complain(node, format_args!("{what} is expected"));
        }
        text
    }

    pub(super) fn boolean(&mut self, node: &Node) -> bool {
        match json(node) {
            Json::Bool(is) => is,
            _ => {
                self.complain(node, "`true` or `false` is expected");
                false
            }
        }
    }
}

/// Returns the text of a scalar.
pub(super) fn text(node: &Node) -> Option<&str> {
    match &node.target().content {
        Content::Scalar { text, .. } => Some(text),
        _ => None,
    }
}

/// Returns the value of a node whose type is not known. A number whose digits JSON would change is
/// read as a text.
pub(super) fn json(node: &Node) -> Json {
    value(node, None)
}

/// Returns the value of a node at a place, which decides the types of scalars, as in the arguments
/// of a call. A scalar that is not a valid value there is read as a text, and refused when it is
/// written. Placeholders for values, such as templates, are read as texts, too.
pub(super) fn value(node: &Node, place: Option<Place>) -> Json {
    match &node.target().content {
        Content::Nothing | Content::Alias { .. } => Json::Null,
        Content::Scalar { text, style } => {
            let is_plain = *style == ScalarStyle::Plain;
            match place.filter(|place| place.is_simple()) {
                _ if is_plain && matches!(&**text, "" | "~" | "null") => Json::Null,
                Some(place) => place
                    .value_of_text(text)
                    .ok()
                    .filter(|_| !is_template(&Json::from(text.as_str())))
                    .unwrap_or_else(|| Json::from(text.as_str())),
                None if is_plain => plain(text),
                None => Json::from(text.as_str()),
            }
        }
        Content::Collection(list) if !list.is_map => {
            let item = place.and_then(Place::item);
            let items = list.slots.iter();
            items.map(|slot| value(&slot.value, item)).collect()
        }
        Content::Collection(map) => {
            let each = map.slots.iter().map(|slot| {
                let key = slot.key.as_deref().and_then(text).unwrap_or_default();
                let member = place.and_then(|place| place.member(key));
                (key.to_owned(), value(&slot.value, member))
            });
            Json::Object(each.collect::<Map<_, _>>())
        }
    }
}

fn plain(text: &str) -> Json {
    match text {
        "true" => Json::Bool(true),
        "false" => Json::Bool(false),
        text => match serde_json::from_str::<Number>(text) {
            Ok(number) if number.to_string() == text => Json::Number(number),
            _ => Json::from(text),
        },
    }
}

/// Returns the node of a place in a value, such as `Order.lines[0].count`, or the nearest node
/// around it. The first name is the name of the value itself.
pub(super) fn node_at<'n>(mut node: &'n Node, place: &str) -> &'n Node {
    let steps = place.split(['.', '[']).skip(1);
    for step in steps {
        let Content::Collection(within) = &node.target().content else {
            break;
        };
        let mut slots = within.slots.iter();
        let next = match step.strip_suffix(']') {
            Some(index) if !within.is_map => index.parse().ok().and_then(|index| slots.nth(index)),
            _ => slots.find(|slot| slot.key.as_deref().and_then(text) == Some(step)),
        };
        let Some(slot) = next else { break };
        node = &slot.value;
    }
    node
}

/// Returns the key of an entry of a map.
pub(super) fn key_of<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    slot_of(node, name)?.key.as_deref()
}

/// Returns the value of an entry of a map.
pub(super) fn entry_of<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    Some(&slot_of(node, name)?.value)
}

fn slot_of<'n>(node: &'n Node, name: &str) -> Option<&'n Slot> {
    let Content::Collection(map) = &node.target().content else {
        return None;
    };
    let mut slots = map.slots.iter();
    slots.find(|slot| slot.key.as_deref().and_then(text) == Some(name))
}
