//! The state of a client about its service.

use bytes::Bytes;
use http::{Request, Uri};
use svcgen_model::Service;

use crate::binding::Binding;
use crate::binding::protocol::Outgoing;
use crate::binding::soap::{MessageKind, write_headers};
use crate::call_error::CallError;
use crate::described::Model;
use crate::packaging::NewParts;
use crate::transport::CalledOperation;
use svcgen_wire::{
    Fields, Limits, ReadError, Reader,
    internals::{Accepted, Facets},
};

/// A client without its transport.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) url: Uri,
    pub(super) binding: Binding,
    pub(super) model: Model,
    pub(super) limits: Limits,
    pub(super) strict: bool,
    pub(super) facets: Facets,
    pub(super) accepted: Accepted,
    /// Functions that read headers of answers that operations do not declare.
    pub(super) understood: Vec<ReadUnderstood>,
    /// Creates the parts that are sent with a request.
    pub(super) new_parts: Option<NewParts>,
}

/// Reads the current header and returns `true`, or leaves it unread.
pub(crate) type ReadUnderstood = fn(&mut Reader<'_>) -> Result<bool, ReadError>;

impl Caller {
    pub(super) fn service(&self) -> &Service<'_> {
        self.model.service().row()
    }

    /// Returns the request that calls an operation.
    pub(super) fn request(
        &self,
        operation: usize,
        headers: &dyn Fields,
        parameters: &impl Fields,
    ) -> Result<Request<Bytes>, CallError> {
        let called = CalledOperation::new(self.model.clone(), operation, self.binding);
        let operation = self.model.operation_at(operation);
        let has_binding = operation.bindings.contains(self.binding);
        let protocol = self.model.protocol(self.binding).filter(|_| has_binding);
        let protocol = protocol.ok_or_else(|| CallError::Binding {
            operation: operation.name.to_owned(),
            binding: self.binding,
        })?;
        let called_operation = (self.service(), operation);
        let headers = write_headers(
            self.model.soap_version(self.binding),
            called_operation,
            MessageKind::Request,
            operation.row().headers,
            headers,
        )?;
        let call = Outgoing {
            url: &self.url,
            service: self.service(),
            operation,
            headers: &headers,
        };
        let new_parts = self.new_parts.as_ref();
        let mut parts = new_parts
            .filter(|_| self.binding.is_soap())
            .map(|new| new());
        let writer = parts.as_deref_mut().map(|parts| parts as _);
        let mut request =
            protocol.request(&call, writer, &mut |out| parameters.write_elements(out))?;
        if let Some(parts) = parts {
            request.extensions_mut().insert(parts.finish());
        }
        request.extensions_mut().insert(called);
        Ok(request)
    }
}
