//! Bytes that are transmitted next to a message instead of in it: XML-binary Optimized Packaging
//! (XOP).

use std::fmt;

use super::large_bytes::LargeBytes;

/// The namespace of `Include` (XOP §2.1).
pub const XOP: &str = "http://www.w3.org/2004/08/xop/include";

/// The binary parts of a received message.
pub trait BinaryParts: fmt::Debug + Send + Sync {
    /// Takes the bytes of the part that the `href` of an `xop:Include` refers to.
    ///
    /// # Errors
    ///
    /// There is no such part: a sentence for the sender.
    fn take(&self, href: &str) -> Result<LargeBytes, String>;

    /// Returns the length of that part in bytes, without taking it.
    ///
    /// # Errors
    ///
    /// The errors of [`take`](Self::take).
    fn length(&self, href: &str) -> Result<usize, String>;
}

/// Receives the binary parts of a message that is written.
pub trait BinaryPartsWriter {
    /// Adds bytes as a part. Returns its `href`, or `None` if the bytes must be written into the
    /// message.
    fn add(&mut self, bytes: &[u8]) -> Option<String>;

    /// Like [`add`](Self::add), for bytes in a file, which is read when the parts are sent.
    fn add_file(&mut self, bytes: &LargeBytes) -> Option<String>;
}

/// Writes the element that refers to a part, whose `href` needs no escaping.
pub(crate) fn write_include(href: &str, out: &mut Vec<u8>) {
    for piece in [
        "<xop:Include xmlns:xop=\"",
        XOP,
        "\" href=\"",
        href,
        "\" />",
    ] {
        out.extend_from_slice(piece.as_bytes());
    }
}
