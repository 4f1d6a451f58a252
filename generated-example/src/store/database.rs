//! The database of the accounts.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// An SQLite file or a PostgreSQL server. Its text omits the password.
#[derive(Clone, PartialEq, Eq)]
pub enum Database {
    /// An SQLite file.
    File(PathBuf),
    /// The URL of a database, which the feature `postgres` opens:
    /// `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full`.
    Server(String),
}

/// A URL, or the name of a file. A URL is checked only when it is opened, because errors about
/// arguments would quote it with its password.
impl FromStr for Database {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        if text.contains("://") {
            Ok(Self::Server(text.to_owned()))
        } else {
            Ok(Self::File(text.into()))
        }
    }
}

impl fmt::Display for Database {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => return write!(formatter, "{}", path.display()),
            #[cfg(feature = "postgres")]
            Self::Server(url) => {
                if is_postgres(url)
                    && let Ok(options) = url.parse::<sqlx::postgres::PgConnectOptions>()
                {
                    let user = options.get_username();
                    let database = options.get_database().unwrap_or(user);
                    let (host, port) = (options.get_host(), options.get_port());
                    return write!(formatter, "postgres://{user}@{host}:{port}/{database}");
                }
            }
            #[cfg(not(feature = "postgres"))]
            Self::Server(_) => {}
        }
        formatter.write_str("the database that --database names")
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Database {
    /// The file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Server(_) => None,
        }
    }
}

/// Whether a URL is one of PostgreSQL.
pub(super) fn is_postgres(url: &str) -> bool {
    url.starts_with("postgres://") || url.starts_with("postgresql://")
}
