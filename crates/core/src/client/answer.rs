//! Reading the answer to a call.

use std::fmt;

use bytes::Bytes;
use http::Response;
use http::header::CONTENT_TYPE;
use svcgen_model::{Absence, ComplexType, Element as Row, TypeRef};

use super::caller::Caller;
use crate::binding::protocol::ReadValue;
use crate::binding::received::Received;
use crate::binding::soap::Headers;
use crate::call_error::CallError;
use crate::media_type::{MediaType, compression, header_text};
use crate::packaging::ReceivedParts;
use crate::transport_error::Tries;
use svcgen_wire::{Complex, Element, Fields, List, Value, internals::printable};

/// The response to a call of an operation, to be read. Over bindings other than SOAP, it has no
/// SOAP headers.
#[derive(Clone, Copy)]
pub struct Answer<'a> {
    caller: &'a Caller,
    operation: usize,
    response: &'a Response<Bytes>,
}

impl<'a> Answer<'a> {
    pub(super) fn new(caller: &'a Caller, operation: usize, response: &'a Response<Bytes>) -> Self {
        Self {
            caller,
            operation,
            response,
        }
    }

    /// Reads the result.
    ///
    /// # Errors
    ///
    /// The response is not an answer of this operation, or lacks its result.
    pub fn read<R: Value + Default>(self) -> Result<R, CallError> {
        self.read_into(R::default())
    }

    /// Reads the result into `result`.
    ///
    /// # Errors
    ///
    /// The same as for [`read`](Self::read).
    pub fn read_into<R: Value>(self, result: R) -> Result<R, CallError> {
        let (result, ()) = self.read_with_headers(result)?;
        Ok(result)
    }

    /// Reads a list whose items have these names, the outermost first.
    ///
    /// # Errors
    ///
    /// The same as for [`read`](Self::read).
    pub fn read_list<L: Default, const LEVELS: usize>(
        self,
        items: [&'static str; LEVELS],
    ) -> Result<L, CallError>
    where
        List<L, LEVELS>: Value,
    {
        Ok(self.read_into(List::of(items))?.values)
    }

    /// Reads the result into `result`, and the SOAP headers; `()` if the operation has none.
    ///
    /// # Errors
    ///
    /// The same as for [`read`](Self::read).
    pub fn read_with_headers<R: Value, O: Complex>(
        self,
        mut result: R,
    ) -> Result<(R, O), CallError> {
        let mut headers = O::default();
        self.receive_of(&mut result, O::TYPE.elements, &mut headers)?;
        Ok((result, headers))
    }

    /// Reads the result into `result`, and the SOAP headers into an object with the elements of the
    /// operation's [`response_headers`](svcgen_model::Operation::response_headers).
    ///
    /// # Errors
    ///
    /// The same as for [`read`](Self::read).
    pub fn receive<R: Value>(
        self,
        result: &mut R,
        headers: &mut dyn Fields,
    ) -> Result<(), CallError> {
        self.receive_of(result, self.header_rows(), headers)
    }

    fn header_rows(self) -> &'a [Row<'a>] {
        let known = self.caller.model.operation(self.operation).response_headers;
        known.map_or(&[], |known| known.fields.elements)
    }

