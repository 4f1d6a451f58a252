//! The changes to a draft where lowering refuses it or warns.
//!
//! Mistakes are collected for the draft as it was lowered, and only then applied, so that paths
//! stay valid.

mod bindings;
mod leave_out;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;

use svcgen_language::diagnostic::Diagnostic;
use svcgen_language::naming::Case;
use svcgen_language::rules::{Rule as LanguageRule, Severity};
use svcgen_wsdl::report::Report;
use svcgen_wsdl::rules::Rule;

use super::entry::{Entry, Kind, type_of};
use super::names;
use crate::draft::{Content, Draft};
use bindings::Dropped;
use leave_out::to_any;

/// A diagnostic of lowering about a draft.
#[derive(Debug)]
pub(super) struct Mistake {
    pub rule: LanguageRule,
    pub message: String,
    pub hint: Option<String>,
    /// The entry that it is about, then related entries.
    pub entries: Vec<Entry>,
}

impl Mistake {
    /// Converts a diagnostic, with the entries at its places.
    pub fn of(found: &Diagnostic, entry_at: impl Fn(usize) -> Entry) -> Self {
        let spans = found.spans();
        Self {
            rule: LanguageRule::of(found.rule()).expect("definitions break rules of the language"),
            message: found.message().into_owned(),
            hint: found.hint().map(str::to_owned),
            entries: spans.map(|span| entry_at(span.bytes.start)).collect(),
        }
    }
}

/// The reason why something is imported differently, with a hint.
#[derive(Debug, Clone)]
pub(super) struct Reason {
    text: String,
    hint: String,
}

impl Reason {
    fn of(mistake: &Mistake) -> Self {
        let code = mistake.rule.row().code;
        let hint = match (mistake.rule, &mistake.hint) {
            (LanguageRule::LargeType, Some(hint)) => {
                format!("{hint}: write `minOccurs=\"0\"` into a copy of the WSDL, and import that")
            }
            (LanguageRule::Namespace, _) => "callers compare it letter for letter, and white space is changed on the way: write what they send into a copy of the WSDL, and import that".to_owned(),
            _ => format!("`svcgen explain {code}` says why"),
        };
        Self {
            text: format!("{} ({code})", mistake.message),
            hint,
        }
    }

