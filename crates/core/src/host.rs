//! The host and the port of a URL or of a `Host` header.

use std::net::Ipv6Addr;
use std::num::NonZeroU16;

use http::header::HOST;
use http::{Version, request};

use crate::peer::{Encrypted, RemoteAddress};

/// A host with an optional port, such as `example.com:8080` or `[::1]` (RFC 9110 §7.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Host<'a> {
    /// The host and the port, as written.
    pub(crate) text: &'a str,
    /// The name or the address; an IPv6 address includes its brackets.
    #[doc(hidden)]
    pub name: &'a str,
    #[doc(hidden)]
    pub port: Option<NonZeroU16>,
}

impl<'a> Host<'a> {
    /// Reads an authority. Returns `None` if it contains a user's name, has no host, or has an
    /// invalid port.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        let colon = memchr::memrchr(b':', text.as_bytes());
        let (name, port) = match colon.map(|at| (&text[..at], &text[at + 1..])) {
            Some((name, port)) if !port.contains(']') => (name, port),
            _ => (text, ""),
        };
        // `parse` accepts a leading `+`, which a port must not have.
        let has_digits = port.bytes().all(|byte| byte.is_ascii_digit());
        let port = match port {
            "" => None,
            digits => Some(digits.parse().ok().filter(|_| has_digits)?),
        };
        is_name(name).then_some(Self { text, name, port })
    }

    /// Whether this is one of `hosts`, which have an optional port and any letter case.
    pub(crate) fn is_one_of(&self, hosts: &[String]) -> bool {
        let is_it = |known: &String| {
            known.eq_ignore_ascii_case(self.name) || known.eq_ignore_ascii_case(self.text)
        };
        hosts.iter().any(is_it)
    }

    /// Reads the host and the port of a client's URL.
    ///
    /// # Errors
    ///
    /// The reason why no connection can be opened: otherwise a request would go to another listener
    /// than intended.
    pub fn of_url(authority: &'a str) -> Result<Self, &'static str> {
        match Self::read(authority) {
            // In RFC 3986, this is the default port, but most likely a variable was empty by
            // mistake.
            Some(_) if authority.ends_with(':') => Err("the URL has a colon and no port after it"),
            Some(host) => Ok(host),
            None => Err("the host of the URL is none, or its port is not a number from 1 to 65535"),
        }
    }
}

/// Whether an authority names one of these hosts, as
/// [`ServerOptions::with_allowed_hosts`](crate::ServerOptions::with_allowed_hosts) has them.
pub fn names_one_of(authority: &str, hosts: &[String]) -> bool {
    Host::read(authority).is_some_and(|host| host.is_one_of(hosts))
}

fn is_name(name: &str) -> bool {
    match name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'))
    {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => !name.is_empty() && name.bytes().all(is_in_names),
    }
}

/// Whether a byte may be in a name or an address of IPv4 (RFC 3986 §3.2.2).
fn is_in_names(byte: u8) -> bool {
    // Searching a list takes several times as long, and each request has a host.
    match byte {
        b'-' | b'.' | b'_' | b'~' | b'%' => true,
        b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' => true,
        _ => byte.is_ascii_alphanumeric(),
    }
}

/// Returns the host that a request names: the one of its target, or else of its `Host` header.
///
/// # Errors
///
/// The reason why the request must be refused (RFC 9112 §3.2). A `Host` header may be missing over
/// HTTP/1.0 and HTTP/2, and in a request that did not come over a connection.
pub(crate) fn asked_host(parts: &request::Parts) -> Result<Option<Host<'_>>, &'static str> {
    let mut headers = parts.headers.get_all(HOST).iter();
    let header = match (headers.next(), headers.next()) {
        (Some(_), Some(_)) => return Err("The request has more than one Host header."),
        (Some(header), None) => {
            let host = header.to_str().ok().and_then(Host::read);
            Some(host.ok_or("The Host header of the request names no host.")?)
        }
        _ if parts.version == Version::HTTP_11
            && parts.extensions.get::<RemoteAddress>().is_some() =>
        {
            return Err("The request has no Host header, which HTTP/1.1 requires.");
        }
        _ => None,
    };
    match parts.uri.authority() {
        None => Ok(header),
        Some(authority) => match Host::read(authority.as_str()) {
            None => Err("The target of the request names no host."),
            host => Ok(host),
        },
    }
}

/// Whether a request came over TLS, according to `svcgen::serve` or its target.
pub(crate) fn is_encrypted(parts: &request::Parts) -> bool {
    if parts.extensions.get::<Encrypted>().is_some() {
        return true;
    }
    parts.uri.scheme_str() == Some("https")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_with_and_without_ports() {
        let read = |text| Host::read(text).map(|host| (host.name, host.port.map(NonZeroU16::get)));
        assert_eq!(read("h"), Some(("h", None)));
        assert_eq!(read("h:"), Some(("h", None)));
        assert_eq!(
            read("my_host.example:65535"),
            Some(("my_host.example", Some(65535)))
        );
        assert_eq!(read("127.0.0.1:1"), Some(("127.0.0.1", Some(1))));
        assert_eq!(read("[::1]"), Some(("[::1]", None)));
        assert_eq!(read("[::1]:80"), Some(("[::1]", Some(80))));
        for text in [
            "", ":80", "h:0", "h:65536", "h:+80", "h:80:90", "h:x", "u@h", "a b", "a/b", "a?b",
            "é", "[::1", "::1", "[h]", "[]:1",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
