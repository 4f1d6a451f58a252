//! What a file takes over from those that it includes: their types in full, under new numbers and from other modules.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;

use super::Lower;
use crate::definition::{Definition, Located, NodeId};
use crate::include::File;
use crate::model::{
    ChoiceId, ComplexType, ComplexTypeId, Element, Enumeration, EnumerationId, Import, Include,
    Model, Name, Origin, TypeRef,
};
use crate::naming;
use crate::rules::Rule;

/// A file that a definition includes.
pub(crate) struct Included {
    /// Its path as the definition writes it.
    pub name: String,
    pub node: NodeId,
    /// The path of its module, if the definition says it.
    pub module: Option<Located<String>>,
    pub file: Rc<File>,
}

/// What all included files have. Types are numbered after those of the file itself; choices come before its own.
#[derive(Default)]
pub(super) struct Foreign<'d> {
    pub complex_types: Vec<ComplexType>,
    pub enumerations: Vec<Enumeration>,
    pub includes: Vec<Include>,
    pub imports: Vec<Import>,
    /// The types of files that are wrong: nobody here is to blame for their being missing.
    missing: HashSet<&'d str>,
    /// Whether an included file could not be read, so that any type may be missing.
    unreadable: bool,
    /// The types that can be named here, with the paths of their modules.
    named: HashMap<&'d str, (String, &'d Included)>,
    imported: HashSet<&'d str>,
    /// All names on the wire.
    names: HashMap<&'d str, (Rc<Path>, NodeId)>,
    numbers_of_types: Numbering,
    numbers_of_choices: Numbering,
    numbers_of_enumerations: Numbering,
}

/// The numbers of things of one kind, by their origins: what two files include is one thing.
#[derive(Default)]
struct Numbering(HashMap<Origin, usize>);

impl Numbering {
    fn number(&mut self, origin: Origin) -> usize {
        let next = self.0.len();
        *self.0.entry(origin).or_insert(next)
    }
}

/// The numbers here of what a model has.
struct Renumbered {
    complex_types: Vec<ComplexTypeId>,
    choices: Vec<ChoiceId>,
    enumerations: Vec<EnumerationId>,
}

impl<'d> Lower<'d> {
    /// Takes over all types of the included files, and declares those that stand in them.
    pub(super) fn include(&mut self, included: &'d [Included]) {
        self.check_namespaces(included);
        self.foreign.unreadable = included.len() < self.definition.include.len();
        for one in included {
            match (&one.file.model, &one.file.definition) {
                (Some(model), _) => self.include_model(one, model),
                (None, Some(wrong)) => self.foreign.missing.extend(wrong.names_of_types()),
                (None, None) => self.foreign.unreadable = true,
            }
        }
    }

    /// A service has one namespace, for its own types and for all that it includes.
    fn check_namespaces(&mut self, included: &[Included]) {
        let own = self.definition.namespace.as_ref();
        let mut first = own.map(|namespace| (namespace.value.as_str(), namespace.node));
        for one in included {
            let Some(namespace) = &one.file.namespace else {
                continue;
            };
            let (expected, node) = *first.get_or_insert((namespace, one.node));
            if expected != namespace {
                let message = format!("`{}` is in another namespace, `{namespace}`", one.name);
                self.error(Rule::Included, one.node, message)
                    .other(node, "not in this one")
                    .hint("a service has one namespace; a file of types that has none is in that of each service that includes it");
            }
        }
    }

    fn include_model(&mut self, one: &'d Included, model: &'d Model) {
        let module = match &one.module {
            Some(written) => self.check_module(written),
            None => format!("super::{}", model.module),
        };
        self.foreign.includes.push(Include {
            file: Rc::clone(&one.file.path),
            module: module.clone(),
        });
        let numbers = self.foreign.renumber(model, one, self.definition);
        self.copy(one, model, &numbers);
        let types = model.complex_types.iter().zip(&numbers.complex_types);
        let types = types.filter(|(complex, _)| complex.included.is_none());
        let types = types.map(|(complex, id)| (&complex.name.xml, TypeRef::Complex(*id)));
        let enumerations = model.enumerations.iter().zip(&numbers.enumerations);
        let enumerations = enumerations.filter(|(each, _)| each.included.is_none());
        let enumerations =
            enumerations.map(|(each, id)| (&each.name.xml, TypeRef::Enumeration(*id)));
        for (name, type_ref) in types.chain(enumerations) {
            self.types.entry(name).or_insert((one.node, type_ref));
            self.foreign
                .named
                .entry(name)
                .or_insert((module.clone(), one));
        }
    }

