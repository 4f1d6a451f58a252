//! The rows of a model.

use crate::{At, Binding, Bindings, Facet, SimpleType, TextForm};

/// Builder methods, each of which sets some columns of a row.
macro_rules! builders {
    ($($(#[$doc:meta])+ $name:ident($($argument:ident: $type:ty),*) { $($column:ident: $value:expr),+ })+) => {$(
        $(#[$doc])+
        #[must_use]
        pub const fn $name(mut self $(, $argument: $type)*) -> Self {
            $(self.$column = $value;)+
            self
        }
    )+};
}

/// Methods for the documentation of a row, which the row refers to by number.
macro_rules! documented {
    ($($row:ident),+) => {$(
        impl $row<'_> {
            builders! {
                /// Sets the number of its documentation.
                documented(number: u32) { documentation: number }
            }
        }

        impl<'m> At<'m, $row<'m>> {
            /// Its documentation.
            pub fn documentation(self) -> Option<&'m str> {
                self.words(self.row().documentation)
            }
        }
    )+};
}

documented!(
    Service,
    Operation,
    ComplexType,
    Group,
    Element,
    Enumeration,
    Value
);

/// The content of one definition file: types, and the service that uses them.
#[derive(Debug, Clone, Copy)]
pub struct Module<'a> {
    /// The service; `None` in a file of shared types.
    pub service: Option<Service<'a>>,
    /// The complex types.
    pub types: &'a [ComplexType<'a>],
    /// The enumerations.
    pub enumerations: &'a [Enumeration<'a>],
    /// The modules of the files that it includes, without cycles.
    pub includes: &'a [&'a Module<'a>],
}

impl<'a> Module<'a> {
    /// A module of these types.
    pub const fn new(types: &'a [ComplexType<'a>], enumerations: &'a [Enumeration<'a>]) -> Self {
        Self {
            service: None,
            types,
            enumerations,
            includes: &[],
        }
    }

    builders! {
        /// Adds the service.
        with_service(service: Service<'a>) { service: Some(service) }
        /// Adds included modules, which [`TypeId::included`] numbers from 1.
        with_includes(includes: &'a [&'a Module<'a>]) { includes: includes }
    }

    /// The parameters of an operation of its service.
    ///
    /// # Panics
    ///
    /// There is no service, or it has no such operation.
    pub const fn parameters(&self, operation: usize) -> &ComplexType<'a> {
        &self.operation(operation).parameters
    }

    /// The results of an operation of its service that has several.
    ///
    /// # Panics
    ///
    /// There is no service, or it has no such operation.
    pub const fn response(&self, operation: usize) -> &ComplexType<'a> {
        &self.operation(operation).response
    }

    /// The SOAP headers of an operation's requests.
    ///
    /// # Panics
    ///
    /// There is no service, it has no such operation, or the operation has no headers.
    pub const fn headers(&self, operation: usize) -> &ComplexType<'a> {
        match self.operation(operation).headers {
            Some(headers) => &headers.fields,
            None => panic!("the operation takes no headers"),
        }
    }

    /// The SOAP headers of an operation's responses.
    ///
    /// # Panics
    ///
    /// There is no service, it has no such operation, or the operation has no response headers.
    pub const fn response_headers(&self, operation: usize) -> &ComplexType<'a> {
        match self.operation(operation).response_headers {
            Some(headers) => &headers.fields,
            None => panic!("the operation answers no headers"),
        }
    }

    /// The SOAP headers of an operation's faults.
    ///
    /// # Panics
    ///
    /// There is no service, it has no such operation, or its faults have no headers.
    pub const fn fault_headers(&self, operation: usize) -> &ComplexType<'a> {
        match self.operation(operation).fault_headers {
            Some(headers) => &headers.fields,
            None => panic!("the faults of the operation have no headers"),
        }
    }

    const fn operation(&self, operation: usize) -> &Operation<'a> {
        match &self.service {
            Some(service) => &service.operations[operation],
            None => panic!("the module has no service"),
        }
    }
}

/// The documentation of a module: texts that its rows refer to by number, from 1, and names. It is separate from the rows so that a program that
/// writes no documents does not contain it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Documentation<'a> {
    /// The texts.
    pub texts: &'a [&'a str],
    /// The names in Rust that do not follow from those on the wire, which code in documents has: each after its [`place`](crate::place), sorted by that.
    pub names: &'a [(&'a str, &'a str)],
    /// The documentation of the modules that the module includes.
    pub includes: &'a [&'a Documentation<'a>],
}

