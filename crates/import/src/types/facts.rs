//! Facts about types that are derived from all schemas together.

use std::collections::{HashMap, HashSet};

use svcgen_model::SimpleType;
use svcgen_wsdl::schema::{
    Complex, Content, Derivation, Element, Kind, Particle, Schemas, Term, TypeId, TypeRef,
};

/// Facts about types that are derived from all schemas together.
#[derive(Debug)]
pub(super) struct Facts<'s> {
    by_value: HashSet<TypeId>,
    /// The types of elements.
    used: HashSet<TypeId>,
    /// See [`endless`].
    endless: Vec<bool>,
    /// The numbers of elements of a namespace's types that are in the namespace, and that are in
    /// none.
    forms: HashMap<&'s str, [usize; 2]>,
}

/// The ways in which elements of a type may be absent.
#[derive(Debug, Default)]
struct Uses {
    required: bool,
    omitted: bool,
    nil: bool,
    either: bool,
    /// Whether items of lists may be nil.
    nil_items: bool,
}

/// The numbers of qualified and unqualified elements for each namespace.
fn forms<'s>(schemas: &Schemas<'s>) -> HashMap<&'s str, [usize; 2]> {
    let mut forms: HashMap<&'s str, [usize; 2]> = HashMap::new();
    let named = schemas
        .types
        .iter()
        .filter_map(|one| Some((one.name?.namespace, one)));
    let wrappers = schemas.elements.values().filter_map(|element| {
        let TypeRef::Declared(id) = element.type_ref else {
            return None;
        };
        let one = schemas.get(id);
        one.name.is_none().then_some((element.name.namespace, one))
    });
    for (namespace, one) in named.chain(wrappers) {
        let Kind::Complex(complex) = &one.kind else {
            continue;
        };
        each_element(complex, &mut |element, _| {
            let counts = forms.entry(namespace).or_default();
            if element.name.namespace.is_empty() {
                counts[1] += 1;
            } else if element.name.namespace == namespace && !element.is_reference {
                counts[0] += 1;
            }
        });
    }
    forms
}

impl<'s> Facts<'s> {
    /// Collects the facts; `is_asmx` states whether ASMX wrote the schemas.
    pub fn of(schemas: &Schemas<'s>, is_asmx: bool) -> Self {
        let mut uses: HashMap<TypeId, Uses> = HashMap::new();
        let mut is_text_required = false;
        for one in &schemas.types {
            let Kind::Complex(complex) = &one.kind else {
                continue;
            };
            each_element(complex, &mut |element, particle| {
                if particle.max != Some(1) {
                    if let TypeRef::Declared(id) = element.type_ref {
                        uses.entry(id).or_default().nil_items |= element.is_nillable;
                    }
                    return;
                }
                match element.type_ref {
                    TypeRef::Builtin("string") if !element.is_nillable => {
                        is_text_required |= particle.min > 0 && element.default.is_none();
                    }
                    TypeRef::Declared(id) => {
                        let uses = uses.entry(id).or_default();
                        match (particle.min, element.is_nillable) {
                            (0, false) => uses.omitted = true,
                            (0, true) => uses.either = true,
                            // Several places may refer to one element, which looks the same in all
                            // of them.
                            (_, false) => uses.required |= !element.is_reference,
                            (_, true) => uses.nil = true,
                        }
                    }
                    _ => {}
                }
            });
        }
        // ASMX requires values of C# structs, and no other values that may be null. Elsewhere
        // `required` implies nothing about the type of an element.
        let is_asmx = is_asmx && !is_text_required;
        let by_value = uses.into_iter().filter(|(_, uses)| {
            if is_asmx {
                // A struct that may be left out has a separate `Specified` field.
                return !uses.nil_items && (uses.required || (uses.nil && !uses.omitted));
            }
            uses.nil && !uses.omitted && !uses.either
        });
        let by_value = by_value.map(|(id, _)| id);
        let hinted = (0..).zip(&schemas.types).filter(|(_, one)| {
            let mut hints = one.hints.iter();
            hints.any(|(name, text)| name.local == "IsValueType" && *text == "true")
        });
        let hinted = hinted.map(|(number, _)| TypeId(number));
        let by_value = by_value.chain(hinted).collect();
        let used = each_use(schemas).collect();
        Self {
            by_value,
            used,
            endless: endless(schemas),
            forms: forms(schemas),
        }
    }

    /// Whether a type is directly the type of an element.
    pub fn is_used(&self, id: TypeId) -> bool {
        self.used.contains(&id)
    }

    /// Whether a complex type seems to be a struct of .NET.
    pub fn is_by_value(&self, id: TypeId) -> bool {
        self.by_value.contains(&id)
    }