    fn check_module(&mut self, written: &Located<String>) -> String {
        if !naming::is_rust_path(&written.value) {
            let message = format!("`{}` is not the path of a Rust module", written.value);
            self.error(Rule::RustName, written.node, message).hint(
                "it is written like `crate::shared::common`, as seen from the emitted module",
            );
        }
        written.value.clone()
    }

    /// Copies what no other included file has brought.
    fn copy(&mut self, one: &'d Included, model: &'d Model, numbers: &Renumbered) {
        let own_types = self.definition.types.0.len();
        let own_enumerations = self.definition.enums.0.len();
        for (index, (choice, id)) in model.choices.iter().zip(&numbers.choices).enumerate() {
            if id.0 == self.choices.len() {
                let mut choice = choice.clone();
                choice.included = Some(one.origin(&choice.included, index));
                numbers.apply(&mut choice.alternatives);
                self.choices.push(choice);
            }
        }
        let types = model.complex_types.iter().zip(&numbers.complex_types);
        for (index, (complex, id)) in types.enumerate() {
            if id.0 == own_types + self.foreign.complex_types.len() {
                let complex = numbers.complex_type(complex, one.origin(&complex.included, index));
                self.foreign.complex_types.push(complex);
            }
        }
        let enumerations = model.enumerations.iter().zip(&numbers.enumerations);
        for (index, (enumeration, id)) in enumerations.enumerate() {
            if id.0 == own_enumerations + self.foreign.enumerations.len() {
                let mut enumeration = enumeration.clone();
                enumeration.included = Some(one.origin(&enumeration.included, index));
                self.foreign.enumerations.push(enumeration);
            }
        }
        let types = model
            .complex_types
            .iter()
            .map(|complex| (&complex.name, &complex.included));
        let enumerations = model
            .enumerations
            .iter()
            .map(|each| (&each.name, &each.included));
        for (name, included) in types.chain(enumerations) {
            self.check_included_name(one, &name.xml, one.origin(included, 0).file);
        }
    }

    /// On the wire, types are told apart by their names alone.
    fn check_included_name(&mut self, one: &Included, name: &'d str, file: Rc<Path>) {
        match self.foreign.names.get(name).cloned() {
            Some((other, _)) if other == file => {}
            Some((_, first)) => {
                let message = format!("two types that are included are called `{name}`");
                self.error(Rule::XmlNameClash, one.node, message)
                    .other(first, "the other one comes from here");
            }
            None => {
                self.foreign.names.insert(name, (file, one.node));
                if let Some((own, _)) = self.types.get(name) {
                    let own = *own;
                    let message = format!("two types are called `{name}`");
                    self.error(Rule::XmlNameClash, own, message)
                        .other(one.node, "the other one is included here");
                }
            }
        }
    }

    /// Imports a type that is named at a node, if it is of another file.
    pub(super) fn import(&mut self, name: &str, type_ref: &TypeRef, node: NodeId) {
        let Some((key, (module, one))) = self.foreign.named.get_key_value(name) else {
            return;
        };
        if !self.foreign.imported.insert(key) {
            return;
        }
        let what = format!("the type `{name}` of `{}`", one.name);
        let rust = match type_ref {
            TypeRef::Complex(id) => self.foreign_type(*id).map(|complex| {
                let family = complex.family.as_ref();
                family.map_or(&complex.name.rust, |family| &family.rust)
            }),
            TypeRef::Enumeration(id) => self.foreign_enumeration(*id).map(|each| &each.name.rust),
            _ => None,
        };
        let Some(rust) = rust.cloned() else { return };
        self.foreign.imports.push(Import {
            path: format!("{module}::{rust}"),
            name: Name {
                xml: name.to_owned(),
                rust: rust.clone(),
            },
        });
        self.claim_item(&rust, node, what);
    }

