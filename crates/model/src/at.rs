//! Rows together with their module, in which their references are resolved.

use std::iter::{once, successors};
use std::ops::{Deref, Range};

use crate::rows::{
    ComplexType, Documentation, Element, ElementForm, Enumeration, Group, GroupKind, Headers,
    Module, Occurs, Operation, Service, Style, TypeId, TypeRef, Value,
};
use crate::{Binding, SimpleType};

/// A row with its module and the documentation of that module.
#[derive(Debug)]
pub struct At<'m, T> {
    row: &'m T,
    module: &'m Module<'m>,
    documentation: Option<&'m Documentation<'m>>,
}

impl<T> Clone for At<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for At<'_, T> {}

impl<T> Deref for At<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.row
    }
}

/// Compares the identity of rows, not their content.
impl<T> PartialEq for At<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.row, other.row)
    }
}

impl<T> Eq for At<'_, T> {}

impl<'m, T> At<'m, T> {
    /// Returns the row, with the lifetime of its module.
    pub fn row(self) -> &'m T {
        self.row
    }

    /// Adds the module to another of its rows.
    pub fn beside<U>(self, row: &'m U) -> At<'m, U> {
        At {
            row,
            module: self.module,
            documentation: self.documentation,
        }
    }

    /// Adds the module to several of its rows.
    pub fn each<U>(
        self,
        rows: &'m [U],
    ) -> impl DoubleEndedIterator<Item = At<'m, U>> + ExactSizeIterator + use<'m, T, U> {
        rows.iter().map(move |row| self.beside(row))
    }

    /// Whether the documentation of the module is available.
    pub fn is_documented(self) -> bool {
        self.documentation.is_some()
    }

    fn beside_any<U>(self, row: Option<&'m U>) -> Option<At<'m, U>> {
        row.map(|row| self.beside(row))
    }

    /// Returns the module.
    pub fn module(self) -> At<'m, Module<'m>> {
        self.beside(self.module)
    }

    fn words(self, number: u32) -> Option<&'m str> {
        let index = (number as usize).checked_sub(1)?;
        self.documentation?.texts.get(index).copied()
    }

    fn scope(self, id: TypeId) -> At<'m, Module<'m>> {
        match id.module.checked_sub(1) {
            None => self.module(),
            Some(index) => self.module().included(index),
        }
    }

    fn complex(self, id: TypeId) -> At<'m, ComplexType<'m>> {
        let scope = self.scope(id);
        scope.beside(&scope.module.types[id.index])
    }

    fn enumeration(self, id: TypeId) -> At<'m, Enumeration<'m>> {
        let scope = self.scope(id);
        scope.beside(&scope.module.enumerations[id.index])
    }

    fn resolved(self, type_ref: TypeRef<'m>) -> TypeAt<'m> {
        match type_ref {
            TypeRef::Simple(simple) => TypeAt::Simple(simple),
            TypeRef::Complex(id) => TypeAt::Complex(self.complex(id)),
            TypeRef::Enumeration(id) => TypeAt::Enumeration(self.enumeration(id)),
            TypeRef::List(item) => TypeAt::List(self.beside(item)),
            TypeRef::Dictionary(value) => TypeAt::Dictionary(self.beside(value)),
        }
    }
}

impl<'m> At<'m, Module<'m>> {
    /// Creates a module with its documentation.
    pub fn new(module: &'m Module<'m>, documentation: Option<&'m Documentation<'m>>) -> Self {
        Self {
            row: module,
            module,
            documentation,
        }
    }

    /// Returns the complex types of the module itself.
    pub fn types(self) -> impl ExactSizeIterator<Item = At<'m, ComplexType<'m>>> {
        self.each(self.module.types)
    }

    /// Returns the enumerations of the module itself.
    pub fn enumerations(self) -> impl ExactSizeIterator<Item = At<'m, Enumeration<'m>>> {
        self.each(self.module.enumerations)
    }

    /// Returns the modules that it includes.
    pub fn includes(self) -> impl Iterator<Item = Self> {
        (0..self.module.includes.len()).map(move |index| self.included(index))
    }

    /// Returns the module, then the modules that it includes, directly or not, each once.
    pub fn with_included(self) -> Vec<Self> {
        fn collect<'m>(module: At<'m, Module<'m>>, modules: &mut Vec<At<'m, Module<'m>>>) {
            if !modules.contains(&module) {
                modules.push(module);
                module.includes().for_each(|one| collect(one, modules));
            }
        }
        let mut modules = Vec::new();
        collect(self, &mut modules);
        modules
    }

    fn included(self, index: usize) -> Self {
        let included = |known: &'m Documentation<'m>| known.includes.get(index).copied();
        let documentation = self.documentation.and_then(included);
        At::new(self.module.includes[index], documentation)
    }
}

