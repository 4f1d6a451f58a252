//! Callers that are moved to a candidate, and back.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use svcgen_relay::{Exchange, Observe, Relay, Share, Split, SplitBy, Upstream};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

#[derive(Default)]
struct Seen {
    by_candidate: Mutex<Vec<bool>>,
    candidate_unreachable: Mutex<Vec<io::ErrorKind>>,
}

impl Observe for Seen {
    fn exchange(&self, exchange: Exchange) {
        assert!(exchange.answer.is_whole);
        let mut all = self.by_candidate.lock().unwrap();
        all.push(exchange.by_candidate);
    }

    fn candidate_unreachable(&self, _: SocketAddr, error: &io::Error) {
        self.candidate_unreachable
            .lock()
            .unwrap()
            .push(error.kind());
    }
}

const ASK: &[u8] = b"GET /Service.asmx HTTP/1.1\r\n\r\n";

/// Starts a server that answers each request with its name; `/slow` after 300 ms.
async fn server(name: u8) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut asked = [0; 100];
                while let Ok(length @ 1..) = stream.read(&mut asked).await {
                    if asked[..length].starts_with(b"GET /slow") {
                        sleep(Duration::from_millis(300)).await;
                    }
                    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n";
                    stream.write_all(&[&answer[..], &[name]].concat()).await?;
                }
                io::Result::Ok(())
            });
        }
    });
    address
}

/// Starts a relay in front of an original `o`, which sends a share of callers to a candidate.
async fn relay(
    candidate: SocketAddr,
    share: &str,
    by: SplitBy,
) -> (SocketAddr, Arc<Split>, Arc<Seen>) {
    let seen = Arc::new(Seen::default());
    let original = Upstream::new(server(b'o').await.to_string());
    let candidate = Upstream::new(candidate.to_string());
    let split = Arc::new(Split::new(candidate, share.parse().unwrap()).with_by(by));
    let observer: Arc<dyn Observe> = Arc::clone(&seen) as _;
    let relay = Relay::new(original, observer).with_split(Arc::clone(&split));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(relay.run(listener, std::future::pending()));
    (address, split, seen)
}

async fn connect(caller: Ipv4Addr, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((caller, 0).into()).unwrap();
    socket.connect(to).await.unwrap()
}

/// Sends a request on a connection. Returns the name of the server that answers.
async fn ask(stream: &mut TcpStream, request: &[u8]) -> u8 {
    stream.write_all(request).await.unwrap();
    let mut answer = [0; 39];
    stream.read_exact(&mut answer).await.unwrap();
    answer[38]
}

/// Returns the callers, counted from `127.7.0.0`, that the candidate answers.
async fn moved(to: SocketAddr, callers: u16) -> BTreeSet<u16> {
    let mut moved = BTreeSet::new();
    for number in 0..callers {
        let [high, low] = number.to_be_bytes();
        let caller = Ipv4Addr::new(127, 7, high, low);
        if ask(&mut connect(caller, to).await, ASK).await == b'c' {
            moved.insert(number);
        }
    }
    moved
}

#[tokio::test]
async fn callers_of_a_share_are_those_of_greater_ones() {
    let (address, split, seen) = relay(server(b'c').await, "0%", SplitBy::Caller).await;
    let mut before = BTreeSet::new();
    for (share, expected) in [("0%", 0), ("5%", 15), ("20%", 60), ("100%", 300)] {
        split.set_share(share.parse().unwrap());
        let moved = moved(address, 300).await;
        assert!(before.is_subset(&moved), "{share}");
        assert!(moved.len().abs_diff(expected) < 15, "{}", moved.len());
        before = moved;
    }
    split.set_share("20%".parse().unwrap());
    let again = moved(address, 300).await;
    split.set_share("0%".parse().unwrap());
    split.set_share("20%".parse().unwrap());
    assert_eq!(moved(address, 300).await, again);
    // The observer learns which server answered.
    let all = seen.by_candidate.lock().unwrap();
    assert_eq!(all[300 * 3..300 * 4], [true; 300]);
    assert_eq!(all[..300], [false; 300]);
}

#[tokio::test]
async fn connections_of_one_caller_are_spread_if_they_are_to_be() {
    let (address, _, _) = relay(server(b'c').await, "25%", SplitBy::Connection).await;
    let mut moved = 0;
    for _ in 0..400 {
        let mut stream = connect(Ipv4Addr::LOCALHOST, address).await;
        let first = ask(&mut stream, ASK).await;
        // A connection is not moved.
        assert_eq!(ask(&mut stream, ASK).await, first);
        moved += u32::from(first == b'c');
    }
    assert!(moved.abs_diff(100) < 30, "{moved}");
}

