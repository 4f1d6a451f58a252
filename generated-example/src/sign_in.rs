//! The rules of [`crate::accounts`] applied to the store, as both services use them.

use std::net::IpAddr;

use rusqlite::Connection;
use svcgen::Secret;

use crate::accounts::{
    Account, Entrance, MachineSeen, MachinesAllowed, MailRefusal, Moment, Proof, Refusal, Visit,
};
use crate::passwords::{Fingerprint, Passwords, hex, random};
use crate::store::{self, Store, StoreError, now};

/// Seconds for which a token signs in: 30 days.
pub const TOKEN_SECONDS: i64 = 30 * 24 * 60 * 60;
/// Seconds for which a password reset is good.
pub const RESET_SECONDS: i64 = 60 * 60;
/// Seconds in which an account gets no second password mail.
pub const MAIL_PAUSE_SECONDS: i64 = 60;

/// What a request brings.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The service that is being entered.
    pub entrance: Entrance,
    /// Absent is empty.
    pub username: String,
    /// Password or token.
    pub credential: Credential,
    /// `devicePin` or `macAddress`; empty: unnamed.
    pub machine: Secret<String>,
    /// The caller's address, if the transport knows it.
    pub address: Option<IpAddr>,
    /// Whether a person asked for it, not the device on its own.
    pub by_user: bool,
}

/// What proves who somebody is.
#[derive(Debug, Clone)]
pub enum Credential {
    /// A password. Absent is empty.
    Password(Secret<String>),
    /// A token that a device login handed out. Absent is empty.
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

/// A user who got in.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// The account.
    pub account: Account,
    /// The token for the next login of the same device; absent in the authenticator.
    pub token: Option<Secret<Vec<u8>>>,
}

/// Signs a user in, or says why not.
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
    store
        .run(move |connection, passwords| enter(connection, passwords, &attempt, now()))
        .await
}

fn empty_field(attempt: &Attempt) -> Option<Refusal> {
    match (attempt.username.is_empty(), attempt.credential.is_empty()) {
        (true, true) => Some(Refusal::BothEmpty),
        (true, false) => Some(Refusal::UsernameEmpty),
        (false, true) => Some(Refusal::PasswordEmpty),
        (false, false) => None,
    }
}

fn enter(
    connection: &mut Connection,
    passwords: &Passwords,
    attempt: &Attempt,
    now: Moment,
) -> Result<Result<SignedIn, Refusal>, StoreError> {
    let verified = verified_hash(connection, passwords, attempt)?;
    // The account is read and judged anew under the write lock: of many guesses that were hashed at the same time,
    // only as many are answered as an account has failures.
    let transaction = store::write(connection)?;
    let Some(account) = store::account(&transaction, &attempt.username)? else {
        return Ok(Err(Refusal::UnknownUser));
    };
    let machine = Machine::of(attempt, &store::fingerprint_key(&transaction)?);
    let visit = Visit {
        entrance: attempt.entrance,
        proof: proof(
            &transaction,
            &account,
            attempt,
            &machine,
            verified.as_ref(),
            now,
        )?,
        machine: machine.seen(&transaction, &account)?,
        address: attempt.address,
        now,
    };
    let answer = match account.refusal(&visit) {
        Some(refusal) => {
            count_failure(&transaction, &account, attempt, refusal, now)?;
            Err(refusal)
        }
        None => {
            store::set_logged_in(&transaction, account.id, attempt.by_user, now)?;
            machine.remember(&transaction, &account, visit.machine, now)?;
            let token = token(&transaction, &account, attempt, &machine, now)?;
            Ok(SignedIn { account, token })
        }
    };
    transaction.commit()?;
    Ok(answer)
}

/// Counts a wrong password. Tokens cannot be guessed, and a device with an old one must not lock its user out.
fn count_failure(
    connection: &Connection,
    account: &Account,
    attempt: &Attempt,
    refusal: Refusal,
    now: Moment,
) -> Result<(), StoreError> {
    match (refusal, &attempt.credential) {
        (Refusal::WrongPassword, Credential::Password(_)) => {
            store::set_failures(connection, account, account.after_failure(now))
        }
        _ => Ok(()),
    }
}

