//! The lowered model: a file in the terms of WSDL and XML Schema, with all names resolved and all rules checked.
//!
//! In addition to the rows of `svcgen_model`, which are made from it, it has what Rust needs: names in both forms, paths, boxes, families.
//!
//! **Invariant.** Nothing in a model can make emitted code wrong: ids do not dangle, Rust names are identifiers without clashes,
//! no type has an infinite size.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use svcgen_model::named_in;
pub use svcgen_model::{
    Absence, Binding, Bindings, ElementForm, Facet, GroupKind, HeaderRule, Occurs, ResponseFormat,
    Routing, RustType, ScriptMethod, SimpleType, Style,
};

/// The Rust name of the enum of the types that a value of the type `anyType` may have.
pub(crate) const OBJECT_TYPES: &str = "AnyObject";

/// What a definition file describes: types, and the service that uses them.
#[derive(Debug)]
pub struct Model {
    /// The name of the emitted module.
    pub module: String,
    /// The documentation of the module.
    pub documentation: Option<String>,
    /// `None` in a file of types for services to share.
    pub service: Option<Service>,
    /// The files that it includes, in the order of the definition.
    pub(crate) includes: Vec<Include>,
    /// The files that these include, directly or not.
    pub(crate) nested: Vec<Include>,
    /// The items of other modules that this one uses.
    pub(crate) imports: Vec<Import>,
    /// The complex types of this file, then those of included files.
    pub complex_types: Vec<ComplexType>,
    /// The choices and sequences, those of included files too.
    pub groups: Vec<Group>,
    /// The enumerations: the own ones, then those of included files.
    pub enumerations: Vec<Enumeration>,
    /// The Rust names of the items of the module.
    pub(crate) items: HashSet<String>,
}

impl Model {
    /// Whether values of a type are cloned in place.
    pub(crate) fn clones_in_place(&self, type_ref: &TypeRef) -> bool {
        match type_ref.innermost() {
            TypeRef::Complex(id) => {
                let complex = &self.complex_types[id.0];
                match &complex.family {
                    Some(family) => family.clones_in_place,
                    None => complex.clones_in_place,
                }
            }
            TypeRef::Group(id) => self.groups[id.0].clones_in_place,
            _ => false,
        }
    }

    /// The complex types of the file itself.
    pub(crate) fn own_types(&self) -> impl Iterator<Item = &ComplexType> {
        let types = self.complex_types.iter();
        types.filter(|complex| complex.included.is_none())
    }

    /// The enumerations of the file itself.
    pub(crate) fn own_enumerations(&self) -> impl Iterator<Item = &Enumeration> {
        let enumerations = self.enumerations.iter();
        enumerations.filter(|enumeration| enumeration.included.is_none())
    }

    /// What an element is on the wire: itself, or the elements of a choice or a sequence.
    pub(crate) fn on_wire<'m>(&'m self, element: &'m Element) -> Vec<&'m Element> {
        on_wire(element, &self.groups)
    }

    /// The operations of the service, if there is one.
    pub fn operations(&self) -> &[Method] {
        let service = self.service.as_ref();
        service.map_or(&[], |service| &service.operations)
    }

