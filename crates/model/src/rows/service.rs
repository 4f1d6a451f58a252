//! A service, and how its requests identify operations.

use super::{Element, ElementForm, Operation, Scope, Style, TypeRef};
use crate::{Binding, Bindings};

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
    /// Whether any of its types, messages, elements or attributes is in a namespace or form of its
    /// own ([`Scope`], [`Form`](crate::Form)), or .NET writes another text for its values
    /// ([`TextForm`](crate::TextForm)).
    pub has_scopes: bool,
    /// The namespace of its types and of everything literal, if it differs, as in a class with
    /// `[SoapRpcService]`, where the namespace of the service is that of encoded types.
    pub literal_namespace: Option<&'a str>,
    /// The part of a SOAP request that selects the operation.
    pub routing: Routing,
    /// The names of list types over HTTP GET and POST, where .NET numbers them separately: for each
    /// name that differs, the one over SOAP comes first. Items of lists of lists have these names.
    pub list_names: &'a [(&'a str, &'a str)],
    /// The time zone in which its server shows times, `UTC`, an offset such as `-05:00` or a name
    /// of the IANA database; `None` if values keep their offsets.
    pub time_zone: Option<&'a str>,
    /// The operations, in the order of the definition. Emitted code refers to an operation by its
    /// index.
    pub operations: &'a [Operation<'a>],
    /// The detail elements of faults.
    pub faults: &'a [Element<'a>],
    /// The information for callers over JSON and page scripts that is not in other rows.
    pub script: Script<'a>,
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// The information of a service for callers over JSON and page scripts: names of .NET.
#[derive(Debug, Clone, Copy, Default)]
pub struct Script<'a> {
    /// The full name of its class, `Namespace.Class`; `None` for that of the service.
    pub class: Option<&'a str>,
    /// The types of its operations over JSON, and additional ones: objects of these types contain
    /// their type name, and page scripts have constructors and enumerations for them.
    pub types: &'a [ScriptType<'a>],
}

/// A type that objects in JSON name as `__type`.
#[derive(Debug, Clone, Copy)]
pub struct ScriptType<'a> {
    /// A complex type or an enumeration.
    pub type_ref: TypeRef<'a>,
    /// The full name in .NET, `Namespace.Class`, or its replacement in JSON.
    pub name: &'a str,
    /// The full name in .NET, if it differs from the name.
    pub class: Option<&'a str>,
}

impl<'a> Service<'a> {
    /// Creates a service whose elements are in its namespace.
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
        /// Sets the information for callers over JSON and page scripts.
        script(script: Script<'a>) { script: script }
        /// Makes the elements of types unqualified.
        unqualified() { element_form: ElementForm::Unqualified }
        /// Declares that types, messages, elements or attributes are in namespaces or forms of
        /// their own, or have other texts than their values.
        with_scopes() { has_scopes: true }
        /// Sets another namespace for its types and everything literal.
        literal_in(namespace: &'a str) { literal_namespace: Some(namespace) }
        /// Lets the element in the Body select the operation, regardless of the action.
        routed_by_element() { routing: Routing::Element }
        /// Sets the names of lists over HTTP GET and POST, each after that over SOAP.
        list_names(names: &'a [(&'a str, &'a str)]) { list_names: names }
        /// Sets the time zone.
        in_time_zone(time_zone: &'a str) { time_zone: Some(time_zone) }
        /// Adds the detail elements of faults.
        faults(faults: &'a [Element<'a>]) { faults: faults }
        /// Sets the number of its documentation.
        documented(number: u32) { documentation: number }
    }

    /// Returns the index of the first operation over a binding for which `is` returns true.
    pub fn find(&self, binding: Binding, is: impl Fn(&Operation<'a>) -> bool) -> Option<usize> {
        let mut operations = self.operations.iter();
        operations.position(|operation| operation.bindings.contains(binding) && is(operation))
    }

    /// Returns the namespace of its types and of everything literal, and the form of the elements
    /// of types.
    pub const fn scope(&self) -> (&'a str, ElementForm) {
        match self.literal_namespace {
            Some(namespace) => (namespace, self.element_form),
            None => (self.namespace, self.element_form),
        }
    }

    /// Whether some elements or attributes are in an unusual namespace or form, or their texts
    /// differ from their values, which takes more work to read and to write.
    pub const fn is_scoped(&self) -> bool {
        self.has_scopes
            || self.literal_namespace.is_some()
            || matches!(self.element_form, ElementForm::Unqualified)
    }

    /// Returns the bindings of its operations.
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

/// Returns the second name of the pair that starts with a name, or else the name itself.
pub fn renamed<'a>(names: &[(&'a str, &'a str)], name: &'a str) -> &'a str {
    let mut names = names.iter();
    let found = names.find(|(known, _)| *known == name);
    found.map_or(name, |(_, other)| other)
}

/// The part of a SOAP request that selects the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Routing {
    /// The action. If several operations share an action, the element decides between them.
    #[default]
    Action,
    /// The first element in the Body, regardless of the action.
    Element,
}

impl<'a> Operation<'a> {
    /// Returns namespace and name of the element in the Body of a request, of several bare ones the
    /// first; `None` if the Body is empty, or any element may be the first.
    pub fn request_element(&self, service: &Service<'a>) -> Option<(&'a str, &'a str)> {
        let declared = self.declares(self.parameters.scope, service);
        if self.style == Style::Bare {
            let part = self.parameters.elements.first();
            let part = part.filter(|part| part.is_named())?;
            return Some((part.form.of_element(declared), part.name));
        }
        Some((declared.0, self.parameters.name))
    }

    /// Returns the namespace that declares parameters or results with a scope, and the form of
    /// these: global elements are always in it.
    pub fn declares(&self, scope: Scope<&'a str>, service: &Service<'a>) -> (&'a str, ElementForm) {
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
}

/// Returns the namespace of encoded types in a service of document style.
pub fn encoded_types(namespace: &str) -> String {
    below(namespace, "encodedTypes")
}

/// Returns the namespace of literal types in a service whose encoded types are in its own: a class
/// with `[SoapRpcService]`.
pub fn literal_types(namespace: &str) -> String {
    below(namespace, "literalTypes")
}

fn below(namespace: &str, name: &str) -> String {
    let namespace = namespace.strip_suffix('/').unwrap_or(namespace);
    format!("{namespace}/{name}")
}
