//! The index page of a router.

use bytes::Bytes;
use http::{Method, Response, StatusCode, request};
use svcgen_documents::page;
use svcgen_model::{At, Service};

use super::Documents;
use super::address::address;
use crate::response;

/// A service of a router.
pub(crate) struct Listed<'s> {
    pub(crate) service: At<'s, Service<'s>>,
    pub(crate) documents: &'s Documents,
    pub(crate) paths: &'s [String],
}

/// Returns the answer to a request for the list of these services; `None` if no service has
/// documents. `mount` is the prefix of the paths.
pub(crate) fn index<'s>(
    services: impl Iterator<Item = Listed<'s>>,
    parts: &request::Parts,
    mount: &str,
) -> Option<Response<Bytes>> {
    let documented =
        services.filter(|listed| listed.documents.served && listed.service.is_documented());
    let listed = documented.map(|listed| page::Listed {
        service: listed.service,
        links: (listed.paths.iter())
            .map(|path| link(listed.documents, parts, mount, path))
            .collect(),
        page: listed.documents.page,
        documentation: listed.documents.options.documentation,
    });
    let listed: Vec<_> = listed.collect();
    if listed.is_empty() {
        return None;
    }
    if ![Method::GET, Method::HEAD].contains(&parts.method) {
        return Some(response::not_allowed("GET, HEAD"));
    }
    let page = page::index(&listed);
    let mut response = response::page(StatusCode::OK, page::index_policy(), page);
    if parts.method == Method::HEAD {
        response.body_mut().clear();
    }
    Some(response)
}

/// Returns the address of a service, without scheme and host unless there is a public URL: a link
/// to the same host works behind every proxy.
fn link(documents: &Documents, parts: &request::Parts, mount: &str, path: &str) -> String {
    let address = address(documents, parts, mount, path);
    if documents.public_url.is_some() {
        return address;
    }
    let (_, host_and_path) = address.split_once("://").unwrap_or_default();
    let start = host_and_path.find('/').unwrap_or_default();
    host_and_path[start..].to_owned()
}