/// A service: names, path and operations.
#[derive(Debug, Clone, Copy)]
pub struct Service<'a> {
    /// The name.
    pub name: &'a str,
    /// The namespace of its elements.
    pub namespace: &'a str,
    /// The path, such as `/SvcDotNet/Authenticator.asmx`; matched in any letter case.
    pub path: &'a str,
    /// Whether the elements of its types are in its namespace.
    pub element_form: ElementForm,
    /// Whether any of its types, messages, elements or attributes is in a namespace or form of its own ([`Scope`], [`Form`]), or .NET makes another text of
    /// its values than they have ([`TextForm`]).
    pub has_scopes: bool,
    /// The namespace of its types and of everything literal, if that is another one, as in a class with `[SoapRpcService]`, where that of the service is that of encoded types.
    pub literal_namespace: Option<&'a str>,
    /// What names the operation of a SOAP request.
    pub routing: Routing,
    /// The names that the types of lists have over HTTP GET and POST, where .NET numbers them by themselves: of each that differs, the one over SOAP comes first. Items of lists of lists are named so.
    pub list_names: &'a [(&'a str, &'a str)],
    /// The time zone that its server shows times in, `UTC`, an offset such as `-05:00` or a name of the IANA database; `None` if values keep their offsets.
    pub time_zone: Option<&'a str>,
    /// The operations, in the order of the definition. Emitted code refers to an operation by its index.
    pub operations: &'a [Operation<'a>],
    /// The detail elements of faults.
    pub faults: &'a [Element<'a>],
    /// What callers over JSON and page scripts know of it beside the other rows.
    pub script: Script<'a>,
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// A service as callers over JSON and page scripts know it: names of .NET.
#[derive(Debug, Clone, Copy, Default)]
pub struct Script<'a> {
    /// The full name of its class, `Namespace.Class`; `None` for that of the service.
    pub class: Option<&'a str>,
    /// The types of its operations over JSON, and those that are known beside them: objects of these say their type, and page scripts have constructors and enumerations of these.
    pub types: &'a [ScriptType<'a>],
}

/// A type that objects in JSON say as `__type`.
#[derive(Debug, Clone, Copy)]
pub struct ScriptType<'a> {
    /// A complex type or an enumeration.
    pub type_ref: TypeRef<'a>,
    /// The full name in .NET, `Namespace.Class`, or the one that stands for it in JSON.
    pub name: &'a str,
    /// The full name in .NET, if that is not the name.
    pub class: Option<&'a str>,
}

impl<'a> Service<'a> {
    /// A service whose elements are in its namespace.
    pub const fn new(
        name: &'a str,
        namespace: &'a str,
        path: &'a str,
        operations: &'a [Operation<'a>],
    ) -> Self {
        let mut has_scopes = false;
        let mut index = 0;
        while index < operations.len() {
            has_scopes |= operations[index].parameters.scope.is_own()
                || operations[index].response.scope.is_own();
            index += 1;
        }
        Self {
            name,
            namespace,
            path,
            element_form: ElementForm::Qualified,
            has_scopes,
            literal_namespace: None,
            routing: Routing::Action,
            list_names: &[],
            time_zone: None,
            operations,
            faults: &[],
            script: Script {
                class: None,
                types: &[],
            },
            documentation: 0,
        }
    }

    builders! {
        /// Sets what callers over JSON and page scripts know of it.
        script(script: Script<'a>) { script: script }
        /// Makes the elements of types unqualified.
        unqualified() { element_form: ElementForm::Unqualified }
        /// Says that types, messages, elements or attributes are in namespaces or forms of their own, or have other texts than their values.
        with_scopes() { has_scopes: true }
        /// Gives its types and everything literal another namespace.
        literal_in(namespace: &'a str) { literal_namespace: Some(namespace) }
        /// Lets the element in the Body name the operation, whatever the action says.
        routed_by_element() { routing: Routing::Element }
        /// Sets the names of lists over HTTP GET and POST, each after that over SOAP.
        list_names(names: &'a [(&'a str, &'a str)]) { list_names: names }
        /// Sets the time zone.
        in_time_zone(time_zone: &'a str) { time_zone: Some(time_zone) }
        /// Adds the detail elements of faults.
        faults(faults: &'a [Element<'a>]) { faults: faults }
    }

    /// The index of the first operation over a binding for which `is` returns true.
    pub fn find(&self, binding: Binding, is: impl Fn(&Operation<'a>) -> bool) -> Option<usize> {
        let mut operations = self.operations.iter();
        operations.position(|operation| operation.bindings.contains(binding) && is(operation))
    }

    /// The namespace of its types and of everything literal, and the form of the elements of types.
    pub const fn scope(&self) -> (&'a str, ElementForm) {
        match self.literal_namespace {
            Some(namespace) => (namespace, self.element_form),
            None => (self.namespace, self.element_form),
        }
    }

    /// Whether some elements or attributes are in another namespace or form than is usual, or their texts are other ones than their values, which takes more work to read and to write.
    pub const fn is_scoped(&self) -> bool {
        self.has_scopes
            || self.literal_namespace.is_some()
            || matches!(self.element_form, ElementForm::Unqualified)
    }

    /// The bindings of its operations.
    pub fn bindings(&self) -> Bindings {
        let each = self.operations.iter().map(|operation| operation.bindings);
        each.fold(Bindings::NONE, Bindings::or)
    }

    /// Whether any operation has request headers.
    pub fn takes_headers(&self) -> bool {
        let mut operations = self.operations.iter();
        operations.any(|operation| operation.headers.is_some() || operation.unknown_headers)
    }
}

/// The other one of a pair of names, if there is one.
pub fn renamed<'a>(names: &[(&'a str, &'a str)], name: &'a str) -> &'a str {
    let mut names = names.iter();
    let found = names.find(|(known, _)| *known == name);
    found.map_or(name, |(_, other)| other)
}

/// The namespace of a type or a message, and the form of the elements that it declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scope<'a> {
    /// The namespace; `None` for that of the service.
    pub namespace: Option<&'a str>,
    /// The form of elements; `None` for that of the service.
    pub element_form: Option<ElementForm>,
}

impl<'a> Scope<'a> {
    /// The namespace and the form of the service.
    pub const SERVICE: Self = Self {
        namespace: None,
        element_form: None,
    };

