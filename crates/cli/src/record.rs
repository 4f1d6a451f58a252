//! `svcgen record`.

pub(crate) mod folder;
mod har;
pub(crate) mod kept;
pub(crate) mod values;

use std::io;
use std::net::SocketAddr;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use svcgen::mask::Mask;
use svcgen_messages::Service;
use svcgen_relay::{Exchange, Observe, Refusal, Relay};
use url::Url;

use crate::console::{Console, excerpt};
use crate::document::open;
use crate::exit::{Exit, Failure};
use crate::http_options::TlsOptions;
use crate::listening::{joined, runtime};
use crate::queue::{Next, Queue};
use crate::relaying::{self, Callers};
use folder::{Folder, MOST_EXCHANGES, parts};
use har::HarFile;
use kept::{KeptExchange, is_no_call};

/// Forwards calls to a server byte for byte, and records each with its answer
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen record --upstream https://example.com --out recorded orders.yaml
  svcgen record --upstream http://10.0.0.7 --host example.com --out recorded

Each exchange is a folder with request.http, response.http and exchange.json.
With a definition, it also has the values of the messages, values.yaml, and
secrets are masked before anything is written. Without one, messages are
written unchanged. Ctrl-C ends the recording.")]
pub(crate) struct Arguments {
    /// The definition of the service, to mask its secrets
    #[arg(value_name = "FILE")]
    definition: Option<PathBuf>,

    /// Forwards calls to this server
    #[arg(long, value_name = "URL", value_parser = relaying::server_url)]
    upstream: Url,

    /// Writes exchanges into this folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    #[command(flatten)]
    callers: Callers,

    #[command(flatten)]
    tls: TlsOptions,

    /// Records only this many bytes of each body; the whole body is forwarded
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20)]
    max_bytes: usize,

    /// Keeps this many of the newest exchanges, and removes older ones that it wrote
    #[arg(long, value_name = "COUNT", default_value_t = MOST_EXCHANGES)]
    max_exchanges: NonZeroU64,

    /// Also writes the first exchanges, up to `--max-exchanges`, into an HTTP archive (HAR 1.2)
    #[arg(long, value_name = "FILE")]
    har: Option<PathBuf>,
}

/// An event at a relay.
enum RelayEvent {
    Exchange(Box<Exchange>),
    Broken(SocketAddr, io::Error),
    /// A connection was closed, for this reason.
    Refused(SocketAddr, String),
}

/// The limits of exchanges that are not written yet: in bytes, and in number.
const MOST_BYTES: usize = 64 << 20;
const MOST_WAITING: usize = 100_000;

/// Passes exchanges to the writer, unless it lags too far behind.
struct EventQueue(Arc<Queue<RelayEvent>>);

impl Observe for EventQueue {
    fn exchange(&self, exchange: Exchange) {
        self.0
            .push(exchange.size(), RelayEvent::Exchange(Box::new(exchange)));
    }

    fn broken(&self, caller: SocketAddr, error: &io::Error) {
        let error = io::Error::new(error.kind(), error.to_string());
        self.0.push(0, RelayEvent::Broken(caller, error));
    }

    fn refused(&self, caller: SocketAddr, why: Refusal<'_>) {
        let why = match why {
            Refusal::Connections(most) => format!("{most} connections of its address are open"),
            Refusal::Host(host) => format!(
                "it asks for `{}`, which `--allow-host` would accept",
                excerpt(host)
            ),
        };
        self.0.push(why.len(), RelayEvent::Refused(caller, why));
    }
}

