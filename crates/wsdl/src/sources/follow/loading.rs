//! The documents that are loaded so far, within bounds and each once, and their references.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use svcgen_language::diagnostic::{Diagnostics, Source};

use crate::load::Load;
use crate::report::DocumentSpan;
use crate::sources::bounds::{ALL_BYTES, BYTES, Complaint, DOCUMENTS};
use crate::sources::catalog::Catalog;
use crate::sources::facts::{Facts, MissingNames, Reference, ReferenceKind, Root};
use crate::sources::folder::Folder;
use crate::sources::open::{self, Unreadable};
use crate::sources::{address, refusal};

/// All documents.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    pub texts: Vec<Arc<Source>>,
    /// The documents that `include`, `redefine` and `import` resolve to, by document and first byte
    /// of the reference.
    pub targets: HashMap<(u32, u32), u32>,
    /// The documents that are read together.
    pub groups: Vec<BTreeSet<u32>>,
}

/// The reason why a document is missing.
#[derive(Debug, Clone)]
pub(super) enum Failure {
    /// It was not loaded; the reason as a sentence.
    NotLoaded(String),
    /// It was loaded, but cannot be read.
    Unreadable(Unreadable),
    /// It exceeds the bounds of all documents together; the reason as a sentence.
    TooMuch(String),
}

/// Identifies a reference: its document, and its index among the references of that document.
pub(super) type ReferenceId = (u32, usize);

/// The state of loading: loaded documents, and references that are still to be followed.
pub(super) struct Loading<'l> {
    pub loader: &'l mut dyn Load,
    pub catalog: Catalog,
    pub followed: Followed,
    /// The documents that the caller names.
    pub given: Vec<u32>,
    pub facts: Vec<Facts>,
    /// The documents by normalized address.
    pub documents: HashMap<String, Result<u32, Failure>>,
    /// The number of calls of the loader.
    pub asked: usize,
    pub bytes: usize,
    pub queue: VecDeque<ReferenceId>,
    /// The references that could not be followed, and the reasons.
    pub unresolved: Vec<(ReferenceId, Option<Failure>)>,
    /// The documents that were found among the files of a folder, by the folder and the namespace.
    pub found: HashMap<(String, String), Vec<u32>>,
    /// The built-in documents that were added, by their namespaces.
    pub built_in: HashMap<String, u32>,
    pub folders: HashMap<String, Folder>,
    /// The files of folders that could not be read.
    pub passed_over: Vec<String>,
    pub names: MissingNames,
    /// The number of documents that `names` covers.
    pub named: usize,
    pub complaints: Vec<Diagnostics>,
}

impl<'l> Loading<'l> {
    pub fn new(loader: &'l mut dyn Load) -> Self {
        Self {
            loader,
            catalog: Catalog::default(),
            followed: Followed::default(),
            given: Vec::new(),
            facts: Vec::new(),
            documents: HashMap::new(),
            asked: 0,
            bytes: 0,
            queue: VecDeque::new(),
            unresolved: Vec::new(),
            found: HashMap::new(),
            built_in: HashMap::new(),
            folders: HashMap::new(),
            passed_over: Vec::new(),
            names: MissingNames::default(),
            named: 0,
            complaints: Vec::new(),
        }
    }
}

