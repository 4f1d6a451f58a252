//! Complex types and enumerations.

use super::Lower;
use crate::definition::{
    Located, NameOrMap, NodeId, SimpleKeys, TypeDefinition, TypeOrMap, ValueKeys,
};
use crate::model::{
    Absence, ComplexType, ComplexTypeId, Element, Enumeration, EnumerationId, EnumerationValue,
    Name, SimpleType, TypeRef,
};
use crate::naming::Case;
use crate::rules::Rule;

impl<'d> Lower<'d> {
    /// Gives every type its number, so that types can speak of each other in any order.
    pub(super) fn declare_types(&mut self) {
        let definition = self.definition;
        for (index, (key, _)) in definition.types.0.iter().enumerate() {
            self.declare(key, TypeRef::Complex(ComplexTypeId(index)));
        }
        for (index, (key, _)) in definition.enums.0.iter().enumerate() {
            self.declare(key, TypeRef::Enumeration(EnumerationId(index)));
        }
    }

    fn declare(&mut self, key: &'d Located<String>, type_ref: TypeRef) {
        let name = key.value.as_str();
        if SimpleType::of_name(name).is_some() {
            self.error(
                Rule::XmlNameClash,
                key.node,
                format!("`{name}` is a simple type of XML Schema"),
            )
            .hint("give the type another name");
        } else if let Some((first, _)) = self.types.get(name) {
            let first = *first;
            self.error(
                Rule::XmlNameClash,
                key.node,
                format!("two types are called `{name}`"),
            )
            .other(first, "first here");
        } else {
            self.types.insert(name, (key.node, type_ref));
        }
    }

