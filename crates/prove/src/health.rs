//! When the original has had enough.

use std::time::Duration;

use bytes::Bytes;
use http::{Response, StatusCode};
use svcgen::CallError;
use svcgen::mask::Masked;

use crate::asked::Asked;

/// How many times are looked at.
const TIMES: usize = 20;
/// How often slower they may become, and how much at least.
const SLOWER: u32 = 5;
const SLOWER_BY: Duration = Duration::from_millis(500);
/// How many calls in a row a server may leave without an answer.
const UNANSWERED: usize = 3;

#[derive(Debug, Default)]
pub(crate) struct Health {
    /// How long the original took for each call.
    times: Vec<Duration>,
    unanswered: [usize; 2],
}

impl Health {
    /// Why no further call is to be sent, if so.
    pub(crate) fn complaint(&mut self, asked: &Asked) -> Option<Masked<String>> {
        let why = self.reason(asked)?;
        Some(asked.call.secrets.text(&why).map(str::to_owned))
    }

    fn reason(&mut self, asked: &Asked) -> Option<String> {
        let servers = [
            ("original", &asked.original),
            ("candidate", &asked.candidate),
        ];
        for ((name, answered), unanswered) in servers.into_iter().zip(&mut self.unanswered) {
            match &answered.answer {
                Ok(_) => *unanswered = 0,
                Err(why) => {
                    *unanswered += 1;
                    if *unanswered == UNANSWERED {
                        return Some(format!(
                            "the {name} left {UNANSWERED} calls in a row without an answer: {why}"
                        ));
                    }
                }
            }
        }
        let response = asked.original.answer.as_ref().ok()?;
        if is_in_trouble(asked, response) {
            return Some(format!("the original answered {}", response.status()));
        }
        self.times.push(asked.original.took);
        if self.times.len() < TIMES {
            return None;
        }
        let [usual, now] = [
            &self.times[..TIMES],
            &self.times[self.times.len() - TIMES..],
        ]
        .map(middle);
        (now > usual * SLOWER && now > usual + SLOWER_BY).then(|| {
            format!("the original became slow: the middle one of its last {TIMES} times is {now:.0?}, that of the first {usual:.0?}")
        })
    }
}

/// Whether an answer is one of a server that fails, and not of its service.
fn is_in_trouble(asked: &Asked, response: &Response<Bytes>) -> bool {
    match response.status() {
        StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => {
            true
        }
        StatusCode::INTERNAL_SERVER_ERROR if asked.call.changes.is_empty() => {
            let call = &asked.call;
            let read = call.operation.read_answer(response, call.binding);
            !matches!(read, Err(CallError::Fault(_)))
        }
        _ => false,
    }
}

fn middle(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort();
    times[times.len() / 2]
}