impl Loading<'_> {
    pub fn reference(&self, id: ReferenceId) -> &Reference {
        &self.facts[id.0 as usize].references[id.1]
    }

    pub fn address_of(&self, document: u32) -> &str {
        &self.followed.texts[document as usize].file
    }

    /// The addresses that a reference may mean, the most likely first.
    pub fn candidates(&self, id: ReferenceId) -> Vec<String> {
        let reference = self.reference(id);
        let Some(location) = &reference.location else {
            return Vec::new();
        };
        let bases = reference.bases.iter();
        let base = bases.fold(self.address_of(id.0).to_owned(), |base, one| {
            address::join(&base, one).unwrap_or(base)
        });
        let decoded = address::decoded(location).filter(|_| !address::is_url(&base));
        let locations = [Some(location.clone()), decoded];
        let locations = locations.into_iter().flatten();
        locations
            .filter_map(|one| address::join(&base, &one))
            .collect()
    }

    /// The namespaces that the document of a reference may declare.
    pub fn namespaces(&self, id: ReferenceId) -> Vec<String> {
        let reference = self.reference(id);
        match reference.kind {
            ReferenceKind::Include => self.facts[id.0 as usize].schemas.clone(),
            ReferenceKind::Document => Vec::new(),
            _ => vec![reference.namespace.clone().unwrap_or_default()],
        }
    }

    pub fn resolve(&mut self, id: ReferenceId, target: u32) {
        self.followed.targets.insert(self.place_of(id), target);
    }

    /// The document that a reference resolves to.
    pub fn target(&self, id: ReferenceId) -> Option<u32> {
        self.followed.targets.get(&self.place_of(id)).copied()
    }

    fn place_of(&self, id: ReferenceId) -> (u32, u32) {
        let place = DocumentSpan::new(id.0, self.reference(id).span.clone());
        (place.document, place.start)
    }

    pub fn update_names(&mut self) {
        for source in &self.followed.texts[self.named..] {
            if let Ok(tree) = open::parse(source) {
                self.names.add(&tree);
            }
        }
        self.named = self.followed.texts.len();
    }

    /// Opens a document by its address; each is loaded once.
    pub fn open(&mut self, address: &str) -> Result<u32, Failure> {
        let address = address::normal(address);
        if let Some(known) = self.documents.get(&address) {
            return known.clone();
        }
        let folder = self.folders.get(address::folder(&address));
        let peeked = folder.and_then(|folder| folder.peeked(&address)).flatten();
        let opened = match peeked {
            Some(source) => self.add(source),
            None => self.load(&address).and_then(|source| {
                // It was redirected to a document that may already be loaded.
                match self.documents.get(&source.file) {
                    Some(known) => known.clone(),
                    None => self.add(source),
                }
            }),
        };
        if let Ok(document) = opened {
            let found = self.address_of(document).to_owned();
            self.documents.insert(found, Ok(document));
        }
        self.documents.insert(address, opened.clone());
        opened
    }

    /// Loads a document within the bounds, without adding it.
    pub fn load(&mut self, address: &str) -> Result<Arc<Source>, Failure> {
        self.asked += 1;
        if self.asked > DOCUMENTS {
            return Err(Failure::TooMuch(format!(
                "there are too many documents: at most {DOCUMENTS} are loaded"
            )));
        }
        let loaded = self.loader.load(address).map_err(Failure::NotLoaded)?;
        self.bytes += loaded.bytes.len();
        if loaded.bytes.len() > BYTES || self.bytes > ALL_BYTES {
            let most = |bytes: usize| bytes >> 20;
            return Err(Failure::TooMuch(format!(
                "the documents are too large: at most {} MiB each and {} MiB in all are read",
                most(BYTES),
                most(ALL_BYTES)
            )));
        }
        let address = loaded
            .address
            .as_deref()
            .map_or_else(|| address.to_owned(), address::normal);
        open::read(&address, &loaded.bytes, loaded.charset.as_deref()).map_err(Failure::Unreadable)
    }

    /// Adds a document, and queues its references.
    pub fn add(&mut self, source: Arc<Source>) -> Result<u32, Failure> {
        let tree = open::parse(&source).map_err(Failure::Unreadable)?;
        let facts = Facts::of(&tree);
        if facts.root == Root::Other {
            let root = tree.root_element();
            let (message, hint) = refusal::other_root(root);
            let place = DocumentSpan::of(0, root);
            let complaint = Complaint {
                span: place.start as usize..place.end as usize,
                message,
                kind: "the document is neither a WSDL nor a schema",
                hint: Some(hint),
            };
            return Err(Failure::Unreadable(Unreadable::new(&source, complaint)));
        }
        drop(tree);
        let document = u32::try_from(self.facts.len()).expect("documents are bounded");
        self.queue
            .extend((0..facts.references.len()).map(|at| (document, at)));
        self.facts.push(facts);
        self.followed.texts.push(source);
        Ok(document)
    }
}
