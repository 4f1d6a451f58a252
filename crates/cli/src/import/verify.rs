//! `svcgen import --verify`.

use std::io;
use std::path::Path;

use svcgen_codegen::{Config, Generator, Importer};
use svcgen_documents::{Shape, WsdlOptions, wsdl};

use super::{Arguments, Reading};
use crate::console::Console;
use crate::exit::Exit;
use crate::input::{Input, generator};

/// A WSDL of a definition, in both shapes, with its name for messages.
type Exported = (String, Vec<String>);

/// Compares WSDLs with those of the definitions that are imported from them or, if any are named, of existing ones.
pub(super) fn run(
    importer: &mut Importer<'_>,
    addresses: &[String],
    arguments: &Arguments,
    console: &Console,
) -> Exit {
    let Arguments {
        against, reading, ..
    } = arguments;
    let exported = if against.is_empty() {
        imported(importer, addresses, reading, console)
    } else {
        against.iter().map(|path| existing(path, console)).collect()
    };
    let exported: Vec<_> = match exported {
        Ok(exported) => exported.into_iter().flatten().collect(),
        Err(exit) => return exit,
    };
    match importer.compare(addresses, &exported) {
        Ok(sameness) if sameness.differences.is_empty() => console.print(format!(
            "{} and {} are the same as in {}\n",
            counted(sameness.messages, "message"),
            counted(sameness.types, "type"),
            addresses.join(", "),
        )),
        Ok(sameness) => console.report(&sameness.diagnostics()),
        Err(diagnostics) => reading.refuse(&diagnostics, console),
    }
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// The WSDLs of what is imported.
fn imported(
    importer: &mut Importer<'_>,
    addresses: &[String],
    reading: &Reading,
    console: &Console,
) -> Result<Vec<Option<Exported>>, Exit> {
    let import = importer.import(addresses);
    let files = import.map_err(|diagnostics| reading.refuse(&diagnostics, console))?;
    let files = files.files;
    let config = Config::new();
    let load = |path: &Path| {
        let named = files.iter().find(|(name, _)| Path::new(name) == path);
        let text = named.map(|(_, text)| text.clone().into_bytes());
        text.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    };
    let mut generator = Generator::new(&config, load);
    // The schemas of typed sets are in the WSDL of the definitions that name them.
    let definitions = files.iter().filter(|(name, _)| is_definition(name));
    let exported =
        definitions.map(|(name, text)| export(&mut generator, name, text.as_bytes(), console));
    exported.collect()
}

/// Whether a file that is imported is a definition, and not the schema that one names.
pub(super) fn is_definition(name: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|ending| ending == "yaml")
}

/// The WSDL of a definition in a file.
fn existing(path: &Path, console: &Console) -> Result<Option<Exported>, Exit> {
    let source = Input::File(path.to_owned()).read();
    let source = source.map_err(|complaint| console.error(complaint))?;
    let config = Config::new();
    export(
        &mut generator(&config),
        &source.name(),
        &source.bytes,
        console,
    )
}

/// The WSDL of a definition; `None` for a file of types.
pub(super) fn export(
    generator: &mut Generator<'_>,
    name: &str,
    definition: &[u8],
    console: &Console,
) -> Result<Option<Exported>, Exit> {
    let described = generator.describe_bytes(name, definition);
    let described = described.map_err(|diagnostics| console.report(&diagnostics))?;
    let texts = described.with(|service| {
        let address = format!("http://localhost{}", service.path);
        let shapes = [Shape::Portable, Shape::Original];
        let texts = shapes.map(|shape| {
            let options = WsdlOptions {
                shape,
                documentation: false,
            };
            wsdl(service, &address, options)
        });
        texts.to_vec()
    });
    Ok(texts.map(|texts| (name.to_owned(), texts)))
}
