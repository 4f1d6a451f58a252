//! `fixture_client BASE_URL [--binding B]…`: calls every operation of a server of the fixture
//! services and checks the answers.

use std::process::ExitCode;
use std::time::Duration;

use svcgen::{Binding, HttpTransport};
use svcgen_tests::checks::{self, LineEnds};

const USAGE: &str = "usage: fixture_client BASE_URL [--binding B]... [--exact-line-ends]

Calls every operation of a server of the fixture services and checks every field of every answer.
BASE_URL is scheme, host and port, for example http://127.0.0.1:8080

  --binding B         soap11, soap12, http-get or http-post; repeat it for more; default: all four
  --exact-line-ends   a carriage return in an answer must arrive as one. Without this flag it may arrive
                      as a line feed, which is what XML makes of one that a server writes unescaped

Prints a line for each failure and `N passed, N failed` at the end.
Exit status: 0 when all passed, 1 when a check failed or the server cannot be reached, 2 for bad usage.";

struct Options {
    base_url: String,
    bindings: Vec<Binding>,
    line_ends: LineEnds,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments
        .iter()
        .any(|argument| argument == "--help" || argument == "-h")
    {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match options(&arguments) {
        Ok(options) => run(&options).await,
        Err(error) => {
            eprintln!("fixture_client: {error}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut base_url = None;
    let mut bindings = Vec::new();
    let mut line_ends = LineEnds::AsXmlReads;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match (argument.as_str(), argument.strip_prefix("--binding=")) {
            ("--exact-line-ends", _) => line_ends = LineEnds::Exact,
            ("--binding", _) => {
                bindings.push(binding(rest.next().ok_or("--binding needs a value")?)?)
            }
            (_, Some(name)) => bindings.push(binding(name)?),
            (flag, _) if flag.starts_with('-') => return Err(format!("unknown flag `{flag}`")),
            (url, _) if base_url.is_none() => base_url = Some(checked_url(url)?),
            (extra, _) => return Err(format!("unexpected argument `{extra}`")),
        }
    }
    if bindings.is_empty() {
        bindings = checks::BINDINGS.map(|(_, binding)| binding).to_vec();
    }
    Ok(Options {
        base_url: base_url.ok_or("BASE_URL is missing")?,
        bindings,
        line_ends,
    })
}

fn binding(name: &str) -> Result<Binding, String> {
    let known = checks::BINDINGS.iter().find(|(known, _)| *known == name);
    known.map(|(_, binding)| *binding).ok_or_else(|| {
        let names = checks::BINDINGS.map(|(name, _)| name).join(", ");
        format!("unknown binding `{name}`; known: {names}")
    })
}

fn checked_url(url: &str) -> Result<String, String> {
    match checks::clients(HttpTransport::new(), url, Binding::Soap11) {
        Ok(_) => Ok(url.to_owned()),
        Err(error) => Err(format!("`{url}` is not a base URL: {error}")),
    }
}

async fn run(options: &Options) -> ExitCode {
    let transport = HttpTransport::new().with_timeout(Duration::from_secs(20));
    match checks::run(
        transport,
        &options.base_url,
        &options.bindings,
        options.line_ends,
    )
    .await
    {
        Ok(report) => {
            for failure in &report.failures {
                println!("FAILED {failure}");
            }
            println!("{} passed, {} failed", report.passed, report.failures.len());
            if report.failures.is_empty() {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Err(error) => {
            eprintln!(
                "fixture_client: {} cannot be reached: {}",
                options.base_url,
                svcgen_tests::checks::with_causes(&error)
            );
            ExitCode::FAILURE
        }
    }
}
