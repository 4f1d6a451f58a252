//! The XML of a sample: elements made from their types, indented, in the namespaces that they have on the wire.

use svcgen_model::{At, ComplexType, Element, Particle, Service, TypeAt};

use super::template::Template;
use crate::types::Types;
use crate::xml::escape;

/// After so many elements, objects are only named: types that hold each other many times over would fill any page.
const MANY: usize = 1_000;

pub(super) struct Markup<'d> {
    service: At<'d, Service<'d>>,
    types: &'d Types<'d>,
    /// That of the service, as attributes carry it.
    namespace: String,
    out: Template,
    depth: usize,
    /// How many elements there are.
    count: usize,
    /// The types whose values are being written.
    within: Vec<&'d str>,
}

/// Where an element stands, as far as its namespace goes.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Whether it is in the namespace of the service.
    qualified: bool,
    /// Whether that has to be said.
    declared: bool,
    /// Whether the elements in it are in the namespace.
    parts: bool,
    /// What else the start tag says, before its type.
    start: &'static str,
}

impl Place {
    /// An element that a message or a header begins with, whose children are in the namespace if `parts`.
    pub fn outermost(parts: bool) -> Self {
        Self {
            qualified: true,
            declared: true,
            parts,
            start: "",
        }
    }

    /// Says this in the start tag.
    pub fn saying(self, start: &'static str) -> Self {
        Self { start, ..self }
    }
}

