//! `svcgen import --verify`.

use std::path::{Path, PathBuf};

use svcgen_codegen::{Described, Generator};
use svcgen_documents::{Shape, WsdlOptions, wsdl};

use super::{Wsdls, is_definition, load_imported};
use crate::exit::{Exit, Failure};
use crate::input::{Input, generator};

/// The WSDL of a definition, in both shapes, with its name for messages.
pub(super) type ExportedWsdl = (String, Vec<String>);

/// Compares WSDLs with the WSDLs exported from the definitions that are imported from them or, if
/// any are named, from existing definitions.
pub(super) fn run(wsdls: &mut Wsdls<'_>, against: &[PathBuf]) -> Result<Exit, Failure> {
    let exported = if against.is_empty() {
        imported(wsdls)?
    } else {
        let existing = against.iter().map(|path| existing(path));
        existing.collect::<Result<_, _>>()?
    };
    let exported: Vec<_> = exported.into_iter().flatten().collect();
    let sameness = wsdls.compare(&exported)?;
    if !sameness.differences.is_empty() {
        return Ok(wsdls.console.report(&sameness.diagnostics()));
    }
    Ok(wsdls.console.print(format!(
        "{} and {} are the same as in {}\n",
        counted(sameness.messages, "message"),
        counted(sameness.types, "type"),
        wsdls.addresses.join(", "),
    )))
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// Exports the WSDLs of the imported definitions.
fn imported(wsdls: &mut Wsdls<'_>) -> Result<Vec<Option<ExportedWsdl>>, Failure> {
    let files = wsdls.import()?.files;
    let config = svcgen_import::config();
    let mut generator = Generator::new(&config, load_imported(&files));
    // The schemas of typed DataSets are in the WSDL of the definitions that name them.
    let definitions = files.iter().filter(|(name, _)| is_definition(name));
    let exported = definitions.map(|(name, _)| {
        let described = generator.describe(name)?;
        Ok(exported(&described).map(|texts| (name.clone(), texts)))
    });
    exported.collect()
}

/// Exports the WSDL of a definition in a file.
fn existing(path: &Path) -> Result<Option<ExportedWsdl>, Failure> {
    let source = Input::File(path.to_owned()).read()?;
    let name = source.name();
    let described = generator(&svcgen_import::config()).describe_bytes(&name, &source.bytes)?;
    Ok(exported(&described).map(|texts| (name, texts)))
}

/// Exports the WSDL of a definition, in both shapes; `None` for a file of types.
pub(super) fn exported(described: &Described) -> Option<Vec<String>> {
    described.with(|service| {
        let address = format!("http://localhost{}", service.path);
        let shapes = [Shape::Portable, Shape::Original];
        let texts = shapes.map(|shape| {
            let options = WsdlOptions {
                shape,
                documentation: false,
                ..WsdlOptions::default()
            };
            wsdl(service, &address, options)
        });
        texts.to_vec()
    })
}
