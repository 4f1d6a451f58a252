//! Each WSDL in `wsdl/` has one pitfall or pattern: it is a file, or a folder whose `service.wsdl`
//! is imported. The snapshots, a file for each group, have the definitions and messages of the
//! import; the definitions pass `svcgen check`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use svcgen_codegen::{Config, Generator};
use svcgen_import::{Importer, Load, Loaded};

/// The files of a folder, as the command loads them.
struct Folder<'f>(&'f Path);

impl Load for Folder<'_> {
    fn load(&mut self, address: &str) -> Result<Loaded, String> {
        let bytes = fs::read(self.0.join(address));
        let bytes = bytes.map_err(|_| "there is no such file".to_owned())?;
        Ok(bytes.into())
    }

    fn siblings(&mut self, address: &str) -> Vec<String> {
        let folder = &address[..address.rfind('/').map_or(0, |at| at + 1)];
        let entries = self.0.join(folder).read_dir().into_iter().flatten();
        let entries = entries
            .flatten()
            .filter(|entry| entry.path().is_file())
            .filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<_> = entries.map(|name| format!("{folder}{name}")).collect();
        names.sort_unstable();
        names
    }
}

/// Runs `svcgen check` on a definition, with the other files.
fn check(name: &str, files: &[(String, String)]) -> Result<(), String> {
    let load = |path: &Path| {
        let mut named = files.iter().filter(|(name, _)| Path::new(name) == path);
        let text = named.next().map(|(_, text)| text.clone().into_bytes());
        text.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    };
    let config = Config::new();
    let described = Generator::new(&config, load).describe(Path::new(name));
    described.map(drop).map_err(|said| said.to_string())
}

#[test]
fn each_wsdl_is_imported_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/import/wsdl");
    let entries = folder.read_dir().unwrap();
    let mut entries: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut groups = BTreeMap::<String, String>::new();
    let mut wrong = Vec::new();
    for path in entries {
        let name = path.file_stem().unwrap().to_string_lossy();
        let (folder, file) = if path.is_dir() {
            (path.as_path(), "service.wsdl".into())
        } else {
            let file = path.file_name().unwrap().to_string_lossy();
            (folder.as_path(), file)
        };
        let (said, files) = match Importer::new(Folder(folder)).import(&[file.into_owned()]) {
            Ok(import) => (import.warnings, import.files),
            Err(said) => (said, Vec::new()),
        };
        let definitions = files.iter().filter(|(name, _)| name.ends_with(".yaml"));
        for (file, _) in definitions {
            if let Err(complaint) = check(file, &files) {
                wrong.push(format!("{name}: {complaint}"));
            }
        }
        let group = groups
            .entry(name.split('-').next().unwrap().to_owned())
            .or_default();
        *group += &format!("== {name}\n");
        if said.iter().next().is_some() {
            *group += &format!("{said}\n\n");
        }
        for (file, text) in files {
            *group += &format!("=== {file}\n{text}\n");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(!groups.is_empty());
    for (group, text) in groups {
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(group, text);
        });
    }
}
