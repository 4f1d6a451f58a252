//! The boundaries of the messages in one direction of a connection (RFC 9112 §6).

use httparse::{EMPTY_HEADER, Header, Request, Response, Status, parse_chunk_size};
use memchr::memchr;

/// The longest head that is read, and the longest line between chunks.
const LONGEST_HEAD: usize = 256 << 10;
const LONGEST_LINE: usize = 8 << 10;
pub(crate) const MOST_HEADERS: usize = 256;
/// The number of bytes of a head that are examined at once.
const PIECE: usize = 4 << 10;
/// The number of interim answers, such as `100 Continue`, that may precede an answer.
const MOST_INTERIM: usize = 16;
/// The number of bytes of empty lines that may precede a head.
const MOST_BLANK: usize = 64;

const OTHER_PROTOCOL: &str = "the connection carries another protocol";

/// The next part of the bytes in one direction of a connection.
#[derive(Debug)]
pub(crate) enum MessagePart<'a> {
    /// A head, with the empty line after it.
    Head(&'a [u8]),
    /// The head of an interim answer, which has no body: another answer to the same request follows
    /// (RFC 9110 §15.2).
    Interim(&'a [u8]),
    /// Bytes of a body as they are sent, with chunk sizes and trailers.
    Body(&'a [u8]),
    /// The message ends.
    End,
    /// Bytes that belong to no readable message, and the reason, which only the first of them have.
    Unread(&'a [u8], Option<&'static str>),
}

/// The end of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// At once, and another answer follows.
    Interim,
    /// After this number of bytes.
    After(u64),
    /// With an empty chunk and trailers.
    Chunk,
    /// With the connection.
    Close,
    /// Never, for this reason: nothing after the head is read.
    Never(&'static str),
}

/// The kind of a head: of a request, or of an answer to a request with this method.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind<'a> {
    Request,
    Answer { method: &'a str },
}

/// Finds the messages in the bytes of one direction.
#[derive(Debug, Default)]
pub(crate) struct Framing {
    state: State,
    /// The start of a head or a line that came in pieces.
    held: Vec<u8>,
    /// The length of the part of it that was searched for its end.
    searched: usize,
    /// The number of interim answers so far before the next answer.
    interim: usize,
}

#[derive(Debug, Default, Clone, Copy)]
enum State {
    #[default]
    Head,
    Length(u64),
    ChunkSize,
    /// The bytes of a chunk, with the line end after them.
    Chunk(u64),
    Trailer,
    Close,
    /// The reason, until the first of the bytes.
    Unread(Option<&'static str>),
}

impl Framing {
    /// Divides the next bytes into parts. `kind` returns the kind of the next head; `None`, for an
    /// answer without a request, makes it unreadable.
    pub(crate) fn read<'k>(
        &mut self,
        mut bytes: &[u8],
        kind: impl Fn() -> Option<Kind<'k>>,
        part: &mut impl FnMut(MessagePart<'_>),
    ) {
        while !bytes.is_empty() {
            let taken = match self.state {
                State::Head => self.head(bytes, &kind, part),
                State::Length(rest) => self.counted(bytes, rest, part),
                State::Chunk(rest) => {
                    let taken = as_length(rest).min(bytes.len());
                    part(MessagePart::Body(&bytes[..taken]));
                    let rest = rest - taken as u64;
                    self.state = match rest {
                        0 => State::ChunkSize,
                        rest => State::Chunk(rest),
                    };
                    taken
                }
                State::ChunkSize | State::Trailer => self.line(bytes, part),
                State::Close => {
                    part(MessagePart::Body(bytes));
                    bytes.len()
                }
                State::Unread(why) => {
                    self.state = State::Unread(None);
                    part(MessagePart::Unread(bytes, why));
                    bytes.len()
                }
            };
            bytes = &bytes[taken..];
        }
    }

    /// Whether no readable message is under way.
    pub(crate) fn is_between(&self) -> bool {
        match self.state {
            State::Head => self.held.iter().all(|byte| b"\r\n".contains(byte)),
            State::Unread(_) => true,
            _ => false,
        }
    }

    /// Whether a head has begun and is not complete.
    pub(crate) fn is_in_head(&self) -> bool {
        matches!(self.state, State::Head) && !self.is_between()
    }

    /// Whether nothing more is read.
    pub(crate) fn is_unread(&self) -> bool {
        matches!(self.state, State::Unread(_))
    }

    /// Ends the direction, which was closed. This completes a body that extends to the end of the
    /// connection; any other message under way stays incomplete.
    pub(crate) fn close(&mut self, part: &mut impl FnMut(MessagePart<'_>)) {
        match self.state {
            State::Close => part(MessagePart::End),
            State::Head if self.held.is_empty() => {}
            State::Unread(_) => {}
            _ => self.give_up("the connection was closed within a message", part),
        }
        self.state = State::Unread(None);
    }

    /// Stops reading, and passes out the held bytes.
    fn give_up(&mut self, why: &'static str, part: &mut impl FnMut(MessagePart<'_>)) {
        self.state = State::Unread(None);
        let held = std::mem::take(&mut self.held);
        part(MessagePart::Unread(&held, Some(why)));
    }

    fn head<'k>(
        &mut self,
        bytes: &[u8],
        kind: &impl Fn() -> Option<Kind<'k>>,
        part: &mut impl FnMut(MessagePart<'_>),
    ) -> usize {
        // One piece at a time, so that the bytes after a short head are not all copied.
        let bytes = &bytes[..bytes.len().min(PIECE)];
        let before = self.held.len();
        self.held.extend_from_slice(bytes);
        let Some(end) = self.end_of_head() else {
            // Empty lines before a head are searched again each time.
            let is_blank = self.held.iter().all(|byte| b"\r\n".contains(byte));
            let most = if is_blank { MOST_BLANK } else { LONGEST_HEAD };
            if self.held.len() > most {
                self.give_up("the head of a message is too long", part);
            }
            return bytes.len();
        };
        let mut held = std::mem::take(&mut self.held);
        let ending = match kind() {
            Some(kind) => ending(&held[..end], kind),
            None => Err("an answer came without a request"),
        };
        let ending = match ending {
            Ok(Ending::Interim) if self.interim == MOST_INTERIM => {
                Err("too many interim answers are before the answer")
            }
            ending => ending,
        };
        match ending {
            Ok(ending) => {
                let head = &held[..end];
                if ending == Ending::Interim {
                    self.interim += 1;
                    part(MessagePart::Interim(head));
                } else {
                    self.interim = 0;
                    part(MessagePart::Head(head));
                }
                match ending {
                    Ending::Interim => {}
                    Ending::After(0) => part(MessagePart::End),
                    Ending::After(length) => self.state = State::Length(length),
                    Ending::Chunk => self.state = State::ChunkSize,
                    Ending::Close => self.state = State::Close,
                    Ending::Never(why) => self.state = State::Unread(Some(why)),
                }
            }
            Err(why) => {
                held.truncate(end);
                self.held = held;
                self.give_up(why, part);
            }
        }
        self.searched = 0;
        end - before
    }

    /// Returns the length of the held head if it is complete: through the first empty line after a
    /// line that is not empty.
    fn end_of_head(&mut self) -> Option<usize> {
        let first = self.held.iter().position(|byte| !b"\r\n".contains(byte))?;
        let mut at = self.searched.max(first);
        while let Some(found) = memchr(b'\n', &self.held[at..]) {
            let after = at + found + 1;
            match &self.held[after..] {
                [b'\n', ..] => return Some(after + 1),
                [b'\r', b'\n', ..] => return Some(after + 2),
                // The next bytes decide.
                [] | [b'\r'] => {
                    self.searched = after - 1;
                    return None;
                }
                _ => at = after,
            }
        }
        self.searched = self.held.len();
        None
    }

    fn counted(
        &mut self,
        bytes: &[u8],
        rest: u64,
        part: &mut impl FnMut(MessagePart<'_>),
    ) -> usize {
        let taken = as_length(rest).min(bytes.len());
        part(MessagePart::Body(&bytes[..taken]));
        let rest = rest - taken as u64;
        if rest == 0 {
            self.state = State::Head;
            part(MessagePart::End);
        } else {
            self.state = State::Length(rest);
        }
        taken
    }

    /// Reads a line between chunks.
    fn line(&mut self, bytes: &[u8], part: &mut impl FnMut(MessagePart<'_>)) -> usize {
        let taken = memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
        self.held.extend_from_slice(&bytes[..taken]);
        if self.held.len() > LONGEST_LINE {
            self.give_up("a line between chunks is too long", part);
            return taken;
        }
        if self.held.last() != Some(&b'\n') {
            return taken;
        }
        if matches!(self.state, State::Trailer) {
            let is_last = matches!(&*self.held, b"\r\n" | b"\n");
            part(MessagePart::Body(&self.held));
            self.held.clear();
            if is_last {
                self.state = State::Head;
                part(MessagePart::End);
            }
            return taken;
        }
        match parse_chunk_size(&self.held) {
            Ok(Status::Complete((_, 0))) => self.state = State::Trailer,
            // The chunk includes the line end after it.
            Ok(Status::Complete((_, size))) => self.state = State::Chunk(size.saturating_add(2)),
            _ => {
                self.give_up("the size of a chunk is none", part);
                return taken;
            }
        }
        part(MessagePart::Body(&self.held));
        self.held.clear();
        taken
    }
}

fn as_length(length: u64) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}

/// Returns how the body after a head ends.
fn ending(head: &[u8], kind: Kind<'_>) -> Result<Ending, &'static str> {
    let mut headers = [EMPTY_HEADER; MOST_HEADERS];
    match kind {
        Kind::Request => {
            let mut request = Request::new(&mut headers);
            match request.parse(head) {
                Ok(Status::Complete(_)) => {}
                _ => return Err("the head of a request is none of HTTP/1"),
            }
            if request.method == Some("CONNECT") {
                return Ok(Ending::Never(OTHER_PROTOCOL));
            }
            let declared = declared_ending(request.headers)?.unwrap_or(Ending::After(0));
            let is_old = request.version == Some(0);
            Ok(match declared {
                // Servers would not agree on where the next request begins (RFC 9112 §6.1, §6.3).
                Ending::Close => Ending::Never("the end of the request cannot be found"),
                Ending::Chunk if is_old => Ending::Never("HTTP/1.0 has no chunks"),
                declared => declared,
            })
        }
        Kind::Answer { method } => {
            let mut answer = Response::new(&mut headers);
            match answer.parse(head) {
                Ok(Status::Complete(_)) => {}
                _ => return Err("the head of an answer is none of HTTP/1"),
            }
            let ending = match (answer.code.unwrap_or_default(), method) {
                (101, _) | (200..=299, "CONNECT") => Ending::Never(OTHER_PROTOCOL),
                (100..=199, _) => Ending::Interim,
                (204 | 304, _) | (_, "HEAD") => Ending::After(0),
                _ => declared_ending(answer.headers)?.unwrap_or(Ending::Close),
            };
            Ok(ending)
        }
    }
}

/// Returns the end of a body that headers declare.
fn declared_ending(headers: &[Header<'_>]) -> Result<Option<Ending>, &'static str> {
    // It overrides any Content-Length (RFC 9112 §6.3).
    if let Some(is_chunked) = is_chunked(headers.iter().map(|one| (one.name, one.value))) {
        return Ok(Some(if is_chunked {
            Ending::Chunk
        } else {
            Ending::Close
        }));
    }
    let mut length = None;
    for header in headers {
        if header.name.eq_ignore_ascii_case("content-length") {
            let value = std::str::from_utf8(header.value.trim_ascii()).ok();
            let value = value.filter(|value| value.bytes().all(|byte| byte.is_ascii_digit()));
            let value = value.and_then(|value| value.parse::<u64>().ok());
            let value = value.ok_or("the Content-Length is not a number")?;
            if length.is_some_and(|length| length != value) {
                return Err("there are two lengths");
            }
            length = Some(value);
        }
    }
    Ok(length.map(Ending::After))
}

/// Whether the last transfer coding of a message is `chunked`; `None` without a coding. Several
/// headers are one list (RFC 9110 §5.3).
pub(crate) fn is_chunked<'h>(headers: impl Iterator<Item = (&'h str, &'h [u8])>) -> Option<bool> {
    let codings = headers.filter(|(name, _)| name.eq_ignore_ascii_case("transfer-encoding"));
    let (_, codings) = codings.last()?;
    let last = codings.rsplit(|byte| *byte == b',').next();
    last.map(|last| last.trim_ascii().eq_ignore_ascii_case(b"chunked"))
}
