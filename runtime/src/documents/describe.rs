//! The description that documents are written from, put together from what emitted code states in two places.

use svcgen_documents::schema::Schema;
use svcgen_documents::{Bindings, Description, Header, Operation};

use crate::binding::Binding;
use crate::service::{self, Root, ServiceDescription, Style};
use crate::xml::ElementForm;

/// Hands over the description of a service.
pub(super) fn with_description<R>(
    service: &ServiceDescription,
    schema: &Schema<'_>,
    then: impl FnOnce(&Description<'_>) -> R,
) -> R {
    let headers: Vec<_> = (service.operations.iter())
        .map(|operation| [operation.headers, operation.response_headers].map(headers))
        .collect();
    let rows = service.operations.iter().zip(schema.operations);
    let operations: Vec<_> = (rows.zip(&headers))
        .map(
            |((operation, row), [headers, response_headers])| Operation {
                name: operation.name,
                documentation: row.documentation,
                action: operation.action,
                request: operation.request,
                response: operation.response,
                parameters: row.parameters,
                result: row.result,
                root: operation.result.map_or("", |(_, root)| Root::name(root)),
                bindings: bindings(operation.bindings),
                rpc: operation.style == Style::Rpc,
                one_way: operation.one_way,
                headers,
                response_headers,
                faults: row.faults,
            },
        )
        .collect();
    then(&Description {
        name: service.name,
        namespace: service.namespace,
        path: service.path,
        documentation: schema.documentation,
        qualified: service.element_form == ElementForm::Qualified,
        operations: &operations,
        headers: schema.headers,
        faults: schema.faults,
        types: schema.types,
        enumerations: schema.enumerations,
    })
}

fn headers(headers: &'static [service::Header]) -> Vec<Header<'static>> {
    let rows = headers.iter().map(|header| Header {
        name: header.name,
        required: header.required,
        must_understand: header.must_understand,
    });
    rows.collect()
}

fn bindings(bindings: crate::binding::Bindings) -> Bindings {
    Bindings {
        soap11: bindings.contains(Binding::Soap11),
        soap12: bindings.contains(Binding::Soap12),
        http_get: bindings.contains(Binding::HttpGet),
        http_post: bindings.contains(Binding::HttpPost),
    }
}
