//! The build.rs entry point: files, `OUT_DIR`, and lines for Cargo.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{env, io, process};

use heck::ToUpperCamelCase;
use svcgen_language::diagnostic::{Diagnostic, Diagnostics, sanitize};
use svcgen_language::rules::Severity;
use svcgen_language::text::MOST_BYTES;

use crate::config::Config;
use crate::disk::{may_include, options_file_of, read_file, write_in_folder};
use crate::driver::Output;
use crate::generator::Generator;
use crate::include;

impl Config {
    /// Generates the code for definition files, and for the files that they include, in a build
    /// script. The code goes into `OUT_DIR`; include it with `svcgen::include_service!`.
    ///
    /// [With an importer](Self::with_importer), a definition may be a WSDL. It and the documents it
    /// refers to are read as files, never from the network. Its `svcgen.toml` has its options; for
    /// settings that have no place in a WSDL, such as Rust names and secrets, write a definition.
    ///
    /// Long code is split into several files, and its types into modules, which the module of the
    /// definition re-exports, so that rustc compiles little again after a change.
    ///
    /// Paths are relative to the package. Files are written only when their bytes change, and Cargo
    /// runs the build script again when a definition changes. Warnings become warnings of Cargo.
    /// On errors, this function prints them to standard error, which Cargo shows, and exits with
    /// code 1.
    pub fn build<P: AsRef<Path>>(&self, definitions: impl IntoIterator<Item = P>) {
        let Some(folder) = env::var_os("OUT_DIR").map(PathBuf::from) else {
            eprintln!("OUT_DIR is not set: `build` is for build scripts");
            process::exit(1);
        };
        let mut build = Build {
            generator: self.generator(),
            folder,
            started: HashSet::new(),
            written: HashSet::new(),
        };
        let mut failed = false;
        for definition in definitions {
            failed |= !build.run(definition.as_ref().to_owned());
        }
        if failed {
            process::exit(1);
        }
    }

    /// Creates a generator for files, each with the options of its [`options_file_of`].
    pub fn generator(&self) -> Generator<'_> {
        Generator::new(self, read_file)
            .configured(|path| self.for_file(path))
            .confined()
    }

    /// Generates the code for a definition file, with the options of its [`options_file_of`].
    ///
    /// # Errors
    ///
    /// A file cannot be read, or its content is wrong, or one of these is true of an included file.
    pub fn generate_file(&self, definition: impl AsRef<Path>) -> Result<Output, Diagnostics> {
        self.generator().generate(definition)
    }

    /// Calls [`Config::recover`] for a file; `None` if it cannot be read.
    pub fn recover_file(&self, definition: impl AsRef<Path>) -> Option<Output> {
        let path = definition.as_ref();
        let bytes = read_file(path).ok()?;
        self.generator()
            .recover(&path.display().to_string(), &bytes)
    }

    /// Returns these options with those of a definition file's [`options_file_of`], if it has one.
    ///
    /// # Errors
    ///
    /// The options file cannot be read or is not UTF-8.
    pub fn for_file(&self, definition: &Path) -> Result<Self, Diagnostics> {
        let Some(path) = options_file_of(definition) else {
            return Ok(self.clone());
        };
        let folder = env::current_dir().unwrap_or_default();
        let name = path.strip_prefix(folder).unwrap_or(&path).display();
        let name = name.to_string();
        let read = may_include(definition, &path, &[]).map_err(io::Error::other);
        self.clone()
            .read_options_file(&name, read.and_then(|()| read_file(&path)))
    }

    /// Adds the options of [`Config::options_file`] from the result of reading the file.
    ///
    /// # Errors
    ///
    /// The file could not be read, is not UTF-8, or is longer than [`MOST_BYTES`].
    pub fn read_options_file(
        self,
        name: &str,
        read: io::Result<Vec<u8>>,
    ) -> Result<Self, Diagnostics> {
        let complaint = match read.map(String::from_utf8) {
            Ok(Ok(text)) if text.len() <= MOST_BYTES => return Ok(self.options_file(name, &text)),
            Ok(Ok(_)) => format!("has more than {} MiB", MOST_BYTES >> 20),
            Ok(Err(_)) => "is not UTF-8".to_owned(),
            Err(error) => format!("cannot be read: {error}"),
        };
        let message = format!("the file of options {complaint}");
        Err(Diagnostics::unreadable(name, message, None))
    }
}

/// The state of a build script.
struct Build<'c> {
    generator: Generator<'c>,
    folder: PathBuf,
    started: HashSet<PathBuf>,
    /// The names of the written modules.
    written: HashSet<String>,
}

