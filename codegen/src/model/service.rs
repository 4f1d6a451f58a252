//! A service, and its operations.

use svcgen_model::{Bindings, ElementForm, HeaderRule, Routing, ScriptMethod, Style};

use super::element::{ComplexTypeId, Element, TypeRef};
use super::name::Name;
use super::types::{ComplexType, Root};

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
    /// The part of a SOAP request that selects the operation.
    pub routing: Routing,
    /// The time zone in which times are shown, if any.
    pub time_zone: Option<String>,
    /// The names of list types that have another name over HTTP GET and POST, with that name.
    pub list_names: Vec<(String, String)>,
    /// The operations, in the order of the definition.
    pub operations: Vec<Method>,
    /// The faults that have a detail.
    pub faults: Vec<Fault>,
    /// The information for callers over JSON and page scripts; empty if no operation is offered to
    /// them.
    pub script: Script,
    /// Rust names of the emitted items.
    pub items: ServiceItems,
}

impl Service {
    /// Whether an operation has access to the session of its caller.
    pub(crate) fn has_sessions(&self) -> bool {
        self.operations.iter().any(|operation| operation.session)
    }

    /// Whether its time zone has a name, which requires a database of time zones; an offset needs
    /// none.
    pub(crate) fn has_named_time_zone(&self) -> bool {
        let zone = self.time_zone.as_deref();
        zone.is_some_and(|zone| zone != "UTC" && !zone.starts_with(['+', '-']))
    }
}

/// The information of a service for callers over JSON and page scripts.
#[derive(Debug, Default)]
pub struct Script {
    /// The full name of the class in .NET code, if the definition contains it.
    pub class: Option<String>,
    /// The types that these callers know.
    pub types: Vec<ScriptType>,
}

/// A type that callers over JSON and page scripts know.
#[derive(Debug)]
pub struct ScriptType {
    /// A complex type or an enumeration.
    pub type_ref: TypeRef,
    /// The full name in .NET code, or its replacement in JSON.
    pub name: String,
    /// The full name in .NET code, if it differs from the name.
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
    /// The response wrapper element. Several results are its elements, and its Rust name is that of
    /// their struct.
    pub response: ComplexType,
    /// The only result.
    pub result: Option<OperationResult>,
    /// The return value among several results, which HTTP GET and POST return.
    pub returned: Option<ReturnedResult>,
    /// The result in the answer of HTTP GET and POST, if it is a list whose items have names of
    /// their own in SOAP.
    pub http_result: Option<Element>,
    /// Its bindings.
    pub bindings: Bindings,
    /// The method and the format of calls over JSON.
    pub script: ScriptMethod,
    /// The layout of its SOAP messages.
    pub style: Style,
    /// The namespace of the types in its SOAP messages, if these are encoded.
    pub encoded: Option<String>,
    /// Whether it has no response.
    pub one_way: bool,
    /// Whether a call changes nothing.
    pub read_only: bool,
    /// The name in the WSDL, if it differs; several operations may have the same one.
    pub wsdl_name: Option<String>,
    /// The SOAP headers of its requests.
    pub headers: Option<Headers>,
    /// Whether ASMX keeps its answers for a while.
    pub cached: bool,
    /// Whether its handler can identify the calls of one caller by a cookie.
    pub session: bool,
    /// Whether its handler receives the SOAP headers of requests that it does not declare.
    pub unknown_headers: bool,
    /// The SOAP headers of its responses.
    pub response_headers: Option<Headers>,
    /// The SOAP headers of its faults.
    pub fault_headers: Option<Headers>,
    /// The names of its faults.
    pub faults: Vec<String>,
}

impl Method {
    /// Returns the structs of its parameters, if it has any, of its results, if it has several, and
    /// of the headers of its requests, answers and faults.
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

    /// Returns the struct of several results.
    pub fn results(&self) -> Option<&ComplexType> {
        let [_, results, ..] = self.structs();
        results
    }

    /// Returns the elements of its results, one or several.
    pub fn result_elements(&self) -> impl Iterator<Item = &Element> + Clone {
        let only = self.result.iter().map(|result| &result.element);
        self.response.elements.iter().chain(only)
    }

    /// Returns the root element of the result over HTTP GET and POST, if there is one.
    pub fn root(&self) -> Option<&Root> {
        let only = self.result.as_ref().map(|result| &result.root);
        only.or(self.returned.as_ref().map(|returned| &returned.root))
    }

    /// Returns the type of the result.
    pub fn result_type(&self) -> Option<&TypeRef> {
        self.result.as_ref().map(|result| &result.element.type_ref)
    }
}

/// SOAP headers of a message, as the elements of a type of their own.
#[derive(Debug)]
pub struct Headers {
    /// The elements, and their struct.
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
    /// Returns the complex type that is the detail of this fault alone.
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
    /// Whether it is a large object that is always present.
    pub(crate) is_large: bool,
}

/// The return value among several results, which HTTP GET and POST return.
#[derive(Debug)]
pub struct ReturnedResult {
    /// Its index among the elements of the response.
    pub index: usize,
    /// Its root element over HTTP GET and POST.
    pub root: Root,
}
