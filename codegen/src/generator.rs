//! The generator: code and descriptions for files that may include others.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use svcgen_language::definition::Definition;
use svcgen_language::diagnostic::Diagnostics;
use svcgen_language::sink::Sink;
use svcgen_language::text;

use crate::config::{Config, Options};
use crate::data_sets::data_sets;
use crate::described::Described;
use crate::disk::{files_beside, may_include};
use crate::driver::{Mode, Output, emit_and_print, read_and_lower};
use crate::file::{File, Wsdl};
use crate::imported::{self, is_named_wsdl, is_wsdl};
use crate::include::{fold, included};

/// Returns the options for a file.
type Configure<'g> = dyn FnMut(&Path) -> Result<Config, Diagnostics> + 'g;

/// Returns the bytes of a file.
type Load<'g> = dyn FnMut(&Path) -> io::Result<Vec<u8>> + 'g;

/// Decides whether a file may include another, with the folders of the option `allow_include`; an
/// error is a sentence.
type Admit = fn(from: &Path, file: &Path, folders: &[&Path]) -> Result<(), String>;

/// Generates the code for definitions that may include others. Each file is read once, and its
/// diagnostics are returned once.
///
/// ```
/// use svcgen_codegen::{Config, Generator};
///
/// let mut files = |path: &std::path::Path| match path.to_str() {
///     Some("greeter.yaml") => Ok(b"
/// service: Greeter
/// namespace: http://example.com/greeter
/// path: /Greeter.asmx
/// include: [common.yaml]
/// operations: { Greet: { result: Greeting } }
/// ".to_vec()),
///     _ => Ok(b"types: { Greeting: { elements: { Text: string } } }".to_vec()),
/// };
/// let config = Config::new();
/// let mut generator = Generator::new(&config, &mut files);
/// let greeter = generator.generate("greeter.yaml")?;
/// assert!(greeter.code.contains("pub use super::common::Greeting;"));
/// let common = generator.generate(&greeter.included[0])?;
/// assert!(common.code.contains("pub struct Greeting"));
/// # Ok::<(), svcgen_codegen::Diagnostics>(())
/// ```
pub struct Generator<'g> {
    configure: Box<Configure<'g>>,
    load: Box<Load<'g>>,
    admit: Admit,
    /// Returns the files in the folder of a WSDL.
    siblings: fn(&Path) -> Vec<PathBuf>,
    /// The prefix of paths in messages.
    prefix: String,
    /// Whether wrong files are recovered.
    recovers: bool,
    /// Whether all diagnostics of a file are kept.
    keeps_all: bool,
    /// The texts of imported definitions and of the files that they name, with the WSDL that they
    /// were imported from.
    imported: HashMap<PathBuf, (Rc<Wsdl>, String)>,
    /// The files that are read and lowered.
    done: HashMap<PathBuf, Rc<File>>,
    /// The files that are being read, each included by the one before.
    open: Vec<PathBuf>,
    /// The files whose diagnostics were returned.
    reported: HashSet<PathBuf>,
}

impl fmt::Debug for Generator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Generator")
            .field("reported", &self.reported)
            .finish_non_exhaustive()
    }
}

impl<'g> Generator<'g> {
    /// Creates a generator that reads files with `load`, by the paths in definitions.
    pub fn new(config: &'g Config, load: impl FnMut(&Path) -> io::Result<Vec<u8>> + 'g) -> Self {
        Self {
            configure: Box::new(|_| Ok(config.clone())),
            load: Box::new(load),
            admit: |_, _, _| Ok(()),
            siblings: |_| Vec::new(),
            prefix: String::new(),
            recovers: false,
            keeps_all: false,
            imported: HashMap::new(),
            done: HashMap::new(),
            open: Vec::new(),
            reported: HashSet::new(),
        }
    }

    /// Sets a function that returns the options for each file, or diagnostics that refuse it.
    #[must_use]
    pub fn configured(
        mut self,
        configure: impl FnMut(&Path) -> Result<Config, Diagnostics> + 'g,
    ) -> Self {
        self.configure = Box::new(configure);
        self
    }

