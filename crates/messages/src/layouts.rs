//! The layouts of a service: the JSON form of the values of each of its types.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use serde_json::{Map, Value as Json};
use svcgen::codegen::{EmptySet, FacetRules};
use svcgen_codegen::Described;
use svcgen_codegen::model::Headers;
use svcgen_model::{
    At, ComplexType, Element, Enumeration, GroupKind, Module, Occurs, Particle, Reading, Service,
    Storage, TypeAt, Writing, named_in,
};

/// Rows that live as long as the program.
pub(crate) type Type = At<'static, ComplexType<'static>>;
pub(crate) type Row = At<'static, Element<'static>>;

/// The type of messages without elements.
pub(crate) static EMPTY: ComplexType<'static> = ComplexType::EMPTY;

/// A service, and the tables derived from its rows. It lives as long as the program, because rows
/// refer to each other and messages to rows.
#[derive(Debug)]
pub(crate) struct ServiceLayouts {
    pub(crate) service: At<'static, Service<'static>>,
    /// The layouts of types, by the addresses of rows.
    layouts: HashMap<usize, Layout>,
    /// The possible types of a value of a type, by the addresses of the module in which it is used
    /// and of the type's row.
    families: HashMap<(usize, usize), Family>,
    /// The possible types of values of the type `anyType`, by the address of the module in which
    /// they are used.
    objects: HashMap<usize, Objects>,
    /// The rows of enumerations that keep unknown names.
    open: HashSet<usize>,
    /// The rows of SOAP headers with the attributes of SOAP.
    with_attributes: HashSet<usize>,
    /// Compiled for the first sample of a row with facets.
    facets: OnceLock<FacetRules>,
}

/// The members of an object.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) elements: Vec<Member>,
    pub(crate) attributes: Vec<Member>,
    pub(crate) text: Option<Member>,
    /// The set of tables without rows, if it is one.
    pub(crate) empty_set: Option<EmptySet>,
    /// The object for a message without any of its members, and its approximate size in bytes: a
    /// cached result of `initial`.
    pub(crate) initial: OnceLock<(Map<String, Json>, usize)>,
}

/// A member of an object, or an alternative of a choice.
#[derive(Debug)]
pub(crate) struct Member {
    /// The name in JSON.
    pub(crate) key: String,
    pub(crate) part: MemberContent,
    /// The indexes of its elements among those of its type, counted from the first element of the
    /// surrounding part.
    pub(crate) first: usize,
    pub(crate) count: usize,
}

#[derive(Debug)]
pub(crate) enum MemberContent {
    Element {
        row: Row,
        /// The name in the form for the writer.
        written: String,
        reading: Reading,
        writing: Writing,
    },
    Group(Group),
}

/// A choice or a sequence.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) kind: GroupKind,
    pub(crate) optional: bool,
    pub(crate) repeated: bool,
    pub(crate) occurs: Occurs,
    pub(crate) members: Vec<Member>,
}

/// The types that a value may have.
#[derive(Debug)]
pub(crate) struct PossibleTypes<T> {
    pub(crate) types: Vec<T>,
    /// Their names in `xsi:type`.
    pub(crate) names: Vec<&'static str>,
    /// Their names in JSON. Those of several namespaces may share one.
    pub(crate) keys: Vec<&'static str>,
}

/// The declared type, then those that extend it.
pub(crate) type Family = PossibleTypes<Type>;

/// The types of objects.
pub(crate) type Objects = PossibleTypes<TypeAt<'static>>;

fn address<T>(row: &T) -> usize {
    std::ptr::from_ref(row).addr()
}

fn module_of<T>(row: At<'static, T>) -> usize {
    address(row.module().row())
}