#[tokio::test]
async fn the_way_back_breaks_no_message() {
    let (address, split, seen) = relay(server(b'c').await, "100%", SplitBy::Caller).await;
    let mut idle = connect(Ipv4Addr::LOCALHOST, address).await;
    assert_eq!(ask(&mut idle, ASK).await, b'c');
    let mut busy = connect(Ipv4Addr::LOCALHOST, address).await;
    let mut sending = connect(Ipv4Addr::LOCALHOST, address).await;
    let answers = async {
        tokio::join!(
            ask(&mut busy, b"GET /slow HTTP/1.1\r\n\r\n"),
            async {
                sending.write_all(b"GET /half HTTP/1.1\r\n").await.unwrap();
                sleep(Duration::from_millis(200)).await;
                ask(&mut sending, b"\r\n").await
            },
            async {
                sleep(Duration::from_millis(100)).await;
                split.set_share(Share::NONE);
                assert_eq!(idle.read(&mut [0]).await.unwrap(), 0);
            }
        )
    };
    assert_eq!(answers.await, (b'c', b'c', ()));
    // The connection is closed, and not reset.
    assert_eq!(busy.read(&mut [0]).await.unwrap(), 0);
    assert_eq!(sending.read(&mut [0]).await.unwrap(), 0);
    let mut next = connect(Ipv4Addr::LOCALHOST, address).await;
    assert_eq!(ask(&mut next, ASK).await, b'o');
    // Connections to the original stay there when the share goes up.
    split.set_share(Share::ALL);
    assert_eq!(ask(&mut next, ASK).await, b'o');
    assert!(seen.candidate_unreachable.lock().unwrap().is_empty());
}

#[tokio::test]
async fn what_cannot_be_read_is_closed_on_the_way_back() {
    let candidate = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let place = candidate.local_addr().unwrap();
    let (address, split, _) = relay(place, "100%", SplitBy::Caller).await;
    let mut caller = connect(Ipv4Addr::LOCALHOST, address).await;
    caller.write_all(ASK).await.unwrap();
    let (mut answering, _) = candidate.accept().await.unwrap();
    answering.write_all(b"rubbish\r\n\r\n").await.unwrap();
    let mut read = [0; 11];
    caller.read_exact(&mut read).await.unwrap();
    assert_eq!(&read, b"rubbish\r\n\r\n");
    let mut more = [0];
    let open = timeout(Duration::from_millis(100), caller.read(&mut more));
    assert!(open.await.is_err());
    split.set_share(Share::NONE);
    assert_eq!(caller.read(&mut [0]).await.unwrap(), 0);
}

#[tokio::test]
async fn a_candidate_that_is_not_there_moves_nobody() {
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let place = gone.local_addr().unwrap();
    drop(gone);
    let (address, _, seen) = relay(place, "100%", SplitBy::Caller).await;
    assert_eq!(moved(address, 20).await, BTreeSet::new());
    let candidate_unreachable = seen.candidate_unreachable.lock().unwrap();
    assert_eq!(
        *candidate_unreachable,
        [io::ErrorKind::ConnectionRefused; 20]
    );
    assert_eq!(*seen.by_candidate.lock().unwrap(), [false; 20]);
}

#[tokio::test]
async fn a_candidate_that_accepts_nothing_moves_nobody_after_a_moment() {
    // Its queue is full: connections are neither accepted nor refused.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let full = socket.listen(1).unwrap();
    let place = full.local_addr().unwrap();
    let mut waiting = Vec::new();
    while let Ok(Ok(stream)) = timeout(Duration::from_millis(100), TcpStream::connect(place)).await
    {
        waiting.push(stream);
    }
    let (address, _, seen) = relay(place, "100%", SplitBy::Caller).await;
    let mut caller = connect(Ipv4Addr::LOCALHOST, address).await;
    assert_eq!(ask(&mut caller, ASK).await, b'o');
    assert_eq!(
        *seen.candidate_unreachable.lock().unwrap(),
        [io::ErrorKind::TimedOut]
    );
}

mod asking {
    use super::*;
    use svcgen_relay::{Asker, Message};

