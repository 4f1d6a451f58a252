//! Requests that are no calls, and their way through the layers.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Response;
use http::header::CONNECTION;

use crate::binding::protocol::BindingRouter;
use crate::described::Model;
use crate::heads::Heads;
use crate::layer::{CallRequest, CallResponse, Layers, LayersOfCall, Patience};
use crate::response;
use crate::server_options::ServerOptions;

/// A request that is no call, with its answer.
pub(crate) struct Refused {
    pub(super) answer: CallResponse,
    /// Its binding, if it is one of a binding.
    pub(super) protocol: Option<&'static dyn BindingRouter>,
    pub(super) model: Option<Model>,
    pub(super) layers: Option<Box<LayersOfCall>>,
    /// How long layers may take.
    pub(super) time: Option<Duration>,
}

impl Refused {
    /// A request to no service, beneath the layers of a router.
    pub(crate) fn no_service(response: Response<Bytes>, layers: &Layers) -> Self {
        Self {
            answer: CallResponse::no_call(response),
            protocol: None,
            model: None,
            layers: layers.around(&Layers::default()),
            time: ServerOptions::default().deadline,
        }
    }

    /// Passes the answer through the layers.
    pub(super) async fn answer(mut self: Box<Self>, heads: Arc<Heads>) -> Response<Bytes> {
        match self.layers.take() {
            None => self.answer.into_response(),
            Some(layers) => Box::pin(self.answer_beneath(*layers, heads)).await,
        }
    }

    async fn answer_beneath(
        self: Box<Self>,
        layers: LayersOfCall,
        heads: Arc<Heads>,
    ) -> Response<Bytes> {
        let Self {
            answer,
            protocol,
            model,
            time,
            ..
        } = *self;
        // Its body was not read.
        let closes = answer.headers().contains_key(CONNECTION);
        let patience = Patience {
            time,
            carrier: None,
        };
        let request = CallRequest::new(heads, Bytes::new(), model, None, protocol);
        let answer = layers.answer(request, patience, async |_| answer);
        let mut response = answer.await;
        if closes {
            response::close_connection(&mut response);
        }
        response
    }
}
