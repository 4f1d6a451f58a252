//! Checks and creates a file before SQLite opens it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::database::Database;
use super::error::StoreError;

/// `application_id` of our files: "SvcX".
pub(super) const APPLICATION_ID: i32 = 0x5376_6358;

/// Reads the first bytes of a file without SQLite, which writes files beside a database when it
/// opens it, even one of another program.
pub(super) fn refuse_foreign(path: &Path) -> Result<(), StoreError> {
    // A crash during the creation of the file leaves a journal, from which SQLite restores the
    // empty file. A program that is creating the file has one, too.
    let journal = journal(path);
    let unfinished = journal.exists();
    let mut head = [0; 100];
    let read = match File::open(path).and_then(|mut file| read_up_to(&mut file, &mut head)) {
        Ok(read) => read,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(StoreError::Read(path.to_owned(), error)),
    };
    if read == 0 || unfinished || journal.exists() {
        return Ok(());
    }
    // File format §1.3: magic at offset 0, application_id at offset 68.
    let ours =
        head.starts_with(b"SQLite format 3\0") && head[68..72] == APPLICATION_ID.to_be_bytes();
    if ours {
        Ok(())
    } else {
        Err(StoreError::Foreign(Database::File(path.to_owned())))
    }
}

/// Creates an empty file that only its owner may read, if there is none. SQLite gives the files
/// beside it the same permissions.
pub(super) fn make_private(path: &Path) -> Result<(), StoreError> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(StoreError::Make(path.to_owned(), error)),
    }
}

fn read_up_to(file: &mut File, head: &mut [u8]) -> io::Result<usize> {
    let length = head.len() as u64;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    head[..bytes.len()].copy_from_slice(&bytes);
    Ok(bytes.len())
}

fn journal(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-journal");
    name.into()
}
