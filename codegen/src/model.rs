//! The lowered model: a file in the terms of WSDL and XML Schema, with all names resolved and all
//! rules checked.
//!
//! In addition to the rows of `svcgen_model`, which are made from it, it has the parts that Rust
//! needs: names in both forms, paths, boxes, families.
//!
//! **Invariant.** Nothing in a model can make emitted code wrong: ids do not dangle, Rust names are
//! identifiers without clashes, no type has an infinite size.

mod element;
mod name;
mod service;
mod types;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

pub use svcgen_language::data_set_schema::DataSetSchema;
use svcgen_model::named_in;
pub use svcgen_model::{
    Absence, Binding, Bindings, ElementForm, Facet, Form, GroupKind, HeaderRule, Occurs,
    ResponseFormat, Routing, RustType, Scope, ScriptMethod, SimpleType, Style, ValueConstraint,
};

pub use element::{
    ComplexTypeId, DictionaryType, Element, EnumerationId, GroupId, ListForm, ListType, TypeRef,
    Wildcard, WildcardOf,
};
pub use name::Name;
pub use service::{
    Fault, Headers, Method, OperationResult, ReturnedResult, Script, ScriptType, Service,
    ServiceItems,
};
pub(crate) use types::Origin;
pub use types::{
    ComplexType, Enumeration, EnumerationValue, Family, FamilyMember, Group, Root, ScriptName,
};

/// The Rust name of the enum of the types that a value of the type `anyType` may have.
pub(crate) const OBJECT_TYPES: &str = "AnyObject";

/// The content of a definition file: types, and the service that uses them.
#[derive(Debug)]
pub struct Model {
    /// The name of the emitted module.
    pub module: String,
    /// The documentation of the module.
    pub documentation: Option<String>,
    /// `None` in a file of types for services to share.
    pub service: Option<Service>,
    /// The files that it includes, in the order of the definition.
    pub(crate) includes: Vec<Include>,
    /// The files that the included files include, directly or not.
    pub(crate) nested: Vec<Include>,
    /// The items of other modules that this one uses.
    pub(crate) imports: Vec<Import>,
    /// The complex types of this file, then those of included files.
    pub complex_types: Vec<ComplexType>,
    /// The choices and sequences, including those of included files.
    pub groups: Vec<Group>,
    /// The enumerations of this file, then those of included files.
    pub enumerations: Vec<Enumeration>,
    /// The Rust names of the items of the module.
    pub(crate) items: HashSet<String>,
}

impl Model {
    /// Whether values of a type are cloned in place.
    pub(crate) fn clones_in_place(&self, type_ref: &TypeRef) -> bool {
        match type_ref.innermost() {
            TypeRef::Complex(id) => {
                let complex = &self.complex_types[id.0];
                match &complex.family {
                    Some(family) => family.clones_in_place,
                    None => complex.clones_in_place,
                }
            }
            TypeRef::Group(id) => self.groups[id.0].clones_in_place,
            _ => false,
        }
    }

    /// The complex types of the file itself.
    pub(crate) fn own_types(&self) -> impl Iterator<Item = &ComplexType> {
        let types = self.complex_types.iter();
        types.filter(|complex| complex.included.is_none())
    }

    /// The enumerations of the file itself.
    pub(crate) fn own_enumerations(&self) -> impl Iterator<Item = &Enumeration> {
        let enumerations = self.enumerations.iter();
        enumerations.filter(|enumeration| enumeration.included.is_none())
    }

    /// The elements that an element is on the wire: itself, or the elements of a choice or a
    /// sequence.
    pub(crate) fn on_wire<'m>(&'m self, element: &'m Element) -> Vec<&'m Element> {
        on_wire(element, &self.groups)
    }

    /// Returns the operations of the service, if there is one.
    pub fn operations(&self) -> &[Method] {
        let service = self.service.as_ref();
        service.map_or(&[], |service| &service.operations)
    }

