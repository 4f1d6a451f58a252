//! The items that a file takes over from included files: their types in full, with new numbers.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use svcgen_language::definition::{Definition, Located, NodeId};
use svcgen_language::naming;
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use super::module_paths::path_through;
use crate::file::Included;
use crate::model::{
    ComplexType, ComplexTypeId, Enumeration, EnumerationId, Group, Include, Model, Origin, TypeRef,
};

/// The types that can be used, by their names in definitions, with the nodes that define or include
/// them.
pub(super) type TypeTable<'d> = HashMap<&'d str, (NodeId, TypeRef)>;

/// The items of all included files. Types are numbered after those of the file itself; choices come
/// before its own.
#[derive(Default)]
pub(super) struct TakenOver<'d> {
    pub complex_types: Vec<ComplexType>,
    pub groups: Vec<Group>,
    pub enumerations: Vec<Enumeration>,
    pub includes: Vec<Include>,
    /// The files that these include, directly or not.
    pub nested: Vec<Include>,
    /// The types of wrong files, whose absence is not reported.
    pub missing: HashSet<&'d str>,
    /// Whether an included file could not be read, so that any type may be missing.
    unreadable: bool,
    /// The types that can be used here, with the paths of their modules.
    pub named: HashMap<&'d str, (String, &'d Included)>,
    /// The numbers of complex types, choices and enumerations.
    numbers: [Numbering; 3],
}

/// Numbers by origin: an item that two files include is the same item.
type Numbering = HashMap<Origin, usize>;

/// The new numbers of the items of a model.
struct Renumbered {
    complex_types: Vec<usize>,
    groups: Vec<usize>,
    enumerations: Vec<usize>,
}

/// Takes over all types of the included files, and declares those that they define.
pub(super) fn take_over<'d>(
    definition: &'d Definition,
    included: &'d [Included],
    types: &mut TypeTable<'d>,
    sink: &mut Sink,
) -> TakenOver<'d> {
    check_namespaces(definition, included, sink);
    let mut taken = TakenOver {
        unreadable: included.len() < definition.include.len(),
        ..TakenOver::default()
    };
    for one in included {
        match (&one.file.model, &one.file.definition) {
            (Some(model), _) => taken.include(one, model, definition, types, sink),
            (None, Some(wrong)) => taken.missing.extend(wrong.names_of_types()),
            (None, None) => taken.unreadable = true,
        }
    }
    taken.find_nested(included);
    taken
}

/// Checks that an included file with a service has the same namespace: the types in the file of a
/// service are in the namespace of that service.
fn check_namespaces(definition: &Definition, included: &[Included], sink: &mut Sink) {
    let own = definition.namespace.as_ref();
    for one in included {
        let service = one
            .file
            .model
            .as_ref()
            .and_then(|model| model.service.as_ref());
        let Some(service) = service else { continue };
        let Some(own) = own.filter(|own| own.value != service.namespace) else {
            continue;
        };
        let message = format!(
            "`{}` is a service of another namespace, `{}`",
            one.name, service.namespace
        );
        sink.add(Rule::Included, one.node, message)
            .other(own.node, "not of this one")
            .hint("put the types into a file of types, and include that in both");
    }
}

