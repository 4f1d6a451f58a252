//! Accounts, and the rules by which they sign in: functions of values, without store, clock or
//! network.

use std::net::IpAddr;

/// Wrong passwords in a row that lock an account.
pub const FAILURES_ALLOWED: u32 = 5;
/// Seconds after which a lock ends by itself.
pub const LOCK_SECONDS: i64 = 15 * 60;
/// Wrong passwords from one address after which further attempts from it are refused: more than the
/// users behind one address mistype, and too few to lock many accounts from there.
pub const ADDRESS_FAILURES_ALLOWED: u32 = 50;
/// Seconds for which such wrong passwords count, from the first one on.
pub const ADDRESS_SECONDS: i64 = 15 * 60;
/// The end of a lock that only an administrator can lift.
pub const UNTIL_UNLOCKED: i64 = i64::MAX;

/// Seconds since 1970-01-01 UTC.
pub type Moment = i64;

/// An account, without what only its login record needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// `UserId` of the device login.
    pub id: i64,
    /// The name with which the user signs in; letter case does not matter.
    pub username: String,
    /// The hash of the password as a PHC string; absent for users who sign in elsewhere.
    pub password_hash: Option<svcgen::Secret<String>>,
    /// The user's mail address.
    pub email: Option<String>,
    /// Whether the account is in use.
    pub standing: Standing,
    /// The services that the account may enter.
    pub access: Access,
    /// The machines on which it may be used.
    pub machines: MachinesAllowed,
    /// The only address from which the user may sign in; absent for any. Unreadable addresses match
    /// none.
    pub address_allowed: Option<String>,
    /// Whether the account's data may not change.
    pub read_only: bool,
    /// When the account ends.
    pub expires_at: Option<Moment>,
    /// The number of wrong passwords since the last right one.
    pub failures: u32,
    /// When the lock ends.
    pub locked_until: Option<Moment>,
    /// Whether the real-time agreement is signed.
    pub agreement_signed: bool,
    /// Postal address, first line.
    pub street: Option<String>,
    /// Postal address, second line.
    pub city: Option<String>,
    /// Numbers of the capabilities, ascending.
    pub capabilities: Vec<i32>,
}

/// Whether an account is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// In use.
    Active,
    /// Suspended by an administrator.
    Suspended,
    /// Known, but not, or no longer, a user of the service.
    Inactive,
}

/// The services that an account may enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Whatever its capabilities allow.
    Full,
    /// The web portal alone.
    PortalOnly,
    /// The deal tracker alone.
    DealtrackOnly,
    /// Neither service.
    Restricted,
}

/// The machines on which an account may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MachinesAllowed {
    /// Any.
    Any,
    /// The first device and the first computer that were used, until an administrator releases
    /// them.
    One,
    /// Computers, but no devices.
    NoDevices,
}

/// The numbers of the capabilities that the rules ask for.
pub mod capability {
    /// Sign in through the authenticator.
    pub const CLIENT_LOGIN: i32 = 1;
    /// Sign in on a device.
    pub const DEVICE_LOGIN: i32 = 2;
    /// Receive password mail.
    pub const PASSWORD_MAIL: i32 = 3;
    /// Change one's own account.
    pub const SELF_SERVICE: i32 = 4;
    /// Real-time quotes.
    pub const REAL_TIME: i32 = 10;
    /// Real-time quotes on a device.
    pub const MOBILE_REAL_TIME: i32 = 11;
    /// Withholds real-time quotes, whatever else is granted.
    pub const ANTI_REAL_TIME: i32 = 12;
}

/// The service that the caller signs in to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entrance {
    /// The authenticator.
    Client,
    /// The device login.
    Device,
}

/// The result of checking the password or token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// It belongs to the account.
    Right,
    /// It does not.
    Wrong,
    /// It did, but it has expired.
    Outdated,
}

/// The machine of a caller, compared with the one of the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MachineSeen {
    /// The request names no machine.
    Unnamed,
    /// The account has no machine yet.
    First,
    /// The machine of the account.
    Same,
    /// Another machine than that of the account.
    Other,
}

/// One attempt to sign in.
#[derive(Debug, Clone, Copy)]
pub struct Visit {
    /// The service that the caller signs in to.
    pub entrance: Entrance,
    /// The result of checking the password or token.
    pub proof: Proof,
    /// The machine.
    pub machine: MachineSeen,
    /// The caller's address, if the transport knows it.
    pub address: Option<IpAddr>,
    /// Recent wrong passwords from that address; 0 for an attempt with a token, because nobody
    /// guesses those.
    pub failures_of_address: u32,
    /// Now.
    pub now: Moment,
}

