//! The accounts and the configuration of a new store. The README explains them.

use std::sync::Arc;

use svcgen::Secret;

use super::connection::Connection;
use super::error::StoreError;
use super::rows::set_machine;
use super::values::{Value, values};
use crate::accounts::{Moment, UNTIL_UNLOCKED, capability};
use crate::passwords::{Fingerprint, Passwords, random};

/// The password of all demo accounts that have one.
pub const PASSWORD: &str = "secret";

const CAPABILITIES: &[(i32, &str)] = &[
    (capability::CLIENT_LOGIN, "client login"),
    (capability::DEVICE_LOGIN, "device login"),
    (capability::PASSWORD_MAIL, "password mail"),
    (capability::SELF_SERVICE, "self service"),
    (capability::REAL_TIME, "real time"),
    (capability::MOBILE_REAL_TIME, "real time on devices"),
    (capability::ANTI_REAL_TIME, "no real time"),
];

const GRANTED: &[i32] = &[
    capability::CLIENT_LOGIN,
    capability::DEVICE_LOGIN,
    capability::PASSWORD_MAIL,
    capability::SELF_SERVICE,
    capability::REAL_TIME,
    capability::MOBILE_REAL_TIME,
];

const NEWS_SOURCES: &[(i32, &str, bool)] = &[
    (1, "Wire", true),
    (2, "Blogs & Opinion", false),
    (3, "Filings", true),
];

/// A demo account, by its differences from a good one.
enum Trait {
    Column(&'static str, Column),
    Without(&'static [i32]),
    With(i32),
    Device(&'static str),
}

enum Column {
    Text(&'static str),
    Number(i64),
    Null,
}

use Column::{Null, Number, Text};
use Trait::{Column as Set, Device, With, Without};

const ACCOUNTS: &[(&str, &[Trait])] = &[
    ("alice", &[]),
    ("suspended", &[Set("standing", Text("suspended"))]),
    ("inactive", &[Set("standing", Text("inactive"))]),
    // 2020-01-01
    ("expired", &[Set("expires_at", Number(1_577_836_800))]),
    ("locked", &[Set("locked_until", Number(UNTIL_UNLOCKED))]),
    (
        "no-capability",
        &[Without(&[
            capability::CLIENT_LOGIN,
            capability::DEVICE_LOGIN,
        ])],
    ),
    ("portal-only", &[Set("access", Text("portal-only"))]),
    ("dealtrack-only", &[Set("access", Text("dealtrack-only"))]),
    ("restricted", &[Set("access", Text("restricted"))]),
    (
        "other-address",
        &[Set("address_allowed", Text("192.0.2.10"))],
    ),
    (
        "one-machine",
        &[Set("machines_allowed", Text("one")), Device("first-device")],
    ),
    ("no-devices", &[Set("machines_allowed", Text("no-devices"))]),
    ("no-password", &[Set("password_hash", Null)]),
    ("read-only", &[Set("read_only", Number(1))]),
    ("no-email", &[Set("email", Null)]),
    ("no-password-mail", &[Without(&[capability::PASSWORD_MAIL])]),
    ("no-self-service", &[Without(&[capability::SELF_SERVICE])]),
    ("anti-cap", &[With(capability::ANTI_REAL_TIME)]),
    ("no-address", &[Set("street", Null), Set("city", Null)]),
    ("half-address", &[Set("city", Null)]),
    ("no-agreement", &[Set("agreement_signed", Number(0))]),
    (
        "no-real-time",
        &[Without(&[
            capability::REAL_TIME,
            capability::MOBILE_REAL_TIME,
        ])],
    ),
    (
        "no-mobile-real-time",
        &[Without(&[capability::MOBILE_REAL_TIME])],
    ),
];

/// The number of accounts in a new store.
pub const ACCOUNT_COUNT: usize = ACCOUNTS.len();

/// Fills a store whose tables were just created.
///
/// # Errors
///
/// The store cannot be written, or the system has no random bytes.
pub(super) async fn fill(
    connection: &mut Connection,
    passwords: &Arc<Passwords>,
    now: Moment,
) -> Result<(), StoreError> {
    let key = random::<32>()?;
    fill_configuration(connection, &key).await?;
    for (id, name) in CAPABILITIES {
        let statement = "INSERT INTO capabilities VALUES ($1, $2)";
        connection.execute(statement, values![*id, *name]).await?;
    }
    for (id, name, checked) in NEWS_SOURCES {
        let statement = "INSERT INTO news_sources VALUES ($1, $2, $3)";
        let values = values![*id, *name, *checked];
        connection.execute(statement, values).await?;
    }
    let hashes = hashes(passwords).await?;
    for ((id, (username, traits)), hash) in (1001_i64..).zip(ACCOUNTS).zip(&hashes) {
        let statement = "INSERT INTO accounts (id, username, password_hash, email, street, city)
             VALUES ($1, $2, $3, $4, '1 Main Street', 'Springfield')";
        let email = format!("{username}@example.com");
        let values = values![id, *username, hash.as_str(), email];
        connection.execute(statement, values).await?;
        for capability in GRANTED {
            grant(connection, id, *capability).await?;
        }
        for each in *traits {
            apply(connection, &key, id, each, now).await?;
        }
    }
    Ok(())
}

/// Hashes the password for each account. This takes a second, outside of the threads that serve the
/// network.
async fn hashes(passwords: &Arc<Passwords>) -> Result<Vec<Secret<String>>, StoreError> {
    let passwords = passwords.clone();
    let password = Secret::from(PASSWORD);
    let job = move || ACCOUNTS.iter().map(|_| passwords.hash(&password)).collect();
    let hashes: Result<_, argon2::password_hash::Error> = tokio::task::spawn_blocking(job)
        .await
        .map_err(|_| StoreError::Stopped)?;
    Ok(hashes?)
}

async fn grant(connection: &mut Connection, id: i64, capability: i32) -> Result<(), StoreError> {
    let statement = "INSERT INTO account_capabilities VALUES ($1, $2)";
    let values = values![id, capability];
    connection.execute(statement, values).await?;
    Ok(())
}

async fn apply(
    connection: &mut Connection,
    key: &[u8; 32],
    id: i64,
    each: &Trait,
    now: Moment,
) -> Result<(), StoreError> {
    match each {
        Set(column, value) => {
            let statement = format!("UPDATE accounts SET {column} = $1 WHERE id = $2");
            let value = match value {
                Text(text) => Value::from(*text),
                Number(number) => Value::from(*number),
                Null => Value::Text(None),
            };
            connection
                .execute(&statement, vec![value, Value::from(id)])
                .await?;
        }
        Without(missing) => {
            for capability in *missing {
                let statement =
                    "DELETE FROM account_capabilities WHERE account_id = $1 AND capability_id = $2";
                let values = values![id, *capability];
                connection.execute(statement, values).await?;
            }
        }
        With(capability) => grant(connection, id, *capability).await?,
        Device(pin) => {
            let fingerprint = Fingerprint::of(key, &[b"device", pin.as_bytes()]);
            set_machine(connection, id, "device", &fingerprint, now).await?;
        }
    }
    Ok(())
}

async fn fill_configuration(connection: &mut Connection, key: &[u8; 32]) -> Result<(), StoreError> {
    let statement = "INSERT INTO configuration VALUES (1, $1, 'https://portal.example.com/',
            'rt.example.com', 8443, 'https', 'rtauth.example.com', 9443, 'tcp',
            'https://entry.example.com/start', 'https://base.example.com/',
            '+1 555 0100', 'support@example.com', 100, 30)";
    connection.execute(statement, values![key]).await?;
    Ok(())
}
