//! The headers of forwarded requests, and of their answers.

use http::header::{
    AUTHORIZATION, CONNECTION, CONTENT_LENGTH, COOKIE, EXPECT, HOST, TE, TRAILER,
    TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, request};

use crate::host::{asked_host, is_encrypted};
use crate::peer::RemoteAddress;

/// The headers that apply only to one connection (RFC 9110 §7.6.1), besides those that `Connection`
/// names.
const OF_CONNECTION: [HeaderName; 7] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// Removes the headers that `Connection` names. For a request, this must happen before layers see
/// it: a caller must not be able to remove the headers that they add. `Host` stays even if named,
/// because it also decides other headers for the original.
pub(crate) fn remove_named(headers: &mut HeaderMap) {
    let named: Vec<_> = headers
        .get_all(CONNECTION)
        .iter()
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
        .filter_map(|name| HeaderName::from_bytes(name.trim_ascii()).ok())
        .filter(|name| ![CONNECTION, HOST].contains(name))
        .collect();
    for name in named {
        headers.remove(name);
    }
}

fn remove_of_connection(headers: &mut HeaderMap) {
    for name in OF_CONNECTION {
        headers.remove(name);
    }
}

/// Returns the headers to send to the original, for a request [without those that `Connection`
/// names](remove_named). The transport adds the headers that frame the body, and `Host` if it is
/// missing.
pub(super) fn sent(parts: &request::Parts, keeps_host: bool, forwards: bool) -> HeaderMap {
    let mut headers = parts.headers.clone();
    remove_of_connection(&mut headers);
    for name in [CONTENT_LENGTH, EXPECT, HOST] {
        headers.remove(name);
    }
    remove_logins_of_connections(&mut headers);
    join_cookies(&mut headers);
    let host = asked_host(parts).ok().flatten().map(|host| host.text);
    let host = host.and_then(|host| HeaderValue::from_str(host).ok());
    if forwards {
        let address = RemoteAddress::of(&parts.extensions).map(|address| address.ip().to_string());
        let address = address.and_then(|address| HeaderValue::try_from(address).ok());
        let scheme = if is_encrypted(parts) { "https" } else { "http" };
        let scheme = Some(HeaderValue::from_static(scheme));
        for (name, value) in [
            ("x-forwarded-for", address),
            ("x-forwarded-proto", scheme),
            ("x-forwarded-host", host.clone()),
        ] {
            if let Some(value) = value {
                add(&mut headers, HeaderName::from_static(name), &value);
            }
        }
    }
    if let Some(host) = host.filter(|_| keeps_host) {
        headers.insert(HOST, host);
    }
    headers
}

/// Removes credentials that log in a whole connection (RFC 4559 §6): connections to the original
/// carry requests of all callers, who would be confused with each other.
fn remove_logins_of_connections(headers: &mut HeaderMap) {
    let is_of_connection = |value: &HeaderValue| {
        let mut words = value.as_bytes().split(u8::is_ascii_whitespace);
        let scheme = words.find(|word| !word.is_empty()).unwrap_or_default();
        [&b"ntlm"[..], b"negotiate"]
            .iter()
            .any(|known| scheme.eq_ignore_ascii_case(known))
    };
    if headers.get_all(AUTHORIZATION).iter().any(is_of_connection) {
        headers.remove(AUTHORIZATION);
    }
}

/// Adds a value to a header. All values are in one line, because many programs read only the first
/// line.
fn add(headers: &mut HeaderMap, name: HeaderName, value: &HeaderValue) {
    let values = headers.get_all(&name).iter().chain([value]);
    let values: Vec<_> = values.map(HeaderValue::as_bytes).collect();
    if let Ok(all) = HeaderValue::from_bytes(&values.join(&b", "[..])) {
        headers.insert(name, all);
    }
}

/// Joins cookies: HTTP/2 may have a header for each cookie, HTTP/1.1 has one for all (RFC 9113
/// §8.2.3).
fn join_cookies(headers: &mut HeaderMap) {
    let cookies = headers.get_all(COOKIE).iter();
    let cookies: Vec<_> = cookies.map(HeaderValue::as_bytes).collect();
    if cookies.len() > 1
        && let Ok(all) = HeaderValue::from_bytes(&cookies.join(&b"; "[..]))
    {
        headers.insert(COOKIE, all);
    }
}

/// Keeps only the headers of an answer that are for the caller. Sets `Content-Length` to the length
/// of the body, except in the answer to HEAD, which has no body.
pub(crate) fn returned<B: AsRef<[u8]>>(method: &Method, response: &mut Response<B>) {
    let (status, length) = (response.status(), response.body().as_ref().len());
    let headers = response.headers_mut();
    remove_named(headers);
    remove_of_connection(headers);
    if *method == Method::HEAD {
        return;
    }
    headers.remove(CONTENT_LENGTH);
    if ![StatusCode::NO_CONTENT, StatusCode::NOT_MODIFIED].contains(&status) {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
}

#[cfg(test)]
mod tests {
    use http::{Request, Version};

    use super::*;

    #[test]
    fn cookies_of_http_2_are_one_header() {
        let request = Request::get("https://h/a").version(Version::HTTP_2);
        let request = request.header(COOKIE, "a=1").header(COOKIE, "b=2; c=3");
        let (parts, ()) = request.body(()).unwrap().into_parts();
        let headers = sent(&parts, true, true);
        let told: Vec<_> = headers.get_all(COOKIE).iter().collect();
        assert_eq!(told, ["a=1; b=2; c=3"]);
        // The request has no `Host`.
        assert_eq!(headers[HOST], "h");
        assert_eq!(headers["x-forwarded-host"], "h");
        assert_eq!(headers["x-forwarded-proto"], "https");
        assert!(!headers.contains_key("x-forwarded-for"));
    }
}
