//! The rows of a service, by the names in its messages.

use std::cell::OnceCell;
use std::collections::HashMap;

use svcgen_model::{At, ComplexType, Element, Operation, Service, Style, TypeAt, Types};

/// The direction of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Request,
    Response,
}

/// Rows by the names that they have on the wire.
type Named<'m, T> = HashMap<&'m str, Vec<At<'m, T>>>;

#[derive(Debug)]
pub(crate) struct ServiceRows<'m> {
    pub(crate) service: At<'m, Service<'m>>,
    /// Whether any messages are encoded: in these, elements refer to others, and items of lists
    /// have any name.
    pub(crate) encoded: bool,
    /// The types of the service by name, once a message has named one.
    types: OnceCell<Named<'m, ComplexType<'m>>>,
    /// The headers of requests, and of answers.
    headers: [OnceCell<Named<'m, Element<'m>>>; 2],
    /// The operations by the elements that their requests, and their answers, have in the Body.
    bodies: [OnceCell<Named<'m, Operation<'m>>>; 2],
}

impl<'m> ServiceRows<'m> {
    pub(crate) fn new(service: At<'m, Service<'m>>) -> Self {
        let mut operations = service.row().operations.iter();
        Self {
            service,
            encoded: operations.any(|operation| operation.encoded.is_some()),
            types: OnceCell::new(),
            headers: Default::default(),
            bodies: Default::default(),
        }
    }

    /// Returns the operation that a path names.
    pub(crate) fn operation_of(&self, path: &str) -> Option<At<'m, Operation<'m>>> {
        let (_, name) = path.rsplit_once('/')?;
        let mut operations = self.service.operations();
        operations.find(|operation| operation.name.eq_ignore_ascii_case(name))
    }

    /// Returns the headers with a name, of all operations: headers come before the element that
    /// names the operation.
    pub(crate) fn headers(&self, direction: Direction, name: &str) -> &[At<'m, Element<'m>>] {
        let headers = self.headers[direction as usize].get_or_init(|| {
            let mut named = Named::new();
            for operation in self.service.operations() {
                let headers = match direction {
                    Direction::Request => [operation.headers(), None],
                    Direction::Response => {
                        [operation.response_headers(), operation.fault_headers()]
                    }
                };
                let headers = headers.into_iter().flatten();
                for header in headers.flat_map(|headers| headers.fields().elements()) {
                    named.entry(header.row().name).or_default().push(header);
                }
            }
            named
        });
        headers.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the operations that have an element with a name in the Body.
    pub(crate) fn operations_of(
        &self,
        direction: Direction,
        name: &str,
    ) -> &[At<'m, Operation<'m>>] {
        let bodies = self.bodies[direction as usize].get_or_init(|| {
            let mut named = Named::new();
            for operation in self.service.operations() {
                let row = operation.row();
                let (element, parts) = match direction {
                    Direction::Request => (&row.parameters, row.parameters.elements),
                    Direction::Response => (&row.response, row.results()),
                };
                let mut add = |name| {
                    named.entry(name).or_default().push(operation);
                };
                if row.style == Style::Bare {
                    parts.iter().for_each(|part| add(part.name));
                } else {
                    add(element.name);
                }
            }
            named
        });
        bodies.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the types with a name.
    pub(crate) fn types(&self, name: &str) -> &[At<'m, ComplexType<'m>>] {
        let types = self.types.get_or_init(|| {
            let mut types: HashMap<_, Vec<_>> = HashMap::new();
            for definition in Types::of(self.service).definitions() {
                if let TypeAt::Complex(complex) = definition {
                    types.entry(complex.row().name).or_default().push(complex);
                }
            }
            types
        });
        types.get(name).map_or(&[], Vec::as_slice)
    }
}
