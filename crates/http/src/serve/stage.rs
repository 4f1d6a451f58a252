//! How a server ends: it finishes what runs, then aborts it.

use std::fmt;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;

use super::stopped::{Stopped, Tally};
use super::unless::unless;

/// When a server that shuts down stops at once: what the future given to
/// [`Serve::with_shutdown`](super::Serve::with_shutdown) may return.
pub struct Abort(pub(super) Pin<Box<dyn Future<Output = ()> + Send>>);

impl Abort {
    /// Aborts all calls when the future is ready.
    pub fn when(signal: impl Future<Output = ()> + Send + 'static) -> Self {
        Self(Box::pin(signal))
    }
}

/// No signal: calls are aborted when the [shutdown timeout](super::Serve::with_shutdown_timeout)
/// has passed.
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

    /// Lets tasks watch the stage, without keeping it.
    pub(super) fn watched(&self) -> Watched {
        self.0.clone()
    }

    pub(super) fn finish(&self) {
        self.0.stage.send_replace(Stage::Finishing);
    }

    pub(super) fn abort(&self) {
        self.0.stage.send_replace(Stage::Aborted);
    }

    /// Ready once nothing has an [`End`] any more.
    pub(super) async fn all_ended(&self) {
        self.0.stage.closed().await;
    }

    /// What has ended since the server finishes. What has not ended by now counts as cut.
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

/// The end of the server, as something that runs in it sees it. The server waits until it is
/// dropped.
pub(super) struct End {
    stage: watch::Receiver<Stage>,
    tally: Arc<Tally>,
}

impl End {
    /// Counts what ends.
    pub(super) fn tally(&self) -> &Arc<Tally> {
        &self.tally
    }

    pub(super) fn is_finishing(&self) -> bool {
        *self.stage.borrow() >= Stage::Finishing
    }

    /// Ready when the server finishes what runs.
    pub(super) async fn finishing(&mut self) {
        self.reached(Stage::Finishing).await;
    }

    /// Ready when everything is to stop at once.
    pub(super) async fn aborted(&mut self) {
        self.reached(Stage::Aborted).await;
    }

    /// The same, and before that notes that the server finishes what runs.
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
