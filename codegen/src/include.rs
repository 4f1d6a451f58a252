//! The files that a definition includes: their paths, and checks for files that are named twice or
//! include themselves.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use svcgen_language::definition::{Definition, IncludeKeys};
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use crate::file::{File, Included};

pub(crate) const ALLOW: &str = "the option `allow_include` names folders outside of the workspace: `allow_include = \"../company\"` in svcgen.toml, `--allow-include ../company` for `svcgen generate`, `check`, `watch` and `diff`";

/// The maximum depth of nested includes.
const MOST_NESTED: usize = 64;

/// Loads the files that a definition includes, as far as they can be read. Its own file is the last
/// of `open`, each of which includes the next one. `admit` refuses files that must not be loaded.
/// Errors of both functions are sentences.
pub(crate) fn included(
    definition: &Definition,
    open: &[PathBuf],
    sink: &mut Sink,
    admit: impl Fn(&Path) -> Result<(), String>,
    mut load: impl FnMut(&Path) -> Result<Rc<File>, String>,
) -> Vec<Included> {
    let folder = open.last().and_then(|path| path.parent());
    let folder = folder.unwrap_or(Path::new(""));
    let (mut included, mut nodes) = (Vec::new(), HashMap::new());
    for written in &definition.include {
        let IncludeKeys { file, module } = written.value.0.clone();
        let Some(file) = file else {
            sink.add(Rule::MissingKey, written.node, "this has no `file`")
                .hint("write it like `{ file: common.yaml, module: crate::common }`");
            continue;
        };
        let (name, node) = (file.value, file.node);
        let path = fold(&folder.join(&name));
        if let Some(first) = nodes.get(&path) {
            let message = format!("`{name}` is included twice");
            sink.add(Rule::Include, node, message)
                .other(*first, "first here");
            continue;
        }
        let relative = |complaint| (complaint, "a path is relative to the file that includes");
        let file = check_nesting(&path, open)
            .and_then(|()| admit(&path).map_err(|complaint| (complaint, ALLOW)))
            .and_then(|()| load(&path).map_err(relative));
        match file {
            Ok(file) => {
                nodes.insert(path, node);
                included.push(Included {
                    name,
                    node,
                    module,
                    file,
                });
            }
            Err((complaint, hint)) => {
                let message = format!("`{name}` cannot be included: {complaint}");
                sink.add(Rule::Include, node, message).hint(hint);
            }
        }
    }
    included
}

/// Checks that a file does not include itself, directly or not, and that includes are not nested
/// too deep.
fn check_nesting(path: &Path, open: &[PathBuf]) -> Result<(), (String, &'static str)> {
    let complaint = if let Some(at) = open.iter().position(|open| open == path) {
        let circle = open[at..].iter().map(PathBuf::as_path).chain([path]);
        let circle: Vec<_> = circle.map(|path| path.display().to_string()).collect();
        format!("it includes itself: {}", circle.join(" → "))
    } else if open.len() >= MOST_NESTED {
        format!("more than {MOST_NESTED} files include one another")
    } else {
        return Ok(());
    };
    Err((complaint, "types that need each other stand in one file"))
}

/// Normalizes a path: `defs/../types/./common.yaml` is `types/common.yaml`.
pub(crate) fn fold(path: &Path) -> PathBuf {
    let mut folded = PathBuf::new();
    for part in path.components() {
        let named = matches!(folded.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::CurDir => {}
            Component::ParentDir if named => {
                folded.pop();
            }
            part => folded.push(part),
        }
    }
    folded
}
