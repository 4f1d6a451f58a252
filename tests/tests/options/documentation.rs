//! `codegen/OPTIONS.md` has a row for every option, and says what the table says.

use svcgen_codegen::OPTIONS;

const PAGE: &str = include_str!("../../../codegen/OPTIONS.md");
const RUNTIME: &str = include_str!("../../../runtime/Cargo.toml");

/// The cells of the rows under `| option |`.
fn rows() -> Vec<Vec<&'static str>> {
    let table = PAGE
        .split("\n| option |")
        .nth(1)
        .expect("a table of options");
    let lines = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let cells = |line: &'static str| {
        let cells = line.trim_matches('|').split(" |");
        cells.map(|cell| cell.trim()).collect()
    };
    lines.map(cells).collect()
}

#[test]
fn every_option_has_its_row() {
    let rows = rows();
    assert_eq!(rows.len(), OPTIONS.len());
    for (row, option) in rows.iter().zip(OPTIONS) {
        assert_eq!(row[0], format!("`{}`", option.name));
        assert_eq!(row[1], option.about, "{}", option.name);
        match option.default {
            "" => assert!(
                !row[2].is_empty() && !row[2].contains('`'),
                "{}",
                option.name
            ),
            default => assert_eq!(row[2], format!("`{default}`"), "{}", option.name),
        }
        assert_eq!(row[3], format!("`{}`", option.example), "{}", option.name);
    }
}

#[test]
fn what_options_need_are_features_of_the_runtime() {
    let needs = rows().into_iter().filter_map(|row| row.get(4).copied());
    let features: Vec<_> = needs.filter_map(|needs| needs.split('`').nth(1)).collect();
    assert!(!features.is_empty());
    for feature in features {
        assert!(
            RUNTIME.contains(&format!("\n{feature} = [")),
            "{feature} is no feature"
        );
    }
}
