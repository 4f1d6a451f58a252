//! The layer of a server that reads the headers of requests and adds headers to answers.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use tower_layer::Layer;
use tower_service::Service;

use super::received::{self, Received};
use super::reply::{new_id, write};
use super::version::Version;
use svcgen_core::{
    Endpoint, Server,
    internals::accepted,
    layer::{CallRequest, CallResponse, CallService},
};

/// Adds WS-Addressing to a [`Server`] or an [`Endpoint`].
pub trait ServerAddressing {
    /// Returns the same service with support for headers of WS-Addressing: see the
    /// [module](crate::ws_addressing).
    ///
    /// Faults of layers that were added before have the headers, too.
    #[must_use]
    fn with_ws_addressing(self) -> Self;
}

impl ServerAddressing for Endpoint {
    fn with_ws_addressing(self) -> Self {
        let headers = Version::ALL.map(|version| (version.namespace(), "*"));
        self.with_header_layer(&headers, Addressing)
    }
}

impl<S, H> ServerAddressing for Server<S, H> {
    fn with_ws_addressing(self) -> Self {
        self.change_endpoint(Endpoint::with_ws_addressing)
    }
}

struct Addressing;

impl Layer<CallService> for Addressing {
    type Service = Addressed;

    fn layer(&self, inner: CallService) -> Addressed {
        Addressed { inner }
    }
}

/// Reads the headers of requests and adds headers to answers.
#[derive(Clone)]
struct Addressed {
    inner: CallService,
}

impl Service<CallRequest> for Addressed {
    type Response = CallResponse;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<CallResponse, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: CallRequest) -> Self::Future {
        let received = match received::read(&request) {
            None => return self.inner.call(request),
            Some(Ok(received)) => received,
            Some(Err(refused)) => {
                let version = refused.version;
                let mut answer = request.refused(refused.fault);
                let action = version.fault_action(true);
                address(&mut answer, version, action, refused.message_id.as_deref());
                return Box::pin(async { Ok(answer) });
            }
        };
        let answer = self.inner.call(request);
        Box::pin(async move {
            let Ok(mut answer) = answer.await;
            complete(&mut answer, &received);
            Ok(answer)
        })
    }
}

/// Adds the headers to an answer, or removes its body if the request wants no answer.
fn complete(answer: &mut CallResponse, received: &Received) {
    let is_fault = answer.fault().is_some();
    let target = received.target(is_fault);
    if target.is_some_and(|target| target.is_none) {
        *answer.response_mut() = accepted();
        return;
    }
    let version = received.version;
    // The header that is added last comes first.
    for header in target.iter().flat_map(|target| &target.headers).rev() {
        answer.add_soap_header(header);
    }
    let action = if is_fault {
        version.fault_action(false).to_owned()
    } else {
        format!("{}Response", received.action)
    };
    address(answer, version, &action, received.message_id.as_deref());
}

fn address(answer: &mut CallResponse, version: Version, action: &str, to_id: Option<&str>) {
    let id = new_id();
    let mut headers = vec![("Action", action), ("MessageID", &id)];
    headers.extend(to_id.map(|to_id| ("RelatesTo", to_id)));
    headers.push(("To", version.anonymous()));
    // The values came from XML, so XML can represent them.
    if let Ok(headers) = write(version, &headers) {
        answer.add_soap_header(&headers);
    }
}
