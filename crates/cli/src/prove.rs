//! `svcgen prove`.

use std::fs;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use http::header::HOST;
use http::uri::PathAndQuery;
use http::{HeaderValue, Request, Response, Uri};
use svcgen::bytes::Bytes;
use svcgen::mask::Mask;
use svcgen::transport::{BoxTransport, TransportError};
use svcgen::{Binding, Transport};
use svcgen_messages::Service;
use svcgen_model::Bindings;
use svcgen_prove::{Finding, Proof};
use svcgen_relay::{Exchange, Message};
use svcgen_replay::Outcome;
use url::Url;

use crate::call::bindings;
use crate::call::given::{GivenValues, first_member};
use crate::call::service::ServiceArguments;
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::import::Reading;
use crate::listening::runtime;
use crate::record::folder::Folder;
use crate::record::kept::KeptExchange;
use crate::relaying::service_url;
use crate::replay::{
    Comparing, FilledSecret, MOST_BYTES, Reporting, concurrency, masked_values, per_second,
};
use crate::shadow::finding;
use crate::soap_headers::{AddedHeaders, HEADING, WsHeaders, divided};

/// Generates calls from the definition, sends them to two servers and compares the answers
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen prove s.yaml --original http://old --candidate http://new
  svcgen prove s.yaml --original http://old --candidate http://new --keep proof
  svcgen prove s.yaml --original http://a --candidate http://b --from recorded
  svcgen prove http://a/S.asmx?wsdl --original http://a --candidate http://b

Calls use samples and given values, first unchanged, then with one change, then
with two: texts at the edges of their types, absent, nil and repeated values,
and wrong calls. Only `read_only` and named operations are called. A call whose
answers differ is reduced to the smallest one that shows the difference. The
proof stops early if the original is in trouble. The exit code is 1 if an answer
differs, and 4 if an answer is missing or the proof stopped early.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    service: ServiceArguments,

    /// The original server, with a path if it differs from that of the definition
    #[arg(long, value_name = "URL", value_parser = service_url)]
    original: Url,

    /// Compares the answers of this server with the original's
    #[arg(long, value_name = "URL", value_parser = service_url)]
    candidate: Url,

    /// Also calls this operation, even if it may change something
    #[arg(long, value_name = "NAME")]
    operation: Vec<String>,

    /// Calls all operations, thousands of times, including those that change something
    #[arg(long)]
    all: bool,

    /// Calls only over this binding; repeat it for several
    #[arg(long, value_name = "BINDING", value_parser = bindings())]
    binding: Vec<Binding>,

    /// Uses the values of the recorded calls in this folder
    #[arg(long, value_name = "DIR")]
    from: Vec<PathBuf>,

    /// Uses the parameters in a YAML or JSON file for an operation
    #[arg(long, value_name = "OPERATION=FILE", value_parser = values)]
    values: Vec<(String, PathBuf)>,

    /// Fills in secrets that recordings mask, as in `svcgen replay`
    #[arg(long, value_name = "NAME=VALUE", value_parser = FilledSecret::read)]
    secret: Vec<FilledSecret>,

    /// Sends a SOAP header with each SOAP call: one of the definition as `NAME=VALUE`, any other as
    /// `{NAMESPACE}NAME=TEXT`, as an XML element, or as `@FILE` with one
    #[arg(long, value_name = "NAME=VALUE", help_heading = HEADING)]
    soap_header: Vec<String>,

    #[command(flatten)]
    ws: WsHeaders,

    #[command(flatten)]
    comparing: Comparing,

    /// Seeds the generation: the same seed makes the same calls
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,

    /// Makes this many calls, not counting those that reduce a finding
    #[arg(long, value_name = "COUNT", default_value = "1000")]
    calls: NonZeroUsize,

    /// Makes calls for this long, up to `--calls`
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<NonZeroU64>,

    /// Sends this many calls at once
    #[arg(long, value_name = "COUNT", default_value = "1", value_parser = concurrency)]
    at_once: NonZeroUsize,

    /// Sends at most this many calls a second, such as `20/s`
    #[arg(long, value_name = "RATE", value_parser = rate)]
    rate: Option<f64>,

    /// Records each finding with both answers in this folder, for `svcgen replay` and tests
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    #[command(flatten)]
    reporting: Reporting,

    #[command(flatten)]
    reading: Reading,
}

