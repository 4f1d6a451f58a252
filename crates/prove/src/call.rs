//! A call that is generated from the definition.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use http::Request;
use svcgen::Binding;
use svcgen::mask::{Masked, Secrets};
use svcgen_messages::Operation;

use crate::change::{Change, places};
use crate::edit::{Edit, shown};
use crate::place::{BODY, Path};

/// A call: a request as clients send it, and the changes to it.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) operation: Operation,
    pub(crate) binding: Binding,
    pub(crate) usual: Request<Bytes>,
    /// The secrets in all given values, not only in those of this call: servers may keep a value of
    /// one call and return it in another. Samples are not secrets.
    pub(crate) secrets: Arc<Secrets>,
    pub(crate) changes: Vec<Change>,
}

impl Call {
    /// Returns the changed request; `None` if a change does not apply.
    pub(crate) fn request(&self) -> Option<Request<Bytes>> {
        let mut changes = self.changes.iter();
        changes.try_fold(self.usual.clone(), |request, change| change.apply(&request))
    }

    /// Returns the kinds of its changes.
    pub(crate) fn kinds(&self) -> BTreeSet<String> {
        self.changes.iter().map(Change::kind).collect()
    }

    /// Describes the call, without secrets: its binding, the values of the usual request, and the
    /// changes.
    pub(crate) fn words(&self) -> Masked<String> {
        let values = places(&self.usual, self.operation);
        let values = values.iter().filter(|place| !is_operation(&place.path));
        let values = values.filter_map(|place| {
            let text = place.text.as_ref()?;
            Some(format!("{} {}", place.path, shown(text)))
        });
        let (values, changes) = (values.collect::<Vec<_>>().join(", "), self.changed());
        let mut words = self.binding.key().to_owned();
        if !values.is_empty() {
            words += &format!(" with {values}");
        } else if changes.is_empty() {
            words += " without values";
        }
        if !changes.is_empty() {
            words += &format!(", but {changes}");
        }
        self.hidden(&words)
    }

    fn changed(&self) -> String {
        let changes = self.changes.iter().map(Change::to_string);
        changes.collect::<Vec<_>>().join(", and ")
    }

    /// Describes its changes, without secrets.
    pub(crate) fn changes_in_words(&self) -> Masked<String> {
        match self.changes.as_slice() {
            [] => Masked::fixed("nothing changed").map(str::to_owned),
            _ => self.hidden(&self.changed()),
        }
    }

    fn hidden(&self, words: &str) -> Masked<String> {
        self.secrets.hidden(words).map(Cow::into_owned)
    }

    /// Returns smaller calls, the smallest first: without a change, without a value, with a part of
    /// a text.
    pub(crate) fn smaller(&self) -> Vec<Self> {
        let with = |changes: Vec<Change>| Self {
            changes,
            ..self.clone()
        };
        let mut smaller = Vec::new();
        for left_out in 0..self.changes.len() {
            let mut changes = self.changes.clone();
            changes.remove(left_out);
            smaller.push(with(changes));
        }
        for place in places(&self.usual, self.operation) {
            // Without the element of the operation it would be a different call.
            if is_operation(&place.path) {
                continue;
            }
            let without = Change::At(place.path, Edit::Absent).apply(&self.usual);
            smaller.extend(without.map(|usual| Self {
                usual,
                ..self.clone()
            }));
        }
        for (number, change) in self.changes.iter().enumerate() {
            let Change::At(path, Edit::Text(text)) = change else {
                continue;
            };
            for part in parts(text) {
                let mut changes = self.changes.clone();
                changes[number] = Change::At(path.clone(), Edit::Text(part));
                smaller.push(with(changes));
            }
        }
        smaller
    }
}

/// Whether a path is that of the element in the Body of an envelope.
fn is_operation(path: &Path) -> bool {
    path.0.len() == 2 && path.names().first() == Some(&BODY)
}

/// Returns the halves of a text; of a short text, the variants without one of its characters.
fn parts(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let count = characters.len();
    let piece = if count > 8 { count.div_ceil(2) } else { 1 };
    let starts = (0..count).step_by(piece);
    let each = starts.map(|start| {
        let end = count.min(start + piece);
        let rest = characters[..start].iter().chain(&characters[end..]);
        rest.collect()
    });
    each.filter(|part: &String| part.len() < text.len() && !part.is_empty())
        .collect()
}
