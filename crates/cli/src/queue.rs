//! A queue to threads that may lag behind.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A queue to threads that may lag behind, bounded by bytes and by count.
pub(crate) struct Queue<T> {
    waiting: Mutex<Waiting<T>>,
    ready: Condvar,
    most_bytes: usize,
    most_items: usize,
}

struct Waiting<T> {
    items: VecDeque<(usize, T)>,
    bytes: usize,
    /// The number of items that were dropped.
    lost: u64,
    is_closed: bool,
    /// The time at which waiting items are dropped.
    last: Option<Instant>,
}

/// The next item of a [`Queue`], if there is one.
pub(crate) enum Next<T> {
    Item(T),
    /// No item came in time.
    Nothing,
    /// The queue is closed and empty.
    Closed,
}

impl<T> Queue<T> {
    pub fn new(most_bytes: usize, most_items: usize) -> Self {
        Self {
            waiting: Mutex::new(Waiting {
                items: VecDeque::new(),
                bytes: 0,
                lost: 0,
                is_closed: false,
                last: None,
            }),
            ready: Condvar::new(),
            most_bytes,
            most_items,
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting<T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an item of this number of bytes. If it does not fit, it is counted and dropped. Never
    /// waits for the threads that take items.
    pub fn push(&self, bytes: usize, item: T) {
        let mut waiting = self.waiting();
        let is_full = waiting.items.len() >= self.most_items
            || waiting.bytes.saturating_add(bytes) > self.most_bytes;
        if is_full || waiting.is_closed {
            waiting.lost += 1;
            return;
        }
        waiting.bytes += bytes;
        waiting.items.push_back((bytes, item));
        drop(waiting);
        self.ready.notify_one();
    }

    /// Waits for the next item, at most until a time.
    pub fn next(&self, until: Option<Instant>) -> Next<T> {
        let mut waiting = self.waiting();
        loop {
            if waiting.last.is_some_and(|last| Instant::now() >= last) {
                waiting.lost += waiting.items.len() as u64;
                waiting.items.clear();
                waiting.bytes = 0;
            }
            if let Some((bytes, item)) = waiting.items.pop_front() {
                waiting.bytes -= bytes;
                return Next::Item(item);
            }
            if waiting.is_closed {
                return Next::Closed;
            }
            waiting = match until {
                None => self
                    .ready
                    .wait(waiting)
                    .unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let time = until.saturating_duration_since(Instant::now());
                    if time.is_zero() {
                        return Next::Nothing;
                    }
                    let woken = self.ready.wait_timeout(waiting, time);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Stops accepting items.
    pub fn close(&self) {
        self.waiting().is_closed = true;
        self.ready.notify_all();
    }

    /// Stops accepting items, and after `time` drops items that still wait, which count as lost.
    pub fn close_after(&self, time: Duration) {
        self.waiting().last = Some(Instant::now() + time);
        self.close();
    }

    /// Returns the number of items that were dropped.
    pub fn lost(&self) -> u64 {
        self.waiting().lost
    }

    /// Returns the number of items that were dropped since the last call.
    pub fn take_lost(&self) -> u64 {
        std::mem::take(&mut self.waiting().lost)
    }
}
