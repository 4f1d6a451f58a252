//! The rules of [`crate::accounts`] applied to the store, as both services use them.

use std::net::IpAddr;

use svcgen::Secret;

use crate::accounts::{
    ADDRESS_SECONDS, Account, Entrance, MachineSeen, MachinesAllowed, MailRefusal, Moment, Proof,
    Refusal, Visit,
};
use crate::passwords::{Fingerprint, hex, random};
use crate::store::{self, Connection, Store, StoreError, now};

/// Seconds for which a token is valid: 30 days.
pub const TOKEN_SECONDS: i64 = 30 * 24 * 60 * 60;
/// Seconds for which a password reset is valid.
pub const RESET_SECONDS: i64 = 60 * 60;
/// Seconds after a password mail in which an account gets no second one.
pub const MAIL_PAUSE_SECONDS: i64 = 60;

/// The data of a request.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The service that is being entered.
    pub entrance: Entrance,
    /// The user name; empty if absent.
    pub username: String,
    /// Password or token.
    pub credential: Credential,
    /// `devicePin` or `macAddress`; empty if the request names no machine.
    pub machine: Secret<String>,
    /// The caller's address, if the transport knows it.
    pub address: Option<IpAddr>,
    /// Whether a person asked for it, rather than the device by itself.
    pub by_user: bool,
}

/// A password or a token.
#[derive(Debug, Clone)]
pub enum Credential {
    /// A password; empty if absent.
    Password(Secret<String>),
    /// A token from an earlier device login; empty if absent.
    Token(Secret<Vec<u8>>),
}

impl Credential {
    fn is_empty(&self) -> bool {
        match self {
            Self::Password(password) => password.is_empty(),
            Self::Token(token) => token.is_empty(),
        }
    }
}

/// A user who has signed in.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// The account.
    pub account: Account,
    /// The token for the next login of the same device; absent in the authenticator.
    pub token: Option<Secret<Vec<u8>>>,
}

/// Signs a user in, or returns the reason of the refusal.
///
/// An attempt with a wrong password does the same work for unknown, locked and other users, the
/// same statements and one hash, so that the time of an answer shows nothing that the answer does
/// not say.
///
/// # Errors
///
/// The store cannot be used.
pub async fn sign_in(
    store: &Store,
    attempt: Attempt,
) -> Result<Result<SignedIn, Refusal>, StoreError> {
    if let Some(refusal) = empty_field(&attempt) {
        return Ok(Err(refusal));
    }
    let verified = verified_hash(store, &attempt).await?;
    let mut conflicts = store.conflicts();
    loop {
        let answer = enter(store, &attempt, verified.as_ref(), now()).await;
        if !conflicts.again(&answer).await {
            return answer;
        }
    }
}

fn empty_field(attempt: &Attempt) -> Option<Refusal> {
    match (attempt.username.is_empty(), attempt.credential.is_empty()) {
        (true, true) => Some(Refusal::BothEmpty),
        (true, false) => Some(Refusal::UsernameEmpty),
        (false, true) => Some(Refusal::PasswordEmpty),
        (false, false) => None,
    }
}

async fn enter(
    store: &Store,
    attempt: &Attempt,
    verified: Option<&Secret<String>>,
    now: Moment,
) -> Result<Result<SignedIn, Refusal>, StoreError> {
    // The account is read and checked again where nobody else can change it. Otherwise many guesses
    // that are hashed at the same time would all be answered before the account is locked.
    let mut transaction = store.begin().await?;
    let username = &attempt.username;
    let account = store::account_or_stand_in_to_change(&mut transaction, username).await?;
    let failures_of_address = failures_of_address(&mut transaction, attempt, now).await?;
    let key = store::fingerprint_key(&mut transaction).await?;
    let machine = Machine::of(attempt, &key);
    let token = stored_token(&mut transaction, &account, attempt, &machine).await?;
    let visit = Visit {
        entrance: attempt.entrance,
        proof: proof(&account, attempt, &key, token, verified, now),
        machine: machine.seen(&mut transaction, &account).await?,
        address: attempt.address,
        failures_of_address,
        now,
    };
    let answer = match account.refusal(&visit) {
        Some(refusal) => {
            count_failure(&mut transaction, &account, attempt, refusal, now).await?;
            Err(match refusal {
                Refusal::WrongPassword if account.stands_in() => Refusal::UnknownUser,
                refusal => refusal,
            })
        }
        None => {
            store::set_logged_in(&mut transaction, account.id, attempt.by_user, now).await?;
            machine
                .remember(&mut transaction, &account, visit.machine, now)
                .await?;
            let token = hand_out(&mut transaction, &account, attempt, &machine, &key, now).await?;
            Ok(SignedIn { account, token })
        }
    };
    transaction.commit().await?;
    Ok(answer)
}

