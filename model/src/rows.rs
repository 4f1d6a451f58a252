//! The rows of a model.

use crate::{At, Binding, Bindings, SimpleType};

/// Methods that make a row with other values in some columns.
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

/// Gives rows the documentation that they name by number.
macro_rules! documented {
    ($($row:ident),+) => {$(
        impl $row<'_> {
            builders! {
                /// Names its documentation.
                documented(number: u32) { documentation: number }
            }
        }

        impl<'m> At<'m, $row<'m>> {
            /// What people are told of it.
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
    Choice,
    Element,
    Enumeration,
    Value
);

/// What one definition file describes: types, and the service whose operations speak of them.
#[derive(Debug, Clone, Copy)]
pub struct Module<'a> {
    /// `None` in a file of types for services to share.
    pub service: Option<Service<'a>>,
    /// The complex types.
    pub types: &'a [ComplexType<'a>],
    /// The enumerations.
    pub enumerations: &'a [Enumeration<'a>],
    /// The modules of the files that it includes, never in a circle.
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
        /// Adds the modules that [`TypeId::included`] counts, from 1.
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

    /// The SOAP headers of an operation's requests.
    ///
    /// # Panics
    ///
    /// There is no service, it has no such operation, or that has no headers.
    pub const fn headers(&self, operation: usize) -> &ComplexType<'a> {
        match &self.operation(operation).headers {
            Some(headers) => &headers.fields,
            None => panic!("the operation takes no headers"),
        }
    }

    /// The SOAP headers of an operation's answers.
    ///
    /// # Panics
    ///
    /// There is no service, it has no such operation, or that answers no headers.
    pub const fn response_headers(&self, operation: usize) -> &ComplexType<'a> {
        match &self.operation(operation).response_headers {
            Some(headers) => &headers.fields,
            None => panic!("the operation answers no headers"),
        }
    }

    const fn operation(&self, operation: usize) -> &Operation<'a> {
        match &self.service {
            Some(service) => &service.operations[operation],
            None => panic!("the module has no service"),
        }
    }
}

/// What people are told of a module: the texts that its rows name by number, from 1. It stands apart, so that a program that writes no
/// documents does not hold them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Documentation<'a> {
    /// The texts.
    pub texts: &'a [&'a str],
    /// The documentation of the modules that the module includes.
    pub includes: &'a [&'a Documentation<'a>],
}

/// A service: its names, its address and its operations.
#[derive(Debug, Clone, Copy)]
pub struct Service<'a> {
    /// The name.
    pub name: &'a str,
    /// The namespace of its elements.
    pub namespace: &'a str,
    /// The path, such as `/SvcDotNet/Authenticator.asmx`; requests may write it in any letter case.
    pub path: &'a str,
    /// Whether the elements of its types are in its namespace.
    pub element_form: ElementForm,
    /// The operations, in the order of the definition. An operation is known by its index.
    pub operations: &'a [Operation<'a>],
    /// The elements of faults' details.
    pub faults: &'a [Element<'a>],
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

impl<'a> Service<'a> {
    /// A service whose elements are in its namespace.
    pub const fn new(
        name: &'a str,
        namespace: &'a str,
        path: &'a str,
        operations: &'a [Operation<'a>],
    ) -> Self {
        Self {
            name,
            namespace,
            path,
            element_form: ElementForm::Qualified,
            operations,
            faults: &[],
            documentation: 0,
        }
    }

    builders! {
        /// Declares the elements of types in no namespace.
        unqualified() { element_form: ElementForm::Unqualified }
        /// Adds the elements of faults' details.
        faults(faults: &'a [Element<'a>]) { faults: faults }
    }

    /// The index of the operation that is offered over a binding and that `is` the one looked for.
    pub fn find(&self, binding: Binding, is: impl Fn(&Operation<'a>) -> bool) -> Option<usize> {
        let mut operations = self.operations.iter();
        operations.position(|operation| operation.bindings.contains(binding) && is(operation))
    }

    /// The bindings that some operation is offered over.
    pub fn bindings(&self) -> Bindings {
        let each = self.operations.iter().map(|operation| operation.bindings);
        each.fold(Bindings::NONE, Bindings::or)
    }

    /// Whether any operation takes SOAP headers.
    pub fn takes_headers(&self) -> bool {
        let mut operations = self.operations.iter();
        operations.any(|operation| operation.headers.is_some())
    }
}

/// Whether an element that a type declares is in the namespace of its service (`elementFormDefault` of XML Schema).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ElementForm {
    /// In the namespace.
    #[default]
    Qualified,
    /// In no namespace.
    Unqualified,
}