/// Refuses types with the same name in the same namespace: on the wire, only these distinguish
/// them.
pub(super) fn check_wire_names(
    model: &Model,
    definition: &Definition,
    included: &[Included],
    sink: &mut Sink,
) {
    let service = definition.namespace.as_ref();
    let service = service.map(|namespace| namespace.value.as_str());
    let complex_types = model.complex_types.iter().map(|complex| {
        let namespace = complex.scope.namespace.as_deref();
        (
            namespace,
            &complex.name,
            &complex.name.key,
            &complex.included,
        )
    });
    let enumerations = model.enumerations.iter().map(|each| {
        let namespace = each.namespace.as_deref();
        (namespace, &each.name, &each.name.key, &each.included)
    });
    let node_of = |key: &str, origin: &Option<Origin>| {
        let own = || {
            let complex = definition.types.get(key).map(|(key, _)| key.node);
            complex.or_else(|| definition.enums.get(key).map(|(key, _)| key.node))
        };
        let Some(origin) = origin else { return own() };
        let holds = |one: &&Included| one.file.path == origin.file;
        let direct = included.iter().find(holds).or(included.first());
        direct.map(|one| one.node)
    };
    let mut seen = HashMap::new();
    for (namespace, name, key, origin) in complex_types.chain(enumerations) {
        let qualified = (namespace.or(service), name.xml.as_str());
        let Some((first_key, first_origin)) = seen.insert(qualified, (key, origin)) else {
            continue;
        };
        let nodes = (node_of(key, origin), node_of(first_key, first_origin));
        let (Some(node), Some(first)) = nodes else {
            continue;
        };
        let message = format!("two types are called `{}` on the wire", name.xml);
        let pending = sink.add(Rule::XmlNameClash, node, message);
        pending.other(first, "the other one").hint(
            "types of one name are in different namespaces: give one another `namespace`, or another `name`",
        );
    }
}

/// Refuses types with the same Rust name as types of a value of any type: its enum has a variant
/// for each.
pub(super) fn check_objects(model: &Model, included: &[Included], sink: &mut Sink) {
    let mut seen = HashMap::new();
    for object in model.object_types() {
        let rust = object.name.rust.as_str();
        let Some(first) = seen.insert(rust, object.included) else {
            continue;
        };
        let node_of = |origin: &Origin| {
            let mut files = included.iter();
            files.find(|one| one.file.has(&origin.file))
        };
        let [one, other] = [object.included, first].map(|origin| origin.and_then(node_of));
        let Some(node) = one.or(other).map(|one| one.node) else {
            continue;
        };
        let message = format!(
            "two types that a value of the type `anyType` may have are called `{rust}` in Rust"
        );
        sink.add(Rule::RustNameClash, node, message)
            .hint("rename one of them with the key `rust`");
    }
}

fn check_module(written: &Located<String>, sink: &mut Sink) {
    if !naming::is_rust_path(&written.value) {
        let message = format!("`{written}` is not the path of a Rust module");
        sink.add(Rule::RustName, written.node, message)
            .hint("it is written like `crate::shared::common`, as seen from the emitted module");
    }
}

impl<'d> TakenOver<'d> {
    fn include(
        &mut self,
        one: &'d Included,
        model: &'d Model,
        definition: &Definition,
        types: &mut TypeTable<'d>,
        sink: &mut Sink,
    ) {
        let module = match &one.module {
            Some(written) => {
                check_module(written, sink);
                written.value.clone()
            }
            None => format!("super::{}", model.module),
        };
        self.includes.push(Include {
            file: Arc::clone(&one.file.path),
            module: module.clone(),
        });
        let numbers = self.take_items(one, model, definition);
        let complex_types = model.complex_types.iter().zip(numbers.complex_types);
        let complex_types = complex_types.map(|(complex, id)| {
            let type_ref = TypeRef::Complex(ComplexTypeId(id));
            (&complex.name.key, &complex.included, type_ref)
        });
        let enumerations = model.enumerations.iter().zip(numbers.enumerations);
        let enumerations = enumerations.map(|(each, id)| {
            let type_ref = TypeRef::Enumeration(EnumerationId(id));
            (&each.name.key, &each.included, type_ref)
        });
        for (name, origin, type_ref) in complex_types.chain(enumerations) {
            if origin.is_none() {
                self.check_name(one, name, types, sink);
                types.entry(name).or_insert((one.node, type_ref));
                let named = self.named.entry(name);
                named.or_insert_with(|| (module.clone(), one));
            }
        }
    }

