//! The SQLite file: opening it safely, a small pool of connections, and one function a question or change.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use svcgen::Secret;
use tokio::sync::Semaphore;

use crate::accounts::{Access, Account, MachinesAllowed, Moment, Standing};
use crate::demo;
use crate::passwords::{Fingerprint, HashCost, Passwords};
use crate::store_error::SCHEMA_VERSION;
pub use crate::store_error::StoreError;

/// `application_id` of our files: "SvcX".
const APPLICATION_ID: i32 = 0x5376_6358;
/// How long opening waits for another program that makes the file: it hashes all demo passwords meanwhile.
const OPEN_TIMEOUT: Duration = Duration::from_secs(60);

/// How a store works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreOptions {
    /// What a new password hash costs.
    pub cost: HashCost,
    /// How long work waits for another program that holds the file.
    pub busy_timeout: Duration,
    /// How long work waits for other work of this program.
    pub queue_timeout: Duration,
}

impl Default for StoreOptions {
    /// The default cost, 5 seconds and 10 seconds.
    fn default() -> Self {
        Self {
            cost: HashCost::default(),
            busy_timeout: Duration::from_secs(5),
            queue_timeout: Duration::from_secs(10),
        }
    }
}

/// The account store. Clones share one pool.
#[derive(Clone)]
pub struct Store {
    pool: Arc<Pool>,
    created: bool,
}

struct Pool {
    path: PathBuf,
    busy_timeout: Duration,
    queue_timeout: Duration,
    idle: Mutex<Vec<Connection>>,
    // Bounds the connections, and with them the password hashes that are computed at once and their memory.
    permits: Arc<Semaphore>,
    passwords: Passwords,
}

impl fmt::Debug for Store {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Store")
            .field("path", &self.pool.path)
            .finish_non_exhaustive()
    }
}

impl Store {
    /// Opens a file, or makes one with the demo accounts if there is none (or an empty one). Blocks.
    ///
    /// Tables and accounts are made in one transaction: whatever happens, the file holds all of them or none.
    ///
    /// # Errors
    ///
    /// The file belongs to something else or to a newer version (it is not touched then), or cannot be opened.
    pub fn open(path: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        refuse_foreign_file(path)?;
        make_private_file(path)?;
        let passwords = Passwords::new(options.cost)?;
        let mut connection = connect(path, OPEN_TIMEOUT)?;
        let created = create_or_check(&mut connection, path, &passwords)?;
        // WAL lets readers and a writer work at once; a file system that cannot have it does without.
        let _ = connection.pragma_update(None, "journal_mode", "WAL");
        connection.busy_timeout(options.busy_timeout)?;
        let threads = std::thread::available_parallelism().map_or(2, |count| count.get().max(2));
        let pool = Pool {
            path: path.to_owned(),
            busy_timeout: options.busy_timeout,
            queue_timeout: options.queue_timeout,
            idle: Mutex::new(vec![connection]),
            permits: Arc::new(Semaphore::new(threads)),
            passwords,
        };
        Ok(Self {
            pool: Arc::new(pool),
            created,
        })
    }

    /// Whether opening made the file.
    pub fn created(&self) -> bool {
        self.created
    }

    /// Runs blocking work with a connection, away from the threads that serve the network.
    ///
    /// Work that has begun runs to its end even if the caller goes away.
    ///
    /// # Errors
    ///
    /// Those of the work; [`StoreError::Full`] if other work took too long, [`StoreError::Stopped`] if it panicked or the runtime
    /// is going down.
    pub async fn run<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&mut Connection, &Passwords) -> Result<T, StoreError> + Send + 'static,
    {
        let permit = self.pool.permits.clone().acquire_owned();
        let permit = tokio::time::timeout(self.pool.queue_timeout, permit)
            .await
            .map_err(|_| StoreError::Full)?
            .map_err(|_| StoreError::Stopped)?;
        let pool = self.pool.clone();
        let job = move || {
            let mut connection = pool.connection()?;
            let result = work(&mut connection, &pool.passwords);
            pool.idle().push(connection);
            drop(permit);
            result
        };
        tokio::task::spawn_blocking(job)
            .await
            .map_err(|_| StoreError::Stopped)?
    }

    /// Ends an account's lock and forgets its failures. Blocks.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownUser`], or the file cannot be written.
    pub fn unlock(&self, username: &str) -> Result<(), StoreError> {
        let connection = self.pool.connection()?;
        let changed = connection.execute(
            "UPDATE accounts SET failures = 0, locked_until = NULL WHERE username = ?",
            [username],
        )?;
        self.pool.idle().push(connection);
        if changed == 0 {
            Err(StoreError::UnknownUser(username.to_owned()))
        } else {
            Ok(())
        }
    }

    /// Forgets the machines that an account is tied to and its devices' tokens. Blocks.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownUser`], or the file cannot be written.
    pub fn release_machines(&self, username: &str) -> Result<(), StoreError> {
        let mut connection = self.pool.connection()?;
        let transaction = write(&mut connection)?;
        let Some(account) = account(&transaction, username)? else {
            return Err(StoreError::UnknownUser(username.to_owned()));
        };
        transaction.execute("DELETE FROM machines WHERE account_id = ?", [account.id])?;
        transaction.execute(
            "DELETE FROM login_tokens WHERE account_id = ?",
            [account.id],
        )?;
        transaction.commit()?;
        self.pool.idle().push(connection);
        Ok(())
    }
}

