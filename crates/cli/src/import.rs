//! `svcgen import`.

mod loader;
mod network;
mod update;
mod verify;

pub(crate) use network::url;

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use svcgen_codegen::{Diagnostics, is_wsdl, read_file, read_target};
use svcgen_import::{Imported, Importer, Sameness};

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::http_options::HttpOptions;
use crate::{files, schema};
use network::NetworkArguments;
use verify::ExportedWsdl;

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
    /// A WSDL 1.1: a file, a URL, a folder, a reference saved by Visual Studio (`.map`, `.svcmap`,
    /// `.disco`), or `-` for standard input
    #[arg(required = true, value_name = "ADDRESS", value_hint = ValueHint::AnyPath)]
    addresses: Vec<String>,

    /// Writes definitions into this folder
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,

    /// Overwrites existing definitions that differ
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    reading: Reading,

    /// Writes nothing; compares the WSDL of the definition with the original's
    #[arg(long)]
    verify: bool,

    /// Verifies this existing definition instead of a newly imported one
    #[arg(long, value_name = "FILE", requires = "verify")]
    against: Vec<PathBuf>,

    /// Merges the changes of the WSDL into this definition, and shows them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "verify"])]
    update: Option<PathBuf>,

    /// Writes nothing; shows the changes that would be merged
    #[arg(long, requires = "update")]
    check: bool,
}

/// The arguments that say how WSDLs are read.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// Refuses WSDLs that a definition cannot express completely
    #[arg(long)]
    strict: bool,

    /// Finds documents by this OASIS XML catalog
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    catalog: Vec<String>,

    /// Also reads referenced files in this folder, besides those beside the WSDL or in its Cargo
    /// workspace
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    allow_include: Vec<PathBuf>,

    #[command(flatten)]
    network: NetworkArguments,
}

impl Reading {
    /// Returns the WSDLs at addresses, which may be folders of WSDLs.
    fn wsdls<'a>(
        &'a self,
        addresses: &[String],
        console: &'a Console,
    ) -> Result<Wsdls<'a>, Failure> {
        let addresses = loader::expand(addresses)?;
        let loader = loader::Loader {
            network: network::Network::new(&self.network, &addresses, console)?,
            given: addresses.iter().chain(&self.catalog).cloned().collect(),
            allowed: &self.allow_include,
        };
        let mut importer = Importer::new(loader).with_strict(self.strict);
        for catalog in &self.catalog {
            importer = importer.with_catalog(catalog);
        }
        Ok(Wsdls {
            importer,
            addresses,
            network: &self.network,
            console,
        })
    }

    /// Returns the options for HTTP requests.
    pub fn http(&self) -> &HttpOptions {
        self.network.http()
    }

    /// Imports the services at addresses, without printing warnings about what is lost.
    pub fn definitions(
        &self,
        addresses: &[String],
        console: &Console,
    ) -> Result<Imported, Failure> {
        self.wsdls(addresses, console)?.import()
    }

    /// Imports the services at addresses, and prints warnings about what is lost.
    pub fn import(&self, addresses: &[String], console: &Console) -> Result<Imported, Failure> {
        let import = self.definitions(addresses, console)?;
        console.warn(&import.warnings)?;
        Ok(import)
    }
}

/// The WSDLs at some addresses.
struct Wsdls<'a> {
    importer: Importer<'a>,
    addresses: Vec<String>,
    network: &'a NetworkArguments,
    console: &'a Console,
}

impl Wsdls<'_> {
    /// Imports their services.
    fn import(&mut self) -> Result<Imported, Failure> {
        let import = self.importer.import(&self.addresses);
        import.map_err(|diagnostics| self.refuse(&diagnostics))
    }

    /// Compares them with the exported WSDLs of definitions.
    fn compare(&mut self, exported: &[ExportedWsdl]) -> Result<Sameness, Failure> {
        let sameness = self.importer.compare(&self.addresses, exported);
        sameness.map_err(|diagnostics| self.refuse(&diagnostics))
    }

    /// Prints the reason why nothing is imported.
    fn refuse(&self, diagnostics: &Diagnostics) -> Failure {
        let refused = self.console.refuse_import(diagnostics);
        refused.max(self.network.exit()).into()
    }
}

