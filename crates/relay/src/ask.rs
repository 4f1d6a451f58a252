//! Requests to a server, one after the other.

use std::io;
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, split};

use crate::conversation::{keep, method};
use crate::exchange::Message;
use crate::framing::{Framing, Kind, MessagePart};
use crate::upstream::{Stream, Upstream};

/// The time that a connection without a request is kept.
const IDLE: Duration = Duration::from_secs(5);

/// Sends requests to a server one at a time, and keeps the connection for the next one.
///
/// ```no_run
/// use svcgen_relay::{Asker, Message, Upstream};
///
/// # async fn example(request: &Message) -> std::io::Result<()> {
/// let mut asker = Asker::new(Upstream::new("10.0.0.7:8080"));
/// let answer = asker.ask(request, 1 << 20).await?;
/// println!("{:?}", answer.status());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Asker {
    server: Upstream,
    kept: Option<Kept>,
}

struct Kept {
    stream: Box<dyn Stream>,
    since: Instant,
}

/// The failure of a request that has no answer.
struct Unanswered {
    error: io::Error,
    /// Whether a part of an answer was received.
    has_begun: bool,
}

impl Asker {
    /// Creates an asker that has no connection yet.
    pub fn new(server: Upstream) -> Self {
        Self { server, kept: None }
    }

    /// Sends a request unchanged, on the connection of the last request if it is still open, and
    /// reads the answer after interim ones.
    ///
    /// A server may close a connection while the request is on its way. If it did, and no byte of
    /// an answer was received, the request is sent again on a new connection: use this only for
    /// requests that may run twice, and [`ask_once`](Self::ask_once) for all others.
    ///
    /// # Errors
    ///
    /// Returns an error if no connection can be made, the connection ends before the answer does,
    /// the bytes received are not an HTTP/1 answer, or its body is longer than `most` bytes. There
    /// is no timeout: the future waits for a server that stalls until it is dropped, which closes
    /// the connection.
    pub async fn ask(&mut self, request: &Message, most: usize) -> io::Result<Message> {
        self.close_idle();
        if let Some(kept) = self.kept.take() {
            match self.ask_on(kept.stream, request, most).await {
                Err(unanswered) if !unanswered.has_begun => {}
                answer => return answer.map_err(|unanswered| unanswered.error),
            }
        }
        self.ask_once(request, most).await
    }

    /// Sends a request on a new connection, and never sends it again.
    ///
    /// # Errors
    ///
    /// The same as for [`ask`](Self::ask).
    pub async fn ask_once(&mut self, request: &Message, most: usize) -> io::Result<Message> {
        let stream = self.server.connect().await?;
        let answer = self.ask_on(stream, request, most).await;
        answer.map_err(|unanswered| unanswered.error)
    }

    /// Returns the time at which the kept connection is to be closed, if there is one.
    pub fn idle_until(&self) -> Option<Instant> {
        self.kept.as_ref().map(|kept| kept.since + IDLE)
    }

    /// Closes the connection if it has had no request for five seconds.
    pub fn close_idle(&mut self) {
        self.kept
            .take_if(|kept| Instant::now() >= kept.since + IDLE);
    }

    async fn ask_on(
        &mut self,
        mut stream: Box<dyn Stream>,
        request: &Message,
        most: usize,
    ) -> Result<Message, Unanswered> {
        let (from, mut to) = split(&mut *stream);
        let mut is_sent = false;
        let write = async {
            // A server may answer before it has read the whole request; if it does not, the read
            // fails.
            is_sent = to.write_all(&request.head).await.is_ok()
                && to.write_all(&request.sent).await.is_ok()
                && to.flush().await.is_ok();
            std::future::pending().await
        };
        let method = method(&request.head);
        let (answer, may_go_on) = tokio::select! {
            answer = read_answer(from, &method, most) => answer?,
            never = write => never,
        };
        if is_sent && may_go_on && persists(request) && persists(&answer) {
            self.kept = Some(Kept {
                stream,
                since: Instant::now(),
            });
        }
        Ok(answer)
    }
}

/// Whether a connection persists after a message (RFC 9112 §9.3).
fn persists(message: &Message) -> bool {
    let start = message.head.trim_ascii_start();
    let line = start.split(|byte| *byte == b'\n').next();
    let is_new = line.is_some_and(|line| line.windows(8).any(|part| part == b"HTTP/1.1"));
    let mut options = message
        .headers()
        .filter(|(name, _)| name.eq_ignore_ascii_case("connection"))
        .flat_map(|(_, value)| value.split(|byte| *byte == b','));
    is_new && !options.any(|option| option.trim_ascii().eq_ignore_ascii_case(b"close"))
}

/// Reads an answer to a request of a method. Returns it, and whether another one can follow.
async fn read_answer(
    mut from: impl AsyncRead + Unpin,
    method: &str,
    most: usize,
) -> Result<(Message, bool), Unanswered> {
    let mut answer = Message::default();
    let mut framing = Framing::default();
    let (mut unread, mut has_begun, mut is_followed) = (None, false, false);
    let mut buffer = vec![0; 16 << 10];
    loop {
        let read = from.read(&mut buffer).await;
        let length = read.map_err(|error| Unanswered { error, has_begun })?;
        has_begun |= length > 0;
        let mut part = |part: MessagePart<'_>| match part {
            // Bytes after the answer belong to no request.
            _ if answer.is_whole => is_followed = true,
            MessagePart::Head(head) => answer.head = head.to_vec(),
            MessagePart::Body(bytes) => keep(&mut answer, bytes, most, |_| true),
            MessagePart::Interim(_) => {}
            MessagePart::End => answer.is_whole = true,
            MessagePart::Unread(_, why) => unread = unread.or(why),
        };
        match &buffer[..length] {
            [] => framing.close(&mut part),
            bytes => framing.read(bytes, || Some(Kind::Answer { method }), &mut part),
        }
        let error = if !answer.is_kept() {
            let why = format!("the body of the answer is longer than {most} bytes");
            io::Error::new(io::ErrorKind::InvalidData, why)
        } else if answer.is_whole {
            let may_go_on = !is_followed && framing.is_between() && !framing.is_unread();
            return Ok((answer, may_go_on));
        } else if let Some(why) = unread {
            io::Error::new(io::ErrorKind::InvalidData, why)
        } else if length == 0 {
            io::ErrorKind::UnexpectedEof.into()
        } else {
            continue;
        };
        return Err(Unanswered { error, has_begun });
    }
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kept")
            .field("since", &self.since)
            .finish_non_exhaustive()
    }
}
