//! Reports text that no definition can contain, with the probably intended text.

use std::fmt;

use crate::naming::nearest;
use crate::rules::Rule;
use crate::sink::{Pending, Sink};
use crate::span::{Located, NodeId};
use crate::yaml::Content;

/// The expected kind of a node. Lists, maps and names are described in words.
#[derive(Clone, Copy)]
pub enum Expected {
    Text,
    Switch,
    Number,
    List(&'static str),
    Map(&'static str),
    /// A text, or a map in which it is the value of this key.
    Shape(&'static str),
    Name(&'static str),
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "a text",
            Self::Switch => "`true` or `false`",
            Self::Number => "a whole number",
            Self::Shape(key) => {
                let text = match *key {
                    "type" => "a type such as `string?`",
                    "file" => "the path of a file",
                    "uri" => "a namespace",
                    _ => "a name",
                };
                return write!(f, "{text}, or a map with the key `{key}`");
            }
            Self::List(words) | Self::Map(words) | Self::Name(words) => words,
        })
    }
}

/// The maximum number of characters of a text in messages.
const MOST_SHOWN: usize = 60;

/// Reports a key that its map does not have. `free` are the known keys that the map does not use,
/// `entry` is the key of the map.
pub(super) fn unknown_key(
    key: &Located<String>,
    known: &[&'static str],
    free: &[&'static str],
    entry: &str,
    sink: &mut Sink,
) {
    let pending = sink.add(Rule::UnknownKey, key.node, format!("unknown key `{key}`"));
    match hint_at_indentation(entry, known) {
        Some(hint) => _ = pending.hint(hint),
        None => hint_at_key(pending, &key.value, known, free),
    }
}

/// Reports the current name of a key.
pub(super) fn former_key(key: &Located<String>, name: &str, sink: &mut Sink) {
    let message = format!("`{key}` is called `{name}` now");
    let pending = sink.add(Rule::FormerKey, key.node, message);
    pending.fix(&*key.value, name).hint("it means the same");
}

/// Reports a repeated key.
pub(super) fn repeated_key(key: &Located<String>, first: NodeId, sink: &mut Sink) {
    sink.add(
        Rule::RepeatedKey,
        key.node,
        format!("`{key}` is given twice"),
    )
    .other(first, "first here")
    .hint("give one of them another name, or put both into one");
}

/// Reports content of another kind than expected. `known` are the keys of the map that is expected,
/// if they are of the language.
pub(super) fn wrong_kind(
    (node, found): (NodeId, &Content),
    expected: Expected,
    known: &[&str],
    entry: &str,
    sink: &mut Sink,
) {
    let message = format!("expected {expected}, found {}", describe(found));
    let pending = sink.add(Rule::WrongKind, node, message);
    match hint_at_indentation(entry, known) {
        Some(hint) => _ = pending.hint(hint),
        None => hint_at_kind(pending, found, expected),
    }
}

fn describe(found: &Content) -> String {
    match found {
        Content::Scalar { text, .. } => match text.char_indices().nth(MOST_SHOWN) {
            None => format!("the text `{text}`"),
            Some((end, _)) => format!("a text that begins with `{}`", &text[..end]),
        },
        Content::Collection(found) if found.is_map => "a map".to_owned(),
        Content::Collection(_) => "a list".to_owned(),
        Content::Nothing | Content::Alias { .. } => "nothing".to_owned(),
    }
}

/// Hints at a key with wrong indentation: an operation called `parameters` or a type called
/// `enums`.
fn hint_at_indentation(entry: &str, known: &[&str]) -> Option<String> {
    let entries = [
        ("parameters", "operation"),
        ("elements", "type"),
        ("values", "enumeration"),
    ];
    let (_, what) = entries.iter().find(|(key, _)| known.contains(key))?;
    let meant = if known.contains(&entry) {
        format!("a key of the {what} above it, indent it deeper")
    } else if ["operations", "types", "enums"].contains(&entry) {
        "a key of the file, start the line with it".to_owned()
    } else {
        return None;
    };
    Some(format!(
        "`{entry}` stands where names of {what}s do: if it is {meant}"
    ))
}

/// Adds the key that was probably intended. `free` are the known keys that its map does not use.
fn hint_at_key(pending: &mut Pending, key: &str, known: &[&'static str], free: &[&'static str]) {
    // Names of the author often start with a capital, keys never do.
    let is_name = key.starts_with(char::is_uppercase);
    let first = key.split([' ', ':']).next().unwrap_or_default();
    let unsayable = UNSAYABLE.iter().find(|(keys, within, _)| {
        keys.contains(&&*folded(key)) && known.contains(within) && !known.contains(&key)
    });
    let here = by_alias(key, known);
    let same = known.iter().find(|known| known.eq_ignore_ascii_case(key));
    let is_taken = |name: &&str| !free.contains(name);
    if first != key && known.contains(&first) {
        let hint = format!("a key is written `{first}:`, with a blank behind the colon");
        pending.fix(first, format!("{first}:"));
        pending.certain(false).hint(hint);
    } else if let Some((_, _, hint)) = unsayable.filter(|_| !is_name) {
        pending.hint(*hint);
    } else if let Some(name) = same.copied().or(here).filter(is_taken) {
        pending.hint(stands_already(name));
    } else if let Some(name) = here {
        let mut hint = format!("`{key}` is called `{name}` here");
        if name == "result" {
            hint += ", and several are `results`";
        }
        pending.fix(key, name).certain(false).hint(hint);
    } else if is_name && known.contains(&"operations") {
        pending.hint("if it belongs to `operations`, `types` or `enums`, indent it, and stand it beneath that key");
    } else if let Some(hint) = hint_at_name(key, known) {
        pending.hint(hint);
    } else if let Some(name) = nearest(key, known.iter().copied()).filter(is_taken) {
        pending.hint(stands_already(name));
    } else {
        let all: Vec<_> = known.iter().map(|key| format!("`{key}`")).collect();
        let all = format!("the keys here are {}", all.join(", "));
        pending.nearest(key, free.iter().copied(), &all);
    }
}

fn stands_already(name: &str) -> String {
    format!("`{name}` stands here already; keep one of them")
}

/// Names that are no keys, in lower case; a key of the maps in which authors try them; the text to
/// write instead.
const UNSAYABLE: &[(&[&str], &str, &str)] = &[(
    &["required", "nullable", "nillable", "minoccurs", "maxoccurs"],
    "type",
    "the type says it: `T` is always there, `T?` may be absent, `T[]` is a list",
)];

/// The names of keys in other languages, folded.
const ALIASES: &[(&str, &str)] = &[
    ("service", "name servicename"),
    ("namespace", "targetnamespace xmlns ns"),
    ("path", "url uri address endpoint location"),
    ("operations", "methods functions messages"),
    ("types", "complextypes structs classes schemas"),
    ("enums", "enumerations simpletypes"),
    ("parameters", "params args arguments input inputs"),
    ("result", "returns return returntype output outputs out"),
    ("faults", "throws throw raises errors exceptions"),
    ("action", "soapaction"),
    ("elements", "fields properties members"),
    ("extends", "base inherits"),
    ("restricts", "restriction"),
    ("type", "datatype format"),
    ("doc", "description documentation summary comment"),
];

/// A key in lower case, without `-` and `_`.
fn folded(key: &str) -> String {
    key.replace(['-', '_'], "").to_ascii_lowercase()
}

/// The key with this name in other languages.
fn by_alias(key: &str, known: &[&'static str]) -> Option<&'static str> {
    let folded = folded(key);
    let has_alias = |aliases: &str| aliases.split(' ').any(|alias| alias == folded);
    let (name, _) = ALIASES.iter().find(|(_, aliases)| has_alias(aliases))?;
    // In a type, a name that resembles a key for documentation may well be that of an element.
    let may_be_element = *name == "doc" && known.contains(&"elements");
    (known.contains(name) && !may_be_element).then_some(name)
}

/// Hints at the right place of an author's name that is among keys of the language.
fn hint_at_name(key: &str, known: &[&str]) -> Option<String> {
    let near = nearest(key, known.iter().copied());
    // Names of the author often start with a capital, keys never do.
    let is_name = key.starts_with(char::is_uppercase);
    // Many types have an element with the name `Text` or `Name`.
    let is_common = |near: &str| ["text", "name"].contains(&near);
    let is_key = |near: &str| !is_name || near.eq_ignore_ascii_case(key) && !is_common(near);
    if near.is_some_and(is_key) {
        return None;
    }
    let places = [
        (
            "elements",
            "elements of a type stand under `elements`: `elements: { KEY: … }`",
        ),
        (
            "parameters",
            "parameters of an operation stand under `parameters`: `parameters: { KEY: … }`",
        ),
        (
            "values",
            "the values of an enumeration are a list: `[KEY, …]`, under `values` if other keys stand beside it",
        ),
    ];
    let place = places.iter().find(|(place, _)| known.contains(place));
    place.map(|(_, hint)| hint.replace("KEY", key))
}

fn hint_at_kind(pending: &mut Pending, found: &Content, expected: Expected) {
    let is_map = matches!(found, Content::Collection(found) if found.is_map);
    let hint = match (found, expected) {
        (Content::Scalar { text, .. }, Expected::Switch) => {
            let word = match text.to_ascii_lowercase().as_str() {
                "yes" | "on" | "true" | "y" => "true",
                "no" | "off" | "false" | "n" => "false",
                _ => return,
            };
            pending.fix(text, word).hint(format!("write `{word}`"));
            return;
        }
        (Content::Scalar { text, .. }, Expected::List(_)) => {
            let list = format!("[{text}]");
            let hint = format!("a list of one is written `{list}`");
            pending.fix(text, list).hint(hint);
            return;
        }
        (Content::Scalar { text, .. }, Expected::Map(_)) => {
            if let Some((key, value)) = text.split_once(':')
                && !key.contains(char::is_whitespace)
            {
                pending.fix(text, format!("{key}: {value}"));
                "a blank stands behind the colon of a key"
            } else {
                "a map is written `{ key: value }`, or with each `key: value` on a line of its own beneath"
            }
        }
        (Content::Collection(_), Expected::Map(_)) if !is_map => {
            "a map is written without `- ` and without `[`: `name: …`, each entry on a line of its own"
        }
        (Content::Collection(_), Expected::Shape("type")) if !is_map => {
            "a list of `string` is written `string[]`"
        }
        (Content::Nothing, Expected::Shape("type")) => {
            "write its type behind the colon: `string`, `int?`, `Name[]`"
        }
        (Content::Collection(_), Expected::List(_)) if is_map => {
            "start each item with `- ` on a line of its own, or write `[a, b]`"
        }
        (Content::Collection(_), Expected::Text) => {
            "text that starts with `[` or `{` stands in quotes"
        }
        _ => return,
    };
    pending.hint(hint);
}