impl<'m> At<'m, Service<'m>> {
    /// Returns the service of a module, with the documentation of that module.
    pub fn service(
        module: &'m Module<'m>,
        documentation: Option<&'m Documentation<'m>>,
    ) -> Option<Self> {
        At::new(module, documentation).beside_any(module.service.as_ref())
    }

    /// Returns its operations, in the order of the definition.
    pub fn operations(self) -> impl ExactSizeIterator<Item = At<'m, Operation<'m>>> {
        self.each(self.row.operations)
    }

    /// Returns the operations over a binding.
    pub fn operations_over(self, binding: Binding) -> impl Iterator<Item = At<'m, Operation<'m>>> {
        self.operations()
            .filter(move |operation| operation.bindings.contains(binding))
    }

    /// Returns the types that callers over JSON know, with their names.
    pub fn script_types(self) -> impl Iterator<Item = (TypeAt<'m>, &'m str)> {
        let types = self.row.script.types.iter();
        types.map(move |known| (self.resolved(known.type_ref), known.name))
    }

    /// Returns the types that callers over JSON know, with their names and the names of their
    /// classes in .NET.
    pub fn script_classes(self) -> impl Iterator<Item = (TypeAt<'m>, &'m str, &'m str)> {
        let types = self.row.script.types.iter();
        types.map(move |known| {
            let class = known.class.unwrap_or(known.name);
            (self.resolved(known.type_ref), known.name, class)
        })
    }

    /// Whether the elements of its types are in its namespace.
    pub fn is_qualified(self) -> bool {
        self.row.element_form == ElementForm::Qualified
    }
}

impl<'m> At<'m, Operation<'m>> {
    /// Whether its style is rpc.
    pub fn is_rpc(self) -> bool {
        self.row.style == Style::Rpc
    }

    /// Whether its style is bare.
    pub fn is_bare(self) -> bool {
        self.row.style == Style::Bare
    }

    /// Returns the element in the Body of a request, as a type.
    pub fn parameters(self) -> At<'m, ComplexType<'m>> {
        self.beside(&self.row.parameters)
    }

    /// Returns the element in the Body of a response, as a type; without elements unless there are
    /// several results.
    pub fn response(self) -> At<'m, ComplexType<'m>> {
        self.beside(&self.row.response)
    }

    /// Returns its results: those of the response, or the only one.
    pub fn results(self) -> impl Iterator<Item = At<'m, Element<'m>>> {
        self.each(self.row.results())
    }

    /// Returns the element of the result; of several results, the return value.
    pub fn result(self) -> Option<At<'m, Element<'m>>> {
        self.beside_any(self.row.result.as_ref())
    }

    /// Returns the element of the result over HTTP GET and POST.
    pub fn result_over_http(self) -> Option<At<'m, Element<'m>>> {
        self.beside_any(self.row.result_over_http())
    }

    /// Returns the headers of its requests.
    pub fn headers(self) -> Option<At<'m, Headers<'m>>> {
        self.beside_any(self.row.headers)
    }

    /// Returns the headers of its responses.
    pub fn response_headers(self) -> Option<At<'m, Headers<'m>>> {
        self.beside_any(self.row.response_headers)
    }

    /// Returns the headers of its faults.
    pub fn fault_headers(self) -> Option<At<'m, Headers<'m>>> {
        self.beside_any(self.row.fault_headers)
    }

    /// Returns the detail elements of its faults.
    pub fn faults(self) -> impl Iterator<Item = At<'m, Element<'m>>> {
        let known = self
            .module
            .service
            .map_or(&[][..], |service| service.faults);
        let faults = self.row.faults.iter();
        faults.map(move |index| self.beside(&known[*index]))
    }
}

impl<'m> At<'m, Headers<'m>> {
    /// Returns the elements, as a type.
    pub fn fields(self) -> At<'m, ComplexType<'m>> {
        self.beside(&self.row.fields)
    }

    /// Returns the elements with their rules.
    pub fn elements(self) -> impl Iterator<Item = (At<'m, Element<'m>>, &'m crate::HeaderRule)> {
        self.each(self.row.fields.elements).zip(self.row.rules)
    }
}

/// Methods for the documentation of a row, which the row refers to by number.
macro_rules! documented {
    ($($row:ident),+) => {$(
        impl<'m> At<'m, $row<'m>> {
            /// Returns its documentation.
            pub fn documentation(self) -> Option<&'m str> {
                self.words(self.row.documentation)
            }
        }
    )+};
}

