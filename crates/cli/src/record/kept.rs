//! Exchanges as they are kept.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, SecondsFormat, Utc};
use http::{HeaderMap, HeaderValue};
use serde_json::{Value, json};
use svcgen::bytes::Bytes;
use svcgen::mask::{Mask, Masked};
use svcgen_messages::Service;
use svcgen_relay::{Exchange, Message};
use svcgen_replay::{encode, encoding_of, is_call, readable_request, readable_response};

use crate::console::excerpt;

/// Writes a time as in ISO 8601, in UTC.
pub(crate) fn moment(time: SystemTime) -> String {
    DateTime::<Utc>::from(time).to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The kept parts of an exchange: without its secrets if there is a definition, or everything.
pub(crate) struct KeptExchange<'e> {
    pub(crate) request: Masked<Cow<'e, Message>>,
    pub(crate) answer: Masked<Cow<'e, Message>>,
    /// The interim answers. They are not kept with a definition, as it does not describe secrets in
    /// their headers.
    pub(crate) interim: Masked<&'e [u8]>,
    is_masked: bool,
    /// Whether both messages passed to their ends and are kept.
    is_whole: bool,
    /// The lengths of both bodies.
    lengths: [u64; 2],
    caller: SocketAddr,
    pub(crate) connection: u64,
    pub(crate) begun: SystemTime,
    pub(crate) time: Duration,
    pub(crate) first_byte: Option<Duration>,
    pub(crate) unread: Option<&'static str>,
}

impl<'e> KeptExchange<'e> {
    pub(crate) fn of(exchange: &'e Exchange, mask: Option<&Mask<'_>>) -> Self {
        let (request, answer) = (&exchange.request, &exchange.answer);
        let mut both = [request, answer].into_iter();
        Self {
            request: Masked::by(mask, Cow::Borrowed(request), |mask| {
                masked_request(request, mask).map(Cow::Owned)
            }),
            answer: Masked::by(mask, Cow::Borrowed(answer), |mask| {
                masked_answer(request, answer, mask).map(Cow::Owned)
            }),
            interim: Masked::by(mask, &exchange.interim, |_| {
                Masked::fixed("").map(str::as_bytes)
            }),
            is_masked: mask.is_some(),
            is_whole: both.all(|one| one.is_whole && one.is_kept()),
            lengths: [request.length, answer.length],
            caller: exchange.caller,
            connection: exchange.connection,
            begun: exchange.begun,
            time: exchange.time,
            first_byte: exchange.first_byte,
            unread: exchange.unread,
        }
    }

    /// Describes the exchange on a line.
    pub(crate) fn line(&self) -> String {
        let (method, target) = self.request.request_line().unwrap_or(("?", "?"));
        let status = match self.answer.status() {
            Some(status) => status.to_string(),
            None => "no answer".to_owned(),
        };
        let milliseconds = self.time.as_secs_f64() * 1000.0;
        let unread = match self.unread {
            Some(why) => format!(": {why}"),
            None => String::new(),
        };
        let target = excerpt(target);
        format!("{method} {target} {status} {milliseconds:.1} ms{unread}")
    }

    /// Returns the description of the exchange, besides its messages.
    pub(crate) fn about(&self) -> Value {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        let [request_bytes, response_bytes] = self.lengths;
        json!({
            "begun": moment(self.begun),
            "connection": self.connection,
            "caller": self.caller.to_string(),
            "milliseconds": milliseconds(self.time),
            "first_byte": self.first_byte.map(milliseconds),
            "request_bytes": request_bytes,
            "response_bytes": response_bytes,
            "is_whole": self.is_whole,
            "is_masked": self.is_masked,
            "unread": self.unread,
        })
    }
}

/// The maximum length of a compressed message that is read, in bytes after decompression: small
/// messages could fill the memory otherwise.
const MOST_UNCOMPRESSED: u64 = 4 << 20;

