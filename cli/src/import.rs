//! `svcgen import`.

mod loader;
mod network;
mod update;
mod verify;

use std::path::{Path, PathBuf};

use clap::Args;
use svcgen_codegen::{Importer, read_target};

use crate::console::Console;
use crate::exit::Exit;
use crate::files;

/// Writes the definition of a service from its WSDL
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen import https://example.com/Orders.asmx?wsdl
  svcgen import --out service-defs Orders.wsdl        with the schemas beside it
  svcgen import 'Service References/Orders'           a folder
  svcgen import --user me:secret https://example.com/Orders.asmx
  svcgen import --update service-defs/orders.yaml Orders.wsdl
  svcgen import --verify Orders.wsdl
  svcgen import --verify --against service-defs/orders.yaml Orders.wsdl")]
pub(crate) struct Arguments {
    /// WSDL 1.1: a file, a URL, a folder, what Visual Studio saved of references (`.map`, `.svcmap`, `.disco`), or `-` for standard input
    #[arg(required = true, value_name = "ADDRESS")]
    addresses: Vec<String>,

    /// Folder that definitions are written into
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,

    /// Writes over definitions that exist and are others
    #[arg(long)]
    force: bool,

    /// Refuses WSDLs of which a definition cannot say all
    #[arg(long)]
    strict: bool,

    /// A catalogue of OASIS that says where documents are
    #[arg(long, value_name = "FILE")]
    catalog: Vec<String>,

    #[command(flatten)]
    network: network::NetworkArguments,

    /// Writes nothing; says what the WSDL of the definition would say otherwise
    #[arg(long)]
    verify: bool,

    /// Verifies an existing definition instead of what would be imported
    #[arg(long, value_name = "FILE", requires = "verify")]
    against: Vec<PathBuf>,

    /// Merges what changed in the WSDL into this definition, and shows it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "verify"])]
    update: Option<PathBuf>,

    /// Writes nothing; shows what would be merged
    #[arg(long, requires = "update")]
    check: bool,
}

/// Imports, and writes the definitions.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    let addresses = match loader::expand(&arguments.addresses) {
        Ok(addresses) => addresses,
        Err(complaint) => return console.error(complaint),
    };
    let network = match network::Network::new(&arguments.network, &addresses, console) {
        Ok(network) => network,
        Err(complaint) => return console.error(complaint),
    };
    let loader = loader::Loader::new(&addresses, network);
    let mut importer = Importer::new(loader).with_strict(arguments.strict);
    for catalog in &arguments.catalog {
        importer = importer.with_catalog(catalog);
    }
    if let Some(definition) = &arguments.update {
        return update::run(
            &mut importer,
            &addresses,
            definition,
            arguments.check,
            console,
        );
    }
    if arguments.verify {
        return verify::run(&mut importer, &addresses, &arguments.against, console);
    }
    let import = match importer.import(&addresses) {
        Ok(import) => import,
        Err(diagnostics) => return console.report(&diagnostics),
    };
    let exit = console.report(&import.warnings);
    if !arguments.force {
        let others = import
            .files
            .iter()
            .map(|(name, text)| refuse_other(&arguments.out.join(name), text, console));
        let others = others.fold(Exit::Done, Exit::max);
        if others != Exit::Done {
            return exit.max(others);
        }
    }
    let summary = import.to_string();
    let exit = exit.max(files::write_all(
        &arguments.out,
        import.files.into_iter(),
        console,
    ));
    exit.max(console.print(format!("{summary}\n")))
}

/// Refuses to write over a definition that is another: it may have been edited.
fn refuse_other(path: &Path, text: &str, console: &Console) -> Exit {
    match read_target(path) {
        Ok(Some(bytes)) if bytes != text.as_bytes() => console.error(format_args!(
            "{} exists, and is not what is imported: `--update` merges what is new into it, and `--force` writes over it",
            path.display()
        )),
        // What cannot be read cannot be written, which is said then.
        _ => Exit::Done,
    }
}
