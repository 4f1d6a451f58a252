//! The sizes of crates, files and functions, and the lines that depend on features.
//! `cargo test -p svcgen-tests --test project size -- --nocapture` prints the lines of each crate.

use crate::sources::{Source, crates, sources};

/// The limit of a crate in lines of code, without blank lines, comments and tests.
const CRATE: usize = 14_000;
/// The limits of crates that may be larger.
const LARGER_CRATES: [(&str, usize); 0] = [];
const FILE: usize = 600;
const FUNCTION: usize = 80;
/// Functions that may be longer, with the reason.
const LONGER_FUNCTIONS: [(&str, &str); 0] = [];
/// The limit of lines that depend on a feature.
const FEATURES: usize = 300;

fn product() -> Vec<(String, Vec<Source>)> {
    let of_crate = |folder: String| {
        let sources = sources(&format!("{folder}/src"));
        (folder, sources)
    };
    crates().into_iter().map(of_crate).collect()
}

#[test]
fn size_of_crates() {
    let mut all = 0;
    let mut too_long = Vec::new();
    for (folder, sources) in product() {
        let lines = sources
            .iter()
            .map(|source| source.code.len())
            .sum::<usize>();
        println!("{lines:>7} {folder}");
        all += lines;
        let larger = LARGER_CRATES.iter().find(|(name, _)| *name == folder);
        if lines > larger.map_or(CRATE, |(_, most)| *most) {
            too_long.push((folder, lines));
        }
    }
    println!("{all:>7} lines of code");
    assert!(too_long.is_empty(), "{too_long:?}");
}

#[test]
fn size_of_files_and_functions() {
    let mut too_long = Vec::new();
    for source in product().into_iter().flat_map(|(_, sources)| sources) {
        if source.code.len() > FILE {
            too_long.push(format!("{}: {} lines", source.file, source.code.len()));
        }
        for (name, lines) in functions(&source.code) {
            let has_reason = LONGER_FUNCTIONS.iter().any(|(longer, _)| *longer == name);
            if lines > FUNCTION && !has_reason {
                too_long.push(format!("{}: `{name}` has {lines} lines", source.file));
            }
        }
    }
    assert!(too_long.is_empty(), "{too_long:#?}");
}

/// Returns the functions of a file with their lines, from `fn` to the last brace.
fn functions(code: &[String]) -> Vec<(&str, usize)> {
    let mut functions = Vec::new();
    for (start, line) in code.iter().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let words: Vec<_> = line.split_whitespace().collect();
        let keyword = words.iter().position(|word| *word == "fn");
        let is_item = keyword.is_some_and(|at| {
            words[..at].iter().all(|word| {
                let word = word.trim_start_matches("pub");
                word.is_empty()
                    || word.starts_with('(')
                    || ["const", "async", "extern", "unsafe"].contains(&word)
            })
        });
        let (true, Some(keyword)) = (is_item, keyword) else {
            continue;
        };
        let name = words[keyword + 1].split(['(', '<']).next().unwrap();
        let end = code[start..].iter().position(|line| {
            let ends_here = line.len() - line.trim_start().len() == indent;
            ends_here && (line.trim() == "}" || line.ends_with(';') || line.ends_with("{}"))
        });
        functions.push((name, end.map_or(code.len() - start, |end| end + 1)));
    }
    functions
}

#[test]
fn few_lines_depend_on_features() {
    let depends = |line: &&String| line.contains("cfg(feature");
    let lines = product().into_iter().flat_map(|(_, sources)| sources);
    let lines = lines.map(|source| source.code.iter().filter(depends).count());
    let lines = lines.sum::<usize>();
    println!("{lines} lines depend on a feature");
    assert!(lines <= FEATURES, "{lines}");
}
