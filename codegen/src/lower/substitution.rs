//! Substitution groups: abstract elements that the alternatives of choices stand for.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::context::Pass;
use super::names::is_xml_name;
use crate::definition::{Definition, Entries, Located, NodeId, Shape};
use crate::model::{
    ComplexType, Element, ElementForm, Form, ListForm, Model, Service, Style, TypeRef,
};
use crate::rules::Rule;
use crate::sink::Sink;

impl Pass<'_, '_> {
    /// Refuses alternatives that are not one element each.
    pub(super) fn check_members(
        &mut self,
        head: &Located<String>,
        elements: &[Element],
        entries: &Entries<Located<Shape>>,
    ) {
        is_xml_name(head, self.sink);
        for (element, key) in elements.iter().zip(entries.keys()) {
            let what = match &element.type_ref {
                TypeRef::Group(_) => "a sequence",
                TypeRef::List(list) if list.form == ListForm::Unwrapped => "an unwrapped list",
                _ if !element.is_named() => "no element with a name",
                _ if element.name.xml == head.value => "the head itself",
                _ => continue,
            };
            let message = format!("`{key}` cannot stand for the element `{head}`: it is {what}");
            (self.sink.add(Rule::Substitution, key.node, message))
                .hint("each alternative of a choice with `head` is one element, in which the choice may be as an object");
        }
    }
}

/// What a global element is.
#[derive(PartialEq)]
enum Global<'m> {
    /// The element of a message.
    Message,
    /// The head of a substitution group of these members.
    Head(Vec<(&'m str, &'m TypeRef)>),
    /// A member of the group with this head.
    Member(&'m str, &'m TypeRef),
}

/// Checks that heads of substitution groups and their members are distinct global elements in the schemas of a service.
pub(super) fn check_elements(model: &Model, definition: &Definition, sink: &mut Sink) {
    let has_heads = model.groups.iter().any(|group| group.head.is_some());
    let Some(service) = model.service.as_ref().filter(|_| has_heads) else {
        return;
    };
    let mut check = Check {
        model,
        service,
        sink,
        seen: HashMap::new(),
    };
    let nodes = Nodes::of(definition.operations.keys());
    for operation in &service.operations {
        let node = nodes.of_key(&operation.name.key);
        let wrappers = [&operation.request, &operation.response];
        for wrapper in wrappers
            .iter()
            .filter(|_| operation.style == Style::Document)
        {
            let namespace = check.namespace(wrapper);
            check.add(namespace, &wrapper.name.xml, Global::Message, node);
        }
        let headers = operation.header_lists().into_iter().flatten();
        for header in headers.flat_map(|headers| &headers.complex_type.elements) {
            check.message(header, node);
        }
    }
    let nodes_of_faults = Nodes::of(definition.faults.keys());
    for fault in &service.faults {
        check.message(&fault.detail, nodes_of_faults.of_key(&fault.name));
    }
    for operation in &service.operations {
        let node = nodes.of_key(&operation.name.key);
        check.groups(&operation.request, node);
        check.groups(&operation.response, node);
    }
    let nodes = Nodes::of(definition.types.keys());
    for complex in &model.complex_types {
        check.groups(complex, nodes.of_key(&complex.name.key));
    }
}

/// The nodes of keys.
struct Nodes<'d>(HashMap<&'d str, NodeId>);

impl<'d> Nodes<'d> {
    fn of(keys: impl Iterator<Item = &'d Located<String>>) -> Self {
        Self(keys.map(|key| (key.value.as_str(), key.node)).collect())
    }

    /// The node of a key; that of the file for a type of another one.
    fn of_key(&self, key: &str) -> NodeId {
        self.0.get(key).copied().unwrap_or(NodeId(0))
    }
}

struct Check<'m, 's> {
    model: &'m Model,
    service: &'m Service,
    sink: &'s mut Sink,
    seen: HashMap<(&'m str, &'m str), (Global<'m>, NodeId)>,
}

impl<'m> Check<'m, '_> {
    fn namespace(&self, complex: &'m ComplexType) -> &'m str {
        let own = complex.scope.namespace.as_deref();
        own.unwrap_or(&self.service.namespace)
    }

    /// A header, or the detail of a fault.
    fn message(&mut self, element: &'m Element, node: NodeId) {
        let namespace = match &element.form {
            Form::Reference(other) => other,
            _ => &self.service.namespace,
        };
        self.add(namespace, &element.name.xml, Global::Message, node);
    }

    fn groups(&mut self, complex: &'m ComplexType, node: NodeId) {
        let namespace = self.namespace(complex);
        let form = complex.scope.element_form;
        let is_local = form.unwrap_or(self.service.element_form) == ElementForm::Unqualified;
        let mut open: Vec<_> = complex.elements.iter().collect();
        while let Some(element) = open.pop() {
            let Some(id) = element.type_ref.group() else {
                continue;
            };
            let group = &self.model.groups[id.0];
            open.extend(&group.elements);
            let Some(head) = &group.head else { continue };
            let members = group.elements.iter();
            let members = members.map(|member| (member.name.xml.as_str(), &member.type_ref));
            self.add(namespace, head, Global::Head(members.collect()), node);
            for member in &group.elements {
                let of_member = match &member.form {
                    Form::Reference(other) => other.as_str(),
                    Form::Default if !is_local => namespace,
                    Form::Qualified => namespace,
                    Form::Default | Form::Unqualified => {
                        self.refuse_local(&member.name.xml, head, node);
                        continue;
                    }
                };
                let global = Global::Member(head, &member.type_ref);
                self.add(of_member, &member.name.xml, global, node);
            }
        }
    }

    fn refuse_local(&mut self, member: &str, head: &str, node: NodeId) {
        let message = format!("`{member}` stands for the element `{head}` and is in no namespace");
        (self.sink.add(Rule::Substitution, node, message)).hint(
            "elements of a substitution group are declared globally: write `form: qualified`",
        );
    }

    fn add(&mut self, namespace: &'m str, name: &'m str, global: Global<'m>, node: NodeId) {
        match self.seen.entry((namespace, name)) {
            Entry::Vacant(place) => {
                place.insert((global, node));
            }
            // Messages are compared elsewhere.
            Entry::Occupied(known) if known.get().0 == global => {}
            Entry::Occupied(known) => {
                let first = known.get().1;
                let message = format!("the element `{name}` would be declared in two ways");
                let pending = self.sink.add(Rule::Substitution, node, message)
                    .hint("heads and members of substitution groups are global elements: a head has the same members wherever it stands, a member has one head and one type");
                if first != node {
                    pending.other(first, "the other one");
                }
            }
        }
    }
}
