//! Masks the HTTP parts of a message: headers, the URL, forms.

use std::borrow::Cow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::header::{AUTHORIZATION, COOKIE, PROXY_AUTHORIZATION};
use http::{HeaderMap, HeaderName, HeaderValue, Uri};
use svcgen_model::{At, Element, Operation, Service, TypeAt, Types, base_path, names_document};

use super::marks::{CUT, OMITTED, SECRET};
use super::masked::Masked;
use super::message_part::{MessagePart, Text};
use super::secrets::Secrets;
use svcgen_wire::internals::form::{decode, percent_decode};

/// The headers whose values are shown: they describe the message and its path through the network,
/// and never contain credentials, a URL with a query or an answer to a challenge.
const SHOWN: [&str; 43] = [
    "accept",
    "accept-charset",
    "accept-encoding",
    "accept-language",
    "age",
    "allow",
    "cache-control",
    "connection",
    "content-encoding",
    "content-language",
    "content-length",
    "content-type",
    "date",
    "etag",
    "expect",
    "expires",
    "forwarded",
    "host",
    "keep-alive",
    "last-modified",
    "max-forwards",
    "pragma",
    "retry-after",
    "server",
    "soapaction",
    "te",
    "traceparent",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "vary",
    "via",
    "warning",
    "x-aspnet-version",
    "x-content-type-options",
    "x-correlation-id",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-port",
    "x-forwarded-proto",
    "x-powered-by",
    "x-request-id",
];

pub(super) fn headers(headers: &HeaderMap) -> HeaderMap {
    let masked = headers.iter().map(|(name, value)| {
        let value = if is_shown(name) {
            value.clone()
        } else {
            HeaderValue::from_static(SECRET)
        };
        (name.clone(), value)
    });
    masked.collect()
}

/// Whether the values of a header are shown: it is known not to contain credentials.
pub(super) fn is_shown(name: &HeaderName) -> bool {
    SHOWN.binary_search(&name.as_str()).is_ok()
}

/// Collects the secrets of headers.
pub(super) fn collect(headers: &HeaderMap, known: &mut Secrets) {
    let hidden = headers.iter().filter(|(name, _)| !is_shown(name));
    for (name, value) in hidden {
        let value = String::from_utf8_lossy(value.as_bytes());
        if [AUTHORIZATION, PROXY_AUTHORIZATION].contains(name) {
            let (_, credentials) = value.split_once(' ').unwrap_or(("", &value));
            known.add_found(credentials);
            let decoded = BASE64_STANDARD
                .decode(credentials.trim())
                .unwrap_or_default();
            let decoded = String::from_utf8_lossy(&decoded);
            if let Some((_, password)) = decoded.split_once(':') {
                known.add_found(password);
            }
        } else if *name == COOKIE {
            let cookies = value.split(';').filter_map(|cookie| cookie.split_once('='));
            cookies.for_each(|(_, value)| known.add_found(value));
        } else {
            known.add_found(&value);
        }
    }
}

/// Returns a URL without the name of a user, with another path and query.
pub(super) fn uri(uri: &Uri, path: &str, query: Option<String>) -> Uri {
    let mut text = String::new();
    if let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) {
        let host = authority.as_str().rsplit('@').next().unwrap_or_default();
        text = format!("{scheme}://{host}");
    }
    text.push_str(path);
    if let Some(query) = query {
        text.push('?');
        text.push_str(&query);
    }
    Uri::try_from(text).unwrap_or_default()
}

/// Masks a path. It shows the segments that are in paths of these services, names of their
/// operations, or usual files of servers (`favicon.ico`, `livez`). Any other segment may contain a
/// secret: a parameter (`/Read;pin=4711`), or a query whose `?` is encoded.
pub fn path<'m>(
    services: impl IntoIterator<Item = At<'m, Service<'m>>, IntoIter: Clone>,
    path: &str,
) -> Masked<String> {
    let services = services.into_iter();
    let shown = shown_path(path, |segment| {
        let mut services = services.clone();
        services.any(|service| is_shown_segment(service, [service.row().path], segment))
    });
    Masked::new(shown)
}