    /// The types that a value of the type `anyType` may have, those of the file itself and of all that it includes: none unless there is such a value.
    pub(crate) fn object_types(&self) -> Vec<ObjectType<'_>> {
        let is_object = |element: &Element| element.type_ref.is_object();
        let mut faults = self.service.iter().flat_map(|service| &service.faults);
        if !self.emitted_elements().any(is_object) && !faults.any(|fault| is_object(&fault.detail))
        {
            return Vec::new();
        }
        let types = self.complex_types.iter();
        let types = types.filter(|complex| !complex.is_abstract);
        let types = types.map(|one| {
            (
                &one.name,
                &one.included,
                true,
                one.scope.namespace.as_deref(),
            )
        });
        let enumerations = self.enumerations.iter();
        let enumerations =
            enumerations.map(|one| (&one.name, &one.included, false, one.namespace.as_deref()));
        let types = types.chain(enumerations);
        let types = types.filter_map(|(name, included, is_complex, namespace)| {
            let path = match included {
                None => name.rust.clone(),
                Some(origin) => {
                    let mut includes = self.includes.iter().chain(&self.nested);
                    let include = includes.find(|include| include.file == origin.file)?;
                    format!("{}::{}", include.module, name.rust)
                }
            };
            Some(ObjectType {
                name,
                path,
                is_complex,
                qualified: named_in(namespace, &name.xml),
                included: included.as_ref(),
            })
        });
        types.collect()
    }

    /// The structs that are emitted: complex types, then parameters and headers of operations.
    pub(crate) fn emitted_structs(&self) -> impl Iterator<Item = &ComplexType> {
        self.named_structs().map(|(_, complex)| complex)
    }

    /// The emitted structs with their names for options: types by their XML names, others by their Rust names.
    pub fn named_structs(&self) -> impl Iterator<Item = (String, &ComplexType)> {
        let types = self
            .complex_types
            .iter()
            .filter(|complex| complex.is_emitted());
        let others = self.operations().iter().flat_map(Method::structs).flatten();
        let types = types.map(|complex| (complex.name.xml.clone(), complex));
        types.chain(others.map(|complex| (complex.name.unraw().to_owned(), complex)))
    }

    /// Everything emitted that has members, with its name for options and the names of the members.
    pub fn named_types(&self) -> Vec<(String, Vec<&str>)> {
        fn named<'m>(
            owner: &str,
            members: impl Iterator<Item = &'m Name>,
        ) -> (String, Vec<&'m str>) {
            let members = members.map(|name| name.xml.as_str());
            (owner.to_owned(), members.collect())
        }
        let structs = self.named_structs();
        let mut types: Vec<_> = structs
            .map(|(name, complex)| named(&name, complex.fields().map(|field| &field.name)))
            .collect();
        let families = self.own_types().filter_map(|one| one.family.as_ref());
        types.extend(families.map(|family| {
            let members = family.members.iter();
            let members = members.map(|one| &self.complex_types[one.complex_type.0].name);
            named(&family.rust, members)
        }));
        types.extend(self.emitted_groups().map(|group| {
            let alternatives = group.elements.iter();
            named(&group.rust, alternatives.map(|element| &element.name))
        }));
        let enumerations = self.own_enumerations();
        let enumerations = enumerations.filter(|one| one.rust_type.is_none() && !one.is_flags);
        types.extend(enumerations.map(|one| {
            let mut named = named(&one.name.xml, one.values.iter().map(|value| &value.name));
            named.1.extend(one.is_open.then_some("Other"));
            named
        }));
        let objects = self.object_types();
        if !objects.is_empty() {
            let names = objects.into_iter().map(|object| object.name);
            types.push(named(OBJECT_TYPES, names));
        }
        types
    }

    /// Whether a type is a value type in .NET.
    pub(crate) fn is_by_value(&self, type_ref: &TypeRef) -> bool {
        match type_ref {
            TypeRef::Complex(id) => self.complex_types[id.0].by_value,
            type_ref => type_ref.by_value(),
        }
    }

    /// The choices and sequences of emitted structs.
    pub(crate) fn emitted_groups(&self) -> impl Iterator<Item = &Group> {
        let mut used = HashSet::new();
        let mut elements: Vec<_> = self
            .emitted_structs()
            .flat_map(ComplexType::fields)
            .collect();
        while let Some(element) = elements.pop() {
            if let Some(id) = element.type_ref.group()
                && used.insert(id)
            {
                elements.extend(&self.groups[id.0].elements);
            }
        }
        let numbered = self.groups.iter().enumerate();
        numbered
            .filter(move |(id, _)| used.contains(&GroupId(*id)))
            .map(|(_, group)| group)
    }

    /// Everything in emitted code that has a type: fields, variants of choices, results.
    pub(crate) fn emitted_elements(&self) -> impl Iterator<Item = &Element> {
        let fields = self.emitted_structs().flat_map(ComplexType::fields);
        let variants = self.emitted_groups().flat_map(|group| &group.elements);
        let results = self
            .operations()
            .iter()
            .filter_map(|operation| operation.result.as_ref());
        fields
            .chain(variants)
            .chain(results.map(|result| &result.element))
    }
}

/// What an element is on the wire: itself, or the elements of one of these choices and sequences.
pub(crate) fn on_wire<'m>(element: &'m Element, groups: &'m [Group]) -> Vec<&'m Element> {
    let Some(GroupId(id)) = element.type_ref.group() else {
        return vec![element];
    };
    let within = groups[id].elements.iter();
    within
        .flat_map(|element| on_wire(element, groups))
        .collect()
}

