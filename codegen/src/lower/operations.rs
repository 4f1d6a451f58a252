//! Operations, and the bindings that can carry their messages.

use svcgen_language::definition::{Located, NodeId, OperationDefinition};
use svcgen_language::naming::Case;
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use super::context::Pass;
use super::encoding::Encoding;
use super::form_checks::{check_form_parameters, check_form_results, warn_of_secrets};
use super::global_elements::check_global_elements;
use super::headers::{check_headers, headers, refuse_required_headers};
use super::messages::{http_result, request, response, result, returned};
use super::names::{declared, is_true, is_xml_name, members, name, word};
use super::script::script_method;
use super::wire_elements::{check_wire_elements, with_nodes};
use crate::model::{
    Binding, Bindings, ComplexType, Element, ElementForm, Method, Name, Routing, Scope, Style,
    TypeRef, on_wire,
};

/// The functions of every emitted client in addition to the methods of operations
/// (`emit/client.rs`).
const CLIENT_FUNCTIONS: &[&str] = &["new", "connect", "with", "with_binding"];

pub(super) fn operations(
    pass: &mut Pass<'_, '_>,
    namespace: &str,
    routing: Routing,
    encoding: &Encoding,
) -> Option<Vec<Method>> {
    let definition = pass.context.definition;
    if definition.operations.0.is_empty() && pass.context.whole {
        pass.sink
            .add(Rule::Empty, NodeId(0), "the service has no operations")
            .hint("write them as a map: `operations: { Login: { result: boolean } }`");
    }
    check_headers(pass);
    style(definition.style.as_ref(), pass.sink);
    let by_default = definition.bindings.as_ref();
    let by_default = by_default.and_then(|names| bindings(names, pass.sink));
    let lower_one = |(key, body): &(Located<String>, OperationDefinition)| {
        let written = body.bindings.as_ref();
        let offered = written.and_then(|names| bindings(names, pass.sink));
        let offered = offered.or(by_default);
        let all = offered.unwrap_or(Bindings::DEFAULT);
        if let Some(script) = body.script_method.as_ref().filter(|_| !all.has_script()) {
            let message = format!("`{key}` is not offered over JSON, of which this speaks");
            (pass.sink.add(Rule::KeyDoesNotFit, script.node, message))
                .hint("add `json` to its `bindings`, or leave `script_method` out");
        }
        let left = restrict(pass, key, all);
        let operation = operation(pass, key, body, left, (namespace, encoding));
        if let (Some(operation), None) = (&operation, offered) {
            warn_of_secrets(key, operation, pass.sink);
        }
        (operation, key.node)
    };
    let operations: Vec<_> = definition.operations.0.iter().map(lower_one).collect();
    check_global_elements(&operations, namespace, routing, pass.sink);
    members(operations, "operations", |one| &one.name, pass.sink)
}

/// Restricts the bindings of an operation to those that the options leave.
fn restrict(pass: &mut Pass<'_, '_>, key: &Located<String>, offered: Bindings) -> Bindings {
    let left = pass.context.options.restrict(offered);
    if left.is_empty() && !offered.is_empty() {
        let message = format!("the option `bindings` leaves `{key}` without a binding");
        pass.sink.add(Rule::NoBindingLeft, key.node, message).hint(
            "add one of those that the definition offers it over to the option, or leave the operation out",
        );
    }
    left
}

