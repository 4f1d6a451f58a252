//! Metrics of calls and connections.
//!
//! They go to the recorder of the facade [`metrics`](https://docs.rs/metrics): the program chooses
//! the exporter, such as metrics-exporter-prometheus, or one for StatsD or OpenTelemetry, and this
//! crate does not depend on any of them. Install the recorder before you create the layers, because
//! they register the descriptions of the metrics with it.
//!
//! ```
//! use svcgen_observe::metrics::MetricsLayer;
//!
//! # fn example<S, H>(server: svcgen::Server<S, H>) -> svcgen::Server<S, H> {
//! // First `PrometheusBuilder::new().install_recorder()` or the like.
//! server.with_layer(MetricsLayer::new())
//! # }
//! ```
//!
//! | metric | kind | labels | value |
//! |---|---|---|---|
//! | `svcgen_server_calls_total` | counter | `service`, `operation`, `binding`, `outcome` | ended calls |
//! | `svcgen_server_call_duration_seconds` | histogram | the same | the time of calls, including inner layers |
//! | `svcgen_server_request_bytes_total` | counter | `service`, `operation`, `binding` | bytes of the bodies of requests |
//! | `svcgen_server_response_bytes_total` | counter | the same | bytes of the bodies of answers |
//! | `svcgen_server_running_calls` | gauge | the same | running calls |
//! | `svcgen_client_calls_total`, `svcgen_client_call_duration_seconds`, `svcgen_client_request_bytes_total`, `svcgen_client_response_bytes_total`, `svcgen_client_running_calls` | | | the same for [`Measured`] transports |
//!
//! `serve` counts connections without further setup:
//!
//! | metric | kind | value |
//! |---|---|---|
//! | `svcgen_serve_connections_total` | counter | accepted connections |
//! | `svcgen_serve_open_connections` | gauge | open connections |
//! | `svcgen_serve_refused_connections_total` | counter | connections that were closed because their address has too many |
//! | `svcgen_serve_failed_handshakes_total` | counter | connections that failed before a request, in the TLS handshake |
//!
//! Labels have few values. `service`, `operation` and `binding` are names of the definition and of
//! the bindings (`soap11`, `soap12`, `http-get`, `http-post`, `json`), or `unknown` for requests
//! that are refused before these are known. `outcome` is, on servers, the name of an
//! [`Outcome`](svcgen_core::layer::Outcome), or `dropped` if an outer layer dropped the call; on
//! clients, `answered`, `fault` (status 500), `refused` (any other status from 400 on), `connect`,
//! `timed_out`, `too_long`, `scheme`, `layer` (a tower layer failed) or `broken` without a
//! response, and `dropped`.
//!
//! Without a recorder, a call costs ten allocations on a server, besides those of any layer, and
//! nine on a client.

mod calls;
mod layer;
mod transport;

pub use layer::{MeasuredCalls, MetricsLayer};
pub use transport::Measured;
