//! The URL of a service.

use http::Uri;
use svcgen_model::{base_path, is_query_of_document};

use crate::binding::protocol::with_target;
use crate::call_error::CallError;
use crate::host::Host;

/// Reads the URL of a service with this path in its definition.
///
/// A URL that ends with the path or with the name of a file, or has a query, is the URL of the
/// service. Any other URL is a base URL, to which the path is added. A `/` at the end of the path,
/// and its query, may be omitted.
pub(super) fn read_url(given: &str, path: &str) -> Result<Uri, CallError> {
    // Errors do not show the URL as long as it may contain a password or a query.
    let refused = |why: &str| CallError::Url(format!("{why} (a URL is like http://host{path})"));
    let instead = |why: &str, url: &str| CallError::Url(format!("{why}: write {url}"));
    if given.trim() != given {
        return Err(refused("the URL has white space around it"));
    }
    let is_scheme = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let Some((scheme, rest)) = given
        .split_once("://")
        .filter(|(scheme, _)| is_scheme(scheme))
    else {
        let known = ["http:", "https:"].iter();
        let mut known = known.filter_map(|scheme| given.strip_prefix(scheme));
        let host = known.next().unwrap_or(given).trim_start_matches('/');
        if host.is_empty() || host.contains(['@', '?', '#']) || host.contains(char::is_whitespace) {
            return Err(refused("the URL has no scheme"));
        }
        let url = format!("http://{host} or https://{host}");
        return Err(instead("the URL has no scheme", &url));
    };
    if !["http", "https"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known))
    {
        return Err(refused("the URL is neither http nor https"));
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return Err(refused(
            "the URL holds a user's name; send credentials as a header, such as by a layer of the transport",
        ));
    }
    if given.contains('#') {
        return Err(refused("the URL has a fragment"));
    }
    if let Some((before, query)) = given.split_once('?')
        && is_query_of_document(query)
    {
        let why = "the URL is that of a document or a page of the service";
        return Err(instead(why, before));
    }
    let url: Uri = given.parse().map_err(|_| refused("the URL is not valid"))?;
    Host::of_url(authority).map_err(refused)?;
    let (before_query, query) = path.split_once('?').unwrap_or((path, ""));
    let base = base_path(path);
    let target = base_path(url.path());
    let is_its_own = !base.is_empty() && ends_with(target, base);
    if let Some(end) = end_of_service(target, base).filter(|_| !is_its_own) {
        let end = scheme.len() + "://".len() + authority.len() + end;
        let why = "the URL goes on after that of the service";
        return Err(instead(why, &given[..end]));
    }
    if url.query().is_some() {
        return Ok(url);
    }
    let is_file = target.rsplit('/').next().is_some_and(is_file);
    let mut whole = match () {
        () if is_its_own && before_query.ends_with('/') => format!("{target}/"),
        // For ASMX, `/` after the name of its file starts the name of an operation.
        () if is_file => target.to_owned(),
        () if is_its_own => url.path().to_owned(),
        () => format!("{target}{before_query}"),
    };
    let is_other = is_file && !is_its_own;
    if !query.is_empty() && !is_other {
        whole = format!("{whole}?{query}");
    }
    with_target(&url, &whole)
}

/// Returns a URL with another path.
pub(super) fn with_path(url: &Uri, path: &str) -> Result<Uri, CallError> {
    if !path.starts_with('/') || path.contains('#') {
        let why = "the path of a service starts with `/` and has no fragment";
        return Err(CallError::Url(why.to_owned()));
    }
    with_target(url, path)
}

/// Returns the offset of the end of a service's path in a longer path, such as an operation's.
fn end_of_service(target: &str, path: &str) -> Option<usize> {
    let mut ends = target.match_indices('/').map(|(end, _)| end);
    ends.find(|&end| {
        let before = &target[..end];
        let file = before.rsplit('/').next().unwrap_or_default();
        let is_asmx = file.len() > ".asmx".len() && ends_with(file, ".asmx");
        is_asmx || (!before.is_empty() && is_file(path) && ends_with(before, path))
    })
}

/// Whether a segment is the name of a file. `v1.2` is not.
fn is_file(segment: &str) -> bool {
    segment.rsplit_once('.').is_some_and(|(name, extension)| {
        let is_letter = |byte: u8| byte.is_ascii_alphabetic();
        !name.is_empty() && (1..=5).contains(&extension.len()) && extension.bytes().all(is_letter)
    })
}

