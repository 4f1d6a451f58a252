//! Why the account store could not be used.

use std::path::PathBuf;
use std::{fmt, io};

use rusqlite::ErrorCode;

/// `user_version` of the schema in `schema.sql`.
pub(crate) const SCHEMA_VERSION: i32 = 1;

/// Why the store could not be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// The file is not an account store.
    Foreign(PathBuf),
    /// The file is an account store of another version.
    Version(PathBuf, i32),
    /// The file cannot be read.
    Read(PathBuf, io::Error),
    /// The file cannot be made.
    Make(PathBuf, io::Error),
    /// SQLite cannot open the file.
    Open(PathBuf, rusqlite::Error),
    /// Another program held the file for too long.
    Busy,
    /// Other calls kept the store busy for too long.
    Full,
    /// No account has that name.
    UnknownUser(String),
    /// SQLite failed.
    Sqlite(rusqlite::Error),
    /// A hash could not be made.
    Hash(argon2::password_hash::Error),
    /// The system has no random bytes.
    Random(getrandom::Error),
    /// The work was stopped.
    Stopped,
}

impl fmt::Display for StoreError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign(path) => write!(
                formatter,
                "{} is not an account store of this program, so it was left as it is; name another file with --database FILE",
                path.display()
            ),
            Self::Version(path, version) => write!(
                formatter,
                "{} has version {version} of the account store and this program knows version {SCHEMA_VERSION}; \
                 use a matching program or name another file with --database FILE",
                path.display()
            ),
            Self::Read(path, error) => write!(formatter, "cannot read {}: {error}", path.display()),
            Self::Make(path, error) => write!(
                formatter,
                "cannot make {}: {error}; does its folder exist, and may this user write there?",
                path.display()
            ),
            Self::Open(path, error) => write!(formatter, "cannot open {}: {error}", path.display()),
            Self::Busy => write!(formatter, "the account store is held by another program"),
            Self::Full => write!(formatter, "too many calls wait for the account store"),
            Self::UnknownUser(username) => write!(formatter, "no account is named {username:?}"),
            Self::Sqlite(error) => write!(formatter, "the account store failed: {error}"),
            Self::Hash(error) => write!(formatter, "cannot hash a password: {error}"),
            Self::Random(error) => write!(formatter, "the system has no random bytes: {error}"),
            Self::Stopped => write!(formatter, "the work on the account store was stopped"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            _ => Self::Sqlite(error),
        }
    }
}

impl From<argon2::password_hash::Error> for StoreError {
    fn from(error: argon2::password_hash::Error) -> Self {
        Self::Hash(error)
    }
}

impl From<getrandom::Error> for StoreError {
    fn from(error: getrandom::Error) -> Self {
        Self::Random(error)
    }
}