impl Build<'_> {
    /// Generates the code for a definition and what it includes. Returns whether it succeeded.
    fn run(&mut self, definition: PathBuf) -> bool {
        let mut open = vec![definition];
        let mut succeeded = true;
        while let Some(path) = open.pop() {
            if self.started.insert(include::fold(&path)) {
                match self.one(&path) {
                    Ok(output) => open.extend(output.included.into_iter().rev()),
                    Err(errors) => {
                        eprintln!("{errors}\n");
                        succeeded = false;
                    }
                }
            }
        }
        succeeded
    }

    fn one(&mut self, definition: &Path) -> Result<Output, String> {
        // Cargo would run the build script each time for a path that does not exist.
        let options = options_file_of(definition);
        let definition_file = definition.exists().then_some(definition);
        for file in definition_file.into_iter().chain(options.as_deref()) {
            println!("cargo::rerun-if-changed={}", file.display());
        }
        let output = self.generator.generate(definition);
        let output = output.map_err(|diagnostics| match definition_file {
            Some(_) => diagnostics.to_string(),
            None => {
                let package = env::current_dir().unwrap_or_default();
                let package = package.display();
                format!("{diagnostics}\n = help: paths are relative to {package}")
            }
        })?;
        for source in &output.sources {
            println!("cargo::rerun-if-changed={}", source.display());
        }
        print_warnings(&output.warnings);
        if !self.written.insert(output.name.clone()) {
            let (definition, name) = (definition.display(), output.name);
            return Err(format!(
                "{definition}: another definition gives {name}.rs already"
            ));
        }
        write(&self.folder, &output)?;
        Ok(output)
    }
}

fn write(folder: &Path, output: &Output) -> Result<(), String> {
    let name = &output.name;
    let mut files = code_files(output);
    files.push((format!("{name}.mod.rs"), output.module.clone()));
    let service = name.to_upper_camel_case();
    // On some file systems, `audit` and `Audit` are the same file.
    if !service.eq_ignore_ascii_case(name) {
        let message = format!(
            "the module of {service} is called {name}: write svcgen::include_service!(\"{name}\")"
        );
        files.push((
            format!("{service}.mod.rs"),
            format!("compile_error!({message:?});\n"),
        ));
    }
    for (file, text) in files {
        let path = folder.join(file);
        write_in_folder(&path, &text)
            .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    }
    Ok(())
}

/// The size from which code is written in several files, in bytes. Larger code has a file for each
/// piece: rustc compiles items again whose line numbers change, and all functions of a module
/// together.
const MOST_IN_FILE: usize = 256 << 10;

/// The files of the code, with their texts.
fn code_files(output: &Output) -> Vec<(String, String)> {
    let (name, code) = (&output.name, &output.code);
    let file = format!("{name}.rs");
    let starts = output.pieces.iter().map(|(_, start)| *start);
    let Some(first) = starts.clone().next().filter(|_| code.len() > MOST_IN_FILE) else {
        return vec![(file, code.clone())];
    };
    let ends = starts.skip(1).chain([code.len()]);
    let mut whole = code[..first].to_owned() + "\n";
    let mut files = Vec::new();
    let pieces = output.pieces.iter().zip(ends);
    for ((piece, start), end) in pieces.filter(|((_, start), end)| start < end) {
        let (file, text) = (
            format!("{name}.parts/{}.rs", piece.name),
            &code[*start..end],
        );
        // Paths in the options are relative to the module of the definition.
        let is_relative = ["self::", "super::"].iter().any(|path| text.contains(path));
        whole += &if piece.is_public && !is_relative {
            let module = &piece.name;
            format!(
                "mod {module} {{\n    use super::*;\n    include!({file:?});\n}}\n\
                 #[allow(unused_imports)]\npub use {module}::*;\n"
            )
        } else {
            format!("include!({file:?});\n")
        };
        files.push((file, text.to_owned()));
    }
    files.push((file, whole));
    files
}

/// Prints warnings as Cargo's, a line each, as Cargo prefixes every line with the name of the
/// package. Cargo has no syntax for notes, which are printed with the output of the script, as
/// shown by `cargo build -vv`.
fn print_warnings(diagnostics: &Diagnostics) {
    for one in diagnostics.iter() {
        match one.severity() {
            Severity::Note => eprintln!("{one}\n"),
            _ => println!("cargo::warning={}", line(one)),
        }
    }
    if let Some(left_out) = diagnostics.left_out() {
        println!("cargo::warning={left_out}");
    }
}

/// Formats a diagnostic as one line: its place, its message, and its hint.
fn line(one: &Diagnostic) -> String {
    let mut text = one.file().to_owned();
    if let Some(span) = one.spans().next() {
        let (line, column) = span.start;
        text += &format!(":{line}:{column}");
    }
    text += &format!(": {} [{}]", one.message(), one.code());
    if let Some(hint) = one.hint() {
        text += &format!("; {hint}");
    }
    sanitize(&text)
}
