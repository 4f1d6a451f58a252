//! Code shared by `svcgen record` and `svcgen shadow`: callers, servers, and the relay between
//! them.

use std::num::NonZeroU32;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use clap::Args;
use rustls::pki_types::ServerName;
use svcgen_relay::{Relay, Upstream};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use url::Url;

use crate::http_options::TlsOptions;
use crate::listening::{Listening, interrupted};

/// The help of `--allow-host`, which has more details for a relay.
const ALLOW_HOST: &str = "Also forwards requests that name this host. At a loopback address, and with `--host`, requests must otherwise name this machine, the server or the `--host`";

/// The arguments that say how callers connect, and how long they may take.
#[derive(Debug, Args)]
#[command(mut_arg("allow_host", |argument| argument.help(ALLOW_HOST)))]
pub(crate) struct Callers {
    #[command(flatten)]
    listening: Listening,

    /// Rewrites the `Host` header of requests, for name-based virtual hosts; nothing else changes
    #[arg(long, value_name = "HOST", value_parser = crate::document::host)]
    host: Option<String>,

    /// Limits open connections; further callers wait
    #[arg(long, value_name = "COUNT", default_value = "1024")]
    max_connections: NonZeroU32,

    /// Limits open connections from one address; further ones are closed. All callers behind a load
    /// balancer share its address
    #[arg(long, value_name = "COUNT", default_value = "512")]
    max_connections_per_address: NonZeroU32,

    /// Limits the time to receive the head of a request, and for the TLS handshake
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    head_timeout: u64,

    /// Closes connections that are idle for this long, even while a call runs
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86400))]
    idle_timeout: u64,

    /// Limits the time to connect to the server
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    connect_timeout: u64,
}

impl Callers {
    /// Configures the side of a relay that faces callers.
    pub fn relay(&self, relay: Relay, server: &Url) -> Result<Relay, String> {
        let (most, per_address) = (self.max_connections, self.max_connections_per_address);
        let mut relay = relay
            .with_connections(most.get(), per_address.get())
            .with_head_timeout(Duration::from_secs(self.head_timeout))
            .with_idle_timeout(Duration::from_secs(self.idle_timeout));
        if let Some(host) = &self.host {
            relay = relay.with_host(host);
        }
        let hosts = self
            .listening
            .allowed_hosts(self.host.as_ref(), server.host_str());
        if let Some(hosts) = hosts {
            relay = relay.with_allowed_hosts(hosts);
        }
        if let Some(tls) = self.listening.tls()? {
            relay = relay.with_tls(tls.server_config());
        }
        Ok(relay)
    }

    /// Listens for callers. Returns the listener and the URL for callers.
    pub fn listen(&self, runtime: &Runtime) -> Result<(TcpListener, String), String> {
        open_many_files();
        self.listening.listen(runtime)
    }

    /// Returns the server that requests are for, whose certificate must be valid for `--host` if
    /// that is given.
    pub fn upstream(&self, url: &Url, trust: &TlsOptions) -> Result<Upstream, String> {
        self.server(url, self.host.as_deref(), trust)
    }

    /// Returns the server at a URL, whose certificate must be valid for `host` if that is given.
    pub fn server(
        &self,
        url: &Url,
        host: Option<&str>,
        trust: &TlsOptions,
    ) -> Result<Upstream, String> {
        let (Some(named), Some(port)) = (url.host(), url.port_or_known_default()) else {
            return Err(format!("{url} names no host"));
        };
        let upstream = Upstream::new(format!("{named}:{port}"));
        let upstream = upstream.with_connect_timeout(Duration::from_secs(self.connect_timeout));
        if url.scheme() != "https" {
            return Ok(upstream);
        }
        let name = match host {
            Some(host) => certificate_name(host)?,
            None => certificate_name(&named.to_string())?,
        };
        let config = trust.tls()?.client_config();
        Ok(upstream.with_tls(config.map_err(|error| error.to_string())?, name))
    }
}

/// Parses the URL of a server without a path.
pub(crate) fn server_url(text: &str) -> Result<Url, &'static str> {
    let url = service_url(text).ok().filter(|url| url.path() == "/");
    url.ok_or("write it as `https://svc.example.com`: scheme, host and port")
}

/// Parses the URL of a server, with or without a path.
pub(crate) fn service_url(text: &str) -> Result<Url, &'static str> {
    let is_open = |url: &Url| url.username().is_empty() && url.password().is_none();
    let is_bare = |url: &Url| url.query().is_none() && url.fragment().is_none();
    let is_http = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    let url = Url::parse(text).ok();
    let url = url.filter(|url| is_http(url) && is_bare(url) && is_open(url));
    url.ok_or("write it as `https://svc.example.com` or `https://svc.example.com/Orders.asmx`")
}

/// Returns a URL without a trailing slash, as people write it.
pub(crate) fn plain(url: &Url) -> &str {
    url.as_str().trim_end_matches('/')
}

/// Raises the limit of open files to the maximum that the process may set. A connection takes two,
/// and the default limit of many systems is 1,024.
///
/// Only on Linux, where there are such limits for each process.
fn open_many_files() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        // If this fails, fewer connections can be open at a time, which is not an error.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// Gives this thread, and threads that it starts, the lowest priority.
///
/// Only on Linux, where `setpriority` changes a thread and not the process.
pub(crate) fn run_behind() {
    #[cfg(target_os = "linux")]
    // If this fails, the thread competes with the others, which is not an error.
    let _ = rustix::process::setpriority_process(None, 19);
}

/// Relays on separate threads until the command is interrupted, and then calls `afterwards`. From
/// now on this thread has the lowest priority, so that keeping and comparing exchanges does not
/// slow down the relay.
pub(crate) fn start(
    relay: Relay,
    runtime: Runtime,
    listener: TcpListener,
    afterwards: impl FnOnce() + Send + 'static,
) -> JoinHandle<()> {
    let interrupted = interrupted();
    let thread = thread::spawn(move || {
        runtime.block_on(relay.run(listener, interrupted));
        afterwards();
    });
    run_behind();
    thread
}

/// Returns the server name for a certificate from a host, with or without its port.
fn certificate_name(host: &str) -> Result<ServerName<'static>, String> {
    let bare = match host.rsplit_once(':') {
        Some((bare, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => bare,
        _ => host,
    };
    let bare = bare.trim_start_matches('[').trim_end_matches(']');
    ServerName::try_from(bare.to_owned()).map_err(|_| format!("{host} is not a host name"))
}
