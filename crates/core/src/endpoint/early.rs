//! Answers to requests that reach no handler, and their path through the layers.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Response;
use http::header::CONNECTION;
use http_body::Body;

use super::admission::answer_early;
use crate::binding::protocol::BindingRouter;
use crate::described::Model;
use crate::heads::Heads;
use crate::layer::{CallRequest, CallResponse, Layers, LayersOfCall, Patience, report};
use crate::response;
use crate::server_options::ServerOptions;

/// The setting of an answer to a request that reaches no handler.
pub(crate) struct Setting {
    /// The binding of the request, if it has one.
    pub(crate) protocol: Option<&'static dyn BindingRouter>,
    pub(crate) model: Option<Model>,
    pub(crate) layers: Option<Box<LayersOfCall>>,
    /// The time limit of layers.
    pub(crate) time: Option<Duration>,
    /// The limit of the body, in bytes.
    pub(crate) limit: usize,
}

impl Setting {
    /// Creates the setting of a request to the path of no service, beneath these layers.
    pub(crate) fn of_no_service(layers: &Layers, limit: usize) -> Self {
        Self {
            protocol: None,
            model: None,
            layers: layers.around(&Layers::default()),
            time: ServerOptions::default().deadline,
            limit,
        }
    }

    /// Moves the setting out, for another answer.
    pub(super) fn take(&mut self) -> Self {
        Self {
            model: self.model.take(),
            layers: self.layers.take(),
            ..*self
        }
    }

    /// Logs a failure that the caller does not see.
    fn report(&self, answer: &CallResponse, heads: &Heads, body: &Bytes) {
        let called = self.model.as_ref().map(|model| (model, None));
        report(answer, called, Some((&heads.parts, body)));
    }

    /// Returns the answer to a request that fails or is refused.
    pub(super) fn answered(self, answer: CallResponse) -> Box<EarlyAnswer> {
        Box::new(EarlyAnswer {
            answer,
            setting: self,
            is_document: false,
        })
    }

    /// Returns the answer to a request that is not a call.
    pub(crate) fn answered_by(self, response: Response<Bytes>) -> Box<EarlyAnswer> {
        self.answered(CallResponse::no_call(response))
    }
}

/// An answer to a request that reaches no handler.
pub(crate) struct EarlyAnswer {
    answer: CallResponse,
    pub(super) setting: Setting,
    pub(super) is_document: bool,
}

impl EarlyAnswer {
    /// Returns the answer with a document, which layers do not see. The body of its request may be
    /// as long as the body of a call.
    #[cfg(feature = "documents")]
    pub(crate) fn document(response: Response<Bytes>, limit: usize) -> Box<Self> {
        let mut answer = Setting::of_no_service(&Layers::default(), limit).answered_by(response);
        answer.is_document = true;
        answer
    }

    /// Answers a request whose body was not read yet.
    pub(super) async fn answer<B: Body>(
        mut self: Box<Self>,
        heads: Arc<Heads>,
        body: Pin<&mut B>,
    ) -> Response<Bytes> {
        let limit = self.setting.limit;
        answer_early(&heads.parts, body, &mut self.answer, limit).await;
        self.pass_layers(heads, Bytes::new()).await
    }

    /// Passes the answer through the layers. `body` is the part of the request's body that was
    /// read.
    #[allow(
        clippy::manual_async_fn,
        reason = "an `async fn` has room for its arguments twice"
    )]
    pub(super) fn pass_layers(
        mut self: Box<Self>,
        heads: Arc<Heads>,
        body: Bytes,
    ) -> impl Future<Output = Response<Bytes>> {
        async move {
            match self.setting.layers.take() {
                None => {
                    self.setting.report(&self.answer, &heads, &body);
                    self.answer.into_response()
                }
                Some(layers) => Box::pin(self.answer_beneath(*layers, heads, body)).await,
            }
        }
    }

    async fn answer_beneath(
        self: Box<Self>,
        layers: LayersOfCall,
        heads: Arc<Heads>,
        body: Bytes,
    ) -> Response<Bytes> {
        let Self {
            answer, setting, ..
        } = *self;
        // The body may be longer than the part that was read.
        let closes = answer.headers().contains_key(CONNECTION);
        let patience = Patience {
            time: setting.time,
            grants: None,
        };
        let (model, protocol) = (setting.model.clone(), setting.protocol);
        let request = CallRequest::new(heads, body.clone(), model, None, protocol);
        let handle = async |heads: Arc<Heads>| {
            setting.report(&answer, &heads, &body);
            answer
        };
        let mut response = layers.answer(request, patience, handle).await;
        if closes {
            response::close_connection(&mut response);
        }
        response
    }
}
