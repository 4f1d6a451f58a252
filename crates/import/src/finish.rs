//! Drafts → definitions: the parts of a draft that lowering refuses get another Rust name, are
//! loosened or left out, and the draft is lowered again.
//!
//! **Invariant: every definition that is written passes `check`.** The rules of the language are
//! not repeated here: lowering judges each draft, and its diagnostics are traced back to the draft
//! by their places in its text.

mod entry;
mod mend;
mod names;
mod reach;
mod shared;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use svcgen_codegen::check;
use svcgen_language::rules::Severity;
use svcgen_language::secret_names::is_named_like_a_secret;
use svcgen_model::{JsonSchema, SimpleType};
use svcgen_wsdl::file_names::file_stem;
use svcgen_wsdl::report::{DocumentSpan, Report, listed};
use svcgen_wsdl::rules::Rule;

use crate::draft::{Draft, print};
use entry::{Entry, type_of};
use mend::{Mending, Mistake};

/// The texts of files by name.
pub(crate) type Texts = HashMap<String, Rc<str>>;

/// The maximum number of times that a draft is lowered. Each round handles all mistakes that one
/// run finds; three or four rounds are usual.
const MOST_ROUNDS: usize = 24;

/// The first round in which only operations are left out.
const LAST_LOOSENING: usize = 12;

/// The finished definitions.
#[derive(Debug, Default)]
pub(crate) struct Finished {
    /// The names of files, and their texts.
    pub files: Vec<(String, String)>,
    pub services: usize,
    pub operations: usize,
    pub types: usize,
}

/// Finishes the drafts of services. `sets` are the files that they may name, and `header` returns
/// the comment that each other file starts with: for the service at a place, or for the types that
/// services share.
pub(crate) fn finish(
    drafts: Vec<Draft>,
    sets: &Texts,
    header: &dyn Fn(Option<DocumentSpan>) -> String,
    report: &Report<'_>,
) -> Finished {
    let mut names = HashSet::new();
    let (mut finished, mut texts) = (Vec::new(), HashSet::new());
    let first = drafts.first().and_then(|draft| draft.place);
    for mut draft in drafts {
        let service = draft.get("service").and_then(Draft::text);
        let stem = file_stem(service.unwrap_or_default(), "service", &mut names);
        if !settle(&mut draft, &stem, sets, report) {
            continue;
        }
        // Several documents may describe the same service.
        if texts.insert(print(&draft).text) {
            finished.push((stem, draft));
        } else {
            names.remove(&stem);
        }
    }
    for (_, draft) in &mut finished {
        draft.comments.insert(0, header(draft.place));
    }
    if finished.is_empty() {
        if let Some(place) = first {
            report.obstruct(Rule::NothingImported, place);
        }
        report.refuse_nothing();
    }
    let services = finished.len();
    let count = |files: &[(String, Draft)], section: &str| -> usize {
        let drafts = files.iter();
        drafts
            .map(|(_, draft)| reach::section_of(draft, section).len())
            .sum()
    };
    let operations = count(&finished, "operations");
    let files = shared::share(finished, sets, &header(None), &mut names);
    let types = count(&files, "types") + count(&files, "enums");
    let named = files.iter().flat_map(|(_, draft)| {
        let types = reach::section_of(draft, "types").iter();
        types.filter_map(|(_, body)| body.get("data_set")?.text())
    });
    let named: BTreeSet<_> = named.collect();
    let named = named.iter().filter_map(|name| sets.get_key_value(*name));
    let printed = files.iter();
    let printed = printed.map(|(stem, draft)| (format!("{stem}.yaml"), print(draft).text));
    Finished {
        files: printed
            .chain(named.map(|(name, text)| (name.clone(), text.to_string())))
            .collect(),
        services,
        operations,
        types,
    }
}

