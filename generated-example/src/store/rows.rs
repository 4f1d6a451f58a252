//! One function a question or change. Every statement is the same for both databases.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row, query, query_scalar};
use svcgen::Secret;

use super::error::StoreError;
use crate::accounts::{Access, Account, MachinesAllowed, Moment, Standing};
use crate::passwords::Fingerprint;

/// Ends the lock of the account with that id.
pub(super) const UNLOCK: &str =
    "UPDATE accounts SET failures = 0, locked_until = NULL WHERE id = $1";

/// Forgets the machines and the tokens of the account with that id.
pub(super) const RELEASE: [&str; 2] = [
    "DELETE FROM machines WHERE account_id = $1",
    "DELETE FROM login_tokens WHERE account_id = $1",
];

/// The account of that name.
///
/// # Errors
///
/// The store cannot be read.
pub async fn account(
    connection: &mut AnyConnection,
    username: &str,
) -> Result<Option<Account>, StoreError> {
    let statement = "SELECT * FROM accounts WHERE username = $1";
    read_account(connection, statement, username).await
}

/// The account of that name, which nobody else changes until the end of the transaction.
///
/// All that belongs to an account is read and written after this: changes of one account happen one after the other, as if all transactions
/// did.
///
/// # Errors
///
/// The store cannot be read, or others held the account for too long.
pub async fn account_to_change(
    connection: &mut AnyConnection,
    username: &str,
) -> Result<Option<Account>, StoreError> {
    // A transaction of SQLite that may write has the whole file for itself, and its SQL has no such clause.
    let statement = match connection.backend_name() {
        "PostgreSQL" => "SELECT * FROM accounts WHERE username = $1 FOR UPDATE",
        _ => return account(connection, username).await,
    };
    read_account(connection, statement, username).await
}

async fn read_account(
    connection: &mut AnyConnection,
    statement: &str,
    username: &str,
) -> Result<Option<Account>, StoreError> {
    // PostgreSQL takes no text with it, so no account has such a name.
    if username.contains('\0') {
        return Ok(None);
    }
    let found = query(statement)
        .bind(username)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = found else {
        return Ok(None);
    };
    let mut account = account_from(&row)?;
    account.capabilities = query_scalar(
        "SELECT capability_id FROM account_capabilities WHERE account_id = $1 ORDER BY 1",
    )
    .bind(account.id)
    .fetch_all(connection)
    .await?;
    Ok(Some(account))
}

/// Neither SQLite's tables nor both databases at once have a type of truth values: they are 0 and 1.
pub(super) fn truth(row: &AnyRow, column: &str) -> Result<bool, sqlx::Error> {
    Ok(row.try_get::<i64, _>(column)? != 0)
}

fn account_from(row: &AnyRow) -> Result<Account, sqlx::Error> {
    Ok(Account {
        id: row.try_get("id")?,
        username: row.try_get("username")?,
        password_hash: row
            .try_get::<Option<String>, _>("password_hash")?
            .map(Secret::from),
        email: row.try_get("email")?,
        // The schema allows no other words, so the last arm of each is the last word.
        standing: match row.try_get::<&str, _>("standing")? {
            "active" => Standing::Active,
            "suspended" => Standing::Suspended,
            _ => Standing::Inactive,
        },
        access: match row.try_get::<&str, _>("access")? {
            "full" => Access::Full,
            "portal-only" => Access::PortalOnly,
            "dealtrack-only" => Access::DealtrackOnly,
            _ => Access::Restricted,
        },
        machines: match row.try_get::<&str, _>("machines_allowed")? {
            "any" => MachinesAllowed::Any,
            "one" => MachinesAllowed::One,
            _ => MachinesAllowed::NoDevices,
        },
        address_allowed: row.try_get("address_allowed")?,
        read_only: truth(row, "read_only")?,
        expires_at: row.try_get("expires_at")?,
        failures: u32::try_from(row.try_get::<i64, _>("failures")?).unwrap_or(u32::MAX),
        locked_until: row.try_get("locked_until")?,
        agreement_signed: truth(row, "agreement_signed")?,
        street: row.try_get("street")?,
        city: row.try_get("city")?,
        capabilities: Vec::new(),
    })
}

