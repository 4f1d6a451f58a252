//! Checks for JSON: values that it cannot carry, values that only it can carry, and ambiguous
//! names.

use std::collections::{HashMap, HashSet};
use std::iter::once;

use svcgen_language::definition::{
    Definition, ElementKeys, Located, NodeId, OperationDefinition, Shape,
};
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use super::operations::narrow;
use crate::model::{
    Absence, Bindings, ComplexTypeId, Element, GroupId, GroupKind, Method, Model, ResponseFormat,
    SimpleType, TypeRef,
};

/// The member of an object in JSON that contains its type.
const TYPE: &str = "__type";

/// The names of script proxies, whose paths look like those of operations.
const PROXIES: [&str; 2] = ["js", "jsdebug"];

/// Checks the operations that are offered over JSON.
pub(super) fn check_script(model: &Model, definition: &Definition, sink: &mut Sink) {
    let mut seen: HashMap<String, NodeId> = HashMap::new();
    for method in model.operations() {
        let Some((key, body)) = definition.operations.get(&method.name.key) else {
            continue;
        };
        if !method.bindings.has_script() {
            continue;
        }
        if PROXIES
            .iter()
            .any(|name| name.eq_ignore_ascii_case(&key.value))
        {
            let message = format!("`{key}` is the path of a script proxy over JSON");
            sink.add(Rule::ScriptName, key.node, message)
                .hint(narrowed(method));
        }
        if let Some(first) = seen.insert(key.value.to_lowercase(), key.node) {
            let message = format!("over JSON `{key}` is the name of two operations");
            sink.add(Rule::XmlNameClash, key.node, message)
                .other(first, "the same in other letter case")
                .hint(narrowed(method));
        }
        Called {
            model,
            method,
            key,
            body,
        }
        .check(sink);
    }
    check_script_types(model, definition, sink);
}

/// Refuses two types that would have the same name for callers.
fn check_script_types(model: &Model, definition: &Definition, sink: &mut Sink) {
    let Some(service) = &model.service else {
        return;
    };
    let node_of = |type_ref: &TypeRef| {
        let key = match type_ref {
            TypeRef::Complex(id) => &model.complex_types[id.0].name.key,
            TypeRef::Enumeration(id) => &model.enumerations[id.0].name.key,
            _ => return None,
        };
        let types = definition.types.keys().chain(definition.enums.keys());
        let mut types = types.filter(|known| known.value == *key);
        types.next().map(|key| key.node)
    };
    let mut seen = HashMap::new();
    for known in &service.script.types {
        let node = node_of(&known.type_ref);
        let Some(first) = seen.insert(&known.name, node) else {
            continue;
        };
        let name = &known.name;
        let message = format!("two types are called `{name}` over JSON");
        let node = node.or(first).unwrap_or(NodeId(0));
        let pending = sink.add(Rule::XmlNameClash, node, message);
        if let Some(first) = first.filter(|first| *first != node) {
            pending.other(first, "the other one");
        }
        pending.hint("say the full names of their classes in .NET with the key `net`");
    }
}

fn narrowed(method: &Method) -> String {
    narrow(&method.name.key, method.bindings, Bindings::SCRIPT)
}

/// An operation that is offered over JSON.
#[derive(Clone, Copy)]
struct Called<'m> {
    model: &'m Model,
    method: &'m Method,
    key: &'m Located<String>,
    body: &'m OperationDefinition,
}

impl<'m> Called<'m> {
    fn check(self, sink: &mut Sink) {
        let parameters = &self.method.request.elements;
        let keys = self.body.parameters.keys();
        let is_get = self.method.script.use_http_get;
        for (parameter, key) in parameters.iter().zip(keys) {
            self.check_part(parameter, key.node, sink);
            let secret = find(self.model, parameter, |one| one.secret);
            if let Some(Found { path, .. }) = secret.filter(|_| is_get) {
                let message = format!("over JSON the secret `{path}` is part of the URL");
                sink.add(Rule::SecretInScriptUrl, key.node, message)
                    .hint("leave `use_http_get` out, if callers can be changed, or the parameter");
            }
        }
        self.check_names(sink);
        self.check_result(sink);
    }