fn operation(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    body: &OperationDefinition,
    bindings: Bindings,
    (namespace, encoding): (&str, &Encoding),
) -> Option<Method> {
    let name = method_name(key, body, pass.sink);
    let by_default = pass.context.definition.style.as_ref();
    let style = style(body.style.as_ref().or(by_default), pass.sink);
    let (request, parameters, scope) = request(pass, key, body, name.as_ref(), style);
    check_bindings(pass, key, body, bindings, parameters.as_deref());
    check_faults(pass, body);
    let one_way = one_way(body, pass.sink);
    let written = body.result.as_ref();
    let result = written.map(|written| result(pass, key, body, written));
    let response = response(pass, key, body, name.as_ref(), style);
    let returned = response
        .as_ref()
        .and_then(|response| returned(pass, key, body, response, bindings.has_form()));
    let answered = match (&result, &returned, &response) {
        (Some(result), ..) => result.as_ref().map(|result| &result.element),
        (None, Some(returned), Some(response)) => response.elements.get(returned.index),
        _ => None,
    };
    let http_result = answered.and_then(|answered| http_result(pass, answered, bindings));
    if let (true, Some(response)) = (bindings.has_form(), &response) {
        let narrowed = narrow(&key.value, bindings, Bindings::FORMS);
        check_form_results(
            &narrowed,
            (key, body),
            response,
            returned.as_ref(),
            pass.sink,
        );
    }
    if let Some(request) = request.as_ref().filter(|_| !body.parameters.0.is_empty()) {
        let what = format!("the parameters of the operation `{key}`");
        pass.claim(&request.rust, key.node, what);
    }
    match style {
        Style::Document => {}
        Style::Rpc => check_rpc(pass, body, parameters.as_deref(), response.as_ref()),
        Style::Bare => check_bare(body, parameters.as_deref(), response.as_ref(), pass.sink),
    }
    let encoded = encoding.of_operation(body, pass.sink);
    let name = name?;
    let request_headers = headers(pass, &name, &body.headers.r#in, "Headers", true);
    let response_headers = headers(pass, &name, &body.headers.out, "ResponseHeaders", false);
    let fault_headers = headers(pass, &name, &body.headers.fault, "FaultHeaders", false);
    let message = |message: ComplexType| in_types(message, style, encoded.as_deref());
    Some(Method {
        name,
        documentation: body.doc.clone(),
        action: action(key, body, namespace, pass.sink),
        request: message(ComplexType {
            scope,
            ..ComplexType::new(request?, parameters?)
        }),
        response: message(response?),
        returned,
        http_result,
        result: result.map_or(Some(None), |result| result.map(Some))?,
        bindings,
        script: script_method(body.script_method.as_ref(), bindings, pass.sink),
        style,
        one_way,
        read_only: body.read_only.as_ref().is_some_and(|on| on.value),
        wsdl_name: wsdl_name(key, body, style, pass.sink),
        headers: request_headers?,
        cached: cached(body, pass.sink),
        session: is_true(&body.session),
        unknown_headers: is_true(&body.headers.unknown),
        response_headers: response_headers?,
        fault_headers: fault_headers?,
        faults: body.faults.iter().map(|name| name.value.clone()).collect(),
        encoded,
    })
}

/// The name of the methods, changed if every client has a function with that name.
fn method_name(key: &Located<String>, body: &OperationDefinition, sink: &mut Sink) -> Option<Name> {
    let mut name = name(key, body.rust.as_ref(), Case::Value, sink)?;
    if CLIENT_FUNCTIONS.contains(&name.rust.as_str()) {
        match &body.rust {
            None => name.rust.push('_'),
            Some(asked) => {
                let message = format!("every client has a function `{asked}` already");
                sink.add(Rule::RustNameClash, asked.node, message)
                    .hint("give it another name");
            }
        }
    }
    Some(name)
}

fn check_faults(pass: &mut Pass<'_, '_>, body: &OperationDefinition) {
    let faults = &pass.context.definition.faults;
    for fault in &body.faults {
        declared("fault", faults, fault, pass.sink);
    }
}

/// Refuses parameters and required headers that a binding cannot carry.
fn check_bindings(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    body: &OperationDefinition,
    bindings: Bindings,
    parameters: Option<&[Element]>,
) {
    if let Some(parameters) = parameters {
        let parameters = with_nodes(parameters, &body.parameters);
        if bindings.has_form() {
            let narrowed = narrow(&key.value, bindings, Bindings::FORMS);
            check_form_parameters(&narrowed, &parameters, pass.sink);
        }
        check_wire_elements(&parameters, &key.value, &pass.items.groups, pass.sink);
    }
    let only_soap = narrow(&key.value, bindings, Bindings::ALL.without(Bindings::SOAP));
    if bindings.has_form() {
        let (over, rule) = ("HTTP GET and POST", Rule::FormParameter);
        refuse_required_headers(pass, body, over, rule, &only_soap);
    }
    if bindings.has_script() {
        refuse_required_headers(pass, body, "JSON", Rule::Script, &only_soap);
    }
}

/// Refuses parts without a name, which messages in rpc style cannot carry.
fn check_rpc(
    pass: &mut Pass<'_, '_>,
    body: &OperationDefinition,
    parameters: Option<&[Element]>,
    response: Option<&ComplexType>,
) {
    for (part, node) in parts(body, parameters, response) {
        let on_wire = on_wire(part, &pass.items.groups);
        let is_named = on_wire.iter().all(|element| element.is_named());
        if let Some(node) = node.filter(|_| !is_named) {
            let message = "the parameters and results of an operation in rpc style are all named";
            (pass.sink.add(Rule::KeyDoesNotFit, node, message))
                .hint("put the wildcard or the text into a type, or use the style `document`");
        }
    }
}

/// The parameters and results of an operation, with their nodes.
fn parts<'p>(
    body: &OperationDefinition,
    parameters: Option<&'p [Element]>,
    response: Option<&'p ComplexType>,
) -> impl Iterator<Item = (&'p Element, Option<NodeId>)> {
    let parameters = with_nodes(parameters.unwrap_or_default(), &body.parameters);
    let results = response.map_or(&[][..], |response| &response.elements);
    let results = with_nodes(results, &body.results);
    parameters.into_iter().chain(results)
}

