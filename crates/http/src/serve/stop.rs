//! Signals that stop a server.

use std::io;
#[cfg(unix)]
use std::task::Poll;

use super::stage::Abort;

/// Returns a future that is ready after Ctrl-C or, on Unix, SIGTERM, which service managers send. A
/// server then finishes the running calls; a second signal aborts them.
///
/// Signals are caught from this call on.
///
/// ```no_run
/// # async fn example(listener: tokio::net::TcpListener, router: svcgen::Router) -> std::io::Result<()> {
/// let stop = svcgen::stop_signal()?;
/// svcgen::serve(listener, router).with_shutdown(stop).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// The operating system refuses to register the signals.
pub fn stop_signal() -> io::Result<impl Future<Output = Abort> + Send + 'static> {
    let mut signals = Signals::new()?;
    Ok(async move {
        signals.next().await;
        Abort::when(async move { signals.next().await })
    })
}

#[cfg(unix)]
struct Signals([tokio::signal::unix::Signal; 2]);

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let (interrupt, terminate) = (SignalKind::interrupt(), SignalKind::terminate());
        Ok(Self([signal(interrupt)?, signal(terminate)?]))
    }

    async fn next(&mut self) {
        std::future::poll_fn(|context| {
            let mut signals = self.0.iter_mut();
            if signals.any(|signal| signal.poll_recv(context).is_ready()) {
                return Poll::Ready(());
            }
            Poll::Pending
        })
        .await;
    }
}

#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn new() -> io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    async fn next(&mut self) {
        self.0.recv().await;
    }
}
