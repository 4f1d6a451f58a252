//! `svcgen replay`.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use svcgen_replay::{Likeness, Outcome, Rate, Replay, Report, Rules};
use tokio::runtime::Runtime;
use url::Url;

use crate::console::Console;
use crate::document::open_file;
use crate::exit::Exit;
use crate::files;
use crate::http_options::HttpOptions;
use crate::relaying::server_url;
use crate::secret_text::SecretText;

/// Sends recorded calls to a server, and compares its answers with the recorded ones
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen replay recorded --against http://localhost:8080 orders.yaml
  svcgen replay recorded --against http://localhost:8080 --report r.html s.yaml
  svcgen replay recorded --against http://10.0.0.7 --accept values orders.yaml

The recording is what `svcgen record` writes. All its calls are sent, those that
change something, too: never replay against a server whose data matter. The exit
code is 1 if an answer differs, 2 if a call cannot be sent, and 4 if one is not
answered; the greatest counts.")]
pub(crate) struct Arguments {
    /// The folder of recorded exchanges
    #[arg(value_name = "DIR")]
    recorded: PathBuf,

    /// The definition of the service, which tells values from their forms
    #[arg(value_name = "FILE")]
    definition: Option<PathBuf>,

    /// The server that calls are sent to
    #[arg(long, value_name = "URL", value_parser = server_url)]
    against: Url,

    /// How alike answers have to be
    #[arg(long, value_name = "LIKENESS", default_value = "bytes")]
    accept: Accepted,

    /// Rules of what does not count, in YAML: `ignore`, `near` and `learn`
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,

    /// Sends a value where the recording masks a parameter or a header of this name; it may be `env:NAME` or `file:PATH`
    #[arg(long, value_name = "NAME=VALUE", value_parser = secret)]
    secret: Vec<(String, SecretText)>,

    /// Replays the calls of an operation alone
    #[arg(long, value_name = "OPERATION")]
    only: Vec<String>,

    /// Replays the calls of operations alone that the definition says are safe
    #[arg(long)]
    safe_only: bool,

    /// Sends so many requests a second at most, as `20/s`, or `recorded`: as they came
    #[arg(long, value_name = "RATE", value_parser = rate)]
    rate: Option<Rate>,

    /// Sends so many requests at once; those of one connection stay in their order
    #[arg(long, value_name = "COUNT", default_value = "1", value_parser = concurrency)]
    concurrency: NonZeroUsize,

    /// Writes a report: `.html`, `.json` or, for JUnit, `.xml`
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,

    /// Prints so many differences
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    most_differences: usize,

    #[command(flatten)]
    http: HttpOptions,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Accepted {
    /// The same bytes
    Bytes,
    /// The same document
    Document,
    /// Equal values
    Values,
}

impl From<Accepted> for Likeness {
    fn from(accepted: Accepted) -> Self {
        match accepted {
            Accepted::Bytes => Self::Bytes,
            Accepted::Document => Self::Document,
            Accepted::Values => Self::Values,
        }
    }
}

fn secret(text: &str) -> Result<(String, SecretText), &'static str> {
    let (name, value) = text
        .split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or("write it as `name=env:VARIABLE`")?;
    let Ok(value) = value.parse();
    Ok((name.to_owned(), value))
}

fn rate(text: &str) -> Result<Rate, &'static str> {
    if text == "recorded" {
        return Ok(Rate::Recorded);
    }
    let number = text.strip_suffix("/s").unwrap_or(text);
    match number.parse::<f64>() {
        Ok(rate) if rate.is_finite() && rate >= 0.001 => Ok(Rate::PerSecond(rate)),
        _ => Err("write it as `20/s`, or `recorded`"),
    }
}

fn concurrency(text: &str) -> Result<NonZeroUsize, &'static str> {
    let count = text.parse().ok().and_then(NonZeroUsize::new);
    count
        .filter(|count| count.get() <= 1000)
        .ok_or("write a number from 1 to 1000")
}

