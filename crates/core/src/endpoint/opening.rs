//! Finds the operation of a message: the last stage before the layers and the handler.

use std::borrow::Cow;

use http::{HeaderMap, Uri};

use super::Endpoint;
use super::early::EarlyAnswer;
use crate::binding::protocol::{BindingRouter, Message, OpenedRequest, Route, Unopened};
use crate::layer::{CallResponse, LayersOfCall};
use crate::routing::unknown_media_type;
use svcgen_wire::internals::BinaryParts;

impl Endpoint {
    /// Finds the operation of a request, whose body is decoded into `text`.
    pub(super) fn open<'m>(
        &'m self,
        route: Route,
        headers: &HeaderMap,
        uri: &'m Uri,
        body: &'m [u8],
        parts: Option<&'m dyn BinaryParts>,
        text: &'m mut Cow<'m, str>,
    ) -> Result<OpenedRequest<'m>, Unopened> {
        let refused = |failure| Unopened::Refused(route.protocol, failure);
        *text = route
            .protocol
            .decode(route.head.charset, body)
            .map_err(refused)?;
        let options = self.options();
        let message = Message {
            service: self.model().service(),
            operations: self.operations(),
            limits: &options.limits,
            strict: options.strict,
            facets: &self.0.facets,
            understood: &self.0.understood,
            headers,
            query: uri.query().unwrap_or_default(),
            body,
            text,
            parts,
        };
        route.protocol.open(route.head, &message)
    }

    /// Returns the answer to a request that is not a call.
    pub(super) fn refuse(
        &self,
        route: Route,
        layers: Option<Box<LayersOfCall>>,
        unopened: Unopened,
    ) -> Box<EarlyAnswer> {
        let (protocol, answer): (&'static dyn BindingRouter, _) = match unopened {
            Unopened::Refused(protocol, failure) => {
                (protocol, CallResponse::refused(protocol, failure))
            }
            Unopened::MediaType => {
                let answer = unknown_media_type(&self.model().service(), "");
                (route.protocol, CallResponse::no_call(*answer))
            }
        };
        self.setting(Some(protocol), layers).answered(answer)
    }
}