    /// The namespace and the form, where a service has these.
    pub const fn within(self, service: (&'a str, ElementForm)) -> (&'a str, ElementForm) {
        let namespace = match self.namespace {
            Some(namespace) => namespace,
            None => service.0,
        };
        match self.element_form {
            Some(form) => (namespace, form),
            None => (namespace, service.1),
        }
    }

    const fn is_own(self) -> bool {
        self.namespace.is_some() || self.element_form.is_some()
    }
}

/// The namespace of an element or an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form<'a> {
    /// That of the type that declares it, by the form of its elements; attributes are in none.
    #[default]
    Default,
    /// That of the type that declares it.
    Qualified,
    /// None.
    Unqualified,
    /// Another one, in which the schema declares it globally: a reference.
    Reference(&'a str),
}

impl<'a> Form<'a> {
    /// The namespace of an element that a type in this namespace declares; empty for none.
    pub const fn of_element(self, (namespace, form): (&'a str, ElementForm)) -> &'a str {
        match (self, form) {
            (Self::Default, ElementForm::Qualified) | (Self::Qualified, _) => namespace,
            (Self::Default, ElementForm::Unqualified) | (Self::Unqualified, _) => "",
            (Self::Reference(other), _) => other,
        }
    }

    /// The namespace of an attribute that a type in this namespace declares; empty for none.
    pub const fn of_attribute(self, namespace: &'a str) -> &'a str {
        self.of_element((namespace, ElementForm::Unqualified))
    }
}

/// Whether the elements that types declare are in their namespace (`elementFormDefault` of XML Schema).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ElementForm {
    /// In the namespace.
    #[default]
    Qualified,
    /// In no namespace.
    Unqualified,
}

/// What names the operation of a SOAP request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Routing {
    /// The action. An action of several operations leaves it to the element which of them is meant.
    #[default]
    Action,
    /// The first element in the Body, whatever the action says.
    Element,
}

/// An operation: names on the wire, parameters and result.
#[derive(Debug, Clone, Copy)]
pub struct Operation<'a> {
    /// The name, also the last segment of its path over HTTP GET and POST.
    pub name: &'a str,
    /// The SOAPAction.
    pub action: &'a str,
    /// The element in the Body of a request, with the parameters as its elements; form fields over HTTP GET and POST.
    pub parameters: ComplexType<'a>,
    /// The element in the Body of a response. If the operation has several results, they are its elements.
    pub response: ComplexType<'a>,
    /// The element of the result in the response element; of several results, the return value.
    pub result: Option<Element<'a>>,
    /// The result as HTTP GET and POST answer it, if it is a list whose items have names of their own in SOAP: .NET knows only those of their types there.
    pub http_result: Option<Element<'a>>,
    /// The root element of the result over HTTP GET and POST; empty without a result.
    pub root: &'a str,
    /// The namespace of that; `None` for that of the service's types.
    pub root_namespace: Option<&'a str>,
    /// Its bindings.
    pub bindings: Bindings,
    /// How it is called and answered over JSON.
    pub script: ScriptMethod,
    /// How its SOAP messages are laid out.
    pub style: Style,
    /// The namespace of the types in its SOAP messages, if these are encoded (`use="encoded"`, SOAP 1.1 §5, SOAP 1.2 part 2 §3).
    pub encoded: Option<&'a str>,
    /// Whether it has no response, only `202 Accepted` once the request has been read.
    pub one_way: bool,
    /// Whether a call changes nothing, so that it may be cancelled when its caller is gone.
    pub read_only: bool,
    /// The name in the WSDL, if it is another one, which several operations may have.
    pub wsdl_name: Option<&'a str>,
    /// The SOAP headers of requests.
    pub headers: Option<&'a Headers<'a>>,
    /// Whether ASMX keeps its answers for a while, which the headers of answers say.
    pub cached: bool,
    /// Whether a cookie tells its handler which calls are of one caller.
    pub session: bool,
    /// Whether its handler gets the SOAP headers of requests that it does not declare.
    pub unknown_headers: bool,
    /// The SOAP headers of responses.
    pub response_headers: Option<&'a Headers<'a>>,
    /// The SOAP headers of faults.
    pub fault_headers: Option<&'a Headers<'a>>,
    /// Its faults, as indexes into [`Service::faults`].
    pub faults: &'a [usize],
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// How an operation is called and answered over JSON (`[ScriptMethod]` in .NET).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ScriptMethod {
    /// Whether it is called by GET, with the parameters in the query, instead of by POST (`UseHttpGet`).
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
    /// XML in no namespace; a text is sent as it is (`ResponseFormat.Xml`).
    Xml,
    /// XML in no namespace, for text too (`XmlSerializeString`).
    XmlString,
}

/// An operation over SOAP, HTTP GET and HTTP POST, without a result.
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
        /// Sets the result as HTTP GET and POST answer it, where its items have other names.
        over_http(result: Element<'a>) { http_result: Some(result) }
        /// Sets how it is called and answered over JSON.
        script(script: ScriptMethod) { script: script }
        /// Sets its bindings.
        over(bindings: Bindings) { bindings: bindings }
        /// Sets the style bare: parameters and results are themselves elements in the Body.
        bare() { style: Style::Bare }
        /// Encodes its SOAP messages, with types of this namespace.
        encoded(types: &'a str) { encoded: Some(types) }
        /// Makes it one-way.
        one_way() { one_way: true }
        /// Marks it as read-only: a call changes nothing.
        read_only() { read_only: true }
        /// Sets the name in the WSDL.
        called(name: &'a str) { wsdl_name: Some(name) }
        /// Sets the SOAP headers of requests.
        headers(headers: &'a Headers<'a>) { headers: Some(headers) }
        /// Sends the headers of answers that ASMX keeps for a while.
        cached() { cached: true }
        /// Tells its handler by a cookie which calls are of one caller.
        session() { session: true }
        /// Gives its handler the SOAP headers of requests that it does not declare.
        unknown_headers() { unknown_headers: true }
        /// Sets the SOAP headers of responses.
        response_headers(headers: &'a Headers<'a>) { response_headers: Some(headers) }
        /// Sets the SOAP headers of faults.
        fault_headers(headers: &'a Headers<'a>) { fault_headers: Some(headers) }
        /// Sets its faults, as indexes into [`Service::faults`].
        faults(faults: &'a [usize]) { faults: faults }
    }

    /// Sets the style rpc, in which parameters and results are in no namespace.
    #[must_use]
    pub const fn rpc(mut self) -> Self {
        self.style = Style::Rpc;
        self.parameters.scope.element_form = Some(ElementForm::Unqualified);
        self.response.scope.element_form = Some(ElementForm::Unqualified);
        self
    }

    /// Namespace and name of the element in the Body of a request, of several bare ones the first; `None` if it is empty, or any element may be the first.
    pub fn request_element(&self, service: &Service<'a>) -> Option<(&'a str, &'a str)> {
        let declared = self.declares(self.parameters.scope, service);
        if self.style == Style::Bare {
            let part = self.parameters.elements.first();
            let part = part.filter(|part| part.is_named())?;
            return Some((part.form.of_element(declared), part.name));
        }
        Some((declared.0, self.parameters.name))
    }

    /// The namespace that declares parameters or results, whose scope is given, and the form of those: global elements are always in it.
    pub fn declares(&self, scope: Scope<'a>, service: &Service<'a>) -> (&'a str, ElementForm) {
        let (literal, form) = service.scope();
        let namespace = match self.encoded {
            Some(_) => service.namespace,
            None => literal,
        };
        let (namespace, form) = scope.within((namespace, form));
        match self.style {
            Style::Bare => (namespace, ElementForm::Qualified),
            Style::Document | Style::Rpc => (namespace, form),
        }
    }

    /// The elements of its results: those of the response, or the only one.
    pub fn results(&self) -> &[Element<'a>] {
        match &self.result {
            Some(only) if !self.has_results() => std::slice::from_ref(only),
            _ => self.response.elements,
        }
    }

    /// The element of the result over HTTP GET and POST.
    pub fn result_over_http(&self) -> Option<&Element<'a>> {
        self.http_result.as_ref().or(self.result.as_ref())
    }

    /// The row of the items of the result over HTTP GET and POST, if they have other names there.
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

    /// Whether the response is a type of several results.
    pub const fn has_results(&self) -> bool {
        !self.response.elements.is_empty()
    }

    /// Whether there are results that HTTP GET and POST do not answer.
    pub const fn has_results_for_soap(&self) -> bool {
        self.response.elements.len() > self.result.is_some() as usize
    }
}

/// How the Body of a SOAP message is laid out (WSDL 1.1 §3.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// The element in the Body is a global element of the schema.
    #[default]
    Document,
    /// The element in the Body is named after the operation; the elements in it are in no namespace (WS-I Basic Profile 1.1 R2735), also if they are encoded.
    Rpc,
    /// The parameters, or the results, are themselves elements in the Body, global elements of the schema.
    Bare,
}

impl Style {
    /// What declares the items of lists that are parameters or results, where these are declared so: in style rpc the parts of a message are in no
    /// namespace, but the types of lists are in the schema of the service.
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

/// SOAP headers with their rules.
///
/// # Panics
///
/// There are not as many rules as elements.
pub const fn headers<'a>(elements: &'a [Element<'a>], rules: &'a [HeaderRule]) -> Headers<'a> {
    assert!(elements.len() == rules.len(), "each header has a rule");
    Headers {
        fields: complex_type("", elements),
        rules,
    }
}

/// How a SOAP header is checked and sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeaderRule {
    /// Whether requests without it are refused.
    pub required: bool,
    /// Whether it is sent with `mustUnderstand`.
    pub must_understand: bool,
}

