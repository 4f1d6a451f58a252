//! INCLUDE: a file and those that it includes, each read and lowered once.
//!
//! Every file is lowered by itself: with its own mistakes at its own places, and into a module of its own. What it takes over from
//! the files that it includes is the models of these.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use crate::config::{Config, Options};
use crate::definition::{Definition, Edits, IncludeKeys};
use crate::diagnostic::Diagnostics;
use crate::lower::{self, Included, Site};
use crate::model::Model;
use crate::rules::Rule;
use crate::sink::{Place, Sink};
use crate::yaml::{self, Places};
use crate::{salvage, text};

/// The most files that include one another in a row.
const MOST_NESTED: usize = 64;

/// A file and what was made of it.
#[derive(Debug)]
pub(crate) struct File {
    /// How messages call it.
    pub name: String,
    /// The path that it was read by, without detours.
    pub path: Rc<Path>,
    /// What it holds; empty if that is no text.
    pub text: String,
    /// `None` if it is wrong.
    pub model: Option<Model>,
    pub options: Option<Options>,
    /// `None` if it could not be read at all.
    pub definition: Option<Definition>,
    /// The namespace that it or a file that it includes is in; `None` if that is for those to say that include it.
    pub namespace: Option<String>,
    /// Where the nodes of its definition are.
    pub places: Places,
    /// What is wrong with this file alone.
    pub diagnostics: Diagnostics,
    /// The files that it includes, those that can be read.
    pub included: Vec<Rc<File>>,
}

impl File {
    /// This file and all that it includes.
    pub fn all(self: &Rc<Self>) -> Vec<Rc<Self>> {
        let mut files = vec![Rc::clone(self)];
        files.extend(self.all_included());
        files
    }

    /// All that this file includes, each once, in the order in which they are named.
    pub fn all_included(&self) -> Vec<Rc<Self>> {
        let mut seen = HashSet::from([Rc::clone(&self.path)]);
        let mut files = Vec::new();
        let mut open: Vec<_> = self.included.iter().rev().map(Rc::clone).collect();
        while let Some(file) = open.pop() {
            if seen.insert(Rc::clone(&file.path)) {
                open.extend(file.included.iter().rev().map(Rc::clone));
                files.push(file);
            }
        }
        files
    }
}

/// Gives the options for a file.
type Configure<'f> = dyn FnMut(&Path) -> Result<Config, Diagnostics> + 'f;

/// Gives the bytes of a file.
type Load<'f> = dyn FnMut(&Path) -> io::Result<Vec<u8>> + 'f;

/// Files on their way to models.
pub(crate) struct Files<'f> {
    config: &'f Config,
    load: Box<Load<'f>>,
    /// What stands before the paths of files in messages.
    pub prefix: String,
    /// Whether something is made of wrong files too.
    pub salvages: bool,
    /// The options for a file, if they are not those for all.
    pub configure: Option<Box<Configure<'f>>>,
    done: HashMap<PathBuf, Rc<File>>,
    /// Those that wait for a file that they include.
    open: Vec<PathBuf>,
}

impl<'f> Files<'f> {
    pub fn new(config: &'f Config, load: impl FnMut(&Path) -> io::Result<Vec<u8>> + 'f) -> Self {
        Self {
            config,
            load: Box::new(load),
            prefix: String::new(),
            salvages: false,
            configure: None,
            done: HashMap::new(),
            open: Vec::new(),
        }
    }

    /// The file at a path, which is read unless it was read before.
    ///
    /// # Errors
    ///
    /// It cannot be read: why, in a sentence.
    pub fn load(&mut self, path: &Path) -> Result<Rc<File>, String> {
        match self.done.get(&fold(path)) {
            Some(file) => Ok(Rc::clone(file)),
            None => (self.load)(path)
                .map(|bytes| self.file(&self.name(path), path, &bytes))
                .map_err(|error| read_complaint(&error)),
        }
    }

    /// How messages call the file at a path.
    pub fn name(&self, path: &Path) -> String {
        format!("{}{}", self.prefix, path.display())
    }

    /// The file of these bytes, unless it was read before.
    pub fn file(&mut self, name: &str, path: &Path, bytes: &[u8]) -> Rc<File> {
        let path = fold(path);
        if let Some(file) = self.done.get(&path) {
            return Rc::clone(file);
        }
        self.open.push(path.clone());
        let file = Rc::new(self.lower(name, &path, bytes));
        self.open.pop();
        self.done.insert(path, Rc::clone(&file));
        file
    }

