//! An exchange as it is kept.

use std::borrow::Cow;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};
use svcgen::bytes::Bytes;
use svcgen::mask::Mask;
use svcgen_messages::Service;
use svcgen_relay::{Exchange, Message};
use svcgen_replay::is_call;

use crate::console::excerpt;

/// A moment as in ISO 8601, in UTC.
pub(crate) fn moment(time: SystemTime) -> String {
    DateTime::<Utc>::from(time).to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The bytes of an exchange, with its secrets masked if a definition tells of them.
pub(crate) struct Kept<'e> {
    pub(crate) exchange: &'e Exchange,
    pub(crate) request: Cow<'e, Message>,
    pub(crate) answer: Cow<'e, Message>,
    is_masked: bool,
}

impl<'e> Kept<'e> {
    pub(crate) fn of(exchange: &'e Exchange, mask: Option<&Mask<'_>>) -> Self {
        let (request, answer) = match mask {
            None => (
                Cow::Borrowed(&exchange.request),
                Cow::Borrowed(&exchange.answer),
            ),
            Some(mask) => masked(exchange, mask),
        };
        Self {
            exchange,
            request,
            answer,
            is_masked: mask.is_some(),
        }
    }

    /// The interim answers. No definition tells of secrets in their headers: with one, they are not kept.
    pub(crate) fn interim(&self) -> &[u8] {
        if self.is_masked {
            &[]
        } else {
            &self.exchange.interim
        }
    }

    /// What it was, on a line.
    pub(crate) fn line(&self) -> String {
        let (method, target) = self.request.request_line().unwrap_or(("?", "?"));
        let status = match self.answer.status() {
            Some(status) => status.to_string(),
            None => "no answer".to_owned(),
        };
        let milliseconds = self.exchange.time.as_secs_f64() * 1000.0;
        let unread = match self.exchange.unread {
            Some(why) => format!(": {why}"),
            None => String::new(),
        };
        let target = excerpt(target);
        format!("{method} {target} {status} {milliseconds:.1} ms{unread}")
    }

    /// What is known of it beside its messages.
    pub(crate) fn about(&self) -> Value {
        let Exchange {
            connection,
            caller,
            time,
            ..
        } = self.exchange;
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        json!({
            "begun": moment(self.exchange.begun),
            "connection": connection,
            "caller": caller.to_string(),
            "milliseconds": milliseconds(*time),
            "first_byte": self.exchange.first_byte.map(milliseconds),
            "request_bytes": self.exchange.request.length,
            "response_bytes": self.exchange.answer.length,
            "is_whole": self.is_whole(),
            "is_masked": self.is_masked,
            "unread": self.exchange.unread,
        })
    }

    /// Whether both messages passed to their ends and are kept.
    fn is_whole(&self) -> bool {
        let messages = [&self.exchange.request, &self.exchange.answer];
        messages.iter().all(|one| one.is_whole && one.is_kept())
    }
}

fn masked<'e>(exchange: &Exchange, mask: &Mask<'_>) -> (Cow<'e, Message>, Cow<'e, Message>) {
    let Some(request) = masked_request(&exchange.request, mask) else {
        // What cannot be read may be anything.
        let nothing = || Cow::Owned(Message::default());
        return (nothing(), nothing());
    };
    let answer = masked_answer(&exchange.request, &exchange.answer, mask);
    (Cow::Owned(request), Cow::Owned(answer))
}

fn masked_request(request: &Message, mask: &Mask<'_>) -> Option<Message> {
    let shown = mask.request(&http_request(request)?);
    let line = format!("{} {} {}", shown.method(), shown.uri(), version(request));
    Some(with(request, &line, shown.headers(), shown.body()))
}

