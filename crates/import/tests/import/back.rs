//! Round trips: the definition that is imported from the WSDL of a definition is equal to it, in
//! everything that a WSDL can express.

mod canonical;
#[path = "../../../../tests/src/recorded/file.rs"]
#[allow(dead_code, reason = "no folders are written here")]
mod file;
mod used;
mod value;

use std::path::{Path, PathBuf};

use crate::lost::{LOST, assert_needed, unexplained};
use canonical::Canonical;
use svcgen_codegen::{Config, Generator, read_file};
use svcgen_documents::{Shape, WsdlOptions, schema_of_set, wsdl};
use svcgen_import::Importer;
use value::Value;

/// Returns all files that a definition includes, directly or not.
fn included(definition: &Value, folder: &Path) -> Vec<Value> {
    let Some(Value::List(files)) = definition.get("include") else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for file in files {
        let name = match file {
            Value::Text(name) => name,
            map => map.text("file").unwrap(),
        };
        let path = folder.join(name);
        let file = Value::read(&path);
        all.extend(included(&file, path.parent().unwrap()));
        all.push(file);
    }
    all
}

/// Imports the WSDL of the definition in a file. Returns the definition and its included files; the
/// error is the messages.
fn back(path: &Path, shape: Shape) -> Result<Vec<Value>, String> {
    let config = Config::new();
    let described = Generator::new(&config, |path: &Path| read_file(path)).describe(path);
    let described = described.map_err(|said| said.to_string())?;
    let load = |address: &str| {
        let found = described.with(|service| match address.split_once("?schema=") {
            Some((_, set)) => schema_of_set(service, set),
            None => {
                let options = WsdlOptions {
                    shape,
                    documentation: true,
                    ..WsdlOptions::default()
                };
                Some(wsdl(
                    service,
                    &format!("http://localhost{}", service.path),
                    options,
                ))
            }
        });
        found
            .flatten()
            .map(String::into_bytes)
            .ok_or_else(|| "it is not there".to_owned())
    };
    let address = described
        .with(|service| format!("http://localhost{}?wsdl", service.path))
        .ok_or("no service")?;
    let imported = Importer::new(load).import(&[address]);
    let imported = imported.map_err(|said| said.to_string())?;
    Ok(Value::imported(&imported.files))
}

fn definitions() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [
        "service-defs",
        "tests/definitions/valid",
        "tests/definitions/public",
        "tests/definitions/lab",
    ];
    let files = folders
        .iter()
        .flat_map(|folder| root.join(folder).read_dir().unwrap());
    let mut files: Vec<_> = files
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "yaml"))
        .collect();
    files.sort();
    files
}

/// Returns the lines that are missing, and the lines that are new.
fn differences(expected: &[String], found: &[String]) -> String {
    let missing = expected.iter().filter(|line| !found.contains(line));
    let missing = missing.map(|line| format!("- {line}\n"));
    let added = found.iter().filter(|line| !expected.contains(line));
    let added = added.map(|line| format!("+ {line}\n"));
    missing.chain(added).collect()
}

