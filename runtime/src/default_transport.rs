//! The transport of clients for which none is named.

#[cfg(feature = "client")]
pub use crate::http_transport::HttpTransport as DefaultTransport;

#[cfg(not(feature = "client"))]
pub use missing::DefaultTransport;

#[cfg(not(feature = "client"))]
mod missing {
    use bytes::Bytes;
    use http::{Request, Response};

    use crate::transport::{Transport, TransportError, TransportErrorKind};

    /// Sends nothing: this crate was built without a transport. Its calls say which feature is missing.
    #[derive(Debug, Clone, Copy, Default)]
    pub struct DefaultTransport(());

    impl Transport for DefaultTransport {
        async fn send(&self, _: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
            Err(TransportError::new(
                TransportErrorKind::Scheme,
                "there is no transport: enable the feature `client` of svcgen, or give the client a transport of your own",
            ))
        }
    }
}
