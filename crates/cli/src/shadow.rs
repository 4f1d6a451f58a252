//! `svcgen shadow`.

mod admin;
pub(crate) mod finding;
mod metrics;
mod report;
mod rollback;
mod sampler;
mod worker;

use std::net::SocketAddr;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use svcgen::mask::Mask;
use svcgen_relay::{Relay, Share, Split, SplitBy, Upstream};
use url::Url;

use crate::console::Console;
use crate::document::open;
use crate::exit::{Exit, Failure};
use crate::http_options::TlsOptions;
use crate::listening::{joined, listen, runtime};
use crate::queue::{Next, Queue};
use crate::record::folder::{Folder, MOST_EXCHANGES};
use crate::relaying::{self, Callers};
use crate::replay::Comparing;
use admin::Admin;
use finding::{Finding, FindingsLog};
use report::Report;
use sampler::Sampler;
use worker::Worker;

/// Forwards calls to the original, sends a copy to a candidate, and compares the answers
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen shadow --original https://old --candidate http://new:8080 orders.yaml
  svcgen shadow --original http://old --candidate http://new --sample 1%

The original answers all callers, except those moved by --split. The candidate
gets copies of calls of operations that the definition marks `read_only`, or
without a definition, of calls by GET. Other requests, such as ?wsdl, are counted
but not compared. `--split 5% --metrics 127.0.0.1:9090` moves callers, and
`curl -X PUT -d 0% http://127.0.0.1:9090/split` moves them back.
Ctrl-C ends it.")]
pub(crate) struct Arguments {
    /// The definition of the service, to compare values, find `read_only` operations and mask
    /// secrets
    #[arg(value_name = "FILE")]
    definition: Option<PathBuf>,

    /// Forwards calls to this server, which answers callers
    #[arg(long, value_name = "URL", value_parser = relaying::server_url)]
    original: Url,

    /// Compares the answers of this server with the original's
    #[arg(long, value_name = "URL", value_parser = relaying::server_url)]
    candidate: Url,

    #[command(flatten)]
    callers: Callers,

    #[command(flatten)]
    tls: TlsOptions,

    /// Sends the candidate this share of the calls
    #[arg(long, value_name = "SHARE", default_value = "10%")]
    sample: Share,

    /// Also sends the candidate calls that may change something
    #[arg(long)]
    include_writes: bool,

    #[command(flatten)]
    comparing: Comparing,

    /// Sends the candidate this many requests at a time
    #[arg(long, value_name = "COUNT", default_value = "4")]
    concurrency: NonZeroUsize,

    /// Limits the time for each answer of the candidate
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,

    /// Does not sample calls with longer bodies; it only forwards them
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20)]
    max_bytes: usize,

    /// Writes exchanges whose answers differ into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Keeps this many of the newest exchanges, and removes older ones that it wrote
    #[arg(long, value_name = "COUNT", default_value_t = MOST_EXCHANGES, requires = "out")]
    max_exchanges: NonZeroU64,

    /// Prints a summary this often
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    summary_every: u64,

    /// Serves metrics for Prometheus at /metrics, and the share of moved callers at /split
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,

    /// Moves this share of the callers to the candidate
    #[arg(long, value_name = "SHARE", requires = "metrics")]
    split: Option<Share>,

    /// Decides by this key which callers move
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "caller",
        requires = "split"
    )]
    split_by: SplitKey,

    /// Moves all callers back if more than this share of the samples differs, or of the candidate's
    /// calls fails
    #[arg(long, value_name = "SHARE", requires = "split", value_parser = rollback::rollback_at)]
    rollback_at: Option<Share>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SplitKey {
    /// The address of the caller, so that a caller stays on its side
    Caller,
    /// The connection, for callers behind a load balancer
    Connection,
}

/// The limits of samples not yet sent to the candidate, and of findings not yet printed: in bytes,
/// and in number, of each.
const MOST_BYTES: usize = 64 << 20;
const MOST_WAITING: usize = 1000;
/// The maximum delay of the message that callers were moved back.
const TICK: Duration = Duration::from_millis(200);
/// The time that samples may take after the relay has ended.
const GRACE: Duration = Duration::from_secs(5);

