//! Connections to servers.

use std::num::NonZeroU16;
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout};

use super::destination::Destination;
#[cfg(feature = "proxy")]
use super::proxy::{Proxy, Through};
#[cfg(feature = "proxy")]
use super::tunnel::tunnelled;
use super::unconnected::Unconnected;
#[cfg(feature = "tls")]
use super::{handshake::secured, tls::Tls};
use svcgen_core::{
    internals::Host,
    transport::{TransportError, TransportErrorKind},
};

/// A connection, which is closed when dropped.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) requests: SendRequest<Full<Bytes>>,
    /// The certificate of the server in DER, if handshakes need it.
    pub(super) certificate: Option<Vec<u8>>,
    task: AbortHandle,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Opens connections.
#[derive(Debug, Clone)]
pub(super) struct Connector {
    pub(super) timeout: Duration,
    /// Whether connections store the certificate of the server.
    pub(super) keeps_certificates: bool,
    #[cfg(feature = "proxy")]
    pub(super) proxy: Option<Proxy>,
    #[cfg(feature = "tls")]
    pub(super) tls: Tls,
}

impl Default for Connector {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(10),
            keeps_certificates: false,
            #[cfg(feature = "proxy")]
            proxy: None,
            #[cfg(feature = "tls")]
            tls: Tls::default(),
        }
    }
}

/// A stream of any kind.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

impl Connector {
    /// Opens a connection before the deadline of the call.
    pub(super) async fn connect(
        &self,
        to: &Destination,
        deadline: Instant,
    ) -> Result<Connection, TransportError> {
        let left = deadline.saturating_duration_since(Instant::now());
        let time = self.timeout.min(left).as_millis();
        let time = Duration::from_millis(u64::try_from(time).unwrap_or(u64::MAX));
        let connection = match timeout(time, self.connection(to)).await {
            Ok(connection) => connection,
            Err(_) => Err(format!("it took longer than {time:?}").into()),
        };
        connection.map_err(|Unconnected { why, source }| {
            let message = format!("no connection to {}: {why}", to.authority);
            let error = TransportError::new(TransportErrorKind::Connect, message);
            let Some(source) = source else {
                return error;
            };
            #[cfg(feature = "tls")]
            let error = if source.is::<rustls::Error>() {
                error.of_tls()
            } else {
                error
            };
            error.with_source(source)
        })
    }

    async fn connection(&self, to: &Destination) -> Result<Connection, Unconnected> {
        let (name, port) = address(to.authority.as_str(), to.is_https)?;
        #[cfg(feature = "proxy")]
        if let Some(proxy) = self.proxy.as_ref().and_then(|proxy| proxy.of(to)) {
            let of_proxy = |why: String| format!("the proxy {} {why}", proxy.url);
            let stream = self.stream_to(&proxy).await.map_err(of_proxy)?;
            if !to.is_https {
                return speaking_http(stream).await;
            }
            let target = Host::of_url(to.authority.as_str()).map_err(str::to_owned)?;
            let target = format!("{}:{port}", target.name);
            let stream = tunnelled(stream, &target, proxy.authorization.clone()).await;
            let stream: Box<dyn Stream> = Box::new(stream.map_err(of_proxy)?);
            return self.speaking_https(stream, name, to.identified).await;
        }
        let stream = TcpStream::connect((name, port)).await?;
        // Each request is one write.
        let _ = stream.set_nodelay(true);
        if !to.is_https {
            return speaking_http(stream).await;
        }
        self.speaking_https(stream, name, to.identified).await
    }