/// A message with the scope of its element: in document style the wrapper of an encoded message is
/// in the scope of the types.
fn in_types(message: ComplexType, style: Style, encoded: Option<&str>) -> ComplexType {
    match encoded {
        Some(types) if style == Style::Document => ComplexType {
            scope: Scope {
                namespace: message.scope.namespace.or_else(|| Some(types.to_owned())),
                element_form: Some(ElementForm::Unqualified),
            },
            ..message
        },
        _ => message,
    }
}

/// The advice to offer an operation only over its bindings that are not in `without`.
pub(super) fn narrow(operation: &str, bindings: Bindings, without: Bindings) -> String {
    let left = bindings.without(without);
    let left = if left.is_empty() {
        Bindings::SOAP
    } else {
        left
    };
    let keys: Vec<_> = left.iter().map(Binding::key).collect();
    let keys = keys.join(", ");
    format!("narrow the bindings of `{operation}`: `bindings: [{keys}]`")
}

/// Refuses wrappers, and parts that are not one global element, which bare messages cannot carry.
fn check_bare(
    body: &OperationDefinition,
    parameters: Option<&[Element]>,
    response: Option<&ComplexType>,
    sink: &mut Sink,
) {
    for (key, wrapper) in [("request", &body.request), ("response", &body.response)] {
        if let Some(wrapper) = wrapper {
            let message = format!("a bare message has no `{key}` element");
            sink.add(Rule::KeyDoesNotFit, wrapper.node, message)
                .hint("the parameters and results are themselves elements in the Body: name these");
        }
    }
    for (part, node) in parts(body, parameters, response) {
        let what = match &part.type_ref {
            TypeRef::Group(_) => "a choice or a sequence",
            TypeRef::List(list) if !list.is_wrapped() => "an unwrapped list",
            _ => continue,
        };
        if let Some(node) = node {
            let message = format!("`{}` cannot be {what} in a bare message", part.name.xml);
            sink.add(Rule::KeyDoesNotFit, node, message)
                .hint("it is one element in the Body");
        }
    }
}

