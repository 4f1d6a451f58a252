//! A call as the mock sees it: what is known of it, and what becomes of its response.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::Response;
use serde_json::{Value as Json, json};
use svcgen::Fault;
use svcgen::bytes::Bytes;
use svcgen_messages::{Answer, Request};

use super::rules::Effect;
use crate::console::excerpt;

/// What the handler of a call tells the server around it; it is an extension of the request.
#[derive(Clone, Default)]
pub(super) struct Exchange(Arc<Mutex<Told>>);

#[derive(Default)]
pub(super) struct Told {
    /// The call and its answer, for the log.
    pub(super) call: Option<Json>,
    pub(super) effect: Effect,
    /// The response in place of the one that the service writes.
    pub(super) recorded: Option<Response<Bytes>>,
}

impl Exchange {
    pub(super) fn tell(&self, tell: impl FnOnce(&mut Told)) {
        tell(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// What was told so far.
    pub(super) fn take(&self) -> Told {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A call for the log, without its secrets.
pub(super) fn logged(request: &Request) -> Json {
    json!({
        "service": request.operation.service().name(),
        "operation": request.operation.name(),
        "binding": request.binding.key(),
        "parameters": request.operation.mask(&request.parameters),
    })
}

/// Adds what is answered to a call in the log, without its secrets.
pub(super) fn log_answer(call: &mut Json, request: &Request, answer: &Result<Answer, Fault>) {
    match answer {
        Ok(answer) => {
            call["answer"] = request.operation.mask_answer(answer).value;
        }
        Err(fault) => {
            let text = request.mask_text(fault.text());
            call["fault"] = json!({ "code": fault.code().to_string(), "text": excerpt(text) });
        }
    }
}

/// Adds the status and the time of an answer.
pub(super) fn log_end(call: &mut Json, status: u16, time: Duration) {
    call["status"] = Json::from(status);
    let microseconds = time.as_micros();
    call["milliseconds"] = Json::from(microseconds as f64 / 1000.0);
}
