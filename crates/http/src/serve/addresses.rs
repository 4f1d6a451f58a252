//! Limits of open connections, in total and for each address.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::listener::Listener;

/// A listener that limits its open connections.
#[derive(Debug)]
pub struct Limited<L> {
    listener: L,
    places: Arc<Semaphore>,
    addresses: Option<Addresses>,
}

impl<L: Listener> Limited<L> {
    /// Limits the connections in total, and from each address.
    pub fn new(listener: L, most: u32, most_per_address: Option<u32>) -> Self {
        Self {
            listener,
            places: Arc::new(Semaphore::new(most as usize)),
            addresses: most_per_address.map(Addresses::new),
        }
    }

    /// Waits for room for a connection, and then for a connection. Its place becomes free when the
    /// admission is dropped.
    ///
    /// # Errors
    ///
    /// Returns the address if it has too many connections; the new one is closed.
    pub async fn accept(
        &mut self,
    ) -> Result<(L::Stream, Option<SocketAddr>, Admission), SocketAddr> {
        let place = Arc::clone(&self.places).acquire_owned().await;
        let place = place.expect("the semaphore is never closed");
        let (stream, address) = self.listener.accept().await;
        let from = match self.addresses.as_ref().zip(address) {
            Some((addresses, address)) => Some(addresses.enter(address.ip()).ok_or(address)?),
            None => None,
        };
        Ok((
            stream,
            address,
            Admission {
                _place: place,
                _from: from,
            },
        ))
    }
}

/// The place of a connection among the open ones.
#[derive(Debug)]
pub struct Admission {
    _place: OwnedSemaphorePermit,
    _from: Option<FromAddress>,
}

/// Counts the connections of each address, up to a limit.
#[derive(Debug)]
struct Addresses {
    limit: u32,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts(Mutex<HashMap<IpAddr, u32>>);

impl Counts {
    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Addresses {
    fn new(limit: u32) -> Self {
        Self {
            limit,
            counts: Arc::default(),
        }
    }

    /// Counts another connection of an address, unless the limit is reached.
    fn enter(&self, address: IpAddr) -> Option<FromAddress> {
        let address = address.to_canonical();
        let mut counts = self.counts.lock();
        if counts.get(&address).copied().unwrap_or(0) >= self.limit {
            return None;
        }
        *counts.entry(address).or_default() += 1;
        Some(FromAddress {
            address,
            counts: Arc::clone(&self.counts),
        })
    }
}

/// A connection that is counted until it is dropped.
#[derive(Debug)]
struct FromAddress {
    address: IpAddr,
    counts: Arc<Counts>,
}

impl Drop for FromAddress {
    fn drop(&mut self) {
        if let Entry::Occupied(mut count) = self.counts.lock().entry(self.address) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}
