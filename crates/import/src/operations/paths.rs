//! The path of a service, from the addresses of its ports.

use std::fmt::Write;

use svcgen_model::{is_query_of_document, is_uri_character, path_complaint};
use svcgen_wsdl::report::Report;
use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::wsdl::Service;

/// The path of a service, and comments about it.
pub(super) fn path(service: &Service<'_>, report: &Report<'_>) -> (String, Vec<String>) {
    let paths = service.addresses.iter();
    let mut paths = paths.filter_map(|address| Some((*address, path_of(address)?)));
    if let Some((address, path)) = paths.next() {
        let mut comments = Vec::new();
        if let Some(original) = original(address) {
            comments.push(format!("the original is at {original}"));
        }
        let others = paths.map(|(_, other)| other);
        let mut others: Vec<_> = others.filter(|other| *other != path).collect();
        others.sort();
        others.dedup();
        if !others.is_empty() {
            let others = others.join(", ");
            comments.push(format!("the WSDL has other paths, too: {others}"));
            let message =
                format!("the path is `{path}`, and the WSDL has other paths, too: {others}");
            let hint = "a definition has one path: `with_paths` of a server sets all that callers use, and a client takes the URL that it calls";
            report.add(Rule::NotInWsdl, service.place, message, Some(hint));
        }
        if let Some((_, lost)) = parts(address).filter(|(_, lost)| !lost.is_empty()) {
            let message = format!(
                "`{lost}` of the address is not part of the path of a service: the path is `{path}`"
            );
            report.add(Rule::NotInWsdl, service.place, message, None);
        }
        return (path, comments);
    }
    let ending = if report.is_like_asmx() { ".asmx" } else { "" };
    let path = path_of(&format!("/{}{ending}", service.name));
    let path = path.unwrap_or_else(|| format!("/Service{ending}"));
    let why = match service.addresses.first() {
        Some(address) => format!("the WSDL says no path, as its address is `{address}`"),
        None => "the WSDL says no address".to_owned(),
    };
    let message = format!("{why}: the path is `{path}`");
    let hint = "write the path that callers ask for";
    report.add(Rule::NotInWsdl, service.place, message, Some(hint));
    (path, vec![why])
}

/// Splits what follows the host in a URL into the path with its query, and a rest that is dropped:
/// a query that asks for a document, a fragment.
fn parts(address: &str) -> Option<(&str, &str)> {
    let path = match address.split_once("://") {
        Some((_, rest)) => rest.find(['/', '?', '#']).map_or("", |at| &rest[at..]),
        None => address,
    };
    let fragment = path.find('#').unwrap_or(path.len());
    let query = path[..fragment].find('?');
    let lost = match query {
        Some(at) if is_query_of_document(&path[at + 1..fragment]) => at,
        _ => fragment,
    };
    let is_pattern = path.contains(['{', '}', '$']);
    (!is_pattern).then(|| path.split_at(lost))
}

/// The path of a URL with its query, if a service can have such a path.
pub(crate) fn path_of(address: &str) -> Option<String> {
    let (path, _) = parts(address)?;
    let mut encoded = String::new();
    // `http://host` and `http://host/` are the same.
    if address.contains("://") && !path.starts_with('/') {
        encoded.push('/');
    }
    for c in path.chars() {
        if is_uri_character(c) && !matches!(c, '[' | ']') {
            encoded.push(c);
            continue;
        }
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    path_complaint(&encoded).is_none().then_some(encoded)
}

/// A URL without user name and password; `None` if it is not a URL, or names the machine on which
/// the WSDL was saved.
fn original(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority.rsplit('@').next().unwrap_or_default();
    let name = host.split(':').next().unwrap_or_default();
    let is_known = !name.is_empty() && !name.eq_ignore_ascii_case("localhost");
    is_known.then(|| format!("{scheme}://{host}{path}"))
}

#[cfg(test)]
mod tests {
    use super::{original, path_of};

    #[test]
    fn addresses_are_kept_after_their_hosts() {
        for (address, path) in [
            ("http://h/S.asmx", Some("/S.asmx")),
            ("http://h/soap.do?SOAP", Some("/soap.do?SOAP")),
            ("http://h/soap/?a=b&c", Some("/soap/?a=b&c")),
            ("http://h/soap/", Some("/soap/")),
            ("http://h//a//b", Some("//a//b")),
            ("http://h/", Some("/")),
            ("http://h", Some("/")),
            ("http://h?x", Some("/?x")),
            ("http://h/S.asmx?wsdl", Some("/S.asmx")),
            ("http://h/a#b", Some("/a")),
            ("http://h/a b", Some("/a%20b")),
            ("http://h/{path}", None),
            ("REPLACE_WITH_ACTUAL_URL", None),
            ("", None),
        ] {
            assert_eq!(path_of(address).as_deref(), path, "{address}");
        }
    }

    #[test]
    fn logins_of_addresses_are_not_written() {
        let address = original("http://ann:4711@h/a?b@c");
        assert_eq!(address.as_deref(), Some("http://h/a?b@c"));
        assert_eq!(original("http://localhost:8080/S.asmx"), None);
    }
}
