//! The operations of a service by name, action and element, for services with many operations.

use std::cmp::Ordering;

use svcgen_model::{Binding, Operation, Service, Style};

/// The indexes of operations, sorted by each of the keys that requests name them with.
pub(crate) struct Operations {
    by_name: Box<[usize]>,
    by_action: Box<[usize]>,
    by_element: Box<[usize]>,
}

impl Operations {
    /// Sorts the operations of a service.
    pub fn of(service: &Service<'_>) -> Self {
        Self {
            by_name: sorted(service, |operation| operation.name),
            by_action: sorted(service, |operation| operation.action),
            by_element: sorted(service, |operation| operation.request_element(service)),
        }
    }

    /// Returns the operation with a name over a binding.
    pub(crate) fn named(
        &self,
        service: &Service<'_>,
        binding: Binding,
        name: &str,
    ) -> Option<usize> {
        let of_name = |operation: &Operation<'_>| operation.name.cmp(name);
        equal(&self.by_name, service, binding, of_name).next()
    }

    /// Returns the first operation with an action over a binding.
    pub(crate) fn of_action(
        &self,
        service: &Service<'_>,
        binding: Binding,
        action: &str,
    ) -> Option<usize> {
        let of_action = |operation: &Operation<'_>| operation.action.cmp(action);
        equal(&self.by_action, service, binding, of_action).next()
    }

    /// Returns the operations with a request element, given by namespace and name, over a binding,
    /// in their order.
    pub(crate) fn of_element(
        &self,
        service: &Service<'_>,
        binding: Binding,
        element: (&str, &str),
    ) -> impl Iterator<Item = usize> {
        let of_element =
            move |operation: &Operation<'_>| operation.request_element(service).cmp(&Some(element));
        equal(&self.by_element, service, binding, of_element)
    }

    /// Returns the other operations whose requests have the same element: overloads in rpc style,
    /// which differ by their parts.
    pub(crate) fn overloads(
        &self,
        service: &Service<'_>,
        binding: Binding,
        index: usize,
    ) -> impl Iterator<Item = usize> {
        let is_rpc = |index: &usize| service.operations[*index].style == Style::Rpc;
        let element = service.operations[index].request_element(service);
        let element = element.filter(|_| is_rpc(&index));
        let same = element.map(|element| self.of_element(service, binding, element));
        let others = same
            .into_iter()
            .flatten()
            .filter(move |other| *other != index);
        others.filter(is_rpc)
    }
}

/// Returns the indexes of operations, sorted by key. Operations with the same key stay in their
/// order.
fn sorted<'s, K: Ord>(service: &Service<'s>, key: impl Fn(&'s Operation<'s>) -> K) -> Box<[usize]> {
    let mut indexes: Vec<_> = (0..service.operations.len()).collect();
    indexes.sort_by_key(|index| key(&service.operations[*index]));
    indexes.into()
}

/// Returns the sorted operations that have a binding and compare as equal.
fn equal(
    sorted: &[usize],
    service: &Service<'_>,
    binding: Binding,
    order: impl Fn(&Operation<'_>) -> Ordering,
) -> impl Iterator<Item = usize> {
    let operation = |index: &usize| &service.operations[*index];
    let start = sorted.partition_point(|index| order(operation(index)).is_lt());
    sorted[start..]
        .iter()
        .copied()
        .take_while(move |index| order(operation(index)).is_eq())
        .filter(move |index| operation(index).bindings.contains(binding))
}
