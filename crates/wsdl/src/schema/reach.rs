//! The components that messages reach: a missing one is reported only if it is among them.

use std::collections::HashSet;

use super::{
    Content, Derivation, Element, EncodedArray, Kind, Missing, Name, Particle, Schemas, Term,
    TypeId, TypeRef, Variety,
};
use crate::names::{is_soap_encoding, is_xml_schema};
use crate::report::Report;
use crate::rules::Rule;

impl<'s> Schemas<'s> {
    /// Reports the names that are not declared, but that types and elements reach by reference,
    /// derivation or substitution.
    pub(crate) fn report_missing(
        &self,
        types: impl Iterator<Item = TypeRef<'s>>,
        elements: impl Iterator<Item = Name<'s>>,
        report: &Report<'s>,
    ) {
        if self.missing.is_empty() {
            return;
        }
        let mut reached = Reached::of(self);
        types.for_each(|one| reached.type_ref(one));
        for element in elements.filter_map(|name| self.elements.get(&name)) {
            reached.element(element);
        }
        reached.follow();
        let namespaces: HashSet<_> = self.namespaces.iter().copied().collect();
        let is_reached = |one: &&Missing<'s>| reached.missing.contains(&one.name);
        for missing in self.missing.iter().filter(is_reached) {
            missing.report(&namespaces, report);
        }
    }
}

impl<'s> Missing<'s> {
    /// Reports the missing name, given the namespaces for which schemas are loaded.
    pub(super) fn report(&self, namespaces: &HashSet<&'s str>, report: &Report<'s>) {
        let noun = self.symbol.noun();
        let Name { namespace, local } = self.name;
        let mut message = format!("{noun} `{local}` is not declared");
        if self.count > 1 {
            message += &format!(", to which {} places refer", self.count);
        }
        let hint = if is_xml_schema(namespace) || is_soap_encoding(namespace) {
            format!("`{namespace}` has no such {noun}")
        } else if namespace.is_empty() {
            "it has no prefix, and there is no default namespace".to_owned()
        } else if namespaces.contains(namespace) {
            format!("the schemas of `{namespace}` have no such {noun}")
        } else {
            format!("no schema of `{namespace}` is loaded: give its file, too")
        };
        report.add(Rule::WsdlReference, self.place, message, Some(&hint));
    }
}

struct Reached<'m, 's> {
    schemas: &'m Schemas<'s>,
    open: Vec<TypeId>,
    seen: HashSet<TypeId>,
    /// The heads of substitution groups whose members are reached.
    heads: HashSet<Name<'s>>,
    /// Whether values may have any type.
    has_any: bool,
    missing: HashSet<Name<'s>>,
}

impl<'m, 's> Reached<'m, 's> {
    fn of(schemas: &'m Schemas<'s>) -> Self {
        Self {
            schemas,
            open: Vec::new(),
            seen: HashSet::new(),
            heads: HashSet::new(),
            has_any: false,
            missing: HashSet::new(),
        }
    }

    fn follow(&mut self) {
        while let Some(id) = self.open.pop() {
            self.open_type(id);
        }
    }

    fn type_ref(&mut self, type_ref: TypeRef<'s>) {
        match type_ref {
            TypeRef::Declared(id) => {
                if self.seen.insert(id) {
                    self.open.push(id);
                }
            }
            TypeRef::Missing(name) => _ = self.missing.insert(name),
            TypeRef::Builtin("anyType" | "Array") if !self.has_any => {
                self.has_any = true;
                let named = self.schemas.named.values();
                named.for_each(|id| self.type_ref(TypeRef::Declared(*id)));
            }
            TypeRef::Builtin(_) => {}
        }
    }

    fn element(&mut self, element: &Element<'s>) {
        self.type_ref(element.type_ref);
        if self.heads.insert(element.name) {
            let members = self.schemas.substitutes(element.name);
            members.iter().for_each(|one| self.type_ref(one.type_ref));
        }
    }

    fn open_type(&mut self, id: TypeId) {
        let schemas = self.schemas;
        match &schemas.get(id).kind {
            Kind::Simple(simple) => match &simple.variety {
                Variety::Restriction(one) | Variety::List(one) => self.type_ref(*one),
                Variety::Union(members) => members.iter().for_each(|one| self.type_ref(*one)),
            },
            Kind::Complex(complex) => {
                match complex.derivation {
                    Derivation::Extension(base) | Derivation::Restriction(base) => {
                        self.type_ref(base);
                    }
                    Derivation::None => {}
                }
                let attributes = complex.attributes.iter();
                attributes.for_each(|attribute| self.type_ref(attribute.type_ref));
                match &complex.content {
                    Content::Empty => {}
                    Content::Simple(one)
                    | Content::EncodedArray(EncodedArray { item: one, .. }) => {
                        self.type_ref(*one);
                    }
                    Content::Elements(particle) => self.particle(particle),
                }
                let derived = schemas.derived(id).iter();
                derived.for_each(|one| self.type_ref(TypeRef::Declared(*one)));
            }
        }
    }

    fn particle(&mut self, particle: &Particle<'s>) {
        match &particle.term {
            Term::Element(element) => self.element(element),
            Term::Sequence(within) | Term::Choice(within) | Term::All(within) => {
                within.iter().for_each(|one| self.particle(one));
            }
            Term::Any(_) => {}
        }
    }
}
