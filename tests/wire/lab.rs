//! The recorded exchanges of the laboratory, under `recorded/lab/`, by topic.

mod content;
mod data;
mod documents;
mod encoding;
mod headers;
mod jagged_lists;
mod json;
mod lists;
mod messages;
mod named;
mod namespaces;
mod objects;
mod routing;
mod sessions;
mod soap_headers;

use std::fs;
use std::path::Path;

use svcgen_codegen::{Config, Generator};
use svcgen_documents::{Shape, WsdlOptions, wsdl};
use svcgen_tests::recorded;

/// The exchanges that no test here answers again: C# returns a value of a class that is not in the
/// service, which is not possible in Rust.
const NOT_ANSWERED: [&str; 1] = ["anytype/foreign"];

#[test]
fn every_recorded_exchange_is_answered_again() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("wire/lab");
    let mut sources = String::new();
    for folder in [tests.clone(), tests.join("encoding")] {
        for file in listing(&folder).iter().filter(|name| name.ends_with(".rs")) {
            sources += &fs::read_to_string(folder.join(file)).unwrap();
        }
    }
    let is_named = |name: &str| sources.contains(&format!("\"{name}\""));
    let recorded = recorded::file::exchanges(recorded::folder("lab")).into_iter();
    let mut left_out: Vec<_> = recorded.map(|exchange| exchange.name).collect();
    left_out.retain(|name| !is_named(name) && !is_named(name.split('/').next().unwrap()));
    assert_eq!(left_out, NOT_ANSWERED);
}

fn listing(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names.collect()
}

/// Returns the elements, messages and operations of a WSDL with their content.
fn blocks(wsdl: &str) -> Vec<String> {
    let starts = [
        "      <s:element ",
        "      <s:complexType ",
        "  <wsdl:message ",
        "    <wsdl:operation ",
    ];
    let mut blocks: Vec<String> = Vec::new();
    let mut end = None;
    for line in wsdl.lines() {
        if let Some(wanted) = &end {
            let block: &mut String = blocks.last_mut().unwrap();
            block.push('\n');
            block.push_str(line);
            if line == wanted {
                end = None;
            }
        } else if let Some(start) = starts.iter().find(|start| line.starts_with(**start)) {
            blocks.push(line.to_owned());
            let close = start.trim_end().replace('<', "</") + ">";
            end = (!line.ends_with("/>")).then_some(close);
        }
    }
    blocks
}

/// Returns the text with the prefixes of other namespaces (`s1:`, `s2:` …) without their numbers.
fn without_numbers(wsdl: &str) -> String {
    let mut pieces = wsdl.split("\"s");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let rest = piece.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = if rest.starts_with(':') { rest } else { piece };
        text.push_str("\"s");
        text.push_str(rest);
    }
    text
}

/// Returns the WSDL of a definition in the original's shape, at the recorded address of the
/// service.
fn original_wsdl(definition: &str, documentation: bool) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/definitions/lab");
    let path = format!("{folder}/{definition}.yaml");
    let config = Config::new();
    let described = Generator::new(&config, |path| std::fs::read(path)).describe(path);
    let described = described.unwrap();
    let options = WsdlOptions {
        shape: Shape::Original,
        documentation,
        ..WsdlOptions::default()
    };
    let written = described.with(|service| {
        let address = format!("http://localhost{}", service.path);
        wsdl(service, &address, options)
    });
    written.unwrap()
}

/// Checks that every block in the WSDL of a definition is in the recorded WSDL of `GWide.cs`,
/// except blocks with one of `others`, which are not in the original.
#[track_caller]
fn documents_are_recorded(definition: &str, others: &[&str]) {
    let written = original_wsdl(definition, true);
    // The recorded service has more namespaces.
    let recorded = without_numbers(include_str!("../recorded/lab/wsdl/GWide.wsdl"));
    let written = blocks(&without_numbers(&written));
    assert!(written.len() > 20, "{written:?}");
    for block in written {
        let is_other = others.iter().any(|other| block.contains(other));
        assert!(
            is_other != recorded.contains(&block),
            "{is_other}:\n{block}"
        );
    }
}
mod typed_sets;
mod understood;
mod values;
mod xml_answers;
