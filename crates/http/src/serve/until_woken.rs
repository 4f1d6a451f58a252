//! The parts of a connection's future.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// A future that is polled only when it has been woken.
///
/// The task of a connection polls several futures, and usually only one of them has woken it.
/// Timers and signals register their wakers whenever they are polled, which takes longer than
/// checking that they were not woken. A future that wakes itself while it is polled is polled again
/// at once: hyper does so between the head and the body of each request, and a task that wakes
/// itself goes to the end of the queue, where another thread may take it.
pub(super) struct UntilWoken<F> {
    future: F,
    waiting: Option<Waiting>,
}

/// The largest number of polls in a row, so that other tasks have their turn.
const MOST_POLLS: usize = 4;

struct Waiting {
    alarm: Arc<Alarm>,
    waker: Waker,
}

struct Alarm {
    task: Waker,
    state: AtomicU8,
}

/// The future waits to be woken.
const ASLEEP: u8 = 0;
const WOKEN: u8 = 1;
/// The future is being polled, and was not woken since the poll started.
const POLLED: u8 = 2;

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // In the other states, the polling code notices that the future was woken.
        if self.state.swap(WOKEN, Ordering::AcqRel) == ASLEEP {
            self.task.wake_by_ref();
        }
    }
}

impl Waiting {
    /// Creates the state for a task that has not polled yet.
    fn of(task: &Waker) -> Self {
        let (task, state) = (task.clone(), AtomicU8::new(WOKEN));
        let alarm = Arc::new(Alarm { task, state });
        let waker = Waker::from(Arc::clone(&alarm));
        Self { alarm, waker }
    }
}

impl<F: Future + Unpin> UntilWoken<F> {
    pub(super) fn new(future: F) -> Self {
        let waiting = None;
        Self { future, waiting }
    }

    pub(super) fn get_ref(&self) -> &F {
        &self.future
    }

    /// Returns the future, to change it. It is polled after that.
    pub(super) fn get_mut(&mut self) -> &mut F {
        self.waiting = None;
        &mut self.future
    }

    pub(super) fn poll(&mut self, context: &Context<'_>) -> Poll<F::Output> {
        let Self { future, waiting } = self;
        let task = context.waker();
        waiting.take_if(|waiting| !waiting.alarm.task.will_wake(task));
        let Waiting { alarm, waker } = waiting.get_or_insert_with(|| Waiting::of(task));
        if alarm.state.load(Ordering::Acquire) == ASLEEP {
            return Poll::Pending;
        }
        let mut context = Context::from_waker(waker);
        for _ in 0..MOST_POLLS {
            alarm.state.swap(POLLED, Ordering::AcqRel);
            if let Poll::Ready(output) = Pin::new(&mut *future).poll(&mut context) {
                return Poll::Ready(output);
            }
            let (success, failure) = (Ordering::AcqRel, Ordering::Acquire);
            let state = alarm
                .state
                .compare_exchange(POLLED, ASLEEP, success, failure);
            if state == Ok(POLLED) {
                return Poll::Pending;
            }
        }
        task.wake_by_ref();
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::atomic::AtomicUsize;

    use tokio::sync::Notify;

    use super::*;

    /// Counts wakes.
    #[derive(Default)]
    struct Task(AtomicUsize);

    impl Wake for Task {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn it_is_polled_first_and_after_it_has_woken_its_task() {
        let (polls, notify) = (AtomicUsize::new(0), Notify::new());
        let mut notified = pin!(notify.notified());
        let future = std::future::poll_fn(|context| {
            polls.fetch_add(1, Ordering::Relaxed);
            notified.as_mut().poll(context)
        });
        let mut future = UntilWoken::new(future);
        let mut poll_often = |task: &Arc<Task>| {
            let waker = Waker::from(Arc::clone(task));
            let context = Context::from_waker(&waker);
            let mut ends = (0..5).map(|_| future.poll(&context));
            let is_over = ends.any(|end| end.is_ready());
            (is_over, polls.load(Ordering::Relaxed))
        };
        let [task, other] = [(); 2].map(|()| Arc::<Task>::default());
        assert_eq!(poll_often(&task), (false, 1));
        // The last task that has polled is woken.
        assert_eq!(poll_often(&other), (false, 2));
        notify.notify_waiters();
        assert_eq!(
            [&task, &other].map(|it| it.0.load(Ordering::Relaxed)),
            [0, 1]
        );
        assert_eq!(poll_often(&other), (true, 3));
    }

    #[test]
    fn it_is_polled_again_if_it_wakes_itself_but_not_for_ever() {
        for (wakes, polls_at_once) in [(0, 1), (1, 2), (3, 4), (4, 4), (9, 4)] {
            let mut polls = 0;
            let future = std::future::poll_fn(|context| {
                polls += 1;
                if polls <= wakes {
                    context.waker().wake_by_ref();
                }
                Poll::<()>::Pending
            });
            let task = Arc::<Task>::default();
            let waker = Waker::from(Arc::clone(&task));
            let mut future = UntilWoken::new(future);
            let poll = future.poll(&Context::from_waker(&waker));
            assert!(poll.is_pending());
            let woken = task.0.load(Ordering::Relaxed);
            assert_eq!(woken, usize::from(wakes >= polls_at_once), "{wakes}");
            assert_eq!(polls, polls_at_once, "{wakes}");
        }
    }
}
