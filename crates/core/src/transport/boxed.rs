//! Transports with an erased type.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};

use super::send::Transport;
use crate::maybe_send::{BoxFuture, MaybeSend, MaybeSync};
use crate::transport_error::TransportError;

/// Any transport, with its type erased, for clients in fields of structs. Clones share the
/// transport.
///
/// ```
/// use svcgen::transport::BoxTransport;
/// # struct GreeterClient<T>(svcgen::codegen::Client<T>);
/// # impl<T> GreeterClient<T> { fn with<U>(self, change: impl FnOnce(svcgen::codegen::Client<T>) -> svcgen::codegen::Client<U>) -> GreeterClient<U> { GreeterClient(change(self.0)) } }
///
/// struct Application {
///     greeter: GreeterClient<BoxTransport>,
/// }
///
/// # fn example<T: svcgen::Transport + Send + Sync + 'static>(client: GreeterClient<T>) -> Application {
/// Application { greeter: client.with(|client| client.with_transport(BoxTransport::new)) }
/// # }
/// ```
#[derive(Clone)]
pub struct BoxTransport(Arc<dyn Boxed>);

trait Boxed: MaybeSend + MaybeSync {
    fn send(
        &self,
        request: Request<Bytes>,
    ) -> BoxFuture<'_, Result<Response<Bytes>, TransportError>>;

    fn timeout(&self) -> Option<Duration>;
}

impl<T: Transport + MaybeSend + MaybeSync> Boxed for T {
    fn send(
        &self,
        request: Request<Bytes>,
    ) -> BoxFuture<'_, Result<Response<Bytes>, TransportError>> {
        Box::pin(Transport::send(self, request))
    }

    fn timeout(&self) -> Option<Duration> {
        Transport::timeout(self)
    }
}

impl BoxTransport {
    /// Boxes a transport.
    pub fn new(transport: impl Transport + MaybeSend + MaybeSync + 'static) -> Self {
        Self(Arc::new(transport))
    }
}

impl Transport for BoxTransport {
    fn send(
        &self,
        request: Request<Bytes>,
    ) -> impl Future<Output = Result<Response<Bytes>, TransportError>> + MaybeSend {
        self.0.send(request)
    }

    fn timeout(&self) -> Option<Duration> {
        self.0.timeout()
    }
}

impl fmt::Debug for BoxTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoxTransport")
    }
}
