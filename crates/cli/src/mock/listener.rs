//! Connections that the mock can reset.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use socket2::SockRef;
use svcgen::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// For the open connections, by the addresses of their callers, whether each is to be reset.
#[derive(Clone, Default)]
pub(super) struct Connections(Arc<Mutex<HashMap<SocketAddr, Weak<AtomicBool>>>>);

impl Connections {
    /// Resets the connection of a caller before anything more is written to it.
    pub(super) fn reset(&self, caller: SocketAddr) {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(is_reset) = known.get(&caller).and_then(Weak::upgrade) {
            is_reset.store(true, Ordering::Relaxed);
        }
    }
}

/// A listener whose connections can be reset.
pub(super) struct ResettableListener {
    pub(super) listener: TcpListener,
    pub(super) connections: Connections,
}

pub(super) struct ResettableConnection {
    stream: TcpStream,
    is_reset: Arc<AtomicBool>,
}

impl Listener for ResettableListener {
    type Stream = ResettableConnection;

    async fn accept(&mut self) -> (ResettableConnection, Option<SocketAddr>) {
        let (stream, caller) = Listener::accept(&mut self.listener).await;
        let is_reset = Arc::new(AtomicBool::new(false));
        if let Some(caller) = caller {
            let mut known = (self.connections.0.lock()).unwrap_or_else(PoisonError::into_inner);
            // Connections that have been closed are removed.
            known.retain(|_, is_reset| is_reset.strong_count() > 0);
            known.insert(caller, Arc::downgrade(&is_reset));
        }
        (ResettableConnection { stream, is_reset }, caller)
    }

    fn is_broken(connection: &ResettableConnection) -> bool {
        TcpListener::is_broken(&connection.stream)
    }
}

impl ResettableConnection {
    /// # Errors
    ///
    /// Returns an error if the connection is to be reset.
    fn check(&self) -> io::Result<()> {
        if !self.is_reset.load(Ordering::Relaxed) {
            return Ok(());
        }
        // A connection that is closed with a linger time of zero is reset.
        let _ = SockRef::from(&self.stream).set_linger(Some(Duration::ZERO));
        Err(io::ErrorKind::ConnectionReset.into())
    }
}

impl AsyncRead for ResettableConnection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for ResettableConnection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