documented!(
    Service,
    Operation,
    ComplexType,
    Group,
    Element,
    Enumeration,
    Value
);

/// Formats a name as in code and on pages: `{NAMESPACE}NAME`, or the name alone if it has no
/// namespace of its own.
pub fn named_in(namespace: Option<&str>, name: &str) -> String {
    match namespace {
        Some(namespace) => format!("{{{namespace}}}{name}"),
        None => name.to_owned(),
    }
}

/// A particle of a complex type: an element, a choice or a sequence.
#[derive(Debug, Clone, Copy)]
pub enum Particle<'m> {
    /// An element.
    Element(At<'m, Element<'m>>),
    /// A choice or a sequence, whose particles are [`At::particles_of`] the type.
    Group(At<'m, Group<'m>>),
}

impl<'m> At<'m, ComplexType<'m>> {
    /// Returns the base type.
    pub fn base(self) -> Option<Self> {
        self.row.extends.map(|base| self.complex(base))
    }

    /// Returns the base type, if its content is inherited and not restricted.
    pub fn inherits(self) -> Option<Self> {
        self.base().filter(|_| !self.row.restricts)
    }

    /// Whether it is, or extends, another type.
    pub fn is_a(self, other: Self) -> bool {
        successors(Some(self), |complex| complex.base()).any(|one| one == other)
    }

    /// Returns the type itself, then the types that extend it in its module and in included
    /// modules.
    pub fn with_extensions(self) -> impl Iterator<Item = Self> {
        let modules = self.module().with_included().into_iter();
        let types = modules.flat_map(At::<Module<'_>>::types);
        once(self).chain(types.filter(move |one| *one != self && one.is_a(self)))
    }

    /// Returns its attributes, inherited ones first.
    pub fn attributes(self) -> impl ExactSizeIterator<Item = At<'m, Element<'m>>> {
        self.each(self.row.attributes)
    }

    /// Returns the attributes that it does not inherit.
    pub fn own_attributes(self) -> impl ExactSizeIterator<Item = At<'m, Element<'m>>> {
        let inherited = self.inherits().map_or(0, |base| base.row.attributes.len());
        self.each(&self.row.attributes[inherited..])
    }

    /// Returns its text content, own or inherited.
    pub fn text(self) -> Option<At<'m, Element<'m>>> {
        self.beside_any(self.row.text.as_ref())
    }

    /// Returns its text content, unless inherited.
    pub fn own_text(self) -> Option<At<'m, Element<'m>>> {
        let inherited = self.inherits().is_some_and(|base| base.row.text.is_some());
        self.text().filter(|_| !inherited)
    }

    /// Returns its elements in wire order, with each alternative of choices; inherited ones first.
    pub fn elements(self) -> impl ExactSizeIterator<Item = At<'m, Element<'m>>> {
        self.each(self.row.elements)
    }

    /// Returns the elements that it does not inherit, with each alternative of choices.
    pub fn own_elements(self) -> impl ExactSizeIterator<Item = At<'m, Element<'m>>> {
        let inherited = self.inherits().map_or(0, |base| base.row.elements.len());
        self.each(&self.row.elements[inherited..])
    }

    /// Returns its elements, choices and sequences, inherited ones first.
    pub fn particles(self) -> impl Iterator<Item = Particle<'m>> {
        self.particles_among(0..self.row.elements.len(), self.row.groups)
    }

    /// Returns the elements, choices and sequences that it does not inherit.
    pub fn own_particles(self) -> impl Iterator<Item = Particle<'m>> {
        let inherited = self.inherits().map_or(0, |base| base.row.elements.len());
        self.particles_among(inherited..self.row.elements.len(), self.row.groups)
    }

    /// Returns the elements, choices and sequences in one of its choices or sequences.
    pub fn particles_of(self, group: At<'m, Group<'m>>) -> impl Iterator<Item = Particle<'m>> {
        let groups = self.row.groups.iter();
        let outer = groups.take_while(|one| !std::ptr::eq(*one, group.row));
        let within = &self.row.groups[outer.count() + 1..];
        self.particles_among(group.first..group.end, within)
    }

    /// Returns the elements of a choice or a sequence, including those of nested ones.
    pub fn elements_of(
        self,
        group: At<'m, Group<'m>>,
    ) -> impl ExactSizeIterator<Item = At<'m, Element<'m>>> {
        self.each(&self.row.elements[group.first..group.end])
    }

    /// Returns the choices and sequences around one of its elements, from the outside in.
    pub fn groups_around(self, element: &'m Element<'m>) -> impl Iterator<Item = &'m Group<'m>> {
        let mut elements = self.row.elements.iter();
        let index = elements.position(|one| std::ptr::eq(one, element));
        let groups = self.row.groups.iter();
        groups.filter(move |group| index.is_some_and(|index| group.contains(index)))
    }

    /// Returns the number of times that one of its elements occurs in an object, if that may be
    /// more than once: by itself, or with the choices and sequences around it.
    pub fn occurs(self, element: &'m Element<'m>) -> Option<Occurs> {
        let is_repeated = self.groups_around(element).any(|group| group.repeated);
        if !is_repeated {
            return element.repeated.then_some(element.occurs);
        }
        let own = Occurs::of(element.repeated, element.occurs, element.is_omitted());
        let occurs = self.groups_around(element).fold(own, |within, group| {
            let is_free = group.optional || group.kind == GroupKind::Choice;
            let around = Occurs::of(group.repeated, group.occurs, is_free);
            within.times(around)
        });
        Some(occurs)
    }

    fn particles_among(
        self,
        range: Range<usize>,
        groups: &'m [Group<'m>],
    ) -> impl Iterator<Item = Particle<'m>> {
        let mut next = range.start;
        std::iter::from_fn(move || {
            let index = next;
            let element = self.row.elements[..range.end].get(index)?;
            let mut groups = groups.iter();
            match groups.find(|group| group.contains(index)) {
                None => {
                    next += 1;
                    Some(Particle::Element(self.beside(element)))
                }
                Some(group) => {
                    next = group.end;
                    Some(Particle::Group(self.beside(group)))
                }
            }
        })
    }
}

