//! The URL of a service.

use http::Uri;
use http::uri::Scheme;

use crate::binding::protocol::with_target;
use crate::call_error::CallError;
use crate::host::Host;

/// The address of a service: a base URL and the service's path.
pub(super) fn read_url(base_url: &str, path: &str) -> Result<Uri, CallError> {
    let refused =
        |why: &str| CallError::Url(format!("{why} (a base URL is like http://127.0.0.1:8080)"));
    if base_url.contains(['?', '#']) {
        return Err(refused("the base URL has a query or a fragment"));
    }
    // The URL itself is not shown in errors: it may hold a password.
    let url: Uri = base_url
        .parse()
        .map_err(|_| refused("the base URL is not a URL"))?;
    if url.scheme() != Some(&Scheme::HTTP) && url.scheme() != Some(&Scheme::HTTPS) {
        return Err(refused("the base URL is neither http nor https"));
    }
    if url
        .authority()
        .is_some_and(|authority| authority.as_str().contains('@'))
    {
        return Err(refused(
            "the base URL holds a user's name; send credentials as a header from a transport of your own",
        ));
    }
    if let Some(authority) = url.authority() {
        Host::of_url(authority.as_str()).map_err(refused)?;
    }
    let target = format!("{}{path}", url.path().trim_end_matches('/'));
    with_target(&url, &target)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(base: &str) -> String {
        match read_url(base, "/a.asmx") {
            Ok(url) => url.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn base_urls() {
        assert_eq!(url("http://h:1"), "http://h:1/a.asmx");
        assert_eq!(url("https://h/"), "https://h/a.asmx");
        assert_eq!(url("http://h/base/"), "http://h/base/a.asmx");
        assert!(url("http://user:hunter2@h/").contains("user's name"));
        assert!(!url("http://user:hunter2@h/").contains("hunter2"));
        assert!(url("ftp://h/").contains("neither http nor https"));
        assert!(url("h").contains("neither http nor https"));
        assert!(url("http://h/?x").contains("query"));
        assert!(url("http://h\r\nX: y/").contains("not a URL"));
        for base in [
            "http://h:65536",
            "http://h:0/",
            "http://h:x/",
            "http://[::1]:99999/",
        ] {
            assert!(url(base).contains("not a number from 1 to 65535"), "{base}");
        }
        assert!(url("http://h:/").contains("no port after it"));
    }
}
