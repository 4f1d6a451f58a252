//! The messages of an operation.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::Response;
use serde_json::{Map, Value as Json};
use svcgen::codegen::{Call, Dispatch, Dispatched, Element, Endpoint};
use svcgen::codegen::{Client, Content, DetailElement, Failure, Fields, Reply};
use svcgen::mask::Masked;
use svcgen::{Binding, CallError, Fault, ReadError, Transport};
use svcgen_attachments::Attachments;
use svcgen_model::{At, ElementForm, Headers, Operation as OperationRow};

use crate::error::NoOperation;
use crate::layouts::{EMPTY, Row, Type};
use crate::mask;
use crate::place::Place;
use crate::read;
use crate::service::Service;
use crate::value_path::ValuePath;
use crate::write::{self, Given, WrittenBy};

impl Service {
    /// Returns the operations, in the order of the definition.
    pub fn operations(self) -> impl ExactSizeIterator<Item = Operation> {
        let count = self.0.service.row().operations.len();
        (0..count).map(move |index| Operation {
            service: self,
            index,
        })
    }

    /// Returns the operation with a name.
    ///
    /// # Errors
    ///
    /// No operation has this name.
    pub fn operation(self, name: &str) -> Result<Operation, NoOperation> {
        let found = self.operations().find(|operation| operation.name() == name);
        found.ok_or_else(|| NoOperation {
            service: self.name(),
            name: name.to_owned(),
            known: self.operations().map(Operation::name).collect(),
        })
    }
}

/// An operation of a [`Service`].
#[derive(Clone, Copy)]
pub struct Operation {
    pub(crate) service: Service,
    pub(crate) index: usize,
}

/// A request that was read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Request {
    /// The called operation.
    pub operation: Operation,
    /// The binding.
    pub binding: Binding,
    /// The SOAP headers; an empty object over other bindings.
    pub headers: Json,
    /// The parameters.
    pub parameters: Json,
    /// The data of the HTTP request besides its message: values of servers and layers.
    pub extensions: http::Extensions,
}

/// The answer of an operation.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Answer {
    /// The result, or an object of several results; `null` if there is none.
    pub value: Json,
    /// The SOAP headers of the answer.
    pub headers: Json,
}

impl From<Json> for Answer {
    fn from(value: Json) -> Self {
        let headers = Json::Object(Map::new());
        Self { value, headers }
    }
}

impl Answer {
    /// Adds SOAP headers to the answer.
    #[must_use]
    pub fn with_headers(mut self, headers: Json) -> Self {
        self.headers = headers;
        self
    }
}

/// A URL for requests of which only the path is known.
const ANYWHERE: &str = "http://localhost";

/// The transport for requests that are not sent.
struct Unsent;

impl Operation {
    /// Returns the service.
    pub fn service(self) -> Service {
        self.service
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.row().row().name
    }

    /// Returns the index in the rows of the service.
    pub fn index(self) -> usize {
        self.index
    }

    /// Returns the rows of the operation.
    pub fn row(self) -> At<'static, OperationRow<'static>> {
        let service = self.service.row();
        service.beside(&service.row().operations[self.index])
    }

    fn client(self, binding: Binding) -> Result<Client<Unsent>, CallError> {
        Ok(self.service.client(Unsent, ANYWHERE)?.with_binding(binding))
    }

    /// Creates the request that calls the operation at its path, without SOAP headers.
    ///
    /// # Errors
    ///
    /// A value does not fit, or the operation is not offered over the binding.
    pub fn request(
        self,
        parameters: &Json,
        binding: Binding,
    ) -> Result<http::Request<Bytes>, CallError> {
        self.request_by(&self.client(binding)?, &Json::Null, parameters)
    }

    /// Creates the request as sent by a client, with SOAP headers; `null` for none.
    ///
    /// # Errors
    ///
    /// The errors of [`request`](Self::request), or headers are given for another binding than
    /// SOAP.
    pub fn request_by<T>(
        self,
        client: &Client<T>,
        headers: &Json,
        parameters: &Json,
    ) -> Result<http::Request<Bytes>, CallError> {
        let parameters = self.written(self.parameters(), parameters, self.name());
        match self.row().headers().map(At::<_>::fields) {
            Some(complex) if client.binding().is_soap() || !is_nothing(headers) => {
                let none = Json::Object(Map::new());
                let headers = if headers.is_null() { &none } else { headers };
                let headers = self.written(complex, headers, "headers");
                client.request(self.index, &headers, &parameters)
            }
            _ => client.request(self.index, &(), &parameters),
        }
    }

