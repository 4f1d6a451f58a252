//! Connections to servers.

use std::num::NonZeroU16;
use std::time::Duration;

use bytes::Bytes;
use http::uri::Authority;
use http_body_util::Full;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio::time::timeout;

#[cfg(feature = "tls")]
use super::{handshake::secured, tls::Tls};
use crate::host::Host;
use crate::transport::{TransportError, TransportErrorKind};

/// What a connection leads to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Destination {
    pub(super) authority: Authority,
    pub(super) is_https: bool,
}

/// A connection, which is closed when it is dropped.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) requests: SendRequest<Full<Bytes>>,
    task: AbortHandle,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Makes connections.
#[derive(Debug, Clone)]
pub(super) struct Connector {
    pub(super) timeout: Duration,
    #[cfg(feature = "tls")]
    pub(super) tls: Tls,
}

impl Default for Connector {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(10),
            #[cfg(feature = "tls")]
            tls: Tls::default(),
        }
    }
}

impl Connector {
    pub(super) async fn connect(&self, to: &Destination) -> Result<Connection, TransportError> {
        let connection = match timeout(self.timeout, self.connection(to)).await {
            Ok(connection) => connection,
            Err(_) => Err(format!("it took longer than {:?}", self.timeout)),
        };
        connection.map_err(|why| {
            let message = format!("no connection to {}: {why}", to.authority);
            TransportError::new(TransportErrorKind::Connect, message)
        })
    }

    async fn connection(&self, to: &Destination) -> Result<Connection, String> {
        let host = Host::of_url(to.authority.as_str())?;
        let name = host.name.trim_start_matches('[').trim_end_matches(']');
        let default = if to.is_https { 443 } else { 80 };
        let address = (name, host.port.map_or(default, NonZeroU16::get));
        let stream = TcpStream::connect(address)
            .await
            .map_err(|error| error.to_string())?;
        // Each request is one write.
        let _ = stream.set_nodelay(true);
        if !to.is_https {
            return speaking_http(stream).await;
        }
        #[cfg(feature = "tls")]
        return speaking_http(secured(stream, name, self.tls.config(true)?).await?).await;
        #[cfg(not(feature = "tls"))]
        Err("https needs the feature `tls` of svcgen, or another transport".to_owned())
    }
}

/// A connection over a stream to the server.
async fn speaking_http<S>(stream: S) -> Result<Connection, String>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (requests, connection) = http1::Builder::new()
        // Some servers compare header names case-sensitively.
        .title_case_headers(true)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|error| error.to_string())?;
    let task = tokio::spawn(async move {
        // The sender of the request gets its errors.
        let _ = connection.await;
    });
    let task = task.abort_handle();
    Ok(Connection { requests, task })
}
