//! Options in `svcgen.toml`.

use std::fs;
use std::path::{Path, PathBuf};

use svcgen_codegen::{Config, OPTIONS, OptionForm, options_file_of};

use super::{SHOP, generate, wait};

/// An attribute may set an option that the file does not set, and overrides the file.
#[derive(svcgen::Service)]
#[service(
    definition = "definitions/with_options/till.yaml",
    optional_methods = "."
)]
struct Service;

struct Nobody;

impl till::TillHandler for Nobody {
    async fn pay(
        &self,
        _: &svcgen::Context,
        request: till::PayRequest,
    ) -> Result<till::Receipt, svcgen::Fault> {
        Ok(till::Receipt {
            number: request.amount,
            text: "thanks".into(),
        })
    }
}

#[test]
fn a_derived_service_takes_the_file_beside_its_definition() {
    let client = till::TillClient::new(till::TillServer::new(Nobody), "http://localhost").unwrap();
    let request = till::PayRequest::new()
        .with_amount(7)
        .with_with(till::Coin::Pound);
    assert!(request < request.clone().with_amount(8));
    let receipt = wait(client.pay(&request)).unwrap();
    let text: Box<str> = receipt.text;
    assert_eq!((receipt.number, &*text), (7, "thanks"));
    assert!(till::Coin::Penny < till::Coin::Pound);
    assert!(wait(client.open()).is_err());
}

fn definition() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("definitions/with_options/till.yaml")
}

/// The same options as in the file, set by calls.
#[test]
fn a_file_says_what_calls_say() {
    let calls = Config::new()
        .extern_path("string", "Box<str>")
        .type_derive("*Request", "PartialOrd")
        .builders(["PayRequest"])
        .optional_methods(["Open"])
        .type_derive("Coin", "PartialOrd, Ord")
        .field_attribute("Receipt.Text", "#[doc(alias = \"words\")]")
        .field_attribute("Receipt.Text", "#[doc(hidden)]");
    let text = fs::read_to_string(definition()).unwrap();
    let by_calls = calls.generate("till.yaml", &text).unwrap();
    let by_file = Config::new().generate_file(definition()).unwrap();
    assert!(by_calls.code == by_file.code, "{}", by_file.code);
    let both = Config::new()
        .extern_path("string", "String")
        .builders(["*"]);
    let both = both.generate_file(definition()).unwrap();
    assert!(
        both.code.contains("pub text: String"),
        "calls hold over the file"
    );
    assert_eq!(
        both.code.matches("pub fn new() -> Self").count(),
        2,
        "a list of a call stands for that of the file"
    );
}

/// Every option can be set in a file, in the form of its row.
#[test]
fn every_option_can_stand_in_a_file() {
    let (mut lines, mut tables) = (String::from("[services.Mill]\n"), String::new());
    for option in OPTIONS {
        let (name, example) = (option.name, option.example);
        let line = match option.form {
            OptionForm::Switch => format!("{name} = {example}\n"),
            OptionForm::Text | OptionForm::Folder => format!("{name} = '{example}'\n"),
            OptionForm::List => format!("{name} = ['{}']\n", example.replace(',', "', '")),
            OptionForm::Pairs => {
                let (key, value) = example.split_once('=').unwrap();
                format!("[{name}]\n\"{key}\" = '{value}'\n")
            }
            form => panic!("{form:?}"),
        };
        let mut by_text = Config::new();
        option.set(&mut by_text, example).unwrap();
        let by_text = generate(&by_text).code;
        let by_file = Config::new().options_file("svcgen.toml", &line);
        assert!(generate(&by_file).code == by_text, "{line}");
        let of_service = match option.form {
            OptionForm::Pairs => format!("[services.Shop.{}", &line[1..]),
            _ => format!("[services.Shop]\n{line}"),
        };
        let by_service = Config::new().options_file("svcgen.toml", &of_service);
        assert!(generate(&by_service).code == by_text, "{of_service}");
        match option.form {
            OptionForm::Pairs => tables += &of_service.replace("Shop", "Mill"),
            _ => lines += &line,
        }
    }
    // The options of another service have no effect.
    let by_other = Config::new().options_file("svcgen.toml", &(lines + &tables));
    assert!(generate(&by_other).code == generate(&Config::new()).code);
}

#[test]
fn the_nearest_file_up_to_the_package_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let inner = root.join("package/definitions/inner");
    fs::create_dir_all(&inner).unwrap();
    let definition = inner.join("shop.yaml");
    fs::write(&definition, SHOP).unwrap();
    let client_of = |config: &Config| {
        let output = config.generate_file(&definition).unwrap();
        output.code.contains("struct ShopClient")
    };
    fs::write(root.join("svcgen.toml"), "client = false\n").unwrap();
    assert_eq!(
        options_file_of(&definition),
        None,
        "without a package, only its own folder"
    );
    fs::write(root.join("package/Cargo.toml"), "").unwrap();
    assert_eq!(
        options_file_of(&definition),
        None,
        "what is above the package is not its own"
    );
    assert!(client_of(&Config::new()));
    let of_package = root.join("package/svcgen.toml");
    fs::write(&of_package, "client = false\n").unwrap();
    assert_eq!(options_file_of(&definition), Some(of_package));
    assert!(!client_of(&Config::new()));
    assert!(
        client_of(&Config::new().client(true)),
        "a call holds over the file"
    );
    let beside = inner.join("svcgen.toml");
    fs::write(&beside, "\u{FEFF}").unwrap();
    assert_eq!(options_file_of(&definition), Some(beside.clone()));
    assert!(client_of(&Config::new()), "files do not add up");
    fs::write(&beside, [0xFF, 0xFE, b'c']).unwrap();
    let said = Config::new()
        .generate_file(&definition)
        .unwrap_err()
        .to_string();
    assert!(
        said.contains("svcgen.toml") && said.contains("is not UTF-8"),
        "{said}"
    );
}