    /// Refuses parameters that have the same name for their callers.
    fn check_names(self, sink: &mut Sink) {
        let parameters = self.method.request.elements.iter();
        let mut seen: HashMap<String, NodeId> = HashMap::new();
        for (parameter, key) in parameters.zip(self.body.parameters.keys()) {
            let name = parameter.field_name();
            let (read_as, why) = if self.method.script.use_http_get {
                (name.to_lowercase(), "the same in other letter case")
            } else {
                (name.to_owned(), "the other one")
            };
            if let Some(first) = seen.insert(read_as, key.node) {
                let message = format!("over JSON `{name}` is the name of two parameters");
                sink.add(Rule::XmlNameClash, key.node, message)
                    .other(first, why)
                    .hint(narrowed(self.method));
            }
        }
    }

    fn check_result(self, sink: &mut Sink) {
        let (method, body) = (self.method, self.body);
        let returned = method.returned.as_ref().map(|returned| returned.index);
        let mut others = body.results.keys().enumerate();
        if let Some((_, other)) = others.find(|(index, _)| returned != Some(*index)) {
            let message = format!("`{other}` cannot be answered over JSON, which has one result");
            let hint = match body.results.0.len() {
                1 => format!("`result_element: {other}` says that it is the return value"),
                _ => narrowed(method),
            };
            sink.add(Rule::Script, other.node, message).hint(hint);
        }
        let format = method.script.response_format;
        if format != ResponseFormat::Json {
            let node = body.script_method.as_ref().map(|keys| keys.node);
            let node = node.unwrap_or(self.key.node);
            if method.result_elements().next().is_none() {
                let message = format!("`{}` has no result to be answered in XML", self.key);
                sink.add(Rule::KeyDoesNotFit, node, message)
                    .hint("leave `response_format` out, or name the `result`");
            }
            return;
        }
        let node = body.result.as_ref().map(|shape| shape.node);
        let node = node.or_else(|| Some(body.results.keys().next()?.node));
        for result in method.result_elements() {
            self.check_part(result, node.unwrap_or(self.key.node), sink);
        }
    }

    /// Refuses a parameter or a result with a value that JSON cannot carry.
    fn check_part(self, part: &'m Element, node: NodeId, sink: &mut Sink) {
        let mut why = None;
        let found = find(self.model, part, |element| {
            why = obstacle(self.model, element);
            why.is_some()
        });
        if let (Some(Found { path, .. }), Some(why)) = (found, why) {
            let message = format!("`{path}` cannot be sent over JSON: it {why}");
            sink.add(Rule::Script, node, message)
                .hint(narrowed(self.method));
        }
        let found = find(self.model, part, |element| element.field_name() == TYPE);
        if let Some(Found { path, .. }) = found {
            let message = format!("`{path}` would say the type of its object in JSON");
            sink.add(Rule::ScriptName, node, message)
                .hint("no member in .NET has this name there: say its own with `net`");
        }
        if let Some((path, name)) = self.same_members(part) {
            let message = format!("`{path}` has two members `{name}` in JSON");
            sink.add(Rule::XmlNameClash, node, message)
                .hint("an element that .NET keeps as a value and may be left out has a second member, `…Specified`; `net` says the names in .NET");
        }
    }

    /// The path to the first object with two members that have the same name in .NET, and that
    /// name.
    fn same_members(self, part: &'m Element) -> Option<(String, String)> {
        let mut walk = Walk::of(self.model, part);
        while let Some((at, complex)) = walk.next() {
            let mut names = HashSet::new();
            for field in self.model.complex_types[complex.0].fields() {
                let name = field.field_name();
                let is_told = self.model.is_by_value(&field.type_ref)
                    && matches!(field.absence, Absence::Omitted | Absence::Either);
                let specified = is_told.then(|| format!("{name}Specified"));
                for name in [Some(name.to_owned()), specified].into_iter().flatten() {
                    if !names.insert(name.clone()) {
                        return Some((walk.path(at), name));
                    }
                }
                walk.open(self.model, &field.type_ref, Some(at), &field.name.key);
            }
        }
        None
    }
}

