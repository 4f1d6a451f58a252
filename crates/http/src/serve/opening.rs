//! The start of a connection: TLS, and the protocol of the caller.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

#[cfg(feature = "tls")]
use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite};
#[cfg(feature = "tls")]
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy, sink};
use tokio::time::timeout;
#[cfg(feature = "tls")]
use tokio_rustls::TlsAcceptor;

use super::peeked::PeekedStream;
use super::peer::Peer;
use super::stream::Stream;
#[cfg(feature = "tls")]
use super::tls::Tls;
#[cfg(feature = "tls")]
use svcgen_core::PeerCertificates;

/// The settings for the start of connections.
#[derive(Clone)]
pub(super) struct Opening {
    /// The time limit.
    pub(super) time: Duration,
    #[cfg(feature = "tls")]
    pub(super) tls: Option<Tls>,
    #[cfg_attr(not(any(feature = "tls", feature = "http2")), expect(dead_code))]
    pub(super) has_http2: bool,
}

/// A connection that is ready to be served.
pub(super) struct OpenedConnection<S> {
    pub(super) stream: Stream<S>,
    pub(super) peer: Peer,
    pub(super) is_http2: bool,
}

impl Opening {
    /// Waits until a connection can be served. Returns `None` if this fails, because no caller is
    /// left to report the error to.
    pub(super) async fn open<S>(
        &self,
        stream: S,
        address: Option<SocketAddr>,
    ) -> Option<OpenedConnection<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let opened = async {
            #[cfg(feature = "tls")]
            if let Some(tls) = &self.tls {
                return self.encrypted(stream, tls, address).await;
            }
            #[cfg(feature = "http2")]
            if self.has_http2 {
                return recognized(stream, address).await;
            }
            Ok::<_, io::Error>(OpenedConnection {
                stream: Stream::Plain(PeekedStream::new(stream)),
                peer: Peer::new(address),
                is_http2: false,
            })
        };
        timeout(self.time, opened).await.ok()?.ok()
    }

    #[cfg(feature = "tls")]
    async fn encrypted<S>(
        &self,
        stream: S,
        tls: &Tls,
        address: Option<SocketAddr>,
    ) -> io::Result<OpenedConnection<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let begun = PeekedStream::read_while(stream, 1, |_| true).await?;
        // A TLS record begins with 22, a request without TLS with its method.
        if begun.first().iter().any(u8::is_ascii_uppercase) {
            refuse_plain(begun).await?;
            return Err(io::ErrorKind::InvalidData.into());
        }
        let stream = TlsAcceptor::from(tls.config(self.has_http2))
            .accept(begun)
            .await?;
        let (_, connection) = stream.get_ref();
        let mut peer = Peer::new(address);
        peer.is_encrypted = true;
        peer.certificates = connection.peer_certificates().map(|chain| {
            let copies = chain.iter().map(|one| Bytes::copy_from_slice(one));
            PeerCertificates(copies.collect())
        });
        Ok(OpenedConnection {
            is_http2: self.has_http2 && connection.alpn_protocol() == Some(b"h2"),
            stream: Stream::Encrypted(Box::new(stream)),
            peer,
        })
    }
}

/// Detects the protocol of a caller without TLS: HTTP/2 begins with a request that HTTP/1.1 does
/// not have (RFC 9113 §3.4).
#[cfg(feature = "http2")]
async fn recognized<S>(stream: S, address: Option<SocketAddr>) -> io::Result<OpenedConnection<S>>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    let is_open = |first: &[u8]| PREFACE.starts_with(first);
    let begun = PeekedStream::read_while(stream, PREFACE.len(), is_open).await?;
    Ok(OpenedConnection {
        is_http2: begun.first() == PREFACE,
        stream: Stream::Plain(begun),
        peer: Peer::new(address),
    })
}

/// Answers a caller without TLS that TLS is required.
#[cfg(feature = "tls")]
async fn refuse_plain<S>(mut stream: PeekedStream<S>) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    const TEXT: &str = "This port speaks HTTPS: the address begins with https://.\n";
    /// The number of bytes to read of the request: closing earlier would reset the connection, and
    /// lose the answer.
    const REST: u64 = 64 << 10;
    let answer = format!(
        "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{TEXT}",
        TEXT.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    copy(&mut stream.take(REST), &mut sink()).await?;
    Ok(())
}