    /// Reads the answer to a call over a binding, even if it has attachments (MTOM).
    ///
    /// # Errors
    ///
    /// The answer is a fault, malformed, or not an answer of the operation.
    pub fn read_answer(
        self,
        response: &Response<Bytes>,
        binding: Binding,
    ) -> Result<Answer, CallError> {
        self.read_answer_by(&self.client(binding)?, response)
    }

    /// Reads the answer to a client's request.
    ///
    /// # Errors
    ///
    /// The errors of [`read_answer`](Self::read_answer).
    pub fn read_answer_by<T>(
        self,
        client: &Client<T>,
        response: &Response<Bytes>,
    ) -> Result<Answer, CallError> {
        let (known, row) = (self.service.0, self.row());
        let mut headers = read::Object::new(known, self.headers_of(row.response_headers()));
        let mut response = response.clone();
        let unpacked = Attachments::new().unpack(&mut response);
        unpacked.map_err(CallError::Transport)?;
        let answer = client.answer(self.index, &response);
        let mut value = Json::Null;
        if row.has_results() {
            let complex = row.response();
            let mut results = read::Object::new(known, complex);
            answer.receive_results(complex.row(), &mut results, &mut headers)?;
            value = results.into_json();
        } else if let Some(row) = row.result() {
            value = crate::initial::element(known, row);
            answer.receive(&mut read::alone(known, row, &mut value), &mut headers)?;
        } else {
            answer.receive(&mut (), &mut headers)?;
        }
        let headers = headers.into_json();
        Ok(Answer { value, headers })
    }

    /// Calls the operation through a client, with SOAP headers; `null` for none.
    ///
    /// # Errors
    ///
    /// The errors of [`request`](Self::request), of the transport, and of
    /// [`read_answer`](Self::read_answer).
    pub async fn call<T: Transport>(
        self,
        client: &Client<T>,
        headers: &Json,
        parameters: &Json,
    ) -> Result<Answer, CallError> {
        let request = self.request_by(client, headers, parameters)?;
        let response = client.transport().send(request).await;
        self.read_answer_by(client, &response.map_err(CallError::Transport)?)
    }

    /// Creates the response to a call over a binding, as from a server with default options.
    pub fn answer(self, answer: &Answer, binding: Binding) -> Response<Bytes> {
        let endpoint = Endpoint::new(self.service.model(), Arc::new(Unasked));
        endpoint.response(binding, self.index, |call| self.reply(call, answer))
    }

    /// Creates the response with a fault to a call over a binding, as from a server with default
    /// options.
    pub fn refuse(self, fault: Fault, binding: Binding) -> Response<Bytes> {
        let endpoint = Endpoint::new(self.service.model(), Arc::new(Unasked));
        endpoint.response(binding, self.index, |_| Err(fault.into()))
    }

