//! The metrics of calls, for both servers and clients.

use std::sync::Arc;

use metrics::{
    Label, Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use svcgen_model::Binding;

use crate::watch::{Begin, End, Stopwatch, WatchedCall, Watcher};

/// The names of the metrics of one side.
#[derive(Debug)]
pub struct Names {
    calls: &'static str,
    duration: &'static str,
    request: &'static str,
    response: &'static str,
    running: &'static str,
}

pub(super) static SERVER: Names = Names {
    calls: "svcgen_server_calls_total",
    duration: "svcgen_server_call_duration_seconds",
    request: "svcgen_server_request_bytes_total",
    response: "svcgen_server_response_bytes_total",
    running: "svcgen_server_running_calls",
};

pub(super) static CLIENT: Names = Names {
    calls: "svcgen_client_calls_total",
    duration: "svcgen_client_call_duration_seconds",
    request: "svcgen_client_request_bytes_total",
    response: "svcgen_client_response_bytes_total",
    running: "svcgen_client_running_calls",
};

impl Names {
    /// Registers the descriptions of the metrics with the recorder.
    pub(super) fn describe(&self) {
        describe_counter!(self.calls, Unit::Count, "Calls that have ended");
        describe_histogram!(self.duration, Unit::Seconds, "Time of calls");
        describe_counter!(self.request, Unit::Bytes, "Bytes of the bodies of requests");
        describe_counter!(self.response, Unit::Bytes, "Bytes of the bodies of answers");
        describe_gauge!(self.running, Unit::Count, "Calls that are running");
    }
}

/// Counts and times calls in the metrics of one side.
#[derive(Debug, Clone)]
pub struct Metrics(pub(super) &'static Names);

impl Watcher for Metrics {
    type Call = CountedCall;

    fn begin(&self, call: &Begin<'_>) -> Option<CountedCall> {
        let Self(names) = *self;
        // Labels are copied for each metric.
        let name = |name: Option<&str>| Arc::<str>::from(name.unwrap_or("unknown"));
        let service = call.model.map(|model| model.service().name);
        let labels = vec![
            Label::new("service", name(service)),
            Label::new("operation", name(call.operation)),
            Label::new("binding", call.binding.map_or("unknown", Binding::key)),
        ];
        counter!(names.request, labels.clone()).increment(call.body.len() as u64);
        gauge!(names.running, labels.clone()).increment(1.0);
        Some(CountedCall {
            names,
            labels,
            began: Stopwatch::start(),
        })
    }
}

/// A counted call whose outcome is not known yet.
pub(crate) struct CountedCall {
    names: &'static Names,
    labels: Vec<Label>,
    began: Stopwatch,
}

impl WatchedCall for CountedCall {
    fn end(self, end: &End<'_>) {
        let Self {
            names,
            mut labels,
            began,
        } = self;
        let length = end.answer().map_or(0, |(_, _, body)| body.len());
        counter!(names.response, labels.clone()).increment(length as u64);
        gauge!(names.running, labels.clone()).decrement(1.0);
        labels.push(Label::from_static_parts("outcome", end.outcome()));
        counter!(names.calls, labels.clone()).increment(1);
        histogram!(names.duration, labels).record(began.elapsed());
    }
}
