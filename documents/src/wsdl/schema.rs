//! The schema of a service: the elements of messages, each followed by the types that were not written before.

use std::collections::{HashMap, HashSet};
use std::iter::successors;

use svcgen_model::{
    At, ComplexType, Element, Enumeration, Operation, Particle, Service, SimpleType, TypeAt,
    TypeRef, array_name,
};

use super::names::numbered;
use super::{Prefixes, Shape, WsdlOptions};
use crate::types::{Types, header_elements};
use crate::xml::Xml;

/// A schema being written.
pub(super) struct Schema<'a> {
    types: Types<'a>,
    options: WsdlOptions,
    prefixes: Prefixes,
    /// The names of the types that the service defines.
    defined: HashSet<&'a str>,
    /// The types of headers, those without a base.
    headers: HashSet<&'a str>,
    /// The items of the types of lists, by the name of the type.
    arrays: HashMap<String, At<'a, Element<'a>>>,
    /// The global elements with their types; `None` for the wrapper of parameters or of a result.
    elements: HashMap<&'a str, Option<TypeAt<'a>>>,
    /// The types whose lists have names.
    visited: HashSet<&'a str>,
    written: HashSet<String>,
    /// Whether a value of any type was written.
    has_objects: bool,
    /// The types that the last element or type refers to, yet to be written.
    referred: Vec<TypeAt<'a>>,
    /// The types of Microsoft's namespace that are referred to.
    pub microsoft: HashSet<SimpleType>,
    /// The declarations and definitions so far.
    pub xml: Xml,
}

impl<'a> Schema<'a> {
    pub fn new(service: At<'a, Service<'a>>, options: WsdlOptions, prefixes: Prefixes) -> Self {
        let types = Types::of(service);
        let headers = service.operations().flat_map(header_elements);
        let headers = headers.filter_map(|header| match header.type_at() {
            TypeAt::Complex(complex) => successors(Some(complex), |complex| complex.base()).last(),
            _ => None,
        });
        Self {
            options,
            prefixes,
            defined: types.definitions().map(TypeAt::name).collect(),
            types,
            headers: headers.map(|complex| complex.name).collect(),
            arrays: HashMap::new(),
            elements: HashMap::new(),
            visited: HashSet::new(),
            written: HashSet::new(),
            has_objects: false,
            referred: Vec::new(),
            microsoft: HashSet::new(),
            xml: Xml::part(3),
        }
    }

    /// Names the types of lists in these elements and their types, in the order in which .NET imports them: types of items before those of their lists, members of
    /// a type before what follows it.
    pub fn name_arrays(&mut self, elements: impl IntoIterator<Item = At<'a, Element<'a>>>) {
        enum Step<'a> {
            Visit(TypeAt<'a>),
            Name(At<'a, Element<'a>>),
        }
        let visit = |element: At<'a, Element<'a>>| Step::Visit(element.type_at());
        let mut steps: Vec<_> = elements.into_iter().map(visit).collect();
        steps.reverse();
        while let Some(step) = steps.pop() {
            match step {
                Step::Name(item) => _ = self.array_name(item),
                Step::Visit(TypeAt::List(item)) => {
                    steps.extend([Step::Name(item), Step::Visit(item.type_at())]);
                }
                Step::Visit(TypeAt::Complex(complex)) if self.visited.insert(complex.name) => {
                    let derived = self.types.derived(complex).map(TypeAt::Complex);
                    steps.extend(derived.map(Step::Visit));
                    let members = steps.len();
                    steps.extend(complex.elements().map(visit));
                    steps[members..].reverse();
                }
                Step::Visit(_) => {}
            }
        }
    }

    /// Writes the elements of an operation's SOAP messages.
    pub fn messages(&mut self, operation: At<'a, Operation<'a>>) {
        if operation.is_bare() {
            let results = operation.results().filter(|_| !operation.one_way);
            for part in operation.parameters().elements().chain(results) {
                self.global(part.row().name, part, part.is_nillable());
            }
        } else if !operation.is_rpc() {
            let parameters = operation.parameters();
            let is_empty = parameters.elements.is_empty();
            self.wrapper(parameters.name, is_empty, |schema| {
                schema.particles(parameters)
            });
            if !operation.one_way {
                let response = operation.response();
                let is_empty = operation.results().next().is_none();
                self.wrapper(response.row().name, is_empty, |schema| {
                    match operation.result() {
                        Some(result) if !operation.has_results() => schema.result(result),
                        _ => schema.particles(response),
                    }
                });
            }
        }
        for element in header_elements(operation).chain(operation.faults()) {
            self.global(element.name, element, false);
        }
    }

