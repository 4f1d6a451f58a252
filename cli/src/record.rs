//! `svcgen record`.

mod folder;
mod har;
mod kept;
mod tls;

use std::io;
use std::net::SocketAddr;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use clap::Args;
use svcgen::mask::Mask;
use svcgen_relay::{Exchange, Observe, Relay, Upstream};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use url::Url;

use crate::console::Console;
use crate::document::describe_file;
use crate::exit::Exit;
use crate::files;
use crate::http_options::TlsOptions;
use crate::options::Options;
use folder::Folder;
use har::Har;
use kept::Kept;

/// Passes calls on to a server byte for byte, and keeps each with its answer
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen record --upstream https://example.com --out recorded orders.yaml
  svcgen record --upstream http://10.0.0.7 --host example.com --out recorded

Each exchange is a folder with request.http, response.http and exchange.json.
With a definition, its secrets are masked before they are written; without one,
messages are written as they passed. Ctrl-C ends it.")]
pub(crate) struct Arguments {
    /// The definition of the service, whose secrets are masked
    #[arg(value_name = "FILE")]
    definition: Option<PathBuf>,

    /// The server that calls are passed on to
    #[arg(long, value_name = "URL", value_parser = upstream)]
    upstream: Url,

    /// The folder that exchanges are written into
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Where callers connect
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    address: SocketAddr,

    /// Writes this `Host` into requests, the only change to what passes
    #[arg(long, value_name = "HOST", value_parser = crate::document::host)]
    host: Option<String>,

    /// Speaks TLS to callers, with the certificates of a PEM file
    #[arg(long, value_name = "FILE", requires = "key")]
    certificate: Option<PathBuf>,

    /// The private key of the first certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "certificate")]
    key: Option<PathBuf>,

    #[command(flatten)]
    tls: TlsOptions,

    /// Keeps so many bytes of each body; all of it passes
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20)]
    most_bytes: usize,

    /// Keeps the newest exchanges, and removes the oldest of those that it wrote
    #[arg(long, value_name = "COUNT")]
    most_exchanges: Option<NonZeroU64>,

    /// Writes all exchanges into an HTTP archive (HAR 1.2), too
    #[arg(long, value_name = "FILE")]
    har: Option<PathBuf>,

    #[command(flatten)]
    options: Options,
}

fn upstream(text: &str) -> Result<Url, &'static str> {
    const LIKE: &str = "write it as `https://svc.example.com`: scheme, host and port";
    let url = Url::parse(text).map_err(|_| LIKE)?;
    let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let is_open = url.username().is_empty() && url.password().is_none();
    if matches!(url.scheme(), "http" | "https") && is_bare && is_open && url.has_host() {
        Ok(url)
    } else {
        Err(LIKE)
    }
}

/// Relays until it is interrupted.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    let Some(definition) = &arguments.definition else {
        return record(arguments, None, console);
    };
    let described = describe_file(definition, &arguments.options, console, |service| {
        let mask = Mask::new(service).with_limit(arguments.most_bytes);
        record(arguments, Some(&mask), console)
    });
    described.unwrap_or_else(|exit| exit)
}

/// What is written next.
enum Seen {
    Exchange(Box<Exchange>),
    Broken(SocketAddr, io::Error),
}

/// Exchanges that are not written yet, of so many bytes at most.
const MOST_QUEUED: usize = 64 << 20;

/// Hands exchanges to the writer, unless it lags behind.
struct Queue {
    seen: Sender<Seen>,
    queued: Arc<AtomicUsize>,
    lost: Arc<AtomicU64>,
}

impl Observe for Queue {
    fn exchange(&self, exchange: Exchange) {
        let size = size_of(&exchange);
        if self.queued.fetch_add(size, Ordering::Relaxed) + size > MOST_QUEUED {
            self.queued.fetch_sub(size, Ordering::Relaxed);
            self.lost.fetch_add(1, Ordering::Relaxed);
            return;
        }
        // Without a writer the relay is about to end.
        let _ = self.seen.send(Seen::Exchange(Box::new(exchange)));
    }

    fn broken(&self, caller: SocketAddr, error: &io::Error) {
        let error = io::Error::new(error.kind(), error.to_string());
        let _ = self.seen.send(Seen::Broken(caller, error));
    }
}

