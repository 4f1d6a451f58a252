//! `svcgen mock`.

mod body;
mod exchange;
mod listener;
mod recorded;
mod rules;
mod secrets;
mod services;
mod serving;
mod soap_headers;
mod template;

use std::cell::RefCell;
use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use clap::Args;
use svcgen::documents::InvokeForm;
use svcgen::serve::Stopped;
use svcgen::{Documents, Router, serve};
use svcgen_codegen::read_file;
use svcgen_messages::Service;
use url::Url;

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::input::Inputs;
use crate::listening::{Listening, interrupted, joined, runtime};
use crate::queue::{Next, Queue};
use crate::seen::{Definitions, Files, contents, whenever_changed};
use listener::{Connections, ResettableListener};
use recorded::RecordedCalls;
use rules::Rules;
use services::Services;
use serving::{Answers, Mock};
use soap_headers::{HeaderOptions, UndeclaredHeaders};

/// Serves definitions without any code, with samples or with answers from rules and recordings
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen mock orders.yaml
  svcgen mock --rules rules.yaml --log orders.yaml
  svcgen mock --recorded recorded orders.yaml

Definitions, rules and recordings are reloaded when they change. If they contain
mistakes, the mock goes on with the previous ones. Ctrl-C ends it.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    /// Answers calls by the rules in this file
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,

    /// Answers calls from the recordings in this folder
    #[arg(long, value_name = "DIR")]
    recorded: Option<PathBuf>,

    #[command(flatten)]
    listening: Listening,

    /// Uses this base URL in documents, for a mock behind a proxy
    #[arg(long, value_name = "URL", conflicts_with = "trusted_proxy")]
    public_url: Option<String>,

    /// Trusts `Forwarded` and `X-Forwarded-*` from a proxy at this address, and uses them for
    /// addresses in documents
    #[arg(long, value_name = "ADDRESS")]
    trusted_proxy: Vec<IpAddr>,

    #[command(flatten)]
    headers: HeaderOptions,

    /// Prints a line of JSON for each call, with secrets masked
    #[arg(long)]
    log: bool,
}

/// The maximum number of lines about calls that wait to be printed.
const MOST_LINES: usize = 1024;

/// Serves until it is interrupted.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let log = arguments
        .log
        .then(|| Arc::new(Queue::new(usize::MAX, MOST_LINES)));
    let settings = Arc::new(arguments.settings()?);
    let mut services = Services::new(arguments.recorded.is_some());
    let started = RefCell::new(None::<Result<MockServer, Failure>>);
    let make = |definitions: &Definitions| {
        let (loaded, needed) = load(arguments, &settings, &mut services, definitions, console);
        let mut started = started.borrow_mut();
        match (&*started, loaded) {
            (None, loaded) => {
                let start = |loaded| start(arguments, loaded, log.clone(), console);
                *started = Some(loaded.and_then(start));
            }
            (Some(Ok(server)), Ok(loaded)) => {
                let addresses = loaded.addresses(&server.base);
                server.mock.serve(loaded);
                let _ = console.print(format!("read again\n{addresses}"));
            }
            (Some(Ok(_)), Err(failure)) => {
                let _ = console.ended(Err(failure));
                console.note("the mock still serves the previous version");
            }
            (Some(Err(_)), _) => {}
        }
        needed
    };
    let pause = |interval| {
        print_for(interval, log.as_deref(), console);
        matches!(&*started.borrow(), Some(Ok(server)) if !server.thread.is_finished())
    };
    whenever_changed(&arguments.inputs, true, make, pause)?;
    let Some(server) = started.into_inner().transpose()? else {
        return Ok(Exit::Done);
    };
    let ended = joined(server.thread);
    print_for(Duration::ZERO, log.as_deref(), console);
    let lost = log.map_or(0, |log| log.lost());
    if lost > 0 {
        console.note(format_args!(
            "{lost} calls came faster than they could be printed"
        ));
    }
    ended.map_err(|error| format!("connections cannot be accepted any more: {error}"))?;
    Ok(Exit::Done)
}

/// The settings of all services, which stay the same as long as the mock runs.
struct ServerSettings {
    documents: Documents,
    headers: UndeclaredHeaders,
    /// The hosts that requests may name, unless all are allowed.
    allowed_hosts: Option<Vec<String>>,
    is_logged: bool,
}

