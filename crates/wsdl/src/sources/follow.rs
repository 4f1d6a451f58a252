//! Loads documents and follows their references.
//!
//! A reference is followed to its location if that is near (`address::is_near`) or allowed. If the
//! location is elsewhere, dead or not stated, the document is looked for by the addresses and names
//! under which documents are saved, by its namespace among all loaded documents, by the names that
//! are still missing among the files of the folder, and among the built-in schemas. A missing
//! document to whose names nothing refers is not an error.

mod groups;
mod loading;
mod missing;
mod search;

use std::collections::{HashSet, VecDeque};

use super::{address, known, open};
use crate::load::Load;
use crate::rules::Rule;
pub(crate) use loading::Followed;
use loading::{Failure, Loading, ReferenceId};
use open::Unreadable;
use svcgen_language::diagnostic::Diagnostics;

/// Loads documents by their addresses, with everything that they refer to.
pub(crate) fn follow(
    addresses: &[String],
    catalogs: &[String],
    loader: &mut dyn Load,
) -> Result<Followed, Diagnostics> {
    let mut loading = Loading::new(loader);
    loading.read_catalogs(catalogs);
    for address in addresses {
        loading.open_given(address);
    }
    loading.follow_all();
    if loading.complaints.is_empty() {
        loading.followed.groups = loading.groups();
        Ok(loading.followed)
    } else {
        Err(loading.complaints.into_iter().collect())
    }
}

impl Loading<'_> {
    fn read_catalogs(&mut self, catalogs: &[String]) {
        let mut seen = HashSet::new();
        let given: Vec<_> = catalogs.iter().map(|one| address::normal(one)).collect();
        let mut catalogs = VecDeque::from(given.clone());
        while let Some(at) = catalogs.pop_front() {
            let at = address::normal(&at);
            if !seen.insert(at.clone()) {
                continue;
            }
            let added = self.load(&at).and_then(|source| {
                let tree = open::parse(&source).map_err(Failure::Unreadable)?;
                let added = self.catalog.add(&source.file, &tree);
                added.map_err(|found| Failure::Unreadable(Unreadable::new(&source, found)))
            });
            match added {
                Ok(next) => catalogs.extend(next),
                Err(Failure::Unreadable(document)) if !given.contains(&at) => {
                    let kind = document.unquoted().to_owned();
                    self.complain_of(&at, Failure::NotLoaded(kind));
                }
                Err(failure) => self.complain_of(&at, failure),
            }
        }
    }

    /// Opens a document that the caller names.
    fn open_given(&mut self, given: &str) {
        let result = if address::is_page(given) {
            // For the page of a service, its WSDL, or else its discovery document.
            let first = self.open(&format!("{given}?wsdl"));
            first.or_else(|failure| self.open(&format!("{given}?disco")).map_err(|_| failure))
        } else {
            self.open(given)
        };
        match result {
            Ok(document) => self.given.push(document),
            Err(failure) => self.complain_of(given, failure),
        }
    }

    fn complain_of(&mut self, address: &str, failure: Failure) {
        self.complaints.push(match failure {
            Failure::NotLoaded(reason) | Failure::TooMuch(reason) => {
                Diagnostics::without_place(Rule::Wsdl, address, reason, None)
            }
            Failure::Unreadable(document) => document.quoted(),
        });
    }

    /// Follows references until there are no new ones.
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

    fn follow_one(&mut self, id: ReferenceId) {
        match self.find(id) {
            Ok(Some(target)) => self.resolve(id, target),
            Ok(None) => self.unresolved.push((id, None)),
            Err(failure) => self.unresolved.push((id, Some(failure))),
        }
    }

    /// Finds the document that a reference resolves to.
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
            let is_step_down = address::is_step_down(&from, address);
            if is_near || !is_known && !is_step_down && self.loader.allows(address) {
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
            failure = Some(Failure::NotLoaded(if is_step_down {
                format!(
                    "documents of {place} are never asked for because of one over https: save it, and import the files"
                )
            } else {
                format!("documents of {place} are not asked for unless that is allowed")
            }));
        }
        match (failure, location) {
            (None, Some(_)) if candidates.is_empty() => Err(Failure::NotLoaded(
                "this is neither an address over HTTP nor one of a file".to_owned(),
            )),
            (Some(failure), _) => Err(failure),
            (None, _) => Ok(None),
        }
    }
}
