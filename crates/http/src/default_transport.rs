//! The default transport of clients.

#[cfg(all(feature = "fetch", target_family = "wasm", target_os = "unknown"))]
pub use crate::fetch_transport::FetchTransport as DefaultTransport;
#[cfg(feature = "client")]
pub use crate::http_transport::HttpTransport as DefaultTransport;
#[cfg(not(any(
    feature = "client",
    all(feature = "fetch", target_family = "wasm", target_os = "unknown")
)))]
pub use missing::DefaultTransport;

#[cfg(not(any(
    feature = "client",
    all(feature = "fetch", target_family = "wasm", target_os = "unknown")
)))]
mod missing {
    use bytes::Bytes;
    use http::{Request, Response};

    use svcgen_core::transport::Transport;
    use svcgen_core::transport::TransportError;
    use svcgen_core::transport::TransportErrorKind;

    /// A transport that sends nothing, because this crate was built without one. Its errors name
    /// the missing feature.
    #[derive(Debug, Clone, Copy, Default)]
    pub struct DefaultTransport(());

    impl Transport for DefaultTransport {
        async fn send(&self, _: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
            Err(TransportError::new(
                TransportErrorKind::Scheme,
                "there is no transport: enable the feature `client` of svcgen (`fetch` on wasm32-unknown-unknown), or give the client a transport of your own",
            ))
        }
    }
}
