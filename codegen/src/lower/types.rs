//! Complex types and enumerations.

use std::collections::HashMap;

use svcgen_language::definition::{
    Definition, ElementKeys, EnumDefinition, EnumKeys, Located, NameOrMap, NodeId, Shape,
    SimpleKeys, TypeDefinition, ValueKeys,
};
use svcgen_language::naming::Case;
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;
use svcgen_model::is_not_for_values;

use super::context::Pass;
use super::elements::{Owner, extern_path, net};
use super::examples::example;
use super::included::TypeTable;
use super::names::{asked_rust_name, is_true, is_xml_name, members, text_name, wire_name};
use super::script::{class_name, script_name};
use crate::model::{
    Absence, ComplexType, ComplexTypeId, DataSetSchema, Element, Enumeration, EnumerationId,
    EnumerationValue, ListForm, Name, Root, SimpleType, TypeRef, ValueConstraint,
};

/// Numbers all types, so that they can refer to each other in any order.
pub(super) fn declare<'d>(definition: &'d Definition, sink: &mut Sink) -> TypeTable<'d> {
    let types = definition.types.keys().enumerate();
    let types = types.map(|(index, key)| (key, TypeRef::Complex(ComplexTypeId(index))));
    let enums = definition.enums.keys().enumerate();
    let enums = enums.map(|(index, key)| (key, TypeRef::Enumeration(EnumerationId(index))));
    let mut table = TypeTable::new();
    for (key, type_ref) in types.chain(enums) {
        let name = key.value.as_str();
        if SimpleType::of_name(name).is_some() {
            let message = format!("`{name}` is a simple type of XML Schema");
            sink.add(Rule::XmlNameClash, key.node, message)
                .hint("give the type another name");
        } else if let Some((first, _)) = table.get(name) {
            let message = format!("two types are called `{name}`");
            sink.add(Rule::XmlNameClash, key.node, message)
                .other(*first, "first here");
        } else {
            table.insert(name, (key.node, type_ref));
        }
    }
    table
}

/// The name of a type that is emitted as an item.
fn item_name(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    names: [&Option<Located<String>>; 2],
    what: &str,
) -> Option<Name> {
    let name = wire_name(key, names, Case::Type, pass.sink)?;
    let what = format!("the {what} `{key}`");
    pass.claim(&name.rust, key.node, what);
    Some(name)
}

/// Lowers the complex types.
pub(super) fn complex_types(pass: &mut Pass<'_, '_>) -> Vec<Option<ComplexType>> {
    let written = pass.context.definition.types.0.iter();
    let lowered = written.map(|(key, body)| complex_type(pass, key, body));
    lowered.collect()
}

