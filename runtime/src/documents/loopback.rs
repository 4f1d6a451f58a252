//! Requests from the machine of the server.

use std::net::IpAddr;

use http::header::{FORWARDED, HeaderName, VIA};
use http::request;

use super::Documents;
use crate::call::RemoteAddress;
use crate::host::asked_host;

/// The headers that proxies add to requests.
const PROXY_HEADERS: [HeaderName; 8] = [
    FORWARDED,
    VIA,
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-forwarded-host"),
    HeaderName::from_static("x-forwarded-proto"),
    HeaderName::from_static("x-forwarded-port"),
    HeaderName::from_static("x-forwarded-prefix"),
    HeaderName::from_static("x-real-ip"),
];

/// Whether a request comes from a browser on this machine, as far as can be told. The host that it names must be a loopback name, too:
/// requests through a proxy on this machine, and those of a page that was rebound by DNS, name another one.
pub(super) fn is_from_loopback(documents: &Documents, parts: &request::Parts) -> bool {
    let caller = parts.extensions.get::<RemoteAddress>();
    let Some(caller) = caller.map(|RemoteAddress(address)| address.ip().to_canonical()) else {
        return false;
    };
    caller.is_loopback()
        && documents.public_url.is_none()
        && !documents.trusts(Some(caller))
        && !PROXY_HEADERS
            .iter()
            .any(|name| parts.headers.contains_key(name))
        && asked_host(parts).is_ok_and(|host| host.is_some_and(|host| is_loopback_name(host.name)))
}

fn is_loopback_name(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    match address.parse::<IpAddr>() {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}
