//! The XML of a sample: elements made from their types, in their namespaces on the wire.

use svcgen_model::{At, ComplexType, Element, Particle, Service, TypeAt};

use crate::template::Template;
use crate::types::Types;
use crate::xml::Xml;

/// After this many elements, objects are only named: the samples of types that contain each other grow exponentially.
const MANY: usize = 1_000;

/// Objects in as many others are only named: each level indents all that is in it.
const MOST_NESTED: usize = 32;

/// Attributes of a start tag.
pub(crate) type Attributes<'a> = &'a [(&'a str, &'a str)];

/// Makes the samples of a service.
#[derive(Debug)]
pub struct Samples<'d> {
    pub(crate) service: At<'d, Service<'d>>,
    pub(crate) types: Types<'d>,
}

impl<'d> Samples<'d> {
    /// Makes samples of a service.
    pub fn new(service: At<'d, Service<'d>>) -> Self {
        let types = Types::of(service);
        Self { service, types }
    }

    /// A new document for a sample.
    pub(crate) fn markup(&'d self) -> Markup<'d> {
        Markup::new(self.service, &self.types)
    }

    /// The place of a global element, which declares the namespace of the service.
    pub(crate) fn outermost(&self) -> Place {
        Place::outermost(self.service.is_qualified())
    }
}

pub(crate) struct Markup<'d> {
    service: At<'d, Service<'d>>,
    types: &'d Types<'d>,
    xml: Xml,
    /// The number of elements so far.
    count: usize,
    /// The types of the objects being written.
    within: Vec<&'d str>,
}

/// The namespace of an element, and how its start tag begins.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Whether it is in the namespace of the service.
    qualified: bool,
    /// Whether it declares its namespace as the default.
    declared: bool,
    /// Whether the elements in it are in the namespace of the service.
    parts: bool,
    /// The other attributes, before `xsi:type`.
    start: Attributes<'static>,
}

impl Place {
    /// The place of a global element, whose children are in the namespace of the service if `parts`.
    pub fn outermost(parts: bool) -> Self {
        Self {
            qualified: true,
            declared: true,
            parts,
            start: &[],
        }
    }

    /// Adds attributes to the start tag.
    pub fn with_attributes(self, start: Attributes<'static>) -> Self {
        Self { start, ..self }
    }
}

impl<'d> Markup<'d> {
    pub fn new(service: At<'d, Service<'d>>, types: &'d Types<'d>) -> Self {
        Self {
            service,
            types,
            xml: Xml::document(),
            count: 0,
            within: Vec::new(),
        }
    }

    pub fn finish(self) -> Template {
        self.xml.finish()
    }

    /// Writes an element around others.
    pub fn around(
        &mut self,
        name: &str,
        attributes: Attributes<'_>,
        inside: impl FnOnce(&mut Self),
    ) {
        self.start(name, attributes);
        inside(self);
        self.xml.end();
    }

    /// Writes an element of the service around others.
    pub fn wrapper(&mut self, name: &str, place: Place, inside: impl FnOnce(&mut Self, Place)) {
        self.start(name, place.start);
        self.declare_namespace(place);
        inside(self, self.inner(place));
        self.xml.end();
    }

    /// Writes an element around a text and a placeholder; an empty placeholder is none.
    pub fn line(&mut self, name: &str, attributes: Attributes<'_>, text: &str, placeholder: &str) {
        self.start(name, attributes);
        self.xml.end_with(|out| {
            out.escaped(text);
            out.placeholder(placeholder);
        });
    }

    /// Writes the elements of a type; of a choice, the first alternative, or all if it is repeated.
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

    /// Writes an element, twice if it is repeated.
    pub fn element(&mut self, element: At<'d, Element<'d>>, place: Place) {
        if element.wildcard.is_some() {
            return self.xml.line_of(|out| put_placeholder(out, element));
        }
        for _ in 0..if element.repeated { 2 } else { 1 } {
            self.one(element.name, element, place);
        }
    }

    /// Writes an element once, under this name: a result over HTTP is named by its type.
    pub fn one(&mut self, name: &str, element: At<'d, Element<'d>>, place: Place) {
        match element.type_at() {
            TypeAt::Complex(complex) => self.object(name, complex, place),
            TypeAt::List(item) => self.wrapper(name, place, |markup, inner| {
                markup.element(item, inner);
                markup.element(item, inner);
            }),
            TypeAt::Simple(_) | TypeAt::Enumeration(_) => {
                self.start(name, place.start);
                self.declare_namespace(place);
                self.xml.end_with(|out| put_placeholder(out, element));
            }
        }
    }

    fn object(&mut self, name: &str, declared: At<'d, ComplexType<'d>>, place: Place) {
        let mut members = self.types.members(declared).peekable();
        let first = members.peek().copied();
        // A type that is not being written already shows more.
        let outside = members.find(|member| !self.within.contains(&member.name));
        let complex = outside.or(first).unwrap_or(declared);
        self.start(name, place.start);
        if complex.name != declared.name {
            self.declare_type(complex.name, place);
        }
        let attributes = complex.attributes();
        for attribute in attributes.filter(|attribute| attribute.wildcard.is_none()) {
            self.xml
                .attribute(attribute.name, |out| put_placeholder(out, attribute));
        }
        self.declare_namespace(place);
        if let Some(text) = complex.text() {
            return self.xml.end_with(|out| put_placeholder(out, text));
        }
        let is_too_much = self.count > MANY
            || self.within.len() >= MOST_NESTED
            || self.within.contains(&complex.name);
        if is_too_much && !complex.elements.is_empty() {
            return self.xml.end_with(|out| {
                out.text("<!-- ");
                out.placeholder(complex.name);
                out.text(" -->");
            });
        }
        self.within.push(complex.name);
        self.elements(complex, self.inner(place));
        self.within.pop();
        self.xml.end();
    }

    /// The place of an element in an element at this place.
    fn inner(&self, outer: Place) -> Place {
        Place {
            qualified: outer.parts,
            declared: outer.parts != outer.qualified,
            parts: self.service.is_qualified(),
            start: &[],
        }
    }

    fn start(&mut self, name: &str, attributes: Attributes<'_>) {
        self.count += 1;
        self.xml.start(name, attributes);
    }

    fn declare_type(&mut self, name: &str, place: Place) {
        if place.qualified {
            return self.xml.attribute("xsi:type", |out| out.text(name));
        }
        // Without a default namespace the name of the type needs a prefix.
        let namespace = self.service.namespace;
        self.xml
            .attribute("xsi:type", |out| out.text(&format!("q1:{name}")));
        self.xml.attribute("xmlns:q1", |out| out.escaped(namespace));
    }

    fn declare_namespace(&mut self, place: Place) {
        if place.declared {
            let namespace = if place.qualified {
                self.service.namespace
            } else {
                ""
            };
            self.xml.attribute("xmlns", |out| out.escaped(namespace));
        }
    }
}

fn put_placeholder(out: &mut Template, element: At<'_, Element<'_>>) {
    put_value(out, element);
    if element.texts {
        out.text(" ");
        put_value(out, element);
    }
}

fn put_value(out: &mut Template, element: At<'_, Element<'_>>) {
    match element.type_at() {
        TypeAt::Simple(simple) => out.placeholder(simple.row().placeholder),
        TypeAt::Enumeration(enumeration) => {
            out.alternatives(enumeration.row().values.iter().map(|value| value.name));
        }
        TypeAt::Complex(_) | TypeAt::List(_) => {}
    }
}
