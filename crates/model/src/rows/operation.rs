//! An operation and its SOAP headers.

use super::{ComplexType, Element, ElementForm, Form, TypeRef, complex_type};
use crate::{Bindings, SimpleType};

/// An operation: names on the wire, parameters and result.
#[derive(Debug, Clone, Copy)]
pub struct Operation<'a> {
    /// The name, also the last segment of its path over HTTP GET and POST.
    pub name: &'a str,
    /// The SOAPAction.
    pub action: &'a str,
    /// The element in the Body of a request, with the parameters as its elements; form fields over
    /// HTTP GET and POST.
    pub parameters: ComplexType<'a>,
    /// The element in the Body of a response. If the operation has several results, they are its
    /// elements.
    pub response: ComplexType<'a>,
    /// The element of the result in the response element; of several results, the return value.
    pub result: Option<Element<'a>>,
    /// The result in the answer of HTTP GET and POST, if it is a list whose items have names of
    /// their own in SOAP: .NET uses only the names of their types there.
    pub http_result: Option<Element<'a>>,
    /// The root element of the result over HTTP GET and POST; empty without a result.
    pub root: &'a str,
    /// The namespace of the root element; `None` for that of the service's types.
    pub root_namespace: Option<&'a str>,
    /// Its bindings.
    pub bindings: Bindings,
    /// The method and the format of calls over JSON.
    pub script: ScriptMethod,
    /// The layout of its SOAP messages.
    pub style: Style,
    /// The namespace of the types in its SOAP messages, if these are encoded (`use="encoded"`, SOAP
    /// 1.1 §5, SOAP 1.2 part 2 §3).
    pub encoded: Option<&'a str>,
    /// Whether it has no response, only `202 Accepted` once the request has been read.
    pub one_way: bool,
    /// Whether a call changes nothing, so that it may be cancelled when its caller is gone.
    pub read_only: bool,
    /// The name in the WSDL, if it differs; several operations may have the same one.
    pub wsdl_name: Option<&'a str>,
    /// The SOAP headers of requests.
    pub headers: Option<&'a Headers<'a>>,
    /// Whether ASMX caches its answers, which the headers of answers state.
    pub cached: bool,
    /// Whether its handler can identify the calls of one caller by a cookie.
    pub session: bool,
    /// Whether its handler receives the SOAP headers of requests that it does not declare.
    pub unknown_headers: bool,
    /// The SOAP headers of responses.
    pub response_headers: Option<&'a Headers<'a>>,
    /// The SOAP headers of faults.
    pub fault_headers: Option<&'a Headers<'a>>,
    /// Its faults, as indexes into [`Service::faults`](crate::Service::faults).
    pub faults: &'a [usize],
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// The method and the format of calls over JSON (`[ScriptMethod]` in .NET).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ScriptMethod {
    /// Whether it is called by GET, with the parameters in the query, instead of by POST
    /// (`UseHttpGet`).
    pub use_http_get: bool,
    /// The format of the result.
    pub response_format: ResponseFormat,
}

/// The format of the result of a call over JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ResponseFormat {
    /// JSON.
    #[default]
    Json,
    /// XML in no namespace; a text is sent unchanged (`ResponseFormat.Xml`).
    Xml,
    /// XML in no namespace, even for text (`XmlSerializeString`).
    XmlString,
}

/// Creates an operation over SOAP, HTTP GET and HTTP POST, without a result.
pub const fn operation<'a>(
    name: &'a str,
    action: &'a str,
    parameters: ComplexType<'a>,
    response: &'a str,
) -> Operation<'a> {
    Operation {
        name,
        action,
        parameters: parameters.message(),
        response: complex_type(response, &[]).message(),
        result: None,
        http_result: None,
        root: "",
        root_namespace: None,
        bindings: Bindings::DEFAULT,
        script: ScriptMethod {
            use_http_get: false,
            response_format: ResponseFormat::Json,
        },
        style: Style::Document,
        encoded: None,
        one_way: false,
        read_only: false,
        wsdl_name: None,
        headers: None,
        cached: false,
        session: false,
        unknown_headers: false,
        response_headers: None,
        fault_headers: None,
        faults: &[],
        documentation: 0,
    }
}

