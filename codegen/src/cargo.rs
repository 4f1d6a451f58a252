//! The build.rs door: files, `OUT_DIR`, and lines for Cargo. The only I/O of the crate.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

use crate::text::MOST_BYTES;
use crate::{Config, Diagnostics, Output};

impl Config {
    /// Generates the code for definition files in a build script, into `OUT_DIR`: `svcgen::include_service!` takes it from there.
    ///
    /// Paths are relative to the package. Files are written only when their bytes change, and Cargo runs the build script again
    /// when a definition does. What is wrong with a definition is printed as Cargo's errors; the process then ends with code 1.
    pub fn build<P: AsRef<Path>>(&self, definitions: impl IntoIterator<Item = P>) {
        let Some(folder) = env::var_os("OUT_DIR").map(PathBuf::from) else {
            refuse("OUT_DIR is not set: `build` is for build scripts");
        };
        let mut written = HashSet::new();
        let mut failed = false;
        for definition in definitions {
            failed |= !self.build_one(definition.as_ref(), &folder, &mut written);
        }
        if failed {
            process::exit(1);
        }
    }

    fn build_one(&self, definition: &Path, folder: &Path, written: &mut HashSet<String>) -> bool {
        // Cargo takes a path that is not there for one that changes all the time.
        let options = options_file_of(definition);
        let definition_file = definition.exists().then_some(definition);
        for file in definition_file.into_iter().chain(options.as_deref()) {
            println!("cargo::rerun-if-changed={}", file.display());
        }
        let output = match self.generate_file(definition) {
            Ok(output) => output,
            Err(diagnostics) => {
                print_lines("error", &diagnostics.to_string());
                return false;
            }
        };
        print_lines("warning", &output.warnings.to_string());
        if !written.insert(output.name.clone()) {
            let message = format!(
                "{}: another definition gives {}.rs already",
                definition.display(),
                output.name
            );
            print_lines("error", &message);
            return false;
        }
        write(folder, &output)
            .map_err(|complaint| print_lines("error", &complaint))
            .is_ok()
    }

    /// Generates the code for a definition file, with the options of its [`options_file_of`].
    ///
    /// # Errors
    ///
    /// A file cannot be read, or what it holds is wrong.
    pub fn generate_file(&self, definition: impl AsRef<Path>) -> Result<Output, Diagnostics> {
        let path = definition.as_ref();
        let file = path.display().to_string();
        match read(path) {
            Ok(bytes) => self.for_file(path)?.generate_bytes(&file, &bytes),
            Err(error) => Err(Diagnostics::unreadable(
                &file,
                read_complaint(path, &error),
                None,
            )),
        }
    }

    /// [`Config::salvage`] for a file; nothing if it cannot be read.
    pub fn salvage_file(&self, definition: impl AsRef<Path>) -> Option<Output> {
        let path = definition.as_ref();
        let bytes = read(path).ok()?;
        self.for_file(path)
            .ok()?
            .salvage(&path.display().to_string(), str::from_utf8(&bytes).ok()?)
    }

    /// The same with the options of a definition file's [`options_file_of`], if it has one.
    ///
    /// # Errors
    ///
    /// There is one that cannot be read, or is no text.
    pub fn for_file(&self, definition: &Path) -> Result<Self, Diagnostics> {
        let Some(path) = options_file_of(definition) else {
            return Ok(self.clone());
        };
        let folder = env::current_dir().unwrap_or_default();
        let name = path.strip_prefix(folder).unwrap_or(&path).display();
        let name = name.to_string();
        match read(&path).map(String::from_utf8) {
            Ok(Ok(text)) => Ok(self.clone().options_file(&name, &text)),
            Ok(Err(_)) => Err(unreadable_options(&name, "is not UTF-8")),
            Err(error) => Err(unreadable_options(
                &name,
                &format!("cannot be read: {error}"),
            )),
        }
    }
}

fn unreadable_options(name: &str, complaint: &str) -> Diagnostics {
    Diagnostics::unreadable(name, format!("the file of options {complaint}"), None)
}

/// The file of options for a definition file: the nearest `svcgen.toml` in its folder or one above, up to the first that holds a
/// `Cargo.toml`. Outside of packages, in its own folder alone.
pub fn options_file_of(definition: &Path) -> Option<PathBuf> {
    let folder = definition
        .parent()
        .filter(|folder| *folder != Path::new(""));
    let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
    let folders: Vec<_> = folder.ancestors().collect();
    let package = folders
        .iter()
        .position(|folder| folder.join("Cargo.toml").is_file());
    let candidates = folders[..=package.unwrap_or(0)].iter();
    candidates
        .map(|folder| folder.join("svcgen.toml"))
        .find(|file| file.is_file())
}

/// The bytes of a file; of one that never ends, a byte more than a definition has.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = MOST_BYTES as u64 + 1;
    fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read_complaint(path: &Path, error: &io::Error) -> String {
    if path.is_dir() {
        return "the definition is a folder; name the files in it".to_owned();
    }
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such definition file".to_owned(),
        _ => format!("the definition cannot be read: {error}"),
    }
}

fn write(folder: &Path, output: &Output) -> Result<(), String> {
    for (extension, text) in [("rs", &output.code), ("mod.rs", &output.module)] {
        let path = folder.join(format!("{}.{extension}", output.name));
        write_if_changed(&path, text)
            .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    }
    Ok(())
}

fn write_if_changed(path: &Path, text: &str) -> io::Result<()> {
    match fs::read(path) {
        Ok(bytes) if bytes == text.as_bytes() => Ok(()),
        _ => fs::write(path, text),
    }
}

fn print_lines(kind: &str, text: &str) {
    for line in text.lines() {
        println!("cargo::{kind}={line}");
    }
}

fn refuse(message: &str) -> ! {
    print_lines("error", message);
    process::exit(1)
}