    /// The types that a value of the type `anyType` may have, those of the file itself and of all
    /// included files: empty if there is no such value.
    pub(crate) fn object_types(&self) -> Vec<ObjectType<'_>> {
        let is_object = |element: &Element| element.type_ref.is_object();
        let mut faults = self.service.iter().flat_map(|service| &service.faults);
        if !self.emitted_elements().any(is_object) && !faults.any(|fault| is_object(&fault.detail))
        {
            return Vec::new();
        }
        let types = self.complex_types.iter();
        let types = types.filter(|complex| !complex.is_abstract);
        let types = types.map(|one| {
            (
                &one.name,
                &one.included,
                true,
                one.scope.namespace.as_deref(),
            )
        });
        let enumerations = self.enumerations.iter();
        let enumerations =
            enumerations.map(|one| (&one.name, &one.included, false, one.namespace.as_deref()));
        let types = types.chain(enumerations);
        let types = types.filter_map(|(name, included, is_complex, namespace)| {
            let path = match included {
                None => name.rust.clone(),
                Some(origin) => {
                    let mut includes = self.includes.iter().chain(&self.nested);
                    let include = includes.find(|include| include.file == origin.file)?;
                    format!("{}::{}", include.module, name.rust)
                }
            };
            Some(ObjectType {
                name,
                path,
                is_complex,
                qualified: named_in(namespace, &name.xml),
                included: included.as_ref(),
            })
        });
        types.collect()
    }

    /// The structs that are emitted: complex types, then parameters and headers of operations.
    pub(crate) fn emitted_structs(&self) -> impl Iterator<Item = &ComplexType> {
        self.named_structs().map(|(_, complex)| complex)
    }

    /// Returns the emitted structs with their names for options: types by their XML names, others
    /// by their Rust names.
    pub fn named_structs(&self) -> impl Iterator<Item = (String, &ComplexType)> {
        let types = self
            .complex_types
            .iter()
            .filter(|complex| complex.is_emitted());
        let others = self.operations().iter().flat_map(Method::structs).flatten();
        let types = types.map(|complex| (complex.name.xml.clone(), complex));
        types.chain(others.map(|complex| (complex.name.unraw().to_owned(), complex)))
    }

    /// Returns all emitted items with members, with their names for options and the names of the
    /// members.
    pub fn named_types(&self) -> Vec<(String, Vec<&str>)> {
        fn named<'m>(
            owner: &str,
            members: impl Iterator<Item = &'m Name>,
        ) -> (String, Vec<&'m str>) {
            let members = members.map(|name| name.xml.as_str());
            (owner.to_owned(), members.collect())
        }
        let structs = self.named_structs();
        let mut types: Vec<_> = structs
            .map(|(name, complex)| named(&name, complex.fields().map(|field| &field.name)))
            .collect();
        let families = self.own_types().filter_map(|one| one.family.as_ref());
        types.extend(families.map(|family| {
            let members = family.members.iter();
            let members = members.map(|one| &self.complex_types[one.complex_type.0].name);
            named(&family.rust, members)
        }));
        types.extend(self.emitted_groups().map(|group| {
            let alternatives = group.elements.iter();
            named(&group.rust, alternatives.map(|element| &element.name))
        }));
        let enumerations = self.own_enumerations();
        let enumerations = enumerations.filter(|one| one.rust_type.is_none() && !one.is_flags);
        types.extend(enumerations.map(|one| {
            let mut named = named(&one.name.xml, one.values.iter().map(|value| &value.name));
            named.1.extend(one.is_open.then_some("Other"));
            named
        }));
        let objects = self.object_types();
        if !objects.is_empty() {
            let names = objects.into_iter().map(|object| object.name);
            types.push(named(OBJECT_TYPES, names));
        }
        types
    }

    /// Whether a type is a value type in .NET.
    pub(crate) fn is_by_value(&self, type_ref: &TypeRef) -> bool {
        match type_ref {
            TypeRef::Complex(id) => self.complex_types[id.0].by_value,
            type_ref => type_ref.by_value(),
        }
    }

    /// The choices and sequences of emitted structs.
    pub(crate) fn emitted_groups(&self) -> impl Iterator<Item = &Group> {
        let mut used = HashSet::new();
        let mut elements: Vec<_> = self
            .emitted_structs()
            .flat_map(ComplexType::fields)
            .collect();
        while let Some(element) = elements.pop() {
            if let Some(id) = element.type_ref.group()
                && used.insert(id)
            {
                elements.extend(&self.groups[id.0].elements);
            }
        }
        let numbered = self.groups.iter().enumerate();
        numbered
            .filter(move |(id, _)| used.contains(&GroupId(*id)))
            .map(|(_, group)| group)
    }

    /// All parts of emitted code with a type: fields, variants of choices, results.
    pub(crate) fn emitted_elements(&self) -> impl Iterator<Item = &Element> {
        let fields = self.emitted_structs().flat_map(ComplexType::fields);
        let variants = self.emitted_groups().flat_map(|group| &group.elements);
        let results = self
            .operations()
            .iter()
            .filter_map(|operation| operation.result.as_ref());
        fields
            .chain(variants)
            .chain(results.map(|result| &result.element))
    }
}

/// The elements that an element is on the wire: itself, or the elements of one of these choices and
/// sequences.
pub(crate) fn on_wire<'m>(element: &'m Element, groups: &'m [Group]) -> Vec<&'m Element> {
    let Some(GroupId(id)) = element.type_ref.group() else {
        return vec![element];
    };
    let within = groups[id].elements.iter();
    within
        .flat_map(|element| on_wire(element, groups))
        .collect()
}

/// A type that a value of the type `anyType` may have.
pub(crate) struct ObjectType<'m> {
    pub name: &'m Name,
    /// The path of the Rust type.
    pub path: String,
    /// Whether it is a complex type, which is boxed in Rust.
    pub is_complex: bool,
    /// The name in `xsi:type`, with its namespace if it has one of its own.
    pub qualified: String,
    /// The origin, if another file defines it.
    pub included: Option<&'m Origin>,
}

/// A file that is included, and its emitted module.
#[derive(Debug)]
pub(crate) struct Include {
    pub file: Arc<Path>,
    /// The path of the Rust module.
    pub module: String,
}

/// Documentation, if it is not blank.
pub(crate) fn words(documentation: &Option<String>) -> Option<&str> {
    let words = documentation.as_deref().map(str::trim);
    words.filter(|words| !words.is_empty())
}

/// An item of the module of an included file.
#[derive(Debug)]
pub(crate) struct Import {
    pub name: Name,
    /// The path of the Rust type.
    pub path: String,
}
