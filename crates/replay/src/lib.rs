//! Replays recorded calls of a service, and compares answers in the terms of its definition.
//!
//! A [`Comparer`] determines the likeness of two answers to a request, and lists each difference
//! with its kind, its place and both values:
//!
//! ```
//! use bytes::Bytes;
//! use http::{Request, Response};
//! use svcgen_messages::Service;
//! use svcgen_replay::{Comparer, DifferenceKind, Likeness, Rules};
//!
//! let service = Service::of_definition("prices.yaml", "
//! service: Prices
//! namespace: http://example.com/prices
//! path: /Prices.asmx
//! operations:
//!   GetPrice: { parameters: { article: int }, result: Price }
//! types:
//!   Price: { elements: { Amount: decimal, Currency: 'string?' } }
//! ")?;
//! let request = Request::get("/Prices.asmx/GetPrice?article=7").body(Bytes::new())?;
//! let answer = |amount: &str| {
//!     let body = format!(
//!         r#"<?xml version="1.0" encoding="utf-8"?><Price xmlns="http://example.com/prices"><Amount>{amount}</Amount></Price>"#
//!     );
//!     Response::builder().header("Content-Type", "text/xml; charset=utf-8").body(Bytes::from(body))
//! };
//! let comparer = Comparer::new(Some(service), Rules::new());
//!
//! let other = comparer.compare(&request, &answer("12.50")?, &answer("12.75")?);
//! assert_eq!(other.likeness, Likeness::Differs);
//! assert_eq!(other.differences[0].kind, DifferenceKind::Value);
//! assert_eq!(other.differences[0].place, "GetPriceResult.Amount");
//!
//! let same = comparer.compare(&request, &answer("12.50")?, &answer("12.5")?);
//! assert_eq!(same.likeness, Likeness::SameValues);
//! assert_eq!(same.differences[0].kind, DifferenceKind::LexicalForm);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Replay`] sends recorded requests to a server, compares its answers with the recorded ones,
//! and creates a [`Report`].
#![forbid(unsafe_code)]

mod asked;
mod comparer;
mod comparison;
mod content;
mod decode;
mod description;
mod fill;
mod findings;
mod headers;
mod json;
mod kind;
mod likeness;
mod recording;
mod replay;
mod report;
mod rules;
mod value_path;
mod values;
mod xml;

pub use asked::{Asked, is_call};
pub use comparer::Comparer;
pub use comparison::{Comparison, Difference, Learned};
pub use decode::{encode, encoding_of, readable_request, readable_response};
pub use fill::MaskedValues;
pub use kind::DifferenceKind;
pub use likeness::Likeness;
pub use replay::{Rate, Replay, ReplayFailed};
pub use report::{Mismatch, Outcome, Replayed, Report};
pub use rules::{Rules, RulesError};