/// Relays until it is interrupted.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let service = open(arguments.definition.as_ref(), console)?;
    let rules = arguments.comparing.rules()?;
    let folder = arguments.out.as_deref();
    let folder = folder.map(|out| Folder::open(out, arguments.max_exchanges));
    let folder = folder.transpose()?;
    let callers = &arguments.callers;
    let original = callers.upstream(&arguments.original, &arguments.tls)?;
    let candidate = callers.server(&arguments.candidate, None, &arguments.tls)?;
    let split = arguments.split(&candidate);
    let samples = Arc::new(Queue::new(MOST_BYTES, MOST_WAITING));
    let findings = Arc::new(Queue::new(MOST_BYTES, MOST_WAITING));
    let report = Arc::new(Report::new(
        arguments.comparing.accepted(),
        split.clone(),
        arguments.rollback_at,
        Arc::clone(&samples),
    )?);
    let sampler = Sampler {
        service,
        share: arguments.sample,
        samples: Arc::clone(&samples),
        report: Arc::clone(&report),
        calls: AtomicU64::new(0),
    };
    let relay = Relay::new(original, Arc::new(sampler));
    let mut relay = callers.relay(relay, &arguments.original)?;
    relay = relay.with_kept(arguments.max_bytes);
    if let Some(split) = &split {
        relay = relay.with_split(Arc::clone(split));
    }

    let runtime = runtime()?;
    let (listener, url) = callers.listen(&runtime)?;
    let original = relaying::plain(&arguments.original);
    let line = format!(
        "{url} forwards to {original}, and {} of the calls to {} as well\n",
        arguments.sample,
        relaying::plain(&arguments.candidate)
    );
    let mut exit = console.print(line);
    if let Some(address) = arguments.metrics {
        let (listener, address) = listen(address, &runtime)?;
        let admin = Admin::new(Arc::clone(&report), split, address);
        runtime.spawn(admin.serve(listener));
        exit = exit.max(console.print(format!("metrics are at http://{address}/metrics\n")));
    }
    let worker = || {
        Worker::new(
            candidate.clone(),
            service,
            rules.clone(),
            arguments,
            Arc::clone(&report),
            Arc::clone(&findings),
        )
    };
    let workers = (0..arguments.concurrency.get()).map(|_| Ok(worker()?.start(&samples)));
    let workers: Vec<_> = workers.collect::<Result<_, String>>()?;
    let last = Arc::clone(&findings);
    let running = relaying::start(relay, runtime, listener, move || {
        samples.close_after(GRACE);
        for worker in workers {
            // The message of a worker's panic was already printed.
            let _ = worker.join();
        }
        last.close();
    });
    let mask = service.map(|service| Mask::new(service.row()).with_limit(arguments.max_bytes));
    let log = FindingsLog::new(service, mask, folder, report.accepted());
    exit = exit.max(arguments.tell(log, &findings, &report, console));
    joined(running);
    Ok(exit)
}

impl Arguments {
    /// Returns the split that moves callers to the candidate, if there is one.
    fn split(&self, candidate: &Upstream) -> Option<Arc<Split>> {
        let by = match self.split_by {
            SplitKey::Caller => SplitBy::Caller,
            SplitKey::Connection => SplitBy::Connection,
        };
        let split = |share| Split::new(candidate.clone(), share).with_by(by);
        self.split.map(split).map(Arc::new)
    }

    /// Prints findings until there are no more, and a summary from time to time.
    fn tell(
        &self,
        mut log: FindingsLog,
        findings: &Queue<Finding>,
        report: &Report,
        console: &Console,
    ) -> Exit {
        let mut exit = Exit::Done;
        let every = Duration::from_secs(self.summary_every);
        let mut summary = Instant::now() + every;
        loop {
            let next = findings.next(Some(summary.min(Instant::now() + TICK)));
            if let Some(why) = report.take_moved_back() {
                exit = exit.max(console.print(format!("{why}\n")));
            }
            let is_last = matches!(next, Next::Closed);
            if let Next::Item(finding) = next {
                exit = exit.max(log.tell(&finding, console));
            }
            if is_last || Instant::now() >= summary {
                exit = exit.max(console.print(report.summary(log.left_out(findings))));
                summary = Instant::now() + every;
            }
            if is_last {
                break;
            }
        }
        match log.unwritten() {
            0 => exit,
            count => {
                let line = format!("{count} exchanges could not be written\n");
                exit.max(console.print(line))
            }
        }
    }
}
