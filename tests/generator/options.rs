//! Every option through the derive macro, compiled and run. The other entry points have the same
//! results, and wrong values are errors.

mod attributes;
mod bindings;
mod builders;
mod documentation;
mod entry_points;
mod extern_path;
mod file;
mod mocks;
mod open_enums;
mod parts;
mod serde_types;
mod shared_results;
mod text_types;

use svcgen_codegen::{Config, Diagnostics, Output};

const SHOP: &str = include_str!("../definitions/valid/shop.yaml");

fn generate(config: &Config) -> Output {
    let output = config.generate("shop.yaml", SHOP);
    output.unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
}

/// Returns the diagnostics for options that do not match.
fn diagnose(config: &Config) -> Diagnostics {
    let output = config.generate("shop.yaml", SHOP);
    output.expect_err("the options do not fit")
}

/// Fails unless the options have a single error with this code and these words.
fn assert_refused(config: Config, code: &str, words: &[&str]) {
    let diagnostics = diagnose(&config);
    let codes: Vec<_> = diagnostics.iter().map(|one| one.code()).collect();
    assert_eq!(codes, [code], "{diagnostics}");
    for words in words {
        assert!(diagnostics.to_string().contains(words), "{diagnostics}");
    }
}

/// Returns the output of a future, which never waits as the call stays in the process.
fn wait<F: Future>(future: F) -> F::Output {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(future).poll(&mut context) {
        std::task::Poll::Ready(output) => output,
        std::task::Poll::Pending => panic!("a call in the process waits"),
    }
}

/// Declares a handler of `Shop` that returns its parameters, with the types of a module.
macro_rules! echo {
    ($($module:ident)::+) => {
        #[derive(Default)]
        struct Echo;

        impl $($module)::+::ShopHandler for Echo {
            async fn order(
                &self,
                _: &svcgen::Context,
                request: $($module)::+::OrderRequest,
            ) -> Result<$($module)::+::Receipt, svcgen::Fault> {
                let mut receipt = $($module)::+::Receipt::default();
                receipt.customer = request.customer;
                receipt.lines = request.lines;
                receipt.kind = request.kind;
                receipt.note = request.note;
                Ok(receipt)
            }

            async fn login(
                &self,
                _: &svcgen::Context,
                request: $($module)::+::LoginRequest,
            ) -> Result<bool, svcgen::Fault> {
                Ok(request.password.is_some_and(|password| &*password == "hunter2"))
            }

            async fn kinds(
                &self,
                _: &svcgen::Context,
                request: $($module)::+::KindsRequest,
            ) -> Result<Vec<$($module)::+::Kind>, svcgen::Fault> {
                let mut kinds = request.all;
                kinds.push(request.like);
                Ok(kinds)
            }

            async fn pay(
                &self,
                _: &svcgen::Context,
                _: $($module)::+::PayHeaders,
                request: $($module)::+::PayRequest,
            ) -> Result<$($module)::+::AnyPayment, svcgen::Fault> {
                Ok(request.payment)
            }

            async fn ping(&self, _: &svcgen::Context) -> Result<(), svcgen::Fault> {
                Ok(())
            }
        }
    };
}
use echo;
