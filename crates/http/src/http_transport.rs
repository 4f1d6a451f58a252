//! A transport on hyper.

mod broken;
mod connect;
mod credentials;
mod destination;
mod exchange;
#[cfg(feature = "tls")]
mod handshake;
mod invalid_option;
mod pool;
#[cfg(feature = "proxy")]
mod proxy;
mod redirects;
#[cfg(feature = "tls")]
mod tls;
#[cfg(feature = "proxy")]
mod tunnel;
mod unconnected;

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body_util::Full;
use tokio::runtime::Handle;
use tokio::time::Instant;

use connect::Connector;
pub use credentials::Handshake;
use credentials::{Handshakes, basic, bearer};
use exchange::{BoxedRequest, Exchanger};
pub use invalid_option::InvalidOption;
use pool::Pool;
#[cfg(feature = "proxy")]
pub use proxy::Proxy;
use svcgen_core::{
    internals::within,
    transport::{CallTimeout, Transport, TransportError, TransportErrorKind},
};
use svcgen_wire::{Limits, Secret};
#[cfg(feature = "tls")]
pub use tls::Tls;

/// Sends requests over HTTP/1.1 in a tokio runtime, and keeps connections alive. Clones share their
/// connections.
///
/// With the feature `tls`, the transport supports https and trusts the root certificates of the
/// system; [`with_tls`](Self::with_tls) sets others.
///
/// By default, it follows no redirects and uses no proxy. It sends a request again only if no byte
/// of it was sent the first time, or if the answer is 401 and
/// [`with_handshake`](Self::with_handshake) logs in.
///
/// ```
/// use std::time::Duration;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let transport = svcgen::HttpTransport::new()
///     .with_timeout(Duration::from_secs(30))
///     .with_max_connections(16)
///     .with_basic_auth("user", "password")?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct HttpTransport {
    exchanger: Exchanger,
    timeout: Duration,
    redirects: usize,
}

/// The longest time limit of a call. Adding a much longer one to the current time would overflow.
const LONGEST_TIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// The default limit of connections to a host and port.
const MAX_CONNECTIONS: usize = 256;

impl Default for HttpTransport {
    fn default() -> Self {
        Self {
            exchanger: Exchanger {
                connector: Connector::default(),
                pool: Arc::new(Pool::new(MAX_CONNECTIONS)),
                body_limit: Limits::default().body,
                authorization: None,
                handshakes: None,
                gzip: false,
            },
            timeout: Duration::from_secs(100),
            redirects: 0,
        }
    }
}

impl HttpTransport {
    /// Creates a transport with default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a [`Fallback`](svcgen_core::Fallback) to the server at `url`, over a transport that
    /// accepts answers of up to 64 MiB.
    ///
    /// The URL has a scheme, a host and, if needed, a port. It has no path, because requests keep
    /// their own.
    ///
    /// ```
    /// use svcgen::HttpTransport;
    ///
    /// let fallback = HttpTransport::fallback("http://10.0.0.7:8080")?;
    /// let error = HttpTransport::fallback("http://old.corp.example/Orders.asmx").unwrap_err();
    /// assert!(error.to_string().contains("requests keep their own path"));
    /// # Ok::<(), svcgen::fallback::InvalidOriginal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The URL is not `http` or `https`, has more than a scheme, a host and a port, or is `https`
    /// without the feature `tls`.
    pub fn fallback(
        url: &str,
    ) -> Result<svcgen_core::Fallback, svcgen_core::fallback::InvalidOriginal> {
        use svcgen_core::fallback::{Fallback, InvalidOriginal};
        let transport = Self::new().with_body_limit(64 << 20);
        let fallback = Fallback::over(transport, url)?;
        if fallback.is_https() && !cfg!(feature = "tls") {
            let why = "https needs the feature `tls` of svcgen, or `Fallback::over` a transport that speaks it";
            return Err(InvalidOriginal::new(url, why));
        }
        Ok(fallback)
    }

    /// Limits the time to connect, including the TLS handshake. By default, 10 seconds.
    #[must_use]
    pub fn with_connect_timeout(mut self, time: Duration) -> Self {
        self.exchanger.connector.timeout = time;
        self
    }

