//! Bytes that are in memory or in a file.

use std::any::Any;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

/// A `base64Binary` of any length: bytes in memory, or in a file that is read piece by piece.
/// Clones share the bytes.
///
/// Use it as the `rust_type` of elements whose bytes may be too many for memory:
///
/// ```yaml
/// Report: { type: base64Binary, rust_type: svcgen::types::LargeBytes }
/// ```
///
/// ```
/// use std::io::{Read, Write};
///
/// use svcgen::types::LargeBytes;
///
/// # fn main() -> std::io::Result<()> {
/// let mut file = tempfile::tempfile()?;
/// file.write_all(b"a long report")?;
/// let report = LargeBytes::from_file(file)?;
/// assert_eq!(report.len(), 13);
/// let mut start = [0; 6];
/// report.reader().read_exact(&mut start)?;
/// assert_eq!(&start, b"a long");
/// # Ok(())
/// # }
/// ```
///
/// The crate `svcgen-attachments` keeps received parts on disk, and sends files as parts while it
/// reads them. A file is written into the message itself, as base64, only up to 16 MiB; a longer
/// file is an error there.
#[derive(Clone)]
pub struct LargeBytes(Arc<Held>);

enum Held {
    Memory(Vec<u8>),
    File {
        /// Readers take turns moving its cursor, because not every system can read at an offset.
        file: Mutex<File>,
        length: u64,
        /// Dropped with the file.
        _guard: Box<dyn Any + Send + Sync>,
    },
}

/// The number of bytes of a file that are read at once: whole pages, and whole groups of base64.
const PIECE: usize = 60 << 10;

impl LargeBytes {
    /// Creates a value with the bytes of a file, from its beginning to its current end. They must
    /// not change while they are used.
    ///
    /// # Errors
    ///
    /// The length of the file cannot be determined.
    pub fn from_file(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self::from_guarded_file(file, length, ()))
    }

    /// Creates a value with the bytes of a file of this length, and a guard that is dropped with
    /// the file.
    #[doc(hidden)]
    pub fn from_guarded_file(file: File, length: u64, guard: impl Any + Send + Sync) -> Self {
        Self(Arc::new(Held::File {
            file: Mutex::new(file),
            length,
            _guard: Box::new(guard),
        }))
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> u64 {
        match &*self.0 {
            Held::Memory(bytes) => bytes.len() as u64,
            Held::File { length, .. } => *length,
        }
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes, unless they are in a file.
    pub fn in_memory(&self) -> Option<&[u8]> {
        match &*self.0 {
            Held::Memory(bytes) => Some(bytes),
            Held::File { .. } => None,
        }
    }

    /// Returns a reader of the bytes from the beginning, independent of other readers. Reading from
    /// a file blocks: in a handler, read long files in `tokio::task::spawn_blocking`.
    pub fn reader(&self) -> impl Read + Seek + Send + Sync + use<> {
        Reader {
            bytes: self.clone(),
            at: 0,
        }
    }

    /// Returns all bytes in memory. They are not copied if they are in memory already and have no
    /// clone.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn into_vec(mut self) -> io::Result<Vec<u8>> {
        if let Some(Held::Memory(bytes)) = Arc::get_mut(&mut self.0) {
            return Ok(std::mem::take(bytes));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(self.len()).unwrap_or(0));
        self.reader().read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Returns the bytes in pieces; the last item is an error if the file cannot be read to its
    /// end.
    #[doc(hidden)]
    pub fn pieces(&self) -> impl Iterator<Item = io::Result<Bytes>> + Send + Sync + use<> {
        let (mut reader, mut left) = (self.reader(), self.len());
        std::iter::from_fn(move || {
            let length = usize::try_from(left).unwrap_or(PIECE).min(PIECE);
            if length == 0 {
                return None;
            }
            let mut piece = vec![0; length];
            let read = reader.read_exact(&mut piece);
            left = if read.is_ok() {
                left - length as u64
            } else {
                0
            };
            Some(read.map(|()| piece.into()))
        })
    }
}

struct Reader {
    bytes: LargeBytes,
    at: u64,
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.bytes.len().saturating_sub(self.at);
        let length = usize::try_from(left)
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        let buffer = &mut buffer[..length];
        let read = match &*self.bytes.0 {
            Held::Memory(bytes) => (&bytes[bytes.len() - left as usize..]).read(buffer)?,
            Held::File { file, .. } => {
                // Nothing panics while it is locked.
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(self.at))?;
                file.read(buffer)?
            }
        };
        if read == 0 && length > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Reader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.bytes.len().checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

impl From<Vec<u8>> for LargeBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Arc::new(Held::Memory(bytes)))
    }
}

