//! Answers to calls for layers.

use std::fmt;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use svcgen_model::Operation;

use crate::added_header::{add_header, is_own_message};
use crate::binding::protocol::{BindingRouter, Protocol};
use crate::failure::Failure;
use crate::fault::Fault;
use crate::outcome::Outcome;
use crate::response;
use svcgen_wire::{internals::chain, types::XmlFragment};

/// The answer to a call: the HTTP response, and the outcome of the call.
#[derive(Clone)]
pub struct CallResponse {
    response: Response<Bytes>,
    outcome: Outcome,
    fault: Option<Fault>,
    /// Whether the fault is hidden from the caller of a one-way operation.
    is_unheard: bool,
    /// Whether `Content-Length` is the length of a body that is omitted.
    leaves_body_out: bool,
}

impl CallResponse {
    /// Creates the answer to a request that is not a call.
    pub(crate) fn no_call(response: Response<Bytes>) -> Self {
        Self {
            response,
            outcome: Outcome::Refused,
            fault: None,
            is_unheard: false,
            leaves_body_out: false,
        }
    }

    /// Creates the answer to a request that failed before its operation was known.
    pub(crate) fn refused(protocol: &dyn BindingRouter, failure: Failure) -> Self {
        let response = match failure.status {
            StatusCode::SERVICE_UNAVAILABLE => response::busy(&failure),
            _ if failure.untold => response::accepted(),
            _ => protocol.refuse(&failure),
        };
        Self {
            outcome: failure.outcome,
            ..Self::no_call(response)
        }
        .with_fault(failure.fault)
    }

    /// Creates the answer to a call of an operation.
    pub(crate) fn of_call(
        protocol: &dyn Protocol,
        operation: &Operation<'_>,
        outcome: Result<Vec<u8>, Failure>,
    ) -> Self {
        match outcome {
            Ok(body) => Self {
                outcome: Outcome::Answered,
                ..Self::no_call(protocol.respond(operation, Ok(body)))
            },
            Err(failure) => Self {
                outcome: failure.outcome,
                is_unheard: operation.one_way && failure.untold && protocol.binding().is_soap(),
                ..Self::no_call(protocol.respond(operation, Err(&failure)))
            }
            .with_fault(failure.fault),
        }
    }

    /// Creates the answer of the original to a request with this method.
    pub(crate) fn forwarded(response: Response<Bytes>, method: &http::Method) -> Self {
        Self {
            outcome: Outcome::Forwarded,
            leaves_body_out: *method == http::Method::HEAD,
            ..Self::no_call(response)
        }
    }

    /// Creates the answer to a request that failed, over its binding or as a line of text.
    pub(crate) fn failed(protocol: Option<&'static dyn BindingRouter>, failure: Failure) -> Self {
        match protocol {
            Some(protocol) => Self::refused(protocol, failure),
            None => {
                let text = failure.fault.to_string();
                Self {
                    outcome: failure.outcome,
                    ..Self::no_call(response::refused(failure.status, &text))
                }
                .with_fault(failure.fault)
            }
        }
    }

    fn with_fault(mut self, fault: Fault) -> Self {
        self.fault = Some(fault);
        self
    }

    pub(super) fn with_outcome(mut self, outcome: Outcome) -> Self {
        self.outcome = outcome;
        self
    }

    /// Returns the HTTP status.
    pub fn status(&self) -> StatusCode {
        self.response.status()
    }

    /// Returns the HTTP headers.
    pub fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// Returns the HTTP headers, to change them. When all layers are done, the server sets
    /// `Content-Length` and removes `Transfer-Encoding` itself.
    pub fn headers_mut(&mut self) -> &mut HeaderMap {
        self.response.headers_mut()
    }

    /// Adds a SOAP header: one element with all its namespace declarations, which
    /// [`XmlFragment::parse`](crate::types::XmlFragment::parse) checks and
    /// [`XmlFragment::element`](crate::types::XmlFragment::element) builds. Only results and faults
    /// that this server writes over SOAP get it.
    ///
    /// ```
    /// # fn example(response: &mut svcgen::layer::CallResponse) -> Result<(), svcgen::WriteError> {
    /// use svcgen::types::XmlFragment;
    ///
    /// let node = XmlFragment::element("Node").with_namespace("urn:example:gateway").with_text("7").build()?;
    /// response.add_soap_header(&node);
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_soap_header(&mut self, header: &XmlFragment) {
        if self.outcome != Outcome::Forwarded && is_own_message(self.response.body()) {
            let body = add_header(self.response.body(), header.as_str());
            *self.response.body_mut() = body;
        }
    }

    /// Returns the body.
    pub fn body(&self) -> &Bytes {
        self.response.body()
    }

    /// Returns the outcome of the call.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Returns the fault, if there is one. The caller of a one-way operation does not get the fault
    /// of the handler.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// Returns the error that the fault was created from, with its own causes. It may quote
    /// secrets.
    pub fn error(&self) -> Option<String> {
        Some(chain(self.fault.as_ref()?.cause()?))
    }

    /// Whether the failure is hidden from the caller.
    pub(crate) fn is_untold(&self) -> bool {
        let has_cause = |fault: &Fault| fault.cause().is_some();
        self.is_unheard || self.fault.as_ref().is_some_and(has_cause)
    }

    /// Returns whether the server has failed; not if the caller is at fault, or the handler refused
    /// the call.
    pub fn is_failure(&self) -> bool {
        let has_cause = |fault: &Fault| fault.cause().is_some();
        let is_exception = self.fault.as_ref().filter(|fault| fault.is_exception());
        match self.outcome {
            Outcome::Answered | Outcome::Forwarded | Outcome::Abandoned => false,
            Outcome::Refused => is_exception.is_some_and(has_cause),
            Outcome::Fault => is_exception.is_some() || self.is_unheard,
            Outcome::Panicked | Outcome::TimedOut | Outcome::Failed => true,
        }
    }

    /// Returns the HTTP response, to change it.
    pub fn response_mut(&mut self) -> &mut Response<Bytes> {
        &mut self.response
    }

    pub(crate) fn into_response(self) -> Response<Bytes> {
        self.response
    }

    /// Returns the response with headers that frame its actual body, after layers may have changed
    /// them.
    pub(super) fn into_framed(self) -> Response<Bytes> {
        let mut response = self.response;
        let is_empty = response.body().is_empty();
        let length = HeaderValue::from(response.body().len());
        let headers = response.headers_mut();
        // 204 and 304 have no length.
        if (headers.contains_key(CONTENT_LENGTH) && !self.leaves_body_out) || !is_empty {
            headers.insert(CONTENT_LENGTH, length);
        }
        headers.remove(TRANSFER_ENCODING);
        response
    }
}

/// Omits the body, the headers and the detail of the fault, which may contain secrets.
impl fmt::Debug for CallResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallResponse")
            .field("status", &self.status())
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}