impl Arguments {
    /// Returns the settings from the arguments. May ask for a password.
    ///
    /// # Errors
    ///
    /// Returns an error if an argument is wrong, or the password is missing.
    fn settings(&self) -> Result<ServerSettings, String> {
        let mut documents = Documents::new().with_invoke_form(InvokeForm::FromLoopback);
        if !self.trusted_proxy.is_empty() {
            documents = documents.with_trusted_proxies(self.trusted_proxy.iter().copied());
        }
        if let Some(url) = &self.public_url {
            let with_url = documents.with_public_url(url);
            documents = with_url.map_err(|error| format!("--public-url: {error}"))?;
        }
        let public = self
            .public_url
            .as_ref()
            .and_then(|url| Url::parse(url).ok());
        let host = public.as_ref().and_then(Url::host_str);
        Ok(ServerSettings {
            documents,
            headers: self.headers.read()?,
            allowed_hosts: self.listening.allowed_hosts(None, host),
            is_logged: self.log,
        })
    }
}

/// Prints the log for a time.
fn print_for(time: Duration, log: Option<&Queue<String>>, console: &Console) {
    let end = Instant::now() + time;
    let Some(log) = log else {
        return thread::sleep(time);
    };
    while let Next::Item(line) = log.next(Some(end)) {
        let _ = console.print(line);
    }
}

/// The services as they were last read.
struct LoadedServices {
    router: Router,
    services: Vec<Service>,
}

impl LoadedServices {
    /// Lists the services with their addresses, a line each.
    fn addresses(&self, base: &str) -> String {
        let each = self.services.iter().map(|service| {
            let (name, path) = (service.name(), service.row().row().path);
            format!("{name} {base}{path}\n")
        });
        each.collect()
    }
}

/// Reads definitions, rules and recordings. Also returns the files that they need.
fn load(
    arguments: &Arguments,
    settings: &Arc<ServerSettings>,
    services: &mut Services,
    definitions: &Definitions,
    console: &Console,
) -> (Result<LoadedServices, Failure>, Files) {
    let (services, mut needed) = services.open(definitions, console);
    let rules = arguments.rules.as_ref().map(|path| {
        let read = read_file(path);
        needed.insert(path.clone(), read.as_ref().ok().cloned());
        (path.display().to_string(), read)
    });
    if let Some(folder) = &arguments.recorded {
        needed.insert(folder.clone(), contents(folder));
    }
    let loaded = services.and_then(|served| {
        let services: Vec<_> = served.iter().map(|served| served.service).collect();
        let rules = match rules {
            Some((name, Ok(bytes))) => rules::read(&name, &bytes, &services)?,
            Some((name, Err(error))) => {
                return Err(format!("the rules {name} cannot be read: {error}").into());
            }
            None => Rules::default(),
        };
        let recorded = arguments.recorded.as_ref();
        let recorded = recorded.map(|folder| RecordedCalls::read(folder, &served, console));
        let answers = Arc::new(Answers {
            rules,
            recorded: recorded.transpose()?,
            settings: Arc::clone(settings),
        });
        let mut router = Router::new();
        for service in &services {
            let added = router.add_service(answers.endpoint(*service));
            added.map_err(|conflict| conflict.to_string())?;
        }
        Ok(LoadedServices { router, services })
    });
    (loaded, needed)
}

/// A running server.
struct MockServer {
    mock: Mock,
    /// Scheme, host and port.
    base: String,
    thread: JoinHandle<io::Result<Stopped>>,
}

fn start(
    arguments: &Arguments,
    loaded: LoadedServices,
    log: Option<Arc<Queue<String>>>,
    console: &Console,
) -> Result<MockServer, Failure> {
    let tls = arguments.listening.tls()?;
    let runtime = runtime()?;
    let (listener, base) = arguments.listening.listen(&runtime)?;
    let _ = console.print(loaded.addresses(&base));
    let interrupted = interrupted();
    let connections = Connections::default();
    let mock = Mock::new(loaded, connections.clone(), log);
    let served = mock.clone();
    let thread = thread::spawn(move || {
        let listener = ResettableListener {
            listener,
            connections,
        };
        let mut server = serve(listener, served).with_shutdown(interrupted);
        if let Some(tls) = tls {
            server = server.with_tls(tls);
        }
        runtime.block_on(server.into_future())
    });
    Ok(MockServer { mock, base, thread })
}
