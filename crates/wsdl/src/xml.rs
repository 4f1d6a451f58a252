//! Helpers for XML documents of any kind.

use std::borrow::Cow;

use roxmltree::Node;

use super::names::Name;

/// The child elements.
pub(crate) fn elements<'s>(node: Node<'s, 's>) -> impl Iterator<Item = Node<'s, 's>> {
    node.children().filter(Node::is_element)
}

/// Resolves a QName: without a prefix it is in the default namespace, or in no namespace.
///
/// # Errors
///
/// Returns the prefix that is not declared.
pub(crate) fn resolve<'s>(node: Node<'s, 's>, qname: &'s str) -> Result<Name<'s>, &'s str> {
    let (prefix, local) = match qname.split_once(':') {
        Some((prefix, local)) => (Some(prefix), local),
        None => (None, qname),
    };
    let namespace = match prefix {
        Some("xml") => Some(roxmltree::NS_XML_URI),
        prefix => node.lookup_namespace_uri(prefix),
    };
    match (namespace, prefix) {
        (Some(namespace), _) => Ok(Name { namespace, local }),
        (None, None) => Ok(Name {
            namespace: "",
            local,
        }),
        (None, Some(prefix)) => Err(prefix),
    }
}

/// Whether two declarations of a schema or a WSDL are equal, ignoring documentation.
pub(crate) fn says_the_same<'s>(one: Node<'s, 's>, other: Node<'s, 's>) -> bool {
    const OF_NAMES: [&str; 8] = [
        "base",
        "binding",
        "element",
        "itemType",
        "message",
        "ref",
        "substitutionGroup",
        "type",
    ];
    let is_declared = |node: &Node<'_, '_>| {
        let name = node.tag_name().name();
        !["annotation", "documentation"].contains(&name)
    };
    let mut pairs = vec![(one, other)];
    while let Some((one, other)) = pairs.pop() {
        if one == other {
            continue;
        }
        let is_equal = one.tag_name().name() == other.tag_name().name()
            && one.attributes().len() == other.attributes().len()
            && one.attributes().all(|attribute| {
                let name = attribute.name();
                let value = match attribute.namespace() {
                    Some(namespace) => other.attribute((namespace, name)),
                    None => other.attribute(name),
                };
                value.is_some_and(|value| {
                    if OF_NAMES.contains(&name) {
                        resolve(one, attribute.value()) == resolve(other, value)
                    } else {
                        value == attribute.value()
                    }
                })
            });
        if !is_equal {
            return false;
        }
        let mut children = elements(one).filter(is_declared);
        let mut others = elements(other).filter(is_declared);
        loop {
            match (children.next(), others.next()) {
                (None, None) => break,
                (Some(child), Some(other)) => pairs.push((child, other)),
                _ => return false,
            }
        }
    }
    true
}

/// Joins the texts of elements, without white space around lines and with at most one blank line in
/// a row; `None` if there is no text.
pub(crate) fn documentation<'s>(nodes: impl Iterator<Item = Node<'s, 's>>) -> Option<Cow<'s, str>> {
    let mut all: Option<Cow<'s, str>> = None;
    for node in nodes {
        let texts = node.descendants().filter(Node::is_text);
        let mut texts = texts.filter_map(|text| text.text());
        let first = texts.next().unwrap_or_default();
        // Elements in it are left out, which is reported once for each document.
        let text = match texts.next() {
            None => lines(first),
            Some(second) => {
                let rest: String = texts.collect();
                Cow::Owned(lines(&format!("{first}{second}{rest}")).into_owned())
            }
        };
        match &mut all {
            _ if text.is_empty() => {}
            None => all = Some(text),
            Some(before) => {
                let before = before.to_mut();
                before.push('\n');
                before.push_str(&text);
            }
        }
    }
    all
}

fn lines(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if !text.contains(['\n', '\r']) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    for line in text.lines().map(str::trim) {
        if !(line.is_empty() && kept.ends_with("\n\n")) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept.truncate(kept.trim_end().len());
    Cow::Owned(kept)
}
