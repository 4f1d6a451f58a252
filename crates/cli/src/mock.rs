//! `svcgen mock`.

mod body;
mod exchange;
mod listener;
mod recorded;
mod rules;
mod secrets;
mod services;
mod serving;
mod template;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use clap::Args;
use svcgen::serve::{Stopped, Tls};
use svcgen::{Router, serve};
use svcgen_codegen::read_file;
use svcgen_messages::Service;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::console::Console;
use crate::exit::Exit;
use crate::files;
use crate::input::Inputs;
use crate::relaying::{is_loopback, local_names};
use crate::seen::{Definitions, Files, contents, whenever_changed};
use listener::{Connections, Resettable};
use recorded::Recorded;
use rules::{Rules, Wrong};
use services::{Served, Services};
use serving::{Answers, Log, Mock};

/// Serves definitions at once, with samples or with answers from rules and recordings
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen mock orders.yaml
  svcgen mock --rules rules.yaml --log orders.yaml
  svcgen mock --recorded recorded orders.yaml

Definitions, rules and recordings are read again when they change; with mistakes
in them, what was served before stays. Ctrl-C ends it.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    /// Answers calls by the rules of a file
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,

    /// Answers calls as they were answered in the recordings of a folder
    #[arg(long, value_name = "DIR")]
    recorded: Option<PathBuf>,

    /// Where callers connect; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    address: SocketAddr,

    /// Answers requests that name this host, too. At a loopback address only those that name this machine are answered
    #[arg(long, value_name = "HOST", value_parser = crate::document::host)]
    allow_host: Vec<String>,

    /// Speaks TLS to callers, with the certificates of a PEM file
    #[arg(long, value_name = "FILE", requires = "key")]
    certificate: Option<PathBuf>,

    /// The private key of the first certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "certificate")]
    key: Option<PathBuf>,

    /// Prints a line of JSON about each call, without secrets
    #[arg(long)]
    log: bool,
}

/// The lines about calls that wait to be printed at most.
const MOST_LINES: usize = 1024;

/// Serves until it is interrupted.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    if arguments.inputs.has_stdin() {
        return console.error("standard input cannot be watched; name files");
    }
    let (lines, logged) = sync_channel(MOST_LINES);
    let lost = Arc::new(AtomicU64::new(0));
    let log = arguments.log.then(|| Log {
        lines,
        lost: Arc::clone(&lost),
    });
    let mut services = Services::new(arguments.recorded.is_some());
    let started = std::cell::RefCell::new(None::<Result<Started, Exit>>);
    let make = |definitions: &Definitions| {
        let (router, needed) = load(arguments, &mut services, definitions, console);
        let mut started = started.borrow_mut();
        match (&*started, router) {
            (None, Ok(loaded)) => *started = Some(start(arguments, loaded, log.clone(), console)),
            (None, Err(exit)) => *started = Some(Err(exit)),
            (Some(Ok(running)), Ok(loaded)) => {
                let addresses = loaded.addresses(&running.base);
                running.mock.serve(loaded);
                let _ = console.print(format!("read again\n{addresses}"));
            }
            (Some(Ok(_)), Err(_)) => console.note("what was served before stays"),
            (Some(Err(_)), _) => {}
        }
        needed
    };
    let pause = |interval| {
        print_for(interval, &logged, console);
        matches!(&*started.borrow(), Some(Ok(running)) if !running.thread.is_finished())
    };
    whenever_changed(&arguments.inputs, true, make, pause);
    let running = match started.into_inner() {
        Some(Ok(running)) => running,
        Some(Err(exit)) => return exit,
        None => return Exit::Done,
    };
    let ended = running.thread.join();
    let ended = ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    print_for(Duration::ZERO, &logged, console);
    let lost = lost.load(Ordering::Relaxed);
    if lost > 0 {
        console.note(format_args!(
            "{lost} calls came faster than they could be printed"
        ));
    }
    match ended {
        Ok(_) => Exit::Done,
        Err(error) => console.error(format_args!("callers cannot be accepted any more: {error}")),
    }
}

/// Prints what is logged for a time.
fn print_for(time: Duration, logged: &Receiver<String>, console: &Console) {
    let end = Instant::now() + time;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match logged.recv_timeout(left) {
            Ok(line) => drop(console.print(line)),
            Err(RecvTimeoutError::Timeout) => return,
            // Nothing is logged.
            Err(RecvTimeoutError::Disconnected) => return thread::sleep(left),
        }
    }
}

/// What is served, as it was read last.
struct Loaded {
    router: Router,
    services: Vec<Service>,
}

