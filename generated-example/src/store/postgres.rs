//! A PostgreSQL server.

use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgPool, PgPoolOptions, PgRow};
use sqlx::query::Query;
use sqlx::{
    Column, Connection as _, Executor, PgConnection, Postgres, Row as _, TransactionManager,
    TypeInfo, ValueRef,
};

use super::StoreOptions;
use super::database::{Database, is_postgres};
use super::error::StoreError;
use super::values::{Row, Value};

type Transactions = <Postgres as sqlx::Database>::TransactionManager;

/// Reads the options of a connection from a URL.
pub(super) fn connecting(url: &str) -> Result<PgConnectOptions, StoreError> {
    if is_postgres(url) {
        url.parse()
            .map_err(|error: sqlx::Error| StoreError::Url(error.into()))
    } else {
        Err(StoreError::not_served(url))
    }
}

/// Makes a pool, whose connections are opened when they are needed.
pub(super) fn pool(url: &str, options: StoreOptions) -> Result<PgPool, StoreError> {
    Ok(PgPoolOptions::new()
        .max_connections(options.connections)
        .acquire_timeout(options.queue_timeout)
        .after_connect(move |connection, _| {
            Box::pin(set_timeouts(connection, options.busy_timeout))
        })
        .connect_lazy_with(connecting(url)?))
}

/// A statement may wait so long for a lock, and take twice as long altogether.
async fn set_timeouts(
    connection: &mut PgConnection,
    busy_timeout: Duration,
) -> Result<(), sqlx::Error> {
    let milliseconds = busy_timeout.as_millis();
    let set = format!(
        "SET lock_timeout = {milliseconds}; SET statement_timeout = {}",
        2 * milliseconds
    );
    connection.execute(set.as_str()).await?;
    Ok(())
}

/// A connection, from a pool or on its own.
pub(super) enum Session {
    Pooled(PoolConnection<Postgres>),
    Alone(PgConnection),
}

impl Drop for Session {
    fn drop(&mut self) {
        // Executed before the next statement of the connection, or when the pool takes it back.
        Transactions::start_rollback(self.connection());
    }
}

impl Session {
    pub(super) async fn open(url: &str, database: &Database) -> Result<Self, StoreError> {
        match PgConnection::connect_with(&connecting(url)?).await {
            Ok(connection) => Ok(Self::Alone(connection)),
            Err(error) => Err(StoreError::Connect(database.clone(), error.into())),
        }
    }

    fn connection(&mut self) -> &mut PgConnection {
        match self {
            Self::Pooled(connection) => connection,
            Self::Alone(connection) => connection,
        }
    }

    pub(super) async fn set_busy_timeout(&mut self, timeout: Duration) -> Result<(), StoreError> {
        Ok(set_timeouts(self.connection(), timeout).await?)
    }

    pub(super) async fn batch(&mut self, statements: &str) -> Result<(), StoreError> {
        self.connection().execute(statements).await?;
        Ok(())
    }

    pub(super) async fn execute(
        &mut self,
        statement: &str,
        values: Vec<Value>,
    ) -> Result<u64, StoreError> {
        let query = query(statement, values);
        Ok(query.execute(self.connection()).await?.rows_affected())
    }

    pub(super) async fn rows(
        &mut self,
        statement: &str,
        values: Vec<Value>,
    ) -> Result<Vec<Row>, StoreError> {
        let found = query(statement, values)
            .fetch_all(self.connection())
            .await?;
        Ok(found.iter().map(row).collect::<Result<_, _>>()?)
    }

    pub(super) async fn begin(&mut self) -> Result<(), StoreError> {
        Ok(Transactions::begin(self.connection(), None).await?)
    }

    pub(super) async fn commit(&mut self) -> Result<(), StoreError> {
        Ok(Transactions::commit(self.connection()).await?)
    }
}

fn query(statement: &str, values: Vec<Value>) -> Query<'_, Postgres, PgArguments> {
    values
        .into_iter()
        .fold(sqlx::query(statement), |query, value| match value {
            Value::Number(number) => query.bind(number),
            Value::Text(text) => query.bind(text),
            Value::Bytes(bytes) => query.bind(bytes),
        })
}

fn row(row: &PgRow) -> Result<Row, sqlx::Error> {
    let columns = row.columns().iter().enumerate().map(|(index, column)| {
        let value = row.try_get_raw(index)?;
        let value = match value.type_info().name() {
            "INT8" => Value::Number(row.try_get(index)?),
            "INT4" => Value::Number(row.try_get::<Option<i32>, _>(index)?.map(i64::from)),
            "BYTEA" => Value::Bytes(row.try_get(index)?),
            _ => Value::Text(row.try_get(index)?),
        };
        Ok((column.name().to_owned(), value))
    });
    Ok(Row(columns.collect::<Result<_, sqlx::Error>>()?))
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(|error| error.code());
        match (&error, code.as_deref()) {
            (sqlx::Error::PoolTimedOut, _) => Self::Full,
            // lock_not_available, query_canceled because of its timeout.
            (_, Some("55P03" | "57014")) => Self::Busy,
            // serialization_failure, deadlock_detected.
            (_, Some("40001" | "40P01")) => Self::Conflict,
            _ => Self::Sql(error.into()),
        }
    }
}
