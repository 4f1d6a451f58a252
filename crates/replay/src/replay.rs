//! The replay of recorded exchanges.

mod run;

use std::collections::{BTreeSet, VecDeque};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use http::Uri;
use svcgen::Transport;
use svcgen_messages::Service;
use svcgen_testing::{RecordedExchange, ReplayError};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::comparer::Comparer;
use crate::fill::MaskedValues;
use crate::recording::About;
use crate::report::Report;
use crate::rules::Rules;
use run::{Run, State, Waiting, all};

/// The rate at which requests are sent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rate {
    /// At most this number per second.
    PerSecond(f64),
    /// At the intervals at which they were recorded.
    Recorded,
}

/// Sends recorded exchanges to a server, and compares its answers with the recorded ones.
///
/// The folder is one that `svcgen record` wrote, or any that [`svcgen_testing::Replay`] can read.
/// Requests are sent in the order of their names, with the recorded method, path, headers and body;
/// the headers of the connection and `Host` come from the transport.
///
/// ```no_run
/// use svcgen_messages::Service;
/// use svcgen_replay::{Likeness, Replay};
///
/// # async fn example(server: svcgen::Router) -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::open("service-defs/orders.yaml")?;
/// let report = Replay::new("tests/recorded").with_service(service).run(&server).await?;
/// report.verify(Likeness::SameValues)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Replay {
    folder: PathBuf,
    service: Option<Service>,
    rules: Rules,
    url: Option<Uri>,
    only: BTreeSet<String>,
    is_read_only: bool,
    rate: Option<Rate>,
    concurrency: NonZeroUsize,
    values: MaskedValues,
}

impl Replay {
    /// Creates a replay of the exchanges in a folder. A relative path starts from the current
    /// folder, which in a test is the folder of the package.
    pub fn new(folder: impl AsRef<Path>) -> Self {
        Self {
            folder: folder.as_ref().to_owned(),
            service: None,
            rules: Rules::new(),
            url: None,
            only: BTreeSet::new(),
            is_read_only: false,
            rate: None,
            concurrency: NonZeroUsize::MIN,
            values: MaskedValues::default(),
        }
    }

    /// Uses a definition to compare answers.
    #[must_use]
    pub fn with_service(mut self, service: Service) -> Self {
        self.service = Some(service);
        self
    }

    /// Sets the rules for differences that do not count.
    #[must_use]
    pub fn with_rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Sends requests to the URL of a server, such as `https://test.example.com`, for transports
    /// that connect. Servers in the same process need no URL.
    #[must_use]
    pub fn with_url(mut self, url: Uri) -> Self {
        self.url = Some(url);
        self
    }

    /// Replays only the calls of an operation, and of others added by the same method. It needs a
    /// definition.
    #[must_use]
    pub fn only(mut self, operation: impl Into<String>) -> Self {
        self.only.insert(operation.into());
        self
    }

    /// Replays only calls of operations that the definition declares as `read_only`.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.is_read_only = true;
        self
    }

    /// Waits between requests. It needs the timer of tokio.
    #[must_use]
    pub fn with_rate(mut self, rate: Rate) -> Self {
        self.rate = Some(rate);
        self
    }

    /// Sends up to this number of requests at once. The requests of one recorded connection keep
    /// their order.
    #[must_use]
    pub fn with_concurrency(mut self, requests: NonZeroUsize) -> Self {
        self.concurrency = requests;
        self
    }

    /// Sets the values that are masked in recordings.
    #[must_use]
    pub fn with_values(mut self, values: MaskedValues) -> Self {
        self.values = values;
        self
    }

    /// Sends the calls, and compares the answers. Other requests, such as for the WSDL, are not
    /// sent ([`Outcome::NotACall`](crate::Outcome::NotACall)).
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be read or contains no selected call, if operations
    /// are selected without a definition, or if the definition has no operation of a selected name.
    pub async fn run<T: Transport>(&self, server: T) -> Result<Report, ReplayFailed> {
        self.check()?;
        let exchanges = RecordedExchange::in_folder(&self.folder)?;
        let count = exchanges.len();
        let comparer = Comparer::new(self.service, self.rules.clone());
        let mut waiting = VecDeque::with_capacity(count);
        let mut replayed = Vec::new();
        replayed.resize_with(count, || None);
        for (index, exchange) in exchanges.into_iter().enumerate() {
            let about = About::of(exchange.path()).map_err(ReplayFailed)?;
            waiting.push_back(Waiting {
                index,
                lane: about.lane(),
                exchange,
                about,
            });
        }
        let first = waiting.front().map(|one| one.about.clone());
        let run = Run {
            replay: self,
            comparer,
            server,
            started: Instant::now(),
            first: first.unwrap_or_default(),
            freed: Notify::new(),
            state: Mutex::new(State {
                waiting,
                busy: BTreeSet::new(),
                values: self.values.clone(),
                sent: 0,
                replayed,
            }),
        };
        let workers = self.concurrency.get().min(count);
        let mut workers: Vec<_> = (0..workers).map(|_| Box::pin(run.work())).collect();
        all(&mut workers).await;
        drop(workers);
        let state = run.state.into_inner();
        let state = state.unwrap_or_else(PoisonError::into_inner);
        let report = Report::new(state.replayed.into_iter().flatten().collect());
        report.with_calls().map_err(|why| {
            let folder = self.folder.display();
            ReplayFailed(format!("{folder}: {why}"))
        })
    }

    fn check(&self) -> Result<(), ReplayFailed> {
        let Some(service) = self.service else {
            if self.is_read_only || !self.only.is_empty() {
                let why = "which operation a request calls is known with a definition alone";
                return Err(ReplayFailed(why.to_owned()));
            }
            return Ok(());
        };
        for name in &self.only {
            let operation = service.operation(name);
            operation.map_err(|error| ReplayFailed(error.to_string()))?;
        }
        Ok(())
    }

    /// Whether the calls of an operation are replayed.
    fn wants(&self, operation: Option<svcgen_messages::Operation>) -> bool {
        let is_named = |name: &str| self.only.is_empty() || self.only.contains(name);
        match operation {
            Some(operation) => {
                is_named(operation.name()) && (!self.is_read_only || operation.row().read_only)
            }
            None => self.only.is_empty() && !self.is_read_only,
        }
    }
}

/// The error for a replay that sent nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayFailed(String);

impl std::fmt::Display for ReplayFailed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReplayFailed {}

impl From<ReplayError> for ReplayFailed {
    fn from(error: ReplayError) -> Self {
        Self(error.to_string())
    }
}
