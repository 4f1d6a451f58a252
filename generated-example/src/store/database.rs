//! Which database holds the accounts, and what differs between SQLite and PostgreSQL in its use.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use sqlx::AnyConnection;
use sqlx::postgres::PgConnectOptions;

/// An SQLite file or a PostgreSQL server. As text, without the password.
#[derive(Clone, PartialEq, Eq)]
pub enum Database {
    /// A file of SQLite.
    File(PathBuf),
    /// The URL of a database: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full`.
    Server(String),
}

/// A URL, or the name of a file. A URL is checked when it is opened: whoever parses arguments quotes what is wrong, with the password.
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
        let url = match self {
            Self::File(path) => return write!(formatter, "{}", path.display()),
            Self::Server(url) => url,
        };
        match url.parse::<PgConnectOptions>() {
            Ok(options) => {
                let user = options.get_username();
                let database = options.get_database().unwrap_or(user);
                let (host, port) = (options.get_host(), options.get_port());
                write!(formatter, "postgres://{user}@{host}:{port}/{database}")
            }
            Err(_) => formatter.write_str("the database that --database names"),
        }
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Database {
    /// The file, unless it is a server.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Server(_) => None,
        }
    }

    /// What every new connection is told.
    pub(super) async fn prepare(
        &self,
        connection: &mut AnyConnection,
        busy_timeout: Duration,
    ) -> Result<(), sqlx::Error> {
        let milliseconds = busy_timeout.as_millis();
        let statements = match self {
            // What is deleted here is a fingerprint of a secret; it leaves the file.
            Self::File(_) => [
                format!("PRAGMA busy_timeout = {milliseconds}"),
                "PRAGMA secure_delete = true".to_owned(),
            ],
            // A statement that waits for another one waits for its lock; the rest of its time it works.
            Self::Server(_) => [
                format!("SET lock_timeout = {milliseconds}"),
                format!("SET statement_timeout = {}", 2 * milliseconds),
            ],
        };
        for statement in &statements {
            sqlx::query(statement).execute(&mut *connection).await?;
        }
        Ok(())
    }

    /// The statement that begins a transaction that may write.
    pub(super) fn begin(&self) -> &'static str {
        match self {
            Self::File(_) => "BEGIN IMMEDIATE",
            Self::Server(_) => "BEGIN",
        }
    }
}
