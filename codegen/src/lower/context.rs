//! The input of all passes, and the items that they add to the module.

use std::collections::{HashMap, HashSet};

use svcgen_language::definition::{Definition, EnumDefinition, Located, NameOrMap, NodeId};
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use super::included::{TakenOver, TypeTable};
use super::names::is_true;
use super::namespaces::Namespaces;
use crate::config::Options;
use crate::data_sets::DataSets;
use crate::model::{
    ComplexType, ComplexTypeId, Enumeration, EnumerationId, Form, Group, Import, ListType, Name,
    Root, SimpleType, TypeRef,
};

/// The immutable input of all passes.
pub(super) struct Context<'d> {
    pub definition: &'d Definition,
    pub data_sets: &'d DataSets,
    pub options: &'d Options,
    /// Whether all of the file was read.
    pub whole: bool,
    pub namespaces: Namespaces<'d>,
    pub types: TypeTable<'d>,
    pub included: TakenOver<'d>,
    /// Whether the file describes a service.
    pub is_service: bool,
}

impl<'d> Context<'d> {
    /// Returns the names of all types, those of the definition first.
    pub fn known_types(&self) -> Vec<&'d str> {
        let mut known: Vec<_> = self.types.keys().copied().collect();
        known.sort_unstable();
        known.extend(SimpleType::ALL.iter().map(|simple| simple.name()));
        known
    }

    /// Returns the complex type with this id, if it is of another file.
    pub fn included_type(&self, id: ComplexTypeId) -> Option<&ComplexType> {
        let index = id.0.checked_sub(self.definition.types.0.len())?;
        self.included.complex_types.get(index)
    }

    /// The enumeration with this id, if it is of another file.
    fn included_enumeration(&self, id: EnumerationId) -> Option<&Enumeration> {
        let index = id.0.checked_sub(self.definition.enums.0.len())?;
        self.included.enumerations.get(index)
    }

    /// Returns the name of a type in ASMX; for a list `ArrayOfInt`, without a number.
    pub fn type_name(&self, type_ref: &TypeRef) -> String {
        match type_ref {
            TypeRef::Simple(simple) | TypeRef::Custom(simple, _) => {
                simple.element_name().to_owned()
            }
            TypeRef::Complex(id) => match self.included_type(*id) {
                Some(complex) => complex.name.xml.clone(),
                None => {
                    let (key, body) = &self.definition.types.0[id.0];
                    body.name.as_ref().unwrap_or(key).value.clone()
                }
            },
            TypeRef::Enumeration(id) => match self.included_enumeration(*id) {
                Some(enumeration) => enumeration.name.xml.clone(),
                None => {
                    let (key, EnumDefinition(body)) = &self.definition.enums.0[id.0];
                    body.name.as_ref().unwrap_or(key).value.clone()
                }
            },
            TypeRef::Group(_) => unreachable!("no type that is written is a group"),
            // It exists in JSON alone, where it has no name.
            TypeRef::Dictionary(_) => String::new(),
            TypeRef::List(list) => svcgen_model::array_name(&self.item_name(&list.item_type)),
        }
    }

    /// Returns the name of an item of a type in a list.
    pub fn item_name(&self, type_ref: &TypeRef) -> String {
        match type_ref {
            TypeRef::Simple(simple) => simple.item_name().to_owned(),
            type_ref => self.type_name(type_ref),
        }
    }

    /// Returns a list type whose items are named after their types; `None` if they are already, or
    /// for other types.
    pub fn without_item_names(&self, type_ref: &TypeRef) -> Option<TypeRef> {
        let TypeRef::List(list) = type_ref else {
            return None;
        };
        let inner = self.without_item_names(&list.item_type);
        // The number of the name of a list depends on the service.
        let name = match list.item_type {
            TypeRef::List(_) => String::new(),
            _ => self.item_name(&list.item_type),
        };
        if inner.is_none() && list.item == name && list.item_form == Form::Default {
            return None;
        }
        Some(TypeRef::List(Box::new(ListType {
            item: name,
            item_form: Form::Default,
            item_type: inner.unwrap_or_else(|| list.item_type.clone()),
            ..(**list).clone()
        })))
    }

    /// Returns the root element of a result over HTTP GET and POST: that of its type if it has one,
    /// else an element of the service with the name of the type.
    pub fn root(&self, type_ref: &TypeRef) -> Root {
        let own = match type_ref {
            TypeRef::Complex(id) => match self.included_type(*id) {
                Some(complex) => complex.root.clone(),
                None => {
                    let body = &self.definition.types.0[id.0].1;
                    let scope = self.namespaces.of_type(body.namespace.as_ref());
                    body.root.as_ref().map(|root| Root {
                        name: root.value.clone(),
                        namespace: scope.namespace.clone(),
                    })
                }
            },
            _ => None,
        };
        own.unwrap_or_else(|| Root {
            name: self.type_name(type_ref),
            namespace: None,
        })
    }

    /// Returns the simple type of an enumeration's texts; `None` if its `base` is not a simple
    /// type.
    pub fn base_of(&self, id: EnumerationId) -> Option<SimpleType> {
        match self.included_enumeration(id) {
            Some(enumeration) => Some(enumeration.base),
            None => {
                let base = &self.definition.enums.0[id.0].1.0.base;
                let base = base.as_ref().map(|base| SimpleType::of_name(&base.value));
                base.unwrap_or(Some(SimpleType::String))
            }
        }
    }

    /// Whether values of an enumeration are sets.
    pub fn is_flags(&self, id: EnumerationId) -> bool {
        match self.included_enumeration(id) {
            Some(enumeration) => enumeration.is_flags,
            None => is_true(&self.definition.enums.0[id.0].1.0.flags),
        }
    }

    /// Returns the texts of the values of an enumeration.
    pub fn texts_of_values(&self, id: EnumerationId) -> Vec<&str> {
        if let Some(enumeration) = self.included_enumeration(id) {
            let values = enumeration.values.iter();
            return values.map(|value| value.name.xml.as_str()).collect();
        }
        let values = self.definition.enums.0[id.0].1.0.values.iter();
        let text = |value: &'d Located<NameOrMap>| match &value.value {
            NameOrMap::Name(text) => Some(text.as_str()),
            NameOrMap::Map(entries) => entries.keys().next().map(|key| key.value.as_str()),
        };
        values.filter_map(text).collect()
    }

    /// Whether a type is a value type in .NET.
    pub fn is_by_value(&self, type_ref: &TypeRef) -> bool {
        let TypeRef::Complex(id) = type_ref else {
            return type_ref.by_value();
        };
        match self.included_type(*id) {
            Some(complex) => complex.by_value,
            None => is_true(&self.definition.types.0[id.0].1.by_value),
        }
    }
}

