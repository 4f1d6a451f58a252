//! Servers and routers as services of tower.

use std::convert::Infallible;

use http::{Request, Response};

use crate::endpoint::Endpoint;
use crate::maybe_send::BoxFuture;
use crate::outgoing_body::OutgoingBody;
use crate::router::Router;
use crate::server::Server;

/// The future of a response of [`Endpoint`], [`Server`] or [`Router`].
pub type ResponseFuture = BoxFuture<'static, Result<Response<OutgoingBody>, Infallible>>;

/// Implements [`tower_service::Service`] for a type with a method `route`.
macro_rules! tower_service {
    ([$($parameter:ident)*] $server:ty) => {
        impl<$($parameter,)* B> tower_service::Service<Request<B>> for $server
        where
            B: http_body::Body + Send + 'static,
            B::Data: Send,
        {
            type Response = Response<OutgoingBody>;
            type Error = Infallible;
            type Future = ResponseFuture;

            fn poll_ready(
                &mut self,
                _: &mut std::task::Context<'_>,
            ) -> std::task::Poll<Result<(), Self::Error>> {
                std::task::Poll::Ready(Ok(()))
            }

            fn call(&mut self, request: Request<B>) -> Self::Future {
                let (heads, body) = crate::heads::into_heads(request);
                let routed = self.route(&heads.parts);
                Box::pin(crate::endpoint::answer(routed, heads, body, Ok))
            }
        }
    };
}
tower_service!([] Endpoint);
tower_service!([] Router);
tower_service!([S H] Server<S, H>);
