//! The destination of a request, as far as its head determines it.

use std::sync::Arc;
use std::time::Duration;

use http::{Response, request};

use super::Endpoint;
use super::early::{EarlyAnswer, Setting};
use crate::authentication::Authentication;
use crate::binding::protocol::Route;
use crate::fallback::Fallback;
use crate::layer::LayersOfCall;
use bytes::Bytes;

/// The destination of a request, and the authentication that comes first.
pub(crate) struct Routed {
    pub(super) guard: Option<Box<Guard>>,
    pub(super) destination: Destination,
}

/// The authentication of a request.
pub(super) struct Guard {
    pub(super) authentication: Authentication,
    /// Whether the request passes without credentials.
    pub(super) is_open: bool,
    /// The time limit of the decision.
    pub(super) time: Option<Duration>,
}

/// The destination of a request.
pub(crate) enum Destination {
    Call(RoutedCall),
    /// The original of the server's fallback.
    Original(Box<Forward>),
    /// An answer that needs no handler.
    Answer(Box<EarlyAnswer>),
}

/// A call over a binding.
pub(crate) struct RoutedCall {
    pub(super) endpoint: Endpoint,
    pub(super) route: Route,
    pub(super) layers: Option<Box<LayersOfCall>>,
}

/// A request that goes to the original, as far as its head determines it.
pub(crate) struct Forward {
    pub(crate) fallback: Arc<Fallback>,
    pub(crate) setting: Setting,
    pub(crate) operation: Option<usize>,
    /// The endpoint that decides by the body whether this is a call of an operation that is
    /// implemented here, if the head does not decide it.
    pub(crate) undecided: Option<(Endpoint, Route)>,
}

impl From<Destination> for Routed {
    fn from(destination: Destination) -> Self {
        let guard = None;
        Self { guard, destination }
    }
}

impl From<Forward> for Destination {
    fn from(forward: Forward) -> Self {
        Self::Original(Box::new(forward))
    }
}

impl From<Box<EarlyAnswer>> for Destination {
    fn from(answer: Box<EarlyAnswer>) -> Self {
        Self::Answer(answer)
    }
}

impl Destination {
    /// Returns the same request, with authentication first, within this time.
    pub(crate) fn guarded(
        self,
        authentication: &Authentication,
        parts: &request::Parts,
        time: Option<Duration>,
    ) -> Routed {
        let is_document = matches!(&self, Self::Answer(answer) if answer.is_document);
        let guard = Guard {
            authentication: authentication.clone(),
            is_open: authentication.is_open_to(parts, is_document),
            time,
        };
        Routed {
            guard: Some(Box::new(guard)),
            destination: self,
        }
    }

    /// Refuses the request with an answer.
    pub(super) fn turn_away(&mut self, response: Response<Bytes>) {
        let setting = match self {
            Self::Call(call) => {
                let (protocol, layers) = (call.route.protocol, call.layers.take());
                call.endpoint.setting(Some(protocol), layers)
            }
            Self::Original(forward) => forward.setting.take(),
            Self::Answer(early) => early.setting.take(),
        };
        *self = setting.answered_by(response).into();
    }
}
