//! Calls made from the definition of a service, sent to two servers, and their answers compared.
//!
//! Recordings show what callers did. A definition shows what they can do: a [`Proof`] generates
//! calls from it, with values at the edges of their types, in every binding and form that callers
//! may choose, and wrong calls. It sends each to the original and to a candidate, and compares the
//! answers as [`svcgen_replay`] does.
//!
//! ```
//! use serde_json::json;
//! use svcgen_messages::{Answer, Service};
//! use svcgen_prove::Proof;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let service = Service::of_definition("prices.yaml", "
//! service: Prices
//! namespace: http://example.com/prices
//! path: /Prices.asmx
//! operations:
//!   Double: { read_only: true, parameters: { amount: decimal }, result: decimal }
//! ")?;
//! let server = |rounds: bool| {
//!     service.endpoint(move |request| async move {
//!         let amount: f64 = request.parameters["amount"].as_str().unwrap_or_default().parse().unwrap_or_default();
//!         let double = if rounds { (2.0 * amount).round() } else { 2.0 * amount };
//!         Ok(Answer::from(json!(double.to_string())))
//!     })
//! };
//! let mut proof = Proof::new(service);
//! proof.calls = 300;
//! let proved = proof.run(server(false), server(true)).await?;
//! let finding = &proved.findings[0];
//! assert!(finding.asks().contains("amount` is "), "{finding:?}");
//! println!("{}", proved.report().to_text(svcgen_replay::Likeness::Identical, 20));
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod asked;
mod call;
mod change;
mod coverage;
mod edges;
mod edit;
mod failed;
mod form;
mod health;
mod json;
mod place;
mod plan;
mod proof;
mod proved;
mod random;
mod recorded;
mod run;
mod xml;

pub use coverage::Coverage;
pub use failed::ProofFailed;
pub use proof::Proof;
pub use proved::{Finding, Proved};
