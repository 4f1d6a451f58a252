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
use svcgen_relay::{Exchange, Observe, Relay};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use url::Url;

use crate::console::Console;
use crate::document::with_service;
use crate::exit::Exit;
use crate::files;
use crate::http_options::TlsOptions;
use crate::relaying::{self, Callers, Next, Queue};
use folder::Folder;
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
    #[arg(long, value_name = "COUNT")]
    max_exchanges: Option<NonZeroU64>,

    /// Writes all exchanges into an HTTP archive (HAR 1.2), too
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
}

fn try_record(
    arguments: &Arguments,
    service: Option<Service>,
    console: &Console,
) -> Result<Exit, String> {
    let mask = service.map(|service| Mask::new(service.row()).with_limit(arguments.max_bytes));
    let queue = Arc::new(Queue::new(MOST_BYTES, MOST_WAITING));
    let mut folder = Folder::open(&arguments.out, arguments.max_exchanges)?;
    let mut archive = arguments.har.as_deref().map(Har::create).transpose()?;
    let upstream = relaying::upstream(
        &arguments.upstream,
        arguments.callers.host(),
        &arguments.tls,
    )?;
    let relay = Relay::new(upstream, Arc::new(Writing(Arc::clone(&queue))));
    let relay = arguments
        .callers
        .relay(relay.with_kept(arguments.max_bytes))?;
    let runtime = Runtime::new().map_err(|error| format!("threads cannot be started: {error}"))?;
    let (listener, url) = runtime.block_on(arguments.callers.listen())?;
    let upstream = relaying::plain(&arguments.upstream);
    let mut exit = console.print(format!("{url} is passed on to {upstream}\n"));
    let (stop, stopped) = oneshot::channel();
    files::when_interrupted(move || {
        // If the relay has ended, so does the command.
        let _ = stop.send(());
    });
    let written = Arc::clone(&queue);
    let running = thread::spawn(move || {
        let ended = runtime.block_on(relay.run(listener, async {
            let _ = stopped.await;
        }));
        written.close();
        ended
    });
    relaying::run_behind();
    let scheme = arguments.upstream.scheme();
    let (mut written, mut others) = (0u64, 0u64);
    while let Next::Item(seen) = queue.next(None) {
        let exchange = match seen {
            Seen::Exchange(exchange) => exchange,
            Seen::Broken(caller, error) => {
                exit = exit.max(console.print(format!("{caller}: {error}\n")));
                continue;
            }
        };
        let kept = Kept::of(&exchange, mask.as_ref());
        let is_other = is_no_call(service, &exchange.request);
        let read = service.filter(|_| !is_other);
        let values = read.and_then(|service| values::of(service, &kept));
        let name = folder.write(&kept, values.as_ref())?;
        if let Some(archive) = &mut archive {
            archive.add(&kept, scheme)?;
        }
        written += 1;
        others += u64::from(is_other);
        exit = exit.max(console.print(format!("{name} {}\n", kept.line())));
    }
    let ended = running
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    ended.map_err(|error| format!("callers cannot be accepted any more: {error}"))?;
    let missing = match queue.lost() {
        0 => String::new(),
        lost => format!("; {lost} passed faster than they could be written, and are not kept"),
    };
    let plural = if written == 1 {
        "exchange is"
    } else {
        "exchanges are"
    };
    let others = match others {
        0 => String::new(),
        others => format!(", {others} of them no call"),
    };
    exit = exit.max(console.print(format!(
        "{written} {plural} in {}{others}{missing}\n",
        arguments.out.display()
    )));
    Ok(exit)
}
