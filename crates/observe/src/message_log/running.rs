//! A call whose messages are kept until it has ended.

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode, Uri};

use super::exchange::LoggedExchange;
use super::log::MessageLog;
use svcgen_core::Binding;
use svcgen_core::Model;
use svcgen_core::internals::mask_of;
use svcgen_core::internals::{DROPPED, Stopwatch, described};

/// A call that is logged when it has ended, also when its future is dropped.
pub(super) struct Running {
    log: MessageLog,
    model: Option<Model>,
    operation: Option<String>,
    binding: Option<Binding>,
    request: Request<Bytes>,
    began: Stopwatch,
    has_ended: bool,
}

impl Running {
    pub(super) fn begin(
        log: &MessageLog,
        model: Option<&Model>,
        operation: Option<&str>,
        binding: Option<Binding>,
        request: Request<Bytes>,
    ) -> Self {
        Self {
            log: log.clone(),
            model: model.cloned(),
            operation: operation.map(str::to_owned),
            binding,
            request,
            began: Stopwatch::start(),
            has_ended: false,
        }
    }

    /// Logs the call. `response` makes a copy of the answer.
    pub(super) fn end(
        &mut self,
        outcome: &'static str,
        error: Option<String>,
        response: impl FnOnce() -> Option<Response<Bytes>>,
    ) {
        self.has_ended = true;
        if self.log.failures_only && outcome == "answered" {
            return;
        }
        let model = described(self.model.as_ref());
        let service = model.service();
        let mask = mask_of(&model).with_limit(self.log.limit);
        let response = response();
        let response = response.map(|response| mask.response(&self.request, &response));
        (self.log.write)(&LoggedExchange {
            service: self.model.as_ref().map(|_| service.name.to_owned()),
            operation: self.operation.take(),
            binding: self.binding,
            outcome,
            error: error.map(|error| mask.secrets(&self.request).text(&error).map(str::to_owned)),
            duration: self.began.elapsed(),
            request: mask.request(&self.request),
            response,
        });
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.has_ended {
            self.end(DROPPED, None, || None);
        }
    }
}

/// A copy of the head of a message, with its body.
pub(super) fn response(status: StatusCode, headers: &HeaderMap, body: &Bytes) -> Response<Bytes> {
    let mut response = Response::new(body.clone());
    *response.status_mut() = status;
    *response.headers_mut() = headers.clone();
    response
}

/// The same of a request.
pub(super) fn request(
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    body: &Bytes,
) -> Request<Bytes> {
    let mut request = Request::new(body.clone());
    *request.method_mut() = method.clone();
    *request.uri_mut() = uri.clone();
    *request.headers_mut() = headers.clone();
    request
}
