//! `svcgen import`.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use svcgen_codegen::Importer;

use crate::console::Console;
use crate::exit::Exit;
use crate::files;

/// Writes the definition of a service from its WSDL
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen import Orders.wsdl
  svcgen import --out service-defs Orders.wsdl")]
pub(crate) struct Arguments {
    /// Files of WSDL 1.1
    #[arg(required = true, value_name = "WSDL")]
    addresses: Vec<String>,

    /// Folder that definitions are written into
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
}

/// Imports, and writes the definitions.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    let load = |address: &str| fs::read(address).map_err(|error| error.to_string());
    match Importer::new(load).import(&arguments.addresses) {
        Ok(import) => {
            let exit = console.report(&import.warnings);
            exit.max(files::write_all(
                &arguments.out,
                import.files.into_iter(),
                console,
            ))
        }
        Err(diagnostics) => console.report(&diagnostics),
    }
}
