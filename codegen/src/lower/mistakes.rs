//! What reading left out, in words for those who wrote it.

use crate::definition::{Expected, Found, Mistake, MistakeKind};
use crate::naming::{self, nearest};
use crate::rules::Rule;
use crate::sink::{Pending, Sink};

/// Reports what reading left out.
pub(crate) fn report(mistake: Mistake, sink: &mut Sink) {
    let place = mistake.node;
    if let (MistakeKind::UnknownKey { .. }, Some(map)) = (&mistake.kind, mistake.within) {
        sink.mute(map);
    }
    let entry = mistake.entry.as_deref().unwrap_or_default();
    match mistake.kind {
        MistakeKind::UnknownKey { key, known, free } => {
            let pending = sink.add(Rule::UnknownKey, place, format!("unknown key `{key}`"));
            match hint_at_indentation(entry, known) {
                Some(hint) => _ = pending.hint(hint),
                None => hint_at_key(pending, &key, known, &free),
            }
        }
        MistakeKind::RepeatedKey { key, first } => {
            let message = format!("`{key}` stands here twice");
            sink.add(Rule::RepeatedKey, place, message)
                .other(first, "first here")
                .hint("give one of them another name, or put both into one");
        }
        MistakeKind::WrongKind {
            found,
            expected,
            known,
        } => {
            let message = format!(
                "expected {}, found {}",
                expected.in_words(),
                found.in_words()
            );
            let pending = sink.add(Rule::WrongKind, place, message);
            match hint_at_indentation(entry, known) {
                Some(hint) => _ = pending.hint(hint),
                None => hint_at_kind(pending, &found, expected),
            }
        }
    }
}

/// What was meant by an operation called `parameters` or a type called `enums`, with the keys that belong into it.
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

/// What was meant by a key; `free` are the known ones that do not stand beside it.
fn hint_at_key(pending: &mut Pending, key: &str, known: &[&'static str], free: &[&'static str]) {
    let first = key.split([' ', ':']).next().unwrap_or_default();
    if first != key && known.contains(&first) {
        let hint = format!("a key is written `{first}:`, with a blank behind the colon");
        pending
            .fix(first, format!("{first}:"))
            .certain(false)
            .hint(hint);
        return;
    }
    let unsayable = UNSAYABLE.iter().find(|(keys, within, _)| {
        keys.contains(&&*folded(key)) && known.contains(within) && !known.contains(&key)
    });
    // Names of the author's often start with a capital, keys never do.
    if let Some((_, _, hint)) = unsayable.filter(|_| !key.starts_with(char::is_uppercase)) {
        pending.hint(*hint);
        return;
    }
    let here = by_alias(key, known);
    let same = known.iter().find(|known| known.eq_ignore_ascii_case(key));
    if let Some(name) = same.copied().or(here)
        && !free.contains(&name)
    {
        pending.hint(stands_already(name));
        return;
    }
    if let Some(name) = here {
        let mut hint = format!("`{key}` is called `{name}` here");
        if name == "result" {
            hint += "; several values are the elements of one type";
        }
        pending.fix(key, name).certain(false).hint(hint);
        return;
    }
    // The keys of the language are in lower case, and so only names of its author's are not.
    if key.starts_with(char::is_uppercase) && known.contains(&"operations") {
        pending.hint("if it belongs to `operations`, `types` or `enums`, indent it, and stand it beneath that key");
        return;
    }
    if let Some(hint) = hint_at_name(key, known) {
        pending.hint(hint);
        return;
    }
    if let Some(name) = nearest(key, known.iter().copied())
        && !free.contains(&name)
    {
        pending.hint(stands_already(name));
        return;
    }
    let all: Vec<_> = known.iter().map(|key| format!("`{key}`")).collect();
    let all = format!("the keys here are {}", all.join(", "));
    pending.nearest(key, free.iter().copied(), &all);
}

fn stands_already(name: &str) -> String {
    format!("`{name}` stands here already; keep one of them")
}

/// What the language has no key for, by names in lower case, a key that there is, and what comes nearest.
const UNSAYABLE: &[(&[&str], &str, &str)] = &[
    (
        &["required", "nullable", "nillable", "minoccurs", "maxoccurs"],
        "type",
        "the type says it: `T` is always there, `T?` may be absent, `T[]` is a list",
    ),
    (
        &["namespace", "targetnamespace", "xmlns"],
        "elements",
        "types have no namespace of their own: all are in the `namespace` of the file",
    ),
    (
        &["namespace", "targetnamespace", "xmlns"],
        "values",
        "enumerations have no namespace of their own: all are in the `namespace` of the file",
    ),
    (
        &["flags", "isflags"],
        "values",
        "an enumeration holds one value; for flags, `string` comes nearest: names with blanks between them",
    ),
];

