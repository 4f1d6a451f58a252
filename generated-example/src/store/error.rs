//! Errors of the account store.

use std::path::PathBuf;
use std::{fmt, io};

use super::database::{Database, is_postgres};

/// `user_version` of the schema in `schema.sql`.
pub(crate) const SCHEMA_VERSION: i32 = 3;

/// An error of a database.
type Source = Box<dyn std::error::Error + Send + Sync>;

/// An error of the account store. Its text never holds a password.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// The database is not an account store.
    Foreign(Database),
    /// The database is an account store of another version.
    Version(Database, i64),
    /// The file cannot be read.
    Read(PathBuf, io::Error),
    /// The file cannot be created.
    Make(PathBuf, io::Error),
    /// The program was built without PostgreSQL.
    NoPostgres,
    /// The scheme of the URL belongs to no database.
    Scheme(String),
    /// The URL of the database cannot be read.
    Url(Source),
    /// The database cannot be opened.
    Connect(Database, Source),
    /// Other transactions held a lock for too long.
    Busy,
    /// No connection, or no turn to hash a password, came in time.
    Full,
    /// The database gave up the transaction for another one. It may be retried.
    Conflict,
    /// No account has that name.
    UnknownUser(String),
    /// The database failed.
    Sql(Source),
    /// A hash could not be computed.
    Hash(argon2::password_hash::Error),
    /// The system has no random bytes.
    Random(getrandom::Error),
    /// The work was stopped.
    Stopped,
}

impl fmt::Display for StoreError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign(database) => write!(
                formatter,
                "{database} is not an account store of this program, so it was left as it is; name another one with --database"
            ),
            Self::Version(database, version) => write!(
                formatter,
                "{database} has version {version} of the account store and this program knows version {SCHEMA_VERSION}; \
                 use a matching program or name another one with --database"
            ),
            Self::Read(path, error) => write!(formatter, "cannot read {}: {error}", path.display()),
            Self::Make(path, error) => write!(
                formatter,
                "cannot make {}: {error}; does its folder exist, and may this user write there?",
                path.display()
            ),
            Self::NoPostgres => write!(
                formatter,
                "this program was built without PostgreSQL; build it with --features postgres: \
                 cargo run -p generated-example --features postgres"
            ),
            Self::Scheme(scheme) => write!(
                formatter,
                "no database is known by {scheme:?}; --database takes a file, or with --features postgres postgres://USER:PASSWORD@HOST:PORT/DATABASE"
            ),
            Self::Url(error) => write!(
                formatter,
                "cannot read the URL of the database: {error}; it is postgres://USER:PASSWORD@HOST:PORT/DATABASE, \
                 with % and two digits for what is special in URLs"
            ),
            Self::Connect(database, error) => {
                write!(formatter, "cannot open {database}: {error}")?;
                match database {
                    Database::File(_) => Ok(()),
                    Database::Server(_) => write!(
                        formatter,
                        "; does the server run, and are user, password, database and sslmode right?"
                    ),
                }
            }
            Self::Busy => write!(formatter, "the account store is held by another program"),
            Self::Full => write!(
                formatter,
                "the account store had no turn for a call in time: too many calls wait for it, or its server cannot be reached"
            ),
            Self::Conflict => write!(
                formatter,
                "the account store is changed by too many calls at once"
            ),
            Self::UnknownUser(username) => write!(formatter, "no account is named {username:?}"),
            Self::Sql(error) => write!(formatter, "the account store failed: {error}"),
            Self::Hash(error) => write!(formatter, "cannot hash a password: {error}"),
            Self::Random(error) => write!(formatter, "the system has no random bytes: {error}"),
            Self::Stopped => write!(formatter, "the work on the account store was stopped"),
        }
    }
}

impl StoreError {
    /// The reason why this program cannot use the database of a URL.
    pub(super) fn not_served(url: &str) -> Self {
        if is_postgres(url) {
            return Self::NoPostgres;
        }
        let (scheme, _) = url.split_once("://").unwrap_or((url, ""));
        Self::Scheme(scheme.to_owned())
    }

    /// Logs the error for the operator, and returns the text for the caller, which does not name it.
    pub(crate) fn told(&self) -> &'static str {
        eprintln!("error: {self}");
        "The account store is not available. Please try again."
    }
}

impl std::error::Error for StoreError {}

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
