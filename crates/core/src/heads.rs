//! The head of a request, and the additions of its handler to the head of the answer.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, request};

#[cfg(feature = "axum")]
use crate::peer::take_connect_info;
use crate::response;
use crate::server_options::ServerOptions;
use crate::unknown_header::UnknownHeader;

/// The head of a request, shared by the context of the call, which emitted code owns, and the
/// server, which writes the answer: one allocation for each request.
pub(crate) struct Heads {
    pub(crate) parts: request::Parts,
    /// The id of the new session, once the handler has started one.
    pub(crate) session: OnceLock<String>,
    /// The SOAP headers that the server understands, while the request is with layers.
    pub(crate) understood: Vec<UnknownHeader>,
    added: Mutex<Added>,
}

/// The additions of a handler to the head of its answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Added {
    /// The status; ignored over SOAP.
    pub(crate) status: Option<StatusCode>,
    pub(crate) headers: Vec<Header>,
}

#[derive(Debug, Clone)]
pub(crate) struct Header {
    pub(crate) name: HeaderName,
    pub(crate) value: HeaderValue,
    /// Whether the header replaces others with the same name.
    pub(crate) replaces: bool,
}

impl Header {
    pub(crate) fn put(self, headers: &mut HeaderMap) {
        if self.replaces {
            headers.insert(self.name, self.value);
        } else {
            headers.append(self.name, self.value);
        }
    }
}

impl Heads {
    pub(crate) fn new(parts: request::Parts) -> Self {
        Self {
            parts,
            session: OnceLock::new(),
            understood: Vec::new(),
            added: Mutex::default(),
        }
    }

    /// Returns the heads of a request whose call has not started, so that they are not shared yet.
    pub(crate) fn of_request(heads: &mut Arc<Self>) -> &mut Self {
        Arc::get_mut(heads).expect("the call has not begun")
    }

    pub(crate) fn added(&self) -> MutexGuard<'_, Added> {
        // Nothing panics while it is locked.
        self.added.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the headers that the handler has set to the head of an answer, and its status if
    /// `has_status`.
    pub(crate) fn complete(
        &self,
        response: &mut Response<Bytes>,
        has_status: bool,
        options: &ServerOptions,
    ) {
        if let Some(id) = self.session.get() {
            response::begin_session(response, id, options.is_encrypted(&self.parts));
        }
        let mut added = self.added();
        for header in std::mem::take(&mut added.headers) {
            header.put(response.headers_mut());
        }
        if let Some(status) = added.status.filter(|_| has_status) {
            set_status(response, status);
        }
    }
}

/// Sets the status. If the status has no content (RFC 9110 §15.3.5, §15.3.6, §15.4.5), removes the
/// body.
fn set_status(response: &mut Response<Bytes>, status: StatusCode) {
    *response.status_mut() = status;
    if [
        StatusCode::NO_CONTENT,
        StatusCode::RESET_CONTENT,
        StatusCode::NOT_MODIFIED,
    ]
    .contains(&status)
    {
        *response.body_mut() = Bytes::new();
        for name in [CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS, CONTENT_LENGTH] {
            response.headers_mut().remove(name);
        }
        if status == StatusCode::RESET_CONTENT {
            response
                .headers_mut()
                .insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
        }
    }
}

/// Splits a request. The head is in an `Arc`, because it is moved often and shared.
pub(crate) fn into_heads<B>(request: Request<B>) -> (Arc<Heads>, B) {
    let (parts, body) = request.into_parts();
    #[cfg_attr(not(feature = "axum"), allow(unused_mut))]
    let mut heads = Heads::new(parts);
    #[cfg(feature = "axum")]
    take_connect_info(&mut heads.parts.extensions);
    (Arc::new(heads), body)
}
