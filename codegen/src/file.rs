//! A definition file and the results of the stages.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use svcgen_language::definition::{Definition, Located, NodeId};
use svcgen_language::diagnostic::Diagnostics;
use svcgen_language::span::Spans;

use crate::config::Options;
use crate::imported::ImportedDefinitions;
use crate::model::{DataSetSchema, Model};

/// A definition file and the results of the stages.
#[derive(Debug)]
pub(crate) struct File {
    /// Its name in messages.
    pub name: String,
    /// Its normalized path.
    pub path: Arc<Path>,
    /// Its text; empty if it is not UTF-8.
    pub text: String,
    /// `None` if it is wrong.
    pub model: Option<Model>,
    pub options: Option<Options>,
    /// `None` if it is not YAML.
    pub definition: Option<Definition>,
    /// The spans of the nodes of its definition.
    pub spans: Spans,
    /// The diagnostics of this file alone.
    pub diagnostics: Diagnostics,
    /// The included files that could be read.
    pub included: Vec<Rc<File>>,
    /// The files with the schemas of its sets of tables, and these schemas.
    pub schemas: Vec<(PathBuf, DataSetSchema)>,
    /// The WSDL that it was imported from.
    pub wsdl: Option<Rc<Wsdl>>,
}

/// A WSDL that was read as a definition.
#[derive(Debug)]
pub(crate) struct Wsdl {
    pub path: PathBuf,
    /// The other documents that were read for it.
    pub documents: Vec<PathBuf>,
    /// The definitions that were imported from it.
    pub definitions: Vec<PathBuf>,
}

impl Wsdl {
    pub fn new(path: &Path, documents: Vec<PathBuf>, imported: &ImportedDefinitions) -> Self {
        let files = imported.files.iter().map(|(file, _)| path.join(file));
        let is_definition =
            |path: &PathBuf| path.extension().is_some_and(|ending| ending == "yaml");
        Self {
            path: path.to_owned(),
            documents,
            definitions: files.filter(is_definition).collect(),
        }
    }
}

/// A file that a definition includes.
pub(crate) struct Included {
    /// Its path as the definition writes it.
    pub name: String,
    pub node: NodeId,
    /// The path of its module, if the definition has it.
    pub module: Option<Located<String>>,
    pub file: Rc<File>,
}

impl File {
    /// Creates a file that is not read yet.
    pub fn new(name: &str, path: &Path) -> Self {
        Self {
            name: name.to_owned(),
            path: Arc::from(path),
            text: String::new(),
            model: None,
            options: None,
            definition: None,
            spans: Spans::default(),
            diagnostics: Diagnostics::default(),
            included: Vec::new(),
            schemas: Vec::new(),
            wsdl: None,
        }
    }

    /// Returns the name of the file, or of the WSDL that it was imported from, without the folders
    /// before it.
    pub fn last_name(&self) -> Cow<'_, str> {
        match &self.wsdl {
            Some(wsdl) => Cow::Owned(last_part(&wsdl.path.to_string_lossy()).to_owned()),
            None => Cow::Borrowed(last_part(&self.name)),
        }
    }

    /// Returns the name of the file without its extension.
    pub fn stem(&self) -> String {
        let path = self.path.to_string_lossy();
        let name = last_part(&path);
        name.rsplit_once('.')
            .map_or(name, |(stem, _)| stem)
            .to_owned()
    }

    /// Whether a path is that of this file or of an included one.
    pub fn has(self: &Rc<Self>, path: &Path) -> bool {
        self.all().iter().any(|file| *file.path == *path)
    }

    /// Returns this file and all included files.
    pub fn all(self: &Rc<Self>) -> Vec<Rc<Self>> {
        let mut files = vec![Rc::clone(self)];
        files.extend(self.all_included());
        files
    }

    /// Returns all included files, each once, in the order in which they are named.
    pub fn all_included(&self) -> Vec<Rc<Self>> {
        let mut seen = HashSet::from([Arc::clone(&self.path)]);
        let mut files = Vec::new();
        let mut open: Vec<_> = self.included.iter().rev().map(Rc::clone).collect();
        while let Some(file) = open.pop() {
            if seen.insert(Arc::clone(&file.path)) {
                open.extend(file.included.iter().rev().map(Rc::clone));
                files.push(file);
            }
        }
        files
    }
}

/// The part after the last separator of any operating system, so that a definition results in the
/// same code on each.
fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
