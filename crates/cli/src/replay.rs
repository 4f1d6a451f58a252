//! `svcgen replay`.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use svcgen_replay::{Likeness, MaskedValues, Outcome, Rate, Replay, Report, Rules};
use url::Url;

use crate::console::Console;
use crate::document::open;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::http_options::HttpOptions;
use crate::json::escaped;
use crate::listening::runtime;
use crate::relaying::server_url;
use crate::secret_text::SecretText;

/// Sends recorded calls to a server, and compares its answers with the recorded ones
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen replay recorded --against http://localhost:8080 orders.yaml
  svcgen replay recorded --against http://localhost:8080 --report r.html s.yaml
  svcgen replay recorded --against http://10.0.0.7 --accept same-values s.yaml
  svcgen replay r --against http://new --secret 'pin[user=ann]=env:ANN' s.yaml

`svcgen record` writes the recording. All recorded calls are sent, including
those that change something: never replay against a server whose data matter.
Other requests, such as ?wsdl, are counted but not sent. The exit code is 1 if
an answer differs, 2 if a call cannot be sent, and 4 if a call is not answered;
the greatest counts.")]
pub(crate) struct Arguments {
    /// The folder of recorded exchanges
    #[arg(value_name = "DIR")]
    recorded: PathBuf,

    /// The definition of the service, to compare answers by their values
    #[arg(value_name = "FILE")]
    definition: Option<PathBuf>,

    /// Sends calls to this server
    #[arg(long, value_name = "URL", value_parser = server_url)]
    against: Url,

    #[command(flatten)]
    comparing: Comparing,

    /// Sends this value wherever the recording masks a parameter or header of this name; the value
    /// may be `env:NAME` or `file:PATH`. `NAME[PARAMETER=TEXT]=VALUE` limits it to requests with
    /// this parameter
    #[arg(long, value_name = "NAME=VALUE", value_parser = FilledSecret::read)]
    secret: Vec<FilledSecret>,

    /// Replays only the calls of this operation
    #[arg(long, value_name = "OPERATION")]
    only: Vec<String>,

    /// Replays only calls of operations that the definition marks `read_only`
    #[arg(long)]
    read_only: bool,

    /// Sends at most this many requests a second, such as `20/s`, or `recorded` for the recorded
    /// pace
    #[arg(long, value_name = "RATE", value_parser = rate)]
    rate: Option<Rate>,

    /// Sends this many requests at once; those of one connection stay in order
    #[arg(long, value_name = "COUNT", default_value = "1", value_parser = concurrency)]
    concurrency: NonZeroUsize,

    #[command(flatten)]
    reporting: Reporting,

    #[command(flatten)]
    http: HttpOptions,
}

/// The arguments of `svcgen replay` and `svcgen prove` that say what is told.
#[derive(Debug, Args)]
pub(crate) struct Reporting {
    /// Writes a report: `.html`, `.json` or, for JUnit, `.xml`
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,

    /// Prints at most this many differences, each once, with its exchanges
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    max_differences: usize,
}

impl Reporting {
    /// Returns the formats of the reports. Called before anything is sent, to find mistakes first.
    pub fn formats(&self) -> Result<Vec<Format>, String> {
        self.report.iter().map(|file| Format::of(file)).collect()
    }

    /// Prints a report, and writes it in the given formats. Returns the exit code.
    pub fn tell(
        &self,
        report: &Report,
        formats: &[Format],
        accepted: Likeness,
        console: &Console,
    ) -> Exit {
        let mut exit = console.print(report.to_text(accepted, self.max_differences));
        for (file, format) in self.report.iter().zip(formats) {
            let text = format.text(report, accepted);
            exit = exit.max(files::write(file, &text, console));
        }
        for exchange in report.exchanges() {
            exit = exit.max(match exchange.outcome {
                Outcome::Compared(_) | Outcome::NotACall => Exit::Done,
                Outcome::Unanswered(_) => Exit::Unreached,
                Outcome::Unsent(_) => Exit::Failed,
            });
        }
        let verified = report.verify(accepted);
        if verified.is_err_and(|error| error.has_differences()) {
            exit = exit.max(Exit::Found);
        }
        exit
    }
}

/// The arguments of `svcgen replay` and `svcgen shadow` that say how answers are compared.
#[derive(Debug, Args)]
pub(crate) struct Comparing {
    /// Accepts answers that are at least this similar
    #[arg(long, value_name = "LIKENESS", default_value = "identical")]
    accept: Accepted,

    /// Ignores differences by the rules in this YAML file: `ignore`, `near`, `learn`, and `depart`
    /// for `svcgen prove`
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
}

impl Comparing {
    /// Returns the least likeness of accepted answers.
    pub fn accepted(&self) -> Likeness {
        match self.accept {
            Accepted::Identical => Likeness::Identical,
            Accepted::SameDocument => Likeness::SameDocument,
            Accepted::SameValues => Likeness::SameValues,
        }
    }

