//! `svcgen import --update`: a newer WSDL merged into a definition that was edited by hand.
//!
//! The changes are the differences between the imports of two WSDLs: the WSDL of the current
//! definition, and the newer one. Parts that people wrote by hand are in both or in neither, so
//! that they stay. The changes are made in the text, and everything else stays as written.

mod merge;
mod names;
mod value;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use svcgen_codegen::model::DataSetSchema;
use svcgen_codegen::{Config, Described, Generator, read_file, read_target};
use svcgen_compare::compare;
use svcgen_documents::schema_of_set;
use svcgen_import::{Aspect, Difference, Importer};
use svcgen_language::yaml::{self, Tree};

use super::verify::exported;
use super::{Wsdls, is_definition, load_imported};
use crate::exit::{Exit, Failure};
use crate::files;
use crate::input::{Input, generator, generator_with};
use merge::File;
use value::Value;

/// The keys of a file with definitions of types, which may be in included files.
const SECTIONS: [&str; 2] = ["types", "enums"];

/// The address of the WSDL that is exported from the definition; the service is at another address
/// of this host.
const DEFINITION: &str = "http://localhost/definition.wsdl";

/// Merges the changes into a definition; with `check`, writes nothing.
pub(super) fn run(wsdls: &mut Wsdls<'_>, path: &Path, check: bool) -> Result<Exit, Failure> {
    let console = wsdls.console;
    let source = Input::File(path.to_owned()).read()?;
    let name = source.name();
    let config = svcgen_import::config();
    let described = generator(&config).describe_bytes(&name, &source.bytes)?;
    let Some(service) = described.with(|service| service.name.to_owned()) else {
        let complaint = format!("{name} holds only types: name the definition of the service");
        return Err(complaint.into());
    };
    let found = differences(wsdls, &name, &described)?;
    if found.is_empty() {
        return Ok(console.print(format!("fresh {name}\n")));
    }
    if let Some(missing) = found.iter().find(|one| one.aspect == Aspect::Service) {
        return Err(format!("{missing}: nothing can be merged into {name}").into());
    }

    let import = wsdls.import()?;
    let warned = console.report(&import.warnings);
    let (newer_name, newer_value) = definition(&import.files, &service)?;
    let newer = Generator::new(&config, load_imported(&import.files)).describe(&newer_name)?;
    let has_sets = import.files.iter().any(|(name, _)| !is_definition(name));
    let base = imported_again(&described, &service, has_sets)?;

    // The definition and the files that it includes.
    let texts: Vec<(String, String)> = described.files().collect();
    let merged = merge_texts(&texts, base, newer_value)?;
    let sets = sets(&described, &newer, &import.files);
    let changed: HashMap<_, _> = texts
        .iter()
        .zip(&merged)
        .map(|((name, _), text)| (PathBuf::from(name), text.as_str()))
        .collect();
    let described_now = describe_merged(&name, &changed, &sets, &config, wsdls)?;
    let known = differences(wsdls, &newer_name, &newer)?;
    let known: Vec<_> = known.iter().map(ToString::to_string).collect();
    let left = differences(wsdls, &name, &described_now)?;
    let mut left = left.iter().map(ToString::to_string);
    if let Some(first) = left.find(|one| !known.contains(one)) {
        let complaint =
            format!("{name} cannot be merged, since afterwards {first}: edit it by hand");
        return Err(complaint.into());
    }

    let named = named_sets(&described, &described_now, &sets)?;
    let comparison = compare(&described, &described_now);
    let changes = crate::diff::rendered(&name, &wsdls.addresses.join(", "), &comparison);
    let mut exit = warned.max(console.print(changes));
    for path in named {
        exit = exit.max(files::put(&path, &sets[&path], check, console));
    }
    for ((name, before), text) in texts.iter().zip(&merged) {
        if text == before {
            continue;
        }
        exit = exit.max(if check {
            files::compare(name, before.as_bytes(), text, console)
        } else {
            files::write(Path::new(name), text, console)
        });
    }
    Ok(exit)
}

