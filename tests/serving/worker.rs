//! A service whose handler waits, and counts of its calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use svcgen::{Context, Fault};
use tokio::sync::Semaphore;

pub(crate) use svcgen_tests::work::{
    NotifyRequest, ReadRequest, StoreRequest, WorkHandler, WorkServer,
};
pub(crate) use svcgen_tests::work_calls::{body, call, call_over, head, notify};

/// The outcomes of the calls so far.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) started: AtomicUsize,
    pub(crate) finished: AtomicUsize,
    /// Handlers that were dropped before they finished.
    pub(crate) dropped: AtomicUsize,
}

/// Calls with the text `wait` wait until they are released; `panic` panics after its release,
/// `panic when dropped` when it is cancelled. Other calls are answered at once.
#[derive(Clone)]
pub(crate) struct Worker {
    pub(crate) counts: Arc<Counts>,
    releases: Arc<Semaphore>,
}

struct Running<'w> {
    counts: &'w Counts,
    panics: bool,
    is_done: bool,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            self.counts.dropped.fetch_add(1, Ordering::SeqCst);
            assert!(!self.panics, "this panic is part of the test");
        }
    }
}

impl Worker {
    pub(crate) fn new() -> Self {
        Self {
            counts: Arc::default(),
            releases: Arc::new(Semaphore::new(0)),
        }
    }

    /// Releases this many waiting calls.
    pub(crate) fn release(&self, calls: usize) {
        self.releases.add_permits(calls);
    }

    async fn work(&self, text: String) -> String {
        self.counts.started.fetch_add(1, Ordering::SeqCst);
        let mut running = Running {
            counts: &self.counts,
            panics: text == "panic when dropped",
            is_done: false,
        };
        if ["wait", "panic", "panic when dropped"].contains(&&*text) {
            self.releases.acquire().await.expect("open").forget();
        }
        running.is_done = true;
        drop(running);
        self.counts.finished.fetch_add(1, Ordering::SeqCst);
        assert!(text != "panic", "this panic is part of the test");
        text
    }
}

impl WorkHandler for Worker {
    async fn store(&self, _: &Context, request: StoreRequest) -> Result<String, Fault> {
        Ok(self.work(request.text).await)
    }

    async fn read(&self, _: &Context, request: ReadRequest) -> Result<String, Fault> {
        Ok(self.work(request.text).await)
    }

    async fn notify(&self, _: &Context, request: NotifyRequest) -> Result<(), Fault> {
        self.work(request.text).await;
        Ok(())
    }
}

/// Waits until a count reaches a value, which it may not exceed.
pub(crate) fn until(count: &AtomicUsize, value: usize) {
    let end = Instant::now() + Duration::from_secs(20);
    while count.load(Ordering::SeqCst) != value {
        assert!(Instant::now() < end, "{count:?} never was {value}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