    pub fn rules(&self) -> Result<Rules, String> {
        let Some(file) = &self.rules else {
            return Ok(Rules::new());
        };
        let failed = |why: String| format!("{}: {why}", file.display());
        let text = fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
        Rules::from_yaml(&text).map_err(|error| failed(error.to_string()))
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Accepted {
    /// The same bytes
    Identical,
    /// The same XML or JSON document, however it is written
    SameDocument,
    /// Equal values
    SameValues,
}

/// A value for a parameter or header that recordings mask.
#[derive(Debug, Clone)]
pub(crate) struct FilledSecret {
    name: String,
    beside: Option<(String, String)>,
    value: SecretText,
}

impl FilledSecret {
    pub fn read(text: &str) -> Result<Self, &'static str> {
        const LIKE: &str = "write it as `name=env:VARIABLE` or `name[parameter=text]=env:VARIABLE`";
        let end = text.find(['=', '[']).ok_or(LIKE)?;
        let (name, rest) = text.split_at(end);
        let (beside, value) = match rest.strip_prefix('[') {
            None => (None, &rest[1..]),
            Some(rest) => {
                let (beside, value) = rest.split_once("]=").ok_or(LIKE)?;
                let (parameter, text) = beside.split_once('=').ok_or(LIKE)?;
                if parameter.is_empty() {
                    return Err(LIKE);
                }
                (Some((parameter.to_owned(), text.to_owned())), value)
            }
        };
        if name.is_empty() {
            return Err(LIKE);
        }
        let Ok(value) = value.parse();
        let name = name.to_owned();
        Ok(Self {
            name,
            beside,
            value,
        })
    }
}

/// Returns the values that replace masked ones. May ask for some.
pub(crate) fn masked_values(secrets: &[FilledSecret]) -> Result<MaskedValues, String> {
    let mut values = MaskedValues::default();
    for FilledSecret {
        name,
        beside,
        value,
    } in secrets
    {
        values = match beside {
            None => values.with(name, &value.read(name)?),
            Some((parameter, text)) => {
                let value = value.read(&format!("{name} where {parameter} is {text}"))?;
                values.with_where(name, (parameter, text), &value)
            }
        };
    }
    Ok(values)
}

fn rate(text: &str) -> Result<Rate, &'static str> {
    if text == "recorded" {
        return Ok(Rate::Recorded);
    }
    let rate = per_second(text).map(Rate::PerSecond);
    rate.ok_or("write it as `20/s`, or `recorded`")
}

/// Parses the number of calls per second, such as `20/s`.
pub(crate) fn per_second(text: &str) -> Option<f64> {
    let number = text.strip_suffix("/s").unwrap_or(text).parse::<f64>();
    let is_rate = |rate: &f64| rate.is_finite() && *rate >= 0.001;
    number.ok().filter(is_rate)
}

pub(crate) fn concurrency(text: &str) -> Result<NonZeroUsize, &'static str> {
    let count = text.parse().ok().and_then(NonZeroUsize::new);
    count
        .filter(|count| count.get() <= 1000)
        .ok_or("write a number from 1 to 1000")
}

/// The maximum length of an answer in bytes.
pub(crate) const MOST_BYTES: usize = 64 << 20;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Format {
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
            Self::Json => escaped(&format!("{:#}\n", report.to_json())),
            Self::Junit => report.to_junit(accepted),
        }
    }
}

/// Replays, and prints the differences of answers.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let service = open(arguments.definition.as_ref(), console)?;
    let formats = arguments.reporting.formats()?;
    let url = arguments.against.as_str().parse();
    let url = url.map_err(|error| format!("{}: {error}", arguments.against))?;
    let mut replay = Replay::new(&arguments.recorded)
        .with_url(url)
        .with_concurrency(arguments.concurrency)
        .with_rules(arguments.comparing.rules()?)
        .with_values(masked_values(&arguments.secret)?);
    if let Some(service) = service {
        replay = replay.with_service(service);
    }
    if let Some(rate) = arguments.rate {
        replay = replay.with_rate(rate);
    }
    if arguments.read_only {
        replay = replay.read_only();
    }
    for operation in &arguments.only {
        replay = replay.only(operation);
    }
    // Each request decides itself whether its answer may be compressed.
    let transport = arguments.http.transport()?.with_gzip(false);
    let transport = transport.with_body_limit(MOST_BYTES);
    let report = runtime()?.block_on(replay.run(&transport));
    let report = report.map_err(|error| error.to_string())?;
    let accepted = arguments.comparing.accepted();
    let reporting = &arguments.reporting;
    Ok(reporting.tell(&report, &formats, accepted, console))
}
