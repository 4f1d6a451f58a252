//! The caller's address behind proxies.

use std::net::IpAddr;
use std::sync::Arc;

use svcgen::Context;

/// Proxies whose `X-Forwarded-For` is trusted; by default none. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Proxies(Arc<[IpAddr]>);

impl FromIterator<IpAddr> for Proxies {
    fn from_iter<I: IntoIterator<Item = IpAddr>>(proxies: I) -> Self {
        let canonical = proxies.into_iter().map(|address| address.to_canonical());
        Self(canonical.collect())
    }
}

impl Proxies {
    /// The address of the caller: that of the connection or, if it comes from one of the proxies,
    /// the last address in `X-Forwarded-For` that is not a proxy. The caller itself may have
    /// written the addresses before that one. Absent if the transport does not know the address, or
    /// the header cannot be read.
    pub fn caller(&self, context: &Context) -> Option<IpAddr> {
        let connection = context.remote_address()?.ip().to_canonical();
        if !self.0.contains(&connection) {
            return Some(connection);
        }
        let mut nearest = connection;
        for header in context.headers().get_all("x-forwarded-for").iter().rev() {
            for address in header.to_str().ok()?.rsplit(',') {
                nearest = address.trim().parse::<IpAddr>().ok()?.to_canonical();
                if !self.0.contains(&nearest) {
                    return Some(nearest);
                }
            }
        }
        Some(nearest)
    }
}
