//! JSON, as ASMX speaks it to page scripts: each operation has its own path, parameters and results are JSON.

mod convert;
mod document;
mod escape;
mod members;
mod parse;
#[cfg(test)]
mod reading;
mod rows;
mod simple;
mod text;
mod types;
mod values;
mod writer;
mod xml_result;

use ::http::{Request, Response};
use bytes::Bytes;
use svcgen_model::{Binding, Operation};

use super::protocol::{
    Answer, Head, Message, Opened, Outgoing, Protocol, ReadHeader, ReadValue, Route, Unopened,
};
use super::received::Received;
use crate::call_error::CallError;
use crate::failure::Failure;
use crate::values::Content;

pub(super) static JSON: Json = Json;

pub(super) struct Json;

impl Protocol for Json {
    fn binding(&self) -> Binding {
        Binding::Json
    }

    fn route(&'static self, _head: &Head<'_>) -> Option<Result<Route, Failure>> {
        None
    }

    fn open<'m>(
        &'static self,
        route: Route,
        _message: &Message<'_, 'm>,
    ) -> Result<Opened<'m>, Unopened> {
        let operation = route.operation.unwrap_or_default();
        Err(Unopened::Refused(self, Failure::no_operation(operation)))
    }

    fn write_answer(
        &self,
        _answer: &Answer<'_>,
        _result: &mut dyn FnMut(&str, &mut Content<'_>),
        _body: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        Ok(())
    }

    fn respond(&self, _: &Operation<'_>, _outcome: Result<Vec<u8>, &Failure>) -> Response<Bytes> {
        Response::default()
    }

    fn refuse(&self, _failure: &Failure) -> Response<Bytes> {
        Response::default()
    }

    fn request(
        &self,
        _call: &Outgoing<'_>,
        _parameters: &mut dyn FnMut(&mut Content<'_>),
    ) -> Result<Request<Bytes>, CallError> {
        Ok(Request::default())
    }

    fn read_response(
        &self,
        received: &Received<'_>,
        _result: &mut ReadValue<'_>,
        _: &mut ReadHeader<'_>,
    ) -> Result<bool, CallError> {
        Err(received.status_error())
    }
}
