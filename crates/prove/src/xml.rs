//! Changes of envelopes. They are splices: all else stays as it was written, by whatever program.

use std::ops::Range;

use roxmltree::{Document, Node};
use svcgen_messages::Operation;

use crate::edit::Edit;
use crate::place::{BODY, HEADER, Known, Path, Place};

const INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The places of an envelope that calls an operation.
pub(crate) fn places(text: &str, operation: Operation) -> Vec<Place> {
    let mut places = Vec::new();
    let Ok(document) = Document::parse(text) else {
        return places;
    };
    for (part, path) in children(document.root_element(), &Path::default()) {
        for (child, path) in children(part, &path) {
            let name = child.tag_name().name();
            let known = match part.tag_name().name() {
                HEADER => Known::headers(operation).child(name, None),
                BODY if name == operation.row().parameters().name => Known::parameters(operation),
                BODY => Known::parameters(operation).child(name, None),
                _ => continue,
            };
            collect(child, path, known, false, &mut places);
        }
    }
    places
}

/// The elements in an element, with their paths.
fn children<'a>(node: Node<'a, 'a>, path: &Path) -> Vec<(Node<'a, 'a>, Path)> {
    let elements: Vec<_> = node.children().filter(Node::is_element).collect();
    let each = elements.iter().enumerate().map(|(number, child)| {
        let name = child.tag_name().name();
        let before = elements[..number].iter();
        let index = before.filter(|one| one.tag_name().name() == name).count();
        (*child, path.child(name, index))
    });
    each.collect()
}

fn collect(
    node: Node<'_, '_>,
    path: Path,
    known: Known,
    is_in_list: bool,
    places: &mut Vec<Place>,
) {
    let says = node.attribute((INSTANCE, "type"));
    let says = says.map(|name| name.rsplit(':').next().unwrap_or(name));
    let is_leaf = !node.children().any(|child| child.is_element());
    places.push(Place {
        path: path.clone(),
        row: known.row(),
        text: is_leaf.then(|| node.text().unwrap_or_default().to_owned()),
        is_item: is_in_list || known.row().is_some_and(|row| row.repeated),
    });
    for attribute in node.attributes().filter(|one| one.namespace().is_none()) {
        let name = format!("@{}", attribute.name());
        places.push(Place {
            path: path.child(&name, 0),
            row: known.child(&name, says).row(),
            text: Some(attribute.value().to_owned()),
            is_item: false,
        });
    }
    for (child, path) in children(node, &path) {
        let is_in_list = known.is_list();
        let known = known.child(child.tag_name().name(), says);
        collect(child, path, known, is_in_list, places);
    }
}

/// The envelope with a change at a place; `None` if there is nothing to change.
pub(crate) fn edited(text: &str, path: &Path, edit: &Edit) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let mut node = document.root_element();
    for step in &path.0 {
        if let Some(name) = step.name.strip_prefix('@') {
            let attribute = node.attributes().find(|one| one.name() == name)?;
            return match edit {
                Edit::Text(value) => Some(spliced(text, attribute.range_value(), &escaped(value))),
                Edit::Absent => Some(spliced(text, attribute.range(), "")),
                _ => None,
            };
        }
        let named = |child: &Node<'_, '_>| child.tag_name().name() == step.name;
        let mut elements = node.children().filter(Node::is_element).filter(named);
        node = elements.nth(step.index)?;
    }
    let tag = Tag::of(text, node.range());
    let inner = &text[tag.inner.clone()];
    let changed = match edit {
        Edit::Text(value) => tag.with(tag.attributes, &escaped(value)),
        Edit::Nil if !tag.attributes.contains(":nil=") => {
            let declared = format!("{} xmlns:xsi=\"{INSTANCE}\"", tag.attributes);
            let is_declared = tag.attributes.contains("xmlns:xsi=");
            let attributes = if is_declared {
                tag.attributes
            } else {
                &declared
            };
            tag.with(&format!("{attributes} xsi:nil=\"true\""), "")
        }
        Edit::Absent => String::new(),
        Edit::Repeated(count) => return Some(repeated(text, node, *count)),
        Edit::Unknown => tag.with(
            tag.attributes,
            &format!("<unknown><a>1</a></unknown>{inner}"),
        ),
        Edit::Reversed => return reversed(text, node),
        Edit::Renamed(name) => {
            let prefix = tag.name.split_once(':');
            let name = prefix.map_or(name.clone(), |(prefix, _)| format!("{prefix}:{name}"));
            Tag { name: &name, ..tag }.with(tag.attributes, inner)
        }
        Edit::Namespace(uri) => {
            if tag.name.contains(':') || tag.attributes.contains("xmlns=") {
                return None;
            }
            tag.with(&format!("{} xmlns=\"{uri}\"", tag.attributes), inner)
        }
        Edit::Cdata if !inner.is_empty() && node.children().all(|child| child.is_text()) => {
            let text = node.text().unwrap_or_default();
            let text = text.replace("]]>", "]]]]><![CDATA[>");
            tag.with(tag.attributes, &format!("<![CDATA[{text}]]>"))
        }
        Edit::Comment => {
            let (first, rest) = match inner.char_indices().nth(1) {
                Some((at, _)) if !inner.starts_with(['<', '&']) => inner.split_at(at),
                _ => ("", inner),
            };
            tag.with(tag.attributes, &format!("{first}<!-- a -->{rest}"))
        }
        _ => return None,
    };
    Some(spliced(text, node.range(), &changed))
}

