//! What is made of a definition that is refused; `tests/compiled/` shows what rustc says of it.

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