impl ServiceLayouts {
    /// Creates the layouts; `None` if the definition has no service. For masked messages, secrets
    /// are texts.
    pub(crate) fn of(described: Described, is_masked: bool) -> Option<&'static Self> {
        let described: &'static Described = Box::leak(Box::new(described));
        let storage: &'static Storage<'static> = Box::leak(Box::default());
        let rows = if is_masked {
            described.masked_rows(storage)
        } else {
            described.rows(storage)
        };
        let service = rows?;
        let mut known = Self {
            service,
            layouts: HashMap::new(),
            families: HashMap::new(),
            objects: HashMap::new(),
            open: HashSet::new(),
            with_attributes: HashSet::new(),
            facets: OnceLock::new(),
        };
        let modules = service.module().with_included();
        known.note_model(described, &modules);
        for module in modules {
            known.add_module(module);
        }
        let mut messages = vec![service.beside(&EMPTY)];
        for operation in service.operations() {
            let all = [
                operation.headers(),
                operation.response_headers(),
                operation.fault_headers(),
            ];
            messages.extend(all.into_iter().flatten().map(At::<_>::fields));
            messages.extend([operation.parameters(), operation.response()]);
        }
        for complex in messages {
            known.add_layout(complex);
        }
        known.families.values_mut().for_each(Family::distinguish);
        Some(Box::leak(Box::new(known)))
    }

    /// Records properties that are not in rows.
    fn note_model(&mut self, described: &Described, modules: &[At<'static, Module<'static>>]) {
        let model = described.model();
        for enumeration in modules.iter().flat_map(|module| module.enumerations()) {
            let mut known = model.enumerations.iter().filter(|known| known.is_open);
            if known.any(|known| {
                known.name.xml == enumeration.name
                    && known.namespace.as_deref() == enumeration.namespace
            }) {
                self.open.insert(address(enumeration.row()));
            }
        }
        let methods = model.service.iter().flat_map(|service| &service.operations);
        for (method, operation) in methods.zip(self.service.operations()) {
            let parts: [(&Option<Headers>, _); 3] = [
                (&method.headers, operation.headers()),
                (&method.response_headers, operation.response_headers()),
                (&method.fault_headers, operation.fault_headers()),
            ];
            for (headers, rows) in parts {
                let (Some(headers), Some(rows)) = (headers, rows) else {
                    continue;
                };
                let elements = headers.complex_type.elements.iter();
                for (element, row) in elements.zip(rows.row().fields.elements) {
                    if element.soap_attributes {
                        self.with_attributes.insert(address(row));
                    }
                }
            }
        }
    }

    fn add_module(&mut self, module: At<'static, Module<'static>>) {
        let visible = module.with_included();
        let place = address(module.row());
        let mut objects = Objects::new();
        let types = visible.iter().flat_map(|module| module.types());
        for complex in types.filter(|complex| !complex.is_abstract) {
            objects.add(TypeAt::Complex(complex), TypeAt::Complex(complex));
            let mut base = complex.base();
            while let Some(of) = base {
                let family = self.families.entry((place, address(of.row())));
                let family = family.or_insert_with(|| {
                    let mut family = Family::new();
                    family.add(of, TypeAt::Complex(of));
                    family
                });
                family.add(complex, TypeAt::Complex(complex));
                base = of.base();
            }
        }
        for enumeration in visible.iter().flat_map(|module| module.enumerations()) {
            let one = TypeAt::Enumeration(enumeration);
            objects.add(one, one);
        }
        objects.distinguish();
        self.objects.insert(place, objects);
        for complex in module.types() {
            self.add_layout(complex);
        }
    }

    fn add_layout(&mut self, complex: Type) {
        let key = address(complex.row());
        self.layouts
            .entry(key)
            .or_insert_with(|| Layout::of(complex));
    }

    pub(crate) fn layout(&self, complex: Type) -> &Layout {
        &self.layouts[&address(complex.row())]
    }

    /// The types that a value of this type may have in the module of the row, if there are others.
    pub(crate) fn family(&self, at: Row, complex: Type) -> Option<&Family> {
        let place = (module_of(at), address(complex.row()));
        self.families.get(&place)
    }

    /// The types that an object may have in the module of the row.
    pub(crate) fn objects(&self, at: Row) -> &Objects {
        &self.objects[&module_of(at)]
    }

    pub(crate) fn is_open(&self, enumeration: At<'static, Enumeration<'static>>) -> bool {
        self.open.contains(&address(enumeration.row()))
    }

    /// The rules from the facets of its rows.
    pub(crate) fn facets(&self) -> &FacetRules {
        self.facets.get_or_init(|| FacetRules::of(self.service))
    }

    pub(crate) fn has_soap_attributes(&self, row: Row) -> bool {
        self.with_attributes.contains(&address(row.row()))
    }
}

/// The members of a SOAP header with the attributes of SOAP.
pub(crate) const SOAP_ATTRIBUTES: [&str; 4] = ["value", "actor", "must_understand", "relay"];

impl<T> PossibleTypes<T> {
    fn new() -> Self {
        Self {
            types: Vec::new(),
            names: Vec::new(),
            keys: Vec::new(),
        }
    }

    fn add(&mut self, one: T, at: TypeAt<'static>) {
        let (namespace, name) = at.qualified_name();
        self.types.push(one);
        self.names.push(leaked(named_in(namespace, name)));
        self.keys.push(name);
    }

    /// Adds the namespaces to the keys of types that share their names.
    fn distinguish(&mut self) {
        let mut counts = HashMap::new();
        for key in &self.keys {
            *counts.entry(*key).or_insert(0) += 1;
        }
        for (key, name) in self.keys.iter_mut().zip(&self.names) {
            if counts[key] > 1 {
                *key = name;
            }
        }
    }

