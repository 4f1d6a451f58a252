//! The layer of a server that checks the header.

use std::pin::Pin;
use std::task::{Context, Poll};

use tower_layer::Layer;
use tower_service::Service;

use super::faults::invalid_security;
use super::header::{self, Header};
use super::names::WSSE;
use super::policy::WsSecurity;
use svcgen_core::{
    Binding, Endpoint, Fault, Server,
    layer::{CallRequest, CallResponse, CallService, Refusal, Target},
};
use svcgen_wire::types::XmlFragment;

/// Adds WS-Security to a [`Server`] or an [`Endpoint`].
pub trait ServerSecurity {
    /// Returns the same service, whose calls require a token of a user: see the
    /// [module](crate::ws_security).
    ///
    /// Layers that were added before see only calls with a valid token, and know the user.
    #[must_use]
    fn with_ws_security(self, policy: WsSecurity) -> Self;
}

impl ServerSecurity for Endpoint {
    fn with_ws_security(self, policy: WsSecurity) -> Self {
        self.with_header_layer(&[(WSSE, "Security")], Guard(policy))
    }
}

impl<S, H> ServerSecurity for Server<S, H> {
    fn with_ws_security(self, policy: WsSecurity) -> Self {
        self.change_endpoint(|endpoint| endpoint.with_ws_security(policy))
    }
}

/// Private, because the header must be registered as understood, too.
struct Guard(WsSecurity);

impl Layer<CallService> for Guard {
    type Service = Checked;

    fn layer(&self, inner: CallService) -> Checked {
        let policy = self.0.clone();
        Checked { policy, inner }
    }
}

/// Checks the header of each call before it passes it on.
#[derive(Clone)]
struct Checked {
    policy: WsSecurity,
    inner: CallService,
}

impl Service<CallRequest> for Checked {
    type Response = CallResponse;
    type Error = Refusal;
    type Future = Pin<Box<dyn Future<Output = Result<CallResponse, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner
            .poll_ready(context)
            .map_err(|never| match never {})
    }

    fn call(&mut self, mut request: CallRequest) -> Self::Future {
        // The request is already refused, or another server checks it.
        if request.is_forwarded() || matches!(request.target(), Target::Refused) {
            let answer = self.inner.call(request);
            return Box::pin(async {
                let Ok(answer) = answer.await;
                Ok(answer)
            });
        }
        let header = self.header_of(&request);
        let (policy, mut inner) = (self.policy.clone(), self.inner.clone());
        Box::pin(async move {
            let header = header?;
            if let Some(user) = policy.admit(header.as_ref()).await? {
                request.extensions_mut().insert(user);
            }
            let Ok(mut answer) = inner.call(request).await;
            if header.is_some_and(|header| header.timestamp.is_some()) {
                answer.add_soap_header(&timestamp(&policy));
            }
            Ok(answer)
        })
    }
}

impl Checked {
    /// Returns the header of a call that is for this server.
    fn header_of(&self, request: &CallRequest) -> Result<Option<Header>, Fault> {
        if !request.binding().is_some_and(Binding::is_soap) && !self.policy.is_optional {
            return Err(Fault::client(
                "This service asks for a wsse:UsernameToken, which only calls over SOAP have.",
            ));
        }
        let headers = request.unknown_headers().iter();
        let mut headers = headers.filter(|header| {
            header.is_for_us && header.namespace() == WSSE && header.name() == "Security"
        });
        let (first, second) = (headers.next(), headers.next());
        if second.is_some() {
            return Err(invalid_security("there are two for this service."));
        }
        let checked = request.extensions().get().copied();
        let read = |xml: &XmlFragment| header::read(xml.as_str(), checked);
        first.map(|header| read(header.xml())).transpose()
    }
}

/// Returns the header of an answer.
fn timestamp(policy: &WsSecurity) -> XmlFragment {
    let freshness = policy.freshness();
    let created = freshness.now();
    let expires = freshness.expiry(created);
    XmlFragment::trusted(format!(
        "<wsse:Security xmlns:wsse=\"{WSSE}\">{}</wsse:Security>",
        super::username_token::timestamp(created, expires),
    ))
}
