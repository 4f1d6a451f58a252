//! The rules of a mock, and their answers.

mod check;
mod condition;
mod read;
mod reader;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::{HeaderName, HeaderValue, StatusCode};
use serde_json::{Map, Value as Json, json};
use svcgen::mask::Secrets;
use svcgen::{Fault, FaultCode};
use svcgen_messages::{Answer, Operation, Request};

use super::secrets::secrets_of;
use super::template::filled;
use condition::When;
pub(super) use read::read;

/// The maximum size of the state of rules, as JSON in bytes.
const MOST_STATE: usize = 1 << 20;

/// The rules of a file, in their order.
#[derive(Default)]
pub(super) struct Rules {
    rules: Vec<Rule>,
    state: Mutex<State>,
}

/// The state that rules keep between calls.
#[derive(Default)]
struct State {
    values: Map<String, Json>,
    /// The secrets of requests that the values contain.
    secrets: Secrets,
}

impl State {
    /// Creates the initial state.
    fn of(values: Map<String, Json>) -> Self {
        Self {
            values,
            secrets: Secrets::new(),
        }
    }
}

/// The answers to some calls of an operation.
struct Rule {
    operation: Operation,
    when: When,
    /// The answers to successive calls; the last one also answers all further calls.
    steps: Vec<RuleStep>,
    calls: AtomicUsize,
    /// Its place in the file, for messages.
    place: String,
}

/// The answer to one call.
struct RuleStep {
    given: GivenAnswer,
    /// The SOAP headers of the answer, if they are given.
    headers: Option<Json>,
    status: Option<StatusCode>,
    http_headers: Vec<(HeaderName, Json)>,
    delay: Duration,
    broken: Option<BrokenAnswer>,
    /// The values to set in the state.
    set: Json,
}

enum GivenAnswer {
    /// A value, or a sample without one. `fills`: whether samples fill missing parts of the value.
    Answer { value: Option<Json>, fills: bool },
    Fault {
        code: FaultCode,
        text: Json,
        actor: Option<Json>,
        /// The details by the names of faults.
        detail: Map<String, Json>,
    },
}

/// The way in which an answer is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BrokenAnswer {
    /// The connection is reset at once.
    Reset,
    /// The connection is closed after half of the body.
    Half,
    /// The body is not a message.
    Garbage,
}

impl BrokenAnswer {
    const ALL: [(&'static str, Self); 3] = [
        ("reset", Self::Reset),
        ("half", Self::Half),
        ("garbage", Self::Garbage),
    ];
}

/// The changes to the HTTP response of a call.
#[derive(Debug, Default)]
pub(super) struct Effect {
    pub(super) status: Option<StatusCode>,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) broken: Option<BrokenAnswer>,
}

/// The answer of a rule to a call.
pub(super) struct RuleAnswer {
    pub(super) answer: Result<Answer, Fault>,
    pub(super) effect: Effect,
    pub(super) delay: Duration,
    /// The secrets of earlier calls that it may quote.
    pub(super) secrets: Secrets,
}

impl Rules {
    /// Answers a call by the first rule that fits it; `None` if no rule does.
    pub(super) fn play(&self, request: &Request) -> Option<RuleAnswer> {
        let mut rules = self.rules.iter();
        let rule = rules.find(|rule| rule.fits(request))?;
        let call = rule.calls.fetch_add(1, Ordering::Relaxed);
        let step = rule.steps.get(call).or(rule.steps.last())?;
        let played = self.play_step(step, request);
        Some(played.unwrap_or_else(|why| RuleAnswer {
            answer: Err(Fault::exception(format_args!("{}: {why}", rule.place))),
            effect: Effect::default(),
            delay: step.delay,
            secrets: self.state().secrets.clone(),
        }))
    }

    fn play_step(&self, step: &RuleStep, request: &Request) -> Result<RuleAnswer, String> {
        // The lock is held until the state is set, so that no other call intervenes.
        let mut state = self.state();
        let secrets = state.secrets.clone();
        let context = json!({
            "parameters": request.parameters,
            "headers": request.headers,
            "operation": request.operation.name(),
            "binding": request.binding.key(),
            "state": state.values,
        });
        let answer = step.answer(request.operation, &context)?;
        let mut headers = Vec::new();
        for (name, value) in &step.http_headers {
            let value = text_of(&filled(value, &context)?);
            let value = HeaderValue::from_str(&value)
                .map_err(|_| format!("{value:?} is not a valid value of the header {name}"))?;
            headers.push((name.clone(), value));
        }
        if let Json::Object(set) = filled(&step.set, &context)? {
            let mut values = state.values.clone();
            values.extend(set);
            let text = json!(values).to_string();
            if text.len() > MOST_STATE {
                return Err(format!("the state would take more than {MOST_STATE} bytes"));
            }
            let mut held = Secrets::new();
            held.add_held(&state.secrets, &text);
            held.add_held(&secrets_of(request), &text);
            *state = State {
                values,
                secrets: held,
            };
        }
        let effect = Effect {
            status: step.status,
            headers,
            broken: step.broken,
        };
        Ok(RuleAnswer {
            answer,
            effect,
            delay: step.delay,
            secrets,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rule {
    fn fits(&self, request: &Request) -> bool {
        self.operation == request.operation && self.when.fits(request)
    }
}

impl RuleStep {
    fn answer(
        &self,
        operation: Operation,
        context: &Json,
    ) -> Result<Result<Answer, Fault>, String> {
        match &self.given {
            GivenAnswer::Answer { value, fills } => {
                let sample = || operation.sample_answer();
                let headers = match &self.headers {
                    Some(headers) => filled(headers, context)?,
                    None => sample().headers,
                };
                let Some(value) = value else {
                    return Ok(Ok(sample().with_headers(headers)));
                };
                let answer = Answer::from(filled(value, context)?).with_headers(headers);
                Ok(Ok(if *fills {
                    operation.fill_answer(&answer, &|_| false)
                } else {
                    answer
                }))
            }
            GivenAnswer::Fault {
                code,
                text,
                actor,
                detail,
            } => {
                let text = text_of(&filled(text, context)?);
                let mut fault = Fault::new(code.clone(), text);
                if let Some(actor) = actor {
                    fault = fault.with_actor(text_of(&filled(actor, context)?));
                }
                for (name, value) in detail {
                    let value = filled(value, context)?;
                    let with_detail = operation.with_detail(fault, name, &value);
                    fault = with_detail.map_err(|error| error.to_string())?;
                }
                Ok(Err(fault))
            }
        }
    }
}

/// Converts a value to text.
fn text_of(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        Json::Null => String::new(),
        json => json.to_string(),
    }
}
