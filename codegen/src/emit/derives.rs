//! Which types can be compared in full and hashed: those all of whose fields can be, whatever holds what.

use crate::model::{
    Choice, ChoiceId, ComplexType, ComplexTypeId, Element, Model, RustType, TypeRef,
};

/// What can be derived for a type besides what every type has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Derives {
    eq: bool,
    hash: bool,
}

impl Derives {
    const ALL: Self = Self {
        eq: true,
        hash: true,
    };
    const NONE: Self = Self {
        eq: false,
        hash: false,
    };

    fn and(self, other: Self) -> Self {
        Self {
            eq: self.eq && other.eq,
            hash: self.hash && other.hash,
        }
    }

    /// The names of the derives.
    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        let [eq, hash] = [(self.eq, "Eq"), (self.eq && self.hash, "Hash")];
        [eq, hash]
            .into_iter()
            .filter_map(|(can, name)| can.then_some(name))
    }
}

/// A type that holds others.
#[derive(Clone, Copy)]
enum Node {
    Struct(ComplexTypeId),
    Family(ComplexTypeId),
    Choice(ChoiceId),
}

/// What can be derived for the types of a model.
pub(super) struct DerivesOfTypes {
    structs: Vec<Derives>,
    families: Vec<Derives>,
    choices: Vec<Derives>,
}

impl DerivesOfTypes {
    /// Starts from what fields say that hold no other type, and takes away from each type what one that it holds has not, until nothing changes.
    pub(super) fn of(model: &Model) -> Self {
        let types = model.complex_types.len();
        let mut known = Self {
            structs: vec![Derives::ALL; types],
            families: vec![Derives::ALL; types],
            choices: vec![Derives::ALL; model.choices.len()],
        };
        let structs = (0..types).map(|index| Node::Struct(ComplexTypeId(index)));
        let families = (0..types).map(|index| Node::Family(ComplexTypeId(index)));
        let choices = (0..model.choices.len()).map(|index| Node::Choice(ChoiceId(index)));
        let nodes: Vec<_> = structs.chain(families).chain(choices).collect();
        let place = |node: Node| match node {
            Node::Struct(id) => id.0,
            Node::Family(id) => types + id.0,
            Node::Choice(id) => 2 * types + id.0,
        };
        let mut holders = vec![Vec::new(); nodes.len()];
        for node in &nodes {
            held(model, *node, &mut |held| holders[place(held)].push(*node));
        }
        let mut open = nodes;
        while let Some(node) = open.pop() {
            let before = *known.get(node);
            let now = known.derives(model, node);
            if (before.eq, before.hash) != (now.eq, now.hash) {
                *known.get(node) = now;
                open.extend(&holders[place(node)]);
            }
        }
        known
    }

    /// Of a struct that holds these fields.
    pub(super) fn of_struct(&self, model: &Model, complex: &ComplexType) -> Derives {
        self.of_elements(model, complex.fields())
    }

    /// Of the enum of a choice.
    pub(super) fn of_choice(&self, model: &Model, choice: &Choice) -> Derives {
        self.of_elements(model, choice.alternatives.iter())
    }

    /// Of the enum of a type and those that extend it.
    pub(super) fn of_family(&self, base: &ComplexType) -> Derives {
        let members = base.family.iter().flat_map(|family| &family.members);
        let members = members.map(|member| self.structs[member.complex_type.0]);
        members.fold(Derives::ALL, Derives::and)
    }

    fn get(&mut self, node: Node) -> &mut Derives {
        match node {
            Node::Struct(id) => &mut self.structs[id.0],
            Node::Family(id) => &mut self.families[id.0],
            Node::Choice(id) => &mut self.choices[id.0],
        }
    }

    fn derives(&self, model: &Model, node: Node) -> Derives {
        match node {
            Node::Struct(id) => {
                let complex = &model.complex_types[id.0];
                match complex.rust_type {
                    Some(_) => Derives::NONE,
                    None => self.of_struct(model, complex),
                }
            }
            Node::Family(id) => self.of_family(&model.complex_types[id.0]),
            Node::Choice(id) => self.of_choice(model, &model.choices[id.0]),
        }
    }

    fn of_elements<'m>(
        &self,
        model: &Model,
        elements: impl Iterator<Item = &'m Element>,
    ) -> Derives {
        let derives = elements.map(|element| {
            let derives = self.of_type(model, &element.type_ref);
            // A secret has no hash, which would tell of it.
            match element.secret {
                true => Derives {
                    hash: false,
                    ..derives
                },
                false => derives,
            }
        });
        derives.fold(Derives::ALL, Derives::and)
    }

    fn of_type(&self, model: &Model, type_ref: &TypeRef) -> Derives {
        match type_ref {
            TypeRef::Simple(simple) => match simple.row().rust {
                RustType::Primitive("f32" | "f64") => Derives::NONE,
                _ => Derives::ALL,
            },
            TypeRef::Custom(..) => Derives::NONE,
            TypeRef::Enumeration(id) => match model.enumerations[id.0].rust_type {
                Some(_) => Derives::NONE,
                None => Derives::ALL,
            },
            TypeRef::Complex(id) => match model.complex_types[id.0].family {
                Some(_) => self.families[id.0],
                None => self.structs[id.0],
            },
            TypeRef::Choice(id) => self.choices[id.0],
            TypeRef::List(list) => self.of_type(model, &list.item_type),
        }
    }
}

/// Gives the types to `take` that a type holds.
fn held(model: &Model, node: Node, take: &mut dyn FnMut(Node)) {
    let mut elements = |elements: &mut dyn Iterator<Item = &Element>| {
        for element in elements {
            let mut type_ref = &element.type_ref;
            while let TypeRef::List(list) = type_ref {
                type_ref = &list.item_type;
            }
            match type_ref {
                TypeRef::Complex(id) => take(match model.complex_types[id.0].family {
                    Some(_) => Node::Family(*id),
                    None => Node::Struct(*id),
                }),
                TypeRef::Choice(id) => take(Node::Choice(*id)),
                _ => {}
            }
        }
    };
    match node {
        Node::Struct(id) => elements(&mut model.complex_types[id.0].fields()),
        Node::Choice(id) => elements(&mut model.choices[id.0].alternatives.iter()),
        Node::Family(id) => {
            let members = model.complex_types[id.0].family.iter();
            let members = members.flat_map(|family| &family.members);
            members.for_each(|member| take(Node::Struct(member.complex_type)));
        }
    }
}
