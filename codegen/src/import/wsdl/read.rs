//! WSDL documents → services.

use roxmltree::Node;

use super::Service;
use crate::import::place::Report;
use crate::import::schema::Schemas;

/// Reads the services of documents: their port types joined with their bindings.
pub(crate) fn read<'s>(
    _definitions: &[(u32, Node<'s, 's>)],
    _schemas: &Schemas<'s>,
    _report: &Report<'s>,
) -> Vec<Service<'s>> {
    Vec::new()
}