/// Returns the definition that an import of the definition's own WSDL yields.
fn imported_again(described: &Described, service: &str, has_sets: bool) -> Result<Value, Failure> {
    // Only the structure of the original's WSDL distinguishes typed DataSets from others.
    let mut texts = exported(described).unwrap_or_default().into_iter();
    let text = texts.nth(usize::from(has_sets)).unwrap_or_default();
    let mut importer = Importer::new(|address: &str| {
        if address == DEFINITION {
            return Ok(text.clone().into_bytes());
        }
        let set = address.split_once("?schema=");
        let schema = set.and_then(|(_, set)| described.with(|service| schema_of_set(service, set)));
        let schema = schema.flatten().map(String::into_bytes);
        schema.ok_or_else(|| "it does not belong to the definition".to_owned())
    });
    let import = importer.import(&[DEFINITION.to_owned()])?;
    Ok(definition(&import.files, service)?.1)
}

/// Returns the files of a definition with the changes between two imports merged; the first is the
/// file of the service.
fn merge_texts(
    texts: &[(String, String)],
    base: Value,
    newer: Value,
) -> Result<Vec<String>, Failure> {
    let trees = texts
        .iter()
        .map(|(name, text)| yaml::parse(name, text.as_bytes()));
    let trees: Vec<Tree> = trees.collect::<Result<_, _>>()?;
    let values: Vec<Value> = trees.iter().map(|tree| Value::new(&tree.root)).collect();
    let base = names::as_in(&values, base);
    let newer = names::as_in(&values, newer);
    let files = texts.iter().zip(&trees);
    let mut files: Vec<_> = files
        .map(|((_, text), tree)| File::new(text, tree))
        .collect();
    let name = &texts[0].0;
    merge_all(&mut files, &base, &newer)
        .map_err(|complaint| format!("{name} cannot be merged: {complaint}"))?;
    Ok(files.into_iter().map(File::finish).collect())
}

/// Describes the merged definition. If it has errors, it has to be merged by hand.
fn describe_merged(
    name: &str,
    changed: &HashMap<PathBuf, &str>,
    sets: &HashMap<PathBuf, String>,
    config: &Config,
    wsdls: &Wsdls<'_>,
) -> Result<Described, Failure> {
    let load = |path: &Path| {
        let set = sets.get(path).map(String::as_str);
        match changed.get(path).copied().or(set) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => read_file(path),
        }
    };
    let bytes = changed[Path::new(name)].as_bytes();
    let described = generator_with(config, load).describe_bytes(name, bytes);
    described.map_err(|diagnostics| {
        let exit = wsdls.console.report(&diagnostics);
        let complaint = format_args!("{name} cannot be merged: edit it by hand");
        exit.max(wsdls.console.error(complaint)).into()
    })
}

/// Returns the files of typed DataSets that a merged definition names and that are new or have
/// changed.
fn named_sets(
    before: &Described,
    now: &Described,
    sets: &HashMap<PathBuf, String>,
) -> Result<BTreeSet<PathBuf>, Failure> {
    let named = now.data_sets().map(|(path, _)| path);
    let named: BTreeSet<_> = named.filter(|path| sets.contains_key(path)).collect();
    let known: BTreeSet<_> = before.data_sets().map(|(path, _)| path).collect();
    let is_other = |path: &&PathBuf| {
        let there = read_target(path).ok().flatten();
        there.is_some_and(|bytes| bytes != sets[*path].as_bytes())
    };
    match named.difference(&known).find(is_other) {
        None => Ok(named),
        Some(path) => Err(format!(
            "{} exists and differs from the imported schema: move it away",
            path.display()
        )
        .into()),
    }
}

/// Returns the schemas of typed DataSets that are new or differ from those of a definition, by the
/// paths of their files.
fn sets(
    described: &Described,
    newer: &Described,
    imported: &[(String, String)],
) -> HashMap<PathBuf, String> {
    let known: Vec<_> = described.data_sets().collect();
    let mut sets = HashMap::new();
    for (file, set) in newer.data_sets() {
        let Some((name, text)) = imported.iter().find(|(name, _)| file == Path::new(name)) else {
            continue;
        };
        let id = |one: &DataSetSchema| (one.name.clone(), one.namespace.clone());
        let mut same = known
            .iter()
            .filter(|(_, one)| id(one) == id(&set))
            .peekable();
        if same.peek().is_none() {
            sets.insert(described.path().with_file_name(name), text.clone());
        }
        for (path, one) in same {
            if one.schema != set.schema {
                sets.insert(path.clone(), text.clone());
            }
        }
    }
    sets
}

/// Returns the differences of WSDLs from the WSDL of a definition, which has one of their services.
fn differences(
    wsdls: &mut Wsdls<'_>,
    name: &str,
    described: &Described,
) -> Result<Vec<Difference>, Failure> {
    let texts = exported(described).unwrap_or_default();
    let sameness = wsdls.compare(&[(name.to_owned(), texts)])?;
    let is_of_another = |one: &Difference| one.aspect == Aspect::Service && sameness.messages > 0;
    let mut differences = sameness.differences;
    differences.retain(|one| !is_of_another(one));
    Ok(differences)
}

