//! Moving callers to another server step by step.

use std::net::IpAddr;
use std::time::Duration;

use tokio::sync::watch;

use crate::share::Share;
use crate::upstream::Upstream;

/// What decides which connections go to the candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SplitBy {
    /// The address of the caller without its port: a caller stays where it is, and those of a share
    /// are among those of every greater one.
    #[default]
    Caller,
    /// The number of the connection, which spreads them evenly: for callers behind one address,
    /// such as that of a load balancer.
    Connection,
}

/// A candidate that takes a share of the connections, which may be changed while the relay runs.
///
/// A connection goes to the candidate or to the upstream as a whole. If the candidate cannot be
/// connected to within two seconds, it goes to the upstream. When the share goes down, connections
/// that are not part of it any more are closed: those that wait for a request at once, the others
/// after the answer. One that cannot be read, or carries another protocol, is closed at once.
#[derive(Debug)]
pub struct Split {
    candidate: Upstream,
    by: SplitBy,
    share: watch::Sender<Share>,
}

/// How long it may take to connect to the candidate before the upstream is taken.
const PATIENCE: Duration = Duration::from_secs(2);

impl Split {
    /// A candidate that takes a share of the callers.
    pub fn new(candidate: Upstream, share: Share) -> Self {
        Self {
            candidate: candidate.with_connect_timeout(PATIENCE),
            by: SplitBy::default(),
            share: watch::Sender::new(share),
        }
    }

    /// Decides by something else than the caller's address.
    #[must_use]
    pub fn with_by(mut self, by: SplitBy) -> Self {
        self.by = by;
        self
    }

    /// The share of the candidate.
    pub fn share(&self) -> Share {
        *self.share.borrow()
    }

    /// Changes the share, of connections that are open as well if it goes down.
    pub fn set_share(&self, share: Share) {
        self.share.send_replace(share);
    }

    /// What a share takes or not.
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

    /// Waits until the share takes a key no more.
    pub(crate) async fn left(&self, key: &[u8]) {
        let mut share = self.share.subscribe();
        // The sender lives as long as this.
        let _ = share.wait_for(|share| !share.takes(key)).await;
    }
}
