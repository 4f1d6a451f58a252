//! The account store, in an SQLite file or on a PostgreSQL server: opening it, a bounded pool of
//! connections, transactions.

mod configuration;
mod connection;
mod database;
pub mod demo;
pub(crate) mod error;
mod file;
mod making;
#[cfg(feature = "postgres")]
mod postgres;
pub(crate) mod rows;
mod sqlite;
#[cfg(test)]
mod tests;
mod values;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use svcgen::Secret;
use tokio::sync::Semaphore;

use crate::accounts::Moment;
use crate::passwords::{HashCost, Passwords};
pub use configuration::{DeviceConfiguration, NewsSource, device_configuration};
#[cfg(test)]
pub(crate) use connection::ASKED;
pub use connection::Connection;
use connection::Inner;
pub use database::Database;
pub use error::StoreError;
pub use rows::{
    account_or_stand_in, account_or_stand_in_to_change, account_to_change, add_failure_of_address,
    failures_of_address, fingerprint_key, login_token, machine, portal_url, reset_made_at, send,
    set_failures, set_logged_in, set_login_token, set_machine, set_reset,
};
pub(crate) use values::values;
pub use values::{FromValue, Row, Value};

/// How long opening waits for another program that creates the store, which hashes all demo
/// passwords.
const OPEN_TIMEOUT: Duration = Duration::from_secs(60);

/// The options of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreOptions {
    /// The cost of a new password hash.
    pub cost: HashCost,
    /// How long a statement waits for locks of other transactions, of this program or another.
    pub busy_timeout: Duration,
    /// How long a call waits for a connection or for its turn to hash a password, and how long it
    /// retries transactions that conflict.
    pub queue_timeout: Duration,
    /// The greatest number of connections to a server. A file has as many as there are password
    /// hashes at once.
    pub connections: u32,
}

impl Default for StoreOptions {
    /// The default cost, 5 seconds, 10 seconds and 8 connections.
    fn default() -> Self {
        Self {
            cost: HashCost::default(),
            busy_timeout: Duration::from_secs(5),
            queue_timeout: Duration::from_secs(10),
            connections: 8,
        }
    }
}

/// The account store. Clones share one pool.
#[derive(Clone)]
pub struct Store {
    database: Database,
    pool: Pool,
    // Bounds the number of password hashes at once, and so their memory.
    hashes: Arc<Semaphore>,
    passwords: Arc<Passwords>,
    queue_timeout: Duration,
    created: bool,
}

#[derive(Clone)]
enum Pool {
    File(Arc<sqlite::Pool>),
    #[cfg(feature = "postgres")]
    Server(sqlx::PgPool),
}

impl fmt::Debug for Store {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Store")
            .field("database", &self.database)
            .finish_non_exhaustive()
    }
}

impl Store {
    /// Opens a store. Creates it with the demo accounts if it does not exist or is empty.
    ///
    /// Tables and accounts are created in one transaction, so that the database holds all of them
    /// or none.
    ///
    /// # Errors
    ///
    /// The database belongs to another program or another version, and is left as it is; or it
    /// cannot be opened.
    pub async fn open(database: &Database, options: StoreOptions) -> Result<Self, StoreError> {
        if let Some(path) = database.file() {
            file::refuse_foreign(path)?;
            file::make_private(path)?;
        }
        let passwords = Arc::new(Passwords::new(options.cost)?);
        // Not from the pool, which would retry until it times out, and hide the reason.
        let mut connection = Connection::open(database).await?;
        connection.set_busy_timeout(OPEN_TIMEOUT).await?;
        let created = making::make_or_check(&mut connection, database, &passwords, now()).await?;
        let threads = std::thread::available_parallelism().map_or(2, |count| count.get().max(2));
        let pool = match database {
            Database::File(path) => {
                // WAL lets readers and a writer work at once. Some file systems do not support it.
                let _ = connection
                    .rows("PRAGMA journal_mode = WAL", Vec::new())
                    .await;
                Pool::File(Arc::new(sqlite::Pool::new(path.clone(), threads, options)))
            }
            #[cfg(feature = "postgres")]
            Database::Server(url) => Pool::Server(postgres::pool(url, options)?),
            #[cfg(not(feature = "postgres"))]
            Database::Server(url) => return Err(StoreError::not_served(url)),
        };
        Ok(Self {
            database: database.clone(),
            pool,
            hashes: Arc::new(Semaphore::new(threads)),
            passwords,
            queue_timeout: options.queue_timeout,
            created,
        })
    }

    /// Opens a file. See [`Store::open`].
    ///
    /// # Errors
    ///
    /// As [`Store::open`].
    pub async fn open_file(path: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        Self::open(&Database::File(path.to_owned()), options).await
    }

