//! The pairing of the child elements of two elements.

use std::collections::HashMap;
use std::fmt::Write;

use roxmltree::Node;

use super::XSI;
use super::links::Links;
use super::tag::Tag;

/// Two elements that belong together, or one without a counterpart.
pub(super) struct Pair<'a, 'i> {
    pub(super) nodes: [Option<Node<'a, 'i>>; 2],
    /// The index among the elements with its name.
    pub(super) index: usize,
    /// The index among all elements.
    pub(super) position: usize,
    /// Whether one side has several elements with its name.
    pub(super) is_item: bool,
}

pub(super) struct Matched<'a, 'i> {
    pub(super) pairs: Vec<Pair<'a, 'i>>,
    /// The names in the order of each side, if the orders differ.
    pub(super) orders: Option<[String; 2]>,
}

/// Pairs the child elements of two elements that have one each.
pub(super) fn lone_pair<'a, 'i>(elements: &[Vec<Node<'a, 'i>>; 2]) -> Option<Matched<'a, 'i>> {
    let lone = [0, 1].map(|side| match elements[side].as_slice() {
        [lone] => Some(*lone),
        _ => None,
    });
    let pair = Pair {
        nodes: [Some(lone[0]?), Some(lone[1]?)],
        index: 0,
        position: 0,
        is_item: false,
    };
    Some(Matched {
        pairs: vec![pair],
        orders: None,
    })
}

/// Pairs the child elements of two elements by their names, and in order if several have the same
/// name.
pub(super) fn pairs<'a, 'i>(
    elements: &[Vec<Node<'a, 'i>>; 2],
    links: &[Links<'a, 'i>; 2],
) -> Matched<'a, 'i> {
    let [expected, found] = elements;
    let name = |node: &Node<'_, '_>| node.tag_name().name().to_owned();
    let mut groups: Vec<(String, [Vec<usize>; 2])> = Vec::new();
    let mut numbers = HashMap::new();
    for (side, elements) in [expected, found].into_iter().enumerate() {
        for (position, node) in elements.iter().enumerate() {
            let name = name(node);
            let number = *numbers.entry(name.clone()).or_insert_with(|| {
                groups.push((name, [Vec::new(), Vec::new()]));
                groups.len() - 1
            });
            groups[number].1[side].push(position);
        }
    }
    join_cases(&mut groups);
    let mut pairs = Vec::new();
    let mut places = Vec::new();
    for (_, [ones, others]) in groups {
        let is_item = ones.len() > 1 || others.len() > 1;
        let aligned = aligned([&ones, &others], elements, links);
        for (index, sides) in aligned.into_iter().enumerate() {
            if let [Some(one), Some(other)] = sides {
                places.push((one, other));
            }
            let position = sides[0].or(sides[1]).unwrap_or_default();
            let [one, other] = sides;
            pairs.push((
                // An extra element keeps the position where it was found.
                (position, sides[0].is_none()),
                Pair {
                    nodes: [
                        one.map(|one| expected[one]),
                        other.map(|other| found[other]),
                    ],
                    index,
                    position,
                    is_item,
                },
            ));
        }
    }
    pairs.sort_by_key(|(order, _)| *order);
    places.sort_unstable();
    let is_ordered = places.windows(2).all(|two| two[0].1 < two[1].1);
    let orders = (!is_ordered).then(|| {
        [expected, found].map(|elements| {
            let names = elements.iter().map(name);
            names.collect::<Vec<_>>().join(" ")
        })
    });
    Matched {
        pairs: pairs.into_iter().map(|(_, pair)| pair).collect(),
        orders,
    }
}

/// Joins groups that are on one side only and whose names differ only in letter case.
fn join_cases(groups: &mut Vec<(String, [Vec<usize>; 2])>) {
    let extra = groups
        .iter()
        .enumerate()
        .filter(|(_, (_, sides))| sides[0].is_empty());
    let mut extra: HashMap<_, _> = extra
        .map(|(index, (name, _))| (name.to_lowercase(), index))
        .collect();
    if extra.is_empty() {
        return;
    }
    let mut joined = Vec::new();
    for index in 0..groups.len() {
        let (name, [_, others]) = &groups[index];
        let other = others
            .is_empty()
            .then(|| extra.remove(&name.to_lowercase()));
        if let Some(Some(other)) = other {
            groups[index].1[1] = std::mem::take(&mut groups[other].1[1]);
            joined.push(other);
        }
    }
    joined.sort_unstable();
    let mut index = 0;
    groups.retain(|_| {
        index += 1;
        joined.binary_search(&(index - 1)).is_err()
    });
}

