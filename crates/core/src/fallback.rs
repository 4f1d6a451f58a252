//! Forwarding to another server, so that a service can move to Rust one operation at a time.
//!
//! A server with a [`Fallback`] answers calls of the operations that its handler implements. It
//! forwards everything else unchanged to the original, and returns the original's answer:
//!
//! - calls of operations that the handler does not implement: with the option `optional_methods` of
//!   the generator, operations without a method;
//! - requests to paths of no service;
//! - requests that are not calls of the service: unknown operations, other methods and media types,
//!   and messages whose operation is unclear. If the action or the path names an operation that is
//!   implemented here, the server refuses the message itself, so that nobody can choose the old
//!   code by a message that only it can read.
//!
//! The server answers documents (WSDL, help page, scripts, the index page of a
//! [`Router`](crate::Router)) itself, unless [`with_documents`](Fallback::with_documents) forwards
//! these as well.
//!
//! ```
//! use svcgen::HttpTransport;
//! use svcgen::fallback::InvalidOriginal;
//!
//! # fn example<S: svcgen::codegen::DispatchTo<H>, H: Send + Sync + 'static>(server: svcgen::Server<S, H>) -> Result<svcgen::Server<S, H>, InvalidOriginal> {
//! let fallback = HttpTransport::fallback("http://old.corp.example")?;
//! let server = server.with_fallback(fallback);
//! # Ok(server)
//! # }
//! ```
//!
//! Without a fallback, such operations answer the Server fault ``The operation `Ping` is not
//! implemented.``
//!
//! # What goes to the original
//!
//! The original gets method, path, query, headers and the bytes of the body, which is not
//! decompressed. Four things change:
//!
//! - `Host` names the original. [`with_host_of_callers`](Fallback::with_host_of_callers) keeps the
//!   caller's.
//! - Connection headers are left out (RFC 9110 §7.6.1): `Connection` and the headers that it names,
//!   `Keep-Alive`, `Proxy-Connection`, `TE`, `Trailer`, `Transfer-Encoding`, `Upgrade`. So is
//!   `Expect`, because the body has already arrived.
//! - Credentials that log in a whole connection, by NTLM or Negotiate, are left out, because
//!   connections to the original carry the requests of all callers. If the original requires them,
//!   use a transport that logs in itself (`HttpTransport::with_handshake`).
//! - The body is sent whole over HTTP/1.1 with its length, however it arrived. So this server and
//!   the original always agree where a request ends.
//!
//! The caller gets the status, all other headers and the bytes of the body. The letter case of
//! header names, the order of headers with different names, and trailers are not kept. A trace
//! context (`traceparent`, `tracestate`) is forwarded as the caller sent it.
//!
//! Requests and answers are read completely before they are forwarded. So if the original breaks
//! off, the caller gets a fault, never a truncated answer. Each running call takes memory up to
//! both limits below.
//!
//! # Which operations are implemented
//!
//! An operation is implemented if the handler has a method for it; with `optional_methods`, a
//! method may be missing. This is decided by the type of the handler, not by results: the fault of
//! an existing method is the answer. So a wrapper with all methods implements all operations, and
//! answers a fault for operations that the inner handler lacks: leave these methods out of the
//! wrapper. A mock of the option `mocks` implements all operations, whether or not a test sets an
//! answer.
//!
//! The server finds the operation before it reads the message, from the path or the action of the
//! request. It opens a SOAP message, up to the first element in its Body, only if the head does not
//! name the operation.
//!
//! # Limits
//!
//! The body of a request may have [`Limits::body`](crate::Limits::body) bytes, and a call counts as
//! running until the answer has arrived. `HttpTransport::fallback` accepts answers of up to 64 MiB
//! within 100 seconds; pass [`Fallback::over`] your own [`Transport`] for other limits, TLS roots,
//! credentials and proxies. [`ServerOptions::deadline`](crate::ServerOptions::deadline) applies as
//! well. Requests for forbidden hosts and origins are refused before anything is sent.
//!
//! # Failures
//!
//! If the original does not answer, the caller gets a fault with status 502, or 504 on a timeout.
//! The text does not name the original. The cause goes to [`with_report`](Fallback::with_report),
//! or else to the log.
//!
//! # Watching
//!
//! [Layers](crate::layer), traces, metrics and the message log see all forwarded requests except
//! those for documents, with [`Outcome::Forwarded`](crate::layer::Outcome::Forwarded) and, if
//! known, the operation. Layers can refuse a request, and change headers on the way to the original
//! and back. If the operation is unknown here, the request is
//! [`Target::Forwarded`](crate::layer::Target::Forwarded): a layer that authorises must decide
//! about it, because the original may do anything.

