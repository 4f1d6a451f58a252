//! What XML documents say, whatever they describe.

use std::borrow::Cow;

use roxmltree::Node;

use super::schema::Name;

/// The child elements.
pub(crate) fn elements<'s>(node: Node<'s, 's>) -> impl Iterator<Item = Node<'s, 's>> {
    node.children().filter(Node::is_element)
}

/// The name that a QName stands for: without a prefix it is in the default namespace, or in none.
///
/// # Errors
///
/// The prefix that is not declared.
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

/// The texts of elements as one, without white space around lines, of which at most one is blank in a row; `None` if there is none.
pub(crate) fn documentation<'s>(nodes: impl Iterator<Item = Node<'s, 's>>) -> Option<Cow<'s, str>> {
    let mut all: Option<Cow<'s, str>> = None;
    for node in nodes {
        let texts = node.descendants().filter(Node::is_text);
        let mut texts = texts.filter_map(|text| text.text());
        let first = texts.next().unwrap_or_default();
        // Markup in it is left out.
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
