//! Names of a definition: checks their validity and clashes, and derives their Rust names.

use std::collections::HashMap;

use svcgen_language::definition::{Entries, Located, NodeId};
use svcgen_language::naming::{self, Case};
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use crate::model::Name;

/// Both forms of a name.
pub(super) fn name(
    xml: &Located<String>,
    asked: Option<&Located<String>>,
    case: Case,
    sink: &mut Sink,
) -> Option<Name> {
    if !is_xml_name(xml, sink) {
        return None;
    }
    text_name(xml, asked, case, sink)
}

/// Both forms of a key's name; `wire` is the name on the wire, if it differs.
pub(super) fn wire_name(
    key: &Located<String>,
    [wire, asked]: [&Option<Located<String>>; 2],
    case: Case,
    sink: &mut Sink,
) -> Option<Name> {
    let mut name = name(key, asked.as_ref(), case, sink)?;
    if let Some(wire) = wire.as_ref().filter(|wire| is_xml_name(wire, sink)) {
        name.xml = wire.value.clone();
    }
    Some(name)
}

/// Both forms of a name that may be any text on the wire.
pub(super) fn text_name(
    xml: &Located<String>,
    asked: Option<&Located<String>>,
    case: Case,
    sink: &mut Sink,
) -> Option<Name> {
    let rust = match asked {
        Some(asked) => asked_rust_name(asked, case, sink),
        None => rust_name(xml, case, sink),
    };
    rust.map(|rust| Name::new(&xml.value, rust))
}

pub(super) fn is_xml_name(name: &Located<String>, sink: &mut Sink) -> bool {
    let fits = naming::is_ncname(&name.value);
    if !fits {
        let message = match name.value.as_str() {
            "" => "the name is empty".to_owned(),
            name => format!("`{name}` is not an XML name"),
        };
        sink.add(Rule::XmlName, name.node, message).hint(
            "an XML name starts with a letter or `_` and goes on with letters, digits, `-`, `.` and `_`; it has no prefix",
        );
    }
    fits
}

fn rust_name(xml: &Located<String>, case: Case, sink: &mut Sink) -> Option<String> {
    let rust = naming::rust_name(&xml.value, case);
    if rust.is_none() {
        let message = format!("no Rust name can be made from `{xml}`");
        sink.add(Rule::RustName, xml.node, message)
            .hint("give one with the key `rust`: Rust names here are of ASCII letters and digits");
    }
    rust
}

pub(super) fn asked_rust_name(
    asked: &Located<String>,
    case: Case,
    sink: &mut Sink,
) -> Option<String> {
    let rust = naming::asked_rust_name(&asked.value, case);
    if rust.is_none() {
        let (what, like) = match case {
            Case::Type => ("a type or a value", "LoginResult"),
            Case::Value => ("a field or a method", "mac_address"),
            Case::Constant => ("a constant", "READ_ONLY"),
        };
        let message = format!("`{asked}` is not a Rust name for {what}");
        sink.add(Rule::RustName, asked.node, message)
            .hint(format!("it is written like `{like}`, in ASCII"));
    }
    rust
}

/// Returns the members of a thing (`elements of `X``), if none is wrong. Refuses names that two of
/// them have, on the wire or in Rust.
pub(super) fn members<T>(
    lowered: Vec<(Option<T>, NodeId)>,
    members: &str,
    name: fn(&T) -> &Name,
    sink: &mut Sink,
) -> Option<Vec<T>> {
    let mut seen: HashMap<&str, (NodeId, &str)> = HashMap::new();
    for (member, node) in &lowered {
        let Some(Name { xml, rust, .. }) = member.as_ref().map(name) else {
            continue;
        };
        let Some((first, first_xml)) = seen.get(rust.as_str()).copied() else {
            seen.insert(rust, (*node, xml));
            continue;
        };
        let pending = if first_xml == xml {
            let message = format!("two {members} are called `{xml}`");
            sink.add(Rule::XmlNameClash, *node, message)
        } else {
            let message = format!("two {members} would be called `{rust}` in Rust");
            sink.add(Rule::RustNameClash, *node, message)
                .hint("rename one of them with the key `rust`")
        };
        pending.other(first, "the other one");
    }
    lowered.into_iter().map(|(member, _)| member).collect()
}

/// The value for one of several words; that of the first one if none is written.
pub(super) fn word<T: Copy>(
    key: &str,
    written: Option<&Located<String>>,
    words: &[(&str, T)],
    hint: &str,
    sink: &mut Sink,
) -> T {
    let Some(written) = written else {
        return words[0].1;
    };
    let known = words.iter().find(|(word, _)| *word == written.value);
    if known.is_none() {
        let message = format!("`{key}` cannot be `{written}`");
        sink.add(Rule::KeyDoesNotFit, written.node, message)
            .hint(hint);
    }
    known.unwrap_or(&words[0]).1
}

/// The header or fault that an operation names, if the file declares it.
pub(super) fn declared<'e, T>(
    what: &str,
    entries: &'e Entries<T>,
    name: &Located<String>,
    sink: &mut Sink,
) -> Option<&'e (Located<String>, T)> {
    let found = entries.get(&name.value);
    if found.is_none() {
        let known = entries.keys().map(|key| key.value.as_str());
        let hint = format!("declare it under the `{what}s` of the file");
        let message = format!("the service has no {what} `{name}`");
        sink.add(Rule::Undeclared, name.node, message)
            .nearest(&name.value, known, &hint);
    }
    found
}

/// Whether a key is `true`.
pub(super) fn is_true(key: &Option<Located<bool>>) -> bool {
    key.as_ref().is_some_and(|given| given.value)
}

/// The name of the struct of a message, derived from its operation's name.
pub(super) fn message_name(operation: &Name, xml: String, ending: &str) -> Option<Name> {
    let base = naming::rust_name(operation.unraw(), Case::Type)?;
    let rust = format!("{}{ending}", base.trim_end_matches('_'));
    Some(Name::new(xml, rust))
}
