//! Access to files on the disk: finding, admitting, reading and writing them.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::{fs, io, process};

use svcgen_language::text::MOST_BYTES;

/// Returns the options file of a definition file: the nearest `svcgen.toml` in its folder or one
/// above, up to the first that contains a `Cargo.toml`. Outside of packages, only its own folder is
/// searched.
pub fn options_file_of(definition: &Path) -> Option<PathBuf> {
    nearest_options_file(&folder_of(definition)?, Path::is_file)
}

/// Returns the options file for definitions in a folder, which may be in a repository instead of on
/// the disk: `is_file` decides which files exist.
pub fn nearest_options_file(folder: &Path, is_file: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let folders: Vec<_> = folder.ancestors().collect();
    let package = folders
        .iter()
        .position(|folder| is_file(&folder.join("Cargo.toml")));
    let candidates = folders[..=package.unwrap_or(0)].iter();
    candidates
        .map(|folder| folder.join("svcgen.toml"))
        .find(|file| is_file(file))
}

/// Decides whether a file may include another: one of its workspace, or one in a folder of the
/// option `allow_include`.
///
/// The workspace is the outermost folder, at or above that of the file, that contains a
/// `Cargo.toml`; outside of Cargo's packages it is the folder of the file alone. Links are followed
/// first: the real location of a file counts.
///
/// # Errors
///
/// The file may not be included; the error is the reason, in a sentence.
pub fn may_include(from: &Path, file: &Path, folders: &[&Path]) -> Result<(), String> {
    // A missing file is reported by its reader.
    let Ok(file) = fs::canonicalize(file) else {
        return Ok(());
    };
    let folder = folder_of(from).ok_or("the folder of this file cannot be found")?;
    let ancestors = folder.ancestors();
    let workspace = ancestors.filter(|folder| folder.join("Cargo.toml").is_file());
    let workspace = workspace.last().unwrap_or(&folder);
    let allowed = folders
        .iter()
        .filter_map(|folder| fs::canonicalize(folder).ok());
    if file.starts_with(workspace) || allowed.into_iter().any(|folder| file.starts_with(folder)) {
        return Ok(());
    }
    Err("it is outside of the workspace of this file".to_owned())
}

/// The folder of a file, with links followed.
fn folder_of(file: &Path) -> Option<PathBuf> {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()
}

/// The maximum number of files of a folder that are examined.
const MOST_FILES: usize = 10_000;

/// Returns the files in the folder of a file, by name.
pub fn files_beside(file: &Path) -> Vec<PathBuf> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let is_current = folder.as_os_str().is_empty();
    let listed = fs::read_dir(if is_current { Path::new(".") } else { folder });
    let entries = listed.into_iter().flatten().take(MOST_FILES).flatten();
    let is_file = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    let files = entries.filter(is_file);
    let mut files: Vec<_> = files.map(|entry| folder.join(entry.file_name())).collect();
    files.sort_unstable();
    files
}

/// Reads a file, at most one byte more than the maximum size of a definition.
///
/// # Errors
///
/// The file cannot be read, or is a folder, a pipe or a device, which may block or never end.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    check_kind(fs::metadata(path)?.file_type())?;
    let mut bytes = Vec::new();
    let most = MOST_BYTES as u64 + 1;
    fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn check_kind(kind: fs::FileType) -> io::Result<()> {
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !kind.is_file() {
        let complaint = "it is a pipe, a device or a socket, not a file";
        return Err(io::Error::other(complaint));
    }
    Ok(())
}

/// Writes a file through a temporary one next to it, unless it has this text already. Returns
/// whether it was written.
///
/// # Errors
///
/// The file cannot be written, or exists and is not a regular file: a symbolic link is neither
/// followed nor replaced. Its folder may be reached through links.
pub fn write_file(path: &Path, text: &str) -> io::Result<bool> {
    if read_target(path)?.is_some_and(|bytes| bytes == text.as_bytes()) {
        return Ok(false);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", process::id()));
    let temporary = path.with_file_name(name);
    // A process with the same id may have been killed while writing.
    let _ = fs::remove_file(&temporary);
    let written = write_new(&temporary, path, text).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written.map(|()| true)
}

/// Creates the folder of a file and calls [`write_file`].
pub(crate) fn write_in_folder(path: &Path, text: &str) -> io::Result<bool> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
    write_file(path, text)
}

/// Returns the bytes of a file that is to be written, or would be; `None` if it does not exist.
///
/// # Errors
///
/// The file cannot be read, or is not a regular file: a symbolic link is not followed.
pub fn read_target(path: &Path) -> io::Result<Option<Vec<u8>>> {
    if !is_target(path)? {
        return Ok(None);
    }
    fs::read(path).map(Some)
}

/// Whether a file that is to be written exists already.
///
/// # Errors
///
/// It is not a regular file: a symbolic link is not followed.
pub fn is_target(path: &Path) -> io::Result<bool> {
    let kind = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata.file_type(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    if kind.is_symlink() {
        let complaint = "it is a symbolic link, which is not followed: name the file itself, or remove the link";
        return Err(io::Error::other(complaint));
    }
    check_kind(kind)?;
    Ok(true)
}

fn write_new(temporary: &Path, target: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::File::create_new(temporary)?;
    if let Ok(metadata) = fs::symlink_metadata(target) {
        file.set_permissions(metadata.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