    #[cfg(feature = "tls")]
    async fn speaking_https<S: Stream + 'static>(
        &self,
        stream: S,
        name: &str,
        identified: bool,
    ) -> Result<Connection, Unconnected> {
        let config = self.tls.config(identified)?;
        let stream = secured(stream, name, config).await?;
        let (_, tls) = stream.get_ref();
        let certificates = tls.peer_certificates().filter(|_| self.keeps_certificates);
        let certificate = certificates.and_then(|all| all.first());
        let certificate = certificate.map(|certificate| certificate.to_vec());
        let mut connection = speaking_http(stream).await?;
        connection.certificate = certificate;
        Ok(connection)
    }

    #[cfg(not(feature = "tls"))]
    async fn speaking_https<S: Stream>(
        &self,
        _: S,
        _: &str,
        _: bool,
    ) -> Result<Connection, Unconnected> {
        Err("https needs the feature `tls`".to_owned().into())
    }

    /// Changes the target of a request that is sent to a proxy without a tunnel (RFC 9112 §3.2.2).
    /// Returns whether it is.
    #[cfg(feature = "proxy")]
    pub(super) fn address_to_proxy<B>(
        &self,
        to: &Destination,
        request: &mut Request<B>,
    ) -> Result<bool, TransportError> {
        let proxy = self.proxy.as_ref().filter(|_| !to.is_https);
        let Some(proxy) = proxy.and_then(|proxy| proxy.of(to)) else {
            return Ok(false);
        };
        let absolute = format!("http://{}{}", to.authority, request.uri());
        *request.uri_mut() = absolute.parse().map_err(|_| {
            let message = "the URL cannot be sent to a proxy";
            TransportError::new(TransportErrorKind::Scheme, message)
        })?;
        if let Some(authorization) = proxy.authorization {
            let headers = request.headers_mut();
            headers.insert(http::header::PROXY_AUTHORIZATION, authorization);
        }
        Ok(true)
    }

    #[cfg(not(feature = "proxy"))]
    pub(super) fn address_to_proxy<B>(
        &self,
        _: &Destination,
        _: &mut Request<B>,
    ) -> Result<bool, TransportError> {
        Ok(false)
    }

    /// Opens a stream to a proxy. Errors are words that follow the proxy's name.
    #[cfg(feature = "proxy")]
    async fn stream_to(&self, proxy: &Through) -> Result<Box<dyn Stream>, String> {
        let is_https = match proxy.url.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err("is not of http: no other kind is supported".to_owned()),
        };
        let authority = proxy
            .url
            .authority()
            .map_or("", |authority| authority.as_str());
        let (name, port) = address(authority, is_https)?;
        let stream = TcpStream::connect((name, port)).await;
        let stream = stream.map_err(|error| format!("cannot be reached: {error}"))?;
        let _ = stream.set_nodelay(true);
        if !is_https {
            return Ok(Box::new(stream));
        }
        // A proxy does not get the certificate of the client.
        #[cfg(feature = "tls")]
        return match secured(stream, name, self.tls.config(false)?).await {
            Ok(stream) => Ok(Box::new(stream)),
            Err(error) => Err(format!("cannot be trusted: {}", error.why)),
        };
        #[cfg(not(feature = "tls"))]
        Err("is https, which needs the feature `tls`".to_owned())
    }
}

/// Returns the name or the address of a host, and its port.
fn address(authority: &str, is_https: bool) -> Result<(&str, u16), String> {
    let host = Host::of_url(authority)?;
    let name = host.name.trim_start_matches('[').trim_end_matches(']');
    let default = if is_https { 443 } else { 80 };
    Ok((name, host.port.map_or(default, NonZeroU16::get)))
}

/// Starts HTTP on a stream to the server.
async fn speaking_http<S: Stream + 'static>(stream: S) -> Result<Connection, Unconnected> {
    let (requests, connection) = http1::Builder::new()
        // Some servers compare header names case-sensitively.
        .title_case_headers(true)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|error| error.to_string())?;
    let task = tokio::spawn(async move {
        // The sender of the request gets the errors of the connection.
        let _ = connection.await;
    });
    let task = task.abort_handle();
    Ok(Connection {
        requests,
        certificate: None,
        task,
    })
}