impl Pool {
    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        // A list of idle connections is whole at every moment, whoever panicked.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connection(&self) -> Result<Connection, StoreError> {
        let idle = self.idle().pop();
        idle.map_or_else(|| connect(&self.path, self.busy_timeout), Ok)
    }
}

fn connect(path: &Path, busy_timeout: Duration) -> Result<Connection, StoreError> {
    let connection =
        Connection::open(path).map_err(|error| StoreError::Open(path.to_owned(), error))?;
    connection.busy_timeout(busy_timeout)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // What is deleted here is a fingerprint of a secret; it leaves the file.
    connection.pragma_update(None, "secure_delete", true)?;
    Ok(connection)
}

/// Looks at a file's first bytes without SQLite, which would already write beside a foreign database by opening it.
fn refuse_foreign_file(path: &Path) -> Result<(), StoreError> {
    // A crash while the file was made leaves a journal, from which SQLite restores the empty file; another program
    // that makes the file right now has one as well.
    let journal = journal(path);
    let unfinished = journal.exists();
    let mut head = [0; 100];
    let read = match File::open(path).and_then(|mut file| read_up_to(&mut file, &mut head)) {
        Ok(read) => read,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(StoreError::Read(path.to_owned(), error)),
    };
    if read == 0 || unfinished || journal.exists() {
        return Ok(());
    }
    // File format §1.3: magic at offset 0, application_id at offset 68.
    let ours =
        head.starts_with(b"SQLite format 3\0") && head[68..72] == APPLICATION_ID.to_be_bytes();
    if ours {
        Ok(())
    } else {
        Err(StoreError::Foreign(path.to_owned()))
    }
}

/// Makes an empty file that only its owner may read, if there is none. What SQLite writes beside it is as private.
fn make_private_file(path: &Path) -> Result<(), StoreError> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(StoreError::Make(path.to_owned(), error)),
    }
}

fn read_up_to(file: &mut File, head: &mut [u8]) -> io::Result<usize> {
    let length = head.len() as u64;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    head[..bytes.len()].copy_from_slice(&bytes);
    Ok(bytes.len())
}

fn journal(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-journal");
    name.into()
}

/// Whether the file had to be filled.
fn create_or_check(
    connection: &mut Connection,
    path: &Path,
    passwords: &Passwords,
) -> Result<bool, StoreError> {
    let transaction = write(connection)?;
    let number = |pragma: &str| {
        transaction.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i32>(0))
    };
    let tables: i64 =
        transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (number("application_id")?, number("user_version")?) {
        (APPLICATION_ID, SCHEMA_VERSION) => return Ok(false),
        (APPLICATION_ID, version) => return Err(StoreError::Version(path.to_owned(), version)),
        (0, 0) if tables == 0 => {}
        _ => return Err(StoreError::Foreign(path.to_owned())),
    }
    transaction.execute_batch(include_str!("schema.sql"))?;
    demo::fill(&transaction, passwords, now())?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    transaction.commit()?;
    Ok(true)
}

/// Now, in seconds since 1970-01-01 UTC.
pub fn now() -> Moment {
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    Moment::try_from(since.as_secs()).unwrap_or(Moment::MAX)
}

/// A transaction that may write: it waits for its turn at its start, not in its middle.
///
/// # Errors
///
/// Another program held the file for too long.
pub fn write(connection: &mut Connection) -> Result<Transaction<'_>, StoreError> {
    Ok(connection.transaction_with_behavior(TransactionBehavior::Immediate)?)
}

