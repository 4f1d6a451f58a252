//! Where a request goes, by its path, method and media type.

use std::borrow::Cow;

use http::header::CONTENT_TYPE;
use http::{Method, StatusCode, request};
use svcgen_model::Service;

use crate::binding::charset::Charset;
use crate::binding::envelope::Version;
use crate::binding::form::percent_decode;
use crate::binding::media_type::{MediaType, compression, header_text};
use crate::binding::{Binding, VERSIONS};
use crate::failure::Failure;
use crate::fault::Fault;
use crate::response::{self, NoCall};

/// What a request is for, as far as its path, method and media type tell.
#[derive(Clone, Copy)]
pub(crate) enum Route {
    /// A SOAP message, of this version and in this encoding if its media type is right.
    Soap(&'static Version, Option<Charset>),
    Form(Binding, usize),
}

/// The path below a service's path, in any letter case, percent-decoded: absent if the request is for another path, empty for the path itself.
pub(crate) fn path_below<'p>(service: &Service<'_>, path: &'p str) -> Option<Cow<'p, str>> {
    let path = percent_decode(path);
    let (start, rest) = path.split_at_checked(service.path.len())?;
    let same = start == service.path || start.eq_ignore_ascii_case(service.path);
    if !same || !(rest.is_empty() || rest.starts_with('/')) {
        return None;
    }
    Some(match path {
        Cow::Borrowed(path) => Cow::Borrowed(&path[service.path.len()..]),
        Cow::Owned(_) => Cow::Owned(rest.to_owned()),
    })
}

/// Routes a request.
pub(crate) fn route(service: &Service<'_>, parts: &request::Parts) -> Result<Route, NoCall> {
    let below = path_below(service, parts.uri.path()).ok_or_else(response::no_service)?;
    if compression(&parts.headers).is_some() {
        let message = "Compressed requests are not read: send the body without Content-Encoding.";
        return Err(response::refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, message).into());
    }
    match below.strip_prefix('/') {
        None => route_soap(service, parts),
        Some(operation) => route_form(service, operation, &parts.method),
    }
}

fn route_soap(service: &Service<'_>, parts: &request::Parts) -> Result<Route, NoCall> {
    if parts.method != Method::POST {
        return Err(response::not_allowed("POST").into());
    }
    let content_type = header_text(parts.headers.get(CONTENT_TYPE));
    // What most senders write is compared, not read.
    let usual = |version: &&Version| content_type == version.content_type;
    if let Some(version) = VERSIONS.into_iter().find(usual) {
        return Ok(Route::Soap(version, Some(Charset::UTF_8)));
    }
    let media_type = MediaType::read(&content_type);
    VERSIONS
        .into_iter()
        .find(|version| media_type.is(version.media_type))
        .map(|version| Route::Soap(version, media_type.charset()))
        .ok_or_else(|| response::unknown_media_type(service).into())
}

fn route_form(service: &Service<'_>, operation: &str, method: &Method) -> Result<Route, NoCall> {
    let binding = match *method {
        Method::GET => Binding::HttpGet,
        Method::POST => Binding::HttpPost,
        _ => return Err(response::not_allowed("GET, POST").into()),
    };
    match service.find(binding, |known| known.name == operation) {
        Some(index) => Ok(Route::Form(binding, index)),
        None => {
            let message = unknown_operation(service, binding, operation);
            Err(response::form_fault(&Failure::early(Fault::client(message))).into())
        }
    }
}

fn unknown_operation(service: &Service<'_>, binding: Binding, operation: &str) -> String {
    let lower_case = operation.to_lowercase();
    match service.find(binding, |known| known.name.to_lowercase() == lower_case) {
        None => format!("{operation} Web Service method name is not valid."),
        Some(index) => format!(
            "Invalid method name '{operation}',  method names are case sensitive.   The method name '{}' \
             with the same name but different casing was found.\nParameter name: methodName",
            service.operations[index].name,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_media_types_are_read_alike() {
        for version in VERSIONS {
            let media_type = MediaType::read(version.content_type);
            assert!(media_type.is(version.media_type));
            assert_eq!(media_type.charset(), Some(Charset::UTF_8));
        }
    }
}
