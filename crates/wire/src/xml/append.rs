//! Appending short pieces of markup.

/// Enough bytes for most elements: start tag, text and end tag.
pub const SHORT: usize = 64;
/// Enough bytes for most elements on a line of their own.
pub const SHORT_LINE: usize = 96;

/// Appends pieces to a buffer, with one check of its capacity. Up to `SHORT` bytes, or those given,
/// take the shortest way.
#[doc(hidden)]
#[macro_export]
macro_rules! append {
    ($out:expr, $($piece:expr),+) => {
        $crate::append!(up to $crate::internals::pieces::SHORT, $out, $($piece),+)
    };
    (up to $most:expr, $out:expr, $($piece:expr),+) => {{
        let out: &mut Vec<u8> = $out;
        let length = 0 $(+ $piece.len())+;
        if $crate::internals::pieces::is_short::<{ $most }>(out, length) {
            $crate::internals::pieces::append_short::<{ $most }>(out, length, |mut room| {
                $(room.put($piece);)+
            });
        } else {
            $crate::internals::pieces::append_otherwise(out, move |out| {
                $crate::internals::pieces::append_long(out, &[$($piece),+]);
            });
        }
    }};
}
pub use crate::append;

/// Whether `length` is short, and the buffer has room for it: then no code to grow the buffer is
/// compiled.
#[inline]
pub fn is_short<const MOST: usize>(out: &Vec<u8>, length: usize) -> bool {
    length <= MOST && out.capacity() - out.len() >= MOST
}

/// Appends `length` bytes, which `pieces` puts.
#[inline]
pub fn append_short<const MOST: usize>(
    out: &mut Vec<u8>,
    length: usize,
    pieces: impl FnOnce(Room<'_>),
) {
    let start = out.len();
    // A constant length compiles to a few vector instructions, a variable one to a call.
    out.extend_from_slice(&[0; MOST]);
    pieces(Room(&mut out[start..start + length]));
    out.truncate(start + length);
}

/// Calls `pieces`, which appends.
// Not inlined, so that the short case keeps its registers.
#[cold]
#[inline(never)]
pub fn append_otherwise(out: &mut Vec<u8>, pieces: impl FnOnce(&mut Vec<u8>)) {
    pieces(out);
}

/// Appends pieces that are not short.
pub fn append_long(out: &mut Vec<u8>, pieces: &[&[u8]]) {
    out.reserve(pieces.iter().map(|piece| piece.len()).sum());
    for piece in pieces {
        out.extend_from_slice(piece);
    }
}

/// The end of a buffer, as long as the pieces that still follow.
#[derive(Debug)]
pub struct Room<'v>(&'v mut [u8]);

impl Room<'_> {
    /// Puts the next piece.
    #[inline]
    pub fn put(&mut self, piece: &[u8]) {
        let (to, rest) = std::mem::take(&mut self.0).split_at_mut(piece.len());
        copy_short(piece, to);
        self.0 = rest;
    }
}

/// Copies between slices of one length, most often a short one.
#[inline]
fn copy_short(from: &[u8], to: &mut [u8]) {
    // Most names and texts have 8 bytes or more.
    if from.len() >= 8 {
        match from.len() {
            8..16 => copy_ends::<8>(from, to),
            16..32 => copy_ends::<16>(from, to),
            32..=64 => copy_ends::<32>(from, to),
            _ => to.copy_from_slice(from),
        }
    } else if from.len() >= 4 {
        copy_ends::<4>(from, to);
    } else if !from.is_empty() {
        for at in [0, from.len() / 2, from.len() - 1] {
            to[at] = from[at];
        }
    }
}

/// Copies the first and the last bytes, which is all of them if there are at most twice as many.
#[inline]
fn copy_ends<const N: usize>(from: &[u8], to: &mut [u8]) {
    if let (Some(first), Some(to)) = (from.first_chunk::<N>(), to.first_chunk_mut::<N>()) {
        *to = *first;
    }
    if let (Some(last), Some(to)) = (from.last_chunk::<N>(), to.last_chunk_mut::<N>()) {
        *to = *last;
    }
}
