//! The secrets of requests, for texts that may quote them.

use std::task::{Context, Poll};

use svcgen::layer::CallRequest;
use svcgen::mask::{Mask, Secrets};
use svcgen_messages::{Request, Service};

/// Returns the secrets of a request, which the layer of its endpoint keeps.
pub(super) fn secrets_of(request: &Request) -> Secrets {
    let kept = request.extensions.get::<Secrets>().cloned();
    kept.unwrap_or_else(Secrets::unread)
}

/// Keeps the secrets of each request as it was received: its values do not contain everything that
/// texts may quote.
#[derive(Clone)]
pub(super) struct KeepsSecrets<S> {
    pub(super) service: Service,
    pub(super) inner: S,
}

impl<S: tower_service::Service<CallRequest>> tower_service::Service<CallRequest>
    for KeepsSecrets<S>
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: CallRequest) -> S::Future {
        let mut came = http::Request::new(request.body().clone());
        came.method_mut().clone_from(request.method());
        came.uri_mut().clone_from(request.uri());
        came.headers_mut().clone_from(request.headers());
        let secrets = Mask::new(self.service.row()).secrets(&came);
        request.extensions_mut().insert(secrets);
        self.inner.call(request)
    }
}