    /// Returns a reason with another text and the same hint.
    fn with_text(&self, text: String) -> Self {
        Self {
            text,
            hint: self.hint.clone(),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// An error: the definition as a whole is refused.
pub(super) struct Refused;

/// Keys that can be left out: the definition then describes less of a schema, but the wire stays
/// the same.
const DISPENSABLE: &[&str] = &[
    "default",
    "facets",
    "fixed",
    "head",
    "max",
    "min",
    "namespaces",
    "root",
    "unordered",
];

/// Rules that an element breaks whatever its type is.
const OF_OWNERS: &[LanguageRule] = &[
    LanguageRule::Inheritance,
    LanguageRule::Substitution,
    LanguageRule::TextBetween,
    LanguageRule::Unordered,
    LanguageRule::XmlName,
    LanguageRule::XmlNameClash,
];

/// The changes to an entry.
#[derive(Debug, Default)]
struct Change {
    /// Its new Rust name.
    rust: Option<String>,
    is_secret: bool,
    /// The keys that are left out, with the reason.
    without: Vec<(String, Reason)>,
    /// The reason why it becomes XML of any kind or is left out.
    any: Option<Reason>,
}

/// The changes to a draft.
#[derive(Debug, Default)]
pub(super) struct Mending {
    changes: BTreeMap<Vec<usize>, (Option<Entry>, Change)>,
    /// The types and enumerations that cannot be expressed, with the reason.
    unsaid: BTreeMap<String, Reason>,
    /// The items that operations must not reach, with the reason.
    unreachable: Vec<((String, String), Reason)>,
    allowed: BTreeSet<&'static str>,
    with_forms: BTreeSet<String>,
    /// The bindings that operations are not offered over, with the reason.
    without: BTreeMap<(String, Dropped), String>,
    taken: HashMap<Vec<usize>, HashSet<String>>,
    refused: bool,
}

impl Mending {
    /// Whether there is nothing to change.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
            && self.unsaid.is_empty()
            && self.unreachable.is_empty()
            && self.allowed.is_empty()
            && self.with_forms.is_empty()
            && self.without.is_empty()
            && !self.refused
    }

    /// Decides how to handle a mistake. With `gives_up`, operations are left out where something
    /// else could be loosened instead. Returns whether there is a change.
    pub fn add(
        &mut self,
        draft: &Draft,
        mistake: &Mistake,
        gives_up: bool,
        report: &Report<'_>,
    ) -> bool {
        let Some(first) = mistake.entries.first() else {
            return self.refuse(draft, mistake, report);
        };
        match mistake.rule {
            LanguageRule::RustName | LanguageRule::RustNameClash
                if !gives_up && self.rename(draft, mistake) =>
            {
                return true;
            }
            LanguageRule::SecretByName => {
                self.change(first).is_secret = true;
                return true;
            }
            LanguageRule::SecretInUrl => {
                self.with_forms.insert(first.owner().1.to_owned());
                return true;
            }
            // The WSDL itself determines lists of numbers and namespaces, and the WSDL is not
            // changed.
            LanguageRule::ListOfBytes | LanguageRule::RelativeNamespace => {
                self.allowed.insert(mistake.rule.row().code);
                return true;
            }
            LanguageRule::FormParameter => {
                return self.drop_bindings(mistake, first, Dropped::Forms);
            }
            LanguageRule::Script | LanguageRule::ScriptName | LanguageRule::SecretInScriptUrl => {
                return self.drop_bindings(mistake, first, Dropped::Json);
            }
            _ => {}
        }
        if mistake.rule.row().severity != Severity::Error {
            return false;
        }
        self.loosen(draft, mistake, first, Reason::of(mistake), gives_up, report)
    }

    /// Removes bindings from an operation that cannot be offered over them.
    fn drop_bindings(&mut self, mistake: &Mistake, entry: &Entry, dropped: Dropped) -> bool {
        let operation = entry.owner().1.to_owned();
        self.without
            .insert((operation, dropped), mistake.message.clone());
        true
    }

    fn loosen(
        &mut self,
        draft: &Draft,
        mistake: &Mistake,
        entry: &Entry,
        reason: Reason,
        gives_up: bool,
        report: &Report<'_>,
    ) -> bool {
        let (section, owner) = entry.owner();
        let item = (section.to_owned(), owner.to_owned());
        // Only objects, arrays and simple values can be encoded.
        if (gives_up || mistake.rule == LanguageRule::Encoded) && entry.kind != Kind::File {
            self.unreachable.push((item, reason));
            return true;
        }
        if let Some(part) = entry
            .part
            .as_deref()
            .filter(|part| DISPENSABLE.contains(part))
        {
            let part = part.to_owned();
            self.change(entry).without.push((part, reason));
            return true;
        }
        let is_any = draft.within(&entry.path).is_some_and(|shape| {
            shape.get("any").is_some() || type_of(shape).is_some_and(|(name, _)| name == "any")
        });
        match entry.kind {
            Kind::Attribute => self.change(entry).any = Some(reason),
            Kind::Element | Kind::Alternative | Kind::Header | Kind::Fault
                if !is_any && !OF_OWNERS.contains(&mistake.rule) =>
            {
                self.change(entry).any = Some(reason);
            }
            Kind::File => return self.refuse(draft, mistake, report),
            _ if matches!(section, "types" | "enums") => {
                self.unsaid.entry(owner.to_owned()).or_insert(reason);
            }
            _ => self.unreachable.push((item, reason)),
        }
        true
    }

    fn refuse(&mut self, draft: &Draft, mistake: &Mistake, report: &Report<'_>) -> bool {
        if mistake.rule.row().severity != Severity::Error {
            return false;
        }
        let path = mistake.entries.first().map_or(&[][..], |entry| &entry.path);
        if let Some(place) = draft.place_at(path) {
            let reason = Reason::of(mistake);
            let message = format!("no definition can be written for this: {reason}");
            report.add(Rule::Wsdl, place, message, Some(&reason.hint));
        }
        self.refused = true;
        true
    }

    fn change(&mut self, entry: &Entry) -> &mut Change {
        let change = self.changes.entry(entry.path.clone()).or_default();
        change.0.get_or_insert_with(|| entry.clone());
        &mut change.1
    }

    /// Gives one of the entries another Rust name: a type rather than an operation, because callers
    /// use the methods of operations.
    fn rename(&mut self, draft: &Draft, mistake: &Mistake) -> bool {
        let has_case = |entry: &&Entry| entry.case(draft).is_some();
        let is_of_service =
            |entry: &Entry| matches!(entry.kind, Kind::Operation | Kind::File | Kind::Fault);
        let mut entries = mistake.entries.iter().filter(has_case);
        let in_types = entries.clone().find(|entry| !is_of_service(entry));
        let Some(entry) = in_types.or_else(|| entries.next()) else {
            return false;
        };
        let Some(case) = entry.case(draft) else {
            return false;
        };
        let scope = match entry.kind {
            // Types and enumerations are items of one module.
            Kind::Type | Kind::Enumeration | Kind::File => Vec::new(),
            _ => entry.path[..entry.path.len() - 1].to_vec(),
        };
        let taken = self
            .taken
            .entry(scope)
            .or_insert_with(|| names::taken(draft, entry, case));
        let rust = if mistake.rule == LanguageRule::RustName {
            names::made(entry, case, taken)
        } else {
            let is_message = mistake.entries.iter().any(is_of_service) && !is_of_service(entry);
            let suffix = if is_message && case == Case::Type {
                "Type"
            } else {
                ""
            };
            let name = draft
                .within(&entry.path)
                .and_then(|body| names::rust_name(&entry.name, body, case));
            let name = name.unwrap_or_default();
            taken.insert(name.clone());
            names::other(&name, case, suffix, taken)
        };
        taken.insert(rust.clone());
        self.change(entry).rust.get_or_insert(rust);
        true
    }

    /// Changes a draft, and reports where it now differs from the WSDL.
    ///
    /// # Errors
    ///
    /// Returns an error if nothing of the draft is left.
    pub fn apply(self, draft: &mut Draft, report: &Report<'_>) -> Result<Vec<String>, Refused> {
        if self.refused {
            return Err(Refused);
        }
        let mut secrets = Vec::new();
        let mut left_out: BTreeMap<Vec<usize>, HashSet<usize>> = BTreeMap::new();
        // Inner entries are changed before the entries that contain them.
        for (path, (entry, change)) in self.changes.into_iter().rev() {
            let Some(entry) = entry else { continue };
            let place = draft.place_at(&path);
            if let Some(rust) = change.rust {
                names::set(draft, &entry, &rust);
            }
            let Some(body) = draft.at_path(&path) else {
                continue;
            };
            if change.is_secret {
                body.long("type").set("secret", true);
                secrets.push(entry.about());
            }
            for (key, reason) in change.without {
                body.retain(|name, _| name != key);
                *body = std::mem::take(body).short("type");
                body.comment(format!("Imported without `{key}`: {reason}."));
                if let Some(place) = place {
                    let message =
                        format!("{} is imported without `{key}`: {reason}", entry.about());
                    report.add(Rule::Loosened, place, message, Some(&reason.hint));
                }
            }
            let Some(reason) = change.any else { continue };
            let (rule, what) = if entry.kind == Kind::Attribute {
                let (last, above) = path.split_last().unwrap_or((&0, &[]));
                left_out.entry(above.to_vec()).or_default().insert(*last);
                (Rule::LeftOut, "left out")
            } else {
                to_any(body, entry.kind, &format!("Imported as XML: {reason}."));
                (Rule::AsAny, "imported as XML")
            };
            if let Some(place) = place {
                report.add(
                    rule,
                    place,
                    format!("{} is {what}: {reason}", entry.about()),
                    Some(&reason.hint),
                );
            }
        }
        for (above, slots) in left_out.into_iter().rev() {
            let Some(body) = draft.at_path(&above) else {
                continue;
            };
            body.retain(|_, at| !slots.contains(&at));
            if let (0, Some((last, owner))) = (body.len(), above.split_last())
                && let Some(owner) = draft.at_path(owner)
            {
                owner.retain(|_, at| at != *last);
            }
        }
        for code in self.allowed {
            let mut codes: Vec<_> = match draft.get("allow").map(|list| &list.content) {
                Some(Content::List(codes)) => codes.clone(),
                _ => Vec::new(),
            };
            codes.push(Draft::from(code));
            draft.set("allow", Draft::list(codes));
        }
        bindings::set(draft, &self.with_forms, &self.without, report);
        leave_out::types(draft, self.unsaid, report);
        if !leave_out::operations(draft, &self.unreachable, report) {
            return Err(Refused);
        }
        secrets.reverse();
        Ok(secrets)
    }
}
