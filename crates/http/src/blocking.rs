//! Clients for code that is not async.

use std::fmt;
use std::io;

use tokio::runtime::{Builder, Runtime};

/// A client whose calls block the thread until they have a result. It has its own runtime, with one
/// thread for its connections.
///
/// ```no_run
/// # #[derive(svcgen::Service)]
/// # #[service(definition = "../../examples/service-defs/greeter.yaml")]
/// # struct Greeter;
/// # use greeter::{GreetRequest, GreeterClient};
/// use std::time::Duration;
/// use svcgen::Blocking;
///
/// # fn example(request: GreetRequest) -> Result<(), Box<dyn std::error::Error>> {
/// let client = Blocking::new(GreeterClient::connect("http://127.0.0.1:8080")?)?;
/// let greeting = client.call(|client| client.greet(&request))?;
/// let quick = Duration::from_secs(1);
/// let greeting = client.call(|client| client.greet(&request).with_timeout(quick))?;
/// # Ok(())
/// # }
/// ```
///
/// Threads can share it by reference, and call at the same time.
pub struct Blocking<C> {
    client: C,
    /// `None` only in `drop`.
    runtime: Option<Runtime>,
}

impl<C> Blocking<C> {
    /// Creates a blocking client, and starts its runtime.
    ///
    /// # Errors
    ///
    /// The system cannot start a thread or watch sockets.
    pub fn new(client: C) -> io::Result<Self> {
        // A runtime without threads would not notice, between calls, that a server closes a
        // connection.
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("svcgen-client")
            .enable_all()
            .build()?;
        Ok(Self {
            client,
            runtime: Some(runtime),
        })
    }

    /// Calls an operation, and waits for the result.
    ///
    /// # Panics
    ///
    /// The thread runs async tasks, which this would block. Use the client itself there, or
    /// `spawn_blocking` of tokio.
    #[track_caller]
    pub fn call<'c, F: IntoFuture>(&'c self, call: impl FnOnce(&'c C) -> F) -> F::Output {
        let runtime = self.runtime.as_ref().expect("it is not dropped");
        runtime.block_on(call(&self.client).into_future())
    }

    /// Returns the client.
    pub fn client(&self) -> &C {
        &self.client
    }
}

/// Stops the runtime without waiting, so that the client may also be dropped in an async task.
impl<C> Drop for Blocking<C> {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl<C: fmt::Debug> fmt::Debug for Blocking<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Blocking").field(&self.client).finish()
    }
}