/// A new token for a device that signed in with the password, or the one that it signed in with.
fn token(
    connection: &Connection,
    account: &Account,
    attempt: &Attempt,
    machine: &Machine,
    now: Moment,
) -> Result<Option<Secret<Vec<u8>>>, StoreError> {
    if attempt.entrance == Entrance::Client {
        return Ok(None);
    }
    if let Credential::Token(token) = &attempt.credential {
        return Ok(Some(token.clone()));
    }
    let token = random::<32>()?;
    let key = store::fingerprint_key(connection)?;
    let fingerprint = token_fingerprint(&key, &token, account);
    let times = (now, now + TOKEN_SECONDS);
    store::set_login_token(
        connection,
        account.id,
        &machine.fingerprint,
        &fingerprint,
        times,
    )?;
    Ok(Some(token.to_vec().into()))
}

/// The hash that the attempt's password belongs to, if it is the account's.
fn verified_hash(
    connection: &Connection,
    passwords: &Passwords,
    attempt: &Attempt,
) -> Result<Option<Secret<String>>, StoreError> {
    let Credential::Password(password) = &attempt.credential else {
        return Ok(None);
    };
    let hash =
        store::account(connection, &attempt.username)?.and_then(|account| account.password_hash);
    Ok(if passwords.verify(password, hash.as_ref()) {
        hash
    } else {
        None
    })
}

fn proof(
    connection: &Connection,
    account: &Account,
    attempt: &Attempt,
    machine: &Machine,
    verified: Option<&Secret<String>>,
    now: Moment,
) -> Result<Proof, StoreError> {
    let Credential::Token(token) = &attempt.credential else {
        // A password that was changed in between is no longer right.
        let right = verified.is_some() && verified == account.password_hash.as_ref();
        return Ok(if right { Proof::Right } else { Proof::Wrong });
    };
    let Some((stored, expires)) = store::login_token(connection, account.id, &machine.fingerprint)?
    else {
        return Ok(Proof::Wrong);
    };
    let key = store::fingerprint_key(connection)?;
    Ok(match token_fingerprint(&key, token, account).is(&stored) {
        false => Proof::Wrong,
        true if expires <= now => Proof::Outdated,
        true => Proof::Right,
    })
}

/// With the password's hash in it, so that a new password ends all tokens.
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

    fn seen(&self, connection: &Connection, account: &Account) -> Result<MachineSeen, StoreError> {
        if !self.named {
            return Ok(MachineSeen::Unnamed);
        }
        let stored = store::machine(connection, account.id, self.kind)?;
        Ok(match stored {
            None => MachineSeen::First,
            Some(stored) if self.fingerprint.is(&stored) => MachineSeen::Same,
            Some(_) => MachineSeen::Other,
        })
    }

    /// Ties an account that may use only one machine to its first.
    fn remember(
        &self,
        connection: &Connection,
        account: &Account,
        seen: MachineSeen,
        now: Moment,
    ) -> Result<(), StoreError> {
        match (account.machines, seen) {
            (MachinesAllowed::One, MachineSeen::First) => {
                store::set_machine(connection, account.id, self.kind, &self.fingerprint, now)
            }
            _ => Ok(()),
        }
    }
}

/// Puts a password mail into the outbox, or says why not. It holds a reset token, never a password.
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
    store
        .run(move |connection, _| mail_reset(connection, &username, now()))
        .await
}

fn mail_reset(
    connection: &mut Connection,
    username: &str,
    now: Moment,
) -> Result<Result<(), MailRefusal>, StoreError> {
    let transaction = store::write(connection)?;
    let Some(account) = store::account(&transaction, username)? else {
        return Ok(Err(MailRefusal::UnknownUser));
    };
    let recipient = match account.mail_recipient(now) {
        Ok(recipient) => recipient,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if store::reset_made_at(&transaction, account.id)?
        .is_some_and(|made| now - made < MAIL_PAUSE_SECONDS)
    {
        return Ok(Ok(()));
    }
    let token = random::<32>()?;
    let key = store::fingerprint_key(&transaction)?;
    let fingerprint = Fingerprint::of(&key, &[b"reset", &token]);
    store::set_reset(
        &transaction,
        account.id,
        &fingerprint,
        (now, now + RESET_SECONDS),
    )?;
    let body = format!(
        "Somebody, probably you, asked for a new password for {}.\n\n\
         Choose one within an hour:\n{}reset?token={}\n\n\
         If it was not you, ignore this mail: your password stays as it is.\n",
        account.username,
        store::portal_url(&transaction)?,
        hex(&token),
    );
    store::send(&transaction, recipient, "Your password", &body, now)?;
    transaction.commit()?;
    Ok(Ok(()))
}
