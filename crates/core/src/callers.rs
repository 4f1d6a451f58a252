//! Checks who may call a service that browsers can reach: the hosts and the origins that its
//! options allow.

use std::num::NonZeroU16;

use http::header::{HeaderValue, ORIGIN};
use http::{HeaderName, request};

use crate::host::Host;
use crate::server_options::ServerOptions;
use svcgen_wire::internals::printable;

/// The relation between the origin of a browser's request and the requested address.
static SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses a request that names another host than the options allow.
///
/// # Errors
///
/// Returns a line for the caller.
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

/// The origin of a page (RFC 6454 §4).
struct Origin<'o> {
    scheme: &'o str,
    host: &'o str,
    /// The port; the default of the scheme if none is written.
    port: Option<u16>,
}

impl<'o> Origin<'o> {
    /// Reads an origin, such as `https://portal.corp.example`.
    fn read(text: &'o str) -> Option<Self> {
        let (scheme, host) = text.split_once("://")?;
        Some(Self::new(scheme, Host::read(host)?))
    }

    fn new(scheme: &'o str, host: Host<'o>) -> Self {
        let usual = match scheme.to_ascii_lowercase().as_str() {
            "http" => Some(80),
            "https" => Some(443),
            _ => None,
        };
        Self {
            scheme,
            host: host.name,
            port: host.port.map(NonZeroU16::get).or(usual),
        }
    }
}

impl PartialEq for Origin<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.scheme.eq_ignore_ascii_case(other.scheme)
            && self.host.eq_ignore_ascii_case(other.host)
            && self.port == other.port
    }
}

/// Refuses a call from a page whose origin the options do not allow.
///
/// # Errors
///
/// Returns a line for the caller.
pub(crate) fn check_origin(
    options: &ServerOptions,
    parts: &request::Parts,
    host: Option<Host<'_>>,
) -> Result<(), String> {
    let headers = &parts.headers;
    let Some(allowed) = &options.allowed_origins else {
        return Ok(());
    };
    let site = headers.get(&SEC_FETCH_SITE).map(HeaderValue::as_bytes);
    // `none` means that the user typed the address.
    if let Some(b"same-origin" | b"none") = site {
        return Ok(());
    }
    let scheme = if options.is_encrypted(parts) {
        "https"
    } else {
        "http"
    };
    let own = host.map(|host| Origin::new(scheme, host));
    let is_allowed = |written: &str| {
        let origin = Origin::read(written);
        let is_it = |known: &String| match (Origin::read(known.trim_end_matches('/')), &origin) {
            (Some(known), Some(origin)) => known == *origin,
            // For example `null`.
            _ => known.eq_ignore_ascii_case(written),
        };
        origin.is_some() && origin == own || allowed.iter().any(is_it)
    };
    let mut origins = headers.get_all(ORIGIN).iter().peekable();
    if origins.peek().is_none() && site.is_some() {
        return Err("Pages of other sites may not call this service.".to_owned());
    }
    for origin in origins {
        let origin = String::from_utf8_lossy(origin.as_bytes());
        if !is_allowed(&origin) {
            return Err(format!(
                "Pages of {} may not call this service.",
                printable(&origin)
            ));
        }
    }
    Ok(())
}
