//! A file as it is at a revision of git.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Output};

use super::Named;

/// What `--against` says, without `git:`.
pub(super) fn revision(text: &str) -> Result<String, String> {
    match text.strip_prefix("git:") {
        Some(revision) if !revision.is_empty() => Ok(revision.to_owned()),
        _ => Err("write it like `git:main`, `git:HEAD~1` or `git:v1.4.0`".to_owned()),
    }
}

/// The file at the revision, from wherever the command is called.
///
/// # Errors
///
/// There is no git, no repository around the file, no such revision, or no such file in it.
pub(super) fn show(revision: &str, file: &Path) -> Result<Named, String> {
    let real = fs::canonicalize(file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file {}", file.display()),
        _ => format!("{} cannot be found: {error}", file.display()),
    })?;
    let (Some(folder), Some(name)) = (real.parent(), real.file_name().and_then(OsStr::to_str))
    else {
        return Err(format!("{} is no file that git could know", file.display()));
    };
    let prefix = git(folder, &["rev-parse", "--show-prefix"])?
        .ok_or_else(|| format!("{} is in no working tree of git", file.display()))?;
    let asked = format!("{revision}^{{commit}}");
    let commit = git(
        folder,
        &[
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &asked,
        ],
    )?
    .ok_or_else(|| format!("git knows no revision `{revision}` here"))?;
    let path = format!("{}{name}", line(&prefix));
    let blob = format!("{}:{path}", line(&commit));
    let bytes = git(folder, &["cat-file", "blob", &blob])?.ok_or_else(|| {
        format!("there is no {path} in `{revision}`: it is new since, or was called otherwise")
    })?;
    Ok(Named {
        name: format!("{revision}:{path}"),
        bytes,
    })
}

/// What git says, if it does not fail.
fn git(folder: &Path, arguments: &[&str]) -> Result<Option<Vec<u8>>, String> {
    let run = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .output();
    match run {
        Ok(Output { status, stdout, .. }) => Ok(status.success().then_some(stdout)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err("--against needs git, and there is none on the PATH".to_owned())
        }
        Err(error) => Err(format!("git cannot be run: {error}")),
    }
}

fn line(said: &[u8]) -> String {
    String::from_utf8_lossy(said)
        .trim_end_matches(['\r', '\n'])
        .to_owned()
}
