//! `svcgen samples`.

use std::path::PathBuf;

use clap::Args;
use svcgen_documents::samples::{Samples, Template};
use svcgen_model::{At, Service};

use crate::console::Console;
use crate::document::{describe, host};
use crate::exit::{Exit, Failure};
use crate::files;
use crate::input::{Inputs, destination};

/// Writes sample requests and responses over every binding
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen samples greeter.yaml                to standard output
  svcgen samples greeter.yaml --out samples  a file for each")]
pub(crate) struct Arguments {
    #[command(flatten)]
    definition: Inputs,

    /// Writes OPERATION-BINDING-request.http and …-response.http into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// `Host` of the requests
    #[arg(long, value_name = "HOST", default_value = "localhost", value_parser = host)]
    host: String,
}

/// Writes the samples as files, or all of them on standard output.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let files = describe(&arguments.definition, console, |service| {
        files_of(service, &arguments.host)
    })?;
    Ok(match destination(arguments.out.as_ref()) {
        None => {
            let parts = files
                .iter()
                .map(|(name, text)| format!("### {name}\n{text}"));
            console.print(parts.collect::<Vec<_>>().join("\n"))
        }
        Some(folder) => files::write_all(folder, files.into_iter(), console),
    })
}

/// Returns the names and contents of the files.
fn files_of(service: At<'_, Service<'_>>, host: &str) -> Vec<(String, String)> {
    let samples = Samples::new(service);
    let mut files = Vec::new();
    for operation in service.operations() {
        for sample in samples.of(operation, host) {
            let binding = sample.binding.key();
            let mut add = |what, message: &Template| {
                let name = format!("{}-{binding}-{what}.http", operation.name);
                files.push((name, format!("{}\n", message.as_str().trim_end())));
            };
            add("request", &sample.request);
            add("response", &sample.response);
        }
    }
    files
}
