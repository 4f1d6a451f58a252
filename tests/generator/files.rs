//! Writing files.

use std::os::unix::fs::symlink;
use std::{fs, process};

use svcgen_codegen::write_file;

#[test]
fn a_file_is_replaced_as_a_whole_and_a_link_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (file, link, secret) = (path("s.rs"), path("link.rs"), path("secret"));
    fs::write(&secret, "hush").unwrap();
    symlink(&secret, &link).unwrap();
    let refused = write_file(&link, "text").unwrap_err().to_string();
    assert!(refused.contains("symbolic link"), "{refused}");
    // The temporary file of a killed process with the same id.
    symlink(&secret, path(&format!("s.rs.{}.tmp", process::id()))).unwrap();
    let written = ["one", "one", "two"].map(|text| write_file(&file, text).unwrap());
    assert_eq!(written, [true, false, true]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "two");
    assert_eq!(fs::read_to_string(&secret).unwrap(), "hush");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}