/// Mistakes in a file, with their places and the hints.
#[test]
fn mistakes_have_their_places() {
    let mistakes = [
        (
            "clent = false",
            "SVC034",
            "svcgen.toml:1:1",
            "did you mean `client`?",
        ),
        (
            "\r\n[services.Shop]\r\nsrever = true\r\n",
            "SVC034",
            "svcgen.toml:3:1",
            "did you mean `server`?",
        ),
        (
            "gopher = 'b'",
            "SVC034",
            "svcgen.toml:1:1",
            "the options are `client`, `server`",
        ),
        (
            "[gopher]\na = 'b'",
            "SVC034",
            "svcgen.toml:1:2",
            "the table `[services.gopher]`; options that are tables are `extern_path`",
        ),
        (
            "[service.Shop]\nclient = false",
            "SVC034",
            "svcgen.toml:1:2",
            "did you mean `services`?",
        ),
        (
            "[services.Mill]\nclent = false",
            "SVC034",
            "svcgen.toml:2:1",
            "did you mean `client`?",
        ),
        (
            "client = 'false'",
            "SVC031",
            "svcgen.toml:1:1",
            "`client` is `true` or `false`; here it is a text",
        ),
        (
            "builders = 1",
            "SVC031",
            "svcgen.toml:1:1",
            "`builders` is a list of texts; here it is a number",
        ),
        (
            "builders = [true]",
            "SVC031",
            "svcgen.toml",
            "`builders` is of texts; here it is `true` or `false`",
        ),
        (
            "type_derive = 'Eq'",
            "SVC031",
            "svcgen.toml:1:1",
            "is a table from names to texts; here it is a text",
        ),
        (
            "[type_derive]\nKind = true",
            "SVC031",
            "svcgen.toml:2:1",
            "`Kind` is a text, or a list of texts",
        ),
        (
            "services = 1",
            "SVC031",
            "svcgen.toml:1:1",
            "`services` holds a table for each service",
        ),
        (
            "services.Shop = 1",
            "SVC031",
            "svcgen.toml:1:10",
            "`Shop` is a table of options",
        ),
        (
            "visibility = 'public'",
            "SVC031",
            "svcgen.toml:1:15",
            "neither `pub` nor `pub(crate)`",
        ),
        (
            "# é\nbindings = ['soap11', 'sop12']",
            "SVC031",
            "svcgen.toml:2:24",
            "did you mean `soap12`?",
        ),
        (
            "[type_derive]\n\"Knid\" = 'Eq'",
            "SVC030",
            "svcgen.toml:2:2",
            "did you mean `Kind`?",
        ),
        (
            "[services.Shop]\nbuilders = ['*Reqest']",
            "SVC030",
            "svcgen.toml:2:14",
            "no struct is called `*Reqest`",
        ),
        ("client = ", "SVC033", "svcgen.toml:1:", "this is not TOML"),
        (
            "client = false\nclient = true",
            "SVC033",
            "svcgen.toml:2:1",
            "duplicate key: `client`",
        ),
        (
            "[a]\n[a",
            "SVC033",
            "svcgen.toml:2:",
            "names with `*` or `.` are in quotes",
        ),
        (
            "client = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
            "SVC033",
            "svcgen.toml:1:42",
            "this is nested too deep",
        ),
        (
            "builders = [\"\\u0041\"]",
            "SVC030",
            "svcgen.toml:1:1",
            "no struct is called `A`",
        ),
    ];
    for (text, code, place, words) in mistakes {
        let config = Config::new().options_file("svcgen.toml", text);
        let diagnostics = super::diagnose(&config);
        let codes: Vec<_> = diagnostics.iter().map(|one| one.code()).collect();
        assert_eq!(codes, [code], "{diagnostics}");
        let said = diagnostics.to_string();
        assert!(
            said.contains(place) && said.contains(words),
            "{text}\n{said}"
        );
    }
}

#[test]
fn a_service_whose_name_is_mistyped_is_told() {
    let said = |text: &str| {
        let config = Config::new().options_file("svcgen.toml", text);
        let output = config.generate("shop.yaml", super::SHOP).unwrap();
        output.warnings.to_string()
    };
    let warning = said("[services.Shpo]\nclient = false\n");
    for part in [
        "warning[SVC035]: the options of `Shpo` are not for the service `Shop`",
        "--> svcgen.toml:1:11",
        "did you mean `Shop`?",
    ] {
        assert!(warning.contains(part), "{warning}");
    }
    assert_eq!(
        said("[services.Shpo]\nclient = false\n[services.Shop]\n"),
        ""
    );
    assert_eq!(said("[services.Mill]\nclient = false\n"), "");
}

/// At the top level, a pattern with `*` may match nothing in a service.
#[test]
fn wide_patterns_at_the_top_may_match_nothing() {
    for text in [
        "builders = ['*Reqest']",
        "builders = ['.']",
        "[type_derive]\n'Q*' = 'Eq'",
    ] {
        generate(&Config::new().options_file("svcgen.toml", text));
    }
}