fn values(text: &str) -> Result<(String, PathBuf), &'static str> {
    let (operation, file) = text
        .split_once('=')
        .ok_or("write it as `Login=login.yaml`")?;
    Ok((operation.to_owned(), file.into()))
}

fn rate(text: &str) -> Result<f64, &'static str> {
    per_second(text).ok_or("write it as `20/s`")
}

/// Makes the calls, and prints the differences of answers.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let formats = arguments.reporting.formats()?;
    let (service, _) = arguments.service.open(&arguments.reading, console)?;
    let (proof, added) = arguments.proof(service)?;
    let added_lines = added.lines();
    let folder = arguments.keep.as_ref();
    let folder = folder.map(|path| Folder::open(path, NonZeroU64::MAX));
    let mut folder = folder.transpose()?;
    // Each request decides itself whether its answer may be compressed.
    let http = arguments.reading.http().transport()?.with_gzip(false);
    let http = http.with_body_limit(MOST_BYTES);
    let client = service.client(http, arguments.original.as_str());
    let client = added.add_to(client.map_err(|error| error.to_string())?);
    let to = |url: &Url| Server {
        url: url.clone(),
        path: service.row().row().path,
        http: client.transport(),
    };
    if arguments.all {
        console.note("all operations are called, also those that change something: neither server may have data that matter");
    }
    let (original, candidate) = (to(&arguments.original), to(&arguments.candidate));
    let proved = runtime()?.block_on(proof.run(original, candidate));
    let mut proved = proved.map_err(|error| error.to_string())?;
    let mut exit = Exit::Done;
    if let Some(folder) = &mut folder {
        for finding in &mut proved.findings {
            let (name, kept) = arguments.keep(folder, finding, service, console);
            exit = exit.max(kept);
            let kept = name.map(|name| format!("kept as {name}"));
            finding.exchange.notes.extend(kept);
        }
    }
    if proved.stopped.is_some() {
        exit = exit.max(Exit::Unreached);
    }
    let accepted = arguments.comparing.accepted();
    let mut report = proved.report();
    if !added_lines.is_empty() {
        report = report.with_section("Added to each SOAP call", added_lines);
    }
    let told = arguments
        .reporting
        .tell(&report, &formats, accepted, console);
    Ok(exit.max(told))
}

impl Arguments {
    fn proof(&self, service: Service) -> Result<(Proof, AddedHeaders), String> {
        let mut proof = Proof::new(service);
        let operation = |name: &String| service.operation(name).map_err(|error| error.to_string());
        if self.all {
            proof.operations = service.operations().collect();
        }
        for name in &self.operation {
            let operation = operation(name)?;
            if !proof.operations.contains(&operation) {
                proof.operations.push(operation);
            }
        }
        if !self.binding.is_empty() {
            proof.bindings = Bindings::of(&self.binding);
        }
        let (elements, declared) = divided(&self.soap_header)?;
        let added = self.ws.with_elements(elements, &mut proof.hidden)?;
        proof = with_declared_headers(proof, &declared)?;
        proof.rules = self.comparing.rules()?;
        if added.has_addressing() {
            // Each server gets another message id, which its answer repeats.
            let learned = proof.rules.learn("Header.RelatesTo");
            proof.rules = learned.map_err(|error| error.to_string())?;
        }
        proof.accepted = self.comparing.accepted();
        proof.seed = self.seed;
        proof.calls = self.calls.get();
        let seconds = self.minutes.map(|minutes| minutes.get().saturating_mul(60));
        proof.time = seconds.map(Duration::from_secs);
        proof.at_once = self.at_once;
        proof.rate = self.rate;
        for (name, file) in &self.values {
            let operation = operation(name)?;
            let name = file.display().to_string();
            let bytes = fs::read(file).map_err(|error| format!("{name}: {error}"))?;
            let parameters = operation.parameter_place().value_of_yaml(&name, &bytes);
            proof = proof.with_values(operation, parameters.map_err(|error| error.to_string())?);
        }
        proof.secrets = masked_values(&self.secret)?;
        Ok((self.from.iter().fold(proof, Proof::with_recorded), added))
    }

