//! `svcgen explain`.

use svcgen_codegen::RULES;

use super::svcgen;

#[test]
fn every_rule_is_explained_with_what_svcgen_says_of_its_example() {
    for rule in RULES {
        let ended = svcgen(&[&"explain", &rule.code]);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
        let said = format!("[{}]: ", rule.code);
        for part in [rule.title, rule.why, "Wrong:", &said, "Right:"] {
            assert!(ended.stdout.contains(part), "{part}: {}", ended.stdout);
        }
    }
}

#[test]
fn without_a_code_all_rules_are_listed() {
    let ended = svcgen(&[&"explain"]);
    assert_eq!(ended.code, Some(0));
    let codes: Vec<_> = ended.stdout.lines().map(|line| &line[..6]).collect();
    assert_eq!(
        codes,
        RULES.iter().map(|rule| rule.code).collect::<Vec<_>>()
    );
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
    let far = svcgen(&[&"explain", &"E0308"]);
    assert_eq!(far.code, Some(2));
    assert!(far.stderr.contains("lists all"), "{}", far.stderr);
}
