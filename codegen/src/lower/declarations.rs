//! The global declarations in the schemas of a service: each name once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use svcgen_language::definition::{Definition, Located, NodeId};
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use super::scopes::XML;
use crate::model::{
    ComplexType, Element, ElementForm, Facet, Form, ListForm, Model, Service, Style, TypeRef,
};

/// The declaration of a name.
#[derive(PartialEq)]
enum Global<'m> {
    /// The element of a message.
    Message,
    /// An element or attribute that others refer to.
    Of(Declared<'m>),
    /// The head of a substitution group of these members.
    Head(Vec<(&'m str, Declared<'m>)>),
    /// A member of the group with this head.
    Member(&'m str, Declared<'m>),
}

/// The type of a declaration.
struct Declared<'m> {
    type_ref: &'m TypeRef,
    facets: &'m [(Facet, String)],
    union: Vec<Self>,
}

impl<'m> Declared<'m> {
    fn of(element: &'m Element) -> Self {
        let type_ref = match &element.type_ref {
            TypeRef::List(list) if list.form == ListForm::Unwrapped => &list.item_type,
            type_ref => type_ref,
        };
        Self {
            type_ref,
            facets: &element.facets,
            union: element.union.iter().map(Self::of).collect(),
        }
    }
}

impl PartialEq for Declared<'_> {
    fn eq(&self, other: &Self) -> bool {
        is_same_type(self.type_ref, other.type_ref)
            && self.facets == other.facets
            && self.union == other.union
    }
}

/// Whether both types are the same in a schema; their Rust types may differ.
fn is_same_type(one: &TypeRef, other: &TypeRef) -> bool {
    use TypeRef::{Custom, Dictionary, List, Simple};
    match (one, other) {
        (Simple(one) | Custom(one, _), Simple(other) | Custom(other, _)) => one == other,
        (List(one), List(other)) => {
            (&one.item, &one.item_form, one.nillable_items)
                == (&other.item, &other.item_form, other.nillable_items)
                && (one.form == ListForm::Text) == (other.form == ListForm::Text)
                && is_same_type(&one.item_type, &other.item_type)
        }
        (Dictionary(one), Dictionary(other)) => {
            one.nullable_values == other.nullable_values
                && is_same_type(&one.value_type, &other.value_type)
        }
        _ => one == other,
    }
}

/// Checks that all global elements and attributes of a name are the same declaration.
pub(super) fn check_declarations(model: &Model, definition: &Definition, sink: &mut Sink) {
    let Some(service) = &model.service else {
        return;
    };
    let mut check = Check {
        model,
        service,
        sink,
        elements: HashMap::new(),
        attributes: HashMap::new(),
    };
    let nodes = Nodes::of(definition.operations.keys());
    for operation in &service.operations {
        let node = nodes.of_key(&operation.name.key);
        for wrapper in [&operation.request, &operation.response] {
            if operation.style == Style::Document {
                let namespace = check.namespace(wrapper);
                check.element(namespace, &wrapper.name.xml, Global::Message, node);
            }
            // Parts of bare messages are compared with those of other messages.
            if operation.style != Style::Bare {
                check.members(wrapper, node);
            }
        }
        let headers = operation.header_lists().into_iter().flatten();
        for header in headers.flat_map(|headers| &headers.complex_type.elements) {
            check.message(header, node);
        }
    }
    let nodes = Nodes::of(definition.faults.keys());
    for fault in &service.faults {
        check.message(&fault.detail, nodes.of_key(&fault.name));
    }
    let nodes = Nodes::of(definition.types.keys());
    for complex in &model.complex_types {
        let node = nodes.of_key(&complex.name.key);
        check.members(complex, node);
    }
}

/// The nodes of keys.
struct Nodes<'d>(HashMap<&'d str, NodeId>);

impl<'d> Nodes<'d> {
    fn of(keys: impl Iterator<Item = &'d Located<String>>) -> Self {
        Self(keys.map(|key| (key.value.as_str(), key.node)).collect())
    }

    /// The node of a key; the node of the file for a type of another one.
    fn of_key(&self, key: &str) -> NodeId {
        self.0.get(key).copied().unwrap_or(NodeId(0))
    }
}

/// Declarations by namespace and name, with their nodes.
type DeclaredNames<'m> = HashMap<(&'m str, &'m str), (Global<'m>, NodeId)>;

