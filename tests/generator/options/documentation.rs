//! `codegen/OPTIONS.md` has a row for every option, with the texts of the table, and its examples
//! work.

use svcgen_codegen::{Config, OPTIONS};

const PAGE: &str = include_str!("../../../codegen/OPTIONS.md");
const AUTHENTICATOR: &str = include_str!("../../../service-defs/authenticator.yaml");
const RUNTIME: &str = include_str!("../../../crates/svcgen/Cargo.toml");

/// Returns the cells of the rows under `| option |`.
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
fn what_options_need_are_features_of_the_runtime_or_crates_beside_it() {
    let needs = rows().into_iter().filter_map(|row| row.get(4).copied());
    let features: Vec<_> = needs.filter_map(|needs| needs.split('`').nth(1)).collect();
    assert!(!features.is_empty());
    for feature in features {
        let is_crate = feature.strip_prefix("svcgen-").is_some_and(|name| {
            std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("../crates")
                .join(name)
                .is_dir()
        });
        assert!(
            is_crate || RUNTIME.contains(&format!("\n{feature} = [")),
            "{feature} is neither a feature nor a crate"
        );
    }
}

/// Returns the first example in a language.
fn example(language: &str) -> &'static str {
    let rest = PAGE.split_once(&format!("\n```{language}\n"));
    let example = rest.and_then(|(_, rest)| rest.split_once("```"));
    example.expect("an example").0
}

/// Returns the options that a build script sets in one expression.
fn called(example: &str) -> Config {
    let mut config = Config::new();
    let expression = example.trim().trim_end_matches(';');
    let mut expression: syn::Expr = syn::parse_str(expression).expect("an expression");
    while let syn::Expr::MethodCall(call) = expression {
        let option = OPTIONS.iter().find(|option| call.method == option.name);
        let texts = call.args.iter().map(|argument| match argument {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(text),
                ..
            }) => text.value(),
            _ => panic!("{} takes texts", call.method),
        });
        match option {
            Some(option) => {
                option
                    .set(&mut config, &texts.collect::<Vec<_>>().join("="))
                    .unwrap();
            }
            None => assert_eq!(call.method, "build"),
        }
        expression = *call.receiver;
    }
    config
}

#[test]
fn what_is_shown_for_the_authenticator_works() {
    let file = Config::new().options_file("svcgen.toml", example("toml"));
    for config in [file, called(example("rust,ignore"))] {
        let generated = config.generate("authenticator.yaml", AUTHENTICATOR);
        assert!(generated.is_ok(), "{}", generated.unwrap_err());
    }
}
