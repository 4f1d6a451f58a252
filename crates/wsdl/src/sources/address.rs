//! Addresses of documents: URLs of HTTP, or paths of files with `/` between their names.

use std::borrow::Cow;

use url::Url;

/// Parses a URL; `None` for a path.
fn url(address: &str) -> Option<Url> {
    let start = address.get(..5)?;
    if !start.eq_ignore_ascii_case("http:") && !start.eq_ignore_ascii_case("https") {
        return None;
    }
    let mut url = Url::parse(address).ok()?;
    url.set_fragment(None);
    // A document must not pass on a login.
    let without_login = url.set_username("").and_then(|()| url.set_password(None));
    without_login.is_ok().then_some(url)
}

/// Whether it is a URL.
pub(crate) fn is_url(address: &str) -> bool {
    url(address).is_some()
}

/// The normal form of an address, which is the same for equal addresses.
pub(crate) fn normal(address: &str) -> String {
    url(address).map_or_else(|| path(address), String::from)
}

/// Resolves a reference in a document. `None` if the result is neither a file nor an HTTP address.
pub(crate) fn join(base: &str, reference: &str) -> Option<String> {
    let reference = reference.trim();
    if is_url(reference) {
        return Some(normal(reference));
    }
    if let Some(base) = url(base) {
        let joined = base.join(reference).ok()?;
        return matches!(joined.scheme(), "http" | "https").then(|| normal(joined.as_str()));
    }
    let reference = reference.replace('\\', "/");
    let is_of_file = |scheme: &str| scheme.eq_ignore_ascii_case("file:");
    let reference = match reference.get(..5).filter(|scheme| is_of_file(scheme)) {
        Some(_) => path_of_file(&reference[5..]),
        None => &reference,
    };
    let has_scheme = reference
        .split(['/', '?', '#'])
        .next()
        .is_some_and(|first| first.find(':').is_some_and(|at| at > 1));
    if reference.is_empty() || has_scheme {
        return None;
    }
    if is_absolute(reference) {
        return Some(path(reference));
    }
    Some(path(&format!("{}{reference}", folder(base))))
}

/// The path of a `file:` URL after its scheme, also in common variants: `///a`, `//localhost/a`,
/// `/C:/a`, `//C:/a`. `//host/share` is on another machine.
fn path_of_file(rest: &str) -> &str {
    let is_drive =
        |path: &str| matches!(path.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic());
    let path = rest.strip_prefix("//").unwrap_or_default();
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let path = if path.starts_with('/') || is_drive(path) {
        path
    } else {
        rest
    };
    path.strip_prefix('/')
        .filter(|path| is_drive(path))
        .unwrap_or(path)
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || matches!(path.as_bytes(), [_, b':', ..])
}

/// Removes `.` from a path, and `..` after a name; a `/` at the end stays.
fn path(address: &str) -> String {
    let address = if cfg!(windows) {
        Cow::from(address.replace('\\', "/"))
    } else {
        Cow::from(address)
    };
    let mut names: Vec<&str> = Vec::new();
    for name in address.split('/') {
        match (name, names.last()) {
            (".", _) => {}
            ("", Some(_)) if names.len() > 1 || !names[0].is_empty() => {}
            ("..", Some(&last)) if !matches!(last, "" | "..") => {
                names.pop();
            }
            _ => names.push(name),
        }
    }
    let mut path = names.join("/");
    if address.ends_with('/') && !path.is_empty() && !path.ends_with('/') {
        path.push('/');
    }
    path
}

/// The folder of a file with `/` at its end; empty for the current one.
pub(crate) fn folder(address: &str) -> &str {
    &address[..address.rfind('/').map_or(0, |at| at + 1)]
}

/// The name of a file, or the last name in the path of a URL.
pub(crate) fn file_name(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    &path[path.rfind(['/', '\\']).map_or(0, |at| at + 1)..]
}

/// Whether a document may refer to another without the caller's permission: both are files on this
/// machine, or on the same host.
pub(crate) fn is_near(from: &str, to: &str) -> bool {
    match (url(from), url(to)) {
        // `//host/share` is on another machine.
        (None, None) => !to.starts_with("//"),
        (Some(from), Some(to)) => from.origin() == to.origin(),
        _ => false,
    }
}

