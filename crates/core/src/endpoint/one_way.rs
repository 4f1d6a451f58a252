//! One-way calls, which are answered before they complete.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use bytes::Bytes;
use http::{Response, request};

use super::Endpoint;
use crate::connection_grants::{ConnectionGrants, Detach};
use crate::maybe_send::MaybeSend;
use crate::response;

impl Endpoint {
    /// Returns the function that continues a call after its answer, for a service with one-way
    /// operations.
    pub(super) fn detaches(&self, parts: &request::Parts) -> Option<Arc<Detach>> {
        let grants = parts.extensions.get::<Arc<ConnectionGrants>>();
        let grants = grants.filter(|_| self.0.has_one_way)?;
        Some(Arc::clone(&grants.detach))
    }
}

/// Answers a call of a service with one-way operations. The call sets the given flag once the
/// parameters of a one-way operation are read; then it is answered, and continues in the
/// background.
pub(super) async fn accept_or_answer<F>(
    detach: Arc<Detach>,
    call: impl FnOnce(Option<Arc<AtomicBool>>) -> F,
) -> Response<Bytes>
where
    F: Future<Output = Response<Bytes>> + MaybeSend + 'static,
{
    let accepted = Arc::new(AtomicBool::new(false));
    let mut call = Box::pin(call(Some(Arc::clone(&accepted))));
    let answer = std::future::poll_fn(|context| match call.as_mut().poll(context) {
        Poll::Pending if accepted.load(Ordering::Relaxed) => Poll::Ready(None),
        poll => poll.map(Some),
    });
    answer.await.unwrap_or_else(|| {
        detach(Box::pin(async { drop(call.await) }));
        response::accepted()
    })
}