/// A sequence of elements: a type of its own, or the parameters or headers of an operation.
#[derive(Debug, Clone, Copy)]
pub struct ComplexType<'a> {
    /// The name.
    pub name: &'a str,
    /// Its namespace, and the form of its elements.
    pub scope: Scope<'a>,
    /// The attributes; inherited ones first.
    pub attributes: &'a [Element<'a>],
    /// The text content, instead of elements. Its name is not on the wire.
    pub text: Option<Element<'a>>,
    /// The schema of the set of tables that stands there, as its text.
    pub data_set: Option<DataSetSchema<'a>>,
    /// The elements in wire order, with those of choices and sequences; inherited ones first.
    pub elements: &'a [Element<'a>],
    /// The choices and sequences among the elements, each before those within it.
    pub groups: &'a [Group<'a>],
    /// The kind of its content.
    pub kind: Kind,
    /// The base type.
    pub extends: Option<TypeId>,
    /// Whether it restricts its base: it says all of its content, and inherits nothing.
    pub restricts: bool,
    /// Whether only derived types have values.
    pub is_abstract: bool,
    /// Whether it is a struct in .NET, of which a value is always there.
    pub by_value: bool,
    /// Whether its elements, each of which occurs once at most, stand in any order: `all` in XML Schema, which is no part of other groups.
    pub unordered: bool,
    /// Whether it is the parameters or the results of an operation: of a wrapped list that a message holds twice the first counts then, in a type the last.
    pub is_message: bool,
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// A complex type of these elements.
pub const fn complex_type<'a>(name: &'a str, elements: &'a [Element<'a>]) -> ComplexType<'a> {
    ComplexType {
        name,
        scope: Scope::SERVICE,
        attributes: &[],
        text: None,
        data_set: None,
        elements,
        groups: &[],
        kind: Kind::of(elements),
        extends: None,
        restricts: false,
        is_abstract: false,
        by_value: false,
        unordered: false,
        is_message: false,
        documentation: 0,
    }
}

