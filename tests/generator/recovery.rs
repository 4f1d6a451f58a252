//! The code for a definition with errors; `tests/compiled/` shows the messages of rustc for it.

use svcgen_codegen::Config;

#[test]
fn what_has_no_name_or_is_no_yaml_gives_nothing() {
    for definition in [
        "",
        "service: 1\npath: /\noperations: {}\n",
        "a: [",
        "- a",
        "service: S\0",
    ] {
        assert!(
            Config::new().recover("x.yaml", definition).is_none(),
            "{definition}"
        );
    }
}
