//! The handler of a call, and the layers around it.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http::{Response, request};

use super::{Dispatched, Endpoint, Shared};
use crate::binding::protocol::OpenedRequest;
use crate::call::{Call, Reply};
use crate::connection_grants::ConnectionGrants;
use crate::deadline::Deadline;
use crate::failure::Failure;
use crate::heads::Heads;
use crate::layer::{CallRequest, CallResponse, LayersOfCall, Patience, report};
use crate::outcome::Outcome;
use crate::response;

impl Endpoint {
    /// Calls the handler beneath layers.
    pub(super) fn call_beneath<'a>(
        &'a self,
        layers: LayersOfCall,
        mut heads: Arc<Heads>,
        body: &'a Bytes,
        mut opened: OpenedRequest<'a>,
        accepted: Option<Arc<AtomicBool>>,
    ) -> Pin<Box<impl Future<Output = Response<Bytes>>>> {
        let grants = self.grants(&heads.parts, opened.operation);
        let patience = Patience {
            time: self.options().deadline,
            grants: grants.clone(),
        };
        let understood = std::mem::take(&mut opened.understood);
        Heads::of_request(&mut heads).understood = understood;
        let (model, operation) = (Some(self.model().clone()), Some(opened.operation));
        let request =
            CallRequest::new(heads, body.clone(), model, operation, Some(opened.protocol));
        let handle = |heads| self.run(heads, body, opened, accepted, grants);
        Box::pin(layers.answer(request, patience, handle))
    }

    /// Returns the grants that show whether the caller is gone, if the call ends with its
    /// connection.
    fn grants(&self, parts: &request::Parts, operation: usize) -> Option<Arc<ConnectionGrants>> {
        let operation = self.model().operation(operation);
        let cancels = operation.read_only || self.options().cancel_abandoned;
        let grants = (cancels && !operation.one_way).then(|| parts.extensions.get());
        grants.flatten().cloned()
    }

    /// Calls the handler, without layers.
    pub(super) fn call<'a>(
        &'a self,
        heads: Arc<Heads>,
        body: &'a Bytes,
        opened: OpenedRequest<'a>,
        accepted: Option<Arc<AtomicBool>>,
    ) -> impl Future<Output = CallResponse> {
        let grants = self.grants(&heads.parts, opened.operation);
        self.run(heads, body, opened, accepted, grants)
    }

    fn run<'a>(
        &'a self,
        mut heads: Arc<Heads>,
        body: &'a Bytes,
        mut opened: OpenedRequest<'a>,
        accepted: Option<Arc<AtomicBool>>,
        grants: Option<Arc<ConnectionGrants>>,
    ) -> impl Future<Output = CallResponse> {
        let Shared {
            model,
            dispatch,
            options,
            capacities,
            ..
        } = &*self.0;
        let (protocol, index) = (opened.protocol, opened.operation);
        // Layers have already seen these headers.
        if !heads.understood.is_empty() {
            opened.understood = std::mem::take(&mut Heads::of_request(&mut heads).understood);
        }
        let operation = model.operation(index);
        if let Some(packaging) = &options.packaging
            && protocol.binding().is_soap()
            && !operation.one_way
        {
            packaging.begin(&mut Heads::of_request(&mut heads).parts.extensions);
        }
        // Over HTTP GET and POST, one-way operations are answered like others.
        let is_accepted = operation.one_way && protocol.binding().is_soap();
        let accepted = accepted.filter(|_| is_accepted);
        let capacity = &capacities[index];
        let (head, accept) = (Arc::clone(&heads), accepted.clone());
        let call = Call::new(head, model, opened, options, capacity, accept);
        let answer = dispatch.dispatch(index, call);
        // The parts of the call are in the future of the handler, and take no room here.
        async move {
            let reply = reply(answer, grants, options.deadline).await;
            // The caller gets the failure, even if layers take long after this.
            if let (Err(Failure { untold: false, .. }), Some(accepted)) = (&reply, accepted) {
                accepted.store(false, Ordering::Relaxed);
            }
            let (reply, parts) = match reply {
                Ok(reply) => (Ok(reply.body), reply.parts),
                Err(failure) => (Err(failure), None),
            };
            let mut answer = CallResponse::of_call(protocol, operation, reply);
            if let Some(parts) = parts {
                answer.response_mut().extensions_mut().insert(parts);
            }
            let called = Some((model, Some(index)));
            report(&answer, called, Some((&heads.parts, body)));
            if operation.cached {
                response::kept_by_server(answer.response_mut());
            }
            if *answer.outcome() == Outcome::Answered || !protocol.clears_head() {
                let has_returned = matches!(answer.outcome(), Outcome::Answered | Outcome::Fault);
                let has_status = has_returned && !protocol.binding().is_soap();
                heads.complete(answer.response_mut(), has_status, options);
            }
            answer
        }
    }
}

/// Returns the answer of a handler.
async fn reply(
    mut answer: Dispatched<'_>,
    grants: Option<Arc<ConnectionGrants>>,
    deadline: Option<Duration>,
) -> Result<Reply, Failure> {
    let mut deadline = Deadline::new(deadline);
    let no_return = |outcome, text| Poll::Ready(Err(Failure::no_return(outcome, text)));
    let reply = std::future::poll_fn(|context| {
        if grants.as_ref().is_some_and(|grants| grants.is_abandoned()) {
            return no_return(Outcome::Abandoned, "The caller is gone.");
        }
        // The future is not polled again after a panic, and the handler is `Sync`.
        match std::panic::catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context))) {
            Ok(Poll::Ready(reply)) => Poll::Ready(reply),
            Ok(Poll::Pending) if deadline.poll(context).is_pending() => Poll::Pending,
            Ok(Poll::Pending) => no_return(Outcome::TimedOut, "Request timed out."),
            Err(_) => no_return(Outcome::Panicked, "The handler panicked."),
        }
    });
    let reply = reply.await;
    // A cancelled handler may panic, too.
    let _ = std::panic::catch_unwind(AssertUnwindSafe(|| drop(answer)));
    reply
}
