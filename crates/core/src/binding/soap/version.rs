//! The differences between the versions of SOAP, and the routing of requests.

use std::borrow::Cow;

use http::HeaderMap;
use http::header::InvalidHeaderValue;
use svcgen_model::{At, Binding, Operation, Routing, Service, Style};

use super::encoding::{Encoding, EncodingOf};
use super::receiver::is_for_us;
use crate::binding::operations::Operations;
use crate::failure::Failure;
use crate::fault::{Fault, FaultCode};
use svcgen_wire::ReadError;
use svcgen_wire::internals::Parts;
use svcgen_wire::internals::form::decode;
use svcgen_wire::{Content, Reader};

/// A version of SOAP.
pub(crate) struct Version {
    pub(in crate::binding) binding: Binding,
    /// The namespace of the envelope.
    pub(in crate::binding) namespace: &'static str,
    /// The media type of its messages.
    pub(in crate::binding) media_type: &'static str,
    /// Whether the media type is only for envelopes of this version.
    pub(in crate::binding) has_own_media_type: bool,
    /// The `Content-Type` of its answers.
    pub(in crate::binding) content_type: &'static str,
    /// A message up to the start tag of the Envelope.
    pub(in crate::binding) start: &'static str,
    /// An answer in rpc style up to the start tag of the Envelope.
    pub(in crate::binding) rpc_start: &'static str,
    /// Returns the encoding of an operation's messages; `None` in services without encoded
    /// operations, so that the encoding is not linked.
    pub(in crate::binding) encoding: Option<EncodingOf>,
    /// The versions that the envelope of a message may have, including this one, the oldest first.
    pub(in crate::binding) versions: &'static [&'static Version; 2],
    /// Whether encoded objects are written where they are first used, rather than after the element
    /// of the operation.
    pub(in crate::binding) encodes_inline: bool,
    /// Finds the operation of a request.
    pub(in crate::binding) route: fn(&Target<'_>) -> Result<usize, Failure>,
    /// Sets the action of a client's request, given in quotes.
    pub(in crate::binding) set_action: fn(String, &mut HeaderMap) -> Result<(), InvalidHeaderValue>,
    /// The attribute with the receiver of a header.
    pub(in crate::binding) actor: &'static str,
    pub(in crate::binding) write_fault: fn(&Fault, &mut Content<'_>),
    pub(in crate::binding) read_fault: fn(&mut Reader<'_>) -> Result<Fault, ReadError>,
}

impl Version {
    /// Whether the current header is for this receiver.
    pub(super) fn is_for_us(&self, header: &Reader<'_>) -> bool {
        is_for_us(self.namespace, |name| {
            header.attribute(self.namespace, name)
        })
    }

    /// Returns the encoding of an operation's messages; `None` if they are literal.
    pub(crate) fn encoding<'m>(
        &self,
        operation: At<'m, Operation<'m>>,
        service: &Service<'m>,
    ) -> Option<Box<dyn Encoding + 'm>> {
        (self.encoding?)(operation, service, self.encodes_inline)
    }
}

/// The parts of a request that name its operation.
pub(in crate::binding) struct Target<'r> {
    pub(in crate::binding) headers: &'r HeaderMap,
    pub(in crate::binding) service: &'r Service<'r>,
    pub(in crate::binding) operations: &'r Operations,
    /// The namespace and the local name of the first element in the Body.
    pub(in crate::binding) element: Option<(&'r str, &'r str)>,
}