impl<'a> Operation<'a> {
    builders! {
        /// Sets the result, whose root element over HTTP GET and POST is `root`.
        result(result: Element<'a>, root: &'a str) { result: Some(result), root: root }
        /// Sets several results, as the elements of the response.
        response(response: ComplexType<'a>) { response: response.message() }
        /// Sets the namespace of the root element over HTTP GET and POST.
        rooted_in(namespace: &'a str) { root_namespace: Some(namespace) }
        /// Sets the result in the answer of HTTP GET and POST, where its items have other names.
        over_http(result: Element<'a>) { http_result: Some(result) }
        /// Sets the method and the format of calls over JSON.
        script(script: ScriptMethod) { script: script }
        /// Sets its bindings.
        over(bindings: Bindings) { bindings: bindings }
        /// Sets the style bare: parameters and results are themselves elements in the Body.
        bare() { style: Style::Bare }
        /// Encodes its SOAP messages, with types in this namespace.
        encoded(types: &'a str) { encoded: Some(types) }
        /// Makes it one-way.
        one_way() { one_way: true }
        /// Marks it as read-only: a call changes nothing.
        read_only() { read_only: true }
        /// Sets the name in the WSDL.
        called(name: &'a str) { wsdl_name: Some(name) }
        /// Sets the SOAP headers of requests.
        headers(headers: &'a Headers<'a>) { headers: Some(headers) }
        /// Sends the headers for answers that ASMX caches.
        cached() { cached: true }
        /// Lets its handler identify the calls of one caller by a cookie.
        session() { session: true }
        /// Passes its handler the SOAP headers of requests that it does not declare.
        unknown_headers() { unknown_headers: true }
        /// Sets the SOAP headers of responses.
        response_headers(headers: &'a Headers<'a>) { response_headers: Some(headers) }
        /// Sets the SOAP headers of faults.
        fault_headers(headers: &'a Headers<'a>) { fault_headers: Some(headers) }
        /// Sets its faults, as indexes into [`Service::faults`](crate::Service::faults).
        faults(faults: &'a [usize]) { faults: faults }
        /// Sets the number of its documentation.
        documented(number: u32) { documentation: number }
    }

    /// Sets the style rpc, in which parameters and results are in no namespace.
    #[must_use]
    pub const fn rpc(mut self) -> Self {
        self.style = Style::Rpc;
        self.parameters.scope.element_form = Some(ElementForm::Unqualified);
        self.response.scope.element_form = Some(ElementForm::Unqualified);
        self
    }

    /// Returns the elements of its results: those of the response, or the only one.
    pub fn results(&self) -> &[Element<'a>] {
        match &self.result {
            Some(only) if !self.has_results() => std::slice::from_ref(only),
            _ => self.response.elements,
        }
    }

    /// Returns the element of the result over HTTP GET and POST.
    pub fn result_over_http(&self) -> Option<&Element<'a>> {
        self.http_result.as_ref().or(self.result.as_ref())
    }

    /// Returns the row of a result as the root element of a document. For types that .NET keeps as
    /// text, it only knows there that the value is text.
    pub fn root_row(&self, result: &Element<'a>) -> Element<'a> {
        Element {
            name: self.root,
            form: self.root_namespace.map_or(Form::Qualified, Form::Reference),
            type_ref: match result.type_ref {
                TypeRef::Simple(simple) if simple.is_text() => TypeRef::Simple(SimpleType::String),
                other => other,
            },
            ..*result
        }
    }

    /// Returns the row of the items of the result over HTTP GET and POST, if they have other names
    /// there.
    pub fn items_over_http(&self) -> Option<&'a Element<'a>> {
        self.http_result.as_ref()?.items()
    }

    /// Makes one of several results, by index, the return value, with the root element `root`.
    ///
    /// # Panics
    ///
    /// The response has no such element.
    #[must_use]
    pub const fn returns(self, index: usize, root: &'a str) -> Self {
        let result = self.response.elements[index];
        self.result(result, root)
    }

    /// Whether the response is a type with several results.
    pub const fn has_results(&self) -> bool {
        !self.response.elements.is_empty()
    }

    /// Whether it has results that HTTP GET and POST do not return.
    pub const fn has_results_for_soap(&self) -> bool {
        self.response.elements.len() > self.result.is_some() as usize
    }
}

/// The layout of the Body of a SOAP message (WSDL 1.1 §3.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// The element in the Body is a global element of the schema.
    #[default]
    Document,
    /// The element in the Body is named after the operation; the elements in it are in no namespace
    /// (WS-I Basic Profile 1.1 R2735), even if they are encoded.
    Rpc,
    /// The parameters, or the results, are themselves elements in the Body, global elements of the
    /// schema.
    Bare,
}

impl Style {
    /// Returns the scope of the items of lists that are parameters or results, given the scope of
    /// these: in style rpc the parts of a message are in no namespace, but the types of lists are
    /// in the schema of the service.
    pub const fn of_lists<'a>(
        self,
        parts: (&'a str, ElementForm),
        service: (&'a str, ElementForm),
    ) -> (&'a str, ElementForm) {
        match self {
            Self::Rpc => service,
            Self::Document | Self::Bare => parts,
        }
    }
}

/// The SOAP headers of a message: elements of the service's namespace in `soap:Header`.
#[derive(Debug, Clone, Copy)]
pub struct Headers<'a> {
    /// The elements, in the order of the Rust struct. The name of the type is not used.
    pub fields: ComplexType<'a>,
    /// The rule of each element.
    pub rules: &'a [HeaderRule],
}

/// Creates SOAP headers with their rules.
///
/// # Panics
///
/// The numbers of rules and elements differ.
pub const fn headers<'a>(elements: &'a [Element<'a>], rules: &'a [HeaderRule]) -> Headers<'a> {
    assert!(elements.len() == rules.len(), "each header has a rule");
    Headers {
        fields: complex_type("", elements),
        rules,
    }
}

/// The rule for checking and sending a SOAP header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeaderRule {
    /// Whether requests without it are refused.
    pub required: bool,
    /// Whether it is sent with `mustUnderstand`.
    pub must_understand: bool,
}
