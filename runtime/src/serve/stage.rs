//! How a server ends: it finishes what runs, then aborts it.

use std::fmt;
use std::pin::Pin;

use tokio::sync::watch;

/// When a server that shuts down stops at once: what the future given to [`Serve::with_shutdown`](super::Serve::with_shutdown) may return.
pub struct Abort(pub(super) Pin<Box<dyn Future<Output = ()> + Send>>);

impl Abort {
    /// Aborts all calls when the future is ready.
    pub fn when(signal: impl Future<Output = ()> + Send + 'static) -> Self {
        Self(Box::pin(signal))
    }
}

/// No signal: calls are aborted when the [shutdown timeout](super::Serve::with_shutdown_timeout) has passed.
impl From<()> for Abort {
    fn from((): ()) -> Self {
        Self::when(std::future::pending())
    }
}

impl fmt::Debug for Abort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Abort").finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Serving,
    Finishing,
    Aborted,
}

/// The stage of a server. When it is dropped, connections and calls finish.
pub(super) struct Stages(watch::Sender<Stage>);

impl Stages {
    pub(super) fn new() -> Self {
        Self(watch::Sender::new(Stage::Serving))
    }

    /// Lets tasks watch the stage, without keeping it.
    pub(super) fn watched(&self) -> Watched {
        Watched(self.0.clone())
    }

    pub(super) fn finish(&self) {
        self.0.send_replace(Stage::Finishing);
    }

    pub(super) fn abort(&self) {
        self.0.send_replace(Stage::Aborted);
    }

    /// Ready once nothing has an [`End`] any more.
    pub(super) async fn all_ended(&self) {
        self.0.closed().await;
    }
}

impl Drop for Stages {
    fn drop(&mut self) {
        self.0.send_if_modified(|stage| {
            let is_before = *stage == Stage::Serving;
            *stage = Stage::Finishing.max(*stage);
            is_before
        });
    }
}

#[derive(Clone)]
pub(super) struct Watched(watch::Sender<Stage>);

impl Watched {
    pub(super) fn end(&self) -> End {
        End(self.0.subscribe())
    }
}

/// The end of the server, as something that runs in it sees it. The server waits until it is dropped.
pub(super) struct End(watch::Receiver<Stage>);

impl End {
    /// Ready when the server finishes what runs.
    pub(super) async fn finishing(&mut self) {
        self.reached(Stage::Finishing).await;
    }

    /// Ready when everything is to stop at once.
    pub(super) async fn aborted(&mut self) {
        self.reached(Stage::Aborted).await;
    }

    async fn reached(&mut self, stage: Stage) {
        // A server without senders has no more stages.
        if self.0.wait_for(|reached| *reached >= stage).await.is_err() {
            std::future::pending().await
        }
    }
}
