//! Files that import each other in circles, by the paths in their code.
//!
//! A file and the folder of its modules are one module. A path to a reexport counts as a path to
//! the file that has the item.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::{crates, sources};

/// The names of a module from the root of the crate.
type Module = Vec<String>;

/// A crate: the modules that are files.
struct Modules(BTreeMap<Module, Names>);

/// The names in the code of a module.
struct Names {
    imports: Vec<(String, Vec<String>)>,
    paths: BTreeSet<Vec<String>>,
}

impl Modules {
    fn of_crate(folder: &str) -> Self {
        let src = format!("{folder}/src/");
        let modules = sources(&src).into_iter().map(|source| {
            let path = source.file.strip_prefix(&src).unwrap();
            let path = path.strip_suffix(".rs").unwrap();
            let mut module: Module = path.split('/').map(str::to_owned).collect();
            if ["lib", "main", "mod"].contains(&module.last().unwrap().as_str()) {
                module.pop();
            }
            let code = source.text();
            let imports = imports(&code);
            let paths = paths(&code, &imports);
            (module, Names { imports, paths })
        });
        Self(modules.collect())
    }

    /// Returns the file with the item that a path in a module refers to.
    fn file_of(&self, from: &[String], path: &[String], depth: usize) -> Option<Module> {
        let mut at = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" => from.to_vec(),
            "super" => from[..from.len().checked_sub(1)?].to_vec(),
            first => {
                let child = [from, &[first.to_owned()]].concat();
                if !self.0.contains_key(&child) {
                    return None;
                }
                child
            }
        };
        for name in &path[1..] {
            if name == "super" {
                at.pop()?;
                continue;
            }
            at.push(name.clone());
            if self.0.contains_key(&at) {
                continue;
            }
            at.pop();
            if depth == 8 {
                return None;
            }
            let mut imports = self.0[&at].imports.iter();
            let reexport = imports.find(|(bound, path)| bound == name && path.last() == Some(name));
            return Some(match reexport {
                Some((_, path)) => self.file_of(&at, path, depth + 1).unwrap_or(at),
                None => at,
            });
        }
        Some(at)
    }

    /// Returns the pairs of neighbouring modules in which the first refers to the second, each with
    /// an example.
    fn edges(&self) -> BTreeMap<(Module, Module), String> {
        let mut edges = BTreeMap::new();
        for (from, names) in &self.0 {
            for path in &names.paths {
                let Some(to) = self.file_of(from, path, 0) else {
                    continue;
                };
                let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
                // One of them is in the folder of the other.
                if shared == from.len() || shared == to.len() {
                    continue;
                }
                let example = format!("{}: {}", from.join("/"), path.join("::"));
                edges
                    .entry((from[..=shared].to_vec(), to[..=shared].to_vec()))
                    .or_insert(example);
            }
        }
        edges
    }
}

/// Returns the names that `use` binds in a module, with their paths.
fn imports(code: &str) -> Vec<(String, Vec<String>)> {
    let mut imports = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("use ") {
        let is_item = rest[..at]
            .rsplit('\n')
            .next()
            .is_none_or(|before| before.trim().is_empty() || before.trim().starts_with("pub"));
        rest = &rest[at + 4..];
        if !is_item {
            continue;
        }
        let Some(end) = rest.find(';') else { break };
        tree(&rest[..end], &[], &mut imports);
        rest = &rest[end..];
    }
    imports
}

fn tree(text: &str, before: &[String], imports: &mut Vec<(String, Vec<String>)>) {
    let text = text.trim();
    if let Some((head, body)) = text.split_once('{') {
        let head = head
            .split("::")
            .map(str::trim)
            .filter(|name| !name.is_empty());
        let before = [before, &head.map(str::to_owned).collect::<Vec<_>>()].concat();
        let (mut depth, mut start) = (0, 0);
        let body = &body[..body.rfind('}').unwrap_or(body.len())];
        for (at, character) in body.char_indices() {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    tree(&body[start..at], &before, imports);
                    start = at + 1;
                }
                _ => {}
            }
        }
        if !body[start..].trim().is_empty() {
            tree(&body[start..], &before, imports);
        }
        return;
    }
    let (path, name) = text.split_once(" as ").unwrap_or((text, ""));
    let mut path = [
        before,
        &path
            .split("::")
            .map(|name| name.trim().to_owned())
            .collect::<Vec<_>>(),
    ]
    .concat();
    if path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    let bound = if name.is_empty() {
        path.last().cloned().unwrap_or_default()
    } else {
        name.to_owned()
    };
    imports.push((bound, path));
}

/// Returns the paths of a module that begin in its crate: those of `use`, and those in code.
fn paths(code: &str, imports: &[(String, Vec<String>)]) -> BTreeSet<Vec<String>> {
    let mut paths: BTreeSet<_> = imports.iter().map(|(_, path)| path.clone()).collect();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let is_start = code[..at].chars().next_back().is_none_or(|before| {
                !before.is_alphanumeric() && before != '_' && before != ':' && before != '$'
            });
            let path = code[at..].split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
            let path: Vec<_> = path.take(1).flat_map(|path| path.split("::")).collect();
            if is_start && path.iter().all(|name| !name.is_empty()) {
                paths.insert(path.into_iter().map(str::to_owned).collect());
            }
        }
    }
    paths
}

#[test]
fn no_files_import_in_circles() {
    let mut circles = Vec::new();
    for folder in crates() {
        let edges = Modules::of_crate(&folder).edges();
        for (from, to) in edges.keys() {
            let mut reached = BTreeSet::from([to]);
            let mut open = vec![to];
            while let Some(at) = open.pop() {
                for (_, next) in edges.keys().filter(|(edge, _)| edge == at) {
                    if reached.insert(next) {
                        open.push(next);
                    }
                }
            }
            if reached.contains(from) {
                circles.push(format!(
                    "{folder}/src/{}",
                    edges[&(from.clone(), to.clone())]
                ));
            }
        }
    }
    assert!(circles.is_empty(), "{circles:#?}");
}
