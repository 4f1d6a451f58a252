//! Buffers of messages that are written, each of which is used for one message after another.
//!
//! A message is written as a whole before its first byte leaves. Allocators find room for some KiB
//! in a slow way, and get a MiB from the system page by page; a buffer that was used before is
//! there as it was.

use std::cell::RefCell;

use bytes::Bytes;

/// Allocators keep shorter ones at hand themselves.
const SHORTEST: usize = 1 << 10;
/// How many bytes the idle buffers of a thread have together.
const MOST_IDLE: usize = 2 << 20;
/// How many idle buffers a thread has.
const MOST: usize = 64;
/// A buffer is used for a message of at least this part of its length: callers that take their time
/// hold as many answers as they please.
const LEAST_PART: usize = 4;

thread_local! {
    static IDLE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// An empty buffer with room for so many bytes.
#[inline]
pub fn with_capacity(bytes: usize) -> Vec<u8> {
    let fits = |buffer: &Vec<u8>| {
        let capacity = buffer.capacity();
        capacity >= bytes && capacity / LEAST_PART <= bytes
    };
    let idle = (bytes >= SHORTEST).then(|| {
        IDLE.try_with(|idle| {
            let mut idle = idle.borrow_mut();
            let at = idle.iter().position(fits)?;
            Some(idle.swap_remove(at))
        })
    });
    match idle {
        Some(Ok(Some(buffer))) => buffer,
        _ => Vec::with_capacity(bytes),
    }
}

/// What a buffer holds, to be sent; the buffer is used again when nothing has it any more.
#[inline]
pub fn into_bytes(buffer: Vec<u8>) -> Bytes {
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
        let mut buffer = std::mem::take(&mut self.0);
        buffer.clear();
        // Without it while the thread ends.
        let _ = IDLE.try_with(|idle| {
            let mut idle = idle.borrow_mut();
            let held: usize = idle.iter().map(Vec::capacity).sum();
            if idle.len() < MOST && held + buffer.capacity() <= MOST_IDLE {
                idle.push(buffer);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the next buffer of so many bytes is the one that was at this place.
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
        let held = IDLE.with_borrow(|idle| idle.iter().map(Vec::capacity).sum::<usize>());
        assert!(0 < held && held <= MOST_IDLE);
        drop(into_bytes(with_capacity(2 * MOST_IDLE)));
        assert_eq!(
            IDLE.with_borrow(|idle| idle.iter().map(Vec::capacity).sum::<usize>()),
            held
        );
    }
}
