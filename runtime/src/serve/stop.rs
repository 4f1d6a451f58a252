//! When to stop.

use std::io;
#[cfg(unix)]
use std::task::Poll;

/// Ends with Ctrl-C or, on Unix, SIGTERM: what stops a service that a person or a service manager has started.
///
/// The signals are caught from this call on, so call it before telling anybody that the server runs.
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
/// The operating system does not let signals be caught.
#[cfg(unix)]
pub fn stop_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(std::future::poll_fn(move |context| {
        let interrupted = interrupt.poll_recv(context).is_ready();
        match interrupted || terminate.poll_recv(context).is_ready() {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    }))
}

/// Ends with Ctrl-C.
///
/// # Errors
///
/// The operating system does not let signals be caught.
#[cfg(not(unix))]
pub fn stop_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
