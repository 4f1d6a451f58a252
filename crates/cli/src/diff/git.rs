//! Definitions at a git revision.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use svcgen_codegen::{Config, Diagnostics, Generator, nearest_options_file};
use svcgen_language::text::MOST_BYTES;

use super::NamedDefinition;
use crate::input::bounded;

/// Parses the value of `--against`: a revision, with or without the prefix `git:`.
pub(super) fn revision(text: &str) -> Result<String, String> {
    let revision = text.strip_prefix("git:").unwrap_or(text);
    if revision.is_empty() {
        return Err("name a revision of git: HEAD, main, v1.4.0".to_owned());
    }
    Ok(revision.to_owned())
}

/// Reads a definition at a revision, with the files that it includes and its options there.
///
/// # Errors
///
/// Returns an error if git is not installed, the file is in no repository, or the repository has no
/// such revision or no such file in it.
pub(super) fn describe(
    revision: &str,
    file: &Path,
    config: &Config,
) -> Result<NamedDefinition, String> {
    let (tree, path) = GitTree::around(file, revision)?;
    if !tree.has(&path) {
        return Err(format!(
            "there is no {} in `{revision}`: it is newer, or had another name",
            path.display()
        ));
    }
    let prefix = format!("{revision}:");
    let mut generator = Generator::new(config, |path| tree.read(path))
        .configured(|path| tree.options(path, config))
        .with_prefix(&prefix);
    Ok(NamedDefinition {
        described: generator.describe(&path),
        name: format!("{prefix}{}", path.display()),
    })
}

/// The files of a revision, by their paths from the root of the repository.
struct GitTree {
    revision: String,
    commit: String,
    /// A folder of the working tree, for git to run in.
    folder: PathBuf,
}

impl GitTree {
    /// Finds the repository of a file. Returns the tree of the revision, and the path of the file
    /// in it.
    fn around(file: &Path, revision: &str) -> Result<(Self, PathBuf), String> {
        let real = fs::canonicalize(file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => format!("there is no file {}", file.display()),
            _ => format!("{} cannot be found: {error}", file.display()),
        })?;
        let (Some(folder), Some(name)) = (real.parent(), real.file_name()) else {
            return Err(format!(
                "{} is not a file that git can track",
                file.display()
            ));
        };
        let prefix = git(folder, &["rev-parse", "--show-prefix"])?
            .ok_or_else(|| format!("{} is not in a working tree of git", file.display()))?;
        let asked = format!("{revision}^{{commit}}");
        let commit = git(
            folder,
            &["rev-parse", "-q", "--verify", "--end-of-options", &asked],
        )?
        .ok_or_else(|| format!("git knows no revision `{revision}` here"))?;
        let tree = Self {
            revision: revision.to_owned(),
            commit: line(&commit),
            folder: folder.to_owned(),
        };
        Ok((tree, Path::new(&line(&prefix)).join(name)))
    }

    fn has(&self, path: &Path) -> bool {
        let kind = self.git("-t", path);
        kind.is_ok_and(|kind| line(&kind) == "blob")
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.git("blob", path)
    }

    /// Returns the output of `git cat-file` for a path.
    fn git(&self, what: &str, path: &Path) -> io::Result<Vec<u8>> {
        let parts: Option<Vec<_>> = path.iter().map(OsStr::to_str).collect();
        let path = parts.unwrap_or_default().join("/");
        if path.starts_with("..") || path.starts_with('/') {
            return Err(io::Error::other("it is outside of the repository"));
        }
        let blob = format!("{}:{path}", self.commit);
        let output = git(&self.folder, &["cat-file", what, &blob]).map_err(io::Error::other)?;
        output.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Returns the options of the command line with those of the nearest `svcgen.toml`.
    fn options(&self, definition: &Path, config: &Config) -> Result<Config, Diagnostics> {
        let folder = definition.parent().unwrap_or(Path::new(""));
        match nearest_options_file(folder, |path| self.has(path)) {
            None => Ok(config.clone()),
            Some(path) => {
                let name = format!("{}:{}", self.revision, path.display());
                config.clone().read_options_file(&name, self.read(&path))
            }
        }
    }
}

/// Runs git and returns its output, cut off if it is longer than any definition; `None` if git
/// fails.
fn git(folder: &Path, arguments: &[&str]) -> Result<Option<Vec<u8>>, String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments);
    let spawned = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = spawned.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "--against needs git, and there is none on the PATH".to_owned(),
        _ => format!("git cannot be run: {error}"),
    })?;
    let output = child.stdout.take().map(bounded);
    // Git fails if its output is not read to the end.
    let status = child.wait();
    match (output, status) {
        (Some(Ok(output)), Ok(status)) if status.success() || output.len() > MOST_BYTES => {
            Ok(Some(output))
        }
        (_, Ok(_)) => Ok(None),
        (_, Err(error)) => Err(format!("git cannot be run: {error}")),
    }
}

fn line(output: &[u8]) -> String {
    let output = String::from_utf8_lossy(output);
    output.trim_end_matches(['\r', '\n']).to_owned()
}
