//! A program only contains the code of the bindings that its service uses.

use std::fs;
use std::path::Path;

use svcgen_codegen::Config;

use crate::scratch::{self, Crate};

/// A program that calls a service in the same process.
const PROGRAM: &str = "\
mod greeter;

use std::future::IntoFuture;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

struct Polite;

impl greeter::GreeterHandler for Polite {
    async fn greet(
        &self,
        _: &svcgen::Context,
        request: greeter::GreetRequest,
    ) -> Result<String, svcgen::Fault> {
        Ok(format!(\"Hello, {}!\", request.name))
    }
}

fn main() {
    let server = greeter::GreeterServer::new(Polite);
    let client = greeter::GreeterClient::new(server, \"http://localhost\").unwrap();
    let request = greeter::GreetRequest { name: \"Ada\".to_owned() };
    let mut answer = pin!(client.greet(&request).into_future());
    loop {
        let mut context = Context::from_waker(Waker::noop());
        if let Poll::Ready(answer) = answer.as_mut().poll(&mut context) {
            assert_eq!(answer.unwrap(), \"Hello, Ada!\");
            return;
        }
    }
}
";

fn greeter(more: &str) -> String {
    let definition = format!(
        "service: Greeter\nnamespace: urn:example:greeter\npath: /Greeter.asmx\noperations: {{ Greet: {{ parameters: {{ name: string }}, result: string, {more} }} }}\n"
    );
    let output = Config::new().generate("greeter.yaml", definition.as_str());
    output
        .unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
        .code
}

fn program<'c>(name: &'c str, runtime: &'c [&'c str], more: &str) -> Crate<'c> {
    Crate {
        name,
        edition: "2024",
        runtime,
        beside: &[],
        files: vec![
            ("src/greeter.rs", greeter(more)),
            ("src/main.rs", PROGRAM.to_owned()),
        ],
    }
}

/// Parts of the names of functions that read and write JSON or SOAP encoding.
const JSON: &str = "11svcgen_json";
const ENCODING: &str = "6values7encoded";

#[test]
fn a_program_links_the_protocols_of_its_service_alone() {
    let programs = [
        ("speaks_soap_11", "bindings: [soap11]", [false, false]),
        ("speaks_json", "bindings: [soap11, json]", [true, false]),
        (
            "speaks_encoded",
            "bindings: [soap11], style: rpc, use: encoded",
            [false, true],
        ),
    ];
    let crates = programs.map(|(name, more, _)| program(name, &["json"], more));
    let output = scratch::cargo("build", "linked", &crates);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    for (name, more, expected) in programs {
        let path = target.join("debug").join(name);
        let status = std::process::Command::new(&path).status().unwrap();
        assert!(status.success(), "{name}");
        let program = fs::read(path.with_extension(std::env::consts::EXE_EXTENSION)).unwrap();
        let found = [JSON, ENCODING].map(|part| {
            let part = part.as_bytes();
            program.windows(part.len()).any(|bytes| bytes == part)
        });
        assert_eq!(found, expected, "{more}");
    }
}

#[test]
fn rustc_names_the_feature_that_a_binding_needs() {
    let crates = [program("without_json", &[], "bindings: [soap11, json]")];
    let output = scratch::cargo("check", "without_json", &crates);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(told.contains("gated behind the `json` feature"), "{told}");
}