/// The reason of a refusal. Each service has its own code for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// No user name was sent.
    UsernameEmpty,
    /// No password or token was sent.
    PasswordEmpty,
    /// Neither was sent.
    BothEmpty,
    /// No account has that name.
    UnknownUser,
    /// The password or token is not the account's.
    WrongPassword,
    /// The token has expired.
    OutdatedToken,
    /// Too many wrong passwords, or locked by an administrator.
    Locked,
    /// Too many wrong passwords came from the address.
    AddressLocked,
    /// [`Standing::Suspended`].
    Suspended,
    /// [`Standing::Inactive`].
    Inactive,
    /// The account has expired.
    Expired,
    /// [`Access::PortalOnly`].
    PortalOnly,
    /// [`Access::DealtrackOnly`].
    DealtrackOnly,
    /// [`Access::Restricted`].
    RestrictedSession,
    /// The capability for this service is missing.
    MissingCapability,
    /// The caller's address is not the account's.
    OtherAddress,
    /// The account is used on another machine.
    OtherMachine,
    /// [`MachinesAllowed::NoDevices`].
    NoDevices,
}

impl Refusal {
    /// The message for the caller, the same in both services.
    pub fn text(self) -> &'static str {
        match self {
            Self::UsernameEmpty => "The user name is empty.",
            Self::PasswordEmpty => "The password is empty.",
            Self::BothEmpty => "The user name and the password are empty.",
            Self::UnknownUser => "The user name is not known.",
            Self::WrongPassword => "The password is wrong.",
            Self::OutdatedToken => "The login has timed out. Please sign in with your password.",
            Self::Locked => "The account is locked.",
            Self::AddressLocked => "Too many wrong passwords came from this address.",
            Self::Suspended => "The account is suspended.",
            Self::Inactive => "The account is not active.",
            Self::Expired => "The account has expired.",
            Self::PortalOnly => "The account may use the portal only.",
            Self::DealtrackOnly => "The account may use the deal tracker only.",
            Self::RestrictedSession => "The account is restricted.",
            Self::MissingCapability => "The account lacks the capability to sign in here.",
            Self::OtherAddress => "The account may not be used from this address.",
            Self::OtherMachine => "The account is in use on another machine.",
            Self::NoDevices => "The account may not be used on devices.",
        }
    }
}

impl Account {
    /// Whether the account has a capability.
    pub fn can(&self, capability: i32) -> bool {
        self.capabilities.contains(&capability)
    }

    /// Whether this account stands in for users who do not exist.
    pub fn stands_in(&self) -> bool {
        self.username.is_empty()
    }

    /// Whether a lock holds.
    pub fn locked(&self, now: Moment) -> bool {
        self.locked_until.is_some_and(|until| now < until)
    }

    /// The failures and the lock after one more wrong password. After the end of a lock the count
    /// starts anew; an account that stands in for unknown users is never locked.
    pub fn after_failure(&self, now: Moment) -> (u32, Option<Moment>) {
        let before = if self.locked_until.is_some() {
            0
        } else {
            self.failures
        };
        let failures = before.saturating_add(1);
        (
            failures,
            (failures >= FAILURES_ALLOWED && !self.stands_in()).then_some(now + LOCK_SECONDS),
        )
    }

    /// Returns the reason to refuse this attempt, if there is one.
    ///
    /// Every caller learns of a lock. Only a caller with the right password or token learns
    /// anything else about the account.
    pub fn refusal(&self, visit: &Visit) -> Option<Refusal> {
        if visit.failures_of_address >= ADDRESS_FAILURES_ALLOWED {
            return Some(Refusal::AddressLocked);
        }
        if self.locked(visit.now) {
            return Some(Refusal::Locked);
        }
        match visit.proof {
            Proof::Wrong => return Some(Refusal::WrongPassword),
            Proof::Outdated => return Some(Refusal::OutdatedToken),
            Proof::Right => {}
        }
        self.standing_refusal(visit.now)
            .or_else(|| self.access_refusal(visit.entrance))
            .or_else(|| self.place_refusal(visit))
    }

    fn standing_refusal(&self, now: Moment) -> Option<Refusal> {
        match self.standing {
            Standing::Suspended => Some(Refusal::Suspended),
            Standing::Inactive => Some(Refusal::Inactive),
            Standing::Active => self.expired(now).then_some(Refusal::Expired),
        }
    }

    fn access_refusal(&self, entrance: Entrance) -> Option<Refusal> {
        let needed = match entrance {
            Entrance::Client => capability::CLIENT_LOGIN,
            Entrance::Device => capability::DEVICE_LOGIN,
        };
        match self.access {
            Access::PortalOnly => Some(Refusal::PortalOnly),
            Access::DealtrackOnly => Some(Refusal::DealtrackOnly),
            Access::Restricted => Some(Refusal::RestrictedSession),
            Access::Full => (!self.can(needed)).then_some(Refusal::MissingCapability),
        }
    }