    /// Writes the type of a message part in rpc style and returns its name.
    pub fn part_type(&mut self, element: At<'a, Element<'a>>) -> String {
        let name = self.type_of(element.type_at());
        self.follow();
        name
    }

    /// Writes the root element of a result over HTTP GET and POST. Returns whether the element of that name is of the result's type:
    /// the name may be taken.
    pub fn root(&mut self, name: &'a str, result: At<'a, Element<'a>>) -> bool {
        let nillable = !result.is_by_value();
        self.global(name, result, nillable);
        let known = self.elements.get(name).copied().flatten();
        known.is_some_and(|known| is_same_type(known, result.type_at()))
    }

    /// Writes the wrapper element of parameters or of a result.
    fn wrapper(&mut self, name: &'a str, is_empty: bool, content: impl FnOnce(&mut Self)) {
        if self.elements.contains_key(name) {
            return;
        }
        self.elements.insert(name, None);
        self.xml.start("s:element", &[("name", name)]);
        self.xml.start("s:complexType", &[]);
        if !is_empty || self.options.shape == Shape::Portable {
            self.sequence(content);
        }
        self.xml.end();
        self.xml.end();
        self.follow();
    }

    /// Writes a global element, unless its name is taken.
    fn global(&mut self, name: &'a str, element: At<'a, Element<'a>>, nillable: bool) {
        if self.elements.contains_key(name) {
            return;
        }
        self.elements.insert(name, Some(element.type_at()));
        self.named(&[("name", name)], nillable, element);
        self.follow();
    }

    /// Writes the types referred to, each before the types that it refers to.
    fn follow(&mut self) {
        let mut open: Vec<_> = self.referred.drain(..).rev().collect();
        while let Some(referred) = open.pop() {
            let name = match referred {
                TypeAt::List(item) => self.array_name(item),
                _ => referred.name().to_owned(),
            };
            if self.written.insert(name.clone()) {
                match referred {
                    TypeAt::Complex(complex) => self.complex_type(complex),
                    TypeAt::Enumeration(enumeration) => self.enumeration(enumeration),
                    TypeAt::List(item) => self.array(&name, item),
                    TypeAt::Simple(_) => {}
                }
                open.extend(self.referred.drain(..).rev());
            }
        }
    }

    fn array(&mut self, name: &str, item: At<'a, Element<'a>>) {
        self.xml.start("s:complexType", &[("name", name)]);
        self.sequence(|schema| schema.element(item, occurrence(true, true)));
        self.xml.end();
    }

    fn complex_type(&mut self, complex: At<'a, ComplexType<'a>>) {
        let mut attributes = vec![("name", complex.name)];
        if complex.is_abstract {
            attributes.push(("abstract", "true"));
        }
        let is_xml = |text: At<'_, Element<'_>>| !text.type_ref.is_simple();
        if complex.own_text().is_some_and(is_xml) {
            attributes.push(("mixed", "true"));
        }
        self.xml.start("s:complexType", &attributes);
        self.annotation(complex.documentation());
        let base = complex.base().map(TypeAt::Complex);
        let base = base.map(|base| self.type_of(base));
        let text = complex.own_text().filter(|text| !is_xml(*text));
        let text = text.map(|text| self.type_of(text.type_at()));
        if let Some(base) = base.or(text) {
            let (name, attributes): (_, &[_]) = if complex.text().is_some_and(is_xml) {
                ("s:complexContent", &[("mixed", "true")])
            } else if complex.text.is_some() {
                ("s:simpleContent", &[])
            } else {
                ("s:complexContent", &[("mixed", "false")])
            };
            self.xml.start(name, attributes);
            self.xml.start("s:extension", &[("base", &base)]);
            self.content(complex);
            self.xml.end();
            self.xml.end();
        } else {
            self.content(complex);
        }
        self.xml.end();
        let derived = self.types.derived(complex);
        let direct = derived.filter(|derived| derived.base() == Some(complex));
        self.referred.extend(direct.map(TypeAt::Complex));
    }

