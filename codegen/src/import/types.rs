//! Components of schemas → entries of a definition: `types`, `enums`, and the elements of types and messages.

use super::draft::Draft;
use super::place::Report;
use super::schema::{Element, Name, Schemas, TypeRef};

/// Writes types as they are reached from the messages of services.
#[derive(Debug)]
pub(crate) struct Types<'m, 's> {
    pub schemas: &'m Schemas<'s>,
    pub report: &'m Report<'s>,
    /// The namespace of the service's messages: that of the definition.
    pub home: &'s str,
}

/// What was written of types.
#[derive(Debug)]
pub(crate) struct Written {
    /// The entries of `namespaces`.
    pub namespaces: Draft,
    pub types: Draft,
    pub enums: Draft,
}

impl<'m, 's> Types<'m, 's> {
    pub fn new(schemas: &'m Schemas<'s>, report: &'m Report<'s>, home: &'s str) -> Self {
        Self {
            schemas,
            report,
            home,
        }
    }

    /// The child elements of a message element, as entries of `parameters` or `results`; `None` if they are no sequence of elements,
    /// so that the message is a value (`bare`).
    pub fn members(&mut self, _wrapper: &Element<'s>) -> Option<Vec<(String, Draft)>> {
        None
    }

    /// A type expression of the language, `Order?` without the `?`: the type is written, too.
    pub fn expression(&mut self, _type_ref: TypeRef<'s>) -> String {
        String::new()
    }

    /// An element as an entry of `elements`, `parameters` or `results`: its key and what is said of it, in the short form where that is all.
    pub fn element(
        &mut self,
        _element: &Element<'s>,
        _min: u32,
        _max: Option<u32>,
    ) -> (String, Draft) {
        (String::new(), Draft::default())
    }

    /// The short name of a namespace, for the key `namespace`; `None` for that of the definition.
    pub fn short_name(&mut self, _namespace: &'s str) -> Option<String> {
        None
    }

    /// All types that were reached.
    pub fn finish(self) -> Written {
        Written {
            namespaces: Draft::flow_map(),
            types: Draft::map(),
            enums: Draft::map(),
        }
    }

    /// A global element by its name.
    pub fn global(&self, name: Name<'s>) -> Option<&'m Element<'s>> {
        self.schemas.elements.get(&name)
    }
}
