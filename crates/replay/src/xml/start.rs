//! The start of a comparison, and the roles of elements.

use roxmltree::Node;
use svcgen::mask::Masked;
use svcgen_messages::Operation;

use super::children::Pair;
use super::{Role, Task, Walk, is_soap, part_of_fault};
use crate::content::words;
use crate::description::Description;
use crate::findings::NOTHING;
use crate::kind::DifferenceKind as Kind;
use crate::value_path::ValuePath;

fn text_of_fault(fault: Node<'_, '_>) -> Option<String> {
    let mut nodes = fault.descendants();
    let found = nodes.find(|node| ["faultstring", "Text"].contains(&node.tag_name().name()));
    found.map(super::text)
}

/// Returns the element in the Body.
fn payload<'a, 'i>(root: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
    let mut children = root.children().filter(|_| is_soap(root, "Envelope"));
    let body = children.find(|child| is_soap(*child, "Body"))?;
    body.first_element_child()
}

impl<'a, 'i> Walk<'_, '_, 'a, 'i> {
    /// Begins with the root elements of two documents.
    pub(super) fn start(&mut self, roots: [Node<'a, 'i>; 2]) {
        let are_envelopes = roots.map(|root| is_soap(root, "Envelope"));
        let faults = roots.map(|root| payload(root).is_some_and(|one| is_soap(one, "Fault")));
        if faults[0] != faults[1] && are_envelopes == [true; 2] {
            let kind = if faults[0] {
                Kind::ResultForFault
            } else {
                Kind::FaultForResult
            };
            let told = roots.map(|root| match payload(root) {
                Some(payload) if is_soap(payload, "Fault") => self.fault(payload),
                Some(payload) => self.findings.content.text(payload.tag_name().name()),
                None => words(NOTHING),
            });
            self.findings.add_at(kind, &ValuePath::of("Body"), told);
            return;
        }
        let (role, known, place) = if are_envelopes == [true; 2] {
            (Role::Envelope, Description::Free, ValuePath::of("Envelope"))
        } else {
            let row = self
                .operation
                .and_then(|operation| operation.row().result_over_http());
            let name = row.map_or(roots[0].tag_name().name(), |row| row.name);
            let known = row.map_or_else(|| self.free(), Description::Element);
            (Role::Value, known, ValuePath::of(name))
        };
        self.open.push(Task {
            nodes: roots,
            known,
            place,
            role,
            refers: [false; 2],
            within: Vec::new(),
        });
    }

    /// Returns the description of an element that the definition does not describe.
    fn free(&self) -> Description {
        match self.operation {
            Some(_) => Description::Undescribed,
            None => Description::Free,
        }
    }

    /// Describes a fault by its text.
    fn fault(&self, fault: Node<'_, '_>) -> Masked<String> {
        let text = text_of_fault(fault).unwrap_or_default();
        let text = self.findings.content.text(&text);
        text.map(|text| format!("a fault: {text}"))
    }

    fn known_by(&self, known: fn(Operation) -> Description) -> Description {
        self.operation.map_or(Description::Free, known)
    }

    /// Returns the role, the description and the place of a child.
    pub(super) fn child(
        &self,
        task: &Task<'a, 'i>,
        pair: &Pair<'a, 'i>,
    ) -> (Role, Description, ValuePath) {
        let Some(node) = pair.nodes[0].or(pair.nodes[1]) else {
            return (Role::Value, Description::Undescribed, ValuePath::default());
        };
        let name = node.tag_name().name();
        match task.role {
            Role::Envelope if name == "Header" => {
                let known = self.known_by(Description::Headers);
                (Role::Header, known, ValuePath::of("Header"))
            }
            Role::Envelope => (Role::Body, Description::Free, ValuePath::of("Body")),
            Role::Body if is_soap(node, "Fault") => {
                (Role::Fault, Description::Free, ValuePath::of("Fault"))
            }
            Role::Body => self.in_body(name),
            Role::Fault | Role::FaultPart(_) => {
                let place = task.place.member(name);
                match part_of_fault(node) {
                    Kind::FaultDetail => (Role::Detail, self.known_by(Description::Detail), place),
                    kind => (Role::FaultPart(kind), Description::Free, place),
                }
            }
            Role::Header | Role::Detail | Role::Value | Role::Wrapper => {
                let known = task.known.child(name);
                let around = match task.role {
                    Role::Wrapper => &ValuePath::default(),
                    _ => &task.place,
                };
                let place = if task.known.is_list() {
                    around.item(pair.position)
                } else if known.is_repeated() || pair.is_item {
                    around.member(name).item(pair.index)
                } else {
                    around.member(name)
                };
                (Role::Value, known, place)
            }
        }
    }

    fn in_body(&self, name: &str) -> (Role, Description, ValuePath) {
        match self.operation {
            Some(operation) if operation.row().is_bare() => {
                let known = Description::Results(operation).child(name);
                (Role::Value, known, ValuePath::of(name))
            }
            Some(operation) => (
                Role::Wrapper,
                Description::Results(operation),
                ValuePath::of(name),
            ),
            None => (Role::Wrapper, Description::Free, ValuePath::of(name)),
        }
    }
}