impl<'a> ComplexType<'a> {
    /// A type without content.
    pub const EMPTY: Self = complex_type("", &[]);

    /// Gives it a namespace of its own.
    #[must_use]
    pub const fn in_namespace(mut self, namespace: &'a str) -> Self {
        self.scope.namespace = Some(namespace);
        self
    }

    /// Gives its elements a form of their own.
    #[must_use]
    pub const fn in_form(mut self, form: ElementForm) -> Self {
        self.scope.element_form = Some(form);
        self
    }

    /// Sets the choices and sequences, each before those within it.
    #[must_use]
    pub const fn groups(mut self, groups: &'a [Group<'a>]) -> Self {
        self.groups = groups;
        if !matches!(self.kind, Kind::Mixed) {
            self.kind = Kind::Other;
        }
        self
    }

    /// Whether text stands among its elements.
    pub fn is_mixed(&self) -> bool {
        let is_text = |text: Element<'_>| !text.type_ref.is_simple();
        self.kind == Kind::Mixed || self.text.is_some_and(is_text)
    }

    builders! {
        /// Sets the attributes.
        attributes(attributes: &'a [Element<'a>]) { attributes: attributes }
        /// Sets the text content.
        text(text: Element<'a>) { text: Some(text) }
        /// Makes it a set of tables.
        data_set(schema: DataSetSchema<'a>) { data_set: Some(schema), text: Some(element("text", TypeRef::Simple(SimpleType::DataSet))) }
        /// Sets the base type.
        extends(base: TypeId) { extends: Some(base) }
        /// Sets the base type, of which it says all content again.
        restricts(base: TypeId) { extends: Some(base), restricts: true }
        /// Makes it abstract.
        abstract_type() { is_abstract: true }
        /// Makes it a struct of .NET.
        by_value() { by_value: true }
        /// Lets its elements stand in any order.
        unordered() { unordered: true, kind: Kind::Other }
        /// Makes it the parameters or the results of an operation.
        message() { is_message: true }
    }
}

/// The schema of a set of tables, .NET's typed `DataSet`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataSetSchema<'a> {
    /// The name of the set.
    pub name: &'a str,
    /// The namespace of its elements; empty for none.
    pub namespace: &'a str,
    /// The element `xs:schema`, with all that it needs.
    pub schema: &'a str,
}

/// The kind of content of a type, by which the runtime chooses a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Up to 64 elements that occur at most once, in the form of the type, and no wildcard.
    Record,
    /// A single element, which is repeated.
    List,
    /// Elements with text between them ([`Element::characters`]).
    Mixed,
    /// Anything else.
    Other,
}

impl Kind {
    const fn of(elements: &[Element<'_>]) -> Self {
        if let [
            Element {
                repeated: true,
                wildcard: None,
                ..
            },
        ] = elements
        {
            return Self::List;
        }
        let mut is_record = elements.len() <= 64;
        let mut index = 0;
        while index < elements.len() {
            let element = &elements[index];
            if element.characters {
                return Self::Mixed;
            }
            is_record &= !element.repeated
                && matches!(element.form, Form::Default)
                && element.wildcard.is_none();
            index += 1;
        }
        if is_record { Self::Record } else { Self::Other }
    }
}

/// A model group (XML Schema 1.0 §3.8): elements of a type of which one occurs, or which occur together. Groups nest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group<'a> {
    /// The name, which is not on the wire.
    pub name: &'a str,
    /// What it says of its elements.
    pub kind: GroupKind,
    /// The head of the substitution group (XML Schema 1.0 §2.2.2.2) that the alternatives of a choice are in: an abstract global element of the type's namespace, which schemas refer to.
    pub head: Option<&'a str>,
    /// The index of the first of its elements among those of the type.
    pub first: usize,
    /// The index after the last one.
    pub end: usize,
    /// Whether it may be left out.
    pub optional: bool,
    /// Whether it may occur any number of times, including none.
    pub repeated: bool,
    /// How often the schema lets it occur, if it is repeated. Any number is read.
    pub occurs: Occurs,
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// What a group says of its elements, its compositor in XML Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKind {
    /// One of them occurs.
    Choice,
    /// They occur together.
    Sequence,
}

impl GroupKind {
    /// The name in XML Schema, and in definitions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Choice => "choice",
            Self::Sequence => "sequence",
        }
    }
}

/// A required choice among the elements `first..end`.
pub const fn choice(name: &str, first: usize, end: usize) -> Group<'_> {
    group(name, GroupKind::Choice, first, end)
}

