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
    let target = shown.uri().to_string();
    Some(with(request, Some(&target), shown.headers(), shown.body()))
}

/// An answer to a request without secrets; nothing of it if the request cannot be read.
pub(crate) fn masked_answer(request: &Message, answer: &Message, mask: &Mask<'_>) -> Message {
    let Some(request) = http_request(request) else {
        return Message::default();
    };
    let shown = mask.response(&request, &http_response(answer));
    with(answer, None, shown.headers(), shown.body())
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
    let status = answer.status().and_then(|code| code.try_into().ok());
    *response.status_mut() = status.unwrap_or_default();
    *response.headers_mut() = headers(answer);
    response
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

/// A message with another body, and with the values of headers that are shown, in their order and letter case.
fn with(message: &Message, target: Option<&str>, shown: &http::HeaderMap, body: &str) -> Message {
    let mut head = Vec::with_capacity(message.head.len());
    let start = message.head.iter().position(|byte| !b"\r\n".contains(byte));
    let lines = message.head[start.unwrap_or_default()..].split(|byte| *byte == b'\n');
    for (number, line) in lines.enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if number == 0 {
            let mut words = line.splitn(3, |byte| *byte == b' ');
            match (words.next(), words.next(), words.next(), target) {
                (Some(method), Some(_), version, Some(target)) => {
                    let parts = [
                        method,
                        b" ",
                        target.as_bytes(),
                        b" ",
                        version.unwrap_or_default(),
                    ];
                    head.extend_from_slice(&parts.concat());
                }
                _ => head.extend_from_slice(line),
            }
            head.extend_from_slice(b"\r\n");
            continue;
        }
        let Some(colon) = line.iter().position(|byte| *byte == b':') else {
            continue;
        };
        let name = line[..colon].to_ascii_lowercase();
        let value = match &*name {
            // The body is not in chunks any more.
            b"transfer-encoding" => continue,
            b"content-length" => body.len().to_string().into_bytes(),
            _ => {
                let given = line[colon + 1..].trim_ascii();
                let name = http::HeaderName::from_bytes(&name).ok();
                let mut values = name.iter().flat_map(|name| shown.get_all(name));
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
    if !message.head.is_empty() {
        head.extend_from_slice(b"\r\n");
    }
    Message {
        head,
        sent: body.as_bytes().to_vec(),
        length: body.len() as u64,
        is_whole: message.is_whole,
    }
}
