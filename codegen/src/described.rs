//! What a definition describes: the rows of its service, its model, the text of its files.

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

/// What a definition describes, for documents to be written from and for comparisons.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Described {
    file: Rc<File>,
    /// The warnings of the definition.
    pub warnings: Diagnostics,
}

/// What options decide about the API of the code of a definition. Names are those that options call
/// items by.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CodeOptions {
    /// Whether other crates see the items.
    pub is_public: bool,
    /// Whether there are a handler trait and a server.
    pub server: bool,
    /// Whether there is a client.
    pub client: bool,
    /// Whether types have the traits of serde.
    pub serde: bool,
    /// The structs that have builders.
    pub builders: HashSet<String>,
    /// The types that are `#[non_exhaustive]`.
    pub non_exhaustive: HashSet<String>,
    /// The operations whose methods have a body in the handler trait.
    pub optional_methods: HashSet<String>,
    /// The operations whose methods in the handler trait return results in an `Arc`.
    pub shared_results: HashSet<String>,
}

impl Described {
    /// Describes a file without errors, in itself and in what it includes.
    pub(crate) fn new(file: Rc<File>) -> Self {
        let warnings = file.diagnostics.clone();
        Self { file, warnings }
    }

    /// Calls a function with the service, if the file has one.
    pub fn with<R>(&self, then: impl FnOnce(At<'_, Service<'_>>) -> R) -> Option<R> {
        self.rows(&Storage::default()).map(then)
    }

    /// The service, if the file has one. Its rows are in `storage`.
    pub fn rows<'a>(&'a self, storage: &'a Storage<'a>) -> Option<At<'a, Service<'a>>> {
        self.rows_with(false, storage)
    }

    /// The service in which each secret is a text and each set of tables any XML, for messages that
    /// were masked. Its rows are in `storage`.
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

    /// The model that code is emitted from.
    pub fn model(&self) -> &Model {
        self.lowered().0
    }

    /// What its options decide about the API of its code.
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

    /// The name and the text of each file: the definition itself, then all that it includes.
    pub fn files(&self) -> impl Iterator<Item = (String, String)> {
        let files = self.file.all().into_iter();
        files.map(|file| (file.name.clone(), file.text.clone()))
    }

    /// The path of the file. What is imported from a WSDL is in a folder of its name:
    /// `orders.wsdl/Orders.yaml`.
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// The paths and the texts of all files that it is made of: itself, what it includes, and the
    /// schemas of sets of tables.
    pub fn sources(&self) -> impl Iterator<Item = (PathBuf, String)> {
        let files = self.file.all().into_iter();
        files.flat_map(|file| {
            let own = (file.path.to_path_buf(), file.text.clone());
            let schemas = file.schemas.iter();
            let schemas = schemas.map(|(path, set)| (path.clone(), set.schema.clone()));
            [own].into_iter().chain(schemas.collect::<Vec<_>>())
        })
    }

    /// The schemas of typed sets of tables, and the paths of their files: those of the definition,
    /// then those of all that it includes.
    pub fn data_sets(&self) -> impl Iterator<Item = (PathBuf, DataSetSchema)> {
        let files = self.file.all().into_iter();
        files.flat_map(|file| file.schemas.clone())
    }

    fn lowered(&self) -> (&Model, &Options) {
        let both = self.file.model.as_ref().zip(self.file.options.as_ref());
        both.expect("what is described is whole")
    }
}
