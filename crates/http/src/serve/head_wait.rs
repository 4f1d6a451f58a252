//! The time limit for the head of a request.
//!
//! A timer for each request, as in hyper, costs more than routing the request. Here, a connection
//! has one timer, which is reset only when it ends: at most once in each time limit while a caller
//! keeps calling.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

use super::until_woken::UntilWoken;

/// Counts the starts and ends of a connection's calls. While the count is odd, a call runs.
#[derive(Clone, Default)]
pub(super) struct Calls(Arc<AtomicUsize>);

impl Calls {
    /// Counts the start or the end of a call.
    pub(super) fn step(&self) {
        // Only one task writes the count.
        self.0
            .store(self.count().wrapping_add(1), Ordering::Relaxed);
    }

    fn is_running(&self) -> bool {
        self.count() % 2 == 1
    }

    fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// The wait for the head of the next request.
pub(super) struct HeadWait {
    calls: Calls,
    time: Duration,
    /// The time at which the connection is closed in any case.
    closing: Instant,
    /// The count of calls at the start of the wait, and the end of the wait.
    wait: Option<(usize, Instant)>,
    /// The timer, which ends with the wait or earlier.
    timer: Option<UntilWoken<Pin<Box<Sleep>>>>,
}

impl HeadWait {
    pub(super) fn new(calls: Calls, time: Duration, closing: Instant) -> Self {
        Self {
            calls,
            time,
            closing,
            wait: None,
            timer: None,
        }
    }

    pub(super) fn is_call_running(&self) -> bool {
        self.calls.is_running()
    }

    /// Polls the wait while there is nothing to read. It is ready when the time for the head of a
    /// request or for the connection has passed. While a call runs, only its body is read, which
    /// has its own time limits.
    pub(super) fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.is_call_running() {
            return Poll::Pending;
        }
        let count = self.calls.count();
        let end = match self.wait {
            Some((begun, end)) if begun == count => end,
            _ => self.closing.min(Instant::now() + self.time),
        };
        self.wait = Some((count, end));
        let timer = || UntilWoken::new(Box::pin(sleep_until(end)));
        let timer = self.timer.get_or_insert_with(timer);
        while timer.poll(context).is_ready() {
            if timer.get_ref().deadline() >= end {
                return Poll::Ready(());
            }
            timer.get_mut().as_mut().reset(end);
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{advance, timeout};

    use super::*;

    const TIME: Duration = Duration::from_secs(10);

    fn wait() -> (Calls, HeadWait) {
        let calls = Calls::default();
        let closing = Instant::now() + TIME * 100;
        (calls.clone(), HeadWait::new(calls, TIME, closing))
    }

    /// Returns the remaining time of the wait, if it ends.
    async fn rest(wait: &mut HeadWait) -> Option<Duration> {
        let begun = Instant::now();
        let end = std::future::poll_fn(|context| wait.poll_end(context));
        let ended = timeout(TIME * 10, end).await;
        ended.ok().map(|()| begun.elapsed())
    }

    fn is_over(wait: &mut HeadWait) -> bool {
        let mut context = Context::from_waker(std::task::Waker::noop());
        wait.poll_end(&mut context).is_ready()
    }

    fn rounded(time: Option<Duration>) -> Option<u64> {
        time.map(|time| time.as_secs())
    }

    #[tokio::test(start_paused = true)]
    async fn reads_of_one_head_share_its_time() {
        let (_, mut wait) = wait();
        for _ in 0..3 {
            assert!(!is_over(&mut wait));
            advance(TIME / 4).await;
        }
        assert_eq!(rounded(rest(&mut wait).await), Some(2));
    }

    #[tokio::test(start_paused = true)]
    async fn each_head_has_its_time() {
        let (calls, mut wait) = wait();
        for _ in 0..5 {
            assert!(!is_over(&mut wait));
            advance(TIME * 3 / 4).await;
            calls.step();
            advance(TIME * 3).await;
            calls.step();
        }
        assert_eq!(rounded(rest(&mut wait).await), Some(10));
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_is_not_waited_for() {
        let (calls, mut wait) = wait();
        assert!(!is_over(&mut wait));
        calls.step();
        assert_eq!(rest(&mut wait).await, None);
        calls.step();
        assert_eq!(rounded(rest(&mut wait).await), Some(10));
    }
}
