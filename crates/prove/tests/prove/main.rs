//! The findings of a proof, in one process.
#![allow(missing_docs)]

mod definitions;
mod planted;
mod proofs;
mod shop;
