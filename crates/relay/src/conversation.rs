//! The requests of one connection, each with its answer.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use httparse::Request;
use svcgen::serve::Quota;

use crate::exchange::{Exchange, Message, Observe};
use crate::framing::{Framing, Kind, MessagePart};

/// The number of requests that may wait for their answers; HTTP/1.1 allows sending requests without
/// waiting (pipelining).
const MOST_WAITING: usize = 64;

const NO_ROOM: &str = "calls that are open take all memory that there is for them";

/// The exchanges of a connection.
pub(crate) struct Conversation {
    observer: Arc<dyn Observe>,
    connection: u64,
    caller: SocketAddr,
    /// The number of bytes of each body that are kept.
    most_kept: usize,
    /// The number of bytes of all open exchanges that are kept.
    memory: Arc<Quota>,
    by_candidate: bool,
    requests: Framing,
    answers: Framing,
    open: Exchanges,
}

/// The exchanges that are not complete, in the order of their requests.
struct Exchanges {
    waiting: VecDeque<Open>,
    /// The reason why nothing more is read, if so.
    unread: Option<&'static str>,
}

struct Open {
    exchange: Exchange,
    begun: Instant,
    method: String,
}

impl Conversation {
    pub(crate) fn new(
        observer: Arc<dyn Observe>,
        connection: u64,
        caller: SocketAddr,
        most_kept: usize,
        memory: Arc<Quota>,
    ) -> Self {
        Self {
            observer,
            connection,
            caller,
            most_kept,
            memory,
            by_candidate: false,
            requests: Framing::default(),
            answers: Framing::default(),
            open: Exchanges {
                waiting: VecDeque::new(),
                unread: None,
            },
        }
    }

    /// Sets whether the candidate of a split answers.
    pub(crate) fn with_candidate(mut self, by_candidate: bool) -> Self {
        self.by_candidate = by_candidate;
        self
    }

    /// Whether the connection may be closed without breaking off a readable message.
    pub(crate) fn may_close(&self) -> bool {
        let is_between = self.open.waiting.is_empty() && self.requests.is_between();
        is_between || self.open.unread.is_some() || self.answers.is_unread()
    }

    /// Processes bytes that the caller sent; empty if it has closed its side. `forward` gets the
    /// parts to send on. Returns whether the bytes end within a head.
    pub(crate) fn asked(
        &mut self,
        bytes: &[u8],
        forward: &mut impl FnMut(MessagePart<'_>),
    ) -> bool {
        let (connection, caller, most_kept) = (self.connection, self.caller, self.most_kept);
        let by_candidate = self.by_candidate;
        let (open, memory) = (&mut self.open, &self.memory);
        let mut part = |part: MessagePart<'_>| {
            match &part {
                _ if open.unread.is_some() => {}
                MessagePart::Head(_) if open.waiting.len() == MOST_WAITING => {
                    open.unread = Some("too many requests wait for their answers");
                }
                MessagePart::Head(head) if !memory.take(head.len()) => open.unread = Some(NO_ROOM),
                MessagePart::Head(head) => {
                    let exchange = Exchange {
                        connection,
                        caller,
                        by_candidate,
                        begun: SystemTime::now(),
                        time: Default::default(),
                        first_byte: None,
                        request: Message {
                            head: head.to_vec(),
                            ..Message::default()
                        },
                        answer: Message::default(),
                        interim: Vec::new(),
                        unread: None,
                    };
                    open.waiting.push_back(Open {
                        exchange,
                        begun: Instant::now(),
                        method: method(head),
                    });
                }
                MessagePart::Body(bytes) => {
                    if let Some(last) = open.waiting.back_mut() {
                        let request = &mut last.exchange.request;
                        keep(request, bytes, most_kept, |more| memory.take(more));
                    }
                }
                MessagePart::End => {
                    if let Some(last) = open.waiting.back_mut() {
                        last.exchange.request.is_whole = true;
                    }
                }
                // Requests have no interim answers.
                MessagePart::Interim(_) => {}
                MessagePart::Unread(_, why) => open.unread = *why,
            }
            forward(part);
        };
        match bytes {
            [] => self.requests.close(&mut part),
            bytes => self.requests.read(bytes, || Some(Kind::Request), &mut part),
        }
        self.hand_over();
        self.requests.is_in_head()
    }