/// Whether a text ends with another one, in any letter case: IIS ignores the case of paths.
fn ends_with(text: &str, end: &str) -> bool {
    let start = text.len().checked_sub(end.len());
    let tail = start.and_then(|start| text.get(start..));
    tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url_to(path: &str, given: &str) -> String {
        match read_url(given, path) {
            Ok(url) => url.to_string(),
            Err(error) => error.to_string(),
        }
    }

    fn url(given: &str) -> String {
        url_to("/svc/A.asmx", given)
    }

    #[test]
    fn base_urls_get_the_path() {
        for (given, expected) in [
            ("http://h:1", "http://h:1/svc/A.asmx"),
            ("https://h/", "https://h/svc/A.asmx"),
            ("http://h/base/", "http://h/base/svc/A.asmx"),
            ("http://h/v1.2", "http://h/v1.2/svc/A.asmx"),
            ("HTTP://[::1]:80", "http://[::1]:80/svc/A.asmx"),
            // Only the whole path counts, not a part of it.
            ("http://h/svc", "http://h/svc/svc/A.asmx"),
        ] {
            assert_eq!(url(given), expected);
        }
        assert_eq!(url_to("/Login", "http://h/api"), "http://h/api/Login");
        assert_eq!(url_to("/", "http://h"), "http://h/");
    }

    #[test]
    fn urls_of_services_stay() {
        for given in [
            "http://h/svc/A.asmx",
            "http://h/SVC/a.ASMX",
            "http://h/other/svc/A.asmx",
            "http://h/elsewhere/B.asmx",
            "http://h/B.svc",
            "http://h/B.php",
        ] {
            assert_eq!(url(given), given);
        }
        assert_eq!(url("http://h/svc/A.asmx/"), "http://h/svc/A.asmx");
        assert_eq!(url_to("/Login", "http://h/api/login"), "http://h/api/login");
        assert_eq!(url_to("/Login", "http://h/Login/"), "http://h/Login/");
        for given in ["http://h", "http://h/Login", "http://h/Login/"] {
            assert_eq!(url_to("/Login/", given), "http://h/Login/");
        }
        let path = "/soap.do?SOAP";
        for given in ["http://h/", "http://h/soap.do", "http://h/soap.do?SOAP"] {
            assert_eq!(url_to(path, given), "http://h/soap.do?SOAP");
        }
        assert_eq!(url_to(path, "http://h/b.php"), "http://h/b.php");
        assert_eq!(url_to("/a//b", "http://h"), "http://h/a//b");
        assert_eq!(url("http://h/b?v=2"), "http://h/b?v=2");
    }

    #[test]
    fn other_urls_are_told() {
        for (given, expected) in [
            ("h", "the URL has no scheme: write http://h or https://h"),
            (
                "localhost:8080",
                "the URL has no scheme: write http://localhost:8080 or https://localhost:8080",
            ),
            (
                "//h/svc/A.asmx",
                "the URL has no scheme: write http://h/svc/A.asmx or https://h/svc/A.asmx",
            ),
            (
                "http:/h",
                "the URL has no scheme: write http://h or https://h",
            ),
            (
                "h?to=http://x",
                "the URL has no scheme (a URL is like http://host/svc/A.asmx)",
            ),
            (
                "",
                "the URL has no scheme (a URL is like http://host/svc/A.asmx)",
            ),
            (
                "ftp://h/",
                "the URL is neither http nor https (a URL is like http://host/svc/A.asmx)",
            ),
            (
                " http://h",
                "the URL has white space around it (a URL is like http://host/svc/A.asmx)",
            ),
            (
                "http://h/a b",
                "the URL is not valid (a URL is like http://host/svc/A.asmx)",
            ),
            (
                "http://h\r\nX: y/",
                "the URL is not valid (a URL is like http://host/svc/A.asmx)",
            ),
            (
                "http://h/svc/A.asmx?WSDL",
                "the URL is that of a document or a page of the service: write http://h/svc/A.asmx",
            ),
            (
                "http://h/svc/A.asmx?op=Login",
                "the URL is that of a document or a page of the service: write http://h/svc/A.asmx",
            ),
            (
                "http://h/?x#y",
                "the URL has a fragment (a URL is like http://host/svc/A.asmx)",
            ),
            (
                "http://h/svc/A.asmx/Login",
                "the URL goes on after that of the service: write http://h/svc/A.asmx",
            ),
            (
                "http://h:81/B.ASMX/Login/",
                "the URL goes on after that of the service: write http://h:81/B.ASMX",
            ),
        ] {
            assert_eq!(url(given), expected, "{given}");
        }
        let user = url("http://user:hunter2@h/?x");
        assert!(user.contains("user's name") && !user.contains("hunter2"));
        for given in ["user:hunter2@h", "http:user:hunter2@h"] {
            assert!(!url(given).contains("hunter2"), "{given}");
        }
        for base in [
            "http://h:65536",
            "http://h:0/",
            "http://h:x/",
            "http://[::1]:99999/",
        ] {
            let told = url(base);
            let expected = ["not a number from 1 to 65535", "not valid"];
            assert!(expected.iter().any(|one| told.contains(one)), "{told}");
        }
        assert!(url("http://h:/").contains("no port after it"));
    }
}
