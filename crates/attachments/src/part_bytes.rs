//! The bytes of a part that arrives: in memory, or on disk if they are many.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use svcgen_core::internals::{Quota, UnpackError};
use svcgen_core::types::LargeBytes;

/// Which parts of received messages are kept on disk, and where.
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
/// The files have no name, so that nobody finds them and nothing is left of them, however the
/// process ends. They are gone when the values are dropped that have their bytes.
#[derive(Debug, Clone)]
pub struct PartsOnDisk {
    pub(crate) above: usize,
    directory: Option<PathBuf>,
    space: Arc<Quota>,
}

/// How many bytes all parts may take on disk, if nobody says it.
const SPACE: u64 = 8 << 30;

/// How many bytes are written at once.
const BUFFER: usize = 64 << 10;

impl PartsOnDisk {
    /// Parts of more bytes than these. Shorter ones are in memory; only their bytes may be a
    /// `Vec<u8>`, and those of longer ones are [`LargeBytes`].
    pub fn above(bytes: usize) -> Self {
        Self {
            above: bytes,
            directory: None,
            space: Arc::new(Quota::new(usize::try_from(SPACE).unwrap_or(usize::MAX))),
        }
    }

    /// Sets the directory, which has to be on a local disk: the thread that serves a call writes
    /// and reads it. By default, it is [`std::env::temp_dir`], which is memory on some systems.
    #[must_use]
    pub fn with_directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Sets how many bytes the parts of all calls may take on disk, for all servers and clients
    /// that have a clone of these options. A call that finds no space is answered with 503. The
    /// default is 8 GiB.
    #[must_use]
    pub fn with_disk_space(mut self, bytes: usize) -> Self {
        self.space = Arc::new(Quota::new(bytes));
        self
    }

    /// How many bytes the parts of all calls may take on disk.
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

/// The bytes of a part that arrives.
#[derive(Debug)]
pub(crate) enum PartBytes {
    Memory(Vec<u8>),
    Disk(BufWriter<File>, TakenSpace),
}

/// Space on disk that a part takes until it is dropped.
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

    /// How many of them have been written to disk.
    pub(crate) fn on_disk(&self) -> usize {
        match self {
            Self::Memory(_) => 0,
            Self::Disk(file, taken) => taken.bytes - file.buffer().len(),
        }
    }

    /// Adds bytes, and moves all of them to disk if they have become too many.
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
                    // Half as much again, as a long part that doubled would take twice its length.
                    held.reserve_exact(bytes.len().max(capacity / 2));
                }
                held.extend_from_slice(bytes);
                Ok(())
            }
            Self::Disk(file, taken) => {
                taken.take(bytes.len())?;
                // It blocks the thread, for as long as the page cache takes to copy some 64 KiB: a
                // thread for such writes would cost more, and the core knows no runtime that has
                // one.
                file.write_all(bytes).map_err(UnpackError::Disk)
            }
        }
    }

    /// All of them, once they have arrived.
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
