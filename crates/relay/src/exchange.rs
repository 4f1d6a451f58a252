//! Requests and their answers, as they passed through the relay.

use std::borrow::Cow;
use std::io;
use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

use httparse::{EMPTY_HEADER, Request, Response, Status, parse_chunk_size};
use svcgen::bytes::Bytes;
use svcgen::http;

use crate::framing::is_chunked;

/// Observes the exchanges that pass through a [`Relay`](crate::Relay).
pub trait Observe: Send + Sync + 'static {
    /// Called when a request was answered or its connection is over. The connection waits for it:
    /// long work belongs elsewhere.
    fn exchange(&self, exchange: Exchange);

    /// Called when a connection could not be passed on, or broke.
    fn broken(&self, _caller: SocketAddr, _error: &io::Error) {}

    /// Called when a connection was closed and its last bytes were not passed on.
    fn refused(&self, _caller: SocketAddr, _why: Refusal<'_>) {}

    /// Called when no connection to the candidate of a [`Split`](crate::Split) could be made; the
    /// upstream is used in its place.
    fn candidate_unreachable(&self, _caller: SocketAddr, _error: &io::Error) {}
}

/// The reason why a connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal<'a> {
    /// The caller's address has this number of open connections already.
    Connections(u32),
    /// A request names this host, which is not allowed.
    Host(&'a str),
}

/// A request and its answer, as they passed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Exchange {
    /// The number of the connection, from 1.
    pub connection: u64,
    /// The address of the caller.
    pub caller: SocketAddr,
    /// Whether it was passed to the candidate of a [`Split`](crate::Split).
    pub by_candidate: bool,
    /// The time at which the first byte of the request was received.
    pub begun: SystemTime,
    /// The time from there to the last byte of the answer, or to the end of the connection.
    pub time: Duration,
    /// The time from there to the first byte of the answer, if there is one.
    pub first_byte: Option<Duration>,
    /// The request.
    pub request: Message,
    /// The answer; empty if the connection ended first.
    pub answer: Message,
    /// The heads of the interim answers before it, such as `100 Continue`; 16 at most.
    pub interim: Vec<u8>,
    /// The reason why the exchange could not be read to its end, if so. All bytes passed
    /// nevertheless.
    pub unread: Option<&'static str>,
}

impl Exchange {
    /// Creates an exchange that did not pass through a relay.
    pub fn new(request: Message, answer: Message) -> Self {
        Self {
            connection: 1,
            caller: SocketAddr::from(([127, 0, 0, 1], 0)),
            by_candidate: false,
            begun: SystemTime::now(),
            time: Duration::ZERO,
            first_byte: None,
            request,
            answer,
            interim: Vec::new(),
            unread: None,
        }
    }

    /// Returns the number of bytes of it that are kept.
    pub fn size(&self) -> usize {
        let (request, answer) = (&self.request, &self.answer);
        let heads = request.head.len() + self.interim.len() + answer.head.len();
        heads + request.sent.len() + answer.sent.len()
    }
}

