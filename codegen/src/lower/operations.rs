//! Operations: wrappers, results and the bindings that can carry them.

use std::collections::HashMap;

use super::inheritance::with_nodes;
use super::{Lower, message_name};
use crate::definition::{Located, NodeId, OperationDefinition, TypeOrMap};
use crate::model::{
    Binding, Bindings, ComplexType, Element, ListType, Method, Name, OperationResult, Style,
    TypeRef,
};
use crate::naming::Case;
use crate::rules::Rule;

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
        let by_default = definition.bindings.as_ref();
        let by_default = by_default.and_then(|bindings| self.bindings(bindings));
        let lower_one = |(key, body): &(Located<String>, OperationDefinition)| {
            let bindings = body.bindings.as_ref();
            let bindings = bindings.and_then(|bindings| self.bindings(bindings));
            let bindings = bindings.or(by_default);
            let left = self.restrict(key, bindings.unwrap_or(Bindings::ALL));
            let operation = self.operation(key, body, left, namespace);
            if let (Some(operation), None) = (&operation, bindings) {
                self.warn_of_secrets(key, operation);
            }
            (operation, key.node)
        };
        let operations: Vec<_> = definition.operations.0.iter().map(lower_one).collect();
        self.check_distinct(&operations, "operations", |operation| &operation.name);
        self.check_wire_names(&operations);
        operations
            .into_iter()
            .map(|(operation, _)| operation)
            .collect()
    }

    /// The bindings that the options leave an operation.
    fn restrict(&mut self, key: &Located<String>, offered: Bindings) -> Bindings {
        let left = self.options.restrict(offered);
        if left.is_empty() && !offered.is_empty() {
            let message = format!("the option `bindings` leaves `{key}` without a binding");
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
        let rust = name.as_ref().map(|name| name.rust.as_str());
        if let Some(rust) = rust.filter(|rust| CLIENT_FUNCTIONS.contains(rust)) {
            let message = format!("every client has a function `{rust}` already");
            self.error(Rule::RustNameClash, key.node, message)
                .hint("rename the operation with the key `rust`");
        }
        let wrapper = self.wire_name(&body.request, key, "");
        let request = name
            .as_ref()
            .and_then(|name| message_name(name, wrapper, "Request"));
        let members = format!("parameters of `{key}`");
        let owner = request.as_ref().map(|request| request.rust.as_str());
        let elements = self.elements(&body.parameters, &members, owner);
        if let Some(elements) = &elements {
            let elements = with_nodes(elements, &body.parameters);
            if bindings.has_form() {
                self.check_form_parameters(key, &elements);
            }
            self.check_wire_elements(&elements, &key.value);
        }
        self.check_form_headers(body, key, bindings);
        self.check_faults(body);
        let one_way = self.one_way(body);
        let by_default = self.definition.style.as_ref();
        let style = self.style(body.style.as_ref().or(by_default));
        let result = body.result.as_ref();
        let result = result.map(|result| self.result(key, body, result));
        if let Some(request) = request.as_ref().filter(|_| !body.parameters.0.is_empty()) {
            let what = format!("the parameters of the operation `{key}`");
            self.claim_item(&request.rust, key.node, what);
        }
        let name = name?;
        let headers = self.headers(&name, &body.headers.r#in, "Headers", true);
        let response_headers = self.headers(&name, &body.headers.out, "ResponseHeaders", false);
        Some(Method {
            name,
            documentation: body.doc.clone(),
            action: self.action(key, body, namespace),
            request: ComplexType::new(request?, elements?),
            response: self.wire_name(&body.response, key, "Response"),
            result: result.map_or(Some(None), |result| result.map(Some))?,
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
                let message = format!("an operation without an answer has {answer}");
                self.misfit(one_way.node, message)
                    .hint("leave one of them out");
            }
        }
        true
    }

    /// A style that is written; `document` if none is.
    fn style(&mut self, written: Option<&Located<String>>) -> Style {
        let words = [("document", Style::Document), ("rpc", Style::Rpc)];
        let hint = "it is `document` or `rpc`, as in the binding of a WSDL";
        self.word("style", written, &words, hint)
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
            _ => format!("{operation}{suffix}"),
        }
    }

    fn action(
        &mut self,
        key: &Located<String>,
        body: &OperationDefinition,
        namespace: &str,
    ) -> String {
        let Some(action) = &body.action else {
            return format!("{}/{key}", namespace.strip_suffix('/').unwrap_or(namespace));
        };
        let mut characters = action.value.chars();
        if action.value.is_empty() || !characters.all(|c| c.is_ascii_graphic() && c != '"') {
            let message = format!("`{action}` cannot be a SOAPAction");
            self.error(Rule::Namespace, action.node, message)
                .hint("it is a URI of ASCII characters, without white space and quotes");
        }
        action.value.clone()
    }

    fn result(
        &mut self,
        key: &Located<String>,
        body: &OperationDefinition,
        result: &Located<TypeOrMap>,
    ) -> Option<OperationResult> {
        let name = Name {
            xml: self.wire_name(&body.result_element, key, "Result"),
            rust: "result".to_owned(),
        };
        let element = self.shaped_element(Some(name), result)?;
        if matches!(&element.type_ref, TypeRef::List(list) if !list.wrapped) {
            self.misfit(result.node, "a result cannot be an unwrapped list");
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
        let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
        let is_nullable = list.item_type.by_value() && list.nillable_items;
        let nullable = if is_nullable { "NullableOf" } else { "" };
        format!("{nullable}{}{rest}", first.to_uppercase())
    }

    fn bindings(&mut self, names: &Located<Vec<Located<String>>>) -> Option<Bindings> {
        let mut bindings = Bindings::NONE;
        for name in &names.value {
            if let Some(binding) = Binding::of_key(&name.value) {
                bindings = bindings.with(binding);
                continue;
            }
            let known = Binding::ALL.map(Binding::key);
            let hint = "the bindings are `soap11`, `soap12`, `http-get` and `http-post`";
            self.error(
                Rule::UnknownBinding,
                name.node,
                format!("unknown binding `{name}`"),
            )
            .nearest(&name.value, known, hint);
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
        parameters: &[(&Element, Option<NodeId>)],
    ) {
        let narrow = format!("narrow the bindings of `{key}`: `bindings: [soap11, soap12]`");
        let mut seen: HashMap<String, NodeId> = HashMap::new();
        for (parameter, node) in parameters {
            let (Some(node), name) = (*node, &parameter.name.xml) else {
                continue;
            };
            if let Some(held) = not_for_forms(&parameter.type_ref) {
                let message = format!("`{name}` cannot be sent over HTTP GET and POST");
                self.error(Rule::FormParameter, node, message)
                    .label(held)
                    .hint(&narrow);
            }
            if let Some(first) = seen.insert(name.to_lowercase(), node) {
                let message =
                    format!("over HTTP GET and POST `{name}` is the name of two parameters");
                self.error(Rule::XmlNameClash, node, message)
                    .other(first, "the same in other letter case")
                    .hint(&narrow);
            }
        }
    }

    fn warn_of_secrets(&mut self, key: &Located<String>, operation: &Method) {
        let mut parameters = operation.request.elements.iter();
        let secret = parameters.find(|parameter| parameter.secret);
        if let Some(secret) = secret.filter(|_| operation.bindings.contains(Binding::HttpGet)) {
            let name = &secret.name.xml;
            let message = format!("over HTTP GET the secret `{name}` is part of the URL");
            self.error(Rule::SecretInUrl, key.node, message).hint(
                "leave `http-get` out of `bindings`; a list of bindings with `http-get` in it says that this is wanted",
            );
        }
    }

    /// Requests are told apart by their wrapper elements and actions; all wrapper elements are of one namespace.
    fn check_wire_names(&mut self, operations: &[(Option<Method>, NodeId)]) {
        let mut seen = HashMap::new();
        for (operation, node) in operations {
            let Some(operation) = operation else { continue };
            let names = [
                ("element", "request", &operation.request.name.xml),
                ("element", "response", &operation.response),
                ("action", "action", &operation.action),
            ];
            for (kind, part, name) in names {
                let what = format!("the {part} of `{}`", operation.name.xml);
                self.check_wire_name(&mut seen, (kind, name), *node, what);
            }
        }
    }

    fn check_wire_name<'n>(
        &mut self,
        seen: &mut HashMap<(&'n str, &'n str), (NodeId, String)>,
        (kind, name): (&'n str, &'n str),
        node: NodeId,
        what: String,
    ) {
        match seen.get(&(kind, name)) {
            Some((first, first_what)) if *first != node => {
                let message = format!("two messages have the {kind} `{name}`");
                self.error(Rule::XmlNameClash, node, message)
                    .label(&what)
                    .other(*first, first_what)
                    .hint("give one another name with `request`, `response` or `action`");
            }
            Some(_) => {
                let message = format!("request and response have one {kind}, `{name}`");
                self.error(Rule::XmlNameClash, node, message);
            }
            None => {
                seen.insert((kind, name), (node, what));
            }
        }
    }
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
