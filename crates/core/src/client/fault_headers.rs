//! The SOAP headers of faults.

use svcgen_model::{Element, Service};

use crate::binding::soap::Headers;
use crate::binding::soap::encoding::Encoding;
use crate::binding::spoken::ServiceModule;
use crate::described::Model;
use crate::fault::Fault;
use svcgen_wire::{
    Complex, Fields, Limits, ReadError, Reader,
    internals::{ENVELOPES, SCHEMA_INSTANCE, Scopes, TimeZone, XML_SCHEMA},
};

/// The SOAP headers that the faults of an operation have.
pub trait FaultHeaders: Complex {
    /// The service.
    const SERVICE: &'static ServiceModule;
}

impl Fault {
    /// Reads the SOAP headers of the fault, if its operation declares headers of faults
    /// (`headers: { fault: … }`). Returns `None` if there are none.
    ///
    /// # Errors
    ///
    /// A header is not a value of its type.
    pub fn read_headers<H: FaultHeaders>(&self) -> Option<Result<H, ReadError>> {
        let model = Model::from(H::SERVICE);
        let mut operations = model.service().operations.iter();
        let operation = operations.position(|operation| {
            let headers = operation.fault_headers;
            headers.is_some_and(|headers| headers.fields.elements == H::TYPE.elements)
        });
        let encoding = operation.and_then(|operation| model.encoding(operation));
        let (service, mut headers) = (model.service().row(), H::default());
        match self.read_headers_of(service, encoding, H::TYPE.elements, &mut headers) {
            Ok(true) => Some(Ok(headers)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }

    /// Reads the SOAP headers of the fault, as [`read_headers`](Self::read_headers) does, if the
    /// operation with this index declares headers of faults. Returns whether there are any.
    ///
    /// # Errors
    ///
    /// The same as for [`read_headers`](Self::read_headers).
    ///
    /// # Panics
    ///
    /// The service has no operation of this index.
    pub fn read_header_fields(
        &self,
        model: &Model,
        operation: usize,
        headers: &mut dyn Fields,
    ) -> Result<bool, ReadError> {
        let Some(known) = model.operation(operation).fault_headers else {
            return Ok(false);
        };
        let (service, encoding) = (model.service().row(), model.encoding(operation));
        self.read_headers_of(service, encoding, known.fields.elements, headers)
    }

    fn read_headers_of<'s>(
        &self,
        service: &'s Service<'s>,
        encoding: Option<Box<dyn Encoding + 's>>,
        rows: &'s [Element<'s>],
        values: &mut dyn Fields,
    ) -> Result<bool, ReadError> {
        let Some(markup) = self.headers() else {
            return Ok(false);
        };
        // Headers that a server adds use the prefixes of their envelope.
        let [soap, _] = ENVELOPES;
        let document = format!(
            r#"<Header xmlns:soap="{soap}" xmlns:xsi="{SCHEMA_INSTANCE}" xmlns:xsd="{XML_SCHEMA}">{markup}</Header>"#
        );
        let reader = Reader::new(&document, &Limits::default());
        let reader = reader.with_scopes(Scopes::of(service));
        let mut reader = reader.in_time_zone(TimeZone::of(service));
        let mut headers = Headers::new(service, encoding, rows, values);
        reader.root()?;
        while reader.child()? {
            if !headers.read(&mut reader)? {
                reader.skip()?;
            }
        }
        reader.finish()?;
        Ok(true)
    }
}
