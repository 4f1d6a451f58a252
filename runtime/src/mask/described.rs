//! What the model says of messages.

use std::cell::OnceCell;
use std::collections::HashMap;

use svcgen_model::{At, ComplexType, Operation, Service, TypeAt, Types};

#[derive(Debug)]
pub(super) struct Described<'m> {
    pub(super) service: At<'m, Service<'m>>,
    /// Whether any messages are encoded, in which elements stand for others and the items of lists have any name.
    pub(super) encoded: bool,
    /// The types of the service by name, if any message named one.
    types: OnceCell<HashMap<&'m str, Vec<At<'m, ComplexType<'m>>>>>,
}

impl<'m> Described<'m> {
    pub(super) fn new(service: At<'m, Service<'m>>) -> Self {
        let mut operations = service.row().operations.iter();
        Self {
            service,
            encoded: operations.any(|operation| operation.encoded.is_some()),
            types: OnceCell::new(),
        }
    }

    /// The operation that a path names over HTTP GET and POST.
    pub(super) fn operation_of(&self, path: &str) -> Option<At<'m, Operation<'m>>> {
        let (_, name) = path.rsplit_once('/')?;
        let mut operations = self.service.operations();
        operations.find(|operation| operation.name.eq_ignore_ascii_case(name))
    }

    /// The types of a name.
    pub(super) fn types(&self, name: &str) -> &[At<'m, ComplexType<'m>>] {
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