    /// Adds an element to the detail of a fault, by the name of a fault of the service.
    ///
    /// # Errors
    ///
    /// The service has no such fault. If the value does not fit, the fault becomes one of the
    /// server with that message.
    pub fn with_detail(
        self,
        fault: Fault,
        name: &str,
        detail: &Json,
    ) -> Result<Fault, UnknownFault> {
        let row = self.fault(name)?;
        let written = crate::layouts::written_name(row);
        let given = self.given(detail, name);
        let detail = WrittenBy(|_: &str, out: &mut Content<'_>| {
            given.element((row, row.writing()), &written, out);
        });
        Ok(fault.with_detail_element(&self.detail_element(row), &detail))
    }

    /// Reads the elements of the detail of a fault: an object with the names of the faults of the
    /// operation.
    ///
    /// # Errors
    ///
    /// A detail is not of its type.
    pub fn read_detail(self, fault: &Fault) -> Result<Json, ReadError> {
        let known = self.service.0;
        let mut details = Map::new();
        for row in self.row().faults() {
            let mut json = crate::initial::element(known, row);
            let mut detail = read::alone(known, row, &mut json);
            let found = fault.read_detail_element(&self.detail_element(row), &mut detail)?;
            drop(detail);
            if found {
                details.insert(row.name.to_owned(), json);
            }
        }
        Ok(Json::Object(details))
    }

    /// Adds SOAP headers to a fault for a call over a binding: those that the operation declares
    /// for faults, or else those of its answers. Over other bindings than SOAP they are omitted. If
    /// a value does not fit, the fault becomes one of the server with that message.
    ///
    /// ```
    /// use serde_json::json;
    /// use svcgen::{Binding, Fault};
    /// use svcgen_messages::Service;
    ///
    /// let service = Service::of_definition("bank.yaml", "
    /// service: Bank
    /// namespace: http://example.com/bank
    /// path: /Bank.asmx
    /// operations:
    ///   Pay: { headers: { fault: [Ticket] }, parameters: { amount: int } }
    /// headers: { Ticket: 'string?' }
    /// ")?;
    /// let pay = service.operation("Pay")?;
    /// let fault = pay.with_fault_headers(Fault::client("No."), &json!({ "Ticket": "t1" }), Binding::Soap12);
    /// let response = pay.refuse(fault, Binding::Soap12);
    ///
    /// let error = pay.read_answer(&response, Binding::Soap12).unwrap_err();
    /// assert_eq!(pay.read_fault_headers(error.fault().unwrap())?, json!({ "Ticket": "t1" }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_fault_headers(self, fault: Fault, headers: &Json, binding: Binding) -> Fault {
        let complex = self.fault_headers_or_those_of_answers();
        let headers = self.written(complex, headers, "headers");
        fault.with_header_fields(&self.service.model(), self.index, binding, &headers)
    }

    /// Reads the SOAP headers of a fault: an object with those that the operation declares for
    /// faults, which is empty if there are none.
    ///
    /// # Errors
    ///
    /// A header is not of its type.
    pub fn read_fault_headers(self, fault: &Fault) -> Result<Json, ReadError> {
        let complex = self.headers_of(self.row().fault_headers());
        let mut headers = read::Object::new(self.service.0, complex);
        let found = fault.read_header_fields(&self.service.model(), self.index, &mut headers)?;
        Ok(if found {
            headers.into_json()
        } else {
            Json::Object(Map::new())
        })
    }

    pub(crate) fn fault_headers_or_those_of_answers(self) -> Type {
        let row = self.row();
        self.headers_of(row.fault_headers().or_else(|| row.response_headers()))
    }

    pub(crate) fn fault(self, name: &str) -> Result<Row, UnknownFault> {
        let service = self.service.row();
        let mut faults = service.each(service.row().faults);
        faults
            .find(|fault| fault.name == name)
            .ok_or_else(|| UnknownFault {
                name: name.to_owned(),
                known: service
                    .row()
                    .faults
                    .iter()
                    .map(|fault| fault.name)
                    .collect(),
            })
    }

    fn detail_element(self, fault: Row) -> DetailElement<'static> {
        let service = self.service.row().row();
        let around = service.namespace;
        let own = fault.form.own_namespace();
        let is_unqualified = service.element_form == ElementForm::Unqualified;
        let is_scoped = service.has_scopes || is_unqualified || own.is_some();
        DetailElement {
            namespace: own.unwrap_or(around),
            name: fault.row().name,
            scope: is_scoped.then_some((around, service.element_form)),
            time_zone: service.time_zone,
        }
    }

    /// Returns an answer without secrets, and without XML: they are replaced by `[secret]` and
    /// `[omitted]`.
    #[must_use]
    pub fn mask_answer(self, answer: &Answer) -> Masked<Answer> {
        let value = self.answer_place().mask(&answer.value);
        let headers = self.answer_header_place().mask(&answer.headers);
        let both = value.and(headers);
        both.map(|(value, headers)| Answer { value, headers })
    }

    /// Returns the elements of the detail of a fault, as returned by
    /// [`read_detail`](Self::read_detail), without secrets, and without XML: they are replaced by
    /// `[secret]` and `[omitted]`.
    #[must_use]
    pub fn mask_detail(self, details: &Json) -> Masked<Json> {
        mask::each(details, |name, json| {
            let row = self.row().faults().find(|row| row.name == name)?;
            let place = Place::of_row(self.service.0, row);
            Some((row.row().name, place.mask(json)))
        })
    }

    /// Returns the type that reads and writes the parameters.
    pub(crate) fn parameters(self) -> Type {
        let parameters = self.row().parameters();
        if parameters.elements.is_empty() {
            self.row().beside(&EMPTY)
        } else {
            parameters
        }
    }

    pub(crate) fn headers_of(self, headers: Option<At<'static, Headers<'static>>>) -> Type {
        let empty = self.row().beside(&EMPTY);
        headers.map_or(empty, At::<_>::fields)
    }

    /// Reads a call.
    pub(crate) fn read(self, call: &mut Call<'_>) -> Result<Request, Failure> {
        let known = self.service.0;
        let mut headers = read::Object::new(known, self.headers_of(self.row().headers()));
        if self.row().headers().is_some() {
            call.headers_into(&mut headers)?;
        }
        let mut parameters = read::Object::new(known, self.parameters());
        call.read_into(&mut parameters)?;
        Ok(Request {
            operation: self,
            binding: call.context().binding(),
            extensions: call.context().extensions().clone(),
            headers: headers.into_json(),
            parameters: parameters.into_json(),
        })
    }

    /// Answers a call.
    pub(crate) fn reply(self, call: Call<'_>, answer: &Answer) -> Result<Reply, Failure> {
        let row = self.row();
        let call = match row.response_headers().map(At::<_>::fields) {
            Some(complex) => {
                call.with_headers(&self.written(complex, &answer.headers, "headers"))?
            }
            None => call,
        };
        let name = row.row().response.name;
        let Some(result) = row.result() else {
            if row.has_results() {
                let results = self.written(row.response(), &answer.value, name);
                return call.reply_results(&results, |_, _| {});
            }
            return call.reply(&());
        };
        let given = self.given(&answer.value, name);
        if !row.has_results() {
            return call.reply(&given.result(result));
        }
        let complex = row.response();
        call.reply_results(&self.written(complex, &answer.value, name), |name, out| {
            let of = complex.elements().find(|one| one.name == result.name);
            let of = of.filter(|one| !one.repeated && !one.texts);
            let json = answer.value.get(result.name).unwrap_or(&Json::Null);
            let path = given.path.member(result.name);
            let given = Given {
                json,
                path,
                ..given
            };
            out.element(name, &given.result(of.unwrap_or(result)));
        })
    }

    /// Returns a value to write, with its name in errors.
    fn given<'v>(self, json: &'v Json, name: &'v str) -> Given<'v> {
        let (known, path) = (self.service.0, ValuePath::of(name));
        Given { known, json, path }
    }

    fn written<'v>(self, complex: Type, json: &'v Json, name: &'v str) -> Written<'v> {
        let given = self.given(json, name);
        Written { given, complex }
    }
}

