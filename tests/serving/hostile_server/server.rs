//! A server for the answers of the table.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use super::answers::{Answer, End, GOOD};
use crate::scripted::request;

/// The server, which is stopped when dropped.
pub(super) struct Server {
    address: SocketAddr,
    is_tls: bool,
    /// The number of open connections.
    open: watch::Receiver<usize>,
    _task: JoinSet<()>,
}

impl Server {
    pub(super) async fn start(answers: Arc<[Answer]>, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (count, open) = watch::channel(0);
        let count = Arc::new(count);
        let is_tls = tls.is_some();
        let mut task = JoinSet::new();
        task.spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.expect("a connection");
                let (answers, tls) = (Arc::clone(&answers), tls.clone());
                let count = Arc::clone(&count);
                count.send_modify(|count| *count += 1);
                tokio::spawn(async move {
                    match tls {
                        None => serve(stream, &answers, |stream| stream).await,
                        Some(tls) => {
                            // The call may end during the handshake.
                            if let Ok(stream) = tls.accept(stream).await {
                                serve(stream, &answers, |stream| stream.get_ref().0).await;
                            }
                        }
                    }
                    count.send_modify(|count| *count -= 1);
                });
            }
        });
        Self {
            address,
            is_tls,
            open,
            _task: task,
        }
    }

    /// Returns a URL below which every request gets the answer with this number.
    pub(super) fn url(&self, case: usize) -> String {
        let scheme = if self.is_tls { "https" } else { "http" };
        format!("{scheme}://localhost:{}/{case}", self.address.port())
    }

    /// Returns a URL below which requests get a good answer.
    pub(super) fn url_of_good(&self) -> String {
        self.url(usize::MAX)
    }

    /// Waits until the callers have closed all connections.
    pub(super) async fn all_closed(&self) {
        let mut open = self.open.clone();
        open.wait_for(|open| *open == 0).await.expect("a server");
    }
}

/// Answers the requests of a connection, and then waits until the caller closes it.
async fn serve<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    answers: &[Answer],
    tcp: fn(&S) -> &TcpStream,
) {
    while let Some((head, _)) = request(&mut stream).await {
        let path = head.split(['/', ' ']).nth(2).expect("a path");
        let case: usize = path.parse().expect("a number");
        let Some(answer) = answers.get(case) else {
            if stream.write_all(GOOD).await.is_err() {
                break;
            }
            continue;
        };
        // A caller that has read enough closes the connection.
        if stream.write_all(&answer.bytes).await.is_err() {
            break;
        }
        match &answer.end {
            End::Alive => continue,
            End::Silent => {}
            End::Close => drop(stream.shutdown().await),
            End::Cut => return,
            End::Reset => {
                let _ = stream.flush().await;
                let linger = SockRef::from(tcp(&stream)).set_linger(Some(Duration::ZERO));
                return linger.expect("a socket");
            }
            End::Endless(chunk) => while stream.write_all(chunk).await.is_ok() {},
            End::Dripping(chunk) => {
                while stream.write_all(chunk).await.is_ok() && stream.flush().await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        }
        break;
    }
    while let Ok(1..) = stream.read(&mut [0; 1024]).await {}
}