    fn place_refusal(&self, visit: &Visit) -> Option<Refusal> {
        if !self.address_fits(visit.address) {
            return Some(Refusal::OtherAddress);
        }
        match (self.machines, visit.entrance, visit.machine) {
            (MachinesAllowed::NoDevices, Entrance::Device, _) => Some(Refusal::NoDevices),
            (MachinesAllowed::One, _, MachineSeen::Other) => Some(Refusal::OtherMachine),
            // A request without a pin must not succeed where one with a wrong pin fails.
            (MachinesAllowed::One, Entrance::Device, MachineSeen::Unnamed) => {
                Some(Refusal::OtherMachine)
            }
            _ => None,
        }
    }

    fn address_fits(&self, address: Option<IpAddr>) -> bool {
        let Some(allowed) = &self.address_allowed else {
            return true;
        };
        match (allowed.parse::<IpAddr>(), address) {
            (Ok(allowed), Some(address)) => allowed.to_canonical() == address.to_canonical(),
            _ => false,
        }
    }

    fn expired(&self, now: Moment) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    /// Returns the recipient of a password mail, or the reason to send none.
    ///
    /// A locked account gets its mail, because a new password ends the lock.
    pub fn mail_recipient(&self, now: Moment) -> Result<&str, MailRefusal> {
        match self.standing_refusal(now) {
            Some(Refusal::Suspended) => return Err(MailRefusal::Suspended),
            Some(_) => return Err(MailRefusal::Inactive),
            None => {}
        }
        if self.password_hash.is_none() {
            return Err(MailRefusal::NoPassword);
        }
        if self.read_only {
            return Err(MailRefusal::ReadOnly);
        }
        if !self.can(capability::PASSWORD_MAIL) {
            return Err(MailRefusal::MissingCapability);
        }
        if !self.can(capability::SELF_SERVICE) {
            return Err(MailRefusal::MissingSelfService);
        }
        self.email.as_deref().ok_or(MailRefusal::NoAddress)
    }

    /// Whether real time may start on a device.
    pub fn real_time(&self) -> RealTime {
        if self.can(capability::ANTI_REAL_TIME) {
            return RealTime::Withheld;
        }
        if !self.can(capability::REAL_TIME) {
            return RealTime::MissingCapability;
        }
        if !self.can(capability::MOBILE_REAL_TIME) {
            return RealTime::MissingMobileCapability;
        }
        match (&self.street, &self.city) {
            (None, None) => RealTime::NoAddress,
            (Some(_), Some(_)) if self.agreement_signed => RealTime::Ready,
            (Some(_), Some(_)) => RealTime::AgreementMissing,
            _ => RealTime::IncompleteAddress,
        }
    }
}

/// The reason to send no password mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailRefusal {
    /// No account has that name.
    UnknownUser,
    /// [`Standing::Suspended`].
    Suspended,
    /// [`Standing::Inactive`], or expired.
    Inactive,
    /// The user signs in elsewhere.
    NoPassword,
    /// The account's data may not change.
    ReadOnly,
    /// [`capability::PASSWORD_MAIL`] is missing.
    MissingCapability,
    /// [`capability::SELF_SERVICE`] is missing.
    MissingSelfService,
    /// The account has no mail address.
    NoAddress,
}

/// Whether real time may start on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RealTime {
    /// It may.
    Ready,
    /// [`capability::ANTI_REAL_TIME`].
    Withheld,
    /// [`capability::REAL_TIME`] is missing.
    MissingCapability,
    /// [`capability::MOBILE_REAL_TIME`] is missing.
    MissingMobileCapability,
    /// No postal address.
    NoAddress,
    /// Half a postal address.
    IncompleteAddress,
    /// The agreement is not signed.
    AgreementMissing,
}

impl RealTime {
    /// The message for the caller.
    pub fn text(self) -> &'static str {
        match self {
            Self::Ready => "Real-time quotes are ready.",
            Self::Withheld => "Real-time quotes are withheld from this account.",
            Self::MissingCapability => "The account has no real-time quotes.",
            Self::MissingMobileCapability => "The account has no real-time quotes on devices.",
            Self::NoAddress => "Real-time quotes need a postal address.",
            Self::IncompleteAddress => "The postal address is incomplete.",
            Self::AgreementMissing => "Real-time quotes need a signed agreement.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account() -> Account {
        Account {
            id: 1,
            username: "alice".into(),
            password_hash: Some("hash".into()),
            email: Some("alice@example.com".into()),
            standing: Standing::Active,
            access: Access::Full,
            machines: MachinesAllowed::Any,
            address_allowed: None,
            read_only: false,
            expires_at: None,
            failures: 0,
            locked_until: None,
            agreement_signed: true,
            street: Some("1 Main Street".into()),
            city: Some("Springfield".into()),
            capabilities: vec![1, 2, 3, 4, 10, 11],
        }
    }

