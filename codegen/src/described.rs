//! The description of a definition: the rows of its service, its model, the text of its files.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use svcgen_language::diagnostic::Diagnostics;
use svcgen_model::{At, Service, Storage};

use crate::config::Options;
use crate::file::File;
use crate::model::{DataSetSchema, Model};
use crate::option_values::{Values, Visibility};
use crate::rows::{self, RowContent};

/// The description of a definition, for writing documents and for comparisons.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Described {
    file: Rc<File>,
    /// The warnings of the definition.
    pub warnings: Diagnostics,
}

/// The effects of options on the API of the generated code. Names are those that options use for
/// items.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CodeOptions {
    /// Whether items are visible to other crates.
    pub is_public: bool,
    /// Whether a handler trait and a server are generated.
    pub server: bool,
    /// Whether a client is generated.
    pub client: bool,
    /// Whether types implement the traits of serde.
    pub serde: bool,
    /// The structs with builders.
    pub builders: HashSet<String>,
    /// The types that are `#[non_exhaustive]`.
    pub non_exhaustive: HashSet<String>,
    /// The operations whose methods have a default body in the handler trait.
    pub optional_methods: HashSet<String>,
    /// The operations whose methods in the handler trait return results in an `Arc`.
    pub shared_results: HashSet<String>,
}

impl Described {
    /// Describes a file. Neither it nor its included files may have errors.
    pub(crate) fn new(file: Rc<File>) -> Self {
        let warnings = file.diagnostics.clone();
        Self { file, warnings }
    }

    /// Calls a function with the service, if the file has one.
    pub fn with<R>(&self, then: impl FnOnce(At<'_, Service<'_>>) -> R) -> Option<R> {
        self.rows(&Storage::default()).map(then)
    }

    /// Returns the service, if the file has one. Its rows are in `storage`.
    pub fn rows<'a>(&'a self, storage: &'a Storage<'a>) -> Option<At<'a, Service<'a>>> {
        self.rows_with(false, storage)
    }

    /// Returns the service with each secret as a text and each set of tables as any XML, for masked
    /// messages. Its rows are in `storage`.
    pub fn masked_rows<'a>(&'a self, storage: &'a Storage<'a>) -> Option<At<'a, Service<'a>>> {
        self.rows_with(true, storage)
    }

    fn rows_with<'a>(
        &'a self,
        masked: bool,
        storage: &'a Storage<'a>,
    ) -> Option<At<'a, Service<'a>>> {
        let content = RowContent {
            documentation: true,
            by_type: true,
            masked,
        };
        let (module, documentation) =
            rows::file(&self.file, storage, content, &mut HashMap::new())?;
        At::service(module, Some(documentation))
    }

    /// Returns the model from which code is emitted.
    pub fn model(&self) -> &Model {
        self.lowered().0
    }

    /// Returns the effects of options on the API of the generated code.
    pub fn code_options(&self) -> CodeOptions {
        let (model, options) = self.lowered();
        let structs = model.named_structs().map(|(name, _)| name);
        let types = model.named_types().into_iter().map(|(name, _)| name);
        let operations = |pattern: &Values<()>| {
            let names = model.operations().iter().map(|one| &one.name.xml);
            names
                .filter(|name| pattern.matches(name))
                .cloned()
                .collect()
        };
        CodeOptions {
            is_public: options.visibility == Visibility::Public,
            server: options.server,
            client: options.client,
            serde: options.serde,
            builders: structs
                .filter(|name| options.builders.matches(name))
                .collect(),
            non_exhaustive: types
                .filter(|name| options.non_exhaustive.matches(name))
                .collect(),
            optional_methods: operations(&options.optional_methods),
            shared_results: operations(&options.shared_results),
        }
    }

    /// Returns the name and the text of each file: the definition itself, then all included files.
    pub fn files(&self) -> impl Iterator<Item = (String, String)> {
        let files = self.file.all().into_iter();
        files.map(|file| (file.name.clone(), file.text.clone()))
    }

    /// Returns the path of the file. A definition imported from a WSDL is in a folder of its name:
    /// `orders.wsdl/Orders.yaml`.
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// Returns the paths and the texts of all source files: the definition, its included files, and
    /// the schemas of sets of tables.
    pub fn sources(&self) -> impl Iterator<Item = (PathBuf, String)> {
        let files = self.file.all().into_iter();
        files.flat_map(|file| {
            let own = (file.path.to_path_buf(), file.text.clone());
            let schemas = file.schemas.iter();
            let schemas = schemas.map(|(path, set)| (path.clone(), set.schema.clone()));
            [own].into_iter().chain(schemas.collect::<Vec<_>>())
        })
    }

    /// Returns the schemas of typed sets of tables, and the paths of their files: those of the
    /// definition, then those of all included files.
    pub fn data_sets(&self) -> impl Iterator<Item = (PathBuf, DataSetSchema)> {
        let files = self.file.all().into_iter();
        files.flat_map(|file| file.schemas.clone())
    }

    fn lowered(&self) -> (&Model, &Options) {
        let both = self.file.model.as_ref().zip(self.file.options.as_ref());
        both.expect("what is described is whole")
    }
}