fn complex_type(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    body: &TypeDefinition,
) -> Option<ComplexType> {
    let name = item_name(pass, key, [&body.name, &body.rust], "type");
    let rust_type = extern_path(key, body.rust_type.as_ref(), pass);
    let owner = Owner {
        xml: &key.value,
        rust: name.as_ref().map(|name| name.rust.as_str()),
        is_nested: false,
    };
    let fields = pass.elements(&body.elements, "elements", owner);
    if is_true(&body.unordered) {
        check_unordered(body, fields.as_deref().unwrap_or_default(), pass.sink);
    }
    let attributes = attributes(pass, key, body);
    let text = body.text.as_ref();
    let text = text.map(|written| text_of(pass, key, body, written));
    let data_set = body.data_set.as_ref();
    let data_set = data_set.map(|written| data_set_of(pass, body, written));
    let (data_set, text) = match data_set {
        Some(set) => (Some(set?), Some(Some(set_element()))),
        None => (None, text),
    };
    if let (true, Some(told)) = (is_true(&body.r#abstract), &body.script_type) {
        let message = "no object is of an abstract type, so that none can say it in JSON";
        (pass.sink.add(Rule::KeyDoesNotFit, told.node, message))
            .hint("say `script_type` of the types that extend it");
    }
    let scope = pass.scope_of_type(body.namespace.as_ref());
    let root = body.root.as_ref();
    let root = root.filter(|root| is_xml_name(root, pass.sink));
    let root = root.map(|root| root.value.clone());
    Some(ComplexType {
        rust_type,
        documentation: body.doc.clone(),
        attributes: attributes?,
        text: text.map_or(Some(None), |text| text.map(Some))?,
        data_set,
        is_abstract: is_true(&body.r#abstract),
        root: root.map(|name| Root {
            name,
            namespace: scope.namespace.clone(),
        }),
        scope,
        by_value: is_true(&body.by_value),
        net: class_name(body.net.as_ref(), pass.sink),
        script_type: script_name(body.script_type.as_ref(), pass.sink),
        unordered: is_true(&body.unordered),
        ..ComplexType::new(name?, fields?)
    })
}

/// Refuses elements that XML Schema does not allow in any order (XML Schema 1.0 §3.8.6).
fn check_unordered(body: &TypeDefinition, elements: &[Element], sink: &mut Sink) {
    let hint = "leave out `unordered`: any order is read all the same";
    if let Some(extends) = &body.extends {
        let message = "a type whose elements are in any order extends no other";
        (sink.add(Rule::Unordered, extends.node, message)).hint(hint);
    }
    for (element, key) in elements.iter().zip(body.elements.keys()) {
        let what = match &element.type_ref {
            TypeRef::Group(_) => "a choice or a sequence",
            TypeRef::List(list) if list.form == ListForm::Unwrapped => "repeated",
            _ if !element.is_named() => "a wildcard",
            _ => continue,
        };
        let message =
            format!("`{key}` is {what}, and elements in any order are there once at most");
        sink.add(Rule::Unordered, key.node, message).hint(hint);
    }
}

fn attributes(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    body: &TypeDefinition,
) -> Option<Vec<Element>> {
    let lowered = body.attributes.0.iter().map(|(key, shape)| {
        let keys = shape.keys();
        let name = wire_name(key, [&keys.name, &keys.rust], Case::Value, pass.sink);
        let lowered = match &keys.any {
            Some(any) => name.and_then(|name| pass.any_attributes(name, any, &keys)),
            None => pass.simple_element(name, shape.node, &keys, "an attribute"),
        };
        (lowered, key.node)
    });
    let lowered = lowered.collect();
    let whose = format!("attributes of `{key}`");
    members(lowered, &whose, |element| &element.name, pass.sink)
}

fn text_of(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    body: &TypeDefinition,
    shape: &Located<Shape<SimpleKeys>>,
) -> Option<Element> {
    if !body.elements.0.is_empty() {
        let message = format!("`{key}` has text and elements");
        (pass.sink.add(Rule::KeyDoesNotFit, shape.node, message))
            .hint("beside text there is place for attributes only");
    }
    let rust = match &shape.keys().rust {
        Some(asked) => asked_rust_name(asked, Case::Value, pass.sink),
        None => Some("value".to_owned()),
    };
    let name = rust.map(|rust| Name::new("text", rust));
    let hint = Some("put it under `attributes` or `elements`");
    pass.refuse_keys(&shape.keys(), &["any"], "does not fit text", hint);
    let hint = Some("no schema says it of text; `default` is what text is that is not there");
    pass.refuse_keys(&shape.keys(), &["fixed"], "does not fit text", hint);
    let keys = shape.keys();
    let of_any = |written: &Located<String>| written.value.trim_end_matches('?') == "any";
    let mut element = if keys.r#type.as_ref().is_some_and(of_any) {
        let typed = ElementKeys {
            min: None,
            max: None,
            namespaces: None,
            ..keys.clone()
        };
        let element = pass.simple_element(name, shape.node, &typed, "text")?;
        pass.limit_text(element, &keys)
    } else {
        pass.simple_element(name, shape.node, &keys, "text")?
    };
    element.constraint = match element.constraint {
        Some(ValueConstraint::Default(text)) => Some(ValueConstraint::Initial(text)),
        _ => None,
    };
    Some(element)
}

/// The schema of a set of tables, which is the only content of the type.
fn data_set_of(
    pass: &mut Pass<'_, '_>,
    body: &TypeDefinition,
    written: &Located<String>,
) -> Option<DataSetSchema> {
    let others = [
        ("extends", body.extends.is_some()),
        ("restricts", body.restricts.is_some()),
        ("abstract", body.r#abstract.is_some()),
        ("by_value", body.by_value.is_some()),
        ("attributes", !body.attributes.0.is_empty()),
        ("text", body.text.is_some()),
        ("elements", !body.elements.0.is_empty()),
    ];
    let others = others.into_iter().filter(|(_, is_there)| *is_there);
    let others: Vec<_> = others.map(|(key, _)| format!("`{key}`")).collect();
    if !others.is_empty() {
        let message = format!("a set of tables has no {}", others.join(", "));
        (pass.sink.add(Rule::KeyDoesNotFit, written.node, message)).hint(
            "its tables are those of the schema; put it beside other elements in a type of its own",
        );
    }
    let (_, schema) = pass.context.data_sets.get(&written.value)?;
    Some(schema.clone())
}

/// The content of a set of tables.
fn set_element() -> Element {
    let name = Name::new("text", "value");
    let tables = TypeRef::Simple(SimpleType::DataSet);
    Element::new(name, tables, Absence::Required)
}

/// Lowers the enumerations.
pub(super) fn enumerations(pass: &mut Pass<'_, '_>) -> Vec<Option<Enumeration>> {
    let written = pass.context.definition.enums.0.iter();
    let lowered = written.map(|(key, body)| enumeration(pass, key, body));
    lowered.collect()
}

fn enumeration(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    EnumDefinition(body): &EnumDefinition,
) -> Option<Enumeration> {
    let name = item_name(pass, key, [&body.name, &body.rust], "enumeration");
    let rust_type = extern_path(key, body.rust_type.as_ref(), pass);
    if body.values.is_empty() {
        let message = format!("the enumeration `{key}` has no values");
        pass.sink
            .add(Rule::Empty, key.node.value(), message)
            .hint("write them as a list: `[None, InvalidUsername]`");
    }
    let is_flags = is_true(&body.flags);
    let case = if is_flags { Case::Constant } else { Case::Type };
    let values = body.values.iter();
    let base = base(body, pass.sink);
    let values: Vec<_> = values
        .map(|written| value(written, base, case, pass.sink))
        .collect();
    check_texts(key, &values, pass.sink);
    let is_open = is_true(&body.open) || pass.context.options.open_enums.matches(&key.value);
    let is_open = is_open && !is_flags;
    if is_flags {
        check_flags(body, &values, pass.sink);
    }
    if is_open {
        check_other(&values, pass.sink);
    }
    let whose = format!("values of `{key}`");
    let values = members(values, &whose, |value| &value.name, pass.sink);
    Some(Enumeration {
        name: name?,
        namespace: pass.scope_of_type(body.namespace.as_ref()).namespace,
        included: None,
        rust_type,
        documentation: body.doc.clone(),
        net: class_name(body.net.as_ref(), pass.sink),
        script_type: is_true(&body.script_type),
        base,
        is_open,
        is_flags,
        values: values?,
    })
}

/// The simple type of the values' texts.
fn base(body: &EnumKeys, sink: &mut Sink) -> SimpleType {
    let Some(written) = &body.base else {
        return SimpleType::String;
    };
    let base = SimpleType::of_name(&written.value).filter(|simple| simple.has_texts());
    if base.is_none() {
        let message = format!("`{written}` cannot be the base of an enumeration");
        (sink.add(Rule::KeyDoesNotFit, written.node, message))
            .hint("a base is a simple type whose values are texts, such as `int` or `token`");
    } else if is_true(&body.flags) {
        let message = "flags are names: they have no other base";
        sink.add(Rule::KeyDoesNotFit, written.node, message);
    }
    base.unwrap_or(SimpleType::String)
}

/// Refuses values with the name of the variant for unknown names.
fn check_other(values: &[(Option<EnumerationValue>, NodeId)], sink: &mut Sink) {
    let is_other = |value: &EnumerationValue| value.name.rust == "Other";
    for (_, node) in (values.iter()).filter(|(value, _)| value.as_ref().is_some_and(is_other)) {
        let message = "an open enumeration has a variant `Other` for names that it does not know";
        sink.add(Rule::RustNameClash, *node, message)
            .hint("give the value another name with the key `rust`");
    }
}

/// Refuses values with the same text on the wire, or the same name in forms.
fn check_texts(
    key: &Located<String>,
    values: &[(Option<EnumerationValue>, NodeId)],
    sink: &mut Sink,
) {
    let texts = [("", false), (" in .NET", true)];
    for (place, in_net) in texts {
        let mut seen: HashMap<&str, NodeId> = HashMap::new();
        for (value, node) in values {
            let Some(value) = value else { continue };
            let text = if in_net {
                value.field_name()
            } else {
                &value.name.xml
            };
            if let Some(first) = seen.insert(text, *node) {
                let message = format!("two values of `{key}` are called `{text}`{place}");
                sink.add(Rule::XmlNameClash, *node, message)
                    .other(first, "the other one");
            }
        }
    }
}

/// Checks the requirements for sets of values: names in a list, and a number for each.
fn check_flags(body: &EnumKeys, values: &[(Option<EnumerationValue>, NodeId)], sink: &mut Sink) {
    if let Some(open) = body.open.as_ref().filter(|open| open.value) {
        let message = "flags cannot be open: an unknown name has no number";
        sink.add(Rule::KeyDoesNotFit, open.node, message)
            .hint("leave out `open` or `flags`");
    }
    for (value, node) in values {
        let Some(value) = value else { continue };
        let texts = [&*value.name.xml, value.field_name()];
        let divides = |c: char| c.is_whitespace() || c == ',';
        if texts
            .iter()
            .any(|text| text.is_empty() || text.contains(divides))
        {
            let message =
                "a flag has a name without blanks and commas, which divide the names of a set";
            sink.add(Rule::XmlName, *node, message)
                .hint("give it the name that stands on the wire");
        }
    }
    let given = values.iter().map(|(value, _)| value.as_ref()?.number);
    let mut numbers = svcgen_model::numbers(true, given).zip(values).skip(1);
    if let Some((_, (_, node))) = numbers.find(|(number, (value, _))| {
        *number == 0 && value.as_ref().is_some_and(|value| value.number.is_none())
    }) {
        let message = "there is no bit left for this value: flags have 64";
        sink.add(Rule::KeyDoesNotFit, *node, message)
            .hint("give it a `number`");
    }
}

fn value(
    value: &Located<NameOrMap>,
    base: SimpleType,
    case: Case,
    sink: &mut Sink,
) -> (Option<EnumerationValue>, NodeId) {
    let (name, keys) = match &value.value {
        NameOrMap::Name(name) => {
            let name = Located {
                value: name.clone(),
                node: value.node,
            };
            (name, ValueKeys::default())
        }
        NameOrMap::Map(entries) => {
            let [entry] = entries.0.as_slice() else {
                let message = "a value is a text, or a map from one text";
                sink.add(Rule::WrongKind, value.node, message)
                    .hint("start each value with `- ` on a line of its own");
                return (None, value.node);
            };
            entry.clone()
        }
    };
    if name.value.contains(is_not_for_values) {
        let message = "the value holds a character that is not in one line of XML";
        sink.add(Rule::XmlName, name.node, message)
            .hint("a value is any text without line ends and other control characters");
        return (None, name.node);
    }
    if !base.is_value(&name.value) {
        let message = format!("`{name}` is not a value of `{}`", base.name());
        (sink.add(Rule::ValueText, name.node, message)).hint(format!("it is {}", example(base)));
        return (None, name.node);
    }
    let lowered = match (&keys.rust, base.is_text()) {
        (None, false) => named_by_number(&name, case, sink),
        (asked, _) => text_name(&name, asked.as_ref(), case, sink),
    };
    let lowered = lowered.map(|name| EnumerationValue {
        name,
        net: net(keys.net.as_ref(), sink),
        number: keys.number.map(|number| number.value),
        documentation: keys.doc,
    });
    (lowered, name.node)
}

/// The names of a value that is not text: `1` is `Value1`, `-1` is `ValueMinus1`.
fn named_by_number(text: &Located<String>, case: Case, sink: &mut Sink) -> Option<Name> {
    let words = Located {
        value: format!("Value{}", text.value.replace('-', "Minus")),
        node: text.node,
    };
    let name = text_name(&words, None, case, sink)?;
    Some(Name::new(&text.value, name.rust))
}
