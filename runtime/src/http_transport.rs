//! A transport on hyper.

mod broken;
mod connect;
#[cfg(feature = "tls")]
mod handshake;
mod pool;
#[cfg(feature = "tls")]
mod tls;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::HOST;
use http::uri::Scheme;
use http::{HeaderValue, Request, Response, Uri};
use http_body_util::Full;
use hyper::body::Incoming;
use tokio::time::{Instant, timeout, timeout_at};

use crate::body::{self, BodyError};
use crate::limits::Limits;
use crate::transport::{CallTimeout, Transport, TransportError, TransportErrorKind, within};
use connect::{Connection, Connector, Destination};
use pool::{Place, Pool};
#[cfg(feature = "tls")]
pub use tls::Tls;

/// Sends requests over HTTP/1.1 in a tokio runtime, and keeps connections alive. Clones share their connections.
///
/// With the feature `tls` it speaks https, and trusts the roots of the system; [`with_tls`](Self::with_tls) sets others.
///
/// It follows no redirects and uses no proxy. A request is sent again only if no byte of it was sent the first time.
#[derive(Debug, Clone)]
pub struct HttpTransport {
    connector: Connector,
    timeout: Duration,
    body_limit: usize,
    pool: Arc<Pool>,
}

/// How long a connection may take after a response until it is ready for another request.
const READY_TIMEOUT: Duration = Duration::from_millis(100);
/// The longest time of a call.
const LONGEST_TIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// How many connections there are to a host and port by default.
const MAX_CONNECTIONS: usize = 256;

impl Default for HttpTransport {
    fn default() -> Self {
        Self {
            connector: Connector::default(),
            timeout: Duration::from_secs(100),
            body_limit: Limits::default().body,
            pool: Arc::new(Pool::new(MAX_CONNECTIONS)),
        }
    }
}

impl HttpTransport {
    /// Creates a transport with default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how long connecting may take, with the handshake of TLS if there is one. By default 10 seconds.
    #[must_use]
    pub fn with_connect_timeout(mut self, time: Duration) -> Self {
        self.connector.timeout = time;
        self
    }

    /// Sets how long a call may take, from waiting for a connection to the last byte of the response. By default 100 seconds, as for Microsoft's callers.
    ///
    /// The response is read after that, without waiting: [`Limits`] bound the work, so that the worst known response of 4 MiB takes less than a second in a release build.
    #[must_use]
    pub fn with_timeout(mut self, time: Duration) -> Self {
        self.timeout = time;
        self
    }

    /// Sets how many bytes the body of a response may have. By default 4 MiB.
    #[must_use]
    pub fn with_body_limit(mut self, bytes: usize) -> Self {
        self.body_limit = bytes;
        self
    }

    /// Sets how many connections to a host and port there may be, at least 1. Further calls wait for one, within their time. By default 256.
    ///
    /// The transport begins with no connection: it shares none with the one that it was cloned from.
    #[must_use]
    pub fn with_max_connections(mut self, connections: usize) -> Self {
        self.pool = Arc::new(Pool::new(connections));
        self
    }

    /// Sets which servers are trusted over https, and the client's certificate.
    ///
    /// The transport begins with no connection: it shares none with the one that it was cloned from.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn with_tls(mut self, tls: Tls) -> Self {
        self.connector.tls = tls;
        self.with_new_pool()
    }

    /// Connections that are made in another way belong to another transport.
    #[cfg(feature = "tls")]
    fn with_new_pool(self) -> Self {
        let connections = self.pool.max_connections();
        self.with_max_connections(connections)
    }

    async fn exchange(
        &self,
        request: Request<Bytes>,
        deadline: Instant,
    ) -> Result<Response<Bytes>, TransportError> {
        let (destination, request) = split(request)?;
        let place = timeout_at(deadline, self.pool.place(&destination)).await;
        let place = place.map_err(|_| {
            let message = format!(
                "the call waited {:?} for one of {} connections to {}: see HttpTransport::with_max_connections",
                self.timeout,
                self.pool.max_connections(),
                destination.authority
            );
            TransportError::new(TransportErrorKind::Timeout, message)
        })?;
        let (mut connection, response) = self.send_on(&place, &destination, request).await?;
        let (parts, incoming) = response.into_parts();
        let body = body::collect(incoming, self.body_limit, 0).await;
        let body = body.map_err(|error| match error {
            BodyError::TooLong => TransportError::new(
                TransportErrorKind::TooLong,
                format!("the response is longer than {} bytes", self.body_limit),
            ),
            BodyError::Broken(error) => broken::in_body(error, &parts),
        })?;
        // If a server answers before it has read the whole request, the connection is never ready again.
        if let Ok(Ok(())) = timeout(READY_TIMEOUT, connection.requests.ready()).await {
            place.keep(connection);
        }
        Ok(Response::from_parts(parts, body))
    }

    /// Sends on an idle connection, or on a new one if there is none, or all turn out to be closed before anything is sent.
    async fn send_on(
        &self,
        place: &Place,
        destination: &Destination,
        mut request: Request<Full<Bytes>>,
    ) -> Result<(Connection, Response<Incoming>), TransportError> {
        while let Some(mut connection) = place.take_idle() {
            match connection.requests.try_send_request(request).await {
                Ok(response) => return Ok((connection, response)),
                Err(mut error) => match error.take_message() {
                    Some(unsent) => request = unsent,
                    None => return Err(broken::in_head(error.into_error())),
                },
            }
        }
        let mut connection = self.connector.connect(destination).await?;
        let response = connection.requests.send_request(request).await;
        let response = response.map_err(broken::in_head)?;
        Ok((connection, response))
    }
}

/// Splits a request into what its URL leads to and the request as it is sent: with the target alone, and the host in a header.
fn split(request: Request<Bytes>) -> Result<(Destination, Request<Full<Bytes>>), TransportError> {
    let mut request = request.map(Full::new);
    let uri = std::mem::take(request.uri_mut()).into_parts();
    let refused = |why| TransportError::new(TransportErrorKind::Scheme, why);
    let is_https = match uri.scheme.as_ref().map_or("", Scheme::as_str) {
        "http" => false,
        "https" if cfg!(feature = "tls") => true,
        "https" => {
            return Err(refused(
                "https needs the feature `tls` of svcgen, or another transport: svcgen = { version = \"…\", features = [\"tls\"] }",
            ));
        }
        _ => return Err(refused("HttpTransport needs an http or https URL")),
    };
    let authority = uri
        .authority
        .ok_or_else(|| refused("the URL names no host"))?;
    let host = HeaderValue::from_str(authority.as_str())
        .map_err(|_| refused("the URL's host cannot stand in a header"))?;
    request.headers_mut().entry(HOST).or_insert(host);
    *request.uri_mut() = uri.path_and_query.map_or_else(Uri::default, Uri::from);
    let destination = Destination {
        authority,
        is_https,
    };
    Ok((destination, request))
}

impl Transport for HttpTransport {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let own = request.extensions().get::<CallTimeout>();
        // Adding a much longer time to the current one would overflow.
        let time = own.map_or(self.timeout, |own| own.0).min(LONGEST_TIME);
        let deadline = Instant::now() + time;
        within(time, self.exchange(request, deadline)).await
    }
}
