//! Loads documents, and follows what they refer to.
//!
//! A reference is followed to where it points if that is near (`address::is_near`) or allowed. What is elsewhere, dead or not said is looked for by
//! the addresses and names under which documents are saved, by the namespace among all that was loaded, among the files of the folder by the
//! names that are still missing, and among the built-in schemas. What nothing refers to by a name is not missed.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use super::address;
use super::bounds::{ALL_BYTES, BYTES, Complaint, DOCUMENTS};
use super::catalog::Catalog;
use super::facts::{Facts, MissingNames, Reference, ReferenceKind, Root};
use super::folder::Folder;
use super::{known, open, refusal};
use crate::diagnostic::{Diagnostics, Source};
use crate::import::load::Load;
use crate::import::place::{Place, Report};
use crate::rules::Rule;

/// All documents.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    pub texts: Vec<Arc<Source>>,
    /// The documents that `include`, `redefine` and `import` of others refer to, by document and first byte of these.
    pub targets: HashMap<(u32, u32), u32>,
}

/// Why a document is not there.
#[derive(Debug, Clone)]
enum Failure {
    /// It was not loaded: a sentence.
    NotLoaded(String),
    /// It was, and is none.
    Unreadable(Diagnostics),
    /// It is beyond the bounds of all documents: a sentence.
    TooMuch(String),
}

/// The number of a reference: its document, and its place among the references of that.
type ReferenceId = (u32, usize);

struct Loading<'l> {
    loader: &'l mut dyn Load,
    catalog: Catalog,
    followed: Followed,
    facts: Vec<Facts>,
    /// By normal address.
    documents: HashMap<String, Result<u32, Failure>>,
    /// How often the loader was asked.
    asked: usize,
    bytes: usize,
    queue: VecDeque<ReferenceId>,
    /// What could not be followed, and why.
    unresolved: Vec<(ReferenceId, Option<Failure>)>,
    folders: HashMap<String, Folder>,
    names: MissingNames,
    /// How many documents `names` knows.
    named: usize,
    complaints: Vec<Diagnostics>,
}

/// Loads documents by their addresses, and all that they refer to.
pub(crate) fn follow(
    addresses: &[String],
    catalogs: &[String],
    loader: &mut dyn Load,
) -> Result<Followed, Diagnostics> {
    let mut loading = Loading {
        loader,
        catalog: Catalog::default(),
        followed: Followed::default(),
        facts: Vec::new(),
        documents: HashMap::new(),
        asked: 0,
        bytes: 0,
        queue: VecDeque::new(),
        unresolved: Vec::new(),
        folders: HashMap::new(),
        names: MissingNames::default(),
        named: 0,
        complaints: Vec::new(),
    };
    loading.read_catalogs(catalogs);
    for address in addresses {
        loading.open_given(address);
    }
    loading.follow_all();
    if loading.complaints.is_empty() {
        Ok(loading.followed)
    } else {
        Err(loading.complaints.into_iter().collect())
    }
}

