//! The body of an outgoing message: in memory, or read while it is sent.

use std::fmt;
use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

/// The body of a response: bytes in memory, or a package with parts from files, which are read
/// while the body is sent.
pub struct OutgoingBody(Content);

// As large as `Bytes`, because futures contain it.
enum Content {
    Memory(Bytes),
    Pieces(Box<Pieces>),
}

struct Pieces {
    /// The number of remaining bytes.
    left: u64,
    pieces: Box<dyn Iterator<Item = io::Result<Bytes>> + Send + Sync>,
}

impl OutgoingBody {
    /// Creates a body of `length` bytes in total from non-empty pieces. An error ends the body.
    #[doc(hidden)]
    pub fn in_pieces(
        length: u64,
        pieces: impl Iterator<Item = io::Result<Bytes>> + Send + Sync + 'static,
    ) -> Self {
        let pieces = Box::new(pieces);
        Self(Content::Pieces(Box::new(Pieces {
            left: length,
            pieces,
        })))
    }

    /// Reads all bytes into memory.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn into_bytes(self) -> io::Result<Bytes> {
        match self.0 {
            Content::Memory(bytes) => Ok(bytes),
            Content::Pieces(body) => {
                let mut bytes = Vec::with_capacity(usize::try_from(body.left).unwrap_or(0));
                for piece in body.pieces {
                    bytes.extend_from_slice(&piece?);
                }
                Ok(bytes.into())
            }
        }
    }

    /// Returns the bytes, if they are in memory.
    pub(crate) fn in_memory(&mut self) -> Option<&mut Bytes> {
        match &mut self.0 {
            Content::Memory(bytes) => Some(bytes),
            Content::Pieces(_) => None,
        }
    }

    fn left(&self) -> u64 {
        match &self.0 {
            Content::Memory(bytes) => bytes.len() as u64,
            Content::Pieces(body) => body.left,
        }
    }
}

impl From<Bytes> for OutgoingBody {
    fn from(bytes: Bytes) -> Self {
        Self(Content::Memory(bytes))
    }
}

impl Body for OutgoingBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        Poll::Ready(match &mut self.0 {
            Content::Memory(bytes) if bytes.is_empty() => None,
            Content::Memory(bytes) => Some(Ok(Frame::data(std::mem::take(bytes)))),
            Content::Pieces(body) => match body.pieces.next() {
                None => None,
                Some(Ok(piece)) => {
                    body.left = body.left.saturating_sub(piece.len() as u64);
                    Some(Ok(Frame::data(piece)))
                }
                Some(Err(error)) => {
                    tell_broken_off(&error);
                    self.0 = Content::Memory(Bytes::new());
                    Some(Err(error))
                }
            },
        })
    }

    fn is_end_stream(&self) -> bool {
        self.left() == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left())
    }
}

/// Logs that an answer was broken off because a file in it cannot be read. By then, the layers are
/// done and usually the head is sent, so nothing else reports the error.
#[cold]
pub(crate) fn tell_broken_off(error: &io::Error) {
    #[cfg(feature = "tracing")]
    if tracing::dispatcher::has_been_set() {
        tracing::error!(target: "svcgen::call", %error, "answer broken off");
        return;
    }
    let _ = writeln!(io::stderr(), "svcgen: an answer was broken off: {error}");
}

/// Omits the content, which may contain secrets.
impl fmt::Debug for OutgoingBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutgoingBody")
            .field("left", &self.left())
            .finish_non_exhaustive()
    }
}
