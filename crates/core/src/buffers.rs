//! Buffers for messages that are written or received, each reused for one message after another.
//!
//! A message is written as a whole before its first byte is sent, and read as a whole after its
//! last byte has arrived. Allocators are slow to find some KiB, and get a MiB from the system page
//! by page; a reused buffer is ready at once.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use bytes::Bytes;

/// Allocators cache shorter ones themselves.
const SHORTEST: usize = 1 << 10;
/// The maximum number of bytes in the idle buffers of a thread.
const MOST_IDLE: usize = 2 << 20;
/// The maximum number of idle buffers of a thread.
const MOST: usize = 64;
/// A buffer is reused only for messages of at least this fraction of its capacity, because slow
/// callers may keep many answers alive for a long time.
const LEAST_PART: usize = 4;

thread_local! {
    static IDLE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// Returns an empty buffer with this capacity in bytes.
#[inline]
pub(crate) fn with_capacity(bytes: usize) -> Vec<u8> {
    let most = bytes.saturating_mul(LEAST_PART);
    take(bytes..=most).unwrap_or_else(|| Vec::with_capacity(bytes))
}

/// Moves the content of a buffer to an idle buffer of one of these capacities, or else lets it grow
/// to `capacity`.
pub(crate) fn grow(buffer: &mut Vec<u8>, capacity: usize, capacities: RangeInclusive<usize>) {
    let Some(mut idle) = take(capacities) else {
        return buffer.reserve_exact(capacity - buffer.len());
    };
    idle.extend_from_slice(buffer);
    keep(std::mem::replace(buffer, idle));
}

/// Takes an idle buffer of one of these capacities.
fn take(capacities: RangeInclusive<usize>) -> Option<Vec<u8>> {
    if *capacities.start() < SHORTEST {
        return None;
    }
    let taken = IDLE.try_with(|idle| {
        let mut idle = idle.borrow_mut();
        let mut buffers = idle.iter();
        let at = buffers.position(|buffer| capacities.contains(&buffer.capacity()))?;
        Some(idle.remove(at))
    });
    taken.ok()?
}

/// Keeps a buffer for the next message that it fits. The buffers that were idle longest make room
/// for it, so that those of rare messages do not stay forever.
fn keep(mut buffer: Vec<u8>) {
    if !(SHORTEST..=MOST_IDLE).contains(&buffer.capacity()) {
        return;
    }
    buffer.clear();
    // The list is gone while the thread ends; the buffer is then dropped.
    let _ = IDLE.try_with(|idle| {
        let mut idle = idle.borrow_mut();
        let mut held: usize = idle.iter().map(Vec::capacity).sum();
        let mut gone = 0;
        while idle.len() - gone >= MOST || held + buffer.capacity() > MOST_IDLE {
            held -= idle[gone].capacity();
            gone += 1;
        }
        idle.drain(..gone);
        idle.push(buffer);
    });
}

/// Converts a buffer to bytes to send; the buffer is reused when nothing refers to the bytes any
/// more.
#[inline]
pub(crate) fn into_bytes(buffer: Vec<u8>) -> Bytes {
    if (SHORTEST..=MOST_IDLE).contains(&buffer.capacity()) {
        return Bytes::from_owner(Lent(buffer));
    }
    buffer.into()
}

struct Lent(Vec<u8>);

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        keep(std::mem::take(&mut self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the next buffer of this capacity is the one that was at this address.
    fn is_next(place: *const u8, bytes: usize) -> bool {
        let buffer = with_capacity(bytes);
        buffer.as_ptr() == place
    }

    #[test]
    fn a_buffer_is_used_again_once_nothing_has_it() {
        let mut buffer = with_capacity(4096);
        buffer.extend_from_slice(b"an answer");
        let place = buffer.as_ptr();
        let sent = into_bytes(buffer);
        let copy = sent.clone();
        assert_eq!(sent, "an answer");
        drop(sent);
        assert_eq!(copy, "an answer");
        assert!(!is_next(place, 4096));
        drop(copy);
        let again = with_capacity(4000);
        assert_eq!((again.as_ptr(), again.len()), (place, 0));
    }

    #[test]
    fn a_short_answer_leaves_a_long_buffer_alone() {
        let buffer = with_capacity(1 << 20);
        let place = buffer.as_ptr();
        drop(into_bytes(buffer));
        assert!(!is_next(place, 4096));
        assert!(is_next(place, 1 << 20));
    }

    #[test]
    fn few_buffers_wait() {
        let buffers: Vec<_> = (0..20)
            .map(|_| into_bytes(with_capacity(MOST_IDLE / 2)))
            .collect();
        drop(buffers);
        let held = || IDLE.with_borrow(|idle| idle.iter().map(Vec::capacity).sum::<usize>());
        let before = held();
        assert!(0 < before && before <= MOST_IDLE);
        drop(into_bytes(with_capacity(2 * MOST_IDLE)));
        assert_eq!(held(), before);
        // The newest one is kept.
        let short = with_capacity(SHORTEST);
        let place = short.as_ptr();
        drop(into_bytes(short));
        assert!(is_next(place, SHORTEST));
        assert!(held() <= MOST_IDLE);
    }

    #[test]
    fn a_buffer_grows_into_an_idle_one_that_is_not_too_long() {
        let long = with_capacity(1 << 20);
        let place = long.as_ptr();
        drop(into_bytes(long));
        let mut buffer = b"the first part".to_vec();
        grow(&mut buffer, 64 << 10, 32 << 10..=256 << 10);
        assert_eq!(
            (&*buffer, buffer.capacity()),
            (&b"the first part"[..], 64 << 10)
        );
        grow(&mut buffer, 512 << 10, 256 << 10..=2 << 20);
        assert_eq!((&*buffer, buffer.as_ptr()), (&b"the first part"[..], place));
        assert!(
            with_capacity(64 << 10).capacity() == 64 << 10,
            "the shorter one is idle"
        );
    }
}
