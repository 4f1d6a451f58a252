//! The changes that a call makes to a request as clients send it.

use std::fmt;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use http::{Method, Request};
use svcgen::Binding;
use svcgen_messages::Operation;

use crate::edges::headers;
use crate::edit::Edit;
use crate::place::{Path, Place};
use crate::{form, json, xml};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// A change at a place in its values.
    At(Path, Edit),
    /// A change of the message around the values.
    Of(MessageChange),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MessageChange {
    Header(HeaderName, Option<String>),
    Method(Method),
    /// The path ends with this in place of the operation; `*` stands for the operation's name.
    Called(&'static str),
    Body(&'static str),
    /// The body ends after this percentage of its length.
    Cut(usize),
    Encoding(&'static str),
    ByteOrderMark,
    Prefixes,
    Spaces,
    /// A SOAP header with this `mustUnderstand`.
    SoapHeader(&'static str),
    DocumentType,
    NoDeclaration,
}

/// The prefix of the kinds of changes that are independent of the operation.
const OF_MESSAGE: &str = "message ";

pub(crate) fn is_of_message(kind: &str) -> bool {
    kind.starts_with(OF_MESSAGE)
}

impl Change {
    /// Returns the kind, by which equal findings are reported once: the name of the variant, or of
    /// the header.
    pub(crate) fn kind(&self) -> String {
        let shown = match self {
            Self::Of(MessageChange::Header(name, _)) => format!("{OF_MESSAGE}{name}"),
            Self::Of(change) => format!("{OF_MESSAGE}{change:?}"),
            Self::At(_, edit) => format!("{edit:?}"),
        };
        let end = shown.find('(').unwrap_or(shown.len());
        shown[..end].to_owned()
    }

    /// Describes the change by the name of the place alone, so that it is the same over all
    /// bindings.
    pub(crate) fn anywhere(&self) -> String {
        match self {
            Self::At(path, edit) => format!("{:?} {edit:?}", path.0.last()),
            Self::Of(change) => format!("{change:?}"),
        }
    }

    /// Returns the request with the change; `None` if it changes nothing.
    pub(crate) fn apply(&self, request: &Request<Bytes>) -> Option<Request<Bytes>> {
        let changed = match self {
            Self::At(path, edit) => {
                let (notation, text) = values(request)?;
                let changed = match notation {
                    Notation::Xml => xml::edited(text, path, edit)?,
                    Notation::Json => {
                        json::edited(serde_json::from_str(text).ok()?, path, edit)?.to_string()
                    }
                    // Forms have no nil.
                    _ if *edit == Edit::Nil => return None,
                    _ => form::of_json(&json::edited(form::to_json(text), path, edit)?),
                };
                let mut request = request.clone();
                if notation == Notation::Query {
                    let target = format!("{}?{changed}", request.uri().path());
                    *request.uri_mut() = target.parse().ok()?;
                } else {
                    *request.body_mut() = changed.into();
                }
                request
            }
            Self::Of(change) => change.apply(request.clone())?,
        };
        let is_same = changed.body() == request.body()
            && changed.uri() == request.uri()
            && changed.method() == request.method()
            && changed.headers() == request.headers();
        (!is_same).then_some(changed)
    }
}

impl MessageChange {
    fn apply(&self, mut request: Request<Bytes>) -> Option<Request<Bytes>> {
        let is_xml = matches!(values(&request), Some((Notation::Xml, _)));
        let text = str::from_utf8(request.body());
        let body = match self {
            Self::Header(name, value) => {
                match value {
                    Some(value) => {
                        let value = HeaderValue::from_str(value).ok()?;
                        request.headers_mut().insert(name, value);
                    }
                    None => drop(request.headers_mut().remove(name)),
                }
                return Some(request);
            }
            Self::Method(method) => {
                *request.method_mut() = method.clone();
                return Some(request);
            }
            Self::Called(name) => {
                let (path, query) = (request.uri().path(), request.uri().query());
                let (around, called) = path.rsplit_once('/')?;
                let query = query.map_or_else(String::new, |query| format!("?{query}"));
                let target = format!("{around}/{}{query}", name.replace('*', called));
                *request.uri_mut() = target.parse().ok()?;
                return Some(request);
            }
            Self::Encoding(label) => {
                let (_, text) = text.ok()?.split_once("?>").unwrap_or(("", text.ok()?));
                let body: Vec<u8> = match *label {
                    "utf-16" => {
                        let units = "\u{FEFF}".encode_utf16().chain(text.encode_utf16());
                        units.flat_map(u16::to_le_bytes).collect()
                    }
                    _ => {
                        let latin = |c| u8::try_from(c).unwrap_or(b'?');
                        text.chars().map(latin).collect()
                    }
                };
                let media_type = request.headers().get(CONTENT_TYPE)?.to_str().ok()?;
                let media_type = HeaderValue::try_from(media_type.replace("utf-8", label));
                request.headers_mut().insert(CONTENT_TYPE, media_type.ok()?);
                body.into()
            }
            Self::ByteOrderMark => format!("\u{FEFF}{}", text.ok()?).into(),
            Self::Body(body) => Bytes::from_static(body.as_bytes()),
            Self::Cut(hundredths) => {
                let end = request.body().len() * hundredths / 100;
                request.body().slice(..end)
            }
            _ if !is_xml => return None,
            Self::Prefixes => xml::prefixed(text.ok()?)?.into(),
            Self::Spaces => text.ok()?.replace("><", ">\r\n\t<").into(),
            Self::SoapHeader(value) => {
                let (before, body) = text.ok()?.split_once("<soap:Body")?;
                let has_headers = before.contains("<soap:Header");
                let header = format!(
                    "<soap:Header><h xmlns=\"urn:example\" soap:mustUnderstand=\"{value}\" /></soap:Header>"
                );
                (!has_headers).then(|| format!("{before}{header}<soap:Body{body}").into())?
            }
            Self::DocumentType | Self::NoDeclaration => {
                let (_, rest) = text.ok()?.split_once("?>")?;
                let start = match self {
                    Self::DocumentType => "<!DOCTYPE a [<!ENTITY b \"c\">]>",
                    _ => "",
                };
                format!("{start}{}", rest.trim_start()).into()
            }
        };
        *request.body_mut() = body;
        Some(request)
    }
}

/// Returns the places of the values of a request.
pub(crate) fn places(request: &Request<Bytes>, operation: Operation) -> Vec<Place> {
    match values(request) {
        Some((Notation::Xml, text)) => xml::places(text, operation),
        Some((Notation::Json, text)) => {
            json::places(&serde_json::from_str(text).unwrap_or_default(), operation)
        }
        Some((_, text)) => json::places(&form::to_json(text), operation),
        None => Vec::new(),
    }
}

/// Returns the text that holds the values of a request, and its notation.
fn values(request: &Request<Bytes>) -> Option<(Notation, &str)> {
    let notation = match request.body().trim_ascii_start().first() {
        Some(b'<') => Notation::Xml,
        Some(b'{') => Notation::Json,
        Some(_) => Notation::Form,
        None => return Some((Notation::Query, request.uri().query().unwrap_or_default())),
    };
    Some((notation, str::from_utf8(request.body()).ok()?))
}

/// The notation of the values of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notation {
    Xml,
    Form,
    Query,
    Json,
}

/// Returns the changes of messages over a binding.
pub(crate) fn of_messages(binding: Binding, request: &Request<Bytes>) -> Vec<Change> {
    use MessageChange as C;
    let mut changes = vec![
        C::ByteOrderMark,
        C::Encoding("utf-16"),
        C::Encoding("iso-8859-1"),
    ];
    changes.extend([Method::GET, Method::PUT, Method::POST].map(C::Method));
    changes.extend(["", "x", "<a/>", "{}"].map(C::Body));
    changes.extend([0, 25, 50, 75, 90, 99].map(C::Cut));
    let headers = headers(binding).map(|(name, value)| (name, value.map(str::to_owned)));
    let action = request
        .headers()
        .get("soapaction")
        .and_then(|action| action.to_str().ok());
    let actions = action
        .into_iter()
        .flat_map(|action| [action.trim_matches('"').to_owned(), action.to_uppercase()]);
    let actions = actions.map(|action| ("soapaction", Some(action)));
    let headers = headers.chain(actions);
    changes.extend(headers.map(|(name, value)| C::Header(HeaderName::from_static(name), value)));
    if binding.is_soap() {
        changes.extend([C::Prefixes, C::Spaces, C::DocumentType, C::NoDeclaration]);
        changes.extend(["0", "1", "true"].map(C::SoapHeader));
    } else {
        changes.extend(["NoSuchOperation", "*/", "*/more", ""].map(C::Called));
    }
    changes.into_iter().map(Change::Of).collect()
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(path, edit) => edit.at(path, f),
            Self::Of(change) => change.fmt(f),
        }
    }
}

impl fmt::Display for MessageChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header(name, None) => write!(f, "no header `{name}`"),
            Self::Header(name, Some(value)) => write!(f, "the header `{name}: {value}`"),
            Self::Method(method) => write!(f, "the method {method}"),
            Self::Called("") => f.write_str("no operation in the path"),
            Self::Called(name) => {
                let name = name.replace('*', "OPERATION");
                write!(f, "the path ends with `/{name}`")
            }
            Self::Body("") => f.write_str("an empty body"),
            Self::Body(body) => write!(f, "the body `{body}`"),
            Self::Cut(hundredths) => write!(f, "the body ends after {hundredths} % of it"),
            Self::Encoding(label) => write!(f, "the body is in {label}"),
            Self::ByteOrderMark => f.write_str("the body begins with a byte order mark"),
            Self::Prefixes => f.write_str("every element has a prefix"),
            Self::Spaces => f.write_str("each element is on a line of its own"),
            Self::SoapHeader(value) => {
                write!(f, "an unknown SOAP header with mustUnderstand=\"{value}\"")
            }
            Self::DocumentType => f.write_str("a document type declaration"),
            Self::NoDeclaration => f.write_str("no XML declaration"),
        }
    }
}