/// The account of that name.
///
/// # Errors
///
/// The file cannot be read.
pub fn account(connection: &Connection, username: &str) -> Result<Option<Account>, StoreError> {
    let found = connection
        .prepare_cached("SELECT * FROM accounts WHERE username = ?")?
        .query_row([username], account_from)
        .optional()?;
    let Some(mut account) = found else {
        return Ok(None);
    };
    account.capabilities = connection
        .prepare_cached(
            "SELECT capability_id FROM account_capabilities WHERE account_id = ? ORDER BY 1",
        )?
        .query_map([account.id], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    Ok(Some(account))
}

fn account_from(row: &Row<'_>) -> rusqlite::Result<Account> {
    Ok(Account {
        id: row.get("id")?,
        username: row.get("username")?,
        password_hash: row
            .get::<_, Option<String>>("password_hash")?
            .map(Secret::from),
        email: row.get("email")?,
        // The schema allows no other words, so the last arm of each is the last word.
        standing: match row.get_ref("standing")?.as_str()? {
            "active" => Standing::Active,
            "suspended" => Standing::Suspended,
            _ => Standing::Inactive,
        },
        access: match row.get_ref("access")?.as_str()? {
            "full" => Access::Full,
            "portal-only" => Access::PortalOnly,
            "dealtrack-only" => Access::DealtrackOnly,
            _ => Access::Restricted,
        },
        machines: match row.get_ref("machines_allowed")?.as_str()? {
            "any" => MachinesAllowed::Any,
            "one" => MachinesAllowed::One,
            _ => MachinesAllowed::NoDevices,
        },
        address_allowed: row.get("address_allowed")?,
        read_only: row.get("read_only")?,
        expires_at: row.get("expires_at")?,
        failures: row.get("failures")?,
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
/// The file cannot be written.
pub fn set_failures(
    connection: &Connection,
    account: &Account,
    (failures, locked_until): (u32, Option<Moment>),
) -> Result<(), StoreError> {
    connection
        .prepare_cached("UPDATE accounts SET failures = ?, locked_until = ? WHERE id = ?")?
        .execute(params![failures, locked_until, account.id])?;
    Ok(())
}

/// Writes that an account signed in: no failures, no lock, and when.
///
/// # Errors
///
/// The file cannot be written.
pub fn set_logged_in(
    connection: &Connection,
    id: i64,
    by_user: bool,
    now: Moment,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "UPDATE accounts SET failures = 0, locked_until = NULL, last_login_at = ?2,
                last_user_login_at = CASE WHEN ?3 THEN ?2 ELSE last_user_login_at END
             WHERE id = ?1",
        )?
        .execute(params![id, now, by_user])?;
    Ok(())
}

/// The key of the file's fingerprints.
///
/// # Errors
///
/// The file cannot be read.
pub fn fingerprint_key(connection: &Connection) -> Result<[u8; 32], StoreError> {
    Ok(connection
        .prepare_cached("SELECT fingerprint_key FROM configuration")?
        .query_row([], |row| row.get(0))?)
}

/// The machine that an account is tied to.
///
/// # Errors
///
/// The file cannot be read.
pub fn machine(
    connection: &Connection,
    account: i64,
    kind: &str,
) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(connection
        .prepare_cached("SELECT fingerprint FROM machines WHERE account_id = ? AND kind = ?")?
        .query_row(params![account, kind], |row| row.get(0))
        .optional()?)
}

/// Ties an account to a machine.
///
/// # Errors
///
/// The file cannot be written.
pub fn set_machine(
    connection: &Connection,
    account: i64,
    kind: &str,
    machine: &Fingerprint,
    now: Moment,
) -> Result<(), StoreError> {
    connection
        .prepare_cached("INSERT INTO machines VALUES (?, ?, ?, ?)")?
        .execute(params![account, kind, machine.bytes(), now])?;
    Ok(())
}

/// A stored login token: its fingerprint and its end.
///
/// # Errors
///
/// The file cannot be read.
pub fn login_token(
    connection: &Connection,
    account: i64,
    device: &Fingerprint,
) -> Result<Option<(Vec<u8>, Moment)>, StoreError> {
    Ok(connection
        .prepare_cached(
            "SELECT fingerprint, expires_at FROM login_tokens WHERE account_id = ? AND device = ?",
        )?
        .query_row(params![account, device.bytes()], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?)
}

/// Stores the token of an account's device in place of its former one, and drops the account's oldest tokens.
///
/// # Errors
///
/// The file cannot be written.
pub fn set_login_token(
    connection: &Connection,
    account: i64,
    device: &Fingerprint,
    token: &Fingerprint,
    (created, expires): (Moment, Moment),
) -> Result<(), StoreError> {
    connection
        // Later than the account's others, also when the clock went back: they are kept by their age.
        .prepare_cached(
            "INSERT OR REPLACE INTO login_tokens VALUES (?1, ?2, ?3,
                max(?4, (SELECT coalesce(max(created_at), 0) + 1 FROM login_tokens WHERE account_id = ?1)), ?5)",
        )?
        .execute(params![
            account,
            device.bytes(),
            token.bytes(),
            created,
            expires
        ])?;
    // A device may call itself anything, so the number of devices needs a bound.
    connection
        .prepare_cached(
            "DELETE FROM login_tokens WHERE account_id = ?1 AND device NOT IN
                (SELECT device FROM login_tokens WHERE account_id = ?1 ORDER BY created_at DESC, device = ?2 DESC LIMIT 20)",
        )?
        .execute(params![account, device.bytes()])?;
    Ok(())
}

/// When the latest password reset of an account was made.
///
/// # Errors
///
/// The file cannot be read.
pub fn reset_made_at(connection: &Connection, account: i64) -> Result<Option<Moment>, StoreError> {
    Ok(connection
        .query_row(
            "SELECT created_at FROM password_resets WHERE account_id = ?",
            [account],
            |row| row.get(0),
        )
        .optional()?)
}

/// Stores a password reset in place of the account's former one.
///
/// # Errors
///
/// The file cannot be written.
pub fn set_reset(
    connection: &Connection,
    account: i64,
    token: &Fingerprint,
    (created, expires): (Moment, Moment),
) -> Result<(), StoreError> {
    connection.execute(
        "INSERT OR REPLACE INTO password_resets VALUES (?, ?, ?, ?)",
        params![account, token.bytes(), created, expires],
    )?;
    Ok(())
}

/// Puts a mail into the outbox.
///
/// # Errors
///
/// The file cannot be written.
pub fn send(
    connection: &Connection,
    recipient: &str,
    subject: &str,
    body: &str,
    now: Moment,
) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO outbox (recipient, subject, body, created_at) VALUES (?, ?, ?, ?)",
        params![recipient, subject, body, now],
    )?;
    Ok(())
}

