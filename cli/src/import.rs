//! `svcgen import`.

mod verify;

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
  svcgen import --out service-defs Orders.wsdl
  svcgen import --verify Orders.wsdl
  svcgen import --verify --against service-defs/orders.yaml Orders.wsdl")]
pub(crate) struct Arguments {
    /// Files of WSDL 1.1
    #[arg(required = true, value_name = "WSDL")]
    addresses: Vec<String>,

    /// Folder that definitions are written into
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,

    /// Writes nothing; says what the WSDL of the definition would say otherwise
    #[arg(long)]
    verify: bool,

    /// Verifies an existing definition instead of what would be imported
    #[arg(long, value_name = "FILE", requires = "verify")]
    against: Vec<PathBuf>,
}

/// Imports, and writes the definitions.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    let load = |address: &str| fs::read(address).map_err(|error| error.to_string());
    let mut importer = Importer::new(load);
    if arguments.verify {
        return verify::run(
            &mut importer,
            &arguments.addresses,
            &arguments.against,
            console,
        );
    }
    match importer.import(&arguments.addresses) {
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
