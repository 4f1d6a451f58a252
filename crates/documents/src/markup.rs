//! Samples in XML: elements generated from their types, in their namespaces on the wire.

pub(crate) mod encoded;

use svcgen_model::{
    At, ComplexType, Element, ElementForm, Operation, Particle, SAMPLE_ITEMS, SampleExtent,
    Service, Style, TypeAt, Types, renamed,
};

use crate::template::Template;
use crate::xml::Xml;

/// The namespace of `xml:lang`, whose prefix is always declared.
pub(crate) const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// The namespaces that the root of an object or a list declares besides its own.
const SCHEMA: [(&str, &str); 2] = [
    ("xmlns:xsd", "http://www.w3.org/2001/XMLSchema"),
    ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
];

/// A namespace, and the form of the elements that are declared in it.
type Declared<'d> = (&'d str, ElementForm);

/// Attributes of a start tag.
pub(crate) type Attributes<'a> = &'a [(&'a str, &'a str)];

/// Generates the samples of a service.
#[derive(Debug)]
pub struct Samples<'d> {
    pub(crate) service: At<'d, Service<'d>>,
    pub(crate) types: Types<'d>,
    /// The path in requests, percent-encoded.
    pub(crate) path: &'d str,
}

impl<'d> Samples<'d> {
    /// Creates samples of a service at the path of its definition.
    pub fn new(service: At<'d, Service<'d>>) -> Self {
        Self::at(service, service.row().path)
    }

    /// Creates samples of a service at another path.
    pub fn at(service: At<'d, Service<'d>>, path: &'d str) -> Self {
        Self {
            service,
            types: Types::of(service),
            path,
        }
    }

    /// A new document for a sample.
    pub(crate) fn markup(&'d self) -> Markup<'d> {
        Markup::new(self.service, &self.types)
    }

    /// The context of a global element of the service.
    pub(crate) fn outermost(&self) -> ElementContext<'d> {
        let (namespace, _) = self.service.scope();
        inner("", (namespace, ElementForm::Qualified))
    }

    /// A result as a document, whose root is in a namespace, with types in this scope.
    pub(crate) fn result(
        &'d self,
        operation: At<'d, Operation<'d>>,
        result: At<'d, Element<'d>>,
        namespace: &'d str,
        scope: Declared<'d>,
    ) -> Template {
        let mut markup = self.markup();
        markup.scope = scope;
        let mut place = inner("", scope);
        if result.type_ref.declares_schema() {
            place.start = &SCHEMA;
        }
        markup.root((namespace, operation.row().root), result, place);
        markup.finish()
    }
}

pub(crate) struct Markup<'d> {
    service: At<'d, Service<'d>>,
    /// The scope of types without one of their own.
    scope: Declared<'d>,
    types: &'d Types<'d>,
    xml: Xml,
    extent: SampleExtent<'d>,
    /// The names of lists in lists, each after the one over SOAP, if they differ.
    list_names: &'d [(&'d str, &'d str)],
}

/// The context of an element, and the start of its tag.
#[derive(Clone, Copy)]
pub(crate) struct ElementContext<'d> {
    /// The default namespace around it; empty for none.
    default: &'d str,
    /// The namespace of the declaring type, and the form of that type's elements.
    declared: Declared<'d>,
    /// The style of the message, if the element is a part of one.
    style: Style,
    /// The other attributes, before `xsi:type`.
    start: Attributes<'static>,
}

impl ElementContext<'_> {
    /// Adds attributes to the start tag.
    pub fn with_attributes(self, start: Attributes<'static>) -> Self {
        Self { start, ..self }
    }
}

