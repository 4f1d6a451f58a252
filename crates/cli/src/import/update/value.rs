//! The values of a definition, independent of its layout.

use svcgen_language::yaml::{self, Content, Node, can_be_block};

/// A YAML value.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Nothing,
    Text(String),
    List(Vec<Value>, Style),
    Map(Vec<(String, Value)>, Style),
}

/// The style of a collection: block, or flow (in braces or brackets).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Block,
    Flow,
}

impl PartialEq for Value {
    /// Whether both values are the same. Keys have no order.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nothing, Self::Nothing) => true,
            (Self::Text(one), Self::Text(other)) => one == other,
            (Self::List(one, _), Self::List(other, _)) => one == other,
            (Self::Map(one, _), Self::Map(other, _)) => {
                let is_there = |(key, value): &(String, Self)| {
                    other.iter().any(|(other, it)| other == key && it == value)
                };
                one.len() == other.len() && one.iter().all(is_there)
            }
            _ => false,
        }
    }
}

/// The keys that short forms stand for: `Name: string?` is `Name: { type: "string?" }`.
const SHORT: [&str; 3] = ["type", "uri", "name"];

impl Value {
    pub fn new(node: &Node) -> Self {
        match &node.target().content {
            Content::Scalar { text, .. } => Self::Text(text.clone()),
            Content::Collection(collection) => {
                let style = if collection.flow {
                    Style::Flow
                } else {
                    Style::Block
                };
                let slots = collection.slots.iter();
                if !collection.is_map {
                    return Self::List(slots.map(|slot| Self::new(&slot.value)).collect(), style);
                }
                let entries = slots.map(|slot| (key(slot.key.as_deref()), Self::new(&slot.value)));
                Self::Map(entries.collect(), style)
            }
            Content::Nothing | Content::Alias { .. } => Self::Nothing,
        }
    }

    pub fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Map(entries, _) => entries,
            _ => &[],
        }
    }

    pub fn entries_mut(&mut self) -> &mut [(String, Self)] {
        match self {
            Self::Map(entries, _) => entries,
            _ => &mut [],
        }
    }

    pub fn get(&self, key: &str) -> Option<&Self> {
        let mut entries = self.entries().iter();
        entries.find_map(|(name, value)| (name == key).then_some(value))
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the key that the short form of a map stands for.
    pub fn short_key(&self) -> Option<&'static str> {
        SHORT.into_iter().find(|key| self.get(key).is_some())
    }

    /// Returns the long form, if this is the short form of `key`.
    pub fn long(&self, key: &str) -> Self {
        match self {
            Self::Text(_) => Self::Map(vec![(key.to_owned(), self.clone())], Style::Flow),
            _ => self.clone(),
        }
    }

    /// Converts `optional int` and `{ type: optional int }` to the form with the key `absent`.
    pub fn with_absent(&self) -> Self {
        let mut long = self.long("type");
        let written = long.get("type").and_then(Self::text);
        let name = written.and_then(|text| text.strip_prefix("optional "));
        let Some(name) = name.map(|name| format!("{name}?")) else {
            return self.clone();
        };
        if let Self::Map(entries, _) = &mut long {
            entries.retain(|(key, _)| key != "type");
            let absent = ("absent".to_owned(), Self::Text("omit".to_owned()));
            let written = ("type".to_owned(), Self::Text(name));
            entries.splice(0..0, [written, absent]);
        }
        long
    }

    /// Returns the short form, if it expresses everything.
    pub fn short(self) -> Self {
        match &self {
            Self::Map(entries, _) if entries.len() == 1 && SHORT.contains(&&*entries[0].0) => {
                entries[0].1.clone()
            }
            _ => self,
        }
    }

    /// Returns the name of an item of a list: its text, or its key.
    pub fn item_name(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Map(entries, _) if entries.len() == 1 => Some(&entries[0].0),
            _ => None,
        }
    }
}

/// Returns the text of a key.
pub(super) fn key(node: Option<&Node>) -> String {
    match node.map(|node| &node.target().content) {
        Some(Content::Scalar { text, .. }) => text.clone(),
        _ => String::new(),
    }
}

/// Writes a value on one line.
pub(super) fn in_flow(value: &Value) -> String {
    match value {
        Value::Nothing => String::new(),
        Value::Text(text) => yaml::value(text, true),
        Value::List(items, _) => {
            let items: Vec<_> = items.iter().map(in_flow).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(entries, _) if entries.is_empty() => "{}".to_owned(),
        Value::Map(entries, _) => {
            let entries = entries.iter();
            let entries: Vec<_> = entries.map(|(key, value)| flow_entry(key, value)).collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// Writes an entry in braces.
pub(super) fn flow_entry(key: &str, value: &Value) -> String {
    match value {
        Value::Nothing => format!("{}:", yaml::value(key, true)),
        _ => format!("{}: {}", yaml::value(key, true), in_flow(value)),
    }
}

/// Writes an entry in lines that begin with `indent` spaces, without the last line break.
pub(super) fn block_entry(key: &str, value: &Value, indent: usize) -> String {
    format!(
        "{:indent$}{}:{}",
        "",
        yaml::value(key, false),
        after(value, indent)
    )
}

/// Writes a value after its key or dash.
pub(super) fn after(value: &Value, indent: usize) -> String {
    let lines: Vec<_> = match value {
        Value::Nothing => return String::new(),
        Value::Text(text) if text.contains('\n') && can_be_block(text) => {
            let lines = text.lines();
            let lines = lines.map(|line| match line {
                "" => String::new(),
                line => format!("{:1$}{line}", "", indent + 2),
            });
            return std::iter::once(" |-".to_owned())
                .chain(lines)
                .collect::<Vec<_>>()
                .join("\n");
        }
        Value::Text(text) => return format!(" {}", yaml::value(text, false)),
        Value::List(items, Style::Block) if !items.is_empty() => {
            let items = items.iter();
            items.map(|item| block_item(item, indent + 2)).collect()
        }
        Value::Map(entries, Style::Block) if !entries.is_empty() => {
            let entries = entries.iter();
            let lines = entries.map(|(key, value)| block_entry(key, value, indent + 2));
            lines.collect()
        }
        _ => return format!(" {}", in_flow(value)),
    };
    format!("\n{}", lines.join("\n"))
}

/// Writes an item in lines.
pub(super) fn block_item(value: &Value, indent: usize) -> String {
    format!("{:indent$}- {}", "", in_flow(value))
}
