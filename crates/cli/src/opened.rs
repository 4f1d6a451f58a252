//! The service of an argument, for subcommands that work with its messages: a definition, a WSDL, or the URL of one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use svcgen_codegen::{Config, Described, Generator, LeftOutOperation, read_file};
use svcgen_messages::Service;
use url::Url;

use crate::console::Console;
use crate::document::described;
use crate::exit::Exit;
use crate::import::{Reading, is_imported};
use crate::input::Input;

/// A service.
#[derive(Debug, Args)]
pub(crate) struct ServiceArguments {
    /// The definition of the service, its WSDL, or the URL of that
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    address: String,

    /// The service, of a WSDL with several
    #[arg(long, value_name = "NAME")]
    service: Option<String>,
}

/// A service that was opened.
pub(crate) struct Opened {
    pub service: Service,
    /// The operations of its WSDL that are left out.
    pub left_out: Vec<LeftOutOperation>,
}

impl ServiceArguments {
    /// Opens the service, and prints diagnostics.
    pub fn open(&self, reading: &Reading, console: &Console) -> Result<Opened, Exit> {
        let mut left_out = Vec::new();
        let described = if is_imported(&self.address) {
            self.imported(reading, console, &mut left_out)?
        } else {
            let source = Input::File(PathBuf::from(&self.address)).read();
            let source = source.map_err(|complaint| console.error(complaint))?;
            described(&source, console)?
        };
        let service = Service::of_described(described).map_err(|error| console.error(error))?;
        Ok(Opened { service, left_out })
    }

    /// The address, if it is a URL.
    pub fn url(&self) -> Option<Url> {
        let url = Url::parse(&self.address).ok()?;
        matches!(url.scheme(), "http" | "https").then_some(url)
    }

    fn imported(
        &self,
        reading: &Reading,
        console: &Console,
        left_out: &mut Vec<LeftOutOperation>,
    ) -> Result<Described, Exit> {
        let addresses = [self.address.clone()];
        let import = reading.definitions(&addresses, console)?;
        *left_out = import.operations_left_out;
        let texts: BTreeMap<_, _> = import.files.into_iter().collect();
        let load = |path: &Path| match path.to_str().and_then(|name| texts.get(name)) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => read_file(path),
        };
        let config = Config::new();
        let mut generator = Generator::new(&config, load);
        let mut services = Vec::new();
        for name in texts.keys().filter(|name| name.ends_with(".yaml")) {
            let described = generator.describe(name);
            let described = described.map_err(|diagnostics| console.report(&diagnostics))?;
            if let Some(service) = &described.model().service {
                let name = service.name.xml.clone();
                services.push((name, described));
            }
        }
        if let Some(wanted) = &self.service {
            let found = services.iter().position(|(name, _)| name == wanted);
            return match found {
                Some(index) => Ok(services.swap_remove(index).1),
                None => Err(console.error(format_args!(
                    "{} has no service `{wanted}`; it has {}",
                    self.address,
                    names(&services)
                ))),
            };
        }
        match services.len() {
            1 => Ok(services.swap_remove(0).1),
            0 => Err(console.error(format_args!("{} has no service", self.address))),
            _ => Err(console.error(format_args!(
                "{} has several services: choose one of {} by `--service NAME`",
                self.address,
                names(&services)
            ))),
        }
    }
}

fn names(services: &[(String, Described)]) -> String {
    let names: Vec<_> = services.iter().map(|(name, _)| name.as_str()).collect();
    names.join(", ")
}