/// The headers that describe how a message is sent on its connection, and not its content.
const OF_CONNECTION: [&str; 9] = [
    "connection",
    "content-length",
    "expect",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// A message as it passed.
#[derive(Debug, Clone, Default)]
pub struct Message {
    /// The bytes of the head, with the empty line after it.
    pub head: Vec<u8>,
    /// The kept bytes of the body as they were sent, with chunk sizes.
    pub sent: Vec<u8>,
    /// The number of bytes of the body that passed.
    pub length: u64,
    /// Whether the message passed to its end.
    pub is_whole: bool,
}

impl Message {
    /// Creates a message as HTTP/1.1 sends it: the first line, the headers except those of the
    /// connection, and the body with its length.
    pub fn new(first: &str, headers: &http::HeaderMap, body: &[u8]) -> Self {
        let mut head = format!("{first}\r\n").into_bytes();
        for (name, value) in headers {
            if !OF_CONNECTION.contains(&name.as_str()) {
                head.extend_from_slice(
                    &[name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat(),
                );
            }
        }
        head.extend_from_slice(format!("content-length: {}\r\n\r\n", body.len()).as_bytes());
        Self {
            head,
            sent: body.to_vec(),
            length: body.len() as u64,
            is_whole: true,
        }
    }

    /// Whether all bytes that passed are kept.
    pub fn is_kept(&self) -> bool {
        self.sent.len() as u64 == self.length
    }

    /// Returns the head and the body, as they were sent.
    pub fn bytes(&self) -> Vec<u8> {
        [&*self.head, &*self.sent].concat()
    }

    /// Returns the method and the target of a request.
    pub fn request_line(&self) -> Option<(&str, &str)> {
        let mut headers = [EMPTY_HEADER; 256];
        let mut request = Request::new(&mut headers);
        let Ok(Status::Complete(_)) = request.parse(&self.head) else {
            return None;
        };
        request.method.zip(request.path)
    }

    /// Writes a request anew from its parsed parts: method, target, headers except those of the
    /// connection, and the body with its length. For servers that must not get any byte that was
    /// not checked.
    ///
    /// Returns `None` if the head cannot be read, or if another parser may understand it
    /// differently: a length together with chunks, several lengths or codings, an unknown coding,
    /// or a repeated header that selects the operation.
    pub fn anew(&self) -> Option<Self> {
        let mut headers = [EMPTY_HEADER; 256];
        let mut request = Request::new(&mut headers);
        let Ok(Status::Complete(_)) = request.parse(&self.head) else {
            return None;
        };
        let (method, target, version) = (request.method?, request.path?, request.version?);
        let values = |name: &'static str| {
            let headers = request.headers.iter();
            let named = headers.filter(move |header| header.name.eq_ignore_ascii_case(name));
            named.map(|header| header.value.trim_ascii())
        };
        let has_several = |name| values(name).nth(1).is_some();
        if ["host", "content-type", "soapaction"]
            .into_iter()
            .any(has_several)
        {
            return None;
        }
        let (mut lengths, mut codings) = (values("content-length"), values("transfer-encoding"));
        let has_body = match [
            lengths.next(),
            lengths.next(),
            codings.next(),
            codings.next(),
        ] {
            [None, None, None, None] => false,
            [Some(_), None, None, None] => true,
            [None, None, Some(coding), None] => {
                if version == 0 || !coding.eq_ignore_ascii_case(b"chunked") {
                    return None;
                }
                true
            }
            _ => return None,
        };
        let options: Vec<_> = values("connection")
            .flat_map(|value| value.split(|byte| *byte == b','))
            .map(<[u8]>::trim_ascii)
            .collect();
        let is_of_connection = |name: &str| {
            let known = OF_CONNECTION.iter().map(|known| known.as_bytes());
            let mut names = known.chain(options.iter().copied());
            names.any(|known| known.eq_ignore_ascii_case(name.as_bytes()))
        };
        let mut head = format!("{method} {target} HTTP/1.{version}\r\n").into_bytes();
        for header in request.headers.iter() {
            if !is_of_connection(header.name) {
                let value = header.value.trim_ascii();
                head.extend_from_slice(&[header.name.as_bytes(), b": ", value, b"\r\n"].concat());
            }
        }
        let sent = self.body().into_owned();
        if has_body {
            head.extend_from_slice(format!("Content-Length: {}\r\n", sent.len()).as_bytes());
        }
        head.extend_from_slice(b"\r\n");
        Some(Self {
            length: sent.len() as u64,
            head,
            sent,
            is_whole: self.is_whole,
        })
    }

    /// Returns the status of an answer.
    pub fn status(&self) -> Option<u16> {
        let mut headers = [EMPTY_HEADER; 256];
        let mut answer = Response::new(&mut headers);
        match answer.parse(&self.head) {
            Ok(Status::Complete(_)) => answer.code,
            _ => None,
        }
    }

    /// Returns the lines of the head.
    pub fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let start = self.head.iter().position(|byte| !b"\r\n".contains(byte));
        let lines = self.head[start.unwrap_or_default()..].split(|byte| *byte == b'\n');
        lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// Converts a request to the type of the crate `http`; `None` if it is not a valid request.
    pub fn to_request(&self) -> Option<http::Request<Bytes>> {
        let (method, target) = self.request_line()?;
        let request = http::Request::builder().method(method).uri(target);
        let body = self.body().into_owned().into();
        let mut request = request.version(self.version()).body(body).ok()?;
        *request.headers_mut() = self.header_map();
        Some(request)
    }

    /// Converts an answer to the type of the crate `http`.
    pub fn to_response(&self) -> http::Response<Bytes> {
        let mut response = http::Response::new(self.body().into_owned().into());
        let status = self.status().and_then(|code| code.try_into().ok());
        *response.status_mut() = status.unwrap_or_default();
        *response.version_mut() = self.version();
        *response.headers_mut() = self.header_map();
        response
    }

    fn header_map(&self) -> http::HeaderMap {
        let headers = self.headers().filter_map(|(name, value)| {
            let name = http::HeaderName::from_bytes(name.as_bytes()).ok()?;
            Some((name, http::HeaderValue::from_bytes(value).ok()?))
        });
        headers.collect()
    }

    /// Returns the HTTP version, which is at the end of a request's first line and at the start of
    /// an answer's.
    fn version(&self) -> http::Version {
        const OLD: &[u8] = b"HTTP/1.0";
        let line = self.lines().next().unwrap_or_default();
        if line.starts_with(OLD) || line.ends_with(OLD) {
            return http::Version::HTTP_10;
        }
        http::Version::HTTP_11
    }

    /// Returns the headers in their order, as they are written.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.lines().skip(1).filter_map(|line| {
            let colon = line.iter().position(|byte| *byte == b':')?;
            let name = std::str::from_utf8(&line[..colon]).ok()?;
            Some((name, line[colon + 1..].trim_ascii()))
        })
    }

    /// Returns the first header with a name, in any letter case.
    pub fn header(&self, name: &str) -> Option<&[u8]> {
        let mut headers = self.headers();
        let found = headers.find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value)
    }

    /// Returns the kept part of the body, without chunk sizes and trailers.
    pub fn body(&self) -> Cow<'_, [u8]> {
        if is_chunked(self.headers()) != Some(true) {
            return Cow::Borrowed(&self.sent);
        }
        let (mut rest, mut body) = (&*self.sent, Vec::with_capacity(self.sent.len()));
        while let Ok(Status::Complete((start, size @ 1..))) = parse_chunk_size(rest) {
            let chunk = &rest[start..];
            let size = usize::try_from(size).unwrap_or(usize::MAX).min(chunk.len());
            body.extend_from_slice(&chunk[..size]);
            rest = chunk.get(size + 2..).unwrap_or_default();
        }
        Cow::Owned(body)
    }
}
