//! Reports of stopped servers.

use std::fmt;
use std::ops::Add;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The report of a stopped server: the output of [`serve`](fn@crate::serve).
///
/// ```no_run
/// # async fn example(listener: tokio::net::TcpListener, router: svcgen::Router) -> std::io::Result<()> {
/// let stopped = svcgen::serve(listener, router).await?;
/// // `stopped in 30.1 s: 12 calls finished, 1 call and 1 connection were cut`
/// println!("{stopped}");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stopped {
    /// The calls that finished after the signal to stop, including calls whose caller was gone.
    pub finished_calls: usize,
    /// The calls that were aborted because they took longer than
    /// [`with_shutdown_timeout`](super::Serve::with_shutdown_timeout), or because a second signal
    /// came.
    pub cut_calls: usize,
    /// The connections that were closed for these reasons, including those of aborted calls.
    pub cut_connections: usize,
    /// The time from the signal to the end.
    pub time: Duration,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: usize, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        let finished = counted(self.finished_calls, "call");
        write!(f, "stopped in {:.1?}: {finished} finished", self.time)?;
        if (self.cut_calls, self.cut_connections) == (0, 0) {
            return f.write_str(", none was cut");
        }
        let calls = counted(self.cut_calls, "call");
        let connections = counted(self.cut_connections, "connection");
        write!(f, ", {calls} and {connections} were cut")
    }
}

/// Adds up two servers that stopped at the same time.
impl Add for Stopped {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            finished_calls: self.finished_calls + other.finished_calls,
            cut_calls: self.cut_calls + other.cut_calls,
            cut_connections: self.cut_connections + other.cut_connections,
            time: self.time.max(other.time),
        }
    }
}

/// Counts calls and connections that end while a server stops.
#[derive(Default)]
pub(super) struct Tally {
    finished_calls: AtomicUsize,
    cut_calls: AtomicUsize,
    cut_connections: AtomicUsize,
}

impl Tally {
    pub(super) fn finish_call(&self) {
        self.finished_calls.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn cut_calls(&self, calls: usize) {
        self.cut_calls.fetch_add(calls, Ordering::Relaxed);
    }

    pub(super) fn cut_connection(&self) {
        self.cut_connections.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn report(&self, time: Duration) -> Stopped {
        Stopped {
            finished_calls: self.finished_calls.load(Ordering::Relaxed),
            cut_calls: self.cut_calls.load(Ordering::Relaxed),
            cut_connections: self.cut_connections.load(Ordering::Relaxed),
            time,
        }
    }
}
