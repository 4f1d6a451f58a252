//! The derives of `Eq` and `Hash`: for types whose fields all implement them.

use crate::model::{ComplexType, Element, Model, RustType, SimpleType, TypeRef};

/// The traits that a type derives in addition to those of every type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Derives {
    eq: bool,
    hash: bool,
}

impl Derives {
    const ALL: Self = Self {
        eq: true,
        hash: true,
    };
    pub(super) const NONE: Self = Self {
        eq: false,
        hash: false,
    };

    fn and(self, other: Self) -> Self {
        Self {
            eq: self.eq && other.eq,
            hash: self.hash && other.hash,
        }
    }

    /// The names of all derives.
    pub(super) fn names(self) -> Vec<&'static str> {
        let mut names = vec!["Debug", "Clone", "PartialEq"];
        names.extend(self.eq.then_some("Eq"));
        names.extend((self.eq && self.hash).then_some("Hash"));
        names
    }

    /// The derives that a value permits, if its type contains no other type.
    fn of_value(model: &Model, element: &Element) -> Self {
        match element.type_ref.innermost() {
            // The value may contain a floating-point number.
            TypeRef::Simple(SimpleType::AnyType) => Self::NONE,
            TypeRef::Simple(simple) => match simple.row().rust {
                RustType::Primitive("f32" | "f64") => Self::NONE,
                // The hash of a secret would reveal information about its value.
                _ => Self {
                    eq: true,
                    hash: !element.secret,
                },
            },
            TypeRef::Enumeration(id) if model.enumerations[id.0].rust_type.is_none() => Self::ALL,
            TypeRef::Custom(..) | TypeRef::Enumeration(_) => Self::NONE,
            _ => Self::ALL,
        }
    }
}

/// The derives of the types of a model: structs, then the enums of their families, then those of
/// choices.
pub(super) struct DerivesOfTypes(Vec<Derives>);

impl DerivesOfTypes {
    /// Starts from values whose types contain no other type, and removes from each type the derives
    /// that a contained type lacks, until nothing changes.
    pub(super) fn of(model: &Model) -> Self {
        let types = model.complex_types.len();
        let mut derives = vec![Derives::ALL; 2 * types + model.groups.len()];
        let mut holders = vec![Vec::new(); derives.len()];
        let structs = model.complex_types.iter().enumerate();
        let fields =
            structs.flat_map(|(id, complex)| complex.fields().map(move |field| (id, field)));
        let groups = model.groups.iter().zip(2 * types..);
        let alternatives = groups.flat_map(|(group, id)| {
            let alternatives = group.elements.iter();
            alternatives.map(move |alternative| (id, alternative))
        });
        for (holder, element) in fields.chain(alternatives) {
            derives[holder] = derives[holder].and(Derives::of_value(model, element));
            if let Some(held) = held(model, &element.type_ref) {
                holders[held].push(holder);
            }
        }
        for (id, complex) in model.complex_types.iter().enumerate() {
            if complex.rust_type.is_some() {
                derives[id] = Derives::NONE;
            }
            for member in complex.family.iter().flat_map(|family| &family.members) {
                holders[member.complex_type.0].push(types + id);
            }
        }
        let mut open: Vec<_> = (0..derives.len()).collect();
        while let Some(held) = open.pop() {
            for holder in &holders[held] {
                let left = derives[*holder].and(derives[held]);
                if left != derives[*holder] {
                    derives[*holder] = left;
                    open.push(*holder);
                }
            }
        }
        Self(derives)
    }

    /// The derives of a type with these fields or variants.
    pub(super) fn of_elements<'m>(
        &self,
        model: &Model,
        elements: impl IntoIterator<Item = &'m Element>,
    ) -> Derives {
        let each = elements.into_iter().map(|element| {
            let held = held(model, &element.type_ref).map_or(Derives::ALL, |held| self.0[held]);
            held.and(Derives::of_value(model, element))
        });
        each.fold(Derives::ALL, Derives::and)
    }

    /// The derives of the enum of a type and those that extend it.
    pub(super) fn of_family(&self, base: &ComplexType) -> Derives {
        let members = base.family.iter().flat_map(|family| &family.members);
        let members = members.map(|member| self.0[member.complex_type.0]);
        members.fold(Derives::ALL, Derives::and)
    }
}

/// The index of the type of a value.
fn held(model: &Model, type_ref: &TypeRef) -> Option<usize> {
    let types = model.complex_types.len();
    match type_ref.innermost() {
        TypeRef::Complex(id) if model.complex_types[id.0].family.is_some() => Some(types + id.0),
        TypeRef::Complex(id) => Some(id.0),
        TypeRef::Group(id) => Some(2 * types + id.0),
        _ => None,
    }
}