/// A resolved type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TypeAt<'m> {
    /// A simple type, or any XML.
    Simple(SimpleType),
    /// A complex type.
    Complex(At<'m, ComplexType<'m>>),
    /// An enumeration.
    Enumeration(At<'m, Enumeration<'m>>),
    /// A wrapped list with these items.
    List(At<'m, Element<'m>>),
    /// A dictionary with values of this row.
    Dictionary(At<'m, Element<'m>>),
}

impl<'m> TypeAt<'m> {
    /// Returns the documentation of a complex type or an enumeration.
    pub fn documentation(self) -> Option<&'m str> {
        match self {
            Self::Complex(complex) => complex.documentation(),
            Self::Enumeration(enumeration) => enumeration.documentation(),
            Self::Simple(_) | Self::List(_) | Self::Dictionary(_) => None,
        }
    }

    /// Returns its own namespace, if it has one, and the name: distinct in a service.
    pub fn qualified_name(self) -> (Option<&'m str>, &'m str) {
        let namespace = match self {
            Self::Complex(complex) => complex.row.scope.namespace,
            Self::Enumeration(enumeration) => enumeration.row.namespace,
            Self::Simple(_) | Self::List(_) | Self::Dictionary(_) => None,
        };
        (namespace, self.name())
    }

    /// Returns the name; empty for a wrapped list and a dictionary.
    pub fn name(self) -> &'m str {
        match self {
            Self::Simple(simple) => simple.name(),
            Self::Complex(complex) => complex.row.name,
            Self::Enumeration(enumeration) => enumeration.row.name,
            Self::List(_) | Self::Dictionary(_) => "",
        }
    }
}

impl<'m> At<'m, Element<'m>> {
    /// Returns its type.
    pub fn type_at(self) -> TypeAt<'m> {
        self.resolved(self.row.type_ref)
    }

    /// Whether its type is a value type in .NET: an absent value is `xsi:nil`, not omitted.
    pub fn is_by_value(self) -> bool {
        match self.type_at() {
            TypeAt::Simple(simple) => simple.row().by_value,
            TypeAt::Enumeration(_) => true,
            TypeAt::Complex(complex) => complex.by_value,
            TypeAt::List(_) | TypeAt::Dictionary(_) => false,
        }
    }

    /// Whether it is two members of its class in .NET, its value and whether the value is present:
    /// `X` and `XSpecified`.
    pub fn has_specified(self) -> bool {
        self.is_left_out() && self.is_by_value()
    }

    /// Returns the members of its union.
    pub fn union(self) -> impl ExactSizeIterator<Item = Self> {
        self.each(self.row.union)
    }

    /// Returns the names of the types of its union, separated by `|`.
    pub fn union_name(self) -> String {
        let names = self.union().map(Self::type_name).collect::<Vec<_>>();
        names.join(" | ")
    }

    /// Returns the name of its type; empty for a wrapped list and a dictionary.
    pub fn type_name(self) -> &'m str {
        self.type_at().name()
    }
}

impl<'m> At<'m, Enumeration<'m>> {
    /// Returns its values.
    pub fn values(self) -> impl ExactSizeIterator<Item = At<'m, Value<'m>>> {
        self.each(self.row.values)
    }
}
