//! Servers that connections are passed on to.

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

/// Where connections are passed on to.
#[derive(Clone)]
pub struct Upstream {
    /// Host and port.
    address: String,
    tls: Option<(TlsConnector, ServerName<'static>)>,
    connect_time: Duration,
}

impl Upstream {
    /// A server at `HOST:PORT`, which may take ten seconds to be connected to.
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            tls: None,
            connect_time: Duration::from_secs(10),
        }
    }

    /// Speaks TLS to it, which shows the certificate of `name`.
    #[must_use]
    pub fn with_tls(mut self, config: Arc<ClientConfig>, name: ServerName<'static>) -> Self {
        self.tls = Some((TlsConnector::from(config), name));
        self
    }

    /// Gives up when it cannot be connected to in a time, that of TLS included.
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