/// Changes a draft until lowering accepts it. Returns whether any of it is left.
fn settle(draft: &mut Draft, stem: &str, sets: &Texts, report: &Report<'_>) -> bool {
    if reach::section_of(draft, "operations").is_empty() {
        return false;
    }
    reach::prune(draft);
    let mut secrets = Vec::new();
    for round in 0..MOST_ROUNDS {
        reach::tidy(draft);
        let printed = print(draft);
        let name = format!("{stem}.yaml");
        let mut texts = sets.clone();
        texts.insert(name.clone(), printed.text.as_str().into());
        let mistakes: Vec<_> = (check(&name, &texts).iter())
            .map(|found| Mistake::of(found, |at| Entry::of(draft, &printed.path(at))))
            .collect();
        let mut mending = Mending::default();
        let mut others = Vec::new();
        for mistake in &mistakes {
            if !mending.add(draft, mistake, round >= LAST_LOOSENING, report) {
                others.push(mistake);
            }
        }
        if mending.is_empty() {
            for mistake in others {
                pass_on(draft, mistake, report);
            }
            note_secrets(draft, &secrets, report);
            return true;
        }
        match mending.apply(draft, report) {
            Ok(found) => secrets.extend(found),
            Err(mend::Refused) => return false,
        }
    }
    if let Some(place) = draft.place {
        let message = format!(
            "no definition can be written for this: rules are broken after {MOST_ROUNDS} changes, too"
        );
        let hint = "import its services or operations one by one, from copies of the WSDL that leave the others out";
        report.add(Rule::Wsdl, place, message, Some(hint));
    }
    false
}

/// Reports a warning at the corresponding place in the WSDL.
fn pass_on(draft: &Draft, mistake: &Mistake, report: &Report<'_>) {
    let path = mistake.entries.first().map_or(&[][..], |entry| &entry.path);
    let is_warning = mistake.rule.row().severity == Severity::Warning;
    if let (Some(place), true) = (draft.place_at(path), is_warning) {
        report.add(
            mistake.rule,
            place,
            &*mistake.message,
            mistake.hint.as_deref(),
        );
    }
}

/// Reports the values that are marked as secret, and the numbers that are named like secrets but
/// cannot be marked.
fn note_secrets(draft: &Draft, secrets: &[String], report: &Report<'_>) {
    let Some(place) = draft.place else {
        return;
    };
    let numbers = numbers_like_secrets(draft);
    if !numbers.is_empty() {
        let message = format!(
            "numbers that are named like secrets cannot be marked as such: {}",
            listed(&numbers)
        );
        let hint = "`Debug`, errors and traces show them: where they are secret, make them `string` by hand, and mark them `secret: true`";
        report.add(Rule::NotInWsdl, place, message, Some(hint));
    }
    if secrets.is_empty() {
        return;
    }
    let named = listed(secrets);
    let message = format!("what is named like a secret is imported with `secret: true`: {named}");
    let hint = "no WSDL says which values are secret: `secret: true` hides them in `Debug`, errors and traces; see whether there are others";
    report.add(Rule::NotInWsdl, place, message, Some(hint));
}

/// Describes the numbers that are named like secrets. A value that the WSDL itself states
/// (`default`, `fixed`) is not a secret.
fn numbers_like_secrets(draft: &Draft) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(path) = open.pop() {
        let Some(within) = draft.within(&path) else {
            continue;
        };
        open.extend(
            (0..within.len())
                .rev()
                .map(|slot| [&path[..], &[slot]].concat()),
        );
        let is_number = type_of(within).is_some_and(|(name, _)| {
            let simple = SimpleType::of_name(name);
            let schema = simple.map(|simple| simple.row().json_schema);
            matches!(
                schema,
                Some(JsonSchema::Range(..) | JsonSchema::Type("integer" | "number", _))
            )
        });
        let is_told = ["default", "fixed"]
            .iter()
            .any(|key| within.get(key).is_some());
        if !is_number || is_told {
            continue;
        }
        let entry = Entry::of(draft, &path);
        if entry.path == path && is_named_like_a_secret(&entry.name) {
            found.push(entry.about());
        }
    }
    found
}

#[cfg(test)]
mod tests;
