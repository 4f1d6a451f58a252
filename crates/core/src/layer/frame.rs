//! A call with its layers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http::Response;
use tower_service::Service;

use super::call_request::{CallRequest, Next};
use super::call_response::CallResponse;
use super::call_service::{CallLayer, CallService, innermost};
use super::refusal::Failures;
use super::slot::Turn;
use super::surroundings;
use crate::connection_grants::ConnectionGrants;
use crate::deadline::Deadline;
use crate::heads::Heads;

/// The layers of a server or a router.
#[derive(Clone, Default)]
pub(crate) struct Layers(Option<Arc<CallService>>);

impl Layers {
    /// Returns these layers with another one around them.
    pub fn with(&self, layer: &impl CallLayer) -> Self {
        let inner = self.0.as_deref().map_or_else(innermost, CallService::clone);
        Self(Some(Arc::new(layer.around(inner))))
    }

    /// Returns the layers of a router around the layers of a service, for one call; `None` if there
    /// are no layers.
    pub(crate) fn around(&self, inner: &Self) -> Option<Box<LayersOfCall>> {
        let (first, next) = match (self.0.as_deref(), inner.0.as_deref()) {
            (None, None) => return None,
            (Some(only), None) | (None, Some(only)) => (only.clone(), None),
            (Some(outer), Some(inner)) => {
                let mut inner = inner.clone();
                let next: Next = Box::new(move |request| inner.call(request));
                (outer.clone(), Some(next))
            }
        };
        Some(Box::new(LayersOfCall { first, next }))
    }
}

pub(crate) struct LayersOfCall {
    first: CallService,
    next: Option<Next>,
}

/// The conditions that end the wait for layers.
pub(crate) struct Patience {
    /// The time limit of layers before the handler is called, and again after it.
    pub(crate) time: Option<Duration>,
    /// The grants that show whether the caller is gone, if the call ends with its connection.
    pub(crate) grants: Option<Arc<ConnectionGrants>>,
}

impl LayersOfCall {
    /// Answers a request. `handle` answers it beneath the layers, once they have passed it on.
    pub(crate) async fn answer<F: Future<Output = CallResponse>>(
        mut self,
        request: CallRequest,
        patience: Patience,
        handle: impl FnOnce(Arc<Heads>) -> F,
    ) -> Response<Bytes> {
        let (slot, failures) = (Arc::clone(request.slot()), Failures::of(&request));
        let is_abandoned = || {
            let grants = patience.grants.as_ref();
            grants.is_some_and(|grants| grants.is_abandoned())
        };
        let (mut handle, mut running) = (Some(handle), None);
        let mut deadline = Deadline::new(patience.time);
        let mut layered = self.first.call(request.with_next(self.next.take()));
        let answer = std::future::poll_fn(|context| {
            loop {
                if let Poll::Ready(Ok(answer)) = layered.as_mut().poll(context) {
                    return Poll::Ready(answer);
                }
                match slot.turn(context) {
                    Turn::None => {}
                    Turn::Run(heads, within) => {
                        let handle = handle.take();
                        running = handle.map(|handle| (Box::pin(handle(heads)), within));
                    }
                    Turn::Cancel => discard(running.take()),
                }
                let Some((call, within)) = &mut running else {
                    if is_abandoned() && slot.is_open() {
                        return Poll::Ready(failures.abandoned());
                    }
                    return deadline.poll(context).map(|()| failures.timed_out());
                };
                let Poll::Ready(answer) = surroundings::poll(within, call.as_mut(), context) else {
                    return Poll::Pending;
                };
                running = None;
                deadline = Deadline::new(patience.time);
                slot.answer(answer);
            }
        });
        let answer = answer.await;
        discard(layered);
        discard(running);
        answer.into_framed()
    }
}

/// Drops a cancelled value whose destructor may panic, so that the connection survives.
fn discard<T>(value: T) {
    let _ = catch_unwind(AssertUnwindSafe(|| drop(value)));
}
