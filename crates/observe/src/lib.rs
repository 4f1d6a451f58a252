//! Observability of calls: spans of `tracing`, metrics, and messages without their secrets.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod message_log;
#[cfg(feature = "metrics")]
pub mod metrics;
#[cfg(feature = "tracing")]
pub mod trace;
mod watch;