/// Whether a reference in a document that was loaded over TLS would load another one without TLS.
/// This can never be allowed: an attacker who can read the second on its way could also replace it.
pub fn is_step_down(from: &str, to: &str) -> bool {
    let scheme = |address| url(address).map(|url| url.scheme().to_owned());
    scheme(from).as_deref() == Some("https") && scheme(to).as_deref() == Some("http")
}

/// The same address on the host of another, if the path is the same there: services behind a
/// gateway write the name of the machine that they run on.
pub(crate) fn on_host_of(from: &str, to: &str) -> Option<String> {
    let (mut from, to) = (url(from)?, url(to)?);
    (from.path() == to.path()).then(|| {
        from.set_query(to.query());
        from.into()
    })
}

/// The scheme, host and port of a URL.
pub(crate) fn host(address: &str) -> Option<String> {
    let url = url(address)?;
    Some(url.origin().ascii_serialization())
}

/// Whether an address is that of a service's page, without a query: `http://host/Service.asmx`.
pub(crate) fn is_page(address: &str) -> bool {
    url(address).is_some_and(|url| {
        let path = url.path().to_ascii_lowercase();
        url.query().is_none() && [".asmx", ".svc"].iter().any(|end| path.ends_with(end))
    })
}

/// The file names under which the document at an address may be saved next to a file that refers to
/// it, the most likely first: `Orders.xsd0.xsd`, `Orders0.xsd` and `xsd0.xsd` for `?xsd=xsd0`. The
/// folder may contain other services.
pub(crate) fn saved_names(beside: &str, address: &str) -> Vec<String> {
    let own = file_name(address).to_owned();
    let url = url(address);
    let pair = url.as_ref().and_then(|url| url.query_pairs().next());
    let ending = pair
        .as_ref()
        .and_then(|(key, _)| match &*key.to_ascii_lowercase() {
            "xsd" | "schema" => Some("xsd"),
            "wsdl" => Some("wsdl"),
            _ => None,
        });
    let (Some((_, value)), Some(ending)) = (pair, ending) else {
        return vec![own];
    };
    if value.is_empty() {
        return vec![own];
    }
    let number = value.trim_start_matches(|c: char| !c.is_ascii_digit());
    let mut names = Vec::new();
    for stem in [stem(beside), stem(address)] {
        names.push(format!("{stem}.{value}.{ending}"));
        names.push(format!("{stem}_{value}.{ending}"));
        if !number.is_empty() {
            names.push(format!("{stem}{number}.{ending}"));
        }
    }
    names.extend([format!("{value}.{ending}"), own]);
    names
}

/// The common prefix of the names of all documents of a service: `Orders` for `Orders.wsdl`,
/// `Orders.asmx` and `Orders.xsd0.xsd`.
pub(crate) fn stem(address: &str) -> &str {
    let name = file_name(address);
    let lower = name.to_ascii_lowercase();
    let ends = [".wsdl", ".xsd", "_xsd", ".asmx", ".svc", ".xml"];
    let end = ends.iter().filter_map(|end| lower.find(end)).min();
    &name[..end.unwrap_or(name.len())]
}

/// Whether an address, or part of one, is where ASMX serves the schema of a typed set of tables:
/// `?schema=StockSet`.
pub(crate) fn is_of_set(address: &str) -> bool {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let (key, value) = query.split_once('=').unwrap_or_default();
    key.eq_ignore_ascii_case("schema") && !value.is_empty()
}

/// Decodes `%20` and the like in a path; `None` if there is no such escape.
pub(crate) fn decoded(path: &str) -> Option<String> {
    if !path.contains('%') {
        return None;
    }
    // The form parser decodes `+` to a blank.
    let form = path
        .replace('+', "%2B")
        .replace('&', "%26")
        .replace('=', "%3D");
    let (name, _) = url::form_urlencoded::parse(form.as_bytes()).next()?;
    Some(name.into_owned())
}

#[cfg(test)]
mod tests {
    use super::{
        decoded, is_near, is_of_set, is_page, is_step_down, join, normal, on_host_of, saved_names,
    };