fn size_of(exchange: &Exchange) -> usize {
    let (request, answer) = (&exchange.request, &exchange.answer);
    request.head.len() + request.sent.len() + answer.head.len() + answer.sent.len()
}

fn record(arguments: &Arguments, mask: Option<&Mask<'_>>, console: &Console) -> Exit {
    match try_record(arguments, mask, console) {
        Ok(exit) => exit,
        Err(complaint) => console.error(complaint),
    }
}

fn try_record(
    arguments: &Arguments,
    mask: Option<&Mask<'_>>,
    console: &Console,
) -> Result<Exit, String> {
    let (seen, receiver) = channel();
    let queued = Arc::new(AtomicUsize::new(0));
    let lost = Arc::new(AtomicU64::new(0));
    let queue = Queue {
        seen,
        queued: Arc::clone(&queued),
        lost: Arc::clone(&lost),
    };
    let mut folder = Folder::open(&arguments.out, arguments.most_exchanges)?;
    let mut archive = arguments.har.as_deref().map(Har::create).transpose()?;
    let relay = relay(arguments, Arc::new(queue))?;
    let runtime = Runtime::new().map_err(|error| format!("threads cannot be started: {error}"))?;
    let address = arguments.address;
    let listener = runtime.block_on(TcpListener::bind(address));
    let listener = listener.map_err(|error| format!("{address} cannot be listened to: {error}"))?;
    let address = listener.local_addr().unwrap_or(address);
    let scheme = if arguments.certificate.is_some() {
        "https"
    } else {
        "http"
    };
    let upstream = arguments.upstream.as_str().trim_end_matches('/');
    let mut exit = console.print(format!("{scheme}://{address} is passed on to {upstream}\n"));
    let (stop, stopped) = oneshot::channel();
    files::when_interrupted(move || {
        // If the relay has ended, so does the command.
        let _ = stop.send(());
    });
    let running = thread::spawn(move || {
        runtime.block_on(relay.run(listener, async {
            let _ = stopped.await;
        }))
    });
    let scheme = arguments.upstream.scheme();
    let mut written = 0u64;
    for seen in receiver {
        let exchange = match seen {
            Seen::Exchange(exchange) => exchange,
            Seen::Broken(caller, error) => {
                exit = exit.max(console.print(format!("{caller}: {error}\n")));
                continue;
            }
        };
        queued.fetch_sub(size_of(&exchange), Ordering::Relaxed);
        let kept = Kept::of(&exchange, mask);
        let name = folder.write(&kept)?;
        if let Some(archive) = &mut archive {
            archive.add(&kept, scheme)?;
        }
        written += 1;
        exit = exit.max(console.print(format!("{name} {}\n", kept.line())));
    }
    let ended = running
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    ended.map_err(|error| format!("callers cannot be accepted any more: {error}"))?;
    let lost = lost.load(Ordering::Relaxed);
    let missing = match lost {
        0 => String::new(),
        lost => format!("; {lost} passed faster than they could be written, and are not kept"),
    };
    let plural = if written == 1 {
        "exchange is"
    } else {
        "exchanges are"
    };
    exit = exit.max(console.print(format!(
        "{written} {plural} in {}{missing}\n",
        arguments.out.display()
    )));
    Ok(exit)
}

fn relay(arguments: &Arguments, queue: Arc<Queue>) -> Result<Relay, String> {
    let url = &arguments.upstream;
    let (host, port) = (url.host(), url.port_or_known_default());
    let (Some(host), Some(port)) = (host, port) else {
        return Err(format!("{url} names no host"));
    };
    let mut upstream = Upstream::new(format!("{host}:{port}"));
    if url.scheme() == "https" {
        let shown = arguments.host.clone().unwrap_or_else(|| host.to_string());
        let name = tls::name(&shown)?;
        let config = arguments.tls.tls()?.client_config();
        upstream = upstream.with_tls(config.map_err(|error| error.to_string())?, name);
    }
    let mut relay = Relay::new(upstream, queue).with_kept(arguments.most_bytes);
    if let Some(host) = &arguments.host {
        relay = relay.with_host(host);
    }
    if let (Some(certificate), Some(key)) = (&arguments.certificate, &arguments.key) {
        relay = relay.with_tls(tls::server(certificate, key)?);
    }
    Ok(relay)
}
