//! Requests from the machine of the server.

use std::net::IpAddr;

use http::header::{CONNECTION, FORWARDED, HeaderName, VIA};
use http::{HeaderMap, Version, request};

use super::Documents;
use crate::host::asked_host;
use crate::peer::RemoteAddress;

/// Whether a request appears to come directly from a browser on this machine. The requested host
/// must be a loopback name, too: after DNS rebinding, a page names another host.
pub(super) fn is_from_loopback(documents: &Documents, parts: &request::Parts) -> bool {
    let caller = parts.extensions.get::<RemoteAddress>();
    let Some(caller) = caller.map(|RemoteAddress(address)| address.ip().to_canonical()) else {
        return false;
    };
    caller.is_loopback()
        && documents.public_url.is_none()
        && !documents.trusts(Some(caller))
        && !is_forwarded(parts.version, &parts.headers)
        && asked_host(parts).is_ok_and(|host| host.is_some_and(|host| is_loopback_name(host.name)))
}

/// Whether the request of a browser came through a proxy. Browsers send `Connection: keep-alive`,
/// which proxies do not forward, because the header applies to one connection (RFC 9110 §7.6.1).
/// Proxies that send it themselves add headers of their own.
fn is_forwarded(version: Version, headers: &HeaderMap) -> bool {
    let connection = headers.get(CONNECTION).map(|value| value.as_bytes());
    let is_kept = connection.is_some_and(|value| value.eq_ignore_ascii_case(b"keep-alive"));
    let of_proxies = |name: &HeaderName| {
        let prefixes = ["x-forwarded-", "x-envoy-"];
        [FORWARDED, VIA].contains(name)
            || name == "x-real-ip"
            || prefixes
                .iter()
                .any(|prefix| name.as_str().starts_with(prefix))
    };
    version != Version::HTTP_11 || !is_kept || headers.keys().any(of_proxies)
}

fn is_loopback_name(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    match address.parse::<IpAddr>() {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}