/// The most bytes of an answer.
const MOST_BYTES: usize = 64 << 20;

/// A format of reports.
#[derive(Debug, Clone, Copy)]
enum Format {
    Html,
    Json,
    Junit,
}

impl Format {
    fn of(file: &Path) -> Result<Self, String> {
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("html" | "htm") => Ok(Self::Html),
            Some("json") => Ok(Self::Json),
            Some("xml") => Ok(Self::Junit),
            _ => Err(format!(
                "{}: name a report `.html`, `.json` or, for JUnit, `.xml`",
                file.display()
            )),
        }
    }

    fn text(self, report: &Report, accepted: Likeness) -> String {
        match self {
            Self::Html => report.to_html(accepted),
            Self::Json => format!("{:#}\n", report.to_json()),
            Self::Junit => report.to_junit(accepted),
        }
    }
}

pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    let service = arguments.definition.as_deref();
    let service = service.map(|file| open_file(file, console));
    let service = match service.transpose() {
        Ok(service) => service,
        Err(exit) => return exit,
    };
    match replay(arguments, service, console) {
        Ok(exit) => exit,
        Err(complaint) => console.error(complaint),
    }
}

fn replay(
    arguments: &Arguments,
    service: Option<svcgen_messages::Service>,
    console: &Console,
) -> Result<Exit, String> {
    let formats = arguments.report.iter().map(|file| Format::of(file));
    let formats = formats.collect::<Result<Vec<_>, _>>()?;
    let url = arguments.against.as_str().parse();
    let url = url.map_err(|error| format!("{}: {error}", arguments.against))?;
    let mut replay = Replay::new(&arguments.recorded)
        .with_url(url)
        .with_concurrency(arguments.concurrency)
        .with_rules(rules(arguments.rules.as_deref())?);
    if let Some(service) = service {
        replay = replay.with_service(service);
    }
    if let Some(rate) = arguments.rate {
        replay = replay.with_rate(rate);
    }
    if arguments.safe_only {
        replay = replay.safe_only();
    }
    for operation in &arguments.only {
        replay = replay.only(operation);
    }
    for (name, value) in &arguments.secret {
        replay = replay.with_secret(name, &value.read(name)?);
    }
    // A request says itself whether its answer may be compressed.
    let transport = arguments.http.transport()?.with_gzip(false);
    let transport = transport.with_body_limit(MOST_BYTES);
    let runtime = Runtime::new().map_err(|error| format!("threads cannot be started: {error}"))?;
    let report = runtime.block_on(replay.run(&transport));
    let report = report.map_err(|error| error.to_string())?;
    if report.exchanges().is_empty() {
        return Err(format!(
            "{} has no call of what is asked for",
            arguments.recorded.display()
        ));
    }
    let accepted = arguments.accept.into();
    let mut exit = console.print(report.to_text(accepted, arguments.most_differences));
    for (file, format) in arguments.report.iter().zip(formats) {
        let text = format.text(&report, accepted);
        exit = exit.max(files::write(file, &text, console));
    }
    for exchange in report.exchanges() {
        exit = exit.max(match exchange.outcome {
            Outcome::Compared(_) => Exit::Done,
            Outcome::Unanswered(_) => Exit::Unreached,
            Outcome::Unsent(_) => Exit::Failed,
        });
    }
    if report
        .verify(accepted)
        .is_err_and(|error| error.has_differences())
    {
        exit = exit.max(Exit::Found);
    }
    Ok(exit)
}

fn rules(file: Option<&Path>) -> Result<Rules, String> {
    let Some(file) = file else {
        return Ok(Rules::new());
    };
    let told = |why: String| format!("{}: {why}", file.display());
    let text = fs::read_to_string(file).map_err(|error| told(error.to_string()))?;
    Rules::from_yaml(&text).map_err(|error| told(error.to_string()))
}
