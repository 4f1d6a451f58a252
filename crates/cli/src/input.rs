//! The definitions named by arguments: files, patterns, and `-`.

use std::collections::HashSet;
use std::io::{self, Read, stdin};
use std::path::{Path, PathBuf};

use clap::Args;
use glob::MatchOptions;
use svcgen_codegen::{Config, Described, Diagnostics, Generator, Output, read_file};
use svcgen_language::text::MOST_BYTES;

use crate::console::Console;
use crate::exit::{Exit, Failure};

/// One definition or more.
#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// Definition files, patterns such as 'defs/**/*.yaml', or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Name of the definition on standard input, for messages and generated code
    #[arg(long, value_name = "NAME", default_value = "stdin.yaml")]
    name: String,
}

/// The place of a definition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Input {
    File(PathBuf),
    /// Standard input, with its name in messages.
    Stdin(String),
}

/// The bytes of a definition, valid or not.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub input: Input,
    pub bytes: Vec<u8>,
}

impl Inputs {
    /// Returns every definition once, in the order of the arguments; the matches of a pattern by
    /// name.
    ///
    /// # Errors
    ///
    /// Returns an error if a pattern is malformed, no file matches it, or standard input has the
    /// name of a file.
    fn expand(&self) -> Result<Vec<Input>, String> {
        let mut inputs = Vec::new();
        for file in &self.files {
            inputs.extend(expand(file, &self.name)?);
        }
        let mut seen = HashSet::new();
        inputs.retain(|input| seen.insert(input.identity()));
        let is_stdin = |input: &Input| matches!(input, Input::Stdin(_));
        let is_file = |input: &Input| !is_stdin(input) && input.name() == self.name;
        if inputs.iter().any(is_stdin) && inputs.iter().any(is_file) {
            let name = &self.name;
            return Err(format!(
                "the file {name} has the same name as the definition on standard input: rename that with --name NAME"
            ));
        }
        Ok(inputs)
    }

    /// Reads all definitions, and prints errors for those that cannot be read.
    pub fn read(&self, console: &Console) -> (Vec<Source>, Exit) {
        let mut exit = Exit::Done;
        let mut sources = Vec::new();
        for found in self.look() {
            match found {
                Ok(source) => sources.push(source),
                Err(complaint) => exit = exit.max(console.error(complaint)),
            }
        }
        (sources, exit)
    }

    /// Returns every definition, or the reason why it cannot be read.
    pub fn look(&self) -> Vec<Result<Source, String>> {
        match self.expand() {
            Ok(inputs) => inputs.into_iter().map(Input::read).collect(),
            Err(complaint) => vec![Err(complaint)],
        }
    }

    /// Whether standard input is one of the inputs.
    pub fn has_stdin(&self) -> bool {
        self.files.iter().any(|file| is_dash(file))
    }
}

/// Whether a path is `-`: standard input or standard output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns the path of `--out`; `None` for standard output.
pub(crate) fn destination(out: Option<&PathBuf>) -> Option<&Path> {
    out.map(PathBuf::as_path).filter(|out| !is_dash(out))
}

fn expand(file: &Path, stdin: &str) -> Result<Vec<Input>, String> {
    if is_dash(file) {
        return Ok(vec![Input::Stdin(stdin.to_owned())]);
    }
    match file.to_str() {
        // An existing file takes precedence over a pattern.
        Some(pattern) if pattern.contains(['*', '?', '[']) && !file.exists() => matches(pattern),
        _ => Ok(vec![Input::File(file.to_owned())]),
    }
}

