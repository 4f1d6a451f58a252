//! What is changed in a draft where lowering refuses it or warns.
//!
//! Mistakes are collected over the draft as it was lowered, and then applied, so that paths stay what they are.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::entry::{Entry, Kind, change_entries, change_shapes, type_of};
use super::names;
use super::reach::{Item, References, prune, section_of};
use crate::import::draft::{Content, Draft};
use crate::import::place::Report;
use crate::model::Bindings;
use crate::naming::Case;
use crate::rules::{Rule, Severity};

/// What lowering says of a draft.
#[derive(Debug)]
pub(super) struct Mistake {
    pub rule: Rule,
    pub message: String,
    /// The entry that it is about, then others that matter.
    pub entries: Vec<Entry>,
}

/// The definition as a whole is refused.
pub(super) struct Refused;

/// Keys that say less of a schema, and nothing of the wire, if they are left out.
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
const OF_OWNERS: &[Rule] = &[
    Rule::Inheritance,
    Rule::Substitution,
    Rule::TextBetween,
    Rule::Unordered,
    Rule::XmlName,
    Rule::XmlNameClash,
];

/// What is changed of an entry.
#[derive(Debug, Default)]
struct Change {
    /// Its Rust name.
    rust: Option<String>,
    is_secret: bool,
    /// Keys that are left out, with the reason.
    without: Vec<(String, String)>,
    /// Why it is XML of any kind, or left out.
    any: Option<String>,
}

/// What is changed of a draft.
#[derive(Debug, Default)]
pub(super) struct Mending {
    changes: BTreeMap<Vec<usize>, (Option<Entry>, Change)>,
    /// Types and enumerations that cannot be said, with the reason.
    unsaid: BTreeMap<String, String>,
    /// What operations must not reach, with the reason.
    unreachable: Vec<((String, String), String)>,
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

    /// Decides what becomes of a mistake. `gives_up` leaves operations out where one could try to loosen something else.
    /// Returns whether something becomes of it.
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
            Rule::RustName | Rule::RustNameClash if !gives_up && self.rename(draft, mistake) => {
                return true;
            }
            Rule::SecretByName => {
                self.change(first).is_secret = true;
                return true;
            }
            Rule::SecretInUrl => {
                self.with_forms.insert(first.owner().1.to_owned());
                return true;
            }
            // What lists of numbers and namespaces are is said by the WSDL, which is not changed.
            Rule::ListOfBytes | Rule::RelativeNamespace => {
                self.allowed.insert(mistake.rule.row().code);
                return true;
            }
            Rule::FormParameter => return self.drop_bindings(mistake, first, Dropped::Forms),
            Rule::Script | Rule::ScriptName | Rule::SecretInScriptUrl => {
                return self.drop_bindings(mistake, first, Dropped::Json);
            }
            _ => {}
        }
        if mistake.rule.row().severity != Severity::Error {
            return false;
        }
        let reason = format!("{} ({})", mistake.message, mistake.rule.row().code);
        self.loosen(draft, mistake, first, reason, gives_up, report)
    }

    /// Takes bindings from an operation that cannot be offered over them.
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
        reason: String,
        gives_up: bool,
        report: &Report<'_>,
    ) -> bool {
        let (section, owner) = entry.owner();
        let item = (section.to_owned(), owner.to_owned());
        // Nothing but objects, arrays and simple values is encoded.
        if (gives_up || mistake.rule == Rule::Encoded) && entry.kind != Kind::File {
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
        let shape = entry.path.iter().try_fold(draft, |within, slot| {
            within.slot(*slot).map(|(_, value)| value)
        });
        let is_any = shape.is_some_and(|shape| {
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
            let (message, code) = (&mistake.message, mistake.rule.row().code);
            let message = format!("no definition can be written for this: {message} ({code})");
            report.add(Rule::Wsdl, place, message, None);
        }
        self.refused = true;
        true
    }

    fn change(&mut self, entry: &Entry) -> &mut Change {
        let change = self.changes.entry(entry.path.clone()).or_default();
        change.0.get_or_insert_with(|| entry.clone());
        &mut change.1
    }

    /// Gives one of the entries another Rust name: a type rather than an operation, whose methods everybody calls.
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
        let rust = if mistake.rule == Rule::RustName {
            names::made(entry, case, taken)
        } else {
            let is_message = mistake.entries.iter().any(is_of_service) && !is_of_service(entry);
            let suffix = if is_message && case == Case::Type {
                "Type"
            } else {
                ""
            };
            let body = entry.path.iter().try_fold(draft, |within, slot| {
                within.slot(*slot).map(|(_, value)| value)
            });
            let name = body.and_then(|body| names::rust_name(&entry.name, body, case));
            let name = name.unwrap_or_default();
            taken.insert(name.clone());
            names::other(&name, case, suffix, taken)
        };
        taken.insert(rust.clone());
        self.change(entry).rust.get_or_insert(rust);
        true
    }

    /// Changes a draft, and reports what it says otherwise than the WSDL from then on.
    ///
    /// # Errors
    ///
    /// Nothing of it is left.
    pub fn apply(self, draft: &mut Draft, report: &Report<'_>) -> Result<Vec<String>, Refused> {
        if self.refused {
            return Err(Refused);
        }
        let mut secrets = Vec::new();
        let mut left_out: BTreeMap<Vec<usize>, HashSet<usize>> = BTreeMap::new();
        // What is within another entry comes before that.
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
                    report.add(Rule::Loosened, place, message, None);
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
                    None,
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
        set_bindings(draft, &self.with_forms, &self.without, report);
        leave_out_types(draft, self.unsaid, report);
        leave_out_operations(draft, &self.unreachable, report)?;
        secrets.reverse();
        Ok(secrets)
    }
}

