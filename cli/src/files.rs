//! Writing files atomically, and comparing them with what would be written.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process;
use std::sync::Mutex;

use similar::TextDiff;

use crate::console::Console;
use crate::exit::Exit;

/// Locked while a temporary file exists.
static WRITING: Mutex<()> = Mutex::new(());

/// The exit code of a command that was ended by Ctrl-C, as in shells.
const INTERRUPTED: i32 = 130;

/// Makes Ctrl-C wait until the current file is written, so that no temporary file stays behind.
pub(crate) fn finish_when_interrupted(console: &Console) -> Exit {
    let handler = ctrlc::set_handler(|| {
        let _finished = WRITING.lock();
        process::exit(INTERRUPTED);
    });
    match handler {
        Ok(()) => Exit::Done,
        Err(error) => console.error(format_args!("Ctrl-C cannot be waited for: {error}")),
    }
}

/// Writes a file through a temporary one beside it, unless it has the text already. Returns whether it was written.
fn write_if_changed(path: &Path, text: &str) -> io::Result<bool> {
    if fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes()) {
        return Ok(false);
    }
    if let Some(folder) = path.parent() {
        if folder.is_file() {
            return Err(io::Error::other(format!("{} is a file", folder.display())));
        }
        fs::create_dir_all(folder)?;
    }
    // Write the target of a link instead of replacing the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let _writing = WRITING.lock();
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", process::id()));
    let temporary = target.with_file_name(name);
    let written =
        write_new(&temporary, &target, text).and_then(|()| fs::rename(&temporary, &target));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written.map(|()| true)
}

/// Writes a file, or with `check` compares it with the text and prints the difference.
pub(crate) fn put(path: &Path, text: &str, check: bool, console: &Console) -> Exit {
    if !check {
        return write(path, text, console);
    }
    let name = path.display().to_string();
    match fs::read(path) {
        Ok(bytes) => compare(&name, &bytes, text, console),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Exit::Found.max(console.print(format!("missing {name}\n")))
        }
        Err(error) => console.error(format_args!("{name} cannot be read: {error}")),
    }
}

/// Writes files, given by name and text, into a folder.
pub(crate) fn write_all(
    folder: &Path,
    files: impl Iterator<Item = (String, String)>,
    console: &Console,
) -> Exit {
    let written = files.map(|(name, text)| write(&folder.join(name), &text, console));
    written.fold(Exit::Done, Exit::max)
}

/// Writes a file unless it has the text already, and prints which.
pub(crate) fn write(path: &Path, text: &str, console: &Console) -> Exit {
    let name = path.display();
    match write_if_changed(path, text) {
        Ok(true) => console.print(format!("wrote {name}\n")),
        Ok(false) => console.print(format!("fresh {name}\n")),
        Err(error) => console.error(format_args!("{name} cannot be written: {error}")),
    }
}

fn write_new(temporary: &Path, target: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::File::create_new(temporary)?;
    if let Ok(metadata) = fs::metadata(target) {
        file.set_permissions(metadata.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Compares bytes with the expected text, and prints the difference as a unified diff.
pub(crate) fn compare(name: &str, bytes: &[u8], text: &str, console: &Console) -> Exit {
    if bytes == text.as_bytes() {
        return console.print(format!("fresh {name}\n"));
    }
    let old = String::from_utf8_lossy(bytes);
    let diff = TextDiff::from_lines(&*old, text);
    let difference = diff.unified_diff().header(name, name).to_string();
    Exit::Found.max(console.print(format!("stale {name}\n{difference}")))
}