/// A type that a value of the type `anyType` may have.
pub(crate) struct ObjectType<'m> {
    pub name: &'m Name,
    /// The path of the Rust type.
    pub path: String,
    /// Whether it is a complex type: those are boxed in Rust.
    pub is_complex: bool,
    /// The name in `xsi:type`, with its namespace if it has one of its own.
    pub qualified: String,
    /// The origin, if another file defines it.
    pub included: Option<&'m Origin>,
}

/// A file that is included, and its emitted module.
#[derive(Debug)]
pub(crate) struct Include {
    pub file: Arc<Path>,
    /// The path of the Rust module.
    pub module: String,
}

/// The file that defines something, and its index there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    pub file: Arc<Path>,
    /// Its index among those of its kind in the model of that file.
    pub index: usize,
}

/// Documentation, if it is not blank.
pub(crate) fn words(documentation: &Option<String>) -> Option<&str> {
    let words = documentation.as_deref().map(str::trim);
    words.filter(|words| !words.is_empty())
}

/// An item of the module of an included file.
#[derive(Debug)]
pub(crate) struct Import {
    pub name: Name,
    /// The path of the Rust type.
    pub path: String,
}

/// A service.
#[derive(Debug)]
pub struct Service {
    /// The name.
    pub name: Name,
    /// The XML namespace.
    pub namespace: String,
    /// The path of the URL.
    pub path: String,
    /// Whether elements of types are in the namespace.
    pub element_form: ElementForm,
    /// Whether any type, message, element or attribute is in a namespace or form of its own.
    pub has_scopes: bool,
    /// The namespace of literal types, if that is not the service's.
    pub literal_namespace: Option<String>,
    /// What names the operation of a SOAP request.
    pub routing: Routing,
    /// The time zone in which times are shown, if any.
    pub time_zone: Option<String>,
    /// The names of types of lists that HTTP GET and POST know by another name, which follows.
    pub list_names: Vec<(String, String)>,
    /// The operations, in the order of the definition.
    pub operations: Vec<Method>,
    /// The faults that have a detail.
    pub faults: Vec<Fault>,
    /// What callers over JSON and page scripts know of it; empty if no operation is offered to them.
    pub script: Script,
    /// Rust names of the emitted items.
    pub items: ServiceItems,
}

/// A service as callers over JSON and page scripts know it.
#[derive(Debug, Default)]
pub struct Script {
    /// The full name of the class in .NET code, if the definition says it.
    pub class: Option<String>,
    /// The types that they know.
    pub types: Vec<ScriptType>,
}

/// A type that callers over JSON and page scripts know.
#[derive(Debug)]
pub struct ScriptType {
    /// A complex type or an enumeration.
    pub type_ref: TypeRef,
    /// The full name in .NET code, or the one that stands for it in JSON.
    pub name: String,
    /// The full name in .NET code, if that is not the name.
    pub class: Option<String>,
}

/// Rust names made from the name of a service.
#[derive(Debug)]
pub struct ServiceItems {
    /// The handler trait.
    pub handler: String,
    /// The server.
    pub server: String,
    /// The dispatch of the server.
    pub service: String,
    /// The client.
    pub client: String,
}

/// An operation: the methods of handler and client, and the structs that they take and return.
#[derive(Debug)]
pub struct Method {
    /// The name, and the method in Rust.
    pub name: Name,
    /// The documentation.
    pub documentation: Option<String>,
    /// The SOAPAction.
    pub action: String,
    /// The request wrapper element. Its Rust name is that of the request struct.
    pub request: ComplexType,
    /// The response wrapper element. Several results are its elements, and its Rust name is that of their struct.
    pub response: ComplexType,
    /// The only result.
    pub result: Option<OperationResult>,
    /// Which of several results HTTP GET and POST answer.
    pub returned: Option<ReturnedResult>,
    /// The result as HTTP GET and POST answer it, if it is a list whose items have names of their own in SOAP.
    pub http_result: Option<Element>,
    /// Its bindings.
    pub bindings: Bindings,
    /// How it is called and answered over JSON.
    pub script: ScriptMethod,
    /// How its SOAP messages are laid out.
    pub style: Style,
    /// The namespace of the types in its SOAP messages, if these are encoded.
    pub encoded: Option<String>,
    /// Whether it has no response.
    pub one_way: bool,
    /// Whether a call changes nothing.
    pub read_only: bool,
    /// The name in the WSDL, if it is another one, which several operations may have.
    pub wsdl_name: Option<String>,
    /// The SOAP headers of its requests.
    pub headers: Option<Headers>,
    /// Whether ASMX keeps its answers for a while.
    pub cached: bool,
    /// Whether a cookie tells its handler which calls are of one caller.
    pub session: bool,
    /// Whether its handler gets the SOAP headers of requests that it does not declare.
    pub unknown_headers: bool,
    /// The SOAP headers of its responses.
    pub response_headers: Option<Headers>,
    /// The SOAP headers of its faults.
    pub fault_headers: Option<Headers>,
    /// The names of its faults.
    pub faults: Vec<String>,
}