mod headers;

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{Method, Request, Response, StatusCode, Uri, request};

use crate::host::Host;
use crate::paths::AskedPath;
use crate::transport::{
    BoxTransport, CalledOperation, Transport, TransportError, TransportErrorKind,
};
pub(crate) use headers::{remove_named, returned};
use svcgen_wire::internals::printable;

/// The server that gets requests that are not implemented here: see the [module](self). Clones
/// share its connections.
#[derive(Clone)]
pub struct Fallback {
    transport: BoxTransport,
    scheme: Scheme,
    authority: Authority,
    pub(crate) has_documents: bool,
    keeps_host: bool,
    forwards: bool,
    pub(crate) report: Option<Arc<Report>>,
}

/// A function that reports requests without an answer.
pub(crate) type Report = dyn Fn(&TransportError) + Send + Sync;

/// The error for a text that is not the URL of an original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidOriginal {
    url: String,
    why: &'static str,
}

impl InvalidOriginal {
    #[doc(hidden)]
    pub fn new(url: &str, why: &'static str) -> Self {
        // The text before the host may contain a password.
        let url = match url.rsplit_once('@') {
            Some((_, rest)) => format!("[secret]@{rest}"),
            None => url.to_owned(),
        };
        Self { url, why }
    }
}

impl fmt::Display for InvalidOriginal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, why } = self;
        let url = printable(url);
        write!(
            f,
            "`{url}` names no server to fall back to: {why}; give a URL such as http://old.corp.example:8080"
        )
    }
}

impl Error for InvalidOriginal {}

impl Fallback {
    /// Whether the original is called over TLS.
    #[doc(hidden)]
    pub fn is_https(&self) -> bool {
        self.scheme == Scheme::HTTPS
    }

    /// Creates a fallback to the server at a URL over a transport, which sets TLS, credentials,
    /// proxies and limits.
    ///
    /// If the transport follows redirects, or asks for gzip, callers get a different answer than
    /// from the original.
    ///
    /// ```
    /// use std::time::Duration;
    /// use svcgen::HttpTransport;
    /// use svcgen::fallback::Fallback;
    ///
    /// let transport = HttpTransport::new().with_timeout(Duration::from_secs(20));
    /// let fallback = Fallback::over(transport, "http://old.corp.example")?;
    /// # Ok::<(), svcgen::fallback::InvalidOriginal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The URL is not `http` or `https`, or has more than a scheme, a host and a port.
    pub fn over(
        transport: impl Transport + Send + Sync + 'static,
        url: &str,
    ) -> Result<Self, InvalidOriginal> {
        let (scheme, authority) = origin(url).map_err(|why| InvalidOriginal::new(url, why))?;
        Ok(Self {
            transport: BoxTransport::new(transport),
            scheme,
            authority,
            has_documents: false,
            keeps_host: false,
            forwards: false,
            report: None,
        })
    }

    /// Sets whether to forward requests for documents (WSDL, help page, scripts) as well. By
    /// default, this server answers them.
    ///
    /// The original writes addresses with its own host into them, unless it gets [the callers'
    /// host](Self::with_host_of_callers).
    #[must_use]
    pub fn with_documents(mut self, documents: bool) -> Self {
        self.has_documents = documents;
        self
    }

    /// Sets whether to forward the `Host` of the caller. By default, `Host` names the original.
    ///
    /// Connections always go to the host of the URL.
    #[must_use]
    pub fn with_host_of_callers(mut self, keep: bool) -> Self {
        self.keeps_host = keep;
        self
    }

