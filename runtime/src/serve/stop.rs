//! Signals that stop a server.

use std::io;
#[cfg(unix)]
use std::task::Poll;

/// A future that is ready after Ctrl-C or, on Unix, SIGTERM, which service managers send.
///
/// The signals are caught from this call on.
///
/// ```no_run
/// # async fn example(listener: tokio::net::TcpListener, router: svcgen::Router) -> std::io::Result<()> {
/// let stop = svcgen::stop_signal()?;
/// svcgen::serve(listener, router).with_shutdown(stop).await
/// # }
/// ```
///
/// # Errors
///
/// The operating system refuses to register the signals.
#[cfg(unix)]
pub fn stop_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(std::future::poll_fn(move |context| {
        let interrupted = interrupt.poll_recv(context).is_ready();
        if interrupted || terminate.poll_recv(context).is_ready() {
            return Poll::Ready(());
        }
        Poll::Pending
    }))
}

/// A future that is ready after Ctrl-C.
///
/// # Errors
///
/// None on this platform.
#[cfg(not(unix))]
pub fn stop_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
