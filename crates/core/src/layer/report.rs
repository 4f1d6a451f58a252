//! Logs failures that callers do not see, without secrets.

use std::io::Write;

use bytes::Bytes;
use http::{Extensions, Request, request};
use svcgen_model::{Module, Service};

use super::call_response::CallResponse;
use super::surroundings::Surroundings;
use crate::binding::spoken::ServiceModule;
use crate::described::Model;
use crate::mask::{Mask, Masked};
use svcgen_wire::internals::printable;

/// A service without rows, for requests to no service: nothing in them is described.
static NOTHING: Module<'static> = Module::new(&[], &[]).with_service(Service::new("", "", "", &[]));

/// Returns the model to mask messages with: the service's, or an empty one for requests to no
/// service.
pub fn described(model: Option<&Model>) -> Model {
    let nothing = || Model::new(&ServiceModule::new(&NOTHING, &[]), None);
    model.cloned().unwrap_or_else(nothing)
}

/// Returns the mask for messages of a server or a client.
pub fn mask_of(model: &Model) -> Mask<'_> {
    Mask::of(model)
}

/// The texts of a failed call, masked for logs.
#[derive(Default, Debug)]
pub struct FailureTexts {
    /// The text of the fault.
    pub text: Option<Masked<String>>,
    /// The error that the fault was created from.
    pub error: Option<Masked<String>>,
}

impl FailureTexts {
    /// Returns the texts of an answer to a request.
    pub fn of(answer: &CallResponse, model: Option<&Model>, request: &Request<Bytes>) -> Self {
        let Some(fault) = answer.fault() else {
            return Self::default();
        };
        let model = described(model);
        let secrets = mask_of(&model).secrets(request);
        let shown = |text: &str| secrets.text(text).map(printable);
        Self {
            text: Some(shown(fault.text())),
            error: answer.error().map(|error| shown(&error)),
        }
    }

    /// Returns texts that show nothing, because the request that they may quote is not known.
    fn withheld() -> Self {
        Self {
            text: None,
            error: Some(Masked::fixed("an error of a layer, which may quote the request: a TraceLayer outside of it shows it").map(str::to_owned)),
        }
    }
}

/// Whether a `TraceLayer` logs the end of a call with these extensions.
pub(crate) fn is_traced(extensions: &Extensions) -> bool {
    extensions.get::<Surroundings>().is_some()
}

/// Logs a failure that the caller does not see, unless a `TraceLayer` does.
pub(crate) fn report(
    answer: &CallResponse,
    called: Option<(&Model, Option<usize>)>,
    asked: Option<(&request::Parts, &Bytes)>,
) {
    let is_traced = || asked.is_some_and(|(parts, _)| is_traced(&parts.extensions));
    if answer.is_untold() && !is_traced() {
        tell(answer, called, asked);
    }
}

/// Logs an event or, without a subscriber, writes to the standard error stream, as panics do.
#[cold]
fn tell(
    answer: &CallResponse,
    called: Option<(&Model, Option<usize>)>,
    asked: Option<(&request::Parts, &Bytes)>,
) {
    let texts = match asked {
        // The layers own the request.
        None => FailureTexts::withheld(),
        Some((parts, body)) => {
            let mut request = Request::new(body.clone());
            *request.method_mut() = parts.method.clone();
            *request.uri_mut() = parts.uri.clone();
            *request.headers_mut() = parts.headers.clone();
            FailureTexts::of(answer, called.map(|(model, _)| model), &request)
        }
    };
    let service = called.map(|(model, _)| model.service().name);
    let operation = called.and_then(|(model, operation)| Some(model.operation(operation?).name));
    #[cfg(feature = "tracing")]
    if tracing::dispatcher::has_been_set() {
        let outcome = answer.outcome().name();
        macro_rules! event {
            ($level:expr) => {
                tracing::event!(
                    target: "svcgen::call",
                    $level,
                    rpc.service = service,
                    rpc.method = operation,
                    outcome,
                    fault.text = texts.text.as_deref(),
                    error = texts.error.as_deref(),
                    "call failed"
                )
            };
        }
        // The level of an event is a constant.
        return if answer.is_failure() {
            event!(tracing::Level::ERROR)
        } else {
            event!(tracing::Level::WARN)
        };
    }
    let name = [service, operation].map(|name| name.unwrap_or("unknown"));
    let cause = texts
        .error
        .map(|error| error.map(|error| format!("Cause: {error}")));
    let texts: Masked<Vec<_>> = texts.text.into_iter().chain(cause).collect();
    let (name, texts) = (name.join("/"), texts.join(" "));
    // `eprintln` panics if the stream is closed.
    let _ = writeln!(std::io::stderr(), "svcgen: {name} failed: {texts}");
}