    /// Whether `holder` always contains a value of `held` in a cycle, so that no value would be
    /// finite.
    pub fn is_endless(&self, holder: TypeId, held: TypeId) -> bool {
        let types = self.endless.len() / 2;
        self.endless[holder.0 as usize] && self.endless[types + held.0 as usize]
    }

    /// Whether most elements that types of a namespace declare are in it.
    pub fn is_qualified(&self, namespace: &str) -> bool {
        let forms = self.forms.get(namespace);
        namespace.is_empty() || forms.is_none_or(|[qualified, none]| qualified >= none)
    }
}

/// The types of all elements.
fn each_use(schemas: &Schemas<'_>) -> impl Iterator<Item = TypeId> {
    let mut uses = Vec::new();
    let mut add = |element: &Element<'_>| {
        if let TypeRef::Declared(id) = element.type_ref {
            uses.push(id);
        }
    };
    schemas.elements.values().for_each(&mut add);
    for one in &schemas.types {
        if let Kind::Complex(complex) = &one.kind {
            each_element(complex, &mut |element, _| add(element));
        }
    }
    uses.into_iter()
}

/// The cycles of required content: the content of types, then the values of elements of these
/// types. Nodes that require no remaining node are removed repeatedly, and then those that no
/// remaining node requires; the rest could only have infinite values.
fn endless(schemas: &Schemas<'_>) -> Vec<bool> {
    let types = schemas.types.len();
    let mut held: Vec<Vec<usize>> = vec![Vec::new(); 2 * types];
    for (id, one) in (0_u32..).zip(&schemas.types) {
        let Kind::Complex(complex) = &one.kind else {
            continue;
        };
        let number = id as usize;
        if let Derivation::Extension(TypeRef::Declared(base)) = complex.derivation {
            held[number].push(base.0 as usize);
        }
        if let Content::Elements(particle) = &complex.content {
            always(particle, types, &mut held[number]);
        }
        if complex.is_abstract {
            let derived = schemas.derived(TypeId(id)).iter();
            held[types + number].extend(derived.map(|derived| types + derived.0 as usize));
        } else {
            held[types + number].push(number);
        }
    }
    let mut holders = vec![Vec::new(); held.len()];
    for (holder, ids) in held.iter().enumerate() {
        for id in ids {
            holders[*id].push(holder);
        }
    }
    let mut is_left = vec![true; held.len()];
    for (forth, back) in [(&held, &holders), (&holders, &held)] {
        let mut counts: Vec<_> = (0..held.len())
            .map(|id| forth[id].iter().filter(|other| is_left[**other]).count())
            .collect();
        let mut open: Vec<_> = (0..held.len())
            .filter(|id| is_left[*id] && counts[*id] == 0)
            .collect();
        while let Some(id) = open.pop() {
            is_left[id] = false;
            for other in back[id].iter().filter(|other| is_left[**other]) {
                counts[*other] -= 1;
                if counts[*other] == 0 {
                    open.push(*other);
                }
            }
        }
    }
    is_left
}

/// Adds the values of the elements that are always present.
fn always(particle: &Particle<'_>, types: usize, ids: &mut Vec<usize>) {
    if particle.min == 0 || particle.max != Some(1) {
        return;
    }
    match &particle.term {
        Term::Element(element) if !element.is_nillable => {
            if let TypeRef::Declared(id) = element.type_ref {
                ids.push(types + id.0 as usize);
            }
        }
        Term::Sequence(all) | Term::All(all) => {
            all.iter().for_each(|one| always(one, types, ids));
        }
        _ => {}
    }
}

/// The type of the language for a type of XML Schema or of the SOAP encoding; `None` for
/// `anySimpleType` and for arrays.
pub(super) fn builtin(local: &str) -> Option<SimpleType> {
    match local {
        "anyType" | "Struct" => Some(SimpleType::AnyType),
        // The schema of a set of tables, where nothing else identifies it as one.
        "schema" => Some(SimpleType::Any),
        _ => SimpleType::of_name(local),
    }
}

/// Calls a function for each element of a type's own content.
pub(super) fn each_element<'c, 's>(
    complex: &'c Complex<'s>,
    function: &mut dyn FnMut(&'c Element<'s>, &'c Particle<'s>),
) {
    let Content::Elements(particle) = &complex.content else {
        return;
    };
    let mut open = vec![particle];
    while let Some(particle) = open.pop() {
        match &particle.term {
            Term::Element(element) => function(element, particle),
            Term::Sequence(all) | Term::Choice(all) | Term::All(all) => {
                open.extend(all.iter().rev());
            }
            Term::Any(_) => {}
        }
    }
}
