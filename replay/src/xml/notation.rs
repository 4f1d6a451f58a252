//! What documents do not tell apart.

use std::collections::HashMap;

use roxmltree::{Document, Node};

use super::children;
use super::tag::{Tag, space_of_end, tag};
use crate::decode::Decoded;
use crate::findings::{Findings, NOTHING, shown, value};
use crate::kind::DifferenceKind as Kind;
use crate::known::Known;
use crate::place::Place;

/// What stands before and after the root element.
pub(super) fn prologs(
    bodies: [&Decoded; 2],
    documents: [&Document<'_>; 2],
    findings: &mut Findings<'_>,
) {
    encodings(bodies, findings);
    let [one, other] = bodies.map(|body| declaration(&body.text));
    if one != other {
        let told = |text: &str| match text {
            "" => NOTHING.to_owned(),
            text => text.to_owned(),
        };
        findings.add(Kind::Declaration, "body", told(one), told(other));
    }
    let roots = documents.map(|document| document.root_element().range());
    let around = [0, 1].map(|side| {
        let text = &bodies[side].text;
        let before = &text[declaration(text).len()..roots[side].start];
        [before, &text[roots[side].end..]]
    });
    if around[0] != around[1] {
        let nodes = documents.map(Document::root);
        besides(nodes, &Place::default(), findings);
        let spaces = around.map(|parts| parts.map(space_alone).concat());
        if spaces[0] != spaces[1] {
            let [one, other] = spaces.map(|space| value(&space));
            findings.add(Kind::WhiteSpace, "body", one, other);
        }
    }
}

/// White space of a text before the first other character, and after the last one.
fn space_alone(text: &str) -> String {
    text.chars().filter(char::is_ascii_whitespace).collect()
}

/// How bodies are encoded.
pub(crate) fn encodings(bodies: [&Decoded; 2], findings: &mut Findings<'_>) {
    let [one, other] = bodies;
    if one.encoding != other.encoding {
        findings.add(Kind::Encoding, "body", one.encoding, other.encoding);
    }
    if one.has_mark != other.has_mark {
        let told = |has_mark| {
            if has_mark {
                "a byte order mark"
            } else {
                NOTHING
            }
        };
        let (one, other) = (told(one.has_mark), told(other.has_mark));
        findings.add(Kind::ByteOrderMark, "body", one, other);
    }
}

fn declaration(text: &str) -> &str {
    let end = text.find("?>").filter(|_| text.starts_with("<?xml "));
    end.map_or("", |end| &text[..end + 2])
}

/// The start tags and end tags of two elements.
pub(super) fn tags(
    sources: [&str; 2],
    are_in_one_namespace: bool,
    place: &Place,
    findings: &mut Findings<'_>,
) {
    let [one, other] = sources.map(tag);
    prefixes(one.prefix, other.prefix, place, findings);
    let mut declared = [&one, &other].map(|tag| declarations(tag));
    declared.iter_mut().for_each(|names| names.sort_unstable());
    if are_in_one_namespace && declared[0] != declared[1] {
        let [one, other] = declared.map(|names| match names.as_slice() {
            [] => NOTHING.to_owned(),
            names => names.join(" "),
        });
        findings.add_at(Kind::NamespaceDeclaration, place, one, other);
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
        let [one, other] = [&one, &other].map(|tag| {
            let names = tag.attributes.iter().map(|attribute| attribute.name);
            names.collect::<Vec<_>>().join(" ")
        });
        findings.add_at(Kind::AttributeOrder, place, one, other);
    }
    let others = other.attributes.iter().map(|found| (found.key(), found));
    let others: HashMap<_, _> = others.collect();
    // A namespace may be declared for several prefixes.
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
            let quotes = [attribute, found].map(|one| char::from(one.quote).to_string());
            findings.add_at(Kind::Quotes, place, &quotes[0], &quotes[1]);
        }
    }
    spaces(&one, &other, sources, place, findings);
    let empty =
        children::is_childless(sources[0], &one) && children::is_childless(sources[1], &other);
    if one.is_empty_form != other.is_empty_form && empty {
        let told = |is_empty_form| if is_empty_form { "<a/>" } else { "<a></a>" };
        let (one, other) = (told(one.is_empty_form), told(other.is_empty_form));
        findings.add_at(Kind::EmptyElementForm, place, one, other);
    }
}

/// The prefix of a name in a text.
pub(super) fn prefix_of(name: &str) -> String {
    let prefix = name.split_once(':').map(|(prefix, _)| prefix.trim());
    prefix.unwrap_or(NOTHING).to_owned()
}

fn declarations<'t>(tag: &Tag<'t>) -> Vec<&'t str> {
    let declared = tag.attributes.iter().filter(|one| one.is_declaration());
    declared.map(|one| one.value).collect()
}

fn prefixes(one: &str, other: &str, place: &Place, findings: &mut Findings<'_>) {
    if one != other {
        let told = |prefix: &str| match prefix {
            "" => NOTHING.to_owned(),
            prefix => prefix.to_owned(),
        };
        findings.add_at(Kind::Prefix, place, told(one), told(other));
    }
}

fn spaces(
    one: &Tag<'_>,
    other: &Tag<'_>,
    sources: [&str; 2],
    place: &Place,
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
        findings.add_at(
            Kind::TagSpace,
            place,
            format!("{one:?}"),
            format!("{other:?}"),
        );
    }
}

/// What stands between the elements of two elements.
pub(super) fn gaps(
    nodes: [Node<'_, '_>; 2],
    texts: [&str; 2],
    place: &Place,
    findings: &mut Findings<'_>,
) {
    besides(nodes, place, findings);
    let [one, other] = nodes.map(super::text);
    if one.trim() != other.trim() {
        let kind = super::kind_of_texts(&one, &other);
        let [one, other] = [one, other].map(|text| shown(Known::Undescribed, &text));
        findings.add_at(kind, place, one, other);
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
            findings.add_at(Kind::WhiteSpace, place, value(one), value(other));
        } else {
            self::texts([one.as_str(), other], Known::Undescribed, place, findings);
        }
    }
}

/// Comments and processing instructions beside elements.
fn besides(nodes: [Node<'_, '_>; 2], place: &Place, findings: &mut Findings<'_>) {
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
            // A comment may hold anything; its presence tells enough.
            let told = |text: &str| match text {
                "" => NOTHING,
                _ if kind == Kind::Comment => "a comment",
                _ => "an instruction",
            };
            findings.add_at(kind, place, told(&one), told(&other));
        }
    }
}

/// Two notations of one text.
pub(super) fn texts(contents: [&str; 2], known: Known, place: &Place, findings: &mut Findings<'_>) {
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
    let told = |text: &str| match kind {
        Kind::Comment | Kind::Instruction if text.contains("<") => "text with one".to_owned(),
        Kind::Comment | Kind::Instruction => "text".to_owned(),
        _ => shown(known, text),
    };
    findings.add_at(kind, place, told(one), told(other));
}

/// A text without comments and instructions.
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
