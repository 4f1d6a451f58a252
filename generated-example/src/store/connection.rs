//! A connection to either database, and its statements.

use super::database::Database;
use super::error::StoreError;
#[cfg(feature = "postgres")]
use super::postgres;
use super::sqlite;
use super::values::{FromValue, Row, Value};

/// A connection to the database. Dropping it rolls back a transaction that is not committed.
pub struct Connection(pub(super) Inner);

pub(super) enum Inner {
    File(sqlite::Session),
    #[cfg(feature = "postgres")]
    Server(postgres::Session),
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Connection").finish_non_exhaustive()
    }
}

/// Runs the same expression with a session of either database.
macro_rules! either {
    ($connection:expr, $session:ident => $work:expr) => {
        match &mut $connection.0 {
            Inner::File($session) => $work,
            #[cfg(feature = "postgres")]
            Inner::Server($session) => $work,
        }
    };
}

#[cfg(test)]
std::thread_local! {
    /// The executed statements, in order.
    pub(crate) static ASKED: std::cell::RefCell<Vec<String>> = const { std::cell::RefCell::new(Vec::new()) };
}

#[cfg(test)]
fn note(statement: &str) {
    ASKED.with_borrow_mut(|asked| asked.push(statement.to_owned()));
}

impl Connection {
    /// Opens a connection outside of a pool, to a database that exists.
    ///
    /// # Errors
    ///
    /// The database cannot be opened.
    pub async fn open(database: &Database) -> Result<Self, StoreError> {
        match database {
            Database::File(path) => {
                let session = sqlite::Session::open(path.clone()).await;
                let session = session.map_err(|error| match error {
                    StoreError::Sql(error) => StoreError::Connect(database.clone(), error),
                    error => error,
                })?;
                Ok(Self(Inner::File(session)))
            }
            #[cfg(feature = "postgres")]
            Database::Server(url) => Ok(Self(Inner::Server(
                postgres::Session::open(url, database).await?,
            ))),
            #[cfg(not(feature = "postgres"))]
            Database::Server(url) => Err(StoreError::not_served(url)),
        }
    }

    /// Executes statements without values, one after the other.
    ///
    /// # Errors
    ///
    /// The database fails.
    pub async fn batch(&mut self, statements: &str) -> Result<(), StoreError> {
        either!(self, session => session.batch(statements).await)
    }

    /// Executes a statement and returns the number of rows that it changed. `$1` is the first
    /// value.
    ///
    /// # Errors
    ///
    /// The database fails.
    pub async fn execute(
        &mut self,
        statement: &str,
        values: Vec<Value>,
    ) -> Result<u64, StoreError> {
        #[cfg(test)]
        note(statement);
        either!(self, session => session.execute(statement, values).await)
    }

    /// Returns the rows of a query.
    ///
    /// # Errors
    ///
    /// The database fails.
    pub async fn rows(
        &mut self,
        statement: &str,
        values: Vec<Value>,
    ) -> Result<Vec<Row>, StoreError> {
        #[cfg(test)]
        note(statement);
        either!(self, session => session.rows(statement, values).await)
    }

    /// Returns the first row of a query.
    ///
    /// # Errors
    ///
    /// The database fails.
    pub async fn row(
        &mut self,
        statement: &str,
        values: Vec<Value>,
    ) -> Result<Option<Row>, StoreError> {
        Ok(self.rows(statement, values).await?.into_iter().next())
    }

    /// Returns the first column of the first row.
    ///
    /// # Errors
    ///
    /// The database fails, or the value has another type.
    pub async fn value<T: FromValue>(
        &mut self,
        statement: &str,
        values: Vec<Value>,
    ) -> Result<Option<T>, StoreError> {
        let row = self.row(statement, values).await?;
        row.map(|row| row.at(0)).transpose()
    }

    /// Returns the first column of the first row, which must exist.
    pub(super) async fn only<T: FromValue>(
        &mut self,
        statement: &str,
        values: Vec<Value>,
    ) -> Result<T, StoreError> {
        let value = self.value(statement, values).await?;
        value.ok_or_else(|| StoreError::Sql(format!("no row: {statement}").into()))
    }

    /// Sets how long a statement waits for locks of other transactions.
    pub(super) async fn set_busy_timeout(
        &mut self,
        timeout: std::time::Duration,
    ) -> Result<(), StoreError> {
        either!(self, session => session.set_busy_timeout(timeout).await)
    }

    /// Begins a transaction that may write. On a file, it waits for its turn here rather than
    /// midway.
    pub(super) async fn begin(&mut self) -> Result<(), StoreError> {
        #[cfg(test)]
        note("begin");
        either!(self, session => session.begin().await)
    }

    /// Commits the transaction.
    ///
    /// # Errors
    ///
    /// The database fails, and nothing is changed.
    pub async fn commit(&mut self) -> Result<(), StoreError> {
        #[cfg(test)]
        note("commit");
        either!(self, session => session.commit().await)
    }

    /// The clause by which a query locks its rows until the end of the transaction.
    pub(super) fn for_update(&self) -> &'static str {
        match &self.0 {
            // SQLite has no such clause; a transaction that may write locks the whole file.
            Inner::File(_) => "",
            #[cfg(feature = "postgres")]
            Inner::Server(_) => " FOR UPDATE",
        }
    }
}
