//! Collecting bodies within a limit.

use std::pin::{Pin, pin};

use bytes::{Buf, Bytes};
use http_body::Body;

use crate::buffers;

/// The reason why a body could not be collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyError<E> {
    /// The body is longer than the limit.
    TooLong,
    /// The body ended early, is malformed or came too slowly.
    Broken(E),
}

/// Returns the announced length of a body; 0 if it is not announced.
pub(crate) fn announced(body: &impl Body) -> usize {
    usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX)
}

/// Collects a body of limited length.
pub async fn collect<B: Body>(
    body: B,
    limit: usize,
    discarded: usize,
) -> Result<Bytes, BodyError<B::Error>> {
    collect_allowed(body, limit, discarded, |_| Ok(())).await
}

/// Collects a body. `allow` decides about each part when it has arrived. If the body is refused, up
/// to `discarded` more bytes are read and discarded.
pub(crate) async fn collect_allowed<B: Body, E: From<BodyError<B::Error>>>(
    body: B,
    limit: usize,
    discarded: usize,
    mut allow: impl FnMut(usize) -> Result<(), E>,
) -> Result<Bytes, E> {
    let announced = announced(&body);
    let most = usize::try_from(body.size_hint().upper().unwrap_or(u64::MAX));
    let most = most.unwrap_or(usize::MAX).min(limit);
    let mut body = pin!(body);
    if announced > limit {
        discard(body, discarded).await;
        return Err(BodyError::TooLong.into());
    }
    let mut allow = |before: usize, bytes: &Bytes| {
        if before + bytes.len() > limit {
            return Err(BodyError::TooLong.into());
        }
        allow(bytes.len())
    };
    let Some(first) = next(body.as_mut()).await? else {
        return Ok(Bytes::new());
    };
    if body.is_end_stream() {
        return allow(0, &first).map(|()| first);
    }
    let (mut whole, mut parts, mut length) = (Vec::new(), Vec::new(), 0);
    let mut data = Some(first);
    while let Some(part) = data {
        if let Err(error) = allow(length, &part) {
            drop((whole, parts, part));
            discard(body, discarded).await;
            return Err(error);
        }
        length += part.len();
        let waits = part.len() >= LEAST_WAITING;
        parts.push(part);
        // The announced length alone allocates nothing: the capacity is at most four times the
        // length of the data so far. Parts wait until that suffices for the whole body, so that
        // they are copied once.
        let four_times = length.saturating_mul(4);
        if four_times >= most || !waits {
            append(&mut whole, &mut parts, length, four_times.min(most));
        }
        data = next(body.as_mut()).await?;
    }
    append(&mut whole, &mut parts, length, length);
    Ok(buffers::into_bytes(whole))
}

/// The least length of parts that wait, in bytes. A part keeps the buffer that it was read into, of
/// at most 256 KiB.
const LEAST_WAITING: usize = 64 << 10;

/// Appends parts, with which the body has `length` bytes. If they do not fit, reserves `capacity`
/// first.
fn append(whole: &mut Vec<u8>, parts: &mut Vec<Bytes>, length: usize, capacity: usize) {
    if length > whole.capacity() {
        let capacity = capacity.max(length);
        let of_idle_buffers = length.max(capacity / 2)..=length.saturating_mul(4);
        buffers::grow(whole, capacity, of_idle_buffers);
    }
    for part in parts.drain(..) {
        whole.extend_from_slice(&part);
    }
}

/// Passes on a body of limited length, piece by piece. If the body is refused, up to `discarded`
/// more bytes are read and discarded.
pub(crate) async fn pass<B: Body, E: From<BodyError<B::Error>>>(
    mut body: Pin<&mut B>,
    limit: usize,
    discarded: usize,
    mut take: impl FnMut(Bytes) -> Result<(), E>,
) -> Result<(), E> {
    if announced(&body) > limit {
        discard(body, discarded).await;
        return Err(BodyError::TooLong.into());
    }
    let mut length = 0;
    let mut data = next(body.as_mut()).await?;
    while let Some(bytes) = data {
        length += bytes.len();
        let taken = if length > limit {
            Err(BodyError::TooLong.into())
        } else {
            take(bytes)
        };
        if let Err(error) = taken {
            discard(body, discarded).await;
            return Err(error);
        }
        data = next(body.as_mut()).await?;
    }
    Ok(())
}

