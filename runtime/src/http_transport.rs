//! A transport on hyper.

mod broken;

use std::collections::HashMap;
use std::num::NonZeroU16;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::header::HOST;
use http::uri::{Authority, Scheme};
use http::{HeaderValue, Request, Response, Uri};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout};

use crate::body::{self, BodyError};
use crate::host::Host;
use crate::limits::Limits;
use crate::transport::{Transport, TransportError, TransportErrorKind};

/// Sends requests over HTTP/1.1, without TLS, in a tokio runtime, and keeps connections alive. Clones share their connections.
///
/// It follows no redirects and uses no proxy. A request is sent again only if no byte of it was sent the first time.
#[derive(Debug, Clone)]
pub struct HttpTransport {
    connect_timeout: Duration,
    timeout: Duration,
    body_limit: usize,
    idle: Arc<Mutex<Idle>>,
}

/// A connection, which is closed when it is dropped.
#[derive(Debug)]
struct Connection {
    requests: SendRequest<Full<Bytes>>,
    task: AbortHandle,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Idle connections by host and port, and since when they are idle.
type Idle = HashMap<Authority, Vec<(Connection, Instant)>>;

/// How long an idle connection is kept.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a connection may take after a response until it is ready for another request.
const READY_TIMEOUT: Duration = Duration::from_millis(100);
/// How many idle connections to one host and port are kept.
const MAX_IDLE: usize = 32;

impl Default for HttpTransport {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(100),
            body_limit: Limits::default().body,
            idle: Arc::default(),
        }
    }
}

impl HttpTransport {
    /// Creates a transport with default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how long connecting may take. By default 10 seconds.
    #[must_use]
    pub fn with_connect_timeout(mut self, time: Duration) -> Self {
        self.connect_timeout = time;
        self
    }

    /// Sets how long a call may take, from connecting to the last byte of the response. By default 100 seconds, as for Microsoft's callers.
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

    async fn exchange(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let (authority, request) = split_authority(request)?;
        let (mut connection, response) = self.send_on_connection(&authority, request).await?;
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
            self.add_idle(authority, connection);
        }
        Ok(Response::from_parts(parts, body))
    }

    /// Sends on an idle connection, or on a new one if there is none, or all turn out to be closed before anything is sent.
    async fn send_on_connection(
        &self,
        authority: &Authority,
        mut request: Request<Full<Bytes>>,
    ) -> Result<(Connection, Response<Incoming>), TransportError> {
        while let Some(mut connection) = self.take_idle(authority) {
            match connection.requests.try_send_request(request).await {
                Ok(response) => return Ok((connection, response)),
                Err(mut error) => match error.take_message() {
                    Some(unsent) => request = unsent,
                    None => return Err(broken::in_head(error.into_error())),
                },
            }
        }
        let mut connection = self.connect(authority).await?;
        let response = connection.requests.send_request(request).await;
        let response = response.map_err(broken::in_head)?;
        Ok((connection, response))
    }

    async fn connect(&self, authority: &Authority) -> Result<Connection, TransportError> {
        let failed = |why: String| {
            TransportError::new(
                TransportErrorKind::Connect,
                format!("no connection to {authority}: {why}"),
            )
        };
        let host = Host::of_url(authority.as_str()).map_err(|why| failed(why.to_owned()))?;
        let name = host.name.trim_start_matches('[').trim_end_matches(']');
        let address = (name, host.port.map_or(80, NonZeroU16::get));
        let stream = match timeout(self.connect_timeout, TcpStream::connect(address)).await {
            Err(_) => {
                return Err(failed(format!(
                    "it took longer than {:?}",
                    self.connect_timeout
                )));
            }
            Ok(Err(error)) => return Err(failed(error.to_string())),
            Ok(Ok(stream)) => stream,
        };
        // Each request is one write.
        let _ = stream.set_nodelay(true);
        let (requests, connection) = http1::Builder::new()
            // Some servers compare header names case-sensitively.
            .title_case_headers(true)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| failed(error.to_string()))?;
        let task = tokio::spawn(async move {
            // The sender of the request gets its errors.
            let _ = connection.await;
        });
        let task = task.abort_handle();
        Ok(Connection { requests, task })
    }

    fn take_idle(&self, authority: &Authority) -> Option<Connection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let connections = idle.get_mut(authority)?;
        while let Some((connection, since)) = connections.pop() {
            if connection.requests.is_ready() && since.elapsed() < IDLE_TIMEOUT {
                return Some(connection);
            }
        }
        None
    }

    fn add_idle(&self, authority: Authority, connection: Connection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let connections = idle.entry(authority).or_default();
        connections.retain(|(connection, since)| {
            !connection.requests.is_closed() && since.elapsed() < IDLE_TIMEOUT
        });
        if connections.len() < MAX_IDLE {
            connections.push((connection, Instant::now()));
        }
    }
}

/// Splits a request into the authority of its URL and the request as it is sent: with the target alone, and the host in a header.
fn split_authority(
    request: Request<Bytes>,
) -> Result<(Authority, Request<Full<Bytes>>), TransportError> {
    let mut request = request.map(Full::new);
    let uri = std::mem::take(request.uri_mut()).into_parts();
    let refused = |why| TransportError::new(TransportErrorKind::Scheme, why);
    match uri.scheme.as_ref().map_or("", Scheme::as_str) {
        "http" => {}
        "https" => {
            return Err(refused(
                "HttpTransport speaks no TLS: for https implement svcgen::Transport over an HTTP client that does",
            ));
        }
        _ => return Err(refused("HttpTransport needs an http URL")),
    }
    let authority = uri
        .authority
        .ok_or_else(|| refused("the URL names no host"))?;
    let host = HeaderValue::from_str(authority.as_str())
        .map_err(|_| refused("the URL's host cannot stand in a header"))?;
    request.headers_mut().entry(HOST).or_insert(host);
    *request.uri_mut() = uri.path_and_query.map_or_else(Uri::default, Uri::from);
    Ok((authority, request))
}

impl Transport for HttpTransport {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        match timeout(self.timeout, self.exchange(request)).await {
            Ok(result) => result,
            Err(_) => {
                let message = format!("the call took longer than {:?}", self.timeout);
                Err(TransportError::new(TransportErrorKind::Timeout, message))
            }
        }
    }
}
