//! `svcgen man`.

use std::fs;

use crate::help::subcommands;
use crate::svcgen;

#[test]
fn a_page_says_what_the_help_says() {
    let page = svcgen(&[&"man", &"generate"]);
    assert_eq!(page.code, Some(0));
    for part in [
        ".TH svcgen-generate 1",
        ".SH OPTIONS",
        "\\-\\-check",
        ".SH \"GENERATED CODE\"",
        ".SH EXAMPLES\n.nf\n  svcgen generate greeter.yaml  ",
    ] {
        assert!(page.stdout.contains(part), "no {part} in {}", page.stdout);
    }
    let unknown = svcgen(&[&"man", &"frobnicate"]);
    assert_eq!(unknown.code, Some(2));
    assert_eq!(
        unknown.stderr,
        "error: `frobnicate` is not a subcommand of svcgen\n"
    );
}

#[test]
fn every_subcommand_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let written = svcgen(&[&"man", &"--out", &folder.path()]);
    assert_eq!(written.code, Some(0), "{written:?}");
    let page = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let list = page("svcgen.1");
    assert!(
        list.contains(".SH \"EXIT CODES\"\n.nf\n  0  done"),
        "{list}"
    );
    assert_eq!(svcgen(&[&"man"]).stdout, list);
    for subcommand in subcommands() {
        assert!(
            list.contains(&format!("svcgen\\-{subcommand}(1)")),
            "{subcommand} is not listed in {list}"
        );
        assert_eq!(
            svcgen(&[&"man", &subcommand]).stdout,
            page(&format!("svcgen-{subcommand}.1"))
        );
    }
}