    #[test]
    fn references_are_resolved() {
        for (base, reference, expected) in [
            ("a/b.wsdl", "c.xsd", Some("a/c.xsd")),
            ("a/b.wsdl", "../lib/./c.xsd", Some("lib/c.xsd")),
            ("b.wsdl", "../c.xsd", Some("../c.xsd")),
            ("../b.wsdl", "../c.xsd", Some("../../c.xsd")),
            ("-", " c.xsd ", Some("c.xsd")),
            ("b.wsdl", "lib\\c.xsd", Some("lib/c.xsd")),
            ("/a/b.wsdl", "/c.xsd", Some("/c.xsd")),
            ("b.wsdl", "file:///a/c.xsd", Some("/a/c.xsd")),
            ("b.wsdl", "file:///C:/c.xsd", Some("C:/c.xsd")),
            ("b.wsdl", "file:\\\\\\C:\\a\\c.xsd", Some("C:/a/c.xsd")),
            ("b.wsdl", "File://C:\\a\\c.xsd", Some("C:/a/c.xsd")),
            (
                "b.wsdl",
                "file:\\\\host\\share\\c.xsd",
                Some("//host/share/c.xsd"),
            ),
            ("b.wsdl", "file:////host/c.xsd", Some("//host/c.xsd")),
            ("b.wsdl", "file://localhost/a/c.xsd", Some("/a/c.xsd")),
            ("a/b.wsdl", "file:lib\\c.xsd", Some("a/lib/c.xsd")),
            ("b.wsdl", "//host/c.xsd", Some("//host/c.xsd")),
            ("b.wsdl", "urn:c", None),
            ("b.wsdl", "HTTP://Host:80/c#d", Some("http://host/c")),
            ("b.wsdl", "http://ann:4711@host/c", Some("http://host/c")),
            (
                "http://host/s.asmx?wsdl",
                "?xsd=xsd0",
                Some("http://host/s.asmx?xsd=xsd0"),
            ),
            ("http://host/a/s", "../c.xsd", Some("http://host/c.xsd")),
            ("http://host/a/s", "file:///etc/passwd", None),
        ] {
            assert_eq!(join(base, reference).as_deref(), expected, "{reference}");
        }
        assert_eq!(normal("./a//b/../c.wsdl"), "a/c.wsdl");
    }

    #[test]
    fn https_never_leads_to_http() {
        assert!(is_step_down("https://a/s.wsdl", "HTTP://a/s.xsd"));
        assert!(!is_step_down("https://a/s.wsdl", "https://b/s.xsd"));
        assert!(!is_step_down("http://a/s.wsdl", "http://b/s.xsd"));
        assert!(!is_step_down("s.wsdl", "http://b/s.xsd"));
    }

    #[test]
    fn files_and_one_host_are_near() {
        assert!(is_near("a.wsdl", "/b.xsd"));
        assert!(!is_near("a.wsdl", "//host/share/b.xsd"));
        assert!(!is_near("a.wsdl", "http://localhost/b.xsd"));
        assert!(!is_near("http://host/a", "b.xsd"));
        assert!(is_near("http://host/a", "http://HOST:80/b"));
        assert!(!is_near("http://host/a", "https://host/b"));
        assert!(!is_near("http://host/a", "http://host:81/b"));
    }

    #[test]
    fn addresses_of_services_are_known() {
        assert!(is_page("https://host/S.ASMX"));
        assert!(!is_page("https://host/S.asmx?wsdl"));
        let names = [
            "a.xsd0.xsd",
            "a_xsd0.xsd",
            "a0.xsd",
            "S.xsd0.xsd",
            "S_xsd0.xsd",
            "S0.xsd",
            "xsd0.xsd",
            "S.svc",
        ];
        assert_eq!(
            saved_names("dir/a.xsd1.xsd", "http://h/S.svc?xsd=xsd0"),
            names
        );
        let names = saved_names("S.WSDL", "http://h/S.asmx?schema=Stock%20Set");
        assert!(names.contains(&"Stock Set.xsd".to_owned()), "{names:?}");
        assert_eq!(saved_names("a.wsdl", "http://h/S.svc?wsdl"), ["S.svc"]);
        assert!(is_of_set("?schema=StockSet"));
        assert!(is_of_set("http://h/S.asmx?Schema=StockSet"));
        assert!(!is_of_set("http://h/S.asmx?schema="));
        assert!(!is_of_set("http://h/S.asmx?xsd=xsd0"));
        assert_eq!(
            on_host_of("https://h/S.svc?wsdl", "http://machine/S.svc?xsd=xsd0").as_deref(),
            Some("https://h/S.svc?xsd=xsd0")
        );
        assert_eq!(
            on_host_of("https://h/S.svc?wsdl", "http://machine/T.svc"),
            None
        );
        assert_eq!(decoded("a%20b+c.xsd").as_deref(), Some("a b+c.xsd"));
    }
}
