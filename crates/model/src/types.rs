//! The types of a service.

use std::collections::{HashMap, HashSet};
use std::iter::{once, successors};

use crate::{
    At, ComplexType, Element, Headers, Module, Operation, Service, SimpleType, TypeAt, TypeRef,
};

/// The types of a service: all types of its module, then the types of included modules that its
/// messages or its own types refer to.
#[derive(Debug)]
pub struct Types<'m> {
    /// Complex types, then enumerations.
    definitions: Vec<TypeAt<'m>>,
    /// The types derived from a type, directly or not, by its name and namespace.
    derived: HashMap<(Option<&'m str>, &'m str), Vec<At<'m, ComplexType<'m>>>>,
}

impl<'m> Types<'m> {
    /// Collects the types of a service.
    pub fn of(service: At<'m, Service<'m>>) -> Self {
        let modules = service.module().with_included().into_iter();
        let mut all: Vec<_> = modules.flat_map(definitions_of).collect();
        all.sort_by_key(|definition| matches!(definition, TypeAt::Enumeration(_)));
        let mut all = Self::new(all);

        let own = definitions_of(service.module()).map(Step::Type);
        let operations = service.operations();
        let messages = operations.flat_map(|operation| elements_of(service, operation));
        let steps = own.chain(messages.map(Step::Element));
        let reached = all.follow(steps.collect()).definitions.into_iter();
        let reached: HashSet<_> = reached.map(TypeAt::qualified_name).collect();
        all.definitions
            .retain(|definition| reached.contains(&definition.qualified_name()));
        Self::new(all.definitions)
    }

    fn new(definitions: Vec<TypeAt<'m>>) -> Self {
        let mut derived: HashMap<_, Vec<_>> = HashMap::new();
        for definition in &definitions {
            if let TypeAt::Complex(extending) = definition {
                for base in successors(extending.base(), |base| base.base()) {
                    let name = TypeAt::Complex(base).qualified_name();
                    derived.entry(name).or_default().push(*extending);
                }
            }
        }
        Self {
            definitions,
            derived,
        }
    }

    /// Complex types and enumerations.
    pub fn definitions(&self) -> impl Iterator<Item = TypeAt<'m>> {
        self.definitions.iter().copied()
    }

    /// Returns the types derived from a type, directly or not.
    pub fn derived(
        &self,
        complex: At<'m, ComplexType<'m>>,
    ) -> impl Iterator<Item = At<'m, ComplexType<'m>>> {
        let derived = self.derived.get(&TypeAt::Complex(complex).qualified_name());
        derived.into_iter().flatten().copied()
    }

    /// Returns the types that a value of the declared type may have: the type itself, unless it is
    /// abstract, then those derived from it.
    pub fn members(
        &self,
        complex: At<'m, ComplexType<'m>>,
    ) -> impl Iterator<Item = At<'m, ComplexType<'m>>> {
        let all = once(complex).chain(self.derived(complex));
        all.filter(|member| !member.is_abstract)
    }

    /// Everything that values of these elements can contain: elements and types, transitively,
    /// starting with the elements themselves.
    pub fn reach(&self, elements: impl IntoIterator<Item = At<'m, Element<'m>>>) -> Reach<'m> {
        self.follow(elements.into_iter().map(Step::Element).collect())
    }

    fn follow(&self, mut open: Vec<Step<'m>>) -> Reach<'m> {
        let mut reach = Reach::default();
        let mut names = HashSet::new();
        let mut knowing = Vec::new();
        open.reverse();
        while let Some(step) = open.pop() {
            match step {
                Step::Element(element) => {
                    reach.elements.push(element);
                    let is_object = element.type_ref == TypeRef::Simple(SimpleType::AnyType);
                    if is_object && !knowing.contains(&element.module()) {
                        knowing.push(element.module());
                        // The value may have any type that its file can refer to.
                        let modules = element.module().with_included().into_iter();
                        let known = modules.flat_map(definitions_of).filter(
                            |one| !matches!(one, TypeAt::Complex(complex) if complex.is_abstract),
                        );
                        open.extend(known.map(Step::Type));
                    }
                    open.extend(element.union().map(|member| Step::Type(member.type_at())));
                    open.push(Step::Type(element.type_at()));
                }
                Step::Type(TypeAt::Simple(_)) => {}
                Step::Type(TypeAt::List(item) | TypeAt::Dictionary(item)) => {
                    open.push(Step::Element(item));
                }
                Step::Type(definition) if !names.insert(definition.qualified_name()) => {}
                Step::Type(definition) => {
                    reach.definitions.push(definition);
                    if let TypeAt::Complex(complex) = definition {
                        let from = open.len();
                        open.extend(self.steps_from(complex));
                        open[from..].reverse();
                    }
                }
            }
        }
        reach
    }

    fn steps_from(&self, complex: At<'m, ComplexType<'m>>) -> impl Iterator<Item = Step<'m>> {
        let base = complex.base().into_iter();
        let parts = (complex.attributes().chain(complex.text())).chain(complex.elements());
        let members = self.members(complex);
        let step = |complex| Step::Type(TypeAt::Complex(complex));
        (base.map(step))
            .chain(parts.map(Step::Element))
            .chain(members.map(step))
    }
}

