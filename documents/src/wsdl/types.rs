//! The schema of a service: elements of messages, each followed by the types that were not there before.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Prefixes, Shape, WsdlOptions};
use crate::description::{Description, Operation, TypeDefinition};
use crate::schema::{ComplexType, Content, Element, Enumeration};
use crate::simple::{MICROSOFT_TYPES, is_value};
use crate::xml::Xml;

/// A schema on its way.
pub(super) struct Types<'a> {
    description: &'a Description<'a>,
    options: WsdlOptions,
    prefixes: Prefixes,
    definitions: HashMap<&'a str, TypeDefinition<'a>>,
    /// The types that extend each type.
    derived: HashMap<&'a str, Vec<&'a ComplexType<'a>>>,
    /// What the items of each type of lists are, by its name.
    arrays: HashMap<String, &'a Element<'a>>,
    /// The global elements, with what is in them.
    elements: HashMap<&'a str, Global<'a>>,
    written: HashSet<String>,
    /// The types that what was written last refers to.
    referred: Vec<Named<'a>>,
    /// Which types of Microsoft's own namespace are referred to.
    pub microsoft: BTreeSet<&'static str>,
    xml: Xml,
}

/// A type that stands in the schema.
#[derive(Clone, Copy)]
enum Named<'a> {
    Definition(&'a str),
    /// The type of a list of such items.
    Array(&'a Element<'a>),
}

/// What is in a global element.
#[derive(Clone, Copy, PartialEq)]
enum Global<'a> {
    /// Parameters or a result.
    Wrapper,
    Value(Content<'a>),
}

impl<'a> Types<'a> {
    pub fn new(description: &'a Description<'a>, options: WsdlOptions, prefixes: Prefixes) -> Self {
        let mut derived: HashMap<_, Vec<_>> = HashMap::new();
        for complex in description.types {
            if let Some(base) = complex.extends {
                derived.entry(base).or_default().push(complex);
            }
        }
        Self {
            description,
            options,
            prefixes,
            definitions: description.definitions(),
            derived,
            arrays: HashMap::new(),
            elements: HashMap::new(),
            written: HashSet::new(),
            referred: Vec::new(),
            microsoft: BTreeSet::new(),
            xml: Xml::part(3),
        }
    }

    /// What was written: what belongs in the schema.
    pub fn finish(self) -> Xml {
        self.xml
    }

    /// The elements of an operation's SOAP messages.
    pub fn messages(&mut self, operation: &'a Operation<'a>) {
        if !operation.rpc {
            self.wrapper(operation.request, operation.parameters);
            if !operation.one_way {
                let result = operation.result.map(|result| Element {
                    // Whatever .NET holds by reference may be absent from an answer.
                    optional: result.optional
                        || (!result.nillable && !self.is_by_value(&result.content)),
                    ..result
                });
                self.wrapper(operation.response, result.as_slice());
            }
        }
        let headers = operation.headers.iter().chain(operation.response_headers);
        let headers = headers.map(|header| (header.name, self.description.headers));
        let faults = (operation.faults.iter()).map(|name| (*name, self.description.faults));
        for (name, known) in headers.chain(faults).collect::<Vec<_>>() {
            if let Some(element) = known.iter().find(|element| element.name == name) {
                self.global(name, element, false);
            }
        }
    }

    /// The type of a part in the style rpc.
    pub fn part_type(&mut self, element: &Element<'a>) -> String {
        let name = self.type_of(&element.content);
        self.follow();
        name
    }

