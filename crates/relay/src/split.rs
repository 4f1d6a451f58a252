//! The step-by-step move of callers to another server.

use std::net::IpAddr;
use std::time::Duration;

use tokio::sync::watch;

use crate::share::Share;
use crate::upstream::Upstream;

/// The property that decides which connections go to the candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SplitBy {
    /// The address of the caller without its port: a caller stays with one server, and the callers
    /// of a share are part of every greater share.
    #[default]
    Caller,
    /// The number of the connection, which spreads connections evenly: for callers behind one
    /// address, such as the address of a load balancer.
    Connection,
}

/// A candidate that takes a share of the connections, which may be changed while the relay runs.
///
/// A connection goes to the candidate or to the upstream as a whole. If no connection to the
/// candidate can be made within two seconds, it goes to the upstream. When the share decreases,
/// connections that are no longer part of it are closed: those that wait for a request at once, the
/// others after the answer. A connection that cannot be read, or carries another protocol, is
/// closed at once.
#[derive(Debug)]
pub struct Split {
    candidate: Upstream,
    by: SplitBy,
    share: watch::Sender<Share>,
}

/// The time to connect to the candidate before the upstream is used.
const PATIENCE: Duration = Duration::from_secs(2);

impl Split {
    /// Creates a split with a candidate that takes a share of the callers.
    pub fn new(candidate: Upstream, share: Share) -> Self {
        Self {
            candidate: candidate.with_connect_timeout(PATIENCE),
            by: SplitBy::default(),
            share: watch::Sender::new(share),
        }
    }

    /// Sets the property that decides, by default the caller's address.
    #[must_use]
    pub fn with_by(mut self, by: SplitBy) -> Self {
        self.by = by;
        self
    }

    /// Returns the share of the candidate.
    pub fn share(&self) -> Share {
        *self.share.borrow()
    }

    /// Changes the share. If it decreases, this affects open connections as well.
    pub fn set_share(&self, share: Share) {
        self.share.send_replace(share);
    }

    /// Returns the key by which a share takes a connection or not.
    pub(crate) fn key(&self, caller: IpAddr, connection: u64) -> Vec<u8> {
        match (self.by, caller.to_canonical()) {
            (SplitBy::Caller, IpAddr::V4(address)) => address.octets().to_vec(),
            (SplitBy::Caller, IpAddr::V6(address)) => address.octets().to_vec(),
            (SplitBy::Connection, _) => connection.to_be_bytes().to_vec(),
        }
    }

    pub(crate) async fn connect(&self) -> std::io::Result<Box<dyn crate::upstream::Stream>> {
        self.candidate.connect().await
    }

    /// Waits until a key is no longer part of the share.
    pub(crate) async fn left(&self, key: &[u8]) {
        let mut share = self.share.subscribe();
        // Never fails: the sender lives as long as `self`.
        let _ = share.wait_for(|share| !share.takes(key)).await;
    }
}
