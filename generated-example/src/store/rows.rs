//! A function for each query or change. Every statement is the same for both databases.

use svcgen::Secret;

use super::connection::Connection;
use super::error::StoreError;
use super::values::{Row, values};
use crate::accounts::{Access, Account, MachinesAllowed, Moment, Standing};
use crate::passwords::Fingerprint;

/// Lifts the lock of an account.
pub(super) const UNLOCK: &str =
    "UPDATE accounts SET failures = 0, locked_until = NULL WHERE id = $1";

/// Forgets the machines and the tokens of an account.
pub(super) const RELEASE: [&str; 2] = [
    "DELETE FROM machines WHERE account_id = $1",
    "DELETE FROM login_tokens WHERE account_id = $1",
];

/// Reads the account of a name, or the one that [stands in](Account::stands_in) for it, by the same
/// statements.
///
/// # Errors
///
/// The store cannot be read.
pub async fn account_or_stand_in(
    connection: &mut Connection,
    username: &str,
) -> Result<Account, StoreError> {
    read_account(connection, username, "").await
}

/// Reads and locks the account of a name, or the one that stands in for it, until the end of the
/// transaction.
///
/// The data of an account is read and written only after this, so that changes of one account
/// happen one after the other.
///
/// # Errors
///
/// The store cannot be read, or others locked the account for too long.
pub async fn account_or_stand_in_to_change(
    connection: &mut Connection,
    username: &str,
) -> Result<Account, StoreError> {
    let for_update = connection.for_update();
    read_account(connection, username, for_update).await
}

/// Reads and locks the account of a name, if there is one, until the end of the transaction.
///
/// # Errors
///
/// The store cannot be read, or others locked the account for too long.
pub async fn account_to_change(
    connection: &mut Connection,
    username: &str,
) -> Result<Option<Account>, StoreError> {
    let account = account_or_stand_in_to_change(connection, username).await?;
    Ok(Some(account).filter(|account| !account.stands_in()))
}

async fn read_account(
    connection: &mut Connection,
    username: &str,
    for_update: &str,
) -> Result<Account, StoreError> {
    // PostgreSQL takes no text with U+0000, so no account has such a name.
    let username = Some(username).filter(|name| !name.contains('\0'));
    let statement = format!(
        "SELECT * FROM accounts WHERE username IN ($1, '') ORDER BY username DESC LIMIT 1{for_update}"
    );
    let values = values![username.unwrap_or_default()];
    let row = connection.row(&statement, values).await?;
    let row = row.ok_or_else(|| StoreError::Sql("no account stands in".into()))?;
    let mut account = account_from(&row)?;
    let statement =
        "SELECT capability_id FROM account_capabilities WHERE account_id = $1 ORDER BY 1";
    let rows = connection.rows(statement, values![account.id]).await?;
    let capabilities = rows.iter().map(|row| row.get("capability_id"));
    account.capabilities = capabilities.collect::<Result<_, _>>()?;
    Ok(account)
}

fn account_from(row: &Row) -> Result<Account, StoreError> {
    Ok(Account {
        id: row.get("id")?,
        username: row.get("username")?,
        password_hash: row
            .get::<Option<String>>("password_hash")?
            .map(Secret::from),
        email: row.get("email")?,
        // The schema allows no other words, so the last arm of each match is the last word.
        standing: match row.get::<String>("standing")?.as_str() {
            "active" => Standing::Active,
            "suspended" => Standing::Suspended,
            _ => Standing::Inactive,
        },
        access: match row.get::<String>("access")?.as_str() {
            "full" => Access::Full,
            "portal-only" => Access::PortalOnly,
            "dealtrack-only" => Access::DealtrackOnly,
            _ => Access::Restricted,
        },
        machines: match row.get::<String>("machines_allowed")?.as_str() {
            "any" => MachinesAllowed::Any,
            "one" => MachinesAllowed::One,
            _ => MachinesAllowed::NoDevices,
        },
        address_allowed: row.get("address_allowed")?,
        read_only: row.get("read_only")?,
        expires_at: row.get("expires_at")?,
        failures: u32::try_from(row.get::<i64>("failures")?).unwrap_or(u32::MAX),
        locked_until: row.get("locked_until")?,
        agreement_signed: row.get("agreement_signed")?,
        street: row.get("street")?,
        city: row.get("city")?,
        capabilities: Vec::new(),
    })
}

