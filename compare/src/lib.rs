//! What changed from one service definition to another, and whom it breaks.
//!
//! A message is written by one side and read by the other, which may know different definitions. So every difference on the wire comes
//! down to a few rules of reading, which are in `reading.rs`: what a reader makes of an element that it does not know, that is missing,
//! or that is of another type. Requests of old callers are written with the old definition and read with the new one, answers the other
//! way round; a new client on an old server is the mirror of both.
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
//!
//! The files, each built on those before it:
//!
//! | file | what |
//! |---|---|
//! | `class.rs`, `codes.rs`, `change.rs` | whom a change concerns and how bad it is; the table of changes; a change |
//! | `message.rs`, `usage.rs`, `reachability.rs` | a message and what becomes of it; the messages that hold something; which types they reach |
//! | `spans.rs`, `matching.rs` | where something is defined; what of one side is what of the other |
//! | `finding.rs`, `sides.rs` | something found, on the wire and in Rust; both sides |
//! | `reading.rs` | the rules of reading: elements, types and their texts |
//! | the others | what can change, one function each |
#![forbid(unsafe_code)]

mod change;
mod class;
mod codes;
mod enumerations;
mod finding;
mod matching;
mod members;
mod message;
mod operations;
mod options;
mod reachability;
mod reading;
mod service;
mod sides;
mod spans;
mod types;
mod usage;

pub use change::{Change, Comparison, Effect, Span};
pub use class::{Audience, Class, Verdict};
pub use codes::{CODES, Code, CodeRow};

use sides::Sides;
use spans::Spans;
use svcgen_codegen::Described;

/// What changed from an old definition to a new one, and whom it breaks. What they include is a part of them.
pub fn compare(old: &Described, new: &Described) -> Comparison {
    let mut sides = Sides::new(old, new);
    sides.service();
    sides.operations();
    sides.types();
    sides.enumerations();
    sides.options();
    let (old, new) = (Spans::new(old), Spans::new(new));
    let options = &sides.options;
    let located = sides.findings.into_iter().map(|finding| {
        let mut change = finding.change;
        change.old = finding.old.map(|keys| old.find(&keys));
        change.new = finding.new.map(|keys| new.find(&keys));
        change.effects.retain(|effect| match effect.audience {
            Audience::Implementors => options.server,
            Audience::ClientUsers => options.client,
            Audience::Callers | Audience::NewClients => true,
        });
        change
    });
    Comparison::new(located.collect())
}
