//! The settings of a server, with their defaults.

use std::time::Duration;

use super::health::Health;
use super::opening::Opening;
use super::times::Times;
#[cfg(feature = "tls")]
use super::tls::Tls;

pub(super) struct Settings {
    pub(super) times: Times,
    #[cfg(feature = "tls")]
    pub(super) tls: Option<Tls>,
    pub(super) has_http2: bool,
    pub(super) health: Option<Health>,
    pub(super) max_connections: u32,
    pub(super) max_connections_per_address: Option<u32>,
    pub(super) max_calls: usize,
    pub(super) max_body_memory: usize,
    pub(super) drain_time: Duration,
    pub(super) shutdown_timeout: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            times: Times::default(),
            #[cfg(feature = "tls")]
            tls: None,
            has_http2: false,
            health: None,
            max_connections: 10_000,
            max_connections_per_address: None,
            max_calls: 5_000,
            max_body_memory: 256 << 20,
            drain_time: Duration::ZERO,
            shutdown_timeout: Duration::from_secs(30),
        }
    }
}

impl Settings {
    /// Returns the settings for the start of connections.
    pub(super) fn opening(&self) -> Opening {
        Opening {
            time: self.times.header,
            #[cfg(feature = "tls")]
            tls: self.tls.clone(),
            has_http2: self.has_http2,
        }
    }
}
