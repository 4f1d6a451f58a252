//! Writing files atomically, and comparing them with what would be written.

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

/// What the first Ctrl-C does instead of ending the command.
static INTERRUPT: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Lets the first Ctrl-C call a function that ends the command; the second one ends it in any case.
pub(crate) fn when_interrupted(end: impl FnOnce() + Send + 'static) {
    let mut interrupt = INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner);
    *interrupt = Some(Box::new(end));
}

/// Calls a function that reads Ctrl-C itself, from a terminal that it restores before it returns;
/// only then Ctrl-C ends the command.
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

/// Writes a file unless it has the text already, and prints which.
pub(crate) fn write(path: &Path, text: &str, console: &Console) -> Exit {
    let name = shown(&path.display().to_string());
    match write_into_folder(path, text) {
        Ok(true) => console.print(format!("wrote {name}\n")),
        Ok(false) => console.print(format!("fresh {name}\n")),
        Err(error) => console.error(format_args!("{name} cannot be written: {error}")),
    }
}

/// Writes a file, and before it the folders that it is in. Returns whether it was written.
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

/// What makes folders for their owner alone.
pub(crate) fn private_folders() -> DirBuilder {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Writes a file for its owner alone, which is not there yet: what is at its place, a link too, is
/// never written into.
fn write_private(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// Writes beside a path what then takes its place: all of it, or nothing.
fn put_in_place<T>(
    path: &Path,
    remove: fn(&Path) -> io::Result<()>,
    write: impl FnOnce(&Path) -> io::Result<T>,
) -> io::Result<T> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", process::id()));
    let temporary = path.with_file_name(name);
    let _writing = WRITING.lock();
    // A process of the same number may have been killed while it wrote.
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

/// Writes a file for its owner alone, in the place of one that is there. Returns it, to go on after
/// the bytes.
pub(crate) fn replace_private(path: &Path, bytes: &[u8]) -> io::Result<File> {
    // A link is refused, though it would be replaced: whoever made it expects it to be followed.
    is_target(path)?;
    put_in_place(
        path,
        |path| fs::remove_file(path),
        |path| write_private(path, bytes),
    )
}

/// Writes a folder with these files, which is not there yet, for its owner alone.
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