/// A required sequence of the elements `first..end`.
pub const fn sequence(name: &str, first: usize, end: usize) -> Group<'_> {
    group(name, GroupKind::Sequence, first, end)
}

/// A required group of the elements `first..end`.
pub const fn group(name: &str, kind: GroupKind, first: usize, end: usize) -> Group<'_> {
    Group {
        name,
        kind,
        head: None,
        first,
        end,
        optional: false,
        repeated: false,
        occurs: Occurs::ANY,
        documentation: 0,
    }
}

impl<'a> Group<'a> {
    builders! {
        /// Puts its elements into the substitution group with this head.
        head(name: &'a str) { head: Some(name) }
        /// Makes it optional.
        omitted() { optional: true }
        /// Lets it occur any number of times.
        repeated() { repeated: true }
        /// Sets how often the schema lets it occur.
        occurs(least: u32, most: Option<u32>) { occurs: Occurs { least, most } }
    }

    /// Whether it is a sequence.
    pub const fn is_sequence(&self) -> bool {
        matches!(self.kind, GroupKind::Sequence)
    }

    /// Whether the element of this index is in it.
    pub const fn contains(&self, index: usize) -> bool {
        self.first <= index && index < self.end
    }
}

/// An element, an attribute, the text of a type, or the item of a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Element<'a> {
    /// The name.
    pub name: &'a str,
    /// The type.
    pub type_ref: TypeRef<'a>,
    /// Its namespace.
    pub form: Form<'a>,
    /// How an absent value is written.
    pub absence: Absence,
    /// Whether it occurs any number of times, including none: an unwrapped list.
    pub repeated: bool,
    /// Whether it is a wrapped list whose items come after those of another one of its name: a `List<T>` in .NET.
    pub collection: bool,
    /// How often the schema lets it occur, if it is repeated or the item of a list. Any number is read.
    pub occurs: Occurs,
    /// Whether its text holds any number of values, divided by blanks.
    pub texts: bool,
    /// Whether its value is a secret: a password field on the help page, never part of a URL there.
    pub secret: bool,
    /// The name in .NET code, if that is another one: it names the field of a form.
    pub net: Option<&'a str>,
    /// The namespaces of a wildcard, as in the attribute `namespace` of `any` in XML Schema, or nothing for all: it stands for the elements, or the attributes, that its type does not name.
    /// They are of the type `any`. Its name is not on the wire.
    pub wildcard: Option<&'a str>,
    /// Whether it stands for the text between the elements of its type, of which it is an alternative in a repeated choice. It is a `string`, and its name is not on the wire.
    pub characters: bool,
    /// What values the schema allows; of an unwrapped list or values in a text, of each.
    pub facets: &'a [(Facet, &'a str)],
    /// The types of which one has the value, if it is of a union: members without names, of simple types and enumerations.
    pub union: &'a [Self],
    /// What a missing value stands for, or the only value.
    pub constraint: Option<ValueConstraint<'a>>,
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// How often the schema lets an element or a group occur: `minOccurs` and `maxOccurs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurs {
    /// At least.
    pub least: u32,
    /// At most; `None` for any number.
    pub most: Option<u32>,
}

impl Occurs {
    /// Any number of times.
    pub const ANY: Self = Self {
        least: 0,
        most: None,
    };

    /// Of what is repeated as often as `occurs` says, or not at all; `optional` may be left out.
    pub(crate) fn of(repeated: bool, occurs: Self, optional: bool) -> Self {
        let once = Self {
            least: 1,
            most: Some(1),
        };
        let occurs = if repeated { occurs } else { once };
        let least = if optional { 0 } else { occurs.least };
        Self { least, ..occurs }
    }

    /// Of what is within something that occurs so often.
    pub(crate) fn times(self, around: Self) -> Self {
        let most = self.most.zip(around.most);
        Self {
            least: self.least.saturating_mul(around.least),
            most: most.and_then(|(one, other)| one.checked_mul(other)),
        }
    }

    /// As often as one of both says.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.zip(other.most).map(|(one, other)| one.max(other)),
        }
    }
}