/// Writes the failures and the lock of an account.
///
/// # Errors
///
/// The store cannot be written.
pub async fn set_failures(
    connection: &mut Connection,
    account: &Account,
    (failures, locked_until): (u32, Option<Moment>),
) -> Result<(), StoreError> {
    let statement = "UPDATE accounts SET failures = $1, locked_until = $2 WHERE id = $3";
    connection
        .execute(
            statement,
            values![i64::from(failures), locked_until, account.id],
        )
        .await?;
    Ok(())
}

/// Reads the number of recent wrong passwords from an address.
///
/// # Errors
///
/// The store cannot be read.
pub async fn failures_of_address(
    connection: &mut Connection,
    address: &str,
    now: Moment,
) -> Result<u32, StoreError> {
    let statement = "SELECT failures FROM address_failures WHERE address = $1 AND ends_at > $2";
    let failures: Option<i64> = connection.value(statement, values![address, now]).await?;
    Ok(u32::try_from(failures.unwrap_or(0)).unwrap_or(u32::MAX))
}

/// Counts a wrong password from an address, and deletes the counts of others that no longer matter.
///
/// # Errors
///
/// The store cannot be written.
pub async fn add_failure_of_address(
    connection: &mut Connection,
    address: &str,
    (now, end): (Moment, Moment),
) -> Result<(), StoreError> {
    let statement = "DELETE FROM address_failures WHERE ends_at <= $1";
    connection.execute(statement, values![now]).await?;
    let statement = "INSERT INTO address_failures VALUES ($1, 1, $2)
         ON CONFLICT (address) DO UPDATE SET failures = address_failures.failures + 1";
    connection.execute(statement, values![address, end]).await?;
    Ok(())
}

/// Stores that an account signed in: the time, no failures and no lock.
///
/// # Errors
///
/// The store cannot be written.
pub async fn set_logged_in(
    connection: &mut Connection,
    id: i64,
    by_user: bool,
    now: Moment,
) -> Result<(), StoreError> {
    let statement = "UPDATE accounts SET failures = 0, locked_until = NULL, last_login_at = $2,
            last_user_login_at = CASE WHEN $3 = 1 THEN $2 ELSE last_user_login_at END
         WHERE id = $1";
    connection
        .execute(statement, values![id, now, by_user])
        .await?;
    Ok(())
}

/// Reads the key of the store's fingerprints.
///
/// # Errors
///
/// The store cannot be read, or its key has not 32 bytes.
pub async fn fingerprint_key(connection: &mut Connection) -> Result<[u8; 32], StoreError> {
    let statement = "SELECT fingerprint_key FROM configuration";
    let key: Vec<u8> = connection.only(statement, values![]).await?;
    key.try_into()
        .map_err(|_| StoreError::Sql("fingerprint_key has not 32 bytes".into()))
}

/// Reads the machine to which an account is tied.
///
/// # Errors
///
/// The store cannot be read.
pub async fn machine(
    connection: &mut Connection,
    account: i64,
    kind: &str,
) -> Result<Option<Vec<u8>>, StoreError> {
    let statement = "SELECT fingerprint FROM machines WHERE account_id = $1 AND kind = $2";
    connection.value(statement, values![account, kind]).await
}

/// Ties an account to a machine.
///
/// # Errors
///
/// The store cannot be written.
pub async fn set_machine(
    connection: &mut Connection,
    account: i64,
    kind: &str,
    machine: &Fingerprint,
    now: Moment,
) -> Result<(), StoreError> {
    let statement = "INSERT INTO machines VALUES ($1, $2, $3, $4)";
    connection
        .execute(statement, values![account, kind, machine.bytes(), now])
        .await?;
    Ok(())
}

