//! The services of definitions, which are opened again only if a definition has changed.

use std::collections::HashMap;

use svcgen_codegen::{options_file_of, read_file};
use svcgen_messages::Service;

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::input::{Input, Source, generator_with};
use crate::seen::{Definitions, Files, FilesRead};

/// The services that were opened. Each takes memory that is never freed.
pub(super) struct Services {
    opened: HashMap<Input, OpenedService>,
    /// Whether recordings are read.
    with_masked: bool,
}

struct OpenedService {
    bytes: Vec<u8>,
    /// The files that it includes, and its options file.
    needed: Files,
    served: ServedService,
}

#[derive(Clone, Copy)]
pub(super) struct ServedService {
    pub(super) service: Service,
    /// The same service for masked messages, if recordings are read.
    pub(super) masked: Option<Service>,
}

impl OpenedService {
    fn is_still(&self, source: &Source) -> bool {
        let mut needed = self.needed.iter();
        self.bytes == source.bytes && needed.all(|(path, bytes)| read_file(path).ok() == *bytes)
    }
}

impl Services {
    pub(super) fn new(with_masked: bool) -> Self {
        Self {
            opened: HashMap::new(),
            with_masked,
        }
    }

    /// Returns the services of definitions, and the files that they need. Prints errors.
    pub(super) fn open(
        &mut self,
        definitions: &Definitions,
        console: &Console,
    ) -> (Result<Vec<ServedService>, Failure>, Files) {
        let (mut services, mut needed, mut exit) = (Vec::new(), Files::new(), Exit::Done);
        for source in definitions {
            let opened = match source {
                Err(complaint) => Err(complaint.clone().into()),
                Ok(source) => self.open_one(source, console, &mut needed),
            };
            match opened {
                Ok(served) => services.push(served),
                Err(failure) => exit = exit.max(console.ended(Err(failure))),
            }
        }
        match exit {
            Exit::Done => (Ok(services), needed),
            exit => (Err(exit.into()), needed),
        }
    }

    fn open_one(
        &mut self,
        source: &Source,
        console: &Console,
        all: &mut Files,
    ) -> Result<ServedService, Failure> {
        if let Some(known) = self.opened.get(&source.input)
            && known.is_still(source)
        {
            all.extend(known.needed.clone());
            return Ok(known.served);
        }
        let needed = FilesRead::default();
        let config = svcgen_import::config();
        let mut generator = generator_with(&config, |path| needed.read(path));
        let described = source.describe(&mut generator, console);
        drop(generator);
        if let Some(path) = source.path().and_then(options_file_of) {
            let _ = needed.read(&path);
        }
        let needed = needed.into_files();
        all.extend(needed.clone());
        let described = described?;
        let masked = self.with_masked.then(|| described.clone());
        let masked = masked.map(Service::of_masked).transpose();
        let service = Service::of_described(described);
        let served = ServedService {
            service: service.map_err(|error| error.to_string())?,
            masked: masked.map_err(|error| error.to_string())?,
        };
        let service = OpenedService {
            bytes: source.bytes.clone(),
            needed,
            served,
        };
        self.opened.insert(source.input.clone(), service);
        Ok(served)
    }
}