    fn content(&mut self, complex: At<'a, ComplexType<'a>>) {
        // After the attributes (XML Schema 1.0 §3.4.2).
        let mut any_attributes = Vec::new();
        let mixed = complex.own_text().filter(|text| !text.type_ref.is_simple());
        if complex.own_particles().next().is_some() || mixed.is_some() {
            self.sequence(|schema| {
                schema.particles(complex);
                if let Some(text) = mixed {
                    schema.any("s:any", &occurrence(true, true), "##any", text);
                }
            });
        }
        for attribute in complex.own_attributes() {
            if let Some(namespaces) = attribute.wildcard {
                any_attributes.push((namespaces, attribute));
                continue;
            }
            let type_name = self.type_of(attribute.type_at());
            let mut written = vec![("name", attribute.name)];
            let is_list = attribute.texts && !self.is_type_of_items(attribute);
            if !is_list {
                written.push(("type", &type_name));
            }
            if !attribute.is_omitted() {
                written.push(("use", "required"));
            }
            self.xml.start("s:attribute", &written);
            self.annotation(attribute.documentation());
            if is_list {
                self.list_of(&type_name);
            }
            self.xml.end();
        }
        // .NET's base class of headers stands for `mustUnderstand`, `actor` and `role`.
        if self.headers.contains(complex.name) && any_attributes.is_empty() {
            self.xml.empty("s:anyAttribute", &[]);
        }
        for (namespaces, wildcard) in any_attributes {
            self.any("s:anyAttribute", &[], namespaces, wildcard);
        }
    }

    fn enumeration(&mut self, enumeration: At<'a, Enumeration<'a>>) {
        self.xml
            .start("s:simpleType", &[("name", enumeration.name)]);
        self.annotation(enumeration.documentation());
        if enumeration.flags {
            self.xml.start("s:list", &[]);
            self.xml.start("s:simpleType", &[]);
        }
        self.xml.start("s:restriction", &[("base", "s:string")]);
        for value in enumeration.values() {
            self.xml.start("s:enumeration", &[("value", value.name)]);
            self.annotation(value.documentation());
            self.xml.end();
        }
        if enumeration.flags {
            self.xml.end();
            self.xml.end();
        }
        self.xml.end();
        self.xml.end();
    }

    fn sequence(&mut self, content: impl FnOnce(&mut Self)) {
        self.xml.start("s:sequence", &[]);
        content(self);
        self.xml.end();
    }

    fn particles(&mut self, complex: At<'a, ComplexType<'a>>) {
        for particle in complex.own_particles() {
            match particle {
                Particle::Element(element) => self.declared(element),
                Particle::Choice(choice) => {
                    let occurrence = occurrence(choice.optional, choice.repeated);
                    self.xml.start("s:choice", &occurrence);
                    self.annotation(choice.documentation());
                    for alternative in complex.alternatives(choice) {
                        self.declared(alternative);
                    }
                    self.xml.end();
                }
            }
        }
    }

    /// Writes an element of a type. In the original's shape, `minOccurs` is 0 wherever .NET writes nothing for null.
    fn declared(&mut self, element: At<'a, Element<'a>>) {
        let may_be_absent = self.options.shape == Shape::Original && is_absent_as_null(element);
        let occurrence = occurrence(element.is_omitted() || may_be_absent, element.repeated);
        self.element(element, occurrence);
    }

    /// Writes the element of a result, with `minOccurs="0"` wherever .NET writes nothing for null.
    fn result(&mut self, result: At<'a, Element<'a>>) {
        let may_be_absent = result.is_omitted() || is_absent_as_null(result);
        self.element(result, occurrence(may_be_absent, result.repeated));
    }

    fn element(&mut self, element: At<'a, Element<'a>>, [least, most]: Occurrence) {
        if let Some(namespaces) = element.wildcard {
            return self.any("s:any", &[least, most], namespaces, element);
        }
        let start = [least, most, ("name", element.name)];
        self.named(&start, element.is_nillable(), element);
    }

    /// Writes an element, with these attributes first.
    fn named(&mut self, start: &[(&str, &str)], nillable: bool, element: At<'a, Element<'a>>) {
        let is_xml = matches!(element.type_ref, TypeRef::Simple(simple) if simple.is_xml());
        let mut attributes = start.to_vec();
        if nillable {
            attributes.push(("nillable", "true"));
        }
        let is_object = element.type_ref == TypeRef::Simple(SimpleType::AnyType);
        let is_xml = is_xml && !is_object;
        let type_name = self.type_of(element.type_at());
        if !is_xml && !is_object && !element.texts {
            attributes.push(("type", &type_name));
        }
        self.xml.start("s:element", &attributes);
        self.annotation(element.documentation());
        if is_xml {
            self.anything();
        } else if element.texts {
            self.list_of(&type_name);
        }
        self.xml.end();
    }

