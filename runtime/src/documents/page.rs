//! The help page: who gets its form, and its answers.

use std::net::IpAddr;

use bytes::Bytes;
use http::header::{FORWARDED, HOST, HeaderName, VIA};
use http::uri::Authority;
use http::{Response, StatusCode, request};
use svcgen_documents::page::HelpPage;
use svcgen_model::{At, Service};

use super::{Documents, InvokeForm};
use crate::call::RemoteAddress;
use crate::response;

/// The page as whoever asks gets it.
pub(super) fn of<'d>(
    documents: &Documents,
    service: At<'d, Service<'d>>,
    address: &'d str,
    parts: &request::Parts,
) -> HelpPage<'d> {
    HelpPage {
        service,
        address,
        form: match documents.form {
            InvokeForm::Never => false,
            InvokeForm::FromLoopback => is_from_loopback(documents, parts),
            InvokeForm::Always => true,
        },
        documentation: documents.options.documentation,
    }
}

pub(super) fn overview(page: &HelpPage<'_>) -> Response<Bytes> {
    response::page(StatusCode::OK, page.policy(), page.overview())
}

pub(super) fn operation(page: &HelpPage<'_>, name: &str) -> Response<Bytes> {
    let (status, body) = match page.operation(name) {
        Some(found) => (StatusCode::OK, found),
        None => (StatusCode::NOT_FOUND, page.unknown_operation(name)),
    };
    response::page(status, page.policy(), body)
}

/// What proxies add to requests.
const PROXY_HEADERS: [HeaderName; 8] = [
    FORWARDED,
    VIA,
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-forwarded-host"),
    HeaderName::from_static("x-forwarded-proto"),
    HeaderName::from_static("x-forwarded-port"),
    HeaderName::from_static("x-forwarded-prefix"),
    HeaderName::from_static("x-real-ip"),
];

/// Whether a request comes from a browser on this machine, as far as can be told. The name that it asks for is looked at too:
/// a proxy on this machine passes the public one on, and so does a page elsewhere whose name was made to mean this machine.
fn is_from_loopback(documents: &Documents, parts: &request::Parts) -> bool {
    let caller = parts.extensions.get::<RemoteAddress>();
    let Some(caller) = caller.map(|RemoteAddress(address)| address.ip().to_canonical()) else {
        return false;
    };
    caller.is_loopback()
        && documents.public_url.is_none()
        && !documents.trusts(Some(caller))
        && !PROXY_HEADERS
            .iter()
            .any(|name| parts.headers.contains_key(name))
        && asked_host(parts).is_some_and(|host| is_loopback_name(&host))
}

/// The host that a request names, without its port.
fn asked_host(parts: &request::Parts) -> Option<String> {
    let authority = match parts.uri.authority() {
        Some(authority) => authority.clone(),
        None => Authority::try_from(parts.headers.get(HOST)?.as_bytes()).ok()?,
    };
    Some(authority.host().to_ascii_lowercase())
}

fn is_loopback_name(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    match address.parse::<IpAddr>() {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}