/// Makes an element XML of any kind, without what is said of its type.
fn to_any(shape: &mut Draft, kind: Kind, comment: &str) {
    let is_group = shape.get("choice").is_some() || shape.get("sequence").is_some();
    let suffix = type_of(shape).map_or("", |(_, suffix)| suffix);
    let is_repeated = shape.get("list").and_then(Draft::text) == Some("unwrapped");
    let type_name = match (is_repeated, suffix.ends_with('?')) {
        (true, _) => "any[]",
        (false, true) if kind != Kind::Alternative => "any?",
        _ => "any",
    };
    let shape = shape.long("type");
    if is_group {
        shape.retain(|key, _| ["doc", "rust"].contains(&key));
        shape.set_first("any", "elements");
    } else {
        let kept = [
            "doc",
            "form",
            "name",
            "namespace",
            "required",
            "must_understand",
            "rust",
        ];
        shape.retain(|key, _| kept.contains(&key) || (is_repeated && key == "list"));
        shape.set_first("type", type_name);
    }
    shape.comment(comment);
    *shape = std::mem::take(shape).short("type");
}

/// Bindings that carry less than SOAP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Dropped {
    Forms,
    Json,
}

impl Dropped {
    const ALL: [Self; 2] = [Self::Forms, Self::Json];

    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Forms => &["http-get", "http-post"],
            Self::Json => &["json"],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Forms => "HTTP GET and POST",
            Self::Json => "JSON",
        }
    }
}

/// Says the bindings of operations, by default all of forms and SOAP, or those without what they cannot be offered over.
fn set_bindings(
    draft: &mut Draft,
    with_forms: &BTreeSet<String>,
    without: &BTreeMap<(String, Dropped), String>,
    report: &Report<'_>,
) {
    let of_file = names_of_bindings(draft);
    let Some(operations) = draft.get_mut("operations") else {
        return;
    };
    for (key, body) in operations.entries_mut() {
        let refused = Dropped::ALL.map(|one| Some((one, without.get(&(key.clone(), one))?)));
        let refused: Vec<_> = refused.into_iter().flatten().collect();
        if refused.is_empty() && !with_forms.contains(key) {
            continue;
        }
        let own = names_of_bindings(body).or_else(|| of_file.clone());
        let default = Bindings::DEFAULT
            .iter()
            .map(|binding| binding.key().to_owned());
        let mut bindings = own.unwrap_or_else(|| default.collect());
        for (dropped, reason) in refused {
            bindings.retain(|name| !dropped.keys().contains(&name.as_str()));
            if dropped == Dropped::Json {
                body.long("").retain(|name, _| name != "script_method");
            }
            if let Some(place) = body.place {
                let name = dropped.name();
                let message = format!("the operation `{key}` is imported without {name}: {reason}");
                report.add(Rule::LeftOut, place, message, None);
            }
        }
        let bindings = Draft::list(bindings.into_iter().map(Draft::from));
        body.long("").set("bindings", bindings);
    }
}

fn names_of_bindings(body: &Draft) -> Option<Vec<String>> {
    let list = body.get("bindings")?;
    let names = (0..list.len()).filter_map(|at| list.slot(at)?.1.text());
    Some(names.map(str::to_owned).collect())
}

