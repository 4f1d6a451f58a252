//! The time limits of a transfer: for each pause, and for the whole.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// Detects a transfer that pauses for too long, or takes too long. It costs nothing while the
/// transfer does not wait.
#[derive(Debug)]
pub struct Pace {
    pause: Duration,
    whole: Duration,
    /// `None` until the transfer waits.
    waiting: Option<Waiting>,
    /// Whether any data was transferred since the start of the pause.
    has_moved: bool,
}

#[derive(Debug)]
struct Waiting {
    pause: Pin<Box<Sleep>>,
    end: Instant,
}

impl Pace {
    /// Creates limits for each pause, and for the whole transfer.
    pub fn new(pause: Duration, whole: Duration) -> Self {
        Self {
            pause,
            whole,
            waiting: None,
            has_moved: false,
        }
    }

    /// Records that data was transferred, which ends the pause.
    pub fn moved(&mut self) {
        self.has_moved = true;
    }

    /// Records that the transfer is done. The next one has the whole time.
    pub fn done(&mut self) {
        self.waiting = None;
    }

    /// Polls the limits while nothing can be transferred. It is ready when a limit has passed.
    pub fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let now = Instant::now();
        let has_moved = std::mem::take(&mut self.has_moved);
        match &mut self.waiting {
            None => {
                let end = now + self.whole;
                let pause = Box::pin(sleep_until(end.min(now + self.pause)));
                self.waiting = Some(Waiting { pause, end });
            }
            Some(waiting) if has_moved => {
                let end = waiting.end.min(now + self.pause);
                waiting.pause.as_mut().reset(end);
            }
            Some(_) => {}
        }
        let waiting = self.waiting.as_mut();
        waiting.map_or(Poll::Pending, |waiting| {
            waiting.pause.as_mut().poll(context)
        })
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{advance, timeout};

    use super::*;

    const PAUSE: Duration = Duration::from_secs(10);
    const WHOLE: Duration = Duration::from_secs(60);

    async fn seconds(pace: &mut Pace) -> u64 {
        let begun = Instant::now();
        let end = std::future::poll_fn(|context| pace.poll_end(context));
        timeout(WHOLE * 2, end).await.expect("an end");
        begun.elapsed().as_secs()
    }

    fn is_over(pace: &mut Pace) -> bool {
        let mut context = Context::from_waker(std::task::Waker::noop());
        pace.poll_end(&mut context).is_ready()
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_ends_it() {
        let mut pace = Pace::new(PAUSE, WHOLE);
        assert!(!is_over(&mut pace));
        advance(PAUSE * 9 / 10).await;
        pace.moved();
        assert_eq!(seconds(&mut pace).await, 10);
    }

    #[tokio::test(start_paused = true)]
    async fn steps_do_not_make_it_last_for_ever() {
        let mut pace = Pace::new(PAUSE, WHOLE);
        for second in 0..60 {
            assert!(!is_over(&mut pace), "after {second} seconds");
            advance(Duration::from_secs(1)).await;
            pace.moved();
        }
        assert!(is_over(&mut pace));
        pace.done();
        assert!(!is_over(&mut pace));
    }
}