    pub(crate) fn position(&self, key: &str) -> Option<usize> {
        self.keys.iter().position(|known| *known == key)
    }
}

impl Family {
    /// The types that a value may have, with their keys.
    pub(crate) fn concrete(&self) -> impl Iterator<Item = (&'static str, Type)> {
        let types = self.keys.iter().copied().zip(self.types.iter().copied());
        types.filter(|(_, one)| !one.is_abstract)
    }

    pub(crate) fn is_abstract(&self) -> bool {
        self.types[0].is_abstract
    }

    /// The index of the type of a value without `xsi:type`.
    pub(crate) fn first(&self) -> usize {
        usize::from(self.is_abstract())
    }
}

fn leaked(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

impl Layout {
    fn of(complex: Type) -> Self {
        let elements = members(complex, complex.particles());
        let names: HashSet<_> = complex.elements().map(|element| element.name).collect();
        let attributes = complex.attributes().enumerate().map(|(index, row)| {
            let mut key = name_among(row, complex.attributes());
            if key != row.name || names.contains(row.name) {
                key.insert(0, '@');
            }
            let rules = (row.attribute_reading(), row.attribute_writing());
            Member::of(row, key, index, rules)
        });
        Self {
            elements,
            attributes: attributes.collect(),
            text: (complex.text()).map(|row| {
                let rules = (row.text_reading(), row.text_writing());
                Member::of(row, "$text".to_owned(), 0, rules)
            }),
            empty_set: (complex.data_set).map(|_| EmptySet::of(complex.row())),
            initial: OnceLock::new(),
        }
    }

    /// All members, in the order of JSON.
    pub(crate) fn members(&self) -> impl Iterator<Item = &Member> {
        let elements = self.elements.iter();
        elements.chain(&self.text).chain(&self.attributes)
    }
}

impl Member {
    fn of(row: Row, key: String, first: usize, (reading, writing): (Reading, Writing)) -> Self {
        let part = MemberContent::Element {
            row,
            written: written_name(row),
            reading,
            writing,
        };
        Self {
            key,
            part,
            first,
            count: 1,
        }
    }
}

/// The name of an element in the form for the writer: `{NAMESPACE}NAME` if it is not in the
/// namespace of its declaration.
pub(crate) fn written_name(row: Row) -> String {
    named_in(row.form.own_namespace(), row.name)
}

/// The name of an element or attribute beside others. Those of several namespaces may share one.
fn name_among(row: Row, all: impl Iterator<Item = Row>) -> String {
    if all.filter(|other| other.name == row.name).count() > 1 {
        written_name(row)
    } else {
        row.name.to_owned()
    }
}

/// The members of a type, a choice or a sequence.
fn members(complex: Type, particles: impl Iterator<Item = Particle<'static>>) -> Vec<Member> {
    let particles: Vec<_> = particles.collect();
    let elements = || {
        particles.iter().filter_map(|particle| match particle {
            Particle::Element(row) => Some(*row),
            Particle::Group(_) => None,
        })
    };
    let mut first = 0;
    let members = particles.iter().map(|particle| {
        let member = match *particle {
            Particle::Element(row) => {
                let rules = (row.reading(), row.writing());
                Member::of(row, name_among(row, elements()), first, rules)
            }
            Particle::Group(group) => Member {
                key: group.name.to_owned(),
                part: MemberContent::Group(Group {
                    kind: group.kind,
                    optional: group.optional,
                    repeated: group.repeated,
                    occurs: group.occurs,
                    members: members(complex, complex.particles_of(group)),
                }),
                first,
                count: group.end - group.first,
            },
        };
        first += member.count;
        member
    });
    members.collect()
}

impl Group {
    pub(crate) fn is_sequence(&self) -> bool {
        self.kind == GroupKind::Sequence
    }

    /// The member of an element, by its index in the group.
    pub(crate) fn member(&self, index: usize) -> Option<&Member> {
        member(&self.members, index)
    }
}

/// The member of an element by its index.
pub(crate) fn member(members: &[Member], index: usize) -> Option<&Member> {
    members
        .iter()
        .find(|member| (member.first..member.first + member.count).contains(&index))
}

impl Member {
    /// Whether it is a wildcard.
    pub(crate) fn is_wildcard(&self) -> bool {
        matches!(&self.part, MemberContent::Element { row, .. } if row.wildcard.is_some())
    }

    /// Whether its value, as an alternative, differs from that of its element: several elements, or
    /// the whole element of a wildcard.
    pub(crate) fn is_gathered(&self) -> bool {
        match &self.part {
            MemberContent::Group(_) => true,
            MemberContent::Element { reading, .. } => reading.is_gathered(),
        }
    }
}