    /// Whether opening created the store.
    pub fn created(&self) -> bool {
        self.created
    }

    /// Returns a connection on which each statement is a transaction.
    ///
    /// # Errors
    ///
    /// No connection became free in time ([`StoreError::Full`]), or none could be opened.
    pub async fn connection(&self) -> Result<Connection, StoreError> {
        Ok(Connection(match &self.pool {
            Pool::File(pool) => Inner::File(pool.acquire().await?),
            #[cfg(feature = "postgres")]
            Pool::Server(pool) => Inner::Server(postgres::Session::Pooled(pool.acquire().await?)),
        }))
    }

    /// Returns a connection in a transaction that may write. On a file, the transaction waits for
    /// its turn here rather than midway; on a server, it waits when it reads an account to change.
    /// It is rolled back unless it is committed.
    ///
    /// # Errors
    ///
    /// No connection became free in time ([`StoreError::Full`]), or others locked the store for too
    /// long ([`StoreError::Busy`]).
    pub async fn begin(&self) -> Result<Connection, StoreError> {
        let mut connection = self.connection().await?;
        connection.begin().await?;
        Ok(connection)
    }

    /// Decides whether and when to retry work.
    pub fn conflicts(&self) -> Conflicts {
        Conflicts {
            end: Instant::now() + self.queue_timeout,
            pause: Duration::from_millis(1),
        }
    }

    /// Whether a password belongs to a hash; see [`Passwords::verify`]. The hash is computed
    /// outside of the threads that serve the network.
    ///
    /// # Errors
    ///
    /// [`StoreError::Full`] if other hashes took too long, [`StoreError::Stopped`] if the runtime
    /// shuts down.
    pub async fn verify(
        &self,
        password: Secret<String>,
        hash: Option<Secret<String>>,
    ) -> Result<bool, StoreError> {
        let permit = self.hashes.clone().acquire_owned();
        let permit = tokio::time::timeout(self.queue_timeout, permit)
            .await
            .map_err(|_| StoreError::Full)?
            .map_err(|_| StoreError::Stopped)?;
        let passwords = self.passwords.clone();
        let job = move || {
            let right = passwords.verify(&password, hash.as_ref());
            drop(permit);
            right
        };
        tokio::task::spawn_blocking(job)
            .await
            .map_err(|_| StoreError::Stopped)
    }

    /// Ends an account's lock and forgets its failures.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownUser`], or the store cannot be written.
    pub async fn unlock(&self, username: &str) -> Result<(), StoreError> {
        self.change_account(username, &[rows::UNLOCK]).await
    }

    /// Forgets the machines and the tokens of an account.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownUser`], or the store cannot be written.
    pub async fn release_machines(&self, username: &str) -> Result<(), StoreError> {
        self.change_account(username, &rows::RELEASE).await
    }

    /// Executes statements that take the id of an account.
    async fn change_account(&self, username: &str, statements: &[&str]) -> Result<(), StoreError> {
        let change = async || {
            let mut transaction = self.begin().await?;
            let Some(account) = account_to_change(&mut transaction, username).await? else {
                return Err(StoreError::UnknownUser(username.to_owned()));
            };
            for statement in statements {
                transaction.execute(statement, values![account.id]).await?;
            }
            transaction.commit().await
        };
        let mut conflicts = self.conflicts();
        loop {
            let answer = change().await;
            if !conflicts.again(&answer).await {
                return answer;
            }
        }
    }
}

/// Retries work whose transaction the database gave up for another one, because of a deadlock or
/// its level of isolation.
#[derive(Debug)]
pub struct Conflicts {
    end: Instant,
    pause: Duration,
}

impl Conflicts {
    /// Whether to repeat work after this result. Waits before that, longer each time, up to the
    /// time for which a call may wait for a connection.
    pub async fn again<T>(&mut self, answer: &Result<T, StoreError>) -> bool {
        if !matches!(answer, Err(StoreError::Conflict)) || Instant::now() + self.pause > self.end {
            return false;
        }
        // Random, so that not all retry at the same moment.
        let share = crate::passwords::random::<1>().map_or(1.0, |[byte]| f64::from(byte) / 255.0);
        tokio::time::sleep(self.pause.mul_f64(0.5 + share)).await;
        self.pause = (self.pause * 2).min(Duration::from_millis(50));
        true
    }
}

/// Now, in seconds since 1970-01-01 UTC.
pub fn now() -> Moment {
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    Moment::try_from(since.as_secs()).unwrap_or(Moment::MAX)
}