impl Operation {
    /// Returns the place of the parameters.
    pub fn parameter_place(self) -> Place {
        Place::of_type(self.service.0, self.parameters())
    }

    /// Returns the place of the SOAP headers of a request.
    pub fn header_place(self) -> Place {
        Place::of_type(self.service.0, self.headers_of(self.row().headers()))
    }

    /// Returns the place of the result, or of an object of several results.
    pub fn answer_place(self) -> Place {
        let (known, row) = (self.service.0, self.row());
        match row.result() {
            Some(result) if !row.has_results() => Place::of_row(known, result),
            _ => Place::of_type(known, row.response()),
        }
    }

    /// Returns the place of the detail of a fault, by the name of a fault of the service.
    ///
    /// # Errors
    ///
    /// The service has no such fault.
    pub fn detail_place(self, name: &str) -> Result<Place, UnknownFault> {
        Ok(Place::of_row(self.service.0, self.fault(name)?))
    }

    /// Returns the place of the SOAP headers of an answer.
    pub fn answer_header_place(self) -> Place {
        let headers = self.row().response_headers();
        Place::of_type(self.service.0, self.headers_of(headers))
    }

    /// Returns the place of the SOAP headers of a fault: those that the operation declares for
    /// faults, or else those of its answers.
    pub fn fault_header_place(self) -> Place {
        Place::of_type(self.service.0, self.fault_headers_or_those_of_answers())
    }
}

/// Whether there are no headers.
fn is_nothing(headers: &Json) -> bool {
    match headers {
        Json::Null => true,
        Json::Object(map) => map.is_empty(),
        _ => false,
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Operation").field(&self.name()).finish()
    }
}

/// Identity: the same operation of the same service.
impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.service.0, other.service.0) && self.index == other.index
    }
}

impl Eq for Operation {}

/// The elements of a message. A value other than an object is refused when they are written.
struct Written<'v> {
    given: Given<'v>,
    complex: Type,
}

impl Fields for Written<'_> {
    fn read_element(&mut self, _: usize, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write_elements(&self, out: &mut Content<'_>) {
        let nothing = Json::Object(Map::new());
        let mut given = Given { ..self.given };
        if given.json.is_null() && self.complex.elements.is_empty() {
            given.json = &nothing;
        }
        if let Some(object) = write::Object::of(given, self.complex, out) {
            object.write_elements(out);
        }
    }
}

/// The error for a name that no fault of a service has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFault {
    name: String,
    known: Vec<&'static str>,
}

impl fmt::Display for UnknownFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, known) = (&self.name, self.known.join(", "));
        write!(f, "the service has no fault '{name}'; it has {known}")
    }
}

impl std::error::Error for UnknownFault {}

/// A dispatch without calls: its endpoint only writes answers.
struct Unasked;

impl Dispatch for Unasked {
    fn dispatch<'a>(&'a self, index: usize, _: Call<'a>) -> Dispatched<'a> {
        Box::pin(async move { Err(Failure::no_operation(index)) })
    }
}
