//! The comparison of referred elements when a reference to them is reached.

use std::collections::{BTreeSet, HashSet};

use roxmltree::{Node, NodeId};

use super::links::{DEEPEST, is_reference, shown};
use super::{Role, Task, Walk, notation};
use crate::content::words;
use crate::findings::NOTHING;
use crate::kind::DifferenceKind as Kind;

/// The number of bytes of elements that may be compared again.
const ROOM: usize = 1 << 18;

/// The elements that were reached by references.
pub(super) struct Followed {
    /// The pairs of elements that have been compared, and the number of bytes of further pairs that
    /// may be.
    compared: HashSet<[NodeId; 2]>,
    room: usize,
    /// The remaining number of bytes of elements that may be compared again.
    again: usize,
    /// The offsets of the targets on both sides.
    places: BTreeSet<[usize; 2]>,
}

impl Followed {
    pub(super) fn new(texts: [&str; 2]) -> Self {
        Self {
            compared: HashSet::new(),
            // Each target is compared with one other, except in malicious documents.
            room: texts.map(str::len).iter().sum::<usize>() * 2,
            again: ROOM,
            places: BTreeSet::new(),
        }
    }

    /// Whether the order of targets differs between the sides.
    fn is_reordered(&self) -> bool {
        let others = self.places.iter().map(|[_, other]| other);
        !others.is_sorted()
    }
}

impl<'a, 'i> Walk<'_, '_, 'a, 'i> {
    /// Compares two elements of which at least one is a reference, and continues with the elements
    /// that they refer to. Returns whether these are to be compared.
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
                let content = self.findings.content;
                reference.map_or_else(|| words(NOTHING), |one| content.text(&shown(one)))
            });
            self.findings.add_at(Kind::Reference, &task.place, told);
        }
        let pair = targets.map(|target| target.id());
        let followed = &mut self.followed;
        let is_new = followed.compared.insert(pair);
        // Objects that contain each other.
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
                let told = ["references", "too many references to compare"].map(words);
                self.findings.add_at(Kind::Unreadable, &task.place, told);
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

    /// Compares the names of referred elements, which have no meaning of their own. Returns whether
    /// they are the same, so that the tags can be compared.
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
        let is_same = names[0] == names[1];
        if !is_same {
            let content = self.findings.content;
            let told = names.map(|name| content.text(&name));
            self.findings.add_at(Kind::Reference, &task.place, told);
        }
        is_same
    }

    /// Reports that referred elements are in another order, unless another difference of references
    /// is reported.
    pub(super) fn end(&mut self) {
        let mut found = self.findings.found.iter();
        if self.followed.is_reordered() && found.all(|one| one.difference.kind != Kind::Reference) {
            let told = ["one order", "another order"].map(words);
            self.findings.add(Kind::Reference, "Body", told);
        }
    }

    /// Returns the child elements to compare at this place, of both sides. Elements of a Body that
    /// others refer to are compared at the references instead.
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