    /// The root element of an operation's result over HTTP GET and POST; `None` if another element has its name.
    pub fn root(&mut self, operation: &'a Operation<'a>) -> Option<&'a str> {
        let result = operation.result.as_ref()?;
        let nillable = !self.is_by_value(&result.content);
        let fits = match self.elements.get(operation.root) {
            Some(known) => *known == Global::Value(result.content),
            None => {
                self.global(operation.root, result, nillable);
                true
            }
        };
        fits.then_some(operation.root)
    }

    /// The element around parameters or a result.
    fn wrapper(&mut self, name: &'a str, elements: &[Element<'a>]) {
        if self.elements.contains_key(name) {
            return;
        }
        self.elements.insert(name, Global::Wrapper);
        self.xml.start("s:element", &[("name", name)]);
        self.xml.start("s:complexType", &[]);
        match (elements, self.options.shape) {
            ([], Shape::Original) => {}
            ([], Shape::Portable) => self.xml.empty("s:sequence", &[]),
            _ => self.sequence(elements),
        }
        self.xml.end();
        self.xml.end();
        self.follow();
    }

    /// A global element with a value in it, unless its name is taken.
    fn global(&mut self, name: &'a str, element: &Element<'a>, nillable: bool) {
        if self.elements.contains_key(name) {
            return;
        }
        self.elements.insert(name, Global::Value(element.content));
        self.start_element(&[("name", name)], nillable, element);
        self.end_element(element);
        self.follow();
    }

    /// Writes the types that are referred to, each before what it refers to itself.
    fn follow(&mut self) {
        let mut open: Vec<_> = self.referred.drain(..).rev().collect();
        while let Some(named) = open.pop() {
            let name = match named {
                Named::Definition(name) => name.to_owned(),
                Named::Array(item) => self.array_name(item),
            };
            if self.written.insert(name.clone()) {
                match named {
                    Named::Definition(name) => self.definition(name),
                    Named::Array(item) => self.array(&name, item),
                }
                open.extend(self.referred.drain(..).rev());
            }
        }
    }

    fn definition(&mut self, name: &'a str) {
        match self.definitions.get(name) {
            Some(TypeDefinition::Complex(complex)) => self.complex_type(complex),
            Some(TypeDefinition::Enumeration(values)) => self.enumeration(values),
            None => {}
        }
    }

    fn array(&mut self, name: &str, item: &'a Element<'a>) {
        let items = Element {
            repeated: true,
            ..*item
        };
        self.xml.start("s:complexType", &[("name", name)]);
        self.xml.start("s:sequence", &[]);
        self.element(&items);
        self.xml.end();
        self.xml.end();
    }

    fn complex_type(&mut self, complex: &'a ComplexType<'a>) {
        let mut attributes = vec![("name", complex.name)];
        if complex.is_abstract {
            attributes.push(("abstract", "true"));
        }
        self.xml.start("s:complexType", &attributes);
        self.annotation(complex.documentation);
        let base = complex.extends.map(|base| {
            self.referred.push(Named::Definition(base));
            format!("tns:{base}")
        });
        let text = complex.text.map(|text| self.type_of(&text.content));
        if self.has_text(complex) {
            self.xml.start("s:simpleContent", &[]);
            let base = base.or(text).unwrap_or_default();
            self.xml.start("s:extension", &[("base", &base)]);
            self.content(complex);
            self.xml.end();
            self.xml.end();
        } else if let Some(base) = base {
            self.xml.start("s:complexContent", &[("mixed", "false")]);
            self.xml.start("s:extension", &[("base", &base)]);
            self.content(complex);
            self.xml.end();
            self.xml.end();
        } else {
            self.content(complex);
        }
        self.xml.end();
        let derived = self.derived.get(complex.name).into_iter().flatten();
        self.referred
            .extend(derived.map(|derived| Named::Definition(derived.name)));
    }

    /// Whether text stands in a type, its own or that of a type that it extends.
    fn has_text(&self, complex: &ComplexType<'a>) -> bool {
        let mut at = Some(*complex);
        while let Some(complex) = at {
            if complex.text.is_some() {
                return true;
            }
            at = complex
                .extends
                .and_then(|base| match self.definitions.get(base) {
                    Some(TypeDefinition::Complex(base)) => Some(**base),
                    _ => None,
                });
        }
        false
    }

    fn content(&mut self, complex: &'a ComplexType<'a>) {
        if !complex.elements.is_empty() {
            self.sequence(complex.elements);
        }
        for attribute in complex.attributes {
            let type_name = self.type_of(&attribute.content);
            let mut written = vec![("name", attribute.name), ("type", &type_name)];
            if !attribute.optional {
                written.push(("use", "required"));
            }
            self.xml.start("s:attribute", &written);
            self.annotation(attribute.documentation);
            self.xml.end();
        }
    }

    fn enumeration(&mut self, enumeration: &'a Enumeration<'a>) {
        self.xml
            .start("s:simpleType", &[("name", enumeration.name)]);
        self.annotation(enumeration.documentation);
        self.xml.start("s:restriction", &[("base", "s:string")]);
        for value in enumeration.values {
            self.xml.start("s:enumeration", &[("value", value.name)]);
            self.annotation(value.documentation);
            self.xml.end();
        }
        self.xml.end();
        self.xml.end();
    }

    fn sequence(&mut self, elements: &[Element<'a>]) {
        self.xml.start("s:sequence", &[]);
        for element in elements {
            self.element(element);
        }
        self.xml.end();
    }

    fn element(&mut self, element: &Element<'a>) {
        let [least, most] = self.occurrence(element);
        let occurrence = [("minOccurs", least), ("maxOccurs", most)];
        if let Content::Choice(alternatives) = element.content {
            self.xml.start("s:choice", &occurrence);
            self.annotation(element.documentation);
            for alternative in alternatives {
                self.element(alternative);
            }
            self.xml.end();
            return;
        }
        let [least, most] = occurrence;
        self.start_element(
            &[least, most, ("name", element.name)],
            element.nillable,
            element,
        );
        self.end_element(element);
    }

    fn occurrence(&self, element: &Element<'a>) -> [&'static str; 2] {
        // The original lets everything be absent that .NET can have none of.
        let may_be_absent = self.options.shape == Shape::Original
            && !matches!(element.content, Content::Choice(_))
            && !element.nillable
            && !self.is_by_value(&element.content);
        let least = match element.optional || element.repeated || may_be_absent {
            true => "0",
            false => "1",
        };
        [least, if element.repeated { "unbounded" } else { "1" }]
    }

    fn start_element(&mut self, start: &[(&str, &str)], nillable: bool, element: &Element<'a>) {
        let mut attributes = start.to_vec();
        if nillable {
            attributes.push(("nillable", "true"));
        }
        if element.content == Content::Type("any") {
            self.xml.start("s:element", &attributes);
            return;
        }
        let type_name = self.type_of(&element.content);
        attributes.push(("type", &type_name));
        self.xml.start("s:element", &attributes);
    }

    fn end_element(&mut self, element: &Element<'a>) {
        self.annotation(element.documentation);
        if element.content == Content::Type("any") {
            self.anything();
        }
        self.xml.end();
    }

    /// A type with any XML in it.
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
        self.xml
            .element("s:complexType", &[("mixed", "true")], |xml| {
                xml.element("s:sequence", &[], |xml| xml.empty("s:any", any));
            });
    }

    fn annotation(&mut self, words: Option<&str>) {
        let said = self.options.shape == Shape::Portable && self.options.documentation;
        if let Some(words) = words.filter(|_| said) {
            self.xml.element("s:annotation", &[], |xml| {
                xml.text("s:documentation", words)
            });
        }
    }

    /// The name of a type with its prefix. It will be written too.
    fn type_of(&mut self, content: &Content<'a>) -> String {
        match *content {
            Content::Type("any") | Content::Choice(_) => "s:anyType".to_owned(),
            Content::Type(name) if self.definitions.contains_key(name) => {
                self.referred.push(Named::Definition(name));
                format!("tns:{name}")
            }
            Content::Type(name) => match MICROSOFT_TYPES.iter().find(|known| known.name == name) {
                Some(known) => {
                    self.microsoft.insert(known.name);
                    format!("{}:{name}", self.prefixes.microsoft)
                }
                None => format!("s:{name}"),
            },
            Content::List(item) => {
                self.referred.push(Named::Array(item));
                format!("tns:{}", self.array_name(item))
            }
        }
    }

    /// The name of the type of a list, with a number if there is another type of that name.
    fn array_name(&mut self, item: &'a Element<'a>) -> String {
        let name = format!("ArrayOf{}", self.item_name(item));
        let numbered = (1..).map(|number| format!("{name}{number}"));
        let fits = |name: &String| match self.arrays.get(name) {
            Some(known) => *known == item,
            None => !self.definitions.contains_key(name.as_str()),
        };
        let name = std::iter::once(name.clone())
            .chain(numbered)
            .find(fits)
            .unwrap_or_default();
        self.arrays.insert(name.clone(), item);
        name
    }

    fn item_name(&self, item: &Element<'a>) -> String {
        let nullable = if item.nillable && self.is_by_value(&item.content) {
            "NullableOf"
        } else {
            ""
        };
        match item.content {
            Content::Type(name) => format!("{nullable}{}", capitalised(name)),
            Content::List(inner) => format!("ArrayOf{}", self.item_name(inner)),
            Content::Choice(_) => capitalised(item.name),
        }
    }

    /// Whether .NET holds what is in an element by value.
    pub fn is_by_value(&self, content: &Content<'a>) -> bool {
        match *content {
            Content::Type(name) => match self.definitions.get(name) {
                Some(definition) => matches!(definition, TypeDefinition::Enumeration(_)),
                None => is_value(name),
            },
            Content::List(_) | Content::Choice(_) => false,
        }
    }
}

fn capitalised(name: &str) -> String {
    let mut rest = name.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest).collect()
}
