//! A transport on the `fetch` of browsers.

mod abort;

use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, Method, Request, Response};
use js_sys::{Array, Function, JsString, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Headers, ReadableStreamDefaultReader, RequestCredentials, RequestInit, RequestRedirect,
};

use abort::Abort;
use svcgen_core::transport::{CallTimeout, Transport, TransportError, TransportErrorKind};
use svcgen_wire::Limits;

/// Sends requests with the `fetch` of a browser, in pages and workers, or of Node.js.
///
/// The rules of the browser apply: a service of another origin can be called only if it allows this
/// (CORS), and the browser sets `Cookie`, `Host` and other headers. The transport follows no
/// redirects. When a call is dropped, its request is aborted.
#[derive(Debug, Clone)]
pub struct FetchTransport {
    timeout: Duration,
    body_limit: usize,
    credentials: Credentials,
}

/// The services to which a browser sends cookies and other credentials.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Credentials {
    /// No service.
    Omit,
    /// Services of the page's origin.
    #[default]
    SameOrigin,
    /// Every service. Services of another origin must allow it.
    Include,
}

impl Default for FetchTransport {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(100),
            body_limit: Limits::default().body,
            credentials: Credentials::default(),
        }
    }
}

impl FetchTransport {
    /// Creates a transport with default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Limits the time of a call, from connecting to the last byte of the response. By default, 100
    /// seconds, as in Microsoft's clients.
    #[must_use]
    pub fn with_timeout(mut self, time: Duration) -> Self {
        self.timeout = time;
        self
    }

    /// Limits the body of a response, in bytes. By default, 4 MiB.
    #[must_use]
    pub fn with_body_limit(mut self, bytes: usize) -> Self {
        self.body_limit = bytes;
        self
    }

    /// Sets the services that get cookies and other credentials. By default, those of the page's
    /// origin.
    #[must_use]
    pub fn with_credentials(mut self, credentials: Credentials) -> Self {
        self.credentials = credentials;
        self
    }

    async fn exchange(
        &self,
        request: Request<Bytes>,
        abort: &Abort,
    ) -> Result<Response<Bytes>, JsValue> {
        let init = RequestInit::new();
        init.set_method(request.method().as_str());
        init.set_redirect(RequestRedirect::Manual);
        init.set_signal(Some(&abort.signal()));
        init.set_credentials(match self.credentials {
            Credentials::Omit => RequestCredentials::Omit,
            Credentials::SameOrigin => RequestCredentials::SameOrigin,
            Credentials::Include => RequestCredentials::Include,
        });
        let headers = Headers::new()?;
        for (name, value) in request.headers() {
            let value = String::from_utf8_lossy(value.as_bytes());
            headers.append(name.as_str(), &value)?;
        }
        init.set_headers(&headers);
        // A browser refuses any body of a GET, and adds a media type to a body without one.
        if *request.method() != Method::GET {
            init.set_body(&Uint8Array::from(&request.body()[..]));
            debug_assert!(request.headers().contains_key(CONTENT_TYPE));
        }
        let url = request.uri().to_string();
        let sent = web_sys::Request::new_with_str_and_init(&url, &init)?;
        let global = js_sys::global();
        // From the global scope, not from a window, because workers and Node.js have it, too.
        let fetch: Function = Reflect::get(&global, &"fetch".into())?.dyn_into()?;
        let response: Promise = fetch.call1(&global, &sent)?.dyn_into()?;
        let response: web_sys::Response = JsFuture::from(response).await?.dyn_into()?;
        if response.status() == 0 {
            return Err("the server redirects, and the browser does not tell where to".into());
        }
        let body = self.collect(&response).await?;
        let mut read = Response::new(body);
        let status = response.status();
        *read.status_mut() = status.try_into().map_err(|_| "the status is none")?;
        for pair in response.headers().entries() {
            let pair: Array = pair?.dyn_into()?;
            let [name, value] = [0, 1].map(|index| String::from(JsString::from(pair.get(index))));
            let header = (HeaderName::try_from(name), HeaderValue::try_from(value));
            if let (Ok(name), Ok(value)) = header {
                read.headers_mut().append(name, value);
            }
        }
        // The browser decompresses the body, but does not change the headers.
        read.headers_mut().remove(CONTENT_ENCODING);
        read.headers_mut().remove(CONTENT_LENGTH);
        Ok(read)
    }

    /// Reads a body, up to the limit.
    async fn collect(&self, response: &web_sys::Response) -> Result<Bytes, JsValue> {
        let Some(stream) = response.body() else {
            return Ok(Bytes::new());
        };
        let reader: ReadableStreamDefaultReader = stream.get_reader().dyn_into()?;
        let mut body = Vec::new();
        loop {
            let part = JsFuture::from(reader.read()).await?;
            if Reflect::get(&part, &"done".into())?.is_truthy() {
                return Ok(body.into());
            }
            let part: Uint8Array = Reflect::get(&part, &"value".into())?.dyn_into()?;
            let length = body.len() + part.length() as usize;
            if length > self.body_limit {
                return Err(JsValue::from(TOO_LONG));
            }
            body.extend_from_slice(&part.to_vec());
        }
    }
}

/// The value for the error that a body is too long, which browsers do not have.
const TOO_LONG: f64 = 1.0;

impl Transport for FetchTransport {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let own = request.extensions().get::<CallTimeout>();
        let time = own.map_or(self.timeout, |own| own.0);
        let abort = Abort::after(time).map_err(|error| failed(&error))?;
        self.exchange(request, &abort).await.map_err(|error| {
            if abort.is_over() {
                TransportError::timed_out(time)
            } else if error.as_f64() == Some(TOO_LONG) {
                TransportError::too_long(self.body_limit)
            } else {
                failed(&error)
            }
        })
    }

    fn timeout(&self) -> Option<Duration> {
        Some(self.timeout)
    }
}

/// Converts a JavaScript exception. Browsers do not reveal why a fetch failed.
fn failed(error: &JsValue) -> TransportError {
    let message = Reflect::get(error, &"message".into()).ok();
    let message = message.and_then(|message| message.as_string());
    let message = message.or(error.as_string()).unwrap_or_default();
    let message = format!(
        "fetch: {message} (the server may be down, or not allow calls from pages of this origin)"
    );
    TransportError::new(TransportErrorKind::Exchange, message)
}