/// The complex types and enumerations of a module itself.
fn definitions_of<'m>(module: At<'m, Module<'m>>) -> impl Iterator<Item = TypeAt<'m>> {
    let complex = module.types().map(TypeAt::Complex);
    complex.chain(module.enumerations().map(TypeAt::Enumeration))
}

/// The result of [`Types::reach`], in depth-first order.
#[derive(Debug, Default)]
pub struct Reach<'m> {
    /// Elements, attributes and texts.
    pub elements: Vec<At<'m, Element<'m>>>,
    /// Complex types and enumerations, each once.
    pub definitions: Vec<TypeAt<'m>>,
}

enum Step<'m> {
    Element(At<'m, Element<'m>>),
    Type(TypeAt<'m>),
}

/// Returns the elements in the messages of an operation: parameters, headers, result and fault
/// details.
pub fn elements_of<'m>(
    service: At<'m, Service<'m>>,
    operation: At<'m, Operation<'m>>,
) -> Vec<At<'m, Element<'m>>> {
    let headers = header_elements(operation);
    let mut faults = operation.faults.to_vec();
    faults.sort_unstable();
    faults.dedup();
    let faults = faults.into_iter();
    let faults = faults.filter_map(|index| service.row().faults.get(index..=index));
    (operation.parameters().elements().chain(headers))
        .chain(operation.results())
        .chain(faults.flat_map(|fault| service.each(fault)))
        .collect()
}

/// Returns the headers of an operation: of requests, then of responses, then of faults.
pub fn header_elements<'m>(
    operation: At<'m, Operation<'m>>,
) -> impl Iterator<Item = At<'m, Element<'m>>> {
    let headers = [
        operation.headers(),
        operation.response_headers(),
        operation.fault_headers(),
    ];
    let headers = headers.into_iter().flatten().map(At::<Headers<'_>>::fields);
    headers.flat_map(At::<ComplexType<'_>>::elements)
}

#[cfg(test)]
mod tests {
    use crate::SimpleType::Int;
    use crate::TypeRef::{Complex, Enumeration as Enum, Simple};
    use crate::{TypeId, complex_type, element, enumeration, operation, value};

    use super::*;

    static DEEPER: Module<'static> = Module::new(
        &[complex_type("Deep", &[element("N", Simple(Int))])],
        &[enumeration("Unused", &[value("A")])],
    );
    static SHARED: Module<'static> = Module::new(
        &[
            complex_type("Unreached", &[]),
            complex_type(
                "Animal",
                &[element("Deep", Complex(TypeId::included(1, 0)))],
            )
            .abstract_type(),
            complex_type(
                "Cat",
                &[
                    element("Deep", Complex(TypeId::included(1, 0))),
                    element("Tone", Enum(TypeId::own(0))),
                ],
            )
            .extends(TypeId::own(1)),
        ],
        &[enumeration("Tone", &[value("Plain")])],
    )
    .with_includes(&[&DEEPER]);
    static OWN: Module<'static> = Module::new(&[complex_type("Own", &[])], &[])
        .with_includes(&[&DEEPER, &SHARED])
        .with_service(Service::new(
            "Zoo",
            "urn:zoo",
            "/Zoo.asmx",
            &[operation(
                "Feed",
                "urn:zoo/Feed",
                complex_type("Feed", &[element("who", Complex(TypeId::included(2, 1)))]),
                "FeedResponse",
            )],
        ));

    fn names<'m>(types: impl IntoIterator<Item = TypeAt<'m>>) -> Vec<&'m str> {
        types.into_iter().map(TypeAt::name).collect()
    }

    #[test]
    fn own_types_come_first_and_included_ones_if_reached() {
        let service = At::service(&OWN, None).unwrap();
        let types = Types::of(service);
        assert_eq!(
            names(types.definitions()),
            ["Own", "Deep", "Animal", "Cat", "Tone"]
        );
        let feed = service.operations().next().unwrap();
        let reach = types.reach(elements_of(service, feed));
        assert_eq!(names(reach.definitions), ["Animal", "Deep", "Cat", "Tone"]);
    }

    #[test]
    fn an_abstract_type_is_no_member_of_its_family() {
        let service = At::service(&OWN, None).unwrap();
        let who = service.operations().next().unwrap().parameters().elements();
        let TypeAt::Complex(animal) = who.last().unwrap().type_at() else {
            panic!("`Animal` is complex");
        };
        let types = Types::of(service);
        let members = types.members(animal);
        assert_eq!(
            members.map(|member| member.name).collect::<Vec<_>>(),
            ["Cat"]
        );
    }
}