    /// Writes a finding as an exchange. Returns the name of its folder.
    fn keep(
        &self,
        folder: &mut Folder,
        finding: &Finding,
        service: Service,
        console: &Console,
    ) -> (Option<String>, Exit) {
        let mut headers = finding.request.headers().clone();
        let host = HeaderValue::try_from(self.original.authority());
        headers.extend(host.ok().map(|host| (HOST, host)));
        let (method, target) = (finding.request.method(), finding.request.uri());
        let request = Message::new(
            &format!("{method} {target} HTTP/1.1"),
            &headers,
            finding.request.body(),
        );
        let answer = |response: &Option<Response<Bytes>>| {
            let response = response.as_ref();
            response.map_or_else(Message::default, |response| {
                let first = format!("HTTP/1.1 {}", response.status());
                Message::new(&first, response.headers(), response.body())
            })
        };
        let found = finding::Finding {
            operation: "",
            binding: finding.exchange.binding,
            exchange: Exchange::new(request, answer(&finding.original)),
            answer: answer(&finding.candidate),
            outcome: match &finding.exchange.outcome {
                Outcome::Compared(comparison) => finding::Outcome::Compared(comparison.clone()),
                Outcome::Unanswered(why) | Outcome::Unsent(why) => {
                    finding::Outcome::Unanswered(why.as_str().to_owned())
                }
                Outcome::NotACall => return (None, Exit::Done),
            },
        };
        let mask = Mask::new(service.row()).with_limit(MOST_BYTES);
        let kept = KeptExchange::of(&found.exchange, Some(&mask));
        found.keep(folder, &kept, Some(service), Some(&mask), console)
    }
}

/// Adds the given SOAP headers of the definition to the calls of a proof.
fn with_declared_headers(mut proof: Proof, arguments: &[String]) -> Result<Proof, String> {
    fn name(argument: &str) -> &str {
        argument.split('=').next().unwrap_or_default()
    }
    let mut unknown: Vec<_> = arguments.iter().collect();
    for operation in proof.operations.clone() {
        let place = operation.header_place();
        let is_of = |argument: &String| {
            argument.starts_with('@') || first_member(place, name(argument)).is_some()
        };
        unknown.retain(|argument| !is_of(argument));
        let own: Vec<_> = arguments.iter().filter(|one| is_of(one)).cloned().collect();
        if !own.is_empty() {
            let given = GivenValues::new(place, "--soap-header", Some(place.sample()));
            let headers = given.with_all(&own, &mut proof.hidden)?;
            proof = proof.with_headers(operation, headers);
        }
    }
    match unknown.first() {
        Some(argument) => {
            let name = name(argument);
            Err(format!(
                "no operation that is called has the SOAP header `{name}`"
            ))
        }
        None => Ok(proof),
    }
}

/// A server at a URL.
struct Server<'c> {
    url: Url,
    /// The path of the definition, which the path of the URL replaces.
    path: &'static str,
    /// The transport, which adds SOAP headers to requests.
    http: &'c BoxTransport,
}

impl Transport for Server<'_> {
    async fn send(&self, mut request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let target = request.uri().path_and_query();
        let target = target.map_or("/", PathAndQuery::as_str);
        let target = match (self.url.path(), target.strip_prefix(self.path)) {
            ("/", _) | (_, None) => target.to_owned(),
            (path, Some(below)) => format!("{path}{below}"),
        };
        let origin = self.url.origin().ascii_serialization();
        // An invalid URI becomes one without a host, and sending to it fails with an error.
        *request.uri_mut() = Uri::try_from(format!("{origin}{target}")).unwrap_or_default();
        self.http.send(request).await
    }
}
