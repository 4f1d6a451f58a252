//! What is made of a definition that is refused: enough that its own mistakes are all that rustc speaks of.

use svcgen_codegen::Config;

use crate::scratch::{self, Crate};

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

/// The errors of rustc for a crate, without the last, which counts them.
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
    // The second is that of the path, without a message of its own, which editors can resolve.
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
