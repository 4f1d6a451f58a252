//! How many connections each address has.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OwnedSemaphorePermit;

/// The place of a connection among those that may be open.
pub(super) type Admission = (OwnedSemaphorePermit, Option<FromAddress>);

/// Counts the connections of each address, up to a limit.
pub(super) struct Addresses {
    limit: u32,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts(Mutex<HashMap<IpAddr, u32>>);

impl Counts {
    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Addresses {
    pub(super) fn new(limit: u32) -> Self {
        Self {
            limit,
            counts: Arc::default(),
        }
    }

    /// Counts another connection of an address, unless it has as many as it may have.
    pub(super) fn enter(&self, address: IpAddr) -> Option<FromAddress> {
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
pub(super) struct FromAddress {
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
