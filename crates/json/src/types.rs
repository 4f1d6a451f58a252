//! The types of a service by their names for callers over JSON.

use std::iter::successors;

use svcgen_model::{At, ComplexType, Element, Module, Service, TypeAt, TypeRef, named_in};

/// The .NET type of the parameters of an operation.
const PARAMETERS: &str = "System.Collections.Generic.IDictionary`2[System.String,System.Object]";

/// The types of a service.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Types<'v>(pub(super) At<'v, Service<'v>>);

impl<'v> Types<'v> {
    /// The type with this name in objects.
    pub(crate) fn named(self, name: &str) -> Option<(TypeAt<'v>, &'v str)> {
        self.0.script_types().find(|(_, known)| *known == name)
    }

    /// The full name of a type in .NET.
    pub(crate) fn name_of(self, complex: &ComplexType<'_>) -> String {
        if complex.is_message {
            return PARAMETERS.to_owned();
        }
        self.full_name((complex.scope.namespace, complex.name))
    }

    /// The full name in .NET of a type with this name, and its namespace if it has one of its own.
    pub(crate) fn full_name(self, (namespace, name): (Option<&str>, &str)) -> String {
        let mut types = self.0.script_types();
        let known = types.find(|(known, _)| known.qualified_name() == (namespace, name));
        if let Some((_, net)) = known {
            return net.to_owned();
        }
        let class = self.0.script.class;
        let class = class.and_then(|class| class.rsplit_once('.'));
        match class {
            Some((namespace, _)) => format!("{namespace}.{name}"),
            None => name.to_owned(),
        }
    }

    /// Whether another member specifies whether a member is present: `XSpecified` in .NET.
    pub(crate) fn is_specified(self, row: &ComplexType<'_>, element: &Element<'_>) -> bool {
        element.is_left_out() && self.is_by_value(row, element)
    }

    fn is_by_value(self, row: &ComplexType<'_>, element: &Element<'_>) -> bool {
        match element.type_ref {
            TypeRef::Simple(simple) => simple.row().by_value,
            TypeRef::Enumeration(_) => true,
            TypeRef::List(_) | TypeRef::Dictionary(_) => false,
            TypeRef::Complex(id) => {
                let of_module = self.module_of(row);
                let module = match id.module.checked_sub(1) {
                    None => Some(of_module),
                    Some(index) => of_module.includes().nth(index),
                };
                let complex = module.and_then(|module| module.types().nth(id.index));
                complex.is_some_and(|complex| complex.by_value)
            }
        }
    }

    /// The module of a type; for messages that of the service.
    fn module_of(self, row: &ComplexType<'_>) -> At<'v, Module<'v>> {
        let own = self.0.module();
        let mut modules = own.with_included().into_iter();
        let has_it = |module: At<'v, Module<'v>>| module.types().any(|one| is_same(one, row));
        let found = modules.find(|module| !row.is_message && has_it(*module));
        found.unwrap_or(own)
    }
}

/// Whether a type has this row, or is derived from one that has it.
pub(crate) fn is_a(complex: At<'_, ComplexType<'_>>, row: &ComplexType<'_>) -> bool {
    successors(Some(complex), |one| one.base()).any(|one| is_same(one, row))
}

fn is_same(complex: At<'_, ComplexType<'_>>, row: &ComplexType<'_>) -> bool {
    complex.name == row.name && complex.scope.namespace == row.scope.namespace
}

/// The index of a type among names for `xsi:type`.
pub(crate) fn index_of_type(names: &[&str], known: TypeAt<'_>) -> Option<usize> {
    let (namespace, name) = known.qualified_name();
    let name = named_in(namespace, name);
    names.iter().position(|known| *known == name)
}