/// The value constraint of an element or an attribute (XML Schema 1.0 §3.2.1, §3.3.1), or the default of the text of an object: a text as it stands in XML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueConstraint<'a> {
    /// What is not there has this value, and what has this value is not written.
    Default(&'a str),
    /// The only value that the schema allows. It is always written, and reading takes any.
    Fixed(&'a str),
    /// What it is where it is not there; it is always written. Of the text of an object no schema says so: it is the value that a constructor of .NET gives.
    Initial(&'a str),
}

impl<'a> ValueConstraint<'a> {
    /// The name of the attribute in a schema, which describes no text of objects, and the text.
    pub const fn attribute(self) -> (&'static str, &'a str) {
        match self {
            Self::Default(text) | Self::Initial(text) => ("default", text),
            Self::Fixed(text) => ("fixed", text),
        }
    }
}

/// A required element.
pub const fn element<'a>(name: &'a str, type_ref: TypeRef<'a>) -> Element<'a> {
    Element {
        name,
        type_ref,
        form: Form::Default,
        absence: Absence::Required,
        repeated: false,
        collection: false,
        occurs: Occurs::ANY,
        texts: false,
        secret: false,
        net: None,
        wildcard: None,
        characters: false,
        facets: &[],
        union: &[],
        constraint: None,
        documentation: 0,
    }
}

impl<'a> Element<'a> {
    builders! {
        /// Sets its namespace.
        form(form: Form<'a>) { form: form }
        /// Leaves it out if the value is absent.
        omitted() { absence: Absence::Omitted }
        /// Writes `xsi:nil="true"` if the value is absent.
        nillable() { absence: Absence::Nil }
        /// Leaves it out if the value is absent; others may write `xsi:nil="true"`.
        omitted_or_nillable() { absence: Absence::Either }
        /// Lets it occur any number of times.
        repeated() { repeated: true }
        /// Lets the items of several wrapped lists count.
        collection() { collection: true }
        /// Sets how often the schema lets it occur.
        occurs(least: u32, most: Option<u32>) { occurs: Occurs { least, most } }
        /// Makes its text a list of values, divided by blanks.
        texts() { texts: true }
        /// Makes it a secret.
        secret() { secret: true }
        /// Sets its name in .NET code.
        net(name: &'a str) { net: Some(name) }
        /// Makes it a wildcard for these namespaces; none for all.
        wildcard(namespaces: &'a str) { wildcard: Some(namespaces) }
        /// Makes it the text between elements.
        characters() { characters: true }
        /// Sets what values the schema allows.
        facets(facets: &'a [(Facet, &'a str)]) { facets: facets }
        /// Makes its type a union of these.
        union(members: &'a [Self]) { union: members }
        /// Sets its default value: it is left out if it has that.
        default_value(text: &'a str) { constraint: Some(ValueConstraint::Default(text)) }
        /// Sets its fixed value.
        fixed_value(text: &'a str) { constraint: Some(ValueConstraint::Fixed(text)) }
        /// Sets what it is where it is not there, although it is always written.
        initial_value(text: &'a str) { constraint: Some(ValueConstraint::Initial(text)) }
    }

    /// Whether blanks are a value of it as the text of an object: it is text, and always there.
    pub fn holds_blanks(&self) -> bool {
        let is_text = matches!(self.type_ref, TypeRef::Simple(simple) if simple.is_text());
        is_text && self.absence == Absence::Required
    }

    /// The name of its field in a form: that in .NET code.
    pub fn field_name(&self) -> &'a str {
        self.net.unwrap_or(self.name)
    }

    /// Whether the schema allows fewer values than its type has.
    pub const fn is_restricted(&self) -> bool {
        !self.facets.is_empty() || !self.union.is_empty()
    }

    /// Whether its name is on the wire: it is neither a wildcard nor the text between elements.
    pub const fn is_named(&self) -> bool {
        self.wildcard.is_none() && !self.characters
    }

    /// Whether it is a wildcard for this namespace, empty for none, in a type of the namespace `own`.
    pub fn is_wildcard_for(&self, namespace: &str, own: &str) -> bool {
        let is_one = |words: &str| match words {
            "##any" => true,
            "##other" => !namespace.is_empty() && namespace != own,
            "##local" => namespace.is_empty(),
            "##targetNamespace" => namespace == own,
            name => namespace == name,
        };
        let mut words = self
            .wildcard
            .into_iter()
            .flat_map(str::split_ascii_whitespace);
        self.wildcard.is_some_and(str::is_empty) || words.any(is_one)
    }

    /// Its type as that of a result over HTTP GET and POST, where .NET knows nothing of what it keeps as text but that it is text.
    pub fn type_of_root(&self) -> TypeRef<'a> {
        match self.type_ref {
            TypeRef::Simple(simple) if simple.is_text() => TypeRef::Simple(SimpleType::String),
            other => other,
        }
    }

    /// What .NET makes of its text in XML.
    pub const fn text_form(&self) -> TextForm {
        match self.type_ref {
            TypeRef::Simple(simple) => simple.row().text,
            _ => TextForm::AsIs,
        }
    }

    /// Whether it is a wrapped list.
    pub const fn is_list(&self) -> bool {
        matches!(self.type_ref, TypeRef::List(_))
    }

    /// The row of its items, if it is a wrapped list.
    pub const fn items(&self) -> Option<&'a Self> {
        match self.type_ref {
            TypeRef::List(item) => Some(item),
            _ => None,
        }
    }

    /// Whether it may be left out: an absent value, or one that is its default.
    pub const fn is_omitted(&self) -> bool {
        matches!(self.absence, Absence::Omitted | Absence::Either)
            || matches!(self.constraint, Some(ValueConstraint::Default(_)))
    }

    /// Whether it is a single value, without a default, that is left out if it is absent.
    pub const fn is_left_out(&self) -> bool {
        matches!(self.absence, Absence::Omitted | Absence::Either)
            && !matches!(self.constraint, Some(ValueConstraint::Default(_)))
            && !self.repeated
            && !self.texts
    }

    /// Whether a value may be absent.
    pub const fn may_be_absent(&self) -> bool {
        !matches!(self.absence, Absence::Required)
    }

    /// Whether an absent value may be written as `xsi:nil="true"`.
    pub const fn is_nillable(&self) -> bool {
        matches!(self.absence, Absence::Nil | Absence::Either)
    }
}

/// The namespace of encoded types in a service of document style.
pub fn encoded_types(namespace: &str) -> String {
    below(namespace, "encodedTypes")
}

/// The namespace of literal types in a service whose encoded types are in its own: a class with `[SoapRpcService]`.
pub fn literal_types(namespace: &str) -> String {
    below(namespace, "literalTypes")
}

fn below(namespace: &str, name: &str) -> String {
    let namespace = namespace.strip_suffix('/').unwrap_or(namespace);
    format!("{namespace}/{name}")
}

/// How an absent value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// The value is never absent.
    Required,
    /// The element is left out: `minOccurs="0"`.
    Omitted,
    /// The element has `xsi:nil="true"`.
    Nil,
    /// The element is left out, and may have `xsi:nil="true"`: `minOccurs="0"` and `nillable="true"`.
    Either,
}

/// A type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TypeRef<'a> {
    /// A simple type, or any XML.
    Simple(SimpleType),
    /// A complex type.
    Complex(TypeId),
    /// An enumeration.
    Enumeration(TypeId),
    /// A wrapped list of these items.
    List(&'a Element<'a>),
    /// Values of this row by texts, in JSON alone: a `Dictionary<string, T>` of .NET.
    Dictionary(&'a Element<'a>),
}

impl TypeRef<'_> {
    /// Whether the root of an answer over HTTP GET and POST declares the prefixes `xsd` and `xsi`.
    pub const fn declares_schema(&self) -> bool {
        match self {
            Self::Simple(simple) => simple.is_xml() && !simple.is_data_set(),
            _ => !self.is_simple(),
        }
    }

    /// Whether an answer over HTTP GET and POST is the value itself, XML as it stands, without an element of its type around it.
    pub const fn is_document(&self) -> bool {
        matches!(self, Self::Simple(SimpleType::Any))
    }

    /// Whether a value is a single text.
    pub const fn is_simple(&self) -> bool {
        match self {
            Self::Simple(simple) => !simple.is_xml(),
            Self::Enumeration(_) => true,
            Self::Complex(_) | Self::List(_) | Self::Dictionary(_) => false,
        }
    }
}

/// A reference to a complex type or an enumeration, relative to the module that contains it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TypeId {
    /// 0 for the module itself, otherwise the number of one of [`Module::includes`], from 1.
    pub module: usize,
    /// The index among the types or the enumerations of that module.
    pub index: usize,
}