    /// Refuses files that `disk::may_include` refuses, and looks for documents next to a WSDL: for
    /// a generator of files on the disk.
    #[must_use]
    pub fn confined(mut self) -> Self {
        self.admit = may_include;
        self.siblings = files_beside;
        self
    }

    /// Sets a prefix for the paths of files in messages: `v1.4.0:defs/shop.yaml`.
    #[must_use]
    pub fn with_prefix(mut self, prefix: &str) -> Self {
        prefix.clone_into(&mut self.prefix);
        self
    }

    /// Generates the code for a file.
    ///
    /// # Errors
    ///
    /// The file or one that it includes cannot be read or is wrong. Diagnostics that this generator
    /// returned before are left out, so there may be none.
    pub fn generate(&mut self, path: impl AsRef<Path>) -> Result<Output, Diagnostics> {
        let file = self.load(path.as_ref())?;
        self.output(&file)
    }

    /// Generates the code for a definition whose bytes are known. Included paths are relative to
    /// `file`.
    ///
    /// # Errors
    ///
    /// The errors of `generate`.
    pub fn generate_bytes(&mut self, file: &str, bytes: &[u8]) -> Result<Output, Diagnostics> {
        let file = self.file(file, Path::new(file), bytes);
        self.output(&file)
    }

    /// Describes a file, for documents and for comparisons.
    ///
    /// # Errors
    ///
    /// The errors of `generate`.
    pub fn describe(&mut self, path: impl AsRef<Path>) -> Result<Described, Diagnostics> {
        let file = self.load(path.as_ref())?;
        self.described(file)
    }

    /// Describes a definition whose bytes are known.
    ///
    /// # Errors
    ///
    /// The errors of `generate`.
    pub fn describe_bytes(&mut self, file: &str, bytes: &[u8]) -> Result<Described, Diagnostics> {
        let file = self.file(file, Path::new(file), bytes);
        self.described(file)
    }

    /// Generates what is possible for a definition with errors.
    pub(crate) fn recover(mut self, file: &str, bytes: &[u8]) -> Option<Output> {
        self.recovers = true;
        let file = self.file(file, Path::new(file), bytes);
        emit_and_print(&file, Diagnostics::default())
    }

    fn load(&mut self, path: &Path) -> Result<Rc<File>, Diagnostics> {
        self.read(path)
            .map_err(|complaint| Diagnostics::unreadable(&self.name(path), complaint, None))
    }

    /// The name of a path in messages.
    fn name(&self, path: &Path) -> String {
        format!("{}{}", self.prefix, path.display())
    }

    /// Reads the file at a path, or returns the reason why not, in a sentence.
    fn read(&mut self, path: &Path) -> Result<Rc<File>, String> {
        if let Some(file) = self.done.get(&fold(path)) {
            return Ok(Rc::clone(file));
        }
        // The files imported from a WSDL are known once that is read.
        let folder = path.parent().filter(|folder| is_named_wsdl(folder));
        if let Some(wsdl) = folder.filter(|_| !self.imported.contains_key(&fold(path))) {
            self.read(wsdl)?;
        }
        let bytes = self.bytes(path).map_err(|error| match error.kind() {
            io::ErrorKind::IsADirectory => {
                "the definition is a folder; name the files in it".to_owned()
            }
            io::ErrorKind::NotFound => "there is no such definition file".to_owned(),
            _ => format!("the definition cannot be read: {error}"),
        })?;
        Ok(self.file(&self.name(path), path, &bytes))
    }

    /// The bytes of a file, or of an imported definition.
    fn bytes(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        match self.imported.get(&fold(path)) {
            Some((_, text)) => Ok(text.clone().into_bytes()),
            None => (self.load)(path),
        }
    }

    /// Imports a WSDL, and reads the definition that its service has.
    fn import(&mut self, name: &str, path: PathBuf, bytes: &[u8]) -> Rc<File> {
        let file = self.imported(name, &path, bytes);
        let file = file.unwrap_or_else(|diagnostics| {
            let mut file = File::new(name, &path);
            file.diagnostics = diagnostics;
            file
        });
        let file = Rc::new(file);
        self.done.insert(file.path.to_path_buf(), Rc::clone(&file));
        self.done.insert(path, Rc::clone(&file));
        file
    }

