//! Sockets from, and notifications to, a service manager.

use std::io;

#[cfg(unix)]
use listenfd::ListenFd;
#[cfg(unix)]
use sd_notify::NotifyState;
#[cfg(unix)]
use tokio::net::{TcpListener, UnixListener};

use super::any_listener::AnyListener;

/// Returns the listening sockets that the service manager has opened for this process, in its
/// order: the TCP and Unix sockets of `LISTEN_FDS` and `LISTEN_PID` (systemd's socket activation,
/// `systemd.socket(5)`). On Windows, there are none. Call this once, before other threads start: it
/// removes the variables.
///
/// With the feature `systemd`, [`serve`](fn@crate::serve) also notifies the manager when it is
/// ready and when it stops (`Type=notify`, `sd_notify(3)`).
///
/// ```no_run
/// # async fn example(router: svcgen::Router) -> std::io::Result<()> {
/// use svcgen::serve::{AnyListener, inherited_listeners};
///
/// let mut listeners = inherited_listeners()?;
/// if listeners.is_empty() {
///     let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
///     listeners.push(AnyListener::new(listener));
/// }
/// svcgen::serve(listeners, router).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// A passed file is not a listening socket.
///
/// # Panics
///
/// There is no tokio runtime.
pub fn inherited_listeners() -> io::Result<Vec<AnyListener>> {
    #[cfg(unix)]
    let listeners = inherited();
    #[cfg(not(unix))]
    let listeners = Ok(Vec::new());
    listeners
}

#[cfg(unix)]
fn inherited() -> io::Result<Vec<AnyListener>> {
    let mut inherited = ListenFd::from_env();
    let mut listeners = Vec::new();
    for index in 0..inherited.len() {
        // A socket that is not a Unix socket stays in the list.
        if let Ok(Some(listener)) = inherited.take_unix_listener(index) {
            listener.set_nonblocking(true)?;
            listeners.push(AnyListener::new(UnixListener::from_std(listener)?));
            continue;
        }
        let listener = inherited.take_tcp_listener(index).map_err(|error| {
            let message = format!(
                "socket {index} of LISTEN_FDS is not a stream socket over TCP or of Unix: {error}"
            );
            io::Error::new(error.kind(), message)
        })?;
        if let Some(listener) = listener {
            listener.set_nonblocking(true)?;
            listeners.push(AnyListener::new(TcpListener::from_std(listener)?));
        }
    }
    Ok(listeners)
}

/// Notifies the service manager, if there is one, that the server accepts connections.
pub(super) fn notify_ready() {
    #[cfg(unix)]
    notify(NotifyState::Ready);
}

/// Notifies the service manager, if there is one, that the server stops.
pub(super) fn notify_stopping() {
    #[cfg(unix)]
    notify(NotifyState::Stopping);
}

/// Sends a notification. Errors are ignored, because the manager has other ways to see the state.
#[cfg(unix)]
fn notify(state: NotifyState<'_>) {
    let _ = sd_notify::notify(&[state]);
}
