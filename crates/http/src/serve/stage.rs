//! The end of a server: it finishes running calls, then aborts them.

use std::fmt;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;

use super::stopped::{Stopped, Tally};
use super::unless::unless;

/// A signal that aborts the calls of a server that shuts down. The future given to
/// [`Serve::with_shutdown`](super::Serve::with_shutdown) may return it.
pub struct Abort(pub(super) Pin<Box<dyn Future<Output = ()> + Send>>);

impl Abort {
    /// Creates a signal that aborts all calls when the future is ready.
    pub fn when(signal: impl Future<Output = ()> + Send + 'static) -> Self {
        Self(Box::pin(signal))
    }
}

/// Creates no signal: calls are aborted when the [shutdown
/// timeout](super::Serve::with_shutdown_timeout) has passed.
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
pub(super) struct Stages(Watched);

impl Stages {
    pub(super) fn new() -> Self {
        Self(Watched {
            stage: watch::Sender::new(Stage::Serving),
            tally: Arc::default(),
        })
    }

    /// Returns a watcher of the stage that does not keep the server running.
    pub(super) fn watched(&self) -> Watched {
        self.0.clone()
    }

    pub(super) fn finish(&self) {
        self.0.stage.send_replace(Stage::Finishing);
    }

    pub(super) fn abort(&self) {
        self.0.stage.send_replace(Stage::Aborted);
    }

    /// Completes when no [`End`] is left.
    pub(super) async fn all_ended(&self) {
        self.0.stage.closed().await;
    }

    /// Reports the calls and connections that have ended since the server finishes. The remaining
    /// ones count as cut.
    pub(super) fn report(&self, time: Duration) -> Stopped {
        let tally = &self.0.tally;
        tally.cut_calls(self.0.stage.receiver_count());
        tally.report(time)
    }
}

impl Drop for Stages {
    fn drop(&mut self) {
        self.0.stage.send_if_modified(|stage| {
            let is_before = *stage == Stage::Serving;
            *stage = Stage::Finishing.max(*stage);
            is_before
        });
    }
}

#[derive(Clone)]
pub(super) struct Watched {
    stage: watch::Sender<Stage>,
    tally: Arc<Tally>,
}

impl Watched {
    pub(super) fn end(&self) -> End {
        End {
            stage: self.stage.subscribe(),
            tally: Arc::clone(&self.tally),
        }
    }
}

/// The end of the server, for a task that runs in it. The server waits until it is dropped.
pub(super) struct End {
    stage: watch::Receiver<Stage>,
    tally: Arc<Tally>,
}

impl End {
    /// Returns the counts of ended calls and connections.
    pub(super) fn tally(&self) -> &Arc<Tally> {
        &self.tally
    }

    pub(super) fn is_finishing(&self) -> bool {
        *self.stage.borrow() >= Stage::Finishing
    }

    /// Completes when the server finishes running calls.
    pub(super) async fn finishing(&mut self) {
        self.reached(Stage::Finishing).await;
    }

    /// Completes when everything must stop at once.
    pub(super) async fn aborted(&mut self) {
        self.reached(Stage::Aborted).await;
    }

    /// Like [`aborted`](Self::aborted), but first sets the flag when the server finishes running
    /// calls.
    pub(super) async fn aborted_after(&mut self, is_finishing: &AtomicBool) {
        self.finishing().await;
        is_finishing.store(true, Ordering::Relaxed);
        self.aborted().await;
    }

    /// Runs a call to its end, unless the server aborts it. A call that finishes while the server
    /// stops is counted if it should be.
    pub(super) async fn run(mut self, call: impl Future, counts: bool) {
        let outcome = {
            let aborted = pin!(self.aborted());
            unless(call, aborted).await
        };
        match outcome {
            Ok(_) if counts && self.is_finishing() => self.tally.finish_call(),
            Ok(_) => {}
            Err(()) => self.tally.cut_calls(1),
        }
    }

    async fn reached(&mut self, stage: Stage) {
        // A server without senders has no more stages.
        if self
            .stage
            .wait_for(|reached| *reached >= stage)
            .await
            .is_err()
        {
            std::future::pending().await
        }
    }
}