/// An operation: its names on the wire, what it takes and what it answers.
#[derive(Debug, Clone, Copy)]
pub struct Operation<'a> {
    /// The name, also the last segment of its path over HTTP GET and POST.
    pub name: &'a str,
    /// The SOAPAction.
    pub action: &'a str,
    /// The element in the Body of a request and the elements in it; the form fields over HTTP GET and POST.
    pub parameters: ComplexType<'a>,
    /// The element in the Body of an answer.
    pub response: &'a str,
    /// The element of the result in the response element.
    pub result: Option<Element<'a>>,
    /// The root element of the result over HTTP GET and POST; empty without a result.
    pub root: &'a str,
    /// The bindings that it is offered over.
    pub bindings: Bindings,
    /// How its SOAP messages are laid out.
    pub style: Style,
    /// Whether it has no answer: whoever calls it hears only that it was read (`202 Accepted`).
    pub one_way: bool,
    /// The SOAP headers of its requests.
    pub headers: Option<Headers<'a>>,
    /// The SOAP headers of its answers.
    pub response_headers: Option<Headers<'a>>,
    /// The faults that it answers with, as indexes of [`Service::faults`].
    pub faults: &'a [usize],
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// An operation over all bindings that answers nothing.
pub const fn operation<'a>(
    name: &'a str,
    action: &'a str,
    parameters: ComplexType<'a>,
    response: &'a str,
) -> Operation<'a> {
    Operation {
        name,
        action,
        parameters,
        response,
        result: None,
        root: "",
        bindings: Bindings::ALL,
        style: Style::Document,
        one_way: false,
        headers: None,
        response_headers: None,
        faults: &[],
        documentation: 0,
    }
}

impl<'a> Operation<'a> {
    builders! {
        /// Answers this element, which is called `root` over HTTP GET and POST.
        result(result: Element<'a>, root: &'a str) { result: Some(result), root: root }
        /// Is offered over these bindings alone.
        over(bindings: Bindings) { bindings: bindings }
        /// Lays its SOAP messages out as rpc/literal.
        rpc() { style: Style::Rpc }
        /// Has no answer.
        one_way() { one_way: true }
        /// Takes these SOAP headers.
        headers(headers: Headers<'a>) { headers: Some(headers) }
        /// Answers these SOAP headers.
        response_headers(headers: Headers<'a>) { response_headers: Some(headers) }
        /// Answers with these faults of the service too.
        faults(faults: &'a [usize]) { faults: faults }
    }
}

/// How the Body of a SOAP message is laid out (WSDL 1.1 §3.5), always with `use="literal"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// The element in the Body is one of the schema.
    #[default]
    Document,
    /// The element in the Body is named after the operation; the elements in it, one a parameter, are in no namespace (WS-I Basic Profile 1.1 R2735).
    Rpc,
}

/// The SOAP headers of a message: elements of the service's namespace in `soap:Header`.
#[derive(Debug, Clone, Copy)]
pub struct Headers<'a> {
    /// The elements, in the order of the struct that they are read into. The name is not on the wire.
    pub fields: ComplexType<'a>,
    /// What holds of each of the elements.
    pub rules: &'a [HeaderRule],
}

/// SOAP headers, and what holds of each of them.
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

/// What holds of a SOAP header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeaderRule {
    /// Whether a request without it is refused.
    pub required: bool,
    /// Whether it is sent with `mustUnderstand`.
    pub must_understand: bool,
}

/// A sequence of elements: a type of its own, or the parameters or headers of an operation.
#[derive(Debug, Clone, Copy)]
pub struct ComplexType<'a> {
    /// The name.
    pub name: &'a str,
    /// The attributes, which are in no namespace; those of the types that it extends first.
    pub attributes: &'a [Element<'a>],
    /// The text that stands in it instead of elements. The name is for people.
    pub text: Option<Element<'a>>,
    /// The elements in wire order, alternatives of a choice one by one; those of the types that it extends first.
    pub elements: &'a [Element<'a>],
    /// The choices among the elements.
    pub choices: &'a [Choice<'a>],
    /// What the elements are like.
    pub kind: Kind,
    /// The type whose attributes, text and elements come before its own ones.
    pub extends: Option<TypeId>,
    /// Whether no value is of this type, only of types that extend it.
    pub is_abstract: bool,
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// A complex type of these elements.
pub const fn complex_type<'a>(name: &'a str, elements: &'a [Element<'a>]) -> ComplexType<'a> {
    ComplexType {
        name,
        attributes: &[],
        text: None,
        elements,
        choices: &[],
        kind: Kind::of(elements),
        extends: None,
        is_abstract: false,
        documentation: 0,
    }
}

impl<'a> ComplexType<'a> {
    /// A type without content.
    pub const EMPTY: Self = complex_type("", &[]);

    builders! {
        /// Has these attributes.
        attributes(attributes: &'a [Element<'a>]) { attributes: attributes }
        /// Has text.
        text(text: Element<'a>) { text: Some(text) }
        /// Has these choices among its elements.
        choices(choices: &'a [Choice<'a>]) { choices: choices, kind: Kind::Other }
        /// Extends another type.
        extends(base: TypeId) { extends: Some(base) }
        /// Has no values of its own.
        abstract_type() { is_abstract: true }
    }
}

