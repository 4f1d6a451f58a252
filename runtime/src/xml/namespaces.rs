//! The namespace declarations in force (Namespaces in XML 1.0).

use std::borrow::Cow;

use super::scan::equal;

pub(super) const XML: &str = "http://www.w3.org/XML/1998/namespace";
pub(super) const XMLNS: &str = "http://www.w3.org/2000/xmlns/";
pub(super) const SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The namespace of a name: the declaration that gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Namespace(u32);

impl Namespace {
    pub(super) const NONE: Self = Self(u32::MAX);
    const XML: Self = Self(u32::MAX - 1);
}

#[derive(Clone, Default)]
pub(super) struct Namespaces<'i> {
    bindings: Vec<Binding<'i>>,
}

#[derive(Clone)]
struct Binding<'i> {
    /// Empty for the default namespace.
    prefix: &'i str,
    /// Empty where the default namespace is taken back.
    name: Cow<'i, str>,
}

impl<'i> Namespaces<'i> {
    /// How many declarations are in force.
    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.bindings.len() as u32
    }

    /// Takes back all but the first so many declarations.
    pub(super) fn truncate(&mut self, count: u32) {
        self.bindings.truncate(count as usize);
    }

    /// Declares a prefix, or the default namespace; one after the first `outer` declarations must not be declared again: then it returns `false`.
    pub(super) fn declare(&mut self, outer: u32, prefix: &'i str, name: Cow<'i, str>) -> bool {
        if self.bindings[outer as usize..]
            .iter()
            .any(|binding| equal(binding.prefix, prefix))
        {
            return false;
        }
        self.bindings.push(Binding { prefix, name });
        true
    }

    /// The namespace of a prefix, or the default namespace for an empty one; `None` if it is not declared.
    pub(super) fn resolve(&self, prefix: &str) -> Option<Namespace> {
        match self
            .bindings
            .iter()
            .rposition(|binding| equal(binding.prefix, prefix))
        {
            Some(index) if self.bindings[index].name.is_empty() => Some(Namespace::NONE),
            Some(index) => Some(Namespace(index as u32)),
            None if prefix.is_empty() => Some(Namespace::NONE),
            None if prefix == "xml" => Some(Namespace::XML),
            None => None,
        }
    }

    /// The name of a namespace, empty for none.
    pub(super) fn name(&self, namespace: Namespace) -> &str {
        match namespace {
            Namespace::NONE => "",
            Namespace::XML => XML,
            Namespace(index) => &self.bindings[index as usize].name,
        }
    }

    /// All declarations in force, innermost last.
    pub(super) fn keep(&self) -> Vec<(&'i str, String)> {
        self.bindings
            .iter()
            .map(|binding| (binding.prefix, binding.name.clone().into_owned()))
            .collect()
    }

    /// Whether two declarations give the same namespace.
    pub(super) fn same(&self, one: Namespace, other: Namespace) -> bool {
        one == other || self.name(one) == self.name(other)
    }
}
