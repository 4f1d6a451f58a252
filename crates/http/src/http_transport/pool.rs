//! Connections that are kept alive.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::connect::Connection;
use super::destination::Destination;

/// The time after which an idle connection is closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// The connections to every host.
#[derive(Debug)]
pub(super) struct Pool {
    max_connections: usize,
    /// A list, because comparing a few destinations is faster than hashing.
    hosts: Mutex<Vec<(Destination, Arc<Host>)>>,
}

/// The connections to a host and port.
#[derive(Debug)]
struct Host {
    /// A place for each connection that a call may have.
    places: Arc<Semaphore>,
    /// Connections without a call, and the start of their idle time.
    idle: Mutex<Vec<(Connection, Instant)>>,
}

/// A place among the connections to a host.
#[derive(Debug)]
pub(super) struct ConnectionPermit {
    host: Arc<Host>,
    _permit: OwnedSemaphorePermit,
}

impl Pool {
    pub(super) fn new(max_connections: usize) -> Self {
        Self {
            // At least one, and at most as many as a semaphore can count.
            max_connections: max_connections.clamp(1, Semaphore::MAX_PERMITS),
            hosts: Mutex::default(),
        }
    }

    pub(super) fn max_connections(&self) -> usize {
        self.max_connections
    }

    /// Waits for a place for a call.
    ///
    /// A connection is opened only if no other is idle, so that calls use all the others: there are
    /// never more connections than places.
    pub(super) async fn place(&self, destination: &Destination) -> ConnectionPermit {
        let host = self.host(destination);
        let places = Arc::clone(&host.places);
        match places.acquire_owned().await {
            Ok(_permit) => ConnectionPermit { host, _permit },
            Err(_) => unreachable!("places are never closed"),
        }
    }

    fn host(&self, destination: &Destination) -> Arc<Host> {
        let mut hosts = locked(&self.hosts);
        if let Some((_, host)) = hosts.iter().find(|(known, _)| known == destination) {
            return Arc::clone(host);
        }
        let now = Instant::now();
        hosts.retain(|(_, host)| Arc::strong_count(host) > 1 || !host.kept(now).is_empty());
        let host = Arc::new(Host {
            places: Arc::new(Semaphore::new(self.max_connections)),
            idle: Mutex::default(),
        });
        hosts.push((destination.clone(), Arc::clone(&host)));
        host
    }
}

impl Host {
    /// Returns the idle connections that may still be used.
    fn kept(&self, now: Instant) -> MutexGuard<'_, Vec<(Connection, Instant)>> {
        let mut idle = locked(&self.idle);
        idle.retain(|(connection, since)| {
            !connection.requests.is_closed() && now - *since < IDLE_TIMEOUT
        });
        idle
    }
}

impl ConnectionPermit {
    /// Takes the connection that was used last.
    pub(super) fn take_idle(&self) -> Option<Connection> {
        let mut idle = locked(&self.host.idle);
        while let Some((connection, since)) = idle.pop() {
            if connection.requests.is_ready() && since.elapsed() < IDLE_TIMEOUT {
                return Some(connection);
            }
        }
        None
    }

    /// Stores a connection for another call.
    pub(super) fn keep(self, connection: Connection) {
        let now = Instant::now();
        self.host.kept(now).push((connection, now));
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