/// The items that passes add to the module.
#[derive(Default)]
pub(super) struct Items<'d> {
    /// The Rust names of emitted items, with descriptions of the items.
    pub names: HashMap<String, (NodeId, String)>,
    pub groups: Vec<Group>,
    pub imports: Vec<Import>,
    /// Whether a value of any type exists, so that the enum of its types is claimed.
    pub has_objects: bool,
    imported: HashSet<&'d str>,
}

/// The input and the outputs of a pass.
pub(super) struct Pass<'p, 'd> {
    pub context: &'p Context<'d>,
    pub items: &'p mut Items<'d>,
    pub sink: &'p mut Sink,
}

impl Pass<'_, '_> {
    /// Reserves a Rust name for an item of the emitted module.
    pub fn claim(&mut self, rust: &str, node: NodeId, what: String) {
        let names = &mut self.items.names;
        if let Some((other, other_what)) = names.get(rust) {
            let message = format!("two items would be called `{rust}` in Rust");
            (self.sink.add(Rule::RustNameClash, node, message))
                .label(&what)
                .other(*other, other_what)
                .hint("rename one of them with the key `rust`");
        } else {
            names.insert(rust.to_owned(), (node, what));
        }
    }

    /// Imports the type with the name at a node, if it is of another file.
    pub fn import(&mut self, name: &str, node: NodeId) {
        let context = self.context;
        let Some((key, (module, one))) = context.included.named.get_key_value(name) else {
            return;
        };
        if !self.items.imported.insert(key) {
            return;
        }
        let rust = match &context.types[name].1 {
            TypeRef::Complex(id) => context.included_type(*id).map(|complex| {
                let family = complex.family.as_ref();
                family.map_or(&complex.name.rust, |family| &family.rust)
            }),
            TypeRef::Enumeration(id) => {
                let enumeration = context.included_enumeration(*id);
                enumeration.map(|enumeration| &enumeration.name.rust)
            }
            _ => None,
        };
        // A clash with a type of the file itself is refused already.
        let Some(rust) = rust else { return };
        self.items.imports.push(Import {
            path: format!("{module}::{rust}"),
            name: Name::new(name, rust),
        });
        let what = format!("the type `{name}` of `{}`", one.name);
        self.claim(rust, node, what);
    }
}
