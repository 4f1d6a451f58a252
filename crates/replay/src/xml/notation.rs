//! Differences of notation that XML does not distinguish.

use std::collections::HashMap;

use roxmltree::{Document, Node};
use svcgen::mask::Masked;

use super::children;
use super::tag::{Tag, space_of_end, tag};
use crate::content::{Content, quoted, words};
use crate::decode::Decoded;
use crate::description::Description;
use crate::findings::{Findings, NOTHING};
use crate::kind::DifferenceKind as Kind;
use crate::value_path::ValuePath;

/// Compares the text before and after the root elements.
pub(super) fn prologs(
    bodies: [&Decoded; 2],
    documents: [&Document<'_>; 2],
    findings: &mut Findings<'_>,
) {
    encodings(bodies, findings);
    let content = findings.content;
    let [one, other] = bodies.map(|body| declaration(&body.text));
    if one != other {
        let told = [one, other].map(|text| or_nothing(content, text));
        findings.add(Kind::Declaration, "body", told);
    }
    let roots = documents.map(|document| document.root_element().range());
    let around = [0, 1].map(|side| {
        let text = &bodies[side].text;
        let before = &text[declaration(text).len()..roots[side].start];
        [before, &text[roots[side].end..]]
    });
    if around[0] != around[1] {
        let nodes = documents.map(Document::root);
        besides(nodes, &ValuePath::default(), findings);
        let spaces = around.map(|parts| parts.map(space_alone).concat());
        if spaces[0] != spaces[1] {
            let told = spaces.map(|space| content.text(&space).map(quoted));
            findings.add(Kind::WhiteSpace, "body", told);
        }
    }
}

/// Returns only the white space of a text.
fn space_alone(text: &str) -> String {
    text.chars().filter(char::is_ascii_whitespace).collect()
}

/// Compares the encodings of bodies.
pub(crate) fn encodings(bodies: [&Decoded; 2], findings: &mut Findings<'_>) {
    let [one, other] = bodies;
    if one.encoding != other.encoding {
        let told = [one.encoding, other.encoding].map(words);
        findings.add(Kind::Encoding, "body", told);
    }
    if one.has_mark != other.has_mark {
        let told = |has_mark| {
            words(if has_mark {
                "a byte order mark"
            } else {
                NOTHING
            })
        };
        let told = [told(one.has_mark), told(other.has_mark)];
        findings.add(Kind::ByteOrderMark, "body", told);
    }
}

fn declaration(text: &str) -> &str {
    let end = text.find("?>").filter(|_| text.starts_with("<?xml "));
    end.map_or("", |end| &text[..end + 2])
}

/// Compares the start tags and end tags of two elements.
pub(super) fn tags(
    sources: [&str; 2],
    are_in_one_namespace: bool,
    place: &ValuePath,
    findings: &mut Findings<'_>,
) {
    let content = findings.content;
    let [one, other] = sources.map(tag);
    prefixes(one.prefix, other.prefix, place, findings);
    let mut declared = [&one, &other].map(|tag| declarations(tag));
    declared.iter_mut().for_each(|names| names.sort_unstable());
    if are_in_one_namespace && declared[0] != declared[1] {
        let told = declared.map(|names| or_nothing(content, &names.join(" ")));
        findings.add_at(Kind::NamespaceDeclaration, place, told);
    }
    let keys = [&one, &other].map(|tag| {
        let keys = tag.attributes.iter().map(|attribute| attribute.key());
        keys.collect::<Vec<_>>()
    });
    let sorted = keys.clone().map(|mut keys| {
        keys.sort_unstable();
        keys
    });
    if keys[0] != keys[1] && sorted[0] == sorted[1] {
        let told = [&one, &other].map(|tag| {
            let names = tag.attributes.iter().map(|attribute| attribute.name);
            content.text(&names.collect::<Vec<_>>().join(" "))
        });
        findings.add_at(Kind::AttributeOrder, place, told);
    }
    let others = other.attributes.iter().map(|found| (found.key(), found));
    let others: HashMap<_, _> = others.collect();
    // Matched by name first, as a namespace may be declared for several prefixes.
    let named = other.attributes.iter().map(|found| (found.name, found));
    let named: HashMap<_, _> = named.collect();
    for attribute in &one.attributes {
        let same = named.get(attribute.name);
        let same = same.filter(|found| found.key() == attribute.key());
        let Some(found) = same.or_else(|| others.get(&attribute.key())) else {
            continue;
        };
        prefixes(attribute.prefix(), found.prefix(), place, findings);
        if attribute.quote != found.quote {
            let quotes = [attribute, found].map(|one| match one.quote {
                b'"' => "\"",
                _ => "'",
            });
            findings.add_at(Kind::Quotes, place, quotes.map(words));
        }
    }
    spaces(&one, &other, sources, place, findings);
    let empty =
        children::is_childless(sources[0], &one) && children::is_childless(sources[1], &other);
    if one.is_empty_form != other.is_empty_form && empty {
        let told = |is_empty_form| words(if is_empty_form { "<a/>" } else { "<a></a>" });
        let told = [told(one.is_empty_form), told(other.is_empty_form)];
        findings.add_at(Kind::EmptyElementForm, place, told);
    }
}

/// Returns the prefix of a name in a text.
pub(super) fn prefix_of(name: &str) -> &str {
    let prefix = name.split_once(':').map(|(prefix, _)| prefix.trim());
    prefix.unwrap_or(NOTHING)
}

fn or_nothing(content: &Content<'_>, text: &str) -> Masked<String> {
    match text {
        "" => words(NOTHING),
        text => content.text(text),
    }
}

fn declarations<'t>(tag: &Tag<'t>) -> Vec<&'t str> {
    let declared = tag.attributes.iter().filter(|one| one.is_declaration());
    declared.map(|one| one.value).collect()
}

