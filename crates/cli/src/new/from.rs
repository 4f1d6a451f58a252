//! The files of a crate with the services of definitions: the definitions, and a handler whose
//! operations answer faults until they are written.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::env;
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

use svcgen_codegen::model::{Absence, Service};
use svcgen_codegen::{Described, Generator, Output, read_file};
use svcgen_model::base_path;

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::import::{Reading, is_imported};
use crate::schema;

/// The parts of a crate that depend on definitions.
pub(crate) struct CrateFiles {
    /// The paths and texts of its files.
    pub files: Vec<(String, String)>,
    /// The features of svcgen that it needs.
    pub features: BTreeSet<&'static str>,
}

/// A definition and the code generated for it.
struct ReadDefinition {
    path: PathBuf,
    output: Output,
    described: Described,
}

/// The folder of the definitions in the crate.
pub(super) const FOLDER: &str = "service-defs";

/// The folder of imported definitions next to others.
const IMPORTED: &str = "imported";

/// Reads definitions, imports others, and prints the diagnostics of both.
pub(crate) fn read(
    addresses: &[String],
    reading: &Reading,
    console: &Console,
) -> Result<CrateFiles, Failure> {
    let (imported, definitions): (Vec<_>, Vec<_>) = addresses
        .iter()
        .cloned()
        .partition(|address| is_imported(address));
    let mut open: VecDeque<_> = definitions.iter().map(PathBuf::from).collect();
    let mut texts = BTreeMap::new();
    if !imported.is_empty() {
        let import = reading.import(&imported, console)?;
        match console.print(format!("{import}\n")) {
            Exit::Done => {}
            exit => return Err(exit.into()),
        }
        let beside = open.front().and_then(|path| path.parent());
        let folder = beside.unwrap_or(Path::new("")).join(IMPORTED);
        let files = import.files.into_iter();
        texts.extend(files.map(|(name, text)| (folder.join(name), text)));
        let is_definition = |path: &&PathBuf| path.extension().is_some_and(|one| one == "yaml");
        open.extend(texts.keys().filter(is_definition).cloned());
    }
    let load = |path: &Path| match texts.get(path) {
        Some(text) => Ok(text.clone().into_bytes()),
        None => read_file(path),
    };
    let config = svcgen_import::config();
    let mut generator = Generator::new(&config, load).confined();
    let (mut seen, mut all) = (BTreeSet::new(), Vec::new());
    while let Some(path) = open.pop_front() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let output = generator.generate(&path)?;
        let described = generator.describe(&path)?;
        // The import has already warned about losses.
        if !texts.contains_key(&path) {
            console.warn(&output.warnings)?;
        }
        open.extend(output.included.iter().cloned());
        all.push(ReadDefinition {
            path,
            output,
            described,
        });
    }
    Ok(crate_of(&all, &texts)?)
}

fn crate_of(
    all: &[ReadDefinition],
    imported: &BTreeMap<PathBuf, String>,
) -> Result<CrateFiles, String> {
    let texts: BTreeMap<PathBuf, String> = all
        .iter()
        .flat_map(|one| one.described.sources())
        .map(|(path, text)| (absolute(&path), text))
        .collect();
    let folder = shared_folder(texts.keys());
    let place = |path: &Path| {
        let inside = path.strip_prefix(&folder).unwrap_or(path);
        let parts = inside.iter().map(|part| part.to_string_lossy());
        format!("{FOLDER}/{}", parts.collect::<Vec<_>>().join("/"))
    };
    let mut features = BTreeSet::new();
    let (mut modules, mut definitions, mut services) = (String::new(), Vec::new(), Vec::new());
    for one in all {
        let module = &one.output.name;
        if super::TAKEN.contains(&module.as_str()) {
            let name = one.path.display();
            return Err(format!(
                "{name}: the crate has something else called `{module}`; give the service another name in Rust: `rust: NAME`"
            ));
        }
        features.extend(one.output.features());
        let _ = writeln!(modules, "svcgen::include_service!({module:?});");
        let model = one.described.model();
        if let Some(service) = &model.service {
            definitions.push(place(&absolute(one.described.path())));
            services.push((&*model.module, service));
        }
    }
    check_paths(&services)?;
    if services.is_empty() {
        return Err("the definition holds only types: a crate needs a service".to_owned());
    }
    let mut files = filled(&services, &modules, &definitions);
    let imported: BTreeSet<_> = imported.keys().map(|path| absolute(path)).collect();
    files.extend(texts.into_iter().map(|(path, text)| {
        let place = place(&path);
        if !imported.contains(&path) {
            // A file of the user stays unchanged.
            return (place, text);
        }
        let folders = place.matches('/').count() - 1;
        let text = schema::named_in(&place, &text, folders);
        (place, text)
    }));
    Ok(CrateFiles { files, features })
}

