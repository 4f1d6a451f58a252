//! The folder of exchanges.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use super::kept::Kept;
use crate::files;

/// Numbered folders, one for each exchange.
pub(super) struct Folder {
    path: PathBuf,
    next: u64,
    most: Option<u64>,
    written: VecDeque<u64>,
}

impl Folder {
    /// Goes on after what a folder holds.
    pub(super) fn open(path: &Path, most: Option<NonZeroU64>) -> Result<Self, String> {
        let told = |error: io::Error| format!("{} cannot be written into: {error}", path.display());
        fs::create_dir_all(path).map_err(told)?;
        let mut last = 0;
        for entry in fs::read_dir(path).map_err(told)? {
            let name = entry.map_err(told)?.file_name();
            let number = name.to_str().and_then(|name| name.parse().ok());
            last = last.max(number.unwrap_or_default());
        }
        Ok(Self {
            path: path.to_owned(),
            next: last + 1,
            most: most.map(NonZeroU64::get),
            written: VecDeque::new(),
        })
    }

    /// Writes an exchange, whole or not at all. Returns the name of its folder.
    pub(super) fn write(&mut self, kept: &Kept<'_>) -> Result<String, String> {
        let name = name(self.next);
        let path = self.path.join(&name);
        let told = |error: io::Error| format!("{} cannot be written: {error}", path.display());
        let about = format!("{:#}\n", kept.about());
        let request = kept.request.bytes();
        let response = [kept.interim(), &kept.answer.bytes()].concat();
        files::write_folder(
            &path,
            &[
                ("request.http", &request),
                ("response.http", &response),
                ("exchange.json", about.as_bytes()),
            ],
        )
        .map_err(told)?;
        self.written.push_back(self.next);
        self.next += 1;
        if let Some(most) = self.most
            && self.written.len() as u64 > most
            && let Some(oldest) = self.written.pop_front()
        {
            let oldest = self.path.join(self::name(oldest));
            let told = |error| format!("{} cannot be removed: {error}", oldest.display());
            fs::remove_dir_all(&oldest).map_err(told)?;
        }
        Ok(name)
    }
}

/// Names are in the order of numbers.
fn name(number: u64) -> String {
    format!("{number:08}")
}