impl Method {
    /// The structs of its parameters, if it has any, of its results, if it has several, and of the headers of its requests, answers and faults.
    pub fn structs(&self) -> [Option<&ComplexType>; 5] {
        let [request, response] = [&self.request, &self.response]
            .map(|wrapper| Some(wrapper).filter(|wrapper| !wrapper.elements.is_empty()));
        let [incoming, outgoing, of_faults] = self
            .header_lists()
            .map(|headers| headers.map(|headers| &headers.complex_type));
        [request, response, incoming, outgoing, of_faults]
    }

    /// The SOAP headers of its requests, answers and faults.
    pub(crate) fn header_lists(&self) -> [Option<&Headers>; 3] {
        [&self.headers, &self.response_headers, &self.fault_headers].map(Option::as_ref)
    }

    /// The struct of several results.
    pub fn results(&self) -> Option<&ComplexType> {
        let [_, results, ..] = self.structs();
        results
    }

    /// The elements of its results, one or several.
    pub fn result_elements(&self) -> impl Iterator<Item = &Element> + Clone {
        let only = self.result.iter().map(|result| &result.element);
        self.response.elements.iter().chain(only)
    }

    /// The root element of the result over HTTP GET and POST, if there is one.
    pub fn root(&self) -> Option<&Root> {
        let only = self.result.as_ref().map(|result| &result.root);
        only.or(self.returned.as_ref().map(|returned| &returned.root))
    }

    /// The type of the result.
    pub fn result_type(&self) -> Option<&TypeRef> {
        self.result.as_ref().map(|result| &result.element.type_ref)
    }
}

/// SOAP headers of a message, as the elements of a type of their own.
#[derive(Debug)]
pub struct Headers {
    /// The elements, and the struct of them.
    pub complex_type: ComplexType,
    /// The rule of each element.
    pub rules: Vec<HeaderRule>,
}

/// A fault with a detail.
#[derive(Debug)]
pub struct Fault {
    /// The name of the detail's element.
    pub name: String,
    /// The documentation.
    pub documentation: Option<String>,
    /// The element of the detail, and the field of its struct.
    pub detail: Element,
    /// The struct of the detail, if its type is not the detail of this fault alone.
    pub holder: Option<String>,
}

impl Fault {
    /// The complex type that is the detail of this fault alone.
    pub fn own_type(&self) -> Option<ComplexTypeId> {
        match (&self.detail.type_ref, &self.holder) {
            (TypeRef::Complex(id), None) => Some(*id),
            _ => None,
        }
    }
}

/// The result of an operation.
#[derive(Debug)]
pub struct OperationResult {
    /// The result element, and its type.
    pub element: Element,
    /// The root element of the result over HTTP GET and POST.
    pub root: Root,
    /// Whether it is a large object that is always there.
    pub(crate) is_large: bool,
}

/// The root element of a result over HTTP GET and POST.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// The name.
    pub name: String,
    /// The namespace; `None` for that of the service.
    pub namespace: Option<String>,
}

/// One of several results, which HTTP GET and POST answer.
#[derive(Debug)]
pub struct ReturnedResult {
    /// Its index among the elements of the response.
    pub index: usize,
    /// Its root element over HTTP GET and POST.
    pub root: Root,
}

