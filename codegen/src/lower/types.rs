//! Complex types and enumerations.

use super::context::Pass;
use super::elements::{Owner, extern_path};
use super::included::TypeTable;
use super::names::{self, asked_rust_name, is_true, members, name};
use crate::definition::{
    Definition, EnumDefinition, Located, NameOrMap, NodeId, Shape, SimpleKeys, TypeDefinition,
    ValueKeys,
};
use crate::model::{
    Absence, ComplexType, ComplexTypeId, Element, Enumeration, EnumerationId, EnumerationValue,
    Name, SimpleType, TypeRef,
};
use crate::naming::Case;
use crate::rules::Rule;
use crate::sink::Sink;

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
    asked: Option<&Located<String>>,
    what: &str,
) -> Option<Name> {
    let name = name(key, asked, Case::Type, pass.sink)?;
    let what = format!("the {what} `{key}`");
    pass.claim(&name.rust, key.node, what);
    Some(name)
}

/// Lowers a complex type.
pub(super) fn complex_type(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    body: &TypeDefinition,
) -> Option<ComplexType> {
    let name = item_name(pass, key, body.rust.as_ref(), "type");
    let rust_type = extern_path(key, body.rust_type.as_ref(), pass);
    let owner = Owner {
        xml: &key.value,
        rust: name.as_ref().map(|name| name.rust.as_str()),
    };
    let fields = pass.elements(&body.elements, "elements", owner);
    let attributes = attributes(pass, key, body);
    let text = body.text.as_ref();
    let text = text.map(|written| text_of(pass, key, body, written));
    Some(ComplexType {
        rust_type,
        documentation: body.doc.clone(),
        attributes: attributes?,
        text: text.map_or(Some(None), |text| text.map(Some))?,
        is_abstract: is_true(&body.r#abstract),
        ..ComplexType::new(name?, fields?)
    })
}

fn attributes(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    body: &TypeDefinition,
) -> Option<Vec<Element>> {
    let lowered = body.attributes.0.iter().map(|(key, shape)| {
        let name = name(key, shape.keys().rust.as_ref(), Case::Value, pass.sink);
        (pass.simple_element(name, shape, "an attribute"), key.node)
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
    let name = rust.map(|rust| Name {
        xml: "text".to_owned(),
        rust,
    });
    let element = pass.simple_element(name, shape, "text")?;
    if element.absence != Absence::Required {
        pass.sink
            .add(Rule::KeyDoesNotFit, shape.node, "text is always there")
            .hint("write its type without `?`; no text is empty text");
    }
    Some(element)
}

/// Lowers an enumeration.
pub(super) fn enumeration(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    EnumDefinition(body): &EnumDefinition,
) -> Option<Enumeration> {
    let name = item_name(pass, key, body.rust.as_ref(), "enumeration");
    let rust_type = extern_path(key, body.rust_type.as_ref(), pass);
    if body.values.is_empty() {
        let message = format!("the enumeration `{key}` has no values");
        pass.sink
            .add(Rule::Empty, key.node.value(), message)
            .hint("write them as a list: `[None, InvalidUsername]`");
    }
    let values = body.values.iter();
    let values: Vec<_> = values.map(|written| value(written, pass.sink)).collect();
    let is_open = is_true(&body.open) || pass.context.options.open_enums.matches(&key.value);
    if is_open {
        check_other(&values, pass.sink);
    }
    let whose = format!("values of `{key}`");
    let values = members(values, &whose, |value| &value.name, pass.sink);
    Some(Enumeration {
        name: name?,
        namespace: None,
        included: None,
        rust_type,
        documentation: body.doc.clone(),
        is_open,
        values: values?,
    })
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

fn value(value: &Located<NameOrMap>, sink: &mut Sink) -> (Option<EnumerationValue>, NodeId) {
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
                let message = "a value is a name, or a map from one name";
                sink.add(Rule::WrongKind, value.node, message)
                    .hint("start each value with `- ` on a line of its own");
                return (None, value.node);
            };
            entry.clone()
        }
    };
    let lowered = names::name(&name, keys.rust.as_ref(), Case::Type, sink);
    let lowered = lowered.map(|name| EnumerationValue {
        name,
        documentation: keys.doc,
    });
    (lowered, name.node)
}
