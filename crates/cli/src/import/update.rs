//! `svcgen import --update`: a newer WSDL merged into a definition that was edited by hand.
//!
//! What changed is what the imports of two WSDLs say differently: that of the definition as it is, and the newer one. What people wrote by hand
//! is in both or in none, so that it stays; the changes are made in the text, and everything else stays as it is written.

mod merge;
mod names;
mod value;

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use svcgen_codegen::model::DataSetSchema;
use svcgen_codegen::yaml::{self, Tree};
use svcgen_codegen::{Aspect, Config, Described, Difference, Importer, read_file, read_target};
use svcgen_compare::compare;
use svcgen_documents::schema_of_set;

use super::verify::{export, is_definition};
use super::{Arguments, Reading};
use crate::console::Console;
use crate::exit::Exit;
use crate::files;
use crate::input::{Input, generator, generator_with};
use merge::File;
use value::Value;

/// The keys of a file that hold definitions, which may be in included files.
const SECTIONS: [&str; 2] = ["types", "enums"];

/// The address of what the definition describes; the service is at another one of this host.
const DEFINITION: &str = "http://localhost/definition.wsdl";

/// Merges; with `--check` it writes nothing.
pub(super) fn run(
    importer: &mut Importer<'_>,
    addresses: &[String],
    path: &Path,
    arguments: &Arguments,
    console: &Console,
) -> Exit {
    match update(importer, addresses, path, arguments, console) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn update(
    importer: &mut Importer<'_>,
    addresses: &[String],
    path: &Path,
    arguments: &Arguments,
    console: &Console,
) -> Result<Exit, Exit> {
    let (reading, check) = (&arguments.reading, arguments.check);
    let source = Input::File(path.to_owned()).read();
    let source = source.map_err(|complaint| console.error(complaint))?;
    let name = source.name();
    let config = Config::new();
    let described = generator(&config).describe_bytes(&name, &source.bytes);
    let described = described.map_err(|diagnostics| console.report(&diagnostics))?;
    let service = described.with(|service| service.name.to_owned());
    let service = service.ok_or_else(|| {
        console.error(format_args!(
            "{name} holds types alone: name the definition of the service"
        ))
    })?;
    let exported = export(&mut generator(&config), &name, &source.bytes, console)?;
    let exported = exported.map(|(_, texts)| texts).unwrap_or_default();
    let found = differences(importer, addresses, &name, &exported, reading, console)?;
    if found.is_empty() {
        return Ok(console.print(format!("fresh {name}\n")));
    }
    if let Some(missing) = found.iter().find(|one| one.aspect == Aspect::Service) {
        return Err(console.error(format_args!("{missing}: nothing can be merged into {name}")));
    }

    let import = importer.import(addresses);
    let import = import.map_err(|diagnostics| reading.refuse(&diagnostics, console))?;
    let warned = console.report(&import.warnings);
    let (newer_name, newer) = definition(&import.files, &service, console)?;
    let load = |path: &Path| {
        let named = import
            .files
            .iter()
            .find(|(name, _)| Path::new(name) == path);
        let text = named.map(|(_, text)| text.clone().into_bytes());
        text.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    };
    let newer_text = import.files.iter().find(|(name, _)| *name == newer_name);
    let newer_bytes = newer_text.map_or(&[][..], |(_, text)| text.as_bytes());
    let mut of_import = svcgen_codegen::Generator::new(&config, load);
    let of_newer = export(&mut of_import, &newer_name, newer_bytes, console)?;
    let of_newer = of_newer.map(|(_, texts)| texts).unwrap_or_default();

    // The original's shape alone tells typed sets of tables from others.
    let has_sets = import.files.iter().any(|(name, _)| !is_definition(name));
    let text = exported.into_iter().nth(usize::from(has_sets));
    let text = text.unwrap_or_default();
    let mut back = Importer::new(|address: &str| {
        if address == DEFINITION {
            return Ok(text.clone().into_bytes());
        }
        let set = address.split_once("?schema=");
        let schema = set.and_then(|(_, set)| described.with(|service| schema_of_set(service, set)));
        let schema = schema.flatten().map(String::into_bytes);
        schema.ok_or_else(|| "it is no document of the definition".to_owned())
    });
    let base = back.import(&[DEFINITION.to_owned()]);
    let base = base.map_err(|diagnostics| console.report(&diagnostics))?;
    let (_, base) = definition(&base.files, &service, console)?;

    // The definition and the files that it includes.
    let texts: Vec<(String, String)> = described.files().collect();
    let trees = texts
        .iter()
        .map(|(name, text)| yaml::parse(name, text.as_bytes()));
    let trees: Result<Vec<Tree>, _> = trees.collect();
    let trees = trees.map_err(|diagnostics| console.report(&diagnostics))?;
    let values: Vec<Value> = trees.iter().map(|tree| Value::new(&tree.root)).collect();
    let base = names::as_in(&values, base);
    let newer = names::as_in(&values, newer);
    let mut files: Vec<File<'_>> = texts
        .iter()
        .zip(&trees)
        .map(|((_, text), tree)| File::new(text, tree))
        .collect();
    merge_all(&mut files, &base, &newer)
        .map_err(|complaint| console.error(format_args!("{name} cannot be merged: {complaint}")))?;
    let merged: Vec<(&str, &str, String)> = texts
        .iter()
        .zip(files)
        .map(|((name, text), file)| (name.as_str(), text.as_str(), file.finish()))
        .collect();

    let newer = of_import.describe_bytes(&newer_name, newer_bytes);
    let newer = newer.map_err(|diagnostics| console.report(&diagnostics))?;
    let sets = sets(&described, &newer, &import.files);

    // What was merged says what an import does, or nothing is written.
    let changed: HashMap<PathBuf, &str> = merged
        .iter()
        .map(|(name, _, text)| (PathBuf::from(name), text.as_str()))
        .collect();
    let load = |path: &Path| {
        let set = sets.get(path).map(String::as_str);
        match changed.get(path).copied().or(set) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => read_file(path),
        }
    };
    let bytes = changed[Path::new(&name)].as_bytes();
    let described_now = generator_with(&config, load).describe_bytes(&name, bytes);
    let described_now = described_now.map_err(|diagnostics| {
        let exit = console.report(&diagnostics);
        exit.max(console.error(format_args!("{name} cannot be merged: edit it by hand")))
    })?;
    let exported_now = export(&mut generator_with(&config, load), &name, bytes, console)?;
    let exported_now = exported_now.map(|(_, texts)| texts).unwrap_or_default();
    let left = differences(importer, addresses, &name, &exported_now, reading, console)?;
    let of_newer = differences(
        importer,
        addresses,
        &newer_name,
        &of_newer,
        reading,
        console,
    )?;
    let known: Vec<String> = of_newer.iter().map(ToString::to_string).collect();
    let left: Vec<_> = left.iter().map(ToString::to_string).collect();
    if let Some(first) = left.iter().find(|one| !known.contains(*one)) {
        return Err(console.error(format_args!(
            "{name} cannot be merged, since afterwards {first}: edit it by hand"
        )));
    }

    let named = described_now.data_sets().map(|(path, _)| path);
    let named: BTreeSet<_> = named.filter(|path| sets.contains_key(path)).collect();
    let known: BTreeSet<_> = described.data_sets().map(|(path, _)| path).collect();
    for path in named.difference(&known) {
        if read_target(path)
            .is_ok_and(|bytes| bytes.is_some_and(|bytes| bytes != sets[path].as_bytes()))
        {
            let path = path.display();
            return Err(console.error(format_args!(
                "{path} exists, and is not the schema that is imported: move it away"
            )));
        }
    }
    let comparison = compare(&described, &described_now);
    let told = crate::diff::rendered(&name, &addresses.join(", "), &comparison);
    let mut exit = warned.max(console.print(told));
    for path in named {
        exit = exit.max(files::put(&path, &sets[&path], check, console));
    }
    for (name, before, text) in merged {
        if text == before {
            continue;
        }
        exit = exit.max(if check {
            files::compare(name, before.as_bytes(), &text, console)
        } else {
            files::write(Path::new(name), &text, console)
        });
    }
    Ok(exit)
}

