//! `svcgen record`.

pub(crate) mod folder;
mod har;
pub(crate) mod kept;
pub(crate) mod tls;
pub(crate) mod values;

use std::io;
use std::net::SocketAddr;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use clap::Args;
use svcgen::mask::Mask;
use svcgen_messages::Service;
use svcgen_relay::{Exchange, Observe, Refusal, Relay};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use url::Url;

use crate::console::{Console, excerpt};
use crate::document::with_service;
use crate::exit::Exit;
use crate::files;
use crate::http_options::TlsOptions;
use crate::relaying::{self, Callers, Next, Queue};
use folder::{Folder, MOST_EXCHANGES};
use har::Har;
use kept::{Kept, is_no_call};

/// Passes calls on to a server byte for byte, and keeps each with its answer
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen record --upstream https://example.com --out recorded orders.yaml
  svcgen record --upstream http://10.0.0.7 --host example.com --out recorded

Each exchange is a folder with request.http, response.http and exchange.json,
and with a definition values.yaml, what the messages say. With a definition,
its secrets are masked before they are written; without one, messages are
written as they passed. Ctrl-C ends it.")]
pub(crate) struct Arguments {
    /// The definition of the service, whose secrets are masked
    #[arg(value_name = "FILE")]
    definition: Option<PathBuf>,

    /// The server that calls are passed on to
    #[arg(long, value_name = "URL", value_parser = relaying::server_url)]
    upstream: Url,

    /// The folder that exchanges are written into
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    #[command(flatten)]
    callers: Callers,

    #[command(flatten)]
    tls: TlsOptions,

    /// Keeps so many bytes of each body; all of it passes
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20)]
    max_bytes: usize,

    /// Keeps the newest exchanges, and removes the oldest of those that it wrote
    #[arg(long, value_name = "COUNT", default_value_t = MOST_EXCHANGES)]
    max_exchanges: NonZeroU64,

    /// Writes exchanges into an HTTP archive (HAR 1.2), too: the first ones, up to `--max-exchanges`
    #[arg(long, value_name = "FILE")]
    har: Option<PathBuf>,
}

/// Relays until it is interrupted.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    let definition = arguments.definition.as_deref();
    with_service(definition, console, |service| {
        try_record(arguments, service, console)
    })
}

/// What is written next.
enum Seen {
    Exchange(Box<Exchange>),
    Broken(SocketAddr, io::Error),
    /// Why a connection was closed.
    Refused(SocketAddr, String),
}

/// Exchanges that are not written yet: so many bytes at most, and so many.
const MOST_BYTES: usize = 64 << 20;
const MOST_WAITING: usize = 100_000;

/// Hands exchanges to the writer, unless it lags behind.
struct Writing(Arc<Queue<Seen>>);

impl Observe for Writing {
    fn exchange(&self, exchange: Exchange) {
        self.0
            .push(exchange.size(), Seen::Exchange(Box::new(exchange)));
    }

    fn broken(&self, caller: SocketAddr, error: &io::Error) {
        let error = io::Error::new(error.kind(), error.to_string());
        self.0.push(0, Seen::Broken(caller, error));
    }

    fn refused(&self, caller: SocketAddr, why: Refusal<'_>) {
        let why = match why {
            Refusal::Connections(most) => format!("{most} connections of its address are open"),
            Refusal::Host(host) => format!(
                "it asks for `{}`, which `--allow-host` would pass on",
                excerpt(host)
            ),
        };
        self.0.push(why.len(), Seen::Refused(caller, why));
    }
}

fn try_record(
    arguments: &Arguments,
    service: Option<Service>,
    console: &Console,
) -> Result<Exit, String> {
    let mask = service.map(|service| Mask::new(service.row()).with_limit(arguments.max_bytes));
    let queue = Arc::new(Queue::new(MOST_BYTES, MOST_WAITING));
    let mut folder = Folder::open(&arguments.out, arguments.max_exchanges)?;
    let archive = arguments.har.as_deref();
    let archive = archive.map(|path| Har::create(path, arguments.max_exchanges));
    let mut archive = archive.transpose()?;
    let callers = &arguments.callers;
    let upstream = callers.upstream(&arguments.upstream, callers.host(), &arguments.tls)?;
    let relay = Relay::new(upstream, Arc::new(Writing(Arc::clone(&queue))));
    let relay = callers.relay(relay.with_kept(arguments.max_bytes), &arguments.upstream)?;
    let runtime = Runtime::new().map_err(|error| format!("threads cannot be started: {error}"))?;
    let (listener, url) = runtime.block_on(callers.listen())?;
    let upstream = relaying::plain(&arguments.upstream);
    let mut exit = console.print(format!("{url} is passed on to {upstream}\n"));
    let (stop, stopped) = oneshot::channel();
    files::when_interrupted(move || {
        // If the relay has ended, so does the command.
        let _ = stop.send(());
    });
    let written = Arc::clone(&queue);
    let running = thread::spawn(move || {
        runtime.block_on(relay.run(listener, async {
            let _ = stopped.await;
        }));
        written.close();
    });
    relaying::run_behind();
    let scheme = arguments.upstream.scheme();
    let (mut written, mut others, mut unwritten, mut unarchived) = (0u64, 0u64, 0u64, 0u64);
    while let Next::Item(seen) = queue.next(None) {
        let exchange = match seen {
            Seen::Exchange(exchange) => exchange,
            Seen::Broken(caller, error) => {
                exit = exit.max(console.print(format!("{caller}: {error}\n")));
                continue;
            }
            Seen::Refused(caller, why) => {
                exit = exit.max(console.print(format!("{caller} is refused: {why}\n")));
                continue;
            }
        };
        let kept = Kept::of(&exchange, mask.as_ref());
        let is_other = is_no_call(service, &exchange.request);
        let read = service.filter(|_| !is_other);
        let values = read.and_then(|service| values::of(service, &exchange));
        // Callers go on whatever becomes of what is kept.
        if let Some(archive) = &mut archive {
            let added = archive.add(&kept, scheme);
            unarchived += u64::from(!matches!(added, Ok(true)));
            if let Err(why) = added {
                exit = exit.max(console.error(why));
            }
        }
        match folder.write(&kept, values.as_ref()) {
            Ok(name) => {
                written += 1;
                others += u64::from(is_other);
                exit = exit.max(console.print(format!("{name} {}\n", kept.line())));
            }
            Err(why) => {
                unwritten += 1;
                exit = exit.max(console.error(why));
            }
        }
        if let Err(why) = folder.remove_oldest() {
            exit = exit.max(console.error(why));
        }
    }
    let ended = running.join();
    ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let place = arguments.out.display();
    let mut told = match (written, folder.removed()) {
        (1, 0) => format!("1 exchange is in {place}"),
        (_, 0) => format!("{written} exchanges are in {place}"),
        (_, removed) => {
            let newest = written.saturating_sub(removed);
            format!("{written} exchanges were written, and the newest {newest} are in {place}")
        }
    };
    let counts = [
        (others, ", ", " of them no call"),
        (
            queue.lost(),
            "; ",
            " passed faster than they could be written, and are not kept",
        ),
        (unwritten, "; ", " could not be written"),
        (unarchived, "; ", " are not in the archive"),
    ];
    for (count, before, after) in counts {
        if count > 0 {
            told.push_str(&format!("{before}{count}{after}"));
        }
    }
    Ok(exit.max(console.print(format!("{told}\n"))))
}
