//! Whatever arguments the command gets, it ends as documented, and never by a panic.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;

use crate::help::subcommands;
use crate::{RIGHT, WRONG, svcgen_in};

/// Files of all kinds.
fn prepare(folder: &Path) {
    fs::write(folder.join("right.yaml"), RIGHT).unwrap();
    fs::write(folder.join("wrong.yaml"), WRONG).unwrap();
    fs::write(folder.join("bytes.yaml"), [0xFF, 0x00, b'\n']).unwrap();
    fs::write(folder.join("empty.yaml"), "").unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
}

/// A word of a call: flags of the command, files that exist or do not, and nonsense.
fn word() -> impl Strategy<Value = OsString> {
    let flags = [
        "--out",
        "--check",
        "--name",
        "--client",
        "--server",
        "--runtime",
        "--simple-type",
        "--color",
        "--message-format",
        "--path",
        "--deny-warnings",
        "--help",
        "--version",
        "--url",
        "--shape",
        "--format",
        "--host",
        "--against",
        "--",
        "--out=folder",
        "-h",
        "-V",
    ];
    let files = [
        "right.yaml",
        "wrong.yaml",
        "bytes.yaml",
        "empty.yaml",
        "folder",
        "missing.yaml",
        "*.yaml",
        "[",
        "a***",
        "-",
        "/dev/null",
        "right.yaml/x",
        "folder/new/out",
    ];
    let values = [
        "true",
        "false",
        "never",
        "json",
        "bash",
        "generate",
        "SVC001",
        "crate::a",
        "int=crate::Int",
        "",
        "=",
        "git:HEAD",
        "\u{1F6D2}",
    ];
    prop_oneof![
        3 => proptest::sample::select(flags.to_vec()).prop_map(OsString::from),
        4 => proptest::sample::select(files.to_vec()).prop_map(OsString::from),
        2 => proptest::sample::select(values.to_vec()).prop_map(OsString::from),
        1 => "[^\\x00]{0,6}".prop_map(|word| OsString::from(word.replace('/', "_"))),
        1 => Just(not_utf8()),
    ]
}

#[cfg(unix)]
fn not_utf8() -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(b"caf\xE9.yaml".to_vec())
}

#[cfg(not(unix))]
fn not_utf8() -> OsString {
    OsString::from("caf.yaml")
}

proptest! {
    #[test]
    fn every_call_ends_with_0_1_or_2(
        subcommand in any::<proptest::sample::Index>(),
        words in proptest::collection::vec(word(), 0..6),
        stdin in prop_oneof![Just(RIGHT), Just(WRONG), Just(""), Just("a: [")],
    ) {
        // These do not end by themselves. The subcommands that need a URL get none.
        let endless = |name: &str| ["mock", "watch"].contains(&name);
        static SUBCOMMANDS: LazyLock<Vec<String>> = LazyLock::new(subcommands);
        let subcommands: Vec<_> = SUBCOMMANDS.iter().filter(|name| !endless(name)).collect();
        let folder = tempfile::tempdir().unwrap();
        prepare(folder.path());
        let mut call = vec![OsString::from(subcommand.get(&subcommands))];
        call.extend(words);
        let arguments: Vec<&dyn AsRef<std::ffi::OsStr>> = call.iter().map(|word| word as _).collect();
        let ended = svcgen_in(folder.path(), &arguments, stdin.as_bytes());
        prop_assert!(matches!(ended.code, Some(0..=2)), "{call:?}: {ended:?}");
        prop_assert!(!ended.stderr.contains("panicked"), "{call:?}: {ended:?}");
        prop_assert!(ended.code != Some(2) || !ended.stderr.is_empty(), "{call:?}: it does not say why");
    }
}
