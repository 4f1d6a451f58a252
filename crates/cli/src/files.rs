//! Writes files atomically, and compares files with the text to write.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::path::Path;
use std::process;
use std::sync::{Mutex, PoisonError};

use diffy::{DiffOptions, PatchFormatter};
use svcgen_codegen::{is_target, read_target, write_file};
use svcgen_model::is_hidden;

use crate::console::{Console, shown};
use crate::exit::{Exit, Failure};

/// Locked while a temporary file exists.
static WRITING: Mutex<()> = Mutex::new(());

/// The exit code of a command that was ended by Ctrl-C, as in shells.
const INTERRUPTED: i32 = 130;

/// The function that the first Ctrl-C calls instead of ending the command.
static INTERRUPT: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Makes the first Ctrl-C call a function that ends the command; the second one ends it in any
/// case.
pub(crate) fn when_interrupted(end: impl FnOnce() + Send + 'static) {
    let mut interrupt = INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner);
    *interrupt = Some(Box::new(end));
}

/// Calls a function that reads Ctrl-C itself, from a terminal that it restores before it returns.
/// If it was interrupted, the command ends afterwards.
pub(crate) fn interrupted_after<T>(read: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let before = {
        let mut interrupt = INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner);
        interrupt.replace(Box::new(|| {}))
    };
    let result = read();
    *INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner) = before;
    if matches!(&result, Err(error) if error.kind() == io::ErrorKind::Interrupted) {
        end_interrupted();
    }
    result
}

/// Ends the command as Ctrl-C does, once the current file is written.
fn end_interrupted() -> ! {
    let _finished = WRITING.lock();
    process::exit(INTERRUPTED)
}

/// Makes Ctrl-C wait until the current file is written, so that no temporary file stays behind.
pub(crate) fn finish_when_interrupted() -> Result<Exit, Failure> {
    let handler = ctrlc::set_handler(|| {
        let end = INTERRUPT.lock().ok().and_then(|mut end| end.take());
        if let Some(end) = end {
            return end();
        }
        end_interrupted();
    });
    handler.map_err(|error| format!("Ctrl-C cannot be waited for: {error}"))?;
    Ok(Exit::Done)
}

/// Writes a file, or with `check` compares it with the text and prints the difference.
pub(crate) fn put(path: &Path, text: &str, check: bool, console: &Console) -> Exit {
    if !check {
        return write(path, text, console);
    }
    let name = shown(&path.display().to_string());
    match read_target(path) {
        Ok(Some(bytes)) => compare(&name, &bytes, text, console),
        Ok(None) => Exit::Found.max(console.print(format!("missing {name}\n"))),
        Err(error) => console.error(format_args!("{name} cannot be read: {error}")),
    }
}

/// Writes files, given by name and text, into a folder, up to one that cannot be written.
pub(crate) fn write_all(
    folder: &Path,
    files: impl Iterator<Item = (String, String)>,
    console: &Console,
) -> Exit {
    let mut exit = Exit::Done;
    for (name, text) in files {
        exit = exit.max(write(&folder.join(name), &text, console));
        if exit == Exit::Failed {
            break;
        }
    }
    exit
}

/// Writes a file unless it has the text already, and prints which was the case.
pub(crate) fn write(path: &Path, text: &str, console: &Console) -> Exit {
    let name = shown(&path.display().to_string());
    match write_into_folder(path, text) {
        Ok(true) => console.print(format!("wrote {name}\n")),
        Ok(false) => console.print(format!("fresh {name}\n")),
        Err(error) => console.error(format_args!("{name} cannot be written: {error}")),
    }
}

/// Creates the folder of a file and writes the file. Returns whether it was written.
fn write_into_folder(path: &Path, text: &str) -> io::Result<bool> {
    if let Some(folder) = path.parent() {
        let found = folder.ancestors().find(|folder| folder.exists());
        if let Some(file) = found.filter(|found| !found.is_dir()) {
            return Err(io::Error::other(format!(
                "{} is not a folder",
                file.display()
            )));
        }
        fs::create_dir_all(folder)?;
    }
    let _writing = WRITING.lock();
    write_file(path, text)
}

/// Returns a builder of folders that only their owner can access.
pub(crate) fn private_folders() -> DirBuilder {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Creates a file that only its owner can access. Fails if the path exists, even as a link, so that
/// no existing file is written into.
fn write_private(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// Writes to a temporary path, and then moves the result to the final path: all of it, or nothing.
fn put_in_place<T>(
    path: &Path,
    remove: fn(&Path) -> io::Result<()>,
    write: impl FnOnce(&Path) -> io::Result<T>,
) -> io::Result<T> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", process::id()));
    let temporary = path.with_file_name(name);
    let _writing = WRITING.lock();
    // A process with the same id may have been killed while it wrote.
    let _ = remove(&temporary);
    let written = write(&temporary).and_then(|written| {
        fs::rename(&temporary, path)?;
        Ok(written)
    });
    if written.is_err() {
        let _ = remove(&temporary);
    }
    written
}

/// Writes a file that only its owner can access, and replaces an existing one. Returns the file, to
/// be written further.
pub(crate) fn replace_private(path: &Path, bytes: &[u8]) -> io::Result<File> {
    // A link is refused, although it would be replaced: its owner expects it to be followed.
    is_target(path)?;
    put_in_place(
        path,
        |path| fs::remove_file(path),
        |path| write_private(path, bytes),
    )
}

/// Creates a folder with these files that only its owner can access.
pub(crate) fn write_folder(path: &Path, files: &[(&str, Vec<u8>)]) -> io::Result<()> {
    put_in_place(
        path,
        |path| fs::remove_dir_all(path),
        |path| {
            private_folders().create(path)?;
            let mut files = files.iter();
            files.try_for_each(|(name, bytes)| write_private(&path.join(name), bytes).map(drop))
        },
    )
}

/// Compares bytes with the expected text, and prints the difference as a unified diff.
pub(crate) fn compare(name: &str, bytes: &[u8], text: &str, console: &Console) -> Exit {
    if bytes == text.as_bytes() {
        return console.print(format!("fresh {name}\n"));
    }
    let old = String::from_utf8_lossy(bytes);
    let mut options = DiffOptions::new();
    let options = options.set_original_filename(name.to_owned());
    let options = options.set_modified_filename(name.to_owned());
    let patch = options.create_patch(&old, text);
    let formatter = PatchFormatter::new().suppress_blank_empty(false);
    let difference = formatter.fmt_patch(&patch).to_string();
    let difference = difference.replace(is_hidden, "?");
    Exit::Found.max(console.print(format!("stale {name}\n{difference}")))
}