/// A sequence of elements: a type of its own, or the wrapper of an operation's parameters.
#[derive(Debug, Clone)]
pub struct ComplexType {
    /// The name, and the struct in Rust.
    pub name: Name,
    /// Its namespace, and the form of its elements.
    pub scope: Scope,
    /// The element that a result of the type is over HTTP GET and POST, if it has one.
    pub(crate) root: Option<Root>,
    /// The origin, if another file defines it: its items are in another module.
    pub(crate) included: Option<Origin>,
    /// The path of the Rust type, if that is not emitted here.
    pub rust_type: Option<String>,
    /// The documentation.
    pub documentation: Option<String>,
    /// The attributes, those of the types that it extends first.
    pub attributes: Vec<Element>,
    /// The text content instead of elements.
    pub text: Option<Element>,
    /// The schema of the set of tables that the text is.
    pub data_set: Option<DataSetSchema>,
    /// The full name in .NET code.
    pub net: Option<String>,
    /// Whether callers over JSON know it wherever it stands.
    pub script_type: Option<ScriptName>,
    /// Those of the types that it extends first.
    pub elements: Vec<Element>,
    /// Whether it is abstract: values are of types that extend it.
    pub is_abstract: bool,
    /// Whether it is a value type in .NET.
    pub by_value: bool,
    /// Whether its elements stand in any order.
    pub unordered: bool,
    /// The type whose attributes, text and elements come before the own ones, or that is restricted.
    pub extends: Option<ComplexTypeId>,
    /// Whether it restricts that type, of which it inherits nothing.
    pub restricts: bool,
    /// This type and those that extend it, if there are any.
    pub family: Option<Family>,
    /// Whether an empty value has boxes.
    pub(crate) has_boxes: bool,
    /// Whether it is cloned in place, as it holds itself and one of the types between is large.
    pub(crate) clones_in_place: bool,
}

impl ComplexType {
    /// The type whose attributes, text and elements come before the own ones.
    pub fn inherits(&self) -> Option<ComplexTypeId> {
        self.extends.filter(|_| !self.restricts)
    }

    /// A type of these elements that is emitted here.
    pub(crate) fn new(name: Name, elements: Vec<Element>) -> Self {
        Self {
            name,
            scope: Scope::default(),
            root: None,
            included: None,
            rust_type: None,
            documentation: None,
            attributes: Vec::new(),
            text: None,
            data_set: None,
            net: None,
            script_type: None,
            elements,
            is_abstract: false,
            by_value: false,
            unordered: false,
            extends: None,
            restricts: false,
            family: None,
            has_boxes: false,
            clones_in_place: false,
        }
    }

    /// The name in `xsi:type`: `{NAMESPACE}NAME` if it has a namespace of its own.
    pub(crate) fn qualified_name(&self) -> String {
        named_in(self.scope.namespace.as_deref(), &self.name.xml)
    }

    /// Whether a struct is emitted for it.
    pub(crate) fn is_emitted(&self) -> bool {
        self.included.is_none() && self.rust_type.is_none() && !self.is_abstract
    }

    /// The fields of its struct, in order.
    pub fn fields(&self) -> impl Iterator<Item = &Element> {
        self.attributes
            .iter()
            .chain(&self.text)
            .chain(&self.elements)
    }
}

/// By which name callers over JSON know a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptName {
    /// Its name in .NET code.
    Net,
    /// Another one.
    Other(String),
}

/// The schema of a set of tables, as [`svcgen_model::DataSetSchema`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataSetSchema {
    /// The name of the set.
    pub name: String,
    /// The namespace of its elements; empty for none.
    pub namespace: String,
    /// The element `xs:schema`.
    pub schema: String,
}

/// A type and those that extend it, distinguished by `xsi:type`.
#[derive(Debug, Clone)]
pub struct Family {
    /// The enum of them all.
    pub rust: String,
    /// The type itself first, unless it is abstract.
    pub members: Vec<FamilyMember>,
    /// As of types.
    pub(crate) clones_in_place: bool,
}

/// A type of a family.
#[derive(Debug, Clone, Copy)]
pub struct FamilyMember {
    /// The type.
    pub complex_type: ComplexTypeId,
    /// Whether the value needs a `Box`, since its type holds the family or is large.
    pub boxed: bool,
}

/// Elements of which one is present, or of a sequence elements that are present together.
#[derive(Debug, Clone)]
pub struct Group {
    /// The enum, or the struct of a sequence.
    pub rust: String,
    /// Whether it is a choice or a sequence.
    pub kind: GroupKind,
    /// The head of the substitution group that the alternatives are in.
    pub head: Option<String>,
    /// The origin, if another file defines it.
    pub(crate) included: Option<Origin>,
    /// The documentation of the enum or the struct.
    pub(crate) about: String,
    /// The alternatives, whose Rust names are those of the variants; or the elements of a sequence.
    pub elements: Vec<Element>,
    /// As of types.
    pub(crate) clones_in_place: bool,
}

