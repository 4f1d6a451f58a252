//! The beginning of a connection: TLS.

use std::net::SocketAddr;
#[cfg(feature = "tls")]
use std::{io, time::Duration};

#[cfg(feature = "tls")]
use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite};
#[cfg(feature = "tls")]
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy, sink};
#[cfg(feature = "tls")]
use tokio_rustls::TlsAcceptor;

use super::peer::Peer;
use super::stream::Stream;
#[cfg(feature = "tls")]
use super::{begun::Begun, peer::TlsPeer, tls::Tls};
#[cfg(feature = "tls")]
use crate::call::PeerCertificates;

/// What begins the connections of a server.
#[derive(Clone)]
pub(super) struct Opening {
    /// The time limit.
    #[cfg(feature = "tls")]
    pub(super) time: Duration,
    #[cfg(feature = "tls")]
    pub(super) tls: Option<Tls>,
}

/// A connection that can be served.
pub(super) struct Opened<S> {
    pub(super) stream: Stream<S>,
    pub(super) peer: Peer,
}

impl Opening {
    /// Waits until a connection can be served; `None` if it cannot. There is nobody to report an error of the connection to.
    pub(super) async fn open<S>(&self, stream: S, address: Option<SocketAddr>) -> Option<Opened<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let peer = Peer::new(address);
        #[cfg(feature = "tls")]
        if let Some(tls) = &self.tls {
            let encrypted = encrypted(stream, tls, peer);
            return tokio::time::timeout(self.time, encrypted).await.ok()?.ok();
        }
        let stream = Stream::Plain(stream);
        Some(Opened { stream, peer })
    }
}

#[cfg(feature = "tls")]
async fn encrypted<S>(stream: S, tls: &Tls, mut peer: Peer) -> io::Result<Opened<S>>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let begun = Begun::read_while(stream, 1, |_| true).await?;
    // A record of TLS begins with 22, a request without TLS with its method.
    if begun.first().iter().any(u8::is_ascii_uppercase) {
        return Err(refuse_plain(begun)
            .await
            .err()
            .unwrap_or(io::ErrorKind::InvalidData.into()));
    }
    let stream = TlsAcceptor::from(tls.config(false)).accept(begun).await?;
    let certificates = stream.get_ref().1.peer_certificates().map(|chain| {
        let copies = chain.iter().map(|one| Bytes::copy_from_slice(one));
        PeerCertificates(copies.collect())
    });
    peer.tls = Some(TlsPeer { certificates });
    let stream = Stream::Encrypted(Box::new(stream));
    Ok(Opened { stream, peer })
}

/// Tells a caller without TLS that it needs TLS.
#[cfg(feature = "tls")]
async fn refuse_plain<S>(mut stream: Begun<S>) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    const TEXT: &str = "This port speaks HTTPS: the address begins with https://.\n";
    /// What is read of the request, as closing before would reset the connection, and the answer with it.
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
