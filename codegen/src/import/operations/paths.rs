//! The path of a service, from the addresses of its ports.

use std::fmt::Write;

use svcgen_model::{is_uri_character, path_complaint};

use crate::import::place::Report;
use crate::import::wsdl::Service;
use crate::rules::Rule;

/// The path of a service, and what is said of it.
pub(super) fn path(service: &Service<'_>, report: &Report<'_>) -> (String, Option<String>) {
    let mut paths = service
        .addresses
        .iter()
        .filter_map(|address| path_of(address));
    if let Some(path) = paths.next() {
        let others = paths.filter(|other| *other != path);
        let mut others: Vec<_> = others.collect();
        others.sort();
        others.dedup();
        let comment = (!others.is_empty())
            .then(|| format!("the WSDL has other paths, too: {}", others.join(", ")));
        return (path, comment);
    }
    let path = path_of(&format!("/{}.asmx", service.name));
    let path = path.unwrap_or_else(|| "/Service.asmx".to_owned());
    let why = match service.addresses.first() {
        Some(address) => format!("the WSDL says no path, as its address is `{address}`"),
        None => "the WSDL says no address".to_owned(),
    };
    let message = format!("{why}: the path is `{path}`");
    let hint = "write the path that callers ask for";
    report.add(Rule::NotInWsdl, service.place, message, Some(hint));
    (path, Some(why))
}

/// The path of a URL, if there is one that a service can have.
fn path_of(address: &str) -> Option<String> {
    let path = match address.split_once("://") {
        Some((_, rest)) => &rest[rest.find('/')?..],
        None => address,
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    if path.contains(['{', '}', '$']) {
        return None;
    }
    let mut encoded = String::new();
    for c in path.trim_end_matches('/').chars() {
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