    fn imported(&mut self, name: &str, path: &Path, bytes: &[u8]) -> Result<File, Diagnostics> {
        let config = (self.configure)(path)?;
        let importer = config.importer.ok_or_else(|| imported::refuse(name))?;
        // Errors of options are reported for the definition.
        let options = Options::resolve(&config, "", &mut Sink::default());
        let folders = options.include_folders();
        let mut documents = Vec::new();
        let mut load = |file: &Path| {
            (self.admit)(path, file, &folders).map_err(io::Error::other)?;
            let bytes = (self.load)(file)?;
            documents.push(file.to_owned());
            Ok(bytes)
        };
        let definitions = importer.import(path, bytes, &mut load, self.siblings)?;
        documents.sort_unstable();
        documents.dedup();
        let wsdl = Wsdl::new(path, documents, &definitions);
        // A service comes before the types that it shares with others.
        let Some(first) = wsdl.definitions.first().cloned() else {
            let message = "nothing is imported from this".to_owned();
            return Err(Diagnostics::unreadable(name, message, None));
        };
        let wsdl = Rc::new(wsdl);
        for (file, text) in definitions.files {
            self.imported
                .insert(path.join(file), (Rc::clone(&wsdl), text));
        }
        let text = self.bytes(&first).unwrap_or_default();
        let mut file = self.one(&self.name(&first), first, &text);
        file.diagnostics = [definitions.warnings, file.diagnostics]
            .into_iter()
            .collect();
        Ok(file)
    }

    /// Reads a file from its bytes, after the files that it includes.
    fn file(&mut self, name: &str, path: &Path, bytes: &[u8]) -> Rc<File> {
        let path = fold(path);
        if let Some(file) = self.done.get(&path) {
            return Rc::clone(file);
        }
        if self.open.is_empty() && is_wsdl(&path, bytes) {
            return self.import(name, path, bytes);
        }
        let file = Rc::new(self.one(name, path.clone(), bytes));
        self.done.insert(path, Rc::clone(&file));
        file
    }

    fn one(&mut self, name: &str, path: PathBuf, bytes: &[u8]) -> File {
        let mode = Mode {
            is_included: !self.open.is_empty(),
            recovers: self.recovers,
            keeps_all: self.keeps_all,
        };
        self.open.push(path.clone());
        let mut file = File::new(name, &path);
        file.wsdl = self.imported.get(&path).map(|(wsdl, _)| Rc::clone(wsdl));
        // The options of a WSDL apply to the definitions imported from it.
        let on_disk = file.wsdl.as_ref().map_or(&*path, |wsdl| &wsdl.path);
        let configured = (self.configure)(on_disk);
        let decoded = if mode.is_included && !Definition::begins(bytes) {
            let message = "this does not begin as a definition, so nothing of it is shown";
            let hint = "the first key is `service`, `types` or another one of the language";
            Err(Diagnostics::unreadable(
                name,
                message.to_owned(),
                Some(hint),
            ))
        } else {
            text::decode(name, bytes)
        };
        match decoded.and_then(|text| Ok((text, configured?))) {
            Ok((text, config)) => {
                read_and_lower(
                    &mut file,
                    text,
                    &config,
                    &mode,
                    |definition, options, sink| {
                        let (open, admit) = (self.open.clone(), self.admit);
                        let folders = options.include_folders();
                        let admit = |file: &Path| admit(&path, file, &folders);
                        let mut files =
                            included(definition, &open, sink, admit, |path| self.read(path));
                        // A file that cannot be included is treated like a missing type.
                        files.retain(|one| !self.recovers || one.file.model.is_some());
                        let folder = path.parent().unwrap_or(Path::new(""));
                        let load = |path: &Path| self.bytes(path);
                        (files, data_sets(definition, folder, sink, admit, load))
                    },
                );
            }
            Err(diagnostics) => file.diagnostics = diagnostics,
        }
        self.open.pop();
        file
    }

