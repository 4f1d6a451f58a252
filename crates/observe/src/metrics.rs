//! Metrics of calls and connections.
//!
//! They go to the recorder of the facade [`metrics`](https://docs.rs/metrics), as logs of most
//! crates go to that of a facade: the program chooses the exporter, such as
//! metrics-exporter-prometheus, one for StatsD or for OpenTelemetry, and this crate depends on no
//! version of any of them. Install the recorder before the layers are made, as they describe the
//! metrics to it.
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
//! | metric | kind | labels | what it counts |
//! |---|---|---|---|
//! | `svcgen_server_calls_total` | counter | `service`, `operation`, `binding`, `outcome` | calls that have ended |
//! | `svcgen_server_call_duration_seconds` | histogram | the same | their time, with that of the layers beneath |
//! | `svcgen_server_request_bytes_total` | counter | `service`, `operation`, `binding` | bytes of the bodies of requests |
//! | `svcgen_server_response_bytes_total` | counter | the same | bytes of the bodies of answers |
//! | `svcgen_server_running_calls` | gauge | the same | calls that are running |
//! | `svcgen_client_calls_total`, `svcgen_client_call_duration_seconds`, `svcgen_client_request_bytes_total`, `svcgen_client_response_bytes_total`, `svcgen_client_running_calls` | | | the same for [`Measured`] transports |
//!
//! `serve` counts connections without more ado:
//!
//! | metric | kind | what it counts |
//! |---|---|---|
//! | `svcgen_serve_connections_total` | counter | connections that were accepted |
//! | `svcgen_serve_open_connections` | gauge | connections that are open |
//! | `svcgen_serve_refused_connections_total` | counter | connections that were closed, as their address has too many |
//! | `svcgen_serve_failed_handshakes_total` | counter | connections that failed before a request, in the handshake of TLS |
//!
//! Labels have few values. `service`, `operation` and `binding` are names of the definition and of
//! the bindings (`soap11`, `soap12`, `http-get`, `http-post`, `json`), or `unknown` for requests
//! that are refused before these are known. `outcome` is on servers the name of an
//! [`Outcome`](svcgen_core::layer::Outcome), or `dropped` if an outer layer gave up the call; on
//! clients `answered`, `fault` (status 500), `refused` (any other status from 400 on), `connect`,
//! `timed_out`, `too_long`, `scheme`, `layer` (one of tower failed) or `broken` without a response,
//! and `dropped`.
//!
//! Without a recorder a call costs ten allocations on a server, besides those of any layer, and
//! nine on a client.

mod calls;
mod layer;
mod transport;

pub use layer::{MeasuredCalls, MetricsLayer};
pub use transport::Measured;