    /// Limits the time of a call, from waiting for a connection to the last byte of the response,
    /// including all tries of [`Retries`](svcgen_core::transport::Retries). By default, 100
    /// seconds, as in Microsoft's clients.
    ///
    /// Values are read after that, without waiting: [`Limits`] bound the work, so that the worst
    /// known response of 4 MiB takes less than a second in a release build.
    #[must_use]
    pub fn with_timeout(mut self, time: Duration) -> Self {
        self.timeout = time;
        self
    }

    /// Limits the size of response bodies. By default, 4 MiB.
    #[must_use]
    pub fn with_body_limit(mut self, bytes: usize) -> Self {
        self.exchanger.body_limit = bytes;
        self
    }

    /// Limits the number of connections to a host and port, at least 1. Further calls wait for a
    /// connection, within their time limit. By default, 256.
    ///
    /// The transport starts without connections: it shares none with the transport it was cloned
    /// from.
    #[must_use]
    pub fn with_max_connections(mut self, connections: usize) -> Self {
        self.exchanger.pool = Arc::new(Pool::new(connections));
        self
    }

    /// Sets the trusted root certificates and the client certificate for https.
    ///
    /// The transport starts without connections: it shares none with the transport it was cloned
    /// from.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn with_tls(mut self, tls: Tls) -> Self {
        self.exchanger.connector.tls = tls;
        self.with_new_pool()
    }

    /// Sets the proxy. By default, there is none, regardless of the environment.
    ///
    /// The transport starts without connections: it shares none with the transport it was cloned
    /// from.
    #[cfg(feature = "proxy")]
    #[must_use]
    pub fn with_proxy(mut self, proxy: Proxy) -> Self {
        self.exchanger.connector.proxy = Some(proxy);
        self.with_new_pool()
    }

    /// Logs in by `Basic` authentication (RFC 7617). Only the servers of the requests' URLs get the
    /// credentials, not servers that these redirect to. A request that already has an
    /// `Authorization` keeps it.
    ///
    /// Over http, anybody on the network path can read the credentials.
    ///
    /// # Errors
    ///
    /// The name contains a colon.
    pub fn with_basic_auth(
        mut self,
        user: &str,
        password: impl Into<Secret<String>>,
    ) -> Result<Self, InvalidOption> {
        self.exchanger.authorization = Some(basic(user, &password.into())?);
        Ok(self)
    }

    /// Sends a bearer token (RFC 6750). Only the servers of the requests' URLs get it, not servers
    /// that these redirect to. A request that already has an `Authorization` keeps it.
    ///
    /// # Errors
    ///
    /// The token is empty, or contains a character that tokens cannot have, such as a line break.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let token = std::env::var("TOKEN").unwrap_or_else(|_| "mF_9.B5f-4.1JqM".to_owned());
    /// let transport = svcgen::HttpTransport::new().with_bearer(token)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_bearer(mut self, token: impl Into<Secret<String>>) -> Result<Self, InvalidOption> {
        self.exchanger.authorization = Some(bearer(&token.into())?);
        Ok(self)
    }

    /// Logs in by Negotiate or NTLM when a server answers 401: the function starts a [`Handshake`]
    /// with a host.
    ///
    /// The transport starts without connections: it shares none with the transport it was cloned
    /// from.
    #[must_use]
    pub fn with_handshake<H: Handshake>(
        mut self,
        begin: impl Fn(&str) -> H + Send + Sync + 'static,
    ) -> Self {
        self.exchanger.handshakes = Some(Handshakes::new(begin));
        self.exchanger.connector.keeps_certificates = true;
        self.with_new_pool()
    }

    /// Sets how many redirects a call follows. By default, none: the call fails with the redirect
    /// as its answer.
    ///
    /// GET requests follow all redirects, other requests only 307 and 308, which keep the method.
    /// No redirect is followed from https to http. Another origin (scheme, host and port) gets the
    /// message and the headers that describe it, but no credentials, cookies, client certificates
    /// or other headers. The message itself may contain secrets: follow redirects only of servers
    /// that you trust.
    ///
    /// ```
    /// let transport = svcgen::HttpTransport::new().with_redirects(3);
    /// ```
    #[must_use]
    pub fn with_redirects(mut self, most: usize) -> Self {
        self.redirects = most;
        self
    }

    /// Sets whether to accept answers compressed with gzip. By default, as in .NET clients, it is
    /// off. The limit of bodies applies to the uncompressed body.
    ///
    /// ```
    /// let transport = svcgen::HttpTransport::new().with_gzip(true);
    /// ```
    #[cfg(feature = "gzip")]
    #[must_use]
    pub fn with_gzip(mut self, gzip: bool) -> Self {
        self.exchanger.gzip = gzip;
        self
    }

    /// Creates a new pool, because its connections are opened or authenticated in another way.
    fn with_new_pool(self) -> Self {
        let connections = self.exchanger.pool.max_connections();
        self.with_max_connections(connections)
    }

    /// Follows redirects. Returns the last answer.
    async fn redirected(
        &self,
        request: BoxedRequest,
        deadline: Instant,
    ) -> Result<Response<Bytes>, TransportError> {
        let (mut parts, body) = request.into_parts();
        let mut cookies = HeaderMap::new();
        let mut is_same_origin = true;
        for followed in 0.. {
            let request = Box::new(Request::from_parts(parts.clone(), body.clone()));
            let exchange = self.exchanger.exchange(request, is_same_origin, deadline);
            let mut response = exchange.await?;
            // A cookie store attributes the cookies to the first URL.
            if is_same_origin {
                move_cookies(response.headers_mut(), &mut cookies);
            } else {
                response.headers_mut().remove(SET_COOKIE);
            }
            let Some(target) = redirects::target(&parts, &response) else {
                move_cookies(&mut cookies, response.headers_mut());
                return Ok(response);
            };
            if followed == self.redirects {
                // The query may contain parts of the request's query.
                let host = target.host().unwrap_or_default();
                let path = target.path();
                let message = format!(
                    "the server redirected more than {followed} times, to {host}{path} at last"
                );
                return Err(TransportError::new(TransportErrorKind::Exchange, message));
            }
            if !redirects::same_origin(&parts.uri, &target) {
                is_same_origin = false;
                redirects::keep_of_message(&mut parts.headers);
            }
            parts.uri = target;
        }
        unreachable!("the loop returns")
    }
}