    fn receive_of<R: Value>(
        self,
        result: &mut R,
        rows: &[Row<'_>],
        headers: &mut dyn Fields,
    ) -> Result<(), CallError> {
        let read = &mut |element: &mut Element<'_>| element.read(result);
        let found = self.read_response(read, rows, headers)?;
        match &self.caller.model.operation(self.operation).result {
            Some(row) if !found && row.absence == Absence::Required && !row.repeated => {
                Err(CallError::MissingResult {
                    element: row.name.to_owned(),
                })
            }
            _ => Ok(()),
        }
    }

    /// Reads several results. HTTP GET and POST answer only one of them.
    ///
    /// # Errors
    ///
    /// The response is not an answer of this operation.
    pub fn read_results<R: Complex>(self) -> Result<R, CallError> {
        let (results, ()) = self.read_results_with_headers()?;
        Ok(results)
    }

    /// Like [`read_results`](Self::read_results), with the SOAP headers; `()` if the operation has
    /// none.
    ///
    /// # Errors
    ///
    /// The same as for [`read_results`](Self::read_results).
    pub fn read_results_with_headers<R: Complex, O: Complex>(self) -> Result<(R, O), CallError> {
        let (mut results, mut headers) = (R::default(), O::default());
        self.receive_results_of(R::TYPE, &mut results, O::TYPE.elements, &mut headers)?;
        Ok((results, headers))
    }

    /// Reads several results into an object of the operation's type
    /// [`response`](svcgen_model::Operation::response), and the SOAP headers as
    /// [`receive`](Self::receive) does.
    ///
    /// # Errors
    ///
    /// The same as for [`read_results`](Self::read_results).
    pub fn receive_results(
        self,
        row: &'static ComplexType<'static>,
        results: &mut impl Fields,
        headers: &mut dyn Fields,
    ) -> Result<(), CallError> {
        self.receive_results_of(row, results, self.header_rows(), headers)
    }

    fn receive_results_of(
        self,
        type_row: &'static ComplexType<'static>,
        results: &mut impl Fields,
        header_rows: &[Row<'_>],
        headers: &mut dyn Fields,
    ) -> Result<(), CallError> {
        let row = self.caller.model.operation(self.operation);
        let mut elements = row.response.elements.iter();
        let result = row.result.as_ref();
        let returned =
            elements.position(|one| result.is_some_and(|result| result.name == one.name));
        // Lists are always wrapped in this case.
        let item = match (result.map(|result| result.type_ref), returned) {
            (Some(TypeRef::List(item)), Some(index)) if row.response.elements[index].repeated => {
                Some(item)
            }
            _ => None,
        };
        let is_soap = self.caller.binding.is_soap();
        let read = &mut |element: &mut Element<'_>| match returned {
            _ if is_soap => element.object(type_row, results),
            Some(index) => match item {
                Some(item) => element.items(item.name, &mut |_, item| {
                    if row.response.elements[index].wildcard.is_none() {
                        return results.read_element(index, item);
                    }
                    // The element is in an item.
                    item.open_leaf();
                    while item.tokens.child()? {
                        results.read_element(index, item)?;
                    }
                    Ok(())
                }),
                None => results.read_element(index, element),
            },
            None => Ok(()),
        };
        self.read_response(read, header_rows, headers).map(drop)
    }

    /// Reads the response: the result with `result`, and the SOAP headers. Returns whether there
    /// was a result.
    fn read_response(
        self,
        result: &mut ReadValue<'_>,
        rows: &[Row<'_>],
        headers: &mut dyn Fields,
    ) -> Result<bool, CallError> {
        let (caller, response) = (self.caller, self.response);
        let service = caller.service();
        let operation = caller.model.operation_at(self.operation);
        let limit = caller.limits.body;
        if response.body().len() > limit {
            return Err(CallError::TooLong { limit });
        }
        if let Some(coding) = compression(response.headers()) {
            let coding = printable(&coding);
            return Err(CallError::Compressed { coding });
        }
        let content_type = header_text(response.headers().get(CONTENT_TYPE));
        let encoding = caller.model.encoding(self.operation);
        let mut headers = Headers::new(service, encoding, rows, headers);
        let received = Received {
            service,
            operation,
            limits: &caller.limits,
            strict: caller.strict,
            facets: &caller.facets,
            accepted: caller.accepted,
            url: &caller.url,
            status: response.status(),
            headers: response.headers(),
            media_type: MediaType::read(&content_type),
            body: response.body(),
            parts: response.extensions().get().map(ReceivedParts::bytes),
        };
        let protocol = caller.model.protocol(caller.binding);
        let protocol = protocol.ok_or_else(|| CallError::Binding {
            operation: operation.name.to_owned(),
            binding: caller.binding,
        })?;
        protocol
            .read_response(&received, result, &mut |reader| {
                let mut is_known = headers.read(reader)?;
                for read in &caller.understood {
                    is_known = is_known || read(reader)?;
                }
                Ok(is_known)
            })
            .map_err(|error| match response.extensions().get() {
                Some(Tries(tries)) => error.with_tries(tries),
                None => error,
            })
    }
}

impl fmt::Debug for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = self.caller.model.operation(self.operation);
        f.debug_struct("Answer")
            .field("operation", &operation.name)
            .field("status", &self.response.status())
            .finish_non_exhaustive()
    }
}
