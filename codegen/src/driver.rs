//! The stages: read → lower → emit → print.
//!
//! Every file is lowered by itself, after those that it includes: with its own mistakes at its own places, and into a module of
//! its own. What it takes over from the files that it includes is the models of these.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::config::{Config, Options};
use crate::definition::{Definition, Edits};
use crate::diagnostic::{Diagnostics, sanitize};
use crate::file::File;
use crate::include::{fold, included};
use crate::lower::{self, Input};
use crate::print::Text;
use crate::sink::Sink;
use crate::{emit, naming, recover, text, yaml};

/// What is generated for one definition.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Output {
    /// The module's name: `device_login_service`.
    pub name: String,
    /// The module: what belongs in `device_login_service.rs`.
    pub code: String,
    /// The item that declares the module, for `include!` of a file that stands beside it.
    pub module: String,
    /// What the author of the definition might wish otherwise.
    pub warnings: Diagnostics,
    /// The files that the definition includes, and those that these include: each has a module of its own.
    pub included: Vec<PathBuf>,
}

/// Gives the options for a file.
type Configure<'d> = dyn FnMut(&Path) -> Result<Config, Diagnostics> + 'd;

/// Gives the bytes of a file.
type Load<'d> = dyn FnMut(&Path) -> io::Result<Vec<u8>> + 'd;

/// Takes files through the stages, each once.
pub(crate) struct Driver<'d> {
    pub configure: Box<Configure<'d>>,
    pub load: Box<Load<'d>>,
    /// What stands before the paths of files in messages.
    pub prefix: String,
    /// Whether something is made of wrong files too.
    pub recovers: bool,
    pub done: HashMap<PathBuf, Rc<File>>,
    /// Those that wait for a file that they include.
    pub open: Vec<PathBuf>,
}

impl Driver<'_> {
    /// The file at a path, read and lowered unless it was before.
    ///
    /// # Errors
    ///
    /// It cannot be read: why, in a sentence.
    pub fn load(&mut self, path: &Path) -> Result<Rc<File>, String> {
        if let Some(file) = self.done.get(&fold(path)) {
            return Ok(Rc::clone(file));
        }
        let bytes = (self.load)(path).map_err(|error| match error.kind() {
            io::ErrorKind::IsADirectory => {
                "the definition is a folder; name the files in it".to_owned()
            }
            io::ErrorKind::NotFound => "there is no such definition file".to_owned(),
            _ => format!("the definition cannot be read: {error}"),
        })?;
        Ok(self.file(&self.name(path), path, &bytes))
    }

    /// How messages call the file at a path.
    pub fn name(&self, path: &Path) -> String {
        format!("{}{}", self.prefix, path.display())
    }

    /// The file of these bytes, read and lowered unless it was before.
    pub fn file(&mut self, name: &str, path: &Path, bytes: &[u8]) -> Rc<File> {
        let path = fold(path);
        if let Some(file) = self.done.get(&path) {
            return Rc::clone(file);
        }
        self.open.push(path.clone());
        let mut file = File::new(name, &path);
        let decoded = text::decode(name, bytes);
        match decoded.and_then(|text| Ok((text, (self.configure)(&path)?))) {
            Ok((text, config)) => self.read_and_lower(&mut file, text, &config),
            Err(diagnostics) => file.diagnostics = diagnostics,
        }
        self.open.pop();
        let file = Rc::new(file);
        self.done.insert(path, Rc::clone(&file));
        file
    }

    fn read_and_lower(&mut self, file: &mut File, text: &str, config: &Config) {
        let (text, mark) = text::without_mark(text);
        let mut sink = Sink::default();
        if let Some(tree) = yaml::read(text, &mut sink) {
            let (definition, mistakes) = Definition::read(&tree, &Edits::default());
            let whole = mistakes.is_empty();
            for mistake in mistakes {
                lower::report(mistake, &mut sink);
            }
            let open = self.open.clone();
            let mut included = included(&definition, &open, &mut sink, |path| self.load(path));
            // What cannot be included is missing, like any other type.
            included.retain(|one| !self.recovers || one.file.model.is_some());
            let is_included = self.open.len() > 1;
            let stem = file.stem();
            // A file of options knows a service by its own name, and a file of types by that of the file.
            let service = definition.service.as_ref();
            let service = service.map_or(&*stem, |service| &service.value);
            // Those who named an included file heard already what is wrong with its options.
            let mut unheard = Sink::default();
            let heard = if is_included { &mut unheard } else { &mut sink };
            let options = Options::resolve(config, service, heard);
            unheard.forget();
            let input = Input {
                definition: &definition,
                whole,
                stem: &stem,
                included: &included,
                is_included,
                options: &options,
            };
            file.model = lower::lower(input, &mut sink);
            if file.model.is_none() && self.recovers {
                file.model = recover::recover(input, &tree);
            }
            let own = definition.namespace.as_ref();
            let own = own.map(|namespace| namespace.value.clone());
            let theirs = || included.iter().find_map(|one| one.file.namespace.clone());
            file.namespace = own.or_else(theirs);
            file.included = included.into_iter().map(|one| one.file).collect();
            file.definition = Some(definition);
            file.options = Some(options);
            file.spans = tree.spans;
        }
        file.text = text.to_owned();
        file.diagnostics = sink.finish(&file.name, text, mark, &file.spans);
    }
}

/// Emits the code of a file, and prints it; `None` if the file is wrong.
pub(crate) fn emit_and_print(file: &File, warnings: Diagnostics) -> Option<Output> {
    let header = format!(
        "// @generated by svcgen {} from {}. Edit the definition, not this file.\n",
        env!("CARGO_PKG_VERSION"),
        sanitize(file.last_name())
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