    /// Finds the modules of the files that included files include. The path of a file that this
    /// file includes itself is in its definition.
    fn find_nested(&mut self, included: &[Included]) {
        let mut known: HashSet<_> = self.includes.iter().map(|one| &*one.file).collect();
        let models = included.iter().filter_map(|one| one.file.model.as_ref());
        for (model, include) in models.zip(&self.includes) {
            for inner in model.includes.iter().chain(&model.nested) {
                if known.insert(&inner.file) {
                    self.nested.push(Include {
                        file: Arc::clone(&inner.file),
                        module: path_through(&include.module, &inner.module),
                    });
                }
            }
        }
    }

    /// Takes over the items that no other included file has.
    fn take_items(&mut self, one: &Included, model: &Model, own: &Definition) -> Renumbered {
        let (types, groups) = (&mut self.complex_types, &mut self.groups);
        let (old_types, old_groups) = (types.len(), groups.len());
        let [of_types, of_groups, of_enumerations] = &mut self.numbers;
        let numbers = Renumbered {
            complex_types: take(
                one,
                own.types.0.len(),
                &model.complex_types,
                (types, of_types),
                |each| &mut each.included,
            ),
            groups: take(one, 0, &model.groups, (groups, of_groups), |each| {
                &mut each.included
            }),
            enumerations: take(
                one,
                own.enums.0.len(),
                &model.enumerations,
                (&mut self.enumerations, of_enumerations),
                |each| &mut each.included,
            ),
        };
        types[old_types..]
            .iter_mut()
            .for_each(|complex| numbers.apply_to_type(complex));
        let alternatives = groups[old_groups..]
            .iter_mut()
            .flat_map(|group| &mut group.elements);
        alternatives.for_each(|element| numbers.apply(&mut element.type_ref));
        numbers
    }

    /// Refuses two types that would have the same name in the file.
    fn check_name(
        &mut self,
        one: &Included,
        name: &'d str,
        types: &TypeTable<'d>,
        sink: &mut Sink,
    ) {
        let hint = "types of different namespaces may share a name on the wire: give one another key, and that name with `name`";
        if let Some((_, first)) = self.named.get(name) {
            let message = format!("two types that are included are called `{name}`");
            sink.add(Rule::XmlNameClash, one.node, message)
                .other(first.node, "the other one comes from here")
                .hint(hint);
        } else if let Some((own, _)) = types.get(name) {
            let message = format!("two types are called `{name}`");
            sink.add(Rule::XmlNameClash, *own, message)
                .other(one.node, "the other one is included here")
                .hint(hint);
        }
    }

    /// Returns the file that defines a type, included or not by the file itself.
    pub fn file_of(&self, name: &str) -> Option<&Path> {
        let complex_types = self.complex_types.iter();
        let complex_types = complex_types.map(|complex| (&complex.name.key, &complex.included));
        let enumerations = self.enumerations.iter();
        let enumerations = enumerations.map(|each| (&each.name.key, &each.included));
        let mut all = complex_types.chain(enumerations);
        let (_, origin) = all.find(|(key, _)| *key == name)?;
        Some(&origin.as_ref()?.file)
    }

    /// Whether an unknown type may be defined in an included file that is wrong.
    pub fn may_have(&self, name: &str) -> bool {
        self.unreadable || self.missing.contains(name)
    }
}

/// Takes over new items. Returns the numbers of all items, starting at `first`.
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
            file: Arc::clone(&one.file.path),
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
            TypeRef::Group(id) => id.0 = self.groups[id.0],
            TypeRef::Enumeration(id) => id.0 = self.enumerations[id.0],
            TypeRef::List(list) => self.apply(&mut list.item_type),
            TypeRef::Dictionary(dictionary) => self.apply(&mut dictionary.value_type),
            TypeRef::Simple(_) | TypeRef::Custom(..) => {}
        }
    }

    fn complex_type(&self, id: ComplexTypeId) -> ComplexTypeId {
        ComplexTypeId(self.complex_types[id.0])
    }
}
