//! Each WSDL in `wsdl/` shows one trap or pattern: a file, or a folder whose `service.wsdl` is imported. Snapshots have all that the import
//! writes and says; what it writes passes `check`.

use std::path::Path;

use super::{checks, import};

#[test]
fn each_wsdl_is_imported_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/import/wsdl");
    let mut entries: Vec<_> = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    assert!(!entries.is_empty());
    let mut wrong = Vec::new();
    for path in entries {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (folder, file) = if path.is_dir() {
            (path.as_path(), "service.wsdl")
        } else {
            (
                folder.as_path(),
                path.file_name().unwrap().to_str().unwrap(),
            )
        };
        let imported = import(folder, &[file]);
        if imported.succeeded {
            let out = tempfile::tempdir().unwrap();
            for part in imported.told.split("\n=== ").skip(1) {
                let (name, text) = part.split_once('\n').unwrap();
                std::fs::write(out.path().join(name), text).unwrap();
            }
            let files = out.path().read_dir().unwrap();
            let files = files.map(|file| file.unwrap().path());
            for file in files.filter(|file| file.extension().unwrap() == "yaml") {
                if let Err(complaint) = checks(&file) {
                    wrong.push(format!("{name}: {complaint}"));
                }
            }
        }
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(name.as_str(), imported.told);
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
