//! Complex types and enumerations.

use super::{Lower, is_true};
use crate::definition::{
    EnumKeys, Located, NameOrMap, NodeId, SimpleKeys, TypeDefinition, TypeOrMap, ValueKeys,
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
            let message = format!("`{name}` is a simple type of XML Schema");
            self.error(Rule::XmlNameClash, key.node, message)
                .hint("give the type another name");
        } else if let Some((first, _)) = self.types.get(name) {
            let first = *first;
            let message = format!("two types are called `{name}`");
            self.error(Rule::XmlNameClash, key.node, message)
                .other(first, "first here");
        } else {
            self.types.insert(name, (key.node, type_ref));
        }
    }

    /// The name of a type that is emitted as an item.
    fn item_name(
        &mut self,
        key: &Located<String>,
        asked: Option<&Located<String>>,
        what: &str,
    ) -> Option<Name> {
        let name = self.name(key, asked, Case::Type)?;
        self.claim_item(&name.rust, key.node, format!("the {what} `{key}`"));
        Some(name)
    }

    /// The complex types by their numbers; `None` where one is wrong.
    pub(super) fn complex_types(&mut self) -> Vec<Option<ComplexType>> {
        let definition = self.definition;
        let types = definition.types.0.iter();
        types
            .map(|(key, body)| self.complex_type(key, body))
            .collect()
    }

    fn complex_type(
        &mut self,
        key: &Located<String>,
        body: &TypeDefinition,
    ) -> Option<ComplexType> {
        let name = self.item_name(key, body.rust.as_ref(), "type");
        let rust_type = self.extern_path(key, body.rust_type.as_ref());
        let owner = name.as_ref().map(|name| name.rust.as_str());
        let elements = self.elements(&body.elements, &format!("elements of `{key}`"), owner);
        let attributes = self.attributes(key, body);
        let text = body.text.as_ref().map(|text| self.text(key, body, text));
        Some(ComplexType {
            rust_type,
            documentation: body.doc.clone(),
            attributes: attributes?,
            text: text.map_or(Some(None), |text| text.map(Some))?,
            is_abstract: is_true(&body.r#abstract),
            ..ComplexType::new(name?, elements?)
        })
    }

    fn attributes(&mut self, key: &Located<String>, body: &TypeDefinition) -> Option<Vec<Element>> {
        let lowered = body.attributes.0.iter().map(|(key, shape)| {
            let name = self.name(key, shape.keys().rust.as_ref(), Case::Value);
            (self.simple_element(name, shape, "an attribute"), key.node)
        });
        let lowered = lowered.collect();
        self.members(lowered, &format!("attributes of `{key}`"), |element| {
            &element.name
        })
    }

    fn text(
        &mut self,
        key: &Located<String>,
        body: &TypeDefinition,
        shape: &Located<TypeOrMap<SimpleKeys>>,
    ) -> Option<Element> {
        if !body.elements.0.is_empty() {
            self.misfit(shape.node, format!("`{key}` has text and elements"))
                .hint("beside text there is place for attributes only");
        }
        let rust = match &shape.keys().rust {
            Some(asked) => self.asked_rust_name(asked, Case::Value),
            None => Some("value".to_owned()),
        };
        let name = rust.map(|rust| Name {
            xml: "text".to_owned(),
            rust,
        });
        let element = self.simple_element(name, shape, "text")?;
        if element.absence != Absence::Required {
            self.misfit(shape.node, "text is always there")
                .hint("write its type without `?`; no text is empty text");
        }
        Some(element)
    }

    /// The enumerations by their numbers; `None` where one is wrong.
    pub(super) fn enumerations(&mut self) -> Vec<Option<Enumeration>> {
        let definition = self.definition;
        let enumerations = definition.enums.0.iter();
        enumerations
            .map(|(key, body)| self.enumeration(key, &body.0))
            .collect()
    }

    fn enumeration(&mut self, key: &Located<String>, body: &EnumKeys) -> Option<Enumeration> {
        let name = self.item_name(key, body.rust.as_ref(), "enumeration");
        let rust_type = self.extern_path(key, body.rust_type.as_ref());
        if body.values.is_empty() {
            let message = format!("the enumeration `{key}` has no values");
            self.error(Rule::Empty, key.node.value(), message)
                .hint("write them as a list: `[None, InvalidUsername]`");
        }
        let values: Vec<_> = body.values.iter().map(|value| self.value(value)).collect();
        let is_open = is_true(&body.open) || self.options.is_open_enum(&key.value);
        if is_open {
            self.check_other(&values);
        }
        let values = self.members(values, &format!("values of `{key}`"), |value| &value.name);
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
    fn check_other(&mut self, values: &[(Option<EnumerationValue>, NodeId)]) {
        for (value, node) in values {
            if value
                .as_ref()
                .is_some_and(|value| value.name.rust == "Other")
            {
                let message =
                    "an open enumeration has a variant `Other` for names that it does not know";
                self.error(Rule::RustNameClash, *node, message)
                    .hint("give the value another name with the key `rust`");
            }
        }
    }

    fn value(&mut self, value: &Located<NameOrMap>) -> (Option<EnumerationValue>, NodeId) {
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
                    self.error(Rule::WrongKind, value.node, message)
                        .hint("start each value with `- ` on a line of its own");
                    return (None, value.node);
                };
                entry.clone()
            }
        };
        let lowered = self.name(&name, keys.rust.as_ref(), Case::Type);
        let lowered = lowered.map(|name| EnumerationValue {
            name,
            documentation: keys.doc,
        });
        (lowered, name.node)
    }
}
