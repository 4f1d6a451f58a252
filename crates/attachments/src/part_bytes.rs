//! The bytes of an arriving part: in memory, or on disk above a length.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use svcgen_core::internals::{Quota, UnpackError};
use svcgen_core::types::LargeBytes;

/// The storage of long parts of received messages on disk.
///
/// ```
/// use svcgen_attachments::{Attachments, PartsOnDisk};
///
/// // Messages of up to 2 GiB, of whose parts no more than 1 MiB each is in memory.
/// Attachments::new()
///     .with_bytes(2 << 30)
///     .with_part_bytes(2 << 30)
///     .with_parts_on_disk(PartsOnDisk::above(1 << 20));
/// ```
///
/// The files have no names, so that no other process finds them, and the system removes them
/// however the process ends. Each file is removed when the last value with its bytes is dropped.
#[derive(Debug, Clone)]
pub struct PartsOnDisk {
    pub(crate) above: usize,
    directory: Option<PathBuf>,
    space: Arc<Quota>,
}

/// The default limit of disk space for all parts, in bytes.
const SPACE: u64 = 8 << 30;

/// The number of bytes that are written at once.
const BUFFER: usize = 64 << 10;

impl PartsOnDisk {
    /// Keeps parts of more bytes than this on disk. Shorter parts are in memory, and only their
    /// bytes may be a `Vec<u8>`; the bytes of longer parts are [`LargeBytes`].
    pub fn above(bytes: usize) -> Self {
        Self {
            above: bytes,
            directory: None,
            space: Arc::new(Quota::new(usize::try_from(SPACE).unwrap_or(usize::MAX))),
        }
    }

    /// Sets the directory. It must be on a local disk, because the thread that serves a call writes
    /// and reads the files. By default, it is [`std::env::temp_dir`], which is in memory on some
    /// systems.
    #[must_use]
    pub fn with_directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Limits the disk space for the parts of all calls, in bytes, for all servers and clients that
    /// have a clone of these options. A call that gets no space is answered with 503. The default
    /// is 8 GiB.
    #[must_use]
    pub fn with_disk_space(mut self, bytes: usize) -> Self {
        self.space = Arc::new(Quota::new(bytes));
        self
    }

    /// Returns the limit of disk space for the parts of all calls, in bytes.
    pub(crate) fn most(&self) -> usize {
        self.space.all()
    }

    fn create(&self) -> io::Result<File> {
        match &self.directory {
            None => tempfile::tempfile(),
            Some(directory) => tempfile::tempfile_in(directory),
        }
    }
}

/// The bytes of an arriving part.
#[derive(Debug)]
pub(crate) enum PartBytes {
    Memory(Vec<u8>),
    Disk(BufWriter<File>, TakenSpace),
}

/// Disk space that a part occupies until this is dropped.
#[derive(Debug)]
pub(crate) struct TakenSpace {
    space: Arc<Quota>,
    bytes: usize,
}

impl PartBytes {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            Self::Disk(_, taken) => taken.bytes,
        }
    }

    /// Returns the number of bytes that have been written to disk.
    pub(crate) fn on_disk(&self) -> usize {
        match self {
            Self::Memory(_) => 0,
            Self::Disk(file, taken) => taken.bytes - file.buffer().len(),
        }
    }

    /// Adds bytes, and moves all bytes to disk if they are too many for memory.
    pub(crate) fn push(
        &mut self,
        bytes: &[u8],
        disk: Option<&PartsOnDisk>,
    ) -> Result<(), UnpackError> {
        if let (Self::Memory(held), Some(disk)) = (&mut *self, disk)
            && held.len() + bytes.len() > disk.above
        {
            let held = std::mem::take(held);
            let file = disk.create().map_err(UnpackError::Disk)?;
            let space = Arc::clone(&disk.space);
            let taken = TakenSpace { space, bytes: 0 };
            *self = Self::Disk(BufWriter::with_capacity(BUFFER, file), taken);
            self.push(&held, None)?;
        }
        match self {
            Self::Memory(held) => {
                let capacity = held.capacity();
                if held.len() + bytes.len() > capacity {
                    // Grows by half: a long part would take up to twice its length if the capacity
                    // doubled.
                    held.reserve_exact(bytes.len().max(capacity / 2));
                }
                held.extend_from_slice(bytes);
                Ok(())
            }
            Self::Disk(file, taken) => {
                taken.take(bytes.len())?;
                // Blocks the thread while the page cache copies some 64 KiB. A separate thread for
                // such writes would cost more, and the core knows no runtime that has one.
                file.write_all(bytes).map_err(UnpackError::Disk)
            }
        }
    }

    /// Returns all bytes, after they have arrived.
    pub(crate) fn finish(
        self,
        decode: impl FnOnce(Vec<u8>) -> Result<Vec<u8>, String>,
    ) -> Result<LargeBytes, UnpackError> {
        match self {
            Self::Memory(bytes) => Ok(decode(bytes)?.into()),
            Self::Disk(file, taken) => {
                let file = file.into_inner();
                let file = file.map_err(|error| UnpackError::Disk(error.into_error()))?;
                let length = taken.bytes as u64;
                Ok(LargeBytes::from_guarded_file(file, length, taken))
            }
        }
    }
}

impl Default for PartBytes {
    fn default() -> Self {
        Self::Memory(Vec::new())
    }
}

impl TakenSpace {
    fn take(&mut self, bytes: usize) -> Result<(), UnpackError> {
        if !self.space.take(bytes) {
            return Err(UnpackError::DiskIsTaken);
        }
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for TakenSpace {
    fn drop(&mut self) {
        self.space.give_back(self.bytes);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_and_its_space_given_back() {
        let space = Arc::new(Quota::new(1 << 20));
        let part = || {
            let file = File::options().write(true).open("/dev/full").unwrap();
            let taken = TakenSpace {
                space: Arc::clone(&space),
                bytes: 0,
            };
            PartBytes::Disk(BufWriter::with_capacity(BUFFER, file), taken)
        };
        let is_full = |error| matches!(error, UnpackError::Disk(error) if error.kind() == io::ErrorKind::StorageFull);
        let mut long = part();
        assert!(is_full(long.push(&[0; 2 * BUFFER], None).unwrap_err()));
        let mut short = part();
        short.push(b"buffered", None).unwrap();
        assert_eq!((short.len(), short.on_disk()), (8, 0));
        assert!(is_full(short.finish(Ok).unwrap_err()));
        drop(long);
        assert!(space.take(1 << 20));
    }
}
