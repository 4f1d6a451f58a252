//! The accounts and the configuration that a new file starts with. The README explains them.

use rusqlite::{Transaction, params};
use svcgen::Secret;

use crate::accounts::{Moment, UNTIL_UNLOCKED, capability};
use crate::passwords::{Fingerprint, Passwords, random};
use crate::store_error::StoreError;

/// The password of every demo account that has one.
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

/// How an account differs from a good one.
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

/// How many accounts a new file has.
pub const ACCOUNT_COUNT: usize = ACCOUNTS.len();

/// Fills a store whose tables were just made.
///
/// # Errors
///
/// The file cannot be written, or the system has no random bytes.
pub fn fill(
    transaction: &Transaction<'_>,
    passwords: &Passwords,
    now: Moment,
) -> Result<(), StoreError> {
    let key = random::<32>()?;
    fill_configuration(transaction, &key)?;
    for (id, name) in CAPABILITIES {
        transaction.execute("INSERT INTO capabilities VALUES (?, ?)", params![id, name])?;
    }
    for (id, name, checked) in NEWS_SOURCES {
        transaction.execute(
            "INSERT INTO news_sources VALUES (?, ?, ?)",
            params![id, name, checked],
        )?;
    }
    for (id, (username, traits)) in (1001..).zip(ACCOUNTS) {
        let hash = passwords.hash(&Secret::from(PASSWORD))?;
        transaction.execute(
            "INSERT INTO accounts (id, username, password_hash, email, street, city)
             VALUES (?, ?, ?, ? || '@example.com', '1 Main Street', 'Springfield')",
            params![id, username, *hash, username],
        )?;
        for capability in GRANTED {
            transaction.execute(
                "INSERT INTO account_capabilities VALUES (?, ?)",
                params![id, capability],
            )?;
        }
        for each in *traits {
            apply(transaction, &key, id, each, now)?;
        }
    }
    Ok(())
}

fn apply(
    transaction: &Transaction<'_>,
    key: &[u8; 32],
    id: i64,
    each: &Trait,
    now: Moment,
) -> Result<(), StoreError> {
    match each {
        Set(column, value) => {
            let sql = format!("UPDATE accounts SET {column} = ? WHERE id = ?");
            match value {
                Text(text) => transaction.execute(&sql, params![text, id])?,
                Number(number) => transaction.execute(&sql, params![number, id])?,
                Null => transaction.execute(&sql, params![None::<String>, id])?,
            };
        }
        Without(missing) => {
            for capability in *missing {
                transaction.execute(
                    "DELETE FROM account_capabilities WHERE account_id = ? AND capability_id = ?",
                    params![id, capability],
                )?;
            }
        }
        With(capability) => {
            transaction.execute(
                "INSERT INTO account_capabilities VALUES (?, ?)",
                params![id, capability],
            )?;
        }
        Device(pin) => {
            let fingerprint = Fingerprint::of(key, &[b"device", pin.as_bytes()]);
            transaction.execute(
                "INSERT INTO machines VALUES (?, 'device', ?, ?)",
                params![id, fingerprint.bytes(), now],
            )?;
        }
    }
    Ok(())
}

fn fill_configuration(transaction: &Transaction<'_>, key: &[u8; 32]) -> Result<(), StoreError> {
    transaction.execute(
        "INSERT INTO configuration VALUES (1, ?, 'https://portal.example.com/',
            'rt.example.com', 8443, 'https', 'rtauth.example.com', 9443, 'tcp',
            'https://entry.example.com/start', 'https://base.example.com/',
            '+1 555 0100', 'support@example.com', 100, 30)",
        params![key],
    )?;
    Ok(())
}
