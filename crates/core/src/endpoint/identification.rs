//! Authentication: the first stage of a request to a server that requires it.

use std::sync::Arc;

use http::HeaderMap;
use http::header::EXPECT;

use super::routed::{Destination, Guard};
use crate::authentication::Admission;
use crate::connection_grants::ConnectionGrants;
use crate::deadline;
use crate::fault::Fault;
use crate::heads::Heads;

impl Guard {
    /// Passes the request on with its user, or refuses it. Returns the additional headers of its
    /// answer.
    pub(super) async fn identify(
        self: Box<Self>,
        destination: &mut Destination,
        heads: &mut Arc<Heads>,
    ) -> Option<Box<HeaderMap>> {
        let grants = heads.parts.extensions.get::<Arc<ConnectionGrants>>();
        let identity = grants.map(|grants| &grants.identity);
        let decided = self
            .authentication
            .admit(&heads.parts, identity, self.is_open);
        let decided = deadline::within(self.time, decided).await;
        let undecided = || Admission::undecided(&Fault::exception("Request timed out."));
        let decided = decided.unwrap_or_else(undecided);
        let parts = &mut Heads::of_request(heads).parts;
        match decided {
            Admission::Passed(user, granted) => {
                if let Some(user) = user {
                    parts.extensions.insert(user);
                }
                return granted;
            }
            Admission::Continued(response) => {
                // The connection stays open for the handshake, so the body must be read even if the
                // caller waits to send it.
                parts.headers.remove(EXPECT);
                destination.turn_away(response);
            }
            Admission::Refused(response) => destination.turn_away(response),
        }
        None
    }
}

/// Adds headers to the answer to a request that passed authentication.
pub(super) fn add_granted(granted: Option<Box<HeaderMap>>, headers: &mut HeaderMap) {
    for (name, value) in granted.into_iter().flat_map(|granted| *granted) {
        if let Some(name) = name {
            headers.append(name, value);
        }
    }
}