/// The name in the WSDL, if it differs. Callers use it as the name of the element of an rpc
/// request.
fn wsdl_name(
    key: &Located<String>,
    body: &OperationDefinition,
    style: Style,
    sink: &mut Sink,
) -> Option<String> {
    let name = body.wsdl_name.as_ref()?;
    let element = body.request.as_ref();
    let element = element.and_then(|request| request.value.0.name.as_ref());
    let is_element = element.is_some_and(|element| element.value == name.value);
    if style == Style::Rpc && !is_element {
        let message = "in the style `rpc`, `wsdl_name` is the name of the request element";
        (sink.add(Rule::KeyDoesNotFit, name.node, message)).hint(format!(
            "callers name the element after the operation in the WSDL: write `request: {name}`, too"
        ));
    }
    let is_other = is_xml_name(name, sink) && name.value != key.value;
    is_other.then(|| name.value.clone())
}

fn one_way(body: &OperationDefinition, sink: &mut Sink) -> bool {
    let Some(one_way) = body.one_way.as_ref().filter(|one_way| one_way.value) else {
        return false;
    };
    let answers = [
        (
            "a result",
            body.result.is_some() || !body.results.0.is_empty(),
        ),
        ("a `cache` of answers", body.cache.is_some()),
        ("headers of an answer", !body.headers.out.is_empty()),
        ("headers of faults", !body.headers.fault.is_empty()),
        ("faults", !body.faults.is_empty()),
    ];
    for (answer, is_said) in answers {
        if is_said {
            let message = format!("an operation without an answer has {answer}");
            sink.add(Rule::KeyDoesNotFit, one_way.node, message)
                .hint("leave one of them out");
        }
    }
    true
}

fn cached(body: &OperationDefinition, sink: &mut Sink) -> bool {
    let Some(seconds) = &body.cache else {
        return false;
    };
    let number = seconds.value.parse::<u32>();
    if number.is_err() {
        let message = format!("`{seconds}` is not a number of seconds");
        sink.add(Rule::KeyDoesNotFit, seconds.node, message)
            .hint("it is written like `cache: 60`, as the `CacheDuration` of ASMX");
    }
    number.is_ok_and(|seconds| seconds > 0)
}

/// The style, `document` by default.
fn style(written: Option<&Located<String>>, sink: &mut Sink) -> Style {
    let words = [
        ("document", Style::Document),
        ("rpc", Style::Rpc),
        ("bare", Style::Bare),
    ];
    let hint = "it is `document` or `rpc`, as in the binding of a WSDL, or `bare`, as the `ParameterStyle` of ASMX";
    word("style", written, &words, hint, sink)
}

fn action(
    key: &Located<String>,
    body: &OperationDefinition,
    namespace: &str,
    sink: &mut Sink,
) -> String {
    let Some(action) = &body.action else {
        return format!("{}/{key}", namespace.strip_suffix('/').unwrap_or(namespace));
    };
    // Servers trim blanks around it.
    let has_blanks_around = action.value.trim_matches(' ') != action.value;
    let mut characters = action.value.chars();
    let is_text = characters.all(|c| matches!(c, ' '..='~') && c != '"');
    if has_blanks_around || !is_text {
        let message = format!("`{action}` cannot be a SOAPAction");
        sink.add(Rule::Namespace, action.node, message)
            .hint("it is a text of ASCII characters, without quotes and without blanks around it");
    }
    action.value.clone()
}

fn bindings(names: &Located<Vec<Located<String>>>, sink: &mut Sink) -> Option<Bindings> {
    let mut bindings = Bindings::NONE;
    for name in &names.value {
        if let Some(binding) = Binding::of_key(&name.value) {
            bindings = bindings.with(binding);
            continue;
        }
        let known = Binding::ALL.map(Binding::key);
        let hint = "the bindings are `soap11`, `soap12`, `http-get`, `http-post` and `json`";
        let message = format!("unknown binding `{name}`");
        sink.add(Rule::UnknownBinding, name.node, message)
            .nearest(&name.value, known, hint);
    }
    if names.value.is_empty() {
        let message = "without a binding nothing can be called";
        sink.add(Rule::Empty, names.node, message)
            .hint("leave `bindings` out for SOAP, HTTP GET and HTTP POST");
    }
    Some(bindings)
}