/// Returns a request that masks can read; `None` if it is not a valid request.
pub(super) fn readable(request: &Message) -> Option<http::Request<Bytes>> {
    Some(readable_request(request.to_request()?, MOST_UNCOMPRESSED))
}

/// Returns an answer that masks can read.
pub(super) fn readable_answer(answer: &Message) -> http::Response<Bytes> {
    readable_response(answer.to_response(), MOST_UNCOMPRESSED)
}

/// Returns a request without secrets; empty if it cannot be read.
fn masked_request(request: &Message, mask: &Mask<'_>) -> Masked<Message> {
    let Some(asked) = readable(request) else {
        return nothing();
    };
    let shown = mask.request(&asked);
    let line = (shown.by_ref())
        .map(|shown| format!("{} {} {:?}", shown.method(), shown.uri(), shown.version()));
    let body = shown.map(http::Request::into_body);
    with(request, (asked.headers(), asked.body()), line, body)
}

/// Returns an answer to a request without secrets; empty if one of the two cannot be read.
pub(crate) fn masked_answer(
    request: &Message,
    answer: &Message,
    mask: &Mask<'_>,
) -> Masked<Message> {
    let (Some(request), Some(100..)) = (readable(request), answer.status()) else {
        return nothing();
    };
    let response = readable_answer(answer);
    let shown = mask.response(&request, &response);
    let line = shown.by_ref().map(|shown| {
        let status = shown.status();
        // An unusual reason phrase of a server may quote a request.
        let reason = status.canonical_reason().unwrap_or_default();
        format!("{:?} {} {reason}", shown.version(), status.as_str())
    });
    let body = shown.map(http::Response::into_body);
    with(answer, (response.headers(), response.body()), line, body)
}

fn nothing() -> Masked<Message> {
    Masked::fixed("").map(|_| Message::default())
}

/// Whether a request is not a call. A request that cannot be read counts as a call.
pub(crate) fn is_no_call(service: Option<Service>, request: &Message) -> bool {
    let line = request.request_line();
    let line = line.and_then(|(method, target)| Some((method, target.parse().ok()?)));
    line.is_some_and(|(method, target)| !is_call(service, method, &target))
}

/// Replaces the first line and the body of a message, which stays in the encoding of the readable
/// one, and its media type and coding by those in `headers`. Keeps the order and letter case of its
/// headers, as far as they are shown.
fn with(
    message: &Message,
    (headers, readable): (&HeaderMap, &[u8]),
    first: Masked<String>,
    body: Masked<String>,
) -> Masked<Message> {
    let [encoding, mark] = encoding_of(headers, readable).map(Masked::fixed);
    let body = body.and(encoding.and(mark));
    let body = body.map(|(text, (encoding, mark))| encode([encoding, mark], &text));
    let length = body.len().to_string();
    let shown = message.lines().skip(1).filter_map(|line| {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        // The continuation line of a folded value has no name.
        let known = http::HeaderName::from_bytes(name).ok()?;
        match known.as_str() {
            // The body is no longer in chunks.
            "transfer-encoding" => None,
            "content-encoding" if !headers.contains_key(&known) => None,
            "content-length" => Some(Masked::header(name, length.as_bytes())),
            "content-type" => {
                let other = headers.get(known).map(HeaderValue::as_bytes);
                Some(Masked::header(name, other.unwrap_or(value)))
            }
            _ => Some(Masked::header(name, value)),
        }
    });
    let shown = shown.map(|header| header.map(|(name, value)| [name, b": ", value].concat()));
    let lines = [first.map(String::into_bytes)].into_iter().chain(shown);
    let lines: Masked<Vec<_>> = lines.collect();
    lines.and(body).map(|(lines, body)| Message {
        head: [lines.join(&b"\r\n"[..]), b"\r\n\r\n".to_vec()].concat(),
        length: body.len() as u64,
        sent: body,
        is_whole: true,
    })
}