    /// Returns the message that is read from a server that answers with these bytes and closes.
    async fn answered(bytes: &'static [u8]) -> io::Result<Message> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Upstream::new(listener.local_addr().unwrap().to_string());
        let request = Message::default();
        let request = Message {
            head: b"POST /x HTTP/1.1\r\nhOst: a\r\nContent-Length: 2\r\n\r\n".to_vec(),
            sent: b"ok".to_vec(),
            length: 2,
            ..request
        };
        let expected = request.bytes();
        let answering = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut asked = vec![0; expected.len()];
            stream.read_exact(&mut asked).await.unwrap();
            assert_eq!(asked, expected);
            stream.write_all(bytes).await.unwrap();
        });
        let answer = Asker::new(server).ask(&request, 20).await;
        answering.await.unwrap();
        answer
    }

    #[tokio::test]
    async fn reads_answers_to_their_end() {
        for (bytes, body) in [
            (
                &b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc"[..],
                "ab",
            ),
            (
                b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 No\r\n\r\nto the end",
                "to the end",
            ),
            (
                b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
                "a",
            ),
            (b"HTTP/1.1 204 No Content\r\n\r\n", ""),
        ] {
            let answer = answered(bytes).await.unwrap();
            assert_eq!(answer.body(), body.as_bytes());
            assert!(answer.is_whole && answer.status() != Some(100));
        }
    }

    #[tokio::test]
    async fn says_what_is_no_answer() {
        for (bytes, expected) in [
            (&b""[..], "unexpected end"),
            (
                b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
                "closed within a message",
            ),
            (b"rubbish\r\n\r\n", "none of HTTP/1"),
            (
                b"HTTP/1.1 200 OK\r\n\r\nmore than as many as twenty",
                "longer than 20 bytes",
            ),
        ] {
            let error = answered(bytes).await.unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    /// Starts a server that does each of `then`, and then answers with a text. Returns it, and the
    /// connections of its requests.
    async fn keeping(
        then: &'static [Then],
        answer: &'static str,
    ) -> (Upstream, Arc<Mutex<Vec<u32>>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Upstream::new(listener.local_addr().unwrap().to_string());
        let asked = Arc::<Mutex<Vec<u32>>>::default();
        let seen = Arc::clone(&asked);
        let then = Arc::new(Mutex::new(then.iter()));
        tokio::spawn(async move {
            for connection in 1.. {
                let (mut stream, _) = listener.accept().await.unwrap();
                let (seen, then) = (Arc::clone(&seen), Arc::clone(&then));
                tokio::spawn(async move {
                    let mut request = [0; 100];
                    while let Ok(1..) = stream.read(&mut request).await {
                        seen.lock().unwrap().push(connection);
                        let then = then.lock().unwrap().next();
                        let (answer, goes_on) = match then {
                            None | Some(Then::Answer) => (answer, true),
                            Some(Then::Close) => (answer, false),
                            Some(Then::Break) => ("", false),
                            Some(Then::BreakLate) => ("HTTP/1.1 2", false),
                        };
                        stream.write_all(answer.as_bytes()).await.unwrap();
                        if !goes_on {
                            break;
                        }
                    }
                });
            }
        });
        (server, asked)
    }

    enum Then {
        Answer,
        /// Answers, and closes the connection without announcing it.
        Close,
        /// Closes the connection before the answer.
        Break,
        /// Closes the connection within the answer.
        BreakLate,
    }

    fn request(head: &str) -> Message {
        Message {
            head: head.as_bytes().to_vec(),
            ..Message::default()
        }
    }

    const ANSWER: &str = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na";
    const GET: &str = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

    #[tokio::test]
    async fn connections_are_kept_where_both_messages_allow_it() {
        for (head, answer, expected) in [
            (GET, ANSWER, [1, 1, 1]),
            (
                GET,
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
                [1, 1, 1],
            ),
            (
                "GET /x HTTP/1.1\r\nconnection: te, CLOSE\r\n\r\n",
                ANSWER,
                [1, 2, 3],
            ),
            ("GET /x HTTP/1.0\r\n\r\n", ANSWER, [1, 2, 3]),
            (
                GET,
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na",
                [1, 2, 3],
            ),
            (
                GET,
                "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na",
                [1, 2, 3],
            ),
            // Bytes after an answer are not the answer to the next request.
            (
                GET,
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200",
                [1, 2, 3],
            ),
        ] {
            let (server, asked) = keeping(&[], answer).await;
            let mut asker = Asker::new(server);
            for _ in 0..3 {
                let answer = asker.ask(&request(head), 20).await.unwrap();
                assert_eq!(&*answer.body(), b"a");
            }
            drop(asker);
            assert_eq!(*asked.lock().unwrap(), expected, "{head}{answer}");
        }
    }

    #[tokio::test]
    async fn requests_are_repeated_once_and_only_if_nothing_was_answered() {
        // The connection was closed in the meantime.
        let (server, asked) = keeping(&[Then::Close], ANSWER).await;
        let mut asker = Asker::new(server);
        for _ in 0..2 {
            asker.ask(&request(GET), 20).await.unwrap();
        }
        assert_eq!(*asked.lock().unwrap(), [1, 2]);
        // After a new connection, there is no further try.
        let (server, asked) = keeping(&[Then::Break], ANSWER).await;
        let mut asker = Asker::new(server);
        assert!(asker.ask(&request(GET), 20).await.is_err());
        assert_eq!(*asked.lock().unwrap(), [1]);
        // A request that may not run twice gets a new connection.
        asker.ask(&request(GET), 20).await.unwrap();
        asker.ask_once(&request(GET), 20).await.unwrap();
        assert_eq!(*asked.lock().unwrap(), [1, 2, 3]);
    }

    #[tokio::test]
    async fn an_answer_that_has_begun_is_not_asked_for_again() {
        let (server, asked) = keeping(&[Then::Answer, Then::BreakLate], ANSWER).await;
        let mut asker = Asker::new(server);
        asker.ask(&request(GET), 20).await.unwrap();
        let error = asker.ask(&request(GET), 20).await.unwrap_err();
        assert!(error.to_string().contains("closed within"), "{error}");
        assert_eq!(*asked.lock().unwrap(), [1, 1]);
    }
}
