//! Operations: wrappers, results and the bindings that can carry them.

use std::collections::HashMap;

use super::Lower;
use crate::definition::{Located, NodeId, OperationDefinition};
use crate::model::{
    Binding, Bindings, ComplexType, Element, ListType, Method, Name, OperationResult, Style,
    TypeRef,
};
use crate::naming::{self, Case};
use crate::rules::Rule;
use crate::sink::Place;

/// The functions that every emitted client has.
const CLIENT_FUNCTIONS: &[&str] = &["new", "with_binding"];

impl Lower<'_> {
    pub(super) fn operations(&mut self, namespace: &str) -> Option<Vec<Method>> {
        let definition = self.definition;
        if definition.operations.0.is_empty() && self.whole {
            self.error(Rule::Empty, NodeId(0), "the service has no operations")
                .hint("write them as a map: `operations: { Login: { result: boolean } }`");
        }
        self.check_headers();
        self.style(definition.style.as_ref());
        let by_default = definition
            .bindings
            .as_ref()
            .and_then(|bindings| self.bindings(bindings));
        let lower_one = |(key, body): &(Located<String>, OperationDefinition)| {
            let bindings = body
                .bindings
                .as_ref()
                .and_then(|bindings| self.bindings(bindings))
                .or(by_default);
            let left = self.restrict(key, bindings.unwrap_or(Bindings::ALL));
            let operation = self.operation(key, body, left, namespace);
            if let (Some(operation), None) = (&operation, bindings) {
                self.warn_of_secrets(key, operation);
            }
            Some((operation?, key.node))
        };
        let operations: Vec<_> = definition.operations.0.iter().map(lower_one).collect();
        let known: Vec<_> = operations
            .iter()
            .flatten()
            .map(|(operation, node)| (operation, *node))
            .collect();
        self.check_distinct(
            known
                .iter()
                .map(|(operation, node)| (&operation.name, *node)),
            "operations",
        );
        self.check_wire_names(&known);
        operations
            .into_iter()
            .map(|operation| Some(operation?.0))
            .collect()
    }

    /// The bindings that the options leave an operation.
    fn restrict(&mut self, key: &Located<String>, offered: Bindings) -> Bindings {
        let left = self.options.restrict(offered);
        if left.is_empty() && !offered.is_empty() {
            let message = format!(
                "the option `bindings` leaves `{}` without a binding",
                key.value
            );
            self.error(Rule::NoBindingLeft, key.node, message).hint(
                "add one of those that the definition offers it over to the option, or leave the operation out",
            );
        }
        left
    }

    fn operation(
        &mut self,
        key: &Located<String>,
        body: &OperationDefinition,
        bindings: Bindings,
        namespace: &str,
    ) -> Option<Method> {
        let name = self.name(key, body.rust.as_ref(), Case::Value);
        if let Some(function) = name
            .as_ref()
            .filter(|name| CLIENT_FUNCTIONS.contains(&name.rust.as_str()))
        {
            let message = format!("every client has a function `{}` already", function.rust);
            self.error(Rule::RustNameClash, key.node, message)
                .hint("rename the operation with the key `rust`");
        }
        let wrapper = self.wire_name(&body.request, key, "");
        let request = name.as_ref().and_then(|name| request_item(name, wrapper));
        let members = format!("parameters of `{}`", key.value);
        let owner = request.as_ref().map(|request| request.rust.as_str());
        let elements = self.elements(&body.parameters, &members, owner);
        if let Some(elements) = &elements {
            self.check_form_parameters(key, elements, bindings);
            let on_wire = elements
                .iter()
                .map(|(element, node)| (element, Some(*node)));
            self.check_wire_elements(&on_wire.collect::<Vec<_>>(), &key.value);
        }
        self.check_form_headers(body, key, bindings);
        self.check_faults(body);
        let one_way = self.one_way(body);
        let by_default = self.definition.style.as_ref();
        let style = self.style(body.style.as_ref().or(by_default));
        let result = body
            .result
            .as_ref()
            .map(|result| self.result(key, body, result));
        if let Some(request) = request.as_ref().filter(|_| !body.parameters.0.is_empty()) {
            self.claim_item(
                &request.rust,
                key.node,
                format!("the parameters of the operation `{}`", key.value),
            );
        }
        let name = name?;
        let headers = self.headers(&name, &body.headers.r#in, "Headers", true);
        let response_headers = self.headers(&name, &body.headers.out, "ResponseHeaders", false);
        let elements = elements?.into_iter().map(|(element, _)| element).collect();
        Some(Method {
            name,
            documentation: body.doc.clone(),
            action: self.action(key, body, namespace),
            request: ComplexType::new(request?, elements),
            response: self.wire_name(&body.response, key, "Response"),
            result: match result {
                Some(result) => Some(result?),
                None => None,
            },
            bindings,
            style,
            one_way,
            headers: headers?,
            response_headers: response_headers?,
            faults: body.faults.iter().map(|name| name.value.clone()).collect(),
        })
    }

    fn one_way(&mut self, body: &OperationDefinition) -> bool {
        let Some(one_way) = body.one_way.as_ref().filter(|one_way| one_way.value) else {
            return false;
        };
        let answers = [
            ("a result", body.result.is_some()),
            ("headers of an answer", !body.headers.out.is_empty()),
            ("faults", !body.faults.is_empty()),
        ];
        for (answer, is_said) in answers {
            if is_said {
                self.error(
                    Rule::KeyDoesNotFit,
                    one_way.node,
                    format!("an operation without an answer has {answer}"),
                )
                .hint("leave one of them out");
            }
        }
        true
    }

    /// A style that is written; `document` if none is.
    fn style(&mut self, written: Option<&Located<String>>) -> Style {
        let Some(written) = written else {
            return Style::Document;
        };
        match written.value.as_str() {
            "document" => Style::Document,
            "rpc" => Style::Rpc,
            other => {
                let message = format!("`style` cannot be `{other}`");
                self.error(Rule::KeyDoesNotFit, written.node, message)
                    .hint("it is `document` or `rpc`, as in the binding of a WSDL");
                Style::Document
            }
        }
    }

    /// The name of an element that an operation has, made from the operation's name unless it is given.
    fn wire_name(
        &mut self,
        given: &Option<Located<String>>,
        operation: &Located<String>,
        suffix: &str,
    ) -> String {
        match given {
            Some(given) if self.is_xml_name(given) => given.value.clone(),
            _ => format!("{}{suffix}", operation.value),
        }
    }

    fn action(
        &mut self,
        key: &Located<String>,
        body: &OperationDefinition,
        namespace: &str,
    ) -> String {
        let Some(action) = &body.action else {
            return format!(
                "{}/{}",
                namespace.strip_suffix('/').unwrap_or(namespace),
                key.value
            );
        };
        let fits = !action.value.is_empty()
            && action
                .value
                .chars()
                .all(|c| c.is_ascii_graphic() && c != '"');
        if !fits {
            self.error(
                Rule::Namespace,
                action.node,
                format!("`{}` cannot be a SOAPAction", action.value),
            )
            .hint("it is a URI of ASCII characters, without white space and quotes");
        }
        action.value.clone()
    }

    fn result(
        &mut self,
        key: &Located<String>,
        body: &OperationDefinition,
        result: &Located<crate::definition::TypeOrMap>,
    ) -> Option<OperationResult> {
        let xml = self.wire_name(&body.result_element, key, "Result");
        let element = self.shaped_element(
            Some(Name {
                xml,
                rust: "result".to_owned(),
            }),
            result,
        )?;
        if matches!(&element.type_ref, TypeRef::List(list) if !list.wrapped) {
            self.error(
                Rule::KeyDoesNotFit,
                result.node,
                "a result cannot be an unwrapped list",
            );
        }
        let root = self.type_name(&element.type_ref);
        Some(OperationResult { element, root })
    }

    /// The name of a type as ASMX gives it: of a list, `ArrayOfInt`.
    pub(super) fn type_name(&self, type_ref: &TypeRef) -> String {
        match type_ref {
            TypeRef::Simple(simple) | TypeRef::Custom(simple, _) => simple.name().to_owned(),
            TypeRef::Complex(id) => match self.foreign_type(*id) {
                Some(complex) => complex.name.xml.clone(),
                None => self.definition.types.0[id.0].0.value.clone(),
            },
            TypeRef::Enumeration(id) => match self.foreign_enumeration(*id) {
                Some(enumeration) => enumeration.name.xml.clone(),
                None => self.definition.enums.0[id.0].0.value.clone(),
            },
            TypeRef::Choice(id) => self.choices[id.0].rust.clone(),
            TypeRef::List(list) => format!("ArrayOf{}", self.item_type_name(list)),
        }
    }

    fn item_type_name(&self, list: &ListType) -> String {
        let name = self.type_name(&list.item_type);
        let mut rest = name.chars();
        let first: String = rest
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .collect();
        let nullable = if list.item_type.by_value() && list.nillable_items {
            "NullableOf"
        } else {
            ""
        };
        format!("{nullable}{first}{}", rest.as_str())
    }

    fn bindings(&mut self, names: &Located<Vec<Located<String>>>) -> Option<Bindings> {
        let mut bindings = Bindings::NONE;
        for name in &names.value {
            match Binding::of_key(&name.value) {
                Some(binding) => bindings = bindings.with(binding),
                None => {
                    let message = format!("unknown binding `{}`", name.value);
                    self.error(Rule::UnknownBinding, name.node, message)
                        .nearest(
                            &name.value,
                            Binding::ALL.map(Binding::key),
                            "the bindings are `soap11`, `soap12`, `http-get` and `http-post`",
                        );
                }
            }
        }
        if names.value.is_empty() {
            self.error(
                Rule::Empty,
                names.node,
                "without a binding nothing can be called",
            )
            .hint("leave `bindings` out for all four");
        }
        Some(bindings)
    }

    /// Forms are flat, and blind to the case of their fields' names.
    fn check_form_parameters(
        &mut self,
        key: &Located<String>,
        parameters: &[(Element, NodeId)],
        bindings: Bindings,
    ) {
        if !bindings.has_form() {
            return;
        }
        let narrow = format!(
            "narrow the bindings of `{}`: `bindings: [soap11, soap12]`",
            key.value
        );
        let mut seen: HashMap<String, NodeId> = HashMap::new();
        for (parameter, node) in parameters {
            if let Some(held) = not_for_forms(&parameter.type_ref) {
                let message = format!(
                    "`{}` cannot be sent over HTTP GET and POST",
                    parameter.name.xml
                );
                self.error(Rule::FormParameter, *node, message)
                    .label(held)
                    .hint(&narrow);
            }
            if let Some(first) = seen.insert(parameter.name.xml.to_lowercase(), *node) {
                let message = format!(
                    "over HTTP GET and POST `{}` is the name of two parameters",
                    parameter.name.xml
                );
                self.error(Rule::XmlNameClash, *node, message)
                    .other(first, "the same in other letter case")
                    .hint(&narrow);
            }
        }
    }

    fn warn_of_secrets(&mut self, key: &Located<String>, operation: &Method) {
        let secret = operation
            .request
            .elements
            .iter()
            .find(|element| element.secret);
        if let Some(secret) = secret.filter(|_| operation.bindings.contains(Binding::HttpGet)) {
            let message = format!(
                "over HTTP GET the secret `{}` is part of the URL",
                secret.name.xml
            );
            self.sink.add(Rule::SecretInUrl, Place::Node(key.node), message).hint(
                "leave `http-get` out of `bindings`; a list of bindings with `http-get` in it says that this is wanted",
            );
        }
    }

    /// Requests are told apart by their wrapper elements and actions; all wrapper elements are of one namespace.
    fn check_wire_names(&mut self, operations: &[(&Method, NodeId)]) {
        let mut elements: HashMap<&str, (NodeId, String)> = HashMap::new();
        let mut actions: HashMap<&str, (NodeId, String)> = HashMap::new();
        for (operation, node) in operations {
            let name = &operation.name.xml;
            let wrappers = [
                (
                    &operation.request.name.xml,
                    format!("the request of `{name}`"),
                ),
                (&operation.response, format!("the response of `{name}`")),
            ];
            for (wrapper, what) in wrappers {
                self.check_wire_name(&mut elements, wrapper, *node, what, "element");
            }
            self.check_wire_name(
                &mut actions,
                &operation.action,
                *node,
                format!("the action of `{name}`"),
                "action",
            );
        }
    }

    fn check_wire_name<'n>(
        &mut self,
        seen: &mut HashMap<&'n str, (NodeId, String)>,
        name: &'n str,
        node: NodeId,
        what: String,
        kind: &str,
    ) {
        match seen.get(name) {
            Some((first, first_what)) if *first != node => {
                self.error(
                    Rule::XmlNameClash,
                    node,
                    format!("two messages have the {kind} `{name}`"),
                )
                .label(&what)
                .other(*first, first_what)
                .hint("give one another name with `request`, `response` or `action`");
            }
            Some(_) => {
                self.error(
                    Rule::XmlNameClash,
                    node,
                    format!("request and response have one {kind}, `{name}`"),
                );
            }
            None => {
                seen.insert(name, (node, what));
            }
        }
    }
}

/// The request wrapper element and the struct of its parameters.
fn request_item(operation: &Name, wrapper: String) -> Option<Name> {
    let base = naming::rust_name(naming::unraw(&operation.rust), Case::Type)?;
    Some(Name {
        xml: wrapper,
        rust: format!("{}Request", base.trim_end_matches('_')),
    })
}

/// What in a type has no place in a form.
fn not_for_forms(type_ref: &TypeRef) -> Option<&'static str> {
    match type_ref {
        TypeRef::Simple(simple) | TypeRef::Custom(simple, _) => {
            simple.is_xml().then_some("holds XML")
        }
        TypeRef::Enumeration(_) => None,
        TypeRef::Complex(_) => Some("holds an object"),
        TypeRef::Choice(_) => Some("is a choice"),
        TypeRef::List(list) if list.inner().is_some() => Some("is a list of lists"),
        TypeRef::List(list) => not_for_forms(&list.item_type),
    }
}
