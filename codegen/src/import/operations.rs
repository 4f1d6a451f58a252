//! Services → definitions: the keys of the file, `operations`, `headers` and `faults`.

use super::draft::Draft;
use super::place::Report;
use super::schema::Schemas;
use super::types::Types;
use super::wsdl::Service;

/// Writes the definition of a service, without what is done to all definitions at the end.
pub(crate) fn definition<'s>(
    service: &Service<'s>,
    schemas: &Schemas<'s>,
    report: &Report<'s>,
) -> Draft {
    let types = Types::new(schemas, report, service.namespace);
    let mut draft = Draft::map().at(service.place);
    draft.set("service", service.name);
    draft.set("namespace", service.namespace);
    let written = types.finish();
    draft.set("types", written.types);
    draft
}
