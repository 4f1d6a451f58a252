//! The client: writes requests and reads answers.

use ::http::header::CONTENT_TYPE;
use ::http::{HeaderValue, Method, Request, StatusCode};
use bytes::Bytes;
use svcgen_model::{self as model, At, Binding, ResponseFormat, Service, TypeRef, Types};

use crate::binding::json::error::JSON_ERROR;
use crate::binding::json::{CONTENT_TYPE as JSON_UTF_8, MEDIA_TYPE};
use crate::binding::protocol::{Outgoing, ReadValue, new_request, operation_url};
use crate::binding::received::Received;
use crate::call_error::CallError;
use crate::fault::{Fault, FaultCode};
use svcgen_json::internals::{Document, Values, decode, write_parameters};
use svcgen_wire::WriteError;
use svcgen_wire::internals::Room;
use svcgen_wire::internals::form::escape;
use svcgen_wire::internals::{Checks, MessagePart, TimeZone};
use svcgen_wire::internals::{Node, Source};
use svcgen_wire::{Content, Element};

/// Returns the request that calls an operation: POST, or GET with each parameter in the query.
pub(super) fn request(
    call: &Outgoing<'_>,
    parameters: &mut dyn FnMut(&mut Content<'_>),
) -> Result<Request<Bytes>, CallError> {
    let operation = call.operation;
    if !call.headers.is_empty() {
        return Err(CallError::Headers {
            operation: operation.name.to_owned(),
            binding: Binding::Json,
        });
    }
    let service = operation.beside(call.service);
    let mut text = Vec::with_capacity(1024);
    let mut request = if operation.script.use_http_get {
        let types = Types::of(service);
        let reached = types.reach(operation.parameters().elements()).elements;
        if let Some(secret) = reached.into_iter().find(|element| element.secret) {
            return Err(CallError::Write(WriteError::new(format!(
                "'{}' is a secret, and the parameters of {} would be part of the URL.",
                secret.field_name(),
                operation.name,
            ))));
        }
        write_parameters(&mut text, service, operation.parameters(), parameters)?;
        let url = operation_url(call, &query(&text))?;
        new_request(Method::GET, url, Vec::new())
    } else {
        write_parameters(&mut text, service, operation.parameters(), parameters)?;
        new_request(Method::POST, operation_url(call, "")?, text)
    };
    // Also for GET: without it, the request would belong to another binding.
    let content_type = HeaderValue::from_static(JSON_UTF_8);
    request.headers_mut().insert(CONTENT_TYPE, content_type);
    Ok(request)
}

/// Returns the query with each member of an object as a parameter.
fn query(object: &[u8]) -> String {
    let mut query = Vec::with_capacity(object.len() * 2);
    for (name, value) in members(object) {
        query.extend_from_slice(if query.is_empty() { b"" } else { b"&" });
        escape(&mut query, name);
        query.push(b'=');
        escape(&mut query, value);
    }
    // `encodeURIComponent` of browsers writes a space like this.
    String::from_utf8_lossy(&query).replace('+', "%20")
}

/// Returns the names and values of an object as this crate writes it: without white space, in
/// double quotes.
fn members(object: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let inner = object.get(1..object.len().saturating_sub(1));
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    let is_end = move |byte: &u8| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => return depth == 0,
            _ => {}
        }
        false
    };
    let members = inner.unwrap_or_default().split(is_end);
    members.filter_map(|member| {
        let member = member.strip_prefix(b"\"")?;
        let end = memchr::memmem::find(member, b"\":")?;
        Some((&member[..end], &member[end + 2..]))
    })
}

/// Reads the result of a call with `result`. Returns whether there was one.
pub(super) fn read_response(
    received: &Received<'_>,
    result: &mut ReadValue<'_>,
) -> Result<bool, CallError> {
    let is_error = received.headers.get(&JSON_ERROR);
    let is_error = is_error.is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"true"));
    let status = received.status;
    if (is_error || status == StatusCode::INTERNAL_SERVER_ERROR)
        && let Some(fault) = fault(received)
    {
        return Err(CallError::Fault(fault));
    }
    if is_error || !status.is_success() {
        return Err(received.status_error());
    }
    let Some(row) = received.operation.result() else {
        return Ok(false);
    };
    if received.operation.script.response_format != ResponseFormat::Json {
        return read_xml(received, row, result);
    }
    if received.body.is_empty() {
        return Ok(false);
    }
    if !received.media_type.is(MEDIA_TYPE) {
        return Err(received.is_not("JSON"));
    }
    let text = decode(received.body);
    let (document, room) = document(received, &text)?;
    let root = document.root();
    let node = member(&document, "d").unwrap_or(root);
    let service = received.operation.beside(received.service);
    let values = Values::new(&document, service).strict(received.strict);
    if values.is_absent(node) {
        return Ok(false);
    }
    let mut element = Element::of_source(&values, node, room, received.limits);
    element.time_zone = TimeZone::of(received.service);
    element.checks = Checks::new(received.facets);
    element
        .checks
        .expect(received.operation, MessagePart::Returned);
    element.checked(result)?;
    Ok(true)
}

/// Returns the member of the root with a name.
fn member(document: &Document<'_>, name: &str) -> Option<Node> {
    let root = document.root();
    let is_object = document.is_object(root);
    is_object.then(|| document.member(root, name)).flatten()
}

/// Reads a result in XML (`ResponseFormat.Xml`): a plain text, or a document whose elements lack
/// the namespace of the service.
fn read_xml(
    received: &Received<'_>,
    row: At<'_, model::Element<'_>>,
    result: &mut ReadValue<'_>,
) -> Result<bool, CallError> {
    let format = received.operation.script.response_format;
    if format == ResponseFormat::Xml && is_text(row.type_ref) {
        let text = received.xml()?;
        let mut element = Element::of_text(&text);
        element.checks = Checks::new(received.facets);
        element
            .checks
            .expect(received.operation, MessagePart::Returned);
        element.checked(result)?;
        return Ok(true);
    }
    let service = Service {
        namespace: "",
        literal_namespace: None,
        ..*received.service
    };
    let received = Received {
        service: &service,
        media_type: received.media_type.clone(),
        ..*received
    };
    received.read_root(row.row(), result)
}

fn is_text(type_ref: TypeRef<'_>) -> bool {
    matches!(type_ref, TypeRef::Simple(simple) if simple.is_text())
}

fn document<'t>(received: &Received<'_>, text: &'t str) -> Result<(Document<'t>, Room), CallError> {
    let mut room = Room::of_message(received.body.len(), text.len(), received.limits);
    Ok((Document::read(text, &mut room)?, room))
}

/// Returns the fault that an answer reports, if it is one.
fn fault(received: &Received<'_>) -> Option<Fault> {
    if !received.media_type.is(MEDIA_TYPE) {
        return None;
    }
    let text = decode(received.body);
    let (document, _) = document(received, &text).ok()?;
    let told = |name| document.text(member(&document, name)?);
    let fault = Fault::new(FaultCode::Server, told("Message")?);
    match told("ExceptionType") {
        Some(class) if !class.is_empty() => Some(fault.with_exception_type(class.into_owned())),
        _ => Some(fault),
    }
}