/// Counts a wrong password. Tokens cannot be guessed, and a device with an old one must not lock
/// its user out.
async fn count_failure(
    connection: &mut Connection,
    account: &Account,
    attempt: &Attempt,
    refusal: Refusal,
    now: Moment,
) -> Result<(), StoreError> {
    let failures = match (refusal, &attempt.credential) {
        (Refusal::WrongPassword, Credential::Password(_)) => account.after_failure(now),
        // Written although they do not change, because an answer without that would take less time.
        (Refusal::Locked, Credential::Password(_)) => (account.failures, account.locked_until),
        _ => return Ok(()),
    };
    store::set_failures(connection, account, failures).await?;
    match counted_address(attempt) {
        Some(address) => {
            let times = (now, now + ADDRESS_SECONDS);
            store::add_failure_of_address(connection, &address, times).await
        }
        None => Ok(()),
    }
}

/// The number of recent wrong passwords from the address of an attempt with a password.
async fn failures_of_address(
    connection: &mut Connection,
    attempt: &Attempt,
    now: Moment,
) -> Result<u32, StoreError> {
    match (&attempt.credential, counted_address(attempt)) {
        (Credential::Password(_), Some(address)) => {
            store::failures_of_address(connection, &address, now).await
        }
        _ => Ok(0),
    }
}

/// The address for which failures are counted: for IPv6 the whole network, because a caller may use
/// all of it.
fn counted_address(attempt: &Attempt) -> Option<String> {
    let address = match attempt.address?.to_canonical() {
        IpAddr::V6(address) => {
            let network = u128::from(address) >> 64 << 64;
            IpAddr::V6(network.into())
        }
        address => address,
    };
    Some(address.to_string())
}

/// Returns a new token for a device that signed in with the password, or the token with which it
/// signed in.
async fn hand_out(
    connection: &mut Connection,
    account: &Account,
    attempt: &Attempt,
    machine: &Machine,
    key: &[u8; 32],
    now: Moment,
) -> Result<Option<Secret<Vec<u8>>>, StoreError> {
    if attempt.entrance == Entrance::Client {
        return Ok(None);
    }
    if let Credential::Token(token) = &attempt.credential {
        return Ok(Some(token.clone()));
    }
    let token = random::<32>()?;
    let fingerprint = token_fingerprint(key, &token, account);
    let times = (now, now + TOKEN_SECONDS);
    store::set_login_token(
        connection,
        account.id,
        &machine.fingerprint,
        &fingerprint,
        times,
    )
    .await?;
    Ok(Some(token.to_vec().into()))
}

/// Returns the hash of the account if the password of the attempt belongs to it.
async fn verified_hash(
    store: &Store,
    attempt: &Attempt,
) -> Result<Option<Secret<String>>, StoreError> {
    let Credential::Password(password) = &attempt.credential else {
        return Ok(None);
    };
    // The connection is released before the hash is computed, to serve other calls meanwhile.
    let hash = {
        let mut connection = store.connection().await?;
        let account = store::account_or_stand_in(&mut connection, &attempt.username).await?;
        account.password_hash
    };
    let right = store.verify(password.clone(), hash.clone()).await?;
    Ok(hash.filter(|_| right))
}

