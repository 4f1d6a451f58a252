//! Operations: wrappers, results and the bindings that can carry them.

use std::collections::HashMap;

use super::context::Pass;
use super::elements::Owner;
use super::encoding::Encoding;
use super::global_elements::check_global_elements;
use super::headers::{check_headers, headers, refuse_required_headers};
use super::names::{declared, is_true, is_xml_name, members, message_name, name, word};
use super::script::script_method;
use super::wire_elements::{check_wire_elements, with_nodes};
use crate::definition::{Located, NodeId, OperationDefinition, Shape, WrapperDefinition};
use crate::model::{
    Binding, Bindings, ComplexType, Element, ElementForm, ListForm, Method, Name, OperationResult,
    ReturnedResult, Routing, Scope, Style, TypeRef, on_wire,
};
use crate::naming::Case;
use crate::rules::Rule;
use crate::sink::Sink;

/// The functions that every emitted client has beside the methods of operations (`emit/client.rs`).
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

/// The bindings of an operation that the options leave.
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
    let mut name = name(key, body.rust.as_ref(), Case::Value, pass.sink);
    if let Some(name) = &mut name
        && CLIENT_FUNCTIONS.contains(&name.rust.as_str())
    {
        match &body.rust {
            None => name.rust.push('_'),
            Some(asked) => {
                let message = format!("every client has a function `{asked}` already");
                (pass.sink.add(Rule::RustNameClash, asked.node, message))
                    .hint("give it another name");
            }
        }
    }
    let by_default = pass.context.definition.style.as_ref();
    let style = style(body.style.as_ref().or(by_default), pass.sink);
    let (wrapper, scope) = wrapper(pass, body.request.as_ref(), key, "", style);
    let request = name
        .as_ref()
        .and_then(|name| message_name(name, wrapper, "Request"));
    let owner = Owner {
        xml: &key.value,
        rust: request.as_ref().map(|request| request.rust.as_str()),
        is_nested: false,
    };
    let parameters = pass.elements(&body.parameters, "parameters", owner);
    let narrowed = narrow(&key.value, bindings, Bindings::FORMS);
    if let Some(parameters) = &parameters {
        let parameters = with_nodes(parameters, &body.parameters);
        if bindings.has_form() {
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
    for fault in &body.faults {
        let faults = &pass.context.definition.faults;
        declared("fault", faults, fault, pass.sink);
    }
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
    let has_root = bindings.has_form() || bindings.has_script();
    let http_result = answered.filter(|_| has_root).and_then(|answered| {
        let type_ref = pass.context.without_item_names(&answered.type_ref)?;
        Some(Element {
            type_ref,
            ..answered.clone()
        })
    });
    if style == Style::Rpc {
        let parameters = parameters.iter();
        let parameters = parameters.flat_map(|all| with_nodes(all, &body.parameters));
        let results = response.iter();
        let results = results.flat_map(|all| with_nodes(&all.elements, &body.results));
        for (part, node) in parameters.chain(results) {
            let on_wire = on_wire(part, &pass.items.groups);
            let is_named = on_wire.iter().all(|element| element.is_named());
            if let Some(node) = node.filter(|_| !is_named) {
                let message =
                    "the parameters and results of an operation in rpc style are all named";
                (pass.sink.add(Rule::KeyDoesNotFit, node, message))
                    .hint("put the wildcard or the text into a type, or use the style `document`");
            }
        }
    }
    if let (true, Some(response)) = (bindings.has_form(), &response) {
        refuse_texts(key, &narrowed, response, returned.as_ref(), pass.sink);
        check_form_results(&narrowed, body, returned.as_ref(), pass.sink);
    }
    if let Some(request) = request.as_ref().filter(|_| !body.parameters.0.is_empty()) {
        let what = format!("the parameters of the operation `{key}`");
        pass.claim(&request.rust, key.node, what);
    }
    if style == Style::Bare {
        check_bare(body, parameters.as_deref(), response.as_ref(), pass.sink);
    }
    let encoded = encoding.of_operation(body, pass.sink);
    // In document style the element of a message is one of the types.
    let within = |scope: Scope| match &encoded {
        Some(types) if style == Style::Document => Scope {
            namespace: scope.namespace.or_else(|| Some(types.clone())),
            element_form: Some(ElementForm::Unqualified),
        },
        _ => scope,
    };
    let response = response.map(|response| ComplexType {
        scope: within(response.scope.clone()),
        ..response
    });
    let scope = within(scope);
    let name = name?;
    let request_headers = headers(pass, &name, &body.headers.r#in, "Headers", true);
    let response_headers = headers(pass, &name, &body.headers.out, "ResponseHeaders", false);
    let fault_headers = headers(pass, &name, &body.headers.fault, "FaultHeaders", false);
    Some(Method {
        name,
        documentation: body.doc.clone(),
        action: action(key, body, namespace, pass.sink),
        request: ComplexType {
            scope,
            ..ComplexType::new(request?, parameters?)
        },
        response: response?,
        returned,
        http_result,
        result: result.map_or(Some(None), |result| result.map(Some))?,
        bindings,
        script: script_method(body.script_method.as_ref(), bindings, pass.sink),
        style,
        encoded,
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
    })
}

/// Advice to offer an operation over those of its bindings that are not in `without`.
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

/// Refuses what bare messages have no place for: wrappers, and parts that are not one global element.
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
    let parameters = with_nodes(parameters.unwrap_or_default(), &body.parameters);
    let results = response.map_or(&[][..], |response| &response.elements);
    let results = with_nodes(results, &body.results);
    for (part, node) in parameters.into_iter().chain(results) {
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

/// The name in the WSDL, if it is another one. Callers name the element of an rpc request so.
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
        let message = format!("`{seconds}` is no number of seconds");
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

/// The given name of an element of an operation, or one made from the operation's.
fn wire_name(
    given: &Option<Located<String>>,
    operation: &Located<String>,
    suffix: &str,
    sink: &mut Sink,
) -> String {
    match given {
        Some(given) if is_xml_name(given, sink) => given.value.clone(),
        _ => format!("{operation}{suffix}"),
    }
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
    // Servers take blanks around it away.
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

fn result(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    body: &OperationDefinition,
    result: &Located<Shape>,
) -> Option<OperationResult> {
    let xml = wire_name(&body.result_element, key, "Result", pass.sink);
    let name = Name::new(xml.clone(), "result");
    let hint = format!(
        "clients of .NET do not know the default of a result: write `results: {{ {xml}: {{ … }} }}` for others"
    );
    let element = pass.shaped_element(Some(name), result, Some(&hint))?;
    if matches!(&element.type_ref, TypeRef::List(list) if !list.is_wrapped()) {
        let message = "a result cannot be an unwrapped list";
        let hint = format!(
            "write `results: {{ {}: {{ … }} }}`, which is named after the element",
            element.name.xml
        );
        (pass.sink.add(Rule::KeyDoesNotFit, result.node, message)).hint(hint);
    }
    let root = pass.context.root(&element.type_ref);
    Some(OperationResult {
        element,
        root,
        is_large: false,
    })
}

/// The response wrapper, with several results as its elements.
fn response(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    body: &OperationDefinition,
    operation: Option<&Name>,
    style: Style,
) -> Option<ComplexType> {
    let (wrapper, scope) = wrapper(pass, body.response.as_ref(), key, "Response", style);
    let name = operation.and_then(|operation| message_name(operation, wrapper, "Response"));
    let owner = Owner {
        xml: &key.value,
        rust: name.as_ref().map(|name| name.rust.as_str()),
        is_nested: false,
    };
    let results = pass.elements(&body.results, "results", owner);
    if let Some(results) = &results {
        let results = with_nodes(results, &body.results);
        check_wire_elements(&results, &key.value, &pass.items.groups, pass.sink);
    }
    if let (Some(first), Some(name)) = (body.results.keys().next(), &name) {
        pass.claim(
            &name.rust,
            key.node,
            format!("the results of the operation `{key}`"),
        );
        if body.result.is_some() {
            let message = format!("`{key}` has a `result` and `results`");
            (pass.sink.add(Rule::KeyDoesNotFit, first.node, message))
                .hint("`results` holds all of them: name the one that was the `result` in it, too");
        }
    }
    Some(ComplexType {
        scope,
        ..ComplexType::new(name?, results?)
    })
}

/// The name of the element around parameters or results, and what declares these.
fn wrapper(
    pass: &mut Pass<'_, '_>,
    given: Option<&Located<WrapperDefinition>>,
    operation: &Located<String>,
    suffix: &str,
    style: Style,
) -> (String, Scope) {
    let keys = given.map(|given| given.value.0.clone()).unwrap_or_default();
    let name = wire_name(&keys.name, operation, suffix, pass.sink);
    let scope = keys.namespace.and_then(|name| {
        if !name.value.is_empty() {
            return pass.namespace(&name);
        }
        if style != Style::Rpc {
            let message = "an element in no namespace fits the style `rpc` alone";
            (pass.sink.add(Rule::KeyDoesNotFit, name.node, message))
                .hint("name a namespace by its short name");
        }
        Some(Scope {
            namespace: Some(String::new()),
            ..Scope::default()
        })
    });
    (name, scope.unwrap_or_default())
}

/// The one of several results that is the return value, as the others are `out` parameters.
fn returned(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    body: &OperationDefinition,
    response: &ComplexType,
    has_form: bool,
) -> Option<ReturnedResult> {
    let name = wire_name(&body.result_element, key, "Result", pass.sink);
    let mut results = response.elements.iter();
    let index = match &*response.elements {
        // A wildcard has no name that tells it from the others.
        [only] if only.wildcard.is_some() => has_form.then_some(0),
        _ => results.position(|result| result.name.xml == name && result.is_named()),
    };
    if let (None, Some(asked), Some(_)) = (index, &body.result_element, response.elements.first()) {
        let known = response.elements.iter().map(|result| &*result.name.xml);
        let message = format!("`{asked}` is none of the `results` of `{key}`");
        (pass.sink.add(Rule::KeyDoesNotFit, asked.node, message)).nearest(
            &asked.value,
            known,
            "it names the return value",
        );
    }
    let index = index?;
    let root = pass.context.root(&response.elements[index].type_ref);
    Some(ReturnedResult { index, root })
}

/// Refuses a list in one text as the result over HTTP GET and POST, where a list is always an element around its items.
fn refuse_texts(
    key: &Located<String>,
    narrowed: &str,
    response: &ComplexType,
    returned: Option<&ReturnedResult>,
    sink: &mut Sink,
) {
    let returned = returned.map(|returned| &response.elements[returned.index]);
    let is_texts = |result: &Element| matches!(&result.type_ref, TypeRef::List(list) if list.form == ListForm::Text);
    if let Some(result) = returned.filter(|result| is_texts(result)) {
        let message = format!(
            "`{}` cannot be answered over HTTP GET and POST: it is a list in one text",
            result.name.xml
        );
        sink.add(Rule::FormParameter, key.node, message)
            .hint(narrowed);
    }
}

/// Refuses results over HTTP GET and POST beside a return value or parameters: ASMX offers an operation with `out` parameters there if it has
/// nothing else, and answers nothing.
fn check_form_results(
    narrowed: &str,
    body: &OperationDefinition,
    returned: Option<&ReturnedResult>,
    sink: &mut Sink,
) {
    let mut others = body.results.keys().enumerate();
    let other = others.find(|(index, _)| returned.is_none_or(|one| one.index != *index));
    let has_more = returned.is_some() || !body.parameters.0.is_empty();
    let Some((_, other)) = other.filter(|_| has_more) else {
        return;
    };
    let message = format!(
        "`{other}` cannot be answered over HTTP GET and POST beside parameters or a return value"
    );
    sink.add(Rule::FormParameter, other.node, message)
        .hint(narrowed);
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

/// Refuses parameters that forms cannot carry, or whose names differ only in letter case, which forms ignore.
fn check_form_parameters(
    narrowed: &str,
    parameters: &[(&Element, Option<NodeId>)],
    sink: &mut Sink,
) {
    let mut seen: HashMap<String, NodeId> = HashMap::new();
    for (parameter, node) in parameters {
        let (Some(node), name) = (*node, parameter.field_name()) else {
            continue;
        };
        if let Some(held) = not_for_forms(&parameter.type_ref) {
            let message = format!("`{name}` cannot be sent over HTTP GET and POST");
            sink.add(Rule::FormParameter, node, message)
                .label(held)
                .hint(narrowed);
        }
        if let Some(first) = seen.insert(name.to_lowercase(), node) {
            let message = format!("over HTTP GET and POST `{name}` is the name of two parameters");
            sink.add(Rule::XmlNameClash, node, message)
                .other(first, "the same in other letter case")
                .hint(narrowed);
        }
    }
}

fn warn_of_secrets(key: &Located<String>, operation: &Method, sink: &mut Sink) {
    let mut parameters = operation.request.elements.iter();
    let mut bindings = operation.bindings.iter();
    let in_url = bindings.find(|binding| binding.has_parameters_in_url());
    if let (Some(secret), Some(binding)) = (parameters.find(|each| each.secret), in_url) {
        let (name, key_of_binding) = (&secret.name.xml, binding.key());
        let message = format!("over {binding} the secret `{name}` is part of the URL");
        let hint = format!(
            "leave `{key_of_binding}` out of `bindings`; a list of bindings with `{key_of_binding}` in it says that this is wanted",
        );
        sink.add(Rule::SecretInUrl, key.node, message).hint(hint);
    }
}

/// Why forms cannot carry a type, if so.
fn not_for_forms(type_ref: &TypeRef) -> Option<&'static str> {
    match type_ref {
        TypeRef::Simple(simple) | TypeRef::Custom(simple, _) => {
            simple.is_xml().then_some("holds XML")
        }
        TypeRef::Enumeration(_) => None,
        TypeRef::Complex(_) => Some("holds an object"),
        TypeRef::Group(_) => Some("is a choice or a sequence"),
        TypeRef::List(list) if list.form == ListForm::Text => Some("is a list in one text"),
        TypeRef::List(list) if list.inner().is_some() => Some("is a list of lists"),
        TypeRef::List(list) => not_for_forms(&list.item_type),
        // It is refused in every binding but JSON.
        TypeRef::Dictionary(_) => None,
    }
}