/// Reads the fingerprint and the end of a stored login token.
///
/// # Errors
///
/// The store cannot be read.
pub async fn login_token(
    connection: &mut Connection,
    account: i64,
    device: &Fingerprint,
) -> Result<Option<(Vec<u8>, Moment)>, StoreError> {
    let statement =
        "SELECT fingerprint, expires_at FROM login_tokens WHERE account_id = $1 AND device = $2";
    let found = connection.row(statement, values![account, device.bytes()]);
    let pair = |row: Row| Ok((row.get("fingerprint")?, row.get("expires_at")?));
    found.await?.map(pair).transpose()
}

/// Stores the token of a device in place of its former one, and deletes the oldest tokens of the
/// account.
///
/// # Errors
///
/// The store cannot be written.
pub async fn set_login_token(
    connection: &mut Connection,
    account: i64,
    device: &Fingerprint,
    token: &Fingerprint,
    (created, expires): (Moment, Moment),
) -> Result<(), StoreError> {
    // Later than the other tokens of the account, even if the clock was set back, because the
    // oldest ones are deleted.
    let statement = "INSERT INTO login_tokens VALUES ($1, $2, $3,
            (SELECT max(moment) FROM (SELECT $4 AS moment
                UNION ALL SELECT created_at + 1 FROM login_tokens WHERE account_id = $1) AS moments), $5)
         ON CONFLICT (account_id, device) DO UPDATE SET fingerprint = excluded.fingerprint,
            created_at = excluded.created_at, expires_at = excluded.expires_at";
    connection
        .execute(
            statement,
            values![account, device.bytes(), token.bytes(), created, expires],
        )
        .await?;
    // Devices choose their own names, so the number of devices needs a bound.
    let statement = "DELETE FROM login_tokens WHERE account_id = $1 AND device NOT IN
            (SELECT device FROM login_tokens WHERE account_id = $1 ORDER BY created_at DESC LIMIT 20)";
    connection.execute(statement, values![account]).await?;
    Ok(())
}

/// Reads the time of the latest password reset of an account.
///
/// # Errors
///
/// The store cannot be read.
pub async fn reset_made_at(
    connection: &mut Connection,
    account: i64,
) -> Result<Option<Moment>, StoreError> {
    let statement = "SELECT created_at FROM password_resets WHERE account_id = $1";
    connection.value(statement, values![account]).await
}

/// Stores a password reset in place of the account's former one.
///
/// # Errors
///
/// The store cannot be written.
pub async fn set_reset(
    connection: &mut Connection,
    account: i64,
    token: &Fingerprint,
    (created, expires): (Moment, Moment),
) -> Result<(), StoreError> {
    let statement = "INSERT INTO password_resets VALUES ($1, $2, $3, $4)
         ON CONFLICT (account_id) DO UPDATE SET fingerprint = excluded.fingerprint,
            created_at = excluded.created_at, expires_at = excluded.expires_at";
    connection
        .execute(statement, values![account, token.bytes(), created, expires])
        .await?;
    Ok(())
}

/// Puts a mail into the outbox.
///
/// # Errors
///
/// The store cannot be written.
pub async fn send(
    connection: &mut Connection,
    recipient: &str,
    subject: &str,
    body: &str,
    now: Moment,
) -> Result<(), StoreError> {
    let statement =
        "INSERT INTO outbox (recipient, subject, body, created_at) VALUES ($1, $2, $3, $4)";
    connection
        .execute(statement, values![recipient, subject, body, now])
        .await?;
    Ok(())
}

/// Reads the URL at which a password is reset.
///
/// # Errors
///
/// The store cannot be read.
pub async fn portal_url(connection: &mut Connection) -> Result<String, StoreError> {
    let statement = "SELECT portal_url FROM configuration";
    connection.only(statement, values![]).await
}
