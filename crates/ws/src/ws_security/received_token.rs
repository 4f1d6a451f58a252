//! The token of a request.

use std::fmt;

use sha1::{Digest, Sha1};
use subtle::ConstantTimeEq;

use svcgen_wire::Secret;

/// The `UsernameToken` of a request, for [`VerifyToken`](super::VerifyToken).
pub struct ReceivedToken {
    pub(super) user: String,
    pub(super) password: Password,
    pub(super) nonce: Vec<u8>,
    /// The time, as written.
    pub(super) created: String,
}

pub(super) enum Password {
    Text(Secret<String>),
    Digest(Vec<u8>),
}

impl ReceivedToken {
    /// Returns the name of the user, which is not verified yet.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// Returns the password if it was sent as text, for accounts with password hashes. A digest
    /// cannot be compared with such hashes.
    pub fn password(&self) -> Option<&Secret<String>> {
        match &self.password {
            Password::Text(password) => Some(password),
            Password::Digest(_) => None,
        }
    }

    /// Returns whether the password or its digest matches the password of the user. `None`, for a
    /// user that does not exist, never matches.
    ///
    /// This takes the same time for known and unknown users, and for all wrong passwords.
    pub fn matches(&self, password: Option<&str>) -> bool {
        let known = password.unwrap_or("nobody has this password").as_bytes();
        let is_equal = match &self.password {
            Password::Text(text) => {
                // Digests have the same length, so the time does not reveal the length of the
                // password.
                let [text, known] = [text.as_bytes(), known].map(Sha1::digest);
                text.ct_eq(&known)
            }
            Password::Digest(digest) => {
                let known = digest_of(&self.nonce, &self.created, known);
                digest.ct_eq(&known)
            }
        };
        bool::from(is_equal) & password.is_some()
    }
}

/// Returns the digest of the UsernameToken Profile: SHA-1 of nonce, time and password.
pub(super) fn digest_of(nonce: &[u8], created: &str, password: &[u8]) -> [u8; 20] {
    let hash = Sha1::new().chain_update(nonce).chain_update(created);
    hash.chain_update(password).finalize().into()
}

/// Omits the password and its digest.
impl fmt::Debug for ReceivedToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReceivedToken")
            .field("user", &self.user)
            .finish_non_exhaustive()
    }
}
