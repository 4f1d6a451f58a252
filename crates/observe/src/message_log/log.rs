//! The options of a message log.

use std::fmt;
use std::sync::Arc;

use super::exchange::LoggedExchange;

/// Passes messages without their secrets to a function. Clones share the function.
#[derive(Clone)]
pub struct MessageLog {
    pub(super) write: Arc<dyn Fn(&LoggedExchange) + Send + Sync>,
    pub(super) limit: usize,
    operations: Option<Arc<[String]>>,
    pub(super) failures_only: bool,
}

impl MessageLog {
    /// Passes all exchanges to a function, with up to 64 KiB of each message. The function runs in
    /// the call, after its answer is written, and should not wait.
    pub fn new(write: impl Fn(&LoggedExchange) + Send + Sync + 'static) -> Self {
        Self {
            write: Arc::new(write),
            limit: 64 << 10,
            operations: None,
            failures_only: false,
        }
    }

    /// Sets the number of bytes to read of each message. [`CUT`](svcgen_core::mask::CUT) replaces
    /// the rest.
    #[must_use]
    pub fn with_limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Passes only exchanges of operations with these names.
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

    /// Passes only exchanges with an outcome other than `answered`.
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
