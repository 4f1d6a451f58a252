//! A call as the mock sees it: its data for the log, and the effects on its response.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::Response;
use serde_json::{Value as Json, json};
use svcgen::bytes::Bytes;
use svcgen::mask::{Masked, Secrets};
use svcgen::{Binding, Fault};
use svcgen_messages::{Answer, Operation, Request};

use super::rules::Effect;
use super::secrets::secrets_of;
use crate::console::excerpt;
use crate::json::escaped;

/// The report of a call's handler to the server around it, as an extension of the request.
#[derive(Clone, Default)]
pub(super) struct HandlerReport(Arc<Mutex<HandledCall>>);

/// The outcome of a call.
#[derive(Default)]
pub(super) struct HandledCall {
    /// The call and its answer, for the log.
    pub(super) call: Option<LoggedCall>,
    pub(super) effect: Effect,
    /// The response that replaces the service's own.
    pub(super) recorded: Option<Response<Bytes>>,
}

impl HandlerReport {
    pub(super) fn set(&self, handled: HandledCall) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = handled;
    }

    pub(super) fn take(&self) -> HandledCall {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

pub(super) struct LoggedCall {
    operation: Operation,
    binding: Binding,
    parameters: Masked<Json>,
    answer: Option<Masked<Json>>,
    fault: Option<Masked<Json>>,
    /// The secrets that texts must not quote: those of its request, and kept ones of earlier
    /// requests.
    secrets: Secrets,
}

impl LoggedCall {
    pub(super) fn of(request: &Request) -> Self {
        Self {
            operation: request.operation,
            binding: request.binding,
            parameters: request
                .operation
                .parameter_place()
                .mask(&request.parameters),
            answer: None,
            fault: None,
            secrets: secrets_of(request),
        }
    }

    /// Adds the answer. `kept` are secrets of earlier calls that a text may quote.
    pub(super) fn answered(&mut self, answer: &Result<Answer, Fault>, kept: &Secrets) {
        match answer {
            Ok(answer) => {
                let masked = self.operation.mask_answer(answer);
                self.answer = Some(masked.map(|answer| answer.value));
            }
            Err(fault) => {
                self.secrets.add_held(kept, fault.text());
                let (code, text) = (fault.code().to_string(), fault.text());
                let both = self.secrets.text(&code).and(self.secrets.text(text));
                let fault = both.map(|(code, text)| json!({ "code": code, "text": excerpt(text) }));
                self.fault = Some(fault);
            }
        }
    }

    /// Creates a line of the log, without the fields that are known only at the end of the call.
    fn line(self) -> Json {
        let mut line = json!({
            "service": self.operation.service().name(),
            "operation": self.operation.name(),
            "binding": self.binding.key(),
            "parameters": self.parameters,
        });
        for (name, outcome) in [("answer", self.answer), ("fault", self.fault)] {
            if let Some(outcome) = outcome {
                line[name] = outcome.into_inner();
            }
        }
        line
    }
}

/// Writes a line of the log: a call, or else the method and path, with the status and the time of
/// its answer.
pub(super) fn line(
    asked: Result<LoggedCall, Masked<String>>,
    status: u16,
    time: Duration,
) -> String {
    let mut line = match asked {
        Ok(call) => call.line(),
        Err(request) => json!({ "request": request }),
    };
    line["status"] = Json::from(status);
    let microseconds = time.as_micros();
    line["milliseconds"] = Json::from(microseconds as f64 / 1000.0);
    escaped(&format!("{line}\n"))
}