    /// Writes a wildcard. Elements of the service's namespace beside it would make the schema ambiguous (XML Schema 1.0 §3.8.6), so that the portable shape leaves them out of it.
    fn any(
        &mut self,
        tag: &str,
        start: &[(&str, &str)],
        namespaces: &str,
        wildcard: At<'a, Element<'a>>,
    ) {
        let is_portable = self.options.shape == Shape::Portable;
        let namespaces = match namespaces {
            "##any" => "",
            "" if is_portable && tag == "s:any" => "##other",
            _ => namespaces,
        };
        let mut attributes = start.to_vec();
        attributes.extend((!namespaces.is_empty()).then_some(("namespace", namespaces)));
        attributes.extend(is_portable.then_some(("processContents", "lax")));
        self.xml.start(tag, &attributes);
        self.annotation(wildcard.documentation());
        self.xml.end();
    }

    /// Whether a list of values is described by the type of its items: the original does so with enumerations.
    fn is_type_of_items(&self, element: At<'a, Element<'a>>) -> bool {
        let is_enumeration = matches!(element.type_ref, TypeRef::Enumeration(_));
        is_enumeration && self.options.shape == Shape::Original
    }

    /// Writes an anonymous type of values divided by blanks.
    fn list_of(&mut self, type_name: &str) {
        self.xml.nested(&[
            ("s:simpleType", &[]),
            ("s:list", &[("itemType", type_name)]),
        ]);
    }

    /// Writes an anonymous type of any content.
    fn anything(&mut self) {
        let any = [
            ("minOccurs", "0"),
            ("maxOccurs", "unbounded"),
            ("processContents", "lax"),
        ];
        let any = match self.options.shape {
            Shape::Original => &any[..0],
            Shape::Portable => &any,
        };
        self.xml.nested(&[
            ("s:complexType", &[("mixed", "true")]),
            ("s:sequence", &[]),
            ("s:any", any),
        ]);
    }

    fn annotation(&mut self, words: Option<&str>) {
        let wanted = self.options.shape == Shape::Portable && self.options.documentation;
        if let Some(words) = words.filter(|_| wanted) {
            self.xml.element("s:annotation", &[], |xml| {
                xml.text("s:documentation", words)
            });
        }
    }

    /// The prefixed name of a type, which is queued to be written.
    fn type_of(&mut self, type_at: TypeAt<'a>) -> String {
        match type_at {
            TypeAt::Simple(SimpleType::AnyType) => {
                // A value may be of any type.
                if !std::mem::replace(&mut self.has_objects, true) {
                    self.referred.extend(self.types.definitions());
                }
                "s:anyType".to_owned()
            }
            TypeAt::Simple(simple) if simple.is_xml() => "s:anyType".to_owned(),
            TypeAt::Simple(simple) if simple.row().microsoft.is_some() => {
                self.microsoft.insert(simple);
                format!("{}:{}", self.prefixes.microsoft, simple.name())
            }
            TypeAt::Simple(simple) => format!("s:{}", simple.name()),
            TypeAt::Complex(_) | TypeAt::Enumeration(_) => {
                self.referred.push(type_at);
                format!("tns:{}", type_at.name())
            }
            TypeAt::List(item) => {
                self.referred.push(type_at);
                format!("tns:{}", self.array_name(item))
            }
        }
    }

    /// The name of the type of a list, with a number if the name is taken.
    fn array_name(&mut self, item: At<'a, Element<'a>>) -> String {
        let name = array_name(&item_name(item));
        let name = numbered(name, |name| match self.arrays.get(name) {
            Some(known) => is_same_item(*known, item),
            None => !self.defined.contains(name.as_str()),
        });
        self.arrays.insert(name.clone(), item);
        name
    }
}

type Occurrence = [(&'static str, &'static str); 2];

fn occurrence(optional: bool, repeated: bool) -> Occurrence {
    let least = if optional || repeated { "0" } else { "1" };
    let most = if repeated { "unbounded" } else { "1" };
    [("minOccurs", least), ("maxOccurs", most)]
}

/// Whether .NET holds the value by reference and writes no element for null.
fn is_absent_as_null(element: At<'_, Element<'_>>) -> bool {
    !element.is_nillable() && !element.is_by_value()
}

/// Whether two list items are equal. Their rows may differ: an included module has its own.
fn is_same_item(one: At<'_, Element<'_>>, other: At<'_, Element<'_>>) -> bool {
    one.name == other.name
        && one.absence == other.absence
        && is_same_type(one.type_at(), other.type_at())
}

fn is_same_type(one: TypeAt<'_>, other: TypeAt<'_>) -> bool {
    match (one, other) {
        (TypeAt::List(one), TypeAt::List(other)) => is_same_item(one, other),
        _ => one == other,
    }
}

/// The name of the type of items.
fn item_name(item: At<'_, Element<'_>>) -> String {
    match item.type_at() {
        TypeAt::List(inner) => array_name(&item_name(inner)),
        type_at => type_at.name().to_owned(),
    }
}