/// The WSDLs that ASMX returned match definitions that were written by hand.
#[test]
fn recorded_wsdls_are_imported_as_they_were_transcribed() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut recorded: Vec<_> = tests
        .join("recorded/lab/wsdl")
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let mut documents = file::exchanges(tests.join("recorded/login/doc.txt"));
    documents.retain(|exchange| exchange.name.ends_with("-q-wsdl"));
    assert_eq!(documents.len(), 2);
    for document in documents {
        let path = folder.path().join(document.name.replace('/', "-"));
        std::fs::write(&path, document.response).unwrap();
        recorded.push(path);
    }
    // Several definitions have parts of this WSDL, and more.
    recorded.retain(|path| !path.ends_with("GWide.wsdl"));
    recorded.sort();
    let written: Vec<_> = definitions()
        .into_iter()
        .map(|path| (Value::read(&path), path))
        .collect();
    let (mut wrong, mut compared) = (String::new(), 0);
    let mut used = vec![false; LOST.len()];
    for path in recorded {
        let load = |address: &str| {
            let bytes = std::fs::read(address).map_err(|error| error.to_string())?;
            // Some were recorded with the HTTP head of the response.
            let start = bytes.windows(5).position(|five| five == b"<?xml");
            Ok(bytes[start.unwrap_or_default()..].to_vec())
        };
        let address = path.to_str().unwrap().to_owned();
        let Ok(imported) = Importer::new(load).import(&[address]) else {
            continue;
        };
        let files = Value::imported(&imported.files);
        let is_same = |(one, _): &&(Value, PathBuf)| {
            ["service", "namespace"]
                .iter()
                .all(|key| one.text(key) == files[0].text(key))
        };
        let found = Canonical::of(&files[0], &files[1..], Shape::Original);
        for (definition, of) in written.iter().filter(is_same) {
            compared += 1;
            let others = included(definition, of.parent().unwrap());
            let expected = Canonical::of(definition, &others, Shape::Original);
            let lines = differences(&expected, &found);
            let names = [&path, of].map(|path| path.file_name().unwrap().to_string_lossy());
            let lines = unexplained(&lines, &names[0], "Original", &mut used);
            if !lines.is_empty() {
                wrong += &format!("=== {} {}\n{lines}", names[0], names[1]);
            }
        }
    }
    assert!(compared > 5, "{compared}");
    assert!(wrong.is_empty(), "{wrong}");
    assert_needed(&used, true);
}

#[test]
fn definitions_are_the_same_there_and_back() {
    let mut wrong = String::new();
    let mut used = vec![false; LOST.len()];
    for path in definitions() {
        let definition = Value::read(&path);
        if definition.get("service").is_none() {
            continue;
        }
        for shape in [Shape::Portable, Shape::Original] {
            let expected = Canonical::of(
                &definition,
                &included(&definition, path.parent().unwrap()),
                shape,
            );

            // A service that is only offered over JSON is in no WSDL.
            if !expected.iter().any(|line| line.starts_with("operation ")) {
                continue;
            }
            let name = path.file_name().unwrap().to_string_lossy();
            let found = match back(&path, shape) {
                Ok(files) => Canonical::of(&files[0], &files[1..], shape),
                Err(said) => vec![said],
            };
            let lines = differences(&expected, &found);
            let lines = unexplained(&lines, &name, &format!("{shape:?}"), &mut used);
            if !lines.is_empty() {
                wrong += &format!("=== {name} {shape:?}\n{lines}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert_needed(&used, false);
}

/// A header for faults only is not a header for answers, and a nillable header stays nillable.
#[test]
fn headers_come_back_with_what_is_said_of_them() {
    let definition = "
service: Notes
namespace: http://example.com/notes
path: /Notes.asmx
bindings: [soap11]
operations:
  Read:
    headers: { in: [Key, Level], fault: [Problem] }
headers:
  Key: { type: 'string?', absent: either }
  Level: { type: 'int?', absent: nil, required: true }
  Problem: string?
";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.yaml");
    std::fs::write(&path, definition).unwrap();
    let expected = Value::read(&path);
    let found = back(&path, Shape::Portable).unwrap();
    let of_read = |file: &Value| {
        let operations = file.get("operations").unwrap();
        operations.get("Read").unwrap().get("headers").cloned()
    };
    assert_eq!(of_read(&found[0]), of_read(&expected));
    // A WSDL does not express which headers are required.
    let header = |file: &Value, name| file.get("headers").unwrap().get(name).cloned();
    for name in ["Key", "Problem"] {
        assert_eq!(header(&found[0], name), header(&expected, name), "{name}");
    }
    let level = header(&found[0], "Level").unwrap();
    assert_eq!(level.text("absent"), Some("either"));
}
