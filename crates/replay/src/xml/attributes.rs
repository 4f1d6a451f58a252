//! The comparison of the attributes of two elements.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use roxmltree::Attribute;

use super::links::{self, ENCODINGS};
use super::{SOAP_11, SOAP_12, Task, Walk, XSI, children, is_masked, notation};
use crate::content::words;
use crate::description::Description;
use crate::findings::NOTHING;
use crate::kind::DifferenceKind as Kind;
use crate::value_path::ValuePath;

impl<'a, 'i> Walk<'_, '_, 'a, 'i> {
    pub(super) fn attributes(&mut self, task: &Task<'a, 'i>) {
        let [expected, found] = task.nodes;
        let content = self.findings.content;
        let all = found
            .attributes()
            .map(|one| ((one.namespace(), one.name()), one));
        let all: HashMap<_, _> = all.collect();
        let own = expected
            .attributes()
            .map(|one| (one.namespace(), one.name()));
        let own: HashSet<_> = own.collect();
        // Attributes that may match an expected one of the same name in another namespace.
        let moved = all
            .values()
            .filter(|one| !own.contains(&(one.namespace(), one.name())));
        let mut moved: HashMap<_, _> = moved.map(|one| (one.name(), *one)).collect();
        for attribute in expected.attributes() {
            let (namespace, name) = (attribute.namespace(), attribute.name());
            let is_link = self.links[0].is_link(expected, attribute);
            let place = task.place.member(name);
            let known = self.attribute_known(task.known, namespace, name);
            let other = all.get(&(namespace, name)).copied();
            let other = other.or_else(|| moved.remove(name));
            let Some(other) = other else {
                self.missing(task, attribute, is_link);
                continue;
            };
            if is_link && self.links[1].is_link(found, other) {
                let [one, other] = [attribute, other].map(links::shown);
                if one != other {
                    let told = [one, other].map(|id| content.text(&id));
                    self.findings.add_at(Kind::Reference, &task.place, told);
                }
                continue;
            }
            if other.namespace() != namespace {
                self.namespaces(Kind::Namespace, &place, [namespace, other.namespace()]);
            }
            self.attribute(task, known, &place, [attribute, other]);
        }
        for other in found.attributes() {
            let (namespace, name) = (other.namespace(), other.name());
            let is_left = moved
                .get(name)
                .is_some_and(|one| one.namespace() == namespace);
            let place = task.place.member(name);
            let is_nil = namespace == Some(XSI) && name == "nil";
            if !is_left || is_nil {
                continue;
            }
            if self.findings.rules.ignores(&place) {
                self.skipped.ranges[1].push(with_space(other));
                continue;
            }
            if self.links[1].is_link(found, other) {
                let told = content.text(&links::shown(other));
                self.findings
                    .add_at(Kind::Reference, &task.place, [words(NOTHING), told]);
                continue;
            }
            let known = self.attribute_known(task.known, namespace, name);
            let kind = match known {
                Description::Undescribed => Kind::UnknownAttribute,
                _ => Kind::ExtraAttribute,
            };
            let value = content.value(known, other.value());
            self.findings.add_at(kind, &place, [words(NOTHING), value]);
        }
    }

    /// Compares an attribute that the found element does not have.
    fn missing(&mut self, task: &Task<'a, 'i>, attribute: Attribute<'a, 'i>, is_link: bool) {
        let content = self.findings.content;
        if is_link {
            let told = [content.text(&links::shown(attribute)), words(NOTHING)];
            self.findings.add_at(Kind::Reference, &task.place, told);
            return;
        }
        let (namespace, name) = (attribute.namespace(), attribute.name());
        if namespace == Some(XSI) && name == "nil" {
            return;
        }
        let place = task.place.member(name);
        let known = self.attribute_known(task.known, namespace, name);
        let is_hidden = is_masked(attribute.value()) && !known.is_secret();
        if self.findings.rules.ignores(&place) || is_hidden {
            self.skipped.ranges[0].push(with_space(attribute));
            return;
        }
        let told = [content.value(known, attribute.value()), words(NOTHING)];
        self.findings.add_at(Kind::MissingAttribute, &place, told);
    }

    /// Returns the description of an attribute. Attributes of XML Schema, SOAP and XML are part of
    /// every definition.
    fn attribute_known(
        &self,
        known: Description,
        namespace: Option<&str>,
        name: &str,
    ) -> Description {
        match namespace {
            Some(namespace)
                if [XSI, SOAP_11, SOAP_12, roxmltree::NS_XML_URI].contains(&namespace) =>
            {
                Description::Free
            }
            _ => known.attribute(name),
        }
    }

    fn attribute(
        &mut self,
        task: &Task<'a, 'i>,
        known: Description,
        place: &ValuePath,
        attributes: [Attribute<'a, 'i>; 2],
    ) {
        let [one, other] = attributes;
        let content = self.findings.content;
        let is_of_instance = one.namespace() == Some(XSI);
        if one.value() == other.value() {
            let sources = [0, 1].map(|side| &self.texts[side][attributes[side].range_value()]);
            if sources[0] != sources[1] {
                let told = sources.map(|source| content.value(known, source));
                self.findings.add_at(Kind::CharacterReference, place, told);
            }
            return;
        }
        if is_of_instance && one.name() == "nil" {
            return;
        }
        let values = Some((one.value(), other.value()));
        if self.findings.passes(known, place, values) {
            let ranges = attributes.map(|attribute| attribute.range_value());
            let found = self.texts[1][ranges[1].clone()].to_owned();
            self.skipped.fills.push((ranges[0].clone(), found));
            for (skipped, range) in self.skipped.ranges.iter_mut().zip(ranges) {
                skipped.push(range);
            }
            return;
        }
        let (kind, place) = match known {
            _ if is_type(one) => {
                let names = [0, 1]
                    .map(|side| children::qualified(task.nodes[side], attributes[side].value()));
                let kind = if names[0] == names[1] {
                    Kind::Prefix
                } else {
                    Kind::Type
                };
                (kind, &task.place)
            }
            _ if known.equates(one.value(), other.value()) => (Kind::LexicalForm, place),
            _ => (Kind::Attribute, place),
        };
        let told = [one, other].map(|attribute| match kind {
            Kind::Prefix => content.text(notation::prefix_of(attribute.value())),
            _ => content.value(known, attribute.value()),
        });
        self.findings.add_at(kind, place, told);
    }
}

/// Returns the range of an attribute and of a space before it.
fn with_space(attribute: Attribute<'_, '_>) -> Range<usize> {
    let range = attribute.range();
    range.start - 1..range.end
}

/// Whether the value of an attribute is the name of a type.
fn is_type(attribute: Attribute<'_, '_>) -> bool {
    match attribute.name() {
        "type" => attribute.namespace() == Some(XSI),
        "arrayType" => attribute.namespace() == Some(ENCODINGS[0]),
        "itemType" => attribute.namespace() == Some(ENCODINGS[1]),
        _ => false,
    }
}
