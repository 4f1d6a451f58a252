//! Moves the types that several services share to a file that they include.

use std::collections::{HashMap, HashSet};

use svcgen_codegen::check;
use svcgen_language::rules::Rule as LanguageRule;
use svcgen_model::numbered;

use super::Texts;
use super::reach::{self, References, section_of};
use crate::draft::{Draft, print};

/// File names without their extension, and the drafts.
type Files = Vec<(String, Draft)>;

const SECTIONS: [&str; 2] = ["types", "enums"];

/// Moves types that several services of a namespace share into files that these include. Where
/// lowering refuses that, each service keeps its own.
pub(super) fn share(
    services: Files,
    sets: &Texts,
    header: &str,
    taken: &mut HashSet<String>,
) -> Files {
    let mut groups: Vec<(Vec<Option<String>>, Files)> = Vec::new();
    for (stem, draft) in services {
        let keys = ["namespace", "element_form"];
        let texts = keys.map(|key| draft.get(key).and_then(Draft::text).map(str::to_owned));
        match groups.iter_mut().find(|(known, _)| *known == texts) {
            Some((_, group)) => group.push((stem, draft)),
            None => groups.push((texts.to_vec(), vec![(stem, draft)])),
        }
    }
    let mut files = Vec::new();
    for (_, group) in groups {
        match shared(&group, sets, header, taken) {
            Some(group) => files.extend(group),
            None => files.extend(group),
        }
    }
    files
}

/// The services of a namespace and the file of the types that they share; `None` if they share
/// none.
fn shared(
    services: &Files,
    sets: &Texts,
    header: &str,
    taken: &mut HashSet<String>,
) -> Option<Files> {
    let (first, _) = services.first().filter(|_| services.len() > 1)?;
    let names = names(services);
    if names.is_empty() {
        return None;
    }
    let stem = numbered(format!("{first}_types"), |stem| taken.insert(stem.clone()));
    let mut types = Draft::map();
    types.comment(header);
    let mut seen = HashSet::new();
    let mut files = Vec::new();
    for (stem_of_service, draft) in services {
        let mut service = draft.clone();
        let mut includes = false;
        for section in SECTIONS {
            for (key, body) in section_of(draft, section) {
                if names.contains(key) {
                    includes = true;
                    if seen.insert(key) {
                        within(&mut types, section).push(key, body.clone());
                    }
                }
            }
            if let Some(own) = service.get_mut(section) {
                own.retain(|key, _| !names.contains(key));
            }
        }
        for (key, value) in section_of(draft, "namespaces") {
            within(&mut types, "namespaces").set(key, value.clone());
        }
        if let Some(codes) = draft.get("allow").filter(|_| includes) {
            types.set("allow", codes.clone());
        }
        if includes {
            let file = Draft::from(format!("{stem}.yaml"));
            service.set("include", Draft::list([file]));
        }
        reach::prune_namespaces(&mut service);
        reach::tidy(&mut service);
        files.push((stem_of_service.clone(), service));
    }
    reach::prune_namespaces(&mut types);
    reach::tidy(&mut types);
    files.push((stem, types));
    is_accepted(&files, sets).then_some(files)
}

fn within<'d>(draft: &'d mut Draft, section: &str) -> &'d mut Draft {
    let at = draft.entries().iter().position(|(key, _)| key == section);
    let at = at.unwrap_or_else(|| {
        draft.push(section, Draft::map());
        draft.len() - 1
    });
    &mut draft.entries_mut()[at].1
}

/// The types that are identical in all services that have them (at least two), and that refer only
/// to such types.
fn names(services: &Files) -> HashSet<String> {
    let mut found: HashMap<&str, (String, usize)> = HashMap::new();
    let mut different = HashSet::new();
    for (_, draft) in services {
        for section in SECTIONS {
            for (key, body) in section_of(draft, section) {
                let mut alone = Draft::map();
                alone.push(section, Draft::map());
                alone.push(
                    "namespaces",
                    draft.get("namespaces").cloned().unwrap_or_default(),
                );
                within(&mut alone, section).push(key, body.clone());
                reach::prune_namespaces(&mut alone);
                let text = print(&alone).text;
                let known = found.entry(key).or_insert_with(|| (text.clone(), 0));
                known.1 += 1;
                if known.0 != text {
                    different.insert(key.as_str());
                }
            }
        }
    }
    let mut names: HashSet<_> = (found.into_iter())
        .filter(|(key, (_, count))| *count > 1 && !different.contains(key))
        .map(|(key, _)| key.to_owned())
        .collect();
    // Types that refer to a type of a single service, or to all types, stay there.
    for (_, draft) in services {
        let references = References::of(draft);
        let items = SECTIONS.iter().flat_map(|section| {
            let entries = section_of(draft, section).iter();
            entries.map(|(key, _)| (*section, key.as_str()))
        });
        let own: Vec<_> = items.filter(|(_, key)| !names.contains(*key)).collect();
        for (section, key) in references.referring(own.into_iter().chain([reach::ANY_TYPE])) {
            if SECTIONS.contains(&section) {
                names.remove(key);
            }
        }
    }
    names
}

/// Whether lowering accepts files that include one another.
fn is_accepted(files: &Files, sets: &Texts) -> bool {
    let printed: Vec<_> = (files.iter())
        .map(|(stem, draft)| (format!("{stem}.yaml"), print(draft).text.into()))
        .collect();
    let mut texts = sets.clone();
    texts.extend(printed.iter().cloned());
    printed.iter().all(|(name, _)| {
        let diagnostics = check(name, &texts);
        let other_list_name = LanguageRule::OtherListName.row().code;
        let mut codes = diagnostics.iter().map(|one| one.code());
        !diagnostics.has_errors() && codes.all(|code| code != other_list_name)
    })
}