impl Group {
    /// Whether it is a sequence.
    pub fn is_sequence(&self) -> bool {
        self.kind == GroupKind::Sequence
    }
}

/// An element of a complex type, a parameter, or a result element; or an attribute. A choice or a sequence is an element whose name is not on the wire.
#[derive(Debug, Clone)]
pub struct Element {
    /// The name, and the field or variant in Rust.
    pub name: Name,
    /// The documentation.
    pub documentation: Option<String>,
    /// What is in it.
    pub type_ref: TypeRef,
    /// Its namespace.
    pub form: Form,
    /// How an absent value is written.
    pub absence: Absence,
    /// What values the schema allows; of a list, what items.
    pub facets: Vec<(Facet, String)>,
    /// The types of which one has the value, if it is of a union: members without names, of simple types and enumerations.
    pub union: Vec<Self>,
    /// How many items of a list the schema allows.
    pub occurs: Occurs,
    /// Whether Rust keeps it in a `Secret`.
    pub secret: bool,
    /// Whether Rust keeps it in a `SoapHeader`, with the attributes of SOAP.
    pub soap_attributes: bool,
    /// The name in .NET code, if it is another one.
    pub net: Option<String>,
    /// Whether the value needs a `Box`, since its type holds itself or is large.
    pub boxed: bool,
    /// Whether it stands for what is not named.
    pub wildcard: Option<Wildcard>,
    /// Whether it stands for the text between elements.
    pub characters: bool,
    /// What a missing value stands for, or the only value.
    pub constraint: Option<ValueConstraint>,
}

impl Element {
    /// An element of this type, without anything else.
    pub(crate) fn new(name: Name, type_ref: TypeRef, absence: Absence) -> Self {
        Self {
            name,
            documentation: None,
            type_ref,
            form: Form::Default,
            absence,
            facets: Vec::new(),
            union: Vec::new(),
            occurs: Occurs::ANY,
            secret: false,
            soap_attributes: false,
            net: None,
            boxed: false,
            wildcard: None,
            characters: false,
            constraint: None,
        }
    }

    /// Whether its name is on the wire.
    pub(crate) fn is_named(&self) -> bool {
        self.wildcard.is_none() && !self.characters && self.type_ref.group().is_none()
    }

    /// Whether it stands for attributes that are not named.
    pub(crate) fn is_any_attributes(&self) -> bool {
        let wildcard = self.wildcard.as_ref();
        wildcard.is_some_and(|wildcard| wildcard.of == WildcardOf::Attributes)
    }
}

impl Element {
    /// The text of the value that its field has by default, if that is not the one of its type.
    pub fn initial(&self) -> Option<&str> {
        let constraint = self.constraint.as_ref();
        let constraint = constraint.filter(|_| self.absence == Absence::Required);
        constraint.map(|constraint| constraint.row().attribute().1)
    }

    /// The bytes that this text takes outside of its value.
    pub(crate) fn bytes_of_initial(&self) -> usize {
        let simple = self.type_ref.simple();
        let is_kept =
            simple.is_some_and(|simple| simple.row().memory == svcgen_model::Memory::LIST);
        self.initial().filter(|_| is_kept).map_or(0, str::len)
    }

    /// The text of its fixed value.
    pub fn fixed(&self) -> Option<&str> {
        match &self.constraint {
            Some(ValueConstraint::Fixed(text)) => Some(text),
            _ => None,
        }
    }

    /// The text of what a missing value is, if that is not the default of its type; what has it may be written all the same.
    pub fn missing(&self) -> Option<&str> {
        match &self.constraint {
            Some(ValueConstraint::Default(text) | ValueConstraint::Initial(text)) => Some(text),
            _ => None,
        }
    }

    /// The text of its default value, with which it is left out.
    pub fn default(&self) -> Option<&str> {
        match &self.constraint {
            Some(ValueConstraint::Default(text)) => Some(text),
            _ => None,
        }
    }
}

/// The value constraint of an element or an attribute, as [`svcgen_model::ValueConstraint`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueConstraint {
    /// What is not there has this value.
    Default(String),
    /// The only value.
    Fixed(String),
    /// What it is where it is not there, although it is always written.
    Initial(String),
}