    fn output(&mut self, file: &Rc<File>) -> Result<Output, Diagnostics> {
        self.check(file)?;
        emit_and_print(file, file.diagnostics.clone()).ok_or_else(Diagnostics::default)
    }

    fn described(&mut self, file: Rc<File>) -> Result<Described, Diagnostics> {
        self.check(&file)?;
        Ok(Described::new(file))
    }

    /// Checks that a file and all included files have no errors.
    fn check(&mut self, file: &Rc<File>) -> Result<(), Diagnostics> {
        let all = file.all();
        if all.iter().all(|file| file.model.is_some()) {
            return Ok(());
        }
        let reported = &mut self.reported;
        let unreported = all.iter();
        let unreported = unreported.filter(|file| reported.insert(file.path.to_path_buf()));
        Err(unreported.map(|file| file.diagnostics.clone()).collect())
    }
}

impl Config {
    /// Generates the code for a definition. `file` is its name in messages; its last part is in the
    /// header of the code.
    ///
    /// # Errors
    ///
    /// The definition is not UTF-8 or breaks rules of the language, or an option has an invalid
    /// value. A definition that includes others needs a [`Generator`].
    pub fn generate(&self, file: &str, text: impl AsRef<[u8]>) -> Result<Output, Diagnostics> {
        Generator::new(self, nothing_else).generate_bytes(file, text.as_ref())
    }

    /// Generates what is possible for a definition with errors, with the probably intended text in
    /// place of mistakes. For callers that continue after reporting, so that follow-up errors do
    /// not bury the cause.
    ///
    /// ```
    /// let definition = "{service: A, namespace: 'urn:a', path: /A, operations: {Now: {result: dateTime}, Log: {result: Nothing}}}";
    /// let config = svcgen_codegen::Config::new();
    /// assert!(config.generate("a.yaml", definition).is_err());
    /// assert!(config.recover("a.yaml", definition).unwrap().code.contains("trait AHandler"));
    /// ```
    pub fn recover(&self, file: &str, text: &str) -> Option<Output> {
        Generator::new(self, nothing_else).recover(file, text.as_bytes())
    }

    /// Describes a definition. `file` is its name in messages.
    ///
    /// ```
    /// # let definition = "{service: A, namespace: 'urn:a', path: /A, operations: {Logout: {}}}";
    /// let described = svcgen_codegen::Config::new().describe("a.yaml", definition)?;
    /// assert_eq!(described.with(|service| service.operations().len()), Some(1));
    /// # Ok::<(), svcgen_codegen::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `generate`.
    pub fn describe(&self, file: &str, text: impl AsRef<[u8]>) -> Result<Described, Diagnostics> {
        Generator::new(self, nothing_else).describe_bytes(file, text.as_ref())
    }
}

/// Checks a definition that a program wrote, and returns all of its diagnostics, however many there
/// are. `texts` are the texts of the file and of the files that it names, by their names.
///
/// ```
/// use std::{collections::HashMap, rc::Rc};
///
/// let texts = HashMap::from([("a.yaml".to_owned(), Rc::from("service: A"))]);
/// let diagnostics = svcgen_codegen::check("a.yaml", &texts);
/// assert!(diagnostics.has_errors());
/// ```
pub fn check(file: &str, texts: &HashMap<String, Rc<str>>) -> Diagnostics {
    let config = Config::new();
    let mut generator = Generator::new(&config, |path| {
        let text = path.to_str().and_then(|name| texts.get(name));
        let bytes = text.map(|text| text.as_bytes().to_vec());
        bytes.ok_or_else(|| io::ErrorKind::NotFound.into())
    });
    generator.keeps_all = true;
    match generator.load(Path::new(file)) {
        Ok(file) => file.diagnostics.clone(),
        Err(diagnostics) => diagnostics,
    }
}

/// Refuses to load included files of a definition that is passed as text alone.
fn nothing_else(_: &Path) -> io::Result<Vec<u8>> {
    Err(io::Error::other("its text is all that there is"))
}
