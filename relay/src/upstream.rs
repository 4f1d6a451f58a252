//! Servers that connections are passed on to.

use std::fmt;
use std::io;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::conversation::{is_interim, keep, method};
use crate::exchange::Message;
use crate::framing::{Framing, Kind, Part};

/// Where connections are passed on to.
#[derive(Clone)]
pub struct Upstream {
    /// Host and port.
    address: String,
    tls: Option<(TlsConnector, ServerName<'static>)>,
}

impl Upstream {
    /// A server at `HOST:PORT`.
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            tls: None,
        }
    }

    /// Speaks TLS to it, which shows the certificate of `name`.
    #[must_use]
    pub fn with_tls(mut self, config: Arc<ClientConfig>, name: ServerName<'static>) -> Self {
        self.tls = Some((TlsConnector::from(config), name));
        self
    }

    pub(crate) async fn connect(&self) -> io::Result<Box<dyn Stream>> {
        let stream = TcpStream::connect(&self.address).await?;
        stream.set_nodelay(true)?;
        Ok(match &self.tls {
            None => Box::new(stream),
            Some((connector, name)) => Box::new(connector.connect(name.clone(), stream).await?),
        })
    }
}

impl Upstream {
    /// Sends a request as it passed, on a connection of its own, and reads the answer after interim ones.
    ///
    /// # Errors
    ///
    /// No connection can be made, the connection ends before the answer does, what comes is no answer of HTTP/1, or its body is longer than `most` bytes.
    /// There is no bound of time: a server that stalls does so until the future is dropped.
    pub async fn ask(&self, request: &Message, most: usize) -> io::Result<Message> {
        let mut stream = self.connect().await?;
        let (from, mut to) = split(&mut *stream);
        let write = async {
            // A server may answer before it has read all; if it does not, reading tells.
            let _ = to.write_all(&request.head).await;
            let _ = to.write_all(&request.sent).await;
            let _ = to.flush().await;
            std::future::pending().await
        };
        let method = method(&request.head);
        tokio::select! {
            answer = read_answer(from, &method, most) => answer,
            never = write => never,
        }
    }
}

/// Reads an answer to a request of a method.
async fn read_answer(
    mut from: impl AsyncRead + Unpin,
    method: &str,
    most: usize,
) -> io::Result<Message> {
    let mut answer = Message::default();
    let mut framing = Framing::default();
    let mut unread = None;
    let mut buffer = vec![0; 16 << 10];
    loop {
        let length = from.read(&mut buffer).await?;
        let mut part = |part: Part<'_>| match part {
            // What follows the answer belongs to no request.
            _ if answer.is_whole => {}
            Part::Head(head) => answer.head = head.to_vec(),
            Part::Body(bytes) => keep(&mut answer, bytes, most),
            Part::End => answer.is_whole = !is_interim(&answer.head),
            Part::Unread(_, why) => unread = unread.or(why),
        };
        match &buffer[..length] {
            [] => framing.close(&mut part),
            bytes => framing.read(bytes, || Some(Kind::Answer { method }), &mut part),
        }
        if !answer.is_kept() {
            let why = format!("the body of the answer is longer than {most} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        if answer.is_whole {
            return Ok(answer);
        }
        if let Some(why) = unread {
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        if length == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

impl fmt::Debug for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upstream")
            .field("address", &self.address)
            .field("tls", &self.tls.is_some())
            .finish()
    }
}

/// A connection, with or without TLS.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {
    /// The connection beneath.
    fn tcp(&self) -> &TcpStream;
}

impl Stream for TcpStream {
    fn tcp(&self) -> &TcpStream {
        self
    }
}

impl Stream for tokio_rustls::client::TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

impl Stream for tokio_rustls::server::TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}