/// What keys are called in other languages, without regard to case, `-` and `_`.
const ALIASES: &[(&str, &[&str])] = &[
    ("service", &["name", "servicename"]),
    ("namespace", &["targetnamespace", "xmlns", "ns"]),
    ("path", &["url", "uri", "address", "endpoint", "location"]),
    ("operations", &["methods", "functions", "messages"]),
    ("types", &["complextypes", "structs", "classes", "schemas"]),
    ("enums", &["enumerations", "simpletypes"]),
    (
        "parameters",
        &["params", "args", "arguments", "input", "inputs"],
    ),
    (
        "result",
        &[
            "returns",
            "return",
            "returntype",
            "results",
            "output",
            "outputs",
            "out",
        ],
    ),
    (
        "faults",
        &["throws", "throw", "raises", "errors", "exceptions"],
    ),
    ("action", &["soapaction"]),
    ("elements", &["fields", "properties", "members"]),
    ("extends", &["base", "inherits"]),
    ("type", &["datatype", "format"]),
    (
        "doc",
        &["description", "documentation", "summary", "comment"],
    ),
];

/// A key without regard to case, `-` and `_`.
fn folded(key: &str) -> String {
    key.replace(['-', '_'], "").to_ascii_lowercase()
}

/// The key that is called so elsewhere.
fn by_alias(key: &str, known: &[&'static str]) -> Option<&'static str> {
    let name = naming::by_alias(&folded(key), ALIASES.iter().copied())?;
    // Among the keys of a type, what looks like a key of documents may well be an element.
    let may_be_element = name == "doc" && known.contains(&"elements");
    (known.contains(&name) && !may_be_element).then_some(name)
}

/// Where a name belongs that stands among keys of the language, and is like none of them.
fn hint_at_name(key: &str, known: &[&str]) -> Option<String> {
    let near = nearest(key, known.iter().copied());
    // Names of the author's often start with a capital, keys never do.
    let is_name = key.starts_with(char::is_uppercase);
    // `Text` is a name that many types have for an element.
    let is_key = |near: &str| !is_name || near.eq_ignore_ascii_case(key) && near != "text";
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

fn hint_at_kind(pending: &mut Pending, found: &Found, expected: Expected) {
    match (found, expected) {
        (Found::Text(text), Expected::Switch) => {
            let word = match text.to_ascii_lowercase().as_str() {
                "yes" | "on" | "true" | "y" => "true",
                "no" | "off" | "false" | "n" => "false",
                _ => return,
            };
            pending.fix(text, word).hint(format!("write `{word}`"));
        }
        (Found::Text(text), Expected::List(_)) => {
            let list = format!("[{text}]");
            let hint = format!("a list of one is written `{list}`");
            pending.fix(text, list).hint(hint);
        }
        (Found::Text(text), Expected::Map(_)) => {
            if let Some((key, value)) = text.split_once(':')
                && !key.contains(char::is_whitespace)
            {
                pending
                    .fix(text, format!("{key}: {value}"))
                    .hint("a blank stands behind the colon of a key");
            } else if text.starts_with('<') {
                pending
                    .hint("this looks like XML: a definition is YAML, `service: NAME` and so on");
            } else {
                pending.hint("a map is written `{ key: value }`, or with each `key: value` on a line of its own beneath");
            }
        }
        (Found::List, Expected::Map(_)) => {
            pending.hint("a map is written without `- ` and without `[`: `name: …`, each entry on a line of its own");
        }
        (Found::List, Expected::Type) => {
            pending.hint("a list of `string` is written `string[]`");
        }
        (Found::Nothing, Expected::Type) => {
            pending.hint("write its type behind the colon: `string`, `int?`, `Name[]`");
        }
        (Found::Map, Expected::List(_)) => {
            pending.hint("start each item with `- ` on a line of its own, or write `[a, b]`");
        }
        (Found::List | Found::Map, Expected::Text) => {
            pending.hint("text that starts with `[` or `{` stands in quotes");
        }
        _ => {}
    }
}
