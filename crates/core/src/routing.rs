//! Routing by path, method and media type.

use std::borrow::Cow;

use http::header::CONTENT_TYPE;
use http::{Method, StatusCode, request};
use svcgen_model::Service;

use crate::binding::operations::Operations;
use crate::binding::protocol::{BindingRouter, Head, Route as CallRoute};
use crate::binding::{Binding, router};
use crate::callers::{check_host, check_origin};
use crate::described::Model;
#[cfg(feature = "documents")]
use crate::documents::Document;
use crate::failure::Failure;
use crate::host::asked_host;
use crate::media_type::{MediaType, compression, header_text, is_gzip};
use crate::paths::Found;
use crate::response::{self, NoCall};
use crate::server_options::ServerOptions;

/// The route of a request.
pub(crate) enum Route {
    /// A call over a binding.
    Call(CallRoute),
    /// A request over a binding that is not a call.
    Refused(&'static dyn BindingRouter, Failure),
    /// A request that is not a call according to its head, and its answer.
    NoCall {
        /// The route of the call that this would be if its body could be read.
        unread: Option<CallRoute>,
        answer: NoCall,
    },
    #[cfg(feature = "documents")]
    Document(Document),
}

/// Routes a request for a path of a service.
///
/// # Errors
///
/// Returns the answer to a request that is not allowed.
pub(crate) fn route(
    model: &Model,
    operations: &Operations,
    options: &ServerOptions,
    parts: &request::Parts,
    found: &Found<'_>,
) -> Result<Route, NoCall> {
    let host = asked_host(parts).map_err(bad_request)?;
    check_host(options, host).map_err(forbidden)?;
    let (service, operation) = (model.service(), found.below.strip_prefix('/'));
    let content_type = header_text(parts.headers.get(CONTENT_TYPE));
    let packaging = options.packaging.as_ref();
    let packed = packaging.and_then(|packaging| packaging.message_type(&content_type));
    let head = Head {
        service: service.row(),
        operations,
        method: &parts.method,
        operation,
        content_type: packed.map_or(content_type, Cow::Owned),
    };
    // The later bindings check more parts of a head.
    let mut routers = Binding::ALL.into_iter().rev().map(router);
    let routed = routers.find_map(|router| {
        let routed = router.route(&head)?;
        let route = routed.map(|head| CallRoute {
            protocol: model.answering(router.binding()),
            head,
        });
        Some((router, route))
    });
    if compression(&parts.headers).is_some() && !(options.speaks_gzip() && is_gzip(&parts.headers))
    {
        let message = if options.speaks_gzip() {
            "The Content-Encoding of the request is not read: send the body in gzip, or without one."
        } else {
            "Compressed requests are not read: send the body without Content-Encoding."
        };
        let answer = response::refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, message);
        return Ok(Route::NoCall {
            unread: routed.and_then(|(_, route)| route.ok()),
            answer: answer.into(),
        });
    }
    // No operation has the name of a document, so calls skip this.
    #[cfg(feature = "documents")]
    if let (Some(name), None | Some((_, Err(_)))) = (operation, &routed)
        && let Some(document) = options.documents.find_below(service, name)
    {
        return Ok(Route::Document(document));
    }
    if let Some((router, route)) = routed {
        check_origin(options, parts, host).map_err(forbidden)?;
        return Ok(match route {
            Ok(route) => Route::Call(route),
            Err(failure) => Route::Refused(router, failure),
        });
    }
    let no_call = |answer| {
        Ok(Route::NoCall {
            unread: None,
            answer,
        })
    };
    if operation.is_some() {
        return no_call(response::not_allowed("GET, POST").into());
    }
    if parts.method == Method::POST {
        return no_call(unknown_media_type(&service, &head.content_type));
    }
    #[cfg(feature = "documents")]
    match options.documents.find(service, parts) {
        Ok(None) => {}
        Ok(Some(document)) => return Ok(Route::Document(document)),
        Err(answer) => return no_call(answer),
    }
    no_call(response::not_allowed("POST").into())
}

/// Refuses every request for a host or from an origin that the options do not allow.
///
/// # Errors
///
/// Returns the answer to a refused request.
pub(crate) fn check_caller(options: &ServerOptions, parts: &request::Parts) -> Result<(), NoCall> {
    let host = asked_host(parts).map_err(bad_request)?;
    check_host(options, host).map_err(forbidden)?;
    check_origin(options, parts, host).map_err(forbidden)
}

/// Returns the answer to a request to no service.
pub(crate) fn no_service(parts: &request::Parts) -> NoCall {
    match asked_host(parts) {
        Ok(_) => response::no_service(),
        Err(why) => bad_request(why),
    }
}

fn bad_request(why: &str) -> NoCall {
    response::refused(StatusCode::BAD_REQUEST, why).into()
}

fn forbidden(why: String) -> NoCall {
    response::refused(StatusCode::FORBIDDEN, &why).into()
}

/// The media types of messages with attachments, and their names.
const WITH_ATTACHMENTS: [(&str, &str); 2] = [
    (
        "multipart/related",
        "MTOM, XOP or SOAP with Attachments (multipart/related)",
    ),
    ("application/dime", "DIME (application/dime)"),
];

/// Returns the answer to a media type that no binding of the service has.
pub(crate) fn unknown_media_type(service: &Service<'_>, content_type: &str) -> NoCall {
    let media_type = |binding: Binding| Some((binding, router(binding).media_type()?));
    let served = service.bindings().iter().filter_map(media_type);
    let served: Vec<_> = served
        .map(|(binding, media_type)| format!("{media_type} ({binding})"))
        .collect();
    let served = served.join(" or ");
    let content_type = MediaType::read(content_type);
    let mut attachments = WITH_ATTACHMENTS.into_iter();
    let attached = attachments.find(|(media_type, _)| content_type.is(media_type));
    let message = match attached {
        _ if served.is_empty() => format!("{} is not called over SOAP.", service.name),
        Some((_, what)) => format!(
            "Messages in {what} are not read: send the SOAP message alone, {served}, with binary data in base64."
        ),
        None => format!("Requests to this path are {served}."),
    };
    response::refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, &message).into()
}
