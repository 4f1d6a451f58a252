//! A transport on reqwest.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};

use svcgen_core::{
    internals::{BodyError, chain, collect},
    transport::{CallTimeout, Transport, TransportError, TransportErrorKind},
};
use svcgen_wire::Limits;

/// Sends requests with a client of [reqwest](https://docs.rs/reqwest), with its proxies, pools, TLS
/// and cookies.
///
/// By default, such a client follows redirects, may change a POST to a GET when it does, and uses
/// the proxies of the environment: `Policy::none()` and `no_proxy()` turn this off.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let client = svcgen_http::reqwest::Client::builder()
///     .redirect(svcgen_http::reqwest::redirect::Policy::none())
///     .build()?;
/// let transport = svcgen_http::ReqwestTransport::new(client);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct ReqwestTransport {
    client: reqwest::Client,
    timeout: Duration,
    body_limit: usize,
}

impl ReqwestTransport {
    /// Creates a transport that sends requests with `client`.
    pub fn new(client: reqwest::Client) -> Self {
        Self {
            client,
            timeout: Duration::from_secs(100),
            body_limit: Limits::default().body,
        }
    }

    /// Limits the time of a call, from connecting to the last byte of the response. This replaces
    /// the client's own limit. By default, 100 seconds, as in Microsoft's clients.
    #[must_use]
    pub fn with_timeout(mut self, time: Duration) -> Self {
        self.timeout = time;
        self
    }

    /// Limits the body of a response in bytes, after decompression by the client. By default, 4
    /// MiB.
    #[must_use]
    pub fn with_body_limit(mut self, bytes: usize) -> Self {
        self.body_limit = bytes;
        self
    }
}

impl Transport for ReqwestTransport {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let own = request.extensions().get::<CallTimeout>();
        let time = own.map_or(self.timeout, |own| own.0);
        let failed = |error: reqwest::Error| {
            if error.is_timeout() {
                TransportError::timed_out(time).with_source(error.without_url())
            } else {
                failed(error)
            }
        };
        let mut request = reqwest::Request::try_from(request).map_err(failed)?;
        *request.timeout_mut() = Some(time);
        let response = self.client.execute(request).await.map_err(failed)?;
        let (parts, body) = Response::<reqwest::Body>::from(response).into_parts();
        match collect(body, self.body_limit, 0).await {
            Ok(body) => Ok(Response::from_parts(parts, body)),
            Err(BodyError::Broken(error)) => Err(failed(error)),
            Err(BodyError::TooLong) => Err(TransportError::too_long(self.body_limit)),
        }
    }

    fn timeout(&self) -> Option<Duration> {
        Some(self.timeout)
    }
}

/// Converts an error with its causes, but without the URL, whose query may contain secrets.
fn failed(error: reqwest::Error) -> TransportError {
    let kind = if error.is_connect() {
        TransportErrorKind::Connect
    } else if error.is_builder() {
        TransportErrorKind::Scheme
    } else {
        TransportErrorKind::Exchange
    };
    let error = error.without_url();
    let message = format!("reqwest: {}", chain(&error));
    TransportError::new(kind, message).with_source(error)
}