impl Loading<'_> {
    fn read_catalogs(&mut self, catalogs: &[String]) {
        let mut seen = HashSet::new();
        let mut catalogs: VecDeque<_> = catalogs.iter().cloned().collect();
        while let Some(at) = catalogs.pop_front() {
            let at = address::normal(&at);
            if !seen.insert(at.clone()) {
                continue;
            }
            let added = self.load(&at).and_then(|source| {
                let tree = open::parse(&source).map_err(Failure::Unreadable)?;
                self.catalog.add(&source.file, &tree).ok_or_else(|| {
                    let name = tree.root_element().tag_name().name();
                    Failure::NotLoaded(format!("it is no catalogue: its root element is `{name}`"))
                })
            });
            match added {
                Ok(next) => catalogs.extend(next),
                Err(failure) => self.complain_of(&at, failure),
            }
        }
    }

    /// Opens a document that the caller names.
    fn open_given(&mut self, given: &str) {
        let result = if address::is_page(given) {
            // The page of a service: its WSDL, else what it says of that.
            let first = self.open(&format!("{given}?wsdl"));
            first.or_else(|failure| self.open(&format!("{given}?disco")).map_err(|_| failure))
        } else {
            self.open(given)
        };
        if let Err(failure) = result {
            self.complain_of(given, failure);
        }
    }

    fn complain_of(&mut self, address: &str, failure: Failure) {
        self.complaints.push(match failure {
            Failure::NotLoaded(reason) | Failure::TooMuch(reason) => {
                Diagnostics::without_place(Rule::Wsdl, address, reason, None)
            }
            Failure::Unreadable(diagnostics) => diagnostics,
        });
    }

    /// Follows references until nothing is new.
    fn follow_all(&mut self) {
        loop {
            while let Some(id) = self.queue.pop_front() {
                self.follow_one(id);
            }
            if self.complaints.is_empty() && (self.search() || self.add_known()) {
                continue;
            }
            break;
        }
        if self.complaints.is_empty() {
            self.report_unresolved();
        }
    }

    fn reference(&self, id: ReferenceId) -> &Reference {
        &self.facts[id.0 as usize].references[id.1]
    }

    fn address_of(&self, document: u32) -> &str {
        &self.followed.texts[document as usize].file
    }

    /// The addresses that a reference may mean, the first first.
    fn candidates(&self, id: ReferenceId) -> Vec<String> {
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

    fn follow_one(&mut self, id: ReferenceId) {
        match self.find(id) {
            Ok(Some(target)) => self.resolve(id, target),
            Ok(None) => self.unresolved.push((id, None)),
            Err(failure) => self.unresolved.push((id, Some(failure))),
        }
    }

    fn resolve(&mut self, id: ReferenceId, target: u32) {
        let start = Place::new(id.0, self.reference(id).span.clone()).start;
        self.followed.targets.insert((id.0, start), target);
    }

    /// Finds the document that a reference points to.
    fn find(&mut self, id: ReferenceId) -> Result<Option<u32>, Failure> {
        let from = self.address_of(id.0).to_owned();
        let candidates = self.candidates(id);
        let reference = self.reference(id);
        let location = reference.location.clone();
        let namespace = reference.namespace.clone().unwrap_or_default();
        let names = candidates.iter().chain(&location).chain(Some(&namespace));
        let in_catalog = names.into_iter().find_map(|name| self.catalog.find(name));
        if let Some(address) = in_catalog {
            return self.open(&address).map(Some);
        }
        let is_known = known::document(&namespace).is_some();
        let mut failure = None;
        for address in &candidates {
            let is_near = address::is_near(&from, address);
            if is_near || !is_known && self.loader.allows(address) {
                match self.open(address) {
                    Ok(document) => return Ok(Some(document)),
                    Err(found) => failure = failure.or(Some(found)),
                }
                continue;
            }
            if is_known {
                continue;
            }
            let elsewhere = address::on_host_of(&from, address);
            if let Some(Ok(document)) = elsewhere.map(|address| self.open(&address)) {
                return Ok(Some(document));
            }
            let place = address::host(address).unwrap_or_else(|| "another machine".to_owned());
            failure = Some(Failure::NotLoaded(format!(
                "documents of {place} are not asked for unless that is allowed"
            )));
        }
        match (failure, location) {
            (None, Some(_)) if candidates.is_empty() => Err(Failure::NotLoaded(
                "this is neither an address over HTTP nor one of a file".to_owned(),
            )),
            (Some(failure), _) => Err(failure),
            (None, _) => Ok(None),
        }
    }

    /// Looks for the documents of references that could not be followed. Returns whether a document was added.
    fn search(&mut self) -> bool {
        let before = self.followed.texts.len();
        let unresolved = std::mem::take(&mut self.unresolved);
        let mut left = Vec::new();
        for (id, failure) in unresolved {
            match self.saved(id) {
                Some(target) => self.resolve(id, target),
                None => left.push((id, failure)),
            }
        }
        self.unresolved = left;
        if self.followed.texts.len() == before {
            self.search_by_names();
        }
        self.followed.texts.len() > before
    }

    /// Finds the file of a folder that a document was saved as.
    fn saved(&mut self, id: ReferenceId) -> Option<u32> {
        let from = self.address_of(id.0).to_owned();
        let candidates = self.candidates(id);
        let reference = self.reference(id);
        let namespace = match reference.kind {
            ReferenceKind::Include | ReferenceKind::Document => None,
            _ => Some(reference.namespace.clone().unwrap_or_default()),
        };
        let folder = self.folder(&from)?;
        let mut files = Vec::new();
        for address in &candidates {
            files.extend(folder.saved(address));
            let names = [
                address::saved_name(address),
                Some(address::file_name(address).to_owned()),
            ];
            files.extend(
                names
                    .into_iter()
                    .flatten()
                    .filter_map(|name| folder.named(&name)),
            );
        }
        files.retain(|file| *file != from);
        files.into_iter().find_map(|file| {
            self.peeked(&file)?;
            let facts = self.folders.get(address::folder(&file))?.facts(&file)?;
            let fits = namespace
                .as_ref()
                .is_none_or(|namespace| facts.is_of(namespace));
            fits.then(|| self.open(&file).ok())?
        })
    }

    /// Adds the files of folders that declare what is missing in the namespaces of references.
    fn search_by_names(&mut self) {
        let mut wanted = Vec::new();
        let mut seen = HashSet::new();
        for (id, _) in &self.unresolved {
            let from = self.address_of(id.0);
            for namespace in self.namespaces(*id) {
                if seen.insert((address::folder(from), namespace.clone())) {
                    wanted.push((from.to_owned(), namespace));
                }
            }
        }
        if wanted.is_empty() {
            return;
        }
        self.update_names();
        for (from, namespace) in wanted {
            if !self.names.is_any(&namespace) {
                continue;
            }
            for file in self.with_namespace(&from, &namespace) {
                let Some(source) = self.peeked(&file) else {
                    continue;
                };
                let tree = open::parse(&source);
                let fits = tree.is_ok_and(|tree| self.names.is_any_of(&namespace, &tree));
                if fits && self.open(&file).is_ok() {
                    self.update_names();
                }
            }
        }
    }

    /// The namespaces that the document of a reference may declare.
    fn namespaces(&self, id: ReferenceId) -> Vec<String> {
        let reference = self.reference(id);
        match reference.kind {
            ReferenceKind::Include => self.facts[id.0 as usize].schemas.clone(),
            ReferenceKind::Document => Vec::new(),
            _ => vec![reference.namespace.clone().unwrap_or_default()],
        }
    }

    fn update_names(&mut self) {
        for source in &self.followed.texts[self.named..] {
            if let Ok(tree) = open::parse(source) {
                self.names.add(&tree);
            }
        }
        self.named = self.followed.texts.len();
    }

    fn folder(&mut self, file: &str) -> Option<&mut Folder> {
        if address::is_url(file) {
            return None;
        }
        let key = address::folder(file).to_owned();
        if !self.folders.contains_key(&key) {
            let mut folder = Folder::new(&self.loader.siblings(file));
            for directory in folder.directories() {
                if let Ok(source) = self.load(&directory)
                    && let Ok(tree) = open::parse(&source)
                {
                    folder.add_saved(&directory, &Facts::of(&tree).saved);
                }
            }
            self.folders.insert(key.clone(), folder);
        }
        self.folders.get_mut(&key)
    }

    /// The files beside a file whose documents have a namespace, and are not loaded.
    fn with_namespace(&mut self, from: &str, namespace: &str) -> Vec<String> {
        let files = self.folder(from).map(|folder| folder.documents());
        let mut found = Vec::new();
        for file in files.unwrap_or_default() {
            let is_loaded = matches!(self.documents.get(&file), Some(Ok(_)));
            if is_loaded || self.peeked(&file).is_none() {
                continue;
            }
            let folder = self.folders.get(address::folder(from));
            let facts = folder.and_then(|folder| folder.facts(&file));
            if facts.is_some_and(|facts| facts.is_of(namespace)) {
                found.push(file);
            }
        }
        found
    }

    /// Looks into a file of a folder without adding it.
    fn peeked(&mut self, file: &str) -> Option<Arc<Source>> {
        let key = address::folder(file);
        if let Some(peeked) = self.folders.get(key)?.peeked(file) {
            return peeked;
        }
        // The others are for what is found.
        let may_look = self.asked < DOCUMENTS / 2 && self.bytes < ALL_BYTES / 2;
        let source = may_look.then(|| self.load(file).ok()).flatten();
        let facts = source
            .as_ref()
            .and_then(|source| Some(Facts::of(&open::parse(source).ok()?)));
        self.folders
            .get_mut(key)?
            .peek(file, source.clone().zip(facts));
        source
    }

    /// Adds the built-in schemas of namespaces that are referred to and not declared. Returns whether there are.
    fn add_known(&mut self) -> bool {
        let all = self.facts.iter();
        let declared = all.flat_map(|facts| facts.services.iter().chain(&facts.schemas));
        let declared: HashSet<_> = declared.collect();
        let used = self.facts.iter().flat_map(|facts| &facts.used);
        let mut missing: Vec<_> = used.filter(|one| !declared.contains(one)).collect();
        missing.sort_unstable();
        missing.dedup();
        let added: Vec<_> = missing
            .into_iter()
            .filter_map(|one| known::document(one))
            .collect();
        for (name, text) in &added {
            self.add(Arc::new(Source::new(
                &format!("(built-in {name})"),
                text,
                0,
            )))
            .expect("built-in schemas can be read");
        }
        !added.is_empty()
    }

    /// Says which documents are missed: those with names that are referred to.
    fn report_unresolved(&mut self) {
        let unresolved = std::mem::take(&mut self.unresolved);
        if unresolved.is_empty() {
            return;
        }
        self.update_names();
        let missing = &self.names;
        let report = Report::new(&self.followed.texts);
        let mut unreadable = Vec::new();
        for (id, failure) in unresolved {
            let reference = self.reference(id);
            let namespaces = self.namespaces(id);
            // A WSDL may be all that a document is made of, without a name.
            let is_wsdl = reference.kind == ReferenceKind::Wsdl;
            let is_there = |namespace: &String| {
                !missing.is_any(namespace)
                    && (!is_wsdl
                        || known::document(namespace).is_some()
                        || self
                            .facts
                            .iter()
                            .zip(0..)
                            .any(|(facts, at)| at != id.0 && facts.is_of(namespace)))
            };
            let is_too_much = matches!(failure, Some(Failure::TooMuch(_)));
            if !is_too_much && !namespaces.is_empty() && namespaces.iter().all(is_there) {
                continue;
            }
            let what = match reference.kind {
                ReferenceKind::Wsdl | ReferenceKind::Document => "the document",
                _ => "the schema",
            };
            let of = reference
                .namespace
                .as_ref()
                .map(|one| format!(" of `{one}`"));
            let at = reference
                .location
                .as_ref()
                .map(|one| format!(" at `{one}`"));
            let reason = match failure {
                Some(Failure::NotLoaded(reason) | Failure::TooMuch(reason)) => {
                    format!(": {reason}")
                }
                Some(Failure::Unreadable(diagnostics)) => {
                    unreadable.push(diagnostics);
                    ": it cannot be read".to_owned()
                }
                None if reference.location.is_none() => {
                    ": no place is given, and no other document has it".to_owned()
                }
                None => String::new(),
            };
            // One that cannot be read says itself what would help.
            let hint = (!reason.ends_with("read")).then_some(
                "save it beside this document, allow its host with `--allow-host`, or say with `--catalog` where it is",
            );
            report.add(
                Rule::WsdlReference,
                Place::new(id.0, reference.span.clone()),
                format!(
                    "{what}{}{} is missing{reason}",
                    of.unwrap_or_default(),
                    at.unwrap_or_default()
                ),
                hint,
            );
        }
        let report = report.finish();
        self.complaints.push(report);
        self.complaints.append(&mut unreadable);
        self.complaints.retain(|one| !one.is_empty());
    }

    /// Opens a document by its address, each once.
    fn open(&mut self, address: &str) -> Result<u32, Failure> {
        let address = address::normal(address);
        if let Some(known) = self.documents.get(&address) {
            return known.clone();
        }
        let folder = self.folders.get(address::folder(&address));
        let peeked = folder.and_then(|folder| folder.peeked(&address)).flatten();
        let opened = match peeked {
            Some(source) => self.add(source),
            None => self.load(&address).and_then(|source| {
                // Redirected to what is there already.
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

    /// Loads a document within bounds, without adding it.
    fn load(&mut self, address: &str) -> Result<Arc<Source>, Failure> {
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
        open::read(&address, &loaded.bytes).map_err(Failure::Unreadable)
    }

    /// Adds a document, and its references to those that are followed.
    fn add(&mut self, source: Arc<Source>) -> Result<u32, Failure> {
        let tree = open::parse(&source).map_err(Failure::Unreadable)?;
        let facts = Facts::of(&tree);
        if facts.root == Root::Other {
            let root = tree.root_element();
            let (message, hint) = refusal::other_root(root);
            let place = Place::of(0, root);
            let complaint = Complaint {
                span: place.start as usize..place.end as usize,
                message,
                hint: Some(hint),
            };
            return Err(Failure::Unreadable(open::complain(&source, complaint)));
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
