//! `svcgen import`: what it writes and says for WSDLs in small, and that what it writes is right.

mod back;
mod command_lines;
mod lost;
mod network;
mod rules;
mod scripts;
mod sets;
mod traps;
mod update;

use std::path::Path;
use std::process::Command;

/// How an import ended.
struct Imported {
    /// The exit code, standard error, and each file that was written, as one text.
    told: String,
    succeeded: bool,
}

/// Runs `svcgen import` in a folder; the definitions are written into its folder `out`.
fn import(folder: &Path, arguments: &[&str]) -> Imported {
    let out = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_svcgen"))
        .current_dir(folder)
        // Whatever this machine asks through.
        .env("NO_PROXY", "*")
        .args(["import", "--out"])
        .arg(out.path())
        .args(arguments)
        .output()
        .unwrap();
    let mut told = format!("exit code {}\n", output.status.code().unwrap());
    told += &String::from_utf8(output.stderr).unwrap();
    let mut files: Vec<_> = out
        .path()
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy();
        let text = std::fs::read_to_string(&file).unwrap();
        told += &format!("\n=== {name}\n{text}");
    }
    Imported {
        told,
        succeeded: output.status.success(),
    }
}

/// Whether `svcgen check` accepts a definition, and `svcgen fmt` would not change it.
fn checks(definition: &Path) -> Result<(), String> {
    for arguments in [&["check"][..], &["fmt", "--check"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_svcgen"))
            .args(arguments)
            .arg(definition)
            .output()
            .unwrap();
        if !output.status.success() {
            return Err(String::from_utf8(output.stderr).unwrap());
        }
    }
    Ok(())
}
