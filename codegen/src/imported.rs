//! WSDLs in the place of definitions: what is imported from one is read as if it were files in a folder of its name.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::diagnostic::Diagnostics;
use crate::file::Wsdl;
#[cfg(feature = "wsdl")]
use crate::import::{Load, Loaded};

/// What was imported from a WSDL.
pub(crate) struct Imported {
    pub wsdl: Rc<Wsdl>,
    /// The definition of its service, or of the first of several.
    pub first: PathBuf,
    /// The texts of that and of all other files, by their paths: `orders.wsdl/Orders.yaml`.
    pub texts: HashMap<PathBuf, String>,
    pub warnings: Diagnostics,
}

/// Whether a file is imported instead of read as a definition.
pub fn is_wsdl(path: &Path, bytes: &[u8]) -> bool {
    is_named_wsdl(path) || begins_as_xml(bytes)
}

/// Whether a file has the extension of WSDLs.
pub(crate) fn is_named_wsdl(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("wsdl"))
}

/// Whether a text, in any encoding of WSDLs, begins as XML.
fn begins_as_xml(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    // UTF-16 has a zero in each ASCII character.
    let mut begin = bytes.iter().filter(|byte| !matches!(byte, 0 | 0xFE | 0xFF));
    begin.find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<')
}

/// Imports the services of a WSDL whose bytes are known. `load` gives the files that it refers to, `siblings` those of a folder.
#[cfg(feature = "wsdl")]
pub(crate) fn import(
    name: &str,
    path: &Path,
    bytes: &[u8],
    load: impl FnMut(&Path) -> io::Result<Vec<u8>>,
    siblings: fn(&Path) -> Vec<PathBuf>,
) -> Result<Imported, Diagnostics> {
    let address = path.display().to_string();
    let mut documents = Vec::new();
    let files = Files {
        main: (&address, bytes),
        load,
        siblings,
        read: &mut documents,
    };
    let import = crate::import::Importer::new(files).import(std::slice::from_ref(&address))?;
    documents.sort_unstable();
    documents.dedup();
    let named = import.files.iter().map(|(file, _)| path.join(file));
    let is_definition = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "yaml");
    let mut definitions = named.filter(is_definition);
    // A service is before the types that it shares with others.
    let Some(first) = definitions.next() else {
        let message = "nothing is imported from this".to_owned();
        return Err(Diagnostics::unreadable(name, message, None));
    };
    let wsdl = Wsdl {
        path: path.to_owned(),
        documents,
        siblings: definitions.collect(),
    };
    let texts = import.files.into_iter();
    Ok(Imported {
        wsdl: Rc::new(wsdl),
        first,
        texts: texts.map(|(file, text)| (path.join(file), text)).collect(),
        warnings: import.warnings,
    })
}

/// The files that a WSDL is imported from.
#[cfg(feature = "wsdl")]
struct Files<'f, F> {
    /// The WSDL, and its bytes.
    main: (&'f str, &'f [u8]),
    load: F,
    siblings: fn(&Path) -> Vec<PathBuf>,
    /// The other files that were read.
    read: &'f mut Vec<PathBuf>,
}

#[cfg(feature = "wsdl")]
impl<F: FnMut(&Path) -> io::Result<Vec<u8>>> Load for Files<'_, F> {
    fn load(&mut self, address: &str) -> Result<Loaded, String> {
        let (main, bytes) = self.main;
        if address == main {
            return Ok(bytes.to_vec().into());
        }
        if address.contains("://") {
            let why = "code is generated from files alone; `svcgen import` reads the network";
            return Err(why.to_owned());
        }
        let path = PathBuf::from(address);
        let bytes = (self.load)(&path).map_err(|error| error.to_string())?;
        self.read.push(path);
        Ok(bytes.into())
    }

    fn siblings(&mut self, address: &str) -> Vec<String> {
        let files = (self.siblings)(Path::new(address)).into_iter();
        files
            .filter_map(|file| Some(file.to_str()?.to_owned()))
            .collect()
    }
}

/// Refuses a WSDL.
#[cfg(not(feature = "wsdl"))]
pub(crate) fn import(
    name: &str,
    _: &Path,
    _: &[u8],
    _: impl FnMut(&Path) -> io::Result<Vec<u8>>,
    _: fn(&Path) -> Vec<PathBuf>,
) -> Result<Imported, Diagnostics> {
    let message = "this is no definition but XML, and this build of svcgen imports no WSDL";
    let hint = "switch on the feature `wsdl` of svcgen-codegen, or of svcgen for the derive macro; or write the definition once, with `svcgen import`";
    Err(Diagnostics::unreadable(
        name,
        message.to_owned(),
        Some(hint),
    ))
}
