//! The states of sessions, for services with `session: true`: all instances on one database share
//! them.

use std::time::Duration;

use svcgen::{Fault, SessionStore};

use crate::accounts::Moment;
use crate::passwords::Fingerprint;
use crate::store::{Connection, Store, StoreError, fingerprint_key, now, values};

/// The states of sessions in the tables of an account store. Ids are not in the database, only
/// their fingerprints.
#[derive(Debug, Clone)]
pub struct Sessions {
    store: Store,
    lifetime: Duration,
}

impl Sessions {
    /// Makes sessions that end this long after their last call.
    pub fn new(store: Store, lifetime: Duration) -> Self {
        Self { store, lifetime }
    }

    fn end(&self, now: Moment) -> Moment {
        now.saturating_add_unsigned(self.lifetime.as_secs())
    }

    async fn read(&self, id: &str) -> Result<Option<String>, StoreError> {
        let now = now();
        let mut connection = self.store.connection().await?;
        let key = key(&mut connection, id).await?;
        let statement = "UPDATE sessions SET ends_at = $2 WHERE fingerprint = $1 AND ends_at > $3 RETURNING state";
        let values = values![key.bytes(), self.end(now), now];
        connection.value(statement, values).await
    }

    /// Each change is one statement, so that only one of several changes from the same old state
    /// succeeds.
    async fn write(
        &self,
        id: &str,
        old: Option<&str>,
        new: Option<&str>,
    ) -> Result<bool, StoreError> {
        let now = now();
        let mut connection = self.store.connection().await?;
        let key = key(&mut connection, id).await?;
        // Deletes all expired sessions, perhaps this one.
        let statement = "DELETE FROM sessions WHERE ends_at <= $1";
        connection.execute(statement, values![now]).await?;
        let statement = match (old, new) {
            (None, None) => {
                let statement = "SELECT 1 FROM sessions WHERE fingerprint = $1";
                let found = connection.row(statement, values![key.bytes()]).await?;
                return Ok(found.is_none());
            }
            (None, Some(_)) => {
                "INSERT INTO sessions (fingerprint, state, ends_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
            }
            (Some(_), Some(_)) => {
                "UPDATE sessions SET state = $2, ends_at = $3 WHERE fingerprint = $1 AND state = $4"
            }
            (Some(_), None) => "DELETE FROM sessions WHERE fingerprint = $1 AND state = $2",
        };
        let mut values = values![key.bytes()];
        if let Some(new) = new {
            values.extend(values![new, self.end(now)]);
        }
        if let Some(old) = old {
            values.extend(values![old]);
        }
        Ok(connection.execute(statement, values).await? == 1)
    }
}

async fn key(connection: &mut Connection, id: &str) -> Result<Fingerprint, StoreError> {
    let key = fingerprint_key(connection).await?;
    Ok(Fingerprint::of(&key, &[b"session", id.as_bytes()]))
}

/// Repeats work as long as the database gives it up for another transaction.
async fn settled<T, F: Future<Output = Result<T, StoreError>>>(
    store: &Store,
    work: impl Fn() -> F,
) -> Result<T, Fault> {
    let mut conflicts = store.conflicts();
    loop {
        let answer = work().await;
        if !conflicts.again(&answer).await {
            return answer.map_err(|error| Fault::exception(error.told()));
        }
    }
}

impl SessionStore for Sessions {
    async fn load(&self, id: &str) -> Result<Option<String>, Fault> {
        settled(&self.store, || self.read(id)).await
    }

    async fn replace(&self, id: &str, old: Option<&str>, new: Option<&str>) -> Result<bool, Fault> {
        settled(&self.store, || self.write(id, old, new)).await
    }
}
