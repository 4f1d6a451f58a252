//! The relations between components that matter for messages, in one place for all users.

use std::collections::{HashMap, HashSet};

use super::{
    Complex, Content, Derivation, Element, EncodedArray, Kind, Name, Schemas, Type, TypeId, TypeRef,
};

impl<'s> Schemas<'s> {
    /// The complex type that a type extends or restricts.
    pub fn base(&self, complex: &Complex<'s>) -> Option<(TypeId, &Complex<'s>)> {
        let (Derivation::Extension(TypeRef::Declared(id))
        | Derivation::Restriction(TypeRef::Declared(id))) = complex.derivation
        else {
            return None;
        };
        match &self.get(id).kind {
            Kind::Complex(base) => Some((id, base)),
            Kind::Simple(_) => None,
        }
    }

    /// The items and bounds of an array of the SOAP encoding; `None` for other types.
    pub fn array(&self, type_ref: TypeRef<'s>) -> Option<EncodedArray<'s>> {
        match type_ref {
            TypeRef::Builtin("Array") => Some(EncodedArray::ANY),
            TypeRef::Declared(id) => match &self.get(id).kind {
                Kind::Complex(Complex {
                    content: Content::EncodedArray(array),
                    ..
                }) => Some(*array),
                _ => None,
            },
            _ => None,
        }
    }

    /// The types that extend or restrict a complex type in a single step, in the order of the
    /// documents.
    pub fn derived(&self, id: TypeId) -> &[TypeId] {
        self.derived.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The elements that may substitute another one, without itself, each before its own
    /// substitutes.
    pub fn substitutes(&self, head: Name<'s>) -> Vec<&Element<'s>> {
        let mut found = Vec::new();
        let mut seen = HashSet::from([head]);
        let members = |name| self.substitutions.get(&name).into_iter().flatten().rev();
        let mut open: Vec<_> = members(head).collect();
        while let Some(name) = open.pop() {
            if seen.insert(*name) {
                found.extend(self.elements.get(name));
                open.extend(members(*name));
            }
        }
        found
    }
}

/// The types that are derived from each complex type.
pub(super) fn derived(types: &[Type<'_>]) -> HashMap<TypeId, Vec<TypeId>> {
    let mut derived: HashMap<_, Vec<_>> = HashMap::new();
    for (number, one) in (0..).zip(types) {
        if let Kind::Complex(complex) = &one.kind
            && let Derivation::Extension(TypeRef::Declared(base))
            | Derivation::Restriction(TypeRef::Declared(base)) = complex.derivation
        {
            derived.entry(base).or_default().push(TypeId(number));
        }
    }
    derived
}