fn matches(pattern: &str) -> Result<Vec<Input>, String> {
    let options = MatchOptions {
        require_literal_leading_dot: true,
        ..MatchOptions::new()
    };
    let paths = glob::glob_with(pattern, options)
        .map_err(|error| format!("`{pattern}` is not a valid pattern: {error}"))?;
    let paths: Vec<PathBuf> = paths.collect::<Result<_, _>>().map_err(|error| {
        let (path, error) = (error.path().display(), error.error());
        format!("`{pattern}` cannot be expanded: {path} cannot be read: {error}")
    })?;
    let files: Vec<_> = paths.into_iter().filter(|path| !path.is_dir()).collect();
    if files.is_empty() {
        return Err(format!("no file matches `{pattern}`"));
    }
    Ok(files.into_iter().map(Input::File).collect())
}

impl Input {
    /// Returns its name in messages.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stdin(name) => name.clone(),
        }
    }

    /// Reads the definition.
    ///
    /// # Errors
    ///
    /// Returns the reason in one sentence if it cannot be read.
    pub fn read(self) -> Result<Source, String> {
        let read = match &self {
            Self::File(path) => read_file(path),
            Self::Stdin(_) => bounded(stdin().lock()),
        };
        match read {
            Ok(bytes) => Ok(Source { input: self, bytes }),
            Err(error) => Err(self.complaint(&error)),
        }
    }

    fn complaint(&self, error: &io::Error) -> String {
        let name = self.name();
        match self {
            Self::File(path) if path.is_dir() => {
                format!("{name} is a folder; name the files in it: '{name}/*.yaml'")
            }
            Self::File(_) if error.kind() == io::ErrorKind::NotFound => {
                format!("there is no file {name}")
            }
            Self::File(_) => format!("{name} cannot be read: {error}"),
            Self::Stdin(_) => format!("standard input cannot be read: {error}"),
        }
    }

    /// Returns the input with its canonical path, equal for two names of one file.
    pub fn identity(&self) -> Self {
        match self {
            Self::File(path) => Self::File(path.canonicalize().unwrap_or_else(|_| path.clone())),
            Self::Stdin(_) => self.clone(),
        }
    }
}

/// Reads a stream, up to one byte more than a definition may have.
pub(crate) fn bounded(stream: impl Read) -> io::Result<Vec<u8>> {
    up_to(MOST_BYTES, stream)
}

/// Reads a stream, up to one byte more than `most`, by which callers detect that it is too long.
pub(crate) fn up_to(most: usize, stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Source {
    /// Returns the name in messages.
    pub fn name(&self) -> String {
        self.input.name()
    }

    /// Returns the path, unless it is standard input.
    pub fn path(&self) -> Option<&Path> {
        match &self.input {
            Input::File(path) => Some(path),
            Input::Stdin(_) => None,
        }
    }

    /// Generates the code, and prints warnings.
    pub fn generate(
        &self,
        generator: &mut Generator<'_>,
        console: &Console,
    ) -> Result<Output, Failure> {
        report(generator.generate_bytes(&self.name(), &self.bytes), console)
    }

    /// Describes the definition, and prints warnings.
    pub fn describe(
        &self,
        generator: &mut Generator<'_>,
        console: &Console,
    ) -> Result<Described, Failure> {
        let described = generator.describe_bytes(&self.name(), &self.bytes)?;
        console.warn(&described.warnings)?;
        Ok(described)
    }
}

/// Creates a generator that reads included files, and the options file of each definition.
pub(crate) fn generator(config: &Config) -> Generator<'_> {
    generator_with(config, read_file)
}

/// Like [`generator`], with another function to read files.
pub(crate) fn generator_with<'c>(
    config: &'c Config,
    load: impl FnMut(&Path) -> io::Result<Vec<u8>> + 'c,
) -> Generator<'c> {
    let configure = |path: &Path| {
        if path.is_file() {
            config.for_file(path)
        } else {
            Ok(config.clone())
        }
    };
    Generator::new(config, load)
        .configured(configure)
        .confined()
}

/// Prints the warnings of a generated file.
pub(crate) fn report(
    generated: Result<Output, Diagnostics>,
    console: &Console,
) -> Result<Output, Failure> {
    let output = generated?;
    console.warn(&output.warnings)?;
    Ok(output)
}
