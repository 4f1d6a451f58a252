//! The generator as callers have it: code, or what documents say, for files that may include one another.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::config::Config;
use crate::described::Described;
use crate::diagnostic::Diagnostics;
use crate::driver::{Driver, Output, emit_and_print};
use crate::file::File;

/// Generates the code for definitions that may include others. Each file is read once, and what is wrong with it is said once.
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
    driver: Driver<'g>,
    /// The files of which is said what is wrong with them.
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
    /// A generator that has files from `load`, by the paths that definitions name them by.
    pub fn new(config: &'g Config, load: impl FnMut(&Path) -> io::Result<Vec<u8>> + 'g) -> Self {
        Self {
            driver: Driver {
                configure: Box::new(|_| Ok(config.clone())),
                load: Box::new(load),
                prefix: String::new(),
                recovers: false,
                done: HashMap::new(),
                open: Vec::new(),
            },
            reported: HashSet::new(),
        }
    }

    /// The same with options of its own for each file; those for whom there are none are refused.
    #[must_use]
    pub fn configured(
        mut self,
        configure: impl FnMut(&Path) -> Result<Config, Diagnostics> + 'g,
    ) -> Self {
        self.driver.configure = Box::new(configure);
        self
    }

    /// The same with something before the paths of files in messages, which call them `v1.4.0:defs/shop.yaml` then.
    #[must_use]
    pub fn with_prefix(mut self, prefix: &str) -> Self {
        prefix.clone_into(&mut self.driver.prefix);
        self
    }

    /// Generates the code for a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or what it holds is wrong, or a file that it includes is: everything that this generator has not
    /// said before. If it has said all of it, there are no diagnostics.
    pub fn generate(&mut self, path: impl AsRef<Path>) -> Result<Output, Diagnostics> {
        let file = self.load(path.as_ref())?;
        self.output(&file)
    }

    /// Generates the code for a definition whose bytes are known. What it includes is relative to `file`.
    ///
    /// # Errors
    ///
    /// As `generate`.
    pub fn generate_bytes(&mut self, file: &str, bytes: &[u8]) -> Result<Output, Diagnostics> {
        let file = self.driver.file(file, Path::new(file), bytes);
        self.output(&file)
    }

    /// What a file describes, for documents and for comparisons.
    ///
    /// # Errors
    ///
    /// As `generate`.
    pub fn describe(&mut self, path: impl AsRef<Path>) -> Result<Described, Diagnostics> {
        let file = self.load(path.as_ref())?;
        self.described(file)
    }

    /// What a definition describes whose bytes are known.
    ///
    /// # Errors
    ///
    /// As `generate`.
    pub fn describe_bytes(&mut self, file: &str, bytes: &[u8]) -> Result<Described, Diagnostics> {
        let file = self.driver.file(file, Path::new(file), bytes);
        self.described(file)
    }

    /// What can still be generated for a definition that is refused.
    pub(crate) fn recover(mut self, file: &str, bytes: &[u8]) -> Option<Output> {
        self.driver.recovers = true;
        let file = self.driver.file(file, Path::new(file), bytes);
        emit_and_print(&file, Diagnostics::default())
    }

    fn load(&mut self, path: &Path) -> Result<Rc<File>, Diagnostics> {
        let name = self.driver.name(path);
        let file = self.driver.load(path);
        file.map_err(|complaint| Diagnostics::unreadable(&name, complaint, None))
    }

    fn output(&mut self, file: &Rc<File>) -> Result<Output, Diagnostics> {
        self.whole(file)?;
        emit_and_print(file, file.diagnostics.clone()).ok_or_else(Diagnostics::default)
    }

    fn described(&mut self, file: Rc<File>) -> Result<Described, Diagnostics> {
        self.whole(&file)?;
        Ok(Described::new(file))
    }

    /// Holds that nothing is wrong with a file, nor with what it includes.
    fn whole(&mut self, file: &Rc<File>) -> Result<(), Diagnostics> {
        let all = file.all();
        if all.iter().all(|file| file.model.is_some()) {
            return Ok(());
        }
        let reported = &mut self.reported;
        let unsaid = all
            .iter()
            .filter(|file| reported.insert(file.path.to_path_buf()));
        Err(unsaid.map(|file| file.diagnostics.clone()).collect())
    }
}

impl Config {
    /// Generates the code for a definition. `file` is how messages call it; its last part stands in the code's header.
    ///
    /// # Errors
    ///
    /// The definition breaks rules of the language: all of them that do, in the order of the text. Or it is bytes that are not UTF-8,
    /// or an option has a value that it cannot have. A definition that includes others needs a [`Generator`].
    pub fn generate(&self, file: &str, text: impl AsRef<[u8]>) -> Result<Output, Diagnostics> {
        Generator::new(self, nothing_else).generate_bytes(file, text.as_ref())
    }

    /// What can still be generated for a definition that is refused: of what is wrong, what it was meant to be where that can be
    /// guessed, else nothing. For callers that go on after reporting, so that follow-up errors do not bury the cause.
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

    /// What documents say of a definition's service. `file` is how messages call it.
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
    /// As `generate`.
    pub fn describe(&self, file: &str, text: impl AsRef<[u8]>) -> Result<Described, Diagnostics> {
        Generator::new(self, nothing_else).describe_bytes(file, text.as_ref())
    }
}

/// What a definition can include whose text is all that is known.
fn nothing_else(_: &Path) -> io::Result<Vec<u8>> {
    Err(io::Error::other("its text is all that there is"))
}