/// Relays until it is interrupted.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let service = open(arguments.definition.as_ref(), console)?;
    let mut recorder = Recorder::new(arguments, service)?;
    let queue = Arc::new(Queue::new(MOST_BYTES, MOST_WAITING));
    let callers = &arguments.callers;
    let upstream = callers.upstream(&arguments.upstream, &arguments.tls)?;
    let relay = Relay::new(upstream, Arc::new(EventQueue(Arc::clone(&queue))));
    let relay = callers.relay(relay.with_kept(arguments.max_bytes), &arguments.upstream)?;
    let runtime = runtime()?;
    let (listener, url) = callers.listen(&runtime)?;
    let upstream = relaying::plain(&arguments.upstream);
    let mut exit = console.print(format!("{url} forwards to {upstream}\n"));
    let written = Arc::clone(&queue);
    let running = relaying::start(relay, runtime, listener, move || written.close());
    while let Next::Item(event) = queue.next(None) {
        exit = exit.max(match event {
            RelayEvent::Exchange(exchange) => recorder.record(&exchange, console),
            RelayEvent::Broken(caller, error) => console.print(format!("{caller}: {error}\n")),
            RelayEvent::Refused(caller, why) => {
                console.print(format!("{caller} is refused: {why}\n"))
            }
        });
    }
    joined(running);
    Ok(exit.max(console.print(recorder.summary(queue.lost()))))
}

/// Writes exchanges, and counts them. Callers are not affected if writing fails.
struct Recorder<'a> {
    arguments: &'a Arguments,
    service: Option<Service>,
    mask: Option<Mask<'static>>,
    folder: Folder,
    archive: Option<HarFile>,
    written: u64,
    no_calls: u64,
    unarchived: u64,
}

impl<'a> Recorder<'a> {
    fn new(arguments: &'a Arguments, service: Option<Service>) -> Result<Self, String> {
        let folder = Folder::open(&arguments.out, arguments.max_exchanges)?;
        let archive = arguments.har.as_deref();
        let archive = archive.map(|path| HarFile::create(path, arguments.max_exchanges));
        Ok(Self {
            arguments,
            service,
            mask: service.map(|service| Mask::new(service.row()).with_limit(arguments.max_bytes)),
            folder,
            archive: archive.transpose()?,
            written: 0,
            no_calls: 0,
            unarchived: 0,
        })
    }

    fn record(&mut self, exchange: &Exchange, console: &Console) -> Exit {
        let mut exit = Exit::Done;
        let kept = KeptExchange::of(exchange, self.mask.as_ref());
        let is_no_call = is_no_call(self.service, &exchange.request);
        let read = self.service.filter(|_| !is_no_call);
        let values = read.and_then(|service| values::of(service, exchange));
        if let Some(archive) = &mut self.archive {
            let added = archive.add(&kept, self.arguments.upstream.scheme());
            self.unarchived += u64::from(!matches!(added, Ok(true)));
            if let Err(why) = added {
                exit = console.error(why);
            }
        }
        let (about, files) = parts(&kept, values.as_ref());
        let (name, written) = self.folder.keep(about, files, console);
        exit = exit.max(written);
        if let Some(name) = name {
            self.written += 1;
            self.no_calls += u64::from(is_no_call);
            exit = exit.max(console.print(format!("{name} {}\n", kept.line())));
        }
        exit
    }

    /// Summarises what was written, and what was not.
    fn summary(&self, lost: u64) -> String {
        let (written, folder) = (self.written, self.arguments.out.display());
        let mut summary = match (written, self.folder.removed()) {
            (1, 0) => format!("1 exchange is in {folder}"),
            (_, 0) => format!("{written} exchanges are in {folder}"),
            (_, removed) => {
                let newest = written.saturating_sub(removed);
                format!("{written} exchanges were written, and the newest {newest} are in {folder}")
            }
        };
        let counts = [
            (self.no_calls, ", ", " of them no call"),
            (
                lost,
                "; ",
                " passed faster than they could be written, and are not kept",
            ),
            (self.folder.unwritten(), "; ", " could not be written"),
            (self.unarchived, "; ", " are not in the archive"),
        ];
        for (count, before, after) in counts {
            if count > 0 {
                summary.push_str(&format!("{before}{count}{after}"));
            }
        }
        summary + "\n"
    }
}