/// Refuses dictionaries in XML and forms.
pub(super) fn check_dictionaries(model: &Model, definition: &Definition, sink: &mut Sink) {
    let checks = Dictionaries { model, definition };
    let mut headers = HashSet::new();
    for method in model.operations() {
        let Some((key, body)) = definition.operations.get(&method.name.key) else {
            continue;
        };
        let is_in_xml = !method.bindings.without(Bindings::SCRIPT).is_empty();
        if is_in_xml {
            let hint = format!(
                "offer `{key}` over JSON alone: `bindings: [json]`, here or of the service"
            );
            let shapes = body.parameters.0.iter().map(|(_, shape)| shape);
            for (parameter, shape) in method.request.elements.iter().zip(shapes) {
                checks.refuse(parameter, shape, &hint, sink);
            }
            let shapes = body.results.0.iter().map(|(_, shape)| shape);
            for (result, shape) in method
                .result_elements()
                .zip(body.result.iter().chain(shapes))
            {
                checks.refuse(result, shape, &hint, sink);
            }
        } else if method.script.response_format == ResponseFormat::Xml {
            let hint = "leave `response_format: xml` out";
            for (result, shape) in method.result_elements().zip(&body.result) {
                checks.refuse(result, shape, hint, sink);
            }
        }
        let lists = method.header_lists().into_iter().flatten();
        for header in lists.flat_map(|list| &list.complex_type.elements) {
            let shape = definition.headers.get(&header.name.key);
            if let Some((_, shape)) = shape.filter(|_| headers.insert(&header.name.key)) {
                checks.refuse(header, shape, "SOAP headers are XML", sink);
            }
        }
    }
    for fault in model.service.iter().flat_map(|service| &service.faults) {
        if let Some((_, shape)) = definition.faults.get(&fault.name) {
            checks.refuse(&fault.detail, shape, "details of faults are XML", sink);
        }
    }
}

/// The search for dictionaries in the parts of messages.
struct Dictionaries<'m> {
    model: &'m Model,
    definition: &'m Definition,
}

impl Dictionaries<'_> {
    fn refuse<K: Clone>(
        &self,
        part: &Element,
        shape: &Located<Shape<K>>,
        hint: &str,
        sink: &mut Sink,
    ) where
        ElementKeys: From<K>,
    {
        let is_one = |element: &Element| matches!(element.type_ref, TypeRef::Dictionary(_));
        let Some(found) = find(self.model, part, is_one) else {
            return;
        };
        let node = self.node_of(&found).unwrap_or_else(|| node_of_type(shape));
        let message = format!(
            "`{}` is a dictionary, which `XmlSerializer` of .NET refuses",
            found.path
        );
        sink.add(Rule::Dictionary, node, message).hint(hint);
    }

    /// The node in this file of the type of a member.
    fn node_of(&self, found: &Found<'_>) -> Option<NodeId> {
        let id = found
            .holder
            .filter(|id| self.model.complex_types[id.0].included.is_none())?;
        let (_, body) = self.definition.types.0.get(id.0)?;
        let (_, shape) = body.elements.get(&found.element.name.key)?;
        Some(node_of_type(shape))
    }
}

fn node_of_type<K: Clone>(shape: &Located<Shape<K>>) -> NodeId
where
    ElementKeys: From<K>,
{
    shape
        .keys()
        .r#type
        .map_or(shape.node, |written| written.node)
}

