//! The address of a service in documents.

use http::header::FORWARDED;
use http::uri::Uri;
use http::{HeaderMap, request};

use super::Documents;
use crate::host::{Host, asked_host, is_encrypted};
use crate::peer::RemoteAddress;

/// Returns whether a request came over TLS to the proxy that forwarded it; `None` without
/// information from a trusted proxy.
pub(crate) fn is_encrypted_to_proxy(documents: &Documents, parts: &request::Parts) -> Option<bool> {
    let scheme = Forwarded::of(documents, parts).scheme;
    scheme.map(|scheme| scheme == "https")
}

/// Returns the URL of a service: its path after the scheme, the host and the prefix of the request.
pub(super) fn address(
    documents: &Documents,
    parts: &request::Parts,
    mount: &str,
    path: &str,
) -> String {
    if let Some(url) = &documents.public_url {
        return format!("{url}{path}");
    }
    let forwarded = Forwarded::of(documents, parts);
    let scheme = (forwarded.scheme).unwrap_or(if is_encrypted(parts) { "https" } else { "http" });
    let own = asked_host(parts).ok().flatten();
    let host = forwarded.host.or(own);
    let port = forwarded.port(scheme, host);
    let prefix = forwarded.prefix.unwrap_or_default();
    // Only hand-written requests lack a host, and most of them come from this machine.
    let host = host.map_or("localhost", |host| host.text);
    format!("{scheme}://{host}{port}{prefix}{mount}{path}")
}

/// Whether addresses can start with this text.
pub(super) fn is_public_url(url: &str) -> bool {
    let Ok(uri) = url.parse::<Uri>() else {
        return false;
    };
    let has_host = uri
        .authority()
        .is_some_and(|authority| Host::of_url(authority.as_str()).is_ok());
    matches!(uri.scheme_str(), Some("http" | "https")) && has_host && !url.contains(['?', '#'])
}

/// The headers of a proxy about the request that it received.
#[derive(Default)]
struct Forwarded<'h> {
    scheme: Option<&'static str>,
    host: Option<Host<'h>>,
    port: Option<u16>,
    prefix: Option<&'h str>,
}

impl<'h> Forwarded<'h> {
    /// Reads the headers of a request, if the proxy is trusted.
    fn of(documents: &Documents, parts: &'h request::Parts) -> Self {
        let caller = parts.extensions.get::<RemoteAddress>();
        if documents.trusts(caller.map(|RemoteAddress(address)| address.ip())) {
            Self::read(&parts.headers)
        } else {
            Self::default()
        }
    }

    /// Reads `Forwarded` (RFC 7239) or, without it, `X-Forwarded-…`.
    fn read(headers: &'h HeaderMap) -> Self {
        let standard = text(headers, FORWARDED.as_str()).unwrap_or_default();
        let parameter = |wanted: &str| {
            standard.split(';').find_map(|pair| {
                let (name, value) = pair.split_once('=')?;
                let is_it = name.trim().eq_ignore_ascii_case(wanted);
                is_it.then(|| value.trim().trim_matches('"'))
            })
        };
        let scheme = parameter("proto").or_else(|| text(headers, "x-forwarded-proto"));
        let host = parameter("host").or_else(|| text(headers, "x-forwarded-host"));
        let prefix = text(headers, "x-forwarded-prefix").map(|prefix| prefix.trim_end_matches('/'));
        Self {
            scheme: scheme.and_then(known_scheme),
            host: host.and_then(Host::read),
            port: text(headers, "x-forwarded-port").and_then(|port| port.parse().ok()),
            prefix: prefix.filter(|prefix| is_path(prefix)),
        }
    }

    /// Returns the port to append to a host without one, unless it is the scheme's default.
    fn port(&self, scheme: &str, host: Option<Host<'_>>) -> String {
        let has_port = host.is_some_and(|host| host.port.is_some());
        match (self.port, scheme) {
            (None, _) | (Some(80), "http") | (Some(443), "https") => String::new(),
            (Some(_), _) if has_port => String::new(),
            (Some(port), _) => format!(":{port}"),
        }
    }
}

/// Returns the last value of a header.
fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let last = headers.get_all(name).iter().next_back()?.to_str().ok()?;
    last.rsplit(',').next().map(str::trim)
}

fn known_scheme(scheme: &str) -> Option<&'static str> {
    ["http", "https"]
        .into_iter()
        .find(|known| scheme.eq_ignore_ascii_case(known))
}

fn is_path(path: &str) -> bool {
    let is_kept = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/%".contains(&byte);
    path.starts_with('/') && !path.starts_with("//") && path.bytes().all(is_kept)
}
