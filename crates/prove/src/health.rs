//! The checks that stop a proof when a server is in trouble.

use std::time::Duration;

use bytes::Bytes;
use http::{Response, StatusCode};
use svcgen::CallError;
use svcgen::mask::Masked;

use crate::asked::Asked;

/// The number of response times that are compared.
const TIMES: usize = 20;
/// The factor by which they may become slower, and the least increase that counts.
const SLOWER: u32 = 5;
const SLOWER_BY: Duration = Duration::from_millis(500);
/// The number of calls in a row without an answer of a server that ends the proof.
const UNANSWERED: usize = 3;

#[derive(Debug, Default)]
pub(crate) struct Health {
    /// The time that the original took for each call.
    times: Vec<Duration>,
    unanswered: [usize; 2],
}

impl Health {
    /// Returns the reason why no further call is to be sent, if so.
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

/// Whether an answer shows that the server fails, rather than being an answer of its service.
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
