//! Requests that go to another server, so that a service moves to Rust one operation at a time.
//!
//! A server with a [`Fallback`] answers the calls of the operations that its handler implements. Everything else goes to the original as it came, and
//! the answer comes back as the original wrote it:
//!
//! - calls of operations that the handler does not implement: with the option `optional_methods` of the generator, methods that an application
//!   has not written;
//! - requests to paths of no service;
//! - requests that are no calls of the service: other operations, methods, media types, and messages whose operation cannot be told. If the action or the path
//!   names an operation that is implemented here, the message is refused here, so that nobody chooses the old code by a message that only it reads.
//!
//! Documents (WSDL, help page, scripts, the index page of a [`Router`](crate::Router)) are answered here unless
//! [`with_documents`](Fallback::with_documents) says otherwise.
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
//! Without a fallback such operations are answered with the Server fault ``The operation `Ping` is not implemented.``
//!
//! # What goes to the original
//!
//! Method, path, query, headers and the bytes of the body, which are not decoded: what is in gzip stays so. Four things change:
//!
//! - `Host` names the original. [`with_host_of_callers`](Fallback::with_host_of_callers) keeps the caller's.
//! - Headers that are for one connection alone are left out (RFC 9110 §7.6.1): `Connection` and what it names, `Keep-Alive`, `Proxy-Connection`, `TE`,
//!   `Trailer`, `Transfer-Encoding`, `Upgrade`. So is `Expect`, as the body is here already.
//! - Credentials that log in a whole connection, by NTLM or Negotiate, are left out, as connections to the original carry the requests of all callers. An original that asks for them needs a
//!   transport that logs in by itself (`HttpTransport::with_handshake`).
//! - The length is that of the body, which is sent whole over HTTP/1.1, however it came. So no request can end elsewhere for the original than for this server.
//!
//! Of the answer the status, the other headers and the bytes of the body come back. Neither the case of header names nor the order of headers with different names is kept, and trailers are left out.
//! A trace context (`traceparent`, `tracestate`) is passed on as the caller sent it.
//!
//! Requests and answers are read whole before they are passed on, so that an original that breaks off makes a fault, never an answer that is too short. Each takes memory until it is passed on: at most both limits below for each call that runs.
//!
//! # Which operations are implemented
//!
//! The type of a method tells, before any call: one that is not written, where the option `optional_methods` allows it, falls back. What it returns does not: a fault of a method
//! that is written is the answer. So a handler that wraps another one, and has all methods to pass calls on, implements all operations; calls of those that the inner one lacks are answered with the fault. Leave these methods out of the wrapper.
//! A mock of the option `mocks` has all methods, too: all operations are its own, whether a test sets an answer or not.
//!
//! Whether an operation is implemented is known before its message is read, from the path or the action of the request. Only a SOAP message whose head does not tell is opened, up to the
//! first element in its Body.
//!
//! # Limits
//!
//! The body of a request has at most [`Limits::body`](crate::Limits::body) bytes, and a call holds its place among the running calls until the answer is there. `Fallback::new` takes
//! answers of up to 64 MiB, within 100 seconds; a [`Transport`] of one's own ([`Fallback::over`]) has other limits, TLS roots, credentials and proxies.
//! [`ServerOptions::deadline`](crate::ServerOptions::deadline) bounds the time, too. Hosts and origins that the options of the server do not allow are refused before anything is sent.
//!
//! # Failures
//!
//! If the original gives no answer, the caller gets a fault with the status 502, or 504 if it took too long. The text does not name the original; [`with_report`](Fallback::with_report)
//! is told the cause, or else the log has it.
//!
//! # Watching
//!
//! [Layers](crate::layer) see all these requests but those for documents, with [`Outcome::Forwarded`](crate::layer::Outcome::Forwarded), whatever the original answered; so do traces, metrics and the
//! message log, by operation where that is known. They may refuse a request, and change headers on its way to the original and back. A request whose operation is not known here is
//! [`Target::Forwarded`](crate::layer::Target::Forwarded): the original may run anything for it, so a layer that authorises has to decide about it.

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

/// The server that gets what is not implemented here: see the [module](self). Clones share its connections.
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

/// What is told of requests without an answer.
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
        // There may be a password before the host.
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

    /// Falls back to the server of a URL over a transport, which decides about TLS, credentials, proxies, and how long requests and answers may be.
    ///
    /// A transport that follows redirects, or that asks for gzip by itself, returns another answer than the original gave.
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
    /// The URL is not one of HTTP, or has more than a scheme, a host and a port.
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

    /// Sets whether documents are the original's, too: its WSDL, its help page, its scripts. By default they are those of this server.
    ///
    /// Addresses in them are as the original writes them: of its own host, unless it gets [that of callers](Self::with_host_of_callers).
    #[must_use]
    pub fn with_documents(mut self, documents: bool) -> Self {
        self.has_documents = documents;
        self
    }

    /// Sets whether the original gets the `Host` that the caller named. By default it gets its own.
    ///
    /// The connection is made to the host of the URL all the same.
    #[must_use]
    pub fn with_host_of_callers(mut self, keep: bool) -> Self {
        self.keeps_host = keep;
        self
    }

    /// Sets whether the original is told who called: the address of the caller is added to `X-Forwarded-For`, the scheme of its request to `X-Forwarded-Proto`, and the host that it named to `X-Forwarded-Host`.
    /// By default nothing is added, and such headers of callers pass as they are.
    #[must_use]
    pub fn with_forwarded_headers(mut self, add: bool) -> Self {
        self.forwards = add;
        self
    }

    /// Sets what is told of each request that the original gave no answer to, in place of the log of the server. The text of the error names the original.
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

    /// Whether a request has a target that can go to the original: a path, rather than `*` or the host of a `CONNECT`.
    pub(crate) fn takes(parts: &request::Parts) -> bool {
        parts.method != Method::CONNECT && parts.uri.path().starts_with('/')
    }

    /// Sends a request to the original.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
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
            // Nobody asked for it.
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

/// The scheme and the authority of a URL that has nothing else.
fn origin(url: &str) -> Result<(Scheme, Authority), &'static str> {
    let Ok(uri) = url.parse::<Uri>() else {
        return Err("it is no URL");
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
