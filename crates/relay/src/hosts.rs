//! The hosts that requests name.

use httparse::{EMPTY_HEADER, Request};
use svcgen::mask::OMITTED;
use svcgen::serve::names_one_of;

use crate::framing::MOST_HEADERS;

/// Returns the host in a request's target or `Host` headers that is not one of `allowed`, without
/// credentials before it. A request without a host does not come from a browser.
pub(crate) fn other_host(head: &[u8], allowed: &[String]) -> Option<String> {
    let mut headers = [EMPTY_HEADER; MOST_HEADERS];
    let mut request = Request::new(&mut headers);
    // The framing has parsed this head without an error.
    let _ = request.parse(head);
    let target = request.path.unwrap_or_default();
    let of_target = match target.split_once("://") {
        _ if target.starts_with('/') || target == "*" => None,
        Some((_, rest)) => rest.split(['/', '?', '#']).next(),
        None => Some(target),
    };
    let hosts = request.headers.iter();
    let hosts = hosts.filter(|header| header.name.eq_ignore_ascii_case("host"));
    let hosts = hosts.map(|header| String::from_utf8_lossy(header.value.trim_ascii()));
    let mut hosts = of_target.map(Into::into).into_iter().chain(hosts);
    let other = hosts.find(|host| !names_one_of(host, allowed));
    other.map(|host| match host.rsplit_once('@') {
        // The name of a user may come with a password.
        Some((_, host)) => format!("{OMITTED}@{host}"),
        None => host.into_owned(),
    })
}

/// Writes a head with its host replaced.
pub(crate) fn with_host(head: &[u8], host: &str, out: &mut Vec<u8>) {
    for line in head.split_inclusive(|byte| *byte == b'\n') {
        let colon = line.iter().position(|byte| *byte == b':');
        let is_host =
            colon.is_some_and(|colon| line[..colon].trim_ascii().eq_ignore_ascii_case(b"host"));
        if is_host {
            let end: &[u8] = if line.ends_with(b"\r\n") {
                b"\r\n"
            } else {
                b"\n"
            };
            out.extend_from_slice(&[b"Host: ", host.as_bytes(), end].concat());
        } else {
            out.extend_from_slice(line);
        }
    }
}
