//! WSDLs in place of definitions, for the generator.

use std::io;
use std::path::{Path, PathBuf};

use svcgen_codegen::{Import, ImportedDefinitions};
use svcgen_language::diagnostic::Diagnostics;
use svcgen_wsdl::load::{Load, Loaded};

use crate::importer::Importer;

/// Imports WSDLs that the generator is given in place of definitions.
pub const IMPORTER: &dyn Import = &InPlace;

#[derive(Debug)]
struct InPlace;

impl Import for InPlace {
    fn import(
        &self,
        path: &Path,
        bytes: &[u8],
        load: &mut dyn FnMut(&Path) -> io::Result<Vec<u8>>,
        siblings: fn(&Path) -> Vec<PathBuf>,
    ) -> Result<ImportedDefinitions, Diagnostics> {
        let address = path.display().to_string();
        let files = Files {
            main: (&address, bytes),
            load,
            siblings,
        };
        let imported = Importer::new(files).import(std::slice::from_ref(&address))?;
        Ok(ImportedDefinitions {
            files: imported.files,
            warnings: imported.warnings,
        })
    }
}

/// The files that a WSDL is imported from.
struct Files<'f> {
    /// The WSDL, and its bytes.
    main: (&'f str, &'f [u8]),
    load: &'f mut dyn FnMut(&Path) -> io::Result<Vec<u8>>,
    siblings: fn(&Path) -> Vec<PathBuf>,
}

impl Load for Files<'_> {
    fn load(&mut self, address: &str) -> Result<Loaded, String> {
        let (main, bytes) = self.main;
        if address == main {
            return Ok(bytes.to_vec().into());
        }
        if address.contains("://") {
            let why = "code is generated from files alone; `svcgen import` reads the network";
            return Err(why.to_owned());
        }
        let bytes = (self.load)(Path::new(address));
        bytes.map(Loaded::from).map_err(|error| error.to_string())
    }

    fn siblings(&mut self, address: &str) -> Vec<String> {
        let files = (self.siblings)(Path::new(address)).into_iter();
        files
            .filter_map(|file| Some(file.to_str()?.to_owned()))
            .collect()
    }
}