/// Writes the failures and the lock of an account.
///
/// # Errors
///
/// The store cannot be written.
pub async fn set_failures(
    connection: &mut AnyConnection,
    account: &Account,
    (failures, locked_until): (u32, Option<Moment>),
) -> Result<(), StoreError> {
    query("UPDATE accounts SET failures = $1, locked_until = $2 WHERE id = $3")
        .bind(i64::from(failures))
        .bind(locked_until)
        .bind(account.id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Writes that an account signed in: no failures, no lock, and when.
///
/// # Errors
///
/// The store cannot be written.
pub async fn set_logged_in(
    connection: &mut AnyConnection,
    id: i64,
    by_user: bool,
    now: Moment,
) -> Result<(), StoreError> {
    query(
        "UPDATE accounts SET failures = 0, locked_until = NULL, last_login_at = $2,
            last_user_login_at = CASE WHEN $3 = 1 THEN $2 ELSE last_user_login_at END
         WHERE id = $1",
    )
    .bind(id)
    .bind(now)
    .bind(i64::from(by_user))
    .execute(connection)
    .await?;
    Ok(())
}

/// The key of the store's fingerprints.
///
/// # Errors
///
/// The store cannot be read, or its key has not 32 bytes.
pub async fn fingerprint_key(connection: &mut AnyConnection) -> Result<[u8; 32], StoreError> {
    let key: Vec<u8> = query_scalar("SELECT fingerprint_key FROM configuration")
        .fetch_one(connection)
        .await?;
    key.try_into()
        .map_err(|_| sqlx::Error::Decode("fingerprint_key has not 32 bytes".into()).into())
}

/// The machine that an account is tied to.
///
/// # Errors
///
/// The store cannot be read.
pub async fn machine(
    connection: &mut AnyConnection,
    account: i64,
    kind: &str,
) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(
        query_scalar("SELECT fingerprint FROM machines WHERE account_id = $1 AND kind = $2")
            .bind(account)
            .bind(kind)
            .fetch_optional(connection)
            .await?,
    )
}

/// Ties an account to a machine.
///
/// # Errors
///
/// The store cannot be written.
pub async fn set_machine(
    connection: &mut AnyConnection,
    account: i64,
    kind: &str,
    machine: &Fingerprint,
    now: Moment,
) -> Result<(), StoreError> {
    query("INSERT INTO machines VALUES ($1, $2, $3, $4)")
        .bind(account)
        .bind(kind)
        .bind(&machine.bytes()[..])
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// A stored login token: its fingerprint and its end.
///
/// # Errors
///
/// The store cannot be read.
pub async fn login_token(
    connection: &mut AnyConnection,
    account: i64,
    device: &Fingerprint,
) -> Result<Option<(Vec<u8>, Moment)>, StoreError> {
    let found = query(
        "SELECT fingerprint, expires_at FROM login_tokens WHERE account_id = $1 AND device = $2",
    )
    .bind(account)
    .bind(&device.bytes()[..])
    .fetch_optional(connection)
    .await?;
    Ok(found
        .map(|row| Ok::<_, sqlx::Error>((row.try_get(0)?, row.try_get(1)?)))
        .transpose()?)
}

/// Stores the token of an account's device in place of its former one, and drops the account's oldest tokens.
///
/// # Errors
///
/// The store cannot be written.
pub async fn set_login_token(
    connection: &mut AnyConnection,
    account: i64,
    device: &Fingerprint,
    token: &Fingerprint,
    (created, expires): (Moment, Moment),
) -> Result<(), StoreError> {
    // Later than the account's others, also when the clock went back: they are kept by their age.
    query(
        "INSERT INTO login_tokens VALUES ($1, $2, $3,
            (SELECT max(moment) FROM (SELECT $4 AS moment
                UNION ALL SELECT created_at + 1 FROM login_tokens WHERE account_id = $1) AS moments), $5)
         ON CONFLICT (account_id, device) DO UPDATE SET fingerprint = excluded.fingerprint,
            created_at = excluded.created_at, expires_at = excluded.expires_at",
    )
    .bind(account)
    .bind(&device.bytes()[..])
    .bind(&token.bytes()[..])
    .bind(created)
    .bind(expires)
    .execute(&mut *connection)
    .await?;
    // A device may call itself anything, so the number of devices needs a bound.
    query(
        "DELETE FROM login_tokens WHERE account_id = $1 AND device NOT IN
            (SELECT device FROM login_tokens WHERE account_id = $1 ORDER BY created_at DESC LIMIT 20)",
    )
    .bind(account)
    .execute(connection)
    .await?;
    Ok(())
}

/// When the latest password reset of an account was made.
///
/// # Errors
///
/// The store cannot be read.
pub async fn reset_made_at(
    connection: &mut AnyConnection,
    account: i64,
) -> Result<Option<Moment>, StoreError> {
    Ok(
        query_scalar("SELECT created_at FROM password_resets WHERE account_id = $1")
            .bind(account)
            .fetch_optional(connection)
            .await?,
    )
}

/// Stores a password reset in place of the account's former one.
///
/// # Errors
///
/// The store cannot be written.
pub async fn set_reset(
    connection: &mut AnyConnection,
    account: i64,
    token: &Fingerprint,
    (created, expires): (Moment, Moment),
) -> Result<(), StoreError> {
    query(
        "INSERT INTO password_resets VALUES ($1, $2, $3, $4)
         ON CONFLICT (account_id) DO UPDATE SET fingerprint = excluded.fingerprint,
            created_at = excluded.created_at, expires_at = excluded.expires_at",
    )
    .bind(account)
    .bind(&token.bytes()[..])
    .bind(created)
    .bind(expires)
    .execute(connection)
    .await?;
    Ok(())
}

/// Puts a mail into the outbox.
///
/// # Errors
///
/// The store cannot be written.
pub async fn send(
    connection: &mut AnyConnection,
    recipient: &str,
    subject: &str,
    body: &str,
    now: Moment,
) -> Result<(), StoreError> {
    query("INSERT INTO outbox (recipient, subject, body, created_at) VALUES ($1, $2, $3, $4)")
        .bind(recipient)
        .bind(subject)
        .bind(body)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Where a password is reset.
///
/// # Errors
///
/// The store cannot be read.
pub async fn portal_url(connection: &mut AnyConnection) -> Result<String, StoreError> {
    Ok(query_scalar("SELECT portal_url FROM configuration")
        .fetch_one(connection)
        .await?)
}