/// Returns the next data of a body. Skips trailers.
async fn next<B: Body>(mut body: Pin<&mut B>) -> Result<Option<Bytes>, BodyError<B::Error>> {
    loop {
        let frame = std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await;
        match frame {
            None => return Ok(None),
            Some(Err(error)) => return Err(BodyError::Broken(error)),
            Some(Ok(frame)) => {
                if let Ok(mut data) = frame.into_data() {
                    return Ok(Some(data.copy_to_bytes(data.remaining())));
                }
            }
        }
    }
}

/// Reads up to about `most` bytes of a body and discards them.
pub(crate) async fn discard<B: Body>(mut body: Pin<&mut B>, most: usize) {
    let mut left = most;
    while left > 0 {
        let Ok(Some(data)) = next(body.as_mut()).await else {
            return;
        };
        left = left.saturating_sub(data.len());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::convert::Infallible;
    use std::task::{Context, Poll, Waker};

    use http_body::Frame;
    use http_body_util::Full;

    use super::*;

    /// A body of several frames, without a length.
    struct Chunks(VecDeque<&'static [u8]>);

    impl Body for Chunks {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Ready(
                self.0
                    .pop_front()
                    .map(|chunk| Ok(Frame::data(Bytes::from_static(chunk)))),
            )
        }
    }

    fn ready<F: Future>(future: F) -> F::Output {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(output) => output,
            Poll::Pending => unreachable!("the bodies here never wait"),
        }
    }

    #[test]
    fn limit_holds_with_and_without_a_length() {
        let whole = |limit| ready(collect(Full::new(Bytes::from_static(b"abcdef")), limit, 0));
        assert_eq!(whole(6).unwrap(), "abcdef");
        assert_eq!(whole(5), Err(BodyError::TooLong));
        let chunks = |limit| {
            ready(collect(
                Chunks(VecDeque::from([&b"abc"[..], b"", b"def"])),
                limit,
                0,
            ))
        };
        assert_eq!(chunks(6).unwrap(), "abcdef");
        assert_eq!(chunks(5), Err(BodyError::TooLong));
        assert_eq!(ready(collect(Chunks(VecDeque::new()), 0, 0)).unwrap(), "");
    }

    #[test]
    fn long_and_short_parts_stay_in_order() {
        let text: Vec<u8> = (0..600_000_u32).map(|at| (at / 7) as u8).collect();
        let text: &'static [u8] = text.leak();
        for lengths in [
            vec![1, 70_000],
            vec![90_000],
            vec![65_536, 65_535, 0],
            vec![30, 20_000],
        ] {
            let (mut rest, mut parts) = (text, VecDeque::new());
            for length in lengths.into_iter().cycle() {
                let (part, after) = rest.split_at(rest.len().min(length));
                parts.push_back(part);
                rest = after;
                if rest.is_empty() {
                    break;
                }
            }
            for limit in [text.len(), 1 << 20, 4 << 20] {
                let whole = ready(collect(Chunks(parts.clone()), limit, 0)).unwrap();
                assert!(whole == text, "{limit}");
            }
            let short = ready(collect(Chunks(parts), text.len() - 1, 0));
            assert_eq!(short, Err(BodyError::TooLong));
        }
    }

    #[test]
    fn a_long_body_takes_the_memory_of_the_one_before() {
        let long = || {
            const PART: &[u8] = &[b'a'; 64 << 10];
            let parts = [PART; 8];
            ready(collect(Chunks(VecDeque::from(parts)), 1 << 20, 0)).unwrap()
        };
        let first = long();
        let place = first.as_ptr();
        let beside = long();
        assert_ne!(beside.as_ptr(), place);
        drop(first);
        let second = long();
        assert_eq!((second.as_ptr(), &second), (place, &beside));
    }
}
