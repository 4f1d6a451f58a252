//! The folder of exchanges.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use serde_json::Value;
use svcgen::mask::Masked;

use super::kept::KeptExchange;
use super::values::CallValues;
use crate::console::Console;
use crate::exit::Exit;
use crate::files;
use crate::json::escaped;

/// Numbered folders, one for each exchange.
pub(crate) struct Folder {
    path: PathBuf,
    next: u64,
    most: u64,
    written: VecDeque<u64>,
    removed: u64,
    unwritten: u64,
}

/// The default number of exchanges that are kept.
pub(crate) const MOST_EXCHANGES: NonZeroU64 = NonZeroU64::new(10_000).unwrap();

impl Folder {
    /// Opens or creates a folder, and continues after the exchanges in it.
    pub(crate) fn open(path: &Path, most: NonZeroU64) -> Result<Self, String> {
        let failed =
            |error: io::Error| format!("{} cannot be written into: {error}", path.display());
        if path.is_symlink() {
            let why = "it is a symbolic link: name the folder that it leads to";
            return Err(failed(io::Error::other(why)));
        }
        let mut builder = files::private_folders();
        builder.recursive(true).create(path).map_err(failed)?;
        let mut last = 0;
        for entry in fs::read_dir(path).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let number = name.to_str().and_then(|name| name.parse().ok());
            last = last.max(number.unwrap_or_default());
        }
        Ok(Self {
            path: path.to_owned(),
            next: last + 1,
            most: most.get(),
            written: VecDeque::new(),
            removed: 0,
            unwritten: 0,
        })
    }

    /// Writes the files of an exchange and the description `about`, and removes the oldest exchange
    /// if there are too many. Returns the name of the folder, or prints why it could not be
    /// written.
    pub(crate) fn keep(
        &mut self,
        about: Value,
        files: Files,
        console: &Console,
    ) -> (Option<String>, Exit) {
        let mut exit = Exit::Done;
        let name = self.add(about, files).map_err(|why| {
            self.unwritten += 1;
            exit = console.error(why);
        });
        if let Err(why) = self.remove_oldest() {
            exit = exit.max(console.error(why));
        }
        (name.ok(), exit)
    }

    /// Writes all files, or none if one cannot be written.
    fn add(&mut self, about: Value, files: Files) -> Result<String, String> {
        let files = files
            .into_iter()
            .map(|(name, bytes)| (name, bytes.into_inner()));
        let mut files: Vec<_> = files.collect();
        files.push((
            "exchange.json",
            escaped(&format!("{about:#}\n")).into_bytes(),
        ));
        loop {
            let number = self.next;
            // Even if this fails, as something may exist at the path.
            self.next += 1;
            let name = name(number);
            let path = self.path.join(&name);
            match files::write_folder(&path, &files) {
                Ok(()) => {
                    self.written.push_back(number);
                    return Ok(name);
                }
                // Another recorder writes into the same folder.
                Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
                Err(error) => return Err(format!("{} cannot be written: {error}", path.display())),
            }
        }
    }

    /// Removes the oldest of the exchanges written by this, if there are too many.
    fn remove_oldest(&mut self) -> Result<(), String> {
        while self.written.len() as u64 > self.most
            && let Some(oldest) = self.written.pop_front()
        {
            let path = self.path.join(name(oldest));
            match fs::remove_dir_all(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(format!("{} cannot be removed: {error}", path.display()));
                }
                _ => self.removed += 1,
            }
        }
        Ok(())
    }

    /// Returns the number of exchanges that were removed.
    pub(crate) fn removed(&self) -> u64 {
        self.removed
    }

    /// Returns the number of exchanges that could not be written.
    pub(crate) fn unwritten(&self) -> u64 {
        self.unwritten
    }
}

/// The names of files, with their masked contents.
type Files = Vec<(&'static str, Masked<Vec<u8>>)>;

/// Returns the description of an exchange, and its files.
pub(crate) fn parts(kept: &KeptExchange<'_>, values: Option<&CallValues>) -> (Value, Files) {
    let mut about = kept.about();
    let answer = kept.interim.and(kept.answer.by_ref());
    let mut files = vec![
        ("request.http", kept.request.by_ref().map(|one| one.bytes())),
        (
            "response.http",
            answer.map(|(interim, answer)| [interim, &answer.bytes()].concat()),
        ),
    ];
    if let Some(values) = values {
        about["operation"] = values.operation.into();
        about["binding"] = values.binding.into();
        about["masked_parameters"] = values.masked.clone().into();
        files.push(("values.yaml", values.yaml.clone().map(String::into_bytes)));
    }
    (about, files)
}

/// Returns the name of an exchange's folder. Names sort in the order of numbers.
fn name(number: u64) -> String {
    format!("{number:08}")
}
