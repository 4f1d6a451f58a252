//! Finds documents that are not where references point: saved in the folder, found by namespace, or
//! built in.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use svcgen_language::diagnostic::Source;

use super::loading::{Loading, ReferenceId};
use crate::sources::bounds::{ALL_BYTES, DOCUMENTS};
use crate::sources::facts::{self, Facts, ReferenceKind, Root};
use crate::sources::folder::Folder;
use crate::sources::{address, known, open};

impl Loading<'_> {
    /// Looks for the documents of references that could not be followed. Returns whether any
    /// document was added.
    pub fn search(&mut self) -> bool {
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

    /// Finds the file in the folder that a document was saved as.
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
            let names = address::saved_names(&from, address).into_iter();
            files.extend(names.filter_map(|name| folder.named(&name)));
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

    /// Adds the files of folders that declare missing names in the namespaces of references, and
    /// those of sets of tables.
    fn search_by_names(&mut self) {
        let mut wanted = Vec::new();
        let mut seen = HashSet::new();
        for (id, _) in &self.unresolved {
            let from = self.address_of(id.0);
            let is_of_set = self.reference(*id).is_of_set;
            for namespace in self.namespaces(*id) {
                let is_wanted = !is_of_set || !self.is_declared(&namespace);
                if is_wanted && seen.insert((address::folder(from), namespace.clone(), is_of_set)) {
                    wanted.push((from.to_owned(), namespace, is_of_set));
                }
            }
        }
        if wanted.is_empty() {
            return;
        }
        self.update_names();
        for (from, namespace, is_of_set) in wanted {
            if !is_of_set && !self.names.is_any(&namespace) {
                continue;
            }
            for file in self.with_namespace(&from, &namespace) {
                let Some(source) = self.peeked(&file) else {
                    continue;
                };
                let tree = open::parse(&source);
                let fits = tree.is_ok_and(|tree| {
                    if is_of_set {
                        facts::is_of_set(&tree)
                    } else {
                        self.names.is_any_of(&namespace, &tree)
                    }
                });
                if fits && let Ok(document) = self.open(&file) {
                    let key = (address::folder(&from).to_owned(), namespace.clone());
                    self.found.entry(key).or_default().push(document);
                    self.update_names();
                }
            }
        }
    }

    /// Whether a document has a schema for a namespace.
    fn is_declared(&self, namespace: &String) -> bool {
        let mut all = self.facts.iter();
        all.any(|facts| facts.schemas.contains(namespace))
    }

    fn folder(&mut self, file: &str) -> Option<&mut Folder> {
        if address::is_url(file) {
            return None;
        }
        let key = address::folder(file).to_owned();
        if !self.folders.contains_key(&key) {
            let mut folder = Folder::new(&self.loader.siblings(file));
            for directory in folder.directories() {
                if let Some((_, facts)) = self.look_into(&directory) {
                    folder.add_saved(&directory, &facts.saved);
                }
            }
            self.folders.insert(key.clone(), folder);
        }
        self.folders.get_mut(&key)
    }

    /// The files in the folder of a file that have a namespace and are not loaded: schemas before
    /// WSDLs, which may belong to other services, and then files whose names have the same stem
    /// before others.
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
            if let Some(facts) = facts.filter(|facts| facts.is_of(namespace)) {
                let is_own = address::file_name(&file).starts_with(address::stem(from));
                found.push((facts.root != Root::Schema, !is_own, file));
            }
        }
        found.sort();
        found.into_iter().map(|(.., file)| file).collect()
    }

    /// Reads a file of a folder without adding it.
    fn peeked(&mut self, file: &str) -> Option<Arc<Source>> {
        let key = address::folder(file);
        if let Some(peeked) = self.folders.get(key)?.peeked(file) {
            return peeked;
        }
        let found = self.look_into(file);
        let source = found.as_ref().map(|(source, _)| Arc::clone(source));
        self.folders.get_mut(key)?.peek(file, found);
        source
    }

    /// Reads a file of a folder. A file that cannot be read is recorded, because it may contain
    /// what is missing.
    fn look_into(&mut self, file: &str) -> Option<(Arc<Source>, Facts)> {
        // The other half is reserved for documents that are found.
        let may_look = self.asked < DOCUMENTS / 2 && self.bytes < ALL_BYTES / 2;
        let found = if may_look {
            self.load(file).ok().and_then(|source| {
                let facts = Facts::of(&open::parse(&source).ok()?);
                Some((source, facts))
            })
        } else {
            None
        };
        if found.is_none() {
            let name = address::file_name(file);
            self.passed_over.push(format!("`{name}`"));
        }
        found
    }

    /// Adds the built-in schemas of namespaces that are referred to but not declared. Returns
    /// whether any was added.
    pub fn add_known(&mut self) -> bool {
        let mut missing = BTreeSet::new();
        for group in self.groups() {
            let all: Vec<_> = group.iter().map(|one| &self.facts[*one as usize]).collect();
            let declared: HashSet<_> = all.iter().flat_map(|facts| facts.namespaces()).collect();
            let used = all.iter().flat_map(|facts| &facts.used);
            missing.extend(used.filter(|one| !declared.contains(one.as_str())).cloned());
        }
        let before = self.built_in.len();
        for namespace in missing {
            let Some((name, text)) = known::document(&namespace) else {
                continue;
            };
            let source = Arc::new(Source::new(&format!("(built-in {name})"), text, 0));
            let document = self.add(source).expect("built-in schemas can be read");
            self.built_in.insert(namespace, document);
        }
        self.built_in.len() > before
    }
}