/// The schemas of typed sets that are new or others than those of a definition, by the paths of their files.
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

/// What a WSDL says otherwise than the exported ones of one of its services.
fn differences(
    importer: &mut Importer<'_>,
    addresses: &[String],
    name: &str,
    exported: &[String],
    reading: &Reading,
    console: &Console,
) -> Result<Vec<Difference>, Exit> {
    let others = [(name.to_owned(), exported.to_vec())];
    let sameness = importer.compare(addresses, &others);
    let sameness = sameness.map_err(|diagnostics| reading.refuse(&diagnostics, console))?;
    let is_of_another = |one: &Difference| one.aspect == Aspect::Service && sameness.messages > 0;
    let found = sameness
        .differences
        .iter()
        .filter(|one| !is_of_another(one));
    Ok(found.cloned().collect())
}

/// The definition of a service among imported files: its name, and its value with the types of all files.
fn definition(
    imported: &[(String, String)],
    service: &str,
    console: &Console,
) -> Result<(String, Value), Exit> {
    let mut found = None;
    let mut shared = Vec::new();
    for (name, text) in imported.iter().filter(|(name, _)| is_definition(name)) {
        let tree = yaml::parse(name, text.as_bytes());
        let tree = tree.map_err(|diagnostics| console.report(&diagnostics))?;
        let value = Value::new(&tree.root);
        match value.get("service").and_then(Value::text) {
            Some(one) if one == service && found.is_some() => {
                return Err(console.error(format_args!(
                    "there are several services `{service}`: name one WSDL"
                )));
            }
            Some(one) if one == service => found = Some((name.clone(), value)),
            Some(_) => {}
            None => shared.push(value),
        }
    }
    let (name, value) = found
        .ok_or_else(|| console.error(format_args!("the WSDL describes no service `{service}`")))?;
    Ok((name, shared.into_iter().fold(value, with_types)))
}

/// A definition with the types of a file that it includes.
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

/// Merges what changed into the first file, and into the others what they hold.
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
        // What included files hold is changed there, and not removed: others may use it.
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
                    // It is not to be added to the file of the service.
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
