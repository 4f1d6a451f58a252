//! Who may call a service that browsers can reach: the hosts and the origins that its options allow.

use http::header::{HeaderValue, ORIGIN};
use http::{HeaderMap, HeaderName};

use crate::error_text::printable;
use crate::host::Host;
use crate::server_options::ServerOptions;

/// Where a browser sends a request from, in relation to the address that it asks.
static SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses a request that names another host than the options allow.
///
/// # Errors
///
/// A line for the caller.
pub(crate) fn check_host(options: &ServerOptions, host: Option<Host<'_>>) -> Result<(), String> {
    let Some(allowed) = &options.allowed_hosts else {
        return Ok(());
    };
    let Some(host) = host else {
        return Err("The request names no host, which this service requires.".to_owned());
    };
    if host.is_one_of(allowed) {
        return Ok(());
    }
    Err(format!(
        "This service is not called {}.",
        printable(host.text)
    ))
}

/// Refuses a call that a page of another origin than the options allow makes.
///
/// # Errors
///
/// A line for the caller.
pub(crate) fn check_origin(
    options: &ServerOptions,
    headers: &HeaderMap,
    host: Option<Host<'_>>,
) -> Result<(), String> {
    let Some(allowed) = &options.allowed_origins else {
        return Ok(());
    };
    let site = headers.get(&SEC_FETCH_SITE).map(HeaderValue::as_bytes);
    // `none`: somebody typed the address.
    if let Some(b"same-origin" | b"none") = site {
        return Ok(());
    }
    let is_own = |origin: &str| {
        let address = origin.split_once("://").map(|(_, address)| address);
        address
            .is_some_and(|address| host.is_some_and(|host| host.text.eq_ignore_ascii_case(address)))
    };
    let is_allowed = |origin: &str| {
        let mut allowed = allowed.iter();
        allowed.any(|known| known.trim_end_matches('/').eq_ignore_ascii_case(origin))
    };
    let mut origins = headers.get_all(ORIGIN).iter().peekable();
    if origins.peek().is_none() && site.is_some() {
        return Err("Pages of other sites may not call this service.".to_owned());
    }
    for origin in origins {
        let origin = String::from_utf8_lossy(origin.as_bytes());
        if !is_own(&origin) && !is_allowed(&origin) {
            return Err(format!(
                "Pages of {} may not call this service.",
                printable(&origin)
            ));
        }
    }
    Ok(())
}