impl<'d> Markup<'d> {
    pub fn new(service: At<'d, Service<'d>>, types: &'d Types<'d>) -> Self {
        let mut out = Template::default();
        out.text(r#"<?xml version="1.0" encoding="utf-8"?>"#);
        let mut namespace = String::new();
        escape(service.namespace, &mut namespace);
        Self {
            namespace,
            service,
            types,
            out,
            depth: 0,
            count: 0,
            within: Vec::new(),
        }
    }

    pub fn finish(self) -> Template {
        self.out
    }

    /// An element around others, its start tag as it stands.
    pub fn around(&mut self, name: &str, attributes: &str, inside: impl FnOnce(&mut Self)) {
        self.start(name);
        self.out.text(attributes);
        self.inside(name, inside);
    }

    pub fn empty(&mut self, name: &str) {
        self.start(name);
        self.out.text(" />");
    }

    /// An element of the service around others: the wrapper of a request or an answer.
    pub fn wrapper(
        &mut self,
        name: &str,
        place: Place,
        is_empty: bool,
        inside: impl FnOnce(&mut Self, Place),
    ) {
        self.start_at(name, place);
        if is_empty {
            return self.out.text(" />");
        }
        let inner = self.inner(place);
        self.inside(name, |markup| inside(markup, inner));
    }

    /// An element with a text, and a placeholder at its end if there is one.
    pub fn line(&mut self, name: &str, attributes: &str, text: &str, placeholder: &str) {
        self.start(name);
        self.out.text(attributes);
        self.out.text(">");
        self.out.text(text);
        self.out.placeholder(placeholder);
        self.end_inline(name);
    }

    /// The elements of a type; of a choice, one alternative, or all if it may be there more than once.
    pub fn elements(&mut self, complex: At<'d, ComplexType<'d>>, place: Place) {
        for particle in complex.particles() {
            match particle {
                Particle::Element(element) => self.element(element, place),
                Particle::Choice(choice) => {
                    let shown = if choice.repeated { usize::MAX } else { 1 };
                    for alternative in complex.alternatives(choice).take(shown) {
                        self.element(alternative, place);
                    }
                }
            }
        }
    }

    /// An element as often as it may be there: a list has two items.
    pub fn element(&mut self, element: At<'d, Element<'d>>, place: Place) {
        for _ in 0..if element.repeated { 2 } else { 1 } {
            self.one(element.name, element, place);
        }
    }

    /// One element, by another name: a result over HTTP is named by its type.
    pub fn one(&mut self, name: &str, element: At<'d, Element<'d>>, place: Place) {
        match element.type_at() {
            TypeAt::Complex(complex) => self.object(name, complex, place),
            TypeAt::List(item) => {
                self.start_at(name, place);
                let inner = self.inner(place);
                self.inside(name, |markup| {
                    markup.element(item, inner);
                    markup.element(item, inner);
                });
            }
            TypeAt::Simple(_) | TypeAt::Enumeration(_) => {
                self.start_at(name, place);
                self.out.text(">");
                self.placeholder(element);
                self.end_inline(name);
            }
        }
    }

    fn placeholder(&mut self, element: At<'_, Element<'_>>) {
        match element.type_at() {
            TypeAt::Simple(simple) => self.out.placeholder(simple.row().placeholder),
            TypeAt::Enumeration(enumeration) => {
                let names = enumeration.row().values.iter().map(|value| value.name);
                self.out.alternatives(names);
            }
            TypeAt::Complex(_) | TypeAt::List(_) => {}
        }
    }

    fn object(&mut self, name: &str, declared: At<'d, ComplexType<'d>>, place: Place) {
        let members = self.types.members(declared);
        // A type that is not within itself shows more.
        let mut outside = members
            .iter()
            .filter(|member| !self.within.contains(&member.name));
        let complex = outside
            .next()
            .or(members.first())
            .copied()
            .unwrap_or(declared);
        self.start(name);
        self.declare_type(
            place,
            (complex.name != declared.name).then_some(complex.name),
        );
        for attribute in complex.attributes() {
            self.attribute(attribute);
        }
        self.declare_namespace(place);
        if let Some(text) = complex.text() {
            self.out.text(">");
            self.placeholder(text);
            return self.end_inline(name);
        }
        if complex.elements.is_empty() {
            return self.out.text(" />");
        }
        if self.count > MANY || self.within.contains(&complex.name) {
            self.out.text("><!-- ");
            self.out.placeholder(complex.name);
            self.out.text(" -->");
            return self.end_inline(name);
        }
        let inner = self.inner(place);
        self.within.push(complex.name);
        self.inside(name, |markup| markup.elements(complex, inner));
        self.within.pop();
    }

    fn attribute(&mut self, attribute: At<'_, Element<'_>>) {
        self.out.text(" ");
        self.out.text(attribute.name);
        self.out.text("=\"");
        self.placeholder(attribute);
        self.out.text("\"");
    }

    /// The place of an element in one at this place.
    fn inner(&self, outer: Place) -> Place {
        Place {
            qualified: outer.parts,
            declared: outer.parts != outer.qualified,
            parts: self.service.is_qualified(),
            start: "",
        }
    }

    fn start(&mut self, name: &str) {
        self.count += 1;
        self.new_line();
        self.out.text("<");
        self.out.text(name);
    }

    /// What a start tag says of its type: before its attributes.
    fn declare_type(&mut self, place: Place, derived: Option<&str>) {
        self.out.text(place.start);
        match derived {
            None => {}
            Some(name) if place.qualified => self.out.text(&format!(r#" xsi:type="{name}""#)),
            // Without a default namespace the name of the type needs a prefix.
            Some(name) => {
                let namespace = &self.namespace;
                self.out
                    .text(&format!(r#" xsi:type="q1:{name}" xmlns:q1="{namespace}""#));
            }
        }
    }

    /// What a start tag says of its namespace: behind its attributes.
    fn declare_namespace(&mut self, place: Place) {
        if place.declared {
            let namespace = if place.qualified {
                self.namespace.as_str()
            } else {
                ""
            };
            self.out.text(&format!(r#" xmlns="{namespace}""#));
        }
    }

    /// A start tag without attributes of its own, but for its end.
    fn start_at(&mut self, name: &str, place: Place) {
        self.start(name);
        self.declare_type(place, None);
        self.declare_namespace(place);
    }

    fn inside(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        self.out.text(">");
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.new_line();
        self.end_inline(name);
    }

    fn end_inline(&mut self, name: &str) {
        self.out.text("</");
        self.out.text(name);
        self.out.text(">");
    }

    fn new_line(&mut self) {
        self.out.text("\n");
        self.out.text(&"  ".repeat(self.depth));
    }
}
