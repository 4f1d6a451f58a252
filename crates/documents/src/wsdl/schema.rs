//! The schemas of a service, one for each namespace: the elements of messages, each followed by the
//! types that were not written before.

mod attributes;
mod complex_types;
mod data_sets;
mod encoded;
mod particles;
mod parts;
mod simple_types;

use std::collections::{HashMap, HashSet};
use std::iter::successors;

use svcgen_model::{
    Arena, ArrayNames, At, ComplexType, Element, ElementForm, Form, Group, MicrosoftType, Occurs,
    Operation, Service, SimpleType, TypeAt, TypeRef, Types, ValueConstraint, global_scope,
    header_elements, is_same_type, namespace_of,
};

use super::{Shape, WsdlOptions};
use data_sets::write_data_set;
use encoded::QualifiedName;
pub(super) use parts::NamespaceSchema;

/// The schemas being written.
pub(super) struct Schema<'a> {
    types: Types<'a>,
    options: WsdlOptions,
    /// The target namespace of the WSDL.
    target: &'a str,
    /// The default form of elements in schemas.
    form: ElementForm,
    /// The namespace of types without one of their own, and their form.
    service: Declared<'a>,
    /// Whether the types of encoded messages are written.
    is_encoded: bool,
    /// The types of headers, or their outermost bases.
    headers: HashSet<(&'a str, &'a str)>,
    /// The outermost bases that have to be mixed: a type with elements that has one of them is
    /// extended by one with text between its elements.
    mixed: HashSet<QualifiedName<'a>>,
    /// The names of list types.
    arrays: ArrayNames<'a>,
    /// The rows of items that several list types share.
    rows: &'a Arena<Element<'a>>,
    /// The global elements with their types; `None` for the wrapper of parameters or of a result.
    elements: HashMap<(&'a str, String), Option<TypeAt<'a>>>,
    /// The global attributes.
    attributes: HashSet<(&'a str, &'a str)>,
    written: HashSet<(&'a str, String)>,
    /// The names of the types in encoded messages, and of those in literal ones.
    held: [HashSet<QualifiedName<'a>>; 2],
    /// The namespaces in which a value of any type was written.
    has_objects: HashSet<&'a str>,
    /// The choices whose heads are referred to but not declared yet, with the scope of their types.
    heads: Vec<(At<'a, ComplexType<'a>>, At<'a, Group<'a>>, Declared<'a>)>,
    /// The types that the last element or type refers to, which are not written yet, with the scope
    /// of the referring type.
    referred: Vec<(TypeAt<'a>, Declared<'a>)>,
    /// The types of Microsoft's namespace that are referred to.
    pub microsoft: HashSet<SimpleType>,
    /// The namespaces in order of appearance; the first is that of the service.
    pub parts: Vec<NamespaceSchema<'a>>,
    /// The index of the part that is being written.
    current: usize,
}

/// A namespace, and the form of the elements that types in it declare.
type Declared<'a> = (&'a str, ElementForm);

impl<'a> Schema<'a> {
    pub fn new(
        service: At<'a, Service<'a>>,
        rows: &'a Arena<Element<'a>>,
        options: WsdlOptions,
    ) -> Self {
        let types = Types::of(service);
        let held = encoded::held(service, &types);
        let scope = service.scope();
        let qualified =
            |definition: TypeAt<'a>| (namespace_of(definition, scope), definition.name());
        // .NET imports the types of an operation before those of the next one.
        let mut soap = service.operations().filter(|one| one.bindings.has_soap());
        let first = soap.next().and_then(|operation| operation.encoded);
        let first = first.unwrap_or(scope.0);
        let literal = service.operations().filter(|one| one.encoded.is_none());
        let headers = literal.flat_map(header_elements);
        let headers = headers.filter_map(|header| match header.type_at() {
            TypeAt::Complex(complex) => Some(outermost(complex)),
            _ => None,
        });
        // .NET decides for each type separately whether it is mixed, which XML Schema 1.0 §3.4.6
        // forbids.
        let portable = types.definitions();
        let portable = portable.filter(|_| options.shape == Shape::Portable);
        let mixed = portable.filter_map(|definition| match definition {
            TypeAt::Complex(complex) if complex.is_mixed() => {
                let is_other =
                    |base: &At<'_, ComplexType<'_>>| !base.is_mixed() && !base.elements.is_empty();
                let base = complex.base().filter(is_other)?;
                Some(TypeAt::Complex(outermost(base)).qualified_name())
            }
            _ => None,
        });
        let mixed = mixed.collect();
        Self {
            options,
            target: service.row().namespace,
            form: scope.1,
            service: scope,
            arrays: ArrayNames::of_messages(service, &types),
            rows,
            is_encoded: false,
            mixed,
            types,
            headers: headers.map(TypeAt::Complex).map(qualified).collect(),
            elements: HashMap::new(),
            attributes: HashSet::new(),
            written: HashSet::new(),
            held,
            has_objects: HashSet::new(),
            heads: Vec::new(),
            referred: Vec::new(),
            microsoft: HashSet::new(),
            parts: vec![NamespaceSchema::new(first.into())],
            current: 0,
        }
    }

    /// Writes the elements of an operation's SOAP messages.
    pub fn messages(&mut self, operation: At<'a, Operation<'a>>) {
        if operation.is_bare() {
            let (request, response) = (operation.parameters(), operation.response());
            let results = operation.results().filter(|_| !operation.one_way);
            let parts = request.elements().map(|part| (part, request.scope));
            let parts = parts.chain(results.map(|part| (part, response.scope)));
            for (part, scope) in parts.filter(|(part, _)| part.is_named()) {
                let declared = scope.within(self.service);
                self.global(part.row().name, part, declared, part.is_nillable());
                self.follow();
            }
        } else if let Some(types) = operation.encoded {
            if !operation.is_rpc() {
                self.encoded(types, |schema| schema.encoded_messages(operation));
            }
        } else if !operation.is_rpc() {
            let parameters = operation.parameters();
            let is_empty = parameters.elements.is_empty();
            self.wrapper(parameters, is_empty, |schema, declared| {
                schema.particles(parameters, declared);
            });
            if !operation.one_way {
                let response = operation.response();
                let is_empty = operation.results().next().is_none();
                self.wrapper(response, is_empty, |schema, declared| {
                    match operation.result() {
                        Some(result) if !operation.has_results() => {
                            schema.declared(result, declared);
                        }
                        _ => schema.particles(response, declared),
                    }
                });
            }
        }
        let headers = header_elements(operation).filter(|_| operation.encoded.is_none());
        for element in headers.chain(operation.faults()) {
            let declared = global_scope(element, self.service);
            self.global(element.name, element, declared, element.is_nillable());
            self.follow();
        }
    }

    /// Returns the namespace of a header or of the detail of a fault.
    pub fn global_namespace(&self, element: At<'a, Element<'a>>) -> &'a str {
        global_scope(element, self.service).0
    }

    /// Writes the type of a message part in rpc style and returns its name.
    pub fn part_type(&mut self, element: At<'a, Element<'a>>) -> String {
        let service = self.service;
        let name = self.within(service.0, |schema| {
            schema.type_of(element.type_at(), service)
        });
        self.follow();
        name
    }

    /// Writes the root element of a result over HTTP GET and POST. Returns its name, if the element
    /// with that name is of the result's type: the name may be taken. The original names a list
    /// after its type, whose number may differ from that over HTTP.
    pub fn root(
        &mut self,
        (namespace, name): (&'a str, &'a str),
        result: At<'a, Element<'a>>,
    ) -> Option<String> {
        let nillable = !result.is_by_value();
        let name = match result.type_at() {
            list @ TypeAt::List(item) if self.options.shape == Shape::Original => {
                self.arrays.name(item, namespace_of(list, self.service))
            }
            _ => name.to_owned(),
        };
        self.global_in((namespace, &name), result, self.service, nillable, None);
        self.follow();
        let key = (namespace, name);
        let known = self.elements.get(&key).copied().flatten();
        let is_it = known.is_some_and(|known| is_same_type(known, result.type_at()));
        is_it.then_some(key.1)
    }

    /// Writes the wrapper element of parameters or of a result.
    fn wrapper(
        &mut self,
        message: At<'a, ComplexType<'a>>,
        is_empty: bool,
        content: impl FnOnce(&mut Self, Declared<'a>),
    ) {
        let (declared, name) = (message.scope.within(self.service), message.row().name);
        if self.elements.contains_key(&(declared.0, name.to_owned())) {
            return;
        }
        self.elements.insert((declared.0, name.to_owned()), None);
        self.within(declared.0, |schema| {
            schema.xml().start("s:element", &[("name", name)]);
            schema
                .xml()
                .start("s:complexType", mixed(message.is_mixed()));
            if !is_empty || schema.options.shape == Shape::Portable {
                schema.sequence(|schema| content(schema, declared));
            }
            schema.xml().end();
            schema.xml().end();
        });
        self.follow();
    }

    /// Writes a global element into the schema of its namespace, unless its name is taken.
    fn global(
        &mut self,
        name: &'a str,
        element: At<'a, Element<'a>>,
        declared: Declared<'a>,
        nillable: bool,
    ) {
        let namespace = element
            .form
            .of_element((declared.0, ElementForm::Qualified));
        let constraint = element.constraint;
        self.global_in((namespace, name), element, declared, nillable, constraint);
    }

    fn global_in(
        &mut self,
        (namespace, name): (&'a str, &str),
        element: At<'a, Element<'a>>,
        declared: Declared<'a>,
        nillable: bool,
        constraint: Option<ValueConstraint<&'a str>>,
    ) {
        let key = (namespace, name.to_owned());
        if self.elements.contains_key(&key) {
            return;
        }
        self.elements.insert(key, Some(element.type_at()));
        self.within(namespace, |schema| {
            let constraint = constraint.map(ValueConstraint::attribute);
            let start: Vec<_> = constraint.into_iter().chain([("name", name)]).collect();
            schema.named(&start, nillable, element, declared);
        });
    }

    /// Writes the types that are referred to, each before the types that it refers to.
    fn follow(&mut self) {
        let mut open = Vec::new();
        loop {
            self.declare_heads();
            open.extend(self.referred.drain(..).rev());
            let Some((referred, declared)) = open.pop() else {
                return;
            };
            let namespace = self.namespace_of(referred, declared);
            let name = match referred {
                TypeAt::List(item) => self.array_name(item, namespace),
                _ => referred.name().to_owned(),
            };
            if self.written.insert((namespace, name.clone())) {
                self.within(namespace, |schema| match referred {
                    // The type of a set has no name.
                    TypeAt::Complex(complex) if complex.data_set.is_some() => {}
                    TypeAt::Complex(complex) => schema.complex_type(complex),
                    TypeAt::Enumeration(enumeration) => schema.enumeration(enumeration),
                    TypeAt::List(item) => schema.array(&name, item, (namespace, declared.1)),
                    TypeAt::Simple(_) | TypeAt::Dictionary(_) => {}
                });
            }
        }
    }

    fn array(&mut self, name: &str, item: At<'a, Element<'a>>, declared: Declared<'a>) {
        if self.is_encoded {
            return self.encoded_array(name, item);
        }
        let common = self.arrays.common((declared.0, name), item);
        let item = item.beside(self.rows.keep_one(common));
        self.xml().start("s:complexType", &[("name", name)]);
        self.sequence(|schema| schema.element(item, occurrence(true, true), declared));
        self.xml().end();
    }

    /// Writes an element of a type. In the original's shape, `minOccurs` is 0 wherever .NET writes
    /// nothing for null.
    fn declared(&mut self, element: At<'a, Element<'a>>, declared: Declared<'a>) {
        let may_be_absent = self.options.shape == Shape::Original && is_absent_as_null(element);
        let occurrence = occurrence(element.is_omitted() || may_be_absent, element.repeated);
        self.element(element, occurrence, declared);
    }

    /// Writes an element of a type; one of another namespace is a reference to a global element
    /// there.
    fn element(
        &mut self,
        element: At<'a, Element<'a>>,
        [least, most]: Occurrence,
        declared: Declared<'a>,
    ) {
        let counts = counts(element.occurs);
        let [least, most] = counted(counts.as_ref(), [least, most]);
        if let Some(namespaces) = element.wildcard {
            return self.any("s:any", &[least, most], namespaces, element);
        }
        let namespace = element.form.of_element(declared);
        if matches!(element.form, Form::Reference(_)) && namespace != declared.0 {
            let reference = self.imported(namespace, element.name);
            self.global(element.name, element, declared, element.is_nillable());
            let written = [least, most, ("ref", &reference)];
            return self.xml().empty("s:element", &written);
        }
        let mut start = vec![least, most];
        match (namespace.is_empty(), self.form) {
            (true, ElementForm::Qualified) => start.push(("form", "unqualified")),
            (false, ElementForm::Unqualified) => start.push(("form", "qualified")),
            _ => {}
        }
        start.extend(element.constraint.map(ValueConstraint::attribute));
        start.push(("name", element.name));
        self.named(&start, element.is_nillable(), element, declared);
    }

    /// Writes an element, with these attributes first.
    fn named(
        &mut self,
        start: &[(&str, &str)],
        nillable: bool,
        element: At<'a, Element<'a>>,
        declared: Declared<'a>,
    ) {
        let is_xml = matches!(element.type_ref, TypeRef::Simple(simple) if simple.is_xml());
        let mut attributes = start.to_vec();
        if nillable {
            attributes.push(("nillable", "true"));
        }
        if let TypeAt::Complex(complex) = element.type_at()
            && let Some(set) = complex.data_set
        {
            self.xml().start("s:element", &attributes);
            self.annotation(element.documentation());
            self.typed_set(set);
            return self.xml().end();
        }
        let is_object = element.type_ref == TypeRef::Simple(SimpleType::AnyType);
        let data_set = match element.type_ref {
            TypeRef::Simple(simple) if simple.is_data_set() => Some(simple),
            _ => None,
        };
        let is_xml = is_xml && !is_object;
        let type_name = self.type_of(element.type_at(), declared);
        let is_anonymous = element.texts || element.is_restricted();
        if !is_xml && (!is_object || self.is_encoded) && !is_anonymous {
            attributes.push(("type", &type_name));
        }
        self.xml().start("s:element", &attributes);
        self.annotation(element.documentation());
        if let Some(simple) = data_set {
            write_data_set(self.xml(), simple);
        } else if is_xml {
            self.anything(element.name != SimpleType::Any.item_name());
        } else if is_anonymous {
            self.simple_type(&[], element, &type_name);
        }
        self.xml().end();
    }

    /// Writes a wildcard. Elements of the service's namespace next to it would make the schema
    /// ambiguous (XML Schema 1.0 §3.8.6), so that the portable shape excludes them from it.
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
        self.xml().start(tag, &attributes);
        self.annotation(wildcard.documentation());
        self.xml().end();
    }

    /// Writes an anonymous type of any content: an `XmlNode` of .NET, or an `XmlElement`, which is
    /// not mixed.
    fn anything(&mut self, is_node: bool) {
        let any = [
            ("minOccurs", "0"),
            ("maxOccurs", "unbounded"),
            ("processContents", "lax"),
        ];
        let any = match self.options.shape {
            Shape::Original => &any[..0],
            Shape::Portable => &any,
        };
        let mixed: &[_] = match self.options.shape {
            Shape::Original if !is_node => &[],
            _ => &[("mixed", "true")],
        };
        self.xml().nested(&[
            ("s:complexType", mixed),
            ("s:sequence", &[]),
            ("s:any", any),
        ]);
    }

    fn annotation(&mut self, words: Option<&str>) {
        let wanted = self.options.shape == Shape::Portable && self.options.documentation;
        if let Some(words) = words.filter(|_| wanted) {
            self.xml().element("s:annotation", &[], |xml| {
                xml.text("s:documentation", words)
            });
        }
    }

    /// The prefixed name of a type, which is queued to be written.
    fn type_of(&mut self, type_at: TypeAt<'a>, declared: Declared<'a>) -> String {
        match type_at {
            TypeAt::Simple(SimpleType::AnyType) => {
                // A value may have any of the types.
                if self.has_objects.insert(self.service.0) {
                    let service = self.service;
                    let definitions = self.types.definitions();
                    let definitions: Vec<_> = definitions
                        .filter(|each| self.may_hold(*each))
                        .map(|each| (each, service))
                        .collect();
                    self.referred.extend(definitions);
                }
                "s:anyType".to_owned()
            }
            TypeAt::Simple(simple) if simple.is_xml() => "s:anyType".to_owned(),
            TypeAt::Complex(complex) if complex.data_set.is_some() => "s:anyType".to_owned(),
            TypeAt::Simple(simple) if simple.row().microsoft.is_some() => {
                self.microsoft.insert(simple);
                self.imported(MicrosoftType::NAMESPACE, simple.name())
            }
            // Only enumerations may have this type (XML Schema 1.0 part 2 §3.2.19): Java refuses
            // the schema.
            TypeAt::Simple(SimpleType::Notation)
                if self.options.shape == Shape::Portable && !self.is_encoded =>
            {
                "s:string".to_owned()
            }
            TypeAt::Simple(simple) => format!("s:{}", simple.name()),
            TypeAt::Complex(_) | TypeAt::Enumeration(_) => {
                // Its namespace is its own, or that of the service.
                self.referred.push((type_at, self.service));
                self.imported(self.namespace_of(type_at, self.service), type_at.name())
            }
            TypeAt::List(item) => {
                self.referred.push((type_at, declared));
                let namespace = self.namespace_of(type_at, declared);
                let name = self.array_name(item, namespace);
                self.imported(namespace, &name)
            }
            // No message in XML contains a value of this type.
            TypeAt::Dictionary(_) => "s:anyType".to_owned(),
        }
    }
}

/// The outermost base of a type, or the type itself.
fn outermost<'a>(complex: At<'a, ComplexType<'a>>) -> At<'a, ComplexType<'a>> {
    let bases = successors(Some(complex), |complex| complex.base());
    bases.last().unwrap_or(complex)
}

/// The attribute of a type with text between its elements.
fn mixed(is_mixed: bool) -> &'static [(&'static str, &'static str)] {
    if is_mixed { &[("mixed", "true")] } else { &[] }
}

type Occurrence = [(&'static str, &'static str); 2];

fn occurrence(optional: bool, repeated: bool) -> Occurrence {
    let least = if optional || repeated { "0" } else { "1" };
    let most = if repeated { "unbounded" } else { "1" };
    [("minOccurs", least), ("maxOccurs", most)]
}

/// The counts in a definition as texts, if it restricts them.
fn counts(occurs: Occurs) -> Option<[String; 2]> {
    (occurs != Occurs::ANY).then(|| {
        let most = occurs.most.map(|most| most.to_string());
        let most = most.unwrap_or_else(|| "unbounded".to_owned());
        [occurs.least.to_string(), most]
    })
}

/// The counts of the definition, or else those of the type.
fn counted(counts: Option<&[String; 2]>, [least, most]: Occurrence) -> [(&'static str, &str); 2] {
    match counts {
        Some([some, many]) => [(least.0, some), (most.0, many)],
        None => [least, most],
    }
}

/// Whether .NET has a reference for the value and writes no element for null.
fn is_absent_as_null(element: At<'_, Element<'_>>) -> bool {
    let is_always_written = matches!(element.constraint, Some(ValueConstraint::Initial(_)));
    !element.is_nillable() && !element.is_by_value() && !is_always_written
}