/// Moves the cookies that a server sets.
fn move_cookies(from: &mut HeaderMap<HeaderValue>, to: &mut HeaderMap<HeaderValue>) {
    for cookie in from.get_all(SET_COOKIE) {
        to.append(SET_COOKIE, cookie.clone());
    }
    from.remove(SET_COOKIE);
}

impl Transport for HttpTransport {
    // Not an `async fn`, whose future would contain its arguments twice.
    fn send(
        &self,
        request: Request<Bytes>,
    ) -> impl Future<Output = Result<Response<Bytes>, TransportError>> + Send {
        let request = Box::new(request.map(Full::new));
        async move {
            if Handle::try_current().is_err() {
                let message = "HttpTransport needs a runtime of tokio, with its I/O and timers";
                return Err(TransportError::new(TransportErrorKind::Connect, message));
            }
            let own = request.extensions().get::<CallTimeout>();
            let time = own.map_or(self.timeout, |own| own.0).min(LONGEST_TIME);
            let deadline = Instant::now() + time;
            if self.redirects > 0 {
                return within(time, Box::pin(self.redirected(request, deadline))).await;
            }
            let exchange = pin!(self.exchanger.exchange(request, true, deadline));
            within(time, exchange).await
        }
    }

    fn timeout(&self) -> Option<Duration> {
        Some(self.timeout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_login_in_a_url_is_not_told() {
        let mut request = Request::new(Bytes::new());
        *request.uri_mut() = http::Uri::from_static("http://ada:hunter2@127.0.0.1:1/");
        let error = HttpTransport::new().send(request).await.expect_err("@");
        assert_eq!(error.kind(), TransportErrorKind::Scheme);
        let said = format!("{error} {error:?}");
        assert!(said.contains("with_basic_auth"), "{said}");
        assert!(!said.contains("hunter2"), "{said}");
    }

    /// Each running call has one such future. Allocators keep smaller blocks ready.
    #[test]
    fn a_call_takes_less_than_a_kibibyte() {
        let transport = HttpTransport::new();
        let call = transport.send(Request::new(Bytes::new()));
        let size = size_of_val(&call);
        assert!(size <= 1000, "{size} bytes");
    }
}