impl Target<'_> {
    /// Returns the operation whose request element is the first in the Body; `None` if several
    /// operations have this element, as bare ones may.
    pub(in crate::binding) fn by_element(&self, binding: Binding) -> Option<usize> {
        let service = self.service;
        let mut called = self.operations.of_element(service, binding, self.element?);
        let index = called.next()?;
        let is_shared = service.operations[index].style == Style::Bare && called.next().is_some();
        (!is_shared).then_some(index)
    }

    /// Returns the operation of the element in the Body, if the element alone names it; `None` if
    /// the action does.
    pub(in crate::binding) fn routed_by_element(
        &self,
        binding: Binding,
    ) -> Option<Result<usize, Failure>> {
        if self.service.routing == Routing::Action {
            return None;
        }
        Some(self.by_element(binding).ok_or_else(|| {
            let message = match self.element {
                None => "The request element is missing: the Body is empty.".to_owned(),
                Some((namespace, name)) => {
                    format!("The request element <{name} xmlns='{namespace}'> was not recognized.")
                }
            };
            Failure::early(Fault::new(FaultCode::Client, message))
        }))
    }

    /// Returns the operation of an action; an error if the Body contains the element of another
    /// one.
    ///
    /// ASMX decodes the action like a field of a form, with `+` and `%uXXXX`. An action that itself
    /// contains such characters is also found without decoding.
    pub(in crate::binding) fn by_action(
        &self,
        binding: Binding,
        action: &str,
    ) -> Option<Result<usize, Failure>> {
        let find = |action: &str| self.operations.of_action(self.service, binding, action);
        let index = find(&decoded_action(action)).or_else(|| find(action))?;
        if self.element.is_some() && self.is_expected(binding, index) {
            return Some(Ok(index));
        }
        // Several operations may have the same action.
        let action = self.service.operations[index].action;
        let mut others = (index + 1..self.service.operations.len()).filter(|other| {
            let operation = &self.service.operations[*other];
            operation.action == action && operation.bindings.contains(binding)
        });
        let Some(other) = others.next() else {
            // ASMX reads an encoded message before it checks the element.
            let is_encoded = self.service.operations[index].encoded.is_some();
            let is_expected = is_encoded || self.is_expected(binding, index);
            return Some(
                is_expected
                    .then_some(index)
                    .ok_or_else(|| self.unexpected(index)),
            );
        };
        let mut meant = [other].into_iter().chain(others);
        let meant = meant.find(|other| self.element.is_some() && self.is_expected(binding, *other));
        Some(meant.ok_or_else(|| self.unexpected_of_several(action)))
    }

    /// Whether the action may name this operation with the element that is in the Body. An empty
    /// Body leaves every parameter absent. Without parameters, the namespace of the element does
    /// not matter, because nothing is read from it.
    fn is_expected(&self, binding: Binding, index: usize) -> bool {
        let Some((namespace, name)) = self.element else {
            return true;
        };
        let (service, operation) = (self.service, &self.service.operations[index]);
        let has_parameters = !operation.parameters.elements.is_empty();
        match (operation.style, has_parameters) {
            (Style::Bare, true) => {
                let rows = Parts::of_request(operation, service);
                let rows = rows.rows(operation.parameters.elements);
                let mut parts = operation.parameters.elements.iter().enumerate();
                parts.any(|(index, part)| {
                    part.wildcard.is_some() || part.name == name && rows.admit(index, namespace)
                })
            }
            // No element is expected, but it must not be the one of another operation.
            (Style::Bare, false) => self.by_element(binding).is_none(),
            (_, true) => operation.request_element(service) == self.element,
            (_, false) => name == operation.parameters.name,
        }
    }

    fn unexpected(&self, index: usize) -> Failure {
        let operation = &self.service.operations[index];
        let (namespace, name) = self.element.unwrap_or_default();
        let expected = operation.request_element(self.service);
        let expected = match expected {
            Some((namespace, name)) => format!("whose element is {name} of namespace {namespace}"),
            None => "which has no element".to_owned(),
        };
        let failure = Failure::request_format(format_args!(
            "The action names the operation {}, {expected}, but the Body holds the element {name} of namespace {namespace}.",
            operation.name,
        ));
        Failure {
            untold: operation.one_way,
            ..failure
        }
    }

    fn unexpected_of_several(&self, action: &str) -> Failure {
        let body = match self.element {
            None => "is empty".to_owned(),
            Some((namespace, name)) => {
                format!("holds the element {name} of namespace {namespace}")
            }
        };
        Failure::request_format(format_args!(
            "The action '{action}' is that of several operations, which their elements tell apart, but the Body {body}.",
        ))
    }
}

/// Decodes an action as ASMX does, also for the message that the action is unknown.
pub(in crate::binding) fn decoded_action(action: &str) -> Cow<'_, str> {
    decode(action.as_bytes(), None)
}

/// Returns the fault of a request that does not name an operation.
pub(in crate::binding) fn no_action() -> Failure {
    Failure::early(Fault::new(
        FaultCode::Client,
        "Unable to handle request without a valid action parameter. Please supply a valid soap action.",
    ))
}