/// Where a password is reset.
///
/// # Errors
///
/// The file cannot be read.
pub fn portal_url(connection: &Connection) -> Result<String, StoreError> {
    Ok(connection.query_row("SELECT portal_url FROM configuration", [], |row| row.get(0))?)
}

/// What a device is told, from the configuration and the account's own settings.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "named as in the interface")]
pub struct DeviceConfiguration {
    pub real_time_host: String,
    pub real_time_port: i32,
    pub real_time_protocol: String,
    pub real_time_auth_host: String,
    pub real_time_auth_port: i32,
    pub real_time_auth_protocol: String,
    pub entry_point_url: String,
    pub base_url: String,
    pub client_support_phone: String,
    pub mobile_support_email: String,
    pub max_news_headlines: i32,
    pub min_news_auto_refresh_time: i32,
    pub quotes_data_vendor_id: i32,
    pub idms_mobile_quotes: bool,
    pub idms_security_profile: bool,
    pub news_sources: Vec<NewsSource>,
}

/// A kind of news that a device may search.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "named as in the interface")]
pub struct NewsSource {
    pub id: i32,
    pub name: String,
    pub checked_by_default: bool,
}

/// What a device of that account is told.
///
/// # Errors
///
/// The file cannot be read.
pub fn device_configuration(
    connection: &Connection,
    account: i64,
) -> Result<DeviceConfiguration, StoreError> {
    let news_sources = connection
        .prepare_cached("SELECT id, name, checked_by_default FROM news_sources ORDER BY id")?
        .query_map([], |row| {
            Ok(NewsSource {
                id: row.get(0)?,
                name: row.get(1)?,
                checked_by_default: row.get(2)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    let configuration = connection
        .prepare_cached("SELECT * FROM configuration, accounts WHERE accounts.id = ?")?
        .query_row([account], |row| {
            Ok(DeviceConfiguration {
                real_time_host: row.get("real_time_host")?,
                real_time_port: row.get("real_time_port")?,
                real_time_protocol: row.get("real_time_protocol")?,
                real_time_auth_host: row.get("real_time_auth_host")?,
                real_time_auth_port: row.get("real_time_auth_port")?,
                real_time_auth_protocol: row.get("real_time_auth_protocol")?,
                entry_point_url: row.get("entry_point_url")?,
                base_url: row.get("base_url")?,
                client_support_phone: row.get("client_support_phone")?,
                mobile_support_email: row.get("mobile_support_email")?,
                max_news_headlines: row.get("max_news_headlines")?,
                min_news_auto_refresh_time: row.get("min_news_auto_refresh_time")?,
                quotes_data_vendor_id: row.get("quotes_data_vendor_id")?,
                idms_mobile_quotes: row.get("idms_mobile_quotes")?,
                idms_security_profile: row.get("idms_security_profile")?,
                news_sources,
            })
        })?;
    Ok(configuration)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHEAP: StoreOptions = StoreOptions {
        cost: HashCost {
            memory: 8,
            passes: 1,
        },
        busy_timeout: Duration::from_secs(5),
        queue_timeout: Duration::from_secs(10),
    };

    #[test]
    fn an_existing_file_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        let store = Store::open(&path, CHEAP).unwrap();
        assert!(store.created());
        store
            .pool
            .connection()
            .unwrap()
            .execute("UPDATE accounts SET failures = 3", [])
            .unwrap();
        drop(store);
        let store = Store::open(&path, CHEAP).unwrap();
        assert!(!store.created());
        let alice = account(&store.pool.connection().unwrap(), "ALICE")
            .unwrap()
            .unwrap();
        assert_eq!((alice.username.as_str(), alice.failures), ("alice", 3));
    }

    #[test]
    fn every_demo_account_is_there_and_readable() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("a.sqlite"), CHEAP).unwrap();
        let connection = store.pool.connection().unwrap();
        let names: Vec<String> = connection
            .prepare("SELECT username FROM accounts")
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        assert_eq!(names.len(), demo::ACCOUNT_COUNT);
        for name in names {
            assert!(account(&connection, &name).unwrap().is_some());
        }
    }

    #[test]
    fn a_file_of_something_else_is_left_untouched() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("notes.txt");
        std::fs::write(&text, "dear diary").unwrap();
        let other = folder.path().join("other.sqlite");
        let connection = Connection::open(&other).unwrap();
        connection
            .execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
            .unwrap();
        drop(connection);
        for path in [text, other] {
            let before = std::fs::read(&path).unwrap();
            assert!(matches!(
                Store::open(&path, CHEAP),
                Err(StoreError::Foreign(_))
            ));
            assert_eq!(std::fs::read(&path).unwrap(), before);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn another_version_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        drop(Store::open(&path, CHEAP).unwrap());
        Connection::open(&path)
            .unwrap()
            .pragma_update(None, "user_version", 2)
            .unwrap();
        assert!(matches!(
            Store::open(&path, CHEAP),
            Err(StoreError::Version(_, 2))
        ));
    }

    #[test]
    fn a_folder_that_does_not_exist_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("a.sqlite");
        let error = Store::open(&path, CHEAP).unwrap_err().to_string();
        assert!(
            error.contains("missing") && error.contains("does its folder exist"),
            "{error}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_may_read_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("a.sqlite"), CHEAP).unwrap();
        store.unlock("locked").unwrap();
        let mut files = 0;
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let mode = entry.unwrap().metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0);
            files += 1;
        }
        assert!(files >= 2, "the file and its log");
    }

    #[test]
    fn two_programs_that_start_at_once_make_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        let open = || Store::open(&path, CHEAP).map(|store| store.created());
        let created = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap().unwrap())
                .filter(|created| *created)
                .count()
        });
        assert_eq!(created, 1);
    }

    #[tokio::test]
    async fn work_waits_for_other_work_for_a_bounded_time() {
        let folder = tempfile::tempdir().unwrap();
        let options = StoreOptions {
            queue_timeout: Duration::from_millis(50),
            ..CHEAP
        };
        let store = Store::open(&folder.path().join("a.sqlite"), options).unwrap();
        let (open, gate) = std::sync::mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let mut works = Vec::new();
        while store.pool.permits.available_permits() > 0 {
            let (store, gate) = (store.clone(), gate.clone());
            works.push(tokio::spawn(async move {
                let work = move |_: &mut _, _: &_| {
                    // Waits until the other end is dropped.
                    let _ = gate.lock().map(|gate| gate.recv());
                    Ok(())
                };
                store.run(work).await
            }));
            tokio::task::yield_now().await;
        }
        let refused = store.run(|_, _| Ok(())).await;
        assert!(matches!(refused, Err(StoreError::Full)), "{refused:?}");
        drop(open);
        for work in works {
            work.await.unwrap().unwrap();
        }
        store.run(|_, _| Ok(())).await.unwrap();
    }

    #[tokio::test]
    async fn work_that_panics_does_not_end_the_pool() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("a.sqlite"), CHEAP).unwrap();
        for _ in 0..20 {
            let result: Result<(), _> = store.run(|_, _| panic!("on purpose")).await;
            assert!(matches!(result, Err(StoreError::Stopped)));
        }
        assert!(
            store
                .run(|connection, _| account(connection, "alice"))
                .await
                .unwrap()
                .is_some()
        );
    }
}