/// Fills the templates, for at least one service with the name of its module.
fn filled(
    services: &[(&str, &Service)],
    modules: &str,
    definitions: &[String],
) -> Vec<(String, String)> {
    let (_, first) = services[0];
    let first = &first.operations[0].name;
    let each = |write: fn(&str, &Service) -> String| {
        let written = services.iter();
        written
            .map(|(module, service)| write(module, service))
            .collect::<Vec<_>>()
    };
    let names = each(|_, service| service.name.xml.clone()).join(", ");
    let paths = each(|_, service| format!("{:?}", service.path)).join(", ");
    let handlers = each(|module, service| {
        let handler = &service.items.handler;
        let begun = reads_header(module, service).unwrap_or_default();
        format!("impl {module}::{handler} for Application {{{begun}}}\n")
    });
    let routed = each(|module, service| {
        let server = &service.items.server;
        format!(".with_service({module}::{server}::new(Application))")
    });
    let definitions = definitions.iter().map(|path| format!("{path:?}"));
    let fill = |template: &str| {
        template
            .replace("{{names}}", &names)
            .replace("{{modules}}\n", modules)
            .replace("{{definitions}}", &list(definitions.clone()))
            .replace("{{Operation}}", &first.xml)
            .replace("{{operation}}", &first.rust)
            .replace("{{handlers}}\n", &handlers.join("\n"))
            .replace("{{services}}", &calls("Router::new()", &routed))
            .replace("{{paths}}", &paths)
    };
    let files = super::FROM.iter();
    files
        .map(|(file, template)| ((*file).to_owned(), fill(template)))
        .collect()
}

/// Returns a comment that shows how the first method with SOAP headers reads a header.
fn reads_header(module: &str, service: &Service) -> Option<String> {
    let mut operations = service.operations.iter();
    let (operation, headers) = operations.find_map(|one| Some((one, one.headers.as_ref()?)))?;
    let headers = &headers.complex_type;
    let header = headers.elements.first()?;
    let (name, field) = (&header.name.xml, &header.name.rust);
    let read = match header.absence {
        // Calls without it are refused before the handler runs.
        Absence::Required => format!("let {field} = headers.{field};"),
        _ => format!(
            "let Some({field}) = headers.{field} else {{\n    //         \
             return Err(svcgen::Fault::client(\"The SOAP header {name} is missing.\"));\n    //     }};"
        ),
    };
    let (called, method, headers) = (
        &operation.name.xml,
        &operation.name.rust,
        &headers.name.rust,
    );
    Some(format!(
        "
    // SOAP headers are an argument before the request. This is how {called} reads {name}:
    //
    // async fn {method}(&self, _: &svcgen::Context, headers: {module}::{headers}, …) -> … {{
    //     {read}
    //     … // A caller who is not known by it is answered with a fault, too.
    // }}
"
    ))
}

/// Returns an absolute path without `..`, so that the position of one file below another can be
/// determined.
fn absolute(path: &Path) -> PathBuf {
    let mut folded = PathBuf::new();
    for part in env::current_dir()
        .unwrap_or_default()
        .join(path)
        .components()
    {
        match part {
            Component::ParentDir => drop(folded.pop()),
            Component::CurDir => {}
            part => folded.push(part),
        }
    }
    folded
}

/// Returns the innermost folder that contains all files.
fn shared_folder<'p>(files: impl Iterator<Item = &'p PathBuf>) -> PathBuf {
    let folders = files.filter_map(|file| Some(file.parent()?.to_owned()));
    let shared = folders.reduce(|one, other| {
        let both = one.iter().zip(&other);
        both.take_while(|(one, other)| one == other)
            .map(|(part, _)| part)
            .collect()
    });
    shared.unwrap_or_default()
}

/// Writes the items of an array as rustfmt formats it.
fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<_> = items.collect();
    let line = items.join(", ");
    if line.len() <= 60 || items.len() == 1 {
        return line;
    }
    let lines = items.iter().map(|item| format!("\n        {item},"));
    format!("{}\n    ", lines.collect::<String>())
}

/// Writes calls of methods as rustfmt formats them.
fn calls(on: &str, calls: &[String]) -> String {
    match calls {
        [call] if on.len() + call.len() <= 96 => format!("{on}{call}"),
        _ => {
            let lines = calls.iter().map(|call| format!("\n        {call}"));
            format!("{on}{}", lines.collect::<String>())
        }
    }
}

/// Checks that the router can distinguish the paths of services.
fn check_paths(services: &[(&str, &Service)]) -> Result<(), String> {
    let folded = |service: &Service| format!("{}/", base_path(&service.path).to_lowercase());
    for (index, (_, one)) in services.iter().enumerate() {
        let meets = |other: &Service| {
            let (one, other) = (folded(one), folded(other));
            one.starts_with(&other) || other.starts_with(&one)
        };
        if let Some((_, other)) = services[..index].iter().find(|(_, other)| meets(other)) {
            return Err(format!(
                "{} and {} both answer at {}: make a crate from the definition of one of them",
                other.name.xml, one.name.xml, one.path
            ));
        }
    }
    Ok(())
}
