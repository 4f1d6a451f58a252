//! Message logs of servers and clients.

use tower_layer::Layer;

use super::log::MessageLog;
use crate::watch::Watched;

impl<S> Layer<S> for MessageLog {
    type Service = LoggedCalls<S>;

    fn layer(&self, inner: S) -> LoggedCalls<S> {
        let watcher = self.clone();
        Watched { inner, watcher }
    }
}

impl MessageLog {
    /// Logs the exchanges of a transport.
    pub fn around<T>(&self, transport: T) -> Logged<T> {
        self.layer(transport)
    }
}

/// The service of a [`MessageLog`].
pub type LoggedCalls<S> = Watched<S, MessageLog>;

/// A transport whose messages are logged ([`MessageLog::around`]).
pub type Logged<T> = Watched<T, MessageLog>;
