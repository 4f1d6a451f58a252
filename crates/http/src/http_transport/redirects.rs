//! Redirects (RFC 9110 §15.4).

use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, LOCATION, USER_AGENT};
use http::{HeaderMap, HeaderName, Method, Response, StatusCode, Uri, request};

/// The headers of a request that are also sent to another origin. Others may contain secrets.
const OF_MESSAGE: [HeaderName; 7] = [
    ACCEPT,
    ACCEPT_ENCODING,
    CONTENT_TYPE,
    USER_AGENT,
    HeaderName::from_static("soapaction"),
    HeaderName::from_static("traceparent"),
    HeaderName::from_static("tracestate"),
];

/// Returns the target to which a response redirects a request; `None` if the response is the
/// answer.
///
/// GET requests follow every redirect, others only redirects that keep the method. No redirect is
/// followed from https to http.
pub(super) fn target<B>(request: &request::Parts, response: &Response<B>) -> Option<Uri> {
    let follows = match response.status() {
        StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT => true,
        StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND | StatusCode::SEE_OTHER => {
            request.method == Method::GET
        }
        _ => false,
    };
    if !follows {
        return None;
    }
    let location = response.headers().get(LOCATION)?.to_str().ok()?;
    let target = resolved(&request.uri, location)?;
    let is_safe = match target.scheme_str()? {
        "https" => true,
        "http" => request.uri.scheme_str() == Some("http"),
        _ => false,
    };
    let has_user = target.authority()?.as_str().contains('@');
    (is_safe && !has_user).then_some(target)
}

/// Whether both have the same origin: scheme, host and port (RFC 6454 §4).
pub(super) fn same_origin(one: &Uri, other: &Uri) -> bool {
    let port = |uri: &Uri| {
        let default = if uri.scheme_str() == Some("https") {
            443
        } else {
            80
        };
        uri.port_u16().unwrap_or(default)
    };
    let host = |uri: &Uri| uri.host().map(str::to_ascii_lowercase);
    one.scheme() == other.scheme() && host(one) == host(other) && port(one) == port(other)
}

/// Keeps only the headers that every server may see.
pub(super) fn keep_of_message(headers: &mut HeaderMap) {
    let all = std::mem::take(headers);
    for name in OF_MESSAGE {
        for value in all.get_all(&name) {
            headers.append(name.clone(), value.clone());
        }
    }
}

/// Resolves a reference to a URL (RFC 3986 §5.2), but leaves `..` to the server.
fn resolved(base: &Uri, location: &str) -> Option<Uri> {
    let location = location.split('#').next()?;
    let (scheme, authority) = (base.scheme_str()?, base.authority()?);
    let folder = &base.path()[..=base.path().rfind('/')?];
    let has_scheme = location.split(['/', '?']).next()?.contains(':');
    let absolute = match location {
        _ if has_scheme => location.to_owned(),
        _ if location.starts_with("//") => format!("{scheme}:{location}"),
        _ if location.starts_with('/') => format!("{scheme}://{authority}{location}"),
        _ if location.starts_with('?') => {
            format!("{scheme}://{authority}{}{location}", base.path())
        }
        _ => format!("{scheme}://{authority}{folder}{location}"),
    };
    absolute.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved() {
        let base = Uri::from_static("http://h:81/a/s.asmx?q=1");
        for (location, expected) in [
            ("https://other/x", Some("https://other/x")),
            ("//other/x", Some("http://other/x")),
            ("/x?y=1#z", Some("http://h:81/x?y=1")),
            ("t.asmx", Some("http://h:81/a/t.asmx")),
            ("?y", Some("http://h:81/a/s.asmx?y")),
            ("x?y=a:b", Some("http://h:81/a/x?y=a:b")),
            ("http://", None),
            ("a b", None),
        ] {
            let resolved = resolved(&base, location).map(|uri| uri.to_string());
            assert_eq!(resolved.as_deref(), expected, "{location}");
        }
    }

    #[test]
    fn origins_are_scheme_host_and_port() {
        for (one, other, expected) in [
            ("http://h/a", "http://H:80/b", true),
            ("https://h", "https://h:443", true),
            ("http://h", "https://h", false),
            ("http://h:80", "http://h:81", false),
            ("http://h", "http://h.example", false),
        ] {
            let [one, other] = [one, other].map(Uri::from_static);
            assert_eq!(same_origin(&one, &other), expected, "{one} {other}");
        }
    }
}
