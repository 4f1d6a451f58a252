//! The SOAP headers of faults.

use svcgen_model::Module;

use crate::binding::soap::Headers;
use crate::described::Model;
use crate::fault::Fault;
use crate::limits::Limits;
use crate::values::{Complex, Reader, TimeZone};
use crate::xml::namespaces::{SCHEMA_INSTANCE, XML_SCHEMA};
use crate::xml::{ENVELOPES, ReadError, Scopes};

/// The SOAP headers that the faults of an operation have.
pub trait FaultHeaders: Complex {
    /// The module of the service.
    const MODULE: &'static Module<'static>;
}

impl Fault {
    /// Reads the SOAP headers that came with it, if its operation declares headers of faults (`headers: { fault: … }`); `None` if there are none.
    ///
    /// # Errors
    ///
    /// A header is not a value of its type.
    pub fn read_headers<H: FaultHeaders>(&self) -> Option<Result<H, ReadError>> {
        let service = Model::new(H::MODULE, None);
        let mut operations = service.service().operations();
        let operation = operations.find(|operation| {
            let headers = operation.row().fault_headers;
            headers.is_some_and(|headers| headers.fields.elements == H::TYPE.elements)
        });
        let read = |document: &str| {
            let (mut values, service) = (H::default(), service.service().row());
            let reader = Reader::new(document, &Limits::default());
            let reader = reader.with_scopes(Scopes::of(service));
            let mut reader = reader.in_time_zone(TimeZone::of(service));
            let mut headers = Headers::new(service, operation, H::TYPE.elements, &mut values);
            reader.root()?;
            while reader.child()? {
                if !headers.read(&mut reader)? {
                    reader.skip()?;
                }
            }
            reader.finish()?;
            Ok(values)
        };
        // Those that a server adds have the prefixes of their envelope.
        let [soap, _] = ENVELOPES;
        let document = format!(
            r#"<Header xmlns:soap="{soap}" xmlns:xsi="{SCHEMA_INSTANCE}" xmlns:xsd="{XML_SCHEMA}">{}</Header>"#,
            self.headers()?
        );
        Some(read(&document))
    }
}
