//! Diagnostics about missing documents.

use super::loading::{Failure, Loading};
use crate::report::{DocumentSpan, Report, listed};
use crate::rules::Rule;
use crate::sources::facts::ReferenceKind;
use crate::sources::known;

impl Loading<'_> {
    /// Reports the missing documents that matter: those that would declare names in use.
    pub fn report_unresolved(&mut self) {
        let unresolved = std::mem::take(&mut self.unresolved);
        if unresolved.is_empty() {
            return;
        }
        self.update_names();
        let missing = &self.names;
        let report = Report::new(&self.followed.texts);
        for (id, failure) in unresolved {
            let reference = self.reference(id);
            let namespaces = self.namespaces(id);
            // A WSDL may be needed although no name in it is referred to.
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
            let mut is_unreadable = false;
            let reason = match failure {
                Some(Failure::NotLoaded(reason) | Failure::TooMuch(reason)) => {
                    format!(": {reason}")
                }
                Some(Failure::Unreadable(document)) => {
                    is_unreadable = true;
                    format!(": {}", document.unquoted())
                }
                None if reference.location.is_none() => {
                    ": no place is given, and no other document has it".to_owned()
                }
                None => String::new(),
            };
            let hint = if is_unreadable {
                "import it by itself to see where: nothing is shown of a document that only another one names"
            } else {
                "save it beside this document, allow its host with `--allow-host`, or say with `--catalog` where it is"
            };
            let mut hint = hint.to_owned();
            if !is_unreadable && !self.passed_over.is_empty() {
                let files = listed(&self.passed_over);
                hint += &format!("; it may be in files beside it that cannot be read: {files}");
            }
            report.add(
                Rule::WsdlReference,
                DocumentSpan::new(id.0, reference.span.clone()),
                format!(
                    "{what}{}{} is missing{reason}",
                    of.unwrap_or_default(),
                    at.unwrap_or_default()
                ),
                Some(&hint),
            );
        }
        let report = report.finish();
        self.complaints.push(report);
        self.complaints.retain(|one| !one.is_empty());
    }
}
