//! What the names of types stand for, with what they inherit.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::iter::successors;

use crate::description::{Description, Header, Operation, TypeDefinition};
use crate::schema::{ComplexType, Content, Element};

/// The types of a description, by name.
#[derive(Debug)]
pub struct Types<'a> {
    definitions: HashMap<&'a str, TypeDefinition<'a>>,
    complex: &'a [ComplexType<'a>],
    /// Where the types that extend a type stand among all.
    derived: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Types<'a> {
    /// Looks the types of a description up.
    pub fn of(description: &Description<'a>) -> Self {
        let mut derived: HashMap<_, Vec<_>> = HashMap::new();
        for (index, complex) in description.types.iter().enumerate() {
            if let Some(base) = complex.extends {
                derived.entry(base).or_default().push(index);
            }
        }
        Self {
            definitions: description.definitions(),
            complex: description.types,
            derived,
        }
    }

    /// What a name stands for; nothing if it is that of a simple type.
    pub fn find(&self, name: &str) -> Option<TypeDefinition<'a>> {
        self.definitions.get(name).copied()
    }

    fn base(&self, complex: &ComplexType<'a>) -> Option<&'a ComplexType<'a>> {
        match self.find(complex.extends?) {
            Some(TypeDefinition::Complex(base)) => Some(base),
            _ => None,
        }
    }

    /// The type itself, then what it extends, and so on.
    fn ancestry(
        &self,
        complex: &'a ComplexType<'a>,
    ) -> impl DoubleEndedIterator<Item = &'a ComplexType<'a>> + use<'a> {
        let line: Vec<_> = successors(Some(complex), |complex| self.base(complex))
            .take(self.complex.len())
            .collect();
        line.into_iter()
    }

    /// Its attributes, inherited ones first.
    pub fn attributes(
        &self,
        complex: &'a ComplexType<'a>,
    ) -> impl Iterator<Item = &'a Element<'a>> + use<'a> {
        let line = self.ancestry(complex).rev();
        line.flat_map(|complex| complex.attributes)
    }

    /// Its elements, inherited ones first.
    pub fn elements(
        &self,
        complex: &'a ComplexType<'a>,
    ) -> impl Iterator<Item = &'a Element<'a>> + use<'a> {
        let line = self.ancestry(complex).rev();
        line.flat_map(|complex| complex.elements)
    }

    /// The text that stands in it instead of elements, its own or inherited.
    pub fn text(&self, complex: &'a ComplexType<'a>) -> Option<&'a Element<'a>> {
        self.ancestry(complex)
            .find_map(|complex| complex.text.as_ref())
    }

    /// The types whose values may stand where this one is asked for: itself first, unless it is abstract, then those that extend it.
    pub fn members(&self, complex: &'a ComplexType<'a>) -> Vec<&'a ComplexType<'a>> {
        let mut below = BTreeSet::new();
        let mut open = vec![complex.name];
        while let Some(name) = open.pop() {
            for &index in self.derived.get(name).into_iter().flatten() {
                if below.insert(index) {
                    open.push(self.complex[index].name);
                }
            }
        }
        let derived = below.into_iter().map(|index| &self.complex[index]);
        std::iter::once(complex)
            .chain(derived.filter(|derived| derived.name != complex.name))
            .filter(|member| !member.is_abstract)
            .collect()
    }
}

/// The elements that stand in the messages of an operation: parameters, result, headers and details of faults.
pub(crate) fn elements_of<'a>(
    description: &Description<'a>,
    operation: &'a Operation<'a>,
) -> Vec<&'a Element<'a>> {
    let headers = operation.headers.iter().chain(operation.response_headers);
    let headers = headers.filter_map(|header| header_element(description, header));
    let faults = description.faults.iter();
    let faults = faults.filter(|fault| operation.faults.contains(&fault.name));
    let result = operation.result.iter();
    (operation.parameters.iter().chain(headers))
        .chain(result)
        .chain(faults)
        .collect()
}

/// The element of a header.
pub(crate) fn header_element<'a>(
    description: &Description<'a>,
    header: &Header<'_>,
) -> Option<&'a Element<'a>> {
    let mut headers = description.headers.iter();
    headers.find(|element| element.name == header.name)
}

/// What [`Types::reach`] comes by, in the order in which it comes up.
#[derive(Debug, Default)]
pub struct Reach<'a> {
    /// Elements, attributes and texts.
    pub elements: Vec<&'a Element<'a>>,
    /// Types and enumerations, each once.
    pub definitions: Vec<TypeDefinition<'a>>,
}

enum Step<'a> {
    Element(&'a Element<'a>),
    Type(&'a str),
}

impl<'a> Types<'a> {
    /// Everything that values of these elements may hold: the elements themselves and those of their types, and the types, each once.
    pub fn reach(&self, elements: impl IntoIterator<Item = &'a Element<'a>>) -> Reach<'a> {
        let mut reach = Reach::default();
        let mut names = HashSet::new();
        let mut open: Vec<_> = elements.into_iter().map(Step::Element).collect();
        open.reverse();
        while let Some(step) = open.pop() {
            let from = open.len();
            match step {
                Step::Element(element) => {
                    reach.elements.push(element);
                    open.extend(inside(element));
                }
                Step::Type(name) if names.insert(name) => {
                    let definition = self.find(name);
                    reach.definitions.extend(definition);
                    if let Some(TypeDefinition::Complex(complex)) = definition {
                        open.extend(self.steps_from(complex));
                    }
                }
                Step::Type(_) => {}
            }
            open[from..].reverse();
        }
        reach
    }

    fn steps_from(&self, complex: &'a ComplexType<'a>) -> Vec<Step<'a>> {
        let base = complex.extends.into_iter().map(Step::Type);
        let own = (complex.attributes.iter().chain(&complex.text)).chain(complex.elements);
        let members = self.members(complex).into_iter();
        base.chain(own.map(Step::Element))
            .chain(members.map(|member| Step::Type(member.name)))
            .collect()
    }
}

fn inside<'a>(element: &'a Element<'a>) -> Vec<Step<'a>> {
    match element.content {
        Content::Type(name) => vec![Step::Type(name)],
        Content::List(item) => vec![Step::Element(item)],
        Content::Choice(alternatives) => alternatives.iter().map(Step::Element).collect(),
    }
}