/// Looks up the stored token for the device of an attempt.
async fn stored_token(
    connection: &mut Connection,
    account: &Account,
    attempt: &Attempt,
    machine: &Machine,
) -> Result<Option<(Vec<u8>, Moment)>, StoreError> {
    match attempt.credential {
        Credential::Password(_) => Ok(None),
        Credential::Token(_) => {
            store::login_token(connection, account.id, &machine.fingerprint).await
        }
    }
}

fn proof(
    account: &Account,
    attempt: &Attempt,
    key: &[u8; 32],
    stored: Option<(Vec<u8>, Moment)>,
    verified: Option<&Secret<String>>,
    now: Moment,
) -> Proof {
    let right = match (&attempt.credential, &stored) {
        // The password may have been changed in between.
        (Credential::Password(_), _) => {
            verified.is_some() && verified == account.password_hash.as_ref()
        }
        (Credential::Token(_), None) => false,
        (Credential::Token(token), Some((stored, _))) => {
            token_fingerprint(key, token, account).is(stored)
        }
    };
    match stored {
        _ if !right => Proof::Wrong,
        Some((_, expires)) if expires <= now => Proof::Outdated,
        _ => Proof::Right,
    }
}

/// Includes the hash of the password, so that a new password ends all tokens.
fn token_fingerprint(key: &[u8; 32], token: &[u8], account: &Account) -> Fingerprint {
    let hash = account
        .password_hash
        .as_ref()
        .map_or(&[][..], |hash| hash.as_bytes());
    Fingerprint::of(key, &[b"token", token, hash])
}

struct Machine {
    kind: &'static str,
    named: bool,
    fingerprint: Fingerprint,
}

impl Machine {
    fn of(attempt: &Attempt, key: &[u8; 32]) -> Self {
        let kind = match attempt.entrance {
            Entrance::Client => "computer",
            Entrance::Device => "device",
        };
        let fingerprint = Fingerprint::of(key, &[kind.as_bytes(), attempt.machine.as_bytes()]);
        Self {
            kind,
            named: !attempt.machine.is_empty(),
            fingerprint,
        }
    }

    async fn seen(
        &self,
        connection: &mut Connection,
        account: &Account,
    ) -> Result<MachineSeen, StoreError> {
        if !self.named {
            return Ok(MachineSeen::Unnamed);
        }
        let stored = store::machine(connection, account.id, self.kind).await?;
        Ok(match stored {
            None => MachineSeen::First,
            Some(stored) if self.fingerprint.is(&stored) => MachineSeen::Same,
            Some(_) => MachineSeen::Other,
        })
    }

    /// Ties an account that may use only one machine to the first one.
    async fn remember(
        &self,
        connection: &mut Connection,
        account: &Account,
        seen: MachineSeen,
        now: Moment,
    ) -> Result<(), StoreError> {
        match (account.machines, seen) {
            (MachinesAllowed::One, MachineSeen::First) => {
                store::set_machine(connection, account.id, self.kind, &self.fingerprint, now).await
            }
            _ => Ok(()),
        }
    }
}

/// Puts a password mail into the outbox, or returns the reason to send none. The mail holds a reset
/// token, never a password.
///
/// A second request within [`MAIL_PAUSE_SECONDS`] is answered like the first and sends nothing.
///
/// # Errors
///
/// The store cannot be used.
pub async fn email_password(
    store: &Store,
    username: String,
) -> Result<Result<(), MailRefusal>, StoreError> {
    let mut conflicts = store.conflicts();
    loop {
        let answer = mail_reset(store, &username, now()).await;
        if !conflicts.again(&answer).await {
            return answer;
        }
    }
}