impl Default for LargeBytes {
    fn default() -> Self {
        Vec::new().into()
    }
}

/// Compares the bytes, and reads files to do so. A file that cannot be read equals nothing.
impl PartialEq for LargeBytes {
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = self.pieces().zip(other.pieces());
        self.len() == other.len()
            && pairs.all(|pair| matches!(pair, (Ok(one), Ok(other)) if one == other))
    }
}

/// Omits the content, which may contain secrets.
impl fmt::Debug for LargeBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LargeBytes({} bytes)", self.len())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn in_a_file(bytes: &[u8]) -> LargeBytes {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        LargeBytes::from_file(file).unwrap()
    }

    #[test]
    fn bytes_are_the_same_in_memory_and_in_a_file() {
        for length in [0, 1, PIECE - 1, PIECE, 2 * PIECE + 1] {
            let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            let (memory, file) = (LargeBytes::from(bytes.clone()), in_a_file(&bytes));
            assert_eq!((memory.len(), file.len()), (length as u64, length as u64));
            assert_eq!(memory, file);
            assert_eq!(memory.is_empty(), length == 0);
            assert_eq!(
                (memory.in_memory(), file.in_memory()),
                (Some(&*bytes), None)
            );
            for large in [memory, file] {
                let pieces: Vec<_> = large.pieces().map(Result::unwrap).collect();
                assert!(
                    pieces
                        .iter()
                        .all(|piece| (1..=PIECE).contains(&piece.len()))
                );
                assert_eq!(pieces.concat(), bytes);
                let mut changed = bytes.clone();
                changed.push(0);
                assert_ne!(large, in_a_file(&changed));
                assert_eq!(large.clone().into_vec().unwrap(), bytes);
            }
        }
    }

    #[test]
    fn readers_have_places_of_their_own() {
        for large in [in_a_file(b"abcdef"), b"abcdef".to_vec().into()] {
            let (mut one, mut other) = (large.reader(), large.reader());
            let mut two = [0; 2];
            one.read_exact(&mut two).unwrap();
            assert_eq!(&two, b"ab");
            other.seek(SeekFrom::End(-2)).unwrap();
            one.read_exact(&mut two).unwrap();
            assert_eq!(&two, b"cd");
            other.read_exact(&mut two).unwrap();
            assert_eq!(&two, b"ef");
            assert_eq!(other.read(&mut two).unwrap(), 0);
            assert_eq!(other.seek(SeekFrom::Current(-6)).unwrap(), 0);
            assert!(other.seek(SeekFrom::Current(-1)).is_err());
            assert_eq!(other.seek(SeekFrom::Start(9)).unwrap(), 9);
            assert_eq!(other.read(&mut two).unwrap(), 0);
        }
    }

    #[test]
    fn a_file_that_became_shorter_is_an_error() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&[7; 3 * PIECE]).unwrap();
        let shortened = file.try_clone().unwrap();
        let large = LargeBytes::from_file(file).unwrap();
        shortened.set_len(PIECE as u64 + 1).unwrap();
        let pieces: Vec<_> = large.pieces().map(|piece| piece.is_ok()).collect();
        assert_eq!(pieces, [true, false]);
        assert_ne!(large, large.clone());
        assert!(large.into_vec().is_err());
    }
}
