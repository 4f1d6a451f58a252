//! WSDL 1.1 → definitions (feature `wsdl`): documents → components of schemas and services → drafts → text.
//!
//! | stage | file | what it does |
//! |---|---|---|
//! | load | `sources.rs` | addresses → texts, with all that documents import and include; nothing but the loader reads files or the network |
//! | read | `schema.rs`, `wsdl.rs` | documents → components of schemas, services; what is not there or no WSDL is reported |
//! | write | `operations.rs`, `types.rs` | services and components → drafts of definitions |
//! | finish | `finish.rs` | Rust names, secrets; what lowering refuses of a draft is left out or loosened, and reported |

mod draft;
mod load;
mod operations;
mod place;
mod schema;
mod sources;
mod types;
mod wsdl;
mod xml;

use std::fmt;

use crate::diagnostic::Diagnostics;
pub use load::{Load, Loaded};
use place::Report;
use sources::Sources;

pub(crate) const WSDL: &str = "http://schemas.xmlsoap.org/wsdl/";

/// Makes definitions from WSDL 1.1.
pub struct Importer<'i> {
    loader: Box<dyn Load + 'i>,
    catalogs: Vec<String>,
}

impl fmt::Debug for Importer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Importer").finish_non_exhaustive()
    }
}

/// What was imported.
#[derive(Debug)]
#[non_exhaustive]
pub struct Import {
    /// The definitions: one for each service, and one of the types that they share. Names of files, and their texts.
    pub files: Vec<(String, String)>,
    /// What the definitions say otherwise than the WSDL, or leave out.
    pub warnings: Diagnostics,
}

impl<'i> Importer<'i> {
    /// An importer that loads documents by their addresses: URLs, or paths of files.
    pub fn new(loader: impl Load + 'i) -> Self {
        Self {
            loader: Box::new(loader),
            catalogs: Vec::new(),
        }
    }

    /// Looks for documents where a catalogue of OASIS (XML Catalogs 1.1) says that they are, by their addresses and namespaces.
    #[must_use]
    pub fn with_catalog(mut self, address: impl Into<String>) -> Self {
        self.catalogs.push(address.into());
        self
    }

    /// Imports the services of documents.
    ///
    /// # Errors
    ///
    /// A document cannot be loaded or is no WSDL, or nothing of it can be said in a definition.
    pub fn import(&mut self, addresses: &[String]) -> Result<Import, Diagnostics> {
        let sources = Sources::load(addresses, &self.catalogs, &mut *self.loader)?;
        let documents = sources.parse()?;
        let report = Report::new(&sources.texts);
        let schemas = schema::read(&documents.schemas()?, &report);
        let services = wsdl::read(&documents.definitions(), &schemas, &report);
        let drafts = services.iter().map(|service| {
            let draft = operations::definition(service, &schemas, &report);
            (format!("{}.yaml", service.name), draft::print(&draft))
        });
        let files = drafts.collect();
        if report.has_errors() {
            return Err(report.finish());
        }
        Ok(Import {
            files,
            warnings: report.finish(),
        })
    }
}
