//! The differences between the versions of SOAP, and the routing of requests.

use std::borrow::Cow;

use http::HeaderMap;
use http::header::InvalidHeaderValue;
use svcgen_model::{Binding, Service};

use crate::failure::Failure;
use crate::fault::{Fault, FaultCode};
use crate::form::decode::percent_decode;
use crate::values::{Content, Reader};
use crate::xml::ReadError;

/// The namespaces of the envelopes of SOAP 1.1 and SOAP 1.2.
pub(in crate::binding) const ENVELOPES: [&str; 2] = [
    "http://schemas.xmlsoap.org/soap/envelope/",
    "http://www.w3.org/2003/05/soap-envelope",
];

/// A version of SOAP.
pub(in crate::binding) struct Version {
    pub(in crate::binding) binding: Binding,
    /// The namespace of the envelope.
    pub(in crate::binding) namespace: &'static str,
    /// The media type of its messages.
    pub(in crate::binding) media_type: &'static str,
    /// Whether the media type is for envelopes of this version alone.
    pub(in crate::binding) has_own_media_type: bool,
    /// The `Content-Type` of its answers.
    pub(in crate::binding) content_type: &'static str,
    /// A message up to the start tag of the Envelope.
    pub(in crate::binding) start: &'static str,
    /// The same for an answer in rpc style.
    pub(in crate::binding) rpc_start: &'static str,
    /// Finds the operation of a request.
    pub(in crate::binding) route: fn(&Target<'_>) -> Result<usize, Failure>,
    /// Names the operation of a client's request by its action, which is given in quotes.
    pub(in crate::binding) set_action: fn(&str, &mut HeaderMap) -> Result<(), InvalidHeaderValue>,
    /// Whether the current header is meant for this receiver.
    pub(in crate::binding) is_for_us: fn(&Reader<'_>) -> bool,
    pub(in crate::binding) write_fault: fn(&Fault, &mut Content<'_>),
    pub(in crate::binding) read_fault: fn(&mut Reader<'_>) -> Result<Fault, ReadError>,
}

/// The parts of a request that name its operation.
pub(in crate::binding) struct Target<'r> {
    pub(in crate::binding) headers: &'r HeaderMap,
    pub(in crate::binding) service: &'r Service<'r>,
    /// Namespace and local name of the first element in the Body.
    pub(in crate::binding) element: Option<(&'r str, &'r str)>,
}

impl Target<'_> {
    /// The operation whose request element stands in the Body.
    pub(in crate::binding) fn by_element(&self, binding: Binding) -> Option<usize> {
        let (namespace, name) = self.element?;
        let service = self.service;
        service.find(binding, |operation| {
            namespace == service.namespace && name == operation.parameters.name
        })
    }

    /// The operation of an action, which may be percent-encoded; an error if the Body holds another element. Without parameters the
    /// namespace of the element does not matter, as nothing is read from it.
    pub(in crate::binding) fn by_action(
        &self,
        binding: Binding,
        action: &str,
    ) -> Option<Result<usize, Failure>> {
        let find = |action: &str| {
            self.service
                .find(binding, |operation| operation.action == action)
        };
        let index = find(action).or_else(|| match percent_decode(action) {
            Cow::Borrowed(_) => None,
            Cow::Owned(decoded) => find(&decoded),
        })?;
        let operation = &self.service.operations[index];
        let expected = (self.service.namespace, operation.parameters.name);
        // An empty Body leaves every parameter absent.
        let has_parameters = !operation.parameters.elements.is_empty();
        let is_expected = |element: &(&str, &str)| {
            *element == expected || (!has_parameters && element.1 == expected.1)
        };
        let other = self.element.filter(|element| !is_expected(element));
        Some(match other {
            None => Ok(index),
            Some((namespace, name)) => Err(Failure::request_format(format_args!(
                "The action names the operation {}, whose element is {} of namespace {}, but the Body holds the element {name} of namespace {namespace}.",
                operation.name, operation.parameters.name, self.service.namespace,
            ))),
        })
    }
}

/// The fault of a request that names no operation in any way.
pub(in crate::binding) fn no_action() -> Failure {
    Failure::early(Fault::new(
        FaultCode::Client,
        "Unable to handle request without a valid action parameter. Please supply a valid soap action.",
    ))
}