    /// Processes bytes that the server sent; empty if it has closed its side.
    pub(crate) fn answered(&mut self, bytes: &[u8]) {
        let (most_kept, memory) = (self.most_kept, &self.memory);
        let open = std::cell::RefCell::new(&mut self.open);
        let mut part = |part: MessagePart<'_>| {
            let mut open = open.borrow_mut();
            if open.unread.is_some() {
                return;
            }
            let mut first = open.waiting.iter_mut();
            let first = first.find(|one| !one.exchange.answer.is_whole);
            match part {
                MessagePart::Head(head) | MessagePart::Interim(head) => {
                    let Some(first) = first else { return };
                    if !memory.take(head.len()) {
                        open.unread = Some(NO_ROOM);
                        return;
                    }
                    let time = first.begun.elapsed();
                    first.exchange.first_byte.get_or_insert(time);
                    match part {
                        MessagePart::Interim(_) => first.exchange.interim.extend_from_slice(head),
                        _ => first.exchange.answer.head = head.to_vec(),
                    }
                }
                MessagePart::Body(bytes) => {
                    if let Some(first) = first {
                        let answer = &mut first.exchange.answer;
                        keep(answer, bytes, most_kept, |more| memory.take(more));
                    }
                }
                MessagePart::End => {
                    if let Some(first) = first {
                        first.exchange.answer.is_whole = true;
                        first.exchange.time = first.begun.elapsed();
                    }
                }
                MessagePart::Unread(_, why) => open.unread = why,
            }
        };
        match bytes {
            [] => self.answers.close(&mut part),
            bytes => {
                // The method of the request decides how its answer ends, and an answer may end
                // within these bytes, so the method is looked up for each head.
                let methods = || {
                    let open = open.borrow();
                    let mut waiting = open.waiting.iter();
                    let first = waiting.find(|one| !one.exchange.answer.is_whole)?;
                    Some(match &*first.method {
                        "HEAD" => Kind::Answer { method: "HEAD" },
                        "CONNECT" => Kind::Answer { method: "CONNECT" },
                        _ => Kind::Answer { method: "" },
                    })
                };
                self.answers.read(bytes, methods, &mut part);
            }
        }
        self.hand_over();
    }

    /// Hands over the exchanges that are complete.
    fn hand_over(&mut self) {
        let waiting = &mut self.open.waiting;
        while let Some(first) = waiting.front()
            && first.exchange.request.is_whole
            && first.exchange.answer.is_whole
        {
            if let Some(first) = waiting.pop_front() {
                self.memory.give_back(first.exchange.size());
                self.observer.exchange(first.exchange);
            }
        }
    }

    /// Whether all requests so far are answered.
    pub(crate) fn has_answered(&self) -> bool {
        self.open.waiting.is_empty()
    }

    /// Hands over the incomplete exchanges. Called when the connection is over.
    pub(crate) fn end(&mut self) {
        let unread = self.open.unread.take();
        for mut one in std::mem::take(&mut self.open.waiting) {
            if !one.exchange.answer.is_whole {
                one.exchange.time = one.begun.elapsed();
            }
            one.exchange.unread = unread;
            self.memory.give_back(one.exchange.size());
            self.observer.exchange(one.exchange);
        }
    }
}

/// A connection may be dropped before it is over when the relay ends.
impl Drop for Conversation {
    fn drop(&mut self) {
        self.end();
    }
}

/// Keeps the bytes of a body up to a length of `most`, if there is room for them.
pub(crate) fn keep(
    message: &mut Message,
    bytes: &[u8],
    most: usize,
    has_room: impl FnOnce(usize) -> bool,
) {
    // Bytes after a gap are not kept.
    if message.is_kept() {
        let fits = most.saturating_sub(message.sent.len()).min(bytes.len());
        if has_room(fits) {
            message.sent.extend_from_slice(&bytes[..fits]);
        }
    }
    message.length += bytes.len() as u64;
}

/// Returns the method of a request, which is read before its headers.
pub(crate) fn method(head: &[u8]) -> String {
    let mut request = Request::new(&mut []);
    // There is no room for headers.
    let _ = request.parse(head);
    request.method.unwrap_or_default().to_owned()
}