    /// The complex type of this number, if it is of another file.
    pub(super) fn foreign_type(&self, id: ComplexTypeId) -> Option<&ComplexType> {
        let index = id.0.checked_sub(self.definition.types.0.len())?;
        self.foreign.complex_types.get(index)
    }

    /// The enumeration of this number, if it is of another file.
    pub(super) fn foreign_enumeration(&self, id: EnumerationId) -> Option<&Enumeration> {
        let index = id.0.checked_sub(self.definition.enums.0.len())?;
        self.foreign.enumerations.get(index)
    }

    /// Whether a type that is not known may be one of an included file that is wrong.
    pub(super) fn may_be_included(&self, name: &str) -> bool {
        self.foreign.unreadable || self.foreign.missing.contains(name)
    }

    /// The types of included files that are wrong.
    pub(super) fn missing_types(&self) -> impl Iterator<Item = &'d str> {
        self.foreign.missing.iter().copied()
    }

    /// The file that a type is from, as this one names it.
    pub(super) fn file_of(&self, name: &str) -> Option<&'d str> {
        let (_, one) = self.foreign.named.get(name)?;
        Some(&one.name)
    }

    /// The file of a type that cannot be named here, since only included files include it.
    pub(super) fn hidden_file_of(&self, name: &str) -> Option<&Path> {
        self.foreign.names.get(name).map(|(file, _)| &**file)
    }
}

impl Included {
    /// Where something at an index of this file's model comes from.
    fn origin(&self, included: &Option<Origin>, index: usize) -> Origin {
        included.clone().unwrap_or_else(|| Origin {
            file: Rc::clone(&self.file.path),
            index,
        })
    }
}

impl Foreign<'_> {
    fn renumber(&mut self, model: &Model, one: &Included, own: &Definition) -> Renumbered {
        let types = model.complex_types.iter().enumerate();
        let types = types.map(|(index, complex)| {
            let origin = one.origin(&complex.included, index);
            ComplexTypeId(own.types.0.len() + self.numbers_of_types.number(origin))
        });
        let choices = model.choices.iter().enumerate();
        let choices = choices.map(|(index, choice)| {
            let origin = one.origin(&choice.included, index);
            ChoiceId(self.numbers_of_choices.number(origin))
        });
        let enumerations = model.enumerations.iter().enumerate();
        let enumerations = enumerations.map(|(index, each)| {
            let origin = one.origin(&each.included, index);
            EnumerationId(own.enums.0.len() + self.numbers_of_enumerations.number(origin))
        });
        Renumbered {
            complex_types: types.collect(),
            choices: choices.collect(),
            enumerations: enumerations.collect(),
        }
    }
}

impl Renumbered {
    fn complex_type(&self, complex: &ComplexType, origin: Origin) -> ComplexType {
        let mut complex = complex.clone();
        complex.included = Some(origin);
        let text = complex.text.as_mut();
        self.apply(
            complex
                .attributes
                .iter_mut()
                .chain(text)
                .chain(&mut complex.elements),
        );
        complex.extends = complex.extends.map(|base| self.complex_types[base.0]);
        let families = complex.family.iter_mut();
        for member in families.flat_map(|family| &mut family.members) {
            member.complex_type = self.complex_types[member.complex_type.0];
        }
        complex
    }

    fn apply<'e>(&self, elements: impl IntoIterator<Item = &'e mut Element>) {
        elements
            .into_iter()
            .for_each(|element| self.apply_to(&mut element.type_ref));
    }

    fn apply_to(&self, type_ref: &mut TypeRef) {
        match type_ref {
            TypeRef::Complex(id) => *id = self.complex_types[id.0],
            TypeRef::Choice(id) => *id = self.choices[id.0],
            TypeRef::Enumeration(id) => *id = self.enumerations[id.0],
            TypeRef::List(list) => self.apply_to(&mut list.item_type),
            TypeRef::Simple(_) | TypeRef::Custom(..) => {}
        }
    }
}