    /// Sets whether to send information about the caller to the original: adds the caller's address
    /// to `X-Forwarded-For`, the scheme to `X-Forwarded-Proto`, and the requested host to
    /// `X-Forwarded-Host`. By default, nothing is added, and such headers of callers are forwarded
    /// unchanged.
    #[must_use]
    pub fn with_forwarded_headers(mut self, add: bool) -> Self {
        self.forwards = add;
        self
    }

    /// Reports each request that the original did not answer to this function, instead of the log
    /// of the server. The error names the original.
    ///
    /// ```
    /// use svcgen::HttpTransport;
    ///
    /// let fallback = HttpTransport::fallback("http://old.corp.example")?
    ///     .with_report(|error| eprintln!("fallback: {error}"));
    /// # Ok::<(), svcgen::fallback::InvalidOriginal>(())
    /// ```
    #[must_use]
    pub fn with_report(mut self, report: impl Fn(&TransportError) + Send + Sync + 'static) -> Self {
        self.report = Some(Arc::new(report));
        self
    }

    /// Whether a request has a target that can go to the original: a path, rather than `*` or the
    /// host of a `CONNECT`.
    pub(crate) fn takes(parts: &request::Parts) -> bool {
        parts.method != Method::CONNECT && parts.uri.path().starts_with('/')
    }

    /// Sends a request to the original.
    ///
    /// # Errors
    ///
    /// There is no answer, for this reason.
    pub(crate) async fn send(
        &self,
        parts: &request::Parts,
        body: Bytes,
        called: Option<CalledOperation>,
    ) -> Result<Response<Bytes>, TransportError> {
        let sent = match self.request(parts, body, called) {
            Ok(request) => self.transport.send(request).await,
            Err(error) => Err(error),
        };
        sent.and_then(|response| match response.status() {
            // No upgrade was requested.
            StatusCode::SWITCHING_PROTOCOLS => {
                let message = "the original switched to another protocol";
                Err(TransportError::new(TransportErrorKind::Exchange, message))
            }
            _ => Ok(response),
        })
    }

    fn request(
        &self,
        parts: &request::Parts,
        body: Bytes,
        called: Option<CalledOperation>,
    ) -> Result<Request<Bytes>, TransportError> {
        let path = AskedPath::of(parts).whole();
        let target = match parts.uri.query() {
            Some(query) => PathAndQuery::try_from(format!("{path}?{query}")),
            None => PathAndQuery::try_from(path),
        };
        let url = target.map(|target| {
            let mut url = Uri::default().into_parts();
            url.scheme = Some(self.scheme.clone());
            url.authority = Some(self.authority.clone());
            url.path_and_query = Some(target);
            Uri::from_parts(url).expect("all parts are there")
        });
        let url = url.map_err(|error| {
            let message = "the target of the request cannot be sent";
            TransportError::new(TransportErrorKind::Exchange, message).with_source(error)
        })?;
        let mut request = Request::new(body);
        *request.method_mut() = parts.method.clone();
        *request.uri_mut() = url;
        *request.headers_mut() = headers::sent(parts, self.keeps_host, self.forwards);
        if let Some(called) = called {
            request.extensions_mut().insert(called);
        }
        Ok(request)
    }
}

/// Returns the scheme and the authority of a URL that has nothing else.
fn origin(url: &str) -> Result<(Scheme, Authority), &'static str> {
    let Ok(uri) = url.parse::<Uri>() else {
        return Err("it is not a URL");
    };
    let parts = uri.into_parts();
    let known = [Scheme::HTTP, Scheme::HTTPS];
    let scheme = parts.scheme.filter(|scheme| known.contains(scheme));
    let (Some(scheme), Some(authority)) = (scheme, parts.authority) else {
        return Err("it does not begin with http:// or https:// and a host");
    };
    Host::of_url(authority.as_str())?;
    match parts.path_and_query.as_ref().map(PathAndQuery::as_str) {
        None | Some("/") if !url.contains('#') => Ok((scheme, authority)),
        _ => Err("requests keep their own path and query, so it has none"),
    }
}

impl fmt::Debug for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            scheme, authority, ..
        } = self;
        f.debug_struct("Fallback")
            .field("original", &format_args!("{scheme}://{authority}"))
            .finish_non_exhaustive()
    }
}
