//! References between elements: `href` and `id` of encoded messages (SOAP 1.1 §5, SOAP 1.2 part 2
//! §3).

use std::collections::{HashMap, HashSet};

use roxmltree::{Attribute, Document, Node, NodeId};

/// The namespaces of the encodings of SOAP 1.1 and SOAP 1.2.
pub(super) const ENCODINGS: [&str; 2] = [
    "http://schemas.xmlsoap.org/soap/encoding/",
    "http://www.w3.org/2003/05/soap-encoding",
];

/// The maximum length of a chain of references, and the maximum depth of nested referred elements
/// that are compared at each reference. Deeper elements, and those beyond the limit of bytes, are
/// compared once.
pub(super) const DEEPEST: usize = 64;

/// The references between the elements of a document.
#[derive(Default)]
pub(super) struct Links<'a, 'i> {
    targets: HashMap<&'a str, Node<'a, 'i>>,
    /// The targets to which an element refers.
    referred: HashSet<NodeId>,
}

impl<'a, 'i> Links<'a, 'i> {
    /// Collects the references of a document. Without a definition, a document counts as encoded if
    /// it names an encoding.
    pub(super) fn of(document: &'a Document<'i>, is_encoded: Option<bool>) -> Self {
        let names_one =
            |text: &str| ENCODINGS.map(|encoding| text.contains(encoding)) != [false; 2];
        let mut links = Self::default();
        if !is_encoded.unwrap_or_else(|| names_one(document.input_text())) {
            return links;
        }
        let elements = || document.descendants().filter(Node::is_element);
        for node in elements() {
            let id = node.attributes().find(|one| is_id(*one));
            if let Some(id) = id {
                links.targets.entry(id.value()).or_insert(node);
            }
        }
        let referred = elements().filter_map(|node| links.target(node));
        links.referred = referred.map(|node| node.id()).collect();
        links
    }

    /// Returns the element that an element refers to.
    fn target(&self, node: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
        if self.targets.is_empty() || !super::is_empty(node) {
            return None;
        }
        let reference = node.attributes().find(|one| is_reference(*one))?;
        let target = self.targets.get(reference.value().trim_start_matches('#'));
        target.copied().filter(|target| *target != node)
    }

    /// Follows the references of an element to the last target; returns the element itself if it
    /// has no reference.
    pub(super) fn resolved(&self, node: Node<'a, 'i>) -> Node<'a, 'i> {
        let mut resolved = node;
        for _ in 0..DEEPEST {
            match self.target(resolved) {
                Some(target) => resolved = target,
                None => break,
            }
        }
        resolved
    }

    /// Whether other elements refer to an element.
    pub(super) fn is_referred(&self, node: Node<'_, '_>) -> bool {
        self.referred.contains(&node.id())
    }

    /// Whether other elements may refer to an element.
    pub(super) fn is_target(&self, node: Node<'a, 'i>) -> bool {
        !self.targets.is_empty() && node.attributes().any(is_id)
    }

    /// Whether an attribute is part of a reference, and not of the content of an element.
    pub(super) fn is_link(&self, node: Node<'a, 'i>, attribute: Attribute<'a, 'i>) -> bool {
        !self.targets.is_empty()
            && (is_id(attribute) || is_reference(attribute) && self.target(node).is_some())
    }
}

fn is_id(attribute: Attribute<'_, '_>) -> bool {
    attribute.name() == "id"
        && attribute
            .namespace()
            .is_none_or(|namespace| namespace == ENCODINGS[1])
}

pub(super) fn is_reference(attribute: Attribute<'_, '_>) -> bool {
    match attribute.namespace() {
        None => attribute.name() == "href" && attribute.value().starts_with('#'),
        Some(namespace) => attribute.name() == "ref" && namespace == ENCODINGS[1],
    }
}

/// Returns an id or a reference in the form of a reference.
pub(super) fn shown(attribute: Attribute<'_, '_>) -> String {
    format!("#{}", attribute.value().trim_start_matches('#'))
}