struct Check<'m, 's> {
    model: &'m Model,
    service: &'m Service,
    sink: &'s mut Sink,
    elements: DeclaredNames<'m>,
    attributes: DeclaredNames<'m>,
}

impl<'m> Check<'m, '_> {
    fn namespace(&self, complex: &'m ComplexType) -> &'m str {
        let own = complex.scope.namespace.as_deref();
        own.unwrap_or(&self.service.namespace)
    }

    /// A header, or the detail of a fault.
    fn message(&mut self, element: &'m Element, node: NodeId) {
        let namespace = element.form.own_namespace();
        let namespace = namespace.unwrap_or(&self.service.namespace);
        let global = Global::Of(Declared::of(element));
        self.element(namespace, &element.name.xml, global, node);
    }

    /// Adds the references of a type to other namespaces, and its substitution groups.
    fn members(&mut self, complex: &'m ComplexType, node: NodeId) {
        // Inherited members are declared with the base.
        let base = complex
            .inherits()
            .map(|base| &self.model.complex_types[base.0]);
        let inherited = base.map_or((0, 0), |base| (base.attributes.len(), base.elements.len()));
        for attribute in complex.attributes.iter().skip(inherited.0) {
            if let Form::Reference(namespace) = &attribute.form
                && attribute.is_named()
                && namespace != XML
            {
                let name = (namespace.as_str(), attribute.name.xml.as_str());
                let global = Global::Of(Declared::of(attribute));
                let attributes = &mut self.attributes;
                add(attributes, "attribute", name, global, node, self.sink);
            }
        }
        let namespace = self.namespace(complex);
        let form = complex.scope.element_form;
        let is_local = form.unwrap_or(self.service.element_form) == ElementForm::Unqualified;
        let own = complex.elements.iter().skip(inherited.1);
        let mut open: Vec<_> = own.map(|one| (one, false)).collect();
        while let Some((element, is_member)) = open.pop() {
            let Some(id) = element.type_ref.group() else {
                if let Form::Reference(other) = &element.form
                    && element.is_named()
                    && !is_member
                {
                    let global = Global::Of(Declared::of(element));
                    self.element(other, &element.name.xml, global, node);
                }
                continue;
            };
            let group = &self.model.groups[id.0];
            let is_member = group.head.is_some();
            open.extend(group.elements.iter().map(|one| (one, is_member)));
            let Some(head) = &group.head else { continue };
            let members = group.elements.iter();
            let members = members.map(|member| (member.name.xml.as_str(), Declared::of(member)));
            self.element(namespace, head, Global::Head(members.collect()), node);
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
                let global = Global::Member(head, Declared::of(member));
                self.element(of_member, &member.name.xml, global, node);
            }
        }
    }

    fn refuse_local(&mut self, member: &str, head: &str, node: NodeId) {
        let message = format!("`{member}` stands for the element `{head}` and is in no namespace");
        (self.sink.add(Rule::Substitution, node, message)).hint(
            "elements of a substitution group are declared globally: write `form: qualified`",
        );
    }

    fn element(&mut self, namespace: &'m str, name: &'m str, global: Global<'m>, node: NodeId) {
        let name = (namespace, name);
        add(&mut self.elements, "element", name, global, node, self.sink);
    }
}

fn add<'m>(
    known: &mut DeclaredNames<'m>,
    what: &str,
    name: (&'m str, &'m str),
    global: Global<'m>,
    node: NodeId,
    sink: &mut Sink,
) {
    let (first, at) = match known.entry(name) {
        Entry::Vacant(place) => {
            place.insert((global, node));
            return;
        }
        Entry::Occupied(known) => known.into_mut(),
    };
    // Messages are compared in `global_elements`.
    if *first == global {
        return;
    }
    let (namespace, name) = name;
    let pending = match (&*first, &global) {
        (Global::Of(_) | Global::Message, Global::Of(_) | Global::Message) => {
            let message =
                format!("the {what} `{name}` of the namespace `{namespace}` would be of two types");
            sink.add(Rule::XmlNameClash, node, message).hint(
                "a schema declares it once: give one another name or namespace, or both one type",
            )
        }
        _ => {
            let message = format!("the element `{name}` would be declared in two ways");
            sink.add(Rule::Substitution, node, message)
                .hint("heads and members of substitution groups are global elements: a head has the same members wherever it stands, a member has one head and one type")
        }
    };
    if *at != node {
        pending.other(*at, "the other one");
    }
}
