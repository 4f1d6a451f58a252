//! A server that answers each request with the bytes of a test.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

/// A received request.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    /// The number of its connection.
    pub(crate) connection: usize,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Seen {
    /// Returns the value of a header whose name is written in this case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// The server, which is stopped when dropped.
pub(crate) struct Scripted {
    pub(crate) address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    _task: JoinSet<()>,
}

impl Scripted {
    /// Starts a server that closes a connection when the answer is empty.
    pub(crate) async fn start(
        tls: Option<TlsAcceptor>,
        answer: impl Fn(&Seen) -> Vec<u8> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let seen = Arc::default();
        let (to, answer) = (Arc::clone(&seen), Arc::new(answer));
        let mut task = JoinSet::new();
        task.spawn(async move {
            let mut connections = JoinSet::new();
            for connection in 0.. {
                let (stream, _) = listener.accept().await.expect("a connection");
                let (tls, to, answer) = (tls.clone(), Arc::clone(&to), Arc::clone(&answer));
                connections.spawn(async move {
                    match tls {
                        None => serve(stream, connection, &to, &*answer).await,
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                serve(stream, connection, &to, &*answer).await;
                            }
                        }
                    }
                });
            }
        });
        Self {
            address,
            seen,
            _task: task,
        }
    }

    /// Returns all requests so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("no panic").clone()
    }

    /// Returns a URL of this server with its address.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

/// Returns an answer with these lines of headers and a body.
pub(crate) fn answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\n\r\n{body}").into_bytes()
}

async fn serve(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    connection: usize,
    to: &Mutex<Vec<Seen>>,
    answer: &(dyn Fn(&Seen) -> Vec<u8> + Sync),
) {
    while let Some((head, body)) = request(&mut stream).await {
        let seen = Seen {
            connection,
            head,
            body,
        };
        let answer = answer(&seen);
        to.lock().expect("no panic").push(seen);
        if answer.is_empty() || stream.write_all(&answer).await.is_err() {
            break;
        }
    }
    let _ = stream.shutdown().await;
}

/// Reads a request. Returns its head and its body, whose length is in the head.
pub(crate) async fn request(stream: &mut (impl AsyncRead + Unpin)) -> Option<(String, Vec<u8>)> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).expect("a head of ASCII");
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("Content-Length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().expect("a length"))];
    stream.read_exact(&mut body).await.ok()?;
    Some((head, body))
}
