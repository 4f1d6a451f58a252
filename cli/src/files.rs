//! Writing files whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file through a temporary one beside it, unless it holds the text already. Says whether it wrote.
pub(crate) fn write_if_changed(path: &Path, text: &str) -> io::Result<bool> {
    if fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes()) {
        return Ok(false);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let temporary = path.with_extension(format!("rs.{}.tmp", std::process::id()));
    let written = write_new(&temporary, text).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written.map(|()| true)
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
