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

/// The texts of elements as one, of several lines if they have several, without white space around lines; `None` if there is none.
pub(crate) fn documentation<'s>(nodes: impl Iterator<Item = Node<'s, 's>>) -> Option<Cow<'s, str>> {
    let texts = nodes.flat_map(|node| node.descendants().filter(Node::is_text));
    let mut all: Option<Cow<'s, str>> = None;
    for text in texts.filter_map(|node| node.text()) {
        for line in text.lines().map(str::trim) {
            match &mut all {
                None if line.is_empty() => {}
                None => all = Some(Cow::Borrowed(line)),
                Some(before) => {
                    let before = before.to_mut();
                    before.push('\n');
                    before.push_str(line);
                }
            }
        }
    }
    // Blank lines at the end, and those between texts.
    match all {
        Some(Cow::Owned(text)) => {
            let mut kept = String::with_capacity(text.len());
            for line in text.lines() {
                if !(line.is_empty() && kept.ends_with("\n\n")) {
                    kept.push_str(line);
                    kept.push('\n');
                }
            }
            kept.truncate(kept.trim_end().len());
            Some(Cow::Owned(kept))
        }
        all => all,
    }
}
