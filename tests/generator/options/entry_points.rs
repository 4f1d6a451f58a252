//! The table of options has the same effects through every entry point.

use svcgen_codegen::{Binding, Config, OPTIONS, OptionForm, OptionRow};

use super::{SHOP, assert_refused, generate};

fn set(option: &OptionRow, text: &str) -> Result<Config, String> {
    let mut config = Config::new();
    option.set(&mut config, text).map(|()| config)
}

fn row(name: &str) -> &'static OptionRow {
    let mut rows = OPTIONS.iter();
    rows.find(|option| option.name == name).unwrap()
}

#[test]
fn defaults_change_nothing_and_examples_something() {
    let plain = generate(&Config::new());
    for option in OPTIONS {
        let name = option.name;
        let default = generate(&set(option, option.default).unwrap());
        assert!(default.code == plain.code, "the default of {name}");
        let example = set(option, option.example).unwrap();
        match example.generate("shop.yaml", SHOP) {
            // A folder only affects the files that are read.
            Ok(_) if option.form == OptionForm::Folder => {}
            Ok(output) => assert!(output.code != plain.code, "{name} changes nothing"),
            // The examples of pairs refer to types that this definition does not have.
            Err(diagnostics) => {
                assert_eq!(option.form, OptionForm::Pairs, "{diagnostics}");
                assert!(diagnostics.iter().all(|one| one.code() == "SVC030"));
            }
        }
    }
}

#[test]
fn texts_and_methods_are_one() {
    let pairs = [
        (set(row("client"), "false"), Config::new().client(false)),
        (
            set(row("runtime"), "crate::s"),
            Config::new().runtime("crate::s"),
        ),
        (
            set(row("bindings"), "soap11, http-get,"),
            Config::new().bindings([Binding::Soap11, Binding::HttpGet]),
        ),
        (
            set(row("extern_path"), "int = crate::Number"),
            Config::new().extern_path("int", "crate::Number"),
        ),
    ];
    for (text, method) in pairs {
        assert_eq!(text.unwrap(), method);
    }
}

#[test]
fn the_last_value_of_a_text_holds() {
    let config = Config::new().runtime("one").runtime("two");
    assert_eq!(
        generate(&config).code,
        generate(&Config::new().runtime("two")).code
    );
    let config = Config::new()
        .bindings([Binding::Soap11])
        .bindings([Binding::Soap12]);
    let both = Config::new().bindings([Binding::Soap12, Binding::Soap11]);
    assert_eq!(generate(&config).code, generate(&both).code);
}

/// Invalid values of options, with their errors. Values as text fail at once, values by methods
/// when code is generated.
#[test]
fn wrong_values_are_told() {
    let wrong = [
        ("client", "yes", "`yes` is neither `true` nor `false`"),
        ("runtime", "svc gen", "is not a path like `svcgen`"),
        ("runtime", "fn", "is not a path like `svcgen`"),
        ("bindings", "soap13", "did you mean `soap11`?"),
        ("bindings", "gopher", "there are `soap11`, `soap12`"),
        ("visibility", "public", "neither `pub` nor `pub(crate)`"),
        ("extern_path", "int", "is not written like `dateTime="),
        (
            "extern_path",
            "int=a b",
            "`a b` is not the path of a Rust type",
        ),
        (
            "extern_path",
            "string=Box<str",
            "is not the path of a Rust type",
        ),
        (
            "extern_path",
            "string=[u8; { panic!() }]",
            "is not the path of a Rust type",
        ),
        (
            "extern_path",
            "string=A<{ panic!() }>",
            "is not the path of a Rust type",
        ),
    ];
    for (name, text, words) in wrong {
        let complaint = set(row(name), text).unwrap_err();
        assert!(complaint.contains(words), "{name}: {complaint}");
    }
    let refused = [
        Config::new().runtime("svc gen"),
        Config::new().extern_path("string", "Box<str"),
    ];
    for config in refused {
        assert_refused(config, "SVC031", &["the option `", "--> shop.yaml"]);
    }
}
