//! The identity of the caller on a connection.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::policy::Authentication;
use super::scheme::State;
use crate::peer::User;

/// The known state of the caller on a connection over HTTP/1.1, whose requests come one after the
/// other.
#[derive(Default)]
pub(crate) struct Identity(Mutex<Option<(Authentication, ConnectionState)>>);

/// The state after the requests so far.
pub(super) enum ConnectionState {
    /// The handshake of the scheme with this index continues.
    Handshake(usize, State),
    User(User),
}

impl Identity {
    /// Takes the state of a policy. The state of another policy is dropped, because it is not for
    /// this one.
    pub(super) fn take(&self, policy: &Authentication) -> Option<ConnectionState> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        known.and_then(|(of, known)| of.is(policy).then_some(known))
    }

    pub(super) fn keep(&self, policy: &Authentication, known: ConnectionState) {
        let known = Some((policy.clone(), known));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = known;
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity")
    }
}

/// Whether two policies are the same.
impl Authentication {
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
