//! The time limits of a connection.

use std::time::Duration;

/// The longest time limit: adding much longer ones to the current time would overflow.
pub(super) const ENDLESS: Duration = Duration::from_secs(365 * 24 * 60 * 60);

#[derive(Clone, Copy)]
pub(super) struct Times {
    pub(super) header: Duration,
    pub(super) body: Duration,
    pub(super) write: Duration,
    pub(super) answer: Duration,
    pub(super) life: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            header: Duration::from_secs(10),
            body: Duration::from_secs(10),
            write: Duration::from_secs(30),
            answer: Duration::from_secs(5 * 60),
            life: Duration::from_secs(60 * 60),
        }
    }
}