fn spliced(text: &str, range: Range<usize>, changed: &str) -> String {
    format!("{}{changed}{}", &text[..range.start], &text[range.end..])
}

/// So many copies of an element in the place of all those of its name.
fn repeated(text: &str, node: Node<'_, '_>, count: usize) -> String {
    let around = node
        .parent()
        .into_iter()
        .flat_map(|parent| parent.children());
    let same = around.filter(|one| one.is_element() && one.tag_name() == node.tag_name());
    let copies = text[node.range()].repeat(count);
    let ranges: Vec<_> = same.map(|one| one.range()).collect();
    let mut changed = text.to_owned();
    for (number, range) in ranges.into_iter().enumerate().rev() {
        let copies = if number == 0 { copies.as_str() } else { "" };
        changed.replace_range(range, copies);
    }
    changed
}

/// The elements of an element in reverse order.
fn reversed(text: &str, node: Node<'_, '_>) -> Option<String> {
    let elements = node.children().filter(Node::is_element);
    let ranges: Vec<_> = elements.map(|child| child.range()).collect();
    let mut changed = text.to_owned();
    let same = ranges
        .windows(2)
        .all(|two| text[two[0].clone()] == text[two[1].clone()]);
    if same {
        return None;
    }
    for (range, other) in ranges.iter().rev().zip(&ranges) {
        changed.replace_range(range.clone(), &text[other.clone()]);
    }
    Some(changed)
}

/// The tags of an element.
#[derive(Clone)]
struct Tag<'t> {
    name: &'t str,
    attributes: &'t str,
    inner: Range<usize>,
}

impl<'t> Tag<'t> {
    fn of(text: &'t str, range: Range<usize>) -> Self {
        let whole = &text[range.clone()];
        let mut quote = None;
        let mut end = whole.len();
        for (at, c) in whole.char_indices() {
            match (quote, c) {
                (None, '"' | '\'') => quote = Some(c),
                (None, '>') => {
                    end = at;
                    break;
                }
                (Some(open), c) if open == c => quote = None,
                _ => {}
            }
        }
        let start = whole[1..end].trim_end_matches('/');
        let name = start.find(|c: char| c.is_ascii_whitespace());
        let (name, attributes) = start.split_at(name.unwrap_or(start.len()));
        let is_empty = whole[..end].ends_with('/');
        let inner = if is_empty {
            end + 1
        } else {
            whole.rfind("</").unwrap_or(end + 1)
        };
        Self {
            name,
            attributes: attributes.trim_end(),
            inner: range.start + end + 1..range.start + inner,
        }
    }

    fn with(&self, attributes: &str, inner: &str) -> String {
        let name = self.name;
        format!("<{name}{attributes}>{inner}</{name}>")
    }
}

/// The envelope with a prefix on each element that has none.
pub(crate) fn prefixed(text: &str) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let is_bare = |node: &Node<'_, '_>| {
        node.is_element()
            && node.tag_name().namespace().is_some()
            && !Tag::of(text, node.range()).name.contains(':')
    };
    let mut inserted = Vec::new();
    for node in document.descendants().filter(is_bare) {
        let (range, tag) = (node.range(), Tag::of(text, node.range()));
        let uri = node.tag_name().namespace().unwrap_or_default();
        let is_declared = node
            .parent()
            .is_some_and(|parent| is_bare(&parent) && parent.tag_name().namespace() == Some(uri));
        inserted.push((range.start + 1, "p:".to_owned()));
        if !is_declared {
            let at = range.start + 1 + tag.name.len();
            inserted.push((at, format!(" xmlns:p=\"{}\"", escaped(uri))));
        }
        if tag.inner.end + 2 < range.end {
            inserted.push((tag.inner.end + 2, "p:".to_owned()));
        }
    }
    inserted.sort();
    with_inserted(text, inserted)
}

/// The envelope with each element on a line of its own, but for those beside text.
pub(crate) fn spaced(text: &str) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let is_apart =
        |node: &Node<'_, '_>| node.is_element() && node.children().all(|one| !one.is_text());
    let containers = document.descendants().filter(is_apart);
    let children = containers.flat_map(|node| node.children());
    let inserted = children.map(|child| (child.range().start, "\r\n\t".to_owned()));
    with_inserted(text, inserted.collect())
}

/// The envelope with a SOAP header that is of no use to the service.
pub(crate) fn with_header(text: &str, must_understand: &str) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let mut parts = document.root_element().children();
    let body = parts.find(Node::is_element)?;
    if body.tag_name().name() != BODY {
        return None;
    }
    let tag = Tag::of(text, body.range());
    let prefix = tag
        .name
        .split(':')
        .next()
        .filter(|prefix| *prefix != tag.name)?;
    let header = format!(
        "<{prefix}:Header><h xmlns=\"urn:example\" {prefix}:mustUnderstand=\"{must_understand}\" /></{prefix}:Header>"
    );
    with_inserted(text, vec![(body.range().start, header)])
}

fn with_inserted(text: &str, inserted: Vec<(usize, String)>) -> Option<String> {
    let mut changed = text.to_owned();
    for (at, part) in inserted.iter().rev() {
        changed.insert_str(*at, part);
    }
    (changed != text).then_some(changed)
}

/// A text in an element or an attribute. Characters that XML cannot hold become references, which
/// are errors.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            '"' => escaped += "&quot;",
            '\t' | '\n' => escaped.push(c),
            c if c.is_control() => escaped += &format!("&#{};", u32::from(c)),
            c => escaped.push(c),
        }
    }
    escaped
}
