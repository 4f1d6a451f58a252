//! Appending short pieces of markup.

/// The number of bytes that is enough for most elements: start tag, text and end tag.
pub const SHORT: usize = 64;
/// The number of bytes that is enough for most elements on a line of their own.
pub(crate) const SHORT_LINE: usize = 96;

/// Appends pieces to a buffer, with a single check of its capacity. Up to `SHORT` bytes take the
/// fastest path.
#[doc(hidden)]
#[macro_export]
macro_rules! append {
    ($out:expr, $($piece:expr),+) => {{
        use $crate::internals::pieces;
        let out: &mut Vec<u8> = $out;
        let length = 0 $(+ $piece.len())+;
        if pieces::is_short::<{ pieces::SHORT }>(out, length) {
            pieces::append_short::<{ pieces::SHORT }>(out, length, |mut room| {
                $(room.put($piece);)+
            });
        } else {
            pieces::append_otherwise(out, move |out| {
                pieces::append_long(out, &[$($piece),+]);
            });
        }
    }};
}
pub use crate::append;

/// Appends pieces as [`append!`] does, on a line of their own at a depth.
macro_rules! append_line {
    ($out:expr, $line:expr, $depth:expr, $($piece:expr),+) => {{
        use $crate::xml::append;
        let (out, line, depth): (&mut Vec<u8>, &'static append::LineStart, usize) =
            ($out, $line, $depth);
        let start = line.len(depth);
        let length = start $(+ $piece.len())+;
        if append::is_short::<{ append::SHORT_LINE }>(out, length) {
            append::append_on_line(out, line, start, length, |mut room| {
                $(room.put($piece);)+
            });
        } else {
            append::append_otherwise(out, move |out| {
                line.append(out, depth);
                append::append_long(out, &[$($piece),+]);
            });
        }
    }};
}
pub(crate) use append_line;

/// A line end, and blanks after it that indent most elements.
#[derive(Debug)]
pub(crate) struct LineStart {
    bytes: [u8; SHORT_LINE],
    /// The length of the line end.
    end: usize,
}

impl LineStart {
    pub(crate) const fn new(end: &[u8]) -> Self {
        let mut bytes = [b' '; SHORT_LINE];
        let (before, _) = bytes.split_at_mut(end.len());
        before.copy_from_slice(end);
        Self {
            bytes,
            end: end.len(),
        }
    }

    /// The length of the line end and the blanks at a depth: two for each level.
    #[inline]
    pub(crate) fn len(&self, depth: usize) -> usize {
        self.end + 2 * depth
    }

    /// Appends the line end and the blanks at a depth.
    pub(crate) fn append(&self, out: &mut Vec<u8>, depth: usize) {
        out.extend_from_slice(&self.bytes[..self.end]);
        out.resize(out.len() + 2 * depth, b' ');
    }
}

/// Whether `length` is short and the buffer has room for it, so that this path needs no code to
/// grow the buffer.
#[inline]
pub fn is_short<const MOST: usize>(out: &Vec<u8>, length: usize) -> bool {
    length <= MOST && out.capacity() - out.len() >= MOST
}

/// Appends `length` bytes, which `pieces` writes.
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

/// Appends `length` bytes: `blank` bytes of the start of a line, and the bytes that `pieces` puts.
// A call would pass the pieces through memory, and check the capacity again.
#[inline(always)]
pub(crate) fn append_on_line(
    out: &mut Vec<u8>,
    line: &LineStart,
    blank: usize,
    length: usize,
    pieces: impl FnOnce(Room<'_>),
) {
    let start = out.len();
    out.extend_from_slice(&line.bytes);
    pieces(Room(&mut out[start + blank..start + length]));
    out.truncate(start + length);
}

/// Calls `pieces`, which appends to the buffer.
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

/// The end of a buffer, as long as the remaining pieces.
#[derive(Debug)]
pub struct Room<'v>(&'v mut [u8]);

impl Room<'_> {
    /// Writes the next piece.
    #[inline]
    pub fn put(&mut self, piece: &[u8]) {
        let (to, rest) = std::mem::take(&mut self.0).split_at_mut(piece.len());
        copy_short(piece, to);
        self.0 = rest;
    }
}

/// Copies between slices of the same length, which is usually short.
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

/// Copies the first and the last `N` bytes, which are all bytes if there are at most twice as many.
#[inline]
fn copy_ends<const N: usize>(from: &[u8], to: &mut [u8]) {
    if let (Some(first), Some(to)) = (from.first_chunk::<N>(), to.first_chunk_mut::<N>()) {
        *to = *first;
    }
    if let (Some(last), Some(to)) = (from.last_chunk::<N>(), to.last_chunk_mut::<N>()) {
        *to = *last;
    }
}