    /// The complex types by their numbers; `None` where one is wrong.
    pub(super) fn complex_types(&mut self) -> Vec<Option<ComplexType>> {
        let definition = self.definition;
        let lower_one = |(key, body): &'d (Located<String>, _)| {
            let body: &TypeDefinition = body;
            let name = self.name(key, body.rust.as_ref(), Case::Type);
            if let Some(name) = &name {
                self.claim_item(&name.rust, key.node, format!("the type `{}`", name.xml));
            }
            let rust_type = self.extern_path(key, body.rust_type.as_ref());
            let members = format!("elements of `{}`", key.value);
            let owner = name.as_ref().map(|name| name.rust.as_str());
            let elements = self.elements(&body.elements, &members, owner);
            let attributes = self.attributes(key, body);
            let text = body.text.as_ref().map(|text| self.text(key, body, text));
            let elements = elements?.into_iter().map(|(element, _)| element).collect();
            Some(ComplexType {
                rust_type,
                documentation: body.doc.clone(),
                attributes: attributes?,
                text: match text {
                    Some(text) => Some(text?),
                    None => None,
                },
                is_abstract: body.r#abstract.as_ref().is_some_and(|given| given.value),
                ..ComplexType::new(name?, elements)
            })
        };
        definition.types.0.iter().map(lower_one).collect()
    }

    fn attributes(&mut self, key: &Located<String>, body: &TypeDefinition) -> Option<Vec<Element>> {
        let lowered: Vec<_> = body
            .attributes
            .0
            .iter()
            .map(|(key, shape)| {
                let asked = shape.keys().rust;
                let name = self.name(key, asked.as_ref(), Case::Value);
                let element = self.simple_element(name, shape, "an attribute");
                (element, key.node)
            })
            .collect();
        let named = lowered
            .iter()
            .filter_map(|(element, node)| Some((&element.as_ref()?.name, *node)))
            .collect::<Vec<_>>();
        self.check_distinct(named, &format!("attributes of `{}`", key.value));
        lowered.into_iter().map(|(element, _)| element).collect()
    }

    fn text(
        &mut self,
        key: &Located<String>,
        body: &TypeDefinition,
        shape: &Located<TypeOrMap<SimpleKeys>>,
    ) -> Option<Element> {
        if !body.elements.0.is_empty() {
            let message = format!("`{}` has text and elements", key.value);
            self.error(Rule::KeyDoesNotFit, shape.node, message)
                .hint("beside text there is place for attributes only");
        }
        let asked = shape.keys().rust;
        let name = match &asked {
            Some(asked) => self.asked_rust_name(asked, Case::Value),
            None => Some("value".to_owned()),
        };
        let name = name.map(|rust| Name {
            xml: "text".to_owned(),
            rust,
        });
        let element = self.simple_element(name, shape, "text")?;
        if element.absence != Absence::Required {
            self.error(Rule::KeyDoesNotFit, shape.node, "text is always there")
                .hint("write its type without `?`; no text is empty text");
        }
        Some(element)
    }

    /// The enumerations by their numbers; `None` where one is wrong.
    pub(super) fn enumerations(&mut self) -> Vec<Option<Enumeration>> {
        let definition = self.definition;
        definition
            .enums
            .0
            .iter()
            .map(|(key, body)| self.enumeration(key, &body.0))
            .collect()
    }

    fn enumeration(
        &mut self,
        key: &Located<String>,
        body: &crate::definition::EnumKeys,
    ) -> Option<Enumeration> {
        let name = self.name(key, body.rust.as_ref(), Case::Type);
        if let Some(name) = &name {
            self.claim_item(
                &name.rust,
                key.node,
                format!("the enumeration `{}`", name.xml),
            );
        }
        let rust_type = self.extern_path(key, body.rust_type.as_ref());
        if body.values.is_empty() {
            let message = format!("the enumeration `{}` has no values", key.value);
            self.error(Rule::Empty, key.node.value(), message)
                .hint("write them as a list: `[None, InvalidUsername]`");
        }
        let values: Vec<_> = body.values.iter().map(|value| self.value(value)).collect();
        let named = values
            .iter()
            .flatten()
            .map(|(value, node)| (&value.name, *node))
            .collect::<Vec<_>>();
        self.check_distinct(named, &format!("values of `{}`", key.value));
        let is_open = body.open.as_ref().is_some_and(|open| open.value)
            || self.options.is_open_enum(&key.value);
        if is_open {
            self.check_other(values.iter().flatten());
        }
        let values = values
            .into_iter()
            .map(|value| Some(value?.0))
            .collect::<Option<_>>();
        Some(Enumeration {
            name: name?,
            included: None,
            rust_type,
            documentation: body.doc.clone(),
            is_open,
            values: values?,
        })
    }

    /// Holds that the variant for other names has its name to itself.
    fn check_other<'v>(&mut self, values: impl Iterator<Item = &'v (EnumerationValue, NodeId)>) {
        for (_, node) in values.filter(|(value, _)| value.name.rust == "Other") {
            let message =
                "an open enumeration has a variant `Other` for names that it does not know";
            self.error(Rule::RustNameClash, *node, message)
                .hint("give the value another name with the key `rust`");
        }
    }

    fn value(&mut self, value: &Located<NameOrMap>) -> Option<(EnumerationValue, NodeId)> {
        let plain = ValueKeys::default();
        let short;
        let (name, keys) = match &value.value {
            NameOrMap::Name(name) => {
                short = Located {
                    value: name.clone(),
                    node: value.node,
                };
                (&short, &plain)
            }
            NameOrMap::Map(entries) => match entries.0.as_slice() {
                [(name, keys)] => (name, keys),
                _ => {
                    self.error(
                        Rule::WrongKind,
                        value.node,
                        "a value is a name, or a map from one name",
                    )
                    .hint("start each value with `- ` on a line of its own");
                    return None;
                }
            },
        };
        let node = name.node;
        let name = self.name(name, keys.rust.as_ref(), Case::Type)?;
        Some((
            EnumerationValue {
                name,
                documentation: keys.doc.clone(),
            },
            node,
        ))
    }
}