/// An element in a part of a message.
struct Found<'m> {
    /// The names on the path to it, separated by dots.
    path: String,
    /// The type that it is a member of, unless it is the part itself.
    holder: Option<ComplexTypeId>,
    element: &'m Element,
}

/// The first element in a part for which `is` returns true, the part itself first.
fn find<'m>(
    model: &'m Model,
    part: &'m Element,
    mut is: impl FnMut(&Element) -> bool,
) -> Option<Found<'m>> {
    if let Some(element) = with_alternatives(model, part).find(|element| is(element)) {
        return Some(Found {
            path: part.name.key.clone(),
            holder: None,
            element,
        });
    }
    let mut walk = Walk::of(model, part);
    while let Some((at, complex)) = walk.next() {
        let fields = model.complex_types[complex.0].fields();
        for element in fields.flat_map(|field| with_alternatives(model, field)) {
            if is(element) {
                return Some(Found {
                    path: format!("{}.{}", walk.path(at), element.name.key),
                    holder: Some(complex),
                    element,
                });
            }
            walk.open(model, &element.type_ref, Some(at), &element.name.key);
        }
    }
    None
}

/// An element, and the elements of its choice or sequence if it is one.
fn with_alternatives<'m>(
    model: &'m Model,
    element: &'m Element,
) -> impl Iterator<Item = &'m Element> {
    let group = element.type_ref.group();
    let within = group.map(|_| model.on_wire(element));
    once(element).chain(within.into_iter().flatten())
}

/// A walk through the objects that a part can hold, each type once, which records the path to each.
struct Walk<'m> {
    seen: HashSet<ComplexTypeId>,
    /// The types with the step to each: the index of its holder in this list, and the name of the
    /// member.
    steps: Vec<(ComplexTypeId, Option<usize>, &'m str)>,
    next: usize,
}

impl<'m> Walk<'m> {
    fn of(model: &'m Model, part: &'m Element) -> Self {
        let mut walk = Self {
            seen: HashSet::new(),
            steps: Vec::new(),
            next: 0,
        };
        for element in with_alternatives(model, part) {
            walk.open(model, &element.type_ref, None, &element.name.key);
        }
        walk
    }

    fn next(&mut self) -> Option<(usize, ComplexTypeId)> {
        let at = self.next;
        let (complex, ..) = self.steps.get(at)?;
        self.next += 1;
        Some((at, *complex))
    }

    /// Adds the objects of a type, including those of types that extend it. The content of an
    /// `anyType` is known only at run time.
    fn open(&mut self, model: &Model, type_ref: &TypeRef, from: Option<usize>, name: &'m str) {
        let TypeRef::Complex(id) = type_ref.innermost() else {
            return;
        };
        let family = model.complex_types[id.0].family.iter();
        let members = family.flat_map(|family| &family.members);
        let members = members.map(|member| member.complex_type);
        for id in [*id].into_iter().chain(members) {
            if self.seen.insert(id) {
                self.steps.push((id, from, name));
            }
        }
    }

    fn path(&self, at: usize) -> String {
        let mut names = Vec::new();
        let mut at = Some(at);
        while let Some((_, from, name)) = at.and_then(|at| self.steps.get(at)) {
            names.push(*name);
            at = *from;
        }
        names.reverse();
        names.join(".")
    }
}

/// The reason why JSON cannot carry an element, if it cannot.
fn obstacle(model: &Model, element: &Element) -> Option<&'static str> {
    if element.wildcard.is_some() {
        return Some("is a wildcard");
    }
    if let Some(GroupId(id)) = element.type_ref.group() {
        return Some(match model.groups[id].kind {
            GroupKind::Choice => "is a choice",
            GroupKind::Sequence => "is a sequence",
        });
    }
    match element.type_ref.innermost().simple()? {
        SimpleType::AnyType => None,
        SimpleType::QName => Some("is a name with a prefix"),
        simple if simple.is_data_set() => Some("is a set of tables"),
        simple => simple.is_xml().then_some("is XML"),
    }
}