/// An answer to a request without secrets; nothing of it if one of them cannot be read.
pub(crate) fn masked_answer(request: &Message, answer: &Message, mask: &Mask<'_>) -> Message {
    let Some(request) = http_request(request) else {
        return Message::default();
    };
    let Some(status) = status(answer) else {
        return Message {
            is_whole: answer.is_whole,
            ..Message::default()
        };
    };
    let shown = mask.response(&request, &http_response(answer));
    // What a server writes instead of the usual words may quote a request.
    let reason = status.canonical_reason().unwrap_or_default();
    let line = format!("{} {} {reason}", version(answer), status.as_str());
    with(answer, &line, shown.headers(), shown.body())
}

/// Whether a request asks for something else than a call. What cannot be read may be one.
pub(crate) fn is_no_call(service: Option<Service>, request: &Message) -> bool {
    let line = request.request_line();
    let line = line.and_then(|(method, target)| Some((method, target.parse().ok()?)));
    line.is_some_and(|(method, target)| !is_call(service, method, &target))
}

/// An answer as the types of the crate `http` hold it.
pub(crate) fn http_response(answer: &Message) -> http::Response<Bytes> {
    let mut response = http::Response::new(answer.body().into_owned().into());
    *response.status_mut() = status(answer).unwrap_or_default();
    *response.headers_mut() = headers(answer);
    response
}

fn status(answer: &Message) -> Option<http::StatusCode> {
    answer.status().and_then(|code| code.try_into().ok())
}

/// A request as the types of the crate `http` hold it; `None` if it is none.
pub(crate) fn http_request(request: &Message) -> Option<http::Request<Bytes>> {
    let (method, target) = request.request_line()?;
    let known = http::Request::builder().method(method).uri(target);
    let mut known = known.body(request.body().into_owned().into()).ok()?;
    *known.headers_mut() = headers(request);
    Some(known)
}

fn headers(message: &Message) -> http::HeaderMap {
    let headers = message.headers().filter_map(|(name, value)| {
        let name = http::HeaderName::from_bytes(name.as_bytes()).ok()?;
        Some((name, http::HeaderValue::from_bytes(value).ok()?))
    });
    headers.collect()
}

/// The lines of the head of a message.
fn lines(message: &Message) -> impl Iterator<Item = &[u8]> {
    let start = message.head.iter().position(|byte| !b"\r\n".contains(byte));
    let lines = message.head[start.unwrap_or_default()..].split(|byte| *byte == b'\n');
    lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// The version of HTTP, which a request names at the end of its first line and an answer at the start.
fn version(message: &Message) -> &'static str {
    const OLD: &str = "HTTP/1.0";
    let line = lines(message).next().unwrap_or_default();
    if line.starts_with(OLD.as_bytes()) || line.ends_with(OLD.as_bytes()) {
        return OLD;
    }
    "HTTP/1.1"
}

/// A message with another first line and body, and with the values of headers that are shown, in their order and letter case.
fn with(message: &Message, first_line: &str, shown: &http::HeaderMap, body: &str) -> Message {
    let mut head = [first_line.as_bytes(), b"\r\n"].concat();
    for line in lines(message).skip(1) {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else {
            continue;
        };
        // The rest of a value that goes on in another line has no name.
        let Ok(name) = http::HeaderName::from_bytes(&line[..colon]) else {
            continue;
        };
        let value = match name.as_str() {
            // The body is not in chunks any more.
            "transfer-encoding" => continue,
            "content-length" => body.len().to_string().into_bytes(),
            _ => {
                let given = line[colon + 1..].trim_ascii();
                let mut values = shown.get_all(name).iter();
                let is_shown = values.any(|value| value.as_bytes() == given);
                if is_shown {
                    given.to_vec()
                } else {
                    svcgen::mask::SECRET.as_bytes().to_vec()
                }
            }
        };
        head.extend_from_slice(&[&line[..colon], b": ", &value, b"\r\n"].concat());
    }
    head.extend_from_slice(b"\r\n");
    Message {
        head,
        sent: body.as_bytes().to_vec(),
        length: body.len() as u64,
        is_whole: message.is_whole,
    }
}
