//! The addresses at which commands listen to callers, and the requests that they accept.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::thread::JoinHandle;

use clap::Args;
use svcgen::serve::Tls;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::files;

/// The arguments that say how callers connect.
#[derive(Debug, Args)]
pub(crate) struct Listening {
    /// Listens on this address; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    address: SocketAddr,

    /// Also answers requests that name this host. At a loopback address, requests must otherwise
    /// name this machine
    #[arg(long, value_name = "HOST", value_parser = crate::document::host)]
    allow_host: Vec<String>,

    /// Speaks TLS to callers, with the certificates of this PEM file
    #[arg(long, value_name = "FILE", requires = "key")]
    certificate: Option<PathBuf>,

    /// The private key of the first certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "certificate")]
    key: Option<PathBuf>,
}

impl Listening {
    /// Returns the hosts that requests may name, including the `Host` that is written into requests
    /// and the host of a server; `None` for any.
    ///
    /// Without this check, a web page whose host name resolves to this machine (DNS rebinding)
    /// could send requests through the browser of a visitor, with another `Host`.
    pub fn allowed_hosts(
        &self,
        host: Option<&String>,
        server: Option<&str>,
    ) -> Option<Vec<String>> {
        let is_checked = is_loopback(self.address) || host.is_some() || !self.allow_host.is_empty();
        let named = host.into_iter().chain(&self.allow_host).cloned();
        let named = named.chain(server.map(str::to_owned));
        is_checked.then(|| local_names(self.address).into_iter().chain(named).collect())
    }

    /// Returns the TLS settings for callers, if a certificate is given.
    pub fn tls(&self) -> Result<Option<Tls>, String> {
        let files = self.certificate.as_ref().zip(self.key.as_ref());
        let tls = files.map(|(certificate, key)| Tls::from_pem_files(certificate, key));
        tls.transpose().map_err(|error| error.to_string())
    }

    /// Listens for callers. Returns the listener and the URL for callers.
    pub fn listen(&self, runtime: &Runtime) -> Result<(TcpListener, String), String> {
        let (listener, address) = listen(self.address, runtime)?;
        let scheme = if self.certificate.is_some() {
            "https"
        } else {
            "http"
        };
        Ok((listener, format!("{scheme}://{address}")))
    }
}

/// Listens on an address. Returns the listener and the address with the port that was chosen.
pub(crate) fn listen(
    address: SocketAddr,
    runtime: &Runtime,
) -> Result<(TcpListener, SocketAddr), String> {
    let listener = runtime.block_on(TcpListener::bind(address));
    let listener = listener.map_err(|error| format!("cannot listen on {address}: {error}"))?;
    let address = listener.local_addr().unwrap_or(address);
    Ok((listener, address))
}

/// Whether only this machine can connect to an address.
pub(crate) fn is_loopback(address: SocketAddr) -> bool {
    address.ip().to_canonical().is_loopback()
}

/// Returns the names of this machine for callers of an address.
pub(crate) fn local_names(address: SocketAddr) -> Vec<String> {
    let names = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
    let own = match address.ip() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    };
    names.into_iter().chain([own]).collect()
}

/// Creates the runtime for serving and for sending requests.
pub(crate) fn runtime() -> Result<Runtime, String> {
    Runtime::new().map_err(|error| format!("threads cannot be started: {error}"))
}

/// Completes at the first Ctrl-C, which then does not end the command.
pub(crate) fn interrupted() -> impl Future<Output = ()> + Send + 'static {
    let (stop, stopped) = oneshot::channel();
    files::when_interrupted(move || {
        // If no task waits for it any more, the command is ending.
        let _ = stop.send(());
    });
    async {
        let _ = stopped.await;
    }
}

/// Waits for a thread, and resumes its panic.
pub(crate) fn joined<T>(thread: JoinHandle<T>) -> T {
    let ended = thread.join();
    ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
