//! What a file takes over from those that it includes: their types in full, under new numbers and from other modules.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;

use super::Lower;
use crate::definition::{Located, NodeId};
use crate::file::Included;
use crate::model::{
    ComplexType, ComplexTypeId, Enumeration, EnumerationId, Import, Include, Model, Name, Origin,
    TypeRef,
};
use crate::naming;
use crate::rules::Rule;

/// What all included files have. Types are numbered after those of the file itself; choices come before its own.
#[derive(Default)]
pub(super) struct Foreign<'d> {
    pub complex_types: Vec<ComplexType>,
    pub enumerations: Vec<Enumeration>,
    pub includes: Vec<Include>,
    pub imports: Vec<Import>,
    /// The types of files that are wrong: nobody here is to blame for their being missing.
    pub missing: HashSet<&'d str>,
    /// Whether an included file could not be read, so that any type may be missing.
    unreadable: bool,
    /// The types that can be named here, with the paths of their modules.
    pub named: HashMap<&'d str, (String, &'d Included)>,
    imported: HashSet<&'d str>,
    /// All names on the wire.
    pub names: HashMap<&'d str, (Rc<Path>, NodeId)>,
    /// Of complex types, choices and enumerations.
    numbers: [Numbering; 3],
}

/// The numbers of things of one kind, by their origins: what two files include is one thing.
type Numbering = HashMap<Origin, usize>;

/// The numbers here of what a model has.
struct Renumbered {
    complex_types: Vec<usize>,
    choices: Vec<usize>,
    enumerations: Vec<usize>,
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
        let numbers = self.take_over_items(one, model);
        let types = model.complex_types.iter().zip(numbers.complex_types);
        let types = types.map(|(complex, id)| {
            let type_ref = TypeRef::Complex(ComplexTypeId(id));
            (&complex.name.xml, &complex.included, type_ref)
        });
        let enumerations = model.enumerations.iter().zip(numbers.enumerations);
        let enumerations = enumerations.map(|(each, id)| {
            let type_ref = TypeRef::Enumeration(EnumerationId(id));
            (&each.name.xml, &each.included, type_ref)
        });
        for (name, origin, type_ref) in types.chain(enumerations) {
            let file = origin
                .as_ref()
                .map_or(&one.file.path, |origin| &origin.file);
            self.check_included_name(one, name, file);
            if origin.is_none() {
                self.types.entry(name).or_insert((one.node, type_ref));
                let named = self.foreign.named.entry(name);
                named.or_insert_with(|| (module.clone(), one));
            }
        }
    }

    fn check_module(&mut self, written: &Located<String>) -> String {
        if !naming::is_rust_path(&written.value) {
            let message = format!("`{written}` is not the path of a Rust module");
            self.error(Rule::RustName, written.node, message).hint(
                "it is written like `crate::shared::common`, as seen from the emitted module",
            );
        }
        written.value.clone()
    }

    /// Takes over what no other included file has brought.
    fn take_over_items(&mut self, one: &Included, model: &Model) -> Renumbered {
        let (own, foreign, choices) = (self.definition, &mut self.foreign, &mut self.choices);
        let types = &mut foreign.complex_types;
        let (old_types, old_choices) = (types.len(), choices.len());
        let [of_types, of_choices, of_enumerations] = &mut foreign.numbers;
        let numbers = Renumbered {
            complex_types: take(
                one,
                own.types.0.len(),
                &model.complex_types,
                (types, of_types),
                |each| &mut each.included,
            ),
            choices: take(one, 0, &model.choices, (choices, of_choices), |each| {
                &mut each.included
            }),
            enumerations: take(
                one,
                own.enums.0.len(),
                &model.enumerations,
                (&mut foreign.enumerations, of_enumerations),
                |each| &mut each.included,
            ),
        };
        types[old_types..]
            .iter_mut()
            .for_each(|complex| numbers.apply_to_type(complex));
        let alternatives = choices[old_choices..]
            .iter_mut()
            .flat_map(|choice| &mut choice.alternatives);
        alternatives.for_each(|element| numbers.apply(&mut element.type_ref));
        numbers
    }

    /// On the wire, types are told apart by their names alone.
    fn check_included_name(&mut self, one: &Included, name: &'d str, file: &Rc<Path>) {
        match self.foreign.names.get(name).cloned() {
            Some((other, _)) if other == *file => {}
            Some((_, first)) => {
                let message = format!("two types that are included are called `{name}`");
                self.error(Rule::XmlNameClash, one.node, message)
                    .other(first, "the other one comes from here");
            }
            None => {
                self.foreign.names.insert(name, (Rc::clone(file), one.node));
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
}

/// Takes over what is not there yet; gives the numbers here of all, which start at `first`.
fn take<T: Clone>(
    one: &Included,
    first: usize,
    given: &[T],
    (taken, numbers): (&mut Vec<T>, &mut Numbering),
    included: fn(&mut T) -> &mut Option<Origin>,
) -> Vec<usize> {
    let number = |(index, item): (usize, &T)| {
        let mut item = item.clone();
        let origin = included(&mut item).get_or_insert_with(|| Origin {
            file: Rc::clone(&one.file.path),
            index,
        });
        let number = numbers.entry(origin.clone()).or_insert_with(|| {
            taken.push(item);
            taken.len() - 1
        });
        first + *number
    };
    given.iter().enumerate().map(number).collect()
}

impl Renumbered {
    fn apply_to_type(&self, complex: &mut ComplexType) {
        let content = complex.attributes.iter_mut().chain(&mut complex.text);
        for element in content.chain(&mut complex.elements) {
            self.apply(&mut element.type_ref);
        }
        complex.extends = complex.extends.map(|base| self.complex_type(base));
        let families = complex.family.iter_mut();
        for member in families.flat_map(|family| &mut family.members) {
            member.complex_type = self.complex_type(member.complex_type);
        }
    }

    fn apply(&self, type_ref: &mut TypeRef) {
        match type_ref {
            TypeRef::Complex(id) => *id = self.complex_type(*id),
            TypeRef::Choice(id) => id.0 = self.choices[id.0],
            TypeRef::Enumeration(id) => id.0 = self.enumerations[id.0],
            TypeRef::List(list) => self.apply(&mut list.item_type),
            TypeRef::Simple(_) | TypeRef::Custom(..) => {}
        }
    }

    fn complex_type(&self, id: ComplexTypeId) -> ComplexTypeId {
        ComplexTypeId(self.complex_types[id.0])
    }
}
