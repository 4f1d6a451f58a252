//! A server that records the bytes of requests, and returns a given answer.

use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use svcgen_tests::raw_http::{Connection, split};

/// A request as bytes, with its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) method: String,
    pub(super) target: String,
    /// The names in lower case, the values unchanged, in order.
    pub(super) headers: Vec<(String, Vec<u8>)>,
    pub(super) body: Vec<u8>,
}

impl Sent {
    pub(super) fn read(request: &[u8]) -> Self {
        let (head, body) = split(request);
        let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let first = String::from_utf8_lossy(lines.next().unwrap()).into_owned();
        let mut first = first.split(' ').map(str::to_owned);
        let (method, target) = (first.next().unwrap(), first.next().unwrap());
        assert_eq!(first.next().as_deref(), Some("HTTP/1.1"));
        let mut headers: Vec<_> = lines
            .map(|line| {
                let colon = line.iter().position(|byte| *byte == b':').unwrap();
                let name = String::from_utf8_lossy(&line[..colon]).to_ascii_lowercase();
                (name, line[colon + 1..].trim_ascii().to_vec())
            })
            .collect();
        headers.sort();
        Self {
            method,
            target,
            headers,
            body: body.to_vec(),
        }
    }

    /// Returns the only value of a header.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name);
        let value = values.next();
        assert!(values.next().is_none(), "{name}: {self:?}");
        value.map(|(_, value)| std::str::from_utf8(value).unwrap())
    }

    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.headers.retain(|(known, _)| known != name);
        self.headers
            .push((name.to_owned(), value.as_bytes().to_vec()));
        self.headers.sort();
    }
}

pub(super) struct Original {
    address: SocketAddr,
    sent: Receiver<Sent>,
    connections: Arc<AtomicUsize>,
}

impl Original {
    /// Starts a server that answers `original`.
    pub(super) fn new() -> Self {
        Self::answering(b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\noriginal")
    }

    /// Starts a server that answers every request with these bytes, until the process ends.
    pub(super) fn answering(answer: &[u8]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, sent) = channel();
        let connections = Arc::new(AtomicUsize::new(0));
        let (answer, counted) = (answer.to_vec(), Arc::clone(&connections));
        thread::spawn(move || {
            for stream in listener.incoming() {
                counted.fetch_add(1, Ordering::SeqCst);
                let (sender, answer) = (sender.clone(), answer.clone());
                thread::spawn(move || serve(stream.unwrap(), &sender, &answer));
            }
        });
        Self {
            address,
            sent,
            connections,
        }
    }

    pub(super) fn host(&self) -> String {
        self.address.to_string()
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the next request.
    pub(super) fn next(&self) -> Sent {
        let sent = self.sent.recv_timeout(Duration::from_secs(20));
        sent.expect("a request")
    }

    /// Whether there was no further request.
    pub(super) fn is_done(&self) -> bool {
        self.sent.try_recv().is_err()
    }

    pub(super) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

fn serve(stream: TcpStream, sender: &Sender<Sent>, answer: &[u8]) {
    let mut writing = stream.try_clone().unwrap();
    let mut reading = Connection::of(stream).unwrap();
    // The loop ends with the connection.
    while let Ok(request) = reading.request() {
        let _ = sender.send(Sent::read(&request));
        if answer.is_empty() || writing.write_all(answer).is_err() {
            return;
        }
    }
}
