//! The services of definitions, which are opened again only if they changed.

use std::cell::RefCell;
use std::collections::HashMap;

use svcgen_codegen::{Config, options_file_of, read_file};
use svcgen_messages::Service;

use crate::console::Console;
use crate::exit::Exit;
use crate::input::{Input, Source, generator_with};
use crate::seen::{Definitions, Files};

/// The services that were opened. Each takes memory that is not given back.
pub(super) struct Services {
    opened: HashMap<Input, Opened>,
    /// Whether recordings are read.
    with_masked: bool,
}

struct Opened {
    bytes: Vec<u8>,
    /// The files that it includes, and its options file.
    needed: Files,
    served: Served,
}

/// A service that is served.
#[derive(Clone, Copy)]
pub(super) struct Served {
    pub(super) service: Service,
    /// The same service for masked messages, if recordings are read.
    pub(super) masked: Option<Service>,
}

impl Opened {
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

    /// The services of definitions, and the files that these need. Errors are printed.
    pub(super) fn open(
        &mut self,
        definitions: &Definitions,
        console: &Console,
    ) -> (Result<Vec<Served>, Exit>, Files) {
        let (mut services, mut needed, mut exit) = (Vec::new(), Files::new(), Exit::Done);
        for source in definitions {
            let opened = match source {
                Err(complaint) => Err(console.error(complaint)),
                Ok(source) => self.open_one(source, console, &mut needed),
            };
            match opened {
                Ok(served) => services.push(served),
                Err(worse) => exit = exit.max(worse),
            }
        }
        match exit {
            Exit::Done => (Ok(services), needed),
            exit => (Err(exit), needed),
        }
    }

    fn open_one(
        &mut self,
        source: &Source,
        console: &Console,
        all: &mut Files,
    ) -> Result<Served, Exit> {
        if let Some(opened) = self.opened.get(&source.input)
            && opened.is_still(source)
        {
            all.extend(opened.needed.clone());
            return Ok(opened.served);
        }
        let needed = RefCell::new(Files::new());
        let read = |path: &_| {
            let read = read_file(path);
            let bytes = read.as_ref().ok().cloned();
            needed.borrow_mut().insert(path.to_owned(), bytes);
            read
        };
        let config = Config::new();
        let described = generator_with(&config, read).describe_bytes(&source.name(), &source.bytes);
        let mut needed = needed.into_inner();
        if let Some(path) = source.path().and_then(options_file_of) {
            needed.insert(path.clone(), read_file(&path).ok());
        }
        all.extend(needed.clone());
        let described = described.map_err(|diagnostics| console.report(&diagnostics))?;
        match console.report(&described.warnings) {
            Exit::Done => {}
            exit => return Err(exit),
        }
        let masked = self.with_masked.then(|| described.clone());
        let masked = masked.map(Service::of_masked).transpose();
        let service = Service::of_described(described);
        let served = Served {
            service: service.map_err(|error| console.error(error))?,
            masked: masked.map_err(|error| console.error(error))?,
        };
        let opened = Opened {
            bytes: source.bytes.clone(),
            needed,
            served,
        };
        self.opened.insert(source.input.clone(), opened);
        Ok(served)
    }
}