impl ValueConstraint {
    /// The column of a row.
    pub(crate) fn row(&self) -> svcgen_model::ValueConstraint<'_> {
        match self {
            Self::Default(text) => svcgen_model::ValueConstraint::Default(text),
            Self::Fixed(text) => svcgen_model::ValueConstraint::Fixed(text),
            Self::Initial(text) => svcgen_model::ValueConstraint::Initial(text),
        }
    }
}

/// What a wildcard stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wildcard {
    /// What it stands for.
    pub of: WildcardOf,
    /// The namespaces, as in XML Schema; empty for all.
    pub namespaces: String,
}

/// What stands for a wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WildcardOf {
    /// Attributes.
    Attributes,
    /// Elements.
    Elements,
    /// The elements among the text of an object. Where all may be there, there is no wildcard.
    Text,
}

impl Element {
    /// The name as emitted code writes it: `{NAMESPACE}NAME` if it is not in the namespace of what declares it.
    pub(crate) fn written_name(&self) -> String {
        named_in(self.form.namespace(), &self.name.xml)
    }
}

/// A namespace, and the form of the elements that are declared in it, as [`svcgen_model::Scope`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// The namespace; `None` for that of the service.
    pub namespace: Option<String>,
    /// Whether elements are in it; `None` for the form of the service.
    pub element_form: Option<ElementForm>,
}

/// The namespace of an element or an attribute, as [`svcgen_model::Form`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Form {
    /// As the type that declares it says; none for an attribute.
    #[default]
    Default,
    /// That of the type that declares it.
    Qualified,
    /// None.
    Unqualified,
    /// Another one.
    Reference(String),
}

impl Form {
    /// What tells elements of one name and one type apart.
    pub(crate) fn namespace(&self) -> Option<&str> {
        match self {
            Self::Reference(namespace) => Some(namespace),
            Self::Unqualified => Some(""),
            Self::Default | Self::Qualified => None,
        }
    }

    /// The column of a row.
    pub(crate) fn row(&self) -> svcgen_model::Form<'_> {
        match self {
            Self::Default => svcgen_model::Form::Default,
            Self::Qualified => svcgen_model::Form::Qualified,
            Self::Unqualified => svcgen_model::Form::Unqualified,
            Self::Reference(namespace) => svcgen_model::Form::Reference(namespace),
        }
    }
}

impl Element {
    /// The name of its field in a form.
    pub fn field_name(&self) -> &str {
        self.net.as_ref().unwrap_or(&self.name.xml)
    }
}

/// A type, resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeRef {
    /// A simple type.
    Simple(SimpleType),
    /// A simple type in a Rust type of the application's own, by its path.
    Custom(SimpleType, String),
    /// A complex type.
    Complex(ComplexTypeId),
    /// An enumeration.
    Enumeration(EnumerationId),
    /// A choice or a sequence.
    Group(GroupId),
    /// A list.
    List(Box<ListType>),
    /// Values by texts, in JSON alone.
    Dictionary(Box<DictionaryType>),
}

impl TypeRef {
    /// An unwrapped list of these items.
    pub(crate) fn repeated(item: &str, item_type: Self) -> Self {
        Self::List(Box::new(ListType {
            item: item.to_owned(),
            by_type: false,
            item_form: Form::Default,
            item_type,
            nillable_items: false,
            form: ListForm::Unwrapped,
        }))
    }

    /// The simple type, whatever Rust keeps it in.
    pub fn simple(&self) -> Option<SimpleType> {
        match self {
            Self::Simple(simple) | Self::Custom(simple, _) => Some(*simple),
            _ => None,
        }
    }

    /// Whether it is a value type in .NET: absent ones are written with `xsi:nil`, others are left out.
    pub fn by_value(&self) -> bool {
        match self {
            Self::Enumeration(_) => true,
            _ => self.simple().is_some_and(|simple| simple.row().by_value),
        }
    }

    /// The type itself, or what is in the innermost list or dictionary.
    pub fn innermost(&self) -> &Self {
        match self {
            Self::List(list) => list.item_type.innermost(),
            Self::Dictionary(dictionary) => dictionary.value_type.innermost(),
            _ => self,
        }
    }

    /// Whether it is a value of any type, or a list or a dictionary of them.
    pub fn is_object(&self) -> bool {
        matches!(self.innermost(), Self::Simple(SimpleType::AnyType))
    }