/// What the elements of a type are like, as its reader wants to know it beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Each occurs once; there are 64 at most.
    Record,
    /// There is one, which may occur more than once.
    List,
    /// Anything else.
    Other,
}

impl Kind {
    const fn of(elements: &[Element<'_>]) -> Self {
        if let [Element { repeated: true, .. }] = elements {
            return Self::List;
        }
        let mut index = 0;
        while index < elements.len() && !elements[index].repeated {
            index += 1;
        }
        if index == elements.len() && index <= 64 {
            Self::Record
        } else {
            Self::Other
        }
    }
}

/// Elements of a type of which one occurs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice<'a> {
    /// The name, which is for people.
    pub name: &'a str,
    /// The index of the first alternative among the elements of the type.
    pub first: usize,
    /// The index after the last one.
    pub end: usize,
    /// Whether none may occur.
    pub optional: bool,
    /// Whether there may be any number of choices, none too.
    pub repeated: bool,
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// A choice among the elements from `first` to before `end`.
pub const fn choice(name: &str, first: usize, end: usize) -> Choice<'_> {
    Choice {
        name,
        first,
        end,
        optional: false,
        repeated: false,
        documentation: 0,
    }
}

impl Choice<'_> {
    builders! {
        /// May be left out.
        omitted() { optional: true }
        /// May be there any number of times.
        repeated() { repeated: true }
    }

    /// Whether an element of the type is one of the alternatives.
    pub const fn contains(&self, index: usize) -> bool {
        self.first <= index && index < self.end
    }
}

/// An element; also an attribute, the text of a type, and an item of a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Element<'a> {
    /// The name.
    pub name: &'a str,
    /// What is in it.
    pub type_ref: TypeRef<'a>,
    /// What stands for a value that is not there.
    pub absence: Absence,
    /// Whether there may be any number of it, none too: an unwrapped list.
    pub repeated: bool,
    /// Whether its value is hidden from people: a password field, never part of a URL.
    pub secret: bool,
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// An element that is always there, of a type.
pub const fn element<'a>(name: &'a str, type_ref: TypeRef<'a>) -> Element<'a> {
    Element {
        name,
        type_ref,
        absence: Absence::Required,
        repeated: false,
        secret: false,
        documentation: 0,
    }
}

impl Element<'_> {
    builders! {
        /// May be left out.
        omitted() { absence: Absence::Omitted }
        /// May be `xsi:nil="true"`.
        nillable() { absence: Absence::Nil }
        /// May be there any number of times.
        repeated() { repeated: true }
        /// Is hidden from people.
        secret() { secret: true }
    }

    /// Whether it may be left out.
    pub const fn is_omitted(&self) -> bool {
        matches!(self.absence, Absence::Omitted)
    }

    /// Whether `xsi:nil="true"` may stand for its value.
    pub const fn is_nillable(&self) -> bool {
        matches!(self.absence, Absence::Nil)
    }
}

/// What stands for a value that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// The value is always there.
    Required,
    /// The element is left out: `minOccurs="0"`.
    Omitted,
    /// The element says so: `xsi:nil="true"`.
    Nil,
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
    /// Any number of such elements: a wrapped list.
    List(&'a Element<'a>),
}

impl TypeRef<'_> {
    /// Whether .NET holds it by value: such a value is absent by `xsi:nil`, others are left out.
    pub const fn is_by_value(&self) -> bool {
        match self {
            Self::Simple(simple) => simple.row().by_value,
            Self::Enumeration(_) => true,
            Self::Complex(_) | Self::List(_) => false,
        }
    }

    /// Whether a value is one text.
    pub const fn is_simple(&self) -> bool {
        matches!(self, Self::Simple(_) | Self::Enumeration(_))
    }
}

/// Where the row of a complex type or an enumeration stands, seen from the module that refers to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TypeId {
    /// 0 for the module itself; else one of [`Module::includes`], counted from 1.
    pub module: usize,
    /// The index among the types or the enumerations of that module.
    pub index: usize,
}

impl TypeId {
    /// A row of the module itself.
    pub const fn own(index: usize) -> Self {
        Self::included(0, index)
    }

    /// A row of an included module, counted from 1.
    pub const fn included(module: usize, index: usize) -> Self {
        Self { module, index }
    }
}

/// A list of named values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Enumeration<'a> {
    /// The name.
    pub name: &'a str,
    /// The values; the first one is the default.
    pub values: &'a [Value<'a>],
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// An enumeration of these values.
pub const fn enumeration<'a>(name: &'a str, values: &'a [Value<'a>]) -> Enumeration<'a> {
    Enumeration {
        name,
        values,
        documentation: 0,
    }
}

/// A value of an enumeration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value<'a> {
    /// The name on the wire.
    pub name: &'a str,
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// A value of an enumeration.
pub const fn value(name: &str) -> Value<'_> {
    Value {
        name,
        documentation: 0,
    }
}