/// Reads imported files, which have not been written yet.
pub(crate) fn load_imported(
    files: &[(String, String)],
) -> impl FnMut(&Path) -> io::Result<Vec<u8>> {
    |path| {
        let named = files.iter().find(|(name, _)| Path::new(name) == path);
        let text = named.map(|(_, text)| text.clone().into_bytes());
        text.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// Whether an imported file is a definition, and not a schema that a definition names.
pub(crate) fn is_definition(name: &str) -> bool {
    name.ends_with(".yaml")
}

/// Whether an address is to be imported, and not the path of a definition.
pub(crate) fn is_imported(address: &str) -> bool {
    let path = Path::new(address);
    network::url(address).is_some()
        || path.is_dir()
        || read_file(path)
            .is_ok_and(|bytes| bytes.starts_with(loader::GZIP) || is_wsdl(path, &bytes))
}

/// Imports, and writes the definitions.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let mut wsdls = arguments.reading.wsdls(&arguments.addresses, console)?;
    if let Some(definition) = &arguments.update {
        return update::run(&mut wsdls, definition, arguments.check);
    }
    if arguments.verify {
        return verify::run(&mut wsdls, &arguments.against);
    }
    let import = wsdls.import()?;
    let summary = import.to_string();
    let files = import.files.into_iter().map(|(name, text)| {
        let text = schema::named_in(&name, &text, 0);
        (name, text)
    });
    let files: Vec<_> = files.collect();
    if !arguments.force {
        let others = files
            .iter()
            .map(|(name, text)| refuse_other(&arguments.out.join(name), text, console));
        let others = others.fold(Exit::Done, Exit::max);
        if others != Exit::Done {
            return Ok(others);
        }
    }
    let definitions = files.iter().map(|(name, _)| name);
    let definitions: Vec<_> = definitions
        .filter(|name| is_definition(name))
        .cloned()
        .collect();
    let exit = console.report(&import.warnings);
    // Files that definitions name are written first: the schema, and the included types that
    // services share.
    let schema = (schema::FILE.to_owned(), schema::text());
    let files = [schema].into_iter().chain(files.into_iter().rev());
    let written = files::write_all(&arguments.out, files, console);
    if written == Exit::Failed {
        return Ok(written);
    }
    let next = next(&arguments.out, &definitions);
    let printed = console.print(format!("{summary}\n{next}\n"));
    Ok(exit.max(written).max(printed))
}

/// Describes the next step with the written definitions.
fn next(out: &Path, definitions: &[String]) -> String {
    let path = |name: &String| {
        let path = if out == Path::new(".") {
            PathBuf::from(name)
        } else {
            out.join(name)
        };
        path.display().to_string()
    };
    match definitions {
        [one] => {
            let stem = one.trim_end_matches(".yaml");
            let path = path(one);
            format!("next: `svcgen new --from {path} {stem}` makes a crate that serves it")
        }
        _ => {
            let all = path(&"*.yaml".to_owned());
            format!("next: `svcgen check '{all}'` checks them")
        }
    }
}

/// Refuses to overwrite a definition that differs: it may have been edited.
fn refuse_other(path: &Path, text: &str, console: &Console) -> Exit {
    match read_target(path) {
        Ok(Some(bytes)) if bytes != text.as_bytes() => console.error(format_args!(
            "{} exists and differs from the import: `--update` merges the changes into it, and `--force` overwrites it",
            path.display()
        )),
        // A file that cannot be read cannot be written, which is reported then.
        _ => Exit::Done,
    }
}
