//! Complex types and enumerations.

use super::Lower;
use crate::definition::{Located, NameOrMap, NodeId, ValueKeys};
use crate::diagnostic::Rule;
use crate::model::{
    Absence, ComplexType, ComplexTypeId, Element, Enumeration, EnumerationId, EnumerationValue,
    SIMPLE_TYPES, TypeRef,
};
use crate::naming::Case;

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
        if SIMPLE_TYPES.iter().any(|simple| simple.name == name) {
            self.error(
                Rule::XmlNameClash,
                key.node,
                format!("`{name}` is a simple type of XML Schema"),
            );
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
            let body: &crate::definition::TypeDefinition = body;
            let name = self.name(key, body.rust.as_ref(), Case::Type);
            if let Some(name) = &name {
                self.claim_item(&name.rust, key.node, format!("the type `{}`", name.xml));
            }
            let elements = self.elements(&body.elements, &format!("elements of `{}`", key.value));
            let elements = elements?.into_iter().map(|(element, _)| element).collect();
            Some(ComplexType {
                name: name?,
                documentation: body.doc.clone(),
                elements,
            })
        };
        definition.types.0.iter().map(lower_one).collect()
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
        let values = values
            .into_iter()
            .map(|value| Some(value?.0))
            .collect::<Option<_>>();
        Some(Enumeration {
            name: name?,
            documentation: body.doc.clone(),
            values: values?,
        })
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

    /// Boxes optional elements through which a type holds itself, and refuses types that hold themselves through required ones.
    pub(super) fn break_cycles(&mut self, types: &mut [Option<ComplexType>]) {
        for id in 0..types.len() {
            if reaches(types, id, id, |element| {
                element.absence == Absence::Required
            }) {
                let (key, _) = &self.definition.types.0[id];
                self.error(
                    Rule::InfiniteType,
                    key.node,
                    format!("`{}` holds itself without end", key.value),
                )
                .hint("let one of the elements on the way be absent (`T?`), or be a list (`T[]`)");
            }
        }
        for id in 0..types.len() {
            let in_cycle: Vec<bool> = match &types[id] {
                Some(complex) => complex
                    .elements
                    .iter()
                    .map(|element| leads_back(types, element, id))
                    .collect(),
                None => continue,
            };
            for (element, boxed) in types[id]
                .iter_mut()
                .flat_map(|complex| &mut complex.elements)
                .zip(in_cycle)
            {
                element.boxed = boxed && element.absence != Absence::Required;
            }
        }
    }
}

fn leads_back(types: &[Option<ComplexType>], element: &Element, id: usize) -> bool {
    match element.type_ref {
        TypeRef::Complex(next) => next.0 == id || reaches(types, next.0, id, |_| true),
        _ => false,
    }
}

/// Whether values of the type `from` hold a value of the type `to` directly, through elements of the chosen kind.
fn reaches(
    types: &[Option<ComplexType>],
    from: usize,
    to: usize,
    through: impl Fn(&Element) -> bool,
) -> bool {
    let mut seen = vec![false; types.len()];
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for element in types[at]
            .iter()
            .flat_map(|complex| &complex.elements)
            .filter(|element| through(element))
        {
            let TypeRef::Complex(next) = element.type_ref else {
                continue;
            };
            if next.0 == to {
                return true;
            }
            if !std::mem::replace(&mut seen[next.0], true) {
                open.push(next.0);
            }
        }
    }
    false
}
