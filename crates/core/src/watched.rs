//! What is told of calls alike by spans, metrics and the message log.

use std::io::Write;
use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;

use bytes::Bytes;
use http::{Extensions, Request, Response, StatusCode, request};
use svcgen_model::{Module, Service};

use crate::binding::spoken::ServiceModule;
use crate::described::Model;
use crate::layer::{CallResponse, Surroundings};
use crate::mask::{Mask, Masked};
use crate::transport::{TransportError, TransportErrorKind};
use svcgen_wire::internals::printable;

/// What became of a request that a client sent, by a name for logs and labels. Whether an answer is a fault only its status tells.
pub fn outcome_of_exchange(result: &Result<Response<Bytes>, TransportError>) -> &'static str {
    match result {
        Ok(response) => match response.status() {
            status if status.as_u16() < 400 => "answered",
            StatusCode::INTERNAL_SERVER_ERROR => "fault",
            _ => "refused",
        },
        Err(error) => match error.kind() {
            TransportErrorKind::Connect => "connect",
            TransportErrorKind::Timeout => "timed_out",
            TransportErrorKind::TooLong => "too_long",
            TransportErrorKind::Scheme => "scheme",
            TransportErrorKind::Layer => "layer",
            TransportErrorKind::Exchange => "broken",
        },
    }
}

/// The service of requests to none: nothing of them is described.
static NOTHING: Module<'static> = Module::new(&[], &[]).with_service(Service::new("", "", "", &[]));

/// The model by which the messages of a service are masked, or those of a request to none.
pub fn described(model: Option<&Model>) -> Model {
    let nothing = || Model::new(&ServiceModule::new(&NOTHING, &[]), None);
    model.cloned().unwrap_or_else(nothing)
}

/// The mask for messages of a server or a client.
pub fn mask_of(model: &Model) -> Mask<'_> {
    Mask::of(model)
}

/// What went wrong in a call, as logs may show it.
#[derive(Default, Debug)]
pub struct Told {
    /// The text of the fault.
    pub text: Option<Masked<String>>,
    /// The error that it was made of.
    pub error: Option<Masked<String>>,
}

impl Told {
    /// What an answer to a request tells.
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

    /// What is not shown, as nothing is known of the request that it may quote.
    fn withheld() -> Self {
        Self {
            text: None,
            error: Some(Masked::fixed("an error of a layer, which may quote the request: a TraceLayer outside of it shows it").map(str::to_owned)),
        }
    }
}

/// Whether a `TraceLayer` tells how a call with these extensions ends.
pub(crate) fn is_traced(extensions: &Extensions) -> bool {
    extensions.get::<Surroundings>().is_some()
}

/// Tells of a failure of which the caller hears nothing, unless a `TraceLayer` does.
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

/// Tells on the standard error stream, where panics go, too.
#[cold]
fn tell(
    answer: &CallResponse,
    called: Option<(&Model, Option<usize>)>,
    asked: Option<(&request::Parts, &Bytes)>,
) {
    let told = match asked {
        // It is with the layers.
        None => Told::withheld(),
        Some((parts, body)) => {
            let mut request = Request::new(body.clone());
            *request.method_mut() = parts.method.clone();
            *request.uri_mut() = parts.uri.clone();
            *request.headers_mut() = parts.headers.clone();
            Told::of(answer, called.map(|(model, _)| model), &request)
        }
    };
    let service = called.map(|(model, _)| model.service().name);
    let operation = called.and_then(|(model, operation)| Some(model.operation(operation?).name));
    let name = [service, operation].map(|name| name.unwrap_or("unknown"));
    let cause = told
        .error
        .map(|error| error.map(|error| format!("Cause: {error}")));
    let texts: Masked<Vec<_>> = told.text.into_iter().chain(cause).collect();
    let (name, texts) = (name.join("/"), texts.join(" "));
    // `eprintln` panics where the stream is closed.
    let _ = writeln!(std::io::stderr(), "svcgen: {name} failed: {texts}");
}

/// What became of a call whose future was dropped.
pub const DROPPED: &str = "dropped";

/// The time since the begin of a call. In a browser the standard library has no clock.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    began: Instant,
}

impl Stopwatch {
    /// Begins now.
    pub fn start() -> Self {
        Self {
            #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
            began: Instant::now(),
        }
    }

    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    /// The time since then; none in a browser.
    pub fn elapsed(self) -> Duration {
        self.began.elapsed()
    }

    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(crate) fn elapsed(self) -> Duration {
        Duration::ZERO
    }
}
