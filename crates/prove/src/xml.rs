//! Changes of envelopes. They are splices, so that everything else stays as its program wrote it.

use std::ops::Range;

use roxmltree::Node;
use svcgen_messages::Operation;
use svcgen_wsdl::sources::parse_bounded;

use crate::edit::Edit;
use crate::place::{BODY, HEADER, Known, Path, Place};

const INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Returns the places of an envelope that calls an operation.
pub(crate) fn places(text: &str, operation: Operation) -> Vec<Place> {
    let mut places = Vec::new();
    let Ok(document) = parse_bounded(text) else {
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

/// Returns the child elements of an element, with their paths.
fn children<'a>(node: Node<'a, 'a>, path: &Path) -> Vec<(Node<'a, 'a>, Path)> {
    let elements: Vec<_> = elements(node).collect();
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
    let is_leaf = elements(node).next().is_none();
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

/// Returns the envelope with a change at a place; `None` if there is nothing to change.
pub(crate) fn edited(text: &str, path: &Path, edit: &Edit) -> Option<String> {
    let document = parse_bounded(text).ok()?;
    let mut node = document.root_element();
    for step in &path.0 {
        if let Some(name) = step.name.strip_prefix('@') {
            let attribute = node.attributes().find(|one| one.name() == name)?;
            let part = match edit {
                Edit::Text(value) => (attribute.range_value(), escaped(value)),
                Edit::Absent => (attribute.range(), String::new()),
                _ => return None,
            };
            return Some(spliced(text, vec![part]));
        }
        let named = |child: &Node<'_, '_>| child.tag_name().name() == step.name;
        node = elements(node).filter(named).nth(step.index)?;
    }
    let parts = match edit {
        Edit::Repeated(count) => {
            let same = elements(node.parent()?).filter(|one| one.tag_name() == node.tag_name());
            let counts = std::iter::once(*count).chain(std::iter::repeat(0));
            let copies = counts.map(|count| text[node.range()].repeat(count));
            same.map(|one| one.range()).zip(copies).collect()
        }
        Edit::Reversed => {
            let ranges: Vec<_> = elements(node).map(|child| child.range()).collect();
            let contents = ranges
                .iter()
                .rev()
                .map(|range| text[range.clone()].to_owned());
            ranges.iter().cloned().zip(contents).collect()
        }
        edit => vec![(node.range(), changed(text, node, edit)?)],
    };
    Some(spliced(text, parts))
}

/// Returns the text of an element with a change.
fn changed(text: &str, node: Node<'_, '_>, edit: &Edit) -> Option<String> {
    let tag = Tag::of(text, node);
    let (attributes, inner) = (tag.attributes, &text[tag.inner.clone()]);
    Some(match edit {
        Edit::Absent => String::new(),
        Edit::Text(value) => tag.with(attributes, &escaped(value)),
        Edit::Nil if !attributes.contains(":nil=") => {
            let mut attributes = format!("{attributes} xsi:nil=\"true\"");
            if !attributes.contains("xmlns:xsi=") {
                attributes += &format!(" xmlns:xsi=\"{INSTANCE}\"");
            }
            tag.with(&attributes, "")
        }
        Edit::Unknown => tag.with(attributes, &format!("<unknown><a>1</a></unknown>{inner}")),
        Edit::Renamed(name) => {
            let prefix = tag.name.find(':').map_or("", |at| &tag.name[..=at]);
            let name = format!("{prefix}{name}");
            Tag { name: &name, ..tag }.with(attributes, inner)
        }
        Edit::Namespace(uri) if !tag.name.contains(':') && !attributes.contains("xmlns=") => {
            tag.with(&format!("{attributes} xmlns=\"{uri}\""), inner)
        }
        Edit::Cdata if !inner.is_empty() && node.children().all(|child| child.is_text()) => {
            let text = node.text().unwrap_or_default();
            let text = text.replace("]]>", "]]]]><![CDATA[>");
            tag.with(attributes, &format!("<![CDATA[{text}]]>"))
        }
        Edit::Comment => {
            let (first, rest) = match inner.char_indices().nth(1) {
                Some((at, _)) if !inner.starts_with(['<', '&']) => inner.split_at(at),
                _ => ("", inner),
            };
            tag.with(attributes, &format!("{first}<!-- a -->{rest}"))
        }
        _ => return None,
    })
}

fn elements<'a>(node: Node<'a, 'a>) -> impl Iterator<Item = Node<'a, 'a>> {
    node.children().filter(Node::is_element)
}

/// Replaces ranges of a text.
fn spliced(text: &str, mut parts: Vec<(Range<usize>, String)>) -> String {
    parts.sort_by_key(|(range, _)| range.start);
    let mut changed = text.to_owned();
    for (range, part) in parts.iter().rev() {
        changed.replace_range(range.clone(), part);
    }
    changed
}

/// The tags of an element.
#[derive(Clone)]
struct Tag<'t> {
    name: &'t str,
    attributes: &'t str,
    inner: Range<usize>,
}

impl<'t> Tag<'t> {
    fn of(text: &'t str, node: Node<'_, '_>) -> Self {
        let range = node.range();
        let whole = &text[range.clone()];
        // Attribute values may contain `>`, which ends the tag.
        let attributes = node.attributes().map(|one| one.range().end);
        let last = attributes.max().unwrap_or(range.start) - range.start;
        let end = whole[last..].find('>').map_or(whole.len(), |at| last + at);
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

/// Returns the envelope with a prefix on each element that has none.
pub(crate) fn prefixed(text: &str) -> Option<String> {
    let document = parse_bounded(text).ok()?;
    let is_bare = |node: &Node<'_, '_>| {
        node.is_element()
            && node.tag_name().namespace().is_some()
            && !Tag::of(text, *node).name.contains(':')
    };
    let mut parts = Vec::new();
    for node in document.descendants().filter(is_bare) {
        let (range, tag) = (node.range(), Tag::of(text, node));
        let namespace = node.tag_name().namespace();
        let is_same =
            |parent: Node<'_, '_>| is_bare(&parent) && parent.tag_name().namespace() == namespace;
        let mut name = format!("p:{}", tag.name);
        if !node.parent().is_some_and(is_same) {
            name += &format!(" xmlns:p=\"{}\"", escaped(namespace?));
        }
        let start = range.start + 1;
        parts.push((start..start + tag.name.len(), name));
        let end = tag.inner.end + 2;
        if end < range.end {
            parts.push((end..end, "p:".to_owned()));
        }
    }
    Some(spliced(text, parts))
}

/// Escapes a text for an element or an attribute. Characters that XML cannot contain become
/// references, which are errors.
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
