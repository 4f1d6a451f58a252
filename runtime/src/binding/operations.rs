//! The operations of a service by what requests call them by, for services of many.

use std::cmp::Ordering;

use svcgen_model::{Binding, Operation, Service};

/// The indexes of operations, sorted by each of the texts that name them.
pub(crate) struct Operations {
    by_name: Box<[usize]>,
    by_action: Box<[usize]>,
}

impl Operations {
    /// Those of a service.
    pub(crate) fn of(service: &Service<'_>) -> Self {
        Self {
            by_name: sorted(service, |operation| operation.name),
            by_action: sorted(service, |operation| operation.action),
        }
    }

    /// The operation of a name over a binding.
    pub(crate) fn named(
        &self,
        service: &Service<'_>,
        binding: Binding,
        name: &str,
    ) -> Option<usize> {
        let of_name = |operation: &Operation<'_>| operation.name.cmp(name);
        first(&self.by_name, service, binding, of_name)
    }

    /// The first operation of an action over a binding.
    pub(crate) fn of_action(
        &self,
        service: &Service<'_>,
        binding: Binding,
        action: &str,
    ) -> Option<usize> {
        let of_action = |operation: &Operation<'_>| operation.action.cmp(action);
        first(&self.by_action, service, binding, of_action)
    }
}

fn sorted<'s>(
    service: &Service<'s>,
    text: for<'o> fn(&'o Operation<'s>) -> &'o str,
) -> Box<[usize]> {
    let mut indexes: Vec<_> = (0..service.operations.len()).collect();
    // Those of one text stay in their order.
    indexes.sort_by_key(|index| text(&service.operations[*index]));
    indexes.into()
}

fn first(
    sorted: &[usize],
    service: &Service<'_>,
    binding: Binding,
    order: impl Fn(&Operation<'_>) -> Ordering,
) -> Option<usize> {
    let operation = |index: &usize| &service.operations[*index];
    let start = sorted.partition_point(|index| order(operation(index)).is_lt());
    let mut same = sorted[start..]
        .iter()
        .take_while(|index| order(operation(index)).is_eq());
    same.find(|index| operation(index).bindings.contains(binding))
        .copied()
}