fn prefixes(one: &str, other: &str, place: &ValuePath, findings: &mut Findings<'_>) {
    if one != other {
        let content = findings.content;
        let told = [one, other].map(|prefix| or_nothing(content, prefix));
        findings.add_at(Kind::Prefix, place, told);
    }
}

fn spaces(
    one: &Tag<'_>,
    other: &Tag<'_>,
    sources: [&str; 2],
    place: &ValuePath,
    findings: &mut Findings<'_>,
) {
    let mut pairs = Vec::new();
    if one.is_empty_form == other.is_empty_form {
        pairs.push((one.end_space, other.end_space));
        pairs.push((space_of_end(sources[0]), space_of_end(sources[1])));
    }
    for (attribute, found) in one.attributes.iter().zip(&other.attributes) {
        pairs.push((attribute.space, found.space));
        pairs.push((attribute.equals, found.equals));
    }
    if let Some((one, other)) = pairs.into_iter().find(|(one, other)| one != other) {
        let content = findings.content;
        let told = [one, other].map(|space| content.text(&format!("{space:?}")));
        findings.add_at(Kind::TagSpace, place, told);
    }
}

/// Compares the text between the child elements of two elements.
pub(super) fn gaps(
    nodes: [Node<'_, '_>; 2],
    texts: [&str; 2],
    place: &ValuePath,
    findings: &mut Findings<'_>,
) {
    besides(nodes, place, findings);
    let content = findings.content;
    let [one, other] = nodes.map(super::text);
    if one.trim() != other.trim() {
        let kind = super::kind_of_texts(&one, &other);
        let told = [one, other].map(|text| content.value(Description::Undescribed, &text));
        findings.add_at(kind, place, told);
        return;
    }
    let [one, other] = [0, 1].map(|side| {
        let gaps = children::gaps(nodes[side], texts[side]).into_iter();
        gaps.map(without_besides).collect::<Vec<_>>()
    });
    if one.len() != other.len() {
        return;
    }
    if let Some((one, other)) = one.iter().zip(&other).find(|(one, other)| one != other) {
        let is_space = |text: &str| text.trim().is_empty();
        if is_space(one) && is_space(other) {
            let told = [one, other].map(|space| content.text(space).map(quoted));
            findings.add_at(Kind::WhiteSpace, place, told);
        } else {
            self::texts(
                [one.as_str(), other],
                Description::Undescribed,
                place,
                findings,
            );
        }
    }
}

/// Compares comments and processing instructions next to elements.
fn besides(nodes: [Node<'_, '_>; 2], place: &ValuePath, findings: &mut Findings<'_>) {
    let of = |node: Node<'_, '_>, kind: Kind| {
        let besides = node.children().filter(|one| match kind {
            Kind::Comment => one.is_comment(),
            _ => one.is_pi(),
        });
        let sources = besides.map(|one| one.document().input_text()[one.range()].to_owned());
        sources.collect::<Vec<_>>().join(" ")
    };
    for kind in [Kind::Comment, Kind::Instruction] {
        let [one, other] = nodes.map(|node| of(node, kind));
        if one != other {
            // A comment may contain anything, so that only its presence is shown.
            let told = [one, other].map(|text| match text.as_str() {
                "" => words(NOTHING),
                _ if kind == Kind::Comment => words("a comment"),
                _ => words("an instruction"),
            });
            findings.add_at(kind, place, told);
        }
    }
}

/// Compares two notations of the same text.
pub(super) fn texts(
    contents: [&str; 2],
    known: Description,
    place: &ValuePath,
    findings: &mut Findings<'_>,
) {
    let [one, other] = contents;
    if one == other {
        return;
    }
    let has = |what: &str| [one.contains(what), other.contains(what)];
    let lines = [one, other].map(|text| text.replace("\r\n", "\n").replace('\r', "\n"));
    let without = [one, other].map(without_besides);
    let kind = if has("<!--") != [false; 2] && without[0] == without[1] {
        Kind::Comment
    } else if has("<?") != [false; 2] && without[0] == without[1] {
        Kind::Instruction
    } else if has("<![CDATA[") != [false; 2] {
        Kind::Cdata
    } else if lines[0] == lines[1] {
        Kind::LineEnd
    } else {
        Kind::CharacterReference
    };
    let content = findings.content;
    let told = contents.map(|text| match kind {
        Kind::Comment | Kind::Instruction if text.contains('<') => words("text with one"),
        Kind::Comment | Kind::Instruction => words("text"),
        _ => content.value(known, text),
    });
    findings.add_at(kind, place, told);
}

/// Returns a text without comments and processing instructions.
fn without_besides(text: &str) -> String {
    let mut left = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("<!--").into_iter().chain(rest.find("<?")).min() {
        left += &rest[..at];
        let end = if rest[at..].starts_with("<?") {
            "?>"
        } else {
            "-->"
        };
        let after = rest[at..].find(end).map(|found| at + found + end.len());
        rest = &rest[after.unwrap_or(rest.len())..];
    }
    left + rest
}
