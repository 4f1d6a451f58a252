//! An SQLite file. Each connection has a thread, because its calls block.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, OpenFlags};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::StoreOptions;
use super::error::StoreError;
use super::values::{Row, Value};

type Job = Box<dyn FnOnce(&rusqlite::Connection) + Send>;

/// The thread of a connection. Both end when this is dropped, after the work in progress.
struct Worker {
    jobs: mpsc::Sender<Job>,
}

impl Worker {
    async fn open(path: PathBuf) -> Result<Self, StoreError> {
        let (jobs, waiting) = mpsc::channel::<Job>();
        let (opened, answer) = oneshot::channel();
        let work = move || match open(&path) {
            Ok(connection) => {
                let _ = opened.send(Ok(()));
                waiting.into_iter().for_each(|job| job(&connection));
            }
            Err(error) => {
                let _ = opened.send(Err(error));
            }
        };
        let thread = std::thread::Builder::new().name("sqlite".to_owned());
        thread
            .spawn(work)
            .map_err(|error| StoreError::Sql(error.into()))?;
        answer.await.map_err(|_| StoreError::Stopped)??;
        Ok(Self { jobs })
    }

    /// Work is done in turn. If a caller is gone, the work that it began still ends before the next
    /// one begins.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&rusqlite::Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (done, answer) = oneshot::channel();
        let job = move |connection: &rusqlite::Connection| {
            let _ = done.send(work(connection));
        };
        self.jobs
            .send(Box::new(job))
            .map_err(|_| StoreError::Stopped)?;
        Ok(answer.await.map_err(|_| StoreError::Stopped)??)
    }
}

fn open(path: &Path) -> rusqlite::Result<rusqlite::Connection> {
    // Creates no file, and takes no name for a URI.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = rusqlite::Connection::open_with_flags(path, flags)?;
    // Overwrites deleted rows, because they hold fingerprints of secrets.
    connection.execute_batch("PRAGMA foreign_keys = true; PRAGMA secure_delete = true")?;
    Ok(connection)
}

/// A bounded number of connections to a file.
pub(super) struct Pool {
    path: PathBuf,
    options: StoreOptions,
    turns: Arc<Semaphore>,
    idle: Mutex<Vec<Worker>>,
}

impl Pool {
    pub(super) fn new(path: PathBuf, connections: usize, options: StoreOptions) -> Self {
        Self {
            path,
            options,
            turns: Arc::new(Semaphore::new(connections)),
            idle: Mutex::default(),
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) async fn acquire(self: &Arc<Self>) -> Result<Session, StoreError> {
        let turn = tokio::time::timeout(
            self.options.queue_timeout,
            self.turns.clone().acquire_owned(),
        );
        let turn = turn.await.map_err(|_| StoreError::Full)?;
        let turn = turn.map_err(|_| StoreError::Stopped)?;
        let idle = self.idle().pop();
        let session = |worker| Session {
            worker: Some(worker),
            place: Some((self.clone(), turn)),
        };
        if let Some(worker) = idle {
            return Ok(session(worker));
        }
        let mut session = session(Worker::open(self.path.clone()).await?);
        session.set_busy_timeout(self.options.busy_timeout).await?;
        Ok(session)
    }
}

/// A connection, from a pool or on its own.
pub(super) struct Session {
    // `None` once it is dropped.
    worker: Option<Worker>,
    place: Option<(Arc<Pool>, OwnedSemaphorePermit)>,
}

impl Drop for Session {
    fn drop(&mut self) {
        let (Some(worker), Some((pool, turn))) = (self.worker.take(), self.place.take()) else {
            return;
        };
        // SQLite ends a transaction by itself, for example if the disk is full.
        let roll_back = |connection: &rusqlite::Connection| {
            if !connection.is_autocommit() {
                let _ = connection.execute_batch("ROLLBACK");
            }
        };
        // If the thread is gone, so is its connection.
        if worker.jobs.send(Box::new(roll_back)).is_ok() {
            pool.idle().push(worker);
        }
        drop(turn);
    }
}

impl Session {
    pub(super) async fn open(path: PathBuf) -> Result<Self, StoreError> {
        Ok(Self {
            worker: Some(Worker::open(path).await?),
            place: None,
        })
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&rusqlite::Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let worker = self.worker.as_ref().ok_or(StoreError::Stopped)?;
        worker.run(work).await
    }

    /// Sets how long a statement waits for others that lock the file.
    pub(super) async fn set_busy_timeout(&mut self, timeout: Duration) -> Result<(), StoreError> {
        self.run(move |connection| connection.busy_timeout(timeout))
            .await
    }

    pub(super) async fn batch(&mut self, statements: &str) -> Result<(), StoreError> {
        let statements = statements.to_owned();
        self.run(move |connection| connection.execute_batch(&statements))
            .await
    }

    pub(super) async fn execute(
        &mut self,
        statement: &str,
        values: Vec<Value>,
    ) -> Result<u64, StoreError> {
        let statement = statement.to_owned();
        let changed = self.run(move |connection| {
            let mut statement = connection.prepare(&statement)?;
            bind(&mut statement, &values)?;
            statement.raw_execute()
        });
        Ok(changed.await? as u64)
    }

    pub(super) async fn rows(
        &mut self,
        statement: &str,
        values: Vec<Value>,
    ) -> Result<Vec<Row>, StoreError> {
        let statement = statement.to_owned();
        self.run(move |connection| {
            let mut statement = connection.prepare(&statement)?;
            bind(&mut statement, &values)?;
            let names: Vec<String> = statement
                .column_names()
                .into_iter()
                .map(str::to_owned)
                .collect();
            let mut rows = statement.raw_query();
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let columns = names.iter().enumerate().map(|(index, name)| {
                    let value = match row.get_ref(index)? {
                        ValueRef::Null => Value::Text(None),
                        ValueRef::Integer(number) => Value::Number(Some(number)),
                        ValueRef::Blob(bytes) => Value::Bytes(Some(bytes.to_vec())),
                        value => Value::Text(Some(value.as_str()?.to_owned())),
                    };
                    Ok((name.clone(), value))
                });
                found.push(Row(columns.collect::<rusqlite::Result<_>>()?));
            }
            Ok(found)
        })
        .await
    }

    pub(super) async fn begin(&mut self) -> Result<(), StoreError> {
        self.batch("BEGIN IMMEDIATE").await
    }

    pub(super) async fn commit(&mut self) -> Result<(), StoreError> {
        self.batch("COMMIT").await
    }
}

/// SQLite takes `$2` for a name, and numbers names in the order in which they are written.
fn bind(statement: &mut rusqlite::Statement<'_>, values: &[Value]) -> rusqlite::Result<()> {
    for index in 1..=statement.parameter_count() {
        let number: Option<usize> = statement
            .parameter_name(index)
            .and_then(|name| name.strip_prefix('$')?.parse().ok());
        let value = number.and_then(|number| values.get(number.checked_sub(1)?));
        let value = value.ok_or(rusqlite::Error::InvalidParameterCount(index, values.len()))?;
        statement.raw_bind_parameter(index, value)?;
    }
    Ok(())
}

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Number(number) => number.to_sql(),
            Self::Text(text) => text.to_sql(),
            Self::Bytes(bytes) => bytes.to_sql(),
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            _ => Self::Sql(error.into()),
        }
    }
}
