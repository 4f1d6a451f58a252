//! The metrics of calls, which servers and clients have alike.

use std::sync::Arc;

use metrics::{
    Label, Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use svcgen_model::Binding;

use svcgen_core::internals::{DROPPED, Stopwatch};

/// The names of the metrics of one side.
pub(super) struct Names {
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
    /// Describes the metrics to the recorder.
    pub(super) fn describe(&self) {
        describe_counter!(self.calls, Unit::Count, "Calls that have ended");
        describe_histogram!(self.duration, Unit::Seconds, "Time of calls");
        describe_counter!(self.request, Unit::Bytes, "Bytes of the bodies of requests");
        describe_counter!(self.response, Unit::Bytes, "Bytes of the bodies of answers");
        describe_gauge!(self.running, Unit::Count, "Calls that are running");
    }
}

/// What a call is counted by, until it is known what becomes of it.
pub(super) struct Running {
    names: &'static Names,
    labels: Vec<Label>,
    began: Stopwatch,
    has_ended: bool,
}

impl Running {
    /// Counts a call with a request of this length.
    pub(super) fn begin(
        names: &'static Names,
        service: Option<&str>,
        operation: Option<&str>,
        binding: Option<Binding>,
        request: usize,
    ) -> Self {
        // Labels are copied for each metric.
        let name = |name: Option<&str>| Arc::<str>::from(name.unwrap_or("unknown"));
        let labels = vec![
            Label::new("service", name(service)),
            Label::new("operation", name(operation)),
            Label::new("binding", binding.map_or("unknown", Binding::key)),
        ];
        counter!(names.request, labels.clone()).increment(request as u64);
        gauge!(names.running, labels.clone()).increment(1.0);
        Self {
            names,
            labels,
            began: Stopwatch::start(),
            has_ended: false,
        }
    }

    /// Counts what became of the call, and the length of its answer.
    pub(super) fn end(mut self, outcome: &'static str, response: usize) {
        self.count(outcome, response);
    }

    fn count(&mut self, outcome: &'static str, response: usize) {
        self.has_ended = true;
        let names = self.names;
        let mut labels = std::mem::take(&mut self.labels);
        counter!(names.response, labels.clone()).increment(response as u64);
        gauge!(names.running, labels.clone()).decrement(1.0);
        labels.push(Label::from_static_parts("outcome", outcome));
        counter!(names.calls, labels.clone()).increment(1);
        histogram!(names.duration, labels).record(self.began.elapsed());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.has_ended {
            self.count(DROPPED, 0);
        }
    }
}