/// Pairs elements with the same name. If their numbers differ, equal elements at the beginning and
/// at the end are paired.
fn aligned<'a, 'i>(
    [ones, others]: [&[usize]; 2],
    [expected, found]: &[Vec<Node<'a, 'i>>; 2],
    [links, other_links]: &[Links<'a, 'i>; 2],
) -> Vec<[Option<usize>; 2]> {
    let mut after = 0;
    if ones.len() != others.len() && !ones.is_empty() && !others.is_empty() {
        let same = |(one, other): &(&usize, &usize)| {
            digest(expected[**one], links) == digest(found[**other], other_links)
        };
        let shorter = ones.len().min(others.len());
        let before = ones.iter().zip(others).take_while(same).count();
        let ends = ones.iter().rev().zip(others.iter().rev());
        after = ends.take(shorter - before).take_while(same).count();
    }
    let [ones, ends] = [&ones[..ones.len() - after], &ones[ones.len() - after..]];
    let [others, other_ends] = [
        &others[..others.len() - after],
        &others[others.len() - after..],
    ];
    let count = ones.len().max(others.len());
    let first = (0..count).map(|index| [ones.get(index).copied(), others.get(index).copied()]);
    let last = ends.iter().zip(other_ends);
    first
        .chain(last.map(|(one, other)| [Some(*one), Some(*other)]))
        .collect()
}

/// Returns the content of an element, or of the element that it refers to, in a form that does not
/// depend on notation.
fn digest<'a, 'i>(node: Node<'a, 'i>, links: &Links<'a, 'i>) -> String {
    let mut digest = String::new();
    for one in links.resolved(node).descendants() {
        if one.is_element() {
            // Writing to a string cannot fail.
            let _ = write!(digest, "<{}", one.tag_name().name());
            for attribute in one.attributes() {
                if !links.is_link(one, attribute) {
                    let _ = write!(digest, " {}={:?}", attribute.name(), attribute.value());
                }
            }
            digest.push('>');
        } else if let Some(text) = one.text().filter(|_| one.is_text()) {
            digest += text.trim();
        }
    }
    digest
}

/// Whether an element has no content.
pub(super) fn is_childless(source: &str, tag: &Tag<'_>) -> bool {
    tag.is_empty_form || source.get(tag.length..tag.length + 2) == Some("</")
}

pub(super) fn is_nil(node: Node<'_, '_>) -> bool {
    let nil = node.attribute((XSI, "nil")).map(str::trim);
    matches!(nil, Some("true" | "1"))
}

/// Lists the names of the child elements of an element.
pub(super) fn names(node: Node<'_, '_>) -> String {
    let names = node.children().filter(Node::is_element);
    let names: Vec<_> = names.take(20).map(|one| one.tag_name().name()).collect();
    format!("{{{}}}", names.join(", "))
}

/// Resolves the prefix of a name to its namespace.
pub(super) fn qualified<'n>(node: Node<'n, '_>, name: &'n str) -> (Option<String>, String) {
    let (prefix, local) = match name.split_once(':') {
        Some((prefix, local)) => (Some(prefix), local),
        None => (None, name),
    };
    let namespace = node.lookup_namespace_uri(prefix);
    (namespace.map(str::to_owned), local.to_owned())
}

/// Returns the text between the child elements of an element, as written.
pub(super) fn gaps<'t>(node: Node<'_, '_>, text: &'t str) -> Vec<&'t str> {
    let range = node.range();
    let content = super::tag::content(&text[range.clone()]);
    let mut at = range.start + content.start;
    let end = range.start + content.end;
    let mut gaps = Vec::new();
    for element in node.children().filter(Node::is_element) {
        let range = element.range();
        gaps.push(&text[at..range.start]);
        at = range.end;
    }
    gaps.push(&text[at..end]);
    gaps
}