/// Returns a path in which only some segments are shown.
pub(super) fn shown_path(path: &str, is_shown: impl Fn(&str) -> bool) -> String {
    let segments = path.split('/').map(|segment| {
        if is_shown(&percent_decode(segment)) {
            segment
        } else {
            OMITTED
        }
    });
    segments.collect::<Vec<_>>().join("/")
}

/// Whether a decoded segment of a path is shown, according to a service and its paths.
pub(super) fn is_shown_segment<'p>(
    service: At<'_, Service<'_>>,
    paths: impl IntoIterator<Item = &'p str>,
    segment: &str,
) -> bool {
    let is_it = |name: &str| name.eq_ignore_ascii_case(segment);
    let mut own = paths
        .into_iter()
        .flat_map(|path| base_path(path).split('/'));
    let mut operations = service.row().operations.iter();
    segment.is_empty()
        || SCRIPTS.iter().chain(&USUAL_FILES).any(|name| is_it(name))
        || own.any(|part| is_it(&percent_decode(part)))
        || operations.any(|operation| is_it(operation.name))
}

/// Collects the omitted texts of a path: the texts between the delimiters of parameters.
pub(super) fn collect_path(path: &str, is_shown: impl Fn(&str) -> bool, known: &mut Secrets) {
    let segments = path.split('/').map(percent_decode);
    let hidden = segments.filter(|segment| !is_shown(segment));
    for segment in hidden {
        known.add_omitted(&segment);
        // A secret may contain such a delimiter itself.
        let values = segment.split_once('=').map(|(_, value)| value);
        let parts = segment.split([';', '?', '&', '=']);
        parts.chain(values).for_each(|part| known.add_omitted(part));
    }
}

/// The names of the scripts of services for pages; no operation has such a name.
pub const SCRIPTS: [&str; 2] = ["js", "jsdebug"];

/// Files that are usually requested from servers: icons, health.
pub const USUAL_FILES: [&str; 6] = [
    "favicon.ico",
    "health",
    "healthz",
    "livez",
    "readyz",
    "robots.txt",
];

/// Masks a query, up to a limit, that may name a document of a service, such as `wsdl` or
/// `op=Login`, or be the query of its path. These words are public; all others are omitted.
pub(super) fn document_query(service: At<'_, Service<'_>>, query: &str, limit: usize) -> String {
    let path = service.row().path;
    let own = path.split_once('?').map_or("", |(_, query)| query);
    let (query, is_cut) = cut(query.as_bytes(), limit);
    let fields = query.split(|byte| *byte == b'&').map(|field| {
        let field = String::from_utf8_lossy(field);
        let is_own = own.split('&').any(|one| one == field);
        if field.is_empty() || is_own || is_public(service, &field) {
            field.into_owned()
        } else {
            OMITTED.to_owned()
        }
    });
    let mut masked = fields.collect::<Vec<_>>().join("&");
    if is_cut {
        masked.push_str(CUT);
    }
    masked
}

/// Whether a field of a query that is not a call contains only public words: `wsdl`,
/// `wsdl=original` and `disco`, `xsd=xsd0` of WCF, an operation or a set of the service. Any other
/// value may be a secret.
fn is_public(service: At<'_, Service<'_>>, field: &str) -> bool {
    let (name, value) = field.split_once('=').unwrap_or((field, ""));
    let value = decode(value.as_bytes(), None);
    if name.eq_ignore_ascii_case("op") {
        let mut operations = service.operations();
        return operations.any(|operation| operation.name.eq_ignore_ascii_case(&value));
    }
    if name.eq_ignore_ascii_case("schema") {
        let types = Types::of(service);
        let mut definitions = types.definitions();
        return definitions.any(|definition| {
            matches!(definition, TypeAt::Complex(complex) if complex.data_set.is_some_and(|set| set.name == value))
        });
    }
    let is_part = || {
        let start = value.get(..name.len());
        let number = value.get(name.len()..).unwrap_or_default();
        start.is_some_and(|start| start.eq_ignore_ascii_case(name))
            && number.bytes().all(|digit| digit.is_ascii_digit())
    };
    names_document(name) && (value.is_empty() || value == "original" || is_part())
}

