//! The stages in a row, for files that may include one another.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::include::{File, Files};
use crate::print::Text;
use crate::{Described, Output, emit, naming, text};

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
    files: Files<'g>,
    /// The files of which is said what is wrong with them.
    reported: HashSet<PathBuf>,
}

impl<'g> Generator<'g> {
    /// A generator that has files from `load`, by the paths that definitions name them by.
    pub fn new(config: &'g Config, load: impl FnMut(&Path) -> io::Result<Vec<u8>> + 'g) -> Self {
        Self {
            files: Files::new(config, load),
            reported: HashSet::new(),
        }
    }

    /// The same with options of its own for each file; those for whom there are none are refused.
    #[must_use]
    pub fn configured(
        mut self,
        configure: impl FnMut(&Path) -> Result<Config, Diagnostics> + 'g,
    ) -> Self {
        self.files.configure = Some(Box::new(configure));
        self
    }

    /// The same with something before the paths of files in messages, which call them `v1.4.0:defs/shop.yaml` then.
    #[must_use]
    pub fn with_prefix(mut self, prefix: &str) -> Self {
        prefix.clone_into(&mut self.files.prefix);
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
        let file = self.files.file(file, Path::new(file), bytes);
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
        let file = self.files.file(file, Path::new(file), bytes);
        self.described(file)
    }

    /// What can still be generated for a definition that is refused.
    pub(crate) fn salvage(mut self, file: &str, bytes: &[u8]) -> Option<Output> {
        self.files.salvages = true;
        let file = self.files.file(file, Path::new(file), bytes);
        output(&file, Diagnostics::default())
    }

    fn load(&mut self, path: &Path) -> Result<Rc<File>, Diagnostics> {
        let name = self.files.name(path);
        let file = self.files.load(path);
        file.map_err(|complaint| Diagnostics::unreadable(&name, complaint, None))
    }

    fn output(&mut self, file: &Rc<File>) -> Result<Output, Diagnostics> {
        self.whole(file)?;
        output(file, file.diagnostics.clone()).ok_or_else(Diagnostics::default)
    }

    fn described(&mut self, file: Rc<File>) -> Result<Described, Diagnostics> {
        self.whole(&file)?;
        let warnings = file.diagnostics.clone();
        Ok(Described { file, warnings })
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

fn output(file: &File, warnings: Diagnostics) -> Option<Output> {
    let header = format!(
        "// @generated by svcgen {} from {}. Edit the definition, not this file.\n",
        env!("CARGO_PKG_VERSION"),
        text::shown(crate::name(&file.name))
    );
    let (model, options) = (file.model.as_ref()?, file.options.as_ref()?);
    let mut code = Text::new(&header);
    emit::emit(model, options, &mut code);
    let mut module = Text::new(&header);
    module.extend([emit::module(model, options)]);
    let included = file.all_included().into_iter();
    Some(Output {
        name: naming::unraw(&model.module).to_owned(),
        code: code.finish(),
        module: module.finish(),
        warnings,
        included: included.map(|file| file.path.to_path_buf()).collect(),
    })
}
