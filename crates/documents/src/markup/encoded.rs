//! Samples of encoded messages.

use svcgen_model::{At, ComplexType, Element, Headers, SAMPLE_ITEMS, TypeAt};

use super::{Markup, put_placeholder};

/// The encoding of a message.
#[derive(Clone, Copy)]
pub(crate) struct Encoding<'d> {
    /// The namespace of types.
    pub types: &'d str,
    pub is_soap12: bool,
}

/// The objects of an encoded message, in the order of their ids.
struct Graph<'d> {
    encoding: Encoding<'d>,
    /// The prefix of ids.
    id: &'static str,
    objects: Vec<Object<'d>>,
    /// The number of objects that are written already.
    written: usize,
}

impl<'d> Graph<'d> {
    fn new(encoding: Encoding<'d>, id: &'static str) -> Self {
        Self {
            encoding,
            id,
            objects: Vec::new(),
            written: 0,
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Object<'d> {
    Complex(At<'d, ComplexType<'d>>),
    /// An array of these items.
    Array(At<'d, Element<'d>>),
}

/// The name of a type with the prefix that an encoded message declares.
fn encoded_type_name(type_at: TypeAt<'_>) -> String {
    let prefix = match type_at {
        TypeAt::Simple(simple) if simple.row().microsoft.is_some() => "q1",
        TypeAt::Simple(_) => "xsd",
        _ => "types",
    };
    format!("{prefix}:{}", type_at.name())
}

impl<'d> Markup<'d> {
    /// Writes an encoded message: its element and, in SOAP 1.1, the referenced objects after it.
    /// Each type has one object, to which all others refer.
    pub fn encoded(
        &mut self,
        encoding: Encoding<'d>,
        message: At<'d, ComplexType<'d>>,
        elements: impl Iterator<Item = At<'d, Element<'d>>>,
        result: Option<&str>,
    ) {
        let namespace = message.scope.namespace.unwrap_or(self.service.namespace);
        let prefix = match namespace {
            types if types == encoding.types => "types",
            service if service == self.service.namespace => "tns",
            "" => "",
            _ => "q1",
        };
        let mut graph = Graph::new(encoding, "id");
        match prefix {
            "" => self.start(message.name, &[]),
            prefix => self.start(&format!("{prefix}:{}", message.name), &[]),
        }
        if prefix == "q1" {
            self.xml.attribute("xmlns:q1", |out| out.escaped(namespace));
        }
        if let Some(result) = result.filter(|_| encoding.is_soap12) {
            self.line("rpc:result", &[("xmlns", "")], result, "");
        }
        for element in elements {
            self.encoded_value(&mut graph, element.row().name, element, true);
        }
        self.xml.end();
        self.encoded_objects(graph);
    }

    /// Writes encoded headers and, in SOAP 1.1, the referenced objects after them.
    pub fn encoded_headers(&mut self, encoding: Encoding<'d>, headers: At<'d, Headers<'d>>) {
        let mut graph = Graph::new(encoding, "h_id");
        let mut must_understand = Vec::new();
        for (header, rule) in headers.elements() {
            if let TypeAt::Complex(complex) = header.type_at() {
                let mut members = self.types.members(complex);
                let object = members.next().unwrap_or(complex);
                graph.objects.push(Object::Complex(object));
                must_understand.push((header.row().name, rule.must_understand));
            }
        }
        graph.written = graph.objects.len();
        for (index, (name, must)) in must_understand.into_iter().enumerate() {
            let attributes: &[_] = if must {
                &[("soap:mustUnderstand", "1")]
            } else {
                &[]
            };
            let (name, object) = (format!("types:{name}"), graph.objects[index]);
            self.encoded_object(&mut graph, Some(&name), object, index + 1, attributes);
        }
        self.encoded_objects(graph);
    }

    /// Writes the referenced objects that are not written yet; in SOAP 1.2 there are none.
    fn encoded_objects(&mut self, mut graph: Graph<'d>) {
        if graph.encoding.is_soap12 {
            return;
        }
        while let Some(object) = graph.objects.get(graph.written).copied() {
            graph.written += 1;
            let id = graph.written;
            self.encoded_object(&mut graph, None, object, id, &[]);
        }
    }

    fn encoded_value(
        &mut self,
        graph: &mut Graph<'d>,
        name: &str,
        element: At<'d, Element<'d>>,
        is_typed: bool,
    ) {
        let object = match element.type_at() {
            TypeAt::Complex(complex) => {
                let mut members = self.types.members(complex);
                Object::Complex(members.next().unwrap_or(complex))
            }
            TypeAt::List(item) => Object::Array(item),
            type_at => {
                self.start(name, &[]);
                if is_typed {
                    let type_name = encoded_type_name(type_at);
                    self.xml
                        .attribute("xsi:type", |out| out.escaped(&type_name));
                }
                return self.xml.end_with(|out| put_placeholder(out, element));
            }
        };
        let known = graph.objects.iter().position(|known| *known == object);
        let id = known.unwrap_or_else(|| {
            graph.objects.push(object);
            graph.objects.len() - 1
        }) + 1;
        if graph.encoding.is_soap12 && known.is_none() {
            return self.encoded_object(graph, Some(name), object, id, &[]);
        }
        let reference = if graph.encoding.is_soap12 {
            ("soapenc:ref", format!("{}{id}", graph.id))
        } else {
            ("href", format!("#{}{id}", graph.id))
        };
        self.start(name, &[(reference.0, &reference.1)]);
        self.xml.end();
    }

    /// Writes an object as an element with a name, or else with that of its type.
    fn encoded_object(
        &mut self,
        graph: &mut Graph<'d>,
        name: Option<&str>,
        object: Object<'d>,
        id: usize,
        attributes: &[(&str, &str)],
    ) {
        let type_name = match object {
            Object::Complex(complex) => encoded_type_name(TypeAt::Complex(complex)),
            Object::Array(_) => "soapenc:Array".to_owned(),
        };
        let is_soap12 = graph.encoding.is_soap12;
        let (attribute, id) = (
            if is_soap12 { "soapenc:id" } else { "id" },
            format!("{}{id}", graph.id),
        );
        let attributes = [&[(attribute, &*id)], attributes].concat();
        self.start(name.unwrap_or(&type_name), &attributes);
        match object {
            Object::Complex(complex) => {
                self.xml
                    .attribute("xsi:type", |out| out.escaped(&type_name));
                for attribute in complex.attributes() {
                    let name = format!("types:{}", attribute.row().name);
                    self.xml
                        .attribute(&name, |out| put_placeholder(out, attribute));
                }
                for element in complex.elements() {
                    self.encoded_value(graph, element.row().name, element, true);
                }
            }
            Object::Array(item) => {
                let (mut innermost, mut brackets) = (item, String::new());
                while let TypeAt::List(item) = innermost.type_at() {
                    innermost = item;
                    brackets.push_str("[]");
                }
                let item_type = encoded_type_name(innermost.type_at());
                if is_soap12 {
                    let is_nested = !brackets.is_empty();
                    let item_type = if is_nested { "xsd:anyType" } else { &item_type };
                    self.xml
                        .attribute("soapenc:itemType", |out| out.escaped(item_type));
                    self.xml.attribute("soapenc:arraySize", |out| out.text("2"));
                } else {
                    let array_type = format!("{item_type}{brackets}[2]");
                    self.xml
                        .attribute("soapenc:arrayType", |out| out.escaped(&array_type));
                }
                let is_enumeration = matches!(item.type_at(), TypeAt::Enumeration(_));
                for _ in 0..SAMPLE_ITEMS {
                    self.encoded_value(graph, "Item", item, is_enumeration);
                }
            }
        }
        self.xml.end();
    }
}