async fn mail_reset(
    store: &Store,
    username: &str,
    now: Moment,
) -> Result<Result<(), MailRefusal>, StoreError> {
    let mut transaction = store.begin().await?;
    let Some(account) = store::account_to_change(&mut transaction, username).await? else {
        return Ok(Err(MailRefusal::UnknownUser));
    };
    let recipient = match account.mail_recipient(now) {
        Ok(recipient) => recipient,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if store::reset_made_at(&mut transaction, account.id)
        .await?
        .is_some_and(|made| now - made < MAIL_PAUSE_SECONDS)
    {
        return Ok(Ok(()));
    }
    let token = random::<32>()?;
    let key = store::fingerprint_key(&mut transaction).await?;
    let fingerprint = Fingerprint::of(&key, &[b"reset", &token]);
    let times = (now, now + RESET_SECONDS);
    store::set_reset(&mut transaction, account.id, &fingerprint, times).await?;
    let body = format!(
        "Somebody, probably you, asked for a new password for {}.\n\n\
         Choose one within an hour:\n{}reset?token={}\n\n\
         If it was not you, ignore this mail: your password stays as it is.\n",
        account.username,
        store::portal_url(&mut transaction).await?,
        hex(&token),
    );
    store::send(&mut transaction, recipient, "Your password", &body, now).await?;
    transaction.commit().await?;
    Ok(Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::{ADDRESS_FAILURES_ALLOWED, FAILURES_ALLOWED};
    use crate::passwords::HashCost;
    use crate::store::{ASKED, StoreOptions};

    /// Returns the result of an attempt with a password, and the statements that it executes.
    async fn attempt(
        store: &Store,
        username: &str,
        password: &str,
        address: &str,
    ) -> (Option<Refusal>, Vec<String>) {
        let attempt = Attempt {
            entrance: Entrance::Client,
            username: username.to_owned(),
            credential: Credential::Password(password.into()),
            machine: "a".to_owned().into(),
            address: Some(address.parse().unwrap()),
            by_user: true,
        };
        ASKED.take();
        let answer = sign_in(store, attempt).await.unwrap();
        (answer.err(), ASKED.take())
    }

    async fn store(folder: &tempfile::TempDir) -> Store {
        let cost = HashCost {
            memory: 8,
            passes: 1,
        };
        let options = StoreOptions {
            cost,
            ..StoreOptions::default()
        };
        let path = folder.path().join("a.sqlite");
        Store::open_file(&path, options).await.unwrap()
    }

    #[tokio::test]
    async fn unknown_and_locked_users_cost_what_others_cost() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(&folder).await;
        let names = ["alice", "nobody", "locked", "no-password", "a\0"];
        let addresses = [
            "192.0.2.1",
            "192.0.2.2",
            "192.0.2.3",
            "2001:db8::1",
            "192.0.2.5",
        ];
        for count in 0..ADDRESS_FAILURES_ALLOWED + 2 {
            let mut all = Vec::new();
            for (name, address) in names.into_iter().zip(addresses) {
                let (refusal, asked) = attempt(&store, name, "wrong", address).await;
                let expected = match name {
                    _ if count >= ADDRESS_FAILURES_ALLOWED => Refusal::AddressLocked,
                    "nobody" | "a\0" => Refusal::UnknownUser,
                    "locked" => Refusal::Locked,
                    _ if count >= FAILURES_ALLOWED => Refusal::Locked,
                    _ => Refusal::WrongPassword,
                };
                assert_eq!(refusal, Some(expected), "{name} {count}");
                let writes = asked
                    .iter()
                    .filter(|one| one.starts_with("UPDATE accounts"));
                let is_written = count < ADDRESS_FAILURES_ALLOWED;
                assert_eq!(writes.count(), usize::from(is_written), "{asked:?}");
                all.push(asked);
            }
            for asked in &all {
                assert_eq!(*asked, all[0], "{count}");
            }
        }
        // The answer for a locked account does not show whether the password was right either.
        let [right, wrong] = ["secret", "wrong"];
        let right = attempt(&store, "locked", right, "192.0.2.9").await;
        assert_eq!(right, attempt(&store, "locked", wrong, "192.0.2.9").await);
    }

    #[tokio::test]
    async fn an_address_in_ipv6_is_a_network() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(&folder).await;
        for host in 0..ADDRESS_FAILURES_ALLOWED {
            let address = format!("2001:db8::{host:x}");
            attempt(&store, &format!("nobody {host}"), "wrong", &address).await;
        }
        for (address, refusal) in [
            ("2001:db8::ffff:0:0:1", Some(Refusal::AddressLocked)),
            ("2001:db8:0:1::1", None),
        ] {
            assert_eq!(attempt(&store, "alice", "secret", address).await.0, refusal);
        }
    }
}