/// Returns the definition of a service among imported files: its name, and its value with the types
/// of all files.
fn definition(imported: &[(String, String)], service: &str) -> Result<(String, Value), Failure> {
    let mut found = None;
    let mut shared = Vec::new();
    for (name, text) in imported.iter().filter(|(name, _)| is_definition(name)) {
        let value = Value::new(&yaml::parse(name, text.as_bytes())?.root);
        match value.get("service").and_then(Value::text) {
            Some(one) if one == service && found.is_some() => {
                let complaint = format!("there are several services `{service}`: name one WSDL");
                return Err(complaint.into());
            }
            Some(one) if one == service => found = Some((name.clone(), value)),
            Some(_) => {}
            None => shared.push(value),
        }
    }
    let (name, value) =
        found.ok_or_else(|| format!("the WSDL describes no service `{service}`"))?;
    Ok((name, shared.into_iter().fold(value, with_types)))
}

/// Adds the types of an included file to a definition.
fn with_types(value: Value, shared: Value) -> Value {
    let Value::Map(mut entries, style) = value else {
        return value;
    };
    for section in ["namespaces", "types", "enums"] {
        let Some(Value::Map(more, style)) = shared.get(section).cloned() else {
            continue;
        };
        match entries.iter_mut().find(|(name, _)| name == section) {
            Some((_, Value::Map(own, _))) => {
                for (name, value) in more {
                    if own.iter().all(|(other, _)| *other != name) {
                        own.push((name, value));
                    }
                }
            }
            _ => entries.push((section.to_owned(), Value::Map(more, style))),
        }
    }
    Value::Map(entries, style)
}

/// Merges the changes into the first file, and the changes of definitions in the other files into
/// those.
fn merge_all(files: &mut [File<'_>], base: &Value, newer: &Value) -> Result<(), String> {
    let nothing = Value::Map(Vec::new(), value::Style::Block);
    let keys = base.entries().iter().chain(newer.entries());
    let mut seen = Vec::new();
    for (key, _) in keys {
        if merge::is_by_hand(key) || key == "service" || seen.contains(&key) {
            continue;
        }
        seen.push(key);
        let (before, now) = (base.get(key), newer.get(key));
        if before == now {
            continue;
        }
        let node = files[0].section(key);
        if !SECTIONS.contains(&&**key) {
            match (node, before, now) {
                (Some(node), Some(before), Some(now)) => files[0].merge(node, before, now, key)?,
                (None, None, Some(now)) => files[0].add_section(key, now),
                (Some(node), None, Some(now)) => files[0].merge(node, &nothing, now, key)?,
                (Some(_), Some(before), None) => {
                    files[0].merge_section(key, before, &nothing)?;
                }
                _ => return Err(format!("`{key}` is not in it")),
            }
            continue;
        }
        let (before, now) = (before.unwrap_or(&nothing), now.unwrap_or(&nothing));
        // Definitions in included files are changed there, and not removed, as other services may
        // use them.
        let mut own = before.clone();
        for file in files.iter_mut().skip(1) {
            let Some(section) = file.section(key) else {
                continue;
            };
            for (name, value) in now.entries() {
                if let Some(slot) =
                    merge::collection(section).and_then(|map| merge::find(map, name))
                {
                    let before = before.get(name).cloned();
                    let before = before.unwrap_or_else(|| Value::new(&slot.value));
                    file.merge(&slot.value, &before, value, &format!("{key}/{name}"))?;
                    // Keeps it from being added to the file of the service.
                    set(&mut own, name, value);
                }
            }
        }
        match files[0].section(key) {
            Some(_) => files[0].merge_section(key, &own, now)?,
            None => {
                let added = now.entries().iter();
                let added = added.filter(|(name, _)| own.get(name).is_none()).cloned();
                let added = Value::Map(added.collect(), value::Style::Block);
                if !added.entries().is_empty() {
                    files[0].add_section(key, &added);
                }
            }
        }
    }
    Ok(())
}

/// Sets a key of a map.
fn set(map: &mut Value, name: &str, value: &Value) {
    let Value::Map(entries, _) = map else {
        return;
    };
    entries.retain(|(other, _)| other != name);
    entries.push((name.to_owned(), value.clone()));
}