impl<'d> Markup<'d> {
    pub fn new(service: At<'d, Service<'d>>, types: &'d Types<'d>) -> Self {
        Self {
            service,
            scope: service.row().scope(),
            types,
            xml: Xml::document(),
            extent: SampleExtent::default(),
            list_names: &[],
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

    /// Writes the element of a message around others.
    pub fn wrapper(
        &mut self,
        message: At<'d, ComplexType<'d>>,
        style: Style,
        inside: impl FnOnce(&mut Self, ElementContext<'d>),
    ) {
        let declared = message.scope.within(self.scope);
        self.start(message.name, &[]);
        self.declare_namespace(declared.0, "");
        let place = ElementContext {
            style,
            ..inner(declared.0, declared)
        };
        inside(self, place);
        self.xml.end();
    }

    /// Writes an element around a text and a placeholder; an empty placeholder is omitted.
    pub fn line(&mut self, name: &str, attributes: Attributes<'_>, text: &str, placeholder: &str) {
        self.start(name, attributes);
        self.xml.end_with(|out| {
            out.escaped(text);
            out.placeholder(placeholder);
        });
    }

    /// Writes the elements of a type; for a choice, the first alternative, or all if it is
    /// repeated; a repeated sequence twice.
    pub fn elements(&mut self, complex: At<'d, ComplexType<'d>>, place: ElementContext<'d>) {
        complex
            .particles()
            .for_each(|particle| self.particle(complex, particle, place));
    }

    fn particle(
        &mut self,
        complex: At<'d, ComplexType<'d>>,
        particle: Particle<'d>,
        place: ElementContext<'d>,
    ) {
        let group = match particle {
            Particle::Element(element) => return self.element(element, place),
            Particle::Group(group) => group,
        };
        let (times, shown) = match (group.is_sequence(), group.repeated) {
            (true, true) => (SAMPLE_ITEMS, usize::MAX),
            (true, false) | (false, true) => (1, usize::MAX),
            (false, false) => (1, 1),
        };
        for _ in 0..times {
            let shown = complex.particles_of(group).take(shown);
            shown.for_each(|particle| self.particle(complex, particle, place));
        }
    }

    /// Writes an element, twice if it is repeated.
    pub fn element(&mut self, element: At<'d, Element<'d>>, place: ElementContext<'d>) {
        if element.wildcard.is_some() {
            return self.xml.line_of(|out| put_placeholder(out, element));
        }
        if element.characters {
            return self.xml.characters(|out| put_placeholder(out, element));
        }
        for _ in 0..if element.repeated { SAMPLE_ITEMS } else { 1 } {
            self.one(element, place);
        }
    }

    /// Writes an element once.
    pub fn one(&mut self, element: At<'d, Element<'d>>, place: ElementContext<'d>) {
        let namespace = element.form.of_element(place.declared);
        let name = match element.type_at() {
            TypeAt::List(_) => renamed(self.list_names, element.name),
            _ => element.name,
        };
        self.named(name, namespace, element, place);
    }

    /// Writes a result that is named after its type.
    fn root(
        &mut self,
        (namespace, name): (&'d str, &str),
        result: At<'d, Element<'d>>,
        place: ElementContext<'d>,
    ) {
        if result.type_ref.is_document() {
            return self.xml.line_of(|out| put_placeholder(out, result));
        }
        self.list_names = self.service.row().list_names;
        self.named(name, namespace, result, place);
    }

    fn named(
        &mut self,
        name: &str,
        namespace: &'d str,
        element: At<'d, Element<'d>>,
        place: ElementContext<'d>,
    ) {
        if let TypeAt::Complex(complex) = element.type_at() {
            return self.object(name, namespace, complex, place);
        }
        self.start(name, place.start);
        self.declare_namespace(namespace, place.default);
        let TypeAt::List(item) = element.type_at() else {
            return self.xml.end_with(|out| put_placeholder(out, element));
        };
        let declared = place.style.of_lists(place.declared, self.scope);
        for _ in 0..SAMPLE_ITEMS {
            self.element(item, inner(namespace, declared));
        }
        self.xml.end();
    }

    fn object(
        &mut self,
        name: &str,
        namespace: &'d str,
        declared: At<'d, ComplexType<'d>>,
        place: ElementContext<'d>,
    ) {
        let complex = self.extent.chosen(self.types.members(declared));
        let complex = complex.unwrap_or(declared);
        self.start(name, place.start);
        let scope = complex.scope.within(self.scope);
        if complex != declared {
            self.declare_type(complex.name, scope.0, namespace);
        }
        self.attributes(complex, scope.0);
        self.declare_namespace(namespace, place.default);
        if let Some(text) = complex.text() {
            return self.xml.end_with(|out| put_placeholder(out, text));
        }
        if !self.extent.has_room_for(complex) && !complex.elements.is_empty() {
            return self.xml.end_with(|out| {
                out.text("<!-- ");
                out.placeholder(complex.name);
                out.text(" -->");
            });
        }
        self.extent.enter(complex);
        self.elements(complex, inner(namespace, scope));
        self.extent.leave();
        self.xml.end();
    }

    /// Writes attributes; those in a namespace have prefixes, which are declared after them.
    fn attributes(&mut self, complex: At<'d, ComplexType<'d>>, own: &'d str) {
        let mut prefixes: Vec<&str> = Vec::new();
        let attributes = complex.attributes();
        for attribute in attributes.filter(|attribute| attribute.wildcard.is_none()) {
            let name = match attribute.form.of_attribute(own) {
                "" => attribute.name.to_owned(),
                XML => format!("xml:{}", attribute.name),
                namespace => {
                    let known = prefixes.iter().position(|known| *known == namespace);
                    let number = known.unwrap_or_else(|| {
                        prefixes.push(namespace);
                        prefixes.len() - 1
                    });
                    format!("p{}:{}", number + 1, attribute.name)
                }
            };
            self.xml
                .attribute(&name, |out| put_placeholder(out, attribute));
        }
        for (number, namespace) in (1..).zip(prefixes) {
            self.xml
                .attribute(&format!("xmlns:p{number}"), |out| out.escaped(namespace));
        }
    }

    fn start(&mut self, name: &str, attributes: Attributes<'_>) {
        self.extent.count();
        self.xml.start(name, attributes);
    }

    /// Writes the name of a type, with a prefix unless it is in the default namespace, that of its
    /// element.
    fn declare_type(&mut self, name: &str, namespace: &str, default: &str) {
        if namespace == default {
            return self.xml.attribute("xsi:type", |out| out.text(name));
        }
        self.xml
            .attribute("xsi:type", |out| out.text(&format!("q1:{name}")));
        self.xml.attribute("xmlns:q1", |out| out.escaped(namespace));
    }

    fn declare_namespace(&mut self, namespace: &str, default: &str) {
        if namespace != default {
            self.xml.attribute("xmlns", |out| out.escaped(namespace));
        }
    }
}

/// The context of an element that a type declares, in an element of this namespace.
fn inner<'d>(namespace: &'d str, declared: Declared<'d>) -> ElementContext<'d> {
    ElementContext {
        default: namespace,
        declared,
        style: Style::Document,
        start: &[],
    }
}

fn put_placeholder(out: &mut Template, element: At<'_, Element<'_>>) {
    if matches!(element.type_at(), TypeAt::Simple(simple) if simple.is_data_set()) {
        out.text("<schema xmlns=\"http://www.w3.org/2001/XMLSchema\">");
        out.placeholder("schema");
        out.text("</schema>");
    }
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
        TypeAt::Complex(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => {}
    }
}
