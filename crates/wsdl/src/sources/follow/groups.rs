//! Groups the documents that are read together: each WSDL that the caller names, with the documents
//! that it refers to. It does not share the declarations of another WSDL even in the same
//! namespace: most ASMX services use `http://tempuri.org/`.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use super::loading::Loading;
use crate::sources::facts::Root;
use crate::sources::{address, known};

impl Loading<'_> {
    /// The documents of each imported WSDL, by number in ascending order; the WSDLs are in the
    /// order in which the caller names them.
    pub fn groups(&self) -> Vec<BTreeSet<u32>> {
        let (wsdls, others): (Vec<u32>, Vec<u32>) = self
            .given_documents()
            .into_iter()
            .partition(|document| self.facts[*document as usize].has_services);
        let by_namespace = self.by_namespace();
        let together: Vec<_> = wsdls
            .iter()
            // Nothing refers to schemas that the caller names next to WSDLs: they apply to all of
            // these.
            .map(|wsdl| self.together(others.iter().chain([wsdl]).copied(), &by_namespace))
            .collect();
        // A WSDL that another one imports is part of that one. Of WSDLs that import each other, the
        // first contains the others.
        let is_part = |at: usize| {
            (0..wsdls.len()).any(|other| {
                let is_in = |part: usize, whole: usize| together[whole].contains(&wsdls[part]);
                other != at && is_in(at, other) && (other < at || !is_in(other, at))
            })
        };
        let parts: Vec<_> = (0..wsdls.len()).map(is_part).collect();
        let groups = together.into_iter().zip(parts);
        let groups: Vec<_> = groups.filter(|(_, is_part)| !is_part).collect();
        if groups.len() < 2 {
            let all = u32::try_from(self.facts.len()).expect("documents are bounded");
            return vec![(0..all).collect()];
        }
        groups.into_iter().map(|(group, _)| group).collect()
    }

    /// The documents that the caller names, each once; a directory is replaced by the documents
    /// that it lists.
    fn given_documents(&self) -> Vec<u32> {
        let mut queue: VecDeque<_> = self.given.iter().copied().collect();
        let mut seen = HashSet::new();
        let mut documents = Vec::new();
        while let Some(document) = queue.pop_front() {
            if !seen.insert(document) {
                continue;
            }
            if self.facts[document as usize].root == Root::Directory {
                let listed: Vec<_> = self.targets_of(document).collect();
                listed
                    .into_iter()
                    .rev()
                    .for_each(|one| queue.push_front(one));
            } else {
                documents.push(document);
            }
        }
        documents
    }

    /// The given documents and everything that they refer to.
    fn together(
        &self,
        start: impl Iterator<Item = u32>,
        by_namespace: &HashMap<&str, Vec<u32>>,
    ) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let mut open: Vec<u32> = start.collect();
        while !open.is_empty() {
            while let Some(document) = open.pop() {
                if found.insert(document) {
                    open.extend(self.targets_of(document));
                }
            }
            open = self.of_namespaces(&found, by_namespace);
            open.retain(|document| !found.contains(document));
        }
        found
    }

    /// The documents that the references of a document resolve to.
    fn targets_of(&self, document: u32) -> impl Iterator<Item = u32> {
        let references = 0..self.facts[document as usize].references.len();
        references.filter_map(move |at| self.target((document, at)))
    }

    /// The documents that others refer to by namespace only: those that were found for it, built-in
    /// ones, and, if the group has no declarations in that namespace, those that do.
    fn of_namespaces(
        &self,
        group: &BTreeSet<u32>,
        by_namespace: &HashMap<&str, Vec<u32>>,
    ) -> Vec<u32> {
        let facts = |document: &u32| &self.facts[*document as usize];
        let declared: HashSet<&str> = group
            .iter()
            .flat_map(|one| facts(one).namespaces())
            .collect();
        let mut found = Vec::new();
        for document in group {
            let used = facts(document).used.iter();
            let used = used.filter(|one| !declared.contains(one.as_str()));
            found.extend(used.filter_map(|one| self.built_in.get(one)));
            let folder = address::folder(self.address_of(*document));
            for at in 0..facts(document).references.len() {
                if self.target((*document, at)).is_some() {
                    continue;
                }
                for namespace in self.namespaces((*document, at)) {
                    let of_folder = self.found.get(&(folder.to_owned(), namespace.clone()));
                    found.extend(of_folder.into_iter().flatten());
                    if declared.contains(namespace.as_str())
                        || known::document(&namespace).is_some()
                    {
                        continue;
                    }
                    let all = by_namespace.get(namespace.as_str());
                    let all = all.map_or(&[][..], Vec::as_slice);
                    let is_schema = |one: &&u32| facts(one).root == Root::Schema;
                    let has_schema = all.iter().any(|one| is_schema(&one));
                    found.extend(all.iter().filter(|one| !has_schema || is_schema(one)));
                }
            }
        }
        found
    }

    /// The documents with declarations in each namespace.
    fn by_namespace(&self) -> HashMap<&str, Vec<u32>> {
        let mut by_namespace: HashMap<&str, Vec<u32>> = HashMap::new();
        for (facts, document) in self.facts.iter().zip(0..) {
            for namespace in facts.namespaces() {
                by_namespace.entry(namespace).or_default().push(document);
            }
        }
        by_namespace
    }
}