    fn lower(&mut self, name: &str, path: &Path, bytes: &[u8]) -> File {
        let mut file = File {
            name: name.to_owned(),
            path: Rc::from(path),
            text: String::new(),
            model: None,
            options: None,
            definition: None,
            namespace: None,
            places: Places::default(),
            diagnostics: Diagnostics::default(),
            included: Vec::new(),
        };
        let ready = text::decode(name, bytes).and_then(|text| {
            let config = match &mut self.configure {
                Some(configure) => configure(path)?,
                None => self.config.clone(),
            };
            Ok((text::without_mark(text), config))
        });
        let ((text, mark), config) = match ready {
            Ok(ready) => ready,
            Err(diagnostics) => {
                file.diagnostics = diagnostics;
                return file;
            }
        };
        let mut sink = Sink::default();
        if let Some(tree) = yaml::read(text, &mut sink) {
            let (definition, mistakes) = Definition::read(&tree, &Edits::default());
            let whole = mistakes.is_empty();
            for mistake in mistakes {
                lower::report(mistake, &mut sink);
            }
            let included = self.included(path, &definition, &mut sink);
            let is_included = self.open.len() > 1;
            let path_text = path.to_string_lossy();
            let stem = crate::stem(&path_text);
            // A file of options knows a service by its own name, and a file of types by that of the file.
            let service = definition.service.as_ref();
            let service = service.map_or(stem, |service| &service.value);
            // Those who named an included file heard already what is wrong with its options.
            let mut unheard = Sink::default();
            let heard = if is_included { &mut unheard } else { &mut sink };
            let options = Options::resolve(&config, service, heard);
            unheard.forget();
            let site = Site {
                stem,
                included: &included,
                is_included,
            };
            file.model = lower::lower(site, &definition, whole, &options, &mut sink);
            if file.model.is_none() && self.salvages {
                file.model = salvage::salvage(site, &tree, &options);
            }
            let namespace = definition.namespace.as_ref();
            let own = namespace.map(|namespace| namespace.value.clone());
            let theirs = || included.iter().find_map(|one| one.file.namespace.clone());
            file.namespace = own.or_else(theirs);
            file.included = included.into_iter().map(|one| one.file).collect();
            file.definition = Some(definition);
            file.options = Some(options);
            file.places = tree.places;
        }
        file.text = text.to_owned();
        file.diagnostics = sink.finish(name, text, mark, &file.places);
        file
    }

    /// The files that a definition includes, those that can be read.
    fn included(&mut self, path: &Path, definition: &Definition, sink: &mut Sink) -> Vec<Included> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut included: Vec<Included> = Vec::new();
        for written in &definition.include {
            let IncludeKeys { file, module } = written.value.0.clone();
            let Some(file) = file else {
                sink.add(
                    Rule::MissingKey,
                    Place::Node(written.node),
                    "this has no `file`",
                )
                .hint("write it like `{ file: common.yaml, module: crate::common }`");
                continue;
            };
            let (name, node) = (file.value, file.node);
            let path = fold(&folder.join(&name));
            let twice = included.iter().find(|one| *one.file.path == *path);
            if let Some(first) = twice.map(|one| one.node) {
                sink.add(
                    Rule::Include,
                    Place::Node(node),
                    format!("`{name}` is included twice"),
                )
                .other(first, "first here");
                continue;
            }
            match self.include(&path) {
                Ok(file) if self.salvages && file.model.is_none() => {}
                Ok(file) => included.push(Included {
                    name,
                    node,
                    module,
                    file,
                }),
                Err((complaint, hint)) => {
                    let message = format!("`{name}` cannot be included: {complaint}");
                    sink.add(Rule::Include, Place::Node(node), message)
                        .hint(hint);
                }
            }
        }
        included
    }

    fn include(&mut self, path: &Path) -> Result<Rc<File>, (String, &'static str)> {
        let in_one = "types that need each other stand in one file";
        if let Some(at) = self.open.iter().position(|open| open == path) {
            let circle = self.open[at..].iter().map(PathBuf::as_path).chain([path]);
            let circle: Vec<_> = circle.map(|path| path.display().to_string()).collect();
            let complaint = format!("it includes itself: {}", circle.join(" → "));
            return Err((complaint, in_one));
        }
        if self.open.len() >= MOST_NESTED {
            let complaint = format!("more than {MOST_NESTED} files include one another");
            return Err((complaint, in_one));
        }
        let relative = "a path is relative to the file that includes";
        self.load(path).map_err(|complaint| (complaint, relative))
    }
}

fn read_complaint(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::IsADirectory => {
            "the definition is a folder; name the files in it".to_owned()
        }
        io::ErrorKind::NotFound => "there is no such definition file".to_owned(),
        _ => format!("the definition cannot be read: {error}"),
    }
}

/// A path without detours: `defs/../types/./common.yaml` is `types/common.yaml`.
pub(crate) fn fold(path: &Path) -> PathBuf {
    let mut folded = PathBuf::new();
    for part in path.components() {
        let named = matches!(folded.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::CurDir => {}
            Component::ParentDir if named => {
                folded.pop();
            }
            part => folded.push(part),
        }
    }
    folded
}
