//! Shell lines that run the command.

use std::env;
use std::path::Path;
use std::process::Command;

/// Runs a shell line with this svcgen, in a folder that is also the home folder; `before` is the
/// exit code of the line before.
pub(crate) fn shell(folder: &Path, before: i32, line: &str) -> (i32, String) {
    let binaries = Path::new(env!("CARGO_BIN_EXE_svcgen"))
        .parent()
        .unwrap()
        .to_owned();
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([binaries].into_iter().chain(env::split_paths(&path))).unwrap();
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; (exit {before}); {line}")])
        .current_dir(folder)
        .env("PATH", path)
        .env("HOME", folder)
        .output()
        .unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
    )
}