impl Loaded {
    /// The services with their addresses, a line each.
    fn addresses(&self, base: &str) -> String {
        let each = self.services.iter().map(|service| {
            let (name, path) = (service.name(), service.row().row().path);
            format!("{name} {base}{path}\n")
        });
        each.collect()
    }
}

/// Reads definitions, rules and recordings; returns the files that these need, too.
fn load(
    arguments: &Arguments,
    services: &mut Services,
    definitions: &Definitions,
    console: &Console,
) -> (Result<Loaded, Exit>, Files) {
    let (services, mut needed) = services.open(definitions, console);
    let rules = arguments.rules.as_ref().map(|path| {
        let read = read_file(path);
        needed.insert(path.clone(), read.as_ref().ok().cloned());
        (path, read)
    });
    if let Some(folder) = &arguments.recorded {
        needed.insert(folder.clone(), contents(folder));
    }
    let loaded = services.and_then(|served| {
        let services: Vec<_> = served.iter().map(|served| served.service).collect();
        let rules = match rules {
            Some((path, read)) => read_rules(path, read, &services, console)?,
            None => Rules::default(),
        };
        let recorded = match &arguments.recorded {
            Some(folder) => Some(read_recorded(folder, &served, console)?),
            None => None,
        };
        let (address, allowed) = (arguments.address, &arguments.allow_host);
        // A page whose name leads here (DNS rebinding) gets nothing.
        let is_checked = is_loopback(address) || !allowed.is_empty();
        let names = local_names(address).into_iter().chain(allowed.clone());
        let answers = Arc::new(Answers {
            rules,
            recorded,
            is_logged: arguments.log,
            allowed_hosts: is_checked.then(|| names.collect()),
        });
        let mut router = Router::new();
        for service in &services {
            let added = router.add_service(answers.endpoint(*service));
            added.map_err(|conflict| console.error(conflict))?;
        }
        Ok(Loaded { router, services })
    });
    (loaded, needed)
}

fn read_rules(
    path: &std::path::Path,
    read: io::Result<Vec<u8>>,
    services: &[Service],
    console: &Console,
) -> Result<Rules, Exit> {
    let name = path.display().to_string();
    let bytes = read
        .map_err(|error| console.error(format_args!("the rules {name} cannot be read: {error}")))?;
    rules::read(&name, &bytes, services).map_err(|wrong| match wrong {
        Wrong::Diagnostics(diagnostics) => console.report(&diagnostics),
        Wrong::Complaints(complaints) => {
            for complaint in complaints {
                let _ = console.error(complaint);
            }
            Exit::Found
        }
    })
}

fn read_recorded(
    folder: &std::path::Path,
    services: &[Served],
    console: &Console,
) -> Result<Recorded, Exit> {
    let read = Recorded::read(folder, services);
    let (recorded, unread) = read.map_err(|complaint| console.error(complaint))?;
    for one in unread {
        console.note(one);
    }
    Ok(recorded)
}

/// A server that runs.
struct Started {
    mock: Mock,
    /// Scheme, host and port.
    base: String,
    thread: JoinHandle<io::Result<Stopped>>,
}

fn start(
    arguments: &Arguments,
    loaded: Loaded,
    log: Option<Log>,
    console: &Console,
) -> Result<Started, Exit> {
    let tls = match (&arguments.certificate, &arguments.key) {
        (Some(certificate), Some(key)) => {
            let tls = Tls::from_pem_files(certificate, key);
            Some(tls.map_err(|error| console.error(error))?)
        }
        _ => None,
    };
    let runtime = Runtime::new();
    let runtime = runtime
        .map_err(|error| console.error(format_args!("threads cannot be started: {error}")))?;
    let address = arguments.address;
    let listener = runtime.block_on(TcpListener::bind(address));
    let listener = listener
        .map_err(|error| console.error(format_args!("{address} cannot be listened to: {error}")))?;
    let address = listener.local_addr().unwrap_or(address);
    let scheme = if tls.is_some() { "https" } else { "http" };
    let base = format!("{scheme}://{address}");
    let _ = console.print(loaded.addresses(&base));
    let (stop, stopped) = oneshot::channel();
    files::when_interrupted(move || {
        // If the server has ended, so does the command.
        let _ = stop.send(());
    });
    let connections = Connections::default();
    let mock = Mock::new(loaded, connections.clone(), log);
    let served = mock.clone();
    let thread = thread::spawn(move || {
        let listener = Resettable {
            listener,
            connections,
        };
        let mut server = serve(listener, served).with_shutdown(async {
            let _ = stopped.await;
        });
        if let Some(tls) = tls {
            server = server.with_tls(tls);
        }
        runtime.block_on(server.into_future())
    });
    Ok(Started { mock, base, thread })
}
