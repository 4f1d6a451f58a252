//! What is logged, and where it goes.

use std::fmt;
use std::sync::Arc;

use super::exchange::LoggedExchange;

/// Gives messages without their secrets to a function. Clones share it.
#[derive(Clone)]
pub struct MessageLog {
    pub(super) write: Arc<dyn Fn(&LoggedExchange) + Send + Sync>,
    pub(super) limit: usize,
    operations: Option<Arc<[String]>>,
    pub(super) failures_only: bool,
}

impl MessageLog {
    /// Gives all exchanges to a function, up to 64 KiB of each message. It runs in the call, after
    /// its answer is made, and should not wait.
    pub fn new(write: impl Fn(&LoggedExchange) + Send + Sync + 'static) -> Self {
        Self {
            write: Arc::new(write),
            limit: 64 << 10,
            operations: None,
            failures_only: false,
        }
    }

    /// Reads as many bytes of each message; then [`CUT`](svcgen_core::mask::CUT) stands for the
    /// rest.
    #[must_use]
    pub fn with_limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Gives only the exchanges of operations with these names.
    ///
    /// ```
    /// use svcgen_observe::message_log::MessageLog;
    ///
    /// let log = MessageLog::new(|exchange| eprintln!("{exchange}")).with_operations(["Login", "Renew"]);
    /// ```
    #[must_use]
    pub fn with_operations(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.operations = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Gives only the exchanges whose outcome is another than `answered`.
    #[must_use]
    pub fn with_failures_only(mut self) -> Self {
        self.failures_only = true;
        self
    }

    /// Whether calls of an operation may be logged.
    pub(super) fn is_for(&self, operation: Option<&str>) -> bool {
        let Some(known) = &self.operations else {
            return true;
        };
        operation.is_some_and(|name| known.iter().any(|known| known == name))
    }
}

impl fmt::Debug for MessageLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageLog")
            .field("limit", &self.limit)
            .field("operations", &self.operations)
            .field("failures_only", &self.failures_only)
            .finish_non_exhaustive()
    }
}
