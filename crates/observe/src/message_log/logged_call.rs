//! A call whose messages are kept until it has ended.

use bytes::Bytes;
use http::{Request, Response};
use svcgen_core::{
    Binding, Model,
    internals::{described, mask_of},
};

use super::exchange::LoggedExchange;
use super::log::MessageLog;
use crate::watch::{Begin, End, Stopwatch, WatchedCall, Watcher};

/// A call that is logged when it has ended.
pub(crate) struct LoggedCall {
    log: MessageLog,
    model: Option<Model>,
    operation: Option<String>,
    binding: Option<Binding>,
    request: Request<Bytes>,
    began: Stopwatch,
}

impl Watcher for MessageLog {
    type Call = LoggedCall;

    fn begin(&self, call: &Begin<'_>) -> Option<LoggedCall> {
        self.is_for(call.operation).then(|| LoggedCall {
            log: self.clone(),
            model: call.model.cloned(),
            operation: call.operation.map(str::to_owned),
            binding: call.binding,
            request: call.copy(),
            began: Stopwatch::start(),
        })
    }
}

impl WatchedCall for LoggedCall {
    fn end(self, end: &End<'_>) {
        let outcome = end.outcome();
        if self.log.failures_only && outcome == "answered" {
            return;
        }
        let error = match end {
            End::Answered(answer) => answer.and_then(|answer| answer.error()),
            End::Dropped | End::Sent(_) => None,
        };
        let model = described(self.model.as_ref());
        let service = model.service();
        let mask = mask_of(&model).with_limit(self.log.limit);
        let response = end.answer().map(|(status, headers, body)| {
            let mut response = Response::new(body.clone());
            *response.status_mut() = status;
            *response.headers_mut() = headers.clone();
            mask.response(&self.request, &response)
        });
        (self.log.write)(&LoggedExchange {
            service: self.model.as_ref().map(|_| service.name.to_owned()),
            operation: self.operation,
            binding: self.binding,
            outcome,
            error: error.map(|error| mask.secrets(&self.request).text(&error).map(str::to_owned)),
            duration: self.began.elapsed(),
            request: mask.request(&self.request),
            response,
        });
    }
}
