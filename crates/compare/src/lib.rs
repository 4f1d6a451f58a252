//! Compares two versions of a service definition: finds the changes, and the callers and the Rust
//! code that they break.
//!
//! The writer and the reader of a message may know different versions. A few rules in `reading.rs`
//! decide the effect of a change on the wire: how a reader treats an element that is unknown,
//! missing, or of another type. Existing callers write requests by the old definition, and the
//! server reads them by the new one. Responses go the other way round. For new clients of an old
//! server, both directions are reversed.
//!
//! ```
//! use svcgen_codegen::Config;
//! use svcgen_compare::{Class, compare};
//!
//! let old = "{ service: S, namespace: urn:s, path: /s, operations: { A: { result: int } } }";
//! let new = old.replace("int", "int?");
//! let config = Config::new();
//! let comparison = compare(&config.describe("old.yaml", old)?, &config.describe("new.yaml", new)?);
//! let change = &comparison.changes()[0];
//! assert_eq!(change.code.to_string(), "result-optional");
//! assert_eq!(change.class(), Class::Wire);
//! # Ok::<(), svcgen_codegen::Diagnostics>(())
//! ```
#![forbid(unsafe_code)]

mod allowed;
mod change;
mod class;
mod codes;
mod enumerations;
mod finding;
mod matching;
mod member;
mod members;
mod message;
mod operations;
mod options;
mod reachability;
mod reading;
mod script;
mod service;
mod sides;
mod spans;
mod types;

pub use change::{Change, Comparison, Effect, Span};
pub use class::{Audience, Class, Verdict};
pub use codes::{CODES, Code, CodeRow};

use sides::Sides;
use svcgen_codegen::Described;

/// Compares two definitions, with the files that they include.
pub fn compare(old: &Described, new: &Described) -> Comparison {
    let mut sides = Sides::new(old, new);
    sides.service();
    sides.operations();
    sides.types();
    sides.enumerations();
    sides.options();
    Comparison::new(sides.changes)
}