    /// The path of the application's Rust type for the values, if there is one.
    pub(crate) fn custom_path(&self) -> Option<&str> {
        match self.innermost() {
            Self::Custom(_, path) => Some(path),
            _ => None,
        }
    }

    /// The choice or the sequence that this is, or that this is a list of.
    pub fn group(&self) -> Option<GroupId> {
        match self.innermost() {
            Self::Group(id) => Some(*id),
            _ => None,
        }
    }
}

/// A list of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListType {
    /// The name of an item's element. While a definition is lowered, that of an item which is called as its type, a list, is empty.
    pub item: String,
    /// Whether an item is called as its type, a list, whose name the service decides on.
    pub(crate) by_type: bool,
    /// The namespace of an item's element.
    pub item_form: Form,
    /// The type of an item.
    pub item_type: TypeRef,
    /// Whether items may be nil.
    pub nillable_items: bool,
    /// How the list is on the wire.
    pub form: ListForm,
}

/// A dictionary, whose keys are texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DictionaryType {
    /// The type of a value.
    pub value_type: TypeRef,
    /// Whether values may be null.
    pub nullable_values: bool,
}

/// How a list is on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListForm {
    /// The items are in an element of the list. Of several such elements the last counts.
    Wrapped,
    /// The items are in an element of the list. Of several such elements the items of all count.
    Collection,
    /// The items repeat the element.
    Unwrapped,
    /// The items are in the text of the element or the attribute, divided by blanks.
    Text,
}

impl ListType {
    /// Whether the items are in an element of the list.
    pub fn is_wrapped(&self) -> bool {
        matches!(self.form, ListForm::Wrapped | ListForm::Collection)
    }

    /// The lists that this is a list of.
    pub fn inner(&self) -> Option<&Self> {
        match &self.item_type {
            TypeRef::List(inner) => Some(inner),
            _ => None,
        }
    }
}

/// The index of a complex type in its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComplexTypeId(pub usize);

/// The index of a choice or a sequence in its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub usize);

/// The index of an enumeration in its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnumerationId(pub usize);

/// A list of named values.
#[derive(Debug, Clone)]
pub struct Enumeration {
    /// The name, and the enum in Rust.
    pub name: Name,
    /// Its namespace; `None` for that of the service.
    pub namespace: Option<String>,
    /// The origin, if another file defines it.
    pub(crate) included: Option<Origin>,
    /// The path of the Rust type, if that is not emitted here.
    pub rust_type: Option<String>,
    /// The documentation.
    pub documentation: Option<String>,
    /// The name in .NET code with its namespace.
    pub net: Option<String>,
    /// Whether page scripts know it wherever it stands.
    pub script_type: bool,
    /// The simple type whose texts the values are.
    pub base: SimpleType,
    /// Whether other names are kept as `Other(String)`.
    pub is_open: bool,
    /// Whether values are sets of the listed ones.
    pub is_flags: bool,
    /// The values; the first one is the default.
    pub values: Vec<EnumerationValue>,
}

/// A value of an enumeration.
#[derive(Debug, Clone)]
pub struct EnumerationValue {
    /// The text on the wire, and the variant in Rust.
    pub name: Name,
    /// The name in .NET code, if it is another one.
    pub net: Option<String>,
    /// The number in .NET code, if the definition says it.
    pub number: Option<i64>,
    /// The documentation.
    pub documentation: Option<String>,
}

impl Enumeration {
    /// The numbers of its values in .NET.
    pub fn numbers(&self) -> impl Iterator<Item = i64> {
        svcgen_model::numbers(self.is_flags, self.values.iter().map(|value| value.number))
    }
}

impl EnumerationValue {
    /// The name in a form.
    pub fn field_name(&self) -> &str {
        self.net.as_ref().unwrap_or(&self.name.xml)
    }
}

/// A name in both forms. No later stage converts one into the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name in definitions.
    pub key: String,
    /// The name on the wire.
    pub xml: String,
    /// The identifier in emitted code, raw if necessary.
    pub rust: String,
}

impl Name {
    /// A name that is one in definitions and on the wire.
    pub(crate) fn new(xml: impl Into<String>, rust: impl Into<String>) -> Self {
        let xml = xml.into();
        Self {
            key: xml.clone(),
            xml,
            rust: rust.into(),
        }
    }

    /// The Rust name without `r#`.
    pub fn unraw(&self) -> &str {
        self.rust.strip_prefix("r#").unwrap_or(&self.rust)
    }
}
