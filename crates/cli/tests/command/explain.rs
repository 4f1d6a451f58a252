//! `svcgen explain`.

use std::collections::HashSet;

use svcgen_codegen::{RuleRow, Severity};
use svcgen_compare::{CODES, Code};
use svcgen_language::rules::RULES;

use super::svcgen;

fn rules() -> impl Iterator<Item = &'static RuleRow> {
    RULES.iter().chain(svcgen_import::rules::RULES)
}

#[test]
fn every_rule_is_explained_with_what_svcgen_says_of_its_example() {
    for rule in rules() {
        let ended = svcgen(&[&"explain", &rule.code]);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
        let said = format!("[{}]: ", rule.code);
        let before = if rule.is_of_wsdl { "WSDL:" } else { "Wrong:" };
        let after = match rule.severity {
            _ if !rule.is_of_wsdl => "Right:",
            Severity::Error => "Definition of such a service:",
            _ => "Imported:",
        };
        for part in [rule.title, rule.why, before, &said, after] {
            assert!(ended.stdout.contains(part), "{part}: {}", ended.stdout);
        }
    }
}

#[test]
fn a_change_is_explained_with_what_svcgen_diff_says_of_it() {
    // One code of each kind: the text is that of its row.
    let mut kinds = HashSet::new();
    for code in Code::all() {
        let row = code.row();
        if !kinds.insert((row.class.name(), row.help.is_some())) {
            continue;
        }
        let ended = svcgen(&[&"explain", &code.to_string()]);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
        let beginning = format!(
            "{code} ({}): {}\n\n{}\n",
            row.class.name(),
            row.title,
            row.why
        );
        let help = row.help.map(|help| format!("\nhelp: {help}\n"));
        assert_eq!(ended.stdout, beginning + &help.unwrap_or_default());
    }
}

#[test]
fn without_a_code_all_rules_and_changes_are_listed() {
    let ended = svcgen(&[&"explain"]);
    assert_eq!(ended.code, Some(0));
    let lines = ended.stdout.lines().filter(|line| !line.is_empty());
    let listed: Vec<_> = lines.filter_map(|line| line.split(' ').next()).collect();
    let rules = rules().map(|rule| rule.code);
    let changes = CODES.iter().map(|change| change.code);
    assert_eq!(listed, rules.chain(changes).collect::<Vec<_>>());
}

#[test]
fn codes_are_taken_as_people_write_them_and_near_ones_are_named() {
    let expected = svcgen(&[&"explain", &"SVC012"]).stdout;
    for code in ["svc012", "12", "SVC12"] {
        assert_eq!(svcgen(&[&"explain", &code]).stdout, expected, "{code}");
    }
    let near = svcgen(&[&"explain", &"SVC0122"]);
    assert_eq!(near.code, Some(2));
    assert!(near.stderr.contains("`SVC012`"), "{}", near.stderr);
    let change = svcgen(&[&"explain", &"paramter-added"]);
    assert!(change.stderr.contains("`parameter-added`"), "{change:?}");
    let far = svcgen(&[&"explain", &"E0308"]);
    assert_eq!(far.code, Some(2));
    assert!(far.stderr.contains("lists all"), "{}", far.stderr);
}
