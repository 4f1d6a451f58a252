//! WSDLs in place of definitions: the definitions imported from a WSDL are read as if they were
//! files in a folder of its name.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use svcgen_language::diagnostic::Diagnostics;

/// Converts a WSDL in place of a definition to definitions. The implementation of the crate
/// `svcgen-import` is `svcgen_import::IMPORTER`.
pub trait Import: fmt::Debug + Sync {
    /// Converts a file whose bytes are known to definitions. `load` returns the files that it
    /// refers to, `siblings` those of its folder.
    ///
    /// # Errors
    ///
    /// It is not a WSDL, or definitions cannot express any of its operations.
    fn import(
        &self,
        path: &Path,
        bytes: &[u8],
        load: &mut dyn FnMut(&Path) -> io::Result<Vec<u8>>,
        siblings: fn(&Path) -> Vec<PathBuf>,
    ) -> Result<ImportedDefinitions, Diagnostics>;
}

/// The definitions imported from a WSDL.
#[derive(Debug)]
pub struct ImportedDefinitions {
    /// Names of files, and their texts: a definition for each service, then the files that they
    /// include and the schemas that they name.
    pub files: Vec<(String, String)>,
    /// The differences from the WSDL.
    pub warnings: Diagnostics,
}

/// Whether a file is imported instead of read as a definition.
#[doc(hidden)]
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

/// Refuses a WSDL where no importer is set.
pub(crate) fn refuse(name: &str) -> Diagnostics {
    let message = "this is XML, not a definition, and nothing here imports WSDLs";
    let hint = "`svcgen_import::build` does in build scripts, the feature `wsdl` of svcgen-macros in the derive macro; or write the definition once, with `svcgen import`";
    Diagnostics::unreadable(name, message.to_owned(), Some(hint))
}
