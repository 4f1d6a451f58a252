//! The service to call, given by its definition, its WSDL, or the URL of its WSDL.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use svcgen_codegen::{Described, Generator};
use svcgen_import::OperationLoss;
use svcgen_messages::Service;
use url::Url;

use crate::console::Console;
use crate::exit::Failure;
use crate::import::{Reading, is_definition, is_imported, load_imported, url};
use crate::input::{Input, generator};

/// A service.
#[derive(Debug, Args)]
pub(crate) struct ServiceArguments {
    /// The definition of the service, its WSDL, or the URL of its WSDL
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    address: String,

    /// Selects the service, if the WSDL has several
    #[arg(long, value_name = "NAME")]
    service: Option<String>,
}

impl ServiceArguments {
    /// Opens the service, and prints warnings. Also returns what is left out of the operations of
    /// its WSDL.
    pub fn open(
        &self,
        reading: &Reading,
        console: &Console,
    ) -> Result<(Service, Vec<OperationLoss>), Failure> {
        let (described, losses) = if is_imported(&self.address) {
            self.imported(reading, console)?
        } else {
            let source = Input::File(PathBuf::from(&self.address)).read()?;
            let described = source.describe(&mut generator(&svcgen_import::config()), console)?;
            (described, Vec::new())
        };
        let service = Service::of_described(described).map_err(|error| error.to_string())?;
        Ok((service, losses))
    }

    /// Returns the address if it is a URL.
    pub fn url(&self) -> Option<Url> {
        url(&self.address)
    }

    fn imported(
        &self,
        reading: &Reading,
        console: &Console,
    ) -> Result<(Described, Vec<OperationLoss>), Failure> {
        let address = &self.address;
        let import = reading.definitions(std::slice::from_ref(address), console)?;
        let config = svcgen_import::config();
        let mut generator = Generator::new(&config, load_imported(&import.files));
        let mut services = Vec::new();
        for (file, _) in import.files.iter().filter(|(name, _)| is_definition(name)) {
            let described = generator.describe(file)?;
            if let Some(service) = &described.model().service {
                services.push((service.name.xml.clone(), described));
            }
        }
        services.sort_by(|(one, _), (other, _)| one.cmp(other));
        let names: Vec<_> = services.iter().map(|(name, _)| name.clone()).collect();
        let names = names.join(", ");
        let index = match (&self.service, services.len()) {
            (Some(wanted), _) => {
                let found = services.iter().position(|(name, _)| name == wanted);
                found
                    .ok_or_else(|| format!("{address} has no service `{wanted}`; it has {names}"))?
            }
            (None, 1) => 0,
            (None, 0) => return Err(format!("{address} has no service").into()),
            (None, _) => {
                return Err(format!(
                    "{address} has several services: choose one of {names} by `--service NAME`"
                )
                .into());
            }
        };
        Ok((services.swap_remove(index).1, import.operation_losses))
    }
}
