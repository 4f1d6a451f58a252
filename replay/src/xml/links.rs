//! Elements that stand elsewhere: `href` and `id` of encoded messages (SOAP 1.1 §5, SOAP 1.2 part 2 §3).

use std::collections::{BTreeSet, HashMap, HashSet};

use roxmltree::{Attribute, Document, Node, NodeId};

use super::{Role, Task, Walk, children, notation};
use crate::findings::NOTHING;
use crate::kind::DifferenceKind as Kind;

/// The namespaces of the encodings of SOAP 1.1 and SOAP 1.2.
pub(super) const ENCODINGS: [&str; 2] = [
    "http://schemas.xmlsoap.org/soap/encoding/",
    "http://www.w3.org/2003/05/soap-encoding",
];

/// The most references that lead from one to another, and the most elements within each other that are compared at each place where they stand; beneath, and where it takes too long, they are compared once.
const DEEPEST: usize = 64;

/// The bytes of elements that are compared again.
const ROOM: usize = 1 << 18;

/// Which elements of a document refer to which.
#[derive(Default)]
pub(super) struct Links<'a, 'i> {
    targets: HashMap<&'a str, Node<'a, 'i>>,
    /// Those of the targets that are referred to.
    referred: HashSet<NodeId>,
}

impl<'a, 'i> Links<'a, 'i> {
    /// The references of a document. Without a definition, it is encoded if it names an encoding.
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

    /// The element that an element refers to.
    fn target(&self, node: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
        if self.targets.is_empty() || !children::is_empty(node) {
            return None;
        }
        let reference = node.attributes().find(|one| is_reference(*one))?;
        let target = self.targets.get(reference.value().trim_start_matches('#'));
        target.copied().filter(|target| *target != node)
    }

    /// The element that stands elsewhere for an element; the element itself if it refers to none.
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

    /// Whether others refer to an element.
    pub(super) fn is_referred(&self, node: Node<'_, '_>) -> bool {
        self.referred.contains(&node.id())
    }

    /// Whether an element stands where others may refer to it.
    pub(super) fn is_target(&self, node: Node<'a, 'i>) -> bool {
        !self.targets.is_empty() && node.attributes().any(is_id)
    }

    /// Whether an attribute tells where elements stand, not what they hold.
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

fn is_reference(attribute: Attribute<'_, '_>) -> bool {
    match attribute.namespace() {
        None => attribute.name() == "href" && attribute.value().starts_with('#'),
        Some(namespace) => attribute.name() == "ref" && namespace == ENCODINGS[1],
    }
}

/// An id, as a reference to it.
pub(super) fn shown(attribute: Attribute<'_, '_>) -> String {
    format!("#{}", attribute.value().trim_start_matches('#'))
}

/// Elements that were reached by references.
pub(super) struct Followed {
    /// Elements that are compared, and the bytes of those that may be yet.
    compared: HashSet<[NodeId; 2]>,
    room: usize,
    /// The bytes of elements that may be compared again.
    again: usize,
    /// Where targets on both sides stand.
    places: BTreeSet<[usize; 2]>,
}

impl Followed {
    pub(super) fn new(texts: [&str; 2]) -> Self {
        Self {
            compared: HashSet::new(),
            // Each is compared with one, but in documents that mean harm.
            room: texts.map(str::len).iter().sum::<usize>() * 2,
            again: ROOM,
            places: BTreeSet::new(),
        }
    }

    /// Whether targets stand in another order.
    fn is_reordered(&self) -> bool {
        let others = self.places.iter().map(|[_, other]| other);
        !others.is_sorted()
    }
}

impl<'a, 'i> Walk<'_, '_, 'a, 'i> {
    /// Compares two elements of which one refers to an element elsewhere, or both do, and goes on with the elements that they refer to. Whether these are compared.
    pub(super) fn follow(&mut self, task: &mut Task<'a, 'i>, targets: [Node<'a, 'i>; 2]) -> bool {
        let refers = [0, 1].map(|side| task.nodes[side] != targets[side]);
        self.names(task);
        if refers == [true; 2] {
            let [one, other] = task.nodes.map(|node| node.tag_name().namespace());
            let sources = self.sources(task.nodes);
            notation::tags(sources, one == other, &task.place, self.findings);
            self.attributes(task);
            self.followed
                .places
                .insert(targets.map(|target| target.range().start));
        } else {
            let told = [0, 1].map(|side| {
                let mut attributes = task.nodes[side].attributes();
                let reference = attributes.find(|one| refers[side] && is_reference(*one));
                reference.map_or_else(|| NOTHING.to_owned(), shown)
            });
            let [one, other] = told;
            self.findings
                .add_at(Kind::Reference, &task.place, one, other);
        }
        let pair = targets.map(|target| target.id());
        let followed = &mut self.followed;
        let is_new = followed.compared.insert(pair);
        // Objects that hold each other.
        let is_within = task.within.contains(&pair) || task.within.len() >= DEEPEST;
        if !is_new && is_within {
            return false;
        }
        let room = if is_new {
            &mut followed.room
        } else {
            &mut followed.again
        };
        let length = targets.map(|target| target.range().len()).iter().sum();
        match room.checked_sub(length) {
            Some(left) => *room = left,
            None if is_new => {
                let told = ["references", "too many references to compare"];
                self.findings
                    .add_at(Kind::Unreadable, &task.place, told[0], told[1]);
                return false;
            }
            None => return false,
        }
        if task.within.len() < DEEPEST {
            task.within.push(pair);
        }
        task.nodes = targets;
        task.refers = refers;
        true
    }

    /// Compares the names of elements that are referred to, which hold no value. Whether they are the same, and their tags can be compared.
    pub(super) fn target_names(&mut self, task: &Task<'a, 'i>) -> bool {
        let names = task.nodes.map(|node| {
            let name = node.tag_name();
            match name.namespace() {
                Some(namespace) => format!("{{{namespace}}}{}", name.name()),
                None => name.name().to_owned(),
            }
        });
        if task.refers != [true; 2] {
            return false;
        }
        let [one, other] = &names;
        if one != other {
            self.findings
                .add_at(Kind::Reference, &task.place, one, other);
        }
        one == other
    }

    /// Tells elements that are referred to in another order, if nothing else tells that they are others.
    pub(super) fn end(&mut self) {
        let mut found = self.findings.found.iter();
        if self.followed.is_reordered() && found.all(|one| one.difference.kind != Kind::Reference) {
            let told = ["one order", "another order"];
            self.findings.add(Kind::Reference, "Body", told[0], told[1]);
        }
    }

    /// The elements of an element that are compared there, of both sides: those of a Body that others refer to are compared where these stand.
    pub(super) fn elements(&self, task: &Task<'a, 'i>) -> [Vec<Node<'a, 'i>>; 2] {
        [0, 1].map(|side| {
            let elements = task.nodes[side].children().filter(Node::is_element);
            let is_there = |node: &Node<'a, 'i>| {
                task.role != Role::Body || !self.links[side].is_referred(*node)
            };
            elements.filter(is_there).collect()
        })
    }
}