impl TypeId {
    /// A type of the module itself.
    pub const fn own(index: usize) -> Self {
        Self::included(0, index)
    }

    /// A type of an included module, numbered from 1.
    pub const fn included(module: usize, index: usize) -> Self {
        Self { module, index }
    }
}

/// An enumeration: named values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Enumeration<'a> {
    /// The name.
    pub name: &'a str,
    /// Its namespace; `None` for that of the service.
    pub namespace: Option<&'a str>,
    /// The name in .NET code with its namespace, if known: errors quote it.
    pub net: Option<&'a str>,
    /// The type whose texts the values are; `string` in .NET.
    pub base: SimpleType,
    /// Whether a value is a set of the named ones, `[Flags]` in .NET: a list of names on the wire, the sum of their numbers in .NET.
    pub flags: bool,
    /// The values; the first one is the default, or of flags the empty set.
    pub values: &'a [Value<'a>],
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// An enumeration of these values.
pub const fn enumeration<'a>(name: &'a str, values: &'a [Value<'a>]) -> Enumeration<'a> {
    Enumeration {
        name,
        namespace: None,
        net: None,
        base: SimpleType::String,
        flags: false,
        values,
        documentation: 0,
    }
}

impl<'a> Enumeration<'a> {
    builders! {
        /// Sets its name in .NET code.
        net(name: &'a str) { net: Some(name) }
        /// Sets the type whose texts the values are.
        base(base: SimpleType) { base: base }
        /// Makes its values sets of the named ones.
        flags() { flags: true }
        /// Gives it a namespace of its own.
        in_namespace(namespace: &'a str) { namespace: Some(namespace) }
    }

    /// Whether forms hold other texts than XML.
    pub fn has_field_names(&self) -> bool {
        self.flags || self.values.iter().any(|value| value.net.is_some())
    }

    /// The numbers of its values in .NET.
    pub fn numbers(&self) -> impl Iterator<Item = i64> {
        numbers(self.flags, self.values.iter().map(|value| value.number))
    }
}

/// The numbers of values in .NET: those given, else one more than the number before, or of flags the lowest bit above all bits before.
pub fn numbers(flags: bool, given: impl Iterator<Item = Option<i64>>) -> impl Iterator<Item = i64> {
    given.scan(i64::from(flags), move |next, given| {
        let number = given.unwrap_or(*next);
        *next = if flags {
            let [number, next] = [number, *next].map(i64::cast_unsigned);
            let above = 1_u64.checked_shl(u64::BITS - number.leading_zeros());
            above.map_or(0, |above| above.max(next)).cast_signed()
        } else {
            number.wrapping_add(1)
        };
        Some(number)
    })
}

/// A value of an enumeration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value<'a> {
    /// The text on the wire.
    pub name: &'a str,
    /// The name in .NET code, if that is another one: forms hold it.
    pub net: Option<&'a str>,
    /// The number in .NET code, if it is not the one that [`Enumeration::numbers`] gives it.
    pub number: Option<i64>,
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// A value of an enumeration.
pub const fn value(name: &str) -> Value<'_> {
    Value {
        name,
        net: None,
        number: None,
        documentation: 0,
    }
}

impl<'a> Value<'a> {
    builders! {
        /// Sets its name in .NET code.
        net(name: &'a str) { net: Some(name) }
        /// Sets its number in .NET code.
        number(number: i64) { number: Some(number) }
    }

    /// The name in a form: that in .NET code.
    pub fn field_name(&self) -> &'a str {
        self.net.unwrap_or(self.name)
    }
}