    fn visit(proof: Proof) -> Visit {
        Visit {
            entrance: Entrance::Device,
            proof,
            machine: MachineSeen::First,
            address: None,
            failures_of_address: 0,
            now: 1000,
        }
    }

    #[test]
    fn the_fifth_failure_locks_for_a_quarter_of_an_hour() {
        let mut account = account();
        for count in 1..FAILURES_ALLOWED {
            (account.failures, account.locked_until) = account.after_failure(1000);
            assert_eq!((account.failures, account.locked_until), (count, None));
        }
        (account.failures, account.locked_until) = account.after_failure(1000);
        assert_eq!(account.locked_until, Some(1000 + LOCK_SECONDS));
        assert!(account.locked(1000 + LOCK_SECONDS - 1));
        assert!(!account.locked(1000 + LOCK_SECONDS));
        assert_eq!(account.after_failure(1000 + LOCK_SECONDS), (1, None));
    }

    #[test]
    fn a_lock_hides_whether_the_password_was_right() {
        let account = Account {
            locked_until: Some(UNTIL_UNLOCKED),
            ..account()
        };
        assert_eq!(account.refusal(&visit(Proof::Right)), Some(Refusal::Locked));
        assert_eq!(account.refusal(&visit(Proof::Wrong)), Some(Refusal::Locked));
    }

    #[test]
    fn an_address_with_many_failures_gets_no_further_guess() {
        let after = |failures_of_address, proof| {
            account().refusal(&Visit {
                failures_of_address,
                ..visit(proof)
            })
        };
        let last = ADDRESS_FAILURES_ALLOWED - 1;
        assert_eq!(after(last, Proof::Wrong), Some(Refusal::WrongPassword));
        for proof in [Proof::Right, Proof::Wrong] {
            let refusal = after(ADDRESS_FAILURES_ALLOWED, proof);
            assert_eq!(refusal, Some(Refusal::AddressLocked));
        }
    }

    #[test]
    fn what_stands_in_is_never_locked() {
        let mut account = Account {
            username: String::new(),
            ..account()
        };
        for count in 1..100 {
            (account.failures, account.locked_until) = account.after_failure(1000);
            assert_eq!((account.failures, account.locked_until), (count, None));
        }
    }

    #[test]
    fn only_the_owner_learns_the_state_of_an_account() {
        let account = Account {
            standing: Standing::Suspended,
            ..account()
        };
        assert_eq!(
            account.refusal(&visit(Proof::Wrong)),
            Some(Refusal::WrongPassword)
        );
        assert_eq!(
            account.refusal(&visit(Proof::Right)),
            Some(Refusal::Suspended)
        );
    }

    #[test]
    fn an_account_ends_at_its_moment() {
        let account = Account {
            expires_at: Some(1000),
            ..account()
        };
        assert_eq!(
            account.refusal(&Visit {
                now: 999,
                ..visit(Proof::Right)
            }),
            None
        );
        assert_eq!(
            account.refusal(&visit(Proof::Right)),
            Some(Refusal::Expired)
        );
    }

    #[test]
    fn an_address_is_compared_as_an_address() {
        let account = Account {
            address_allowed: Some("192.0.2.10".into()),
            ..account()
        };
        let from = |address: &str| Visit {
            address: address.parse().ok(),
            ..visit(Proof::Right)
        };
        assert_eq!(account.refusal(&from("192.0.2.10")), None);
        assert_eq!(account.refusal(&from("::ffff:192.0.2.10")), None);
        assert_eq!(
            account.refusal(&from("192.0.2.11")),
            Some(Refusal::OtherAddress)
        );
        assert_eq!(
            account.refusal(&visit(Proof::Right)),
            Some(Refusal::OtherAddress)
        );
    }

    #[test]
    fn one_machine_means_one_named_device() {
        let account = Account {
            machines: MachinesAllowed::One,
            ..account()
        };
        let on = |machine| {
            account.refusal(&Visit {
                machine,
                ..visit(Proof::Right)
            })
        };
        assert_eq!(on(MachineSeen::First), None);
        assert_eq!(on(MachineSeen::Same), None);
        assert_eq!(on(MachineSeen::Other), Some(Refusal::OtherMachine));
        assert_eq!(on(MachineSeen::Unnamed), Some(Refusal::OtherMachine));
    }
}
