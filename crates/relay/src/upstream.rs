//! The servers that connections are passed to.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::ServerName;

/// A server that connections are passed to.
#[derive(Clone)]
pub struct Upstream {
    /// Host and port.
    address: String,
    tls: Option<(TlsConnector, ServerName<'static>)>,
    connect_time: Duration,
}

impl Upstream {
    /// Creates an upstream at `HOST:PORT`, with ten seconds to connect to it.
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            tls: None,
            connect_time: Duration::from_secs(10),
        }
    }

    /// Uses TLS to the server, whose certificate must be valid for `name`.
    #[must_use]
    pub fn with_tls(mut self, config: Arc<ClientConfig>, name: ServerName<'static>) -> Self {
        self.tls = Some((TlsConnector::from(config), name));
        self
    }

    /// Sets the time to connect to it, including the TLS handshake.
    #[must_use]
    pub fn with_connect_timeout(mut self, time: Duration) -> Self {
        self.connect_time = time;
        self
    }

    pub(crate) async fn connect(&self) -> io::Result<Box<dyn Stream>> {
        let connected = timeout(self.connect_time, self.try_connect()).await;
        connected.unwrap_or_else(|_| {
            let why = format!(
                "the server cannot be connected to within {:?}",
                self.connect_time
            );
            Err(io::Error::new(io::ErrorKind::TimedOut, why))
        })
    }

    async fn try_connect(&self) -> io::Result<Box<dyn Stream>> {
        let stream = TcpStream::connect(&self.address).await?;
        stream.set_nodelay(true)?;
        Ok(match &self.tls {
            None => Box::new(stream),
            Some((connector, name)) => Box::new(connector.connect(name.clone(), stream).await?),
        })
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
    /// Returns the underlying TCP connection.
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