/// Leaves types and enumerations out: what is of a complex type becomes XML of any kind, what is of an enumeration text.
fn leave_out_types(draft: &mut Draft, mut unsaid: BTreeMap<String, String>, report: &Report<'_>) {
    if unsaid.is_empty() {
        return;
    }
    let mut derived: HashMap<&str, Vec<&str>> = HashMap::new();
    for (key, body) in section_of(draft, "types") {
        if let Some(base) = body.get("extends").and_then(Draft::text) {
            derived.entry(base).or_default().push(key);
        }
    }
    let mut open: Vec<_> = unsaid.keys().cloned().collect();
    while let Some(base) = open.pop() {
        for key in derived.get(base.as_str()).into_iter().flatten() {
            if !unsaid.contains_key(*key) {
                let reason = format!("it extends `{base}`, which is left out");
                unsaid.insert((*key).to_owned(), reason);
                open.push((*key).to_owned());
            }
        }
    }
    let mut enumerations = HashSet::new();
    for (section, rule, what) in [
        ("types", Rule::AsAny, "the type `{}` is imported as XML"),
        (
            "enums",
            Rule::Loosened,
            "the enumeration `{}` is imported as text",
        ),
    ] {
        let Some(entries) = draft.get_mut(section) else {
            continue;
        };
        for (key, body) in entries.entries() {
            let Some(reason) = unsaid.get(key) else {
                continue;
            };
            if section == "enums" {
                enumerations.insert(key.clone());
            }
            if let Some(place) = body.place {
                let message = format!("{}: {reason}", what.replace("{}", key));
                report.add(rule, place, message, None);
            }
        }
        entries.retain(|key, _| !unsaid.contains_key(key));
    }
    let mut change = |shape: &mut Draft, kind: Kind| {
        let Some((name, suffix)) = type_of(shape) else {
            return;
        };
        let Some(reason) = unsaid.get(name) else {
            return;
        };
        if enumerations.contains(name) {
            let text = format!("string{suffix}");
            let comment = format!("Imported as text instead of `{name}`: {reason}.");
            let shape = shape.long("type");
            shape.set("type", text);
            shape.retain(|key, _| !["default", "fixed"].contains(&key));
            *shape = std::mem::take(shape).short("type");
            shape.comment(comment);
        } else {
            let comment = format!("Imported as XML instead of `{name}`: {reason}.");
            to_any(shape, kind, &comment);
        }
    };
    for section in ["operations", "types"] {
        for (_, body) in draft
            .get_mut(section)
            .into_iter()
            .flat_map(Draft::entries_mut)
        {
            change_shapes(body, &mut change);
        }
    }
    for (section, kind) in [("headers", Kind::Header), ("faults", Kind::Fault)] {
        change_entries(draft.get_mut(section), kind, &mut change);
    }
    prune(draft);
}

/// Leaves out the operations that reach what they must not.
///
/// # Errors
///
/// No operation is left.
fn leave_out_operations(
    draft: &mut Draft,
    unreachable: &[((String, String), String)],
    report: &Report<'_>,
) -> Result<(), Refused> {
    if unreachable.is_empty() {
        return Ok(());
    }
    let items: Vec<Item<'_>> = (unreachable.iter())
        .map(|((section, key), _)| (section.as_str(), key.as_str()))
        .collect();
    let operations: HashMap<String, usize> = (References::of(draft).operations_to(&items))
        .into_iter()
        .map(|(key, number)| (key.to_owned(), number))
        .collect();
    let place = draft.place;
    let Some(entries) = draft.get_mut("operations") else {
        return Err(Refused);
    };
    let mut comments = Vec::new();
    for (key, body) in entries.entries() {
        let Some(number) = operations.get(key) else {
            continue;
        };
        let ((section, item), reason) = &unreachable[*number];
        let reason = match section.as_str() {
            "operations" => reason.clone(),
            _ => format!("it needs `{item}`: {reason}"),
        };
        let message = format!("the operation `{key}` is left out: {reason}");
        comments.push(message.clone());
        if let Some(place) = body.place.or(place) {
            report.add(Rule::OperationLeftOut, place, message, None);
        }
    }
    entries.retain(|key, _| !operations.contains_key(key));
    comments
        .into_iter()
        .for_each(|comment| entries.comment(comment));
    if entries.len() == 0 {
        return Err(Refused);
    }
    prune(draft);
    Ok(())
}
