//! Throw-away crates for rustc: emitted code has no warning in each edition, and mistakes get clear
//! messages.

mod linked;
mod long;
#[path = "../generator/scratch.rs"]
mod scratch;
#[path = "../generator/xml_names.rs"]
mod xml_names;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use svcgen_codegen::Config;

use scratch::Crate;
use xml_names::{named, renamed};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Generates the code of a shop.
fn generate(config: &Config) -> String {
    let shop = include_str!("../definitions/valid/shop.yaml");
    let output = config.generate("shop.yaml", shop);
    output
        .unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
        .code
}

/// The lints that emitted code passes, as crates around it may require them.
const CRATE: &str = "\
//! Emitted code, as a crate of another edition holds it.
#![deny(warnings, missing_docs, unsafe_code)]
";

#[test]
fn emitted_code_compiles_under_both_editions_without_a_warning() {
    let mut library = CRATE.to_owned();
    let mut files = Vec::new();
    for definition in definitions() {
        let output = {
            let path = repository().join(&definition);
            let output = Config::new().mocks(true).generate_file(path);
            output.unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
        };
        library += &format!("#[doc = \"Emitted.\"]\npub mod {};\n", output.name);
        files.push((format!("src/{}.rs", output.name), output.code));
    }
    files.push(("src/lib.rs".to_owned(), library));
    let crates = [("edition2021", "2021"), ("edition2024", "2024")].map(|(name, edition)| {
        let files = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.clone()));
        Crate {
            name,
            edition,
            runtime: scratch::RUNTIME,
            beside: &[],
            files: files.collect(),
        }
    });
    let has_clippy = Command::new("cargo-clippy")
        .arg("--version")
        .output()
        .is_ok_and(|out| out.status.success());
    let subcommand = if has_clippy { "clippy" } else { "check" };
    // Tests include the mocks, and the parts of the runtime that these use.
    for targets in ["--lib", "--tests"] {
        let output = scratch::cargo(&format!("{subcommand} {targets}"), "editions", &crates);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// Returns the definitions of both services, and all valid definitions of the tests.
fn definitions() -> Vec<String> {
    let mut definitions = vec![
        "service-defs/authenticator.yaml".to_owned(),
        "service-defs/device_login_service.yaml".to_owned(),
    ];
    for folder in ["valid", "lab"] {
        for entry in fs::read_dir(repository().join("tests/definitions").join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            definitions.push(format!("tests/definitions/{folder}/{name}"));
        }
    }
    definitions.sort();
    definitions
}

/// The number of definitions that rustc compiles in a run.
const SAMPLE: usize = 12;

#[test]
fn a_sample_compiles_without_warnings_in_each_edition() {
    let mut runner = TestRunner::new(ProptestConfig::default());
    let mut modules = Vec::new();
    while modules.len() < SAMPLE {
        let text = match modules.len() % 2 {
            0 => named().new_tree(&mut runner).unwrap().current(),
            _ => renamed().new_tree(&mut runner).unwrap().current().0,
        };
        if let Ok(output) = Config::new().generate("shop.yaml", &text) {
            modules.push((text, output.code));
        }
    }
    let paths: Vec<_> = (0..SAMPLE)
        .map(|index| format!("src/module{index}.rs"))
        .collect();
    let crates = ["2021", "2024"].map(|edition| {
        let names = (0..SAMPLE).map(|index| format!("/// Emitted.\npub mod module{index};\n"));
        let library = format!(
            "//! Emitted code.\n#![deny(warnings)]\n{}",
            names.collect::<String>()
        );
        let modules = paths
            .iter()
            .zip(&modules)
            .map(|(path, (_, code))| (path.as_str(), code.clone()));
        let name = if edition == "2021" {
            "sample2021"
        } else {
            "sample2024"
        };
        Crate {
            name,
            edition,
            runtime: scratch::RUNTIME,
            beside: &[],
            files: modules.chain([("src/lib.rs", library)]).collect(),
        }
    });
    let output = scratch::cargo("check", "names", &crates);
    let texts: Vec<_> = modules.iter().map(|(text, _)| text.as_str()).collect();
    assert!(
        output.status.success(),
        "{}\n{}",
        texts.join("\n"),
        String::from_utf8_lossy(&output.stderr)
    );
}

const DEFINITION: &str = "\
service: Shop
namespace: urn:example shop
path: Shop.asmx
operations:
  Buy:
    paramters: { article: Artcle, count: Int }
    result: Reciept
    bindings: [soap11]
  Sell: { parameters: { article: Article }, bindings: [soap11, soap1.2] }
  Count: { result: long }
types:
  Article:
    elements: { Name: string ?, Colour: Colour, Secret: { type: int, secret: true } }
  Receipt: { elements: { Articles: \"Article[]\" }, docs: What was bought. }
enums:
  Colour: [Red, 2nd, Green]
";

const LIBRARY: &str = "\
use shop::{Article, BuyRequest, Colour, Receipt, SellRequest, ShopClient, ShopHandler, ShopServer};

#[derive(svcgen::Service)]
#[service(definition = \"shop.yaml\")]
pub struct Shop;

struct Till;

impl ShopHandler for Till {
    async fn buy(&self, _: &svcgen::Context, request: BuyRequest) -> Result<Receipt, svcgen::Fault> {
        assert!(request.count > 0);
        Ok(Receipt { articles: vec![request.article] })
    }
    async fn sell(&self, _: &svcgen::Context, request: SellRequest) -> Result<(), svcgen::Fault> {
        let Article { name, colour, secret } = request.article;
        let _: (Option<String>, bool, i32) = (name, colour == Colour::Green, secret);
        Ok(())
    }
    async fn count(&self, _: &svcgen::Context) -> Result<i64, svcgen::Fault> {
        Ok(1)
    }
}

pub fn serve() -> impl Sized { ShopServer::new(Till) }
pub fn call<T: svcgen::Transport>(client: ShopClient<T>) -> ShopClient<T> { client }
";

/// Returns the errors of rustc for a crate, without the last, which is their count.
fn errors(one: Crate<'_>) -> (Vec<String>, String) {
    let output = scratch::cargo("check", one.name, &[one]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    let errors = said.lines().filter(|line| line.starts_with("error"));
    let mut errors: Vec<_> = errors.map(str::to_owned).collect();
    let last = errors.pop().unwrap();
    assert!(last.starts_with("error: could not compile"), "{said}");
    (errors, said)
}

#[test]
fn a_crate_without_a_build_script_is_told_of_it() {
    let (errors, said) = errors(Crate {
        name: "unbuilt",
        edition: "2024",
        runtime: &["derive"],
        beside: &[],
        files: vec![(
            "src/lib.rs",
            "svcgen::include_service!(\"shop\");".to_owned(),
        )],
    });
    // The second error comes from the path, whose `env!` has no message of its own, so that editors
    // can resolve it.
    let starts = [
        "error: this crate has no build script",
        "error: environment variable `OUT_DIR` not defined",
    ];
    assert_eq!(errors.len(), starts.len(), "{said}");
    for (error, start) in errors.iter().zip(starts) {
        assert!(error.starts_with(start), "{said}");
    }
}

#[test]
fn rustc_speaks_of_nothing_but_the_definition() {
    let diagnostics = Config::new().generate("shop.yaml", DEFINITION).unwrap_err();
    let (errors, said) = errors(Crate {
        name: "shop",
        edition: "2024",
        runtime: &["derive"],
        beside: &[],
        files: vec![
            ("shop.yaml", DEFINITION.to_owned()),
            ("src/lib.rs", LIBRARY.to_owned()),
        ],
    });
    let expected: Vec<_> = diagnostics
        .iter()
        .map(|diagnostic| {
            format!(
                "error: error[{}]: {}",
                diagnostic.code(),
                diagnostic.message()
            )
        })
        .collect();
    assert_eq!(errors, expected, "{said}");
}

/// A library of emitted types, and a crate that uses them in allowed and refused ways.
#[test]
fn other_crates_can_build_what_they_cannot_write_out() {
    let config = Config::new()
        .non_exhaustive(["."])
        .builders(["."])
        .client(false)
        .server(false);
    let types = generate(&config);
    let check = |code: &str| {
        let library = |name, beside, text: &str| Crate {
            name,
            edition: "2024",
            runtime: scratch::RUNTIME,
            beside,
            files: vec![("src/lib.rs", text.to_owned())],
        };
        let crates = [
            library("types", &[], &types),
            library("user", &["types"], code),
        ];
        let output = scratch::cargo("check", "other_crates", &crates);
        (
            output.status.success(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (compiles, said) =
        check("pub fn line() -> types::Line { types::Line::new().with_article(\"tea\") }\n");
    assert!(compiles, "{said}");
    let (compiles, said) = check(
        "pub fn line() -> types::Line { types::Line { article: String::new(), pieces: 1, of: None } }\n",
    );
    assert!(
        !compiles && said.contains("non-exhaustive struct"),
        "{said}"
    );
    let (compiles, said) = check(
        "pub fn f(k: types::Kind) { match k { types::Kind::Plain | types::Kind::Express | types::Kind::Gift => () } }\n",
    );
    assert!(!compiles && said.contains("E0004"), "{said}");
}

/// A crate whose types do not match: the errors name each type and what it lacks.
#[test]
fn a_type_that_does_not_fit_does_not_compile() {
    let config = ["Line", "Kind", "decimal"]
        .into_iter()
        .fold(Config::new(), |config, name| {
            config.extern_path(name, "crate::Nothing")
        });
    let library =
        "#[derive(Debug, Default, Clone, Copy, PartialEq)]\npub struct Nothing;\npub mod shop;\n";
    let misfits = Crate {
        name: "misfits",
        edition: "2024",
        runtime: scratch::RUNTIME,
        beside: &[],
        files: vec![
            ("src/lib.rs", library.to_owned()),
            ("src/shop.rs", generate(&config)),
        ],
    };
    let output = scratch::cargo("check", "misfits", &[misfits]);
    let said = String::from_utf8_lossy(&output.stderr);
    for words in [
        "`Nothing` cannot stand for a complex type or hold a value",
        "implements neither `svcgen::codegen::Complex` nor `svcgen::codegen::Value`",
        "`Nothing` cannot stand for an enumeration",
        "const _: () = codegen::fits::complex::<Line>();",
        "const _: () = codegen::fits::enumeration::<Kind>();",
        "const _: () = codegen::fits::value::<crate::Nothing>();",
    ] {
        assert!(said.contains(words), "{words} is not in {said}");
    }
}