/// Masks the fields of an operation, up to a limit. An unknown field is omitted with its name,
/// which may be the rest of a secret that contains `&` and `=`.
pub(super) fn form(
    operation: Option<At<'_, Operation<'_>>>,
    form: &[u8],
    limit: usize,
    mut known: Option<&mut Secrets>,
) -> String {
    let (form, is_cut) = cut(form, limit);
    let rows = || {
        operation
            .into_iter()
            .flat_map(|one| one.parameters().elements())
    };
    let mut masked = String::with_capacity(form.len());
    // The name of the previous field, and the bytes of the fields with this name so far, if they
    // are not shown.
    let mut bytes: Option<(&[u8], Vec<u8>)> = None;
    for (index, field) in form.split(|byte| *byte == b'&').enumerate() {
        let end = masked.len();
        if index > 0 {
            masked.push('&');
        }
        let Some(equals) = memchr::memchr(b'=', field) else {
            end_of_bytes(bytes.take(), known.as_deref_mut());
            masked.push_str(if field.is_empty() { "" } else { OMITTED });
            continue;
        };
        let (name, value) = (&field[..equals], &field[equals + 1..]);
        let decoded = decode(name, None);
        let is_it = |row: &str| row.eq_ignore_ascii_case(&decoded);
        let named = rows().filter(|row| is_it(row.row().field_name()) || is_it(row.name));
        let mut are_bytes = false;
        let rows = named.map(|row| {
            let row = value_of_field(row);
            are_bytes |= matches!(row.type_at(), TypeAt::Simple(simple) if simple.is_bytes());
            row
        });
        let text = MessagePart::of(rows).text();
        let is_same = |(before, _): &(&[u8], _)| before.eq_ignore_ascii_case(name);
        let is_same = bytes.as_ref().is_some_and(is_same);
        if !is_same {
            let before = bytes.replace((name, Vec::new()));
            end_of_bytes(before, known.as_deref_mut());
        }
        if let (Some((_, bytes)), true) = (&mut bytes, text != Text::Shown) {
            bytes.extend(decode(value, None).parse::<u8>());
        }
        // One mark for all bytes, which does not reveal their number.
        let goes_on = are_bytes && is_same;
        match text {
            Text::Shown => masked.push_str(&readable_field(field)),
            Text::Secret if goes_on => masked.truncate(end),
            Text::Secret => {
                masked.push_str(&String::from_utf8_lossy(name));
                masked.push('=');
                masked.push_str(SECRET);
                if let Some(known) = known.as_deref_mut() {
                    known.add_found(&decode(value, None));
                }
            }
            _ => {
                masked.push_str(OMITTED);
                if let Some(known) = known.as_deref_mut() {
                    known.add_omitted(&decode(value, None));
                }
            }
        }
    }
    end_of_bytes(bytes, known);
    if is_cut {
        masked.push_str(CUT);
    }
    masked
}

/// Returns a field as text. Bytes that are not UTF-8 are percent-encoded, which readers of forms
/// take for the same.
fn readable_field(field: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(field) {
        return text.into();
    }
    let characters = field.iter().map(|byte| match byte {
        ascii if ascii.is_ascii() => char::from(*ascii).to_string(),
        byte => format!("%{byte:02X}"),
    });
    characters.collect()
}

/// Collects bytes that were spread over several fields.
fn end_of_bytes(bytes: Option<(&[u8], Vec<u8>)>, known: Option<&mut Secrets>) {
    if let (Some((_, bytes)), Some(known)) = (bytes, known) {
        known.add_bytes(&bytes);
    }
}

/// Cuts a form at a limit, without a field that continues after it.
fn cut(form: &[u8], limit: usize) -> (&[u8], bool) {
    if form.len() <= limit {
        return (form, false);
    }
    let whole = memchr::memrchr(b'&', &form[..limit]).map_or(0, |at| at + 1);
    (&form[..whole], true)
}

/// Returns the row of the value in a field; for a list, the row of its items.
fn value_of_field<'m>(mut row: At<'m, Element<'m>>) -> At<'m, Element<'m>> {
    while let (false, TypeAt::List(item)) = (row.secret, row.type_at()) {
        row = item;
    }
    row
}
